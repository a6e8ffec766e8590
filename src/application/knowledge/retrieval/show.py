"""What was chosen, as callers see it: wider, not too long, with names, places and images."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from application.knowledge.retrieval.rank import Candidate
from crossdomain.knowledge.contract import RecalledSlice
from domain.knowledge.dataset import Dataset
from domain.knowledge.document import Document
from domain.knowledge.image_link import ImageLinks
from domain.knowledge.ranking.selection import Passage, Piece, widened
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.slice import NOWHERE, FoundSlice, Slice
from domain.knowledge.value import DocumentId, SliceId, SourceType
from domain.shared.access import TenantScope
from infra.contract.clock import Clock

_FAMILY: Final = 200
"""Slices read of the parents of one search."""
_FAMILY_CHARS: Final = 1600
"""Longest section that is shown whole, twice a slice; of others, a part with those beside it."""
_LONGEST_OVERLAP: Final = 4000
_IMAGES: Final = 10_000
"""Images of one document."""


class RecallPresenter:
    """Reads what only the slices that are shown need."""

    def __init__(self, *, store: KnowledgeStore, images: ImageLinks, clock: Clock) -> None:
        self._store = store
        self._images = images
        self._clock = clock

    async def widened(
        self,
        scope: TenantScope,
        passages: Sequence[Passage],
        slices: Mapping[int, FoundSlice],
        *,
        neighbours: int | None,
    ) -> list[Passage]:
        """Join passages with the rest of their section, or with their neighbours if asked."""
        found = [
            slices[passage.slice_id]
            for passage in passages
            if passage.source != "nl2sql" and passage.slice_id in slices
        ]
        around: dict[int, Sequence[Piece]] = {}
        parts = [item for item in found if item.parent_id is not None]
        if neighbours or (neighbours is None and parts):
            async with self._store.snapshot() as uow:
                if neighbours:
                    for item in [one.read() for one in found]:
                        beside = await uow.retrieval.neighbours(scope, item, count=neighbours)
                        around[item.id] = _pieces(beside)
                else:
                    members = [one.read() for one in parts]
                    family = await uow.retrieval.family(scope, members, limit=_FAMILY)
                    around = _families(members, family)
        return widened(passages, around)

    async def shown(
        self,
        scope: TenantScope,
        passages: Sequence[Passage],
        candidates: Mapping[int, Candidate],
        datasets: Sequence[Dataset],
    ) -> tuple[RecalledSlice, ...]:
        """Describe passages in order; those of a document that just went are left out."""
        if not passages:
            return ()
        names: dict[int, Dataset] = {dataset.id: dataset for dataset in datasets}
        wanted = sorted({DocumentId(passage.document_id) for passage in passages})
        with_images = {DocumentId(p.document_id) for p in passages if "<img" in p.content}
        images: dict[DocumentId, set[str]] = {}
        async with self._store.snapshot() as uow:
            documents = await uow.documents.get_many(scope, wanted)
            for key in sorted(with_images):
                known = await uow.objects.of(scope, [key], limit=_IMAGES)
                images[key] = {one.value for one in known}
        return tuple(
            self._shown(
                passage,
                candidates[passage.slice_id],
                document,
                names,
                images.get(document.id, set()),
            )
            for passage in passages
            if (document := documents.get(DocumentId(passage.document_id))) is not None
        )

    def _shown(
        self,
        passage: Passage,
        candidate: Candidate,
        document: Document,
        datasets: Mapping[int, Dataset],
        images: Collection[str],
    ) -> RecalledSlice:
        item = candidate.slice.read() if candidate.slice else None
        place = item.place if item else NOWHERE
        content = self._images.shown(passage.content, images, now=self._clock.now())
        dataset = datasets.get(document.dataset_id)
        return RecalledSlice(
            slice_id=max(passage.slice_id, 0),
            document_id=document.id,
            dataset_id=document.dataset_id,
            document_name=document.name,
            dataset_name=dataset.name if dataset else "",
            format_type=document.format_type,
            source_type=document.source.type,
            content=content,
            score=round(passage.score, 6),
            scores=channel_scores(candidate),
            source=passage.source,
            page=place.page_from or 0,
            sheet=place.sheet,
            row=place.row or 0,
            position=item.sequence if item else 0.0,
            tags=dict(document.tags),
            url=document.source.url if document.source.type is SourceType.WEB_PAGE else "",
            also_in=tuple(one for one in passage.also_in if one > 0),
            updated_at=(item or document).updated_at,
        )


def channel_scores(candidate: Candidate) -> dict[str, float]:
    """Return the scores of a candidate by channel, those it has."""
    scores = candidate.scores
    found = {
        "embedding": scores.embedding,
        "full_text": scores.full_text,
        "rerank": scores.rerank,
        "rrf": candidate.fused,
    }
    return {name: round(score, 6) for name, score in found.items() if score is not None}


def _families(found: Sequence[Slice], family: Sequence[Slice]) -> dict[int, Sequence[Piece]]:
    """Return the parts of the section of each slice: all, or the next ones of a long section."""
    sections: dict[SliceId, list[Slice]] = {}
    for item in family:
        if item.parent_id is not None:
            sections.setdefault(item.parent_id, []).append(item)
    return {
        item.id: _pieces(_near(item, sections.get(item.parent_id, [])))
        for item in found
        if item.parent_id is not None
    }


def _near(item: Slice, section: Sequence[Slice]) -> Sequence[Slice]:
    if sum(part.char_count for part in section) <= _FAMILY_CHARS:
        return section
    at = next((n for n, part in enumerate(section) if part.id == item.id), None)
    return () if at is None else section[max(at - 1, 0) : at + 2]


def _pieces(items: Sequence[Slice]) -> list[Piece]:
    pieces: list[Piece] = []
    before: Slice | None = None
    for item in items:
        title = _repeated_title(before, item)
        lead = _overlap(before.content if before else "", item.content[title:])
        # What overlaps was one text; without an overlap there was a break between the two.
        pieces.append(
            Piece(
                slice_id=item.id,
                content=item.content,
                lead=title + lead,
                glue="" if lead else "\n",
            )
        )
        before = item
    return pieces


def _repeated_title(before: Slice | None, item: Slice) -> int:
    """Return the length of the headings that both slices begin with."""
    title = " > ".join(item.heading_path) + "\n"
    is_repeated = (
        before is not None
        and before.heading_path == item.heading_path
        and before.content.startswith(title)
        and item.content.startswith(title)
    )
    return len(title) if is_repeated else 0


def _overlap(before: str, content: str) -> int:
    """Return how many characters at the beginning repeat the end of the slice before."""
    longest = min(len(before), len(content), _LONGEST_OVERLAP)
    return next((n for n in range(longest, 0, -1) if before.endswith(content[:n])), 0)
