"""Every rule of one's own, found by what it watches.

OwnRules  ->  CustomRules  ->  the few that a fact has to be held against

With a thousand rules a command is held against those that name its program, its tool, its paths, or
none of these.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from snaphook.providers.guard.custom_rules.match import Fit, like
from snaphook.providers.guard.custom_rules.tables import CustomRule
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import readings
from snaphook.providers.guard.rules.rule import RuleContext
from snaphook.providers.guard.settings import GuardSettings
from snaphook.shell.facts import Act, Call, Effect
from snaphook.shell.text import UNKNOWN, has_glob, known_prefix

_GLOB = frozenset("*?[")
_KEPT = 64
_FEW = 8
"""So few rules are looked at faster than sorted."""
_known: OrderedDict[int, tuple[Sequence[CustomRule], CustomRules]] = OrderedDict()


def own_rules(settings: GuardSettings) -> CustomRules | None:
    """Return the rules that *settings* hold, sorted once for as long as they are in use."""
    rules = settings.own
    if not rules:
        return None
    found = _known.get(id(rules))
    if found is None or found[0] is not rules:
        found = _known[id(rules)] = (rules, CustomRules(rules))
        if len(_known) > _KEPT:
            _known.popitem(last=False)
    return found[1]


class CustomRules:
    """The rules of one ``[guard]`` table."""

    def __init__(self, rules: Iterable[CustomRule]) -> None:
        self._tools = _Named()
        self._calls = _Called()
        self._effects = _Touched()
        self._changes = _Named()
        self._lifts = _Called()
        for fit in map(Fit, rules):
            self._sort(fit)

    def _sort(self, fit: Fit) -> None:
        if fit.about:
            self._changes.add(fit, fit.about)
        elif fit.answer is GuardAnswer.ALLOW:
            self._lifts.add(fit)
        elif fit.of_effect:
            self._effects.add(fit)
        elif fit.of_call:
            self._calls.add(fit)
        else:
            self._tools.add(fit, fit.tools)

    def of_tool(self, scene: RuleContext) -> Iterator[Fit]:
        """Yield the rules that object to the call as such, whatever it does."""
        for fit in self._tools.find(scene.asker.tool):
            if fit.scene(scene):
                yield fit

    def of_call(self, call: Call, scene: RuleContext) -> Iterator[Fit]:
        """Yield the rules that object to *call*."""
        for fit in self._calls.find(call):
            if fit.call(call) and fit.scene(scene):
                yield fit

    def of_effect(self, effect: Effect, scene: RuleContext) -> Iterator[Fit]:
        """Yield the rules that object to *effect*."""
        for fit in self._effects.find(effect, scene):
            if fit.effect(effect, scene) and fit.scene(scene):
                yield fit

    def changed(
        self,
        rule: str,
        answer: GuardAnswer,
        fact: Call | Effect,
        scene: RuleContext,
        *,
        locked: bool,
    ) -> GuardAnswer:
        """Return what the objection *answer* of the guard's *rule* becomes.

        Where several of one's own rules speak of it, the strictest counts.
        """
        call = fact if isinstance(fact, Call) else fact.call
        spoken = [
            fit.instead_of(answer, locked=locked)
            for fit in (*self._changes.find(rule), *self._lifts.find(call))
            if _speaks_of(fit, call, fact, scene)
        ]
        return max(spoken, default=answer)


def _speaks_of(fit: Fit, call: Call, fact: Call | Effect, scene: RuleContext) -> bool:
    if fit.of_call and not fit.call(call):
        return False
    if fit.of_effect and not (isinstance(fact, Effect) and fit.effect(fact, scene)):
        return False
    return fit.scene(scene)


class _Named:
    """Rules by a name they give: a tool, a rule of the guard."""

    def __init__(self) -> None:
        self._exact: dict[str, list[Fit]] = defaultdict(list)
        self._others: list[tuple[tuple[str, ...], Fit]] = []

    def add(self, fit: Fit, names: tuple[str, ...]) -> None:
        if not names or any(_GLOB & set(name) for name in names):
            self._others.append((names, fit))
        else:
            for name in names:
                self._exact[name].append(fit)

    def find(self, name: str) -> Iterator[Fit]:
        yield from self._exact.get(name, ())
        for names, fit in self._others:
            if not names or like(name, names):
                yield fit


class _Called:
    """Rules by program and the first word after it."""

    def __init__(self) -> None:
        self._exact: dict[tuple[str, str], list[Fit]] = defaultdict(list)
        self._others: list[Fit] = []

    def add(self, fit: Fit) -> None:
        programs = fit.programs
        if not programs or any(_GLOB & set(name) for name in programs):
            self._others.append(fit)
            return
        firsts = {one[0] for one in fit.subcommands if one} or {""}
        if any(_GLOB & set(first) for first in firsts):
            firsts = {""}
        for name in programs:
            for first in firsts:
                self._exact[name, first].append(fit)

    def find(self, call: Call) -> Iterator[Fit]:
        program = call.program
        if self._exact:
            yield from self._exact.get((program, ""), ())
            for first in {words[0].text for words in readings(call) if words}:
                if first:
                    yield from self._exact.get((program, first), ())
        yield from self._others


class _Stems:
    """Rules by the folder that their globs lie in."""

    def __init__(self, fits: Iterable[Fit], project: str, home: str) -> None:
        self._anywhere: list[Fit] = []
        self._by_stem: dict[str, list[Fit]] = defaultdict(list)
        for fit in fits:
            stems = {one.stem for one in fit.shapes(project, home)}
            if not stems or "" in stems:
                self._anywhere.append(fit)
                continue
            for stem in stems:
                self._by_stem[stem].append(fit)
        self._stems = sorted(self._by_stem)

    def near(self, folders: Iterable[str], *, below: bool) -> Iterator[Fit]:
        """Yield the rules whose globs lie in *folders* or above them, and *below* them if asked."""
        yield from self._anywhere
        for folder in folders:
            path = folder
            while path:
                yield from self._by_stem.get(path, ())
                path = path.rpartition("/")[0]
            if below:
                first = bisect_left(self._stems, f"{folder}/")
                last = bisect_left(self._stems, f"{folder}0", first)  # '0' comes after '/'
                for stem in self._stems[first:last]:
                    yield from self._by_stem[stem]


class _Touched:
    """Rules by what happens to what."""

    def __init__(self) -> None:
        self._fits: dict[Act, list[Fit]] = defaultdict(list)
        self._sorted: dict[tuple[Act, str, str], _Stems] = {}

    def add(self, fit: Fit) -> None:
        for act in fit.acts:
            self._fits[act].append(fit)

    def find(self, effect: Effect, scene: RuleContext) -> Iterable[Fit]:
        fits = self._fits.get(effect.act, [])
        if len(fits) < _FEW:
            return fits
        path = effect.path
        vague = UNKNOWN in path or has_glob(path)
        folder = known_prefix(path).rpartition("/")[0] if vague else path
        if not folder or scene.world.folds(path):
            return fits  # sorted by the spelling of their folders, which here says nothing
        folders = {folder, scene.world.real(folder)}
        stems = self._stems(effect.act, scene.world.project, scene.world.home)
        return dict.fromkeys(stems.near(folders, below=vague or effect.recursive))

    def _stems(self, act: Act, project: str, home: str) -> _Stems:
        known = self._sorted.get((act, project, home))
        if known is None:
            if len(self._sorted) > _KEPT:
                self._sorted.clear()
            known = self._sorted[act, project, home] = _Stems(self._fits[act], project, home)
        return known
