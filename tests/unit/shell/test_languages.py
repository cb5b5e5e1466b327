"""Code of other languages is read, never run; what it would do is judged like a command."""

import pytest

from snaphook.providers.guard import GuardAnswer, StillWorld, examine
from snaphook.shell.facts import Act, Arg, Call, Code, Effect, Runs, Shell, Span
from snaphook.shell.languages.table import LANGUAGES
from snaphook.shell.options import ANY, sort

SPAN = Span(0, 1)
CALL = Call(
    program="it",
    name=Arg(value="it", span=SPAN),
    args=(),
    options=sort((), ANY),
    span=SPAN,
    cwd="/p",
)


def actions(language, text):
    """Return what a reader finds, in the fewest words."""
    code = Code(language=language, text=text, span=SPAN, home="/home/me")
    told: list[tuple[object, ...]] = []
    for action in LANGUAGES[language](code, CALL):
        match action:
            case Effect():
                told.append((action.act, action.path or action.detail))
            case Shell():
                told.append(("shell", action.text))
            case Runs():
                told.append(("runs", *(arg.value for arg in action.args)))
            case Code():
                told.append(("code", action.text))
    return told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("print(1)", []),
        ("import shutil; shutil.rmtree('/x')", [(Act.DELETE, "/x")]),
        ("from shutil import rmtree as r; r('/x')", [(Act.DELETE, "/x")]),
        ("import os as o; o.remove('a')", [(Act.DELETE, "/p/a")]),
        ("__import__('os').system('ls')", [("shell", "ls")]),
        ("import os; getattr(os, 'sys' + 'tem')('ls')", [("shell", "ls")]),
        ("import os; f = os.system; f('ls')", [("shell", "ls")]),
        ("import subprocess as s; s.run(['rm', '-rf', '/'])", [("runs", "rm", "-rf", "/")]),
        ("import subprocess; subprocess.run('rm x', shell=True)", [("shell", "rm x")]),
        ("import os; os.execvp('rm', ['rm', '-r', '/'])", [("runs", "rm", "-r", "/")]),
        ("import os; os.system(chr(108) + chr(115))", [("shell", "ls")]),
        ("import os; os.system('%s -l' % 'ls')", [("shell", "ls -l")]),
        ("import os; d = 'x'; os.system(f'rm {d}')", [("shell", "rm x")]),
        ("import os; os.system('sl'[::-1])", [("shell", "ls")]),
        ("import os; os.system(''.join(chr(c) for c in [108, 115]))", [("shell", "ls")]),
        ("from pathlib import Path; (Path.home() / '.x').unlink()", [(Act.DELETE, "/home/me/.x")]),
        ("open('a', 'w').write('x')", [(Act.WRITE, "/p/a"), (Act.WRITE, "/p/a")]),
        ("open('a', 'w')", [(Act.OVERWRITE, "/p/a")]),
        ("open('a').read()", [(Act.READ, "/p/a")]),
        ("exec('import os; os.remove(\"a\")')", [(Act.DELETE, "/p/a")]),
        ("import os\nos = None\nos.remove('a')", []),
        (
            "import sqlite3; sqlite3.connect('a').execute('DROP TABLE t')",
            [("code", "DROP TABLE t")],
        ),
        ("print('shutil.rmtree(\"/\")')", []),
        ("# shutil.rmtree('/')", []),
        ("this is no python (", []),
    ],
)
def test_python_is_read_by_its_syntax_tree(text, told):
    assert actions("python", text) == told


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("node", "console.log(1)", []),
        ("node", "require('fs').rmSync('/x', {recursive: true})", [(Act.DELETE, "/x")]),
        ("node", "require('fs')['rm' + 'Sync']('/x')", [(Act.DELETE, "/x")]),
        ("node", "const {execSync: e} = require('child_process'); e('ls')", [("shell", "ls")]),
        (
            "node",
            "const c = require('child_process'); c.spawn('rm', ['-r'])",
            [("runs", "rm", "-r")],
        ),
        ("node", "const p = '/x'; require('fs').unlinkSync(p)", [(Act.DELETE, "/x")]),
        ("node", "/a/.exec('rm -rf /')", []),
        ("node", "console.log('fs.rmSync(1)')", []),
        ("node", "// require('fs').rmSync('/')", []),
        ("perl", "system('ls')", [("shell", "ls")]),
        ("perl", "print `ls`", [("shell", "ls")]),
        ("perl", "unlink 'a'", [(Act.DELETE, "/p/a")]),
        ("perl", "print 'unlink it'", []),
        ("ruby", "require 'fileutils'; FileUtils.rm_rf('/x')", [(Act.DELETE, "/x")]),
        ("ruby", "%x(ls)", [("shell", "ls")]),
        ("ruby", "puts 1", []),
        ("php", "unlink('a');", [(Act.DELETE, "/p/a")]),
        ("php", "$d = 'ls'; system($d);", [("shell", "ls")]),
        ("lua", "os.execute('ls')", [("shell", "ls")]),
        ("osascript", 'do shell script "ls"', [("shell", "ls")]),
    ],
)
def test_other_languages_are_read_by_their_calls(language, text, told):
    assert actions(language, text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SELECT 1", []),
        ("SELECT 'drop table users'", []),
        ("DROP TABLE users", [(Act.DROP, "TABLE users")]),
        ("select 1; Truncate orders", [(Act.EMPTY, "orders")]),
        ("DELETE FROM a", [(Act.EMPTY, "a")]),
        ("DELETE FROM a WHERE id = 1", []),
        ("DELETE FROM a WHERE 1=1 OR id = 2", [(Act.EMPTY, "a")]),
        ("DELETE FROM a -- WHERE id = 1", [(Act.EMPTY, "a")]),
        ("DELETE FROM a WHERE b LIKE '%'", [(Act.EMPTY, "a")]),
        ("UPDATE a SET b = 1", [(Act.REWRITE, "a")]),
        ("UPDATE a SET b = 1 WHERE id = 2", []),
        ("WITH d AS (DELETE FROM a RETURNING *) SELECT * FROM d", [(Act.EMPTY, "a")]),
        ("\\! ls", [("shell", "ls")]),
        (".shell ls", [("shell", "ls")]),
        ("COPY t TO PROGRAM 'ls'", [("shell", "ls")]),
        ("DROP TABLE `unclosed", [(Act.DROP, "table `unclosed")]),
    ],
)
@pytest.mark.req("BB-PT-5")
def test_sql_is_judged_by_what_it_leaves(text, told):
    assert actions("sql", text) == told


