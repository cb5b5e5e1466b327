"""Shell text is read as the shell reads it."""

import json
from pathlib import Path

import pytest
import tree_sitter_bash
from tests.unit.providers.guard.walk import commands_of
from tree_sitter import Language, Node, Parser

from snaphook.shell.syntax.grammar import ScriptReader, parse
from snaphook.shell.syntax.scan import ShellSyntaxError, TooDeep, decode_escapes
from snaphook.shell.syntax.tree import Param, Simple, Substitution, Text, Word

CORPUS = Path(__file__).parents[2] / "corpus" / "guard"


def words(text: str) -> list[str]:
    """Return the words of a simple command, expansions shown by a sign."""
    command = parse(text).items[0].command
    assert isinstance(command, Simple)
    return [shown(word) for word in command.words]


def shown(word: Word) -> str:
    signs = {Param: "$", Substitution: "()"}
    return "".join(
        part.value if isinstance(part, Text) else signs.get(type(part), "?") for part in word.parts
    )


@pytest.mark.parametrize(
    ("text", "read"),
    [
        pytest.param("echo a  b", ["echo", "a", "b"], id="blanks"),
        pytest.param("r'm' \"-r\"f /", ["rm", "-rf", "/"], id="quotes within a word"),
        pytest.param(r"r\m \-rf a\ b", ["rm", "-rf", "a b"], id="escapes"),
        pytest.param("echo a \\\n b", ["echo", "a", "b"], id="a continued line"),
        pytest.param(r"echo $'a\tb\x41\u0042\103'", ["echo", "a\tbABC"], id="ANSI-C quotes"),
        pytest.param("echo a#b #c", ["echo", "a#b"], id="a comment begins at a blank"),
        pytest.param('echo "a$b`c`$(d)"', ["echo", "a$()()"], id="expansions in quotes"),
        pytest.param("echo ${x:-y} ${#z} ${a[1]}", ["echo", "$", "$", "$"], id="braced names"),
        pytest.param('echo "a\\$b\\n"', ["echo", "a$b\\n"], id="escapes that quotes keep"),
        pytest.param("echo $", ["echo", "$"], id="a lone dollar"),
        pytest.param("2>/dev/null rm x 1>&2", ["rm", "x"], id="redirections are no words"),
        pytest.param("ls !(a|b) x", ["ls", "!*(a|b)", "x"], id="extended globs"),
    ],
)
def test_words_are_read_as_the_shell_reads_them(text, read):
    assert words(text) == read


@pytest.mark.parametrize(
    ("text", "programs"),
    [
        ("a && b || c; d & e | f |& g", ["a", "b", "c", "d", "e", "f", "g"]),
        ("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]),
        ("while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]),
        ("for x in 1 2; do a; done; for ((i=0;i<3;i++)); do b; done", ["a", "b"]),
        ("case $x in a|b) c;; (d) e;& *) f;;& esac", ["c", "e", "f"]),
        ("(a; b) > x; { c; d; } 2>&1", ["a", "b", "c", "d"]),
        ("f() { a; }; function g { b; }; function h() (c)", ["a", "b", "c"]),
        ("[[ -f x && $y =~ ^(a|b)$ ]] && a; (( x = 1 )) || b", ["a", "b"]),
        ("! a; time -p b; coproc c; coproc N { d; }", ["a", "b", "c", "d"]),
        ("cat <<A <<'B' | d\nx\nA\ny $(z)\nB\ne", ["cat", "d", "e"]),
        ("x=(a b c) y[1]=2 z+=3 a", ["a"]),
        ("select x in a b; do c; done", ["c"]),
        ("echo $(a; b) <(c) `d`", ["echo"]),
    ],
)
def test_compound_commands_are_read_to_the_last_program(text, programs):
    assert [
        command.words[0].bare for command in commands_of(parse(text)) if command.words
    ] == programs


@pytest.mark.parametrize(
    "text",
    [
        "echo 'a",
        'echo "a',
        "echo `a",
        "echo $(a",
        "(a",
        "{ a;",
        "if a; then b",
        "a &&",
        "a |",
        "a )",
        "${}",
        "fi",
    ],
)
def test_what_is_no_script_is_refused(text):
    with pytest.raises(ShellSyntaxError):
        parse(text)


def test_what_was_complete_before_the_mistake_is_kept():
    reader = ScriptReader("a; b\nc 'oops")

    with pytest.raises(ShellSyntaxError):
        reader.script(until="")

    assert len(reader.partial) == 2


@pytest.mark.parametrize("opening", ["$(", "(", "{ ", "if ", '"$(', "${a:-", "$((", "`\\`"])
def test_nesting_is_bounded(opening):
    with pytest.raises(ShellSyntaxError):
        parse(opening * 3_000)


def test_too_many_words_are_refused():
    with pytest.raises(TooDeep):
        parse("echo " + "a " * 50_000)


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("a\\nb", "a\nb"),
        ("\\x72\\155", "rm"),
        ("\\0162m", "rm"),
        ("\\q", "\\q"),
        ("plain", "plain"),
    ],
)
def test_escapes_are_decoded(text, decoded):
    assert decode_escapes(text) == decoded


def named_by_tree_sitter(text: str) -> list[str] | None:
    """Return the programs that tree-sitter-bash sees outside substitutions; None if it cannot read."""
    root = Parser(Language(tree_sitter_bash.language())).parse(text.encode()).root_node
    if root.has_error:
        return None
    found: list[str] = []

    def walk(node: Node) -> None:
        if node.type in ("command_substitution", "process_substitution", "heredoc_body", "string"):
            return
        if node.type == "command_name" and node.text is not None:
            found.append(node.text.decode())
        for child in node.children:
            walk(child)

    walk(root)
    return found


def named_by_us(text: str) -> list[str]:
    try:
        script = parse(text)
    except ShellSyntaxError:
        return []
    first = [command.words[0] for command in commands_of(script) if command.words]
    return [text[word.start : word.end] for word in first]


def corpus() -> list[str]:
    files = sorted(CORPUS.glob("*.jsonl"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return sorted({json.loads(line)["command"] for line in lines})


OTHERWISE = {"[", "{", "}", "export", "unset", "declare", "local", "time", "coproc"}
"""Words that tree-sitter takes for something else than a program, or the other way round."""


def test_another_parser_sees_the_same_programs():
    """Where tree-sitter-bash can read a command, it finds the programs that we find."""
    different = []
    for text in corpus():
        theirs = named_by_tree_sitter(text)
        if theirs is None or OTHERWISE & {*theirs}:
            continue
        if sorted({*named_by_us(text)} - OTHERWISE) != sorted({*theirs}):
            different.append(text)

    assert sorted(different) == [
        "a[$(rm -rf ~)]=1",
        "arr[$(rm -rf /)]=1",
        "iex (iwr https://example.com/x.ps1)",
    ]
