"""A trial run: a command whose changes are kept apart until somebody has seen them.

command + Policy  ->  overlay  ->  exit code, Changes

Home, project and temporary files are overlaid; everything else is read-only. The layers lie under
/var/tmp, since the kernel does not take a layer that lies inside another.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from snaphook.errors import MachineError

from .helper import Ability
from .overlay import Change, changes
from .policy import Policy
from .store import PolicyStore

LAYERS = "/var/tmp"  # noqa: S108 - see above; the folder in it is private


class Ran(Struct, frozen=True, kw_only=True):
    """A trial that has ended."""

    exit: int
    changes: tuple[Change, ...]


@contextmanager
def trial(
    words: list[str], policy: Policy, able: Ability, *, cwd: str, home: str, quiet: bool = False
) -> Iterator[Ran]:
    """Run *words*; what they changed lies in the layers until the block ends."""
    if not able.overlay or not able.namespaces:
        raise MachineError(
            where="snaphook sandbox try",
            what="this machine has no overlays in namespaces",
            fix="'snaphook sandbox status' shows what it can enforce.",
        )
    layers = Path(tempfile.mkdtemp(prefix="snaphook-trial-", dir=LAYERS))
    try:
        roots = overlaid(policy, home)
        for number in range(len(roots)):
            (layers / f"upper-{number}").mkdir()
            (layers / f"work-{number}").mkdir()
            shutil.copystat(roots[number], layers / f"upper-{number}")
        prefix = PolicyStore(layers, known=False).prefix(trial_policy(policy, roots), able)
        started = [prefix.helper, "--trial", prefix.policy, *words]
        stdout = subprocess.DEVNULL if quiet else None
        done = subprocess.run(started, cwd=cwd, check=False, stdout=stdout)
        code = done.returncode if done.returncode >= 0 else 128 - done.returncode
        found = [
            one
            for number, root in enumerate(roots)
            for one in changes(str(layers / f"upper-{number}"), root)
        ]
        yield Ran(exit=code, changes=tuple(found))
    finally:
        _remove(layers)


def overlaid(policy: Policy, home: str) -> list[str]:
    """Return the trees whose changes are kept apart: none of them inside another."""
    wanted = [os.path.realpath(home), policy.project, "/tmp"]  # noqa: S108
    wanted += [path for path in policy.write if not path.startswith(("/dev/", f"{LAYERS}/"))]
    kept: list[str] = []
    for path in sorted({one for one in wanted if one and os.path.isdir(one)}, key=len):  # noqa: PTH112
        if path != LAYERS and not any(path.startswith(f"{one}/") for one in kept):
            kept.append(path)
    return kept


def trial_policy(policy: Policy, roots: list[str]) -> Policy:
    """Return *policy* with overlays: what may be changed is decided once it is seen."""
    shared = tuple(path for path in policy.write if path.startswith("/dev/"))
    return replace(
        policy,
        overlays=tuple(roots),
        write=shared,
        pinned=(),
        protected=(),
        absent=(),  # what appears is judged with the other effects
        hooks="",
        network=policy.network,
    )


def _remove(layers: Path) -> None:
    """Remove the layers; the work folders of an overlay have no permissions at all."""
    for folder, names, _ in os.walk(layers):
        os.chmod(folder, 0o700)  # noqa: PTH101
        for name in names:
            path = f"{folder}/{name}"
            if not os.path.islink(path):  # noqa: PTH114
                os.chmod(path, 0o700)  # noqa: PTH101
    shutil.rmtree(layers, ignore_errors=True)
