"""Whose code is expected to take long."""

from infra.impl.code_runner.runner import LongRuns


class Runs:
    """Runs of a time that tests choose."""

    def __init__(self, *, remembered: int = 10) -> None:
        self._now = 0.0
        self._long_runs = LongRuns(remembered=remembered, clock=lambda: self._now)

    def is_expected_to_be_long(self, space: int, *, takes_s: float, is_behind: bool) -> bool:
        with self._long_runs.noted(space, lambda: is_behind) as is_long:
            self._now += takes_s
        return is_long


def test_the_last_run_tells_of_the_next() -> None:
    runs = Runs()

    assert not runs.is_expected_to_be_long(1, takes_s=5.0, is_behind=True)
    assert runs.is_expected_to_be_long(1, takes_s=0.05, is_behind=True)
    assert not runs.is_expected_to_be_long(1, takes_s=5.0, is_behind=True)


def test_who_kept_nobody_waiting_is_not_remembered() -> None:
    runs = Runs()
    runs.is_expected_to_be_long(1, takes_s=5.0, is_behind=False)
    runs.is_expected_to_be_long(2, takes_s=5.0, is_behind=True)

    assert not runs.is_expected_to_be_long(1, takes_s=5.0, is_behind=False)
    assert runs.is_expected_to_be_long(2, takes_s=5.0, is_behind=True)


def test_so_many_are_remembered() -> None:
    runs = Runs(remembered=2)
    for space in (1, 2, 3):
        runs.is_expected_to_be_long(space, takes_s=5.0, is_behind=True)

    assert not runs.is_expected_to_be_long(1, takes_s=0.0, is_behind=False)
    assert runs.is_expected_to_be_long(3, takes_s=0.0, is_behind=False)
