"""Lines that an agent marks as learned or decided, in each agent's transcript."""

import json

import pytest

from snaphook.stores.memory.extract.transcript import from_transcript, numbered
from snaphook.stores.memory.values import MemoryKind

SAID = """Done.
Learned: the integration tests need a running Redis.
- **Decision:** the queue stays in SQLite, since one file is easy to back up.
Lesson learned (CI): warm the cache before the linter runs.
Learned a lot today.
Decision: none.
"""
CLAUDE = {"type": "assistant", "sessionId": "s", "message": {"id": "m", "content": SAID}}
CODEX = {
    "type": "response_item",
    "payload": {"type": "message", "role": "assistant", "content": [{"text": SAID}]},
}


@pytest.mark.parametrize("line", [CLAUDE, CODEX], ids=["Claude Code", "Codex"])
def test_marked_lines_are_kept_and_the_rest_is_not(line, tmp_path):
    file = tmp_path / "transcript.jsonl"
    file.write_text(json.dumps(line) + "\n")

    kept = [(draft.kind, draft.text) for draft in from_transcript(numbered(file))]

    assert kept == [
        (MemoryKind.EXPERIENCE, "Learned: the integration tests need a running Redis."),
        (
            MemoryKind.FACT,
            "Decision: the queue stays in SQLite, since one file is easy to back up.",
        ),
        (MemoryKind.EXPERIENCE, "Lesson learned (CI): warm the cache before the linter runs."),
    ]
