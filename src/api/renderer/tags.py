"""Renderers of the tag protocol: steps of thought, action and observation, then the answer.

``tags`` sends pieces of markup as JSON strings in server-sent events, ``tags-raw`` as plain chunks,
``tag-events`` the same elements as named events without any markup.
"""

import re
from collections.abc import Sequence
from typing import Final, Protocol

import msgspec

from api.error import Failure
from api.renderer import RENDERERS, RenderContext
from api.renderer.line import EVENT_STREAM, json_line, json_text
from api.renderer.openai import KEEPALIVE, failure_of
from api.renderer.order import AnswerOrder
from application.conversation.dto import MessageView
from application.conversation.run.event import (
    KnowledgeRecalled,
    MessageCompleted,
    MessageDelta,
    RunCanceled,
    RunCompleted,
    RunEvent,
    RunFailed,
    RunRecord,
    RunRequiresAction,
    StepStarted,
    ToolCompleted,
    ToolStarted,
    Warned,
)
from application.conversation.view import ANSWER_SEPARATOR
from domain.conversation.value import MessageKind
from domain.shared.chat import FinishReason

_PLAIN_TEXT: Final = "text/plain; charset=utf-8"
_TEXT: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_ATTRIBUTE: Final = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "'": "&#39;",
        "\n": "&#10;",
        "\r": "&#13;",
    }
)
_CLOSING: Final = ("</content>", "</step>", "</error>")
_CLOSING_TAG: Final = re.compile(r"<(?=/(?:content|step|error)>)")
_JOINER: Final = "\u200d"


class MarkupWriter:
    """Tags; with ``escapes`` readers get every text back as it was.

    False is for clients that undo no escaping, which loses something: a closing tag in the text
    gets an invisible joiner, quotes in remarks become single ones.
    """

    def __init__(self, *, escapes: bool) -> None:
        self._escapes = escapes
        self._tag = ""
        self._held = ""

    def think(self, text: str) -> str:
        return f'<think content="{self._attribute(text)}"/>'

    def open(self, kind: str, index: int, call: str) -> str:
        if kind == "content":
            self._tag = "content"
            return "<content>"
        self._tag = "step"
        extra = f' call="{self._attribute(call)}"' if call else ""
        return f'<step type="{kind}" index="{index}"{extra}>'

    def text(self, text: str) -> str:
        if self._escapes:
            return text.translate(_TEXT)
        text = self._held + text
        keep = min(_tail(text, closing) for closing in _CLOSING)
        self._held = text[keep:]
        return _CLOSING_TAG.sub(f"<{_JOINER}", text[:keep])

    def close(self) -> str:
        held, self._held = self._held, ""
        return f"{held}</{self._tag}>"

    def error(self, code: int, text: str) -> str:
        body = text.translate(_TEXT) if self._escapes else _CLOSING_TAG.sub(f"<{_JOINER}", text)
        return f'<error code="{code}">{body}</error>'

    def _attribute(self, text: str) -> str:
        if self._escapes:
            return text.translate(_ATTRIBUTE)
        return " ".join(text.replace('"', "'").split())


def _tail(text: str, closing: str) -> int:
    """Return where the longest end of the text begins that may become a closing tag."""
    for size in range(min(len(closing) - 1, len(text)), 0, -1):
        if text.endswith(closing[:size]):
            return len(text) - size
    return len(text)


class _Output(Protocol):
    """Takes the elements of a run one after the other."""

    def think(self, text: str) -> None: ...

    def open(self, kind: str, index: int, call: str) -> None: ...

    def text(self, text: str) -> None: ...

    def close(self) -> None: ...

    def error(self, failure: Failure) -> None: ...

    def end(self) -> None:
        """Nothing follows."""
        ...

    def drain(self) -> bytes:
        """Return the bytes of what was taken since."""
        ...


class _Markup:
    """Collects markup and frames it."""

    def __init__(self, *, escapes: bool, is_raw: bool) -> None:
        self._writer = MarkupWriter(escapes=escapes)
        self._is_raw = is_raw
        self._pieces: list[str] = []

    def think(self, text: str) -> None:
        self._pieces.append(self._writer.think(text))

    def open(self, kind: str, index: int, call: str) -> None:
        self._pieces.append(self._writer.open(kind, index, call))

    def text(self, text: str) -> None:
        self._pieces.append(self._writer.text(text))

    def close(self) -> None:
        self._pieces.append(self._writer.close())

    def error(self, failure: Failure) -> None:
        self._pieces.append(self._writer.error(failure.code, failure.message))

    def end(self) -> None:
        """The stream just ends."""

    def drain(self) -> bytes:
        text = "".join(self._pieces)
        self._pieces.clear()
        if not text or self._is_raw:
            return text.encode()
        return b"data: %s\n\n" % json_text(text)


class _Events:
    """Collects events that are named by what they carry; ``answer`` is the content."""

    def __init__(self) -> None:
        self._frames: list[bytes] = []
        self._name = ""
        self._head: dict[str, object] = {}

    def think(self, text: str) -> None:
        self._frames.append(_frame("think", {"text": text}))

    def open(self, kind: str, index: int, call: str) -> None:
        self._name = "answer" if kind == "content" else kind
        self._head = {"index": index} if index else {}
        if call:
            self._head["call"] = call

    def text(self, text: str) -> None:
        self._frames.append(_frame(self._name, {**self._head, "text": text}))

    def close(self) -> None:
        self._name = ""

    def error(self, failure: Failure) -> None:
        self._frames.append(_frame("error", {"code": failure.code, "message": failure.message}))

    def end(self) -> None:
        self._frames.append(_frame("done", {}))

    def drain(self) -> bytes:
        frames = b"".join(self._frames)
        self._frames.clear()
        return frames


