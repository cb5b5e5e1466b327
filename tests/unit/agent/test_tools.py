"""What each tool does, refuses, and says."""

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import pytest

from snaphook.agent.tools import TOOLS, ToolContext, ToolWorkspace, background_tasks, end_background
from snaphook.agent.tools.tool import schema_of
from snaphook.errors import SnaphookError


class Nobody:
    """A host that has nobody to ask."""

    async def ask_user(self, question: str, options: tuple[str, ...]) -> str:
        return f"{question} {options}"

    async def spawn(self, kind: str, prompt: str) -> Any:
        raise AssertionError("not here")


@pytest.fixture
def context(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    return ToolContext(
        workspace=ToolWorkspace(cwd=str(work)),
        host=Nobody(),
        environment={"PATH": os.environ["PATH"], "COLOUR": "blue"},
        tool_use_id="t1",
        output_limit=1000,
    )


@pytest.fixture
def work(context):
    return Path(context.workspace.cwd)


async def use(context: ToolContext, name: str, **given: Any) -> tuple[bool, str]:
    tool = TOOLS[name]
    try:
        result = await tool.run(tool.read(given), context)
    except SnaphookError as error:
        return False, str(error)
    return result.success, result.text


async def test_read_numbers_its_lines_and_says_what_is_left(context, work):
    (work / "a").write_text("one\ntwo\nthree\n")

    assert await use(context, "Read", file_path="a", offset=2, limit=1) == (
        True,
        "     2\ttwo\n[1 more lines; read on with offset 3]",
    )
    (work / "empty").touch()
    assert await use(context, "Read", file_path="empty") == (True, "(the file is empty)")


async def test_write_replaces_in_one_step_and_keeps_the_mode(context, work):
    assert await use(context, "Write", file_path="d/run.sh", content="a\nb\n") == (
        True,
        "Created d/run.sh (2 lines).",
    )
    (work / "d" / "run.sh").chmod(0o755)

    await use(context, "Write", file_path="d/run.sh", content="c\r\n")

    assert (work / "d" / "run.sh").read_bytes() == b"c\r\n"
    assert (work / "d" / "run.sh").stat().st_mode & 0o777 == 0o755
    assert [path.name for path in (work / "d").iterdir()] == ["run.sh"]


@pytest.mark.parametrize(
    ("old", "new", "every", "said", "after"),
    [
        pytest.param("b", "x", False, "Edited f in 1 place.", "axa", id="once"),
        pytest.param("a", "x", True, "Edited f in 2 places.", "xbx", id="everywhere"),
        pytest.param("a", "x", False, "f: old_string is in it 2 times.", "aba", id="not unique"),
        pytest.param("z", "x", False, "f: old_string is not in it.", "aba", id="not there"),
        pytest.param("", "x", False, "f: old_string is not in it.", "aba", id="empty"),
    ],
)
async def test_edit_changes_what_is_quoted_exactly(context, work, old, new, every, said, after):
    (work / "f").write_text("aba")

    _, text = await use(
        context, "Edit", file_path="f", old_string=old, new_string=new, replace_all=every
    )

    assert text.startswith(said)
    assert (work / "f").read_text() == after


@pytest.mark.parametrize(
    "path", ["../out", "/etc/passwd", "~/x", "link/x", "a/../../out"], ids=lambda p: p
)
@pytest.mark.parametrize("tool", ["Read", "Write", "Edit", "Glob", "Grep"])
async def test_file_tools_stay_inside_the_working_directory(context, work, tool, path):
    (work / "link").symlink_to(work.parent)
    given: dict[str, dict[str, Any]] = {
        "Read": {"file_path": path},
        "Write": {"file_path": path, "content": ""},
        "Edit": {"file_path": path, "old_string": "a", "new_string": "b"},
        "Glob": {"path": path, "pattern": "*"},
        "Grep": {"path": path, "pattern": "x"},
    }

    success, text = await use(context, tool, **given[tool])

    assert not success
    assert "lies outside the working directory" in text


def test_a_directory_that_was_allowed_may_be_touched(context, tmp_path):
    (tmp_path / "shared").mkdir()
    wide = ToolWorkspace(cwd=context.workspace.cwd, also=(str(tmp_path / "shared"),))

    assert wide.path("../shared/x") == tmp_path / "shared" / "x"
    assert (
        ToolWorkspace(cwd="/nowhere", confined=False).path("/etc/hosts")
        == Path("/etc/hosts").resolve()
    )


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        pytest.param("*.py", {"a.py", "src/b.py", "src/deep/c.py"}, id="a bare name fits anywhere"),
        pytest.param("src/*.py", {"src/b.py"}, id="one level"),
        pytest.param("src/**/*.py", {"src/b.py", "src/deep/c.py"}, id="any level"),
        pytest.param("**/deep/*", {"src/deep/c.py"}, id="in the middle"),
        pytest.param("[ab].py", {"a.py", "src/b.py"}, id="a set"),
        pytest.param("src/[!b]*", set(), id="not a set"),
        pytest.param("*.rs", set(), id="nothing"),
    ],
)
async def test_glob_finds_files_and_skips_what_nobody_means(context, work, pattern, found):
    for name in ("a.py", "src/b.py", "src/deep/c.py", ".git/x.py", "node_modules/y.py"):
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).touch()

    _, text = await use(context, "Glob", pattern=pattern)

    assert set(text.splitlines()) == (found or {"No file matches."})


