"""Tools for models that have no calls of their own, through the prompt (request side)."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

import msgspec

from domain.shared.chat import ChatMessage, ChatRequest, TextPart, ToolCall

ToolStyle = Literal["prompt_prefix", "prompt_tags", "prompt_jsonrpc", "none"]

_MOST_STOPS: Final = 4
"""More stop marks than this are refused by many servers."""

_RESULT_TAGS: Final[dict[ToolStyle, str]] = {
    "prompt_prefix": "tool_result",
    "prompt_tags": "tool_response",
    "prompt_jsonrpc": "tool_result",
    "none": "tool_result",
}

_TOOLS: Final = (
    "You can use tools. Each line describes one: its name, what it does, and the JSON schema of "
    "its arguments.\n<tools>\n{tools}\n</tools>\n"
)
_BY_PREFIX: Final = (
    "Begin every reply with one of two marks:\n"
    "0: and then your answer, when you need no tool (any more).\n"
    '1: and then one JSON object {"name": "the tool", "arguments": {...}} and nothing else, when '
    "you need a tool. For several calls at once, write a JSON array of such objects.\n"
)
_BY_TAGS: Final = (
    "When you need a tool, write each call as a JSON object between tags, and nothing after it:\n"
    '<tool_call>{"name": "the tool", "arguments": {...}}</tool_call>\n'
    "When you need no tool (any more), just answer.\n"
)
_BY_RPC: Final = (
    "When you need a tool, write a JSON-RPC request, and nothing after it:\n"
    '{"jsonrpc": "2.0", "method": "the tool", "params": {...}, "id": 1}\n'
    "For several calls at once, write one request after the other.\n"
    "When you need no tool (any more), just answer.\n"
)
_STYLES: Final[dict[ToolStyle, str]] = {
    "prompt_prefix": _BY_PREFIX,
    "prompt_tags": _BY_TAGS,
    "prompt_jsonrpc": _BY_RPC,
}
_RESULTS: Final = (
    "The results come back to you in {tag} elements. Never write such an element yourself, and "
    "never make up a result."
)
_CHOICES: Final = {
    "auto": "",
    "none": "\nNo tool may be called now: answer.",
    "required": "\nYour next reply must call a tool.",
}
_NAMED: Final = "\nYour next reply must call the tool {name}."


class _Requested(msgspec.Struct):
    """A call as a JSON-RPC request."""

    method: str
    params: msgspec.Raw
    id: int
    jsonrpc: str = "2.0"


class _Described(msgspec.Struct, omit_defaults=True):
    """A call as the model is shown it."""

    name: str
    arguments: msgspec.Raw
    id: str = ""


def prompted(request: ChatRequest, style: ToolStyle) -> ChatRequest:
    """Return the request in words: tools described, earlier calls and results told as text.

    ``style`` none, or a request without tools, only tells the history.
    """
    if not request.tools or style == "none":
        if not any(m.role == "tool" or m.tool_calls for m in request.messages):
            return msgspec.structs.replace(request, tools=()) if request.tools else request
        messages = tuple(_spelled_out(request.messages, "none"))
        return msgspec.structs.replace(request, messages=messages, tools=())
    messages = tuple(_spelled_out(request.messages, style))
    at = next((n for n, m in enumerate(messages) if m.role != "system"), len(messages))
    rules = ChatMessage.of_text("system", _rules(request, style))
    stop = request.stop
    if len(stop) < _MOST_STOPS:  # the model cannot go on and invent a result
        stop = (*stop, f"<{_RESULT_TAGS[style]}")
    return msgspec.structs.replace(
        request, messages=(*messages[:at], rules, *messages[at:]), tools=(), stop=stop
    )


def _rules(request: ChatRequest, style: ToolStyle) -> str:
    tools = "\n".join(msgspec.json.encode(tool).decode() for tool in request.tools)
    choice = _CHOICES.get(request.tool_choice)
    return (
        _TOOLS.replace("{tools}", tools)
        + _STYLES[style]
        + _RESULTS.replace("{tag}", _RESULT_TAGS[style])
        + (_NAMED.replace("{name}", request.tool_choice) if choice is None else choice)
    )


def _spelled_out(messages: Sequence[ChatMessage], style: ToolStyle) -> Iterator[ChatMessage]:
    """Tell the calls of a conversation; results of one step become one message of the user."""
    names = {call.id: call.name for message in messages for call in message.tool_calls}
    results: list[str] = []
    for message in messages:
        if message.role == "tool":
            results.append(_result(message, names.get(message.tool_call_id, ""), style))
            continue
        if results:
            yield ChatMessage.of_text("user", "\n".join(results))
            results = []
        if message.role == "assistant":
            yield _said(message, style)
        else:
            yield message
    if results:
        yield ChatMessage.of_text("user", "\n".join(results))


def _said(message: ChatMessage, style: ToolStyle) -> ChatMessage:
    """Tell a message of the assistant as the model should have written it."""
    is_marked = style == "prompt_prefix"
    if not message.tool_calls:
        if not is_marked:
            return message
        parts = (TextPart(text="0: "), *message.parts)
        if isinstance(message.parts[0] if message.parts else None, TextPart):
            parts = (TextPart(text=f"0: {message.parts[0].text}"), *message.parts[1:])  # type: ignore[union-attr]
        return msgspec.structs.replace(message, parts=parts)
    text = message.text
    if text and is_marked:
        text = f"0: {text}"
    lines = [text] if text else []
    lines.append(_calls(message.tool_calls, style))
    return ChatMessage.of_text("assistant", "\n".join(lines))


def _calls(calls: Sequence[ToolCall], style: ToolStyle) -> str:
    if style == "prompt_jsonrpc":
        return "\n".join(_requested(call, number) for number, call in enumerate(calls, 1))
    told = [_described(call, with_id=len(calls) > 1) for call in calls]
    if style == "prompt_prefix":
        return "1: " + (told[0] if len(told) == 1 else f"[{', '.join(told)}]")
    if style == "prompt_tags":
        return "\n".join(f"<tool_call>{each}</tool_call>" for each in told)
    return "\n".join(f"(called a tool: {each})" for each in told)


def _requested(call: ToolCall, number: int) -> str:
    requested = _Requested(method=call.name, params=_arguments(call), id=number)
    return msgspec.json.encode(requested).decode()


def _arguments(call: ToolCall) -> msgspec.Raw:
    """Return the arguments as JSON; what is none becomes a text."""
    try:
        arguments = msgspec.json.encode(msgspec.json.decode(call.arguments or "{}"))
    except (msgspec.DecodeError, RecursionError):
        arguments = msgspec.json.encode(call.arguments)
    return msgspec.Raw(arguments)


def _described(call: ToolCall, *, with_id: bool) -> str:
    described = _Described(
        name=call.name, arguments=_arguments(call), id=call.id if with_id else ""
    )
    return msgspec.json.encode(described).decode()


def _result(message: ChatMessage, name: str, style: ToolStyle) -> str:
    """Wrap a result; what a tool returned cannot end its element and speak for the user."""
    tag = _RESULT_TAGS[style]
    body = message.text.replace(f"</{tag}", f"<\\/{tag}")
    error = ' error="true"' if message.tool_error else ""
    return f'<{tag} name="{name}" id="{message.tool_call_id}"{error}>\n{body}\n</{tag}>'
