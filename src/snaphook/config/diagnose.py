"""Say where a text stops being JSON or TOML, and what its writer most likely did.

bytes that do not parse  ->  Malformed(line, column, what, fix)
"""

import json
import re

from .documents import Malformed

_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_WRONG_QUOTES = ("'", "`", "\u2018", "\u2019", "\u201c", "\u201d")
_PYTHON_WORDS = {"True": "true", "False": "false", "None": "null"}


def json_mistake(raw: bytes) -> Malformed:
    """Return what keeps *raw* from being JSON."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as bad:
        return Malformed("is not UTF-8 text", "Save it as UTF-8.", *_line(raw, bad.start))
    try:
        json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as bad:
        what, fix = _json_words(text, bad.pos, bad.msg)
        return Malformed(what, fix, bad.lineno, bad.colno)
    except (ValueError, RecursionError) as bad:
        return Malformed(f"is not JSON: {bad}", "Write numbers and texts as JSON does.", 1, 1)
    return Malformed("is not JSON", "Write numbers and texts as JSON does.", 1, 1)


def toml_mistake(text: str, message: str) -> Malformed:
    """Return what keeps *text* from being TOML; *message* is the parser's."""
    lines = text.splitlines()
    place = _AT.search(message)
    line, column = max(len(lines), 1), 1
    if place and place[1]:
        line, column = int(place[1]), int(place[2])
    said = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return Malformed(f"is not TOML: {_AT.sub('', message)}", _toml_fix(said, message), line, column)


def _json_words(text: str, at: int, message: str) -> tuple[str, str]:
    """Return what and fix, told by what stands at *at* and before it."""
    here, before = text[at : at + 5], text[:at].rstrip()[-1:]
    if text.lstrip().startswith(("[[", "[hooks", "#")):
        return "is TOML, and its name says JSON", "Rename it to snaphook.toml, or write JSON."
    if here.startswith(("//", "/*", "#")):
        return "holds a comment, which JSON does not have", "Remove the comment."
    if (here[:1] in "}]," and before == ",") or "trailing comma" in message:
        return "has a comma with nothing after it", "Remove the last comma."
    if here[:1] in _WRONG_QUOTES:
        return f"is not JSON: {here[:1]} is no JSON quote", 'Use straight double quotes: ".'
    for word, right in _PYTHON_WORDS.items():
        if here.startswith(word[:5]):
            return f"is not JSON: {word} is Python's word", f"Write {right}."
    if "Unterminated" in message:
        return "has a text that never ends", 'Close it with "; write a quote inside as \\".'
    if "control character" in message:
        return "has a line break or tab inside a text", "Write \\n or \\t, or close the quote."
    if "escape" in message:
        return "has a backslash that JSON does not know", "Write a backslash as \\\\."
    if not here.strip():
        return "ends too early", "Close every { and [ that was opened."
    if "delimiter" in message and before == '"' and here[:1].isalnum():
        return "has a quote inside a text that ends it too early", 'Write a quote inside as \\".'
    if "delimiter" in message and "','" in message:
        return "is not JSON: a comma or a closing bracket is missing before this place", (
            "Put a comma between the entries, or close the bracket."
        )
    if "Extra data" in message:
        return "goes on after its end", "Keep one { … } in the file; count the closing brackets."
    if "property name" in message:
        return "is not JSON: a name in double quotes is needed here", 'Write "name": value.'
    return f"is not JSON: {message[:1].lower()}{message[1:]}", "Compare with the lines before it."


def _toml_fix(said: str, message: str) -> str:
    if said.startswith(("{", '"', "//")) or '": ' in said:
        return "This looks like JSON; in TOML write: name = value."
    if "overwrite" in message or "twice" in message or "mutable" in message:
        return "Each name may stand once; entries of a list are [[hooks.Event]]."
    if said.startswith("[hooks."):
        return "A hook is an entry of a list: [[hooks.Event]], with two brackets."
    if re.search(r"=\s*(True|False)\b", said):
        return "Write true or false in small letters."
    if "=" in said and not re.search(r"""=\s*["'\[{\d+-]|=\s*(true|false)""", said):
        return 'Put the text in quotes: name = "value".'
    if "escape" in message:
        return "Use 'single quotes', where a backslash is just a backslash."
    return 'A line is: name = "value", or [table], or [[list]].'


def _line(raw: bytes, offset: int) -> tuple[int, int]:
    start = raw.rfind(b"\n", 0, offset) + 1
    return raw.count(b"\n", 0, offset) + 1, offset - start + 1


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no JSON number")
