"""The form of an answer: what the wire is left to say, and what is said in words."""

from typing import Any, Literal

import pytest

from domain.model.attempt import format_in_words
from domain.shared.chat import Capabilities, ChatMessage, ChatRequest, OutputFormat, ToolSpec

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"city": {"type": "string"}}}
LIST: dict[str, Any] = {"type": "array"}
TOOL = ToolSpec(name="t", description="", parameters={})
SYSTEM = ChatMessage.of_text("system", "Be kind.")
USER = ChatMessage.of_text("user", "Hi")
Tools = Literal["native", "prompt_prefix", "none"]


def asking(schema: dict[str, Any] | None, *, tools: bool = False, **more: Any) -> ChatRequest:
    return ChatRequest(
        messages=(SYSTEM, USER),
        tools=(TOOL,) if tools else (),
        json_schema=schema,
        **{"output": OutputFormat.JSON, **more},
    )


@pytest.mark.parametrize("tools", ["native", "prompt_prefix", "none"])
@pytest.mark.parametrize("offered", [False, True])
@pytest.mark.parametrize("able", [(False, False), (True, False), (True, True), (False, True)])
@pytest.mark.parametrize("schema", [None, SCHEMA, LIST])
def test_every_model_is_told_what_to_answer(
    schema: dict[str, Any] | None, able: tuple[bool, bool], tools: Tools, *, offered: bool
) -> None:
    capabilities = Capabilities(json_object=able[0], json_schema=able[1], tools=tools)

    told = format_in_words(asking(schema, tools=offered), capabilities)

    words = " ".join(message.text for message in told.messages)
    by_wire = told.output is OutputFormat.JSON and (
        capabilities.json_object if schema is None else capabilities.json_schema
    )
    in_words = ("JSON object" if schema is None else f'"type":"{schema["type"]}"') in words
    assert by_wire or in_words
    if by_wire and not offered:
        assert told == asking(schema, tools=offered)
    if offered:  # vendors that take either tools or a format leave the format out
        assert in_words
    if offered and tools == "prompt_prefix":  # the text holds marks beside the answer
        assert told.output is OutputFormat.TEXT
    if schema is LIST and not capabilities.json_schema:  # the plain mode knows objects only
        assert told.output is OutputFormat.TEXT


def test_the_words_follow_the_instructions() -> None:
    told = format_in_words(asking(SCHEMA), Capabilities())

    assert [message.role for message in told.messages] == ["system", "system", "user"]
    assert (told.messages[0], told.messages[2]) == (SYSTEM, USER)


@pytest.mark.parametrize("output", [OutputFormat.TEXT, OutputFormat.MARKDOWN])
def test_other_forms_are_left_alone(output: OutputFormat) -> None:
    request = asking(None, output=output)

    assert format_in_words(request, Capabilities(json_object=False)) is request
