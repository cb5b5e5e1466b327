"""Check types, strictly; at a desk without the agent SDKs, and without the files that speak to one.

pyproject.toml  ->  .cache/mypy.toml  ->  mypy

mypy takes longer to read pydantic-ai than to read all of us. Where the SDKs are installed (``make
sdks``), or everything was promised (``SNAPHOOK_REQUIRE=all``), nothing is left out.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import tomlkit

ROOT = Path(__file__).parents[1]
SETTINGS = ROOT / ".cache" / "mypy.toml"
SDKS = ("agents", "claude_agent_sdk", "langchain", "langgraph", "pydantic_ai")
"""The large ones, by the names they are imported under."""
THEIR_OWN = ("anthropic", "langchain_core", "langchain_openai", "openai", "pydantic_graph")
"""What those are made of."""
SPEAKS = re.compile(rf"^\s*(?:from|import) (?:{'|'.join(SDKS + THEIR_OWN)})\b", re.MULTILINE)


def main() -> int:
    """Return mypy's own verdict."""
    settings = tomlkit.parse((ROOT / "pyproject.toml").read_text())["tool"]["mypy"].unwrap()
    if not everything():
        settings["overrides"] += [
            {"module": _whole(SDKS + THEIR_OWN), "follow_imports": "skip"},
            {"module": list(speakers()), "ignore_errors": True},
        ]
    SETTINGS.parent.mkdir(exist_ok=True)
    SETTINGS.write_text(tomlkit.dumps({"tool": {"mypy": settings}}))
    mypy = [sys.executable, "-m", "mypy", "--config-file", str(SETTINGS)]
    return subprocess.run(mypy, cwd=ROOT, check=False).returncode


def everything() -> bool:
    """Say whether the SDKs are here, or should be."""
    return all(map(find_spec, SDKS)) or os.environ.get("SNAPHOOK_REQUIRE") == "all"


def speakers() -> Iterator[str]:
    """Yield the modules of ours that import an SDK."""
    for top, folder in (("snaphook", ROOT / "src" / "snaphook"), ("tests", ROOT / "tests")):
        for file in folder.rglob("*.py"):
            if SPEAKS.search(file.read_text()):
                yield ".".join([top, *file.relative_to(folder).with_suffix("").parts])


def _whole(names: tuple[str, ...]) -> list[str]:
    return [pattern for name in names for pattern in (name, f"{name}.*")]


sys.exit(main())
