"""Programs that run another with variables from a file.

dotenv -f .env run env  ->  env
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snaphook.shell.facts import Action, Call, Runs
from snaphook.shell.options import getopt
from snaphook.shell.programs.program import Program
from snaphook.shell.programs.wrappers import after_options


def dotenv(call: Call) -> Iterator[Action]:
    """Run what follows the options, or `run`: two tools share the name."""
    words = call.operands[1:] if call.subcommand == "run" else call.operands
    if words and words[0].value == "--":
        words = words[1:]
    if words:
        yield Runs(args=after_options(call, words))


PROGRAMS: Mapping[str, Program] = {
    "dotenv": Program(options=getopt("e= f= o v= p= c?=", operands_end=True), does=dotenv),
}
