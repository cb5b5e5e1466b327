"""``make bench``: run every benchmark, or those named.

python -m bench [NAME …]
"""

import sys
from importlib import import_module
from pathlib import Path

from bench import table
from snaphook.errors import MissingExtra

HERE = Path(__file__).parent
LONG = {"soak"}
"""Benchmarks that take minutes: run where they are named."""


def main() -> int:
    """Run the benchmarks that the command line names, all by default."""
    names = sorted(
        p.stem
        for p in HERE.glob("*.py")
        if p.stem not in {"__init__", "__main__", "load", "runlogs", "table"}
    )
    wanted = sys.argv[1:] or [name for name in names if name not in LONG]
    if unknown := set(wanted) - set(names):
        print(f"bench: no benchmark {', '.join(sorted(unknown))}. There are: {', '.join(names)}.")
        return 2
    left_out = [line for name in wanted if (line := _run(name))]
    status = table.verdict()
    if left_out:
        print("\nLeft out:")
        print("\n".join(f"  {line}" for line in left_out))
    return status


def _run(name: str) -> str:
    """Run a benchmark; return why it was left out where something that it needs is not installed."""
    try:
        import_module(f"bench.{name}").main()
    except (ImportError, MissingExtra) as missing:
        return f"{name}: {missing} 'make sdks' installs what the benchmarks of SDKs need."
    return ""


sys.exit(main())
