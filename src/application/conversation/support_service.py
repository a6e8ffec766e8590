"""Use cases of those who look after a workspace: its runs, and conversations of everybody."""

from typing import Final

from msgspec.structs import replace

from application.conversation.dto import (
    DigestPage,
    DigestView,
    RunPage,
    RunQuery,
    RunView,
    Transcript,
    VerdictView,
)
from application.conversation.view import conversation_view, message_views, run_view
from crossdomain.file.contract import Files
from domain.conversation.conversation import Conversation
from domain.conversation.message import Message
from domain.conversation.repository import ConversationStore, ConversationUnitOfWork
from domain.conversation.support import ConversationDigest
from domain.conversation.value import MessageKind, SupportQuery
from domain.shared.access import Permission, Principal
from domain.shared.ids import AgentId, ConversationId, MessageId, RunId, SpaceId
from domain.shared.limits import Limits

_SAID: Final = frozenset({MessageKind.QUESTION, MessageKind.ANSWER})


class SupportService:
    """Shows what is of others.

    Runs without content to those who administer a space (permission ``workspace.write``);
    conversations to those who may read traces, and the audit log tells of each that is opened.
    """

    def __init__(self, *, store: ConversationStore, files: Files, limits: Limits) -> None:
        self._store = store
        self._files = files
        self._limits = limits

    async def conversations(self, principal: Principal, query: SupportQuery) -> DigestPage:
        """Return a page of a workspace's conversations; without ``trace.read`` one's own."""
        principal.require(Permission.CONVERSATION_READ, query.space_id)
        limit = max(1, min(query.limit, self._limits.page_size))
        wanted = replace(
            query,
            is_own=query.is_own or not _reads_others(principal, query.space_id),
            limit=limit + 1,
        )
        async with self._store.snapshot() as uow:
            found = await uow.support.page(principal.scope.within(query.space_id), wanted)
        return DigestPage(
            items=tuple(_digest(each, principal) for each in found[:limit]),
            after=found[limit - 1].run_id if len(found) > limit else None,
        )

    async def transcript(
        self, principal: Principal, conversation_id: int, *, before_id: int | None, limit: int
    ) -> Transcript:
        """Return a page of what was said, newest first, with what people thought of it.

        Raises:
            ConversationNotFound, MessageNotFound: (4200).
            Forbidden: it is somebody else's, and the caller may not read traces (4101).
        """
        size = max(1, min(limit, self._limits.page_size))
        # A transaction, for the row that the audit log gets of it.
        async with self._store.transaction() as uow:
            conversation = await uow.support.get(principal.scope, ConversationId(conversation_id))
            is_own = conversation.creator_id == principal.user_id
            principal.require(Permission.MESSAGE_READ, conversation.space_id)
            if not is_own:
                principal.require(Permission.TRACE_READ, conversation.space_id)
            found = await self._said(uow, principal, conversation, before_id, size + 1)
            page = found[:size]
            verdicts = await uow.support.verdicts(principal.scope, [each.id for each in page])
            await uow.commit()
        return Transcript(
            conversation=conversation_view(conversation),
            is_own=is_own,
            messages=await message_views(page, files=self._files, scope=principal.scope),
            verdicts=tuple(VerdictView.of(each) for each in verdicts),
            has_more=len(found) > size,
        )

    async def _said(
        self,
        uow: ConversationUnitOfWork,
        principal: Principal,
        conversation: Conversation,
        before_id: int | None,
        limit: int,
    ) -> list[Message]:
        edge = None if before_id is None else MessageId(before_id)
        if edge is not None:
            await uow.messages.get(principal.scope, conversation.id, edge)
        return list(
            await uow.messages.page(
                principal.scope,
                conversation.id,
                kinds=_SAID,
                run_id=None,
                older_than=edge,
                newer_than=None,
                descending=True,
                limit=limit,
            )
        )

    async def runs(self, principal: Principal, query: RunQuery) -> RunPage:
        """Return one page of runs, newest first, without variables or messages."""
        space_id = SpaceId(query.space_id)
        principal.require(Permission.SPACE_WRITE, space_id)
        limit = max(1, min(query.limit, self._limits.page_size))
        conversation_id = query.conversation_id
        async with self._store.snapshot() as uow:
            found = await uow.runs.administered_page(
                principal.scope.within(space_id),
                agent_id=None if query.agent_id is None else AgentId(query.agent_id),
                conversation_id=(
                    None if conversation_id is None else ConversationId(conversation_id)
                ),
                status=query.status,
                before_id=None if query.before_id is None else RunId(query.before_id),
                limit=limit + 1,
            )
        return RunPage(
            items=tuple(run_view(run) for run in found[:limit]), has_more=len(found) > limit
        )

    async def run(self, principal: Principal, run_id: int) -> RunView:
        """Return one run of any space the caller administers; raise ``RunNotFound``."""
        async with self._store.snapshot() as uow:
            run = await uow.runs.administered(principal.scope, RunId(run_id))
        principal.require(Permission.SPACE_WRITE, run.space_id)
        return run_view(run)


def _reads_others(principal: Principal, space_id: SpaceId) -> bool:
    """Tokens of one end user see that one's conversations, whatever else they may."""
    return not principal.end_user_id and principal.may(Permission.TRACE_READ, space_id)


def _digest(found: ConversationDigest, principal: Principal) -> DigestView:
    return DigestView.of(
        found.conversation,
        run_id=found.run_id,
        run_status=found.run_status,
        run_at=found.run_at,
        source=found.source,
        waits=found.waits,
        likes=found.likes,
        dislikes=found.dislikes,
        is_own=found.conversation.creator_id == principal.user_id,
    )
