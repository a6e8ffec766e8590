"""Workflows on the Coze surface: list, describe, versions."""

from datetime import datetime
from typing import Annotated, Any, Final

import msgspec
from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from api.envelope import Envelope, ok
from api.shape import CozeShape, IdOrEmpty
from api.wire import optional_id, page, query_choice, query_integer, required_id, seconds
from application.shared.projection import At, By
from application.workflow.definition.dto import (
    ChatflowRole,
    Creator,
    ListWorkflows,
    WorkflowMode,
    WorkflowState,
    WorkflowVersionView,
    WorkflowView,
)
from application.workflow.definition.publishing import WorkflowPublishingService
from application.workflow.definition.service import WorkflowService
from domain.shared.access import CONNECTOR_API, Principal
from domain.shared.error import InvalidRequest

_STATES: Final = {
    "all": "all",
    "published_online": "published_online",
    "published_draft": "published_online",
    "unpublished_draft": "unpublished_draft",
}
_MODES: Final = {"workflow": "0", "chatflow": "3"}
_PAGE_SIZE: Final = 100  # as at Coze
_VERSION_PAGE_SIZE: Final = 10
_VERSION_PAGE_SIZE_MAX: Final = 30
_SUGGEST_MODES: Final = {"default": 0, "custom": 1, "off": 2}


class WorkflowCreator(CozeShape, of=Creator):
    """Who made a workflow or a version."""


class WireWorkflow(
    CozeShape,
    of=WorkflowView,
    only=(
        "id",
        "name",
        "description",
        "icon_url",
        "app_id",
        "created_at",
        "updated_at",
        "creator",
    ),
    rename={"id": "workflow_id", "name": "workflow_name"},
):
    """A workflow as the Coze clients know it; ``app_id`` is empty for the library."""

    app_id: IdOrEmpty
    creator: WorkflowCreator


class WireWorkflowList(msgspec.Struct, frozen=True):
    """A page of workflows."""

    items: list[WireWorkflow]
    has_more: bool


class WireRole(msgspec.Struct, frozen=True, kw_only=True):
    """The role of a chat flow."""

    id: str
    workflow_id: str
    connector_id: str
    name: str
    description: str
    avatar: dict[str, str]
    onboarding_info: dict[str, Any]
    suggest_reply_info: dict[str, Any]
    background_image_info: dict[str, Any]
    audio_config: dict[str, Any]
    user_input_config: dict[str, Any]

    @classmethod
    def of(cls, workflow_id: str, role: ChatflowRole, avatar_url: str) -> "WireRole":
        onboarding, suggestions = role.onboarding, role.suggestions
        return cls(
            id=workflow_id,
            workflow_id=workflow_id,
            connector_id=str(CONNECTOR_API),
            name=role.name,
            description=role.description,
            avatar={"image_uri": str(role.avatar_file_id or ""), "image_url": avatar_url},
            onboarding_info={
                "prologue": onboarding.prologue,
                "suggested_questions": list(onboarding.suggested_questions),
                "display_all_suggestions": onboarding.shows_all_suggestions,
            },
            suggest_reply_info={
                "suggest_reply_mode": _SUGGEST_MODES[suggestions.mode],
                "customized_suggest_prompt": suggestions.prompt,
            },
            background_image_info=role.background,
            audio_config=role.audio,
            user_input_config=role.user_input,
        )


class WireWorkflowDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A workflow in full; chat flows have a role."""

    workflow_detail: WireWorkflow
    role: WireRole | msgspec.UnsetType = msgspec.UNSET


def _text(instant: datetime) -> str:
    return str(seconds(instant))


class WireWorkflowVersion(
    CozeShape, of=WorkflowVersionView, only=("version", "description", "workflow_id")
):
    """One version; its times are texts."""

    created_at: Annotated[str, By(_text)]
    updated_at: Annotated[str, At("created_at"), By(_text)]
    creator: WorkflowCreator


class WireWorkflowVersionList(msgspec.Struct, frozen=True):
    """A page of versions; the token of the next page is empty on the last one."""

    items: list[WireWorkflowVersion]
    has_more: bool
    next_page_token: str


class WorkflowController(Controller):
    """Workflows that a caller may run."""

    path = "/v1/workflows"

    @get("/", operation_id="workflows.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
        workspace_id: FromQuery[str | None] = None,
        workflow_mode: FromQuery[str | None] = None,
        app_id: FromQuery[str | None] = None,
        publish_status: FromQuery[str | None] = None,
        page_num: FromQuery[str | None] = None,
        page_size: FromQuery[str | None] = None,
    ) -> Envelope[WireWorkflowList]:
        """List published workflows, of one workspace or of all of the caller's."""
        where = page(page_num, page_size, default=_PAGE_SIZE, maximum=_PAGE_SIZE)
        mode = query_choice(workflow_mode, _MODES, field="workflow_mode")
        state = query_choice(publish_status, _STATES, field="publish_status")
        found = await workflows.list(
            principal,
            ListWorkflows(
                space_id=optional_id(workspace_id, field="workspace_id"),
                limit=where.size,
                offset=where.offset,
                state=WorkflowState(state or WorkflowState.PUBLISHED),
                mode=None if mode is None else WorkflowMode(int(mode)),
                app_id=optional_id(app_id, field="app_id"),
            ),
        )
        return ok(WireWorkflowList([WireWorkflow.of(each) for each in found.items], found.has_more))

    @get("/{workflow_id:str}", operation_id="workflows.get")
    async def retrieve(
        self,
        *,
        principal: NamedDependency[Principal],
        workflows: NamedDependency[WorkflowService],
        workflow_id: FromPath[str],
    ) -> Envelope[WireWorkflowDetail]:
        """Describe a workflow."""
        wanted = required_id(workflow_id, field="workflow_id")
        view = await workflows.get(principal, wanted)
        detail = WireWorkflowDetail(workflow_detail=WireWorkflow.of(view))
        if view.mode is WorkflowMode.CHATFLOW:
            role, avatar_url = await workflows.role(principal, wanted)
            shown = WireRole.of(str(wanted), role, avatar_url)
            detail = msgspec.structs.replace(detail, role=shown)
        return ok(detail)

    @get("/{workflow_id:str}/versions", operation_id="workflows.list_versions")
    async def versions(
        self,
        *,
        principal: NamedDependency[Principal],
        workflow_publishing: NamedDependency[WorkflowPublishingService],
        workflow_id: FromPath[str],
        page_token: FromQuery[str | None] = None,
        page_size: FromQuery[str | None] = None,
        publish_status: FromQuery[str | None] = None,
    ) -> Envelope[WireWorkflowVersionList]:
        """List versions, newest first; all of them are published."""
        query_choice(publish_status, _STATES, field="publish_status")
        where = page(1, page_size, default=_VERSION_PAGE_SIZE, maximum=_VERSION_PAGE_SIZE_MAX)
        offset = query_integer(page_token, field="page_token") or 0
        if offset < 0:
            raise InvalidRequest("page_token: take it from the page before.", field="page_token")
        found = await workflow_publishing.versions(
            principal,
            required_id(workflow_id, field="workflow_id"),
            offset=offset,
            limit=where.size,
        )
        seen = offset + len(found.items)
        has_more = bool(found.items) and seen < found.total
        items = [WireWorkflowVersion.of(each) for each in found.items]
        return ok(WireWorkflowVersionList(items, has_more, str(seen) if has_more else ""))
