"""Messages of the caller's conversations, and verdicts on answers."""

from typing import Any, Final

import msgspec
from litestar import Controller, delete, post, route
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK
from litestar.types import Method, OperationIDCreator

from api.coze.conversation.incoming import Content, EnterMessage, decode_content
from api.coze.conversation.shape import MESSAGE_TYPES, WireMessage
from api.envelope import CursorEnvelope, Envelope, ModifiedEnvelope, done, ok
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
    string_map,
)
from application.conversation.dto import AddMessage, EditMessage, GiveFeedback, MessageQuery
from application.conversation.message_service import MessageService
from domain.conversation.value import FeedbackKind, MessageKind
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.ids import parse_id
from domain.shared.limits import Limits

GET_OR_POST: Final[list[Method]] = ["GET", "POST"]
"""Clients disagree about the method of calls that only read."""


def by_method(name: str, *, plain: Method = "GET") -> OperationIDCreator:
    """Name the operations of a route with several methods; ``plain`` has the name as it is."""

    def operation_id(_: HTTPRouteHandler, method: Method, __: Any) -> str:
        return name if method == plain else f"{name}_by_{method.lower()}"

    return operation_id


PAGE_SIZE: Final = 50
_ORDERS: Final = {"asc": "asc", "desc": "desc"}
_KINDS: Final = {wire: kind for kind, wire in MESSAGE_TYPES.items()}
_LISTED: Final = frozenset({MessageKind.QUESTION, MessageKind.ANSWER})


class ModifyMessageRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Body of message modify; null leaves a field as it is."""

    content: Content | None = None
    content_type: str | None = None
    meta_data: WireMap | None = None


class ListMessagesRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Body of message list; cursors refer to the order of the list."""

    order: str | None = None
    chat_id: WireId | None = None
    before_id: WireId | None = None
    after_id: WireId | None = None
    limit: int | str | None = None
    types: list[str] | None = None

    def query(self) -> MessageQuery:
        """Return what is asked in the application's terms."""
        return MessageQuery(
            descending=query_choice(self.order, _ORDERS, field="order") != "asc",
            before_id=optional_id(self.before_id, field="before_id"),
            after_id=optional_id(self.after_id, field="after_id"),
            limit=page(None, self.limit, default=PAGE_SIZE, maximum=PAGE_SIZE).size,
            run_id=optional_id(self.chat_id, field="chat_id"),
            kinds=frozenset(map(_kind, self.types)) if self.types else _LISTED,
        )


class FeedbackRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Body of ``POST …/feedback``."""

    feedback_type: str | None = None
    reason_types: list[str] | None = None
    comment: str | None = None


class MessageController(Controller):
    """Create, read, change, delete and list messages."""

    path = "/v1/conversation/message"

    @post("/create", status_code=HTTP_200_OK, operation_id="messages.create")
    async def create(
        self,
        *,
        data: JSONBody[EnterMessage],
        principal: NamedDependency[Principal],
        messages: NamedDependency[MessageService],
        limits: NamedDependency[Limits],
        conversation_id: FromQuery[str | None] = None,
        idempotency_key: IdempotencyKey = None,
    ) -> Envelope[WireMessage]:
        """Store a message in the newest section."""
        command = AddMessage(
            conversation_id=required_id(conversation_id, field="conversation_id"),
            message=data.decoded(limits=limits),
            idempotency_key=request_key(idempotency_key, limits=limits),
        )
        if not command.message.parts:
            raise InvalidRequest("content: a message must not be empty.", field="content")
        return ok(WireMessage.of(await messages.create(principal, command)))

    @route(
        "/retrieve",
        http_method=GET_OR_POST,
        status_code=HTTP_200_OK,
        operation_id=by_method("messages.get"),
    )
    async def retrieve(
        self,
        *,
        principal: NamedDependency[Principal],
        messages: NamedDependency[MessageService],
        conversation_id: FromQuery[str | None] = None,
        message_id: FromQuery[str | None] = None,
    ) -> Envelope[WireMessage]:
        """Return one message."""
        conversation, message = _message_ids(conversation_id, message_id)
        return ok(WireMessage.of(await messages.get(principal, conversation, message)))

    @post("/modify", status_code=HTTP_200_OK, operation_id="messages.update")
    async def modify(
        self,
        *,
        data: JSONBody[ModifyMessageRequest],
        principal: NamedDependency[Principal],
        messages: NamedDependency[MessageService],
        limits: NamedDependency[Limits],
        conversation_id: FromQuery[str | None] = None,
        message_id: FromQuery[str | None] = None,
    ) -> ModifiedEnvelope[WireMessage]:
        """Change content or meta of a question or answer."""
        conversation, message = _message_ids(conversation_id, message_id)
        command = edit_command(
            data, conversation_id=conversation, message_id=message, limits=limits
        )
        return ModifiedEnvelope(message=WireMessage.of(await messages.edit(principal, command)))

    @post("/delete", status_code=HTTP_200_OK, operation_id="messages.delete")
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        messages: NamedDependency[MessageService],
        conversation_id: FromQuery[str | None] = None,
        message_id: FromQuery[str | None] = None,
    ) -> Envelope[WireMessage]:
        """Delete a question or answer; an answer takes its chat's details along."""
        conversation, message = _message_ids(conversation_id, message_id)
        return ok(WireMessage.of(await messages.delete(principal, conversation, message)))

    @post("/list", status_code=HTTP_200_OK, operation_id="messages.list")
    async def list_page(
        self,
        *,
        principal: NamedDependency[Principal],
        messages: NamedDependency[MessageService],
        data: JSONBody[ListMessagesRequest | None] = None,
        conversation_id: FromQuery[str | None] = None,
    ) -> CursorEnvelope[WireMessage]:
        """Return a page of questions and answers in list order."""
        conversation = required_id(conversation_id, field="conversation_id")
        query = (data or ListMessagesRequest()).query()
        found = await messages.list(principal, conversation, query)
        items = [body for message in found.items for body in WireMessage.all_of(message)]
        return CursorEnvelope(
            data=items,
            first_id=items[0].id if items else "",
            last_id=items[-1].id if items else "",
            has_more=found.has_more,
        )


