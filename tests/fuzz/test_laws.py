"""Spelling a command otherwise never makes it milder; mentioning it never makes it a command."""

import re
import shlex
from collections.abc import Callable, Mapping
from functools import cache

import pytest
from tests.corpus.guard_rows import Row, rows, stopped
from tests.thorough import thorough

Rewrite = Callable[[str], str]

FIRST = re.compile(r"(?P<program>[a-z][a-z0-9_.-]*)(?= )")
NOT_PROGRAMS = frozenset(
    (
        *(
            "alias",
            "builtin",
            "case",
            "cd",
            "command",
            "coproc",
            "declare",
            "enable",
            "eval",
            "exec",
        ),
        *("export", "for", "function", "if", "let", "local", "mapfile", "printf", "pushd", "read"),
        *("select", "set", "source", "time", "trap", "unset", "until", "while"),
    )
)
"""Words of the shell itself: neither quoted nor run by sudo."""
OTHER_TONGUE = frozenset({"powershell"})

ANYWHERE: Mapping[str, Rewrite] = {
    "a space in front": lambda text: f"  {text}",
    "an empty line in front": lambda text: f"\n{text}",
    "a comment line in front": lambda text: f"# tidy up\n{text}",
    "after true &&": lambda text: f"true && {text}",
    "after a colon": lambda text: f": ; {text}",
    "in bash -c": lambda text: f"bash -c {shlex.quote(text)}",
    "in sh -c in bash -c": lambda text: f"bash -c {shlex.quote('sh -c ' + shlex.quote(text))}",
    "in eval": lambda text: f"eval {shlex.quote(text)}",
    "in a subshell": lambda text: f"({text}\n)",
    "in a group": lambda text: f"{{ {text}\n}}",
    "in an if": lambda text: f"if true; then\n{text}\nfi",
}
"""Rewrites that keep the meaning of any command of the shell."""

ONE_LINE: Mapping[str, Rewrite] = {
    "a space behind": lambda text: f"{text}   ",
    "into cat": lambda text: f"{text} | cat",
    "or true": lambda text: f"{text} || true",
    "a command behind": lambda text: f"{text}; echo done",
    "in the background": lambda text: f"{text} &",
    "a comment behind": lambda text: f"{text} # tidy up",
}
"""Rewrites that keep the meaning of a command on one line that has no comment of its own."""

PROGRAM: Mapping[str, Rewrite] = {
    "the program quoted": lambda text: FIRST.sub(r'"\g<program>"', text, count=1),
    "the program half quoted": lambda text: f"{text[0]}''{text[1:]}",
    "the program escaped": lambda text: f"\\{text}",
    "wide spaces": lambda text: text.replace(" ", "   ", 1),
    "a tab": lambda text: text.replace(" ", "\t", 1),
    "a continued line": lambda text: text.replace(" ", " \\\n  ", 1),
    "sudo": lambda text: f"sudo {text}",
    "env": lambda text: f"env X=1 {text}",
    "a variable in front": lambda text: f"X=1 {text}",
    "nohup": lambda text: f"nohup {text}",
    "timeout": lambda text: f"timeout 60 {text}",
}
"""Rewrites that keep the meaning of a command that begins with a program's plain name."""

MENTIONS: Mapping[str, Rewrite] = {
    "echo": lambda text: f"echo {shlex.quote(text)}",
    "printf": lambda text: f"printf '%s\\n' {shlex.quote(text)} > docs/example.txt",
    "a commit message": lambda text: f"git commit -m {shlex.quote(text)}",
    "a grep pattern": lambda text: f"grep -rn -e {shlex.quote(text)} src",
    "a quoted document": lambda text: (
        f"cat > docs/example.md <<'END OF EXAMPLE'\n{text}\nEND OF EXAMPLE"
    ),
    "a comment": lambda text: "\n".join(f"# {line}" for line in text.splitlines()) + "\nls",
}
"""Ways to speak of a command without running it."""


def apply_to(rewrites: Mapping[str, Rewrite], fits: Callable[[Row], bool]) -> list[object]:
    """Return a case for each of *rewrites*, told to try the rows that it *fits*."""
    return [pytest.param(rewrite, fits, id=name) for name, rewrite in rewrites.items()]


def is_shell(row: Row) -> bool:
    return row.kind not in OTHER_TONGUE


def on_one_line(row: Row) -> bool:
    return is_shell(row) and not re.search(r"[\n#]|<<|[;&\\]\s*$", row.command)


def begins_with_a_program(row: Row) -> bool:
    first = FIRST.match(row.command)
    return is_shell(row) and first is not None and first["program"] not in NOT_PROGRAMS


@cache
def stopped_rows() -> tuple[Row, ...]:
    some = rows()[:: thorough(1, 3)]
    return tuple(row for row in some if row.must_stop and stopped(row.judged()))


@pytest.mark.parametrize(
    ("rewrite", "fits"),
    [
        *apply_to(ANYWHERE, is_shell),
        *apply_to(ONE_LINE, on_one_line),
        *apply_to(PROGRAM, begins_with_a_program),
    ],
)
def test_a_rewrite_never_makes_a_stopped_command_run(rewrite, fits, request):
    # Half of the rows for each rewrite, chosen by its name: all of them are tried by several rewrites.
    odd = sum(request.node.name.encode()) % 2
    tried = [row for row in stopped_rows()[odd :: thorough(2, 1)] if fits(row)]
    milder = [
        text for row in tried if not stopped(replaced(row, text := rewrite(row.command)).judged())
    ]

    assert len(tried) > thorough(500, 300)
    assert milder == [], "\n".join(["", *map(repr, milder)])


@pytest.mark.parametrize("mention", [pytest.param(way, id=name) for name, way in MENTIONS.items()])
def test_a_command_that_is_only_mentioned_runs_nothing(mention):
    texts = [mention(row.command) for row in rows() if row.must_stop]
    taken = [
        f"{judgement.rule}: {text!r}"
        for text in texts
        if stopped(judgement := replaced(rows()[0], text).judged())
    ]

    assert taken == [], "\n".join(["", *taken])


def replaced(row: Row, command: str) -> Row:
    """Return *row* with another *command*."""
    return Row(command=command, expect=row.expect, kind=row.kind, cwd=row.cwd)
