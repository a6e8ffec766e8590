"""Messages of a run: answers piece by piece, told as they come, and notes beside them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import msgspec

from application.conversation.run.event import (
    MessageDelta,
    MessageReplaced,
    MessageStarted,
    RunEvent,
)
from application.conversation.run.job import RunJob
from application.run.log import RunLog
from crossdomain.agent.contract import KnowledgeRecalled, RecalledChunk
from domain.conversation.message import Message
from domain.conversation.value import MessageKind, MessageStatus
from domain.shared.chat import FinishReason, TextPart, ToolCall
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import MessageId
from domain.shared.text.citation import Citations
from infra.contract.clock import Clock


@dataclass(slots=True, eq=False)
class Draft:
    """An answer being written. ``written`` counts characters and never goes back."""

    id: MessageId
    seq: int
    started_at: datetime
    text: list[str]
    reasoning: list[str]
    written: int = 0
    finish_reason: str = ""
    citations: Citations | None = None

    @property
    def is_empty(self) -> bool:
        return not self.text and not self.reasoning


class AnswerRecorder:
    """Emits an answer piece by piece and knows what it amounts to."""

    def __init__(
        self, job: RunJob, log: RunLog[RunEvent], *, clock: Clock, ids: IdGenerator
    ) -> None:
        self.draft: Draft | None = None
        self._job = job
        self._log = log
        self._clock = clock
        self._ids = ids

    def begin(self, *, is_written: bool = False) -> Draft:
        now = self._clock.now()
        self._job.run.first_token_at = self._job.run.first_token_at or now
        draft = Draft(MessageId(self._ids.next_id()), self._job.take_seq(), now, [], [])
        self.draft = draft
        self._log.emit(MessageStarted(message_id=draft.id, is_written=is_written))
        return draft

    def delta(self, text: str, reasoning: str) -> None:
        """Add a piece; the hot path of the product."""
        draft = self.draft or self.begin()
        # Pieces in a list: a text that grows would be copied with every token.
        if text:
            draft.text.append(text)
        if reasoning:
            draft.reasoning.append(reasoning)
        draft.written += len(text) + len(reasoning)
        self._log.emit(MessageDelta(message_id=draft.id, text=text, reasoning=reasoning))

    def replace(self, text: str, reasoning: str) -> None:
        draft = self.draft or self.begin()
        draft.text = [text] if text else []
        draft.reasoning = [reasoning] if reasoning else []
        draft.written += len(text) + len(reasoning)
        self._log.emit(MessageReplaced(message_id=draft.id, text=text, reasoning=reasoning))

    def follow_tools(self) -> None:
        """Move an answer that has begun behind the tools it waits for; call it at their results."""
        if self.draft is not None:
            self.draft.seq = self._job.take_seq()

    def finish(
        self,
        text: str,
        reasoning: str,
        *,
        finish_reason: FinishReason,
        citations: Citations | None = None,
    ) -> Message | None:
        """Return the final message, None if it says nothing; the draft stays until ``close``.

        What followers have put together from the deltas equals what is stored.
        """
        draft = self.draft or self.begin()
        if "".join(draft.text) != text or "".join(draft.reasoning) != reasoning:
            self.replace(text, reasoning)
        if draft.is_empty:
            return None
        draft.finish_reason = finish_reason.value
        draft.citations = citations
        return self._message(draft, MessageStatus.AVAILABLE)

    def close(self) -> None:
        """Forget the draft: its message is stored, or says nothing."""
        self.draft = None

    def unstored(self, status: MessageStatus) -> Message | None:
        """Return the answer that is not stored yet, whole or as far as it goes."""
        if self.draft is None or self.draft.is_empty:
            return None
        return self._message(self.draft, status)

    def _message(self, draft: Draft, status: MessageStatus) -> Message:
        run = self._job.run
        text = "".join(draft.text)
        if draft.citations is not None:
            text = draft.citations.plain(text)
        return Message(
            id=draft.id,
            conversation_id=run.conversation_id,
            space_id=self._job.message_space_id,
            section_id=run.section_id,
            run_id=run.id,
            agent_id=self._job.agent_id,
            seq=draft.seq,
            kind=MessageKind.ANSWER,
            parts=(TextPart(text=text),),
            reasoning="".join(draft.reasoning),
            finish_reason=draft.finish_reason,
            citations=draft.citations,
            meta={**run.request.answer_meta, **self._job.answer_meta},
            status=status,
            created_at=draft.started_at,
            updated_at=self._clock.now(),
        )


RECALL_FAILED: Final = 1
"""Status code of a search that failed; 0 for all others."""

# JSON inside of JSON, with these keys and nulls: clients of Coze decode ``data`` a second time.
ANSWER_FINISHED: Final = msgspec.json.encode(
    {
        "msg_type": "generate_answer_finish",
        "data": msgspec.json.encode({"finish_reason": 0, "FinData": ""}).decode(),
        "from_module": None,
        "from_unit": None,
    }
).decode()
"""Content of the message after the last answer."""

INTERRUPTED: Final = msgspec.json.encode(
    {"msg_type": "interrupt", "data": "", "from_unit": ""}
).decode()
"""Content of the message after a question that the run waits with."""


class NoteWriter:
    """Makes the messages of one run that no end user reads as an answer."""

    def __init__(self, job: RunJob, *, clock: Clock, ids: IdGenerator) -> None:
        self._job = job
        self._clock = clock
        self._ids = ids

    def finished_mark(self) -> Message:
        """Return the message that says that no further answer comes."""
        return self._message(MessageKind.VERBOSE, ANSWER_FINISHED)

    def interrupted_mark(self) -> Message:
        """Return the message that says that the answer before it is a question."""
        return self._message(MessageKind.VERBOSE, INTERRUPTED)

    def recalled(self, event: KnowledgeRecalled) -> Message:
        """Return the message that tells what a search found."""
        return self._message(MessageKind.VERBOSE, recall_content(event))

    def remark(self, text: str) -> Message:
        """Return the message that tells what a workflow says about its own answer."""
        return self._message(MessageKind.VERBOSE, _verbose("custom_feedback", {"feedback": text}))

    def follow_up(self, question: str) -> Message:
        """Return the message that offers a question to go on with."""
        return self._message(MessageKind.FOLLOW_UP, question)

    def tool_calls(self, calls: tuple[ToolCall, ...]) -> Message:
        """Return the message that holds all calls of one turn of the model."""
        message = self._message(MessageKind.TOOL_CALLS, "")
        message.parts, message.tool_calls = (), calls
        return message

    def tool_result(self, call_id: str, text: str, *, is_error: bool = False) -> Message:
        """Return the message that holds the result of one call."""
        message = self._message(MessageKind.TOOL_RESULT, text)
        message.tool_call_id, message.tool_error = call_id, is_error
        return message

    def _message(self, kind: MessageKind, text: str) -> Message:
        now = self._clock.now()
        run = self._job.run
        return Message(
            id=MessageId(self._ids.next_id()),
            conversation_id=run.conversation_id,
            space_id=self._job.message_space_id,
            section_id=run.section_id,
            run_id=run.id,
            agent_id=self._job.agent_id,
            seq=self._job.take_seq(),
            kind=kind,
            parts=(TextPart(text=text),),
            created_at=now,
            updated_at=now,
        )


def recall_content(event: KnowledgeRecalled) -> str:
    """Return the content of a search's message, in the shape that Coze clients read."""
    data = {
        "chunks": _chunks(event.chunks),
        "ori_req": "",
        "status_code": RECALL_FAILED if event.is_failed else 0,
    }
    return _verbose("knowledge_recall", data)


def _verbose(kind: str, data: Mapping[str, Any]) -> str:
    # ``data`` is a JSON text, as in the messages of Coze.
    body = {"msg_type": kind, "data": msgspec.json.encode(data).decode()}
    return msgspec.json.encode(body).decode()


def _chunks(chunks: Sequence[RecalledChunk]) -> list[dict[str, Any]]:
    return [
        {
            "slice": chunk.content,
            "score": chunk.score,
            "meta": {
                "dataset": {"id": str(chunk.dataset_id), "name": chunk.dataset_name},
                "document": {
                    "id": str(chunk.document_id),
                    "name": chunk.document_name,
                    "format_type": chunk.format_type,
                    "source_type": chunk.source_type,
                },
                "link": {"title": chunk.document_name, "url": chunk.url},
                "card": {
                    "title": chunk.document_name,
                    "con": chunk.content,
                    "index": str(chunk.n),
                },
            },
        }
        for chunk in chunks
    ]
