"""A path is known by where it leads."""

import pytest

from snaphook.providers.guard import GuardSettings, StillWorld, examine
from snaphook.providers.guard.judgement import Answer
from snaphook.providers.guard.paths import resolve
from snaphook.providers.guard.places import Place, Places
from snaphook.providers.guard.text import STAR, UNKNOWN, globbed

WORLD = StillWorld(
    links={"/home/me/project/link": "/etc"},
    ignored_paths=["/home/me/project/generated-by-us"],
    env={"TMPDIR": "/scratch/me"},
)
PLACES = Places(WORLD, GuardSettings(allow_paths=("/data/cache",), build_dirs=("made-*",)))


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/", Place.ROOT),
        ("/*", Place.ROOT),
        ("/[a-z]*", Place.ROOT),
        ("/etc", Place.SYSTEM),
        ("/usr/lib/x", Place.SYSTEM),
        ("/ETC", Place.SYSTEM),
        ("/home/me/project/.GIT/refs", Place.GIT),
        ("/System/Library", Place.SYSTEM),
        ("/home", Place.HOME),
        ("/home/me", Place.HOME),
        ("/home/me/*", Place.HOME),
        ("/home/me/.*", Place.HOME),
        ("/home/you", Place.HOME),
        ("/Users/you", Place.HOME),
        ("/root", Place.HOME),
        ("/home/me/notes.txt", Place.OUTSIDE),
        ("/home/me/project", Place.PROJECT),
        ("/home/me/project/*", Place.PROJECT),
        ("/home/me/project/src", Place.INSIDE),
        ("/home/me/project/src/*.py", Place.INSIDE),
        ("/home/me/project/.git", Place.GIT),
        ("/home/me/project/.git/refs/x", Place.GIT),
        ("/home/me/project/.git/index.lock", Place.INSIDE),
        ("/home/me/project/node_modules/x", Place.BUILT),
        ("/home/me/project/src/a.pyc", Place.BUILT),
        ("/home/me/project/made-here/x", Place.BUILT),
        ("/home/me/project/generated-by-us", Place.INSIDE),
        ("/home/me/project/link", Place.SYSTEM),
        ("/data/cache/x", Place.BUILT),
        ("/data/other", Place.OUTSIDE),
        ("/tmp/x", Place.TEMP),
        ("/var/folders/ab/cd/T/x", Place.TEMP),
        ("/scratch/me/x", Place.TEMP),
        ("/dev/sda", Place.DEVICE),
        ("/c/Windows/System32", Place.SYSTEM),
    ],
)
def test_a_place_is_told(path, place):
    assert PLACES.of(globbed(path)) is place


def test_an_unknown_beginning_is_judged_by_its_end():
    assert PLACES.of(f"{UNKNOWN}/src") is Place.UNKNOWN
    assert PLACES.of(f"{UNKNOWN}/node_modules") is Place.BUILT
    assert PLACES.of(f"/tmp/tmp.{UNKNOWN}/x") is Place.TEMP


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

        assert examine("rm -rf node_modules dist", world).answer is Answer.ALLOW
        assert examine("rm notes.txt; mv a.py b.py", world).answer is Answer.ALLOW
        assert examine("rm -rf src", world).answer is Answer.ASK


def test_what_is_personal_in_a_home_is_no_projects():
    world = StillWorld(cwd="/home/me", project="/home/me")

    for command in ("rm .profile2", "mv Documents /tmp", "rm ~/Desktop/x"):
        assert examine(command, world).answer is Answer.ASK


def test_a_project_in_a_temporary_directory_is_still_a_project():
    world = StillWorld(cwd="/tmp/work", project="/tmp/work")

    assert examine("rm -rf src", world).rule == "delete.sources"
    assert examine("rm -rf /tmp/other", world).answer is Answer.ALLOW


IN_TEMP = StillWorld(
    home="/tmp/t/home", cwd="/tmp/t/project", project="/tmp/t/project", env={"HOME": "/tmp/t/home"}
)


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        pytest.param("rm -rf ~", Answer.DENY, id="a home among temp files is a home"),
        pytest.param('rm -rf "$HOME"/*', Answer.DENY, id="and all there is in it"),
        pytest.param("rm -rf ~/Documents", Answer.ASK, id="what is in it is not temporary"),
        pytest.param("rm -rf ../other", Answer.ASK, id="climbing out of such a project"),
        pytest.param("rm -rf /tmp/other", Answer.ALLOW, id="temp files by their full name"),
        pytest.param("rm -rf build", Answer.ALLOW, id="build output of such a project"),
        pytest.param("rm -rf src", Answer.ASK, id="sources of such a project"),
    ],
)
def test_a_home_or_a_project_among_temporary_files_is_no_temporary_file(command, answer):
    assert examine(command, IN_TEMP).answer is answer
