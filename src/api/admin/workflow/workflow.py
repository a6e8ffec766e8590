"""Workflows on the admin surface: drafts, lists, roles."""

from collections.abc import Mapping
from typing import Any, Final

from litestar import Controller, Request, delete, get, patch, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT
from msgspec import UNSET

from api.admin.query import IfMatch, Paging, next_id, revision_of
from api.admin.workflow.request import (
    AdminRole,
    CopyWorkflowBody,
    CreateWorkflowBody,
    DeleteWorkflowsBody,
    RoleBody,
    UpdateWorkflowBody,
    mode_of,
)
from api.admin.workflow.shape import (
    AdminWorkflow,
    AdminWorkflowList,
    AdminWorkflowReference,
    AdminWorkflowReferenceList,
    NodeKind,
    NodeKindList,
    NodeTools,
)
from api.console.preference import preference
from api.wire import optional_id, query_choice, required_id
from application.workflow.definition.dto import (
    CreateWorkflow,
    ListWorkflows,
    UpdateWorkflow,
    WorkflowMode,
    WorkflowState,
    list_kinds,
)
from application.workflow.definition.service import WorkflowService
from application.workflow.definition.tool_settings import ToolSettingService
from domain.shared.access import Permission, Principal
from domain.shared.error import InvalidRequest

STATES: Final[Mapping[str, str]] = {state.value: state.value for state in WorkflowState}
MODES: Final[Mapping[str, str]] = {"workflow": "0", "chatflow": "3", "0": "0", "3": "3"}
_ORDERS: Final[Mapping[str, str]] = {"asc": "asc", "desc": "desc"}
_LANGUAGES: Final[Mapping[str, str]] = {"en": "en", "zh": "zh"}
_DELETED_AT_ONCE: Final = 100


