"""Conversations as nodes see them, over the contract of their context."""

from collections.abc import Sequence

from crossdomain.app.contract import Apps
from crossdomain.conversation.contract import Conversations as Contract
from crossdomain.conversation.contract import NamedTalk, TalkMessage
from domain.shared.chat import ChatMessage
from domain.shared.error import InvalidRequest, NotFound
from domain.workflow.engine.error import ConversationMissing
from domain.workflow.error import InvalidValue
from domain.workflow.node.conversation.talk import DEFAULT
from domain.workflow.port import MessagePage, NamedConversation, RunContext, StoredMessage
from domain.workflow.text import local_id


class ContextConversations:
    """Implements ``domain.workflow.port.Conversations``.

    The conversation that a run belongs to is known by its name and as the default one. Others are
    those of the application, or of the agent if there is none. What the application defines is
    fixed, and opened for a user when it is first needed.
    """

    def __init__(self, contract: Contract, apps: Apps) -> None:
        self._contract = contract
        self._apps = apps

    async def find(self, context: RunContext, name: str) -> NamedConversation | None:
        fixed = await self._fixed(context)
        if context.conversation_id and name in _own_names(context):
            return NamedConversation(id=context.conversation_id, name=name, is_fixed=name in fixed)
        owner_id = _owner(context)
        if not owner_id:
            return None
        if name in fixed:
            return await self._open_fixed(context, name)
        found = await self._contract.find(context.call, owner_id, name)
        return None if found is None else _named(found)

    async def list(self, context: RunContext) -> Sequence[NamedConversation]:
        defined = await self._defined(context)
        known = [_named(each) for each in await self._contract.list(context.call, _owner(context))]
        names = {each.name for each in known}
        opened = [await self._open_fixed(context, name) for name in defined if name not in names]
        return [*known, *opened]

    async def _open_fixed(self, context: RunContext, name: str) -> NamedConversation:
        """Return it as fixed, even if it was opened before the application defined it."""
        owner_id = _owner(context)
        found = await self._contract.open(context.call, owner_id, name, is_fixed=True)
        return NamedConversation(id=str(found.id), name=name, is_fixed=True)

    async def _fixed(self, context: RunContext) -> Sequence[str]:
        return [DEFAULT, *await self._defined(context)]

    async def _defined(self, context: RunContext) -> Sequence[str]:
        """Names that the application defines; one that was never published defines none."""
        app_id = local_id(context.app_id)
        if app_id is None:
            return []
        scope = context.call.scope.within(context.call.space_id)
        try:
            return await self._apps.conversations(scope, app_id, is_draft=context.is_debug)
        except NotFound:
            return []

    async def create(self, context: RunContext, name: str, *, key: str) -> NamedConversation:
        try:
            return _named(
                await self._contract.open(context.call, _owner(context), name, is_fixed=False)
            )
        except InvalidRequest as exc:
            raise InvalidValue(exc.message) from exc

    async def rename(self, context: RunContext, conversation_id: str, name: str) -> None:
        try:
            await self._contract.rename(
                context.call, _owner(context), _required(conversation_id), name
            )
        except InvalidRequest as exc:
            raise InvalidValue(exc.message) from exc

    async def delete(self, context: RunContext, conversation_id: str) -> None:
        await self._contract.delete(context.call, _owner(context), _required(conversation_id))

    async def clear(self, context: RunContext, conversation_id: str) -> None:
        await self._contract.clear(context.call, _required(conversation_id))

    async def history(
        self, context: RunContext, conversation_id: str, rounds: int
    ) -> Sequence[ChatMessage]:
        number = local_id(conversation_id)
        if number is None:
            return []
        return await self._contract.history(context.call, number, rounds=rounds)

    async def add_message(
        self, context: RunContext, conversation_id: str, *, role: str, content: str, key: str
    ) -> StoredMessage:
        try:
            stored = await self._contract.add_message(
                context.call,
                _required(conversation_id),
                role="user" if role == "user" else "assistant",
                text=content,
                key=key,
            )
        except InvalidRequest as exc:
            raise InvalidValue(exc.message) from exc
        return _stored(stored)

    async def messages(
        self,
        context: RunContext,
        conversation_id: str,
        *,
        limit: int,
        before_id: str,
        after_id: str,
    ) -> MessagePage:
        found, has_more = await self._contract.messages(
            context.call,
            _required(conversation_id),
            limit=limit,
            before_id=_cursor(before_id),
            after_id=_cursor(after_id),
        )
        return MessagePage(messages=[_stored(each) for each in found], has_more=has_more)

    async def edit_message(
        self, context: RunContext, conversation_id: str, message_id: str, content: str
    ) -> bool:
        number = local_id(message_id)
        if number is None:
            return False
        try:
            return await self._contract.edit_message(
                context.call, _required(conversation_id), number, content
            )
        except InvalidRequest as exc:
            raise InvalidValue(exc.message) from exc

    async def delete_message(
        self, context: RunContext, conversation_id: str, message_id: str
    ) -> bool:
        number = local_id(message_id)
        if number is None:
            return False
        return await self._contract.delete_message(context.call, _required(conversation_id), number)


def _own_names(context: RunContext) -> Sequence[str]:
    """Names of the run's own conversation; an application has a default one besides it."""
    if context.app_id and context.conversation_name:
        return [context.conversation_name]
    return [context.conversation_name or DEFAULT, DEFAULT]


def _owner(context: RunContext) -> int:
    return local_id(context.app_id) or local_id(context.agent_id) or 0


def _cursor(text: str) -> int | None:
    if not text:
        return None
    number = local_id(text)
    if number is None:
        raise InvalidValue(f"{text[:40]!r} is no id of a message.")
    return number


def _required(conversation_id: str) -> int:
    number = local_id(conversation_id)
    if number is None:
        raise ConversationMissing("There is no such conversation.")
    return number


def _named(found: NamedTalk) -> NamedConversation:
    return NamedConversation(id=str(found.id), name=found.name, is_fixed=found.is_fixed)


def _stored(message: TalkMessage) -> StoredMessage:
    return StoredMessage(
        id=str(message.id),
        role=message.role,
        content_type=message.content_type,
        content=message.content,
    )
