"""What people may change about provenance.

[provenance] of snaphook.toml  ->  ProvenanceSettings
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

SINKS = (
    "send",
    "fetch",
    "install",
    "run",
    "remote",
    "configure",
    "obey",
    "permit",
    "pay",
    "change",
    "secret",
)
ANSWERS = ("off", "warn", "ask", "deny")
TRUSTS = ("person", "project", "local", "outside")


class ProvenanceSettings(Struct, frozen=True, kw_only=True):
    """What counts as trusted, what is asked about, and what is done with results."""

    enabled: bool = True
    mode: Literal["enforce", "audit"] = "enforce"
    """`audit` only logs what would be asked or denied."""
    sources: Mapping[str, str] = {}
    """Trust by tool, or by tool and address: `"mcp__wiki__*" = "project"`."""
    sinks: Mapping[str, str] = {}
    """Answers by kind of sink: `off`, `warn`, `ask` or `deny`."""
    allow: tuple[str, ...] = ()
    """Globs of values that are fine wherever they came from: `docs.acme.dev`, `acme-*`."""
    results: Literal["clean", "annotate", "off"] = "clean"
    """`clean` takes hidden text out of results from outside; `annotate` only says that there was some."""

    @staticmethod
    def flaws(table: Mapping[str, object]) -> Iterator[tuple[tuple[str, ...], str, str]]:
        """Yield what the types cannot tell: kinds of sinks and answers that do not exist."""
        for name, known, values in (("sinks", ANSWERS, SINKS), ("sources", TRUSTS, ())):
            lines = table.get(name)
            for key, answer in lines.items() if isinstance(lines, Mapping) else ():
                if values and key not in values:
                    yield (
                        (name, str(key)),
                        f"unknown sink '{key}'",
                        f"Use one of: {', '.join(values)}.",
                    )
                if answer not in known:
                    yield (
                        (name, str(key)),
                        f"unknown answer '{answer}'",
                        f"Use one of: {', '.join(known)}.",
                    )
