"""Which test proves which requirement, read from the marks without running anything.

tests/**/test_*.py + docs/requirements.md  ->  docs/traceability.md
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROW = re.compile(r"^\| (?P<id>(?:SA|BB|SQ|WX|WS)-[A-Z0-9-]+) \| (?P<text>.+) \|$", re.MULTILINE)

HEAD = """# Traceability

Which test proves which requirement. Generated from the `@pytest.mark.req` marks by
`make generate`; a test fails when it is stale. The sentences are in
[Requirements](requirements.md).

"""


def traceability() -> str:
    """Return the page."""
    proofs = defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for requirement, test in _marks(path):
            proofs[requirement].append((path.relative_to(ROOT).as_posix(), test))
    known = dict(requirements())
    if unknown := sorted(set(proofs) - set(known)):
        raise SystemExit(
            f"traceability: no requirement {', '.join(unknown)} in docs/requirements.md"
        )
    rows = "".join(f"| {name} | {_tests(proofs[name])} |\n" for name in known)
    proved = sum(bool(proofs[name]) for name in known)
    total = f"{proved} of {len(known)} requirements have a test that proves them.\n\n"
    return f"{HEAD}{total}| requirement | proved by |\n|---|---|\n{rows}"


def requirements() -> Iterator[tuple[str, str]]:
    """Yield each requirement's id and sentence, in the order of the page."""
    text = (ROOT / "docs" / "requirements.md").read_text(encoding="utf-8")
    for row in ROW.finditer(text):
        yield row["id"], row["text"]


def _marks(path: Path) -> Iterator[tuple[str, str]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    whole = [mark for node in tree.body for mark in _module_marks(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith(
            "test_"
        ):
            marks = [mark for decorator in node.decorator_list for mark in _ids(decorator)]
            for requirement in dict.fromkeys(whole + marks):
                yield requirement, node.name


def _module_marks(node: ast.stmt) -> Iterator[str]:
    """Yield what a module-wide ``pytestmark = …`` marks."""
    if isinstance(node, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets
    ):
        yield from _ids(node.value)


def _ids(node: ast.AST) -> Iterator[str]:
    """Yield the ids in every ``mark.req("…")`` under *node*, also inside a parametrize table."""
    for call in ast.walk(node):
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "req"
        ):
            for arg in call.args:
                if isinstance(arg, ast.Constant) and isinstance(arg.value, str):
                    yield arg.value


def _tests(proofs: list[tuple[str, str]]) -> str:
    if not proofs:
        return "*not yet*"
    files = defaultdict(list)
    for path, test in proofs:
        files[path].append(test)
    return "<br>".join(f"`{path}`: {_sentences(tests)}" for path, tests in files.items())


def _sentences(tests: list[str]) -> str:
    return "; ".join(test.removeprefix("test_").replace("_", " ") for test in dict.fromkeys(tests))
