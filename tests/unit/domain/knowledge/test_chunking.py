"""Chunks: nothing lost, order kept, sizes kept, nothing cut that belongs together."""

import re
import sys
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.knowledge.text.chunking import (
    Block,
    BlockKind,
    Chunk,
    ChunkStrategy,
    blocks_of_text,
    joined,
    separators,
)
from domain.knowledge.text.cleaning import Cleaning, normalised
from domain.knowledge.text.document import chunk_document
from domain.knowledge.text.size import Ruler, SizeUnit, count_tokens, size_of
from tests.support.effort import LINEAR, growth

IMAGE = '<img src="" data-tos-key="key-1">'
URL = "https://example.org/path?q=1"
PIECES = st.sampled_from(
    [
        *(
            "the",
            "oil",
            "Dr.",
            "crisis.",
            "What?",
            "中",
            "石油危机。",
            "东京\uff0c",
            "\uff1b",
            " ",
            "\n",
        ),
        *(
            "3.14",
            "1,000,000",
            "👨\u200d👩\u200d👧",
            "e\u0301x",
            "🇩🇪",
            URL,
            IMAGE,
            "\n- item",
            "1. x",
        ),
        *("x" * 40, "文" * 30, "... ", "!\u0301"),
    ]
)
TEXTS = (
    st.lists(PIECES, min_size=1, max_size=60).map(" ".join)
    | st.lists(PIECES, min_size=1, max_size=60).map("".join)
    | st.text(max_size=200)
)


def block(kind: BlockKind, text: str) -> Block:
    match kind:
        case BlockKind.TABLE:
            rows = "\n".join(f"|{line}|" for line in text.split("\n"))
            return Block(kind=kind, text=f"|a|b|\n|-|-|\n{rows}", header_lines=2)
        case BlockKind.CODE:
            return Block(kind=kind, text=f"```py\n{text}\n```", header_lines=1, footer_lines=1)
        case BlockKind.BREAK:
            return Block(kind=kind)
        case _:
            return Block(kind=kind, text=text, level=1 + len(text) % 6)


BLOCKS = st.lists(st.builds(block, st.sampled_from(list(BlockKind)), TEXTS), max_size=8)
SIZES = st.integers(60, 300)
UNITS = st.sampled_from(list(SizeUnit))
STRATEGIES = st.one_of(
    st.builds(
        ChunkStrategy.automatic,
        size=SIZES,
        minimum=st.integers(0, 40),
        overlap=st.integers(0, 60),
        unit=UNITS,
    ),
    st.builds(ChunkStrategy.structure, size=SIZES, saves_title=st.booleans(), unit=UNITS),
    st.builds(
        ChunkStrategy.custom,
        separator=st.sampled_from([r"\n", r"\n\n", "||"]),
        size=SIZES,
        overlap=st.floats(0, 0.9),
        merges_small=st.booleans(),
        unit=UNITS,
    ),
)


def dense(text: str) -> str:
    return "".join(text.split())


def chunked(text: str, strategy: ChunkStrategy | None = None) -> list[str]:
    chunks = chunk_document(blocks_of_text(text), strategy or ChunkStrategy.automatic())
    return [chunk.content for chunk in chunks]


