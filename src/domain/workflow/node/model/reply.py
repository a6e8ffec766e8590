"""One reply of a model, as several kinds of nodes ask for it."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from typing import Final, Literal

import msgspec

from crossdomain.model.contract import ModelDescription
from domain.shared.chat import (
    ChatMessage,
    ChatRequest,
    ContentReplaced,
    ReasoningDelta,
    Sampling,
    TextDelta,
    ToolCall,
    ToolCallDelta,
)
from domain.shared.error import NotFound
from domain.workflow.engine.call import Call
from domain.workflow.node.model.choice import ModelChoice
from domain.workflow.node.needs import needed
from domain.workflow.text import BrokenJson, decode_json, to_text
from domain.workflow.value import Value

_ROLES: Final[Mapping[str, Literal["system", "user", "assistant"]]] = {
    "assistant": "assistant",
    "AI": "assistant",
    "system": "system",
    "System": "system",
}
_NAMES: Final = {"user": "Human", "assistant": "AI", "system": "System"}

OnText = Callable[[str], Awaitable[None]]


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """A complete reply."""

    text: str
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()


async def chosen_model(call: Call, choice: ModelChoice) -> str:
    """Name the model as it is known here: canvases from elsewhere may share no more than its name.

    An id that nobody knows stays where there is no other name, so that the call tells about it.
    """
    if not choice.model or choice.name in {"", choice.model}:
        return choice.model or choice.name
    models = needed(call.ports.models, "models")
    for name in (choice.model, choice.name):
        try:
            await models.describe(name)
        except NotFound:
            continue
        return name
    return choice.model


async def described_model(call: Call, choice: ModelChoice) -> ModelDescription:
    """Tell what the model of a node can do; raise ``ModelNotFound``."""
    models = needed(call.ports.models, "models")
    named = await chosen_model(call, choice)
    return await models.describe(named, space_id=call.model_context.space_id)


async def request(call: Call, choice: ModelChoice, messages: list[ChatMessage]) -> ChatRequest:
    """Make a request from the settings of a node."""
    return ChatRequest(
        model=await chosen_model(call, choice),
        messages=tuple(messages),
        sampling=Sampling(
            temperature=choice.temperature,
            top_p=choice.top_p,
            frequency_penalty=choice.frequency_penalty,
            presence_penalty=choice.presence_penalty,
        ),
        stop=choice.stop,
        max_output_tokens=choice.max_tokens,
    )


async def ask(
    call: Call,
    wanted: ChatRequest,
    *,
    on_text: OnText | None = None,
    on_reasoning: OnText | None = None,
) -> Reply:
    """Ask a model and wait for the whole reply; pieces are handed on as they arrive."""
    models = needed(call.ports.models, "models")
    call.extra["model"] = wanted.model
    text: list[str] = []
    reasoning: list[str] = []
    calls: dict[int, list[str]] = {}
    async with aclosing(models.stream(call.model_context, wanted)) as events:
        async for event in events:
            match event:
                case TextDelta(text=piece):
                    text.append(piece)
                    if on_text is not None:
                        await on_text(piece)
                case ReasoningDelta(text=piece):
                    reasoning.append(piece)
                    if on_reasoning is not None:
                        await on_reasoning(piece)
                case ContentReplaced():
                    text, reasoning = [event.text], [event.reasoning]
                case ToolCallDelta():
                    _add(calls, event)
                case _:
                    pass
    return Reply(
        text="".join(text),
        reasoning="".join(reasoning),
        tool_calls=tuple(
            ToolCall(id=each[0], name=each[1], arguments=each[2])
            for _, each in sorted(calls.items())
        ),
    )


async def history(call: Call, rounds: int, instead: Value = None) -> list[ChatMessage]:
    """Read what was said before, in chat flows only; messages that an input gives come first."""
    if instead:
        return messages_of(instead)
    context = call.context
    if not rounds or not context.is_chat_flow or not context.conversation_id:
        return []
    needed(call.ports.conversations, "conversations")
    return list(await call.ports.history(context, rounds))


def messages_of(value: Value) -> list[ChatMessage]:
    """Read messages as nodes give them, by Coze or FastGPT; a plain text is the user's."""
    messages = []
    for item in value if isinstance(value, list) else [value]:
        said = item if isinstance(item, dict) else {"content": item}
        role = _ROLES.get(to_text(said.get("role") or said.get("obj")), "user")
        content = said.get("content") if "content" in said else said.get("value")
        messages.append(ChatMessage.of_text(role, _plain(content)))
    return messages


def _plain(content: Value) -> str:
    """Read the text of a message, also where it is a list of parts."""
    if not isinstance(content, list):
        return to_text(content)
    texts = [part.get("text") for part in content if isinstance(part, dict)]
    return "\n".join(
        to_text(each.get("content") if isinstance(each, dict) else each) for each in texts if each
    )


def as_flow_messages(messages: Iterable[ChatMessage]) -> list[Value]:
    """Tell what was said as FastGPT's flows know it, without the calls of tools."""
    return [
        {"obj": _NAMES[each.role], "value": each.text}
        for each in messages
        if each.role in _NAMES and each.text
    ]


def find_object(text: str) -> dict[str, Value] | None:
    """Read a JSON object from a reply: the whole, a fenced block, or the first one in the text."""
    stripped = text.strip()
    if stripped.startswith("```") and stripped.endswith("```"):
        stripped = stripped[3:-3].removeprefix("json").strip()
    value = _decode(stripped)
    if value is not None:
        return value
    start = stripped.find("{")
    while start >= 0:
        end = _end_of_object(stripped, start)
        if end < 0:
            return None
        value = _decode(stripped[start:end])
        if value is not None:
            return value
        start = stripped.find("{", end)
    return None


def _decode(text: str) -> dict[str, Value] | None:
    try:
        value = decode_json(text)
    except BrokenJson:
        return None
    return value if isinstance(value, dict) else None


def _end_of_object(text: str, start: int) -> int:
    depth = 0
    in_string = is_escaped = False
    for position in range(start, len(text)):
        char = text[position]
        if in_string:
            if is_escaped:
                is_escaped = False
            elif char == "\\":
                is_escaped = True
            elif char == '"':
                in_string = False
        elif char == '"':
            in_string = True
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return position + 1
    return -1


def _add(calls: dict[int, list[str]], delta: ToolCallDelta) -> None:
    known = calls.setdefault(delta.index, ["", "", ""])
    known[0] = delta.id or known[0]
    known[1] = delta.name or known[1]
    known[2] += delta.arguments
