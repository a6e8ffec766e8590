"""Parsed documents to slices."""

import asyncio
import time
from itertools import pairwise

from domain.knowledge.service import slice_document
from domain.knowledge.slice import Place
from domain.knowledge.value import ChunkRule, ChunkType
from domain.shared.capacity.fair_share import OF_THE_DEPLOYMENT
from domain.shared.capacity.processor import ProcessorShare, SharedThreads, work_for
from infra.contract.document.parser import (
    Block,
    Code,
    Heading,
    ListItem,
    PageBreak,
    Paragraph,
    Picture,
    Table,
)

SPACE = 7
RULE = ChunkRule(chunk_type=ChunkType.LEVEL)


def test_a_section_keeps_its_titles_and_its_place() -> None:
    (first, second) = slice_document(
        [
            Heading(text="One", level=1, page=1),
            Paragraph(text="Alpha.", page=1, bbox=(1, 2, 3, 4)),
            PageBreak(),
            ListItem(text="item", level=2, page=2),
            Heading(text="Two", level=1, page=2),
            Code(text="x = 1", language="python", page=3),
        ],
        RULE,
        image_key=str,
    )

    assert [draft.heading_path for draft in (first, second)] == [("One",), ("Two",)]
    assert first.place == Place(page_from=1, page_to=2, boxes=((1, 1, 2, 3, 4),))
    assert "- item" in first.content
    assert "```python\nx = 1\n```" in second.content


def test_a_table_becomes_markdown() -> None:
    table = Table(rows=(("a", "b|c"), ("1", None)), header_rows=1)
    (draft,) = slice_document([table], RULE, image_key=str)

    assert draft.content == "| a | b\\|c |\n| --- | --- |\n| 1 |  |"
    assert draft.place == Place()


def test_an_image_is_read_but_not_searched_by_its_key() -> None:
    picture = Picture(sha256="ab", mime="image/png", width=1, height=1, alt="A cat")
    (draft,) = slice_document([picture], RULE, image_key=lambda sha256: f"kb/1/{sha256}")

    assert draft.content == '<img src="" data-tos-key="kb/1/ab">\nA cat'
    assert draft.index_text == "A cat"


def test_a_document_without_text_has_no_slices() -> None:
    assert slice_document([PageBreak(), Paragraph(text=" ")], RULE, image_key=str) == []


def test_parts_of_a_long_section_know_that_they_belong_together() -> None:
    long = "\n\n".join(f"Sentence {n} of a section that is long." for n in range(60))
    blocks: list[Block] = [
        Paragraph(text=long),
        Heading(text="Short", level=1),
        Paragraph(text="Alpha."),
        Heading(text="Long", level=1),
        *(Paragraph(text=text) for text in long.split("\n\n")),
    ]
    drafts = slice_document(blocks, RULE, image_key=str)
    sections = {draft.heading_path: set[int | None]() for draft in drafts}
    for draft in drafts:
        sections[draft.heading_path].add(draft.section)

    assert sum(draft.heading_path == ("Long",) for draft in drafts) > 1
    assert (sections[()], sections[("Short",)]) == ({None}, {None})
    assert len(sections[("Long",)]) == 1
    assert None not in sections[("Long",)]
    automatic = slice_document(blocks, ChunkRule(), image_key=str)
    assert {draft.section for draft in automatic} == {None}


def test_a_picture_without_words_is_no_slice() -> None:
    alone = Picture(sha256="ab", mime="image/png", width=40, height=40)
    beside: list[Block] = [alone, Paragraph(text="A red door.")]

    assert slice_document([alone], ChunkRule(), image_key=str) == []
    (found,) = slice_document(beside, ChunkRule(), image_key=str)
    assert found.index_text == "A red door."


async def test_a_heavy_workspaces_text_is_cut_between_the_work_of_others() -> None:
    """Never a quarter of the time at once: 60 pages are cut in 30 ms on an idle machine."""
    looked_at: list[float] = []

    class Share(ProcessorShare):
        def are_others_near(self) -> bool:
            looked_at.append(time.thread_time())
            return False

    share = Share()
    share.heavy = frozenset({SPACE})
    sentence = "On page 4 the fox, who was quick, jumped over 12.5 dogs; they were lazy. "
    pages: list[Block] = [Paragraph(text=sentence * 80, page=page) for page in range(60)]

    def cut() -> None:
        looked_at.append(time.thread_time())
        slice_document(pages, ChunkRule(), image_key=str)
        looked_at.append(time.thread_time())

    work_for(SPACE)
    threads = SharedThreads(share)
    await asyncio.get_running_loop().run_in_executor(threads, cut)
    work_for(OF_THE_DEPLOYMENT)
    await asyncio.to_thread(threads.shutdown)

    longest = max(after - before for before, after in pairwise(looked_at))
    assert longest < (looked_at[-1] - looked_at[0]) / 4
