"""Conversations of a workspace for those who look after them: lists, and what was said."""

from typing import Annotated, Final

import msgspec
from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from api.admin.conversation import AdminConversation
from api.admin.query import page_size
from api.admin.trace.filter import SOURCE_NAMES, VERDICTS, choice, instant
from api.coze.conversation.shape import WireMessage
from api.shape import Shape
from api.wire import bounded_text, optional_id, query_flag, required_id
from application.conversation.dto import DigestView, VerdictView
from application.conversation.support_service import SupportService
from application.shared.projection import At
from domain.conversation.value import FeedbackKind, SupportQuery
from domain.shared.access import Principal
from domain.shared.ids import RunId, SpaceId, parse_id
from domain.shared.limits import Limits

_TEXT_CHARS: Final = 100
_RATED: Final = {"up": FeedbackKind.LIKE, "down": FeedbackKind.UNLIKE}


class SupportConversation(Shape, of=DigestView):
    """A conversation with what a list says of it; times in Unix seconds."""


class SupportConversationList(msgspec.Struct, frozen=True, kw_only=True):
    """One page, the conversation with the newest run first."""

    items: list[SupportConversation]
    next_cursor: str | None


class SupportVerdict(Shape, of=VerdictView, without=("kind", "reasons")):
    """What somebody said of an answer."""

    feedback_type: Annotated[FeedbackKind, At("kind")]
    """`like` or `unlike`."""
    reason_types: Annotated[list[str], At("reasons")]
    """Words for why, of those that the client offers."""


class SupportTranscript(msgspec.Struct, frozen=True, kw_only=True):
    """A page of what was said, newest first."""

    conversation: AdminConversation
    is_own: bool
    """Begun by the caller; opening one of somebody else is told in the audit log."""
    items: list[WireMessage]
    feedback: list[SupportVerdict]
    """What anybody thought of these answers."""
    next_cursor: str | None


class SupportController(Controller):
    """What people and agents said, to be looked into and not changed."""

    path = "/admin/v1"

    @get(
        "/workspaces/{workspace_id:str}/conversations",
        operation_id="admin.support_conversations.list",
    )
    async def list_page(
        self,
        *,
        principal: NamedDependency[Principal],
        support: NamedDependency[SupportService],
        limits: NamedDependency[Limits],
        workspace_id: FromPath[str],
        own: FromQuery[str | None] = None,
        agent_id: FromQuery[str | None] = None,
        connector_id: FromQuery[str | None] = None,
        source: FromQuery[str | None] = None,
        end_user_id: FromQuery[str | None] = None,
        q: FromQuery[str | None] = None,
        feedback: FromQuery[str | None] = None,
        waits: FromQuery[str | None] = None,
        since: FromQuery[str | None] = None,
        until: FromQuery[str | None] = None,
        cursor: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
    ) -> SupportConversationList:
        """Return a page of the conversations of a workspace in which an agent was asked.

        Those of others need ``trace.read``; without it the caller's own are listed. Source and
        times are those of the newest run.
        """
        verdict = choice(feedback, VERDICTS, field="feedback")
        before = optional_id(cursor, field="cursor")
        query = SupportQuery(
            space_id=SpaceId(required_id(workspace_id, field="workspace_id")),
            is_own=query_flag(own, field="own") is True,
            agent_id=optional_id(agent_id, field="agent_id"),
            connector_id=optional_id(connector_id, field="connector_id"),
            source=choice(source, SOURCE_NAMES, field="source"),
            end_user_id=end_user_id or None,
            text=bounded_text(q, field="q", max_chars=_TEXT_CHARS),
            verdict=None if verdict is None else _RATED[verdict],
            waits=query_flag(waits, field="waits") is True,
            since=instant(since, field="since"),
            until=instant(until, field="until"),
            before_id=None if before is None else RunId(before),
            limit=page_size(limit, limits),
        )
        found = await support.conversations(principal, query)
        return SupportConversationList(
            items=SupportConversation.each(found.items),
            next_cursor=str(found.after) if found.after else None,
        )

    @get(
        "/conversations/{conversation_id:str}/transcript",
        operation_id="admin.support_conversations.get_transcript",
    )
    async def transcript(
        self,
        *,
        conversation_id: FromPath[str],
        principal: NamedDependency[Principal],
        support: NamedDependency[SupportService],
        limits: NamedDependency[Limits],
        cursor: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
    ) -> SupportTranscript:
        """Return a page of what was said in a conversation, newest first, to be read only.

        Somebody else's needs ``trace.read``, and the audit log tells of each opening. The cursor
        is the last id of the page before.
        """
        found = await support.transcript(
            principal,
            parse_id(conversation_id, field="conversation_id"),
            before_id=optional_id(cursor, field="cursor"),
            limit=page_size(limit, limits),
        )
        items = [
            body for each in found.messages for body in WireMessage.all_of(each, shows_listed=True)
        ]
        return SupportTranscript(
            conversation=AdminConversation.of(found.conversation),
            is_own=found.is_own,
            items=items,
            feedback=SupportVerdict.each(found.verdicts),
            next_cursor=str(found.messages[-1].id) if found.has_more else None,
        )
