"""bridges/mcp/names: what a server and its tools are called with us."""

from pathlib import Path

import pytest

from snaphook.bridges.mcp.names import (
    COMMANDS,
    SHELLS,
    folder,
    given,
    named,
    server_at,
    server_of,
)
from snaphook.errors import UsageError
from snaphook.hosts.tools import HostTool


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("npx -y @modelcontextprotocol/server-filesystem /tmp", "filesystem"),
        ("npx -y @playwright/mcp@latest", "playwright"),
        ("npx -y @wonderwhy-er/desktop-commander@latest", "desktop-commander"),
        ("uvx mcp-server-git --repository .", "git"),
        ("uv run my-server.py", "my"),
        ("uv tool run mcp-server-fetch", "fetch"),
        ("python -m weather_server", "weather_server"),
        ("/usr/bin/python3.12 servers/weather.py", "weather"),
        ("docker run -i --rm mcp/github:1.2", "github"),
        ("node build/index.js", "index"),
        ("./serve.sh", "serve"),
        ("server", "server"),
        ("python", "python"),
    ],
)
def test_a_server_is_named_after_its_command(command, name):
    assert server_of(command.split()) == name


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://mcp.linear.app/mcp", "linear"),
        ("https://api.githubcopilot.com/mcp/", "githubcopilot"),
        ("http://localhost:8000/mcp", "localhost"),
        ("http://127.0.0.1:8000/mcp", "127_0_0_1"),
        ("https://mcp.api/x", "mcp_api"),
    ],
)
def test_a_server_at_a_url_is_named_after_its_host(url, name):
    assert server_at(url) == name


@pytest.mark.parametrize(
    ("tool", "args", "ours"),
    [
        ("run_command", {"command": "ls"}, HostTool("Bash", {"command": "command"})),
        ("execute-command", {"cmd": "ls"}, HostTool("Bash", {"cmd": "command"})),
        ("run_process", {"argv": ["ls"]}, HostTool("Bash", {"argv": "command"})),
        (
            "interact_with_process",
            {"pid": 1, "input": "ls"},
            HostTool("Bash", {"input": "command"}),
        ),
        ("shell", {"line": "ls"}, HostTool("mcp__s__shell")),
        ("write_file", {"path": "x"}, HostTool("mcp__s__write_file")),
        ("mine", {"line": "ls"}, HostTool("Bash", {"line": "command"})),
        ("plain", {"script": "ls"}, HostTool("Bash", {"script": "command"})),
        ("plain", {}, HostTool("Bash")),
    ],
)
def test_a_tool_that_takes_a_command_is_a_shell(tool, args, ours):
    own = {"mine": HostTool("Bash", {"line": "command"}), "plain": HostTool("Bash")}

    assert named(tool, args, "s", own) == ours


def test_the_how_to_names_every_tool_that_is_known_and_every_argument():
    page = (Path(__file__).parents[3] / "docs/how-to/sdks/mcp-proxy.md").read_text()

    assert [name for name in (*SHELLS, *COMMANDS) if f"`{name}`" not in page] == []


def test_a_command_runs_where_its_arguments_say():
    assert (folder({"working_directory": "/x"}), folder({"cwd": 3}), folder({})) == ("/x", "", "")


def test_people_say_what_a_tool_is():
    assert given(["run=Bash,line=command", "shell=", "put=Write"], "s") == {
        "run": HostTool("Bash", {"line": "command"}),
        "shell": HostTool("mcp__s__shell"),
        "put": HostTool("Write"),
    }


@pytest.mark.parametrize("word", ["run", "=Bash", "run=Bash,line", "run=Bash,=command", ""])
def test_what_says_nothing_of_a_tool_is_told(word):
    with pytest.raises(UsageError, match="Write --tool run=Bash"):
        given([word], "s")
