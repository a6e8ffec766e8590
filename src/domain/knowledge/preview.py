"""The preview: what slices a file would become, shown and edited before anything is indexed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from itertools import count
from types import MappingProxyType
from typing import ClassVar, Final, NewType

import msgspec

from domain.knowledge.document import Document
from domain.knowledge.error import KnowledgeInvalid, PreviewNotReady
from domain.knowledge.event import PreviewRequested
from domain.knowledge.service import SliceDraft, without_images
from domain.knowledge.slice import NOWHERE, Box, Place, check_content
from domain.knowledge.value import DatasetId, DocumentId, FormatType, ParseRule, Source
from domain.knowledge.work import LongWork
from domain.shared.ids import SpaceId, UserId

PreviewId = NewType("PreviewId", int)

LIFETIME: Final = timedelta(days=7)
MAX_CHUNKS: Final = 20_000
_MARKS: Final = re.compile(r"<[^>]*>|[\W_]+")
_TELLING: Final = 8
"""Letters that stand in two texts by chance hardly ever."""
_AROUND: Final = 8
"""Chunks before and behind one that its words may come from, in whatever order they are given."""


class PreviewState(IntEnum):
    """How far a preview is; numbers of the Coze wire."""

    PROCESSING = 0
    READY = 1
    FAILED = 2
    STOPPED = 3


class ChunkKind(IntEnum):
    """What a chunk of a preview mostly is; numbers of the Coze wire."""

    TEXT = 0
    IMAGE = 1
    TABLE = 2


class PreviewChunk(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A slice to be; ``id`` counts from 1 and is kept by edits."""

    id: int
    text: str
    heading_path: tuple[str, ...] = ()
    place: Place = NOWHERE
    section: int | None = None

    @property
    def kind(self) -> ChunkKind:
        text = self.text.lstrip()
        if text.startswith("<img"):
            return ChunkKind.IMAGE
        return ChunkKind.TABLE if text.startswith("|") else ChunkKind.TEXT


@dataclass(kw_only=True, eq=False)
class Preview(LongWork):
    """One file cut for people to look at.

    Its id becomes the id of the document it is turned into, so that what was read and stored for
    it serves the document too. The chunks themselves are an object in storage.
    """

    OPEN = frozenset({PreviewState.PROCESSING})
    DONE = PreviewState.READY
    FAILED = PreviewState.FAILED
    MAX_ATTEMPTS: ClassVar[int] = 3

    id: PreviewId
    dataset_id: DatasetId
    name: str
    extension: str
    source: Source
    size: int = 0
    content_hash: str = ""
    rule: ParseRule
    state: PreviewState = PreviewState.PROCESSING
    chunk_count: int = 0
    updated_at: datetime
    expires_at: datetime

    @classmethod
    def request(
        cls,
        preview_id: PreviewId,
        *,
        space_id: SpaceId,
        dataset_id: DatasetId,
        creator_id: UserId,
        name: str,
        extension: str,
        source: Source,
        rule: ParseRule,
        now: datetime,
    ) -> "Preview":
        """Make a preview that waits to be read; raise ``KnowledgeInvalid``."""
        rule.chunking.check()
        preview = cls(
            id=preview_id,
            space_id=space_id,
            dataset_id=dataset_id,
            creator_id=creator_id,
            name=name,
            extension=extension,
            source=source,
            rule=rule,
            next_run_at=now,
            created_at=now,
            updated_at=now,
            expires_at=now + LIFETIME,
        )
        preview.record(PreviewRequested(), at=now, by=creator_id)
        return preview

    @property
    def subject(self) -> tuple[int, int]:
        return self.space_id, self.dataset_id

    @property
    def chunks_key(self) -> str:
        """Where the chunks are stored."""
        return f"review/{self.id:d}"

    def ready(self, chunks: int, *, now: datetime) -> None:
        """Note that the chunks are stored."""
        self.chunk_count = chunks
        self.finish(now=now)

    def _end(self, state: PreviewState, now: datetime) -> None:
        super()._end(state, now)
        self.updated_at = now

    def replace(self, chunks: Sequence[PreviewChunk], *, now: datetime) -> None:
        """Note that people edited the chunks; raise ``KnowledgeInvalid``, ``PreviewNotReady``."""
        self.require_ready()
        check_chunks(chunks)
        self.chunk_count = len(chunks)
        self.updated_at = now

    def require_ready(self) -> None:
        """Raise ``PreviewNotReady`` unless there are chunks."""
        if self.state is PreviewState.READY:
            return
        if self.state is PreviewState.FAILED:
            raise PreviewNotReady(
                f"The file could not be read: {self.last_error}", preview_id=self.id
            )
        raise PreviewNotReady(
            "The file is still being read; ask again in a moment.", preview_id=self.id
        )

    def document(self, *, now: datetime, has_chunks: bool) -> Document:
        """Return the document this becomes; ``has_chunks`` makes it index exactly the chunks."""
        source = msgspec.structs.replace(
            self.source, chunks_key=self.chunks_key if has_chunks else ""
        )
        document = Document.accept(
            DocumentId(self.id),
            space_id=self.space_id,
            dataset_id=self.dataset_id,
            creator_id=self.creator_id,
            name=self.name,
            extension=self.extension,
            format_type=FormatType.TEXT,
            source=source,
            rule=self.rule,
            size=self.size,
            now=now,
        )
        document.content_hash = self.content_hash
        return document


