"""What each dialect's matchers hold for."""

import pytest

from snaphook.canon import (
    HookContext,
    HostEvent,
    Notification,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionSource,
    SessionStart,
    Stop,
    SubagentStop,
)
from snaphook.config import Dialect
from snaphook.config.matchers import compile_matcher, subject_of
from snaphook.errors import ConfigError

WAVE, CLAUDE, SNAPHOOK = Dialect.WAVE, Dialect.CLAUDE, Dialect.SNAPHOOK
HERE = HookContext(session_id="s")


@pytest.mark.req("WS-6")
@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("pattern", [None, "", "*", " "])
def test_no_matcher_holds_for_everything(dialect, pattern):
    assert compile_matcher(pattern, dialect).matches("mcp__files__read")


@pytest.mark.req("WS-6")
@pytest.mark.parametrize(
    ("dialect", "pattern", "held", "not_held"),
    [
        pytest.param(WAVE, "Edit", ["Edit", "edit", "EDIT"], ["MultiEdit", "Edi"], id="wave: name"),
        pytest.param(WAVE, "Edit | write", ["Edit", "Write"], ["Read"], id="wave: alternatives"),
        pytest.param(WAVE, "Edit|", ["Edit"], ["", "Read"], id="wave: an empty alternative"),
        pytest.param(WAVE, "Edit*", ["Edit", "editor"], ["MultiEdit"], id="wave: glob"),
        pytest.param(WAVE, "[EW]*", ["Edit", "Write"], ["Read"], id="wave: a set"),
        pytest.param(WAVE, "Edi?", ["Edit"], ["Edi", "Editx"], id="wave: one character"),
        pytest.param(WAVE, "{Edit,Write}", ["Edit", "Write"], ["Read"], id="wave: braces (W7)"),
        pytest.param(WAVE, "mcp__*", ["mcp__a__b"], ["Bash"], id="wave: mcp"),
        pytest.param(WAVE, ".*", ["Edit", "x"], [], id="wave: regex, bare (W7)"),
        pytest.param(WAVE, "Edit.*", ["Edit", "Editor"], ["Read"], id="wave: regex tail (W7)"),
        pytest.param(WAVE, "^Edit$", ["Edit", "edit"], ["MultiEdit"], id="wave: anchored (W7)"),
        pytest.param(WAVE, "/^(Edit|Write)/", ["Edit", "WriteX"], ["Read"], id="wave: /…/ (W7)"),
        pytest.param(WAVE, "Read|/dit$/", ["Read", "MultiEdit"], ["Editor"], id="wave: mixed"),
        pytest.param(CLAUDE, "Bash", ["Bash"], ["bash", "BashOutput"], id="claude: name"),
        pytest.param(CLAUDE, "Ba", [], ["Bash"], id="claude: part of a name"),
        pytest.param(
            CLAUDE, "Edit|Write, Read", ["Edit", "Write", "Read"], ["Bash"], id="claude: |,"
        ),
        pytest.param(CLAUDE, "Ba.*", ["Bash", "XBa"], ["bash"], id="claude: regex, unanchored"),
        pytest.param(CLAUDE, "as.", ["Bash"], ["as"], id="claude: regex in the middle"),
        pytest.param(CLAUDE, "mcp__server", [], ["mcp__server__tool"], id="claude: server alone"),
        pytest.param(
            CLAUDE, "mcp__server__.*", ["mcp__server__tool"], ["mcp__x"], id="claude: mcp"
        ),
        pytest.param(CLAUDE, "(?<n>Edit)", ["Edit"], ["Read"], id="claude: JavaScript's groups"),
        pytest.param(CLAUDE, "Task", ["Agent", "Task"], ["TaskStop"], id="claude: an old name"),
        pytest.param(
            CLAUDE, "^KillShell$", ["TaskStop"], ["Agent"], id="claude: an old name, regex"
        ),
        pytest.param(SNAPHOOK, "Edit", ["Edit"], ["edit"], id="snaphook: name"),
        pytest.param(SNAPHOOK, "Edit*|/^mcp__/", ["Editor", "mcp__x"], ["xmcp__"], id="snaphook"),
        pytest.param(SNAPHOOK, "^(Edit|Write)$", ["Edit", "Write"], ["MultiEdit"], id="bare regex"),
        pytest.param(SNAPHOOK, "[!E]*", ["Write"], ["Edit"], id="snaphook: all but"),
    ],
)
def test_a_matcher_holds_for(dialect, pattern, held, not_held):
    matcher = compile_matcher(pattern, dialect)

    assert [name for name in held + not_held if matcher.matches(name)] == held


@pytest.mark.parametrize(
    ("dialect", "pattern", "said"),
    [
        (CLAUDE, "[Edit", "'[Edit' is not a valid regular expression"),
        (CLAUDE, "*Edit", "'*Edit' is not a valid regular expression"),
        (WAVE, "/(/", "'(' is not a valid regular expression"),
        (SNAPHOOK, "Edit[", "'Edit[' has an unclosed bracket"),
        (SNAPHOOK, "{Edit,Write", "has an unclosed bracket"),
        (WAVE, "Bash(git *)", "Match the tool (Bash) and look at its arguments in the command"),
        (SNAPHOOK, "Bash(rm:*)", "filters arguments"),
        (WAVE, "Edit; rm", "looks like a shell command"),
        (SNAPHOOK, "`id`", "looks like a shell command"),
        (WAVE, "||", "names nothing"),
        (CLAUDE, ",", "names nothing"),
    ],
)
def test_a_pattern_we_cannot_follow_stops_at_load(dialect, pattern, said):
    with pytest.raises(ConfigError) as error:
        compile_matcher(pattern, dialect, where="settings.json:3")

    assert str(error.value).startswith("settings.json:3: matcher '")
    assert said in str(error.value)


def test_claude_takes_a_file_name_with_a_dot_for_a_regular_expression():
    matcher = compile_matcher(".env|.envrc", CLAUDE, event="FileChanged")

    assert [name for name in (".env", ".envrc", "x") if matcher.matches(name)] == [".env", ".envrc"]


@pytest.mark.parametrize(
    ("event", "subject"),
    [
        (PreToolUse(context=HERE, tool_name="Bash", tool_args={}), "Bash"),
        (SessionStart(context=HERE, source=SessionSource.RESUME), "resume"),
        (SessionEnd(context=HERE, reason="logout"), "logout"),
        (PreCompact(context=HERE, trigger="manual"), "manual"),
        (Notification(context=HERE, message="m", notification_type="idle_prompt"), "idle_prompt"),
        (SubagentStop(context=HERE, agent_name="scout"), "scout"),
        (HostEvent(context=HERE, kind="PostCompact", payload={"trigger": "auto"}), "auto"),
        (HostEvent(context=HERE, kind="FileChanged", payload={"file_path": "/a/.env"}), ".env"),
        (HostEvent(context=HERE, kind="CwdChanged", payload={"old_cwd": "/"}), ""),
        (Stop(context=HERE), ""),
    ],
)
def test_each_event_says_what_its_matchers_test(event, subject):
    assert subject_of(event) == subject
