"""Use cases of a workspace's administrators: runs of everybody, without their content."""

from application.conversation.dto import RunPage, RunQuery, RunView
from application.conversation.view import run_view
from domain.conversation.repository import ConversationStore
from domain.shared.access import Permission, Principal
from domain.shared.ids import AgentId, ConversationId, RunId, SpaceId
from domain.shared.limits import Limits


class SupportService:
    """Shows runs of a space to those who administer it (permission ``workspace.write``)."""

    def __init__(self, *, store: ConversationStore, limits: Limits) -> None:
        self._store = store
        self._limits = limits

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
