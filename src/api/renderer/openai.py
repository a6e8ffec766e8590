"""Renderer of ``/v1/chat/completions``: unnamed frames that hold completion chunks."""

from collections.abc import Sequence
from typing import Final

from api.citation import CiteStyle, MarkWriter, WireCard, cards_of, whole_text
from api.error import Failure, OpenAIError
from api.openai.shape import (
    Annotation,
    CompletionUsage,
    StepOut,
    StepTracker,
    ToolCallOut,
    annotations_of,
    calls_of,
    completion_id,
    finish_reason,
    is_refusal,
)
from api.renderer import RENDERERS, RenderContext
from api.renderer.line import EVENT_STREAM, json_line, json_text
from api.renderer.order import AnswerOrder
from api.wire import seconds
from application.conversation.dto import MessageView, RunView
from application.conversation.run.event import (
    KnowledgeRecalled,
    MessageCompleted,
    MessageDelta,
    MessageStarted,
    RunCanceled,
    RunCompleted,
    RunEvent,
    RunFailed,
    RunRecord,
    RunRequiresAction,
)
from application.conversation.view import ANSWER_SEPARATOR
from domain.conversation.value import MessageKind
from domain.shared.chat import Usage
from domain.shared.error import ErrorKind

KEEPALIVE: Final = b": keep-alive\n\n"
DONE: Final = b"data: [DONE]\n\n"
_CALL_CHARS: Final = 16 * 1024
"""Of arguments in one chunk."""


class ChunkWriter:
    """Encodes the chunks of one completion; what they share is encoded once."""

    def __init__(
        self,
        completion: str,
        *,
        created: int,
        model: str,
        include_usage: bool = False,
        head: bytes = b"data: ",
    ) -> None:
        """``completion`` is its id, ``created`` in Unix seconds; ``head`` opens each frame."""
        self._head = b'%s{"id":%s,"object":"chat.completion.chunk","created":%d,"model":%s,' % (
            head,
            json_text(completion),
            created,
            json_text(model),
        )
        usage = b',"usage":null' if include_usage else b""
        self._delta = self._head + b'"choices":[{"index":0,"delta":'
        self._tail = b'},"logprobs":null,"finish_reason":null}]%s}\n\n' % usage
        self._usage = usage
        self._content = self._delta + b'{"content":'
        self._reasoning = self._delta + b'{"reasoning_content":'

    @classmethod
    def of(cls, context: RenderContext, *, head: bytes = b"data: ") -> "ChunkWriter":
        """Write the completion that a run is."""
        return cls(
            completion_id(context.run, context.resumes),
            created=seconds(context.run.created_at),
            model=context.model,
            include_usage=context.include_usage,
            head=head,
        )

    def role(self) -> bytes:
        """Open the answer."""
        return self._delta + b'{"role":"assistant","content":""' + self._tail

    def content(self, text: str) -> bytes:
        """Carry a piece of the answer."""
        return self._content + json_text(text) + self._tail

    def reasoning(self, text: str) -> bytes:
        """Carry a piece of the reasoning."""
        return self._reasoning + json_text(text) + self._tail

    def refusal(self, text: str) -> bytes:
        """Carry why the model does not answer."""
        return self._delta + b'{"refusal":' + json_text(text) + self._tail

    def finish(
        self,
        reason: str,
        citations: Sequence[WireCard] = (),
        steps: Sequence[StepOut] = (),
    ) -> bytes:
        """Close the answer; what it cites comes with the last chunk."""
        told = {"citations": citations, "coterie_steps": steps}
        delta = json_line({name: value for name, value in told.items() if value})
        tail = b'%s,"logprobs":null,"finish_reason":"%s"}]%s}\n\n'
        return self._delta + tail % (delta, reason.encode(), self._usage)

    def annotations(self, annotations: Sequence[Annotation]) -> bytes:
        """Tell what the content cites, where it cites anything."""
        if not annotations:
            return b""
        return (
            self._delta + json_line({"content": "", "annotations": annotations})[:-1] + self._tail
        )

    def calls(self, calls: Sequence[ToolCallOut]) -> bytes:
        """Carry whole calls, one after the other."""
        frames: list[bytes] = []
        for index, call in enumerate(calls):
            frames.append(self.call(index, call_id=call.id, name=call.function.name))
            text = call.function.arguments
            frames += [
                self.call(index, arguments=text[start : start + _CALL_CHARS])
                for start in range(0, len(text), _CALL_CHARS)
            ]
        return b"".join(frames)

    def call(self, index: int, *, call_id: str = "", name: str = "", arguments: str = "") -> bytes:
        """Carry a piece of a call; the first piece of each has its id and name."""
        opening = b""
        if call_id:
            opening = b'"id":%s,"type":"function",' % json_text(call_id)
        named = b'"name":%s,' % json_text(name) if name else b""
        piece = b'{"tool_calls":[{"index":%d,%s"function":{%s"arguments":%s}}]' % (
            index,
            opening,
            named,
            json_text(arguments),
        )
        return self._delta + piece + self._tail

    def usage(self, usage: Usage) -> bytes:
        """Tell the tokens, where the client asked for them."""
        if not self._usage:
            return b""
        told = json_line(CompletionUsage.of(usage))
        return self._head + b'"choices":[],"usage":%s}\n\n' % told


