"""Context: what was decided, done and ordered, told to every session; new orders kept.

SessionStart  ->  directives, decisions, history, skills        UserPromptSubmit  ->  captured directives

Directives are told first and to subagents too, and survive a compaction. They belong to a project.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from snaphook.canon import (
    HookContext,
    HooksProvider,
    Message,
    PreCompact,
    PreCompactOutput,
    SessionStart,
    SessionStartOutput,
    SubagentStart,
    SubagentStartOutput,
    UserPromptOutput,
    UserPromptSubmit,
)
from snaphook.stores.directives import Directives

from .assemble import Part, assemble
from .directives import detect
from .files import entries, texts
from .history import history
from .settings import ContextSettings
from .skills import match, read_skill

STANDING = "Standing instructions for this project"


class ContextProvider(HooksProvider):
    """Tells sessions what they should know; keeps directives below *state*."""

    name = "context"
    suspends = False

    def __init__(
        self,
        settings: ContextSettings | None = None,
        *,
        state: Path,
        root: Path | None = None,
        log: Path | None = None,
        scrub: Callable[[str], str] | None = None,
    ) -> None:
        self._settings = settings or ContextSettings()
        self._state = state
        self._root = root
        self._log = log
        self._scrub = scrub or _scrubbed

    async def on_session_start(
        self, event: SessionStart, context: HookContext
    ) -> SessionStartOutput | None:
        """Tell a session what was ordered, decided and done before it, and the skills of its role."""
        parts = self._parts(event, context)
        told = assemble(parts, tokens=self._settings.tokens)
        return SessionStartOutput(additional_context=told) if told else None

    async def on_user_prompt_submitted(
        self, event: UserPromptSubmit, context: HookContext
    ) -> UserPromptOutput | None:
        """Keep the directives of a prompt, scrubbed, and say which."""
        found = detect(event.prompt) if self._settings.capture else ()
        if not found:
            return None
        store = self._directives(context)
        known = {each.id for each in store.all()}
        kept = [store.add(self._scrub(text), session=context.session_id) for text in found]
        notes = tuple(
            Message(f"Kept for this project ({each.id}): {each.text}")
            for each in kept
            if each.id not in known
        )
        return UserPromptOutput(
            captured_directives=tuple(each.text for each in kept), messages=notes
        )

    async def on_subagent_start(
        self, event: SubagentStart, context: HookContext
    ) -> SubagentStartOutput | None:
        """Tell a child what was ordered."""
        told = assemble(self._orders(context), tokens=self._settings.tokens)
        return SubagentStartOutput(additional_context=told) if told else None

    async def on_pre_compact(
        self, event: PreCompact, context: HookContext
    ) -> PreCompactOutput | None:
        """Keep what was ordered from being summarised away."""
        held = tuple(each.text for each in self._directives(context).all())
        return PreCompactOutput(preserve_context=held) if held else None

    def _parts(self, event: SessionStart, context: HookContext) -> Iterator[Part]:
        root, settings, agent = self._place(context), self._settings, context.agent_name
        yield from self._orders(context)
        for path, text in texts(root, settings.decisions):
            yield Part(title=f"Decisions ({path})", entries=tuple(entries(text)), source=path)
        yield from self._history(root, agent)
        role = event.charter_content or "\n".join(
            text for _, text in texts(root, settings.charters, agent=agent)
        )
        yield from self._skills(root, role)

    def _orders(self, context: HookContext) -> Iterator[Part]:
        held = tuple(f"- {each.text}" for each in self._directives(context).all())
        if held:
            yield Part(title=STANDING, entries=held, source="'snaphook directives list'")

    def _history(self, root: Path, agent: str) -> Iterator[Part]:
        most = self._settings.max_history
        told = [
            (path, entries(text)[-most:])
            for path, text in texts(root, self._settings.history, agent=agent)
        ]
        if not told and self._log is not None:
            told = [("", history(self._log, str(root), most))]
        for path, each in told:
            if each and most:
                yield Part(title="What was done before", entries=tuple(each), source=path)

    def _skills(self, root: Path, role: str) -> Iterator[Part]:
        if not role.strip() or not self._settings.max_skills:
            return
        known = [read_skill(path, text) for path, text in texts(root, self._settings.skills)]
        fitting = match(role, (skill for skill in known if skill is not None))
        for skill in fitting[: self._settings.max_skills]:
            yield Part(title=f"Skill: {skill.name}", entries=(skill.body,), source=skill.path)

    def _directives(self, context: HookContext) -> Directives:
        return Directives(self._state / "directives", self._place(context))

    def _place(self, context: HookContext) -> Path:
        """Return the project: the one the settings were read for, or else the session's own."""
        return self._root or Path(context.team_root or context.cwd or ".").absolute()


def _scrubbed(text: str) -> str:
    from snaphook.scrub import Scrubber

    return Scrubber().text(text)
