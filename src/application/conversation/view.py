"""From entities to views."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from application.conversation.dto import ConversationView, MessageView, RunView, WaitingView
from crossdomain.file.contract import FileDescription, Files
from domain.conversation.conversation import Conversation
from domain.conversation.message import Message
from domain.conversation.run import Run
from domain.conversation.value import MessageStatus, RunStatus
from domain.shared.access import TenantScope
from domain.shared.chat import Part, TextPart
from domain.shared.error import NotFound
from domain.shared.ids import FileId

ANSWER_SEPARATOR: Final = "\n\n"
"""Between several answers of one run, where clients know one message only."""


def conversation_view(conversation: Conversation) -> ConversationView:
    """Show a conversation to its owner."""
    return ConversationView.of(conversation)


def run_view(run: Run) -> RunView:
    """Show a run to its owner."""
    return RunView.of(run, agent_id=run.agent_id or None, waits_for=_awaited(run))


def _awaited(run: Run) -> WaitingView | None:
    if run.waits_for is None or run.status is not RunStatus.REQUIRES_ACTION:
        return None
    return WaitingView.of(run.waits_for)


def message_view(
    message: Message, files: Mapping[FileId, FileDescription] | None = None
) -> MessageView:
    """Show a message to its owner; ``files`` describes what its parts name by id."""
    return MessageView(
        id=message.id,
        conversation_id=message.conversation_id,
        section_id=message.section_id,
        run_id=message.run_id,
        agent_id=message.agent_id,
        role=message.role,
        kind=message.kind,
        text=message.shown_text,
        parts=tuple(_filled(part, files or {}) for part in message.parts),
        is_text=message.is_text,
        reasoning=message.reasoning,
        finish_reason=message.finish_reason,
        is_broken=message.status is MessageStatus.BROKEN,
        citations=message.citations,
        tool_calls=message.tool_calls,
        tool_call_id=message.tool_call_id,
        meta=message.meta,
        created_at=message.created_at,
        updated_at=message.updated_at,
    )


async def message_views(
    messages: Sequence[Message], *, files: Files, scope: TenantScope
) -> tuple[MessageView, ...]:
    """Show messages, with signed addresses, names and sizes of the files they name."""
    described = await _describe(file_ids_of(messages), files=files, scope=scope)
    return tuple(message_view(message, described) for message in messages)


def file_ids_of(messages: Sequence[Message]) -> list[FileId]:
    """Return the ids of all uploaded files that the messages name, each once."""
    return list(dict.fromkeys(i for message in messages for i in file_ids(message.parts)))


def file_ids(parts: Sequence[Part]) -> list[FileId]:
    """Return the ids of the uploaded files that the parts name."""
    return [
        FileId(part.file_id) for part in parts if not isinstance(part, TextPart) and part.file_id
    ]


async def _describe(
    ids: Sequence[FileId], *, files: Files, scope: TenantScope
) -> dict[FileId, FileDescription]:
    """Describe what still exists: a message outlives the files it names."""
    if not ids:
        return {}
    try:
        return await files.describe(scope, ids)
    except NotFound:
        described: dict[FileId, FileDescription] = {}
        for file_id in ids:
            try:
                described |= await files.describe(scope, [file_id])
            except NotFound:
                continue
        return described


def _filled(part: Part, files: Mapping[FileId, FileDescription]) -> Part:
    if isinstance(part, TextPart) or not part.file_id:
        return part
    file = files.get(FileId(part.file_id))
    if file is None:
        return part
    return msgspec.structs.replace(
        part, url=file.url, name=file.name, media_type=file.media_type, size=file.size
    )
