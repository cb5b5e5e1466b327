"""Who is at work, on what, and how: told by the environment, by files, by where we stand.

environment + folder  ->  Identity

Nothing here fails: what cannot be told falls back to a default and is named in ``errors``.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

AGENTS = ("planner", "executor", "architect", "scout", "verifier", "developer")
"""The types there is a briefing for; others may name themselves."""
SIGNS: Mapping[str, tuple[str, ...]] = {
    "planner": ("queue.yaml", "loop-metadata-template.yaml"),
    "executor": (".task-claimed", "task-*-spec.md"),
    "architect": ("architecture-review.md", "system-designs"),
    "scout": ("scout-report.md",),
    "verifier": ("verification-report.md",),
}
"""Files by which an agent's folder is known."""
PROJECT_FILE = ".bb5-project"
_RUN = re.compile(r"run-[0-9]{8}-[0-9]{6}[\w.-]*")
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,127}")


class Identity(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a session is."""

    project: str
    agent_type: str
    mode: str
    run_id: str = ""
    run_dir: str = ""
    agent_id: str = ""
    """How claims call it, where the environment says."""
    errors: tuple[str, ...] = ()

    @property
    def autonomous(self) -> bool:
        """Say whether nobody sits in front of it."""
        return self.mode == "autonomous"

    @property
    def name(self) -> str:
        """Return what it is called among the agents of its workspace."""
        return self.agent_id or f"{self.agent_type}-{self.run_id}"

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names under which it may hold a task."""
        known = (self.agent_id, f"{self.agent_type}-{self.run_id}", self.run_id, self.agent_type)
        return tuple(name for name in known if name)

    def names_any(self, *names: str) -> bool:
        """Say whether any of *names* is one of its own."""
        return any(name and name in self.names for name in names)


def detect(env: Mapping[str, str], cwd: Path, *, default: str) -> Identity:
    """Return who works in *cwd* with *env*; a project without a name is called *default*."""
    errors: list[str] = []
    run_dir = env.get("RALF_RUN_DIR", "")
    alone = bool(run_dir) or env.get("BB5_AUTONOMOUS", "").lower() in ("true", "1", "yes")
    return Identity(
        project=_guarded(_project(env, cwd), default, "project", errors),
        agent_type=_guarded(_agent(env, cwd, run_dir), "developer", "agent type", errors),
        mode="autonomous" if alone else "manual",
        run_id=_run_id(env, cwd, run_dir),
        run_dir=run_dir,
        agent_id=env.get("BB5_AGENT_NAME") or env.get("BB5_AGENT_ID", ""),
        errors=tuple(errors),
    )


def branch(cwd: Path) -> str:
    """Return the git branch that *cwd* is on, read from its files; nothing where there is none."""
    for folder in (cwd, *cwd.parents):
        git = folder / ".git"
        if git.is_file():
            pointer = git.read_text(encoding="utf-8", errors="replace").strip()
            git = folder / pointer.removeprefix("gitdir: ")
        if (git / "HEAD").is_file():
            head = (git / "HEAD").read_text(encoding="utf-8", errors="replace").strip()
            return head.removeprefix("ref: refs/heads/") if head.startswith("ref: ") else ""
    return ""


def _guarded(found: Iterator[str], default: str, what: str, errors: list[str]) -> str:
    """Return the first sign in *found* that names something, or the *default* with the reason."""
    try:
        name = next(found, "")
    except OSError as error:
        errors.append(f"{what}: {error}; using '{default}'")
        return default
    if name and not _NAME.fullmatch(name):
        errors.append(f"{what}: invalid name {name!r:.60}; using '{default}'")
        return default
    return name or default


def _project(env: Mapping[str, str], cwd: Path) -> Iterator[str]:
    if named := env.get("BB5_PROJECT", "").strip():
        yield named
    for folder in (cwd, *cwd.parents):
        if (folder / PROJECT_FILE).is_file():
            told = (folder / PROJECT_FILE).read_text(encoding="utf-8", errors="replace").split()
            if told:
                yield told[0]
    parts = cwd.parts
    if "5-project-memory" in parts[:-1]:
        yield parts[parts.index("5-project-memory") + 1]


def _agent(env: Mapping[str, str], cwd: Path, run_dir: str) -> Iterator[str]:
    if named := env.get("BB5_AGENT_TYPE", "").strip():
        yield named
    for path in (run_dir, str(cwd)):
        yield from (kind for kind in AGENTS if f"/{kind}/" in f"{path}/")
    for folder in (Path(run_dir), cwd) if run_dir else (cwd,):
        yield from (kind for kind, signs in SIGNS.items() if _any(folder, signs))
    on = branch(cwd).lower()
    yield from (kind for kind in AGENTS if kind in on)


def _any(folder: Path, signs: tuple[str, ...]) -> bool:
    return any(
        next(folder.glob(sign), None) is not None if "*" in sign else (folder / sign).exists()
        for sign in signs
    )


def _run_id(env: Mapping[str, str], cwd: Path, run_dir: str) -> str:
    """Return the run that is under way, if one is."""
    if run_dir and _NAME.fullmatch(Path(run_dir).name):
        return Path(run_dir).name
    if _RUN.fullmatch(named := env.get("RALF_RUN_ID", "")):
        return named
    found = _RUN.search(str(cwd))
    return found[0] if found else ""
