"""Dialogue that a client keeps itself: its parts, and what two of them are compared by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

import msgspec

from domain.conversation.error import InvalidToolCallId, MissingToolOutputs
from domain.shared.chat import ChatMessage, ImagePart, Part, TextPart, ToolCall, ToolSpec

_DIGEST_BYTES: Final = 32
_QUESTION_BYTES: Final = 24
_SHOWN_IDS: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """The messages of a request.

    ``outputs`` are those of tools at its end, by the id of their call, and ``asked`` is the message
    of the assistant that they follow, or that ends it.
    ``before`` is everything up to the last message of the user, ``steps`` what follows it.
    """

    system: tuple[str, ...]
    before: tuple[ChatMessage, ...]
    steps: tuple[ChatMessage, ...]
    asked: ChatMessage | None
    outputs: Mapping[str, str]
    field: str = "messages"
    """What the surface calls the messages, for its refusals."""

    @classmethod
    def of(cls, messages: Sequence[ChatMessage], *, field: str = "messages") -> "Dialogue":
        """Take the messages of a request apart.

        Raises:
            InvalidToolCallId: an id has two outputs, or its message did not ask for it.
        """
        spoken = [message for message in messages if message.role != "system"]
        end = len(spoken)
        while end and spoken[end - 1].role == "tool":
            end -= 1
        asked = spoken[end - 1] if end and spoken[end - 1].role == "assistant" else None
        outputs = _outputs(spoken[end:], field=field)
        if asked is not None and (foreign := outputs.keys() - {c.id for c in asked.tool_calls}):
            raise _not_asked(min(foreign), field=field)
        last = max((at for at, each in enumerate(spoken) if each.role == "user"), default=-1)
        return cls(
            system=tuple(m.text for m in messages if m.role == "system" and m.text),
            before=tuple(spoken[: last + 1]),
            steps=tuple(spoken[last + 1 :]),
            asked=asked,
            outputs=outputs,
            field=field,
        )

    @property
    def call_ids(self) -> tuple[str, ...]:
        """Ids of all calls that the client tells of, those of the end among them."""
        calls = (call.id for message in self.messages for call in message.tool_calls)
        return tuple(dict.fromkeys((*calls, *self.outputs)))

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """Everything that was said."""
        return (*self.before, *self.steps)

    @property
    def last_answers(self) -> tuple[str, ...]:
        """What the assistant said last, right before the last message of the user."""
        texts: list[str] = []
        for message in reversed(self.before[:-1]):
            if message.role != "assistant" or message.tool_calls:
                break
            texts.append(message.text)
        return tuple(reversed(texts))

    def require_answered(self) -> None:
        """Refuse calls without outputs and outputs without calls: no model reads such a history.

        Raises:
            MissingToolOutputs: a call has no output right behind it.
            InvalidToolCallId: an output belongs to no call.
        """
        left: dict[str, None] = {}
        for message in self.messages:
            if message.role == "tool":
                if message.tool_call_id not in left:
                    raise _not_asked(message.tool_call_id, field=self.field)
                del left[message.tool_call_id]
                continue
            if left:
                break
            left = {call.id: None for call in message.tool_calls}
        self.require_outputs(left)

    def require_called(self) -> None:
        """Refuse outputs that do not follow their calls; what they are of is told nowhere else.

        Raises:
            InvalidToolCallId: an output belongs to no call.
        """
        called: set[str] = set()
        for message in self.messages:
            called |= {call.id for call in message.tool_calls}
            if message.role == "tool" and message.tool_call_id not in called:
                raise _not_asked(message.tool_call_id, field=self.field)

    def require_outputs(self, missing: Mapping[str, object] | Sequence[str]) -> None:
        """Raise ``MissingToolOutputs`` if ids of calls are left."""
        if missing:
            ids = ", ".join([*missing][:_SHOWN_IDS])
            raise MissingToolOutputs(
                f"{self.field}: send the output of each of these calls as well: {ids}.",
                field=self.field,
            )


def _outputs(messages: Sequence[ChatMessage], *, field: str) -> dict[str, str]:
    outputs: dict[str, str] = {}
    for message in messages:
        if message.tool_call_id in outputs:
            raise InvalidToolCallId(
                f"{field}: two outputs for {message.tool_call_id}; send one.", field=field
            )
        outputs[message.tool_call_id] = message.text
    return outputs


def _not_asked(call_id: str, *, field: str) -> InvalidToolCallId:
    return InvalidToolCallId(
        f"{field}: {call_id} is no call of the assistant right before its output.", field=field
    )


class HistoryDigests:
    """Digests of what a client holds, under a key of its agent, its end user and its tools."""

    def __init__(self, *, agent_id: int, end_user_id: str, tools: Sequence[ToolSpec]) -> None:
        owner = msgspec.json.encode([str(agent_id), end_user_id, list(tools)], order="sorted")
        self._key = blake2b(owner, digest_size=_DIGEST_BYTES).digest()

    def of(self, messages: Sequence[ChatMessage]) -> str:
        """Return the digest of a history."""
        digest = self._new()
        for message in messages:
            digest.update(_canonical(message))
        return digest.hexdigest()

    def then(self, history: str, answer: str) -> str:
        """Return the digest of a history that an answer follows, both by their digests."""
        digest = self._new()
        digest.update(f"{history}/{answer}".encode())
        return digest.hexdigest()

    def _new(self) -> "blake2b":
        return blake2b(digest_size=_DIGEST_BYTES, key=self._key)


def question_id(*owner: object, history: str, answer: str) -> str:
    """Identify a question that a client was asked, by whose it is and the digests of both."""
    parts = msgspec.json.encode([*map(str, owner), history, answer])
    return f"ask_{blake2b(parts, digest_size=_QUESTION_BYTES).hexdigest()}"


def output_digest(text: str) -> str:
    """Identify the output of a call."""
    return blake2b(text.encode(), digest_size=_DIGEST_BYTES).hexdigest()


def answer_digest(text: str, calls: Sequence[ToolCall]) -> str:
    """Identify what the client got: a text, and calls to make."""
    parts = (TextPart(text=text),) if text.strip() else ()
    message = ChatMessage(role="assistant", parts=parts, tool_calls=tuple(calls))
    return blake2b(_canonical(message), digest_size=_DIGEST_BYTES).hexdigest()


def _canonical(message: ChatMessage) -> bytes:
    """Return what counts of a message: clients write arguments and empty contents differently."""
    calls = [[call.id, call.name, _arguments(call.arguments)] for call in message.tool_calls]
    content = [_part(part) for part in message.parts if not _is_blank(part)]
    entry = [message.role, content, calls, message.tool_call_id]
    return msgspec.json.encode(entry, order="sorted") + b"\n"


def _is_blank(part: Part) -> bool:
    return isinstance(part, TextPart) and not part.text.strip()


def _part(part: Part) -> object:
    if isinstance(part, TextPart):
        return part.text
    url = part.url
    if url.startswith("data:"):
        url = blake2b(url.encode(), digest_size=_DIGEST_BYTES).hexdigest()
    kind = "image" if isinstance(part, ImagePart) else "file"
    return [kind, part.file_id, url]


def _arguments(text: str) -> object:
    try:
        return ["json", _by_value(msgspec.json.decode(text))]
    except (msgspec.DecodeError, RecursionError):
        return ["text", text]


def _by_value(value: Any) -> Any:
    """Return a value in which 1.0 is 1."""
    match value:
        case dict():
            return {name: _by_value(each) for name, each in value.items()}
        case list():
            return [_by_value(each) for each in value]
        case float() if value.is_integer():
            return int(value)
        case _:
            return value
