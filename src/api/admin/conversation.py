"""The caller's own conversations on the admin surface."""

from typing import Final

import msgspec
from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from api.coze.conversation.shape import WireMessage
from api.shape import Shape
from api.wire import optional_id, page, query_choice, query_integer, required_id
from application.conversation.conversation_service import ConversationService
from application.conversation.dto import ConversationQuery, ConversationView, MessageQuery
from application.conversation.message_service import MessageService
from application.shared.page import Paged
from domain.shared.access import CONNECTOR_API, Principal
from domain.shared.ids import parse_id
from domain.shared.limits import Limits

_PAGE_SIZE: Final = 20
_MESSAGES: Final = 50
_ORDERS: Final = {"asc": "asc", "desc": "desc"}


class AdminConversation(Shape, of=ConversationView, rename={"meta": "metadata"}):
    """A conversation; times in Unix seconds."""


class AdminConversationList(Paged[AdminConversation]):
    """One page of conversations."""


class AdminMessageList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of messages, newest first unless asked otherwise."""

    items: list[WireMessage]
    next_cursor: str | None


class AdminConversationController(Controller):
    """Look into conversations."""

    path = "/admin/v1/conversations"

    @get(operation_id="admin.conversations.list")
    async def list_page(
        self,
        *,
        principal: NamedDependency[Principal],
        conversations: NamedDependency[ConversationService],
        limits: NamedDependency[Limits],
        agent_id: FromQuery[str | None] = None,
        connector_id: FromQuery[str | None] = None,
        end_user_id: FromQuery[str | None] = None,
        cursor: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
        order: FromQuery[str | None] = None,
    ) -> AdminConversationList:
        """Return a page of the caller's conversations with one agent; the cursor is a page."""
        wanted = page(cursor, limit, default=_PAGE_SIZE, maximum=limits.page_size, field="cursor")
        connector = query_integer(connector_id, field="connector_id")
        query = ConversationQuery(
            agent_id=required_id(agent_id, field="agent_id"),
            connector_id=CONNECTOR_API if connector is None else connector,
            end_user_id=principal.end_user_id or end_user_id or "",
            descending=query_choice(order, _ORDERS, field="order") != "asc",
            page_num=wanted.number,
            page_size=wanted.size,
        )
        found = await conversations.list(principal, query)
        return AdminConversationList(
            items=AdminConversation.each(found.items),
            total=found.total,
            next_cursor=str(wanted.number + 1) if found.has_more else None,
        )

    @get("/{conversation_id:str}", operation_id="admin.conversations.get")
    async def retrieve(
        self,
        *,
        conversation_id: FromPath[str],
        principal: NamedDependency[Principal],
        conversations: NamedDependency[ConversationService],
    ) -> AdminConversation:
        """Return one of the caller's conversations."""
        wanted = parse_id(conversation_id, field="conversation_id")
        return AdminConversation.of(await conversations.get(principal, wanted))

    @get("/{conversation_id:str}/messages", operation_id="admin.conversations.list_messages")
    async def messages(
        self,
        *,
        conversation_id: FromPath[str],
        principal: NamedDependency[Principal],
        messages: NamedDependency[MessageService],
        limits: NamedDependency[Limits],
        cursor: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
        order: FromQuery[str | None] = None,
    ) -> AdminMessageList:
        """Return a page of messages; the cursor is the last id of the page before."""
        query = MessageQuery(
            descending=query_choice(order, _ORDERS, field="order") != "asc",
            after_id=optional_id(cursor, field="cursor"),
            limit=page(None, limit, default=_MESSAGES, maximum=limits.page_size).size,
        )
        wanted = parse_id(conversation_id, field="conversation_id")
        found = await messages.list(principal, wanted, query)
        items = [body for message in found.items for body in WireMessage.all_of(message)]
        return AdminMessageList(items=items, next_cursor=items[-1].id if found.has_more else None)
