"""Ways through which a harmless program is made to run a command.

man -P 'rm -rf ~' ls    ->  rm -rf ~
PAGER='rm -rf ~' man ls ->  rm -rf ~

An option or a variable that takes a command is one word in a table here, whatever else is known
about the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from snaphook.shell.facts import Action, Arg, Call, Runs, Shell
from snaphook.shell.programs.program import Teller

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "man": ("-P", "--pager", "-H", "--html"),
    "bat": ("--pager",),
    "batcat": ("--pager",),
    "rg": ("--pre", "--hostname-bin"),
    "fzf": ("--preview",),
    "sort": ("--compress-program",),
    "split": ("--filter",),
    "zip": ("-TT", "--unzip-command"),
    "tcpdump": ("-z",),
    "go": ("-exec", "-toolexec", "-vettool"),
    "make": ("--eval",),
    "scp": ("-S",),
    "sftp": ("-S",),
    "rsync": ("--rsync-path",),
    "npm": ("--script-shell",),
    "pnpm": ("--script-shell",),
    "cargo": ("--runner",),
    "dpkg": ("--pre-invoke", "--post-invoke"),
    "pandoc": ("-F", "--filter"),
}
"""Options whose value is a command, by program."""

VARIABLES: Mapping[str, tuple[str, ...]] = {
    "man": ("MANPAGER", "PAGER", "MANROFFOPT"),
    "less": ("LESSOPEN", "LESSCLOSE", "LESSEDIT"),
    "crontab": ("VISUAL", "EDITOR"),
    "git": ("VISUAL", "EDITOR", "PAGER", "SSH_ASKPASS"),
    "gh": ("GH_PAGER", "PAGER", "GH_EDITOR", "EDITOR", "GH_BROWSER", "BROWSER"),
    "psql": ("PSQL_PAGER", "PAGER", "PSQL_EDITOR", "EDITOR"),
    "mysql": ("PAGER", "EDITOR"),
    "systemctl": ("SYSTEMD_PAGER", "PAGER", "SYSTEMD_EDITOR", "EDITOR"),
    "journalctl": ("SYSTEMD_PAGER", "PAGER"),
    "kubectl": ("KUBE_EDITOR", "EDITOR", "KUBECTL_EXTERNAL_DIFF"),
    "visudo": ("VISUAL", "EDITOR"),
    "sudoedit": ("SUDO_EDITOR", "VISUAL", "EDITOR"),
    "aws": ("AWS_PAGER", "PAGER"),
    "bat": ("BAT_PAGER", "PAGER"),
    "rsync": ("RSYNC_RSH", "RSYNC_CONNECT_PROG"),
    "cargo": ("RUSTC_WRAPPER", "RUSTC"),
    "ssh": ("SSH_ASKPASS",),
}
"""Variables whose value is a command, by the program that runs it."""

_FZF_RUNS = re.compile(r"(?:execute|execute-silent|become|reload|preview)[(\[{:](.+?)(?:[)\]}]|$)")
_DEBUGGER_RUNS = re.compile(r"^(?:!|shell\s|platform\s+shell\s|pipe\s)\s*(.+)$", re.DOTALL)


def options(call: Call) -> Iterator[Action]:
    """Run what the options and variables of the tables above hold."""
    for text in _given(call, OPTIONS.get(call.program, ())):
        yield Shell(text=text.value, span=text.span)
    for name in VARIABLES.get(call.program, ()):
        if value := call.env.get(name):
            yield Shell(text=value.lstrip("|-"), span=call.span)


def _given(call: Call, names: tuple[str, ...]) -> Iterator[Arg]:
    """Return the values given to any of *names*, attached or in the next word."""
    for at, arg in enumerate(call.args):
        name, attached, value = arg.value.partition("=")
        if arg.value == "--":
            return
        if name in names and attached:
            yield replace(arg, value=value)
        elif name in names and at + 1 < len(call.args):
            yield call.args[at + 1]


def less(call: Call) -> Iterator[Action]:
    """Run what `+!` gives as a first command."""
    for arg in call.args:
        if arg.value.startswith("+!"):
            yield Shell(text=arg.value[2:], span=arg.span)


def fzf(call: Call) -> Iterator[Action]:
    """Run what keys and events are bound to."""
    for binding in _given(call, ("--bind",)):
        for found in _FZF_RUNS.finditer(binding.value):
            yield Shell(text=found[1], span=binding.span)


def debugger(call: Call) -> Iterator[Action]:
    """Run the debugger's own shell commands."""
    for line in _given(call, ("-ex", "--ex", "-iex", "--eval-command", "-o", "-O", "--one-line")):
        if found := _DEBUGGER_RUNS.match(line.value):
            yield Shell(text=found[1], span=line.span)


def proxied(call: Call) -> Iterator[Action]:
    """Run what ssh's ProxyCommand and its kin name."""
    for option in _given(call, ("-o",)):
        key, *value = re.split(r"[=\s]", option.value, maxsplit=1)
        if key.lower() in ("proxycommand", "localcommand", "knownhostscommand"):
            yield Shell(text="".join(value), span=option.span)


def in_namespace(call: Call) -> Iterator[Action]:
    """Run the command of `ip netns exec NAME`, `ip vrf exec NAME`."""
    words = call.args
    for at, arg in enumerate(words):
        if arg.value == "exec" and at and words[at - 1].value in ("netns", "vrf"):
            yield Runs(args=words[at + 2 :])
            return


SPECIAL: Mapping[str, Teller] = {
    "less": less,
    "fzf": fzf,
    "gdb": debugger,
    "lldb": debugger,
    "scp": proxied,
    "sftp": proxied,
    "ip": in_namespace,
}
"""Programs whose way of running commands is not a plain option."""


def escapes(call: Call) -> Iterator[Action]:
    """Run what *call* is made to run, in whatever way."""
    if special := SPECIAL.get(call.program):
        yield from special(call)
    yield from options(call)


TELLERS: Mapping[str, Teller] = dict.fromkeys({*OPTIONS, *VARIABLES, *SPECIAL}, escapes)
