"""Where the files come from that a command makes: copies of secrets, downloads, what was in archives.

Call + its effect  ->  what is known of the new file

A copy of a secret is a secret, and what is unpacked from a download is a download, whatever its name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from snaphook.shell.facts import Act, Call, Effect
from snaphook.shell.paths import resolve
from snaphook.shell.text import FETCHED, SECRET, UNKNOWN, is_known

if TYPE_CHECKING:
    from snaphook.shell.evaluation.evaluate import Evaluator

DOWNLOAD = "download"
"""The language of an opaque effect that is a downloaded file, run."""
_ENDINGS = (
    ".tar.gz",
    ".tgz",
    ".tar.xz",
    ".tar.bz2",
    ".tar.zst",
    ".tbz2",
    ".txz",
    ".tar",
    ".zip",
    ".7z",
)


def is_download(guard: Evaluator, path: str) -> bool:
    """Say whether *path* was downloaded, by this command or before, and nobody has read it."""
    if FETCHED in guard.files.get(path, ""):
        return True
    if any(path == one or (one[-1] == "/" and path.startswith(one)) for one in guard.downloads):
        return True
    return is_known(path) and bool(guard.was_downloaded(path))


def copied(guard: Evaluator, call: Call, source: str) -> str | None:
    """Return what the copy of *source* holds: known text, or that it is a secret or a download."""
    text = guard.files.get(source)
    if text is not None:
        return text
    sources = [resolve(one.value, call.cwd) for one in call.operands[:-1]]
    if any(guard.holds_secret(one) for one in sources):
        return f"{UNKNOWN}{SECRET}"
    return f"{UNKNOWN}{FETCHED}" if any(guard.is_download(one) for one in sources) else None


def fetched(guard: Evaluator, call: Call) -> str:
    """Return what a file holds that *call* writes, where the call also downloads; else nothing."""
    downloads = any(one.act is Act.FETCH and one.call is call for one in guard.effects)
    return f"{UNKNOWN}{FETCHED}" if downloads and not call.stored else ""


def pack(guard: Evaluator, call: Call, effect: Effect) -> None:
    """Remember an archive that holds a secret."""
    packed = (resolve(one.value, call.cwd) for one in call.operands)
    if any(guard.holds_secret(path) for path in packed if path != effect.path):
        guard.files[effect.path] = f"{UNKNOWN}{SECRET}"
    elif effect.act is Act.OVERWRITE:
        guard.files[effect.path] = UNKNOWN


def unpack(guard: Evaluator, call: Call, place: str) -> None:
    """Remember what comes out of an archive that was downloaded; a secret's archive gives secrets."""
    archive = _archive(call)
    path = resolve(archive, call.cwd) if archive else ""
    held = guard.files.get(path, "") if path else (call.stdin or "")
    if FETCHED not in held and not (path and guard.is_download(path)):
        return
    if place != call.cwd:
        guard.downloads.add(f"{place}/")
        return
    names = guard.world.packed(path) if path and guard.world is not None else None
    if names is None:  # it is not there yet: what is run below, and not there either, came with it
        guard.unpacked.add(place)
        names = [f"{_stem(path)}/"] if path else []
    guard.downloads.update(f"{place}/{name}" for name in names)


def _archive(call: Call) -> str:
    """Return the word that names the archive; nothing where it comes in by a pipe."""
    given = call.get("-f")
    if given is not None:
        return "" if given.text == "-" else given.value
    for arg in call.operands:
        if arg.text.endswith(_ENDINGS):
            return arg.value
    return call.operands[0].value if call.program == "unzip" and call.operands else ""


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return next((name.removesuffix(one) for one in _ENDINGS if name.endswith(one)), name)
