"""The document: one source, indexed generation by generation."""

from dataclasses import dataclass, field
from datetime import datetime

import msgspec

from domain.knowledge.error import (
    DocumentNotFound,
    DocumentNotReady,
    KnowledgeInvalid,
    ResegmentRefused,
    WorkLost,
)
from domain.knowledge.event import (
    ChangeKind,
    DataDeleted,
    GenerationDropped,
    IndexingRequested,
    KnowledgeChanged,
)
from domain.knowledge.tables.column import Column
from domain.knowledge.tables.table import TableSchema
from domain.knowledge.value import (
    DEFAULT_RULE,
    MAX_DOCUMENT_NAME_CHARS,
    MAX_REASON_CHARS,
    NO_REFRESH,
    DatasetId,
    DocumentId,
    DocumentStatus,
    FormatType,
    Intake,
    ParseRule,
    Source,
    SourceType,
    Tags,
    UpdateRule,
    check_tags,
)
from domain.shared.aggregate import Aggregate
from domain.shared.ids import SpaceId, UserId

FIRST_GENERATION = 1


@dataclass(kw_only=True, eq=False)
class Document(Aggregate):
    """One document. Searches see the active generation; a job writes the pending one beside it.

    A job may write only as long as its generation is the pending one; an append ends in the active
    one. ``is_disabled`` is what its owner wishes, and survives indexing; ``generation`` is the last
    one ever begun.
    """

    id: DocumentId
    space_id: SpaceId
    dataset_id: DatasetId
    creator_id: UserId
    name: str
    extension: str
    format_type: FormatType
    source: Source
    size: int = 0
    char_count: int = 0
    slice_count: int = 0
    hit_count: int = 0
    status: DocumentStatus = DocumentStatus.INIT
    is_disabled: bool = False
    fail_code: int = 0
    fail_reason: str = ""
    rule: ParseRule = DEFAULT_RULE
    update_rule: UpdateRule = NO_REFRESH
    tags: Tags = field(default_factory=dict)
    content_hash: str = ""
    replaces: tuple[DocumentId, ...] = ()
    """Documents to delete as soon as this one can be found."""
    columns: tuple[Column, ...] = ()
    """Schema of the active generation of a table; ``rule`` has that of the next one."""
    generation: int = FIRST_GENERATION
    active_generation: int | None = None
    pending_generation: int | None = FIRST_GENERATION
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    refresh_at: datetime | None = None
    """When its page is to be fetched again."""

    @classmethod
    def accept(
        cls,
        document_id: DocumentId,
        *,
        space_id: SpaceId,
        dataset_id: DatasetId,
        creator_id: UserId,
        name: str,
        extension: str,
        format_type: FormatType,
        source: Source,
        rule: ParseRule,
        update_rule: UpdateRule = NO_REFRESH,
        size: int = 0,
        now: datetime,
    ) -> "Document":
        """Take a document in; its first generation is pending. Raises ``KnowledgeInvalid``."""
        rule.chunking.check()
        update_rule.check()
        document = cls(
            id=document_id,
            space_id=space_id,
            dataset_id=dataset_id,
            creator_id=creator_id,
            name=_checked_name(name),
            extension=extension,
            format_type=format_type,
            source=source,
            rule=rule,
            update_rule=update_rule,
            size=size,
            created_at=now,
            updated_at=now,
            refresh_at=update_rule.due_after(now),
        )
        document._tell(ChangeKind.CREATED, now=now, actor_id=creator_id)
        document._request(now=now, actor_id=creator_id)
        return document

    def copied(
        self,
        document_id: DocumentId,
        *,
        space_id: SpaceId,
        dataset_id: DatasetId,
        creator_id: UserId,
        now: datetime,
    ) -> "Document":
        """Return the same document in another base; its slices are added and indexed there.

        The bytes are shared, but those of a page that is fetched again by itself.
        """
        is_page = self.source.type is SourceType.WEB_PAGE
        copy = Document(
            id=document_id,
            space_id=space_id,
            dataset_id=dataset_id,
            creator_id=creator_id,
            name=self.name,
            extension=self.extension,
            format_type=self.format_type,
            source=msgspec.structs.replace(
                self.source,
                object_key="" if is_page else self.source.object_key,
                chunks_key="",
            ),
            size=self.size,
            status=DocumentStatus.CHUNKING,
            is_disabled=self.is_disabled,
            rule=msgspec.structs.replace(self.rule, columns=self.columns),
            update_rule=self.update_rule,
            tags=dict(self.tags),
            content_hash=self.content_hash,
            created_at=now,
            updated_at=now,
            refresh_at=self.update_rule.due_after(now),
        )
        copy._tell(ChangeKind.CREATED, now=now, actor_id=creator_id)
        copy._request(now=now, actor_id=creator_id)
        return copy

    @property
    def subject(self) -> tuple[int, int]:
        return self.space_id, self.dataset_id

    @property
    def is_searchable(self) -> bool:
        """Searches return its active generation, even while another one is made."""
        return (
            self.active_generation is not None
            and not self.is_disabled
            and self.status is not DocumentStatus.DELETED
        )

    @property
    def is_busy(self) -> bool:
        return self.pending_generation is not None

    @property
    def intake(self) -> Intake:
        """What it was made of."""
        return Intake(
            source=self.source,
            extension=self.extension,
            size=self.size,
            content_hash=self.content_hash,
            reading=self.rule.reading,
        )

    @property
    def schema(self) -> TableSchema:
        """Columns of the active generation of a table."""
        return TableSchema(self.columns)

    @property
    def next_schema(self) -> TableSchema | None:
        """Columns the pending generation of a table is to have; None until they are known."""
        return TableSchema(self.rule.columns) if self.rule.columns else None

    def begin(self, generation: int, *, now: datetime) -> None:
        """Note that a job works on the pending generation; raise ``WorkLost`` for another one."""
        self.require_pending(generation)
        if self.status is not DocumentStatus.CHUNKING:
            self.status = DocumentStatus.CHUNKING
            self.updated_at = now

    def locate(self, generation: int, *, source: Source, size: int, content_hash: str) -> None:
        """Note where the fetched bytes are; raise ``WorkLost``."""
        self.require_pending(generation)
        self.source = source
        self.size = size
        self.content_hash = content_hash

    def define(self, generation: int, columns: tuple[Column, ...]) -> None:
        """Note the columns that were found in the file; raise ``WorkLost``."""
        self.require_pending(generation)
        self.rule = msgspec.structs.replace(self.rule, columns=columns)

    def describe(self, caption: str) -> None:
        """Note what a person says an image shows; later generations keep it."""
        self.rule = msgspec.structs.replace(self.rule, caption=caption)

    def reshape(
        self, columns: tuple[Column, ...], *, now: datetime, actor_id: UserId
    ) -> int | None:
        """Begin a generation of a table with other columns, and return its number.

        None if only descriptions differ: those take effect at once.

        Raises:
            DocumentNotReady: there are no rows yet.
            ResegmentRefused: it is being indexed.
        """
        self.require_active()
        is_same = [_stored(one) for one in columns] == [_stored(one) for one in self.columns]
        if is_same and not self.is_busy:
            self.columns = columns
            self.rule = msgspec.structs.replace(self.rule, columns=columns)
            self.updated_at = now
            return None
        generation = self._begin(is_forced=False, now=now, actor_id=actor_id)
        self.rule = msgspec.structs.replace(self.rule, columns=columns)
        return generation

    def append(self, *, now: datetime, actor_id: UserId) -> int:
        """Begin what will be added to the active generation, and return its number.

        Raises:
            DocumentNotReady: there is nothing to add to.
            ResegmentRefused: it is being indexed.
        """
        self.require_active()
        return self._begin(is_forced=False, now=now, actor_id=actor_id)

    def absorb(self, generation: int, *, slices: int, chars: int, size: int, now: datetime) -> int:
        """Show what was appended in the active generation, whose number is returned.

        Raises ``WorkLost``.
        """
        self.require_pending(generation)
        active = self.require_active()
        self.pending_generation = None
        self.slice_count += slices
        self.char_count += chars
        self.size += size
        self.fail_code, self.fail_reason = 0, ""
        self.status = self._rest()
        self.updated_at = now
        self._tell(ChangeKind.UPDATED, now=now)
        return active

    def activate(self, generation: int, *, slices: int, chars: int, now: datetime) -> None:
        """Show the pending generation instead of the active one; raise ``WorkLost``.

        What the document replaces must be deleted in the same transaction.
        """
        self.require_pending(generation)
        self.replaces = ()
        self.rule = msgspec.structs.replace(self.rule, rereads=False)
        self.columns = self.rule.columns
        self.active_generation = generation
        self.pending_generation = None
        self.slice_count, self.char_count = slices, chars
        self.fail_code, self.fail_reason = 0, ""
        self.status = self._rest()
        self.updated_at = now
        self._tell(ChangeKind.UPDATED, now=now)

    def warn(self, reason: str) -> None:
        """Say that something of the active generation is missing."""
        self.fail_reason = reason[:MAX_REASON_CHARS]

    def fail(self, generation: int, *, code: int, reason: str, now: datetime) -> None:
        """Give the pending generation up; what is active stays. Raises ``WorkLost``."""
        self.require_pending(generation)
        self.pending_generation = None
        self.fail_code, self.fail_reason = code, reason[:MAX_REASON_CHARS]
        self.status = DocumentStatus.FAILED if self.active_generation is None else self._rest()
        if self.active_generation is not None:
            self.rule = msgspec.structs.replace(self.rule, columns=self.columns, rereads=False)
        self.updated_at = now
        self.record(GenerationDropped(document_id=self.id), at=now)
        self._tell(ChangeKind.UPDATED, now=now)

    def switch(self, *, is_enabled: bool, now: datetime, actor_id: UserId) -> None:
        """Let searches see the document, or not; at once, whatever is being indexed."""
        if self.is_disabled is not is_enabled:
            return
        self.is_disabled = not is_enabled
        if self.status in {DocumentStatus.ENABLED, DocumentStatus.DISABLED}:
            self.status = self._rest()
        self.updated_at = now
        self._tell(ChangeKind.UPDATED, now=now, actor_id=actor_id)

    def resegment(self, rule: ParseRule, *, force: bool, now: datetime, actor_id: UserId) -> int:
        """Begin a generation by another rule and return its number.

        Raises:
            ResegmentRefused: one is being made, and ``force`` does not say to give it up.
            KnowledgeInvalid: the rule is no rule.
        """
        rule.chunking.check()
        generation = self._begin(is_forced=force, now=now, actor_id=actor_id)
        self.rule = rule
        self.source = msgspec.structs.replace(self.source, chunks_key="")
        return generation

    def refetch(self, *, now: datetime) -> int:
        """Begin a generation from the page as it is now and return its number.

        Raises:
            ResegmentRefused: a generation is being made.
        """
        generation = self._begin(is_forced=False, now=now, actor_id=UserId(0))
        self.source = msgspec.structs.replace(self.source, object_key="", chunks_key="")
        self.refresh_at = self.update_rule.due_after(now)
        return generation

    def restart(self, *, now: datetime) -> int:
        """Begin the pending generation anew, under another number: its job is lost."""
        return self._begin(is_forced=True, now=now, actor_id=UserId(0))

    def put_off_refresh(self, moment: datetime | None) -> None:
        """Look at the page again at ``moment``: it did not change, or could not be read."""
        self.refresh_at = moment

    def rename(self, name: str, *, now: datetime, actor_id: UserId) -> None:
        """Change the name; no index knows it."""
        self.name = _checked_name(name)
        self.updated_at = now
        self._tell(ChangeKind.UPDATED, now=now, actor_id=actor_id)

    def refresh_by(self, rule: UpdateRule, *, now: datetime) -> None:
        """Change how often its page is fetched again."""
        rule.check()
        self.update_rule = rule
        self.refresh_at = rule.due_after(now)
        self.updated_at = now

    def tag(self, tags: Tags, *, now: datetime, actor_id: UserId) -> None:
        """Replace all tags; raise ``KnowledgeInvalid``."""
        check_tags(tags)
        self.tags = dict(tags)
        self.updated_at = now
        self._tell(ChangeKind.UPDATED, now=now, actor_id=actor_id)

    def recount(self, *, slices: int, chars: int, now: datetime) -> None:
        """Note that slices of the active generation came or went."""
        self.slice_count += slices
        self.char_count += chars
        self.updated_at = now

    def require_active(self) -> int:
        """Return the active generation; raise ``DocumentNotReady``."""
        if self.active_generation is None:
            raise DocumentNotReady(
                "The document has no content yet; wait until it is indexed.", document_id=self.id
            )
        return self.active_generation

    def require_pending(self, generation: int) -> None:
        """Raise ``WorkLost`` unless this generation may be written."""
        if self.pending_generation != generation or self.status is DocumentStatus.DELETED:
            raise WorkLost("Another job took over.", document_id=self.id, generation=generation)

    def delete(self, *, now: datetime, actor_id: UserId) -> None:
        """Make the document invisible; its data goes later."""
        if self.status is DocumentStatus.DELETED:
            raise DocumentNotFound(f"No document {self.id}.", document_id=self.id)
        self.status = DocumentStatus.DELETED
        self.pending_generation = None
        self.deleted_at = self.updated_at = now
        self.record(DataDeleted(document_ids=(self.id,)), at=now, by=actor_id)
        self._tell(ChangeKind.DELETED, now=now, actor_id=actor_id)

    def _begin(self, *, is_forced: bool, now: datetime, actor_id: UserId) -> int:
        if self.is_busy and not is_forced:
            raise ResegmentRefused(
                "The document is being indexed; wait until it is done.", document_id=self.id
            )
        self.generation += 1
        self.pending_generation = self.generation
        self.status = DocumentStatus.CHUNKING
        self.updated_at = now
        self._request(now=now, actor_id=actor_id)
        return self.generation

    def _rest(self) -> DocumentStatus:
        return DocumentStatus.DISABLED if self.is_disabled else DocumentStatus.ENABLED

    def _request(self, *, now: datetime, actor_id: UserId) -> None:
        self.record(
            IndexingRequested(document_id=self.id, generation=self.generation), at=now, by=actor_id
        )

    def _tell(self, change: ChangeKind, *, now: datetime, actor_id: int = 0) -> None:
        self.record(KnowledgeChanged(change=change, document_id=self.id), at=now, by=actor_id)


def _checked_name(name: str) -> str:
    name = name.strip()
    if not 0 < len(name) <= MAX_DOCUMENT_NAME_CHARS:
        raise KnowledgeInvalid(
            f"name: a document's name has 1 to {MAX_DOCUMENT_NAME_CHARS} characters.", field="name"
        )
    return name


def _stored(column: Column) -> tuple[object, ...]:
    """What rows and indexes know of a column."""
    return column.id, column.name, column.type, column.is_semantic
