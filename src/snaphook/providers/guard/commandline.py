"""The commands of a shell line, for whoever matches them by pattern.

tool call  ->  Calls and Effects  ->  CommandLine

The guard's own evaluation, so a pattern sees what the rules see: pipes, substitutions, `bash -c`,
`xargs`, variables, functions. Past a limit or on broken syntax the line is not complete.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from snaphook.config.commandline import CommandLine, SimpleCommand
from snaphook.lazy import regex
from snaphook.providers.guard.examine import POWERSHELLS, command_text
from snaphook.shell import limits
from snaphook.shell.evaluation.evaluate import Evaluator
from snaphook.shell.evaluation.state import Frame
from snaphook.shell.facts import Act, Call, Effect
from snaphook.shell.known_programs import PROGRAMS
from snaphook.shell.limits import PastLimit
from snaphook.shell.text import is_known
from snaphook.shell.world import World

_WRITES = (Act.OVERWRITE, Act.APPEND, Act.WRITE)
_UNKNOWN = (Act.OPAQUE, Act.FORK)
_REDIRECTS = frozenset({">", ">|", "&>", ">&", ">>", "&>>", "<>"})
_NEEDS_QUOTES = regex(r"[\s;&|<>()$`\"'\\]|\A\Z")
_HARMLESS = regex(
    r"\A(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLUMNS|LINES|CI|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?"
    r"|NODE_ENV|RUST_LOG|RUST_BACKTRACE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED"
    r"|DEBIAN_FRONTEND|GIT_TERMINAL_PROMPT)\Z"
)
"""What may be set for a command without making it another one. Everything else may: PATH, LD_PRELOAD,
GIT_SSH_COMMAND, PAGER, NODE_OPTIONS and many that nobody has listed."""
_STEERS = regex(
    r"\A(?:PATH|HOME|IFS|ENV|BASH_\w+|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|CDPATH|SHELL|TMPDIR|XDG_\w+"
    r"|LD_\w+|DYLD_\w+|GIT_\w+|SSH_\w+|\w*PAGER|\w*EDITOR|VISUAL|BROWSER|LESS\w*|MANPAGER"
    r"|PYTHON\w*|NODE_\w+|NPM_\w+|PERL5?\w*|RUBY\w*|JAVA_\w+|_JAVA_\w+|MAKEFLAGS|CC|CXX|GOFLAGS"
    r"|CARGO_\w+|RUSTC\w*|PIP_\w+|UV_\w+|DOCKER_\w+|KUBECONFIG|AWS_\w+)\Z",
    re.IGNORECASE,
)
"""What an assignment of its own (``PATH=x; git status``) changes for all that follow."""


def read_line(
    tool: str, args: Mapping[str, object], world: World, *, scripts: bool = False
) -> CommandLine:
    """Return what the shell call would run; *scripts*: those on disk are read as well.

    An allow list leaves them unread: whoever allows ``npm test`` allows what it runs.
    """
    command = command_text(args)
    if command is None or "\0" in command or len(command) > limits.LONGEST:
        return CommandLine()
    evaluator = Evaluator(PROGRAMS, reads=scripts)
    try:
        evaluator.follow_command(command, Frame(world))
    except (PastLimit, RecursionError):
        return CommandLine(commands=tuple(_simple(evaluator.calls)))
    return CommandLine(
        commands=tuple(_simple(evaluator.calls)),
        complete=tool not in POWERSHELLS
        and not any(one.act in _UNKNOWN for one in evaluator.effects),
        steered=any(_steers(name, lasting=lasting) for name, lasting in evaluator.assigned),
        writes=tuple(_written(evaluator.effects)),
    )


def _steers(name: str, *, lasting: bool) -> bool:
    """Say whether setting *name* may change what the commands after it do."""
    return bool(_STEERS.search(name)) if lasting else not _HARMLESS.search(name)


def _written(effects: Iterable[Effect]) -> Iterator[str]:
    """Yield the files that redirections write; what a program writes is that program's matter."""
    for effect in effects:
        if effect.call.program in _REDIRECTS and effect.act in _WRITES:
            yield effect.path if is_known(effect.path) else ""


def _simple(calls: Iterable[Call]) -> Iterator[SimpleCommand]:
    for call in calls:
        args = tuple(map(_quoted, map(str, call.args)))
        yield SimpleCommand(
            text=" ".join((_quoted(str(call.name)), *args)),
            spellings=tuple(_spellings(call)),
            program=call.program,
            wrapped=bool(call.via),
            sure=call.sure,
        )


def _spellings(call: Call) -> Iterator[str]:
    """Yield how a rule that refuses might name *call*: ``/usr/bin/git -C x push`` is ``git push``."""
    words = list(map(str, call.args))
    yield " ".join((call.program, *words))
    if call.subcommand and words and words[0] != call.subcommand and call.subcommand in words:
        words.remove(call.subcommand)
        yield " ".join((call.program, call.subcommand, *words))


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\"'\"'") + "'" if _NEEDS_QUOTES.search(word) else word
