"""Documents as the Coze clients read them: beside the code, not under ``data``."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from api.coze.knowledge.shape import WireChunkStrategy
from api.envelope import Detail, current_detail
from api.shape import CozeShape, or_unset
from application.knowledge.dto import ColumnView, DocumentView
from application.shared.projection import After, At, By
from domain.knowledge.value import Tags

Tag = str | bool | int | float | list[str]


class WireColumn(
    CozeShape,
    of=ColumnView,
    only=("id", "name", "type", "is_semantic", "sequence", "description"),
    rename={"name": "column_name", "type": "column_type", "description": "desc"},
):
    """A column: type 1 text, 2 number, 3 date, 4 float, 5 boolean, 6 image.

    Rows are found by the columns that are ``is_semantic``.
    """


def spelled_strategy(view: DocumentView) -> WireChunkStrategy:
    """Spell how a document is cut."""
    return WireChunkStrategy.of(view.chunk_rule, view.format_type)


def spelled_tags(tags: Tags) -> dict[str, Tag]:
    """Spell tags by name."""
    return {key: list(each) if isinstance(each, tuple) else each for key, each in tags.items()}


def _schema(columns: Sequence[ColumnView]) -> list[WireColumn] | UnsetType:
    return WireColumn.each(columns) or UNSET


class WireDocument(
    CozeShape,
    of=DocumentView,
    only=(
        "id",
        "name",
        "extension",
        "char_count",
        "hit_count",
        "size",
        "slice_count",
        "format_type",
        "source_type",
        "wire_status",
        "created_at",
        "updated_at",
        "creator_id",
        "space_id",
        "dataset_id",
        "enabled",
    ),
    rename={
        "id": "document_id",
        "extension": "type",
        "wire_status": "status",
        "created_at": "create_time",
        "updated_at": "update_time",
    },
):
    """A document; ``status`` 0 while it is worked on, 1 when it can be found, 9 when it failed.

    ``enabled`` false keeps a finished one out of searches.
    """

    update_type: Annotated[int, At("update_rule.type"), After("wire_status")]
    update_interval: Annotated[int, At("update_rule.interval_hours"), After("update_type")]
    chunk_strategy: Annotated[WireChunkStrategy, At(""), By(spelled_strategy), After("updated_at")]
    tags: Annotated[dict[str, Tag], By(spelled_tags)]
    web_url: Annotated[str | UnsetType, At("url"), By(or_unset)] = UNSET
    status_descript: Annotated[str | UnsetType, At("fail_reason"), By(or_unset)] = UNSET
    table_meta: Annotated[list[WireColumn] | UnsetType, At("columns"), By(_schema)] = UNSET


class CreatedDocuments(msgspec.Struct, frozen=True, kw_only=True):
    """Documents that were taken in, one for each of the request, in its order."""

    code: int = 0
    msg: str = ""
    document_infos: list[WireDocument]
    detail: Detail = msgspec.field(default_factory=current_detail)


class DocumentList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of documents."""

    code: int = 0
    msg: str = ""
    document_infos: list[WireDocument]
    total: int
    detail: Detail = msgspec.field(default_factory=current_detail)
