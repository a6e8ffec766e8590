"""What goes into a prompt: no doubles, context, not too long."""

import math
import re

from hypothesis import given
from hypothesis import strategies as st

from domain.knowledge.ranking.selection import (
    Passage,
    Piece,
    Source,
    content_key,
    estimate_tokens,
    shortened,
    top,
    widened,
    within_tokens,
    without_doubles,
)


def passage(number: int, content: str = "", source: Source = "full_text") -> Passage:
    return Passage(
        slice_id=number,
        document_id=1,
        knowledge_id=1,
        content=content or f"text {number}",
        source=source,
    )


def ids(passages: list[Passage]) -> list[int]:
    return [one.slice_id for one in passages]


def test_equal_texts_appear_once_and_name_the_others() -> None:
    found = list(
        without_doubles(
            [
                passage(1, "Oil, 1973!"),
                passage(2, "other"),
                passage(3, "oil 1973"),
                passage(4, "Oil1973"),
            ]
        )
    )

    assert ids(found) == [1, 2, 3]
    assert found[0].also_in == (4,)


def test_the_first_knows_all_its_doubles_before_the_rest_is_read() -> None:
    contents = ["Oil, 1973!", "Oil crisis", *["other"] * 5, "Oil1973"]
    found = without_doubles([passage(at, text) for at, text in enumerate(contents, 1)])

    assert next(found).also_in == (8,)
    assert next(found).also_in == ()
    assert next(found).also_in == (4, 5, 6, 7)


def test_a_slice_found_twice_is_not_its_own_double() -> None:
    (one,) = without_doubles([passage(1), passage(1)])

    assert one.also_in == ()


@given(
    st.lists(
        st.builds(
            str.__add__,
            st.sampled_from(
                ["", " " * 210, "abc" * 9, "abc " * 9, "水泵的油。" * 60, "<img src=a>"]
            ),
            st.sampled_from(["", "x", "x!", "X", "y" * 300, "?", "y" * 299]),
        ).filter(str.strip),
        max_size=8,
    )
)
def test_doubles_are_those_of_one_key_however_they_begin(contents: list[str]) -> None:
    found = without_doubles([passage(at, content) for at, content in enumerate(contents, 1)])

    keys: dict[str, list[int]] = {}
    for at, content in enumerate(contents, 1):
        keys.setdefault(content_key(content), []).append(at)
    assert [(one.slice_id, *one.also_in) for one in found] == list(map(tuple, keys.values()))


@given(st.text())
def test_each_letter_beyond_ascii_is_a_token(text: str) -> None:
    letters = sum(one.isalnum() and not one.isascii() for one in text)
    words = len(re.findall("[A-Za-z0-9]+", text))

    assert estimate_tokens(text) == math.ceil(1.3 * words + letters)


@given(st.text())
def test_a_key_has_letters_and_digits_alone(text: str) -> None:
    letters = "".join(filter(str.isalnum, text))

    assert content_key(f"{text}a") == content_key(f"{letters}a")


def test_images_and_signs_tell_texts_apart() -> None:
    image = '<img src="{}" data-tos-key="{}">'

    assert content_key(image.format("a", "k1")) == content_key(image.format("b", "k1"))
    assert content_key(image.format("", "k1")) != content_key(image.format("", "k2"))
    assert content_key("!!!") != content_key("???")


def test_rows_found_by_sql_are_at_most_half() -> None:
    rows = [passage(n, source="nl2sql") for n in range(1, 6)]
    texts = [passage(n) for n in range(6, 11)]

    assert ids(top([*rows, *texts], 5)) == [1, 2, 3, 6, 7]
    assert ids(top(rows, 5)) == [1, 2, 3, 4, 5]
    assert ids(top([*texts, *rows], 3)) == [6, 7, 8]
    assert ids(top([*rows, *texts[:1]], 5)) == [1, 2, 3, 6]


def test_neighbours_join_once_without_the_overlap() -> None:
    pieces = [
        Piece(slice_id=1, content="One. Two."),
        Piece(slice_id=2, content="Two. Three.", lead=5, glue=" "),
        Piece(slice_id=3, content="Four.", glue="\n\n"),
    ]
    around = {2: pieces, 3: pieces[1:], 9: []}

    found = widened([passage(2), passage(3), passage(9)], around)

    assert ids(found) == [2, 9]
    assert found[0].content == "One. Two. Three.\n\nFour."
    assert found[0].joined == (1, 3)
    assert found[1].content == "text 9"


def test_a_better_passage_keeps_its_neighbours_to_itself() -> None:
    pieces = [Piece(slice_id=n, content=f"<{n}>", glue="") for n in range(1, 6)]

    found = widened([passage(2), passage(4)], {2: pieces[:3], 4: pieces[2:]})

    assert [one.content for one in found] == ["<1><2><3>", "<4><5>"]


def test_tokens_are_estimated_by_words_and_letters() -> None:
    assert estimate_tokens("ten words " * 5) == 13
    assert estimate_tokens("石油危机。") == 4
    assert estimate_tokens("") == 0


def test_what_does_not_fit_is_skipped_and_smaller_ones_follow() -> None:
    passages = [passage(1, "a " * 10), passage(2, "b " * 100), passage(3, "c " * 5)]

    assert ids(within_tokens(passages, 25)) == [1, 3]


def test_the_first_is_never_dropped_but_ends_with_a_sentence() -> None:
    text = "One two three. Four five six. Seven eight nine."

    (first,) = within_tokens([passage(1, text), passage(2, "long " * 50)], 9)

    assert first.content == "One two three. Four five six."


@given(st.text(min_size=1), st.integers(1, 50))
def test_shortened_texts_fit_and_are_beginnings(text: str, limit: int) -> None:
    short = shortened(text, limit)

    assert text.startswith(short)
    assert estimate_tokens(short) <= max(limit, estimate_tokens(text[:1]))


@given(st.lists(st.text(min_size=1, max_size=80), min_size=1, max_size=8), st.integers(2, 60))
def test_the_budget_is_kept(texts: list[str], limit: int) -> None:
    found = within_tokens([passage(n, text) for n, text in enumerate(texts)], limit)

    assert found[0].slice_id == 0
    assert sum(estimate_tokens(one.content) for one in found) <= limit
    assert ids(found) == sorted(ids(found))
