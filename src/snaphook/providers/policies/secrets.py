"""Files that hold secrets are not read.

"cat config/.env.local"  ->  blocked        "cat .env.example"  ->  read

The files are ``.env`` and its kin, wherever they lie and however they are spelled. What slips
through is scrubbed from the result all the same.
"""

import re
from collections.abc import Iterator

from .call import PreToolUseContext
from .tools import READERS, SHELLS, command_of, is_one_of, paths_of
from .words import ShellStep, steps

_HARMLESS = frozenset(("example", "sample", "template", "dist", "defaults", "schema"))
_ENV = re.compile(r"(?:^|[/\\:=@])(\.env(?:\.([\w.-]+))?)\Z", re.IGNORECASE)
_GLOB = re.compile(r"(?:^|[/\\])\.e(?:nv)?[*?]", re.IGNORECASE)

_BY_NAME_ONLY = frozenset(
    """
    ls dir test [ [[ stat touch chmod chown rm mkdir echo printf cd basename dirname realpath which
    unset mv ln
    """.split()  # noqa: SIM905 - a list of words reads better as words
)
"""Programs that say or change something about a file without showing what is in it."""


class SecretFiles:
    """No tool shows the agent a file that holds secrets."""

    def objects_to(self, call: PreToolUseContext) -> str | None:
        """Return why a file must not be read, or ``None``."""
        path = next(filter(_is_secret, _read(call)), None)
        if path is None:
            return None
        return (
            f'Secret file read blocked: "{path}" may hold secrets. '
            "Read its .example, or ask the user for the one value you need."
        )


def _read(call: PreToolUseContext) -> Iterator[str]:
    """Yield every file that *call* would show."""
    if is_one_of(call.tool_name, READERS):
        yield from paths_of(call.arguments)
        yield from _texts(call, "glob", "include", "include_pattern")
    elif is_one_of(call.tool_name, SHELLS):
        command = command_of(call.arguments)
        text = command if isinstance(command, str) else " ".join(command or ())
        if command and ".e" in text.lower().translate(_QUOTES):
            for step in steps(command):
                yield from _shown(step)


_QUOTES = str.maketrans("", "", "'\"\\")


def _texts(call: PreToolUseContext, *keys: str) -> Iterator[str]:
    yield from (text for key in keys if isinstance(text := call.arguments.get(key), str))


def _shown(step: ShellStep) -> Iterator[str]:
    if step.reads:
        yield step.reads
    names = step.words[1:]
    if step.program in {"cp", "install", "rsync"}:
        names = names[:-1]
    if step.program not in _BY_NAME_ONLY:
        yield from names


def _is_secret(path: str) -> bool:
    found = _ENV.search(path)
    if found is None:
        return _GLOB.search(path) is not None
    kind = (found[2] or "").lower().rpartition(".")[2]
    return kind not in _HARMLESS
