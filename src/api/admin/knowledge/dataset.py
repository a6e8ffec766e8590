"""Knowledge bases on the admin surface: listing, switching, and the upkeep of their indexes."""

from typing import Annotated

import msgspec
from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_202_ACCEPTED
from msgspec import UNSET, UnsetType

from api.admin.knowledge.shape import (
    AdminCopy,
    AdminDataset,
    AdminDatasetList,
    AdminDatasetReference,
    AdminDatasetReferenceList,
    AdminDocument,
    AdminDocumentList,
    AdminRebuild,
    AdminReconciliation,
)
from api.admin.query import Paging
from api.coze.knowledge.document_request import (
    ChunkStrategyBody,
    FilterBody,
    ParsingStrategyBody,
    TableSheetBody,
    read_pages,
    read_sheet,
)
from api.wire import (
    WireId,
    optional_id,
    query_choice,
    query_integer,
    request_key,
    required_id,
)
from application.knowledge.copying import CopyService
from application.knowledge.dataset.detail import DatasetDetails
from application.knowledge.dataset.rebuild import RebuildService, RebuildView
from application.knowledge.dataset.reconcile import Reconciler
from application.knowledge.dataset.service import DatasetService
from application.knowledge.dataset.user import DatasetReferences
from application.knowledge.document.resegment import ResegmentService
from application.knowledge.dto import CreateDataset, DatasetQuery, DatasetView, EditDataset
from domain.knowledge.value import DatasetState
from domain.shared.access import Principal
from domain.shared.limits import Limits

IdempotencyKey = Annotated[str | None, HeaderParameter(name="Idempotency-Key")]


class NewBaseBody(msgspec.Struct, frozen=True, kw_only=True):
    """A knowledge base to be; ``format_type`` 0 text, 1 table, 2 image."""

    name: str
    description: str = ""
    format_type: int = 0
    icon_file_id: WireId | None = None


class PatchDatasetBody(msgspec.Struct, frozen=True, kw_only=True):
    """A merge patch; searches skip a base that is not enabled."""

    name: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    enabled: bool | UnsetType = UNSET


class ReindexBody(msgspec.Struct, frozen=True, kw_only=True):
    """``embedding_model`` names another model; an empty name means the default one."""

    embedding_model: str | None = None


class CopyBody(msgspec.Struct, frozen=True, kw_only=True):
    """Where to, by default the same workspace, and how the copy is called."""

    workspace_id: WireId | None = None
    name: str = ""


class ResegmentBody(msgspec.Struct, frozen=True, kw_only=True):
    """Documents to cut anew; a strategy that is absent stays as each document has it."""

    document_ids: list[WireId]
    chunk_strategy: ChunkStrategyBody | None = None
    parsing_strategy: ParsingStrategyBody | None = None
    filter_strategy: FilterBody | None = None
    table_sheet: TableSheetBody | None = None
    """Makes a table of its file once more; rows that were added since are gone then."""
    force: bool = False
    """Gives up what is being indexed."""


