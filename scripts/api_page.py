"""The Python API as a reference page.

snaphook.__all__  ->  docs/reference/api.md
"""

import inspect
from enum import Enum
from typing import Any

import msgspec
from msgspec import Struct
from section_tables import docstrings

import snaphook

_HEAD = """# Python API

Everything that `import snaphook` offers; [embed](../how-to/embed.md) and
[write a provider](../how-to/write-a-provider.md) show how the parts fit together. This page is generated
from the code.

"""


def api_page() -> str:
    """Return the page: each exported name with its signature, description and fields."""
    parts = [_entry(name, getattr(snaphook, name)) for name in sorted(snaphook.__all__)]
    return _HEAD + "\n".join(parts)


def _entry(name: str, thing: Any) -> str:
    text = f"## {name}\n\n{inspect.cleandoc(thing.__doc__ or '').replace('``', '`')}\n"
    if isinstance(thing, type) and issubclass(thing, Struct):
        return text + _fields(thing)
    if isinstance(thing, type) and issubclass(thing, Enum):
        rows = "".join(f"| `{one.name}` | `{one.value!r}` |\n" for one in thing)
        return f"{text}\n| member | value |\n|---|---|\n{rows}"
    if isinstance(thing, type):
        return text + "".join(_method(one, what) for one, what in _methods(thing)) + "\n"
    return f"{text}\n```python\n{name}{inspect.signature(thing)}\n```\n"


def _fields(kind: type[Struct]) -> str:
    told = docstrings(kind)
    rows = "".join(
        f"| `{field.name}` | {'yes' if field.required else ''} | {_cell(told.get(field.name, ''))} |\n"
        for field in msgspec.structs.fields(kind)
    )
    return f"\n| field | required | meaning |\n|---|---|---|\n{rows}" if rows else ""


def _methods(kind: type) -> list[tuple[str, Any]]:
    return [
        (name, what)
        for name, what in vars(kind).items()
        if not name.startswith("_") and inspect.isfunction(what) and what.__doc__
    ]


def _method(name: str, what: Any) -> str:
    first = inspect.cleandoc(what.__doc__ or "").split("\n\n")[0].replace("\n", " ")
    return f"\n- `{name}()`: {_cell(first)}"


def _cell(text: str) -> str:
    return text.replace("``", "`").replace("|", "\\|")
