"""What one tenant's sessions learn, another's never hear."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from snaphook.config import Environment
from snaphook.providers.memory.settings import MemorySettings
from snaphook.stores.memory.extract.document import DocumentOrigin
from snaphook.stores.memory.recall import RecallQuery, recall
from snaphook.wiring.memory_jobs import keep, store_of


@pytest.mark.req("SQ-11")
def test_a_tenants_memories_are_its_own(tmp_path: Path):
    notes = tmp_path / "DECISIONS.md"
    notes.write_text("# Decisions\n\n- The vault of acme is opened with a blue key\n")
    common = Environment(cwd=tmp_path, home=tmp_path, env={}, managed=tmp_path / "etc")
    found: dict[str, int] = {}
    for tenant in ("acme", "rival", ""):
        here = replace(common, tenant=tenant)
        store = store_of(MemorySettings(), here)
        if tenant == "acme":
            keep(store, [notes], DocumentOrigin(project="/p"), MemorySettings(), here)
        wanted = RecallQuery(text="which key opens the vault of acme")
        found[tenant] = len(recall(store, wanted, now=notes.stat().st_mtime))
        store.close()

    assert found == {"acme": 1, "rival": 0, "": 0}
