"""The slice: what searches return."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import msgspec

from domain.knowledge.error import (
    ContentTooLarge,
    FormatUnsupported,
    KnowledgeInvalid,
    SlicePositionUnfit,
)
from domain.knowledge.event import DataDeleted, SliceChanged
from domain.knowledge.text.size import count_tokens
from domain.knowledge.value import (
    MAX_REASON_CHARS,
    MAX_SLICE_BYTES,
    DatasetId,
    DocumentId,
    SliceId,
    SliceKind,
    SliceStatus,
)
from domain.shared.aggregate import Aggregate
from domain.shared.ids import SpaceId, UserId

SMALLEST_GAP: Final = 1e-6
"""Below it the middle of two sequences is not certain to differ from both."""


Box = tuple[float, float, float, float, float]


class Place(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where in the source a slice stands; pages and rows count from 1.

    Boxes are (page, left, top, right, bottom) in points from the upper left corner.
    """

    page_from: int | None = None
    page_to: int | None = None
    sheet: str = ""
    row: int | None = None
    boxes: tuple[Box, ...] = ()

    def joined(self, other: "Place") -> "Place":
        """Return where two slices stand that become one."""
        pages = [
            page
            for page in (self.page_from, self.page_to, other.page_from, other.page_to)
            if page is not None
        ]
        return Place(
            page_from=min(pages, default=None),
            page_to=max(pages, default=None),
            sheet=self.sheet,
            row=self.row,
            boxes=(*self.boxes, *(box for box in other.boxes if box not in self.boxes)),
        )


NOWHERE: Final = Place()


@dataclass(kw_only=True, eq=False)
class Slice(Aggregate):
    """A piece of one generation of a document; found by ``index_text``, or its content.

    ``ordinal`` is unique in the generation and never changes; ``sequence`` orders what is read.
    """

    id: SliceId
    space_id: SpaceId
    dataset_id: DatasetId
    document_id: DocumentId
    generation: int
    ordinal: int
    sequence: float
    content: str
    kind: SliceKind = SliceKind.TEXT
    index_text: str = ""
    parent_id: SliceId | None = None
    """Names the section it is a part of; the section itself is stored nowhere."""
    heading_path: tuple[str, ...] = ()
    place: Place = NOWHERE
    status: SliceStatus = SliceStatus.PENDING
    fail_reason: str = ""
    is_disabled: bool = False
    hit_count: int = 0
    created_at: datetime
    updated_at: datetime

    def __post_init__(self) -> None:
        check_content(self.content)

    def copied(
        self,
        slice_id: SliceId,
        *,
        space_id: SpaceId,
        dataset_id: DatasetId,
        document_id: DocumentId,
        generation: int,
        now: datetime,
    ) -> "Slice":
        """Return the same slice in another document; the search stores do not know it yet."""
        return replace(
            self,
            id=slice_id,
            space_id=space_id,
            dataset_id=dataset_id,
            document_id=document_id,
            generation=generation,
            parent_id=(
                None if self.parent_id is None else section_id(document_id, 0, self.parent_id)
            ),
            status=SliceStatus.PENDING,
            fail_reason="",
            hit_count=0,
            created_at=now,
            updated_at=now,
            revision=0,
        )

    @property
    def subject(self) -> tuple[int, int]:
        return self.space_id, self.dataset_id

    @property
    def char_count(self) -> int:
        return len(self.content)

    @property
    def content_hash(self) -> str:
        return hashlib.sha256(self.content.encode()).hexdigest()

    @property
    def is_edited(self) -> bool:
        """Whether somebody changed what it said at first."""
        return self.updated_at > self.created_at

    @property
    def tokens(self) -> int:
        """Estimate of what it takes of a model's window."""
        return count_tokens(self.content)

    @property
    def searched_text(self) -> str:
        """What is embedded and tokenised."""
        return self.index_text or self.content

    def announce(self, *, now: datetime, actor_id: UserId) -> None:
        """Have the slice indexed by itself; it is found by its old entry until then."""
        self.status = SliceStatus.PENDING
        self.record(
            SliceChanged(document_id=self.document_id, slice_id=self.id), at=now, by=actor_id
        )

    def edit(self, content: str, *, index_text: str = "", now: datetime, actor_id: UserId) -> int:
        """Replace the content; return by how many characters it grew."""
        check_content(content)
        grown = len(content) - len(self.content)
        self.content = content
        self.index_text = index_text
        self.updated_at = now
        self.announce(now=now, actor_id=actor_id)
        return grown

    def switch(self, *, is_enabled: bool) -> None:
        """Let searches see the slice, or not; at once, and nothing is indexed anew.

        Raises ``FormatUnsupported`` for a row, which sums of its table would count all the same.
        """
        if self.kind is not SliceKind.TEXT:
            raise FormatUnsupported("Only slices of texts are switched off and on.")
        self.is_disabled = not is_enabled

    def mark_indexed(self) -> None:
        """Note that the search stores have it."""
        self.status = SliceStatus.DONE
        self.fail_reason = ""

    def mark_failed(self, reason: str) -> None:
        """Note that the search stores will never have it as it is."""
        self.status = SliceStatus.FAILED
        self.fail_reason = reason[:MAX_REASON_CHARS]

    def deletion(self, *, now: datetime, actor_id: UserId) -> DataDeleted:
        """Return the fact that removes it from the search stores."""
        return DataDeleted(
            occurred_at=now,
            space_id=self.space_id,
            aggregate_id=self.dataset_id,
            actor_id=actor_id,
            slice_ids=(self.id,),
        )


class FoundSlice(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What ranking reads of a slice: a search weighs a hundred and shows a few.

    ``read`` builds the slice of the same state of the database, for those that are shown.
    """

    id: SliceId
    dataset_id: DatasetId
    document_id: DocumentId
    sequence: float
    kind: SliceKind
    content: str
    index_text: str
    parent_id: SliceId | None
    read: Callable[[], Slice]

    @property
    def searched_text(self) -> str:
        """What is embedded and tokenised."""
        return self.index_text or self.content


def section_id(document_id: DocumentId, generation: int, section: int) -> SliceId:
    """Return what the parts of a section share: the same for every attempt, and no other's."""
    name = f"{document_id:d} {generation:d} {section:d}".encode()
    return SliceId(int.from_bytes(hashlib.blake2b(name, digest_size=8).digest()) >> 1)


def check_content(content: str) -> None:
    """Raise ``KnowledgeInvalid`` for nothing or no text, ``ContentTooLarge`` above the limit."""
    if not content.strip():
        raise KnowledgeInvalid("raw_text: a slice has some text.", field="raw_text")
    try:
        size = len(content.encode())
    except UnicodeEncodeError as exc:
        raise KnowledgeInvalid("raw_text: not valid Unicode.", field="raw_text") from exc
    if size > MAX_SLICE_BYTES:
        raise ContentTooLarge(
            f"raw_text: a slice has up to {MAX_SLICE_BYTES} bytes.", field="raw_text"
        )


def sequence_between(before: float | None, after: float | None) -> float | None:
    """Return the sequence of a slice between two others; None if they are too close."""
    if before is None:
        before = 0.0
    if after is None:
        return float(int(before) + 1)
    return None if after - before < SMALLEST_GAP else (before + after) / 2


def check_position(position: int, *, count: int) -> None:
    """Raise ``SlicePositionUnfit`` outside 1 … n + 1."""
    if not 1 <= position <= count + 1:
        raise SlicePositionUnfit(f"sequence: expected 1 to {count + 1}.", field="sequence")
