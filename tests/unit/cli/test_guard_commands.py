"""guard test, suggest, and what stats and log say of an audit."""

import json
import time

import pytest

from snaphook.cli.main import main
from snaphook.stores.eventlog import EventLog, Record, RecordedAnswer

RULES = """
[guard]
mode = "{mode}"

[[guard.rule]]
id = "pnpm-only"
program = "npm"
verdict = "deny"
message = "this project uses pnpm"

[[guard.rule]]
id = "tests-first"
program = "git"
subcommand = "push"
unless_ran = "make test"
verdict = "ask"

[[guard.rule]]
id = "by-day"
program = "kubectl"
hours = "18:00-08:00"
timezone = "UTC"
verdict = "deny"

[[guard.test]]
command = "bash -c 'npm install'"
verdict = "deny"
rule = "pnpm-only"

[[guard.test]]
command = "git push origin topic"
verdict = "ask"

[[guard.test]]
command = "git push origin topic"
ran = ["make test"]
verdict = "allow"

[[guard.test]]
command = "kubectl get pods"
at = "2026-05-01T03:00+00:00"
verdict = "stop"

[[guard.test]]
tool = "WebSearch"
input = {{ query = "x" }}
verdict = "allow"
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".config/snaphook").mkdir(parents=True)
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


def write(home, text):
    (home / ".config/snaphook/snaphook.toml").write_text(text)


@pytest.mark.parametrize("mode", ["enforce", "audit"])
def test_rules_that_say_what_is_expected_pass(home, capsys, mode):
    write(home, RULES.format(mode=mode))

    assert main(["guard", "test"]) == 0
    assert capsys.readouterr().out == "5 passed, 0 failed.\n"


def test_a_rule_that_says_something_else_is_shown_with_both_answers(home, capsys):
    write(
        home,
        '[[guard.test]]\ncommand = "ls"\nverdict = "allow"\n'
        '[[guard.test]]\ncommand = "git push -f origin main"\nverdict = "ask"\nrule = "opaque"\n',
    )

    assert main(["guard", "test"]) == 1

    shown = capsys.readouterr().out.splitlines()
    assert shown[:3] == [
        "guard.test[1]: git push -f origin main",
        "  - expected: ask by opaque",
        "  + got: deny by git.push-protected",
    ]
    assert shown[-1] == "1 passed, 1 failed."


def test_the_answers_come_as_json_too(home, capsys):
    write(home, '[[guard.test]]\ncommand = "ls"\nverdict = "deny"\n')

    assert main(["guard", "test", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == [
        {
            "test": 0,
            "call": "ls",
            "holds": False,
            "expected": {"verdict": "deny", "rule": ""},
            "said": {"verdict": "allow", "rule": "", "reason": ""},
        }
    ]


def test_settings_without_a_test_say_how_to_write_one(home, capsys):
    assert main(["guard", "test"]) == 0
    assert "[[guard.test]]" in capsys.readouterr().out


# --- the record -------------------------------------------------------------------------------


def keep(home, *records):
    log = EventLog(home / ".local/share/snaphook/log")
    log.append(list(records))
    log.close()


def question(n, command, *, rule="containers.remove", session="s", approved=True):
    """A question of the guard, and what became of it: the tool ran, or the turn ended."""
    args = {"tool_args": {"command": command}, "tool_use_id": f"call-{n}"}
    asked = Record(
        id=f"{n}a",
        time=time.time() - 500 + n * 2,
        event="PreToolUse",
        session=session,
        tool="Bash",
        project="/home/me/project",
        input=args,
        answers=(RecordedAnswer(by="guard", verdict="ask", rule=rule),),
        verdict="ask",
        by="guard",
    )
    event = "PostToolUse" if approved else "Stop"
    became = Record(
        id=f"{n}b",
        time=asked.time + 1,
        event=event,
        session=session,
        tool="Bash" if approved else "",
        input=args if approved else {},
    )
    return asked, became


def all_of(*pairs):
    return [record for pair in pairs for record in pair]


@pytest.mark.req("BB-PT-8")
def test_what_was_approved_each_time_becomes_a_rule_to_paste(home, capsys):
    keep(home, *all_of(*(question(n, f"docker rm -f web-{n}") for n in range(3))))

    assert main(["suggest"]) == 0

    shown = capsys.readouterr().out
    assert shown.startswith(
        "# approved 3 times in 1 session: docker rm -f web-0; docker rm -f web-1; docker rm -f web-2\n"
        "[[guard.rule]]\n"
        'id = "approved-docker-rm-containers.remove"\n'
        'about = "containers.remove"\n'
        'program = "docker"\n'
        'subcommand = "rm"\n'
        'verdict = "allow"\n'
    )
    write(home, shown)
    assert main(["check"]) == 0


def test_a_suggestion_that_was_pasted_answers_for_the_person(home, capsys):
    keep(home, *all_of(*(question(n, f"docker rm -f web-{n}") for n in range(3))))
    main(["suggest"])
    write(home, capsys.readouterr().out)

    main(["explain", "docker rm -f other", "--json"])
    allowed = json.loads(capsys.readouterr().out)
    main(["explain", "docker volume rm data", "--json"])
    other = json.loads(capsys.readouterr().out)

    assert (allowed["verdict"], other["verdict"]) == ("allow", "ask")


def test_what_was_turned_down_each_time_becomes_a_rule_that_denies(home, capsys):
    keep(
        home,
        *all_of(
            *(question(n, "git reset --hard", rule="git.discard", approved=False) for n in range(3))
        ),
    )

    main(["suggest"])

    shown = capsys.readouterr().out
    assert 'about = "git.discard"\nprogram = "git"\nsubcommand = "reset"\nverdict = "deny"' in shown


@pytest.mark.parametrize(
    "pairs",
    [
        pytest.param([question(n, "docker rm -f a") for n in range(2)], id="too seldom"),
        pytest.param(
            [question(n, "docker rm -f a", approved=n > 0) for n in range(4)], id="not every time"
        ),
        pytest.param(
            [question(n, "x", rule="self.settings") for n in range(4)], id="the guard itself"
        ),
        pytest.param([question(n, "x", rule="mine") for n in range(4)], id="one's own rule"),
    ],
)
def test_nothing_is_suggested_without_a_habit(home, capsys, pairs):
    keep(home, *all_of(*pairs))

    assert main(["suggest"]) == 0
    assert capsys.readouterr().out.startswith("No suggestions.")


def audited(n, command, would, rule):
    return Record(
        id=f"audit-{n}",
        time=time.time() - 50 + n,
        event="PreToolUse",
        session="s",
        tool="Bash",
        input={"tool_args": {"command": command}},
        answers=(RecordedAnswer(by="guard", would=would, rule=rule),),
        reason="[Snaphook Guard: audit]\n\nReason: 'x' deletes: why [delete.sources]",
        by="guard",
    )


@pytest.mark.req("BB-PT-8")
def test_stats_say_what_enforcing_would_have_cost(home, capsys):
    keep(
        home,
        audited(0, "rm -rf src", "ask", "delete.sources"),
        audited(1, "rm -rf src", "ask", "delete.sources"),
        audited(2, "rm -rf /", "deny", "delete.everything"),
        Record(id="3", time=time.time(), event="PreToolUse", session="s", tool="Bash"),
    )

    main(["stats", "--json"])
    told = json.loads(capsys.readouterr().out)["audited"]
    main(["stats"])

    assert told == {
        "calls": 3,
        "per_day": 3.0,
        "verdicts": {"ask": 2, "deny": 1},
        "rules": {"delete.sources": 2, "delete.everything": 1},
        "commands": {"rm -rf src": 2, "rm -rf /": 1},
    }
    assert "Enforcing would have interrupted 3 calls (2 ask, 1 deny), 3 a day." in (
        capsys.readouterr().out
    )


def test_the_log_shows_in_brackets_what_nobody_heard(home, capsys):
    keep(home, audited(0, "rm -rf src", "ask", "delete.sources"))

    main(["log"])

    first, second = capsys.readouterr().out.splitlines()
    assert "(ask)" in first
    assert second.strip() == "guard: 'x' deletes: why [delete.sources]"


def test_explain_asks_for_an_agent(home, capsys):
    write(home, '[[guard.rule]]\nid = "r"\nprogram = "npm"\nagent = "executor"\nverdict = "deny"\n')

    main(["explain", "npm ci", "--agent", "executor"])
    bound = capsys.readouterr().out
    main(["explain", "npm ci"])

    assert bound.startswith("deny: blocked")
    assert capsys.readouterr().out.startswith("allow: allowed")


def test_the_list_of_rules_tells_which_pack_turns_one_on(home, capsys):
    main(["guard", "rules", "kubernetes.change"])

    assert 'To turn it on: [guard] packs = ["kubernetes"]' in capsys.readouterr().out
