"""Templates on the admin surface: agents that are offered for copying."""

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from api.admin.agent.request import CopyTemplateBody
from api.admin.agent.shape import AdminAgent, AdminAgentList
from api.admin.query import Paging
from api.wire import required_id
from application.agent.template import TemplateService
from domain.shared.access import Principal


class AdminTemplateController(Controller):
    """Templates of all workspaces of the caller."""

    path = "/admin/v1/templates"

    @get(operation_id="admin.templates.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        templates: NamedDependency[TemplateService],
        q: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> AdminAgentList:
        """List what one's workspaces offer for copying, the newest agent first."""
        found = await templates.list(
            principal,
            limit=paging.size,
            text=q or "",
            after_id=paging.last_id,
        )
        return AdminAgentList.by_id(found)

    @post("/{template_id:str}/duplicate", operation_id="admin.templates.duplicate")
    async def duplicate(
        self,
        *,
        data: JSONBody[CopyTemplateBody],
        principal: NamedDependency[Principal],
        templates: NamedDependency[TemplateService],
        template_id: FromPath[str],
    ) -> AdminAgent:
        """Make an agent from a template."""
        made = await templates.duplicate(
            principal,
            required_id(template_id, field="template_id"),
            space_id=required_id(data.workspace_id, field="workspace_id"),
            name=data.name or "",
        )
        return AdminAgent.of(made)
