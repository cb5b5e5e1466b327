"""Scrubbing 57 KB of ordinary text, and how it grows."""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from bench.table import row, section
from snaphook.scrub import RULES, Scrubber

SIZE = 57_000
SECRETS = (
    "GITHUB_TOKEN=ghp_" + "a1B2" * 9,
    "mail ada@example.org or call +49 30 901820",
    "postgres://app:s3cr3t-Pa55@db.internal:5432/app",
    "card 4111 1111 1111 1111, host 8.8.8.8",
)


def _source() -> str:
    """Return ordinary text: the package's own source."""
    files = sorted((Path(__file__).parent.parent / "src").rglob("*.py"))
    return "".join(path.read_text(encoding="utf-8") for path in files)[: 4 * SIZE]


def _best(run: Callable[[], object], times: int = 60) -> float:
    """Return the seconds the fastest of so many runs took: others' work only ever adds to it."""
    run()
    took = []
    for _ in range(times):
        started = perf_counter()
        run()
        took.append(perf_counter() - started)
    return min(took)


def main() -> None:
    text = _source()
    small = text[:SIZE]
    with_secrets = "\n".join((*SECRETS, small[SIZE // 20 :], *SECRETS))
    scrubber = Scrubber(salt=b"bench")

    section(f"Scrubbing: {len(RULES)} kinds of secret, six of personal data")
    plain = _best(lambda: scrubber.text(small))
    row("57 KB of source, nothing to hide", plain * 1e3, "ms", 3)
    words = _best(lambda: set(small.split()))
    row("  against cutting it into words", plain / words, "x")
    hidden = _best(lambda: scrubber.text(with_secrets))
    row("57 KB of source with eight things to hide", hidden * 1e3, "ms", 3)
    large = _best(lambda: scrubber.text(text), 20)
    row("four times as much, against four times as long", large / plain / 4, "x", 1.5)
    line = _best(lambda: scrubber.text(SECRETS[0]), 2_000)
    row("one line with a token", line * 1e6, "µs", 100)
