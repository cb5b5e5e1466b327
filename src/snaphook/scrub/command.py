"""Where a command ends that begins in a text: a script, a transcript, a JSON string.

text, place  ->  the end of the command around it

Pure, and bounded: nothing is read twice, and no command is longer than a page.
"""

import re

_PAGE = 4096
_COMMAND = re.compile(
    r"(?:[\\^`][ \t]?\r?\n"  # the line goes on: sh, cmd.exe, PowerShell
    r"|[<>]&|&>"  # a redirection, not the end
    r"""|\\{0,3}"[^"\n]{0,512}"|\\{0,3}'[^'\n]{0,512}'"""
    r"""|[^\n;|&]){0,4096}+"""
)


def end_of_command(text: str, place: int) -> int:
    """Return where the command that goes on at *place* ends.

    A newline, ``;``, ``|`` and ``&`` end it outside quotes; a line that is continued does not.
    """
    found = _COMMAND.match(text, place, min(len(text), place + _PAGE))
    return found.end() if found else place
