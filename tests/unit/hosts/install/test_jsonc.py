"""A JSON file is changed in place and nothing else in it moves."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snaphook.hosts.install.jsonc import append_item, parse, remove_part, set_member

COMMENTED = """\
{
  // the model
  "model": "opus", /* for now */
  "env": {"A": "1"}, // inline
}
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("{}", '{\n  "k": [\n    1\n  ]\n}', id="empty"),
        pytest.param('{"a": 1}', '{"a": 1, "k": [1]}', id="one line stays one line"),
        pytest.param(
            '{\n    "a": 1\n}\n',
            '{\n    "a": 1,\n    "k": [\n        1\n    ]\n}\n',
            id="the file's own indent",
        ),
        pytest.param(
            '{\r\n\t"a": 1\r\n}',
            '{\r\n\t"a": 1,\r\n\t"k": [\r\n\t\t1\r\n\t]\r\n}',
            id="tabs and CRLF",
        ),
        pytest.param(
            COMMENTED,
            COMMENTED.replace("// inline\n", '// inline\n  "k": [\n    1\n  ]\n'),
            id="comments and a trailing comma",
        ),
        pytest.param(
            "{ /* none */ }", '{ /* none */\n  "k": [\n    1\n  ]\n}', id="only a comment"
        ),
        pytest.param('\ufeff{"a": 1}', '\ufeff{"a": 1, "k": [1]}', id="byte order mark"),
    ],
)
def test_a_member_is_added_and_the_rest_stays(before, after):
    assert set_member(before, parse(before), "k", [1]) == after


@pytest.mark.parametrize(
    ("text", "index", "after"),
    [
        pytest.param('{"a": 1, "b": 2}', 0, '{"b": 2}', id="first"),
        pytest.param('{"a": 1, "b": 2}', 1, '{"a": 1}', id="last"),
        pytest.param('{"a": 1}', 0, "{}", id="only"),
        pytest.param("[1, 2, 3]", 1, "[1, 3]", id="middle"),
        pytest.param(
            '{\n  "a": 1, // about a\n  "b": 2\n}',
            1,
            '{\n  "a": 1 // about a\n}',
            id="a neighbour's comment stays",
        ),
        pytest.param(
            '{"a": 1, // about a\n"b": 2}',
            1,
            '{"a": 1 // about a\n}',
            id="a comment does not swallow the brace",
        ),
        pytest.param(
            "[\n  // why\n  1\n]", 0, "[\n  // why\n  \n]", id="a comment before the only one"
        ),
        pytest.param("[1, 2,]", 1, "[1,]", id="trailing comma"),
    ],
)
def test_a_part_is_removed_and_the_rest_stays(text, index, after):
    removed = remove_part(text, parse(text), index)

    assert removed == after
    parse(removed)


@pytest.mark.parametrize(
    "text",
    [
        "", "{", '{"a"}', '{"a": }', "[1 2]", "{} {}", '{"a": NaN}', '{"a": 1]', "{'a': 1}",
        "[" * 300 + "]" * 300, '{"a": "b\nc"}', "nul",
    ],
)  # fmt: skip
def test_what_is_not_json_is_told_with_its_line(text):
    with pytest.raises(ValueError, match=r"^line \d+: "):
        parse(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)
OBJECT = st.dictionaries(st.text(max_size=6), JSON, max_size=5)
INDENT = st.sampled_from([None, 0, 2, 4, "\t"])


@given(value=JSON, indent=INDENT)
def test_it_reads_what_json_reads(value, indent):
    assert parse(json.dumps(value, indent=indent)).value == value


@given(value=OBJECT, indent=INDENT, key=st.text(max_size=6), new=JSON)
def test_setting_a_member_changes_that_member_alone(value, indent, key, new):
    text = json.dumps(value, indent=indent, ensure_ascii=False)

    changed = set_member(text, parse(text), key, new)

    assert json.loads(changed) == value | {key: new}


@given(value=st.lists(JSON, min_size=1, max_size=5), indent=INDENT, new=JSON, data=st.data())
def test_appending_and_removing_are_each_others_opposite(value, indent, new, data):
    text = json.dumps(value, indent=indent)
    appended = append_item(text, parse(text), new)
    index = data.draw(st.integers(0, len(value) - 1))

    assert json.loads(appended) == [*value, new]
    assert json.loads(remove_part(appended, parse(appended), len(value))) == value
    assert json.loads(remove_part(text, parse(text), index)) == value[:index] + value[index + 1 :]