class TestEveryStrategy:
    @settings(suppress_health_check=list(HealthCheck))
    @given(BLOCKS, STRATEGIES)
    def test_nothing_is_lost_doubled_or_out_of_order(
        self, blocks: list[Block], strategy: ChunkStrategy
    ) -> None:
        chunks = chunk_document(blocks, strategy)

        everything = dense("".join(normalised(block.text) for block in blocks))
        assert dense("".join(chunk.fresh for chunk in chunks)) == everything

    @settings(suppress_health_check=list(HealthCheck))
    @given(BLOCKS, STRATEGIES)
    def test_sizes_are_bounded_and_no_chunk_is_empty_or_only_overlap(
        self, blocks: list[Block], strategy: ChunkStrategy
    ) -> None:
        for chunk in chunk_document(blocks, strategy):
            assert chunk.fresh.strip()
            if strategy.saves_title:
                continue
            is_atomic = "|-|-|" in chunk.content or "```" in chunk.content
            limit = strategy.size * (2 if is_atomic else strategy.stretch)
            assert size_of(chunk.content, strategy.unit) <= limit + 1

    @settings(suppress_health_check=list(HealthCheck))
    @given(st.lists(PIECES, min_size=1, max_size=200).map(" ".join), STRATEGIES)
    def test_images_addresses_numbers_and_characters_are_never_cut(
        self, text: str, strategy: ChunkStrategy
    ) -> None:
        text = normalised(text)
        chunks = chunk_document(blocks_of_text(text), strategy)

        for pattern in (re.escape(IMAGE), re.escape(URL), r"1,000,000", r"3\.14"):
            whole = len(re.findall(pattern, text))
            assert sum(len(re.findall(pattern, chunk.fresh)) for chunk in chunks) == whole
        for chunk in chunks:
            first = chunk.fresh[0]
            assert first != "\u200d"
            if not text.startswith(first):
                assert not unicodedata.combining(first)

    @settings(suppress_health_check=list(HealthCheck))
    @given(BLOCKS, STRATEGIES)
    def test_consecutive_chunks_of_a_section_join_to_its_text(
        self, blocks: list[Block], strategy: ChunkStrategy
    ) -> None:
        chunks = chunk_document(blocks, strategy)
        for section in {chunk.section for chunk in chunks}:
            some = [chunk for chunk in chunks if chunk.section == section]
            repeated = some[0].content[: some[0].lead]
            text = repeated + "".join(
                (chunk.glue if at else "") + chunk.fresh for at, chunk in enumerate(some)
            )
            end = some[-1].content[len(some[-1].content) - some[-1].trail :]
            assert joined(some) == text + (end if some[-1].trail else "")

    @pytest.mark.parametrize(
        ("again", "small"),
        [("Some words, and more. ", 1_500), ("x", 20_000), ("石油危机。", 3_000), ("1", 10_000)],
        ids=["sentences", "one word", "chinese", "one number"],
    )
    def test_work_grows_with_the_text_only(self, again: str, small: int) -> None:
        def work(times: int) -> None:
            assert chunked(again * times)

        assert growth(work, small=small) < LINEAR


