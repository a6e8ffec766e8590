"""Prompts read back from the wires of providers, as collectors want them."""

import json
from typing import Any

import pytest

from application.trace.prompt import Prompt, prompt_of, reply_of

TEXT = {"type": "text", "content": "Rain?"}
CALL = {"type": "tool_call", "id": "c1", "name": "look", "arguments": {"city": "Paris"}}
RESULT = {"type": "tool_call_response", "id": "c1", "response": "rainy"}
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
TOOL = {"type": "function", "name": "look", "description": "Looks.", "parameters": SCHEMA}
OPENAI = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Rain?"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "function": {"name": "look", "arguments": '{"city": "Paris"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "rainy"},
    ],
    "tools": [
        {
            "type": "function",
            "function": {"name": "look", "description": "Looks.", "parameters": SCHEMA},
        }
    ],
}
ANTHROPIC = {
    "model": "m",
    "system": [{"type": "text", "text": "Be brief."}],
    "messages": [
        {"role": "user", "content": "Rain?"},
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "c1", "name": "look", "input": {"city": "Paris"}}
            ],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "rainy"}],
        },
    ],
    "tools": [{"name": "look", "description": "Looks.", "input_schema": SCHEMA}],
}
GEMINI = {
    "systemInstruction": {"parts": [{"text": "Be brief."}]},
    "contents": [
        {"role": "user", "parts": [{"text": "Rain?"}]},
        {
            "role": "model",
            "parts": [{"functionCall": {"id": "c1", "name": "look", "args": {"city": "Paris"}}}],
        },
        {"role": "user", "parts": [{"functionResponse": {"id": "c1", "response": "rainy"}}]},
    ],
    "tools": [
        {"functionDeclarations": [{"name": "look", "description": "Looks.", "parameters": SCHEMA}]}
    ],
}


@pytest.mark.parametrize("body", [OPENAI, ANTHROPIC, GEMINI], ids=["openai", "anthropic", "gemini"])
def test_each_wire_says_the_same(body: dict[str, Any]) -> None:
    assert prompt_of(json.dumps(body)) == Prompt(
        system=[{"type": "text", "content": "Be brief."}],
        messages=[
            {"role": "user", "parts": [TEXT]},
            {"role": "assistant", "parts": [CALL]},
            {"role": "tool", "parts": [RESULT]},
        ],
        tools=[TOOL],
    )


@pytest.mark.parametrize(
    "body", [None, "", "no JSON", '{"messages": [{"role": "us…[7 bytes left out]', "[]", "{}"]
)
def test_what_is_no_prompt_is_none(body: str | None) -> None:
    assert prompt_of(body) is None


def test_pictures_are_not_told() -> None:
    content = [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]
    prompt = prompt_of(json.dumps({"messages": [{"role": "user", "content": content}]}))

    assert prompt is not None
    assert prompt.messages[0]["parts"] == [{"type": "image_url", "content": "[not told]"}]


def test_a_reply_has_thoughts_text_and_calls() -> None:
    made = [{"id": "c1", "name": "look", "arguments": '{"city": "Paris"}'}]
    output = {"text": "Hm.", "reasoning": "So…", "tool_calls": made, "finish_reason": "tool_calls"}

    assert reply_of(json.dumps(output)) == {
        "role": "assistant",
        "parts": [
            {"type": "reasoning", "content": "So…"},
            {"type": "text", "content": "Hm."},
            CALL,
        ],
        "finish_reason": "tool_calls",
    }
