"""What hooks find in their environment, and what they may leave in the agent's."""

import pytest

from snaphook.canon import HookContext, PreToolUse, Stop
from snaphook.config import Dialect
from snaphook.providers.commands.environment import environment, exported

HERE = HookContext(session_id="s", team_root="/proj", cwd="/proj/src")
CALL = PreToolUse(context=HERE, tool_name="Bash", tool_args={})

OF_WAVE = {
    "HOOK_EVENT": "PreToolUse",
    "HOOK_TOOL_NAME": "Bash",
    "HOOK_PROJECT_DIR": "/proj",
    "WAVE_PROJECT_DIR": "/proj",
    "WAVE_SESSION_ID": "s",
}
OF_CLAUDE = {"CLAUDE_PROJECT_DIR": "/proj", "CLAUDE_CODE_SESSION_ID": "s", "CLAUDECODE": "1"}


@pytest.mark.req("WS-7", "WS-E1")
@pytest.mark.parametrize(
    ("dialect", "variables"),
    [
        pytest.param(Dialect.WAVE, OF_WAVE, id="wave, with W8's WAVE_SESSION_ID"),
        pytest.param(Dialect.CLAUDE, OF_CLAUDE, id="claude"),
        pytest.param(Dialect.SNAPHOOK, OF_WAVE | OF_CLAUDE, id="snaphook: all of them"),
    ],
)
def test_a_hook_finds_the_variables_of_its_dialect(make, dialect, variables):
    hook = make("PreToolUse", "true", dialect, env={"MINE": "1", "PATH": "/mine"})

    found = environment(CALL, hook, {"PATH": "/bin", "HOME": "/h"})

    assert found == {"PATH": "/mine", "HOME": "/h", "MINE": "1"} | variables


def test_where_there_is_no_tool_the_name_is_empty_as_in_wave(make):
    found = environment(Stop(context=HERE), make("Stop", "true"), {"HOOK_TOOL_NAME": "Edit"})

    assert found["HOOK_TOOL_NAME"] == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("export A=b", {"A": "b"}, id="export"),
        pytest.param("A=b", {"A": "b"}, id="bare"),
        pytest.param('declare -x A="b c"', {"A": "b c"}, id="bash's own spelling"),
        pytest.param("export A='b $HOME'", {"A": "b $HOME"}, id="single quotes keep the dollar"),
        pytest.param('export A="$HOME/x"', {"A": "/h/x"}, id="double quotes fill it in"),
        pytest.param("export A=${HOME}:$NONE:", {"A": "/h::"}, id="braces, and a name unknown"),
        pytest.param(r'export A="\"q\" \$HOME"', {"A": '"q" $HOME'}, id="escapes"),
        pytest.param("export A='it'\\''s'", {"A": "it's"}, id="a quote in quotes"),
        pytest.param("export A=1 B=2", {"A": "1", "B": "2"}, id="two on a line"),
        pytest.param(
            "export A=1\nexport B=$A$A", {"A": "1", "B": "11"}, id="one builds on another"
        ),
        pytest.param("export A=1 # why", {"A": "1"}, id="a comment"),
        pytest.param("# A=1\n\nsource x; A=2\nif true", {}, id="what a shell would have to run"),
        pytest.param("export A=$(id)", {}, id="a substitution is not run"),
        pytest.param("export A=", {"A": ""}, id="an empty value"),
    ],
)
def test_export_lines_are_understood(text, found):
    assert exported(text, {"HOME": "/h"}) == found
