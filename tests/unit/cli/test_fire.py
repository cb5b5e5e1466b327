"""fire: one event by hand, the whole story."""

import io
import json

import pytest

from snaphook.cli.main import main
from snaphook.cli.table import EXIT_USAGE

WAVE = {
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "echo no >&2; exit 2"}]}
        ],
        "PostToolUse": [
            {"matcher": "Edit", "hooks": [{"type": "command", "command": "echo lint >&2; exit 2"}]}
        ],
        "UserPromptSubmit": [
            {"hooks": [{"type": "command", "command": "grep -q secret && echo no >&2 && exit 2"}]},
            {"hooks": [{"type": "command", "command": "echo it is Sunday"}]},
        ],
        "Stop": [{"hooks": [{"type": "command", "command": "echo not yet >&2; exit 2"}]}],
        "Notification": [{"hooks": [{"type": "command", "command": "echo odd >&2; exit 3"}]}],
    }
}

FAILED = "Hook execution failed: hook 'grep -q secret && echo no >&2 && exit 2' (exit code 1)"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project without settings, and a home whose wave settings hold a hook for most events."""
    home = tmp_path / "home"
    (home / ".wave").mkdir(parents=True)
    (home / ".wave" / "settings.json").write_text(json.dumps(WAVE))
    folder = tmp_path / "project"
    folder.mkdir()
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(folder)
    return folder


def fire(capsys, *words):
    assert main(["fire", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def heard(story):
    names = ("event", "verdict", "to_agent", "to_user", "context", "prompt_erased")
    return {name: story[name] for name in names}


@pytest.mark.parametrize(
    ("words", "verdict", "to_agent", "to_user", "context", "erased"),
    [
        pytest.param(
            ["PreToolUse", "--tool", "Bash", "--input", '{"command": "ls"}'],
            "deny",
            ["no"],
            [],
            [],
            False,
            id="a blocked call",
            marks=pytest.mark.req("WX-6"),
        ),
        pytest.param(["PreToolUse", "--tool", "Read"], None, [], [], [], False, id="another tool"),
        pytest.param(
            ["PostToolUse", "--tool", "Edit"],
            "block",
            ["lint"],
            [],
            [],
            False,
            id="feedback on a result",
            marks=pytest.mark.req("WX-8"),
        ),
        pytest.param(
            ["UserPromptSubmit", "--prompt", "hi"],
            None,
            [],
            [FAILED],
            ["it is Sunday"],
            False,
            id="context for a prompt",
            marks=pytest.mark.req("WX-4"),
        ),
        pytest.param(
            ["UserPromptSubmit", "--prompt", "the secret"],
            "deny",
            [],
            ["no"],
            [],
            True,
            id="an erased prompt",
            marks=pytest.mark.req("WX-9"),
        ),
        pytest.param(
            ["Stop"],
            "block",
            ["not yet"],
            [],
            [],
            False,
            id="an agent sent back",
            marks=pytest.mark.req("WX-12"),
        ),
        pytest.param(
            ["Notification", "--set", "message=hello"],
            None,
            [],
            ["odd"],
            [],
            False,
            id="a hook that failed",
            marks=pytest.mark.req("WX-14"),
        ),
        pytest.param(["SessionStart"], None, [], [], [], False, id="nobody listens"),
        pytest.param(["PostCompact"], None, [], [], [], False, id="an event of some hosts"),
    ],
)
def test_an_event_is_told_as_its_hosts_would_hear_it(
    words, verdict, to_agent, to_user, context, erased, project, capsys
):
    assert heard(fire(capsys, *words)) == {
        "event": words[0],
        "verdict": verdict,
        "to_agent": to_agent,
        "to_user": to_user,
        "context": context,
        "prompt_erased": erased,
    }


def test_the_story_names_who_was_asked_and_what_ran(project, capsys):
    story = fire(capsys, "PreToolUse", "--tool", "Bash", "--input", '{"command": "ls"}')

    assert [answer["name"] for answer in story["providers"]] == ["guard", "provenance", "commands"]
    assert [(hook["command"], hook["exit_code"]) for hook in story["hooks"]] == [
        ("echo no >&2; exit 2", 2)
    ]


@pytest.mark.parametrize(
    ("dialect", "wire"),
    [
        (
            "claude",
            {
                "hook_event_name": "PreToolUse",
                "session_id": "s",
                "cwd": "/",
                "transcript_path": "/t",
                "tool_name": "Bash",
                "tool_input": {"command": "rm -rf /"},
            },
        ),
        (
            "wave",
            {
                "hook_event_name": "PreToolUse",
                "session_id": "s",
                "cwd": "/",
                "transcript_path": "/t",
                "tool_name": "Bash",
                "tool_input": {"command": "rm -rf /"},
            },
        ),
        (
            "snaphook",
            {
                "event": "PreToolUse",
                "context": {"session_id": "s"},
                "tool_name": "Bash",
                "tool_args": {"command": "rm -rf /"},
            },
        ),
    ],
)
def test_an_event_may_come_as_a_hosts_own_json(dialect, wire, project, capsys, monkeypatch):
    on_stdin(monkeypatch, wire)

    assert fire(capsys, "--stdin", "--dialect", dialect)["verdict"] == "deny"


@pytest.mark.parametrize("dialect", ["claude", "wave", "snaphook", "any"])
def test_the_json_that_a_hook_reads_is_an_event_in_every_dialect(
    dialect, project, capsys, monkeypatch
):
    on_stdin(monkeypatch, {"tool_name": "Bash", "tool_input": {"command": "rm -rf /"}})

    story = fire(capsys, "PreToolUse", "--stdin", "--dialect", dialect)

    assert (story["event"], story["verdict"]) == ("PreToolUse", "deny")


@pytest.mark.parametrize(
    ("words", "wire", "says"),
    [
        ([], b"junk", "stdin is not JSON"),
        ([], b"", "stdin is not JSON"),
        ([], b"[]", "stdin is not an object"),
        ([], b"{}", "the JSON on stdin does not name its event"),
        (
            ["Stop"],
            {"hook_event_name": "PreToolUse"},
            "the JSON on stdin is a PreToolUse event, not Stop",
        ),
        (["--dialect", "wave"], {"hook_event_name": "PreToolUse"}, "stdin: "),
        ([], {"event": "Stop"}, "stdin: Object missing required field `context`"),
    ],
)
def test_json_that_is_no_event_is_told_in_words(words, wire, says, project, capsys, monkeypatch):
    on_stdin(monkeypatch, wire)

    assert main(["fire", *words, "--stdin"]) == EXIT_USAGE
    assert says in capsys.readouterr().err


def test_an_event_happens_where_cwd_says(project, tmp_path, capsys, monkeypatch):
    hook = {"type": "command", "command": "jq -r .cwd 2>/dev/null || cat"}
    settings = {"hooks": {"UserPromptSubmit": [{"hooks": [hook]}]}}
    (tmp_path / "home/.wave/settings.json").write_text(json.dumps(settings))
    monkeypatch.chdir("/")

    story = fire(capsys, "UserPromptSubmit", "--prompt", "hi", "--cwd", str(project))

    assert str(project) in story["context"][0]


def on_stdin(monkeypatch, wire):
    raw = wire if isinstance(wire, bytes) else json.dumps(wire).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw)))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["PreToolUze"], "unknown event 'PreToolUze'. Did you mean 'PreToolUse'?"),
        ([], "no event given"),
        (["PreToolUse", "--input", "{"], "--input is not JSON"),
        (["PreToolUse", "--input", "[]"], "--input is not an object"),
        (["Stop", "--prompt", "x"], "Stop has no field 'prompt'"),
        (["Stop", "--set", "x"], "--set 'x' has no '='"),
        (["Stop", "--set", "stop_hook_active=7"], "Expected `bool`, got `int`"),
    ],
)
def test_a_wrong_call_is_told_in_words(words, says, project, capsys):
    assert main(["fire", *words]) == EXIT_USAGE
    assert says in capsys.readouterr().err


def test_a_project_nobody_approved_runs_nothing_and_says_so(project, capsys):
    (project / "snaphook.toml").write_text('[[hooks.Stop]]\ncommand = "touch ran"\n')
    story = fire(capsys, "Stop")

    assert story["withheld"] == ["touch ran"]
    assert not (project / "ran").exists()


def test_people_read_the_same_story(project, capsys):
    assert main(["fire", "PreToolUse", "--input", '{"command": "rm -rf /"}']) == 0
    out = capsys.readouterr().out

    assert out.startswith("PreToolUse\n  guard         deny")
    assert "→ deny" in out
