"""The knowledge base: what documents are collected in."""

from dataclasses import dataclass
from datetime import datetime

from domain.knowledge.error import DatasetNotFound, KnowledgeInvalid
from domain.knowledge.event import ChangeKind, DataDeleted, KnowledgeChanged
from domain.knowledge.value import (
    DEFAULT_CHUNKING,
    MAX_DESCRIPTION_CHARS,
    MAX_NAME_CHARS,
    ChunkRule,
    DatasetId,
    DatasetStatus,
    FormatType,
)
from domain.shared.aggregate import Aggregate
from domain.shared.ids import FileId, SpaceId, UserId


@dataclass(kw_only=True, eq=False)
class Dataset(Aggregate):
    """One knowledge base; its format never changes, what it holds is counted from documents.

    ``embedding_dimensions`` is 0 until the first slice was embedded; from then on model and size
    are fixed for the index.
    """

    id: DatasetId
    space_id: SpaceId
    creator_id: UserId
    name: str
    description: str = ""
    icon_file_id: FileId | None = None
    format_type: FormatType
    status: DatasetStatus = DatasetStatus.READY
    embedding_model: str = ""
    embedding_dimensions: int = 0
    analyzer_version: str
    index_version: int = 1
    chunk_rule: ChunkRule = DEFAULT_CHUNKING
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None

    @classmethod
    def create(
        cls,
        dataset_id: DatasetId,
        space_id: SpaceId,
        *,
        creator_id: UserId,
        name: str,
        description: str,
        format_type: FormatType,
        analyzer_version: str,
        icon_file_id: FileId | None = None,
        now: datetime,
    ) -> "Dataset":
        """Make an empty base; raise ``KnowledgeInvalid``."""
        dataset = cls(
            id=dataset_id,
            space_id=space_id,
            creator_id=creator_id,
            name=_checked_name(name),
            description=_checked_description(description),
            icon_file_id=icon_file_id,
            format_type=format_type,
            analyzer_version=analyzer_version,
            created_at=now,
            updated_at=now,
        )
        dataset._tell(ChangeKind.CREATED, now=now, actor_id=creator_id)
        return dataset

    @property
    def is_searchable(self) -> bool:
        """A disabled base is skipped by searches; its documents keep their own state."""
        return self.status is DatasetStatus.READY

    @property
    def collection(self) -> str:
        """Name of its collection in the search stores."""
        suffix = "" if self.index_version == 1 else f"_v{self.index_version:d}"
        return f"kb_{self.id:d}{suffix}"

    def edit(
        self,
        *,
        name: str,
        description: str,
        icon_file_id: FileId | None,
        now: datetime,
        actor_id: UserId,
    ) -> None:
        """Replace what people read; raise ``KnowledgeInvalid``."""
        self.name = _checked_name(name)
        self.description = _checked_description(description)
        self.icon_file_id = icon_file_id
        self.updated_at = now
        self._tell(ChangeKind.UPDATED, now=now, actor_id=actor_id)

    def switch(self, *, is_enabled: bool, now: datetime, actor_id: UserId) -> None:
        """Let searches see the base, or not."""
        wanted = DatasetStatus.READY if is_enabled else DatasetStatus.DISABLED
        if self.status is not wanted:
            self.status = wanted
            self.updated_at = now
            self._tell(ChangeKind.UPDATED, now=now, actor_id=actor_id)

    def fix_embedding(self, *, model: str, dimensions: int) -> None:
        """Remember what the index was made with, the first time; later calls change nothing."""
        if not self.embedding_dimensions:
            self.embedding_model = model
            self.embedding_dimensions = dimensions

    def delete(self, *, now: datetime, actor_id: UserId) -> None:
        """Make the base unreachable; its data goes later."""
        if self.status is DatasetStatus.DELETED:
            raise DatasetNotFound(f"No knowledge base {self.id}.", dataset_id=self.id)
        self.status = DatasetStatus.DELETED
        self.deleted_at = self.updated_at = now
        self._tell(ChangeKind.DELETED, now=now, actor_id=actor_id)
        self.record(
            DataDeleted(
                occurred_at=now, space_id=self.space_id, aggregate_id=self.id, actor_id=actor_id
            )
        )

    def _tell(self, change: ChangeKind, *, now: datetime, actor_id: UserId) -> None:
        self.record(
            KnowledgeChanged(
                occurred_at=now,
                space_id=self.space_id,
                aggregate_id=self.id,
                actor_id=actor_id,
                change=change,
            )
        )


def _checked_name(name: str) -> str:
    name = name.strip()
    if not 0 < len(name) <= MAX_NAME_CHARS:
        raise KnowledgeInvalid(f"name: expected 1 to {MAX_NAME_CHARS} characters.", field="name")
    return name


def _checked_description(text: str) -> str:
    if len(text) > MAX_DESCRIPTION_CHARS:
        raise KnowledgeInvalid(
            f"description: expected up to {MAX_DESCRIPTION_CHARS} characters.", field="description"
        )
    return text
