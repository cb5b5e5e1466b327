"""A path is known by where it leads."""

import pytest

from snaphook.providers.guard import GuardSettings, StillWorld, examine
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.path_classes import PathClass, PathClasses
from snaphook.shell.paths import resolve
from snaphook.shell.text import STAR, UNKNOWN, globbed

WORLD = StillWorld(
    links={"/home/me/project/link": "/etc"},
    ignored_paths=["/home/me/project/generated-by-us"],
    env={"TMPDIR": "/scratch/me"},
)
PLACES = PathClasses(WORLD, GuardSettings(allow_paths=("/data/cache",), build_dirs=("made-*",)))


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/", PathClass.ROOT),
        ("/*", PathClass.ROOT),
        ("/[a-z]*", PathClass.ROOT),
        ("/etc", PathClass.SYSTEM),
        ("/usr/lib/x", PathClass.SYSTEM),
        ("/ETC", PathClass.SYSTEM),
        ("/home/me/project/.GIT/refs", PathClass.GIT),
        ("/System/Library", PathClass.SYSTEM),
        ("/home", PathClass.HOME),
        ("/home/me", PathClass.HOME),
        ("/home/me/*", PathClass.HOME),
        ("/home/me/.*", PathClass.HOME),
        ("/home/you", PathClass.HOME),
        ("/Users/you", PathClass.HOME),
        ("/root", PathClass.HOME),
        ("/home/me/notes.txt", PathClass.OUTSIDE),
        ("/home/me/project", PathClass.PROJECT),
        ("/home/me/project/*", PathClass.PROJECT),
        ("/home/me/project/src", PathClass.INSIDE),
        ("/home/me/project/src/*.py", PathClass.INSIDE),
        ("/home/me/project/.git", PathClass.GIT),
        ("/home/me/project/.git/refs/x", PathClass.GIT),
        ("/home/me/project/.git/index.lock", PathClass.INSIDE),
        ("/home/me/project/node_modules/x", PathClass.BUILT),
        ("/home/me/project/src/a.pyc", PathClass.BUILT),
        ("/home/me/project/made-here/x", PathClass.BUILT),
        ("/home/me/project/generated-by-us", PathClass.INSIDE),
        ("/home/me/project/link", PathClass.SYSTEM),
        ("/data/cache/x", PathClass.BUILT),
        ("/data/other", PathClass.OUTSIDE),
        ("/tmp/x", PathClass.TEMP),
        ("/var/folders/ab/cd/T/x", PathClass.TEMP),
        ("/scratch/me/x", PathClass.TEMP),
        ("/dev/sda", PathClass.DEVICE),
        ("/c/Windows/System32", PathClass.SYSTEM),
    ],
)
def test_a_place_is_told(path, place):
    assert PLACES.of(globbed(path)) is place


def test_an_unknown_beginning_is_judged_by_its_end():
    assert PLACES.of(f"{UNKNOWN}/src") is PathClass.UNKNOWN
    assert PLACES.of(f"{UNKNOWN}/node_modules") is PathClass.BUILT
    assert PLACES.of(f"/tmp/tmp.{UNKNOWN}/x") is PathClass.TEMP


@pytest.mark.parametrize(
    ("value", "cwd", "path"),
    [
        ("x", "/a", "/a/x"),
        ("../x", "/a/b", "/a/x"),
        ("/a/./b//c/", "/", "/a/b/c"),
        ("../../../..", "/a", "/"),
        (".", "/a", "/a"),
        (f"{UNKNOWN}/x", "/a", f"{UNKNOWN}/x"),
        (STAR, "/", f"/{STAR}"),
        ("x", UNKNOWN, f"{UNKNOWN}/x"),
    ],
)
def test_a_path_is_made_absolute(value, cwd, path):
    assert resolve(value, cwd) == path


def test_a_home_is_never_a_project():
    world = StillWorld(cwd="/home/me", project="/home/me")

    assert examine("rm -rf *", world).rule == "delete.everything"
    assert examine("rm -rf Documents", world).rule == "delete.outside"


def test_beside_a_current_directory_that_is_no_project_what_was_built_is_free():
    for place in ("/", "/home/me"):
        world = StillWorld(cwd=place, project=place)

        assert examine("rm -rf node_modules dist", world).answer is GuardAnswer.ALLOW
        assert examine("rm notes.txt; mv a.py b.py", world).answer is GuardAnswer.ALLOW
        assert examine("rm -rf src", world).answer is GuardAnswer.ASK


def test_what_is_personal_in_a_home_is_no_projects():
    world = StillWorld(cwd="/home/me", project="/home/me")

    for command in ("rm .profile2", "mv Documents /tmp", "rm ~/Desktop/x"):
        assert examine(command, world).answer is GuardAnswer.ASK


def test_a_project_in_a_temporary_directory_is_still_a_project():
    world = StillWorld(cwd="/tmp/work", project="/tmp/work")

    assert examine("rm -rf src", world).rule == "delete.sources"
    assert examine("rm -rf /tmp/other", world).answer is GuardAnswer.ALLOW


IN_TEMP = StillWorld(
    home="/tmp/t/home", cwd="/tmp/t/project", project="/tmp/t/project", env={"HOME": "/tmp/t/home"}
)


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        pytest.param("rm -rf ~", GuardAnswer.DENY, id="a home among temp files is a home"),
        pytest.param('rm -rf "$HOME"/*', GuardAnswer.DENY, id="and all there is in it"),
        pytest.param("rm -rf ~/Documents", GuardAnswer.ASK, id="what is in it is not temporary"),
        pytest.param("rm -rf ../other", GuardAnswer.ASK, id="climbing out of such a project"),
        pytest.param("rm -rf /tmp/other", GuardAnswer.ALLOW, id="temp files by their full name"),
        pytest.param("rm -rf build", GuardAnswer.ALLOW, id="build output of such a project"),
        pytest.param("rm -rf src", GuardAnswer.ASK, id="sources of such a project"),
    ],
)
def test_a_home_or_a_project_among_temporary_files_is_no_temporary_file(command, answer):
    assert examine(command, IN_TEMP).answer is answer
