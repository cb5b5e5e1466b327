"""What ``init`` would change, and doing it.

host + scope + Environment  ->  Changes  ->  disk

A change is shown before it is made. What a file held before is kept in the ledger, so that
``uninstall`` can put it back byte for byte.
"""

import shutil
import sys
from collections.abc import Iterable, Sequence
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from shlex import quote

import msgspec
from msgspec import Struct

from snaphook.config.environment import Environment
from snaphook.config.write import write_settings
from snaphook.errors import ConfigError
from snaphook.hosts.host import Host
from snaphook.hosts.http import Address
from snaphook.hosts.placement import HooksFormat, Placement, Wired

from . import jsonc, trust
from .entries import unwired_text, wired_text
from .ledger import InstallLedger, known_folders
from .scripts import check_free, is_our_script, script, script_paths
from .tables import unwired_tables, wired_tables


class Scope(StrEnum):
    """Whose settings: one person's, or everybody's in a project."""

    USER = "user"
    PROJECT = "project"


class Preset(StrEnum):
    """How much of a session we are called for."""

    GUARD = "guard"
    """What the agent is about to do."""
    GATES = "gates"
    """What it leaves behind when it stops."""
    FULL = "full"
    """Everything."""


_PRESETS = {
    Preset.GUARD: ("PreToolUse", "PermissionRequest", "UserPromptSubmit", "SubagentStart"),
    Preset.GATES: ("Stop", "SubagentStop", "PostToolUse"),
}


class FileChange(Struct, frozen=True, kw_only=True):
    """One file as it is and as it would be; ``None`` where it is not there."""

    host: str
    path: Path
    before: str | None
    after: str | None
    executable: bool = False
    """It is a program."""

    @property
    def changes(self) -> bool:
        """Say whether anything would be different."""
        return self.before != self.after


def program(scope: Scope) -> tuple[str, ...]:
    """Return the words with which a host should call us, before its own name.

    A project's file is shared, so it names the program alone; a user's names the very file, since
    agents started from a desktop have another PATH than a shell: the native client where it was
    built, which asks the daemon without starting a Python.
    """
    if scope is Scope.PROJECT:
        return ("snaphook", "hook")
    if native := _installed("snaphook-hook"):
        return (quote(native),)
    if found := _installed("snaphook"):
        return quote(found), "hook"
    return quote(sys.executable), "-m", "snaphook", "hook"


def _installed(name: str) -> str | None:
    """Return the program *name* of this installation, or else the one on the path."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    return str(Path(found).absolute()) if found else None


def scopes(placement: Placement) -> tuple[Scope, ...]:
    """Return the scopes in which this host keeps settings at all."""
    return (Scope.USER,) if placement.project is None else tuple(Scope)


def settings_file(placement: Placement, scope: Scope, around: Environment, root: Path) -> Path:
    """Return where *scope* keeps this host's settings here."""
    if scope is Scope.PROJECT:
        if placement.project is None:
            raise ConfigError(
                where=placement.program,
                what="has no project settings",
                fix="Use --scope user.",
            )
        return root / placement.project
    moved = around.env.get(placement.home) if placement.home else None
    if moved:
        below = Path(placement.user).parts[placement.home_depth :]
        return Path(moved).joinpath(*below)
    return around.home / placement.user


def wire(
    host: Host,
    *,
    scope: Scope,
    around: Environment,
    root: Path,
    preset: Preset = Preset.FULL,
    command: Sequence[str] | None = None,
    http: Address | None = None,
    approves: bool = False,
) -> list[FileChange]:
    """Return the changes that put us into the settings of *host*; with *http*, by that address.

    *approves*: calls may be approved automatically, for which one host needs a policy of its own.
    """
    placement = _with_preset(host, preset)
    more: list[FileChange] = []
    if approves and scope is Scope.USER and host.NAME == "gemini-cli":
        placement, policy = _approving(host, placement, around)
        more.append(policy)
    if http is not None:
        _check_http(host, placement, scope)
    path = settings_file(placement, scope, around, root)
    called = program(scope) if command is None else tuple(command)
    if placement.shape is HooksFormat.SCRIPTS:
        return _scripted(host, placement, path, called)
    before = _text(path)
    if placement.shape is HooksFormat.FILE:
        return [FileChange(host=host.NAME, path=path, before=before, after=_plugin(host, called))]
    with _HostSummary(path):
        if placement.shape is HooksFormat.TABLES:
            after = wired_tables(before or "", placement, called, host.NAME)
        else:
            after = wired_text(before, placement, called, host.NAME, http)
    changes = [FileChange(host=host.NAME, path=path, before=before, after=after)]
    return changes + more + _trusted(host, path, after, around)


