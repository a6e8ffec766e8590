"""Conversations with names: those that workflows of an application or agent open and find."""

from collections.abc import Sequence
from typing import Final

from application.conversation.dto import StartRun
from crossdomain.agent.contract import Agents, FlowSelector
from crossdomain.conversation.contract import NamedTalk
from domain.conversation.conversation import Conversation
from domain.conversation.error import ConversationNotFound, NameTaken
from domain.conversation.repository import (
    ConversationStore,
    ConversationUnitOfWork,
    NamedConversation,
    NameSpace,
)
from domain.conversation.rule import check_name
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.call import CallContext
from domain.shared.error import InvalidRequest
from domain.shared.ids import AgentId, ConversationId, SpaceId
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.id_generator import IdGenerator

DEFAULT_NAME: Final = "Default"
"""What every application has."""

_LISTED: Final = 1000


class NamedConversationService:
    """Opens, finds, renames and deletes; a name is unique per application or agent and person."""

    def __init__(
        self,
        *,
        store: ConversationStore,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._limits = limits

    async def find(self, context: CallContext, owner_id: int, name: str) -> NamedTalk | None:
        """Return the conversation of this name."""
        async with self._store.snapshot() as uow:
            found = await uow.names.find(context.scope, _place(context, owner_id), name)
        return None if found is None else _talk(found)

    async def list(self, context: CallContext, owner_id: int) -> Sequence[NamedTalk]:
        """Return all with names, oldest first."""
        async with self._store.snapshot() as uow:
            found = await uow.names.list(context.scope, _place(context, owner_id), limit=_LISTED)
        return [_talk(each) for each in found]

    async def open(
        self,
        context: CallContext,
        owner_id: int,
        name: str,
        *,
        is_fixed: bool,
        agent_id: AgentId | None = None,
    ) -> NamedTalk:
        """Return the conversation of this name, opened if there is none."""
        wanted = self._name(name)
        try:
            return await self._open(context, owner_id, wanted, is_fixed, agent_id)
        except NameTaken:  # somebody was faster
            found = await self.find(context, owner_id, wanted)
            if found is None:
                raise
            return found

    async def rename(
        self, context: CallContext, owner_id: int, conversation_id: int, name: str
    ) -> None:
        """Give a conversation another name; raise ``ConversationNotFound`` or ``NameTaken``."""
        place, wanted, now = _place(context, owner_id), self._name(name), self._clock.now()
        async with self._store.transaction() as uow:
            conversation = await _dynamic(uow, context.scope, place, conversation_id)
            await uow.names.remove(context.scope, place, conversation.id)
            named = NamedConversation(conversation_id=conversation.id, name=wanted, is_fixed=False)
            await uow.names.add(context.scope, place, named, now=now)
            conversation.rename(wanted, now=now)
            await uow.conversations.save(context.scope, conversation)
            await uow.commit()

    async def delete(self, context: CallContext, owner_id: int, conversation_id: int) -> None:
        """Delete a conversation with its messages; raise ``ConversationNotFound``."""
        place = _place(context, owner_id)
        async with self._store.transaction() as uow:
            conversation = await _dynamic(uow, context.scope, place, conversation_id)
            await uow.names.remove(context.scope, place, conversation.id)
            conversation.delete(now=self._clock.now())
            await uow.conversations.save(context.scope, conversation)
            await uow.commit()

    async def _open(
        self,
        context: CallContext,
        owner_id: int,
        name: str,
        is_fixed: bool,
        agent_id: AgentId | None,
    ) -> NamedTalk:
        place, now = _place(context, owner_id), self._clock.now()
        async with self._store.transaction() as uow:
            known = await uow.names.find(context.scope, place, name)
            if known is not None:
                return _talk(known)
            conversation = Conversation.open(
                ConversationId(self._ids.next_id()),
                space_id=place.space_id,
                creator_id=context.scope.principal_id,
                now=now,
                end_user_id=place.end_user_id,
                connector_id=context.connector_id,
                agent_id=agent_id,
                name=name,
                key_end_user=context.scope.end_user_id,
            )
            named = NamedConversation(conversation_id=conversation.id, name=name, is_fixed=is_fixed)
            await uow.conversations.save(context.scope, conversation)
            await uow.names.add(context.scope, place, named, now=now)
            await uow.commit()
        return _talk(named)

    def _name(self, name: str) -> str:
        wanted = check_name(name, self._limits)
        if not wanted:
            raise InvalidRequest("conversationName: a name is required.", field="conversationName")
        return wanted


class FlowConversations:
    """Finds the named conversation that a request to chat with a workflow means."""

    def __init__(self, *, names: NamedConversationService, agents: Agents) -> None:
        self._names = names
        self._agents = agents

    async def open_for(self, principal: Principal, command: StartRun, name: str) -> int | None:
        """Return the named conversation that a request to chat means; None if it names no owner.

        Raises:
            NotFound: no such workflow or agent here (4200).
            Forbidden: the token or role may not run workflows here (4101).
            InvalidRequest: the name is too long (4000).
        """
        flow = command.flow
        owner_id = command.agent_id or (flow.app_id if flow else 0)
        if flow is None or not owner_id:
            return None
        definition = await self._agents.load_flow(
            principal.scope,
            FlowSelector(
                workflow_id=flow.workflow_id,
                version=flow.version,
                is_draft=flow.is_draft,
                agent_id=command.agent_id,
                app_id=flow.app_id,
            ),
        )
        principal.require(Permission.WORKFLOW_RUN, definition.space_id)
        context = CallContext(
            scope=principal.scope,
            space_id=definition.space_id,
            connector_id=command.connector_id,
            end_user_id=principal.end_user_id or command.end_user_id,
        )
        found = await self._names.open(
            context,
            owner_id,
            name,
            is_fixed=name == DEFAULT_NAME,
            agent_id=AgentId(command.agent_id) if command.agent_id else None,
        )
        return found.id


async def _dynamic(
    uow: ConversationUnitOfWork, scope: TenantScope, place: NameSpace, conversation_id: int
) -> Conversation:
    """Return a conversation whose name this place gave; raise ``ConversationNotFound``."""
    conversation = await uow.conversations.get(scope, ConversationId(conversation_id))
    known = await uow.names.find(scope, place, conversation.name)
    if known is None or known.conversation_id != conversation.id or known.is_fixed:
        raise ConversationNotFound(f"No conversation {conversation_id} with a name of its own.")
    return conversation


def _place(context: CallContext, owner_id: int) -> NameSpace:
    return NameSpace(
        space_id=SpaceId(context.space_id), owner_id=owner_id, end_user_id=context.end_user_id
    )


def _talk(named: NamedConversation) -> NamedTalk:
    return NamedTalk(id=named.conversation_id, name=named.name, is_fixed=named.is_fixed)
