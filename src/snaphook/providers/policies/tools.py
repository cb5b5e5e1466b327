"""What each host calls its tools, and where a call keeps its paths and its command.

tool name  ->  writes? reads? runs a shell? asks a person?

Names are compared without case and punctuation, and without the name of the MCP server in front:
``mcp__files__write_file``, ``WriteFile`` and ``write-file`` are one tool.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


WRITERS = _names(
    "write edit multiedit notebookedit create applypatch patch replace searchreplace strreplace"
    " writefile editfile createfile fswrite replacestringinfile multireplacestringinfile"
    " inserteditintofile editnotebookfile createnewfile strreplaceeditor strreplacebasededittool"
    " writetofile replaceinfile insertcontent applydiff appendtofile deletefile movefile"
    " savefile updatefile overwritefile notebookeditcell"
)
READERS = _names(
    "read view readfile readmanyfiles fsread notebookread openfile viewfile readtextfile"
    " readmultiplefiles getfilecontents grep grepsearch searchfilecontent ripgrep search cat"
    " readcode"
)
SHELLS = _names(
    "bash shell powershell pwsh exec execute run runcommand runshellcommand runinterminal"
    " runterminalcommand runterminalcmd executebash executepwsh executecommand shellcommand"
    " localshell execcommand terminal bashtool unifiedexec"
)
ASKERS = _names(
    "askuser askuserquestion askfollowupquestion askquestion askquestions askhuman askthehuman"
    " requestuserinput humaninput question"
)

_SERVER = re.compile(r"^(?:mcp__.+?__|mcp:|@[^/]+/)", re.IGNORECASE)
_PUNCTUATION = str.maketrans("", "", "_-. ")
_TELLING = 8
"""A name this long says what it does even behind a server's name: ``files_write_file``."""

_PATHS = _names(
    "path filepath file filename notebookpath targetfile absolutepath relativepath uri"
    " destination destinationpath newpath paths files"
)
_PATCHES = frozenset(("input", "patch", "patchtext", "diff", "command", "content"))
_PATCHED = re.compile(
    r"^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |\+\+\+ (?:b/)?|--- (?:a/)?)"
    r"(?P<path>[^\t\r\n]+)",
    re.MULTILINE,
)


@lru_cache(maxsize=1024)
def _plain(tool: str) -> str:
    return _SERVER.sub("", tool).translate(_PUNCTUATION).lower()


def is_one_of(tool: str, family: frozenset[str]) -> bool:
    """Say whether *tool* belongs to *family* (``WRITERS``, ``READERS`` …) on any host."""
    return _belongs(_plain(tool), family)


@lru_cache(maxsize=1024)
def _belongs(plain: str, family: frozenset[str]) -> bool:
    if plain in family:
        return True
    return any(len(name) >= _TELLING and plain.endswith(name) for name in family)


def paths_of(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield every path a file tool's *arguments* name, those inside lists of edits too."""
    for key, value in arguments.items():
        named = str(key).translate(_PUNCTUATION).lower() in _PATHS
        for item in value if isinstance(value, list | tuple) else (value,):
            if named and isinstance(item, str) and item:
                yield item.removeprefix("file://")
            elif isinstance(item, Mapping):
                yield from paths_of(item)


def patched_paths(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield the files that a patch among *arguments* touches."""
    for key, value in arguments.items():
        if str(key).translate(_PUNCTUATION).lower() not in _PATCHES:
            continue
        for text in value if isinstance(value, list | tuple) else (value,):
            if isinstance(text, str):
                found = (match["path"].strip() for match in _PATCHED.finditer(text))
                yield from (path for path in found if path != "/dev/null")


def command_of(arguments: Mapping[str, Any]) -> str | tuple[str, ...] | None:
    """Return the command a shell tool would run: a text, or its words where it came as a list."""
    for key in ("command", "cmd", "commands", "script", "code", "input"):
        value = arguments.get(key)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, list | tuple) and value:
            return tuple(str(word) for word in value)
    return None


def either(arguments: Mapping[str, Any], first: str, second: str) -> Any:
    """Return what JavaScript's ``first || second`` does: an empty list or table is something."""
    value = arguments.get(first)
    return value if value or isinstance(value, list | dict) else arguments.get(second)
