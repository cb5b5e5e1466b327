"""Shell text in the files of a repository, with the place it stands at.

file  ->  Snippets

Shell scripts and git hooks, Makefiles, scripts of package.json, steps of GitHub Actions and GitLab CI,
RUN lines of Dockerfiles, commands of pre-commit and of agents' hooks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any

import yaml
from msgspec import Struct


class Setting(Enum):
    """Where a text would run: what is dangerous on a person's machine is daily work elsewhere."""

    MACHINE = "on the machine of anyone who works here"
    CI = "on a machine that is thrown away"
    IMAGE = "while an image is built"


class Snippet(Struct, frozen=True, kw_only=True):
    """One shell text and the line it begins at."""

    text: str
    line: int
    setting: Setting = Setting.MACHINE
    name: str = ""
    """The target, script, step or job it belongs to."""


class Unreadable(Exception):  # noqa: N818 - it says what is wrong with the file
    """The file is not what its name says."""


Reader = Callable[[str], Iterator[Snippet]]


def reader_of(path: str, text: str) -> Reader | None:
    """Return who finds the shell text in the file at *path*; nothing for any other file."""
    name = path.rpartition("/")[2]
    for shape, reader in _READERS:
        if re.search(shape, path):
            return reader
    if name in ("Makefile", "makefile", "GNUmakefile") or name.endswith(".mk"):
        return makefile
    shebang = text[:100].partition("\n")[0]
    if name.endswith((".sh", ".bash")) or re.match(r"#!.*\b(?:ba|da|k|z)?sh\b", shebang):
        return script
    return None


def script(text: str) -> Iterator[Snippet]:
    """Yield a whole shell script."""
    yield Snippet(text=text, line=1)


def makefile(text: str) -> Iterator[Snippet]:
    """Yield each recipe of a Makefile, its simple variables filled in."""
    variables = dict(re.findall(r"(?m)^(\w+)\s*[:?]?=\s*(.*?)\s*$", text))
    target = ""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        line, start = lines[at], at
        if line.startswith("\t"):
            while line.endswith("\\") and at + 1 < len(lines):
                at += 1
                line = f"{line}\n{lines[at].removeprefix(chr(9))}"
            command = _expanded(line.strip().lstrip("@-+"), variables)
            if command:
                yield Snippet(text=command, line=start + 1, name=target)
        elif found := re.match(r"([^\s:#=][^:#=]*):(?!=)", line):
            target = found[1].strip()
        at += 1


def _expanded(text: str, variables: Mapping[str, str], depth: int = 5) -> str:
    """Return a recipe as the shell gets it; what only make knows becomes an unset variable."""
    for _ in range(depth):
        new = re.sub(
            r"(?<!\$)\$[({](\w+)[)}]",
            lambda found: variables.get(found[1], f"${{{found[1]}}}\0"),
            text,
        )
        if new == text or "\0" in new:
            text = new
            break
        text = new
    return text.replace("\0", "").replace("$$", "$")


def package_json(text: str) -> Iterator[Snippet]:
    """Yield the scripts of a package.json."""
    scripts = _json(text).get("scripts")
    for name, command in scripts.items() if isinstance(scripts, dict) else ():
        if isinstance(command, str):
            yield Snippet(text=command, line=_line_of(text, f'"{name}"'), name=str(name))


def agent_hooks(text: str) -> Iterator[Snippet]:
    """Yield the commands of hooks in an agent's settings file."""
    for command in _commands(_json(text).get("hooks")):
        yield Snippet(text=command, line=_line_of(text, json.dumps(command)[1:-1]), name="hook")


