"""Finished rounds for those who learn from them, and the account of what that costs."""

from collections.abc import Sequence

from crossdomain.conversation.contract import FinishedRound
from domain.conversation.error import ConversationNotFound, RunNotFound
from domain.conversation.repository import ConversationStore, ConversationUnitOfWork
from domain.conversation.value import MessageKind, MessageStatus
from domain.shared.access import TenantScope
from domain.shared.account import NOBODY, Account
from domain.shared.chat import ModelCall
from domain.shared.ids import RunId, SpaceId


class OfferedRounds:
    """Implements ``crossdomain.conversation.contract.Rounds``."""

    def __init__(self, store: ConversationStore) -> None:
        self._store = store

    async def find(self, scope: TenantScope, run_id: int) -> FinishedRound | None:
        try:
            async with self._store.snapshot() as uow:
                run = await uow.runs.get(scope, RunId(run_id))
                await uow.conversations.get(scope, run.conversation_id)
                messages = await uow.messages.of_run(
                    scope, run.id, {MessageKind.QUESTION, MessageKind.ANSWER}
                )
        except (RunNotFound, ConversationNotFound):
            return None
        kept = [each for each in messages if each.status is MessageStatus.AVAILABLE]
        answers = [each for each in kept if each.kind is MessageKind.ANSWER]
        if not answers:
            return None
        return FinishedRound(
            run_id=run.id,
            conversation_id=run.conversation_id,
            agent_id=run.agent_id,
            is_draft=not run.agent_version,
            connector_id=run.connector_id,
            end_user_id=run.end_user_id,
            question="\n".join(each.text for each in kept if each.kind is MessageKind.QUESTION),
            answer="\n\n".join(each.text for each in answers),
            message_ids=tuple(each.id for each in kept),
            replaces_run_id=run.replaces_run_id or 0,
        )

    async def account(self, scope: TenantScope, space_id: SpaceId, run_id: int) -> Account:
        scope.within(space_id)
        try:
            async with self._store.snapshot() as uow:
                return await _account(uow, scope, space_id, RunId(run_id))
        except RunNotFound:
            return Account(member_id=scope.principal_id)

    async def charge(
        self, scope: TenantScope, space_id: SpaceId, run_id: int, calls: Sequence[ModelCall]
    ) -> None:
        if not calls:
            return
        scope.within(space_id)
        async with self._store.transaction() as uow:
            last, account = await uow.model_calls.last(space_id, RunId(run_id))
            if account is None:
                account = await _account(uow, scope, space_id, RunId(run_id))
            await uow.model_calls.append(space_id, RunId(run_id), last + 1, calls, account)
            await uow.commit()


async def _account(
    uow: ConversationUnitOfWork, scope: TenantScope, space_id: SpaceId, run_id: RunId
) -> Account:
    """Return what the calls of a run went on; without any, it is not known through what it came."""
    _, account = await uow.model_calls.last(space_id, run_id)
    return account or (await uow.runs.get(scope, run_id)).account(NOBODY)
