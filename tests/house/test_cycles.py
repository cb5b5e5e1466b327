"""Imports go round in no circle of more than two files, whatever kind of import it is."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SRC = Path(__file__).parents[2] / "src"
IMPORT = re.compile(r"(?m)^[ \t]*((?:from [\w.]+ )?import (?:\([^)]*\)|[^\n]+))")
KNOWN = (
    "snaphook.agent.agent",
    "snaphook.providers.guard.judge",
    "snaphook.providers.guard.sandboxing.choose",
    "snaphook.shell.evaluation.evaluate",
    "snaphook.stores.outbox.outbox",
)
"""One file of each circle that is still to be opened. None is added here."""


def modules() -> dict[str, Path]:
    found = {}
    for path in SRC.rglob("*.py"):
        parts = path.relative_to(SRC).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(name: str, path: Path, known: dict[str, Path]) -> Iterator[str]:
    """Yield what a module imports: when it loads, later in a function, or for its types alone."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in _statements(path.read_text(encoding="utf-8")):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            parts = [*(above if node.level else ()), *([node.module] if node.module else ())]
            base = ".".join(parts)
            for alias in node.names:
                full = f"{base}.{alias.name}"
                if full in known:
                    yield full
                elif base in known:
                    yield base


def _statements(text: str) -> Iterator[ast.stmt]:
    """Yield the imports of *text*, wherever they stand; parsing only them takes a tenth of the time."""
    for found in IMPORT.finditer(text):
        yield from ast.parse(found[1]).body


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """Return the sets of files that reach each other, by Tarjan's algorithm without recursion."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []
    for root in sorted(graph):
        work = [(root, iter(sorted(graph[root])))] if root not in order else []
        if work:
            order[root] = low[root] = len(order)
            stack.append(root)
        while work:
            here, others = work[-1]
            step = next((o for o in others if o not in order or o in stack), None)
            if step is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[here])
                if low[here] == order[here]:
                    at = stack.index(here)
                    found.append(set(stack[at:]))
                    del stack[at:]
            elif step in order:
                low[here] = min(low[here], order[step])
            else:
                order[step] = low[step] = len(order)
                stack.append(step)
                work.append((step, iter(sorted(graph[step]))))
    return found


def test_no_circle_of_imports_is_larger_than_two_files():
    known = modules()
    graph = {name: set(imports(name, path, known)) - {name} for name, path in known.items()}

    large = [circle for circle in circles(graph) if len(circle) > 2]

    assert [sorted(circle) for circle in large if circle.isdisjoint(KNOWN)] == []
    assert len(large) <= len(KNOWN)


def test_a_circle_is_found():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set(), "e": {"e", "a"}}

    assert {frozenset(one) for one in circles(graph) if len(one) > 2} == {frozenset("abc")}


def test_nobody_restates_the_answer():
    """What a host hears is decided in ``wiring/answer.py``; hosts, doctor and ``fire`` try parts of it."""
    allowed = ("hosts/", "testing/", "wiring/answer.py", "cli/fire_event.py", "cli/fired.py")
    found = [
        str(path.relative_to(SRC / "snaphook"))
        for path in (SRC / "snaphook").rglob("*.py")
        if "host.encode(" in path.read_text(encoding="utf-8")
    ]

    assert [name for name in found if not name.startswith(allowed)] == []