class AdminWorkflowController(Controller):
    """Drafts."""

    path = "/admin/v1"

    @post("/workspaces/{workspace_id:str}/workflows", operation_id="admin.workflows.create")
    async def create(
        self,
        *,
        data: JSONBody[CreateWorkflowBody],
        principal: NamedDependency[Principal],
        request: Request[Any, Any, Any],
        workflows: NamedDependency[WorkflowService],
        workspace_id: FromPath[str],
    ) -> AdminWorkflow:
        """Make a draft that leads from its entry to its exit."""
        wanted = preference(request.cookies, request.headers.get("accept-language", ""))
        command = CreateWorkflow(
            space_id=required_id(workspace_id, field="workspace_id"),
            name=data.name,
            description=data.description,
            icon_file_id=optional_id(data.icon_file_id, field="icon_file_id"),
            mode=mode_of(data.mode),
            app_id=optional_id(data.app_id, field="app_id") or 0,
            language=wanted.language,
        )
        return AdminWorkflow.of(await workflows.create(principal, command))

    @get("/workspaces/{workspace_id:str}/workflows", operation_id="admin.workflows.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
        workspace_id: FromPath[str],
        status: FromQuery[str | None] = None,
        mode: FromQuery[str | None] = None,
        app_id: FromQuery[str | None] = None,
        creator_id: FromQuery[str | None] = None,
        plugin_id: FromQuery[str | None] = None,
        q: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
        order: FromQuery[str | None] = None,
    ) -> AdminWorkflowList:
        """List workflows by age, newest first unless ``order`` is ``asc``.

        ``plugin_id`` leaves those whose draft or newest version names the plugin.
        """
        wanted = query_choice(mode, MODES, field="mode")
        state = query_choice(status, STATES, field="status") or WorkflowState.ALL
        found = await workflows.list(
            principal,
            ListWorkflows(
                space_id=required_id(workspace_id, field="workspace_id"),
                limit=paging.size,
                by_id=True,
                descending=query_choice(order, _ORDERS, field="order") != "asc",
                after_id=paging.last_id,
                state=WorkflowState(state),
                mode=None if wanted is None else WorkflowMode(int(wanted)),
                app_id=optional_id(app_id, field="app_id"),
                text=q or "",
                creator_id=optional_id(creator_id, field="creator_id"),
                plugin_id=optional_id(plugin_id, field="plugin_id"),
            ),
        )
        items = [AdminWorkflow.of(each) for each in found.items]
        return AdminWorkflowList(
            items=items,
            total=found.total,
            next_cursor=next_id(found.items, has_more=found.has_more),
        )

    @get("/workflows/{workflow_id:str}", operation_id="admin.workflows.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
        workflow_id: FromPath[str],
    ) -> AdminWorkflow:
        """Describe a workflow."""
        return AdminWorkflow.of(await workflows.get(principal, path_id(workflow_id)))

    @patch("/workflows/{workflow_id:str}", operation_id="admin.workflows.update")
    async def update(
        self,
        *,
        data: JSONBody[UpdateWorkflowBody],
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
        workflow_id: FromPath[str],
        if_match: IfMatch = None,
    ) -> AdminWorkflow:
        """Change name, description or icon; ``If-Match`` takes the revision that was read."""
        icon = data.icon_file_id
        command = UpdateWorkflow(
            workflow_id=path_id(workflow_id),
            name=data.name,
            description=data.description,
            icon_file_id=UNSET if icon is UNSET else optional_id(icon, field="icon_file_id"),
            trace_capture=data.trace_capture,
            expected_revision=revision_of(if_match),
        )
        return AdminWorkflow.of(await workflows.update(principal, command))

    @delete("/workflows/{workflow_id:str}", operation_id="admin.workflows.delete")
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
        workflow_id: FromPath[str],
    ) -> None:
        """Delete a workflow that no other one calls."""
        await workflows.delete(principal, [path_id(workflow_id)])

    @post(
        "/workflows:batch-delete",
        operation_id="admin.workflows.batch_delete",
        status_code=HTTP_204_NO_CONTENT,
    )
    async def remove_many(
        self,
        *,
        data: JSONBody[DeleteWorkflowsBody],
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
    ) -> None:
        """Delete workflows, all or none."""
        if not 1 <= len(data.workflow_ids) <= _DELETED_AT_ONCE:
            raise InvalidRequest(f"workflow_ids: 1 to {_DELETED_AT_ONCE} ids are needed.")
        ids = [required_id(each, field="workflow_ids") for each in data.workflow_ids]
        await workflows.delete(principal, ids, is_forced=data.force)

    @post(
        "/workflows/{workflow_id:str}/restore",
        operation_id="admin.workflows.restore",
        status_code=HTTP_200_OK,
    )
    async def restore(
        self,
        *,
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
        workflow_id: FromPath[str],
    ) -> AdminWorkflow:
        """Bring a deleted workflow back, for seven days, with its versions."""
        return AdminWorkflow.of(await workflows.restore(principal, path_id(workflow_id)))

    @post("/workflows/{workflow_id:str}/copy", operation_id="admin.workflows.copy")
    async def copy(
        self,
        *,
        data: JSONBody[CopyWorkflowBody],
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
        workflow_id: FromPath[str],
    ) -> AdminWorkflow:
        """Copy the draft into a new workflow."""
        made = await workflows.copy(
            principal,
            path_id(workflow_id),
            name=data.name or "",
            space_id=optional_id(data.workspace_id, field="workspace_id"),
        )
        return AdminWorkflow.of(made)

    @get("/workflows/{workflow_id:str}/references", operation_id="admin.workflows.list_references")
    async def references(
        self,
        *,
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
        workflow_id: FromPath[str],
    ) -> AdminWorkflowReferenceList:
        """List the workflows that call this one."""
        found = await workflows.references(principal, path_id(workflow_id))
        items = [AdminWorkflowReference.of(each) for each in found]
        return AdminWorkflowReferenceList(items=items, total=len(items))

    @get("/workflows/{workflow_id:str}/role", operation_id="admin.workflows.get_role")
    async def role(
        self,
        *,
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
        workflow_id: FromPath[str],
    ) -> AdminRole:
        """Show the role of a chat flow."""
        role, avatar_url = await workflows.role(principal, path_id(workflow_id))
        return AdminRole.of(role, avatar_url=avatar_url)

    @put("/workflows/{workflow_id:str}/role", operation_id="admin.workflows.set_role")
    async def set_role(
        self,
        *,
        data: JSONBody[RoleBody],
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
        workflow_id: FromPath[str],
    ) -> AdminRole:
        """Replace the role of a chat flow."""
        wanted = path_id(workflow_id)
        role, avatar_url = await workflows.set_role(principal, wanted, data.role())
        return AdminRole.of(role, avatar_url=avatar_url)

    @delete("/workflows/{workflow_id:str}/role", operation_id="admin.workflows.delete_role")
    async def remove_role(
        self,
        *,
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
        workflow_id: FromPath[str],
    ) -> None:
        """Remove the role of a chat flow."""
        await workflows.set_role(principal, path_id(workflow_id), None)

    @get(
        "/workflows/{workflow_id:str}/nodes/{node_id:str}/tool-settings",
        operation_id="admin.workflows.get_tool_settings",
    )
    async def tool_settings(
        self,
        *,
        principal: NamedDependency[Principal],
        workflow_tool_settings: NamedDependency[ToolSettingService],
        workflow_id: FromPath[str],
        node_id: FromPath[str],
    ) -> NodeTools:
        """Show what a model node of the draft may call."""
        found = await workflow_tool_settings.of_node(principal, path_id(workflow_id), node_id)
        return NodeTools.of(found)

    @get("/workflow-node-types", operation_id="admin.node_types.list")
    async def node_types(
        self,
        *,
        principal: NamedDependency[Principal],
        language: FromQuery[str | None] = None,
    ) -> NodeKindList:
        """List the kinds of nodes."""
        principal.require_token(Permission.WORKFLOW_READ)
        chosen = query_choice(language, _LANGUAGES, field="language") or "en"
        items = [NodeKind.of(each) for each in list_kinds(language=chosen)]
        return NodeKindList(items=items, total=len(items))


def path_id(value: str) -> int:
    """Read the id of a path."""
    return required_id(value, field="workflow_id")
