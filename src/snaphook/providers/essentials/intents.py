"""What a person means by a prompt, as far as a few fixed phrases tell.

prompt  ->  Intents        Pure.

A phrase counts where it is what the prompt is about: "exit" on its own is an intent, "the exit code"
is not. Long prompts are work, so only their bypass phrases and destructive wishes are looked for.
"""

import re
from enum import StrEnum

from msgspec import Struct

SHORT = 80
"""Characters up to which a prompt may be one intent and nothing else."""


class PromptIntent(StrEnum):
    """What a person is about to do."""

    EXIT = "exit"
    COMPLETE = "complete"
    ABORT = "abort"
    SKIP = "skip"


class Bypass(StrEnum):
    """How a person sets a check aside."""

    JUST_DO_IT = "just do it"
    SKIP_DOCS = "skip docs"
    FORCE = "force"
    EXIT_ANYWAY = "exit anyway"

    @property
    def overrides(self) -> bool:
        """Say whether it lets through what would be sent back."""
        return self is not Bypass.SKIP_DOCS


_INTENTS: dict[PromptIntent, re.Pattern[str]] = {
    PromptIntent.EXIT: re.compile(
        r"(?:please |ok(?:ay)?,? |let'?s )?(?:/?exit|/?quit|log ?out|bye|goodbye|"
        r"(?:stop|end|close) (?:the |this )?session|i(?:'m| am) (?:done|leaving) for (?:today|now))"
        r"(?: now| please| anyway)?"
    ),
    PromptIntent.COMPLETE: re.compile(
        r"(?:please |ok(?:ay)?,? )?(?:(?:mark|set) )?(?:the |this |it |my )?(?:task )?(?:[A-Z]+-[\w-]+ )?"
        r"(?:as |is |to )?(?:complete|completed|done|finished)(?: (?:the |this )?task(?: [A-Z]+-[\w-]+)?)?",
        re.IGNORECASE,
    ),
    PromptIntent.ABORT: re.compile(
        r"(?:please )?(?:abort|cancel|give up|stop working)(?: (?:the |this |on (?:the|this) )?"
        r"(?:task|run|work|it|everything))?(?:[ ,:;-]+(?:because|since|as)?.*)?"
    ),
    PromptIntent.SKIP: re.compile(
        r"(?:please )?skip(?: (?:the |this |that |these |those )?(?:task|step|test|tests|docs|documentation|"
        r"check|checks|validation|it|this|that))?(?: please| for now)?"
    ),
}
_BYPASSES: dict[Bypass, re.Pattern[str]] = {
    Bypass.JUST_DO_IT: re.compile(r"\bjust do it\b"),
    Bypass.SKIP_DOCS: re.compile(r"\bskip (?:the )?(?:docs|documentation)\b"),
    Bypass.FORCE: re.compile(
        r"(?:^|[.!?,;:] *|\b(?:and|then|please) )(?:use )?(?:--)?force(?: it)?[.!]*$|^force\b"
    ),
    Bypass.EXIT_ANYWAY: re.compile(r"\b(?:exit|quit|leave) anyway\b"),
}
_FORCED_END = re.compile(r"\s(?:--)?force[.!]*$")
"""The word at the end, as the refusal says it. Counts only where something is refused: many prompts
end in "brute force"."""
_THING = (
    r"(?:everything|all (?:the |of (?:the|it)|my |our )?(?:files|data|tables|branches|commits|users|tasks)?|"
    r"(?:the |my |our |this )?(?:whole |entire )?(?:database|db|production|prod|repo(?:sitory)?|"
    r"(?:git )?history|project|workspace|queue|home(?: directory)?|disk|server))"
)
_DESTRUCTIVE = re.compile(
    r"\brm -[a-z]*[rf]|\b(?:delete|erase|wipe|destroy|nuke|purge|drop|truncate|remove) "
    rf"(?:out )?{_THING}\b|\bforce[- ]push\b.*\b(?:main|master)\b|\bgit reset --hard\b|\bgit clean -[a-z]*f"
)
_TASK = re.compile(r"\b[A-Z]{2,}(?:-[A-Z0-9]+)*-\d+\b")


class Intents(Struct, frozen=True, kw_only=True):
    """What a prompt means."""

    intent: PromptIntent | None = None
    bypasses: tuple[Bypass, ...] = ()
    destructive: str = ""
    """The words that say so."""
    tasks: tuple[str, ...] = ()
    """The tasks it names."""

    @property
    def overrides(self) -> bool:
        """Say whether a bypass lets the prompt through whatever it is."""
        return any(bypass.overrides for bypass in self.bypasses)


def intents(prompt: str) -> Intents:
    """Return what *prompt* means."""
    text = " ".join(prompt.split())
    low = text.lower()
    plain = low.rstrip(".!? ")
    harm = _DESTRUCTIVE.search(low)
    meant = _FORCED_END.sub("", plain)
    intent = _intent(meant) if len(meant) <= SHORT else None
    refused = harm is not None or intent is PromptIntent.COMPLETE
    bypasses = [name for name, phrase in _BYPASSES.items() if phrase.search(low)]
    if refused and Bypass.FORCE not in bypasses and _FORCED_END.search(low):
        bypasses.append(Bypass.FORCE)
    return Intents(
        intent=intent,
        bypasses=tuple(bypasses),
        destructive=harm[0] if harm else "",
        tasks=tuple(dict.fromkeys(_TASK.findall(text))),
    )


def _intent(plain: str) -> PromptIntent | None:
    return next((name for name, phrase in _INTENTS.items() if phrase.fullmatch(plain)), None)
