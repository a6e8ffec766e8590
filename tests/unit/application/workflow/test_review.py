"""The order in which files are imported that call each other."""

from hypothesis import given
from hypothesis import strategies as st

from application.workflow.definition.review import called_first

CALLS = st.integers(1, 12).flatmap(
    lambda count: st.lists(
        st.sets(st.integers(0, count - 1), max_size=4), min_size=count, max_size=count
    )
)


@given(CALLS)
def test_every_file_comes_once(calls: list[set[int]]) -> None:
    assert sorted(called_first(calls)) == list(range(len(calls)))


@given(CALLS)
def test_whatever_is_called_comes_first(calls: list[set[int]]) -> None:
    acyclic = [{each for each in found if each < at} for at, found in enumerate(calls)]
    shuffled = [{len(calls) - 1 - each for each in found} for found in reversed(acyclic)]

    order = called_first(shuffled)

    for at, found in enumerate(shuffled):
        assert all(order.index(each) < order.index(at) for each in found)


def test_files_that_call_nothing_stay_as_given() -> None:
    assert called_first([set(), set(), set()]) == (0, 1, 2)