def check_chunks(chunks: Sequence[PreviewChunk]) -> None:
    """Raise ``KnowledgeInvalid``, ``ContentTooLarge`` for what cannot become slices."""
    if not 1 <= len(chunks) <= MAX_CHUNKS:
        raise KnowledgeInvalid(f"chunks: expected 1 to {MAX_CHUNKS} chunks.", field="chunks")
    if len({chunk.id for chunk in chunks}) < len(chunks):
        raise KnowledgeInvalid("chunks: every chunk has an id of its own.", field="chunks")
    for chunk in chunks:
        check_content(chunk.text)


def edited(
    stored: Sequence[PreviewChunk],
    texts: Sequence[tuple[int, str]],
    *,
    words: Mapping[Box, str] = MappingProxyType({}),
) -> list[PreviewChunk]:
    """Apply edits to stored chunks: texts change, missing ones go, the order is that of the edit.

    An id that comes again is another part of the same chunk, which gets an id of its own. With the
    ``words`` at each place of a page, chunks stand where they say they do.

    Raises:
        KnowledgeInvalid: an id that the preview does not have.
    """
    known = {chunk.id: chunk for chunk in stored}
    at = {chunk.id: index for index, chunk in enumerate(stored)}
    said = {box: _bare(text) for box, text in words.items()}
    for chunk_id, _ in texts:
        if chunk_id not in known:
            raise KnowledgeInvalid(f"chunks: the preview has no chunk {chunk_id}.", field="chunks")
    given: set[int] = set()
    free = count(max(known, default=0) + 1)
    result = []
    for index, (chunk_id, text) in enumerate(texts):
        own = next(free) if chunk_id in given else chunk_id
        given.add(chunk_id)
        chunk = known[chunk_id]
        place = chunk.place
        if text != chunk.text and place.boxes:
            # Its words come from itself and from what stood between it and its neighbours.
            before = at[texts[index - 1][0]] if index else 0
            behind = at[texts[index + 1][0]] if index + 1 < len(texts) else len(stored) - 1
            first = max(min(before, behind, at[chunk_id]), at[chunk_id] - _AROUND)
            last = min(max(before, behind, at[chunk_id]), at[chunk_id] + _AROUND)
            place = _placed(text, place, stored[first : last + 1], said)
        result.append(msgspec.structs.replace(chunk, id=own, text=text, place=place))
    return result


def _placed(
    text: str, place: Place, near: Sequence[PreviewChunk], said: Mapping[Box, str]
) -> Place:
    """Return the boxes near whose words are in a text; the place that it had if none are."""
    bare = _bare(text)
    boxes = dict.fromkeys(
        box for chunk in near for box in chunk.place.boxes if _share_words(said.get(box, ""), bare)
    )
    if not boxes:
        return place
    pages = [int(page) for page, *_ in boxes]
    return msgspec.structs.replace(
        place, page_from=min(pages), page_to=max(pages), boxes=tuple(boxes)
    )


def _bare(text: str) -> str:
    """Return letters and digits alone: cutting changes marks and spaces."""
    return _MARKS.sub("", text).lower()


def _share_words(block: str, text: str) -> bool:
    """Tell whether one holds the other, or one ends with what the other begins with."""
    if not block or not text:
        return False
    return block in text or text in block or _leads(block, text) or _leads(text, block)


def _leads(first: str, second: str) -> bool:
    """Tell whether one ends with what the other begins with, in so many letters that it tells."""
    head = second[:_TELLING]
    at = first.find(head, max(0, len(first) - len(second)))
    while len(head) == _TELLING and at >= 0:
        if second.startswith(first[at:]):
            return True
        at = first.find(head, at + 1)
    return False


def to_chunks(drafts: Sequence[SliceDraft]) -> list[PreviewChunk]:
    """Return drafts as chunks, numbered from 1."""
    return [
        PreviewChunk(
            id=n,
            text=draft.content,
            heading_path=draft.heading_path,
            place=draft.place,
            section=draft.section,
        )
        for n, draft in enumerate(drafts, 1)
    ]


def from_chunks(chunks: Sequence[PreviewChunk]) -> list[SliceDraft]:
    """Return chunks as drafts of slices."""
    return [
        SliceDraft(
            content=chunk.text,
            index_text=without_images(chunk.text),
            heading_path=chunk.heading_path,
            place=chunk.place,
            section=chunk.section,
        )
        for chunk in chunks
    ]
