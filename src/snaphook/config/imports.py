"""Settings of other tools as ``snaphook.toml``.

settings.json, .safety-net.json, .pre-commit-config.yaml, lefthook.yml  ->  hooks and guard rules

Pure: text in, tables out. What has no counterpart is listed, never dropped in silence.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

import tomlkit
import yaml
from msgspec import Struct, field

from snaphook.errors import UsageError

from .gather import calls_snaphook

SOURCES = ("claude-code", "cc-safety-net", "pre-commit", "lefthook")
_NAMES: Mapping[str, str] = {
    "settings.json": "claude-code",
    "settings.local.json": "claude-code",
    ".safety-net.json": "cc-safety-net",
    "config.json": "cc-safety-net",
    "rulebook.json": "cc-safety-net",
    ".pre-commit-config.yaml": "pre-commit",
    ".pre-commit-config.yml": "pre-commit",
    "lefthook.yml": "lefthook",
    "lefthook.yaml": "lefthook",
    ".lefthook.yml": "lefthook",
    ".lefthook.yaml": "lefthook",
}
_FILES = {
    # https://lefthook.dev/configuration/run.html: the placeholders, as git commands
    "{staged_files}": "$(git diff --name-only --diff-filter=d HEAD)",
    "{push_files}": "$(git diff --name-only --diff-filter=d @{upstream})",
    "{all_files}": "$(git ls-files)",
    "{files}": "$(git diff --name-only --diff-filter=d HEAD)",
}


class Imported(Struct, frozen=True, kw_only=True):
    """What a file of another tool becomes."""

    source: str
    hooks: tuple[tuple[str, dict[str, Any]], ...] = ()
    rules: tuple[dict[str, Any], ...] = ()
    left_out: tuple[str, ...] = field(default_factory=tuple)
    """Entries without a counterpart, each with the reason."""


def guess(path: PurePath) -> str:
    """Return which tool a file of this name belongs to, or nothing."""
    return _NAMES.get(path.name, "")


def convert(text: str, source: str, *, where: str) -> Imported:
    """Return *text*, a file of the tool *source*, as settings; a UsageError where it cannot be read."""
    try:
        data = yaml.safe_load(text) if source in ("pre-commit", "lefthook") else json.loads(text)
    except (yaml.YAMLError, ValueError) as error:
        what = " ".join(str(error).split())
        raise UsageError(where=where, what=f"cannot be read: {what}", fix="Fix it.") from None
    if not isinstance(data, dict):
        raise UsageError(where=where, what="is not a table", fix="Check the path.")
    return _CONVERT[source](data)


def as_toml(found: Imported) -> str:
    """Return *found* as text for ``snaphook.toml``."""
    document = tomlkit.document()
    document.add(tomlkit.comment(f"Imported from {found.source}."))
    for line in found.left_out:
        document.add(tomlkit.comment(f"Not imported: {line}"))
    if found.hooks:
        events = tomlkit.table(is_super_table=True)
        for event, entry in found.hooks:
            events.setdefault(event, tomlkit.aot()).append(_table(entry))
        document["hooks"] = events
    if found.rules:
        guard = tomlkit.table(is_super_table=True)
        rules = guard.setdefault("rule", tomlkit.aot())
        for rule in found.rules:
            rules.append(_table(rule))
        document["guard"] = guard
    return tomlkit.dumps(document)


def _table(entry: Mapping[str, Any]) -> Any:
    table = tomlkit.table()
    for name, value in entry.items():
        table.add(name, value)
    return table


def _claude_code(data: Mapping[str, Any]) -> Imported:
    hooks: list[tuple[str, dict[str, Any]]] = []
    left: list[str] = []
    for event, groups in _tables(data.get("hooks")):
        for group in groups if isinstance(groups, list) else ():
            for one in group.get("hooks", ()) if isinstance(group, dict) else ():
                kind, command = one.get("type", "command"), str(one.get("command", ""))
                if kind != "command":
                    left.append(f"{event}: a hook of type '{kind}', which only its host can run")
                elif not calls_snaphook(command):
                    hooks.append((event, _claude_hook(group, one, command)))
    return Imported(source="claude-code", hooks=tuple(hooks), left_out=tuple(left))


def _claude_hook(group: Mapping[str, Any], one: Mapping[str, Any], command: str) -> dict[str, Any]:
    entry: dict[str, Any] = {}
    if group.get("matcher") not in (None, "", "*"):
        entry["matcher"] = _matcher(str(group["matcher"]))
    entry["command"] = command
    for theirs, ours in (
        ("args", "args"),
        ("timeout", "timeout"),
        ("if", "if"),
        ("async", "async"),
    ):
        if theirs in one:
            entry[ours] = one[theirs]
    if one.get("onFailure") == "block":
        entry["on_failure"] = "block"
    return entry


def _matcher(text: str) -> str:
    """Return a matcher of Claude Code, a regular expression over the whole name, as ours."""
    return text if re.fullmatch(r"[\w|, ]+", text) else f"/^(?:{text})$/"


def _cc_safety_net(data: Mapping[str, Any]) -> Imported:
    rules: list[dict[str, Any]] = []
    left: list[str] = []
    for rule in data.get("rules", ()) if isinstance(data.get("rules"), list) else ():
        if not isinstance(rule, dict) or not rule.get("command"):
            left.append(f"{rule!r:.80}: it names no command")
            continue
        name = re.sub(r"[^a-z0-9.-]+", "-", str(rule.get("name", rule["command"])).lower())
        entry: dict[str, Any] = {
            "id": f"imported.{name}",
            "verdict": "deny",
            "program": str(rule["command"]),
        }
        if rule.get("subcommand"):
            entry["subcommand"] = str(rule["subcommand"])
        words = [str(one) for one in rule.get("block_args", ())]
        flags = [one for one in words if one.startswith("-")]
        others = [rf"(^|\s){re.escape(one)}(\s|$)" for one in words if not one.startswith("-")]
        if flags and others:  # conditions of one rule hold together: two rules for two alternatives
            rules.append({**entry, "id": f"{entry['id']}-args", "args": others})
        elif others:
            entry["args"] = others
        if flags:
            entry["flags"] = flags
        if rule.get("reason"):
            entry["message"] = str(rule["reason"])
        rules.append(entry)
    return Imported(source="cc-safety-net", rules=tuple(rules), left_out=tuple(left))


def _pre_commit(data: Mapping[str, Any]) -> Imported:
    ids = [
        str(hook.get("id"))
        for repo in data.get("repos", ()) or ()
        for hook in repo.get("hooks", ()) or ()
    ]
    if not ids:
        return Imported(source="pre-commit", left_out=("no hooks in 'repos'",))
    command = "pre-commit run --files $(git diff --name-only --diff-filter=d HEAD) >&2 || exit 2"
    entry = {"name": "pre-commit", "command": command, "timeout": 300}
    return Imported(source=f"pre-commit ({', '.join(ids)})", hooks=(("Stop", entry),))


def _lefthook(data: Mapping[str, Any]) -> Imported:
    hooks, left = [], []
    for stage, table in _tables(data):
        if not isinstance(table, dict):
            continue
        for name, run in _lefthook_commands(table):
            if stage not in ("pre-commit", "pre-push"):
                left.append(f"{stage} {name}: it belongs to git, not to an agent")
                continue
            for theirs, ours in _FILES.items():
                run = run.replace(theirs, ours)
            hooks.append(
                ("Stop", {"name": name, "command": f"{{ {run}; }} >&2 || exit 2", "timeout": 300})
            )
    return Imported(source="lefthook", hooks=tuple(hooks), left_out=tuple(left))


def _lefthook_commands(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, one in _tables(table.get("commands")):
        if isinstance(one, dict) and one.get("run"):
            yield name, str(one["run"]).strip()
    for number, one in enumerate(table.get("jobs") or ()):
        if isinstance(one, dict) and one.get("run"):
            yield str(one.get("name", f"job-{number + 1}")), str(one["run"]).strip()


def _tables(value: Any) -> Iterator[tuple[str, Any]]:
    yield from ((str(key), one) for key, one in value.items()) if isinstance(value, dict) else ()


_CONVERT = {
    "claude-code": _claude_code,
    "cc-safety-net": _cc_safety_net,
    "pre-commit": _pre_commit,
    "lefthook": _lefthook,
}