class AnswerWriter:
    """Writes the answers of one run as one message, whatever their number."""

    def __init__(self, chunks: ChunkWriter, *, cites: CiteStyle = "marks") -> None:
        self._chunks = chunks
        self._marks = None if cites == "marks" else MarkWriter(cites)
        self._cites = cites
        self.answers: list[MessageView] = []
        """What was said so far."""
        self.cards: list[WireCard] = []
        """Sources of the answers so far, where they are not listed in the text."""
        self._is_open = False
        self._text_of: int | None = None
        self._has_deltas: set[int] = set()

    def through(self, chunks: ChunkWriter) -> None:
        """Write what follows with another writer."""
        self._chunks = chunks

    def open(self) -> bytes:
        """Write the role chunk, once."""
        if self._is_open:
            return b""
        self._is_open = True
        return self._chunks.role()

    def delta(self, event: MessageDelta) -> bytes:
        """Write a piece of an answer; a further answer is set off by a blank line."""
        frames = self.open()
        if event.reasoning:
            frames += self._chunks.reasoning(event.reasoning)
        text = event.text
        if text:
            self._has_deltas.add(event.message_id)
            if self._marks is not None:
                text = self._marks.feed(event.message_id, text)
        if text:
            if self._text_of not in {None, event.message_id}:
                text = ANSWER_SEPARATOR + text
            self._text_of = event.message_id
            frames += self._chunks.content(text)
        return frames

    def note(self, event: RunEvent) -> bytes:
        """Write what other events mean for the answer, mostly nothing."""
        match event:
            case MessageStarted():
                return self.open()
            case MessageCompleted():
                return self.completed(event)
            case KnowledgeRecalled() if self._marks is not None:
                self._marks.recalled(event)
            case _:
                pass
        return b""

    def completed(self, event: MessageCompleted) -> bytes:
        """Write an answer that came as a whole, or the rest of one."""
        message = event.message
        if message.kind is not MessageKind.ANSWER:
            return b""
        if self._cites == "marks":
            self.answers.append(message)
            self.cards += cards_of(message)
        if message.id in self._has_deltas:
            rest = self._marks.finish(message) if self._marks is not None else ""
            return self._chunks.content(rest) if rest else b""
        frames = self.open()
        if is_refusal(message, self._cites):
            return frames + self._chunks.refusal(message.text)
        text = whole_text(message, self._cites)
        if text and self._text_of is not None:
            text = ANSWER_SEPARATOR + text
        self._text_of = message.id
        return frames + self._chunks.content(text) if text else frames


@RENDERERS.register("openai")
class OpenAIRenderer:
    """Renders the events of one completion; details of the run stay invisible."""

    content_type = EVENT_STREAM
    keepalive = KEEPALIVE
    holds_headers = True

    def __init__(self, context: RenderContext) -> None:
        self._chunks = ChunkWriter.of(context)
        self._answer = AnswerWriter(self._chunks, cites=context.cites)
        self._order = AnswerOrder()
        self._used = context.used
        self._steps = StepTracker() if context.shows_steps else None

    def render(self, batch: Sequence[RunRecord]) -> bytes:
        return b"".join([self._frame(event) for event in self._order.arrange(batch)])

    def fail(self, failure: Failure) -> bytes:
        return b"data: %s\n\n" % json_line(OpenAIError.of(failure))

    def _frame(self, event: RunEvent) -> bytes:
        if self._steps is not None:
            self._steps.take(event)
        match event:
            case MessageDelta():
                return self._answer.delta(event)
            case RunCompleted() | RunRequiresAction():
                return self._finish(event.run)
            case RunFailed() | RunCanceled():
                return self.fail(failure_of(event))
            case _:
                return self._answer.note(event)

    def _finish(self, run: RunView) -> bytes:
        chunks, answer = self._chunks, self._answer
        steps = self._steps.steps if self._steps is not None else ()
        return b"".join(
            [
                answer.open(),
                chunks.annotations(annotations_of(answer.answers)),
                chunks.calls(calls_of(run)),
                chunks.finish(finish_reason(run), answer.cards, steps),
                chunks.usage(run.usage.since(self._used)),
                DONE,
            ]
        )


def failure_of(event: RunFailed | RunCanceled) -> Failure:
    """Say why a run gave no complete answer."""
    if isinstance(event, RunFailed):
        return Failure.of_run(event.run.error)
    return Failure(
        kind=ErrorKind.CONFLICT, code=4106, message="The run was canceled.", slug="run_canceled"
    )
