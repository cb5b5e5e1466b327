"""Input made to make a guard hang, give up or look away is answered, and never more mildly."""

import shlex

import pytest
from tests.corpus.guard_world import world

from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.judgement import GuardAnswer

RM = "rm -rf ~"


def nested(shell: str, command: str, times: int) -> str:
    """Return *command* run by *shell*, run by *shell*, and so on."""
    for _ in range(times):
        command = f"{shell} {shlex.quote(command)}"
    return command


HOSTILE = {
    "40 unclosed substitutions behind": RM + " ; " + "$(" * 40,
    "40 unclosed substitutions before": "echo " + "$(" * 40 + RM,
    "5000 unclosed substitutions": RM + " ; " + "$(" * 5000,
    "200 nested substitutions": "echo " + "$(" * 200 + RM + ")" * 200,
    "200 nested backticks and quotes": "echo " + '"$(' * 200 + RM + ')"' * 200,
    "2000 nested substitutions": "echo " + "$(" * 2000 + RM + ")" * 2000,
    "2000 nested groups": "(" * 2000 + RM + ")" * 2000,
    "2000 open groups": "(" * 2000 + RM,
    "2000 open braces": "{ " * 2000 + RM,
    "500 nested ifs": "if true; then " * 500 + RM + "; fi" * 500,
    "500 nested loops": "while true; do " * 500 + RM + "; done" * 500,
    "300 nested functions": "".join(f"f{n}() {{ f{n + 1}; }}; " for n in range(300))
    + f"f300() {{ {RM}; }}; f0",
    "2000 statements before": "echo ok; " * 2000 + RM,
    "2000 statements behind": RM + "; echo ok" * 2000,
    "2000 pipes": "cat | " * 2000 + RM,
    "20000 words before": "true " + "x " * 20_000 + "; " + RM,
    "300 KB of spaces before": " " * 300_000 + RM,
    "300 KB of newlines before": "\n" * 300_000 + RM,
    "300 KB of comment before": "#" + "x" * 300_000 + "\n" + RM,
    "300 KB of one word before": "true " + "x" * 300_000 + "; " + RM,
    "300 KB of quoted word before": "true '" + "x" * 300_000 + "'; " + RM,
    "300 KB of document before": "cat <<'EOF'\n" + "x\n" * 150_000 + "EOF\n" + RM,
    "5 MB of padding": "true " + "x" * 5_000_000 + "; " + RM,
    "10000 assignments": "".join(f"a{n}=x; " for n in range(10_000)) + RM,
    "a variable that doubles": "a=xxxxxxxx; " + "a=$a$a; " * 60 + RM,
    "a variable that doubles into the target": "a=/; " + "a=$a$a; " * 60 + "rm -rf $a",
    "braces that multiply": "echo " + "{a,b}" * 40 + "; " + RM,
    "braces that multiply in the target": "rm -rf /" + "{a,b}" * 40,
    "a range of a billion": "echo {1..1000000000}; " + RM,
    "a loop over a range of a billion": f"for i in {{1..1000000000}}; do {RM}; done",
    "12 nested shells": nested("bash -c", RM, 12),
    "12 nested evals": nested("eval", RM, 12),
    "a shell that runs itself": 'f="rm -rf ~"; eval "eval \\"eval \\\\\\"$f\\\\\\"\\""',
    "aliases of each other": "alias a=b; alias b=a; a; " + RM,
    "functions that call each other": "a() { b; }; b() { a; }; a; " + RM,
    "a nameref to itself": "declare -n a=a; echo $a; " + RM,
    "a variable that names itself": "a=a; echo ${!a}; a='$a'; eval echo $a; " + RM,
    "100 documents": "".join(f"cat <<E{n}\nx\nE{n}\n" for n in range(100)) + RM,
    "a document that never ends": f"bash <<EOF\n{RM}\n",
    "an open quote": RM + " '",
    "an open double quote": RM + ' "',
    "an open backtick": RM + " `",
    "an open parameter": RM + " ${x",
    "an open arithmetic": RM + " $((",
    "an open case": "case x in x) " + RM,
    "an open if": "if " + RM,
    "a closing bracket too many": f"echo ) ; {RM}",
    "a NUL before": "\0" + RM,
    "a NUL between": "echo ok\0; " + RM,
    "a NUL in the name": "r\0m -rf ~",
    "carriage returns": "echo ok\r\n" + RM + "\r\n",
    "a lone surrogate": "echo \ud800; " + RM,
    "a lone surrogate in the target": RM + "/\udcff",
    "a right-to-left mark": "echo \u202e; " + RM,
    "escape sequences": "\x1b[2J\x1b]0;x\x07; " + RM,
    "300 wrappers": "env " * 300 + RM,
    "300 sudos": "sudo " * 300 + RM,
    "1000 redirections": "true " + "2>&1 " * 1000 + "; " + RM,
    "a thousand globs": "ls " + "*" * 1000 + "; " + RM,
    "a pattern that backtracks": "case " + "a" * 200 + " in " + "*a" * 100 + "b) :;; esac; " + RM,
    "a replacement that backtracks": "x=" + "a" * 200 + "; echo ${x//" + "*a" * 50 + "b/}; " + RM,
}
"""Each holds a command that must not run."""