class TestAutomatic:
    def test_a_short_text_is_one_chunk(self) -> None:
        assert chunked("First.\n\nSecond.") == ["First.\n\nSecond."]

    def test_nothing_becomes_nothing(self) -> None:
        assert chunked(" \n\n\t ") == []

    def test_paragraphs_are_merged_up_to_the_size(self) -> None:
        paragraphs = [f"{number}" + "a" * 349 for number in range(5)]

        strategy = ChunkStrategy.automatic(overlap=0)

        assert chunked("\n\n".join(paragraphs), strategy) == [
            "\n\n".join(paragraphs[:2]),
            "\n\n".join(paragraphs[2:4]),
            paragraphs[4],
        ]

    def test_long_paragraphs_are_cut_after_sentences(self) -> None:
        text = "The price rose again in the third quarter of the year. " * 60

        chunks = chunked(text, ChunkStrategy.automatic(overlap=0))

        assert len(chunks) > 3
        assert all(chunk.endswith("year.") and chunk.startswith("The") for chunk in chunks)

    def test_abbreviations_initials_and_decimals_end_no_sentence(self) -> None:
        sentence = (
            "Dr. J. R. Smith paid 3.5 million, e.g. to Fig. 7 of the U.S. report, in Jan. then"
        )

        chunks = chunked(f"{sentence}. " * 40, ChunkStrategy.automatic(overlap=0))

        assert len(chunks) > 2
        assert all(chunk.endswith("then.") for chunk in chunks)

    def test_the_overlap_is_whole_sentences_of_the_chunk_before(self) -> None:
        text = " ".join(f"Sentence number {number} is here." for number in range(100))

        chunks = chunk_document(blocks_of_text(text), ChunkStrategy.automatic())

        for before, after in pairwise(chunks):
            repeated = after.content[: after.lead].strip()
            assert repeated.startswith("Sentence")
            assert before.content.endswith(repeated)
            assert len(repeated) <= 120

    def test_hard_wrapped_text_is_cut_like_unwrapped_text(self) -> None:
        words = [f"word{number}{'.' if number % 9 == 8 else ''}" for number in range(900)]
        lines = [" ".join(words[at : at + 9]) for at in range(0, 900, 9)]

        flat, wrapped = chunked(" ".join(words)), chunked("\n".join(lines))

        assert [" ".join(chunk.split()) for chunk in wrapped] == flat

    def test_lists_are_cut_before_items(self) -> None:
        text = "Things:" + "".join(f"\n- thing {n}, which is nice. It has a use" for n in range(60))

        chunks = chunked(text, ChunkStrategy.automatic(overlap=0))

        assert len(chunks) > 2
        assert all(chunk.startswith("- thing") for chunk in chunks[1:])

    def test_high_headings_and_split_marks_are_borders(self) -> None:
        blocks = [
            Block(kind=BlockKind.HEADING, text="One", level=1),
            Block(kind=BlockKind.PARAGRAPH, text="a" * 150),
            Block(kind=BlockKind.HEADING, text="Two", level=2),
            Block(kind=BlockKind.PARAGRAPH, text="b" * 50),
            Block(kind=BlockKind.HEADING, text="Three", level=2),
            Block(kind=BlockKind.PARAGRAPH, text="c" * 50),
            Block(kind=BlockKind.BREAK),
            Block(kind=BlockKind.PARAGRAPH, text="d" * 50),
        ]

        chunks = chunk_document(blocks, ChunkStrategy.automatic())

        texts = [chunk.content.replace("\n\n", "|")[:9] for chunk in chunks]
        assert texts == ["One|aaaaa", "Two|bbbbb", "ddddddddd"]
        assert [chunk.heading_path for chunk in chunks] == [
            ("One",),
            ("One", "Two"),
            ("One", "Three"),
        ]
        assert not any(chunk.lead for chunk in chunks)

    def test_a_heading_goes_with_what_follows(self) -> None:
        blocks = [
            Block(kind=BlockKind.PARAGRAPH, text="a" * 700),
            Block(kind=BlockKind.HEADING, text="Later", level=4),
            Block(kind=BlockKind.PARAGRAPH, text="b" * 700),
        ]

        chunks = chunk_document(blocks, ChunkStrategy.automatic())

        assert [chunk.content[:5] for chunk in chunks] == ["aaaaa", "Later"]

    def test_tables_and_code_up_to_twice_the_size_stay_whole_with_their_caption(self) -> None:
        table = block(BlockKind.TABLE, "\n".join(f"row {n}|x" for n in range(110)))
        blocks = [
            Block(kind=BlockKind.PARAGRAPH, text="a" * 400),
            Block(kind=BlockKind.PARAGRAPH, text="Table 1: rows"),
            table,
            Block(kind=BlockKind.PARAGRAPH, text="b" * 400),
        ]
        assert 800 < len(table.text) < 1600

        chunks = chunk_document(blocks, ChunkStrategy.automatic())

        assert [chunk.content for chunk in chunks] == [
            "a" * 400,
            f"Table 1: rows\n\n{table.text}",
            "b" * 400,
        ]

    def test_larger_tables_repeat_their_header_and_code_its_fences(self) -> None:
        table = block(BlockKind.TABLE, "\n".join(f"row {n}|x" for n in range(300)))
        code = block(BlockKind.CODE, "\n".join(f"line_{n} = {n}" for n in range(300)))

        chunks = chunk_document([table, code], ChunkStrategy.automatic())

        tables = [chunk for chunk in chunks if "row" in chunk.content]
        codes = [chunk for chunk in chunks if "line_" in chunk.content]
        assert len(tables) > 2
        assert len(codes) > 2
        assert all(chunk.content.startswith("|a|b|\n|-|-|\n|row") for chunk in tables)
        assert all(re.fullmatch(r"```py\n.*\n```", c.content, re.DOTALL) for c in codes)
        assert joined(tables) == table.text
        assert joined(codes) == code.text

    def test_a_short_tail_joins_the_chunk_before(self) -> None:
        strategy = ChunkStrategy.automatic(size=100, minimum=10, overlap=0)

        assert [len(chunk) for chunk in chunked(f"{'a' * 95}\n\n{'b' * 20}", strategy)] == [117]

    def test_chunks_know_their_blocks(self) -> None:
        text = "\n\n".join("abcde. " * 50 for _ in range(6))

        chunks = chunk_document(blocks_of_text(text), ChunkStrategy.automatic())

        assert [(c.first_source, c.last_source) for c in chunks] == [(0, 1), (2, 3), (4, 5)]