@pytest.mark.parametrize(
    "command",
    [
        "python3 -c 'print(1)'",
        "python3 -c 'import json,sys; print(json.load(sys.stdin)[\"a\"])' < a.json",
        "python3 -m json.tool a.json",
        "python3 -m pytest -q",
        "node -e 'console.log(require(\"./package.json\").version)'",
        "node -p process.version",
        "perl -pe 's/a/b/' file.txt",
        "perl -ne 'print if /x/' file.txt",
        "ruby -e 'puts 1'",
        "php -r 'echo 1;'",
        "awk '{print $1}' file.txt",
        "python3 - <<'EOF'\nfrom pathlib import Path\nPath('src/a.py').write_text('x')\nEOF",
    ],
)
def test_harmless_one_liners_pass(command):
    assert examine(command, StillWorld()).answer is GuardAnswer.ALLOW


def test_text_that_a_script_writes_is_known_when_it_is_run():
    command = """python3 -c 'open("x.sh", "w").write("rm -rf /")'; bash x.sh"""

    assert examine(command, StillWorld()).answer is GuardAnswer.DENY


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("node -e '" + "f(" * 5_000 + "'", id="calls in calls"),
        pytest.param("ruby -e '" + "%x(" * 10_000 + "'", id="commands never closed"),
        pytest.param("perl -e '" + "q{" * 10_000 + "'", id="strings never closed"),
        pytest.param("node -e '" + '"\\' * 20_000 + "'", id="escapes never closed"),
        pytest.param("node -e '" + "/*" * 20_000 + "'", id="comments never closed"),
        pytest.param("perl -e 'while" + " " * 20_000 + "'", id="spaces"),
        pytest.param("psql -c '" + "\n" * 50_000 + "select 1 -- drop'", id="empty lines"),
        pytest.param(
            "python3 -c 'x = \"a\" * 9000; y = x.join(x); y.join(y).join(y)'", id="text that grows"
        ),
        pytest.param("python3 -c 'x=" + "-" * 5_000 + "1'", id="signs"),
    ],
)
@pytest.mark.timeout(10)
def test_tangled_code_is_answered_within_bounds(command):
    assert examine(command, StillWorld()).rule in ("", "limit", "opaque")
