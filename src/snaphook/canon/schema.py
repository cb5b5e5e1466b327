"""JSON Schemas of every event and output, made from the types themselves.

AnyEvent, AnyOutput  ->  {file name: schema}
"""

from inspect import cleandoc
from typing import Any

import msgspec

from .events import AnyEvent
from .outputs import AnyOutput


def schemas() -> dict[str, dict[str, Any]]:
    """Return the schema of each file that ``schemas/`` holds, by file name."""
    return {
        "events.schema.json": _schema(AnyEvent, "An event, as Snaphook writes it down"),
        "outputs.schema.json": _schema(AnyOutput, "What a provider may answer"),
    }


def _schema(kind: Any, title: str) -> dict[str, Any]:
    schema = msgspec.json.schema(kind)
    for definition in schema["$defs"].values():
        if "description" in definition:  # a docstring: Python 3.13 takes its indentation away
            definition["description"] = cleandoc(definition["description"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **schema,
    }
