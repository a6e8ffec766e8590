"""Prompts as they were sent, read back from the wires of providers into messages with parts.

Bodies are those of OpenAI and its like, Anthropic, Gemini and Ollama. Messages have the form of the
semantic conventions for generative AI: ``{role, parts}``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

Message = dict[str, Any]
Part = dict[str, Any]

_SYSTEM: Final = frozenset({"system", "developer"})
_ROLES: Final = {"model": "assistant", "function": "tool"}


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """What a model was given: instructions as parts, messages, definitions of tools."""

    system: Sequence[Part]
    messages: Sequence[Message]
    tools: Sequence[Mapping[str, Any]]


def prompt_of(body: str | None) -> Prompt | None:
    """Read the body of a request; None for what is none, one that was cut for instance."""
    document = _object(body)
    if document is None:
        return None
    given = document.get("messages")
    if not isinstance(given, list):
        given = document.get("contents")
    if not isinstance(given, list):
        return None
    told = [_message(each) for each in given if isinstance(each, dict)]
    instructions = document.get("system") or document.get("systemInstruction")
    system = [*_parts(_inner(instructions))] if instructions else []
    system += [part for each in told if each["role"] in _SYSTEM for part in each["parts"]]
    return Prompt(
        system=system,
        messages=[each for each in told if each["role"] not in _SYSTEM],
        tools=[*_tools(document.get("tools"))],
    )


def reply_of(output: str | None) -> Message | None:
    """Read what a trace has of a reply; None for what is none."""
    reply = _object(output)
    if reply is None or "text" not in reply:
        return None
    parts: list[Part] = []
    if thoughts := reply.get("reasoning"):
        parts.append({"type": "reasoning", "content": thoughts})
    if text := reply.get("text"):
        parts.append({"type": "text", "content": text})
    parts += [
        {
            "type": "tool_call",
            "id": call.get("id"),
            "name": call.get("name"),
            "arguments": _decoded(call.get("arguments")),
        }
        for call in reply.get("tool_calls") or ()
    ]
    message: Message = {"role": "assistant", "parts": parts}
    if finish := reply.get("finish_reason"):
        message["finish_reason"] = finish
    return message


def _object(text: str | None) -> dict[str, Any] | None:
    try:
        found = msgspec.json.decode(text) if text else None
    except msgspec.DecodeError:
        return None
    return found if isinstance(found, dict) else None


def _message(told: Mapping[str, Any]) -> Message:
    role = str(told.get("role", "user"))
    role = _ROLES.get(role, role)
    if role == "tool" and "parts" not in told:
        result = {"type": "tool_call_response", "id": told.get("tool_call_id")}
        return {"role": role, "parts": [{**result, "response": _text(told.get("content"))}]}
    parts = [*_thoughts(told), *_parts(_inner(told)), *_calls(told.get("tool_calls"))]
    if parts and all(part["type"] == "tool_call_response" for part in parts):
        role = "tool"  # some have results in messages of the user
    return {"role": role, "parts": parts}


def _inner(told: Any) -> Any:
    """Return what a message holds, under whatever name."""
    if isinstance(told, dict):
        return told.get("content", told.get("parts"))
    return told


def _thoughts(told: Mapping[str, Any]) -> Iterator[Part]:
    if thoughts := told.get("reasoning_content") or told.get("thinking"):
        yield {"type": "reasoning", "content": thoughts}


def _calls(calls: Any) -> Iterator[Part]:
    for call in calls if isinstance(calls, list) else ():
        made = call.get("function") or {}
        yield {
            "type": "tool_call",
            "id": call.get("id"),
            "name": made.get("name"),
            "arguments": _decoded(made.get("arguments")),
        }


def _parts(content: Any) -> Iterator[Part]:
    if isinstance(content, str):
        if content:
            yield {"type": "text", "content": content}
        return
    for block in content if isinstance(content, list) else ():
        if isinstance(block, str):
            yield {"type": "text", "content": block}
        elif isinstance(block, dict):
            yield _part(block)


def _part(block: Mapping[str, Any]) -> Part:  # noqa: PLR0911 - one for each shape of the wires
    match block:
        case {"type": "tool_use", "name": name}:
            made = block.get("input")
            return {"type": "tool_call", "id": block.get("id"), "name": name, "arguments": made}
        case {"type": "tool_result"}:
            text = _text(block.get("content"))
            return {"type": "tool_call_response", "id": block.get("tool_use_id"), "response": text}
        case {"type": "thinking", "thinking": thoughts}:
            return {"type": "reasoning", "content": thoughts}
        case {"functionCall": dict(made)}:
            name, arguments = made.get("name"), made.get("args")
            return {"type": "tool_call", "id": made.get("id"), "name": name, "arguments": arguments}
        case {"functionResponse": dict(made)}:
            response = made.get("response")
            return {"type": "tool_call_response", "id": made.get("id"), "response": response}
        case {"thought": True, "text": str(text)}:
            return {"type": "reasoning", "content": text}
        case {"text": str(text)}:
            return {"type": "text", "content": text}
        case {"type": "image_url", "image_url": {"url": str(url)}} if not url.startswith("data:"):
            return {"type": "uri", "modality": "image", "uri": url}
        case _:
            kind = str(block.get("type", next(iter(block), "unknown")))
            return {"type": kind, "content": "[not told]"}  # pictures and files, mostly


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    texts = [str(part.get("content", "")) for part in _parts(content)]
    return "\n".join(texts)


def _tools(given: Any) -> Iterator[Mapping[str, Any]]:
    for each in given if isinstance(given, list) else ():
        if not isinstance(each, dict):
            continue
        for tool in each.get("functionDeclarations") or [each.get("function") or each]:
            schema = tool.get("parameters") or tool.get("input_schema")
            told = {"type": "function", "name": tool.get("name")}
            told["description"] = tool.get("description")
            yield {**{k: v for k, v in told.items() if v}, "parameters": schema or {}}


def _decoded(arguments: Any) -> Any:
    if not isinstance(arguments, str):
        return arguments
    try:
        return msgspec.json.decode(arguments)
    except msgspec.DecodeError:
        return arguments
