"""Text of strangers is spelled out where a terminal would not show it."""

import json
import sys
import unicodedata

import pytest

from snaphook.printable import complaint, json_text, printable, printable_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("npm run lint", "npm run lint", id="plain"),
        pytest.param("grüße, 日本語, नमस्ते, ⚠️", "grüße, 日本語, नमस्ते, ⚠️", id="people's languages"),
        pytest.param("a\x1b[2K\x1b[1Gb", r"a\x1b[2K\x1b[1Gb", id="CSI"),
        pytest.param("\x1b]8;;http://x\x07y", r"\x1b]8;;http://x\x07y", id="OSC 8 link"),
        pytest.param("\x1bPq\x1b\\", r"\x1bPq\x1b" + "\\", id="sixel"),
        pytest.param("\x9b2J", r"\x9b2J", id="C1 CSI"),
        pytest.param("a\rb\bc\x7f", r"a\rb\x08c\x7f", id="overwriting"),
        pytest.param("rm \u202egpj.x", r"rm \u202egpj.x", id="bidi override"),
        pytest.param("\u2066a\u2069", r"\u2066a\u2069", id="bidi isolate"),
        pytest.param("a\u200b\u2060\ufeff", r"a\u200b\u2060\ufeff", id="zero width"),
        pytest.param("\U000e0041", r"\U000e0041", id="tag character"),
        pytest.param("\ud83d", r"\ud83d", id="lone surrogate"),
        pytest.param("a\u2028b\x85c", r"a\u2028b\x85c", id="other line breaks"),
        pytest.param("a\u3164b", r"a\u3164b", id="filler"),
        pytest.param("a\ufe00\U000e0101", r"a\ufe00\U000e0101", id="selectors that carry bytes"),
        pytest.param("a\ufe0f\ufe0f", "a\ufe0f\\ufe0f", id="a run of emoji selectors"),
        pytest.param("e" + "\u0301" * 6, "e" + "\u0301" * 4 + r"\u0301\u0301", id="stacked marks"),
        pytest.param("a\nb\tc", r"a\nb\tc", id="line break and tab"),
    ],
)
def test_a_line_is_shown_as_text(text, shown):
    assert printable_line(text) == shown


def test_lines_keep_their_breaks_and_tabs():
    assert printable("a\r\nb\tc\x1b[m\rd") == "a\nb\tc\\x1b[m\\rd"


def test_a_quoted_line_break_does_not_start_a_line():
    assert complaint("bad name 'x\nsnaphook: approved'") == "bad name 'x\n  snaphook: approved'"


def test_json_is_escaped_and_means_the_same():
    value = {"\u202e": "a\x7f\u200b\U000e0041\x9b日本"}
    text = json_text(json.dumps(value, ensure_ascii=False))

    assert json.loads(text) == value
    assert "\u202e" not in text
    assert "\U000e0041" not in text
    assert "日本" in text


@pytest.mark.parametrize("show", [printable, printable_line, json_text])
def test_nothing_invisible_passes_and_all_of_it_can_be_written(show):
    """Every code point: what is left is a letter, a mark, a number, a symbol, or a plain space."""
    passed = [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if show(f"x{chr(code)}") == f"x{chr(code)}" and chr(code) not in "\n\t"
    ]

    assert {unicodedata.category(char)[0] for char in passed if char != " "} == set("LMNPS")
    "".join(passed).encode()  # no surrogate among them
