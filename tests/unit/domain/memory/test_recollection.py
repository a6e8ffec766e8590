"""Memories are corrected by people, confirmed, replaced, and make room."""

from dataclasses import replace
from datetime import timedelta

import pytest

from domain.memory.error import RecollectionInvalid
from domain.memory.extraction import MAX_STATEMENTS, Statement, read_statements
from domain.memory.merging import merged
from domain.memory.recollection import (
    Origin,
    Recollection,
    RecollectionId,
    RecollectionKind,
    decay,
    least_worth,
)
from tests.unit.domain.memory.memories import NOW, memory


def meets(
    new: Recollection,
    *known: Recollection,
    near: bool = False,
    replaces: Recollection | None = None,
) -> list[Recollection]:
    return merged(new, known, is_near=lambda _: near, replaces=replaces, now=NOW)


def test_what_is_new_stands_beside_what_is_known() -> None:
    assert meets(memory(2, "has a dog"), memory(1, "lives in Oslo")) == [memory(2, "has a dog")]


def test_the_same_said_again_confirms() -> None:
    (kept,) = meets(memory(2, "has a dog", importance=0.9), memory(1, "has a dog"), near=True)

    assert (kept.id, kept.importance) == (1, 0.9)


def test_nearly_the_same_is_superseded() -> None:
    new, old = meets(memory(2, "has two dogs"), memory(1, "has a dog"), near=True)

    assert (new.id, old.id, old.superseded_by) == (2, 1, 2)
    assert not old.is_active


def test_what_a_person_wrote_is_not_replaced_by_a_likeness() -> None:
    mine = memory(1, "eats fish", origin=Origin.PERSON)

    assert [each.id for each in meets(memory(2, "eats no meat"), mine, near=True)] == [1]
    ended = meets(memory(2, "eats meat again"), mine, replaces=mine)
    assert [(each.id, each.superseded_by) for each in ended] == [(2, None), (1, 2)]


def test_episodes_and_what_is_gone_are_not_merged_with() -> None:
    episode = memory(1, "has a dog", kind=RecollectionKind.EPISODE)
    gone = memory(2, "has a dog", superseded_by=RecollectionId(9))

    assert [each.id for each in meets(memory(3, "has a dog"), episode, gone, near=True)] == [3]
    assert [each.id for each in meets(memory(3, "x"), gone, replaces=gone)] == [3]


def test_corrections_are_checked_and_need_a_new_embedding() -> None:
    item = memory(1, "has a dog", vector=b"v", embedding="m")

    changed = item.corrected(
        text=" has a cat ", importance=None, terms=["cat"], max_chars=20, now=NOW
    )

    assert (changed.text, changed.vector, changed.origin) == ("has a cat", b"", Origin.PERSON)
    for text, importance in (("", None), ("x" * 21, None), ("a\0", None), ("x", 1.5), ("x", -1)):
        with pytest.raises(RecollectionInvalid):
            item.corrected(text=text, importance=importance, terms=[], max_chars=20, now=NOW)


def test_what_counts_least_makes_room() -> None:
    day = timedelta(days=1)
    gone = memory(1, superseded_by=RecollectionId(9), importance=1.0)
    episode = memory(2, kind=RecollectionKind.EPISODE, last_used_at=NOW - 90 * day)
    stale = memory(3, importance=0.5, last_used_at=NOW - 90 * day)
    fresh = memory(4, importance=0.5)
    written = memory(5, importance=0.1, origin=Origin.PERSON, last_used_at=NOW - 900 * day)
    items = [written, fresh, stale, episode, gone]

    assert [each.id for each in least_worth(items, keep=1, now=NOW)] == [1, 2, 3, 4]
    assert least_worth(items, keep=5, now=NOW) == ()
    assert decay(30 * day) == pytest.approx(0.5)
    assert decay(-day) == 1.0


def test_statements_are_read_from_whatever_a_model_writes() -> None:
    text = (
        "<think>[1, 2]</think>Sure [see below]:\n```json\n"
        '[{"text": "Has a  dog.", "kind": "FACT", "importance": 3, "replaces": 2},'
        ' "Likes tea.", {"fact": "Moves in May", "kind": "event", "importance": "high"},'
        ' {"kind": "fact"}, 7, null, {"text": "has a dog."}]\n```'
    )

    assert read_statements(text) == (
        Statement(text="Has a dog.", importance=1.0, replaces=2),
        Statement(text="Likes tea."),
        Statement(text="Moves in May", kind=RecollectionKind.EVENT),
    )


@pytest.mark.parametrize(
    "text",
    ["", "[]", "Nothing.", "[" * 9000, '{"text": "x"}', '[{"text": ""}]', "[1, true]", "[{]"],
)
def test_nothing_is_the_usual_answer(text: str) -> None:
    assert read_statements(text) == ()


def test_statements_are_bounded() -> None:
    many = "[" + ",".join(f'"{number} {"x" * 900}"' for number in range(30)) + "]"

    found = read_statements(many)

    assert len(found) == MAX_STATEMENTS
    assert max(len(each.text) for each in found) == 500
    assert read_statements('[{"text": "a", "importance": NaN, "replaces": true}]') == (
        Statement(text="a"),
    )
    assert replace(found[0], text="") == Statement(text="")
