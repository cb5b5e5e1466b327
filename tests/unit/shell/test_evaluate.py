"""A script is followed as a shell would run it, and every call in it is found."""

import pytest

from snaphook.providers.guard import GuardAnswer, StillWorld, examine
from snaphook.shell.facts import Act, TextOrigin
from snaphook.shell.text import show

WORLD = StillWorld()


def calls(command: str, world: StillWorld = WORLD) -> list[str]:
    """Return every call as text, wrappers left out."""
    return [str(call) for call in examine(command, world).calls]


def last(command: str, world: StillWorld = WORLD) -> str:
    return calls(command, world)[-1]


@pytest.mark.parametrize(
    ("command", "runs"),
    [
        pytest.param("X=rm; $X -rf /", "rm -rf /", id="a variable as the verb"),
        pytest.param("rm${IFS}-rf${IFS}/", "rm -rf /", id="IFS as a blank"),
        pytest.param("a=(rm -rf /); ${a[@]}", "rm -rf /", id="an array as a command"),
        pytest.param("a=(x rm); ${a[1]} y", "rm y", id="one place of an array"),
        pytest.param("declare -n r=X; X=rm; $r x", "rm x", id="a nameref"),
        pytest.param("v=X; X=rm; ${!v} x", "rm x", id="indirection"),
        pytest.param("x=/etc/foo; rm ${x%/foo}", "rm /etc", id="a suffix cut"),
        pytest.param("x=xxrm; ${x##*x} y", "rm y", id="a prefix cut"),
        pytest.param("x=rZm; ${x/Z/} y", "rm y", id="a replacement"),
        pytest.param("x=arm; ${x:1} y", "rm y", id="a slice"),
        pytest.param("x=RM; ${x,,} y", "rm y", id="lower case"),
        pytest.param("rm ${x:-/}", "rm /", id="a default"),
        pytest.param("rm {a,b}/{c,d}", "rm a/c a/d b/c b/d", id="braces"),
        pytest.param('rm {a,"b c"}', "rm a b c", id="braces around quotes"),
        pytest.param("rm {1..3}", "rm 1 2 3", id="a range"),
        pytest.param("set -- a b; rm $2", "rm b", id="positional arguments"),
        pytest.param('set -- a b; rm "$@"', "rm a b", id="all of them"),
        pytest.param("f() { rm $1; }; f x", "rm x", id="a function's argument"),
        pytest.param("X=a; f() { local X=b; }; f; rm $X", "rm a", id="a local stays local"),
        pytest.param("X=a; (X=b); rm $X", "rm a", id="a subshell keeps to itself"),
        pytest.param("X=a; X=b rm $X", "rm a", id="a prefix does not expand its own command"),
        pytest.param("alias x='rm -rf'; x /", "rm -rf /", id="an alias"),
        pytest.param("eval 'X=rm'; $X y", "rm y", id="eval in this shell"),
        pytest.param("eval rm '-rf' /", "rm -rf /", id="eval joins its words"),
        pytest.param("source <(echo rm x)", "rm x", id="source of a process"),
        pytest.param("trap 'rm $t' EXIT; t=x", "rm x", id="a trap runs at the end"),
        pytest.param("bash -c 'rm $1' _ x", "rm x", id="arguments of bash -c"),
        pytest.param("bash <<< 'rm x'", "rm x", id="a here-string"),
        pytest.param("bash <<'EOF'\nrm x\nEOF", "rm x", id="a here-document for a shell"),
        pytest.param("echo rm x | sh", "rm x", id="a pipe into a shell"),
        pytest.param("echo cm0geA== | base64 -d | sh", "rm x", id="decoded"),
        pytest.param("echo 'x mr' | rev | sh", "rm x", id="reversed"),
        pytest.param("echo ez k | tr ezk rmx | sh", "rm x", id="translated"),
        pytest.param("printf '\\x72m x' | sh", "rm x", id="printf escapes"),
        pytest.param("echo 'rm x' > s; bash s", "rm x", id="written, then run"),
        pytest.param("echo 'rm x' > s; chmod +x s; ./s", "rm x", id="written, then run by path"),
        pytest.param("cat > s <<'E'\nrm x\nE\nsh s", "rm x", id="a document written, then run"),
        pytest.param("echo rm x | tee s; sh s", "rm x", id="written by tee"),
        pytest.param("exec 3<<< 'rm x'; . /dev/fd/3", "rm x", id="through a descriptor"),
        pytest.param("echo a b | xargs rm", "rm a b", id="xargs"),
        pytest.param("echo a | xargs -I{} rm {}/b", "rm a/b", id="xargs with a place"),
        pytest.param("parallel rm {} ::: a b", "rm b", id="parallel"),
        pytest.param("find . -name '*.o' -exec rm {} +", "rm ./*.o", id="find -exec"),
        pytest.param("echo $(rm x)", "echo …", id="a substitution comes first"),
        pytest.param("for d in a b; do rm $d; done", "rm b", id="a loop"),
        pytest.param("echo x | while read d; do rm $d; done", "rm x", id="a loop over lines"),
        pytest.param("printf -v c rm; $c x", "rm x", id="printf into a variable"),
        pytest.param("read c <<< rm; $c x", "rm x", id="read"),
    ],
)
def test_what_runs_in_the_end_is_found(command, runs):
    assert last(command) == runs


