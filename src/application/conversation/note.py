"""Messages of a run besides its answers: searches, tool calls and their results, the end mark."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from application.conversation.run.job import RunJob
from crossdomain.agent.contract import KnowledgeRecalled, RecalledChunk
from domain.conversation.message import Message
from domain.conversation.value import MessageKind
from domain.shared.chat import TextPart, ToolCall
from domain.shared.ids import MessageId
from infra.contract.clock import Clock
from infra.contract.id_generator import IdGenerator

RECALL_FAILED: Final = 1
"""Status code of a search that failed; 0 for all others."""

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
    body = {"msg_type": "knowledge_recall", "data": msgspec.json.encode(data).decode()}
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
