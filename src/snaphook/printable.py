r"""Make untrusted text safe to print: every character that a terminal would not show is spelled out.

text  ->  the same text, with ESC as \x1b, a bidi override as \u202e, a line break as \n

A command, a tool name or a file name may come from a hostile repository or a misled model. Printed
as it is, it could move the cursor, hide what it runs, or add a line that seems to be ours.
Pure, and light: the hook path may import it.
"""

BLANK = frozenset(
    (
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
        *range(0x180B, 0x1810),
        *range(0xFE00, 0xFE0E),
        *range(0xE0100, 0xE01F0),
    )
)
"""Letters and marks by category, yet shown as nothing: ``str.isprintable`` lets them pass.

Hangul fillers, the empty Braille cell, Khmer inherent vowels, variation selectors (which can carry
hidden bytes: one selector per byte). Default_Ignorable_Code_Point of Unicode 16 names them.
"""
EMOJI_SELECTORS = "\ufe0e\ufe0f"
"""Choose text or emoji style for the character before them: one is honest, a run of them is not."""
MOST_MARKS = 4
"""Combining marks on one letter; Vietnamese and Hebrew need 3. A stack of them overdraws other lines."""


def printable(text: str) -> str:
    """Return *text* with all but line breaks and tabs that would not be shown spelled out."""
    if text.isascii() and text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(map(printable_line, line.split("\t"))) for line in lines)


def printable_line(text: str) -> str:
    """Return *text* on one line: line breaks and tabs are spelled out too."""
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    marks = 0
    for at, char in enumerate(text):
        marks = marks + 1 if not char.isascii() and _is_mark(char) else 0
        shown.append(char if _is_shown(char, text[at - 1 : at], marks) else _spelled(char))
    return "".join(shown)


def complaint(text: str) -> str:
    """Return *text*, a message for stderr; what it quotes is indented, so no line passes for ours."""
    return printable(text).replace("\n", "\n  ")


def json_text(encoded: bytes | str) -> str:
    r"""Return *encoded*, which is JSON, with such characters as \u escapes: it decodes to the same."""
    text = encoded if isinstance(encoded, str) else encoded.decode("utf-8")
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "".join(
        char if char == "\n" or _is_shown(char, "", 0) else _json_escape(char) for char in text
    )


def _is_shown(char: str, before: str, marks: int) -> bool:
    if char.isascii():
        return char.isprintable()
    if not char.isprintable() or ord(char) in BLANK or marks > MOST_MARKS:
        return False
    return char not in EMOJI_SELECTORS or (before not in EMOJI_SELECTORS and before.isprintable())


def _is_mark(char: str) -> bool:
    from unicodedata import category  # rarely needed, and a shared library to load

    return category(char) in ("Mn", "Me")


def _spelled(char: str) -> str:
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(char)
    code = ord(char)
    if named is not None:
        return named
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _json_escape(char: str) -> str:
    code = ord(char)
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
