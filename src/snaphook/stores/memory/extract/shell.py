"""Commands that worked or failed, from a pasted terminal.

$ make test          ->  `make test` failed: KeyError: 'port'
KeyError: 'port'
"""

import re
from collections.abc import Iterator

from snaphook.stores.memory.entities import command_entity
from snaphook.stores.memory.values import MemoryKind

from .blocks import Block
from .document import Draft, outside
from .judge import certainty, does_it_work
from .plain import plain_command, plain_error

_SHELLS = ("", "bash", "console", "sh", "shell", "shell-session", "terminal", "text", "zsh")
_WRONG = re.compile(
    r"(?:^|\b)(?:[A-Z]\w*(?:Error|Exception)\b.*|error(?:\[\w+\])?:.*|fatal:.*|FAILED.*|"
    r"\d+ failed.*|.*command not found.*|.*No such file or directory.*|panic:.*|npm ERR!.*|"
    r".*exit(?:ed)?(?: with)?(?: code| status)? [1-9]\d*.*|Traceback.*)"
)
_LOOKING = frozenset({"ls", "rg", "sed"})
"""Programs whose success tells nothing."""


def commands(block: Block) -> Iterator[Draft]:
    """Yield the commands of a pasted terminal, each with how it came out."""
    if block.mark.casefold() not in _SHELLS:
        return
    parts = re.split(r"(?m)^\$ ", block.text)
    line = block.line + 1 + parts[0].count("\n")
    for part in parts[1:]:
        command, _, output = part.partition("\n")
        draft = command_draft(command, output, failed=None)
        if draft is not None:
            yield _placed(draft, line, block.section)
        line += part.count("\n")


def command_draft(
    command: str, output: str, *, failed: bool | None, quoted: bool = False
) -> Draft | None:
    """Return what is worth knowing of *command*, or None where it is nothing.

    Where *failed* is None, the output tells. The outcome settles the question of whether it works:
    the last one counts. *quoted*: the output is a tool's, and only what cannot carry a message is taken from
    it; the rest goes with it as a quote.
    """
    entity = command_entity(command)
    if entity is None or "\n" in command or len(command) > 160:
        return None
    wrong = error_line(output)
    if failed is None:
        failed = wrong is not None
    if not failed and entity.name.split()[0] in _LOOKING:
        return None
    shown = (plain_error(wrong or "") if quoted else wrong) or "no reason told"
    plain = plain_command(command) if quoted else command.strip()
    said = f"`{plain or command.strip()}` " + (f"failed: {shown}" if failed else "works")
    quote = wrong if quoted and failed and wrong and wrong != shown else ""
    draft = Draft(
        kind=MemoryKind.OBSERVATION,
        text=said,
        certainty=certainty(MemoryKind.OBSERVATION, said),
        entities=(entity,),
        settles=(does_it_work(command),),
        meta={"outcome": "failed" if failed else "worked"},
        quote=quote or "",
    )
    return draft if plain else outside(draft)


def error_line(output: str) -> str | None:
    """Return the line of *output* that says what went wrong: the last that names an error."""
    found = [line.strip() for line in output.splitlines() if _WRONG.match(line.strip())]
    named = [line for line in found if not line.startswith("Traceback")]
    return named[-1][:200] if named else (found[-1][:200] if found else None)


def _placed(draft: Draft, line: int, section: str) -> Draft:
    return Draft(
        kind=draft.kind,
        text=draft.text,
        line=line,
        section=section,
        certainty=draft.certainty,
        entities=draft.entities,
        settles=draft.settles,
        meta=draft.meta,
    )
