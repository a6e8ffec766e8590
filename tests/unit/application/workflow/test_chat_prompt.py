"""Questions of workflows: what a form shows, and what a chat says in its place."""

import json

import pytest

from application.workflow.chat_prompt import asked_of, chat_text
from domain.shared.asked import Asked, AskedField


def asked_in(**message: object) -> str:
    return json.dumps({"messages": [{"type": "question", **message}]})


@pytest.mark.parametrize(
    ("data", "asked", "text"),
    [
        ("Which?", Asked(text="Which?"), "Which?"),
        (asked_in(content_type="text", content="When?"), Asked(text="When?"), "When?"),
        (
            asked_in(
                content_type="option",
                content={"question": "How?", "options": [{"name": "Bus"}, {"name": "Ferry"}]},
            ),
            Asked(text="How?", options=("Bus", "Ferry")),
            "How?\n- Bus\n- Ferry",
        ),
        (
            json.dumps(
                {
                    "content_type": "form_schema",
                    "content": json.dumps(
                        [
                            {"name": "day", "type": "string", "required": True},
                            {"name": "pier", "description": "East or west"},
                        ]
                    ),
                }
            ),
            Asked(
                text="",
                fields=(
                    AskedField(name="day", type="string", is_required=True),
                    AskedField(name="pier", type="string", description="East or west"),
                ),
            ),
            "day:\npier:",
        ),
        (
            json.dumps({"content": "Give access first.", "auth_info": "https://sea.example/go"}),
            Asked(text="Give access first.", url="https://sea.example/go"),
            "Give access first.\nhttps://sea.example/go",
        ),
    ],
)
def test_a_question_is_shown_as_a_form_and_said_in_a_chat(
    data: str, asked: Asked, text: str
) -> None:
    assert asked_of(data) == asked
    assert chat_text(asked) == text
