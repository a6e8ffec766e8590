"""What a run says while it runs: into its log at once, as messages when asked for."""

from dataclasses import dataclass
from datetime import datetime

from application.conversation.run.event import (
    MessageDelta,
    MessageReplaced,
    MessageStarted,
    RunEvent,
)
from application.conversation.run.job import RunJob
from application.run.log import RunLog
from domain.conversation.message import Message
from domain.conversation.value import MessageKind, MessageStatus
from domain.shared.chat import FinishReason, TextPart
from domain.shared.citation import Citations
from domain.shared.ids import MessageId
from infra.contract.clock import Clock
from infra.contract.id_generator import IdGenerator


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
