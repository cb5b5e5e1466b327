"""Everything a person reads uses the field's plain terms: ``terms.txt`` lists what to write instead.

texts of src, docs, dashboard, schemas  ->  no match
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src/snaphook"
TERMS = [
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        line.split("\t")
        for line in (Path(__file__).parent / "terms.txt").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    )
]
ALLOWED: dict[str, str] = {}
"""Texts that may stay, each with its reason; they are matched as parts of a line."""
QUOTED = ("requirements.md", "traceability.md", "originals.md", "api.md", "changelog.md")
"""Pages that quote requirements, names of tests and docstrings; the changelog is checked as CHANGELOG.md."""
LISTS = ("rules_index.py", "programs_index.py")
"""Generated tables of names."""
DATA = tuple(
    f"src/snaphook/{name}"
    for name in (
        "scrub/rules",
        "providers/context/patterns.py",
        "providers/provenance",
        "stores/memory/extract",
        "testing",
    )
)
"""Packages whose texts are patterns and word lists that describe other people's texts."""


def spoken(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the strings of a module that are not docstrings; of commands, those too."""
    silent = {id(one) for node in ast.walk(tree) for one in _internal(node)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in silent
        ):
            yield node.lineno, node.value


def _internal(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the docstrings in *node* that nobody but developers reads: ``--help`` shows those of commands."""
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return
    shown = isinstance(node, ast.FunctionDef) and any(
        "command" in ast.unparse(one) or "group" in ast.unparse(one) for one in node.decorator_list
    )
    for position, line in enumerate(node.body):
        if isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and not shown:
            described = isinstance(node, ast.ClassDef) and "Settings" in node.name and position
            if (
                not described
            ):  # the description of a setting is shown in the reference and the schema
                yield line.value


def texts() -> Iterator[tuple[str, str]]:
    """Yield every text that people read, with its place."""
    for file in [*sorted(PACKAGE.rglob("*.py")), *sorted((ROOT / "examples").glob("*.py"))]:
        name = file.relative_to(ROOT).as_posix()
        if file.name not in LISTS and not name.startswith(DATA):
            for line, text in spoken(ast.parse(file.read_text(encoding="utf-8"))):
                if " " in text.strip():
                    yield f"{name}:{line}", " ".join(text.split())
    for page in sorted(pages()):
        for number, shown in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            yield f"{page.relative_to(ROOT)}:{number}", shown


def pages() -> list[Path]:
    """Return the files that people read as they are."""
    web = PACKAGE / "web"
    docs = [one for one in (ROOT / "docs").rglob("*.md") if one.name not in QUOTED]
    return [
        *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")),
        *docs,
        *web.rglob("*.html"),
        *web.rglob("*.js"),
        ROOT / "Makefile",
        ROOT / "schemas/settings.schema.json",
    ]


def found(text: str) -> list[str]:
    """Return what *text* says in words that nobody searches for."""
    for allowed in ALLOWED:
        text = text.replace(allowed, "")
    return [
        f"'{hit[0]}' (write: {instead})" for term, instead in TERMS if (hit := term.search(text))
    ]


def test_every_text_uses_plain_terms():
    wrong = [f"{place}: {hit}: {text[:90]}" for place, text in texts() for hit in found(text)]

    assert wrong == [], "\n".join([f"{len(wrong)} places:", *wrong])


@pytest.mark.parametrize(
    "text",
    [
        "'10' is no span.",
        "Nothing ails this workspace.",
        "Mend it.",
        "wired, and never heard of",
        "a way out",
    ],
)
def test_the_check_finds(text):
    assert found(text)


def test_the_list_of_exceptions_is_short():
    assert len(ALLOWED) <= 30
