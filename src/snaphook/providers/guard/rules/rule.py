"""The shape of a rule.

Call or Effect + RuleContext  ->  the place it objects to, or nothing

A rule's page is the docstring of its `objects_to`: a sentence, then examples, which are run as
tests:

    Blocks: git push --force origin main
    Asks:   git push --force origin topic
    Allows: git commit -m "never push --force"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from snaphook.providers.guard.caller import Caller
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.memory import NOTHING, SessionMemory
from snaphook.providers.guard.path_classes import PathClasses
from snaphook.providers.guard.settings import GuardSettings
from snaphook.shell.facts import Act, Call, Effect, Span
from snaphook.shell.world import World


class RuleContext(Struct, frozen=True, kw_only=True):
    """What a rule may look at besides the fact it is asked about.

    *command* is the text as it was typed, for what only its spans can tell; *files* holds what it
    writes, by path, where that is known; *memory* what the session has done before.
    """

    world: World
    settings: GuardSettings
    places: PathClasses
    calls: tuple[Call, ...]
    effects: tuple[Effect, ...]
    agent: str = ""
    files: Mapping[str, str] = {}
    command: str = ""
    asker: Caller = Caller()
    memory: SessionMemory = NOTHING


ObjectsTo = Callable[[Any, RuleContext], Span | None]


class Rule(Struct, frozen=True, kw_only=True):
    """One thing the guard objects to.

    *programs* names the calls it is asked about, *acts* the effects; `"*"` is any program.
    *says* is what the command would do, in words ("deletes everything under /"), *why* what is
    bad about it, *instead* what to do. An *optional* rule is off until a setting turns it on, by
    its id or, where it belongs to one, by its *pack*.
    """

    id: str
    answer: GuardAnswer
    says: str
    why: str
    objects_to: ObjectsTo
    instead: str = ""
    advise: Callable[[Call | Effect, RuleContext], str] | None = None
    """What to do in this very case, where that says more than *instead*."""
    programs: tuple[str, ...] = ()
    acts: tuple[Act, ...] = ()
    optional: bool = False
    pack: str = ""
