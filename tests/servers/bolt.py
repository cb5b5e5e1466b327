"""Real servers that speak Bolt: Neo4j, and ArcadeDB, which knows fewer kinds of index."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.servers.installed import PATIENCE, free_port, home, missing, running, scratch

PASSWORD = "only-for-tests"
SMALL = ("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""A server of a few hundred nodes that should be up soon."""


def missing_neo4j() -> str | None:
    """Return what is missing for Neo4j to run here; ``None`` if nothing is."""
    if (java := shutil.which("java")) is None:
        return "no Java 17 or later"
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = told.split('"')[1].split(".")[0] if '"' in told else "0"
    if not version.isdigit() or int(version) < 17:
        return f"Java 17 or later; here is {version}"
    return missing("neo4j")()


@contextmanager
def neo4j() -> Iterator[str]:
    """Yield the URL of a Neo4j that lives as long as the block."""
    jars, port = home("neo4j"), free_port()
    assert jars is not None
    with scratch("snaphook-neo4j-") as folder:
        (folder / "neo4j.conf").write_text(
            f"server.bolt.listen_address=127.0.0.1:{port}\n"
            "server.http.enabled=false\n"
            "server.https.enabled=false\n"
            "dbms.usage_report.enabled=false\n"
            "dbms.security.auth_minimum_password_length=1\n"
            "server.memory.pagecache.size=32m\n"
        )
        entry = "org.neo4j.server.CommunityEntryPoint"
        where = (f"--home-dir={folder}", f"--config-dir={folder}")
        words = ["java", *SMALL, "-cp", f"{jars / 'lib'}/*", entry, *where]
        with running(words, folder=folder, port=port):
            _choose_password(port)
            yield f"bolt://neo4j:{PASSWORD}@127.0.0.1:{port}"


@contextmanager
def arcadedb() -> Iterator[str]:
    """Yield the URL of an ArcadeDB that lives as long as the block."""
    unpacked, bolt, http = home("arcadedb"), free_port(), free_port()
    assert unpacked is not None
    inside = unpacked / "arcadedb_embedded"
    with scratch("snaphook-arcadedb-") as folder:
        options = {
            "server.rootPath": folder,
            "server.databaseDirectory": folder / "databases",
            "server.rootPassword": PASSWORD,
            "server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
            "server.defaultDatabases": "snaphook[root]",
            "server.httpIncomingHost": "127.0.0.1",
            "server.httpIncomingPort": http,
            "bolt.host": "127.0.0.1",
            "bolt.port": bolt,
        }
        said = [f"-Darcadedb.{name}={value}" for name, value in options.items()]
        java, entry = inside / "jre" / "bin" / "java", "com.arcadedb.server.ArcadeDBServer"
        words = [str(java), *SMALL, *said, "-cp", f"{inside / 'jars'}/*", entry]
        with running(words, folder=folder, port=bolt):
            url = f"bolt://root:{PASSWORD}@127.0.0.1:{bolt}/snaphook"
            _await_database(url)
            yield url


def _choose_password(port: int) -> None:
    """Do what everyone does first: a fresh server only lets its password be changed."""
    import neo4j as driver

    change = "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $new"
    until = time.monotonic() + PATIENCE
    with driver.GraphDatabase.driver(f"bolt://127.0.0.1:{port}", auth=("neo4j", "neo4j")) as to:
        while True:
            try:
                to.execute_query(change, new=PASSWORD, database_="system")
            except (driver.exceptions.DriverError, driver.exceptions.Neo4jError):
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)
            else:
                return


def _await_database(url: str) -> None:
    """Wait for the database, which is made a moment after the port is open."""
    import neo4j as driver

    address, _, database = url.rpartition("/")
    until = time.monotonic() + PATIENCE
    with driver.GraphDatabase.driver(
        "bolt://" + address.partition("@")[2], auth=("root", PASSWORD)
    ) as to:
        while True:
            try:
                to.execute_query("RETURN 1", database_=database)
            except (driver.exceptions.DriverError, driver.exceptions.Neo4jError):
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)
            else:
                return