class AdminDatasetController(Controller):
    """Knowledge bases."""

    path = "/admin/v1"

    @get("/workspaces/{workspace_id:str}/datasets", operation_id="admin.datasets.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        datasets: NamedDependency[DatasetService],
        rebuilds: NamedDependency[RebuildService],
        workspace_id: FromPath[str],
        dataset_details: NamedDependency[DatasetDetails],
        format_type: FromQuery[str | None] = None,
        wanted_state: Annotated[str | None, QueryParameter(name="state")] = None,
        q: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> AdminDatasetList:
        """List knowledge bases, the youngest first; ``q`` is a part of the name."""
        state = query_choice(wanted_state, {each: each for each in DatasetState}, field="state")
        found = await datasets.page(
            principal,
            DatasetQuery(
                space_id=required_id(workspace_id, field="workspace_id"),
                name=q or "",
                format_type=query_integer(format_type, field="format_type"),
                state=DatasetState(state) if state else None,
                page=paging.number,
                size=paging.size,
            ),
        )
        views = await dataset_details.used(principal, found.items)
        latest = await rebuilds.latest(principal, [view.id for view in views])
        return AdminDatasetList(
            items=[_with(latest.get(view.id), view) for view in views],
            total=found.total,
            next_cursor=paging.next_number(found),
        )

    @post("/workspaces/{workspace_id:str}/datasets", operation_id="admin.datasets.create")
    async def create(
        self,
        *,
        data: JSONBody[NewBaseBody],
        principal: NamedDependency[Principal],
        datasets: NamedDependency[DatasetService],
        dataset_details: NamedDependency[DatasetDetails],
        limits: NamedDependency[Limits],
        workspace_id: FromPath[str],
        idempotency_key: IdempotencyKey = None,
    ) -> AdminDataset:
        """Make an empty knowledge base."""
        command = CreateDataset(
            space_id=required_id(workspace_id, field="workspace_id"),
            name=data.name,
            format_type=data.format_type,
            description=data.description,
            icon_file_id=optional_id(data.icon_file_id, field="icon_file_id"),
            idempotency_key=request_key(idempotency_key, limits=limits),
        )
        await dataset_details.check_icon(principal, command.icon_file_id)
        return _with(None, await datasets.create(principal, command))

    @get("/datasets/{dataset_id:str}", operation_id="admin.datasets.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        datasets: NamedDependency[DatasetService],
        rebuilds: NamedDependency[RebuildService],
        dataset_details: NamedDependency[DatasetDetails],
        dataset_id: FromPath[str],
    ) -> AdminDataset:
        """Show a knowledge base with the state of its index."""
        view = await datasets.get(principal, dataset_key(dataset_id))
        return await _shown(principal, view, rebuilds, dataset_details)

    @patch("/datasets/{dataset_id:str}", operation_id="admin.datasets.update")
    async def update(
        self,
        *,
        data: JSONBody[PatchDatasetBody],
        principal: NamedDependency[Principal],
        datasets: NamedDependency[DatasetService],
        rebuilds: NamedDependency[RebuildService],
        dataset_details: NamedDependency[DatasetDetails],
        dataset_id: FromPath[str],
    ) -> AdminDataset:
        """Change name and description, or whether searches see the base."""
        key = dataset_key(dataset_id)
        if data.name is not UNSET or data.description is not UNSET:
            view = await datasets.get(principal, key)
            await datasets.edit(principal, key, _edit(data, view))
        if data.enabled is not UNSET:
            await datasets.switch(principal, key, is_enabled=data.enabled)
        view = await datasets.get(principal, key)
        return await _shown(principal, view, rebuilds, dataset_details)

    @delete("/datasets/{dataset_id:str}", operation_id="admin.datasets.delete")
    async def delete(
        self,
        *,
        principal: NamedDependency[Principal],
        datasets: NamedDependency[DatasetService],
        dataset_id: FromPath[str],
    ) -> None:
        """Delete a knowledge base with all it holds."""
        await datasets.delete(principal, dataset_key(dataset_id))

    @get("/datasets/{dataset_id:str}/references", operation_id="admin.datasets.list_references")
    async def references(
        self,
        *,
        principal: NamedDependency[Principal],
        dataset_references: NamedDependency[DatasetReferences],
        dataset_id: FromPath[str],
    ) -> AdminDatasetReferenceList:
        """List the agents whose drafts search the base."""
        found = await dataset_references.agents(principal, dataset_key(dataset_id))
        items = [AdminDatasetReference(agent_id=str(one.agent_id), name=one.name) for one in found]
        return AdminDatasetReferenceList(items=items, total=len(items))

    @post(
        "/datasets/{dataset_id:str}/reindex",
        operation_id="admin.datasets.reindex",
        status_code=HTTP_202_ACCEPTED,
    )
    async def reindex(
        self,
        *,
        principal: NamedDependency[Principal],
        rebuilds: NamedDependency[RebuildService],
        dataset_id: FromPath[str],
        data: JSONBody[ReindexBody | None] = None,
    ) -> AdminRebuild:
        """Build the index anew; searches use the old one until the new one is complete."""
        model = None if data is None else data.embedding_model
        key = dataset_key(dataset_id)
        return AdminRebuild.of(await rebuilds.request(principal, key, embedding_model=model))

    @post(
        "/datasets/{dataset_id:str}/resegment",
        operation_id="admin.datasets.resegment",
        status_code=HTTP_202_ACCEPTED,
    )
    async def resegment(
        self,
        *,
        data: JSONBody[ResegmentBody],
        principal: NamedDependency[Principal],
        resegmenting: NamedDependency[ResegmentService],
        dataset_id: FromPath[str],
    ) -> AdminDocumentList:
        """Cut documents anew, all or none; what is searchable stays so until that is done."""
        views = await resegmenting.resegment(
            principal,
            dataset_key(dataset_id),
            [required_id(each, field="document_ids") for each in data.document_ids],
            chunking=data.chunk_strategy.decoded() if data.chunk_strategy else None,
            reading=data.parsing_strategy.decoded() if data.parsing_strategy else None,
            skip_pages=read_pages(data.filter_strategy),
            sheet=read_sheet(data.table_sheet),
            is_forced=data.force,
        )
        return AdminDocumentList(items=[AdminDocument.of(v) for v in views], total=len(views))

    @post(
        "/datasets/{dataset_id:str}/copy",
        operation_id="admin.datasets.copy",
        status_code=HTTP_202_ACCEPTED,
    )
    async def copy(
        self,
        *,
        data: JSONBody[CopyBody],
        principal: NamedDependency[Principal],
        copying: NamedDependency[CopyService],
        dataset_id: FromPath[str],
        idempotency_key: IdempotencyKey = None,
    ) -> AdminCopy:
        """Copy a base with its searchable documents; the same key again tells how far it is."""
        view = await copying.copy(
            principal,
            dataset_key(dataset_id),
            space_id=optional_id(data.workspace_id, field="workspace_id"),
            name=data.name,
            request_key=idempotency_key or "",
        )
        return AdminCopy.of(view)

    @post(
        "/datasets/{dataset_id:str}/reconcile",
        operation_id="admin.datasets.reconcile",
        status_code=HTTP_200_OK,
    )
    async def reconcile(
        self,
        *,
        principal: NamedDependency[Principal],
        reconciler: NamedDependency[Reconciler],
        dataset_id: FromPath[str],
    ) -> AdminReconciliation:
        """Compare the base with its stores now, and repair what differs."""
        counts = await reconciler.reconcile(principal, dataset_key(dataset_id))
        return AdminReconciliation(skipped=counts.is_skipped, findings=counts.findings)


def dataset_key(value: str) -> int:
    """Read the id of a base."""
    return required_id(value, field="dataset_id")


async def _shown(
    principal: Principal, view: DatasetView, rebuilds: RebuildService, details: DatasetDetails
) -> AdminDataset:
    (used,) = await details.used(principal, [view])
    return _with((await rebuilds.latest(principal, [view.id])).get(view.id), used)


def _edit(data: PatchDatasetBody, view: DatasetView) -> EditDataset:
    description = view.description if data.description is UNSET else data.description or ""
    return EditDataset(
        name=view.name if data.name is UNSET else data.name,
        description=description,
        icon_file_id=view.icon_file_id,
    )


def _with(rebuild: RebuildView | None, view: DatasetView) -> AdminDataset:
    return AdminDataset.of(view, rebuild=rebuild and AdminRebuild.of(rebuild))
