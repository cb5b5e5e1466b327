"""How a host stands on this machine.

host + Environment  ->  HostStatus

Nothing is changed. The hook that is wired is run, with a message that names a dangerous command and
one that names a harmless one; neither command is ever executed.
"""

import contextlib
import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from snaphook.canon import HostEvent
from snaphook.config.environment import Environment
from snaphook.config.probes import DANGEROUS, HARMLESS, VARIABLE
from snaphook.errors import ConfigError
from snaphook.hosts.host import Host, Reply
from snaphook.hosts.http import TOKEN, is_our_url
from snaphook.hosts.install import Scope, jsonc, scopes, settings_file, trust
from snaphook.hosts.install.entries import commands_of
from snaphook.hosts.install.scripts import is_our_script, script_paths
from snaphook.hosts.install.tables import lines_of
from snaphook.hosts.placement import HooksFormat, Placement

from .listing import ignored
from .probe import is_refusal, judged, probe
from .switched_off import switched_off

SECONDS = 30


class HostStatus(Struct, frozen=True, kw_only=True):
    """What is true of a host here, and what to do about it."""

    host: str
    program: str | None = None
    version: str | None = None
    wired: tuple[Scope, ...] = ()
    missing: tuple[str, ...] = ()
    """Events of the full preset that nobody calls us for."""
    answers: bool | None = None
    """Our wired command runs and says something; ``None`` if there is none to run."""
    refuses: bool | None = None
    passes: bool | None = None
    problems: tuple[str, ...] = ()
    """What is wrong, and what to do about it."""

    @property
    def healthy(self) -> bool:
        """Say whether nothing is wrong; not to be wired is no fault."""
        return not self.problems


def examine(host: Host, around: Environment, root: Path) -> HostStatus:
    """Return how *host* stands here."""
    placement = host.PLACEMENT
    assert placement is not None, "a host without settings cannot be examined"
    program, version = installed(placement, around)
    problems: list[str] = list(switched_off(placement, around, root))
    lines: dict[Scope, dict[str, str]] = {}
    for scope in scopes(placement):
        try:
            lines[scope] = dict(_wired(host, placement, scope, around, root))
        except ConfigError as error:
            problems.append(str(error))
    wired = tuple(scope for scope, found in lines.items() if found)
    called = {event: line for found in lines.values() for event, line in found.items()}
    missing = tuple(e.event for e in placement.wired if called and e.event not in called)
    answers, refuses, passes = _asked(host, called, around, root, problems)
    if program and wired and (why := ignored(host.NAME, program, around, root)):
        problems.append(f"{why}. Fix the file, then run 'snaphook init --host {host.NAME}'.")
    if host.NAME == "codex":
        problems += _untrusted(placement, around, root)
    return HostStatus(
        host=host.NAME,
        program=program,
        version=version,
        wired=wired,
        missing=missing,
        answers=answers,
        refuses=refuses,
        passes=passes,
        problems=tuple(problems),
    )


def installed(placement: Placement, around: Environment) -> tuple[str | None, str | None]:
    """Return the agent's program, if it is on the path, and its version, if it tells."""
    program = shutil.which(placement.program, path=around.env.get("PATH"))
    return program, _version(program)


def called_for(host: Host, around: Environment, root: Path) -> frozenset[str]:
    """Return the events, by our names, for which *host* is wired to call us here; nothing is run."""
    placement = host.PLACEMENT
    assert placement is not None, "a host without settings cannot be examined"
    found: set[str] = set()
    for scope in scopes(placement):
        with contextlib.suppress(ConfigError):  # 'doctor' says what is wrong with it
            found |= {event for event, _ in _wired(host, placement, scope, around, root)}
    return frozenset(_ours(host, event) for event in found if event in host.CAN)


def _ours(host: Host, event: str) -> str:
    kind = host.CAN[event].event
    return event if kind is HostEvent else kind.__name__


