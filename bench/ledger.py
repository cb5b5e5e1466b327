"""What a ledger, a fence and a trail cost: budget, tenants and audit, alone and with all the rest."""

import asyncio
import json
import os
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.table import row, section
from snaphook.canon import HookContext, PostToolUse, PreToolUse
from snaphook.config import Environment
from snaphook.engine import Engine
from snaphook.providers.budget.provider import BudgetProvider
from snaphook.providers.budget.settings import BudgetSettings, LimitTable, PeriodTable
from snaphook.stores.budget import open_meter
from snaphook.stores.eventlog import Durability, EventLog, LogSettings, Record
from snaphook.stores.eventlog.audit import verify
from snaphook.stores.eventlog.trail.check import check
from snaphook.stores.eventlog.trail.keys import make_key
from snaphook.stores.eventlog.trail.settings import AuditSettings
from snaphook.stores.eventlog.trail.trail import Trail
from snaphook.wiring import assembly

EVERYTHING = """
[budget]
per_minute = 100
[budget.session]
dollars = 50
[budget.tree]
dollars = 90
[budget.day]
dollars = 100
[tenants.acme]
default = true
[tenants.acme.budget.tenant]
dollars = 1000
[resilience]
[context]
[providers.default.options]
allowed_write_paths = ["src/**"]
scrub_pii = true
scrub_secrets = true
reviewer_lockout = true
"""
RECORDS = 20_000


def _context(folder: Path) -> HookContext:
    return HookContext(
        session_id="bench",
        team_root=str(folder),
        cwd=str(folder),
        host="claude-code",
        transcript_path=str(folder / "t.jsonl"),
    )


def _grow(path: Path, n: int) -> None:
    """Have the host write down one more answer, in the four lines it takes it."""
    usage = {"input_tokens": 3, "cache_read_input_tokens": 40_000, "output_tokens": 200}
    message = {"id": f"m{n}", "model": "claude-sonnet-5", "usage": usage, "content": "x" * 500}
    said = {"type": "assistant", "requestId": f"q{n}", "message": message}
    noise = {"type": "user", "message": {"role": "user", "content": "y" * 2000}}
    with path.open("a") as file:
        for each in (noise, said, said, noise):
            file.write(json.dumps(each, separators=(",", ":")) + "\n")


async def _calls(engine: Any, context: HookContext, calls: int) -> tuple[float, float]:
    """Return the median seconds of a call before a tool and of one after it."""
    before, after = [], []
    for n in range(calls):
        _grow(Path(context.transcript_path or ""), n)
        args = {"command": f"echo {n}"}
        for kind, times in ((PreToolUse, before), (PostToolUse, after)):
            event = kind(context=context, tool_name="Bash", tool_args=args)
            started = perf_counter()
            await engine.dispatch(event)
            times.append(perf_counter() - started)
    return sorted(before)[calls // 2], sorted(after)[calls // 2]


def _budget(folder: Path) -> None:
    settings = BudgetSettings(
        session=LimitTable(dollars=50),
        tree=LimitTable(dollars=90),
        project=PeriodTable(dollars=500, per="month"),
        day=LimitTable(dollars=100),
        per_minute=100,
    )
    provider = BudgetProvider(settings, open_meter("sqlite", folder / "data"))
    pre, post = asyncio.run(_calls(Engine([provider]), _context(folder), 300))
    row("budget: before a tool, an answer more to count", pre * 1e3, "ms", 2)
    row("budget: after it", post * 1e3, "ms", 2)


def _all_of_it(folder: Path) -> None:
    home = folder / "home"
    (home / ".config/snaphook").mkdir(parents=True)
    (home / ".config/snaphook/snaphook.toml").write_text(EVERYTHING)
    around = Environment(cwd=folder, home=home, env={"HOME": str(home)}, managed=folder / "etc")
    engine = assembly.build_engine(around)
    pre, post = asyncio.run(_calls(engine, _context(folder), 300))
    row(f"all {len(engine.providers)} providers: before a tool", pre * 1e3, "ms", 2)
    row("all of them: after it", post * 1e3, "ms", 2)


def _audit(folder: Path) -> None:
    trail = Trail(folder / "log", LogSettings(), AuditSettings(), key_folder=folder / "audit")
    make_key(folder / "audit")
    log = EventLog(folder / "log", durability=Durability.NONE)
    batch = [
        Record(
            id=f"{n:032x}",
            time=1.8e9 + n,
            event="PreToolUse",
            session="s",
            tool="Bash",
            input={"tool_args": {"command": "echo " + "x" * 200}},
            salt=os.urandom(8).hex(),
        )
        for n in range(RECORDS)
    ]
    log.write(batch)
    log.close()
    took = _timed(lambda: trail.seal(now=1.9e9))
    row("audit: sealing, a record", took / RECORDS * 1e6, "µs")
    chain = _timed(lambda: verify(folder / "log"))
    row("audit: walking the chain, 100 000 records", chain / RECORDS * 1e5, "s")
    named = _timed(lambda: check(folder / "log", keys=trail.keys()))
    row("audit: checking it against its seals, 100 000 records", named / RECORDS * 1e5, "s")
    row("  against walking the chain alone", named / chain, "x", 5)


def _timed(work: Any) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started


def main() -> None:
    section("Budget, tenants, audit (SQ-15: all needs of a business together < 2 ms)")
    for measure in (_budget, _all_of_it, _audit):
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder))
