"""Renderer of ``/v1/responses``: named events with numbers that outlast a joined log."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from api.citation import placed_cards, source_address
from api.error import Failure, OpenAIError
from api.openai.responses.shape import ResponseObject, Snapshots, incomplete_reason
from api.openai.responses.steps import Include, StepItems
from api.openai.responses.writer import NUMBERS_PER_EVENT, Item, ResponseWriter, Seal
from api.renderer.line import EVENT_STREAM
from api.renderer.openai import DONE, KEEPALIVE
from application.conversation.dto import MessageView, RunView
from application.conversation.run.event import (
    DELTAS,
    MessageCompleted,
    MessageDelta,
    RunCanceled,
    RunCompleted,
    RunCreated,
    RunEvent,
    RunFailed,
    RunRecord,
    RunRequiresAction,
    RunStarted,
    Warned,
)
from application.run.log import parted
from domain.conversation.value import MessageKind, RunStatus
from domain.shared.chat import FinishReason
from domain.shared.error import InternalError

_ENDS: Final[Mapping[str, str]] = {
    "completed": "response.completed",
    "incomplete": "response.incomplete",
    "cancelled": "response.incomplete",
    "failed": "response.failed",
}


class ResponseRenderer:
    """Renders one response from the first event of its run on.

    Whoever has seen the events up to number ``after`` is told the rest: give it the run's log from
    the beginning all the same, and what was told before is left out. Of a ``compact`` log, which
    tells whole messages under other numbers, everything is told with greater numbers.
    """

    content_type = EVENT_STREAM
    keepalive = KEEPALIVE
    holds_headers = False

    def __init__(
        self,
        snapshots: Snapshots,
        include: Include,
        *,
        after: int = -1,
        is_compact: bool = False,
        seal: Seal | None = None,
    ) -> None:
        self._snapshots = snapshots
        self._include = include
        self._seen = max(after, 0) // NUMBERS_PER_EVENT
        base = self._seen + 1 if is_compact else 0
        self._writer = ResponseWriter(after=after, base=base, seal=seal)
        self._thoughts: dict[int, list[str]] = {}
        """Reasoning by its message, where it is sealed but not shown."""
        self._is_compact = is_compact
        self._has_begun = False
        self._ended_ms = 0
        self._shown: set[int] = set()
        """Messages that are complete."""
        self._has_text: set[int] = set()
        self._step_items = StepItems(include)
        self._steps: list[Item] = []
        """What happened while an item was open."""
        self.run: RunView | None = None
        """How the run ended."""

    @property
    def output(self) -> list[Item]:
        """The items so far."""
        return self._writer.output

    def render(self, batch: Sequence[RunRecord]) -> bytes:
        return b"".join(
            [
                self._frames(part)
                for record in batch
                for part in parted(record, DELTAS, after=self._seen)
            ]
        )

    def snapshot(self) -> ResponseObject:
        """Return the response once its run is over."""
        if self.run is None:
            raise InternalError("The run's events ended without a result.")
        return self._snapshots.of_run(self.run, self._writer.output, at_ms=self._ended_ms)

    def fail(self, failure: Failure) -> bytes:
        broken = self._snapshots.broken(failure, self._writer.output)
        frames = self._writer.close("incomplete") + self._error(failure)
        return frames + self._writer.event("response.failed", {"response": broken}) + DONE

    def _frames(self, record: RunRecord) -> bytes:
        self._writer.at(record.first_seq)
        event = record.event
        if isinstance(event, RunCreated | RunStarted):
            return self._begun(event.run)
        return self._event(record) if self._has_begun else self._begun(None) + self._event(record)

    def _begun(self, run: RunView | None) -> bytes:
        """Tell of the beginning; what follows outputs of the client begins as a run goes on."""
        is_queued = run is not None and run.status is RunStatus.CREATED
        response = self._snapshots.begun("queued" if is_queued else "in_progress")
        kinds = [] if self._has_begun else ["response.created"]
        kinds += [] if is_queued else ["response.in_progress"]
        self._has_begun = True
        return b"".join([self._writer.event(kind, {"response": response}) for kind in kinds])

    def _event(self, record: RunRecord) -> bytes:
        event = record.event
        match event:
            case MessageDelta():
                return self._delta(event, record.seq)
            case MessageCompleted(message) if message.kind is MessageKind.ANSWER:
                if self._is_compact and self._snapshots.is_earlier(message.created_at):
                    return b""
                return self._completed(message, record.seq) + self._late_steps()
            case RunCompleted(run) | RunRequiresAction(run) | RunFailed(run) | RunCanceled(run):
                self._ended_ms = record.at_ms
                return self._finish(event, run)
            case Warned() if self._include.steps:
                told = {"code": event.warning, "text": event.text}
                return self._writer.event("coterie:warning", told)
            case _:
                return self._step(record)

    def _delta(self, delta: MessageDelta, seq: int) -> bytes:
        message_id, frames = delta.message_id, b""
        if message_id in self._shown:
            return b""
        if delta.reasoning and self._include.reasoning and message_id not in self._has_text:
            reasoning_id = _reasoning_id(message_id)
            frames += self._writer.piece("reasoning", reasoning_id, delta.reasoning, seq=seq)
        elif delta.reasoning and message_id not in self._has_text:
            self._thoughts.setdefault(message_id, []).append(delta.reasoning)
        if delta.text:
            if message_id not in self._has_text:
                frames += self._thought(message_id)
            self._has_text.add(message_id)
            frames += self._writer.piece("message", _item_id(message_id), delta.text, seq=seq)
        return frames

    def _completed(self, message: MessageView, seq: int) -> bytes:
        if message.id in self._shown:
            return b""
        self._shown.add(message.id)
        frames, writer = b"", self._writer
        shows_reasoning = bool(message.reasoning) and self._include.reasoning
        if message.id not in self._has_text:
            reasoning_id = _reasoning_id(message.id)
            if shows_reasoning and not writer.is_open(reasoning_id):
                frames += writer.piece("reasoning", reasoning_id, message.reasoning, seq=seq)
            if message.reasoning and not shows_reasoning:
                self._thoughts[message.id] = [message.reasoning]
            frames += self._thought(message.id)
            if not message.text:
                return frames + writer.close("completed")
            if message.finish_reason == FinishReason.REFUSAL:
                return frames + writer.refusal(_item_id(message.id), message.text)
            frames += writer.piece("message", _item_id(message.id), message.text, seq=seq)
        is_complete = not message.is_broken and incomplete_reason(message.finish_reason) is None
        is_interim = message.finish_reason == FinishReason.TOOL_CALLS
        return frames + writer.close(
            "completed" if is_complete else "incomplete",
            text=message.text,
            annotations=self._annotations(message),
            phase="commentary" if is_interim else "final_answer",
        )

    def _thought(self, message_id: int) -> bytes:
        """Tell of reasoning that is not shown, once it is complete."""
        pieces = self._thoughts.pop(message_id, [])
        return self._writer.thought(_reasoning_id(message_id), "".join(pieces))

    def _annotations(self, message: MessageView) -> list[Item]:
        citations = message.citations
        if citations is None:
            return []
        found: list[Item] = []
        for start, end, card in placed_cards(citations):
            if self._include.file_citations and not card.url:
                found.append(
                    {
                        "type": "file_citation",
                        "file_id": str(card.document_id),
                        "filename": card.document_name,
                        "index": start,
                    }
                )
                continue
            found.append(
                {
                    "type": "url_citation",
                    "start_index": start,
                    "end_index": end,
                    "title": card.document_name,
                    "url": source_address(card),
                }
            )
        return found

    def _step(self, record: RunRecord) -> bytes:
        """Tell of a step of the agent's own, where the client wants to see them."""
        item = self._step_items.take(record)
        if item is None:
            return b""
        if self._writer.has_open:
            self._steps.append(item)
            return b""
        return self._whole(item)

    def _late_steps(self) -> bytes:
        steps, self._steps = self._steps, []
        return b"".join(map(self._whole, steps))

    def _whole(self, item: Item) -> bytes:
        return self._writer.whole(item, {**item, "status": "in_progress"})

    def _finish(self, event: RunEvent, run: RunView) -> bytes:
        self.run = run
        frames = self._writer.close("incomplete") + self._late_steps()
        if isinstance(event, RunRequiresAction) and run.waits_for is not None:
            for call in run.waits_for.calls:
                frames += self._writer.call(
                    f"fc_{run.id}_{call.id}",
                    call_id=call.id,
                    name=call.name,
                    arguments=call.arguments,
                )
        if isinstance(event, RunFailed):
            frames += self._error(Failure.of_run(run.error))
        response = self._snapshots.of_run(run, self._writer.output, at_ms=self._ended_ms)
        kind = _ENDS[response.status]
        return frames + self._writer.event(kind, {"response": response}) + DONE

    def _error(self, failure: Failure) -> bytes:
        error = OpenAIError.of(failure).error
        flat: dict[str, Any] = {
            "code": error.code,
            "message": error.message,
            "param": error.param,
        }
        return self._writer.event("error", {"error": error, **flat})


