"""What the sandbox refused, as far as a command's output tells.

output + Policy  ->  Refusals

The kernel says no to the command and to nobody else; programs print it with the path. Pure.
"""

import os
import re
from collections.abc import Iterator

from msgspec import Struct

from .policy import Policy

_DENIED = (
    r"permission denied|read-only file system|operation not permitted|device or resource busy"
    r"|invalid cross-device link|EACCES|EROFS|EPERM|EXDEV|EBUSY|Errno (?:1|13|16|18|30)\b"
    r"|os error (?:1|13|16|18|30)\b|AccessDenied|can(?:no|')t (?:create|remove|open|write|move)"
)
_LINE = re.compile(rf"^.*(?:{_DENIED}).*$", re.IGNORECASE | re.MULTILINE)
_PATHS = re.compile(
    r"""['"‘`(]((?:~|/|\.\.?/)[^'"’`)]+)['"’`)]|(?<![\w:/])((?:~|/|\.\./)[^\s'":;,)]+)"""
)
_BARE = re.compile(
    r"(?:cannot (?:create|remove|open|move|touch)|open|unlink|mkdir) '?([^\s':]+)'?", re.IGNORECASE
)
_NETWORK = re.compile(
    r"network is unreachable|ENETUNREACH|could not resolve host|EAI_AGAIN|temporary failure in name"
    r"|name or service not known|no address associated|ENOTFOUND|Errno 101|Errno -3",
    re.IGNORECASE,
)
_MOST = 10
"""Refusals that are told; a command that retries prints the same a thousand times."""
_LONGEST = 200_000


OUTSIDE = "outside the project"
PROTECTED = "protected"
SECRET = "a secret"  # noqa: S105 - a word, not one
SOCKET = "leads outside the sandbox"
NETWORK = "the network"
_RULES = {
    OUTSIDE: "sandbox.outside",
    PROTECTED: "sandbox.protected",
    SECRET: "sandbox.secret",
    SOCKET: "sandbox.socket",
    NETWORK: "sandbox.network",
}


class Refusal(Struct, frozen=True, kw_only=True):
    """One thing that the policy did not let happen."""

    path: str = ""
    """Empty where it was the network."""
    what: str = ""
    host: str = ""
    """The host that was not allowed, where one is known."""

    @property
    def rule(self) -> str:
        """The name under which the record, metrics and the dashboard count it."""
        return _RULES.get(self.what, "sandbox.network")

    def __str__(self) -> str:
        return f"{self.path or self.host} ({self.what})" if self.path or self.host else self.what


def refusals(output: str, policy: Policy, *, cwd: str, home: str) -> tuple[Refusal, ...]:
    """Return what *output* says was refused, as far as *policy* explains it."""
    text = output[-_LONGEST:]
    found = dict.fromkeys(_of_files(text, policy, cwd, home))
    if policy.network != "open" and _NETWORK.search(text):
        found[Refusal(what=NETWORK)] = None
    return tuple(found)[:_MOST]


def _of_files(text: str, policy: Policy, cwd: str, home: str) -> Iterator[Refusal]:
    for line in _LINE.findall(text):
        for path in _paths_in(line, cwd, home):
            if what := why_refused(path, policy):
                yield Refusal(path=path, what=what)


def why_refused(path: str, policy: Policy) -> str:
    """Return why *policy* refuses to touch *path*; nothing where it does not."""
    for paths, what in (
        (policy.hidden, SECRET),
        (policy.sockets, SOCKET),
        ((*policy.protected, *policy.absent), PROTECTED),
    ):
        if any(_within(path, one) for one in paths):
            return what
    if any(_within(path, one) for one in (*policy.write, *policy.devices)):
        return ""
    return OUTSIDE


def _paths_in(line: str, cwd: str, home: str) -> Iterator[str]:
    named = [quoted or plain for quoted, plain in _PATHS.findall(line)]
    for path in named or _BARE.findall(line):
        full = f"{home}{path[1:]}" if path[:1] == "~" else path
        full = os.path.normpath(full if full[:1] == "/" else f"{cwd}/{full}")
        if full.count("/") > 1 or full != "/":
            yield full


def _within(path: str, root: str) -> bool:
    return path == root or path.startswith(f"{root}/")
