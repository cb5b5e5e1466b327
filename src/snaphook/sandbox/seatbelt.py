"""A policy as a profile for macOS's Seatbelt.

Policy  ->  text for ``sandbox-exec -p``

Pure. The last rule that matches decides, so the profile goes from the wide to the narrow: everything may be
read, nothing written; then what may be written, then what is protected inside it, then secrets.
https://reverse.put.as/wp-content/uploads/2011/09/Apple-Sandbox-Guide-v1.0.pdf describes the language, which
Apple documents nowhere.
"""

from collections.abc import Iterable, Iterator

from .policy import Policy

_START = """\
(version 1)
(deny default)
(allow process*)
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow system-socket)
(allow ipc-posix-shm ipc-posix-sem)
(allow pseudo-tty)
(allow file-ioctl (regex #"^/dev/tty"))
(allow file-read*)"""
_SERVICES = (
    "com.apple.system.opendirectoryd.libinfo",
    "com.apple.system.opendirectoryd.membership",
    "com.apple.system.notification_center",
    "com.apple.system.logger",
    "com.apple.SecurityServer",
    "com.apple.trustd.agent",
    "com.apple.dnssd.service",
    "com.apple.SystemConfiguration.configd",
    "com.apple.cfprefsd.daemon",
    "com.apple.cfprefsd.agent",
    "com.apple.bsd.dirhelper",
)
"""Services of the system that compilers and package managers look up; none of them starts programs."""
_DEVICES = (
    "/dev/null",
    "/dev/zero",
    "/dev/tty",
    "/dev/dtracehelper",
    "/dev/random",
    "/dev/urandom",
    "/dev/ptmx",
)
_TEMPORARY = ("/private/tmp", "/private/var/tmp", "/private/var/folders")
"""Where macOS keeps temporary files; ``/tmp`` and ``TMPDIR`` are links to them."""


def profile(policy: Policy) -> str:
    """Return *policy* as ``sandbox-exec`` reads it."""
    return "\n".join([_START, *_rules(policy)]) + "\n"


def _rules(policy: Policy) -> Iterator[str]:
    yield f"(allow mach-lookup{''.join(f' (global-name {_quoted(one)})' for one in _SERVICES)})"
    yield _rule("allow file-write*", "subpath", (*policy.write, *_TEMPORARY))
    yield _rule("allow file-write*", "literal", (*policy.devices, *_DEVICES))
    yield '(allow file-write* (regex #"^/dev/(tty|pty|fd/)"))'
    # Not even renamed away: a rule for a path does not follow what stands there.
    yield _rule("deny file-write*", "subpath", (*policy.protected, *policy.absent))
    yield _rule("deny file-write-unlink", "literal", policy.pinned)
    yield _rule("deny file-read* file-write*", "subpath", policy.hidden)
    yield from _network(policy)
    yield _rule(
        "deny network-outbound", "subpath", policy.sockets, around="(remote unix-socket {})"
    )


def _network(policy: Policy) -> Iterator[str]:
    if policy.network == "open":
        yield "(allow network*)"
        return
    # No proxy is started here, so an allowlist is closed as well: the loopback is all there is.
    yield '(allow network-bind network-inbound (local ip "localhost:*"))'
    yield '(allow network-outbound (remote ip "localhost:*"))'
    yield "(allow network* (local unix-socket) (remote unix-socket))"


def _rule(act: str, kind: str, paths: Iterable[str], *, around: str = "{}") -> str:
    """Return one rule for *paths*; a comment where there are none: a rule without a filter is for all."""
    named = [around.format(f"({kind} {_quoted(path)})") for path in paths]
    return f"({act} {' '.join(named)})" if named else f"; {act}: nothing"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
