"""Scrubbing source and logs of several sizes, and how it grows."""

from collections.abc import Callable
from pathlib import Path
from time import thread_time

from bench.table import row, section
from snaphook.scrub import RULES, Scrubber

SIZE = 57_000
SECRETS = (
    "GITHUB_TOKEN=ghp_" + "a1B2" * 9,
    "mail ada@example.org or call +49 30 901820",
    "postgres://app:s3cr3t-Pa55@db.internal:5432/app",
    "card 4111 1111 1111 1111, host 8.8.8.8",
)


LOG = (
    "2026-01-02T03:04:05Z INFO request id=8f14e45f-ea2b path=/api/v1/users/42 status=200 took=12ms\n"
    "tests/test_app.py::test_login PASSED [ 12%]\nnpm WARN deprecated left-pad@1.3.0: use padStart\n"
)


def _source() -> str:
    """Return ordinary text: the package's own source."""
    files = sorted((Path(__file__).parent.parent / "src").rglob("*.py"))
    return "".join(path.read_text(encoding="utf-8") for path in files)[: 4 * SIZE]


def _best(run: Callable[[], object], times: int = 300) -> float:
    """Return the seconds of CPU time the fastest of so many runs took.

    Nothing here waits, so that is all the time there is; a clock on the wall would count what others
    do on the same cores.
    """
    run()
    took = []
    for _ in range(times):
        started = thread_time()
        run()
        took.append(thread_time() - started)
    return min(took)


def main() -> None:
    text = _source()
    small = text[:SIZE]
    with_secrets = "\n".join((*SECRETS, small[SIZE // 20 :], *SECRETS))
    scrubber = Scrubber(salt=b"bench")

    section(f"Scrubbing: {len(RULES)} kinds of secret, six of personal data")
    for size, goal in ((4 << 10, 0.2), (16 << 10, 0.7), (SIZE, 0.8)):
        part = text[:size]
        row(
            f"{size >> 10} KB of source, nothing to hide",
            _best(lambda p=part: scrubber.text(p)) * 1e3,
            "ms",
            goal,
        )
    large = (text * (1 + (1 << 20) // len(text)))[: 1 << 20]
    row("1 MB of source", _best(lambda: scrubber.text(large), 20) * 1e3, "ms", 40)
    lines = (LOG * (1 + (1 << 20) // len(LOG)))[: 1 << 20]
    row("1 MB of a log", _best(lambda: scrubber.text(lines), 20) * 1e3, "ms", 40)
    plain = _best(lambda: scrubber.text(small))
    words = _best(lambda: set(small.split()))
    row("55 KB, against cutting it into words", plain / words, "x")
    hidden = _best(lambda: scrubber.text(with_secrets))
    row("55 KB of source with eight things to hide", hidden * 1e3, "ms", 2)
    four = _best(lambda: scrubber.text(text), 20)
    row("four times as much, against four times as long", four / plain / 4, "x", 1.5)
    line = _best(lambda: scrubber.text(SECRETS[0]), 2_000)
    row("one line with a token", line * 1e6, "µs", 100)
