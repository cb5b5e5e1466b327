"""Tasks that a file of the project names are followed to what they run."""

import pytest

from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.shell.world import StillWorld

MAKEFILE = """\
OUT := out
TARGET = $(OUT)/app

.PHONY: all clean wipe
all: $(TARGET) ; echo built

wipe: clean
\t@rm -rf $(HOME_DIR)
\t-rm -rf /

clean:
\trm -rf $(OUT)
\techo $$HOME $@

once: wipe
"""
PACKAGE = """{"scripts": {
    "build": "tsc -p .",
    "prebuild": "echo before",
    "wipe": "rm -rf /",
    "test": "vitest run"
}}"""
JUSTFILE = """\
out := "dist"

build target: clean
    @echo {{target}}

clean:
    rm -rf /
"""
TASKFILE = """\
tasks:
  default: echo hello
  wipe:
    deps: [first]
    cmds:
      - cmd: echo last
  first:
    - rm -rf /
"""
COMPOSER = '{"scripts": {"wipe": ["echo one", "rm -rf /"]}}'

PROJECT = StillWorld(
    files={
        "/home/me/project/Makefile": MAKEFILE,
        "/home/me/project/package.json": PACKAGE,
        "/home/me/project/justfile": JUSTFILE,
        "/home/me/project/Taskfile.yml": TASKFILE,
        "/home/me/project/composer.json": COMPOSER,
        "/home/me/project/sub/package.json": PACKAGE,
        "/home/me/project/broken/package.json": '{"scripts": ',
        "/home/me/project/broken/Taskfile.yml": "tasks: [",
    }
)


@pytest.mark.parametrize(
    ("command", "ran"),
    [
        ("make", ["make", "echo built"]),
        ("make clean", ["make clean", "rm -rf out", "echo /home/me clean"]),
        ("make clean OUT=elsewhere", ["rm -rf elsewhere"]),
        ("npm run build", ["npm run build", "echo before", "tsc -p ."]),
        ("npm run build -- --watch", ["tsc -p . --watch"]),
        ("npm test", ["npm test", "vitest run"]),
        ("npm --prefix sub run build", ["tsc -p ."]),
        ("pnpm build", ["tsc -p ."]),
        ("yarn build --fast", ["tsc -p . --fast"]),
        ("npm install build", ["npm install build"]),
        ("make -n wipe", ["make -n wipe"]),
        ("cd broken && npm run build", ["npm run build"]),
        ("cd broken && task", ["task"]),
        ("task", ["task", "echo hello"]),
    ],
)
def test_the_commands_of_a_task_are_seen(command, ran):
    calls = [str(call) for call in examine(command, PROJECT).calls]

    assert [call for call in calls if call in ran] == ran


@pytest.mark.parametrize(
    "command",
    [
        "make wipe",
        "make once",
        "make -C . wipe",
        "npm run wipe",
        "npm run-script wipe",
        "yarn wipe",
        "pnpm run wipe",
        "bun run wipe",
        "just clean",
        "just build x",
        "task wipe",
        "composer wipe",
        "composer run-script wipe",
        "printf 'all:\\n\\trm -rf /\\n' > Makefile; make",
        """echo '{"scripts":{"x":"rm -rf ~"}}' > package.json && npm run x""",
    ],
)
def test_a_task_that_destroys_is_stopped(command):
    assert examine(command, PROJECT).answer is not GuardAnswer.ALLOW


@pytest.mark.parametrize("command", ["make", "make clean", "npm test", "task", "just --list"])
def test_a_task_that_builds_is_let_be(command):
    assert examine(command, PROJECT).objections == ()
