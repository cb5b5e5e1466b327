"""The shipped price list, made from the installed ``genai-prices``.

genai_prices  ->  src/snaphook/prices/listed.json

The file says for which version and day it was made. With another version installed it is left as
it is, so that a release of that package does not make every checkout stale; ``python
scripts/price_list.py`` makes it anew.
"""

from datetime import date

import msgspec

from snaphook.prices.build import build
from snaphook.prices.newer import installed_version
from snaphook.prices.table import FILE, PriceTable


def price_list(*, anew: bool = False) -> str:
    """Return what ``listed.json`` should hold."""
    if anew or not FILE.exists():
        return shown(build())
    text = FILE.read_text(encoding="utf-8")
    kept = msgspec.json.decode(text, type=PriceTable)
    if kept.version != installed_version():
        return text
    return shown(build(date.fromisoformat(kept.as_of)))


def shown(table: PriceTable) -> str:
    """Return *table* as JSON, a model a line."""
    rows = ",\n".join(
        f"    {msgspec.json.encode(name).decode()}: {msgspec.json.encode(figures).decode()}"
        for name, figures in table.prices.items()
    )
    head = f'{{\n  "version": "{table.version}",\n  "as_of": "{table.as_of}",\n  "prices": {{\n'
    return f"{head}{rows}\n  }}\n}}\n"


if __name__ == "__main__":
    FILE.write_text(price_list(anew=True), encoding="utf-8")