async def test_grep_finds_lines(context, work):
    (work / "a.py").write_text("import os\nprint(1)\n")
    (work / "b.txt").write_text("Import nothing\n")
    (work / "bin").write_bytes(b"import \xff")

    assert await use(context, "Grep", pattern="^import") == (True, "a.py:1:import os")
    assert await use(context, "Grep", pattern="import", ignore_case=True, files_only=True) == (
        True,
        "a.py\nb.txt",
    )
    assert await use(context, "Grep", pattern="nothing", glob="*.py") == (True, "No match.")
    assert (await use(context, "Grep", pattern="("))[1].startswith("pattern '(': ")


@pytest.mark.parametrize(
    ("command", "success", "said"),
    [
        pytest.param("echo hi", True, "hi", id="output"),
        pytest.param("true", True, "(no output)", id="silence"),
        pytest.param("echo a; echo b >&2; exit 3", False, "a\nb\nExit code 3.", id="failure"),
        pytest.param("kill -9 $$", False, "Killed by signal 9.", id="signal"),
        pytest.param("echo $COLOUR$HOME", True, "blue", id="its environment and no other"),
        pytest.param("printf '\\377'", True, "\ufffd", id="not UTF-8"),
    ],
)
async def test_bash_tells_what_came_of_a_command(context, command, success, said):
    assert await use(context, "Bash", command=command) == (success, said)


async def test_bash_output_is_bounded(context):
    _, text = await use(context, "Bash", command="head -c 3000000 /dev/zero | tr '\\0' x")

    assert len(text) < 1200
    assert "left out" in text


async def test_a_command_that_runs_out_of_time_ends_with_its_whole_group(context, work):
    line = "(sleep 30; touch survived) & sleep 30"

    success, text = await use(context, "Bash", command=line, timeout=200)

    assert not success
    assert "it ran out of time" in text
    assert not (work / "survived").exists()


def first_words(log: Path) -> str:
    while not (log.exists() and log.read_text()):
        time.sleep(0.01)
    return log.read_text()


async def test_a_background_command_writes_a_log_and_ends_with_the_session(context, work):
    _, text = await use(context, "Bash", command="echo started; sleep 30", run_in_background=True)
    log = Path(text.rpartition(" ")[2].rstrip("."))

    assert await asyncio.to_thread(first_words, log) == "started\n"
    assert [(t["id"], t["status"]) for t in background_tasks(context.memory)] == [
        ("bash_1", "running")
    ]
    await end_background(context.memory)
    assert background_tasks(context.memory) == []
    assert await asyncio.to_thread(log.exists) is False


async def test_todos_are_shown_as_a_list(context):
    todos = [{"content": "a", "status": "completed"}, {"content": "b"}]

    assert await use(context, "TodoWrite", todos=todos) == (True, "[x] a\n[ ] b")


def test_every_tool_has_a_schema_a_vendor_takes():
    for tool in TOOLS.values():
        schema = schema_of(tool.args)
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert tool.description
    assert set(TOOLS) == {
        "Read",
        "Write",
        "Edit",
        "Glob",
        "Grep",
        "Bash",
        "AskUser",
        "Task",
        "TodoWrite",
    }
