"""Follow a script the way a shell would, without running anything.

Script + Frame  ->  Calls and Effects

Values are known in part (see `guard.text`). Every branch is followed, loops turn a few times,
functions are entered, and what a program says it runs in turn is followed too. Bounded by
`guard.limits`: past one of them `PastLimit` is raised, and the judge closes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from snaphook.lazy import regex
from snaphook.shell import limits
from snaphook.shell.evaluation import expand, loops, origins, redirect, secret_flow
from snaphook.shell.evaluation.assign import assignments
from snaphook.shell.evaluation.follow import shell_text
from snaphook.shell.evaluation.invoke import invoke, unmade
from snaphook.shell.evaluation.state import Frame
from snaphook.shell.facts import Act, Arg, Call, Effect, Span
from snaphook.shell.gaps import Unknown
from snaphook.shell.limits import PastLimit
from snaphook.shell.programs.program import Program
from snaphook.shell.syntax.tree import (
    Case,
    Command,
    Coproc,
    For,
    Function,
    Group,
    If,
    Item,
    Loop,
    Pipeline,
    ProcessSubstitution,
    Script,
    Simple,
    Test,
)
from snaphook.shell.text import UNKNOWN

if TYPE_CHECKING:
    from snaphook.shell.world import World

_CALLED_BY_ITSELF = frozenset({"command_not_found_handle", "command_not_found_handler"})
_UNSEEN = regex(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u061c\u115f\u1160\u200b\u202a-\u202e\u2060-\u2064"
    "\u2066-\u2069\u3164\uffa0\U000e0000-\U000e007f]"
)
"""Control characters and letters without a shape: what people approve must be what runs."""


_ON_LINKS = (Act.DELETE, Act.MOVE, Act.LINK)


def _never(_path: str) -> object:
    """Say that no file holds secrets: for whoever asks what a command does, and no more."""
    return None


class Evaluator:
    """Collects what a script would do. One for each command that is examined."""

    def __init__(
        self,
        programs: Mapping[str, Program],
        *,
        reads: bool = True,
        is_secret: Callable[[str], object] = _never,
        was_downloaded: Callable[[str], object] = _never,
    ) -> None:
        self.programs = programs
        self.is_secret = is_secret
        self.was_downloaded = was_downloaded
        self.world: World | None = None
        self.reads = reads
        self.calls: list[Call] = []
        self.effects: list[Effect] = []
        self.files: dict[str, str] = {}
        self.traps: list[tuple[Arg, Frame]] = []
        self.arrays: dict[Span, tuple[str, ...]] = {}
        self.steps = 0
        self.most_steps = limits.MOST_STEPS
        self.most_effects = limits.MOST_EFFECTS
        self.entered: list[str] = []
        self.read: set[tuple[str, ...]] = set()
        self.unread: list[Unknown] = []
        self.downloads: set[str] = set()
        """What the command unpacks from a download: files, and folders with a slash at the end."""
        self.unpacked: set[str] = set()
        """Where it unpacks what nobody can list yet."""
        self.links: dict[str, str] = {}
        """Links that the command makes, and where they lead."""
        self.shows: Call | None = None
        """The call that last printed a secret."""
        self.assigned: set[tuple[str, bool]] = set()
        """Variables that the text sets, and whether for more than one command."""

    def follow_command(self, text: str, frame: Frame) -> None:
        """Follow a whole command, then what it left to be run at its end."""
        self.world = frame.world
        plainly_seen = text.isascii() and text.isprintable()
        if not plainly_seen and (unseen := _UNSEEN.search(text)):
            span = Span(unseen.start(), unseen.end())
            self.opaque(unmade("", frame, span), span, "characters that cannot be seen")
        printed = shell_text(self, text, frame, None, here=True)
        secret_flow.note_shown(self, printed)
        for trapped, where in self.traps[: limits.DEEPEST]:
            shell_text(self, trapped.value, where, trapped.span)

    def holds_secret(self, path: str) -> bool:
        """Say whether *path* is a file of secrets, or what the command made of one."""
        return secret_flow.holds_secret(self, path)

    def is_download(self, path: str) -> bool:
        """Say whether *path* was downloaded, by this command or before, and nobody has read it."""
        return origins.is_download(self, path)

    # --- scripts ---------------------------------------------------------------------------

    def run(self, what: Script | ProcessSubstitution, frame: Frame) -> str:
        """Follow a substitution in a shell of its own; return what it prints."""
        inner = frame.copy()
        if isinstance(what, ProcessSubstitution):
            if what.writes:
                inner.stdin = UNKNOWN
            output = self.bounded(self.script(what.script, inner))
            name = f"/dev/fd/{63 - sum(path.startswith('/dev/fd/') for path in self.files)}"
            self.files[name] = output
            return name
        inner.captured = True
        return self.bounded(self.script(what, inner))

    def bounded(self, text: str) -> str:
        """Return *text*, or the unknown mark where it is too long to carry along."""
        return text if len(text) <= limits.LONGEST_VALUE else UNKNOWN

    def script(self, script: Script, frame: Frame) -> str:
        """Follow every command of *script*; return what they print, one after the other."""
        out: list[str] = []
        before: Frame | None = None
        for at, item in enumerate(script.items):
            joins_or = at + 1 < len(script.items) and script.items[at + 1].joined == "||"
            if item.joined == "||" and before is not None:
                out.append(self._otherwise(item, frame, before))
            else:
                if joins_or:
                    before = frame.copy()
                led = at > 0 and _only_leads(script.items[at - 1])
                out.append(self._item(item, frame, led=led))
        return "".join(out)

    def _item(self, item: Item, frame: Frame, *, led: bool) -> str:
        if item.background:
            aside = frame.copy()
            aside.forks = True
            return self.command(item.command, aside)
        if item.joined != "&&" or (led and not frame.chained):
            return self.command(item.command, frame)
        before, frame.chained = frame.chained, True
        output = self.command(item.command, frame)
        frame.chained = before
        return output

    def _otherwise(self, item: Item, frame: Frame, before: Frame) -> str:
        """Follow what stands after `||`: it runs where its left side failed."""
        output = self.command(item.command, before)
        if not _leaves(item):
            frame.merge([frame.copy(), before])
        return output

    def command(self, node: Command, frame: Frame) -> str:
        """Follow one command; return what it prints."""
        match node:
            case Simple():
                return self._simple(node, frame)
            case Pipeline():
                return self._pipeline(node, frame)
            case Group():
                return self._group(node, frame)
            case If():
                return self._if(node, frame)
            case For():
                return self._for(node, frame)
            case Loop():
                return self._loop(node, frame)
            case Case():
                return self._case(node, frame)
            case Function():
                frame.functions[node.name] = node.body
                if node.name in _CALLED_BY_ITSELF:
                    self.command(node.body, frame.copy())
                return ""
            case Test():
                return self._test(node, frame)
            case Coproc():
                return self.command(node.command, frame.copy())

    # --- compound commands -----------------------------------------------------------------

    def _pipeline(self, node: Pipeline, frame: Frame) -> str:
        first = len(self.calls)
        output: str | None = frame.stdin
        for command in node.commands:
            stage = frame.copy()
            stage.forks = True
            stage.stdin = output
            stage.upstream = frame.upstream + tuple(self.calls[first:])
            output = self.command(command, stage)
        return output or ""

    def _group(self, node: Group, frame: Frame) -> str:
        inner = frame.copy() if node.subshell or node.redirects else frame
        marks = redirect.compound(self, node.redirects, inner)
        output = self.script(node.body, inner)
        if inner is not frame and not node.subshell:
            frame.merge([inner])
        return redirect.written(self, marks, output)

    def _if(self, node: If, frame: Frame) -> str:
        inner = redirect.applied(self, node.redirects, frame)
        ends: list[Frame] = []
        out: list[str] = []
        has_else = False
        for condition, body in node.branches:
            has_else = condition is None
            if condition is not None:
                self.script(condition, inner)
            branch = inner.copy()
            out.append(self.script(body, branch))
            ends.append(branch)
        if not has_else:
            ends.append(inner)
        frame.merge(
            [end for end in ends if end is not frame] + ([frame.copy()] if frame in ends else [])
        )
        return "".join(out)

    def _loop(self, node: Loop, frame: Frame) -> str:
        inner = redirect.applied(self, node.redirects, frame)
        self.script(node.condition, inner)
        if loops.starts_without_end(node):
            span = frame.at or Span(node.start, node.end)
            made = unmade("while", frame, span)
            self.effects.append(Effect(act=Act.FORK, call=made, span=span))
        return self.script(node.body, inner)

    def _for(self, node: For, frame: Frame) -> str:
        inner = redirect.applied(self, node.redirects, frame)
        if node.words is None:
            values = list(frame.arguments[1:])
        else:
            values = [arg.value for arg in expand.arguments(node.words, frame, self.run)]
        if len(values) > limits.WIDEST_LOOP:
            values = [*values[: limits.WIDEST_LOOP], UNKNOWN]
        out: list[str] = []
        for value in values:
            inner.variables[node.name] = value
            out.append(self.script(node.body, inner))
        return "".join(out)

    def _case(self, node: Case, frame: Frame) -> str:
        inner = redirect.applied(self, node.redirects, frame)
        expand.single(node.subject, inner, self.run)
        ends = [inner.copy()]
        out: list[str] = []
        for patterns, body in node.branches:
            branch = inner.copy()
            for pattern in patterns:
                expand.single(pattern, branch, self.run)
            out.append(self.script(body, branch))
            ends.append(branch)
        frame.merge(ends)
        return "".join(out)

    def _test(self, node: Test, frame: Frame) -> str:
        redirect.applied(self, node.redirects, frame)
        for word in node.words:
            if word.bare is None:
                expand.single(word, frame, self.run)
        return ""

    # --- simple commands -------------------------------------------------------------------

    def _simple(self, node: Simple, frame: Frame) -> str:
        frame.pick, frame.widest = 0, 1
        output = self._simple_once(node, frame)
        for pick in range(1, frame.widest):
            frame.pick = pick
            self._simple_once(node, frame.copy())
        frame.pick = 0
        return output

    def _simple_once(self, node: Simple, frame: Frame) -> str:
        self.step(1 + len(node.words) // limits.WORDS_A_STEP)
        args = expand.arguments(node.words, frame, self.run) if node.words else []
        assigned = assignments(self, node, frame, lasting=not args)
        span = frame.at or Span(node.start, node.end)
        if node.redirects:
            inner = frame.copy()
            marks = redirect.follow(self, node.redirects, inner, span)
            output = self.call(args, inner, span, assigned) if args else _read(node, inner)
            frame.variables, frame.functions = inner.variables, inner.functions
            frame.aliases, frame.env, frame.arguments = inner.aliases, inner.env, inner.arguments
            frame.descriptors, frame.loaded = inner.descriptors, inner.loaded
            return redirect.written(self, marks, output)
        return self.call(args, frame, span, assigned) if args else ""

    def call(
        self, args: Sequence[Arg], frame: Frame, span: Span, assigned: Mapping[str, str]
    ) -> str:
        """Follow the command whose words are *args*; return what it prints."""
        return invoke(self, args, frame, span, assigned)

    def note(self, effect: Effect) -> None:
        """Note an effect, and stop at the one too many."""
        self.effects.append(self.through_links(effect) if self.links else effect)
        if len(self.effects) > self.most_effects and effect.act is not Act.READ:
            raise PastLimit(f"does more than {limits.MOST_EFFECTS} things")

    def through_links(self, effect: Effect) -> Effect:
        """Return *effect* on what a link that the command itself made leads to.

        Deleting or moving the link takes nothing but the link, unless a slash follows its name.
        """
        for link, target in self.links.items():
            if effect.path.startswith(f"{link}/"):
                return replace(effect, path=target + effect.path[len(link) :])
            if effect.path == link and (effect.act not in _ON_LINKS or _has_slash(effect)):
                return replace(effect, path=target)
        return effect

    def opaque(self, call: Call, span: Span, what: str) -> None:
        """Note that *what* cannot be known before the run."""
        self.effects.append(Effect(act=Act.OPAQUE, call=call, span=span, detail=what))

    def step(self, cost: int = 1) -> None:
        """Count one command, more for a long one, and stop at the one too many."""
        self.steps += cost
        if self.steps > self.most_steps:
            raise PastLimit(f"runs more than {limits.MOST_STEPS} commands")


def _read(node: Simple, frame: Frame) -> str:
    """Return what a redirection without a command gives: `$(<file)`."""
    alone = not node.assignments and len(node.redirects) == 1 and node.redirects[0].operator == "<"
    return (frame.stdin or "") if alone and frame.captured else ""


def _has_slash(effect: Effect) -> bool:
    return any(arg.span == effect.span and arg.value.endswith("/") for arg in effect.call.args)


def _only_leads(item: Item) -> bool:
    """Say whether a command only goes where the next one is meant: `cd web && …`."""
    command = item.command
    if isinstance(command, Test):
        return True
    return isinstance(command, Simple) and bool(command.words) and command.words[0].bare in _LEADS


_LEADS = frozenset({"cd", "pushd", "[", "test", "set", "source", "."})


def _leaves(item: Item) -> bool:
    """Say whether the command after `||` ends the script, so that nothing follows from it."""
    command = item.command
    if isinstance(command, Group) and command.body.items:
        command = command.body.items[-1].command
    return (
        isinstance(command, Simple)
        and bool(command.words)
        and command.words[0].bare in ("exit", "return", "break", "continue", "die")
    )
