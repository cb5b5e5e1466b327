"""Commands print through ``cli/output`` and ``cli/console`` alone, which make foreign text printable."""

import ast
from pathlib import Path

import pytest

CLI = Path(__file__).parents[2] / "src/snaphook/cli"
PRINTERS = {"output.py", "console.py"}
RAW = {
    "main.py": "errors of the hook path, through 'complaint': click is not loaded there",
    "after_hook.py": "likewise",
    "hook.py": "the reply to a host, in the host's own form",
    "ask.py": "likewise, from the daemon",
    "guard/prompt.py": "a fixed prompt, written to the terminal itself",
    "daemon.py": "serves a pipe between two processes",
    "fields.py": "a value for a hook's script; printable where a terminal reads it",
}
"""Files outside that may write to a stream, and why."""
CLICK = {"echo", "secho", "style", "prompt", "confirm", "echo_via_pager", "edit", "pause", "clear"}


def found(file: Path) -> list[str]:
    """Return what *file* prints with, other than ours."""
    return [
        f"{file.relative_to(CLI)}:{getattr(node, 'lineno', 0)}: {name}"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if (name := _prints(node))
    ]


def _prints(node: ast.AST) -> str:
    match node:
        case ast.Call(func=ast.Name(id="print" | "Console" as name)):
            return name
        case ast.Call(func=ast.Name(id="Live" | "Progress" as name), keywords=given):
            # without a console of ours, rich takes its own
            return "" if any(one.arg == "console" for one in given) else name
        case ast.Attribute(value=ast.Name(id="click"), attr=name) if name in CLICK:
            return f"click.{name}"
        case ast.Attribute(
            value=ast.Attribute(value=ast.Name(id="sys"), attr="stdout" | "stderr")
        ) if node.attr in ("write", "buffer", "writelines"):
            return f"sys stream .{node.attr}"
        case ast.Call(func=ast.Attribute(value=ast.Name(id="os"), attr="write")):
            return "os.write"
        case ast.ImportFrom(module="rich", names=names):
            return "rich.print" if any(one.name == "print" for one in names) else ""
    return ""


def test_no_command_prints_but_through_the_output_functions():
    files = [
        file
        for file in sorted(CLI.rglob("*.py"))
        if file.relative_to(CLI).as_posix() not in PRINTERS | RAW.keys()
    ]

    assert [line for file in files for line in found(file)] == []


@pytest.mark.parametrize(
    "line",
    [
        "print('x')",
        "click.echo('x')",
        "click.secho('x')",
        "click.confirm('x')",
        "sys.stdout.write('x')",
        "sys.stdout.buffer.write(b'x')",
        "Console().print('x')",
        "Live(picture)",
        "from rich import print",
        "os.write(1, b'x')",
    ],
)
def test_the_check_sees_each_way_to_print(line):
    assert any(_prints(node) for node in ast.walk(ast.parse(line)))


def test_what_is_exempt_exists():
    assert all((CLI / name).is_file() for name in RAW | dict.fromkeys(PRINTERS, ""))
