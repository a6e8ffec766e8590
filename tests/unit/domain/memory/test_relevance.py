"""Which memories belong into a prompt, and how they share its room."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from domain.memory.recollection import Recollection, RecollectionId, RecollectionKind
from domain.memory.relevance import bm25, choose, fitting, overlap, overlaps, rank
from tests.unit.domain.memory.memories import NOW, memory

EPISODE: Final = RecollectionKind.EPISODE


def ranked(items: list[Recollection], question: str, **similar: float) -> list[int]:
    similarities = {RecollectionId(int(key[1:])): value for key, value in similar.items()}
    found = rank(items, terms=question.split(), similarities=similarities, now=NOW)
    return [each.item.id for each in found]


def test_rare_words_that_the_question_shares_count_most() -> None:
    items = [
        memory(1, "the user has a dog"),
        memory(2, "the user has a boat"),
        memory(3, "the user has a house and a garden"),
    ]

    assert bm25(items, ["boat"])[items[1].id] > 0
    assert bm25(items, ["boat"])[items[0].id] == 0
    assert ranked(items, "a boat")[0] == 2


def test_both_rankings_together_beat_one_of_them() -> None:
    items = [memory(1, "boat"), memory(2, "vessel"), memory(3, "boat vessel")]

    assert ranked(items, "boat", _2=0.9, _3=0.8)[0] == 3


def test_statements_are_shown_in_any_case_but_episodes_only_if_they_fit() -> None:
    items = [memory(1, "no meat"), memory(2, "we spoke about ships", kind=EPISODE)]

    assert ranked(items, "weather") == [1]
    assert set(ranked(items, "ships")) == {1, 2}
    assert ranked(items, "weather", _2=0.1) == [1]


def test_episodes_fade_and_preferences_do_not() -> None:
    old = NOW - timedelta(days=60)
    fresh, faded = (memory(1, "ships sail", kind=EPISODE, updated_at=at) for at in (NOW, old))
    kept, also_kept = (
        memory(1, "ships sail", kind=RecollectionKind.PREFERENCE, updated_at=at)
        for at in (NOW, old)
    )

    def score(item: Recollection) -> float:
        return rank([item], terms=["ships"], similarities={}, now=NOW)[0].score

    assert score(faded) * 3.9 < score(fresh) < score(faded) * 4.1
    assert score(kept) == score(also_kept)


def test_importance_and_brevity_count() -> None:
    plain, important = memory(1, "ships"), memory(2, "ships", importance=1.0)
    long = memory(3, "ships " + "and more " * 100)

    assert ranked([plain, important, long], "ships")[0] == 2
    assert ranked([plain, long], "ships")[0] == 1


def test_what_was_superseded_is_never_shown() -> None:
    gone = memory(1, "ships", superseded_by=RecollectionId(2))

    assert ranked([gone, memory(2, "boats")], "ships", _1=1.0) == [2]


def test_likenesses_of_what_was_picked_come_later() -> None:
    items = [
        memory(1, "likes red ships"),
        memory(2, "likes red ships too"),
        memory(3, "ships make the user seasick"),
    ]
    found = rank(items, terms=["ships", "red"], similarities={}, now=NOW)

    chosen = choose(found, terms=["ships"], room=1000, count=len, likeness=overlaps)

    assert [each.item.id for each in chosen] == [1, 3, 2]


def test_the_room_is_never_exceeded_and_no_memory_takes_it_all() -> None:
    items = [memory(at, f"{at} " + "word " * 50) for at in range(1, 8)]
    found = rank(items, terms=["word"], similarities={}, now=NOW)

    chosen = choose(found, terms=["word"], room=400, count=len, likeness=overlaps)

    assert sum(len(each.text) for each in chosen) <= 400
    assert max(len(each.text) for each in chosen) <= 200
    assert choose(found, terms=[], room=0, count=len, likeness=overlaps) == []


def test_long_texts_are_cut_to_the_sentences_that_matter() -> None:
    text = "We met. The ship leaves at nine. It rained a lot that day. Bring the ship papers."

    cut = fitting(text, terms=["ship"], room=52, count=len)

    assert cut == "The ship leaves at nine. \u2026 Bring the ship papers."
    assert fitting(text, terms=[], room=3, count=len) == ""


def test_what_has_no_words_in_common_is_not_alike() -> None:
    assert overlap(memory(1, "a b"), memory(2, "b c")) == 1 / 3
    assert overlap(memory(1), replace(memory(2), terms=())) == 0.0
