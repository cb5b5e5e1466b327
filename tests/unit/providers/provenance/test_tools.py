"""tools: what a tool does, as its name and its server tell."""

import pytest

from snaphook.providers.provenance.sinks import SinkKind
from snaphook.providers.provenance.tool_sinks import tool_sinks
from snaphook.providers.provenance.tools import ToolClass, class_said


@pytest.mark.parametrize(
    ("tool", "annotations", "does"),
    [
        ("mcp__x__weather", {}, ToolClass.CHANGE),
        ("mcp__x__weather", {"readOnlyHint": True}, ToolClass.READ),
        ("mcp__x__weather", {"readOnlyHint": "yes"}, ToolClass.CHANGE),
        ("mcp__x__get_page", {}, ToolClass.READ),
        ("mcp__x__get_page", {"readOnlyHint": False}, ToolClass.CHANGE),
        ("mcp__x__get_page", {"destructiveHint": True}, ToolClass.CHANGE),
        ("mcp__x__send_money", {"readOnlyHint": True}, ToolClass.PAY),
        ("mcp__x__delete_all", {"readOnlyHint": True}, ToolClass.CHANGE),
        ("mcp__x__post_message", {"readOnlyHint": True}, ToolClass.SEND),
    ],
)
def test_what_a_server_says_adds_to_the_name_and_takes_nothing_from_it(tool, annotations, does):
    assert class_said(tool, annotations) is does


def test_annotations_reach_the_sinks():
    args = {"where": "https://a.example"}

    [guessed] = tool_sinks("mcp__x__weather", args)
    [told] = tool_sinks("mcp__x__weather", args, {"readOnlyHint": True})

    assert (guessed.kind, told.kind) == (SinkKind.CHANGE, SinkKind.FETCH)