@pytest.mark.parametrize(
    ("command", "cwd"),
    [
        ("cd /a/b && ls", "/a/b"),
        ("cd /a && cd ../b/./c && ls", "/b/c"),
        ("cd && ls", "/home/me"),
        ("cd ~/x; ls", "/home/me/x"),
        ("pushd /a; popd; ls", "/home/me/project"),
        ("(cd /a); ls", "/home/me/project"),
        ("cd /a; cd -; ls", "/home/me/project"),
        ("env -C /a ls", "/a"),
        ("builtin cd /a; ls", "/a"),
        ('cd "$X" && ls', "…"),
    ],
)
def test_the_directory_is_followed(command, cwd):
    assert show(examine(command, WORLD).calls[-1].cwd) == cwd


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("if x; then d=/a; else d=/b; fi; rm $d", ["rm /a", "rm /b"]),
        ("d=/a; x || d=/b; rm $d", ["rm /a", "rm /b"]),
        ("case $x in a) d=/a;; b) d=/b;; esac; rm $d", ["rm …", "rm /a", "rm /b"]),
        ("d=/a; cd /b || exit 1; rm $d", ["rm /a"]),
    ],
)
def test_every_branch_is_followed(command, found):
    assert [call for call in calls(command) if call.startswith("rm")] == found


@pytest.mark.parametrize(
    "command",
    [
        'git commit -m "rm -rf /"',
        "echo 'rm -rf /' # rm -rf /",
        "cat > notes.md <<'EOF'\nrm -rf /\nEOF",
        "grep -r 'rm -rf /' .",
        "printf '%s' 'rm -rf /' > notes",
    ],
)
def test_what_is_only_mentioned_does_not_run(command):
    assert not [call for call in calls(command) if call.startswith("rm")]


def test_a_wrapped_call_knows_its_way():
    call = examine("cd /a && sudo -u root env X=1 nice -n 5 ssh host 'rm -rf b'", WORLD).calls[-1]

    assert (str(call), call.via, call.root, call.remote, call.env) == (
        "rm -rf b",
        ("sudo", "env", "nice", "ssh"),
        True,
        "host",
        {"X": "1"},
    )


def test_a_word_knows_where_it_came_from():
    call = examine('X=a; rm b $X $(echo c) *.d "$E"', WORLD).calls[-1]

    assert [arg.origin for arg in call.args] == [
        TextOrigin.LITERAL,
        TextOrigin.VARIABLE,
        TextOrigin.SUBSTITUTION,
        TextOrigin.LITERAL,
        TextOrigin.VARIABLE | TextOrigin.UNKNOWN,
    ]
    assert [arg.known for arg in call.args] == [True, True, True, False, False]


def test_a_script_on_disk_is_judged_like_the_same_text_inline():
    world = StillWorld(files={"/home/me/project/x.sh": "rm -rf src\n$UNKNOWN\nrm -rf ~\n"})

    judgement = examine("bash x.sh", world)

    assert {one.rule for one in judgement.objections} == {"delete.everything", "delete.sources"}
    assert judgement.answer is GuardAnswer.DENY


def test_effects_of_redirections_are_noted():
    effects = examine("a < in > out 2>> err < /dev/null", WORLD).effects

    assert [(effect.act, effect.path) for effect in effects] == [
        (Act.READ, "/home/me/project/in"),
        (Act.OVERWRITE, "/home/me/project/out"),
        (Act.APPEND, "/home/me/project/err"),
    ]


@pytest.mark.parametrize("shell", ["su y", "bash", "sh -s", "sudo -s"])
@pytest.mark.parametrize("text", ["sh", "bash", "su y"])
def test_a_shell_reads_its_input_once(shell, text):
    """What comes in is the shell's text, and nothing of it is left for the shells it starts."""
    assert examine(f"echo '{text}' | {shell}", StillWorld()).answer is GuardAnswer.ALLOW
