"""``snaphook mcp-proxy`` as agents start it: a process, before a process or a port."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from mcp import Client, ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError
from tests.bridges import mcp_server
from tests.bridges.breaking import everything

from snaphook.cli.main import main
from snaphook.stores.eventlog.audit import verify
from snaphook.stores.eventlog.read import records

pytestmark = pytest.mark.needs("mcp")
SNAPHOOK = str(Path(sys.executable).with_name("snaphook"))
RULES = """
[[hooks.PreToolUse]]
matcher = "mcp__demo__add"
command = "echo NO-SUMS: count by hand >&2; exit 2"
"""
SMALL = """
import json, os, signal, sys, time
sys.stderr.write(f"server {os.getpid()}\\n"); sys.stderr.flush()
if "stubborn" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("params", {}).get("name") == "die":
        sys.exit(3)
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": {"content": []}}), flush=True)
sys.stderr.write("alone\\n"); sys.stderr.flush()
while "stubborn" in sys.argv:
    time.sleep(60)
"""
"""A server that imports next to nothing."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    file = tmp_path / ".config/snaphook/snaphook.toml"
    file.parent.mkdir(parents=True)
    file.write_text(RULES)
    return tmp_path


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(home), "SNAPHOOK_NO_DAEMON": "1", **more}


def text(result: Any) -> str:
    return "\n".join(block.text for block in result.content)


async def test_an_agent_that_starts_the_proxy_has_its_calls_judged_and_recorded(home, tmp_path):
    options = ["mcp-proxy", "--name", "demo", "--session", "s1", "--agent", "desk"]
    how = StdioServerParameters(
        command=SNAPHOOK,
        args=[*options, "--", sys.executable, mcp_server.__file__],
        env=environment(home),
        cwd=home,
    )
    with (tmp_path / "stderr").open("w+") as stderr:
        async with stdio_client(how, errlog=stderr) as streams, ClientSession(*streams) as client:
            await client.initialize()
            added = await client.call_tool("add", {"a": 1, "b": 2})
            removed = await client.call_tool("run_command", {"command": "rm -rf ~"})
            listed = await client.call_tool("run_command", {"command": "ls"})
            greeting: Any = await client.read_resource("demo://greeting")
        stderr.seek(0)
        assert "the server speaks on stderr" in stderr.read()

    assert (added.is_error, text(added)) == (True, "NO-SUMS: count by hand")
    assert removed.is_error
    assert "delete.everything" in text(removed)
    assert (listed.is_error, text(listed)) == (False, "ran ls")
    assert greeting.contents[0].text == "hello from a resource"
    log = home / ".local/share/snaphook/log"
    assert [(one.event, one.tool, one.verdict) for one in records(log)] == [
        ("SessionStart", "", None),
        ("PreToolUse", "mcp__demo__add", "deny"),
        ("PreToolUse", "Bash", "deny"),
        ("PreToolUse", "Bash", None),
        ("PostToolUse", "Bash", None),
        ("SessionEnd", "", None),
    ]
    assert {(one.host, one.session, one.agent, one.project) for one in records(log)} == {
        ("mcp-proxy", "s1", "desk", str(home))
    }
    assert [(report.records, report.bad) for report in verify(log)] == [(6, None)]


@pytest.fixture(scope="module")
def web() -> Iterator[tuple[str, mcp_server.Keys]]:
    with mcp_server.on_a_port() as there:
        yield there


def before(url: str, home: Path, *options: str, **env: str) -> Any:
    args = ["mcp-proxy", "--name", "demo", "--url", url, *options]
    how = StdioServerParameters(command=SNAPHOOK, args=args, env=environment(home, **env), cwd=home)
    return stdio_client(how)


KEY = ("--header", "Authorization: Bearer ${TOKEN}")


@everything
async def test_a_server_at_a_url_is_judged_likewise_after_a_handshake(home, web):
    url, keys = web
    seen: list[float] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        seen.append(progress)

    async with before(url, home, *KEY, TOKEN="t1") as streams, ClientSession(*streams) as client:
        await client.initialize()
        added = await client.call_tool("add", {"a": 1, "b": 2})
        listed = await client.call_tool("run_command", {"command": "ls"})
        await client.call_tool("busy", {}, progress_callback=on_progress)
        prompt: Any = await client.get_prompt("greet", {"name": "Ada"})

    assert text(added) == "NO-SUMS: count by hand"
    assert text(listed) == "ran ls"
    assert seen == [0, 1, 2]
    assert prompt.messages[0].content.text == "Greet Ada."
    assert keys.shown == {"Bearer t1"}


@everything
async def test_a_server_at_a_url_is_judged_likewise_where_each_request_speaks_for_itself(home, web):
    url, _ = web

    async with Client(before(url, home, *KEY, TOKEN="t1"), mode="2026-07-28") as client:
        await client.list_tools()
        added = await client.call_tool("add", {"a": 1, "b": 2})
        listed = await client.call_tool("run_command", {"command": "ls"})
        resource: Any = await client.read_resource("demo://greeting")

    assert text(added) == "NO-SUMS: count by hand"
    assert text(listed) == "ran ls"
    assert resource.contents[0].text == "hello from a resource"


