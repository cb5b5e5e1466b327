"""An address means a store; one that cannot be had is told with what to do."""

import sys

import pytest

from snaphook.errors import ConfigError, MissingExtra
from snaphook.installed import install_command
from snaphook.stores.memory.dual_write import DualWriteStore
from snaphook.stores.memory.neo4j import Neo4jMemory
from snaphook.stores.memory.open import FILE, open_store, there_is
from snaphook.stores.memory.postgres import PostgresMemory
from snaphook.stores.memory.sqlite import SqliteMemory

ROWS, GRAPH = "postgresql://db/memories", "bolt://graph:7687"


@pytest.mark.parametrize(
    ("address", "graph", "kind"),
    [
        pytest.param("", "", SqliteMemory, id="nothing said"),
        pytest.param("sqlite", "", SqliteMemory, id="a file of one's own"),
        pytest.param(ROWS, "", PostgresMemory, id="rows"),
        pytest.param("postgres://db/memories", "", PostgresMemory, id="rows, the short way"),
        pytest.param(GRAPH, "", Neo4jMemory, id="a graph"),
        pytest.param("neo4j+s://graph", "", Neo4jMemory, id="a graph of many machines, encrypted"),
        pytest.param(ROWS, GRAPH, DualWriteStore, id="both"),
    ],
)
def test_an_address_means_a_store_that_is_not_asked_before_it_is_needed(
    tmp_path, address, graph, kind
):
    store = open_store(address, graph=graph, data_dir=tmp_path)

    assert type(store) is kind
    store.close()


@pytest.mark.parametrize("spelling", ["sqlite://{}", "{}"])
def test_a_path_means_a_file_there(tmp_path, spelling):
    path = tmp_path / "elsewhere" / "memories.db"
    assert not there_is(spelling.format(path), data_dir=tmp_path)

    open_store(spelling.format(path), data_dir=tmp_path).close()

    assert path.exists()
    assert there_is(spelling.format(path), data_dir=tmp_path)
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize(
    ("address", "graph", "told"),
    [
        pytest.param("mysql://db", "", "unsupported store 'mysql://'", id="unknown"),
        pytest.param("", GRAPH, "needs a PostgreSQL store", id="a graph beside a file"),
        pytest.param(
            ROWS, "http://me:pw@x", "'http://me:…@x' is not a graph database URL", id="no graph"
        ),
    ],
)
def test_an_address_that_means_nothing_is_told(tmp_path, address, graph, told):
    with pytest.raises(ConfigError, match=told):
        open_store(address, graph=graph, data_dir=tmp_path)


@pytest.mark.parametrize(
    ("address", "driver", "extra"),
    [
        pytest.param(ROWS, "psycopg", "postgres", id="PostgreSQL"),
        pytest.param(GRAPH, "neo4j", "neo4j", id="Neo4j"),
    ],
)
def test_a_missing_driver_is_told_with_the_line_that_installs_it(
    tmp_path, monkeypatch, address, driver, extra
):
    room = type(open_store(address, data_dir=tmp_path)).__module__.rpartition(".")[0]
    for name in [name for name in sys.modules if name == room or name.startswith(f"{room}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, driver, None)

    with pytest.raises(MissingExtra) as missing:
        open_store(address, data_dir=tmp_path)
    assert missing.value.fix == f"Run: {install_command(extra)}"
