"""What decoders print: base64, hexadecimal, reversed and translated text.

echo cm0= | base64 -d  ->  rm
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Mapping

from snaphook.shell.evaluation.streams import cat, incoming
from snaphook.shell.facts import Call
from snaphook.shell.syntax.scan import decode_escapes
from snaphook.shell.text import UNKNOWN, is_known


def decode64(call: Call, files: Mapping[str, str]) -> str:
    """Decode base64 with -d; encoded text is unknown."""
    if not call.has("-d", "-D", "--decode"):
        return UNKNOWN
    return _decoded(incoming(call, files), _from64)


def decode32(call: Call, files: Mapping[str, str]) -> str:
    """Decode base32 with -d."""
    if not call.has("-d", "-D", "--decode"):
        return UNKNOWN
    return _decoded(incoming(call, files), _from32)


def xxd(call: Call, files: Mapping[str, str]) -> str:
    """Decode hexadecimal with -r."""
    flags = "".join(arg.text for arg in call.args if arg.text.startswith("-"))
    if "r" not in flags:
        return UNKNOWN
    text = cat(call, files) if call.operands else (call.stdin or UNKNOWN)
    return _decoded(text, lambda hexed: bytes.fromhex("".join(hexed.split())))


def openssl(call: Call, _files: Mapping[str, str]) -> str:
    """Decode base64 with `openssl base64 -d`, `openssl enc -base64 -d`."""
    words = {arg.text for arg in call.args}
    if "-d" in words and words & {"base64", "-base64", "-a"}:
        return _decoded(call.stdin or UNKNOWN, _from64)
    return UNKNOWN


def _from64(text: str) -> bytes:
    return binascii.a2b_base64(_padded(text))


def _from32(text: str) -> bytes:
    from base64 import b32decode  # few write it

    return b32decode(text)


def _padded(text: str) -> str:
    compact = "".join(text.split())
    return compact + "=" * (-len(compact) % 4)


def _decoded(text: str, decode: Callable[[str], bytes]) -> str:
    if not is_known(text):
        return UNKNOWN
    try:
        decoded = decode(text).decode("utf-8")
    except (ValueError, binascii.Error):
        return UNKNOWN
    return UNKNOWN if "\0" in decoded else decoded


def rev(call: Call, files: Mapping[str, str]) -> str:
    """Print each line backwards."""
    text = incoming(call, files)
    return "".join(f"{line[::-1]}\n" for line in text.splitlines())


def tac(call: Call, files: Mapping[str, str]) -> str:
    """Print the lines backwards."""
    return "".join(f"{line}\n" for line in reversed(incoming(call, files).splitlines()))


def tr(call: Call, _files: Mapping[str, str]) -> str:
    """Translate characters, ranges included."""
    text = call.stdin or UNKNOWN
    words = [arg.text for arg in call.args if not re.fullmatch(r"-[dscC]+|--delete", arg.text)]
    if not is_known(text) or not words:
        return text if not words else UNKNOWN
    source = _ranged(words[0])
    if any(re.fullmatch(r"-\w*d\w*|--delete", arg.text) for arg in call.args):
        return "".join(char for char in text if char not in source)
    target = _ranged(words[1]) if len(words) > 1 else source
    table = (
        {ord(a): target[min(at, len(target) - 1)] for at, a in enumerate(source)} if target else {}
    )
    return text.translate(table)


_CLASSES = {
    "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "[:lower:]": "abcdefghijklmnopqrstuvwxyz",
    "[:digit:]": "0123456789",
    "[:space:]": " \t\n\r\f\v",
}


def _ranged(text: str) -> str:
    for name, letters in _CLASSES.items():
        text = text.replace(name, letters)
    text = decode_escapes(text)
    return re.sub(
        r"(.)-(.)",
        lambda found: "".join(
            map(chr, range(ord(found[1]), min(ord(found[2]), ord(found[1]) + 512) + 1))
        ),
        text,
    )
