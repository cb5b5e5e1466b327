"""What we call a server and its tools.

command, URL, tool and arguments  ->  mcp__filesystem__write_file, or Bash

A server's name is chosen by whoever starts it, never by the server: it must not choose the rules it
falls under. Pure.
"""

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

from snaphook.errors import UsageError
from snaphook.hosts.tools import HostTool

SHELLS = frozenset(
    [
        "bash",
        "exec",
        "exec_command",
        "execute_bash",
        "execute_command",
        "execute_shell",
        "execute_shell_command",
        "interact_with_process",
        "run_bash",
        "run_command",
        "run_in_terminal",
        "run_process",
        "run_shell",
        "run_shell_command",
        "run_terminal_cmd",
        "run_terminal_command",
        "shell",
        "shell_exec",
        "shell_execute",
        "start_process",
        "terminal",
    ]
)
"""Tools that run a command, as the servers people use call them."""
COMMANDS = ("command", "cmd", "command_line", "commandLine", "argv", "script", "input", "code")
"""The arguments in which they take it, the likeliest first."""
FOLDERS = ("cwd", "workdir", "working_directory", "workingDirectory", "working_dir", "directory")
"""The arguments in which they are told where."""
_RUNNERS = {"npx", "bunx", "pnpx", "uvx", "pipx", "docker", "podman", "node", "bun", "deno", "uv"}
_VERBS = {"run", "exec", "dlx", "tool", "x"}
_AFFIXES = re.compile(r"^(mcp-server-|server-|mcp-)|(-mcp-server|-server|-mcp)$")


def named(tool: str, args: Mapping[str, Any], server: str, own: Mapping[str, HostTool]) -> HostTool:
    """Return our name for a call of *tool* of *server*; *own* is what the user says of its tools.

    A tool that takes a shell command is ``Bash``, so that every rule about commands holds for it.
    """
    where = next((name for name in COMMANDS if name in args), None)
    shell = HostTool("Bash", {where: "command"} if where else {})
    if tool in own:
        return shell if own[tool] == HostTool("Bash") else own[tool]
    if tool.lower().replace("-", "_") in SHELLS and where is not None:
        return shell
    return HostTool(f"mcp__{server}__{tool}")


def worded(args: Mapping[str, Any], tool: HostTool) -> dict[str, Any]:
    """Return *args* with a command that comes in words as the one text that rules are about."""
    words = {name: args.get(name) for name, ours in tool.args.items() if ours == "command"}
    return dict(args) | {
        name: shlex.join(map(str, said)) for name, said in words.items() if isinstance(said, list)
    }


def unworded(args: Mapping[str, Any], original: Mapping[str, Any]) -> dict[str, Any]:
    """Return changed *args* in words again, where the *original* came so."""
    return {
        name: shlex.split(said)
        if isinstance(said, str) and isinstance(original.get(name), list)
        else said
        for name, said in args.items()
    }


def folder(args: Mapping[str, Any]) -> str:
    """Return where a command is to run, as far as its arguments tell."""
    told = (args.get(name) for name in FOLDERS)
    return next((place for place in told if isinstance(place, str)), "")


def server_of(argv: Sequence[str]) -> str:
    """Return a name for the server that *argv* starts: ``npx -y @acme/mcp-server-git`` is git."""
    words = [word for word in argv if not word.startswith("-")]
    while len(words) > 1 and (_is_runner(words[0]) or words[0] in _VERBS):
        words = words[1:]
    return plain(_AFFIXES.sub("", _stem(words[0]))) if words else "server"


def server_at(url: str) -> str:
    """Return a name for the server at *url*: its host's."""
    host = urlsplit(url).hostname or ""
    words = [word for word in host.split(".") if word not in ("www", "mcp", "api")]
    return plain(words[0] if words and not host.replace(".", "").isdigit() else host)


def given(words: Iterable[str], server: str) -> dict[str, HostTool]:
    """Return what ``--tool TOOL=NAME[,THEIRS=OURS…]`` says; no NAME is the tool's own."""
    tools: dict[str, HostTool] = {}
    for word in words:
        tool, equals, rest = word.partition("=")
        name, *pairs = rest.split(",")
        args = dict(pair.partition("=")[::2] for pair in pairs)
        if not tool or not equals or not all(args) or not all(args.values()):
            raise UsageError(
                where=f"--tool {word}",
                what="is not NAME=TOOL",
                fix="Write --tool run=Bash, or --tool run=Bash,line=command for its arguments.",
            )
        tools[tool] = HostTool(name or f"mcp__{server}__{tool}", args)
    return tools


def _is_runner(word: str) -> bool:
    return PurePath(word).name in _RUNNERS or PurePath(word).name.startswith("python")


def _stem(word: str) -> str:
    """Return the part of a package, a module or a path that tells what it is."""
    scope, _, package = word.removeprefix("@").partition("/")
    if word.startswith("@") and re.match(r"(mcp|server|mcp-server)(@|$)", package):
        return scope
    word = PurePath(package if word.startswith("@") else word).name
    word = re.split(r"[@:=\[]", word)[0] or word
    return re.sub(r"\.(py|js|mjs|cjs|ts|sh|exe)$", "", word)


def plain(word: str) -> str:
    """Return *word* with nothing in it that a tool's name cannot hold."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", word)
