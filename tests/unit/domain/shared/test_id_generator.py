"""Identifiers."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.shared.id_generator import IdGenerator, first_id_at
from tests.support.clock import FrozenClock

START = datetime(2030, 5, 1, 9, 0, tzinfo=UTC)


def test_an_id_of_today_has_19_digits() -> None:
    for year in (2025, 2039):
        clock = FrozenClock(datetime(year, 1, 1, tzinfo=UTC))
        assert len(str(IdGenerator(clock=clock, node=1023).next_id())) == 19


@given(st.lists(st.integers(min_value=-5_000, max_value=5_000), max_size=60))
def test_ids_grow_whatever_the_clock_does(steps_ms: list[int]) -> None:
    clock = FrozenClock(START)
    ids = IdGenerator(clock=clock)
    drawn = [ids.next_id()]
    for step in steps_ms:
        clock.instant += timedelta(milliseconds=step)
        drawn += [ids.next_id() for _ in range(3)]

    assert drawn == sorted(set(drawn))
    assert all(0 < number < 2**63 for number in drawn)


def test_an_id_tells_before_which_moment_it_was_drawn() -> None:
    clock = FrozenClock(START)
    ids = IdGenerator(clock=clock, node=1023)
    before = ids.next_id()
    clock.advance(milliseconds=1)

    assert before < first_id_at(clock.now()) <= ids.next_id()


def test_more_ids_than_a_millisecond_holds_are_still_distinct(clock: FrozenClock) -> None:
    ids = IdGenerator(clock=clock)
    drawn = [ids.next_id() for _ in range(10_000)]

    assert drawn == sorted(set(drawn))


def test_nodes_never_draw_the_same_id(clock: FrozenClock) -> None:
    drawn = [IdGenerator(clock=clock, node=node).next_id() for node in (0, 1, 512, 1023)]

    assert len(set(drawn)) == 4


def test_ids_keep_growing_after_a_change_of_the_node(clock: FrozenClock) -> None:
    ids, other = (IdGenerator(clock=clock, node=node) for node in (7, 5))
    drawn = [ids.next_id(), ids.next_id()]
    ids.move_to(3)
    drawn += [ids.next_id(), ids.next_id(), other.next_id()]

    assert drawn[:4] == sorted(set(drawn[:4]))
    assert len(set(drawn)) == 5
    with pytest.raises(ValueError, match="node"):
        ids.move_to(1024)


def test_threads_never_draw_the_same_id(clock: FrozenClock) -> None:
    ids = IdGenerator(clock=clock)
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda _: ids.next_id(), range(5_000)))

    assert len(set(drawn)) == 5_000


@pytest.mark.parametrize("node", [-1, 1024])
def test_a_node_outside_its_bits_is_refused(clock: FrozenClock, node: int) -> None:
    with pytest.raises(ValueError, match="node"):
        IdGenerator(clock=clock, node=node)


def test_a_clock_beyond_the_range_is_an_error_and_not_a_negative_id() -> None:
    with pytest.raises(OverflowError):
        IdGenerator(clock=FrozenClock(datetime(2040, 1, 1, tzinfo=UTC))).next_id()
