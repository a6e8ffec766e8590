"""Knowledge bases and the progress of documents as the Coze clients read them.

The clients check statuses and formats strictly and take no null for a field they know.
"""

from typing import Final

import msgspec

from api.wire import seconds
from application.knowledge.dto import DatasetPage, DatasetView, ProgressView
from application.knowledge.vocabulary import (
    ChunkRule,
    ChunkType,
    DatasetStatus,
    FormatType,
)

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


class WireDataset(msgspec.Struct, frozen=True, kw_only=True):
    """A knowledge base; of its documents' names, the first hundred."""

    dataset_id: str
    name: str
    description: str
    space_id: str
    status: int
    format_type: int
    can_edit: bool
    icon_url: str
    icon_uri: str
    doc_count: int
    file_list: list[str]
    hit_count: int
    bot_used_count: int
    slice_count: int
    all_file_size: str
    """Bytes, in decimal: the Go and Java clients declare a text, the others take both."""
    chunk_strategy: WireChunkStrategy
    failed_file_list: list[str]
    processing_file_list: list[str]
    processing_file_id_list: list[str]
    avatar_url: str = ""
    creator_id: str
    creator_name: str
    create_time: int
    update_time: int

    @classmethod
    def of(cls, view: DatasetView) -> "WireDataset":
        """Spell a base."""
        is_disabled = view.status is DatasetStatus.DISABLED
        return cls(
            dataset_id=str(view.id),
            name=view.name,
            description=view.description,
            space_id=str(view.space_id),
            status=_DISABLED if is_disabled else _ENABLED,
            format_type=view.format_type.value,
            can_edit=view.can_edit,
            icon_url=view.icon_url,
            icon_uri="" if view.icon_file_id is None else str(view.icon_file_id),
            doc_count=view.doc_count,
            file_list=list(view.file_list),
            hit_count=view.hit_count,
            bot_used_count=view.agent_count,
            slice_count=view.slice_count,
            all_file_size=str(view.all_file_size),
            chunk_strategy=WireChunkStrategy.of(view.chunk_rule, view.format_type),
            failed_file_list=list(view.failed_file_list),
            processing_file_list=list(view.processing_file_list),
            processing_file_id_list=[str(number) for number in view.processing_file_ids],
            creator_id=str(view.creator_id),
            creator_name=view.creator_name,
            create_time=seconds(view.created_at),
            update_time=seconds(view.updated_at),
        )


class DatasetList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of knowledge bases."""

    total_count: int
    dataset_list: list[WireDataset]

    @classmethod
    def of(cls, page: DatasetPage) -> "DatasetList":
        """Spell a page."""
        return cls(total_count=page.total, dataset_list=list(map(WireDataset.of, page.items)))


class DatasetReference(msgspec.Struct, frozen=True):
    """A new knowledge base."""

    dataset_id: str


class WireProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a document is: ``status`` 0 while it is worked on, 1 when done, 9 when failed."""

    document_id: str
    document_name: str
    url: str
    size: int
    type: str
    status: int
    progress: int
    update_type: int
    update_interval: int
    remaining_time: int
    status_descript: str

    @classmethod
    def of(cls, view: ProgressView) -> "WireProgress":
        """Spell the progress of a document."""
        document = view.document
        return cls(
            document_id=str(document.id),
            document_name=document.name,
            url=document.url,
            size=document.size,
            type=document.extension,
            status=document.wire_status,
            progress=view.percent,
            update_type=document.update_rule.type.value,
            update_interval=document.update_rule.interval_hours,
            remaining_time=view.remaining_s,
            status_descript=document.fail_reason,
        )


class ProgressList(msgspec.Struct, frozen=True):
    """Progress of documents; the clients look for a list inside ``data`` of ``data``."""

    data: list[WireProgress]
