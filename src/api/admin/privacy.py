"""Data rights on the admin surface: somebody's data, and how long a workspace keeps things."""

from typing import Annotated

from litestar import Controller, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.response import Stream
from litestar.status_codes import HTTP_202_ACCEPTED
from msgspec import Struct

from api.admin.download import download, downloaded
from api.shape import Shape
from api.wire import required_id
from application.privacy.dto import (
    CreateDataRequest,
    DataRequestView,
    RetentionView,
    SetRetention,
)
from application.privacy.retention import RetentionService
from application.privacy.service import DataRequestService
from application.shared.page import Whole
from application.shared.projection import At
from domain.privacy.value import DataRequestKind, KeptDays, StoreCount, SubjectKind
from domain.shared.access import Principal


class DataRequestStore(Shape, of=StoreCount):
    """What was found in one place, and what became of it; `left` is what is there afterwards."""


class DataRequestItem(Shape, of=DataRequestView, without=("subject_kind", "proof")):
    """A request for somebody's data; `subject_id` is forgotten when it is over.

    Backups that were made before are not touched: whoever restores one asks again.
    """

    subject_type: Annotated[SubjectKind, At("subject_kind")]
    """`end_user` by the name that clients give, or `member` by the id of the account."""
    proof: list[DataRequestStore]
    """What was found where, and what became of it; empty until it is done."""


class DataRequestItems(Whole[DataRequestItem]):
    """Requests of a workspace, newest first; members see their own."""


class DataSubject(Struct, frozen=True, kw_only=True):
    """Whose data."""

    type: SubjectKind
    """`end_user` or `member`."""
    id: str
    """Name of the end user as clients give it, or id of the account."""


class CreateDataRequestBody(Struct, frozen=True, kw_only=True):
    """Whose data, and what is done with it."""

    kind: DataRequestKind
    """`export` makes a ZIP file, kept for a week; `delete` removes everything, for good."""
    subject: DataSubject


class RetentionItem(Shape, of=RetentionView, without=("days", "is_held")):
    """How long a workspace keeps things, in days; null: as long as the deployment does."""

    conversation_days: Annotated[int | None, At("days.conversations")]
    """Conversations, since they were last used."""
    file_days: Annotated[int | None, At("days.files")]
    """Uploaded files, except pictures of things and sources of documents."""
    log_days: Annotated[int | None, At("days.logs")]
    """Runs of workflows, and messages of channels."""
    trace_content_days: Annotated[int | None, At("days.trace_content")]
    """What was said, in traces."""
    trace_days: Annotated[int | None, At("days.traces")]
    """Whole traces."""
    legal_hold: Annotated[bool, At("is_held")]
    """Nothing is removed, neither by its age nor for somebody who asks for it."""


class RetentionBody(Struct, frozen=True, kw_only=True):
    """All that a workspace says of how long it keeps things; each 1 to 3650 days, or null."""

    conversation_days: int | None = None
    """Conversations, since they were last used."""
    file_days: int | None = None
    """Uploaded files, except pictures of things and sources of documents."""
    log_days: int | None = None
    """Runs of workflows, and messages of channels."""
    trace_content_days: int | None = None
    """What was said, in traces."""
    trace_days: int | None = None
    """Whole traces."""
    legal_hold: bool = False
    """Nothing is removed, neither by its age nor for somebody who asks for it."""


class AdminDataRequestController(Controller):
    """Requests for what is kept of somebody: to be handed over, or removed."""

    path = "/admin/v1"

    @get("/workspaces/{workspace_id:str}/data-requests", operation_id="admin.data_requests.list")
    async def list_requests(
        self,
        *,
        principal: NamedDependency[Principal],
        data_requests: NamedDependency[DataRequestService],
        workspace_id: FromPath[str],
    ) -> DataRequestItems:
        """List the newest requests of a workspace; members without the right see their own."""
        found = await data_requests.list(principal, required_id(workspace_id, field="workspace_id"))
        return DataRequestItems(items=DataRequestItem.each(found.items), total=found.total)

    @post(
        "/workspaces/{workspace_id:str}/data-requests",
        operation_id="admin.data_requests.create",
        status_code=HTTP_202_ACCEPTED,
    )
    async def create(
        self,
        *,
        data: JSONBody[CreateDataRequestBody],
        principal: NamedDependency[Principal],
        data_requests: NamedDependency[DataRequestService],
        workspace_id: FromPath[str],
    ) -> DataRequestItem:
        """Have somebody's data handed over or removed; everybody may ask for their own."""
        made = await data_requests.create(
            principal,
            CreateDataRequest(
                space_id=required_id(workspace_id, field="workspace_id"),
                kind=data.kind,
                subject_kind=data.subject.type,
                subject_id=data.subject.id,
            ),
        )
        return DataRequestItem.of(made)

    @get("/data-requests/{data_request_id:str}", operation_id="admin.data_requests.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        data_requests: NamedDependency[DataRequestService],
        data_request_id: FromPath[str],
    ) -> DataRequestItem:
        """Show how far a request is, and its proof when it is done."""
        return DataRequestItem.of(await data_requests.get(principal, _request(data_request_id)))

    @get(
        "/data-requests/{data_request_id:str}/archive",
        operation_id="admin.data_requests.get_archive",
        responses=downloaded("application/zip"),
    )
    async def archive(
        self,
        *,
        principal: NamedDependency[Principal],
        data_requests: NamedDependency[DataRequestService],
        data_request_id: FromPath[str],
    ) -> Stream:
        """Download the ZIP file of an export, for a week after it was made."""
        return download(await data_requests.archive(principal, _request(data_request_id)))


class AdminRetentionController(Controller):
    """How long workspaces keep what was said there."""

    path = "/admin/v1/workspaces/{workspace_id:str}/retention"

    @get(operation_id="admin.retention.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        retention: NamedDependency[RetentionService],
        workspace_id: FromPath[str],
    ) -> RetentionItem:
        """Return how long a workspace keeps things, and whether it must keep everything."""
        wanted = required_id(workspace_id, field="workspace_id")
        return RetentionItem.of(await retention.get(principal, wanted))

    @put(operation_id="admin.retention.set")
    async def replace(
        self,
        *,
        data: JSONBody[RetentionBody],
        principal: NamedDependency[Principal],
        retention: NamedDependency[RetentionService],
        workspace_id: FromPath[str],
    ) -> RetentionItem:
        """Replace how long a workspace keeps things; what is older is removed within an hour."""
        changed = await retention.set(
            principal,
            SetRetention(
                space_id=required_id(workspace_id, field="workspace_id"),
                days=KeptDays(
                    conversations=data.conversation_days,
                    files=data.file_days,
                    logs=data.log_days,
                    trace_content=data.trace_content_days,
                    traces=data.trace_days,
                ),
                is_held=data.legal_hold,
            ),
        )
        return RetentionItem.of(changed)


def _request(data_request_id: str) -> int:
    return required_id(data_request_id, field="data_request_id")
