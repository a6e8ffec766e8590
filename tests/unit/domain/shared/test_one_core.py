"""Threads share a core while they would only wake each other up, and nobody else would gain."""

from typing import Final

import pytest

from domain.shared.capacity.one_core import OneCore

OFTEN_S: Final = 0.00005
SELDOM_S: Final = 0.001


class Bench:
    """A process whose load is told, ten times a second."""

    def __init__(self) -> None:
        self.told: list[bool] = []
        self.core = OneCore(self.told.append)
        self._looks = 0

    def look(self, load: float, run_s: float, *, for_s: float = 0.1) -> list[bool]:
        """Return what was told meanwhile."""
        self.told.clear()
        for _ in range(round(for_s / 0.1)):
            self._looks += 1
            self.core.look(load=load, run_s=run_s, now=self._looks / 10)
        return list(self.told)


@pytest.mark.parametrize("load", [0.6, 0.9, 1.6])
def test_busy_threads_that_wait_often_are_brought_together(load: float) -> None:
    bench = Bench()

    assert bench.look(load, OFTEN_S, for_s=2.0) == [True]
    assert bench.core.is_shared


@pytest.mark.parametrize("load", [0.6, 1.6])
def test_threads_that_compute_for_long_stay_on_all_cores(load: float) -> None:
    assert Bench().look(load, SELDOM_S, for_s=10.0) == []


def test_a_process_with_little_to_do_stays_on_all_cores() -> None:
    assert Bench().look(0.3, OFTEN_S, for_s=10.0) == []


def test_they_are_let_go_as_soon_as_there_is_little_to_do() -> None:
    bench = Bench()
    bench.look(0.9, OFTEN_S)

    assert bench.look(0.3, OFTEN_S) == []
    assert bench.look(0.1, OFTEN_S) == [False]
    assert bench.look(0.3, OFTEN_S) == []


def test_now_and_then_they_are_let_go_for_one_look() -> None:
    bench = Bench()
    bench.look(0.9, OFTEN_S)

    told = bench.look(0.9, OFTEN_S, for_s=30.0)

    assert told == [False, True] * 9
    assert bench.core.is_shared


def test_what_they_do_is_judged_by_how_it_is_on_all_cores() -> None:
    bench = Bench()
    bench.look(0.9, OFTEN_S)

    # On one core they wait less: that alone does not let them go.
    assert bench.look(0.9, SELDOM_S, for_s=1.0) == []
    assert bench.look(0.9, SELDOM_S, for_s=5.0) == [False]
