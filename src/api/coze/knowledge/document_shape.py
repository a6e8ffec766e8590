"""Documents as the Coze clients read them: beside the code, not under ``data``."""

import msgspec

from api.coze.knowledge.shape import WireChunkStrategy
from api.envelope import Detail, current_detail
from api.shape import CozeShape
from api.wire import seconds
from application.knowledge.dto import ColumnView, DocumentView

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


class WireDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document; ``status`` 0 while it is worked on, 1 when it can be found, 9 when it failed.

    ``enabled`` false keeps a finished one out of searches.
    """

    document_id: str
    name: str
    type: str
    char_count: int
    hit_count: int
    size: int
    slice_count: int
    format_type: int
    source_type: int
    status: int
    update_type: int
    update_interval: int
    create_time: int
    update_time: int
    chunk_strategy: WireChunkStrategy
    creator_id: str
    space_id: str
    dataset_id: str
    enabled: bool
    tags: dict[str, Tag]
    web_url: str | msgspec.UnsetType = msgspec.UNSET
    status_descript: str | msgspec.UnsetType = msgspec.UNSET
    table_meta: list[WireColumn] | msgspec.UnsetType = msgspec.UNSET

    @classmethod
    def of(cls, view: DocumentView) -> "WireDocument":
        """Spell a document."""
        return cls(
            document_id=str(view.id),
            name=view.name,
            type=view.extension,
            char_count=view.char_count,
            hit_count=view.hit_count,
            size=view.size,
            slice_count=view.slice_count,
            format_type=view.format_type.value,
            source_type=view.source_type.value,
            status=view.wire_status,
            update_type=view.update_rule.type.value,
            update_interval=view.update_rule.interval_hours,
            create_time=seconds(view.created_at),
            update_time=seconds(view.updated_at),
            chunk_strategy=WireChunkStrategy.of(view.chunk_rule, view.format_type),
            creator_id=str(view.creator_id),
            space_id=str(view.space_id),
            dataset_id=str(view.dataset_id),
            enabled=view.enabled,
            tags={
                key: list(value) if isinstance(value, tuple) else value
                for key, value in view.tags.items()
            },
            web_url=view.url or msgspec.UNSET,
            status_descript=view.fail_reason or msgspec.UNSET,
            table_meta=[WireColumn.of(column) for column in view.columns] or msgspec.UNSET,
        )


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
