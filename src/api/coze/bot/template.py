"""Templates on the Coze surface: agents that are offered for copying."""

import msgspec
from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.envelope import Envelope, ok
from api.wire import WireId, required_id
from application.agent.template import TemplateService
from domain.shared.access import Principal


class DuplicateTemplateBody(msgspec.Struct, frozen=True, kw_only=True):
    """Where the copy goes and what it is called."""

    workspace_id: WireId | None = None
    name: str | None = None


class DuplicatedTemplate(msgspec.Struct, frozen=True, kw_only=True):
    """What was made."""

    entity_id: str
    entity_type: str = "agent"


class TemplateController(Controller):
    """Templates."""

    path = "/v1/templates"

    @post(
        "/{template_id:str}/duplicate",
        operation_id="templates.duplicate",
        status_code=HTTP_200_OK,
    )
    async def duplicate(
        self,
        *,
        data: JSONBody[DuplicateTemplateBody],
        principal: NamedDependency[Principal],
        templates: NamedDependency[TemplateService],
        template_id: FromPath[str],
    ) -> Envelope[DuplicatedTemplate]:
        """Make an agent from a template."""
        made = await templates.duplicate(
            principal,
            required_id(template_id, field="template_id"),
            space_id=required_id(data.workspace_id, field="workspace_id"),
            name=data.name or "",
        )
        return ok(DuplicatedTemplate(entity_id=str(made.id)))