def _approving(
    host: Host, placement: Placement, around: Environment
) -> tuple[Placement, FileChange]:
    """Return *placement* with a mark for approved calls, and the policy that lets them through."""
    from . import gemini_policy

    path = gemini_policy.policy_file(around)
    before = _text(path)
    mark = gemini_policy.mark_of(before)
    change = FileChange(host=host.NAME, path=path, before=before, after=gemini_policy.policy(mark))
    return gemini_policy.with_mark(placement, mark), change


def _scripted(
    host: Host, placement: Placement, folder: Path, called: Sequence[str]
) -> list[FileChange]:
    changes = []
    for event, path in script_paths(placement, folder).items():
        check_free(path, before := _text(path))
        after = script(host, event, called)
        changes.append(
            FileChange(host=host.NAME, path=path, before=before, after=after, executable=True)
        )
    return changes


def _check_http(host: Host, placement: Placement, scope: Scope) -> None:
    """Complain where an address would not do: it must fail closed, and a token is nobody else's."""
    if not placement.http:
        raise ConfigError(
            where=host.NAME,
            what="lets a call run when an HTTP hook cannot be reached, or has none",
            fix="Leave out --http to use a command hook.",
        )
    if scope is Scope.PROJECT:
        raise ConfigError(
            where=host.NAME,
            what="a project's settings are shared, and the token is yours alone",
            fix="Use --scope user with --http.",
        )


def unwire(
    host: Host, *, scope: Scope, around: Environment, root: Path, ledger: InstallLedger
) -> list[FileChange]:
    """Return the changes that leave the settings of *host* as if we had never been there."""
    placement = _placement(host)
    if scope not in scopes(placement):
        return []
    path = settings_file(placement, scope, around, root)
    paths = [path]
    if placement.shape is HooksFormat.SCRIPTS:
        paths = [*script_paths(_placement(host), path).values()]
    changes = [_restored(host, placement, one, ledger) for one in paths]
    if host.NAME == "codex":
        changes.append(_distrusted(host, path, around, ledger))
    if host.NAME == "gemini-cli" and scope is Scope.USER:
        changes.append(_without_policy(host, around))
    return [change for change in changes if change.changes]


def apply(changes: Iterable[FileChange], ledger: InstallLedger) -> None:
    """Make *changes*, noting first what each file held."""
    for change in changes:
        if change.after is None:
            change.path.unlink(missing_ok=True)
            ledger.forget(change.path)
            continue
        folders = _missing_folders(change.path)
        ledger.note(change.path, before=change.before, after=change.after, folders=folders)
        write_settings(change.path, change.after, mode=0o755 if change.executable else 0o644)


def revert(changes: Iterable[FileChange], ledger: InstallLedger) -> None:
    """Make *changes* that undo earlier ones; a file that is as it was is forgotten."""
    made: list[tuple[str, ...]] = []
    for change in changes:
        known = ledger.recall(change.path)
        if change.after is None:
            change.path.unlink(missing_ok=True)
            ledger.forget(change.path)
            made.append(known_folders(known))
            continue
        write_settings(change.path, change.after)
        if known is not None and known.before != change.after:
            ledger.keep(change.path, before=known.before, after=change.after, folders=known.folders)
        else:
            ledger.forget(change.path)
    for folders in made:  # when all files are gone: several may have stood in one folder
        _remove_empty(folders)


def _missing_folders(path: Path) -> tuple[str, ...]:
    """Return the folders above *path* that are not there yet, the innermost first."""
    return tuple(str(one) for one in path.parents if not one.exists())


def _remove_empty(folders: Iterable[str]) -> None:
    """Remove the *folders* we once made, as far as nothing else is in them by now."""
    for folder in folders:
        try:
            Path(folder).rmdir()
        except OSError:  # not empty, or gone
            return


