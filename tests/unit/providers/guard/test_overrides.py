"""What a person's word lifts, and what it never does."""

import asyncio

import pytest

from snaphook.canon import HookContext, PreToolUse, PreToolUseOutput, Verdict
from snaphook.providers.guard import GuardSettings
from snaphook.providers.guard.custom_rules.tables import MANAGED, CustomRule
from snaphook.providers.guard.provider import GuardProvider
from snaphook.stores.overrides.override import BlockedCall, Level
from snaphook.stores.overrides.registry import OverrideMatch

FORCE = "git push --force origin topic"
NOTE = OverrideMatch(note="a person said so")
PAUSE = OverrideMatch(note="paused", pauses=True)


class Word:
    """Somebody who says the same of every stop, and remembers them."""

    def __init__(self, said: OverrideMatch | None) -> None:
        self._said = said
        self.asked: list[BlockedCall] = []

    def find(self, stop: BlockedCall) -> OverrideMatch | None:
        self.asked.append(stop)
        return self._said

    def report(self, stop: BlockedCall) -> str:
        return f"ask for {sorted(stop.rules)}"


def says(command, word, tmp_path, **settings):
    guard = GuardProvider(GuardSettings(safety_net=(), **settings), overrides=word)
    context = HookContext(session_id="s", cwd=str(tmp_path), team_root=str(tmp_path))
    event = PreToolUse(tool_name="Bash", tool_args={"command": command}, context=context)
    return asyncio.run(guard.on_pre_tool_use(event, context)) or PreToolUseOutput()


@pytest.mark.parametrize(
    ("command", "word", "settings", "decision"),
    [
        pytest.param(FORCE, None, {}, Verdict.ASK, id="nobody said anything"),
        pytest.param(FORCE, NOTE, {}, None, id="allowed"),
        pytest.param(FORCE, PAUSE, {}, None, id="paused"),
        pytest.param("snaphook trust", NOTE, {}, Verdict.DENY, id="what protects the guard stays"),
        pytest.param(
            f"{FORCE}; snaphook trust", PAUSE, {}, Verdict.DENY, id="and stays beside another"
        ),
        pytest.param(
            FORCE,
            PAUSE,
            {"managed": {"rules": {"git.push-force": "ask"}}},
            Verdict.ASK,
            id="an administrator's line stays",
        ),
        pytest.param(
            "make deploy",
            NOTE,
            {"own": (CustomRule(id="no", verdict="deny", program="make", standing=MANAGED),)},
            Verdict.DENY,
            id="an administrator's rule stays",
        ),
        pytest.param(
            "make deploy",
            NOTE,
            {"own": (CustomRule(id="no", verdict="deny", program="make"),)},
            None,
            id="a rule of one's own does not",
        ),
        pytest.param(FORCE, NOTE, {"overrides": False}, Verdict.ASK, id="no way out is wanted"),
    ],
)
@pytest.mark.req("BB-PT-8")
def test_a_persons_word_lifts_ordinary_rules_only(command, word, settings, decision, tmp_path):
    assert says(command, Word(word), tmp_path, **settings).decision == decision


@pytest.mark.req("BB-PT-8")
def test_every_denial_tells_how_and_not_to_look_for_another_way(tmp_path):
    reason = says("git push --force origin main", Word(None), tmp_path).reason

    assert reason is not None
    assert reason.endswith("ask for ['git.push-force', 'git.push-protected']")
    assert "Do not rephrase the command or work around this" in reason


def test_what_nobody_can_lift_tells_of_no_way(tmp_path):
    reason = says("snaphook trust", Word(None), tmp_path).reason

    assert reason is not None
    assert "ask for" not in reason


@pytest.mark.parametrize(
    ("command", "level"),
    [
        pytest.param(FORCE, Level.ASK, id="a question"),
        pytest.param("git push --force origin main", Level.DENY, id="a denial"),
        pytest.param(f"{FORCE}; rm -rf ~", Level.DENY, id="both"),
    ],
)
def test_a_blocked_call_says_what_an_override_must_lift(command, level, tmp_path):
    word = Word(None)
    says(command, word, tmp_path)

    assert [one.level for one in word.asked] == [level]
