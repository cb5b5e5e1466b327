"""Long scripts and lists are followed as far as the limits go; the rest is unknown, and not denied."""

from pathlib import Path

import pytest

from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.shell.live import LiveWorld

FILLER = {"sh": "echo hello world\n", "py": "count = 1\n"}


@pytest.fixture
def world(tmp_path):
    (tmp_path / ".git").mkdir()
    return LiveWorld(str(tmp_path), env={"HOME": "/home/me"}, project=str(tmp_path))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("x.sh", FILLER["sh"] * 900 + "rm -rf ~\n", id="after 900 commands"),
        pytest.param("x.sh", "rm -rf ~\n" + FILLER["sh"] * 9_000, id="before 150,000 characters"),
        pytest.param(
            "x.py",
            "import shutil\n" + FILLER["py"] * 4_500 + "shutil.rmtree('/home/me')\n",
            id="after 45,000 characters of Python",
        ),
    ],
)
def test_harm_is_found_far_into_a_script(world, name, text):
    Path(world.cwd, f"{name}").write_text(text)

    judgement = examine(f"{'bash' if name == 'x.sh' else 'python3'} {name}", world)

    assert judgement.rule == "delete.everything"


@pytest.mark.parametrize(("name", "count"), [("x.sh", 500), ("x.sh", 9_000), ("x.py", 20_000)])
def test_a_long_harmless_script_runs_and_what_was_not_read_is_named(world, name, count):
    Path(world.cwd, f"{name}").write_text(FILLER[name[-2:]] * count)

    judgement = examine(f"{'bash' if name == 'x.sh' else 'python3'} {name}", world)

    assert judgement.answer is GuardAnswer.ALLOW
    assert judgement.understood is (count == 500)


def test_what_follows_a_long_script_is_judged_as_ever(world):
    Path(world.cwd, "x.sh").write_text(FILLER["sh"] * 9_000)

    assert examine("bash x.sh && rm -rf ~", world).rule == "delete.everything"
    assert examine("bash x.sh; " + "ls; " * 500, world).rule == "limit"


def test_thousands_of_files_are_staged_and_a_secret_among_them_is_found(world):
    files = " ".join(f"src/part{number}.py" for number in range(3_000))

    assert examine(f"git add {files}", world).answer is GuardAnswer.ALLOW
    assert examine(f"git add {files} .env", world).rule == "secrets.read"
