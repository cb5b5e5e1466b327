"""Programs that only read, and the options with which they do more.

program  ->  options that are refused, or None for a program that is not in here

The tables name what is known to be harmless, never what is known to be dangerous: a program that is
missing is not approved.
"""

from __future__ import annotations

from collections.abc import Mapping

_ANY_TEXT = """
    ls dir vdir stat du df which whereis type whoami id groups uname uptime cal pwd nproc free vmstat
    iostat lscpu lsblk pgrep pidof jobs w who last sleep true false seq expr test [ [[ : echo basename
    dirname realpath readlink locale getconf arch tty factor numfmt cd pushd popd exit return break
    continue shift wait times cat head tail wc cut tr paste join comm diff cmp colordiff column fold
    nl rev tac expand unexpand od hexdump strings md5sum sha1sum sha224sum sha256sum sha384sum
    sha512sum cksum b2sum sum base64 base32 grep egrep fgrep zgrep zcat bzcat xzcat gzcat tsort
    cloc tokei scc zipinfo lsmod lspci lsusb ss netstat nm objdump readelf size ldconfig-p
    """
_UNLESS: Mapping[str, tuple[str, ...]] = {
    "printf": ("-v",),
    "date": ("-s", "--set"),
    "sort": ("-o", "--output", "--compress-program", "-T", "--temporary-directory"),
    "tree": ("-o", "--output"),
    "file": ("-C", "--compile", "-m", "--magic-file"),
    "iconv": ("-o", "--output"),
    "fmt": (),
    "rg": ("--pre", "--hostname-bin", "--search-zip", "-z"),
    "ag": ("--pager",),
    "ack": ("--pager", "--output", "--ackrc"),
    "bat": ("--pager", "--config-file", "cache"),
    "batcat": ("--pager", "--config-file", "cache"),
    "eza": (),
    "exa": (),
    "lsd": (),
    "fd": ("-x", "-X", "--exec", "--exec-batch"),
    "fdfind": ("-x", "-X", "--exec", "--exec-batch"),
    "find": ("-delete", "-fprint", "-fprint0", "-fprintf", "-fls", "-ok", "-okdir"),
    "journalctl": (
        "--vacuum-size", "--vacuum-time", "--vacuum-files", "--rotate", "--flush", "--sync",
        "--setup-keys", "--update-catalog", "--relinquish-var", "--smart-relinquish-var",
    ),
    "lsof": ("-D",),
    "yq": ("-i", "--inplace", "-s", "--split-exp"),
    "man": ("-P", "--pager", "-H", "--html"),
}  # fmt: skip
"""Programs that write or run something only with the options named."""
READERS: Mapping[str, tuple[str, ...]] = {**dict.fromkeys(_ANY_TEXT.split(), ()), **_UNLESS}

WHOLE_WORD_OPTIONS = frozenset({"find"})
"""Programs whose options are words behind one dash, not letters."""

NAMES_ONLY_TEXT = """
    ls dir vdir stat du df which whereis type whoami id groups uname uptime cal pwd nproc free vmstat
    iostat lscpu lsblk pgrep pidof jobs w who last sleep true false seq expr test [ [[ : echo basename
    dirname realpath readlink locale getconf arch tty factor numfmt cd pushd popd exit return break
    continue shift wait times printf date tree find fd fdfind eza exa lsd lsof ss netstat lsmod lspci
    lsusb cloc tokei scc man journalctl
    """
NAMES_ONLY = frozenset(NAMES_ONLY_TEXT.split())
"""Readers that show names and states, not what is in a file."""

MOST_OPERANDS: Mapping[str, int] = {"uniq": 1, "xxd": 1, "json.tool": 1}
"""Readers whose next operand would be written to."""

_WRAPPER_TEXT = "timeout time nice ionice env command builtin stdbuf xargs bash sh dash zsh eval if"
WRAPPERS = frozenset(_WRAPPER_TEXT.split())
"""Programs that run another one: fine when that one is."""

SUBCOMMANDS: Mapping[str, frozenset[str]] = {
    name: frozenset(verbs.split())
    for name, verbs in {
        "docker": "ps images version top port",
        "podman": "ps images version top port",
        "npm": "ls list ll la root prefix bin",
        "pnpm": "ls list ll root",
        "pip": "list show freeze check",
        "pip3": "list show freeze check",
        "systemctl": "status is-active is-enabled is-failed list-units list-unit-files show",
        "apt": "list show",
        "dpkg": "-l -L -s --list --listfiles --status",
        "rpm": "-q -qa -ql -qi",
        "brew": "list",
        "conda": "list info",
        "rustup": "show toolchain",
        "go": "version",
        "tmux": "ls list-sessions list-panes list-windows",
    }.items()
}
"""Subcommands that only read, of programs that also do other things."""

VERSIONS = frozenset({"--version", "-V", "--help"})
"""The only argument with which a known program says what it is."""
