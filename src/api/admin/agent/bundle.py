"""Documents of agents on the admin surface."""

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.admin.agent.request import ImportAgentBody
from api.admin.agent.shape import AdminAgent, AdminExportedAgent, AdminImportedAgent
from api.wire import required_id
from application.agent.bundle_service import AgentBundleService
from domain.shared.access import Principal


class AdminAgentDocumentController(Controller):
    """Takes agents out of a workspace, and into another one."""

    path = "/admin/v1"

    @get("/agents/{agent_id:str}/export", operation_id="admin.agents.export")
    async def export(
        self,
        *,
        principal: NamedDependency[Principal],
        bundles: NamedDependency[AgentBundleService],
        agent_id: FromPath[str],
    ) -> AdminExportedAgent:
        """Write the draft as a document without secrets, which ``agents:import`` reads."""
        found = await bundles.export(principal, required_id(agent_id, field="agent_id"))
        return AdminExportedAgent(document=found.document, secrets=found.secrets)

    @post(
        "/workspaces/{workspace_id:str}/agents:import", operation_id="admin.agents.import_document"
    )
    async def import_document(
        self,
        *,
        data: JSONBody[ImportAgentBody],
        principal: NamedDependency[Principal],
        bundles: NamedDependency[AgentBundleService],
        workspace_id: FromPath[str],
    ) -> AdminImportedAgent:
        """Make a draft of an exported document; what the workspace lacks is left out and told."""
        made = await bundles.import_draft(
            principal,
            data.document,
            space_id=required_id(workspace_id, field="workspace_id"),
            name=data.name or "",
            secrets=data.secrets or {},
        )
        return AdminImportedAgent(agent=AdminAgent.of(made.agent), warnings=made.warnings)
