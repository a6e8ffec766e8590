"""The knowledge base: what documents are collected in."""

from dataclasses import dataclass
from datetime import datetime

from domain.knowledge.error import DatasetNotFound, KnowledgeInvalid, RebuildRefused, WorkLost
from domain.knowledge.event import ChangeKind, DataDeleted, KnowledgeChanged
from domain.knowledge.ranking.score import LearntScale
from domain.knowledge.rebuild import IndexPlan
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
    shadow: IndexPlan | None = None
    """The index that is being built beside this one; everything is written to both."""
    scale: LearntScale | None = None
    """What cosines mean in the index; kept by itself, so that saving a base never takes it back."""

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

    def copied(
        self,
        dataset_id: DatasetId,
        space_id: SpaceId,
        *,
        creator_id: UserId,
        name: str,
        analyzer_version: str,
        now: datetime,
    ) -> "Dataset":
        """Return an empty base of the same kind; raise ``KnowledgeInvalid``."""
        copy = Dataset.create(
            dataset_id,
            space_id,
            creator_id=creator_id,
            name=name,
            description=self.description,
            format_type=self.format_type,
            analyzer_version=analyzer_version,
            now=now,
        )
        copy.chunk_rule = self.chunk_rule
        copy.embedding_model = self.embedding_model
        return copy

    @property
    def is_searchable(self) -> bool:
        """A disabled base is skipped by searches; its documents keep their own state."""
        return self.status is DatasetStatus.READY

    @property
    def index(self) -> IndexPlan:
        """What the index that searches use is made with."""
        return IndexPlan(
            version=self.index_version,
            embedding_model=self.embedding_model,
            embedding_dimensions=self.embedding_dimensions,
            analyzer_version=self.analyzer_version,
        )

    @property
    def collection(self) -> str:
        """Name of its collection in the search stores."""
        return self.index.collection(self.id)

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

    def cut_by(self, rule: ChunkRule, *, now: datetime) -> bool:
        """Take a rule for documents that come without one; False if it is the rule already."""
        if rule == self.chunk_rule:
            return False
        self.chunk_rule = rule
        self.updated_at = now
        return True

    def fix_embedding(self, *, model: str, dimensions: int) -> None:
        """Remember what the index was made with, the first time; later calls change nothing."""
        if not self.embedding_dimensions:
            self.embedding_model = model
            self.embedding_dimensions = dimensions

    def begin_rebuild(self, plan: IndexPlan, *, now: datetime) -> None:
        """Have everything written to another index too; raise ``RebuildRefused``."""
        if self.shadow is not None:
            raise RebuildRefused(
                "The index is being built anew; wait until that is done.", dataset_id=self.id
            )
        self.shadow = plan
        self.updated_at = now

    def end_rebuild(self, version: int, *, dimensions: int, now: datetime) -> None:
        """Have searches use the index of this version; raise ``WorkLost`` for another one."""
        plan = self._require_shadow(version)
        self.shadow = None
        self.index_version = plan.version
        self.embedding_model = plan.embedding_model
        self.embedding_dimensions = dimensions
        self.analyzer_version = plan.analyzer_version
        self.updated_at = now
        self._tell(ChangeKind.UPDATED, now=now, actor_id=UserId(0))

    def abandon_rebuild(self, version: int, *, now: datetime) -> None:
        """Write to the index in use only; raise ``WorkLost`` for another version."""
        self._require_shadow(version)
        self.shadow = None
        self.updated_at = now

    def delete(self, *, now: datetime, actor_id: UserId) -> None:
        """Make the base unreachable; its data goes later."""
        if self.status is DatasetStatus.DELETED:
            raise DatasetNotFound(f"No knowledge base {self.id}.", dataset_id=self.id)
        self.status = DatasetStatus.DELETED
        self.deleted_at = self.updated_at = now
        self._tell(ChangeKind.DELETED, now=now, actor_id=actor_id)
        self.record(DataDeleted(), at=now, by=actor_id)

    def _require_shadow(self, version: int) -> IndexPlan:
        if self.shadow is None or self.shadow.version != version:
            raise WorkLost("This rebuild is not wanted any more.", dataset_id=self.id)
        return self.shadow

    def _tell(self, change: ChangeKind, *, now: datetime, actor_id: UserId) -> None:
        self.record(KnowledgeChanged(change=change), at=now, by=actor_id)


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
