"""Files that name tasks: the commands behind `make clean`, `npm run build`, `just deploy`.

Makefile, package.json, composer.json, justfile, Taskfile  +  task names  ->  shell text

What a task file computes (a make function, a template) is taken to be build output: these files
belong to the project, and what is looked for in them is what they say in plain words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from snaphook.shell.facts import Action, Call, Code, Shell

MOST_TASKS = 40
"""How many tasks, with those they need, one call is followed into."""

COMPUTED = "build"
"""What stands for a value that only the tool can compute."""

_RULE = re.compile(r"^([^\s#:=][^:=]*)::?(?!=)([^=]*)$")
_VARIABLE = re.compile(r"^(?:export\s+)?([\w.-]+)\s*(?:[:?+!]{0,2}=)\s*(.*)$")
_REFERENCE = re.compile(r"\$\$|\$[({]([^(){}$]*)[)}]|\$([@<^*?%+|\w])")
_TEMPLATE = re.compile(r"\{\{[^{}]*\}\}")
_RECIPE = re.compile(r"^@?([\w-]+)((?:\s+[^:=\s]+)*)\s*:(?!=)\s*(.*)$")


class FileTask(Struct, frozen=True, kw_only=True):
    """One task: what it needs first, and its lines."""

    needs: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def make(code: Code, _call: Call) -> Iterator[Action]:
    """Yield the recipes of the targets named, the first one's where none is."""
    tasks, variables = _makefile(code.text)
    words = [arg.text for arg in code.args if not arg.text.startswith("-")]
    variables |= dict(word.split("=", 1) for word in words if "=" in word)
    targets = [word for word in words if "=" not in word]
    for name, task in _wanted(tasks, targets):
        own = {**variables, "@": name, "<": " ".join(task.needs[:1]), "^": " ".join(task.needs)}
        for line in task.lines:
            yield Shell(text=_filled(line.lstrip("@-+ \t"), own), span=code.span, via="make")


def _makefile(text: str) -> tuple[dict[str, FileTask], dict[str, str]]:
    """Return the rules and the variables of a makefile, in the order they stand."""
    tasks: dict[str, FileTask] = {}
    variables = {"MAKE": "make", "RM": "rm -f", "CURDIR": "."}
    names: list[str] = []
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("\t"):
            for name in names:
                task = tasks[name]
                tasks[name] = FileTask(needs=task.needs, lines=(*task.lines, line[1:]))
        elif found := _VARIABLE.match(line):
            variables[found[1]] = found[2].partition("#")[0].strip()
            names = []
        elif found := _RULE.match(line):
            needs, _, recipe = found[2].partition(";")
            names = [name for name in found[1].split() if not name.startswith(".")]
            for name in names:
                lines = (recipe.strip(),) if recipe.strip() else ()
                tasks[name] = FileTask(needs=tuple(needs.split()), lines=lines)
    return tasks, variables


def _filled(line: str, variables: Mapping[str, str], depth: int = 0) -> str:
    """Return *line* with make's references filled in."""

    def value(found: re.Match[str]) -> str:
        if found[0] == "$$":
            return "$"
        name = found[1] if found[1] is not None else found[2]
        if name not in variables or depth > 8:
            return COMPUTED
        return _filled(variables[name], variables, depth + 1)

    return _REFERENCE.sub(value, line)


def scripts(code: Code, _call: Call) -> Iterator[Action]:
    """Yield the scripts of a package.json or composer.json: before, itself, after."""
    try:
        listed = json.loads(code.text)["scripts"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return
    if not code.args or not isinstance(listed, dict):
        return
    name, *words = code.args
    rest = " ".join(word.value for word in words)
    for one in (f"pre{name.text}", name.text, f"post{name.text}"):
        found = listed.get(one)
        for text in found if isinstance(found, list) else [found]:
            if isinstance(text, str):
                whole = f"{text} {rest}" if one == name.text else text
                yield Shell(text=whole.rstrip(), span=code.span, via=name.text)


def just(code: Code, _call: Call) -> Iterator[Action]:
    """Yield the recipes of a justfile."""
    tasks: dict[str, FileTask] = {}
    name = ""
    for line in code.text.splitlines():
        if line[:1] in (" ", "\t") and name:
            task = tasks[name]
            tasks[name] = FileTask(needs=task.needs, lines=(*task.lines, line.strip()))
        elif found := _RECIPE.match(line):
            name = found[1]
            tasks[name] = FileTask(needs=tuple(found[3].split()))
    words = [arg.text for arg in code.args if not arg.text.startswith("-") and "=" not in arg.text]
    for _, task in _wanted(tasks, words):
        for line in task.lines:
            text = _TEMPLATE.sub(COMPUTED, line.lstrip("@-"))
            yield Shell(text=text, span=code.span, via="just")


def taskfile(code: Code, _call: Call) -> Iterator[Action]:
    """Yield the commands of a Taskfile."""
    import yaml

    try:
        listed = yaml.safe_load(code.text)["tasks"]
    except (yaml.YAMLError, UnicodeError, KeyError, TypeError, RecursionError):
        return
    if not isinstance(listed, dict):
        return
    tasks = {str(name): _task(body) for name, body in listed.items()}
    words = [arg.text for arg in code.args if not arg.text.startswith("-") and "=" not in arg.text]
    for _, task in _wanted(tasks, words or ["default"]):
        for line in task.lines:
            text = _TEMPLATE.sub(COMPUTED, line)
            yield Shell(text=text, span=code.span, via="task")


def _task(body: object) -> FileTask:
    """Return one task of a Taskfile, however short it was written."""
    if isinstance(body, str):
        return FileTask(lines=(body,))
    if isinstance(body, list):
        return FileTask(lines=tuple(line for line in body if isinstance(line, str)))
    if not isinstance(body, dict):
        return FileTask()
    listed = body.get("cmds") or [body.get("cmd")]
    lines = [one.get("cmd") if isinstance(one, dict) else one for one in listed]
    needs = [one.get("task") if isinstance(one, dict) else one for one in body.get("deps") or []]
    return FileTask(
        lines=tuple(line for line in lines if isinstance(line, str)),
        needs=tuple(need for need in needs if isinstance(need, str)),
    )


def _wanted(tasks: Mapping[str, FileTask], names: Sequence[str]) -> Iterator[tuple[str, FileTask]]:
    """Return the tasks named with all they need, each once; the first where none is named."""
    waiting = list(names) or list(tasks)[:1]
    seen: set[str] = set()
    while waiting and len(seen) < MOST_TASKS:
        name = waiting.pop(0)
        if name not in seen and name in tasks:
            seen.add(name)
            waiting += tasks[name].needs
            yield name, tasks[name]
