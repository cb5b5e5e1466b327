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
        return Malformed(f"is not JSON: {bad}", "Write numbers and strings as in JSON.", 1, 1)
    return Malformed("is not JSON", "Write numbers and strings as in JSON.", 1, 1)


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
        return "is TOML, but has a JSON file name", "Rename it to snaphook.toml, or write JSON."
    if here.startswith(("//", "/*", "#")):
        return "contains a comment, which JSON does not allow", "Remove the comment."
    if (here[:1] in "}]," and before == ",") or "trailing comma" in message:
        return "has a trailing comma", "Remove the last comma."
    if here[:1] in _WRONG_QUOTES:
        return f"is not JSON: {here[:1]} is not a JSON quote", 'Use straight double quotes: ".'
    for word, right in _PYTHON_WORDS.items():
        if here.startswith(word[:5]):
            return f"is not JSON: {word} is Python syntax", f"Write {right}."
    if "Unterminated" in message:
        return "has an unterminated string", 'Close it with "; write a quote inside as \\".'
    if "control character" in message:
        return "has a line break or tab inside a string", "Write \\n or \\t, or close the quote."
    if "escape" in message:
        return "has an invalid escape sequence", "Write a backslash as \\\\."
    if not here.strip():
        return "ends unexpectedly", "Close every { and [ that was opened."
    if "delimiter" in message and before == '"' and here[:1].isalnum():
        return "has an unescaped quote inside a string", 'Write a quote inside as \\".'
    if "delimiter" in message and "','" in message:
        return "is not JSON: a comma or a closing bracket is missing before this place", (
            "Put a comma between the entries, or close the bracket."
        )
    if "Extra data" in message:
        return (
            "has extra content after the end",
            "Keep one { … } in the file; count the closing brackets.",
        )
    if "property name" in message:
        return "is not JSON: a name in double quotes is needed here", 'Write "name": value.'
    return f"is not JSON: {message[:1].lower()}{message[1:]}", "Compare with the lines before it."


def _toml_fix(said: str, message: str) -> str:
    if said.startswith(("{", '"', "//")) or '": ' in said:
        return "This looks like JSON; in TOML write: name = value."
    if "overwrite" in message or "twice" in message or "mutable" in message:
        return "Each name may appear once; entries of a list are [[hooks.Event]]."
    if said.startswith("[hooks."):
        return "A hook is an entry of a list: [[hooks.Event]], with two brackets."
    if re.search(r"=\s*(True|False)\b", said):
        return "Write true or false in lower case."
    if "=" in said and not re.search(r"""=\s*["'\[{\d+-]|=\s*(true|false)""", said):
        return 'Put the string in quotes: name = "value".'
    if "escape" in message:
        return "Use 'single quotes', where a backslash needs no escape."
    return 'A line is: name = "value", or [table], or [[list]].'


def _line(raw: bytes, offset: int) -> tuple[int, int]:
    start = raw.rfind(b"\n", 0, offset) + 1
    return raw.count(b"\n", 0, offset) + 1, offset - start + 1


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is not a JSON number")
