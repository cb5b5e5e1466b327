"""``snaphook sandbox try``: a command in an overlay, its effects, and whether they are applied.

command  ->  Changes  ->  verdicts  ->  applied or discarded
"""

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from snaphook.cli.output import say, say_json
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.sandboxing.effects import Judged, judge_effects, worst
from snaphook.sandbox.apply import apply, recover
from snaphook.sandbox.overlay import Change
from snaphook.sandbox.policy import Policy
from snaphook.sandbox.trial import Ran, trial
from snaphook.stores.snapshots import Risk, SnapshotStore
from snaphook.wiring.assembly import guard_settings

from .here import Here, able_or_fail, command_words, here

MOST_SHOWN = 40
"""Effects that are listed one by one; JSON has them all."""
REFUSED = 1


def try_command(
    words: tuple[str, ...], cwd: str, *, as_json: bool, applies: bool, agent: bool
) -> int:
    """Run *words* in an overlay; print, and apply or discard, what they changed."""
    able = able_or_fail()
    place = here(cwd)
    journals = place.around.shared_dir / "sandbox" / "journals"
    recover(journals)
    policy = _policy(place)
    started = command_words(words)
    with trial(
        started, policy, able, cwd=place.world.cwd, home=place.world.home, quiet=as_json
    ) as ran:
        settings = guard_settings(place.settings)
        found = tuple(judge_effects(ran.changes, policy, place.world, settings))
        allowed = worst(found) <= GuardAnswer.WARN
        applied = (applies or agent) and allowed and bool(found)
        if applied:
            _apply(ran.changes, place, journals, command=" ".join(words))
        _report(ran, found, applied=applied, as_json=as_json, agent=agent)
    return ran.exit or (REFUSED if (applies or agent) and not allowed else 0)


def _policy(place: Here) -> Policy:
    wanted = place.sandbox
    if not wanted.trial_network:
        wanted = replace(wanted, network="off")
    policy, _ = place.confiner.policy(place.world, wanted)
    return policy


def _apply(changes: Sequence[Change], place: Here, journals: Path, *, command: str) -> None:
    """Keep what would be written over, then apply, so that ``snaphook undo`` takes it back."""
    project = place.world.project
    paths = tuple(one.path for one in changes if one.path.startswith(f"{project}/"))
    shelf = SnapshotStore(place.around.data_dir / "undo")
    snapshot = shelf.keep(Path(project), Risk(paths=paths), command=command) if paths else None
    apply(changes, journals)
    if snapshot is not None:
        shelf.settle(snapshot)


def _report(
    ran: Ran, found: tuple[Judged, ...], *, applied: bool, as_json: bool, agent: bool
) -> None:
    if as_json:
        say_json(_as_json(ran, found, applied=applied))
    elif agent:
        _tell_agent(found, applied=applied)
    else:
        _show(found, applied=applied)


def _as_json(ran: Ran, found: tuple[Judged, ...], *, applied: bool) -> dict[str, object]:
    answer = worst(found)
    return {
        "exit": ran.exit,
        "verdict": "allow" if answer is GuardAnswer.WARN else answer.name.lower(),
        "applied": applied,
        "changes": [
            {
                "path": one.change.path,
                "change": str(one.change.change),
                "size": one.change.size,
                "verdict": one.verdict,
                "rule": one.rule,
            }
            for one in found
        ],
    }


def _show(found: tuple[Judged, ...], *, applied: bool) -> None:
    if not found:
        say("No changes.")
        return
    marks = {"created": "+", "modified": "~", "deleted": "-"}
    for one in found[:MOST_SHOWN]:
        refused = one.answer > GuardAnswer.WARN
        note = f"  {one.verdict}: {one.rule}" if refused else ""
        size = f" ({one.change.size:,} bytes)" if one.change.size else ""
        line = f"{marks[one.change.change]} {one.change.path}{size}{note}"
        say(line, style="red" if refused else None)
    if len(found) > MOST_SHOWN:
        say(f"… and {len(found) - MOST_SHOWN:,} more; --json lists them all")
    say(_outcome(found, applied=applied), style="green" if applied else "yellow")


def _outcome(found: tuple[Judged, ...], *, applied: bool) -> str:
    count = f"{len(found):,} change{'s' if len(found) != 1 else ''}"
    if applied:
        return f"Applied {count}. 'snaphook undo' reverts those in the project."
    refused = sum(one.answer > GuardAnswer.WARN for one in found)
    if refused:
        return f"Discarded {count}: {refused:,} not allowed."
    return f"Discarded {count}. Use --apply to keep them."


def _tell_agent(found: tuple[Judged, ...], *, applied: bool) -> None:
    """Say on standard error what became of the call, for the agent that made it."""
    refused = [one for one in found if one.answer > GuardAnswer.WARN]
    lines = [f"snaphook sandbox: {_outcome(found, applied=applied)}"] if found else []
    for one in refused[:MOST_SHOWN]:
        why = f": {one.why}" if one.why else ""
        lines.append(f"  refused: {one.change.change} {one.change.path} ({one.rule}{why})")
    for line in lines:
        say(line, err=True)
