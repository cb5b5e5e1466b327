"""Past a limit the guard closes, in time, and never answers more mildly."""

import shlex
import sys
from functools import reduce

import pytest

from snaphook.providers.guard import GuardAnswer, GuardSettings, StillWorld, examine
from snaphook.shell.limits import LONGEST

WORLD = StillWorld()
CHAIN = "g0() { ls; }; " + "".join(f"g{n}() {{ g{n - 1}; }}; " for n in range(1, 40)) + "g39"


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("rm -rf ~ ; " + "$(" * 40, id="40 unclosed $("),
        pytest.param("rm -rf ~ ; " + "$(" * 4_000, id="4,000 unclosed $("),
        pytest.param("echo " + "$(" * 200 + "ls" + ")" * 200, id="200 nested $(…)"),
        pytest.param("ls;\n" * 2_000, id="2,000 statements"),
        pytest.param(" " * (LONGEST + 1) + "ls", id="300 KB of padding"),
        pytest.param("# " + "x" * LONGEST + "\nls", id="300 KB of comment"),
        pytest.param("echo " + "a " * 50_000, id="100 KB of words"),
        pytest.param('echo "' + "a$b " * 25_000 + '"', id="100 KB of expansions"),
        pytest.param("ls | " * 2_000 + "cat", id="2,000 pipes"),
        pytest.param("for a in 1 2 3 4 5 6 7 8; do " * 6 + "ls;" + " done;" * 6, id="nested loops"),
        pytest.param(CHAIN, id="functions calling functions"),
        pytest.param("(" * 5_000, id="open brackets"),
        pytest.param("python3 - <<'E'\n" + "x = 1\n" * 9_000 + "E", id="a long program"),
        pytest.param("curl " + "-d @f " * 2_000 + "http://x", id="2,000 files sent"),
    ],
)
def test_past_a_limit_it_closes(command):
    assert examine(command, WORLD).answer is GuardAnswer.DENY


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("a=x;" + "a=$a$a;" * 60 + "rm -rf $a", id="a variable doubled 60 times"),
        pytest.param("rm -rf " + "{a,b}" * 30, id="a billion braces"),
        pytest.param("rm -rf" + " dist" * 290 + " /", id="the last of many words"),
        pytest.param("rm -rf /\nls 'oops", id="a whole line before the mistake"),
        pytest.param("echo 'oops\nrm -rf src", id="a piece after the mistake"),
        pytest.param("fi; rm -rf /", id="a closing word that closes nothing"),
    ],
)
def test_what_cannot_be_read_is_never_silently_allowed(command):
    assert examine(command, WORLD).answer is not GuardAnswer.ALLOW


@pytest.mark.parametrize("shells", [1, 4, 8])
def test_shells_within_shells_are_followed(shells):
    command = reduce(lambda text, _: f"bash -c {shlex.quote(text)}", range(shells), "rm -rf /")

    assert examine(command, WORLD).rule == "delete.everything"


def test_a_guard_that_fails_inside_closes_and_says_so(monkeypatch, caplog):
    def broken(*_):
        raise RuntimeError("boom")

    monkeypatch.setattr(sys.modules["snaphook.providers.guard.examine"], "objections", broken)

    judgement = examine("ls", WORLD)

    assert (judgement.answer, judgement.rule) == (GuardAnswer.DENY, "failure")
    assert "the guard failed with an internal error (RuntimeError)" in judgement.reason
    assert "could not evaluate 'ls'" in caplog.text


def test_a_here_document_of_any_length_is_data():
    text = "cat > notes.md <<'EOF'\n" + "never rm -rf /\n" * 8_000 + "EOF"

    assert examine(text, WORLD).answer is GuardAnswer.ALLOW


@pytest.mark.req("BB-PT-8")
@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("rm -rf src", GuardAnswer.ALLOW),
        ("sudo rm -rf src", GuardAnswer.ASK),
        ("rm -rf src/../..", GuardAnswer.DENY),
        ("rm -rf src; rm -rf docs", GuardAnswer.ASK),
        ("git push -f origin topic", GuardAnswer.ALLOW),
        ("git push -f origin topic; rm -rf /", GuardAnswer.DENY),
    ],
)
def test_a_call_that_the_settings_name_is_let_through_and_no_other(command, answer):
    settings = GuardSettings(allow=("rm -rf src", "git push -f origin t*"))

    assert examine(command, WORLD, settings=settings).answer is answer


@pytest.mark.parametrize(
    ("setting", "answer"),
    [
        ("off", GuardAnswer.ALLOW),
        ("allow", GuardAnswer.ALLOW),
        ("ask", GuardAnswer.ASK),
        ("deny", GuardAnswer.DENY),
    ],
)
def test_one_line_of_settings_changes_a_rule(setting, answer):
    settings = GuardSettings(rules={"delete.sources": setting})

    assert examine("rm -rf src", WORLD, settings=settings).answer is answer


@pytest.mark.parametrize("command", ["git push hooks ''", "git push origin '' +topic"])
def test_an_empty_word_is_no_failure_inside(command):
    assert examine(command, StillWorld()).rule != "failure"
