"""Slices of documents: what searches return, read and edited one by one."""

from collections.abc import Mapping
from typing import Final

import msgspec
from litestar import Controller, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK

from api.envelope import Envelope, done, ok
from api.shape import CozeShape
from api.wire import WireId, page, query_choice, required_id, required_text
from application.knowledge.dataset.service import DatasetService
from application.knowledge.document.service import DocumentService
from application.knowledge.document.slice_service import SliceService
from application.knowledge.dto import SliceQuery, SliceView
from application.knowledge.vocabulary import DocumentNotFound, SliceNotFound
from domain.knowledge.value import SliceStatus
from domain.shared.access import Principal

_PAGE_SIZE: Final = 10
_MAX_PAGE_SIZE: Final = 100
_STATES: Final[Mapping[str, str]] = {
    "0": "0",
    "1": "1",
    "9": "9",
    "pending": "0",
    "done": "1",
    "failed": "9",
}


class WireSlice(
    CozeShape,
    of=SliceView,
    only=(
        "id",
        "document_id",
        "dataset_id",
        "content",
        "sequence",
        "char_count",
        "hit_count",
        "status",
        "fail_reason",
        "heading_path",
        "created_at",
        "updated_at",
    ),
    rename={
        "id": "slice_id",
        "fail_reason": "status_descript",
        "created_at": "create_time",
        "updated_at": "update_time",
    },
):
    """A slice; ``status`` 0 until searches know it as it is, 1 then, 9 when they never will.

    ``sequence`` orders slices; it need not be whole. The content of a table's row is JSON.
    """


class SliceList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of slices, in order."""

    total_count: int
    slices: list[WireSlice]


class CreateSliceBody(msgspec.Struct, frozen=True, kw_only=True):
    """A slice to be; ``sequence`` is its position from 1, without one it comes last."""

    document_id: WireId | None = None
    raw_text: str | None = None
    sequence: int | None = None


class UpdateSliceBody(msgspec.Struct, frozen=True, kw_only=True):
    """What a slice is to say."""

    raw_text: str | None = None


class SliceController(Controller):
    """Slices of the documents of a knowledge base."""

    path = "/v1/datasets/{dataset_id:str}/slices"

    @get("/", operation_id="slices.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        datasets: NamedDependency[DatasetService],
        documents: NamedDependency[DocumentService],
        slices: NamedDependency[SliceService],
        dataset_id: FromPath[str],
        document_id: FromQuery[str | None] = None,
        keyword: FromQuery[str | None] = None,
        status: FromQuery[str | None] = None,
        page_num: FromQuery[str | None] = None,
        page_size: FromQuery[str | None] = None,
    ) -> Envelope[SliceList]:
        """List the slices of a document, in order."""
        wanted = page(page_num, page_size, default=_PAGE_SIZE, maximum=_MAX_PAGE_SIZE)
        state = query_choice(status, _STATES, field="status")
        document = required_id(document_id, field="document_id")
        await _require_document(principal, datasets, documents, dataset_id, document)
        found = await slices.page(
            principal,
            SliceQuery(
                document_id=document,
                keyword=keyword or "",
                status=None if state is None else SliceStatus(int(state)),
                page=wanted.number,
                size=wanted.size,
            ),
        )
        return ok(
            SliceList(total_count=found.total, slices=[WireSlice.of(each) for each in found.items])
        )

    @post("/", operation_id="slices.create", status_code=HTTP_200_OK)
    async def create(
        self,
        *,
        data: JSONBody[CreateSliceBody],
        principal: NamedDependency[Principal],
        datasets: NamedDependency[DatasetService],
        documents: NamedDependency[DocumentService],
        slices: NamedDependency[SliceService],
        dataset_id: FromPath[str],
    ) -> Envelope[WireSlice]:
        """Add a slice to a document; it is indexed by itself."""
        document = required_id(data.document_id, field="document_id")
        content = required_text(data.raw_text, field="raw_text")
        await _require_document(principal, datasets, documents, dataset_id, document)
        made = await slices.create(principal, document, content, position=data.sequence)
        return ok(WireSlice.of(made))

    @put("/{slice_id:str}", operation_id="slices.update")
    async def update(
        self,
        *,
        data: JSONBody[UpdateSliceBody],
        principal: NamedDependency[Principal],
        datasets: NamedDependency[DatasetService],
        slices: NamedDependency[SliceService],
        dataset_id: FromPath[str],
        slice_id: FromPath[str],
    ) -> Envelope[WireSlice]:
        """Replace what a slice says; until it is indexed anew its old words find it."""
        content = required_text(data.raw_text, field="raw_text")
        wanted = await _require_slice(principal, datasets, slices, dataset_id, slice_id)
        return ok(WireSlice.of(await slices.edit(principal, wanted, content)))

    @delete("/{slice_id:str}", operation_id="slices.delete", status_code=HTTP_200_OK)
    async def delete(
        self,
        *,
        principal: NamedDependency[Principal],
        datasets: NamedDependency[DatasetService],
        slices: NamedDependency[SliceService],
        dataset_id: FromPath[str],
        slice_id: FromPath[str],
    ) -> Envelope[None]:
        """Remove a slice."""
        wanted = await _require_slice(principal, datasets, slices, dataset_id, slice_id)
        await slices.delete(principal, [wanted])
        return done()


async def _require_document(
    principal: Principal,
    datasets: DatasetService,
    documents: DocumentService,
    dataset_id: str,
    document_id: int,
) -> None:
    base = await datasets.get(principal, required_id(dataset_id, field="dataset_id"))
    if (await documents.get(principal, document_id)).dataset_id != base.id:
        raise DocumentNotFound(f"No document {document_id}.", document_id=document_id)


async def _require_slice(
    principal: Principal,
    datasets: DatasetService,
    slices: SliceService,
    dataset_id: str,
    slice_id: str,
) -> int:
    wanted = required_id(slice_id, field="slice_id")
    base = await datasets.get(principal, required_id(dataset_id, field="dataset_id"))
    if (await slices.get(principal, wanted)).dataset_id != base.id:
        raise SliceNotFound(f"No slice {wanted}.", slice_id=wanted)
    return wanted
