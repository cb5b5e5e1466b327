"""A user's own prices: a contract, a model of one's own, a list newer than ours.

prices.toml  ->  Prices by model, or every mistake at once

    ["claude-opus-5-5"]     # dollars per million tokens
    input = 3.2
    output = 16
    cache_read = 0.16       # as input where left out
    cache_write = 4
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from snaphook.errors import ConfigError

from .names import plain
from .table import Price, usd

FIGURES = ("input", "output", "cache_read", "cache_write")


def read_prices(file: Path) -> dict[str, Price]:
    """Return the prices in *file*; a ``ConfigError`` tells everything that is wrong with it."""
    table = _read(file)
    if problems := list(_problems(table)):
        raise ConfigError(
            where=f"{file}: {problems[0][0]}",
            what="; ".join([problems[0][1], *(f"{at}: {what}" for at, what in problems[1:])]),
            fix='Write ["model"] tables with input and output in dollars per million tokens.',
        )
    return {plain(model): _price(figures) for model, figures in table.items()}


def _read(file: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        what, fix = f"cannot be read: {error.strerror}", "Name a file that can, or leave it out."
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        what, fix = f"is not valid TOML: {error}", "Fix the line."
    raise ConfigError(where=str(file), what=what, fix=fix)


def _price(figures: Mapping[str, float]) -> Price:
    read = figures["input"]
    return usd(
        read,
        figures["output"],
        figures.get("cache_read", read),
        figures.get("cache_write", read),
    )


def _problems(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for model, figures in table.items():
        if not isinstance(figures, dict):
            yield model, f"{figures!r:.40} is not a table of prices"
            continue
        for name in ("input", "output"):
            if name not in figures:
                yield model, f"'{name}' is missing"
        for name, value in figures.items():
            if name not in FIGURES:
                yield f"{model}.{name}", "is not one of input, output, cache_read, cache_write"
            elif isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
                yield f"{model}.{name}", f"invalid price {value!r:.40}"
            elif value > 100_000:
                yield f"{model}.{name}", f"{value} dollars per million tokens is out of range"