class TagRenderer:
    """Turns the events of a run into elements.

    Text streams as a thought while calls may follow it, and once more as the one content at the
    end. ``is_direct``: text that no call can follow streams into the content at once.
    """

    holds_headers = False

    def __init__(self, out: _Output, *, content_type: str, is_direct: bool) -> None:
        self.content_type = content_type
        self.keepalive = b"" if content_type == _PLAIN_TEXT else KEEPALIVE
        self._out = out
        self._is_direct = is_direct
        self._order = AnswerOrder()
        self._open = ""
        self._index = 1
        self._may_call = True
        self._calls: dict[str, tuple[int, str]] = {}
        """Index and mark of the calls so far."""
        self._shown: set[int] = set()
        """Answers whose text went into the content already."""
        self._content: list[str] = []

    def render(self, batch: Sequence[RunRecord]) -> bytes:
        for event in self._order.arrange(batch):
            self._take(event)
        return self._out.drain()

    def fail(self, failure: Failure) -> bytes:
        self._fail(failure)
        return self._out.drain()

    def _take(self, event: RunEvent) -> None:
        match event:
            case MessageDelta():
                self._delta(event)
            case MessageCompleted(message) if message.kind is MessageKind.ANSWER:
                self._completed(message)
            case StepStarted():
                self._index, self._may_call = max(event.step, 1), event.may_call
            case ToolStarted() | ToolCompleted():
                self._tool(event)
            case KnowledgeRecalled():
                self._think(f"Knowledge searched: {len(event.chunks)} found.")
            case Warned():
                self._think(event.text)
            case RunCompleted() | RunRequiresAction():
                self._finish()
            case RunFailed() | RunCanceled():
                self._fail(failure_of(event))
            case _:
                pass

    def _delta(self, event: MessageDelta) -> None:
        if event.reasoning and self._open != "content":
            self._inside("thought")
            self._out.text(event.reasoning)
        if not event.text:
            return
        if self._is_direct and not self._may_call:
            if event.message_id not in self._shown and self._shown:
                self._out.text(ANSWER_SEPARATOR)
            self._shown.add(event.message_id)
            self._inside("content")
        elif self._open != "content":
            self._inside("thought")
        else:
            return
        self._out.text(event.text)

    def _completed(self, message: MessageView) -> None:
        if self._open == "thought":
            self._close()
        is_interim = message.finish_reason == FinishReason.TOOL_CALLS
        if message.text and not is_interim and message.id not in self._shown:
            self._content.append(message.text)

    def _tool(self, event: ToolStarted | ToolCompleted) -> None:
        if self._open == "content":
            return
        self._close()
        if isinstance(event, ToolStarted):
            is_first = all(index != self._index for index, _ in self._calls.values())
            self._calls[event.call_id] = self._index, "" if is_first else event.call_id
            kind, text = "action", _call(event)
        else:
            kind, text = "observation", event.result
        index, mark = self._calls.get(event.call_id, (self._index, ""))
        self._out.open(kind, index, mark)
        self._out.text(text)
        self._out.close()

    def _think(self, text: str) -> None:
        if self._open != "content":
            self._close()
            self._out.think(text)

    def _finish(self) -> None:
        rest = ANSWER_SEPARATOR.join(self._content)
        if rest and self._open == "content":
            rest = ANSWER_SEPARATOR + rest
        self._inside("content")
        if rest:
            self._out.text(rest)
        self._close()
        self._out.end()

    def _fail(self, failure: Failure) -> None:
        self._close()
        self._out.error(failure)
        self._out.end()

    def _inside(self, kind: str) -> None:
        if self._open == kind:
            return
        self._close()
        self._open = kind
        self._out.open(kind, 0 if kind == "content" else self._index, "")

    def _close(self) -> None:
        if self._open:
            self._open = ""
            self._out.close()


@RENDERERS.register("tags")
def tags(context: RenderContext) -> TagRenderer:
    """Markup in server-sent events."""
    out = _Markup(escapes=context.escapes, is_raw=False)
    return TagRenderer(out, content_type=EVENT_STREAM, is_direct=context.is_direct)


@RENDERERS.register("tags-raw")
def tags_raw(context: RenderContext) -> TagRenderer:
    """Markup as it is."""
    out = _Markup(escapes=context.escapes, is_raw=True)
    return TagRenderer(out, content_type=_PLAIN_TEXT, is_direct=context.is_direct)


@RENDERERS.register("tag-events")
def tag_events(context: RenderContext) -> TagRenderer:
    """Elements as named events."""
    return TagRenderer(_Events(), content_type=EVENT_STREAM, is_direct=context.is_direct)


def _call(event: ToolStarted) -> str:
    """Name and arguments as JSON; arguments that are none stay text."""
    try:
        arguments: object = msgspec.json.decode(event.arguments or "{}")
    except (msgspec.DecodeError, RecursionError):
        arguments = event.arguments
    return msgspec.json.encode({"name": event.name, "arguments": arguments}).decode()


def _frame(name: str, body: object) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), json_line(body))
