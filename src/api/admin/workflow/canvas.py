"""Canvases on the admin surface: load, save, import, export, check, publish, versions."""

import asyncio
from typing import Any, Final

import msgspec
from litestar import Controller, Request, Response, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.admin.query import IfMatch, Paging, revision_of
from api.admin.workflow.request import (
    CanvasOperation,
    ImportOperation,
    ImportWorkflowBody,
    OptionalCanvasOperation,
    PublishWorkflowBody,
    ReviewWorkflowsBody,
    file_text,
    json_text,
    mode_of,
)
from api.admin.workflow.shape import (
    AdminCanvas,
    AdminFindings,
    AdminFindingsList,
    AdminImportReport,
    AdminWorkflow,
    AdminWorkflowReview,
    AdminWorkflowVersion,
    AdminWorkflowVersionList,
    PublishedWorkflow,
    SavedAdminCanvas,
)
from api.admin.workflow.workflow import path_id
from api.body.shape import BodyShape
from api.wire import optional_id, required_id
from application.workflow.definition.dto import (
    NO_MAPPING,
    BroughtFile,
    ImportWorkflow,
    PublishWorkflow,
    ReviewWorkflows,
    SaveCanvas,
    WorkflowLimits,
)
from application.workflow.definition.importing import WorkflowImportService
from application.workflow.definition.publishing import WorkflowPublishingService
from application.workflow.definition.review import WorkflowReviewService
from application.workflow.definition.service import WorkflowService
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

_FORM: Final = "multipart/form-data"
_SCHEMA: Final = "schema"
_MEMBERS: Final = BodyShape(dict[str, msgspec.Raw])
_REQUEST: Final = BodyShape(ImportWorkflowBody)
"""Other fields are those of an export that says ``schema`` itself."""


