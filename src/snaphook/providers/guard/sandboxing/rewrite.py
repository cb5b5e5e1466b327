"""Put the prefix in front of the commands that are confined.

command + Marks + Prefix  ->  command

Pure. The rest of the line stays as it is typed, so that ``cd``, variables, pipes, jobs and exit codes
are the shell's own.
"""

from __future__ import annotations

import re

from snaphook.providers.guard.sandboxing.choose import Marks, Way
from snaphook.sandbox.store import Prefix

_OLD = re.compile(r"(?<![\w./-])(?:/[\w./+-]*/)?snaphook-sandbox (?:--hooks )?@[\w./-]+ ")


def rewrite(command: str, marks: Marks, prefix: Prefix) -> str:
    """Return *command* with its confined parts prefixed."""
    if marks.whole:
        return _in_shell(command, prefix)
    for at, way in reversed(marks.at):
        words = prefix.git_words if way is Way.HOOKS else prefix.words
        command = f"{command[:at]}{_text(words)} {command[at:]}"
    return command


def _in_shell(command: str, prefix: Prefix) -> str:
    """Return *command* in a confined shell, followed by the ``cd`` that it ended in.

    A folder is all that is taken over: variables set by code that nobody has read (``PATH``) would
    decide what the next, unconfined command runs. Where nothing was written down, nothing is done.
    """
    noted = f'"${{TMPDIR:-/tmp}}/snaphook-cwd-{prefix.policy.rpartition("/")[2].lstrip("@")}"'
    inner = f"trap 'pwd >{noted}' EXIT\n{command}"
    follow = f'{{ ! IFS= read -r snaphook_cwd 2>/dev/null <{noted} || cd -- "$snaphook_cwd"; }}'
    return f"{_text(prefix.words)} bash -c {_quoted(inner)} && {follow}"


def without_old(command: str, current: Prefix) -> str:
    """Return *command* without prefixes of other policies: an agent may repeat what it saw."""
    mine = f"{_text(current.words)} "
    git = f"{_text(current.git_words)} "
    return _OLD.sub(lambda found: found[0] if found[0] in (mine, git) else "", command)


def _text(words: tuple[str, ...]) -> str:
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    from shlex import quote

    return quote(word)
