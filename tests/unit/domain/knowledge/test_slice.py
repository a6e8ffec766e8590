"""Slices, knowledge bases and which errors are worth a retry."""

import pytest

from domain.knowledge.error import (
    ContentTooLarge,
    DatasetNotFound,
    KnowledgeInvalid,
    ResegmentRefused,
    SlicePositionUnfit,
    SourceUnavailable,
    WorkLost,
    is_retryable,
)
from domain.knowledge.event import DataDeleted, SliceChanged
from domain.knowledge.slice import SMALLEST_GAP, check_position, section_id, sequence_between
from domain.knowledge.value import DatasetStatus, DocumentId, SliceStatus
from domain.shared.error import AppError, Unavailable
from tests.support.clock import FrozenClock
from tests.support.knowledge.sample import OWNER, new_dataset, new_slice


def test_an_edit_waits_for_the_index_and_says_so(clock: FrozenClock) -> None:
    item = new_slice(1, now=clock.now(), content="ab")
    item.mark_indexed()

    assert item.edit("abcde", now=clock.now(), actor_id=OWNER) == 3

    assert item.status is SliceStatus.PENDING
    (event,) = item.pull_events()
    assert isinstance(event, SliceChanged)
    assert event.slice_id == item.id


@pytest.mark.parametrize("content", ["", " \n", "\ud800"])
def test_a_slice_is_some_valid_text(clock: FrozenClock, content: str) -> None:
    with pytest.raises(KnowledgeInvalid):
        new_slice(1, now=clock.now(), content=content)


def test_a_slice_is_limited_in_bytes(clock: FrozenClock) -> None:
    new_slice(1, now=clock.now(), content="汉" * 21845)
    with pytest.raises(ContentTooLarge):
        new_slice(1, now=clock.now(), content="汉" * 21846)


def test_sequences_lie_between_their_neighbours() -> None:
    assert sequence_between(None, None) == 1
    assert sequence_between(4.5, None) == 5
    assert sequence_between(None, 1.0) == 0.5
    assert sequence_between(1.0, 2.0) == 1.5
    assert sequence_between(1.0, 1.0 + SMALLEST_GAP / 2) is None


@pytest.mark.parametrize("position", [0, -1, 5])
def test_positions_reach_to_one_behind_the_last(position: int) -> None:
    with pytest.raises(SlicePositionUnfit):
        check_position(position, count=3)
    check_position(4, count=3)


def test_a_disabled_base_is_not_searched(clock: FrozenClock) -> None:
    dataset = new_dataset(now=clock.now())
    dataset.switch(is_enabled=False, now=clock.now(), actor_id=OWNER)

    assert (dataset.status, dataset.is_searchable) == (DatasetStatus.DISABLED, False)


def test_a_base_is_deleted_once(clock: FrozenClock) -> None:
    dataset = new_dataset(now=clock.now())
    dataset.delete(now=clock.now(), actor_id=OWNER)

    assert isinstance(dataset.pull_events()[-1], DataDeleted)
    with pytest.raises(DatasetNotFound):
        dataset.delete(now=clock.now(), actor_id=OWNER)


def test_what_the_first_slice_was_embedded_with_stays(clock: FrozenClock) -> None:
    dataset = new_dataset(now=clock.now())
    dataset.fix_embedding(model="a", dimensions=3)
    dataset.fix_embedding(model="b", dimensions=4)

    assert (dataset.embedding_model, dataset.embedding_dimensions) == ("a", 3)


@pytest.mark.parametrize("name", ["", "  ", "x" * 101])
def test_names_of_bases_are_bounded(clock: FrozenClock, name: str) -> None:
    with pytest.raises(KnowledgeInvalid):
        new_dataset(now=clock.now(), name=name)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (Unavailable("x"), True),
        (SourceUnavailable("x"), True),
        (WorkLost("x"), True),
        (ResegmentRefused("x"), False),
        (KnowledgeInvalid("x"), False),
        (DatasetNotFound("x"), False),
    ],
)
def test_only_what_may_pass_is_tried_again(error: AppError, expected: bool) -> None:
    assert is_retryable(error) is expected


def test_a_section_has_one_id_in_every_attempt_and_another_one_elsewhere() -> None:
    one = section_id(DocumentId(1), 2, 3)
    others = {
        section_id(DocumentId(document), generation, section)
        for document, generation, section in [(1, 2, 4), (1, 3, 3), (2, 2, 3)]
    }

    assert section_id(DocumentId(1), 2, 3) == one
    assert 0 < one < 2**63
    assert len(others - {one}) == 3