TONGUES = {
    "sed with 60 backslashes": "sed 's/" + "\\" * 60 + "x' notes.md",
    "awk that prints 20000 times": "awk '" + "print " * 20_000 + "' notes.md",
    "awk with 20000 calls": "awk '" + "system(" * 20_000 + "' notes.md",
    "vim with 20000 bangs": "vim -c '" + "! " * 20_000 + "' notes.md",
    "SQL with 3000 brackets": "psql -c 'delete from " + "(" * 3000 + "'",
    "SQL with 2000 selects": "psql -c 'delete from t where " + "(select " * 2000 + "'",
    "SQL with 5000 statements": "psql -c '" + "DROP TABLE t;" * 5000 + "'",
    "Python with 3000 brackets": "python3 -c '" + "(" * 3000 + "'",
    "Python text that multiplies": "python3 -c 'x=\"a\"*999999999; open(x)'",
    "Python text that joins itself": "python3 -c 'x=\"a\"*9999; y=x.join(x); z=y.join(y); open(z.join(z))'",
    "Python text that replaces itself": 'python3 -c \'x="a"*9999; y=x.replace("a",x); open(y)\'',
    "Python with a huge number": "python3 -c 'open(chr(9**9**9))'",
    "node with 5000 calls": "node -e '" + "f(" * 5000 + "'",
    "node text of 5000 parts": "node -e 'f(" + "+".join(['"a"'] * 5000) + ")'",
    "perl with 5000 quotes": "perl -e '" + "q{" * 5000 + "'",
    "ruby with 10000 quotes": "ruby -e '" + "%x(" * 10_000 + "'",
    "php with 10000 calls": "php -r '" + "exec(" * 10_000 + "'",
    "PowerShell with 5000 calls": "powershell -c '" + "iex (" * 5000 + "'",
    "a glob of 5000 brackets": "cat " + "[a" * 5000,
    "a glob of 300 stars": "cat " + "*a" * 300 + "b",
    "JSON 10000 deep": "echo '" + '{"a":' * 10_000 + "' > package.json; npm run x",
    "YAML 20000 deep": "echo '" + "[" * 20_000 + "' > a.yaml",
    "a list 5000 deep": "echo '" + "- " * 5000 + "' > a.yaml",
    "an address of 20000 parts": "curl " + "http://" * 20_000,
    "an address of 20000 users": "curl http://" + "a@" * 20_000,
    "a path of 30000 steps": "rm -f /tmp/" + "a/../" * 30_000,
}
"""Each is meant to keep the reader of another language busy for ever."""

HARMLESS = ("", " ", "\n", "\t\n ", "#", ";", "&", "true", "''", "\0", "\ufeff")


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in HOSTILE.items()])
def test_hostile_input_is_answered_and_stopped(text):
    judgement = examine(text, world())

    assert judgement.answer is not GuardAnswer.ALLOW
    assert judgement.rule != "failure"


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in TONGUES.items()])
def test_what_keeps_a_reader_busy_is_answered(text):
    assert examine(text, world()).rule != "failure"


@pytest.mark.parametrize("text", HARMLESS)
def test_next_to_nothing_is_answered(text):
    assert examine(text, world()).rule != "failure"


def test_what_is_past_a_limit_says_so():
    judgement = examine("true " + "x" * 5_000_000, world())

    assert (judgement.answer, judgement.rule) == (GuardAnswer.DENY, "limit")
