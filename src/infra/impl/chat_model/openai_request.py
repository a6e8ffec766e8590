"""The request body of ``POST /chat/completions``, without its parameter mapping and with it."""

import base64
from collections.abc import Sequence
from typing import Any, Final

from domain.shared import chat
from infra.contract.model.chat_model import ModelEndpoint, ParameterMapping

_OURS: Final = frozenset({"messages", "model", "n", "stream", "stream_options", "tools"})
"""Fields that an agent's own parameters cannot change: the reply is read by what they say."""
_CHOICES: Final = frozenset({"auto", "none", "required"})


def chat_body(
    request: chat.ChatRequest, endpoint: ModelEndpoint, *, with_usage: bool
) -> dict[str, Any]:
    """Return the body of a streamed call."""
    body: dict[str, Any] = {
        name: value for name, value in _parameters(request) if value is not None
    }
    if request.tools and endpoint.capabilities.tools == "native":
        body |= _tools(request, endpoint.capabilities)
    if request.output is chat.OutputFormat.JSON:
        body |= _response_format(request, endpoint.capabilities)
    extra = {name: value for name, value in request.parameters.items() if name not in _OURS}
    body = mapped(body | extra | _wishes(request, endpoint.capabilities), endpoint.mapping)
    messages = arranged(request.messages, endpoint.capabilities)
    body |= {
        "model": body.get("model", endpoint.model),
        "messages": [_message(message) for message in messages],
        "stream": True,
    }
    if with_usage:
        body["stream_options"] = {"include_usage": True}
    return body


def mapped(body: dict[str, Any], mapping: ParameterMapping) -> dict[str, Any]:
    """Apply a model's parameter mapping: defaults, cap, renames, drops, forced values."""
    body = {**mapping.defaults, **body}
    temperature = body.get("temperature")
    if mapping.temperature_max is not None and isinstance(temperature, int | float):
        body["temperature"] = min(temperature, mapping.temperature_max)
    body = {mapping.rename.get(name, name): value for name, value in body.items()}
    return {n: v for n, v in body.items() if n not in mapping.drop} | dict(mapping.force)


def arranged(
    messages: Sequence[chat.ChatMessage], capabilities: chat.Capabilities
) -> list[chat.ChatMessage]:
    """Place system messages where the model takes them: anywhere, first, or in a user message."""
    if capabilities.system_messages == "many":
        return list(messages)
    instructions = "\n\n".join(m.text for m in messages if m.role == "system" and m.text)
    others = [message for message in messages if message.role != "system"]
    if not instructions:
        return others
    if capabilities.system_messages == "first":
        return [chat.ChatMessage.of_text("system", instructions), *others]
    preamble = chat.TextPart(text=instructions)
    if others and others[0].role == "user":
        merged = chat.ChatMessage(role="user", parts=(preamble, *others[0].parts))
        return [merged, *others[1:]]
    return [chat.ChatMessage(role="user", parts=(preamble,)), *others]


def image_bytes(request: chat.ChatRequest) -> int:
    """Return how many bytes of images the body will carry."""
    return sum(
        len(part.data)
        for message in request.messages
        for part in message.parts
        if isinstance(part, chat.ImagePart)
    )


def _parameters(request: chat.ChatRequest) -> list[tuple[str, Any]]:
    sampling = request.sampling
    return [
        ("temperature", sampling.temperature),
        ("top_p", sampling.top_p),
        ("top_k", sampling.top_k),
        ("presence_penalty", sampling.presence_penalty),
        ("frequency_penalty", sampling.frequency_penalty),
        ("seed", sampling.seed),
        ("stop", list(request.stop) or None),
        ("max_tokens", request.max_output_tokens),
        ("user", request.end_user or None),
    ]


def _wishes(request: chat.ChatRequest, capabilities: chat.Capabilities) -> dict[str, Any]:
    """Return what one request asks for beyond sampling; it wins over the agent's parameters."""
    wishes = {}
    if request.reasoning_effort and capabilities.reasoning_effort:
        wishes["reasoning_effort"] = request.reasoning_effort
    if request.verbosity and capabilities.verbosity:
        wishes["verbosity"] = request.verbosity
    return wishes


def _tools(request: chat.ChatRequest, capabilities: chat.Capabilities) -> dict[str, Any]:
    choice: str | dict[str, Any] = request.tool_choice
    if choice not in _CHOICES:
        choice = {"type": "function", "function": {"name": choice}}
    body: dict[str, Any] = {"tools": [_tool(tool) for tool in request.tools]}
    if choice != "auto":
        body["tool_choice"] = choice
    if request.parallel_tool_calls is not None and capabilities.parallel_tools:
        body["parallel_tool_calls"] = request.parallel_tool_calls
    return body


def _tool(tool: chat.ToolSpec) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
        },
    }


def _response_format(request: chat.ChatRequest, capabilities: chat.Capabilities) -> dict[str, Any]:
    if request.json_schema is not None and capabilities.json_schema:
        schema: dict[str, Any] = {
            "name": request.json_name or "answer",
            "schema": request.json_schema,
        }
        if request.json_description:
            schema["description"] = request.json_description
        if request.json_strict:
            schema["strict"] = True
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    if capabilities.json_object:
        return {"response_format": {"type": "json_object"}}
    return {}


def _message(message: chat.ChatMessage) -> dict[str, Any]:
    body: dict[str, Any] = {"role": message.role, "content": _content(message)}
    if message.tool_calls:
        body["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments or "{}"},
            }
            for call in message.tool_calls
        ]
        # With calls and without a text, OpenAI's own messages have null.
        body["content"] = body["content"] or None
    if message.role == "tool":
        body["tool_call_id"] = message.tool_call_id
    return body


def _content(message: chat.ChatMessage) -> str | list[dict[str, Any]]:
    """Return plain text where it suffices: many servers take lists only with images."""
    if message.role == "user" and any(isinstance(part, chat.ImagePart) for part in message.parts):
        return [_part(part) for part in message.parts]
    return "\n".join(chat.in_words(part) for part in message.parts)


def _part(part: chat.Part) -> dict[str, Any]:
    if isinstance(part, chat.ImagePart) and (part.data or part.url):
        image = {"url": _data_url(part) if part.data else part.url}
        if part.detail:
            image["detail"] = part.detail
        return {"type": "image_url", "image_url": image}
    return {"type": "text", "text": chat.in_words(part)}


def _data_url(part: chat.ImagePart) -> str:
    return f"data:{part.media_type or 'image/png'};base64,{base64.b64encode(part.data).decode()}"
