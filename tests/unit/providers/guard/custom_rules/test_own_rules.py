"""Rules from the settings, held against what a command really does."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from snaphook.providers.guard import GuardAnswer, GuardSettings, StillWorld, examine
from snaphook.providers.guard.caller import Caller
from snaphook.providers.guard.custom_rules.tables import MANAGED, STRICT, CustomRule
from snaphook.providers.guard.examine import examine_tool
from snaphook.providers.guard.memory import RecordedSession

WORLD = StillWorld(
    files={
        "/home/me/project/src/app.py": "x = 1\n",
        "/home/me/project/infra/prod/main.tf": "",
    },
    links={"/home/me/project/link": "/home/me/project/infra/prod"},
    git={"alias.ship": "push origin main"},
)
NOON_FRIDAY = datetime(2026, 5, 1, 12, 0, tzinfo=UTC).timestamp()


def rule(verdict: Any = "deny", **conditions: Any) -> CustomRule:
    return CustomRule(id="mine", verdict=verdict, **conditions)


def says(command: str, *rules: CustomRule, asker: Caller | None = None, **settings: Any) -> str:
    judgement = examine(
        command,
        WORLD,
        settings=GuardSettings(own=rules, **settings),
        asker=asker or Caller(tool="Bash", time=NOON_FRIDAY),
    )
    return judgement.answer.name.lower()


def uses(tool: str, args: Mapping[str, Any], *rules: CustomRule, **asker: Any) -> str:
    judgement = examine_tool(
        tool,
        args,
        WORLD,
        settings=GuardSettings(own=rules),
        asker=Caller(time=NOON_FRIDAY, **asker),
    )
    return judgement.answer.name.lower()


@pytest.mark.req("BB-PT-8")
@pytest.mark.parametrize(
    ("conditions", "hit", "miss"),
    [
        pytest.param({"program": "npm"}, "npm ci", "pnpm install", id="a program"),
        pytest.param({"program": ["npm", "yarn"]}, "yarn add x", "pnpm add x", id="or another"),
        pytest.param({"program": "python*"}, "python3.12 x.py", "ruff check", id="a glob"),
        pytest.param(
            {"program": "git", "subcommand": "remote add"},
            "git -C /x remote add up url",
            "git remote -v",
            id="its first words",
        ),
        pytest.param(
            {"program": "aws", "subcommand": "s3 cp"},
            "aws --profile dev s3 cp a s3://b/",
            "aws s3 ls",
            id="past an option nobody knows",
        ),
        pytest.param(
            {"program": "git", "flags": "--no-edit"},
            "git commit --amend --no-edit",
            "git commit --amend -m x",
            id="an option",
        ),
        pytest.param(
            {"program": "kubectl", "subcommand": "scale", "flags": "--replicas=1"},
            "kubectl scale deploy web --replicas 1",
            "kubectl scale deploy web --replicas=3",
            id="an option and its value",
        ),
        pytest.param(
            {"program": "cargo", "without": "--locked"},
            "cargo build",
            "cargo build --locked",
            id="an option that is missing",
        ),
        pytest.param(
            {"program": "curl", "args": r"internal\.example"},
            "curl -s https://internal.example/x",
            "curl -s https://example.com/x",
            id="a pattern in its words",
        ),
        pytest.param(
            {"paths": "infra/prod/**"},
            "cp a infra/prod/x",
            "cp a infra/dev/x",
            id="paths of the project",
        ),
        pytest.param(
            {"paths": "*.pem", "does": ["reads"]},
            "cat deep/down/x.pem",
            "cat x.txt",
            id="a name at any depth",
        ),
        pytest.param(
            {"paths": "infra/**", "does": ["writes"]},
            "echo x > infra/dev/a",
            "cat infra/dev/a",
            id="what happens to it",
        ),
        pytest.param(
            {"paths": "infra/prod/**", "does": ["writes"]},
            "echo x > link/main.tf",
            "echo x > other/main.tf",
            id="where a link leads",
        ),
        pytest.param(
            {"paths": "docs/keep/**", "does": ["deletes"]},
            "rm -r docs",
            "rm -r dist",
            id="with the folder above it",
        ),
        pytest.param(
            {"paths": "docs/keep.md", "does": ["deletes"]},
            "rm docs/k*",
            "rm notes/k*",
            id="or by a glob",
        ),
        pytest.param(
            {"sql": "delete", "tables": "invoices"},
            "psql -c 'DELETE FROM invoices WHERE id = 1'",
            "psql -c 'SELECT * FROM invoices'",
            id="a statement on a table",
        ),
        pytest.param(
            {"sql": ["insert"], "tables": "ledger_*"},
            "echo 'insert into ledger_2026 values (1)' | sqlite3 a.db",
            "sqlite3 a.db 'insert into notes values (1)'",
            id="however it gets there",
        ),
        pytest.param(
            {"tables": "invoices", "does": ["rewrites"]},
            "mysql -e 'update invoices set paid = 1'",
            "mysql -e 'update invoices set paid = 1 where id = 2'",
            id="every row of a table",
        ),
    ],
)
def test_every_condition_of_a_rule_counts(conditions, hit, miss):
    mine = rule(**{k: tuple(v) if isinstance(v, list) else v for k, v in conditions.items()})

    assert says(hit, mine) == "deny"
    assert says(miss, mine) != "deny"


@pytest.mark.parametrize(
    "command",
    [
        "npm install",
        "sudo npm install",
        "bash -c 'npm install'",
        "X=1 env Y=2 npm install",
        "echo x | xargs npm install",
        "timeout 10 nice npm install",
        "alias n=npm; n install",
        "P=npm; $P install",
        "(cd web && npm install)",
        "if true; then npm install; fi",
        "f() { npm install; }; f",
        'eval "npm install"',
        "/usr/local/bin/npm install",
        "find . -name package.json -execdir npm install ';'",
    ],
)
def test_a_rule_sees_through_what_a_program_is_wrapped_in(command):
    assert says(command, rule(program="npm", subcommand="install")) == "deny"


@pytest.mark.parametrize(
    "command", ["git commit -m 'npm install'", "echo npm install", "grep 'npm install' README.md"]
)
def test_a_rule_does_not_take_text_for_a_command(command):
    assert says(command, rule(program="npm")) == "allow"


def test_an_alias_of_git_is_the_command_it_stands_for():
    assert says("git ship", rule(program="git", subcommand="push")) == "deny"


@pytest.mark.parametrize("verdict", ["allow", "warn", "ask", "deny"])
def test_a_rule_gives_its_verdict(verdict):
    assert says("npm ci", rule(verdict, program="npm")) == verdict


def test_a_rule_tells_its_message_and_alternative():
    judgement = examine(
        "npm ci",
        WORLD,
        settings=GuardSettings(
            own=(rule(program="npm", message="we use pnpm", instead="Run pnpm install."),)
        ),
    )

    [objection] = judgement.objections
    assert (objection.rule, objection.why, objection.instead) == (
        "mine",
        "we use pnpm",
        "Run pnpm install.",
    )
    assert judgement.command[slice(*objection.span)] == "npm ci"


# --- lifting ---------------------------------------------------------------------------------


@pytest.mark.req("BB-PT-8")
@pytest.mark.parametrize(
    ("mine", "command", "answer"),
    [
        pytest.param(
            rule("allow", program="docker", subcommand="rm"), "docker rm -f web", "allow", id="this"
        ),
        pytest.param(
            rule("allow", program="docker", subcommand="rm"),
            "docker volume rm web",
            "ask",
            id="and nothing else",
        ),
        pytest.param(
            rule("allow", program="docker"),
            "docker rm -f web; rm -rf src",
            "ask",
            id="not its neighbour",
        ),
        pytest.param(
            rule("allow", about="delete.sources"), "rm -rf src", "allow", id="what a rule says"
        ),
        pytest.param(
            rule("allow", about="delete.*", paths="src/gen/**"),
            "rm -rf src/gen/api",
            "allow",
            id="in one folder",
        ),
        pytest.param(
            rule("allow", about="delete.*", paths="src/gen/**"), "rm -rf src", "ask", id="not above"
        ),
        pytest.param(
            rule("allow", about="delete.*", paths="src/gen/**"),
            "rm -rf src/$X",
            "ask",
            id="not where only the run can tell",
        ),
        pytest.param(rule("deny", about="git.discard"), "git reset --hard", "deny", id="stricter"),
        pytest.param(rule("warn", about="git.discard"), "git reset --hard", "warn", id="milder"),
        pytest.param(
            rule("deny", about="git.discard", agent="executor"),
            "git reset --hard",
            "ask",
            id="for another agent",
        ),
        pytest.param(
            rule("allow", tool="Bash", about="containers.*"), "docker rm -f web", "allow", id="tool"
        ),
    ],
)
def test_what_the_guard_says_can_be_changed_for_some_calls(mine, command, answer):
    assert says(command, mine) == answer


def test_where_two_rules_of_ones_own_disagree_the_stricter_counts():
    mild = CustomRule(id="a", verdict="allow", program="npm")
    strict = CustomRule(id="b", verdict="ask", program="npm", subcommand="publish")

    assert says("npm publish", mild, strict) == says("npm publish", strict, mild) == "ask"
    assert says("npm unpublish x", mild, strict) == "allow"


@pytest.mark.parametrize(
    "mine",
    [
        rule("allow", about="*"),
        rule("allow", about="self.*"),
        rule("allow", program="*"),
        rule("allow", tool="*"),
        rule("allow", paths="/**"),
    ],
)
def test_what_protects_the_guard_itself_cannot_be_lifted(mine):
    assert says("echo > snaphook.toml", mine) == "deny"


def test_a_managed_answer_is_not_lifted_by_anybody_elses_rule():
    fixed: dict[str, Any] = {
        "managed": {"rules": {"git.discard": "ask"}},
        "rules": {"git.discard": "ask"},
    }

    assert says("git reset --hard", rule("allow", about="git.*"), **fixed) == "ask"
    assert says("git reset --hard", rule("deny", about="git.*"), **fixed) == "deny"
    assert says("git reset --hard", allow=("git reset*",), **fixed) == "ask"


def test_an_administrators_own_rule_may_lift_an_administrators_answer():
    fixed: dict[str, Any] = {
        "managed": {"rules": {"git.discard": "ask"}},
        "rules": {"git.discard": "ask"},
    }
    theirs = CustomRule(id="it", verdict="allow", about="git.discard", standing=MANAGED)

    assert says("git reset --hard", theirs, **fixed) == "allow"


def test_a_rule_of_a_project_nobody_approved_only_tightens():
    theirs = CustomRule(id="x", verdict="warn", about="*", standing=STRICT)

    assert says("git reset --hard", theirs) == "ask"
    assert says("rm -rf /", theirs) == "deny"


# --- tools -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("conditions", "tool", "args", "answer"),
    [
        ({"tool": "WebFetch"}, "WebFetch", {"url": "x"}, "deny"),
        ({"tool": "WebFetch"}, "WebSearch", {"query": "x"}, "allow"),
        ({"tool": "mcp__github__*"}, "mcp__github__merge", {}, "deny"),
        ({"tool": "mcp__github__*"}, "mcp__linear__list", {}, "allow"),
        (
            {"tool": "WebFetch", "input": {"url": "^http:"}},
            "WebFetch",
            {"url": "http://a"},
            "deny",
        ),
        (
            {"tool": "WebFetch", "input": {"url": "^http:"}},
            "WebFetch",
            {"url": "https://a"},
            "allow",
        ),
        ({"tool": "WebFetch", "input": {"url": "^http:"}}, "WebFetch", {"url": 5}, "allow"),
        ({"tool": "Write", "paths": "docs/**"}, "Write", {"file_path": "docs/a", "content": ""},
         "deny"),
        ({"tool": "Write", "paths": "docs/**"}, "Edit", {"file_path": "docs/a"}, "allow"),
        ({"paths": "docs/**", "does": ("writes",)}, "Read", {"file_path": "docs/a"}, "allow"),
        ({"tool": "Bash"}, "Bash", {"command": "ls"}, "deny"),
    ],
)  # fmt: skip
def test_a_rule_may_speak_of_any_tool(conditions, tool, args, answer):
    assert uses(tool, args, rule(**conditions)) == answer


@pytest.mark.parametrize(
    ("conditions", "asker", "answer"),
    [
        ({"agent": "executor"}, {"agent": "executor"}, "deny"),
        ({"agent": "exec*"}, {"agent": "executor"}, "deny"),
        ({"agent": "executor"}, {"agent": "general", "agent_name": "executor"}, "deny"),
        ({"agent": "executor"}, {"agent": "planner"}, "allow"),
        ({"host": "codex"}, {"host": "codex"}, "deny"),
        ({"host": "codex"}, {"host": "cursor"}, "allow"),
        ({"project": "project"}, {}, "deny"),
        ({"project": "~/*"}, {}, "deny"),
        ({"project": "~/work/*"}, {}, "allow"),
        ({"days": ("fri",), "timezone": "UTC"}, {}, "deny"),
        ({"days": ("mon", "tue"), "timezone": "UTC"}, {}, "allow"),
        ({"hours": "09:00-17:00", "timezone": "UTC"}, {}, "deny"),
        ({"hours": "22:00-06:00", "timezone": "UTC"}, {}, "allow"),
        ({"hours": "21:00-22:00", "timezone": "Asia/Tokyo"}, {}, "deny"),
    ],
)
def test_a_rule_may_say_who_where_and_when(conditions, asker, answer):
    assert uses("WebSearch", {"query": "x"}, rule(**conditions), **asker) == answer


# --- what must come first ----------------------------------------------------------------------


def test_a_file_is_edited_only_once_it_was_read():
    settings = GuardSettings(own=(rule(tool="Edit", unless_read=True),))
    edit = {"file_path": "src/app.py", "old_string": "1", "new_string": "2"}
    read = RecordedSession(read=frozenset({"/home/me/project/src/app.py"}))

    def answer(args: Mapping[str, Any], memory: RecordedSession) -> GuardAnswer:
        return examine_tool("Edit", args, WORLD, settings=settings, memory=memory).answer

    assert answer(edit, RecordedSession()) is GuardAnswer.DENY
    assert answer(edit, read) is GuardAnswer.ALLOW
    assert answer({**edit, "file_path": "src/new.py"}, RecordedSession()) is GuardAnswer.ALLOW


@pytest.mark.parametrize(
    ("ran", "answer"),
    [
        ((), GuardAnswer.DENY),
        (("make test",), GuardAnswer.ALLOW),
        (("make test -j4",), GuardAnswer.ALLOW),
        (("make testing",), GuardAnswer.DENY),
        (("python -m pytest -q",), GuardAnswer.ALLOW),
    ],
)
def test_nothing_is_pushed_before_the_tests_passed(ran, answer):
    first = rule(program="git", subcommand="push", unless_ran=("make test", "*pytest*"))

    judgement = examine(
        "git push origin topic",
        WORLD,
        settings=GuardSettings(own=(first,)),
        memory=RecordedSession(ran=ran),
    )

    assert judgement.answer is answer


# --- mistakes ----------------------------------------------------------------------------------


@pytest.mark.req("BB-F")
@pytest.mark.parametrize(
    "broken",
    [
        {"program": "npm", "args": "("},
        {"program": "npm", "hours": "noon"},
        {"program": "npm", "hours": "9-17", "timezone": "Nowhere/Else"},
    ],
)
def test_a_rule_that_cannot_be_read_fails_closed_for_its_own_calls_only(broken):
    judgement = examine("npm ci", WORLD, settings=GuardSettings(own=(rule(**broken),)))

    assert (judgement.answer, judgement.rule) == (GuardAnswer.DENY, "failure")
    assert "guard rule 'mine'" in judgement.reason
    assert says("ls", rule(**broken)) == "allow"


# --- audit -------------------------------------------------------------------------------------


def test_in_audit_mode_nothing_is_stopped_and_everything_is_told():
    judgement = examine("rm -rf src; npm ci", WORLD, settings=GuardSettings(
        mode="audit", own=(rule(program="npm"),)))  # fmt: skip

    assert (judgement.answer, judgement.would) == (GuardAnswer.ALLOW, GuardAnswer.DENY)
    assert {one.rule for one in judgement.objections} == {"mine", "delete.sources"}
    assert says("x" * 2_000_000, mode="audit") == "allow"


@pytest.mark.req("BB-F")
def test_in_audit_mode_the_guard_still_protects_itself():
    assert says("echo '{}' > .claude/settings.json", mode="audit") == "deny"
