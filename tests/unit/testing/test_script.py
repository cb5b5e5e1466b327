"""A script is read from its text and spoken in order."""

import pytest

from snaphook.errors import UsageError
from snaphook.testing import (
    Asked,
    Call,
    Drop,
    Failure,
    Garble,
    Line,
    Reply,
    Say,
    Script,
    Think,
    Tokens,
    Turn,
    Wait,
    say,
)
from snaphook.testing.parse import parse


def test_every_step_of_the_text_form_is_read():
    turns, otherwise = parse(
        """
        # a comment
        turn
          think The file first.
          say I'll read it:
          | the second line.
          call Read {"file_path": "README.md"}
          wait 0.5
          usage 1200 80
        turn when "no such file" system "titles" without tools always
          garble
          drop
        turn with tools
          fail 529 retry-after 0.2 Overloaded, sorry
        turn
          fail 500
        otherwise
          say Nothing more.
        """
    )

    assert turns == [
        Turn(
            answer=Reply(
                steps=(
                    Think("The file first."),
                    Say("I'll read it:\nthe second line."),
                    Call("Read", {"file_path": "README.md"}),
                    Wait(0.5),
                ),
                tokens=Tokens(1200, 80),
            )
        ),
        Turn(
            answer=Reply(steps=(Garble(), Drop())),
            when="no such file",
            system="titles",
            tools=False,
            always=True,
        ),
        Turn(answer=Failure(status=529, message="Overloaded, sorry", retry_after=0.2), tools=True),
        Turn(answer=Failure(status=500)),
    ]
    assert otherwise == Reply(steps=(Say("Nothing more."),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("say hi", "script:1: 'say' stands before the first turn", id="no turn"),
        pytest.param("turn\n  shout hi", "script:2: no step is called 'shout'", id="no such step"),
        pytest.param("turn\n  call Read {", "script:2: the arguments are no JSON", id="bad JSON"),
        pytest.param("turn\n  call Read []", "script:2: a call needs a name", id="no object"),
        pytest.param("turn\n  wait long", "script:2: 'long' is no number", id="no number"),
        pytest.param("turn\n  | more", "script:2: '|' follows no text", id="no text above"),
        pytest.param(
            "turn until noon", "script:1: a turn does not take 'until'", id="no condition"
        ),
        pytest.param('turn when "x', "script:1: No closing quotation", id="open quotes"),
    ],
)
def test_a_script_that_cannot_be_read_says_where_and_why(text, message):
    with pytest.raises(UsageError) as caught:
        parse(text)

    assert str(caught.value).startswith(message)


def asked(news: str = "", *, system: str = "", tools: tuple[str, ...] = ()) -> Asked:
    lines = (
        Line(role="user", kind="text", text="old words"),
        Line(role="assistant", kind="text", text="spoken"),
        Line(role="user", kind="text", text=news),
    )
    return Asked(wire="test", system=system, lines=lines, tools=tools)


def test_plain_turns_speak_in_order_and_conditional_ones_when_their_time_comes():
    script = Script(
        [
            say("first"),
            say("second"),
            Turn(answer=say("a title"), system="titles", always=True),
            Turn(answer=say("not found"), when="missing"),
        ],
        otherwise=say("no more"),
    )

    heard = [
        script.answer(asked("go")),
        script.answer(asked("x", system="make titles")),
        script.answer(asked("it is missing")),
        script.answer(asked("it is missing")),
        script.answer(asked("x", system="make titles")),
        script.answer(asked("old words are not news")),
    ]

    assert heard == [
        say("first"),
        say("a title"),
        say("not found"),
        say("second"),
        say("a title"),
        say("no more"),
    ]
    assert script.left == 0


def test_calls_get_ids_of_their_own():
    script = Script([say("", Call("Read"), Call("Read", {}, "mine")), say("", Call("Bash"))])

    ids = [call.id for _ in range(2) for call in script.answer(asked()).calls]  # type: ignore[union-attr]

    assert ids == ["call_0001", "mine", "call_0003"]


def test_a_script_that_is_used_up_says_so():
    answer = Script([]).answer(asked())

    assert isinstance(answer, Failure)
    assert "no turn is left" in answer.message
