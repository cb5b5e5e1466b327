"""A sed script is read command by command, and its text is never taken for one."""

import pytest

from snaphook.shell.languages.sed import SedEffect, actions


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("1e rm x", [SedEffect("run", "rm x")]),
        ("p;e ls", [SedEffect("run", "ls")]),
        ("s/x/ls/e", [SedEffect("run", "ls")]),
        ("s|x|ls|ge", [SedEffect("run", "ls")]),
        ("/x/w out.txt", [SedEffect("write", "out.txt")]),
        ("s/a/b/gw out.txt", [SedEffect("write", "out.txt")]),
        ("$r tail.txt", [SedEffect("read", "tail.txt")]),
        ("$!N;e", [SedEffect("run", "")]),
        ("s/test_set/test_case/", []),
        ("s/e ls/w x/;s/we/they/", []),
        ("/w file/d", []),
        ("s/[/]e x/y/", []),
        ("a\\\ne rm x\n", []),
        ("1i\\  e rm x", []),
        ("y/abe/xyw/", []),
        (":a;N;$!ba;s/\\n/ /g", []),
        ("\\,e x,d", []),
        ("# e rm x", []),
    ],
)
def test_a_script_tells_what_it_runs_writes_and_reads(script, told):
    assert list(actions(script)) == told


@pytest.mark.parametrize(
    "script", ["s", "s/", "s/a", "/", "\\", "[", "a", "1,", "w", "{{{{", "s/[", "y/"]
)
def test_half_a_script_ends(script):
    assert list(actions(script * 200)) is not None
