"""A plugin is installed for real, found by its entry point, and asked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.thorough import only_thoroughly

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "examples" / "plugin"

ASK = """
import asyncio
from pathlib import Path
from snaphook import HookContext, PreToolUse
from snaphook.config import Environment
from snaphook.wiring.assembly import build_engine

around = Environment.here(Path.cwd())
engine = build_engine(around)
event = PreToolUse(
    context=HookContext(session_id="s", team_root=str(Path.cwd()), cwd=str(Path.cwd())),
    tool_name="Write",
    tool_args={"file_path": "notes.txt", "content": "line\\n" * 10},
)
output = asyncio.run(engine.dispatch(event))
print(output.decision, output.by, output.reason)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    target = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    options = ["--no-deps", "--no-build-isolation", "--target", str(target), str(PLUGIN)]
    done = subprocess.run([*pip, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


def run(site, home, cwd, *arguments):
    env = {**os.environ, "PYTHONPATH": str(site), "HOME": str(home)}
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        env.pop(name, None)
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


@only_thoroughly
@pytest.mark.req("SQ-16")
@pytest.mark.req("SQ-6")
def test_an_installed_plugin_is_used_by_its_name(site, tmp_path):
    home = tmp_path / "home"
    settings = home / ".config" / "snaphook" / "snaphook.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        '[providers.short]\nuse = "short-files"\n\n[providers.short.options]\nmost = 5\n'
    )

    done = run(site, home, tmp_path, "-c", ASK)

    assert done.stdout.strip() == (
        "deny short-files 10 lines in one file. Keep it to 5; split it by what it holds."
    ), done.stderr


@only_thoroughly
@pytest.mark.req("SQ-16")
def test_the_plugins_own_tests_pass_where_it_is_installed(site, tmp_path):
    tests = str(PLUGIN / "tests")
    plain = ["-p", "no:cacheprovider", "-o", "asyncio_mode=auto", "-c", os.devnull]

    done = run(site, tmp_path, tmp_path, "-m", "pytest", "-q", *plain, "--rootdir", tests, tests)

    assert done.returncode == 0, done.stdout + done.stderr
