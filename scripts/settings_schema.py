"""The JSON schema of ``snaphook.toml``, with a description for every property.

config/keys.py, SECTION_SPECS  ->  settings.schema.json

Draft 7, which taplo, VS Code and SchemaStore all read. There a ``$ref`` hides its neighbours, so a described
reference is wrapped in ``allOf``.
"""

from collections.abc import Mapping
from inspect import cleandoc
from typing import Any, get_args

import msgspec
from msgspec import Struct
from section_tables import docstrings

from snaphook.canon.events import HOST_EVENTS
from snaphook.canon.table import EVENTS
from snaphook.config.keys import NATIVE, NATIVE_HOOK, PROVIDER, KeyKind, Keys, SettingKey
from snaphook.wiring.sections import every_section

URL = "https://raw.githubusercontent.com/snaphook/snaphook/main/schemas/settings.schema.json"
_KINDS: Mapping[KeyKind, dict[str, Any]] = {
    KeyKind.TEXT: {"type": "string"},
    KeyKind.SECONDS: {"type": "number", "exclusiveMinimum": 0},
    KeyKind.COUNT: {"type": "integer"},
    KeyKind.FLAG: {"type": "boolean"},
    KeyKind.TEXTS: {"type": "array", "items": {"type": "string"}},
    KeyKind.WORDS: {"type": "object", "additionalProperties": {"type": "string"}},
    KeyKind.TABLE: {"type": "object"},
    KeyKind.LIST: {"type": "array"},
}
_BY_NAME: Mapping[str, str] = {
    "enabled": "Set to false to disable this part.",
    "timeout": "Seconds before an attempt to send fails.",
    "dollars": "Limit in US dollars.",
    "tokens": "Limit in tokens.",
    "per": "Period of the limit: day or month.",
    "model": "Model as vendor:model, such as anthropic:claude-sonnet-5-5.",
    "permission_mode": "Which tools run without asking.",
    "confined": "Keep file tools inside the working directory.",
    "max_turns": "Maximum number of model turns per message.",
    "context_tokens": "Size of the context window in tokens; compaction starts before it is full.",
    "max_depth": "How deep subagents may be nested.",
    "max_subagents": "How many subagents one session may start.",
    "batch": "Maximum number of records per request to the endpoint.",
    "project": "Limit for one project, per day or month.",
    "tenant": "Limit for one tenant, per day or month.",
    "month": "Limit per calendar month (UTC).",
    "max_retries": "Fix attempts per task before the build halts; 0 runs the gates once.",
    "command": "Command that receives the message on stdin.",
    "host": "Host name of the mail server.",
    "user": "User name at the mail server.",
    "password_env": "Environment variable with the password.",
    "password_file": "File with the password, readable only by you.",
    "sender": "Address the mail is sent from.",
    "to": "Addresses the mail is sent to.",
    "protected_branches": "Branches on which nothing is committed automatically.",
    "heartbeat_seconds": "Seconds between two heartbeats of a running agent.",
    "permissions": "Which permission requests are answered automatically.",
    "days": "Number of days to keep matching records.",
    "keep_days": "Number of days to keep records.",
    "segment_mb": "Size of one log file in MB before a new one starts.",
    "url": "URL to post to.",
    "url_env": "Environment variable with the URL.",
    "url_file": "File with the URL, readable only by you.",
    "token_env": "Environment variable with the token.",
    "base_url": "URL of the API, for a proxy or a test server.",
    "secret_file": "File with the key that signs requests (HMAC-SHA256).",
    "type": "Type of the channel.",
}
"""Keys whose source has no description of its own."""


def settings_schema() -> dict[str, Any]:
    """Return the schema of a whole ``snaphook.toml``."""
    specs = dict(every_section())
    tables, components = msgspec.json.schema_components(
        list(specs.values()), ref_template="#/definitions/{name}"
    )
    known = _structs(specs.values())
    for name, component in components.items():
        _describe(component, known.get(name))
    sections = {
        name: _described(table, _first(kind.__doc__))
        for (name, kind), table in zip(specs.items(), tables, strict=True)
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": URL,
        "title": "snaphook.toml",
        "description": "Settings of Snaphook: hooks, providers, guard rules and policies.",
        "type": "object",
        "additionalProperties": False,
        "properties": {**_native(), **sections},
        "definitions": {"Hook": _hook(), **dict(sorted(components.items()))},
    }


def _native() -> dict[str, Any]:
    own = _properties(NATIVE)
    events = [*(spec.name for spec in EVENTS), *HOST_EVENTS]
    hooks = {"type": "array", "items": {"$ref": "#/definitions/Hook"}}
    own["hooks"] |= {
        "properties": {
            event: {"description": f"Commands to run on {event}.", **hooks} for event in events
        },
        "additionalProperties": hooks,
    }
    own["providers"]["additionalProperties"] = {
        "type": "object",
        "additionalProperties": False,
        "properties": _properties(PROVIDER),
    }
    return own


def _hook() -> dict[str, Any]:
    """Return the schema of a hook; hooks may also be grouped below a matcher, as in Claude Code."""
    group = {
        "description": "Hooks that share this matcher.",
        "type": "array",
        "items": {"$ref": "#/definitions/Hook"},
    }
    return {
        "description": "A command that runs when its event happens.",
        "type": "object",
        "additionalProperties": False,
        "properties": {**_properties(NATIVE_HOOK), "hooks": group},
    }


def _properties(keys: Keys) -> dict[str, Any]:
    return {name: _property(key) for name, key in keys.items()}


def _property(key: SettingKey) -> dict[str, Any]:
    choices = {"enum": list(key.choices)} if key.choices else {}
    return {"description": key.meaning, **_KINDS[key.kind], **choices}


def _describe(component: dict[str, Any], kind: type[Struct] | None) -> None:
    """Give *component* and each of its properties a description, and refuse unknown keys."""
    if "description" in component:
        component["description"] = _first(component["description"])
    fields = component.get("properties")
    if fields is None:
        return
    told = docstrings(kind) if kind else {}
    names = {one.encode_name: one.name for one in msgspec.structs.fields(kind)} if kind else {}
    for name in list(fields):
        if name.startswith("("):  # ours, not for files
            del fields[name]
            continue
        text = told.get(names.get(name, name)) or _BY_NAME.get(name, "")
        fields[name] = _described(fields[name], text.replace("``", "`"))
    component["required"] = [one for one in component.get("required", []) if one in fields]
    component["additionalProperties"] = False


def _described(schema: dict[str, Any], text: str) -> dict[str, Any]:
    rest = {key: value for key, value in schema.items() if key != "$ref"}
    referred = {"allOf": [{"$ref": schema["$ref"]}]} if "$ref" in schema else {}
    return {"description": text, **rest, **referred}


def _first(text: str | None) -> str:
    return cleandoc(text or "").split("\n\n")[0].replace("\n", " ").replace("``", "`")


def _structs(kinds: Any) -> dict[str, type[Struct]]:
    """Return every Struct that *kinds* are made of, by name."""
    found: dict[str, type[Struct]] = {}

    def collect(kind: Any) -> None:
        for inner in get_args(kind):
            collect(inner)
        if isinstance(kind, type) and issubclass(kind, Struct) and kind.__name__ not in found:
            found[kind.__name__] = kind
            for field in msgspec.structs.fields(kind):
                collect(field.type)

    for kind in kinds:
        collect(kind)
    return found
