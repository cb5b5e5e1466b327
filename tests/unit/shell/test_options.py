"""Options are known in every spelling a program takes."""

import pytest

from snaphook.shell.facts import Arg, Span
from snaphook.shell.options import Options, getopt, sort

RM = getopt("r,R,recursive f,force i interactive?= o,output=")
GIT = getopt("C= c=", subcommands={"push": getopt("f,force force-with-lease?= n,dry-run o=")})


def read(line: str, grammar=RM) -> Options:
    words = line.split()
    return sort(tuple(Arg(value=word, span=Span(0, 0)) for word in words), grammar)


@pytest.mark.parametrize(
    "line",
    [
        "-rf x",
        "-fr x",
        "-r -f x",
        "-R -f x",
        "--recursive --force x",
        "--recur --fo x",
        "x -rf",
        "-rf -- x",
    ],
)
def test_every_spelling_is_the_same(line):
    options = read(line)

    assert options.has("-r")
    assert options.has("--force")
    assert not options.has("-i")
    assert [arg.text for arg in options.operands] == ["x"]


@pytest.mark.parametrize(
    ("line", "value", "operands"),
    [
        ("-o a b", "a", ["b"]),
        ("-oa b", "a", ["b"]),
        ("-ro a b", "a", ["b"]),
        ("--output a b", "a", ["b"]),
        ("--output=a b", "a", ["b"]),
        ("--out=a b", "a", ["b"]),
        ("-o a -o c b", "c", ["b"]),
    ],
)
def test_a_value_is_found_attached_or_not(line, value, operands):
    options = read(line)

    assert str(options.get("-o")) == value
    assert [arg.text for arg in options.operands] == operands


def test_what_follows_two_dashes_is_no_option():
    options = read("-- -rf")

    assert not options.has("-r")
    assert [arg.text for arg in options.operands] == ["-rf"]


def test_a_subcommand_brings_its_own_options():
    options = read("-C dir push -f origin main", GIT)

    assert options.starts(("push", "origin"))
    assert options.has("--force")
    assert str(options.get("-C")) == "dir"


def test_an_ambiguous_beginning_is_no_option():
    grammar = getopt("force force-with-lease?=")

    assert read("--forc", grammar).given == (("--forc", None),)
    assert read("--force", grammar).has("--force")
