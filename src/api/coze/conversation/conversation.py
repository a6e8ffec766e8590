"""Conversations of the caller."""

from typing import Final

import msgspec
from litestar import Controller, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.coze.conversation.incoming import EnterMessage, decode_messages
from api.coze.conversation.shape import WireConversation, WireSection
from api.end_user import end_user_of
from api.envelope import Envelope, done, ok
from api.wire import (
    IdempotencyKey,
    WireId,
    WireMap,
    bounded_text,
    optional_id,
    page,
    query_choice,
    request_key,
    required_id,
    required_text,
    string_map,
)
from application.conversation.conversation_service import ConversationService
from application.conversation.dto import ConversationQuery, CreateConversation
from domain.shared.access import CONNECTOR_WEB_SDK, Principal
from domain.shared.ids import parse_id
from domain.shared.limits import Limits

PAGE_SIZE: Final = 50
_ORDERS: Final = {"asc": "asc", "desc": "desc"}


class CreateConversationRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Body of ``POST /v1/conversation/create``; may be empty."""

    bot_id: WireId | None = None
    messages: list[EnterMessage] | None = None
    meta_data: WireMap | None = None
    name: str | None = None
    connector_id: WireId | None = None
    user_id: WireId | None = None


class RenameConversationRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Body of ``PUT /v1/conversations/{conversation_id}``."""

    name: str | None = None


class ConversationList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of conversations."""

    conversations: list[WireConversation]
    has_more: bool


def connector_of(wanted: WireId | None, principal: Principal) -> int:
    """Return the connector a request acts on: the principal's, unless it asks for the web SDK."""
    is_web_sdk = str(wanted) == str(CONNECTOR_WEB_SDK)
    return CONNECTOR_WEB_SDK if is_web_sdk else principal.connector_id


class ConversationController(Controller):
    """Open, list, rename, clear and delete conversations."""

    path = "/v1"

    @post("/conversation/create", status_code=HTTP_200_OK, operation_id="conversations.create")
    async def create(
        self,
        *,
        principal: NamedDependency[Principal],
        conversations: NamedDependency[ConversationService],
        limits: NamedDependency[Limits],
        data: JSONBody[CreateConversationRequest | None] = None,
        idempotency_key: IdempotencyKey = None,
    ) -> Envelope[WireConversation]:
        """Open a conversation, its messages in the first section."""
        body = data or CreateConversationRequest()
        command = CreateConversation(
            agent_id=optional_id(body.bot_id, field="bot_id"),
            name=bounded_text(body.name, field="name", max_chars=limits.conversation_name_chars),
            meta=string_map(body.meta_data, field="meta_data", limits=limits),
            messages=decode_messages(
                body.messages,
                field="messages",
                maximum=limits.conversation_create_messages,
                limits=limits,
            ),
            connector_id=connector_of(body.connector_id, principal),
            end_user_id=end_user_of(
                principal, body.user_id, field="user_id", limits=limits, default=""
            ),
            idempotency_key=request_key(idempotency_key, limits=limits),
        )
        return ok(WireConversation.of(await conversations.create(principal, command)))

    @get("/conversation/retrieve", operation_id="conversations.get")
    async def retrieve(
        self,
        *,
        principal: NamedDependency[Principal],
        conversations: NamedDependency[ConversationService],
        conversation_id: FromQuery[str | None] = None,
    ) -> Envelope[WireConversation]:
        """Return one of the caller's conversations."""
        wanted = required_id(conversation_id, field="conversation_id")
        return ok(WireConversation.of(await conversations.get(principal, wanted)))

    @get("/conversations", operation_id="conversations.list")
    async def list_page(
        self,
        *,
        principal: NamedDependency[Principal],
        conversations: NamedDependency[ConversationService],
        limits: NamedDependency[Limits],
        bot_id: FromQuery[str | None] = None,
        page_num: FromQuery[str | None] = None,
        page_size: FromQuery[str | None] = None,
        sort_order: FromQuery[str | None] = None,
        connector_id: FromQuery[str | None] = None,
        user_id: FromQuery[str | None] = None,
    ) -> Envelope[ConversationList]:
        """Return a page of the caller's conversations with one agent."""
        wanted = page(page_num, page_size, default=PAGE_SIZE, maximum=PAGE_SIZE)
        query = ConversationQuery(
            agent_id=required_id(bot_id, field="bot_id"),
            connector_id=connector_of(connector_id, principal),
            end_user_id=end_user_of(principal, user_id, field="user_id", limits=limits, default=""),
            descending=query_choice(sort_order, _ORDERS, field="sort_order") != "asc",
            page_num=wanted.number,
            page_size=wanted.size,
        )
        found = await conversations.list(principal, query)
        items = [WireConversation.of(view) for view in found.items]
        return ok(ConversationList(conversations=items, has_more=found.has_more))

    @put("/conversations/{conversation_id:str}", operation_id="conversations.update")
    async def rename(
        self,
        *,
        conversation_id: FromPath[str],
        data: JSONBody[RenameConversationRequest],
        principal: NamedDependency[Principal],
        conversations: NamedDependency[ConversationService],
        limits: NamedDependency[Limits],
    ) -> Envelope[WireConversation]:
        """Give a conversation another name."""
        wanted = parse_id(conversation_id, field="conversation_id")
        name = required_text(data.name, field="name", max_chars=limits.conversation_name_chars)
        return ok(WireConversation.of(await conversations.rename(principal, wanted, name=name)))

    @delete(
        "/conversations/{conversation_id:str}",
        status_code=HTTP_200_OK,
        operation_id="conversations.delete",
    )
    async def remove(
        self,
        *,
        conversation_id: FromPath[str],
        principal: NamedDependency[Principal],
        conversations: NamedDependency[ConversationService],
    ) -> Envelope[None]:
        """Delete a conversation with its messages; a running chat is cancelled."""
        await conversations.delete(principal, parse_id(conversation_id, field="conversation_id"))
        return done()

    @post(
        "/conversations/{conversation_id:str}/clear",
        status_code=HTTP_200_OK,
        operation_id="conversations.clear",
    )
    async def clear(
        self,
        *,
        conversation_id: FromPath[str],
        principal: NamedDependency[Principal],
        conversations: NamedDependency[ConversationService],
    ) -> Envelope[WireSection]:
        """Begin a new section: messages stay listed, later chats do not see them."""
        wanted = parse_id(conversation_id, field="conversation_id")
        return ok(WireSection.of(await conversations.clear(principal, wanted)))
