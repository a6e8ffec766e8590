"""Input of responses, read into the messages of models: reasoning, and what a client was asked."""

from typing import Any

import msgspec
import pytest

from api.openai.responses.items import InputItem, decode_items
from domain.conversation.dialogue import Dialogue, question_id
from domain.shared.chat import ChatMessage
from domain.shared.limits import Limits

CALL = {"type": "function_call", "call_id": "c", "name": "get", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c", "output": "1"}
SAID = {"role": "assistant", "content": "Hello"}
THOUGHT = {"type": "reasoning", "summary": [], "encrypted_content": "sealed"}


def read(*items: dict[str, Any]) -> list[tuple[str, str]]:
    given = [msgspec.convert(item, InputItem) for item in items]
    found = decode_items(given, Limits(), opened=lambda text: f"opened {text}" if text else "")
    return [(message.role, message.reasoning) for message in found]


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([THOUGHT, SAID], [("assistant", "opened sealed")]),
        ([THOUGHT, CALL, OUTPUT], [("assistant", "opened sealed"), ("tool", "")]),
        ([THOUGHT, SAID, CALL, OUTPUT], [("assistant", "opened sealed"), ("tool", "")]),
        (
            [THOUGHT, CALL, OUTPUT, CALL, OUTPUT],
            [("assistant", "opened sealed"), ("tool", ""), ("assistant", ""), ("tool", "")],
        ),
        ([{"type": "reasoning", "summary": []}, SAID], [("assistant", "")]),
    ],
)
def test_reasoning_belongs_to_what_the_assistant_says_next(
    items: list[dict[str, Any]], expected: list[tuple[str, str]]
) -> None:
    assert read(*items) == expected


def test_without_a_key_reasoning_is_left_out() -> None:
    given = [msgspec.convert(item, InputItem) for item in (THOUGHT, SAID)]

    assert [message.reasoning for message in decode_items(given, Limits())] == [""]


def said(*turns: tuple[Any, str]) -> Dialogue:
    return Dialogue.of([ChatMessage.of_text(role, text) for role, text in turns])


def test_a_question_is_what_the_assistant_said_right_before() -> None:
    assert said(
        ("user", "a"), ("assistant", "b"), ("assistant", "c"), ("user", "d")
    ).last_answers == (
        "b",
        "c",
    )
    assert said(("user", "a"), ("user", "d")).last_answers == ()
    assert said(("user", "d")).last_answers == ()


def test_a_question_has_another_id_for_everybody_else() -> None:
    owner = (1, "ada", 7, 0)
    known = question_id(*owner, history="h", answer="a")

    assert len(known) <= 64
    assert question_id(1, "ada", "7", "0", history="h", answer="a") == known
    others = [(2, "ada", 7, 0), (1, "bob", 7, 0), (1, "ada", 8, 0), (1, "ada", 7, 1)]
    assert known not in {question_id(*each, history="h", answer="a") for each in others}
    assert question_id(*owner, history="i", answer="a") != known
    assert question_id(*owner, history="h", answer="b") != known