def _commands(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("command", "bash") and isinstance(value, str):
                yield value
            else:
                yield from _commands(value)
    elif isinstance(node, list):
        for one in node:
            yield from _commands(one)


def dockerfile(text: str) -> Iterator[Snippet]:
    """Yield the RUN instructions of a Dockerfile."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        start, line = at, lines[at]
        found = re.match(r"\s*RUN\s+((?:--\S+\s+)*)(.*)", line, re.IGNORECASE)
        while found and line.rstrip().endswith("\\") and at + 1 < len(lines):
            at += 1
            more = lines[at]
            line += "\n" + ("" if more.lstrip().startswith("#") else more)
        if found:
            command = line[found.start(2) :]
            yield Snippet(
                text=_exec_form(command), line=start + 1, setting=Setting.IMAGE, name="RUN"
            )
        at += 1


def _exec_form(command: str) -> str:
    """Return `["sh", "-c", "x"]` as a command line."""
    if command.lstrip().startswith("["):
        from shlex import join

        try:
            words = json.loads(command)
            return join(map(str, words))
        except ValueError:
            return command
    return re.sub(r"\\\n\s*\n", "\\\\\n", command)


def github(text: str) -> Iterator[Snippet]:
    """Yield the `run` steps of a workflow or an action."""
    yield from _yaml_values(text, ("run",), Setting.CI)


def gitlab(text: str) -> Iterator[Snippet]:
    """Yield the scripts of GitLab CI jobs."""
    yield from _yaml_values(text, ("script", "before_script", "after_script"), Setting.CI)


def pre_commit(text: str) -> Iterator[Snippet]:
    """Yield the entries of local pre-commit hooks."""
    yield from _yaml_values(text, ("entry",), Setting.MACHINE)


def _yaml_values(text: str, keys: tuple[str, ...], setting: Setting) -> Iterator[Snippet]:
    try:
        # The safe loader makes no objects of the file's choosing; compose keeps the lines.
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError) as error:
        raise Unreadable(f"is not YAML: {str(error).splitlines()[0]}") from None
    yield from _yaml_texts(root, keys, setting, seen=set())


def _yaml_texts(
    node: Any, keys: tuple[str, ...], setting: Setting, seen: set[int]
) -> Iterator[Snippet]:
    if node is None or id(node) in seen:
        return  # an alias leads back to a node we have seen
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value in keys:
                yield from _yaml_commands(value, setting)
            else:
                yield from _yaml_texts(value, keys, setting, seen)
    elif isinstance(node, yaml.SequenceNode):
        for one in node.value:
            yield from _yaml_texts(one, keys, setting, seen)


def _yaml_commands(node: Any, setting: Setting) -> Iterator[Snippet]:
    if isinstance(node, yaml.SequenceNode):
        for one in node.value:
            yield from _yaml_commands(one, setting)
    elif isinstance(node, yaml.ScalarNode) and isinstance(node.value, str):
        block = node.style in ("|", ">")
        # `${{ … }}` is filled in by the service before the shell sees it
        text = re.sub(r"\$\{\{.*?\}\}", "${SNIPPET_VALUE}", node.value)
        yield Snippet(text=text, line=node.start_mark.line + 1 + block, setting=setting)


def _json(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise Unreadable(f"is not JSON: {error}") from None
    return found if isinstance(found, dict) else {}


def _line_of(text: str, part: str) -> int:
    at = text.find(part)
    return text.count("\n", 0, at) + 1 if at >= 0 else 1


_READERS: tuple[tuple[str, Reader], ...] = (
    (r"(?:^|/)package\.json$", package_json),
    (r"(?:^|/)\.github/workflows/[^/]+\.ya?ml$", github),
    (r"(?:^|/)action\.ya?ml$", github),
    (r"(?:^|/)\.gitlab-ci\.ya?ml$", gitlab),
    (r"(?:^|/)\.pre-commit-(?:config|hooks)\.yaml$", pre_commit),
    (r"(?:^|/)(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?$|\.dockerfile$", dockerfile),
    (
        r"(?:^|/)\.(?:claude|qwen|gemini|codex|cursor)/(?:settings(?:\.local)?|hooks)\.json$",
        agent_hooks,
    ),
    (r"(?:^|/)\.(?:husky|githooks)/(?!_/)[\w.-]+$|(?:^|/)\.git/hooks/[\w-]+$", script),
)
