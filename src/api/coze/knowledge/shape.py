"""Knowledge bases and the progress of documents as the Coze clients read them.

The clients check statuses and formats strictly and take no null for a field they know.
"""

from typing import Annotated, Final

import msgspec

from api.shape import CozeShape, IdOrEmpty
from application.knowledge.dto import DatasetPage, DatasetView, ProgressView
from application.shared.projection import After, At, By
from domain.knowledge.value import ChunkRule, ChunkType, DatasetStatus, FormatType

_ENABLED: Final = 1
_DISABLED: Final = 3


class WireChunkStrategy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How documents are cut; only what matters for the type."""

    chunk_type: int | msgspec.UnsetType = msgspec.UNSET
    separator: str | msgspec.UnsetType = msgspec.UNSET
    max_tokens: int | msgspec.UnsetType = msgspec.UNSET
    remove_extra_spaces: bool | msgspec.UnsetType = msgspec.UNSET
    remove_urls_emails: bool | msgspec.UnsetType = msgspec.UNSET
    overlap: int | msgspec.UnsetType = msgspec.UNSET
    max_level: int | msgspec.UnsetType = msgspec.UNSET
    save_title: bool | msgspec.UnsetType = msgspec.UNSET
    caption_type: int | msgspec.UnsetType = msgspec.UNSET

    @classmethod
    def of(cls, rule: ChunkRule, format_type: FormatType) -> "WireChunkStrategy":
        """Spell a rule."""
        if format_type is FormatType.IMAGE:
            return cls(chunk_type=rule.chunk_type.value, caption_type=rule.caption_type.value)
        match rule.chunk_type:
            case ChunkType.CUSTOM:
                return cls(
                    chunk_type=rule.chunk_type.value,
                    separator=rule.separator,
                    max_tokens=rule.max_tokens,
                    remove_extra_spaces=rule.remove_extra_spaces,
                    remove_urls_emails=rule.remove_urls_emails,
                    overlap=rule.overlap,
                )
            case ChunkType.LEVEL:
                return cls(
                    chunk_type=rule.chunk_type.value,
                    max_level=rule.max_level,
                    save_title=rule.save_title,
                )
            case ChunkType.AUTOMATIC:
                return cls(chunk_type=rule.chunk_type.value)


def _chunk_strategy(chunking: tuple[ChunkRule, FormatType]) -> WireChunkStrategy:
    return WireChunkStrategy.of(*chunking)


def _enabled(status: DatasetStatus) -> int:
    return _DISABLED if status is DatasetStatus.DISABLED else _ENABLED


class WireDataset(
    CozeShape,
    of=DatasetView,
    only=(
        "id",
        "name",
        "description",
        "space_id",
        "status",
        "format_type",
        "can_edit",
        "icon_url",
        "icon_file_id",
        "doc_count",
        "file_list",
        "hit_count",
        "agent_count",
        "slice_count",
        "all_file_size",
        "failed_file_list",
        "processing_file_list",
        "processing_file_ids",
        "creator_id",
        "creator_name",
        "created_at",
        "updated_at",
    ),
    rename={
        "id": "dataset_id",
        "icon_file_id": "icon_uri",
        "agent_count": "bot_used_count",
        "processing_file_ids": "processing_file_id_list",
        "created_at": "create_time",
        "updated_at": "update_time",
    },
):
    """A knowledge base; of its documents' names, the first hundred.

    Its size is a text in decimal: the Go and Java clients declare one, the others take both.
    """

    status: Annotated[int, By(_enabled)]
    icon_file_id: IdOrEmpty
    all_file_size: Annotated[str, By(str)]
    chunk_strategy: Annotated[
        WireChunkStrategy, At("chunking"), By(_chunk_strategy), After("all_file_size")
    ]
    avatar_url: Annotated[str, After("processing_file_ids")] = ""


class DatasetList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of knowledge bases."""

    total_count: int
    dataset_list: list[WireDataset]

    @classmethod
    def of(cls, page: DatasetPage) -> "DatasetList":
        """Spell a page."""
        return cls(total_count=page.total, dataset_list=WireDataset.each(page.items))


class DatasetReference(msgspec.Struct, frozen=True):
    """A new knowledge base."""

    dataset_id: str


class WireProgress(CozeShape, of=ProgressView, only=()):
    """How far a document is: ``status`` 0 while it is worked on, 1 when done, 9 when failed."""

    document_id: Annotated[str, At("document.id")]
    document_name: Annotated[str, At("document.name")]
    url: Annotated[str, At("document.url")]
    size: Annotated[int, At("document.size")]
    type: Annotated[str, At("document.extension")]
    status: Annotated[int, At("document.wire_status")]
    progress: Annotated[int, At("percent")]
    update_type: Annotated[int, At("document.update_rule.type")]
    update_interval: Annotated[int, At("document.update_rule.interval_hours")]
    remaining_time: Annotated[int, At("remaining_s")]
    status_descript: Annotated[str, At("document.fail_reason")]


class ProgressList(msgspec.Struct, frozen=True):
    """Progress of documents; the clients look for a list inside ``data`` of ``data``."""

    data: list[WireProgress]