@everything
async def test_a_server_that_wants_a_key_or_is_away_says_so(home, web):
    url, _ = web
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        away = f"http://127.0.0.1:{free.getsockname()[1]}/mcp"
    told = []
    for where in (url, away):
        async with before(where, home) as streams, ClientSession(*streams) as client:
            with pytest.raises(MCPError) as problem:
                await client.initialize()
            told.append(str(problem.value))

    assert "requires authentication (401). Give it a key: --header" in told[0]
    assert f"{away} cannot be reached" in told[1]


class Started:
    """The proxy before the small server, spoken to by hand."""

    def __init__(self, home: Path, *words: str) -> None:
        argv = [SNAPHOOK, "mcp-proxy", "--", sys.executable, "-S", "-c", SMALL, *words]
        pipes: Any = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
        }
        self.proxy = subprocess.Popen(argv, env=environment(home), cwd=home, **pipes)
        assert self.proxy.stderr is not None
        self.server = int(self.proxy.stderr.readline().split()[1])

    def call(self, tool: str) -> Any:
        assert self.proxy.stdin is not None
        assert self.proxy.stdout is not None
        params = {"name": tool, "arguments": {}}
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        self.proxy.stdin.write(json.dumps(asked).encode() + b"\n")
        self.proxy.stdin.flush()
        return json.loads(self.proxy.stdout.readline())

    def over(self) -> tuple[int, str]:
        """Return how the proxy ended, and what it said; the server is gone by then."""
        _, said = self.proxy.communicate(timeout=30)
        until = monotonic() + 10
        while _lives(self.server) and monotonic() < until:
            sleep(0.01)
        assert not _lives(self.server)
        return self.proxy.returncode, said.decode()


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_server_that_dies_is_told_with_its_exit_status(home):
    here = Started(home)

    heard = here.call("die")

    assert heard["error"]["message"] == "the MCP server has ended"
    status, said = here.over()
    assert status == 3
    assert f"snaphook: MCP server '{sys.executable}': ended by itself (exit status 3)." in said


@pytest.mark.parametrize(
    ("words", "how", "status"),
    [
        pytest.param((), None, 0, id="the client leaves"),
        pytest.param((), signal.SIGTERM, 143, id="terminated", marks=everything),
        pytest.param((), signal.SIGINT, 130, id="Ctrl-C", marks=everything),
        pytest.param(("stubborn",), None, 0, id="a server that will not go", marks=everything),
    ],
)
def test_the_server_ends_with_the_proxy(home, words, how, status):
    here = Started(home, *words)
    assert here.call("work")["result"] == {"content": []}

    if how is not None:
        here.proxy.send_signal(how)

    left, said = here.over()
    assert (left, said.replace("alone\n", "")) == (status, "")


@everything
def test_a_client_that_waits_no_longer_leaves_no_server_behind(home):
    """Clients close the pipe, wait a moment, and send a signal: a server may still be ending then."""
    here = Started(home, "stubborn")
    assert here.proxy.stdin is not None
    assert here.proxy.stderr is not None
    here.proxy.stdin.close()
    here.proxy.stdin = None
    assert here.proxy.stderr.readline() == b"alone\n"

    here.proxy.send_signal(signal.SIGTERM)

    assert here.over() == (143, "")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([], "no server given. Write '-- COMMAND ARGS…', or --url https://…."),
        (["--url", "https://x", "--", "y"], "expects a command or --url, not both."),
        (["--url", "x.example"], "--url x.example: is not a web address. Write https://…."),
        (["--header", "a: b", "--", "x"], "--header: is for servers at a --url."),
        (["--url", "https://x", "--header", "a"], "'a' has no value. Write 'NAME: VALUE'."),
        (
            ["--url", "https://x", "--header", "a: ${NO_SUCH_VARIABLE}"],
            "environment variable NO_SUCH_VARIABLE is not set. Set NO_SUCH_VARIABLE",
        ),
        (["--tool", "run", "--", "x"], "--tool run: is not NAME=TOOL."),
        (["--nmae", "x"], "No such option"),
    ],
)
def test_a_wrong_call_is_told_in_one_line(argv, said, capsys, monkeypatch, home):
    monkeypatch.setenv("HOME", str(home))

    assert main(["mcp-proxy", *argv]) == 2

    assert said in capsys.readouterr().err


def test_a_program_that_is_not_there_is_told(home):
    argv = [SNAPHOOK, "mcp-proxy", "--", "/no/such/server"]

    done = subprocess.run(
        argv, env=environment(home), cwd=home, capture_output=True, text=True, input=""
    )

    assert done.returncode == 3
    assert done.stderr == (
        "snaphook: MCP server '/no/such/server': cannot be started: No such file or directory. "
        "Run the command after '--' on its own to see why.\n"
    )


def test_settings_that_cannot_be_followed_stop_it(home):
    (home / ".config/snaphook/snaphook.toml").write_text("[guard]\nmode = 'sometimes'\n")
    argv = [SNAPHOOK, "mcp-proxy", "--", "true"]

    done = subprocess.run(
        argv, env=environment(home), cwd=home, capture_output=True, text=True, input=""
    )

    assert done.returncode == 1
    assert "guard.mode" in done.stderr
    assert "Traceback" not in done.stderr