class FeedbackController(Controller):
    """The caller's verdict on an answer, at most one."""

    path = "/v1/conversations/{conversation_id:str}/messages/{message_id:str}/feedback"

    @post(status_code=HTTP_200_OK, operation_id="messages.create_feedback")
    async def give(
        self,
        *,
        conversation_id: FromPath[str],
        message_id: FromPath[str],
        data: JSONBody[FeedbackRequest],
        principal: NamedDependency[Principal],
        messages: NamedDependency[MessageService],
        limits: NamedDependency[Limits],
    ) -> Envelope[None]:
        """Like or dislike an answer; a second verdict replaces the first."""
        if data.feedback_type not in {kind.value for kind in FeedbackKind}:
            raise InvalidRequest("feedback_type: expected like or unlike.", field="feedback_type")
        command = GiveFeedback(
            conversation_id=parse_id(conversation_id, field="conversation_id"),
            message_id=parse_id(message_id, field="message_id"),
            kind=FeedbackKind(data.feedback_type),
            reasons=_reasons(data.reason_types, limits),
            comment=bounded_text(
                data.comment, field="comment", max_chars=limits.feedback_comment_chars
            ),
        )
        await messages.give_feedback(principal, command)
        return done()

    @delete(status_code=HTTP_200_OK, operation_id="messages.delete_feedback")
    async def withdraw(
        self,
        *,
        conversation_id: FromPath[str],
        message_id: FromPath[str],
        principal: NamedDependency[Principal],
        messages: NamedDependency[MessageService],
    ) -> Envelope[None]:
        """Take the verdict back."""
        conversation = parse_id(conversation_id, field="conversation_id")
        message = parse_id(message_id, field="message_id")
        await messages.withdraw_feedback(principal, conversation, message)
        return done()


def edit_command(
    data: ModifyMessageRequest, *, conversation_id: int, message_id: int, limits: Limits
) -> EditMessage:
    """Decode a change of a message; raise ``InvalidRequest`` naming the field that is wrong."""
    parts, is_text = None, True
    if data.content is not None:
        parts, is_text = decode_content(
            data.content, data.content_type, field="content", limits=limits
        )
        if not parts:
            raise InvalidRequest("content: a message must not be empty.", field="content")
    meta = data.meta_data
    return EditMessage(
        conversation_id=conversation_id,
        message_id=message_id,
        parts=parts,
        is_text=is_text,
        meta=None if meta is None else string_map(meta, field="meta_data", limits=limits),
    )


def _message_ids(conversation_id: WireId | None, message_id: WireId | None) -> tuple[int, int]:
    return (
        required_id(conversation_id, field="conversation_id"),
        required_id(message_id, field="message_id"),
    )


def _kind(wire: str) -> MessageKind:
    if wire not in _KINDS:
        raise InvalidRequest(f"types: expected some of {', '.join(_KINDS)}.", field="types")
    return _KINDS[wire]


def _reasons(reasons: list[str] | None, limits: Limits) -> tuple[str, ...]:
    found = tuple(reasons or ())
    if len(found) > limits.meta_pairs:
        raise InvalidRequest(f"reason_types: at most {limits.meta_pairs}.", field="reason_types")
    for reason in found:
        bounded_text(reason, field="reason_types", max_chars=limits.meta_value_chars)
    return found
