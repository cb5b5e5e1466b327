"""What programs we do not know may do: run a file by its path, wrap another command.

Call  ->  Deeds that may not happen
"""

from __future__ import annotations

from collections.abc import Iterator

from snaphook.shell.facts import Action, Call, File, Runs
from snaphook.shell.paths import resolve

_GRAVE_TEXT = """
    rm dd shred mkfs wipefs find chmod chown sh bash zsh dash mv truncate srm unlink sudo doas eval
    mkfs.ext4 mkfs.xfs xargs
"""
_GRAVE = frozenset(_GRAVE_TEXT.split())
_SPEAKERS_TEXT = """
    echo printf print say logger wall write notify-send osd_cat figlet toilet banner cowsay lolcat
    test [ [[ expr : true false which whence type hash where whereis man apropos whatis info help
    tldr cheat howdoi snaphook
"""
_SPEAKERS = frozenset(_SPEAKERS_TEXT.split())
"""Programs that speak of their words, or look them up, and run none of them."""


def run_by_path(call: Call) -> Iterator[Action]:
    """Run `./x`: a file that this command may have written or fetched, or that lies on disk."""
    yield File(
        path=resolve(call.name.value, call.cwd), language="", span=call.name.span, args=call.args
    )


def perhaps_wraps(call: Call) -> Iterator[Action]:
    """Take the words after a program we do not know for a command, if they begin like a grave one.

    It may be a wrapper nobody told us about; what it wraps only counts when it must never happen.
    """
    if call.program in _SPEAKERS:
        return
    for at, arg in enumerate(call.args):
        if arg.value.rpartition("/")[2] in _GRAVE:
            yield Runs(args=call.args[at:], sure=False)
            return
