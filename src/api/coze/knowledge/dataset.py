"""Knowledge bases on the Coze surface."""

from collections.abc import Mapping
from typing import Annotated, Final

import msgspec
from litestar import Controller, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.coze.knowledge.shape import DatasetList, DatasetReference, ProgressList, WireProgress
from api.envelope import Envelope, done, ok
from api.wire import (
    WireId,
    bounded_text,
    optional_id,
    page,
    query_choice,
    required_id,
    required_text,
)
from application.knowledge.dataset.detail import DatasetDetails
from application.knowledge.dataset.service import DatasetService
from application.knowledge.document.service import DocumentService
from application.knowledge.dto import CreateDataset, DatasetQuery, EditDataset
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

_PAGE_SIZE: Final = 10  # as at Coze
_MAX_PAGE_SIZE: Final = 300
_MAX_WATCHED: Final = 300
_FORMATS: Final[Mapping[str, str]] = {
    "0": "0",
    "1": "1",
    "2": "2",
    "document": "0",
    "spreadsheet": "1",
    "image": "2",
}


class CreateDatasetBody(msgspec.Struct, frozen=True, kw_only=True):
    """A knowledge base to be; ``format_type`` 0 text, 1 table, 2 image; ``file_id`` an icon."""

    name: str | None = None
    space_id: WireId | None = None
    format_type: int | None = None
    description: str | None = None
    file_id: WireId | None = None


class UpdateDatasetBody(msgspec.Struct, frozen=True, kw_only=True):
    """Replaces name, description and icon; what is absent goes back to its default."""

    name: str | None = None
    description: str | None = None
    file_id: WireId | None = None


class ProcessBody(msgspec.Struct, frozen=True, kw_only=True):
    """Documents to look at."""

    document_ids: list[WireId] | None = None


class DatasetController(Controller):
    """Knowledge bases."""

    path = "/v1/datasets"

    @post("/", operation_id="datasets.create", status_code=HTTP_200_OK)
    async def create(
        self,
        *,
        data: JSONBody[CreateDatasetBody],
        principal: NamedDependency[Principal],
        datasets: NamedDependency[DatasetService],
        dataset_details: NamedDependency[DatasetDetails],
        limits: NamedDependency[Limits],
        idempotency_key: Annotated[str | None, HeaderParameter(name="Idempotency-Key")] = None,
    ) -> Envelope[DatasetReference]:
        """Make an empty knowledge base."""
        if data.format_type is None:
            raise InvalidRequest("format_type: this field is required.", field="format_type")
        command = CreateDataset(
            space_id=required_id(data.space_id, field="space_id"),
            name=required_text(data.name, field="name"),
            format_type=data.format_type,
            description=data.description or "",
            icon_file_id=optional_id(data.file_id, field="file_id"),
            idempotency_key=bounded_text(
                idempotency_key, field="Idempotency-Key", max_chars=limits.idempotency_key_chars
            ),
        )
        await dataset_details.check_icon(principal, command.icon_file_id)
        view = await datasets.create(principal, command)
        return ok(DatasetReference(dataset_id=str(view.id)))

    @get("/", operation_id="datasets.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        datasets: NamedDependency[DatasetService],
        dataset_details: NamedDependency[DatasetDetails],
        space_id: FromQuery[str | None] = None,
        name: FromQuery[str | None] = None,
        format_type: FromQuery[str | None] = None,
        page_num: FromQuery[str | None] = None,
        page_size: FromQuery[str | None] = None,
    ) -> Envelope[DatasetList]:
        """List the knowledge bases of a workspace, the youngest first."""
        wanted = page(page_num, page_size, default=_PAGE_SIZE, maximum=_MAX_PAGE_SIZE)
        chosen = query_choice(format_type, _FORMATS, field="format_type")
        query = DatasetQuery(
            space_id=required_id(space_id, field="space_id"),
            name=name or "",
            format_type=None if chosen is None else int(chosen),
            page=wanted.number,
            size=wanted.size,
        )
        found = await datasets.page(principal, query)
        return ok(DatasetList.of(await dataset_details.complete(principal, found)))

    @put("/{dataset_id:str}", operation_id="datasets.update")
    async def update(
        self,
        *,
        data: JSONBody[UpdateDatasetBody],
        principal: NamedDependency[Principal],
        datasets: NamedDependency[DatasetService],
        dataset_details: NamedDependency[DatasetDetails],
        dataset_id: FromPath[str],
    ) -> Envelope[None]:
        """Replace name, description and icon of a knowledge base."""
        command = EditDataset(
            name=required_text(data.name, field="name"),
            description=data.description or "",
            icon_file_id=optional_id(data.file_id, field="file_id"),
        )
        await dataset_details.check_icon(principal, command.icon_file_id)
        await datasets.edit(principal, required_id(dataset_id, field="dataset_id"), command)
        return done()

    @delete("/{dataset_id:str}", operation_id="datasets.delete", status_code=HTTP_200_OK)
    async def delete(
        self,
        *,
        principal: NamedDependency[Principal],
        datasets: NamedDependency[DatasetService],
        dataset_id: FromPath[str],
    ) -> Envelope[None]:
        """Delete a knowledge base with all it holds."""
        await datasets.delete(principal, required_id(dataset_id, field="dataset_id"))
        return done()

    @post(
        "/{dataset_id:str}/process", operation_id="datasets.get_progress", status_code=HTTP_200_OK
    )
    async def process(
        self,
        *,
        data: JSONBody[ProcessBody],
        principal: NamedDependency[Principal],
        documents: NamedDependency[DocumentService],
        dataset_id: FromPath[str],
    ) -> Envelope[ProgressList]:
        """Tell how far documents are; those that do not exist are left out."""
        wanted = data.document_ids or []
        if not 1 <= len(wanted) <= _MAX_WATCHED:
            raise InvalidRequest(
                f"document_ids: expected 1 to {_MAX_WATCHED} ids.", field="document_ids"
            )
        found = await documents.progress(
            principal,
            required_id(dataset_id, field="dataset_id"),
            [required_id(each, field="document_ids") for each in wanted],
        )
        return ok(ProgressList(data=[WireProgress.of(each) for each in found]))
