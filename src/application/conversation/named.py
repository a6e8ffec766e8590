"""Named conversations that requests to chat with a workflow mean."""

from typing import Final

from application.conversation.dto import StartRun
from application.conversation.operations import ConversationOperations
from crossdomain.agent.contract import Agents, FlowSelector
from domain.shared.access import Permission, Principal
from domain.shared.call import CallContext
from domain.shared.ids import AgentId

DEFAULT_NAME: Final = "Default"
"""What every application has."""


class FlowConversations:
    """Finds the named conversation that a request to chat with a workflow means."""

    def __init__(self, *, conversations: ConversationOperations, agents: Agents) -> None:
        self._conversations = conversations
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
        found = await self._conversations.open(
            context,
            owner_id,
            name,
            is_fixed=name == DEFAULT_NAME,
            agent_id=AgentId(command.agent_id) if command.agent_id else None,
        )
        return found.id
