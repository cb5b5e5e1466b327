"""load: every layer of every dialect, in order, with its origin."""

import pytest

from snaphook.canon import Stance
from snaphook.config import CommandHook, Dialect, Environment, Layer, Origin, SettingsError, load

from .helpers import approve, hooks, put


@pytest.mark.req("WS-1")
def test_user_and_project_settings_of_wave_add_up_user_first(around: Environment):
    put(around.home / ".wave/settings.json", hooks("echo user"))
    put(around.cwd / ".wave/settings.json", hooks("echo project"))
    put(around.cwd / ".wave/settings.local.json", hooks("echo local"))
    approve(around)

    settings = load(around)

    assert [(hook.command, hook.origin.layer) for hook in settings.hooks] == [
        ("echo user", Layer.USER),
        ("echo project", Layer.PROJECT),
        ("echo local", Layer.LOCAL),
    ]


def test_all_layers_and_dialects_come_in_a_fixed_order(around: Environment):
    native = '[[hooks.Stop]]\ncommand = "{}"\n'
    put(around.managed / "snaphook/snaphook.toml", native.format("1"))
    put(around.managed / "claude-code/managed-settings.json", hooks("2"))
    put(around.managed / "claude-code/managed-settings.d/10-more.json", hooks("3"))
    put(around.home / ".config/snaphook/snaphook.toml", native.format("4"))
    put(around.home / ".wave/settings.json", hooks("5"))
    put(around.home / ".claude/settings.json", hooks("6"))
    put(around.cwd / "snaphook.toml", native.format("7"))
    put(around.cwd / ".wave/settings.json", hooks("8"))
    put(around.cwd / ".claude/settings.json", hooks("9"))
    put(around.cwd / "snaphook.local.toml", native.format("10"))
    put(around.cwd / ".claude/settings.local.json", hooks("11"))
    approve(around)

    settings = load(around, hooks=hooks("12")["hooks"])

    assert [hook.command for hook in settings.hooks] == [str(n) for n in range(1, 13)]


@pytest.mark.req("BB-2")
def test_the_seeds_own_schema_loads_as_it_is(around: Environment):
    script = "$CLAUDE_PROJECT_DIR/2-engine/.autonomous/hooks/active/{}.py"
    monitor = {"type": "command", "command": script.format("ralf-monitor"), "timeout": 30}
    start = {"type": "command", "command": script.format("session-start")}
    file = put(
        around.home / ".claude/settings.json",
        {
            "hooks": {
                "SessionStart": [{"matcher": "*", "hooks": [start]}],
                "Stop": [{"hooks": [monitor]}],
            }
        },
    )

    at = Origin(layer=Layer.USER, file=str(file))
    assert load(around).hooks == (
        CommandHook(
            event="SessionStart",
            matcher="*",
            command=script.format("session-start"),
            dialect=Dialect.CLAUDE,
            origin=_at(at, "hooks", "SessionStart", 0, "hooks", 0),
        ),
        CommandHook(
            event="Stop",
            command=script.format("ralf-monitor"),
            timeout=30,
            dialect=Dialect.CLAUDE,
            origin=_at(at, "hooks", "Stop", 0, "hooks", 0),
        ),
    )


def test_the_native_file_says_everything_a_hook_can_be(around: Environment):
    file = put(
        around.home / ".config/snaphook/snaphook.toml",
        """
        [[hooks.PreToolUse]]
        name = "lint"
        matcher = "Bash|Edit"
        if = "Bash(git *)"
        command = "ruff check"
        timeout = 2.5
        async = true
        on_failure = "block"
        json_output = false
        parallel = true
        env = { LEVEL = "high" }
        """,
    )

    assert load(around).hooks == (
        CommandHook(
            event="PreToolUse",
            name="lint",
            matcher="Bash|Edit",
            condition="Bash(git *)",
            command="ruff check",
            timeout=2.5,
            background=True,
            stance=Stance.CLOSED,
            json_output=False,
            parallel=True,
            env={"LEVEL": "high"},
            dialect=Dialect.SNAPHOOK,
            origin=Origin(layer=Layer.USER, file=str(file), pointer=("hooks", "PreToolUse", 0)),
        ),
    )


def test_every_problem_of_every_file_is_told_at_once_with_its_line(around: Environment):
    put(around.home / ".claude/settings.json", hooks("x", timeout="5"))
    put(around.home / ".config/snaphook/snaphook.toml", "\n[[hooks.PreToolUze]]\ncommand = ''\n")

    with pytest.raises(SettingsError) as caught:
        load(around)

    assert [(p.code, p.line) for p in caught.value.problems] == [
        ("unknown-event", 2),
        ("empty-command", 3),
        ("wrong-type", 9),
    ]
    assert "Did you mean 'PreToolUse'?" in str(caught.value)


def test_an_event_only_a_newer_host_knows_does_not_stop_the_rest_of_its_file(
    around: Environment,
):
    table = hooks("echo kept")
    table["hooks"]["BrandNew"] = [{"hooks": [{"type": "command", "command": "echo dropped"}]}]
    put(around.home / ".claude/settings.json", table)

    assert [hook.command for hook in load(around).hooks] == ["echo kept"]


def test_hooks_of_other_types_are_kept_apart(around: Environment):
    http = {"type": "http", "url": "http://localhost:1/x"}
    put(around.home / ".claude/settings.json", {"hooks": {"Stop": [{"hooks": [http]}]}})

    settings = load(around)

    assert settings.hooks == ()
    assert [(hook.kind, hook.fields) for hook in settings.foreign] == [("http", http)]


def test_variables_of_the_settings_reach_the_hooks_of_their_dialect_only(around: Environment):
    put(around.home / ".wave/settings.json", {"env": {"A": "1"}, **hooks("wave")})
    put(around.home / ".claude/settings.json", hooks("claude"))

    assert [hook.env for hook in load(around).hooks] == [{"A": "1"}, {}]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("", id="no bytes"),
        pytest.param(" \n", id="blank"),
        pytest.param("\ufeff{}", id="only a byte order mark and braces"),
    ],
)
def test_an_empty_file_is_no_settings(around: Environment, content: str):
    put(around.home / ".wave/settings.json", content)

    assert load(around).hooks == ()


def test_the_user_file_is_not_read_again_as_the_home_projects_file(around: Environment):
    put(around.home / ".claude/settings.json", hooks("once"))
    inside = Environment(
        cwd=around.home / "notes", home=around.home, env={}, managed=around.managed
    )

    assert [hook.origin.layer for hook in load(inside, root=around.home).hooks] == [Layer.USER]
    assert load(inside).root == str(around.home / "notes")


def test_claude_config_dir_moves_the_users_file(around: Environment):
    put(around.home / "elsewhere/settings.json", hooks("moved"))
    moved = Environment(
        cwd=around.cwd,
        home=around.home,
        env={"CLAUDE_CONFIG_DIR": str(around.home / "elsewhere")},
        managed=around.managed,
    )

    assert [hook.command for hook in load(moved).hooks] == ["moved"]


def test_loading_twice_gives_the_same_settings(around: Environment):
    put(around.home / ".wave/settings.json", hooks("echo user"))

    assert load(around) == load(around)


def _at(origin: Origin, *pointer: str | int) -> Origin:
    return Origin(layer=origin.layer, file=origin.file, pointer=pointer)
