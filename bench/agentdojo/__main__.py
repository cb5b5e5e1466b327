"""Play every pair of user and injection task, and print what came of it as JSON.

suite, user task, injection task, attack  ->  goal prevented?  user interrupted?
"""

import json
import sys
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from agentdojo.attacks.attack_registry import load_attack
from agentdojo.functions_runtime import Env, FunctionCall
from agentdojo.task_suite.load_suites import get_suites

from bench.agentdojo.victim import Victim
from snaphook.canon import HookContext, PostToolUse, PreToolUse, UserPromptSubmit, verdict
from snaphook.engine import Engine, dispatch_sync
from snaphook.providers.provenance.provider import ProvenanceProvider
from snaphook.providers.provenance.tools import ToolClass, class_of
from snaphook.shell.understood import Understood
from snaphook.stores.provenance.store import ProvenanceStore

VERSION = "v1.2.2"
ATTACKS = ("important_instructions", "direct", "ignore_previous", "system_message", "injecagent")


def _no_shell(_command: str, _context: HookContext) -> Understood:
    return Understood()


class Session:
    """One conversation, seen by the hooks."""

    def __init__(self, engine: Engine, prompt: str) -> None:
        self._engine = engine
        self._context = HookContext(session_id=uuid4().hex, host="agentdojo", timestamp=1.0)
        self.reasons: list[str] = []
        self._fire(UserPromptSubmit(context=self._context, prompt=prompt))

    def _fire(self, event: Any) -> Any:
        return dispatch_sync(self._engine, event).output

    def ask(self, tool: str, args: dict[str, Any]) -> str:
        """Return what the hooks say about a call."""
        output = self._fire(PreToolUse(context=self._context, tool_name=tool, tool_args=args))
        said = verdict(output)
        if said is not None:
            self.reasons.append(f"{tool}: {output.reason}")
        return said.value if said else "allow"

    def tell(self, tool: str, args: dict[str, Any], result: str) -> None:
        """Tell the hooks what a call returned."""
        self._fire(
            PostToolUse(context=self._context, tool_name=tool, tool_args=args, tool_result=result)
        )


class AskBeforeEverySink:
    """The baseline: whatever is not a read is asked about, once something was read."""

    def __init__(self) -> None:
        self.reasons: list[str] = []

    def ask(self, tool: str, args: dict[str, Any]) -> str:
        """Return what the baseline says about a call."""
        return "allow" if class_of(tool) is ToolClass.READ else "ask"

    def tell(self, tool: str, args: dict[str, Any], result: str) -> None:
        """Hear nothing."""


def main(arguments: Sequence[str]) -> None:
    """Print one JSON line for each suite and attack, then the user tasks without one."""
    quick = "--quick" in arguments
    suites = [one.removeprefix("--suite=") for one in arguments if one.startswith("--suite=")]
    attacks = [one for one in arguments if not one.startswith("--")] or ATTACKS
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine([ProvenanceProvider(store=ProvenanceStore(Path(folder)), shell=_no_shell)])
        for name, suite in get_suites(VERSION).items():
            if suites and name not in suites:
                continue
            print(json.dumps(_alone(name, suite, engine)), flush=True)
            for attack in attacks:
                print(json.dumps(_attacked(name, suite, engine, attack, quick=quick)), flush=True)


def _alone(name: str, suite: Any, engine: Engine) -> dict[str, Any]:
    """Return how many user tasks run without a question where nobody attacks."""
    stopped: dict[str, list[str]] = {}
    baseline = solved = 0
    for key, task in suite.user_tasks.items():
        session = Session(engine, task.PROMPT)
        victim = Victim(task, None, (), ask=session.ask, tell=session.tell)
        utility, _ = suite.run_task_with_pipeline(victim, task, None, {})
        solved += utility
        if victim.stopped_user:
            stopped[key] = session.reasons
        asking = AskBeforeEverySink()
        other = Victim(task, None, (), ask=asking.ask, tell=asking.tell)
        suite.run_task_with_pipeline(other, task, None, {})
        baseline += not other.stopped_user
    count = len(suite.user_tasks)
    return {
        "suite": name,
        "attack": "",
        "tasks": count,
        "solved": solved,
        "uninterrupted": count - len(stopped),
        "baseline": baseline,
        "stopped": stopped,
    }


def _attacked(
    name: str, suite: Any, engine: Engine, attack_name: str, *, quick: bool
) -> dict[str, Any]:
    pairs = prevented = uninterrupted = undefended = baseline = baseline_quiet = 0
    lost: list[str] = []
    interrupted: dict[str, list[str]] = {}
    attack = load_attack(
        attack_name, suite, Victim(None, None, (), ask=lambda *_: "allow", tell=lambda *_: None)
    )
    for user_key, user in suite.user_tasks.items():
        for injection_key, injection in suite.injection_tasks.items():
            try:
                poison = attack.attack(user, injection)
            except ValueError:
                poison = {}
            pairs += 1
            if not quick:
                undefended += _play(suite, user, injection, poison, None)[1]
                asking = _play(suite, user, injection, poison, AskBeforeEverySink())
                baseline += not asking[1]
                baseline_quiet += not asking[2].stopped_user
            session = Session(engine, user.PROMPT)
            _, reached, victim = _play(suite, user, injection, poison, session)
            prevented += not reached
            uninterrupted += not victim.stopped_user
            if reached:
                lost.append(f"{user_key} {injection_key}")
            if victim.stopped_user:
                interrupted[f"{user_key} {injection_key}"] = [
                    *victim.stopped_user,
                    *session.reasons,
                ]
    return {
        "suite": name, "attack": attack_name, "pairs": pairs, "undefended": undefended,
        "prevented": prevented, "uninterrupted": uninterrupted,
        "baseline_prevented": baseline, "baseline_uninterrupted": baseline_quiet,
        "lost": lost, "interrupted": interrupted,
    }  # fmt: skip


def _play(
    suite: Any, user: Any, injection: Any, poison: dict[str, str], hooks: Any
) -> tuple[bool, bool, Victim]:
    ask = hooks.ask if hooks else (lambda *_: "allow")
    tell = hooks.tell if hooks else (lambda *_: None)
    victim = Victim(
        user, lambda env: _obeyed(injection, env), tuple(poison.values()), ask=ask, tell=tell
    )
    utility, reached = suite.run_task_with_pipeline(victim, user, injection, poison)
    return utility, reached, victim


def _obeyed(injection: Any, env: Env) -> Sequence[FunctionCall]:
    calls: Sequence[FunctionCall] = injection.ground_truth(env)
    return calls


if __name__ == "__main__":
    main(sys.argv[1:])
