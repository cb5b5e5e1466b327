"""memory jobs: the address of a store with a password in it is not written to the outbox, and found again."""

import msgspec

from snaphook.config import Environment
from snaphook.providers.memory.settings import MemorySettings
from snaphook.stores.outbox import Outbox
from snaphook.wiring.memory_jobs import in_force

STORE = "postgresql://app:s3cr3t-Pa55word@db.internal/memories"
GRAPH = "neo4j://neo4j:An0ther-Secret@graph.internal"


def test_a_job_finds_the_addresses_of_its_stores_again(tmp_path):
    (tmp_path / ".config/snaphook").mkdir(parents=True)
    (tmp_path / ".config/snaphook/snaphook.toml").write_text(
        f'[memory]\nstore = "{STORE}"\ngraph = "{GRAPH}"\nsession = 9\n'
    )
    here = Environment(cwd=tmp_path, home=tmp_path, env={}, managed=tmp_path / "etc")
    asked = MemorySettings(store=STORE, graph=GRAPH, session=2)
    outbox = Outbox(here.data_dir)
    outbox.put("memory-graph", {"settings": msgspec.to_builtins(asked)})
    [job] = outbox.jobs()
    outbox.close()
    kept = b"".join(path.read_bytes() for path in here.data_dir.rglob("*") if path.is_file())

    found = in_force(msgspec.convert(job.payload["settings"], MemorySettings), here)

    assert b"s3cr3t-Pa55word" not in kept
    assert b"An0ther-Secret" not in kept
    assert found == asked


def test_settings_without_a_password_are_those_of_the_job(tmp_path):
    here = Environment(cwd=tmp_path, home=tmp_path, env={}, managed=tmp_path / "etc")
    asked = MemorySettings(store="postgresql:///memories")

    assert in_force(asked, here) is asked