class TestCustom:
    def test_text_is_split_at_every_separator_and_the_separator_is_gone(self) -> None:
        strategy = ChunkStrategy.custom(separator="###||;;", size=100)

        assert chunked("one###two;;three ### \n\n four", strategy) == [
            "one",
            "two",
            "three",
            "four",
        ]

    def test_separators_may_stand_between_paragraphs(self) -> None:
        strategy = ChunkStrategy.custom(separator=r"\n\n", size=100, merges_small=False)

        assert chunked("one\ntwo\n\nthree", strategy) == ["one\ntwo", "three"]

    def test_white_space_separators_merge_small_parts(self) -> None:
        strategy = ChunkStrategy.custom(separator=r"\n", size=20, unit=SizeUnit.CHARACTER)

        assert chunked("one\ntwo\nthree\nfourfourfour", strategy) == [
            "one\n\ntwo\n\nthree",
            "fourfourfour",
        ]

    def test_escapes_are_understood(self) -> None:
        assert separators(r"\n\n||\t||a\\n||") == (r"a\n", "\n\n", "\t")
        assert separators("") == ()

    def test_cleaning_happens_after_splitting(self) -> None:
        strategy = ChunkStrategy.custom(separator=r"\n", size=100, merges_small=False)
        cleaning = Cleaning(removes_extra_spaces=True, removes_addresses=True)

        chunks = chunk_document(blocks_of_text(f"a   b\nc {URL} d\n{URL}"), strategy, cleaning)

        assert [chunk.content for chunk in chunks] == ["a b", "c d"]

    def test_the_maximum_is_hard_in_tokens_for_english_and_chinese(self) -> None:
        for text in ("The price rose again in the year. " * 100, "油价在第三季度再次上涨。" * 100):
            strategy = ChunkStrategy.custom(separator="###", size=100, overlap=0.2)

            chunks = chunked(text, strategy)

            assert max(map(count_tokens, chunks)) <= 100
            assert min(map(count_tokens, chunks[:-1])) >= 60


class TestStructure:
    BLOCKS = (
        Block(kind=BlockKind.HEADING, text="Manual", level=0),
        Block(kind=BlockKind.HEADING, text="Setup", level=1),
        Block(kind=BlockKind.PARAGRAPH, text="Plug it in."),
        Block(kind=BlockKind.HEADING, text="Linux", level=2),
        Block(kind=BlockKind.PARAGRAPH, text="Words. " * 300),
        Block(kind=BlockKind.HEADING, text="Use", level=1),
        Block(kind=BlockKind.PARAGRAPH, text="Press."),
    )

    def test_each_leaf_is_a_section_with_its_path(self) -> None:
        chunks = chunk_document(self.BLOCKS, ChunkStrategy.structure())

        paths = {chunk.section: chunk.heading_path for chunk in chunks}
        assert paths == {
            0: ("Manual",),
            1: ("Manual", "Setup", "Linux"),
            2: ("Manual", "Use"),
        }
        assert sum(chunk.section == 1 for chunk in chunks) > 1

    def test_deeper_headings_stay_inside(self) -> None:
        chunks = chunk_document(self.BLOCKS, ChunkStrategy.structure(max_level=1))

        assert {chunk.section for chunk in chunks} == {0, 1}

    def test_the_path_can_go_before_the_text(self) -> None:
        chunks = chunk_document(self.BLOCKS, ChunkStrategy.structure(saves_title=True))

        last = chunks[-1]
        assert last.content == "Manual > Use\nUse\n\nPress."
        assert last.fresh == "Use\n\nPress."

    def test_without_headings_it_falls_back_to_automatic(self) -> None:
        text = "Some words here. " * 200

        chunks = chunked(text, ChunkStrategy.structure())

        assert chunks == chunked(text, ChunkStrategy.automatic())


class TestSize:
    def test_tokens_are_estimated_by_kind_of_character(self) -> None:
        assert count_tokens("abcd" * 10) == 10
        assert count_tokens("中" * 10) == 7
        assert count_tokens("") == 0
        assert size_of("中文ab", SizeUnit.CHARACTER) == 4

    @given(st.text(max_size=80), st.integers(0, 400), UNITS)
    def test_rulers_agree_with_counting(self, text: str, size: int, unit: SizeUnit) -> None:
        ruler = Ruler(text, unit)
        for start in range(0, len(text), 7):
            end = ruler.furthest(start, size)
            assert ruler.between(start, end) <= size
            assert end == len(text) or ruler.between(start, end + 1) > size
            first = ruler.earliest(start, size)
            assert ruler.between(first, start) <= size
            assert first == 0 or ruler.between(first - 1, start) > size


def test_a_chunk_without_headings_gets_no_title() -> None:
    chunk = Chunk(content="a", section=0)

    assert chunk.titled() is chunk


def test_a_text_that_ends_with_sentences_is_cut_without_weighing_its_spaces() -> None:
    text = "The oil of the pump is changed by hand now and then. " * 300
    calls = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        chunks = chunked(text)
    finally:
        sys.setprofile(None)

    assert len(chunks) > 5
    assert calls < text.count(" ")
