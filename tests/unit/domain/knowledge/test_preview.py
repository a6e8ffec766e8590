"""Previews and their chunks."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.knowledge.error import ContentTooLarge, KnowledgeInvalid, PreviewNotReady
from domain.knowledge.preview import (
    ChunkKind,
    Preview,
    PreviewChunk,
    PreviewId,
    PreviewState,
    check_chunks,
    edited,
    from_chunks,
    to_chunks,
)
from domain.knowledge.service import SliceDraft
from domain.knowledge.slice import Place
from domain.knowledge.value import DEFAULT_RULE, DatasetId, Source, SourceType
from tests.support.knowledge.sample import OWNER, SPACE

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def new_preview() -> Preview:
    return Preview.request(
        PreviewId(5),
        space_id=SPACE,
        dataset_id=DatasetId(1),
        creator_id=OWNER,
        name="a.txt",
        extension="txt",
        source=Source(type=SourceType.LOCAL_FILE, object_key="kb/1/5/source"),
        rule=DEFAULT_RULE,
        now=NOW,
    )


def test_a_preview_is_read_before_it_is_edited() -> None:
    preview = new_preview()
    assert preview.expires_at == NOW + timedelta(days=7)
    with pytest.raises(PreviewNotReady, match="still being read"):
        preview.replace([PreviewChunk(id=1, text="a")], now=NOW)
    preview.ready(2, now=NOW)
    preview.replace([PreviewChunk(id=2, text="a")], now=NOW)
    assert (preview.state, preview.chunk_count) == (PreviewState.READY, 1)

    failed = new_preview()
    failed.fail(code=1, reason="broken", now=NOW)
    with pytest.raises(PreviewNotReady, match="broken"):
        failed.require_ready()


def test_the_document_keeps_the_id_and_indexes_the_chunks() -> None:
    document = new_preview().document(now=NOW, has_chunks=True)
    assert (document.id, document.source.chunks_key) == (5, "review/5")
    assert new_preview().document(now=NOW, has_chunks=False).source.chunks_key == ""
    document.activate(1, slices=1, chars=1, now=NOW)
    document.resegment(DEFAULT_RULE, force=False, now=NOW, actor_id=OWNER)
    assert document.source.chunks_key == ""


def test_edits_keep_what_people_cannot_see() -> None:
    place = Place(page_from=3)
    drafts = [
        SliceDraft(content="one", heading_path=("H",), place=place),
        SliceDraft(content="two"),
        SliceDraft(content='<img src="" data-tos-key="k"> a cat', index_text="a cat"),
    ]
    chunks = to_chunks(drafts)
    assert [chunk.id for chunk in chunks] == [1, 2, 3]
    assert from_chunks(chunks) == drafts

    changed = edited(chunks, [(2, "zwei"), (1, "eins")])
    assert [chunk.text for chunk in changed] == ["zwei", "eins"]
    assert (changed[1].heading_path, changed[1].place) == (("H",), place)
    with pytest.raises(KnowledgeInvalid, match="no chunk 4"):
        edited(chunks, [(4, "vier")])


def test_a_chunk_that_is_split_goes_on_under_new_ids() -> None:
    place = Place(page_from=3)
    chunks = to_chunks([SliceDraft(content="one two", place=place), SliceDraft(content="three")])

    parts = edited(chunks, [(1, "one"), (1, "two"), (2, "three")])

    assert [(part.id, part.text) for part in parts] == [(1, "one"), (3, "two"), (2, "three")]
    assert parts[1].place == place


def test_edited_chunks_stand_where_their_words_do() -> None:
    boxes = [(1.0, 0.0, top, 10.0, top + 1.0) for top in (0.0, 2.0, 4.0)]
    said = ["The harbour opens at six.", "Ferries leave hourly; none in storms.", "Boats rest."]
    words = dict(zip(boxes, said, strict=True))
    place = Place(page_from=1, page_to=1, boxes=tuple(boxes[:2]))
    last = Place(page_from=1, page_to=1, boxes=(boxes[2],))
    chunks = to_chunks(
        [
            SliceDraft(content="\n\n".join(said[:2]), place=place),
            SliceDraft(content=said[2], place=last),
        ]
    )

    moved = edited(
        chunks,
        [(1, f"{said[0]} Ferries leave hourly;"), (2, f"none in storms.\n\n{said[2]}")],
        words=words,
    )
    joined = edited(chunks, [(1, "\n\n".join(said))], words=words)
    rewritten = edited(chunks, [(1, "All new."), (2, said[2])], words=words)

    assert [chunk.place.boxes for chunk in moved] == [tuple(boxes[:2]), tuple(boxes[1:])]
    assert joined[0].place.boxes == tuple(boxes)
    assert [chunk.place for chunk in rewritten] == [place, last]


def test_the_work_for_an_edit_does_not_depend_on_its_order() -> None:
    count = 3000  # looking for each among all would take minutes
    boxes = [(float(page), 0.0, 0.0, 10.0, 1.0) for page in range(1, count + 1)]
    said = [f"Chapter {page} is about itself. " + "a" * 200 for page in range(1, count + 1)]
    chunks = to_chunks(
        [
            SliceDraft(content=text, place=Place(page_from=1, page_to=1, boxes=(box,)))
            for text, box in zip(said, boxes, strict=True)
        ]
    )

    moved = edited(
        chunks,
        [(chunk.id, f"{chunk.text} Changed.") for chunk in reversed(chunks)],
        words=dict(zip(boxes, said, strict=True)),
    )

    assert [chunk.place.boxes for chunk in moved] == [(box,) for box in reversed(boxes)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("words", ChunkKind.TEXT),
        ('<img src="" data-tos-key="k">', ChunkKind.IMAGE),
        ("| a | b |", ChunkKind.TABLE),
    ],
)
def test_chunks_tell_what_they_are(text: str, kind: ChunkKind) -> None:
    assert PreviewChunk(id=1, text=text).kind is kind


def test_what_cannot_be_slices_is_refused() -> None:
    with pytest.raises(KnowledgeInvalid):
        check_chunks([])
    with pytest.raises(KnowledgeInvalid, match="id of its own"):
        check_chunks([PreviewChunk(id=1, text="a"), PreviewChunk(id=1, text="b")])
    with pytest.raises(KnowledgeInvalid):
        check_chunks([PreviewChunk(id=1, text="  ")])
    with pytest.raises(ContentTooLarge):
        check_chunks([PreviewChunk(id=1, text="x" * 70_000)])
