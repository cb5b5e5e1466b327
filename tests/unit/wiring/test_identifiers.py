"""identifiers: a secret in an id is gone before anything is named after it."""

import pytest

from snaphook.canon import HookContext, PreToolUse
from snaphook.wiring.identifiers import with_safe_ids

TOKEN = "ghp_" + "a1B2" * 9


def event(**ids):
    context = HookContext(**{"session_id": "s", **ids})
    return PreToolUse(context=context, tool_name="Bash", tool_args={})


@pytest.mark.parametrize(
    "name", ["session_id", "agent_id", "agent_name", "agent_type", "parent_session_id", "turn_id"]
)
def test_a_secret_in_an_id_becomes_a_placeholder_always_the_same(name, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    first, second = (with_safe_ids(event(**{name: f"x {TOKEN}"})) for _ in range(2))

    assert TOKEN not in repr(first)
    assert getattr(first.context, name).startswith("x [REDACTED:github-pat:")
    assert first.context.session_id == second.context.session_id
    assert getattr(first.context, name) == getattr(second.context, name)


@pytest.mark.parametrize(
    "session",
    [
        "3f2b8a3e-5d0c-4c53-9d57-0f5ad7f7a9aa",
        "ses_6b1f2c3d4e5f6a7b8c9d0e1f2a",
        "conversation-2026-01-02T03:04:05.678Z-main",
        "",
    ],
)
def test_ids_as_hosts_make_them_stay(session):
    given = event(session_id=session)

    assert with_safe_ids(given) is given
