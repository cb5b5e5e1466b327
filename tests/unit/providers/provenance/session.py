"""A session as a host would tell it, for the tests of provenance.

steps of a story  ->  events  ->  the provider that the settings switch on
"""

import subprocess
from itertools import count
from pathlib import Path

from snaphook.canon import (
    HookContext,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    UserPromptSubmit,
    verdict,
)
from snaphook.engine import Engine, dispatch_sync
from snaphook.providers.provenance.provider import ProvenanceProvider
from snaphook.shell.known_programs import PROGRAMS
from snaphook.shell.live import LiveWorld
from snaphook.shell.understood import understand
from snaphook.stores.provenance.store import ProvenanceStore


class Told:
    """One session in a project of its own."""

    def __init__(self, folder, files=(), *, settings=None, overrides=None):
        self.project = folder / "project"
        self.project.mkdir()
        self.home = folder / "home"
        self.home.mkdir()
        self._data = folder / "data"
        self._settings, self._overrides = settings, overrides
        self._numbers = count(1)
        for name, text in dict(files).items():
            file = self.project / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        _commit(self.project)
        self.restart()

    def restart(self):
        """Begin again as another process would."""

        def shell(command, context):
            env = {"HOME": str(self.home), "PATH": "/usr/bin:/bin"}
            return understand(
                command, LiveWorld(context.cwd, env=env, project=context.team_root), PROGRAMS
            )

        provider = ProvenanceProvider(
            self._settings,
            store=ProvenanceStore(self._data),
            shell=shell,
            overrides=self._overrides,
        )
        self.engine = Engine([provider])
        self.provider = provider

    def context(self, *, subagent=False):
        project = str(self.project)
        if not subagent:
            return HookContext(session_id="s", cwd=project, team_root=project, timestamp=1.0)
        return HookContext(
            session_id="child",
            parent_session_id="s",
            agent_id="a1",
            depth=1,
            cwd=project,
            team_root=project,
        )

    def prompt(self, text):
        """The person says something."""
        return self.fire(UserPromptSubmit(context=self.context(), prompt=text))

    def fire(self, event):
        return dispatch_sync(self.engine, event).output

    def ask(self, tool, args, *, call=None, subagent=False):
        """Return what is said about a call before it runs."""
        return self.fire(
            PreToolUse(
                context=self.context(subagent=subagent),
                tool_name=tool,
                tool_args=args,
                tool_use_id=call,
            )
        )

    def ran(self, tool, args, result, *, call=None, subagent=False):
        """A call ran and returned *result*."""
        return self.fire(
            PostToolUse(
                context=self.context(subagent=subagent),
                tool_name=tool,
                tool_args=args,
                tool_use_id=call,
                tool_result=result,
            )
        )

    def play(self, step):
        """Play one step of a story; return what was said about its call, and in which words."""
        if step.get("restart"):
            self.restart()
            return None, ""
        tool, args, result = _call(step, self.project)
        call, subagent = f"c{next(self._numbers)}", bool(step.get("subagent"))
        output = self.ask(tool, args, call=call, subagent=subagent)
        said = verdict(output)
        if said is None or step.get("approve"):
            if error := step.get("error"):
                context = self.context(subagent=subagent)
                self.fire(
                    PostToolUseFailure(
                        context=context,
                        tool_name=tool,
                        tool_args=args,
                        tool_use_id=call,
                        error=error,
                    )
                )
            else:
                self.ran(tool, args, result, call=call, subagent=subagent)
        return said, getattr(output, "reason", "") or ""


def _call(step, project):
    text = step.get("text", step.get("out", ""))
    if tags := step.get("tags"):
        text += "".join(chr(0xE0000 + ord(sign)) for sign in tags)
    match step:
        case {"bash": command}:
            return "Bash", {"command": command}, text
        case {"fetch": url}:
            return "WebFetch", {"url": url, "prompt": "read"}, text
        case {"search": query}:
            return "WebSearch", {"query": query}, text
        case {"read": path}:
            return "Read", {"file_path": str(project / path)}, text
        case {"write": path}:
            return "Write", {"file_path": str(project / path), "content": text}, "written"
        case {"edit": path}:
            return (
                "Edit",
                {"file_path": str(project / path), "old_string": "a", "new_string": text},
                "edited",
            )
        case {"mcp": tool, "args": args}:
            return tool, args, text
        case {"tool": tool, "args": args}:
            return tool, args, text


def _commit(project: Path):
    run = ["git", "-C", str(project), "-c", "user.name=t", "-c", "user.email=t@t.example"]
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    subprocess.run([*run, "add", "-A"], check=True)
    subprocess.run([*run, "commit", "-qm", "first", "--allow-empty"], check=True)