def _wired(
    host: Host, placement: Placement, scope: Scope, around: Environment, root: Path
) -> Iterator[tuple[str, str]]:
    """Yield each event we are called for, and the command line that is called."""
    path = settings_file(placement, scope, around, root)
    if not path.exists():
        return
    if placement.shape is HooksFormat.SCRIPTS:
        for event, file in script_paths(placement, path).items():
            if file.exists() and is_our_script(file.read_text(errors="replace")):
                yield event, shlex.quote(str(file))
        return
    text = path.read_text(errors="replace")
    if placement.shape is HooksFormat.FILE:
        found = next((line for line in text.splitlines() if line.startswith("const COMMAND")), None)
        if found is not None:
            words = json.loads(found.partition("= ")[2].replace("/* SNAPHOOK */", ""))
            for entry in placement.wired:
                yield entry.event, shlex.join([*words, host.NAME, entry.event])
        return
    try:
        if placement.shape is HooksFormat.TABLES:
            yield from lines_of(text, placement, host.NAME)
        else:
            yield from commands_of(text, placement, host.NAME)
    except ConfigError as error:
        raise ConfigError(where=f"{path}: {error.where}", what=error.what, fix=error.fix) from None


def _asked(
    host: Host, called: Mapping[str, str], around: Environment, root: Path, problems: list[str]
) -> tuple[bool | None, bool | None, bool | None]:
    event = judged(host)
    if event is None or event not in called:
        return None, None, None
    by_http = is_our_url(called[event], host.NAME)

    def ask(command: str) -> Reply | None:
        wire = probe(host, event, command, str(root))
        return _post(called[event], wire, around) if by_http else _run(called[event], wire)

    refusal, silence = ask(DANGEROUS), ask(HARMLESS)
    if refusal is None or silence is None:
        problems.append(
            f"No answer at {called[event]}. Run 'snaphook daemon restart'."
            if by_http
            else f"Its hook does not run: {called[event]}. Run 'snaphook init' again."
        )
        return False, False, None
    refuses, passes = is_refusal(refusal), not is_refusal(silence)
    if not refuses:
        problems.append(f"'{DANGEROUS}' was not denied: is the guard disabled in the settings?")
    if not passes:
        why = (silence.stdout or silence.stderr).decode(errors="replace").strip()
        problems.append(f"Even '{HARMLESS}' is denied: {why[:200]}")
    return True, refuses, passes


def _run(line: str, wire: bytes) -> Reply | None:
    """Return what the wired command says, or ``None`` if it cannot be run or fails by itself."""
    try:
        ran = subprocess.run(
            ["/bin/sh", "-c", line],
            input=wire,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            env={**os.environ, VARIABLE: "1"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if ran.returncode not in (0, 2):
        return None
    return Reply(stdout=ran.stdout, stderr=ran.stderr, exit_code=ran.returncode)


def _post(url: str, wire: bytes, around: Environment) -> Reply | None:
    """Return what the daemon says at *url*, or ``None`` if it says nothing that counts."""
    from urllib.request import Request, urlopen

    try:
        secret = (around.data_dir / TOKEN).read_text(encoding="ascii").strip()
        headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        asking = Request(url, data=wire, headers=headers)  # noqa: S310 - one of our own addresses
        with urlopen(asking, timeout=SECONDS) as told:  # noqa: S310
            return Reply(stdout=told.read())
    except (OSError, ValueError):
        return None


def _untrusted(placement: Placement, around: Environment, root: Path) -> Iterator[str]:
    """Yield a word if Codex would skip our hooks because it does not trust these very words."""
    config = Path(around.env.get("CODEX_HOME") or around.home / ".codex") / "config.toml"
    for scope in scopes(placement):
        path = settings_file(placement, scope, around, root)
        if not path.exists():
            continue
        wanted = trust.hashes(jsonc.parse(path.read_text()).value, str(path))
        known = trust.trusted(config.read_text()) if config.exists() else {}
        if any(known.get(key) != value for key, value in wanted.items()):
            yield "Codex does not trust these hooks and skips them. Run: snaphook init --host codex"


def _version(program: str | None) -> str | None:
    if program is None:
        return None
    try:
        ran = subprocess.run(
            [program, "--version"],
            capture_output=True,
            timeout=SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    words = ran.stdout.decode(errors="replace").split()
    return next((word.strip("v,.") for word in words if word.strip("v")[:1].isdigit()), None)