class AdminCanvasController(Controller):
    """Canvases and imports."""

    path = "/admin/v1"

    @get("/workflows/{workflow_id:str}/canvas", operation_id="admin.workflows.get_canvas")
    async def canvas(
        self,
        *,
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
        workflow_id: FromPath[str],
        version: FromQuery[str | None] = None,
    ) -> AdminCanvas:
        """Show the canvas of the draft or of a version."""
        found = await workflows.canvas(principal, path_id(workflow_id), version=version or "")
        return AdminCanvas.of(found)

    @put(
        "/workflows/{workflow_id:str}/canvas",
        operation_id="admin.workflows.save_canvas",
        operation_class=CanvasOperation,
    )
    async def save(
        self,
        *,
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
        workflow_limits: NamedDependency[WorkflowLimits],
        workflow_id: FromPath[str],
        if_match: IfMatch = None,
    ) -> SavedAdminCanvas:
        """Store a canvas to the character; findings are told and never hinder saving."""
        text = await json_text(request, workflow_limits)
        command = SaveCanvas(
            workflow_id=path_id(workflow_id),
            text=_required(text),
            expected_revision=revision_of(if_match),
        )
        saved = await workflows.save_canvas(principal, command)
        return SavedAdminCanvas(
            workflow=AdminWorkflow.of(saved.workflow), findings=AdminFindings.of(saved.findings)
        )

    @get(
        "/workflows/{workflow_id:str}/export",
        operation_id="admin.workflows.export",
        media_type="application/json",
    )
    async def export(
        self,
        *,
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
        workflow_id: FromPath[str],
        version: FromQuery[str | None] = None,
    ) -> Response[bytes]:
        """Give the canvas back exactly as it came; `ETag` has the revision of a draft."""
        found = await workflows.canvas(principal, path_id(workflow_id), version=version or "")
        name = f"workflow-{found.workflow_id}{f'-{found.version}' if found.version else ''}.json"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        if not found.version:  # read with the text: what saves it may name it in `If-Match`
            headers["etag"] = f'"{found.revision}"'
        return Response(found.text.encode(), media_type="application/json", headers=headers)

    @post(
        "/workspaces/{workspace_id:str}/workflows:import",
        operation_id="admin.workflows.import_canvas",
        operation_class=ImportOperation,
    )
    async def bring(
        self,
        *,
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        workflow_imports: NamedDependency[WorkflowImportService],
        limits: NamedDependency[Limits],
        workflow_limits: NamedDependency[WorkflowLimits],
        workspace_id: FromPath[str],
    ) -> AdminImportReport:
        """Import an export of Coze Studio or FastGPT: as JSON, or as the file of a form."""
        space_id = required_id(workspace_id, field="workspace_id")
        if request.headers.get("content-type", "").lower().startswith(_FORM):
            text, name = await file_text(request, limits=limits, workflow_limits=workflow_limits)
            command = ImportWorkflow(
                space_id=space_id, text=text, fallback_name=name.rpartition(".")[0] or name
            )
        else:
            text = _required(await json_text(request, workflow_limits))
            command = await asyncio.to_thread(_import, space_id, text)
        return AdminImportReport.of(await workflow_imports.bring(principal, command))

    @post(
        "/workspaces/{workspace_id:str}/workflows:review",
        operation_id="admin.workflows.review",
        status_code=HTTP_200_OK,
    )
    async def review(
        self,
        *,
        data: JSONBody[ReviewWorkflowsBody],
        principal: NamedDependency[Principal],
        workflow_reviews: NamedDependency[WorkflowReviewService],
        workspace_id: FromPath[str],
    ) -> AdminWorkflowReview:
        """Show what exports would become, one of which may call another; nothing is stored."""
        command = ReviewWorkflows(
            space_id=required_id(workspace_id, field="workspace_id"),
            files=tuple(BroughtFile(name=each.name, text=each.text) for each in data.canvases),
            app_id=optional_id(data.app_id, field="app_id") or 0,
            mapping=data.mapping or NO_MAPPING,
        )
        return AdminWorkflowReview.of(await workflow_reviews.look(principal, command))

    @post(
        "/workflows/{workflow_id:str}/validate",
        operation_id="admin.workflows.validate",
        operation_class=OptionalCanvasOperation,
        status_code=HTTP_200_OK,
    )
    async def validate(
        self,
        *,
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        workflow_publishing: NamedDependency[WorkflowPublishingService],
        workflow_limits: NamedDependency[WorkflowLimits],
        workflow_id: FromPath[str],
    ) -> AdminFindingsList:
        """Check the draft, or the canvas in the body, and every workflow called from there."""
        text = await json_text(request, workflow_limits)
        found = await workflow_publishing.validate(
            principal, path_id(workflow_id), text=None if _is_empty(text) else text
        )
        items = [AdminFindings.of(each) for each in found]
        return AdminFindingsList(items=items, total=len(items))

    @post(
        "/workflows/{workflow_id:str}/publish",
        operation_id="admin.workflows.publish",
        status_code=HTTP_200_OK,
    )
    async def publish(
        self,
        *,
        data: JSONBody[PublishWorkflowBody],
        principal: NamedDependency[Principal],
        workflow_publishing: NamedDependency[WorkflowPublishingService],
        workflow_id: FromPath[str],
    ) -> PublishedWorkflow:
        """Freeze the draft as a version."""
        workflow, version = await workflow_publishing.publish(
            principal,
            PublishWorkflow(
                workflow_id=path_id(workflow_id),
                version=data.version or "",
                description=data.description or "",
                is_forced=data.force,
                commit_id=data.commit_id or "",
            ),
        )
        return PublishedWorkflow(
            workflow=AdminWorkflow.of(workflow), version=AdminWorkflowVersion.of(version)
        )

    @get("/workflows/{workflow_id:str}/versions", operation_id="admin.workflows.list_versions")
    async def versions(
        self,
        *,
        principal: NamedDependency[Principal],
        workflow_publishing: NamedDependency[WorkflowPublishingService],
        workflow_id: FromPath[str],
        paging: NamedDependency[Paging],
    ) -> AdminWorkflowVersionList:
        """List versions, newest first."""
        found = await workflow_publishing.versions(
            principal, path_id(workflow_id), offset=paging.offset, limit=paging.size
        )
        return AdminWorkflowVersionList(
            items=[AdminWorkflowVersion.of(each) for each in found.items],
            total=found.total,
            next_cursor=paging.next_offset(found),
        )

    @post(
        "/workflows/{workflow_id:str}/versions/{version_label:str}/restore",
        operation_id="admin.workflows.restore_version",
        status_code=HTTP_200_OK,
    )
    async def restore(
        self,
        *,
        principal: NamedDependency[Principal],
        workflow_publishing: NamedDependency[WorkflowPublishingService],
        workflow_id: FromPath[str],
        version_label: FromPath[str],
    ) -> AdminWorkflow:
        """Make the canvas of a version the draft."""
        restored = await workflow_publishing.restore(principal, path_id(workflow_id), version_label)
        return AdminWorkflow.of(restored)


def _required(text: str) -> str:
    if not text:
        raise InvalidRequest("schema: a canvas is required.", field=_SCHEMA)
    return text


def _is_empty(text: str) -> bool:
    """Tell whether a body says nothing: none, null, or an object without members."""
    said = text.strip()
    return said in {"", "null"} or (said[:1] + said[-1:] == "{}" and not said[1:-1].strip())


def _import(space_id: int, text: str) -> ImportWorkflow:
    """Read what the request says beside the canvas; a bare export says nothing of that kind."""
    is_request = _SCHEMA in _MEMBERS.decode(text.encode())
    body = _REQUEST.decode(text.encode()) if is_request else None
    if body is None:
        return ImportWorkflow(space_id=space_id, text=text)
    return ImportWorkflow(
        space_id=space_id,
        text=text,
        name=body.name or "",
        description=body.description or "",
        icon_file_id=optional_id(body.icon_file_id, field="icon_file_id"),
        mode=None if body.mode is None else mode_of(body.mode),
        app_id=optional_id(body.app_id, field="app_id") or 0,
        mapping=body.mapping or NO_MAPPING,
    )
