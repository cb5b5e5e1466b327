"""Which commands of a line are confined.

Judgement + Script  ->  Marks: where a prefix goes, or that the whole line needs a shell of its own

Pure. A command that runs code nobody has read is confined. So is one that comes after it on the same
line and touches files: what was judged may have become a link to something else by then. Commands
that need keys, sockets or another user by their nature stay outside, where the guard's rules judge
them: confined, they would only fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from msgspec import Struct

from snaphook.providers.guard.judgement import Judgement
from snaphook.providers.guard.sandboxing.needs import HOOKED, interprets
from snaphook.providers.guard.sandboxing.simples import Found
from snaphook.shell.evaluation.builtins import BUILTINS
from snaphook.shell.facts import Act, Span
from snaphook.shell.gaps import Gap

HELPER = "snaphook-sandbox"

_OUTSIDE_TEXT = """
    gh glab hub ssh scp sftp rsync mosh docker podman nerdctl docker-compose kubectl helm k9s minikube
    kind terraform tofu aws gcloud gsutil az doctl heroku flyctl vercel netlify psql mysql mongosh
    redis-cli sudo doas su pkexec runuser systemctl service journalctl loginctl brew apt apt-get dnf
    yum apk pacman zypper snap flatpak tmux screen byobu claude codex gemini copilot opencode qwen
    cursor-agent aider goose amp droid wave crush cline grok kiro-cli snaphook snaphook-hook
    ssh-add ssh-keygen ssh-agent gpg gpg2 gpgconf pass op bw security kill pkill killall wsl.exe
    xdg-open open code cursor crontab at batch systemd-run loginctl vagrant virsh
"""
OUTSIDE = frozenset(_OUTSIDE_TEXT.split())
"""Programs that ask somebody else to act, or need keys: confined they cannot do their work."""
PUBLISHES = frozenset({"publish", "login", "logout", "adduser", "whoami", "token", "owner", "yank"})
"""Subcommands that act in somebody's name."""


class Way(Enum):
    """How one command is confined."""

    WHOLLY = "confined"
    HOOKS = "git outside, its hooks confined"


class Marks(Struct, frozen=True, kw_only=True):
    """Where prefixes go; *whole*: the line runs in a confined shell instead."""

    at: tuple[tuple[int, Way], ...] = ()
    whole: bool = False
    why: str = ""

    def __bool__(self) -> bool:
        return bool(self.at) or self.whole


class Facts(Struct, frozen=True, kw_only=True):
    """What the choice hangs on besides the judgement."""

    always: bool = False
    own_repository: bool = True
    """Whether git here is the project's own, whose settings nobody confined can change."""
    has_hooks: bool = False


def choose(judgement: Judgement, found: Iterable[Found], facts: Facts) -> Marks:
    """Return which of the commands *found* in the line are confined, and how."""
    commands = tuple(found)
    unread = tuple(_unread(judgement, facts))
    marks: dict[int, Way] = {}
    first: int | None = None
    for span, _ in unread:
        inside = _enclosing(commands, span)
        if inside is None or inside.builtin_runs_code:
            return Marks(whole=True, why=unread[0][1])
        first = inside.start if first is None else min(first, inside.start)
        marks[inside.at] = Way.WHOLLY
    if first is not None:
        marks |= dict.fromkeys(_after(judgement, commands, first), Way.WHOLLY)
    if facts.always:
        # The project's own git writes what is protected (.git/config), by its very work.
        left = OUTSIDE | {"git"} if facts.own_repository else OUTSIDE
        every = (one.at for one in commands if not one.builtin and one.program not in left)
        marks |= dict.fromkeys(every, Way.WHOLLY)
    marks |= dict(_of_git(judgement, commands, facts))
    confined = {one.at for one in commands if one.program == HELPER}
    outside = {one.at for one in commands if one.program in OUTSIDE}
    kept = {at: way for at, way in marks.items() if at not in confined and at not in outside}
    why = unread[0][1] if unread else "every command is confined"
    return Marks(at=tuple(sorted(kept.items(), key=lambda one: one[0])), why=why)


def _unread(judgement: Judgement, facts: Facts) -> Iterator[tuple[Span, str]]:
    """Yield each place that runs code nobody has read, and what it is in a phrase."""
    for one in judgement.unknown:
        if one.gap is not Gap.LIMIT and not _stays_outside(one.program, judgement, one.span):
            yield one.span, one.what
    for call in judgement.calls:
        if interprets(call):
            yield call.span, f"{call.program} runs code"
        elif call.program == "git" and not facts.own_repository:
            yield call.span, "git runs what another repository's settings say"


def _stays_outside(program: str, judgement: Judgement, span: Span) -> bool:
    """Say whether what is unknown runs by a program that has to stay outside."""
    if program in OUTSIDE:
        return True
    calls = [call for call in judgement.calls if call.span == span]
    return any(
        not OUTSIDE.isdisjoint(call.via) or call.root or call.remote or call.subcommand in PUBLISHES
        for call in calls
    )


def _enclosing(commands: tuple[Found, ...], span: Span) -> Found | None:
    """Return the innermost command that *span* lies in."""
    around = [one for one in commands if one.start <= span.start and span.end <= one.end]
    return min(around, key=lambda one: one.end - one.start, default=None)


def _after(judgement: Judgement, commands: tuple[Found, ...], first: int) -> Iterator[int]:
    """Yield the commands from *first* on that touch files by their names."""
    touching = [
        effect.span for effect in judgement.effects if effect.path and effect.act is not Act.ENTER
    ]
    for one in commands:
        if one.start < first or one.builtin or one.program == "git":
            continue
        if any(one.words_start <= span.start and span.end <= one.end for span in touching):
            yield one.at


def _of_git(
    judgement: Judgement, commands: tuple[Found, ...], facts: Facts
) -> Iterator[tuple[int, Way]]:
    """Yield the git calls whose hooks would run."""
    if not facts.has_hooks or not facts.own_repository:
        return
    for call in judgement.calls:
        if call.program == "git" and call.subcommand in HOOKED:
            inside = _enclosing(commands, call.span)
            if inside is not None and inside.program == "git":
                yield inside.at, Way.HOOKS


def is_builtin(program: str) -> bool:
    """Say whether the shell does *program* itself."""
    return program in BUILTINS or program in _MORE_BUILTINS


_MORE_BUILTIN_TEXT = """
    cd pushd popd export unset set shift exit return break continue let local declare typeset readonly
    alias unalias trap umask ulimit times hash command builtin eval exec source . read mapfile
    readarray getopts history fc bind complete compgen shopt enable disown bg fg wait jobs
    true false : echo printf test [ type kill pwd
"""
_MORE_BUILTINS = frozenset(_MORE_BUILTIN_TEXT.split())