def _with_preset(host: Host, preset: Preset) -> Placement:
    placement = _placement(host)
    if preset is Preset.FULL or placement.shape is HooksFormat.FILE:
        return placement
    kept = tuple(w for w in placement.wired if _event(host, w) in _PRESETS[preset])
    return msgspec.structs.replace(placement, wired=kept)


def _event(host: Host, wired: Wired) -> str:
    return host.CAN[wired.event].event.__name__


def _placement(host: Host) -> Placement:
    if host.PLACEMENT is None:
        raise ConfigError(
            where=host.NAME,
            what="has no settings of its own",
            fix=f"Have your agent run: snaphook hook {host.NAME} EVENT",
        )
    return host.PLACEMENT


def _plugin(host: Host, command: Sequence[str]) -> str:
    source = files("snaphook.hosts").joinpath(_placement(host).plugin).read_text()
    words = [word.strip("'") for word in command]
    return source.replace(
        '/* SNAPHOOK */ ["snaphook", "hook"]', msgspec.json.encode(words).decode()
    ).replace('/* HOST */ "opencode"', msgspec.json.encode(host.NAME).decode())


def _restored(host: Host, placement: Placement, path: Path, ledger: InstallLedger) -> FileChange:
    """Return the old bytes if nobody else touched the file since, else the file without us."""
    now = _text(path)
    if now is None:
        return FileChange(host=host.NAME, path=path, before=None, after=None)
    known = ledger.recall(path)
    if known is not None and known.after == now:
        return FileChange(host=host.NAME, path=path, before=now, after=known.before)
    if placement.shape in (HooksFormat.FILE, HooksFormat.SCRIPTS):
        ours = is_our_script(now) or "Written by `snaphook init`" in now
        return FileChange(host=host.NAME, path=path, before=now, after=None if ours else now)
    with _HostSummary(path):
        if placement.shape is HooksFormat.TABLES:
            after, left = unwired_tables(now, placement, host.NAME), {}
        else:
            after = unwired_text(now, placement, host.NAME)
            left = jsonc.parse(after).value
    created = known is not None and known.before is None
    bare = all(placement.root.get(key) == value for key, value in left.items())
    gone = created and bare and not (placement.shape is HooksFormat.TABLES and after.strip())
    return FileChange(host=host.NAME, path=path, before=now, after=None if gone else after)


def _trusted(host: Host, path: Path, after: str, around: Environment) -> list[FileChange]:
    if host.NAME != "codex":
        return []
    config = _codex_config(around)
    before = _text(config)
    wanted = trust.hashes(jsonc.parse(after).value, str(path))
    with _HostSummary(config):
        trusted = trust.trusting(before or "", wanted)
    return [FileChange(host=host.NAME, path=config, before=before, after=trusted)]


def _distrusted(host: Host, path: Path, around: Environment, ledger: InstallLedger) -> FileChange:
    config = _codex_config(around)
    now = _text(config)
    known = ledger.recall(config)
    if now is None:
        return FileChange(host=host.NAME, path=config, before=None, after=None)
    if known is not None and known.after == now:
        return FileChange(host=host.NAME, path=config, before=now, after=known.before)
    hooks = _text(path)
    with _HostSummary(config):
        keys = set(trust.hashes(jsonc.parse(hooks).value, str(path))) if hooks else set()
        after = trust.untrusting(now, keys)
    return FileChange(host=host.NAME, path=config, before=now, after=after)


def _without_policy(host: Host, around: Environment) -> FileChange:
    from .gemini_policy import policy_file

    path = policy_file(around)
    return FileChange(host=host.NAME, path=path, before=_text(path), after=None)


def _codex_config(around: Environment) -> Path:
    return Path(around.env.get("CODEX_HOME") or around.home / ".codex") / "config.toml"


def _text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as why:
        raise ConfigError(
            where=str(path),
            what=f"cannot be read ({why})",
            fix="Make it a readable UTF-8 file, then try again; nothing was changed.",
        ) from None


class _HostSummary:
    """Put the file's name in front of what a pure editor complains about."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: object, error: BaseException | None, at: object) -> None:
        if isinstance(error, ConfigError):
            raise ConfigError(
                where=f"{self.path}: {error.where}", what=error.what, fix=error.fix
            ) from None
