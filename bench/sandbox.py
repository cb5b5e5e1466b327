"""The sandbox: what a confined start costs, what a trial costs, and a build inside and outside."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.table import row, section
from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.sandboxing.confine import Confiner
from snaphook.providers.guard.settings import GuardSettings
from snaphook.sandbox.apply import apply
from snaphook.sandbox.calls import ConfinedCalls
from snaphook.sandbox.helper import ability
from snaphook.sandbox.settings import SandboxSettings
from snaphook.sandbox.store import PolicyStore
from snaphook.sandbox.trial import trial
from snaphook.shell.live import LiveWorld

ROUNDS = 300
FILES = 1_000
PROGRAM = "int main(void) {{ return {number}; }}\n"


def main() -> None:
    section("Sandbox: start, trial, build")
    able = ability()
    if not able.confines:
        print(f"  cannot confine here: {' '.join(able.gaps)}")
        return
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        place = Place(Path(name))
        _starts(place)
        _trials(place)
        _builds(place)
        _not_confined(place)


class Place:
    """A home with a project in it."""

    def __init__(self, base: Path) -> None:
        self.home, self.project = base / "home", base / "home" / "project"
        self.project.mkdir(parents=True)
        (self.home / ".ssh").mkdir()
        (self.home / ".bash_history").write_text("ls\n")
        subprocess.run(["git", "init", "-q", self.project], check=True)
        self.env = {**os.environ, "HOME": str(self.home)}
        store = PolicyStore(base / "data" / "sandbox", known=False)
        self.guard = GuardSettings()
        self.confiner = Confiner(
            SandboxSettings(),
            self.guard,
            store,
            can_modify=lambda _event, _context: True,
            calls=ConfinedCalls(store.folder / "calls"),
        )
        self.world = LiveWorld(str(self.project), env=self.env, project=str(self.project))
        self.policy, self.prefix = self.confiner.policy(self.world, tag="bench-start")

    def run(self, words: list[str]) -> float:
        """Return the seconds from the start of *words* to their end."""
        started = perf_counter()
        pid = os.posix_spawnp(words[0], words, self.env)
        os.waitpid(pid, 0)
        return perf_counter() - started


def _starts(place: Place) -> None:
    """Compare a shell that does nothing, started bare and confined, in turns."""
    os.chdir(place.project)
    shell = ["/bin/sh", "-c", "true"]
    pairs = [(place.run(shell), place.run([*place.prefix.words, *shell])) for _ in range(ROUNDS)]
    bare, confined = (sorted(one[at] for one in pairs)[ROUNDS // 10] for at in (0, 1))
    row("sh -c true, bare (fastest tenth)", bare * 1000, "ms")
    row("… confined", confined * 1000, "ms")
    row("… confined over bare", confined / bare, "x", 1.5)
    asked = ["/bin/sh", "-c", "sh -c true"]
    inner = f"{' '.join(place.prefix.words)} sh -c true"
    pairs = [(place.run(asked), place.run(["/bin/sh", "-c", inner])) for _ in range(ROUNDS)]
    bare, confined = (sorted(one[at] for one in pairs)[ROUNDS // 10] for at in (0, 1))
    row("… as an agent's shell runs it, over bare", confined / bare, "x", 1.5)


def _trials(place: Place) -> None:
    def tried(words: list[str]) -> float:
        return _seconds(lambda: _try(place, words))

    bare = sorted(place.run(["/bin/sh", "-c", "true"]) for _ in range(20))[2]
    nothing = median(tried(["/bin/sh", "-c", "true"]) for _ in range(20))
    row("a trial of 'true', over bare", (nothing - bare) * 1000, "ms", 25)
    made = f"for i in $(seq {FILES}); do echo $i > file-$i; done"
    plain = median(place.run(["/bin/sh", "-c", f"cd $(mktemp -d); {made}"]) for _ in range(3))
    many = median(tried(["/bin/sh", "-c", made]) for _ in range(3))
    row(
        f"… and for each of {FILES:,} files that it makes",
        (many - plain - nothing) / FILES * 1e6,
        "µs",
    )


def _try(place: Place, words: list[str]) -> None:
    journals = place.home.parent / "journals"
    with trial(
        words, place.policy, ability(), cwd=str(place.project), home=str(place.home), quiet=True
    ) as ran:
        apply(ran.changes, journals)


def _builds(place: Place) -> None:
    """Compile a hundred files with make, inside and outside."""
    if shutil.which("cc") is None or shutil.which("make") is None:
        return
    for number in range(100):
        (place.project / f"part{number}.c").write_text(
            PROGRAM.format(number=number).replace("main", f"part{number}")
        )
    (place.project / "Makefile").write_text(
        "parts := $(patsubst %.c,%.o,$(wildcard part*.c))\nall: $(parts)\n%.o: %.c\n\tcc -c -o $@ $<\n"
        "clean:\n\trm -f *.o\n"
    )

    def build(prefix: tuple[str, ...]) -> float:
        place.run(["make", "-s", "clean"])
        return place.run([*prefix, "make", "-s", "-j2"])

    pairs = [(build(()), build(place.prefix.words)) for _ in range(3)]
    row("make of 100 C files, outside", min(one[0] for one in pairs) * 1000, "ms")
    row("… confined over outside", min(one[1] for one in pairs) / min(one[0] for one in pairs), "x")


def _not_confined(place: Place) -> None:
    """Say what a command costs that the guard understands: it is the same words."""
    command = "ls -la src"
    made = place.confiner.command(examine(command, place.world, settings=place.guard), place.world)
    row("words added to 'ls -la src'", 0 if made is None else len(made[0]) - len(command), "", 0)


def _seconds(run: Callable[[], object]) -> float:
    started = perf_counter()
    run()
    return perf_counter() - started