def _item_id(message_id: int) -> str:
    return f"msg_{message_id}"


def _reasoning_id(message_id: int) -> str:
    return f"rs_{message_id}"


def kept_frames(snapshots: Snapshots, output: Mapping[str, Any], *, after: int) -> bytes:
    """Tell of a response of which nothing but its output is kept, with numbers beyond ``after``."""
    writer = ResponseWriter(after=after, base=max(after, 0) // NUMBERS_PER_EVENT + 1)
    begun = snapshots.begun("in_progress")
    frames = [
        writer.event(f"response.{kind}", {"response": begun}) for kind in ("created", "in_progress")
    ]
    for seq, item in enumerate(output.get("output", ()), 1):
        writer.at(seq)
        frames.append(_item_frames(writer, item, seq))
    ended = snapshots.of_output(output)
    frames.append(writer.event(_ENDS[ended.status], {"response": ended}))
    return b"".join([*frames, DONE])


def _item_frames(writer: ResponseWriter, item: Mapping[str, Any], seq: int) -> bytes:
    match item["type"]:
        case "message":
            (part,) = item["content"]
            if part["type"] == "refusal":
                return writer.refusal(item["id"], part["refusal"])
            frames = writer.piece("message", item["id"], part["text"], seq=seq)
            return frames + writer.close(
                item["status"], annotations=part["annotations"], phase=item["phase"]
            )
        case "reasoning" if "encrypted_content" not in item:
            frames = writer.piece("reasoning", item["id"], item["summary"][0]["text"], seq=seq)
            return frames + writer.close(item["status"])
        case "function_call":
            return writer.call(
                item["id"],
                call_id=item["call_id"],
                name=item["name"],
                arguments=item["arguments"],
            )
        case _:
            return writer.whole(dict(item), {**item, "status": "in_progress"})
