"""The guard's corpus: commands with what must become of them.

tests/corpus/guard/*.jsonl  ->  Rows

One JSON object a line: `command`, `expect` ("allow"; "stop" when asking and refusing both do;
"ask" or "deny" where a requirement fixes the answer), `class`, and where they matter `cwd`, `why`.
"""

from functools import cache
from pathlib import Path

import msgspec
from tests.corpus.guard_world import world

from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.judgement import GuardAnswer, Judgement

FOLDER = Path(__file__).parent / "guard"


class Row(msgspec.Struct, frozen=True, kw_only=True, rename={"kind": "class"}):
    """One labelled command, and where it stands."""

    command: str
    expect: str
    kind: str
    cwd: str | None = None
    why: str = ""
    where: str = ""

    @property
    def must_stop(self) -> bool:
        """Whether letting it run unasked would be a miss."""
        return self.expect != "allow"

    def judged(self) -> Judgement:
        """Return what the guard says of it."""
        return examine(self.command, world(self.cwd))


@cache
def rows() -> tuple[Row, ...]:
    """Return the whole corpus, in file order."""
    return tuple(
        msgspec.structs.replace(msgspec.json.decode(line, type=Row), where=f"{path.name}:{number}")
        for path in sorted(FOLDER.glob("*.jsonl"))
        for number, line in enumerate(path.read_bytes().splitlines(), start=1)
    )


def stopped(judgement: Judgement) -> bool:
    """Say whether *judgement* keeps a command from running unasked."""
    return judgement.answer is not GuardAnswer.ALLOW
