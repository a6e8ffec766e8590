"""Runs of workspaces with limits of their own."""

import pytest

from application.run.allowance import RunAllowance
from domain.shared.capacity.space_limits import NONE_OF_ITS_OWN, SpaceLimits
from domain.shared.error import InvalidRequest, RateLimited
from domain.shared.ids import SpaceId
from tests.support.clock import FrozenClock

LIMITED, OTHER = SpaceId(7), SpaceId(8)


def allowance(clock: FrozenClock, **limits: int) -> RunAllowance:
    own = {int(LIMITED): SpaceLimits(**limits)}
    return RunAllowance(clock=clock, limits_of=lambda space: own.get(space, NONE_OF_ITS_OWN))


def test_a_workspace_without_limits_of_its_own_is_never_refused(clock: FrozenClock) -> None:
    runs = allowance(clock, runs=1, runs_per_min=1)
    for running in range(100):
        runs.take(OTHER, running=running)


def test_as_many_are_in_progress_as_the_workspace_may_have(clock: FrozenClock) -> None:
    runs = allowance(clock, runs=2)
    runs.take(LIMITED, running=1)
    with pytest.raises(RateLimited) as refused:
        runs.take(LIMITED, running=2)
    assert refused.value.context["limit"] == "runs"
    assert refused.value.retry_after_s


def test_as_many_begin_within_a_minute_as_the_workspace_may_begin(clock: FrozenClock) -> None:
    runs = allowance(clock, runs_per_min=2)
    runs.take(LIMITED, running=0)
    runs.take(LIMITED, running=0)
    with pytest.raises(RateLimited) as refused:
        runs.take(LIMITED, running=0)
    assert refused.value.retry_after_s == pytest.approx(30)
    clock.advance(seconds=30)
    runs.take(LIMITED, running=0)


@pytest.mark.parametrize("value", [-1, 2**53])
def test_limits_that_mean_nothing_are_refused(value: int) -> None:
    with pytest.raises(InvalidRequest):
        SpaceLimits(files=value)
