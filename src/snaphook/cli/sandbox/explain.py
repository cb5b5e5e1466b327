"""``snaphook sandbox explain``: whether a command would be confined, why, and to what.

command  ->  Judgement  ->  rewritten command + Policy
"""

import shlex

import msgspec

from snaphook.cli.output import say, say_json
from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.sandbox.helper import ability
from snaphook.sandbox.policy import Policy
from snaphook.wiring.assembly import guard_settings

from .here import Here, here


def explain_command(words: tuple[str, ...], cwd: str, *, as_json: bool) -> int:
    """Print what would happen to the command, and what its policy is."""
    place = here(cwd)
    text = words[0] if len(words) == 1 else shlex.join(words)
    judgement = examine(text, place.world, settings=guard_settings(place.settings))
    able = ability()
    made = None
    policy, _ = place.confiner.policy(place.world)
    if place.sandbox.mode != "off" and able.confines and judgement.answer is not GuardAnswer.DENY:
        made = place.confiner.command(place.confiner.relieved(judgement), place.world)
    told = {
        "command": text,
        "verdict": judgement.answer.name.lower(),
        "understood": judgement.understood,
        "unknown": [one.what for one in judgement.unknown],
        "confined": made is not None,
        "why": made[1].why if made else "",
        "becomes": made[0] if made else text,
        "policy": msgspec.to_builtins(policy),
        "gaps": able.gaps,
    }
    if as_json:
        say_json(told)
        return 0
    _show(told, policy, place)
    return 0


def _show(told: dict[str, object], policy: Policy, place: Here) -> None:
    if told["confined"]:
        say(f"Confined: {told['why']}.", style="green")
        say(f"  runs as: {told['becomes']}")
    elif told["verdict"] == "deny":
        say("Not run: the guard denies it. 'snaphook explain' says why.")
    elif place.sandbox.mode == "off":
        say('Not confined: [sandbox] mode = "off".')
    else:
        say("Not confined: the guard understands every part of it.")
    home = place.world.home
    _list("may write", policy.write, home)
    _list("cannot change", policy.protected, home)
    _list("cannot read", policy.hidden, home)
    _list("cannot reach", policy.sockets, home)
    say(f"  network         {policy.network} {' '.join(policy.hosts)}".rstrip())
    gaps = told["gaps"]
    for gap in gaps if isinstance(gaps, tuple) else ():
        say(f"  cannot enforce: {gap}", style="yellow")


def _list(title: str, paths: tuple[str, ...], home: str) -> None:
    shown = [f"~{path[len(home) :]}" if path.startswith(f"{home}/") else path for path in paths]
    for at, path in enumerate(shown or ["-"]):
        say(f"  {title if not at else '':<15} {path}")
