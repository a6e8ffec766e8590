"""Long work of every kind: claimed by one, retried, given back, given up."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from domain.knowledge.copying import DatasetCopy
from domain.knowledge.error import WorkLost
from domain.knowledge.job import IngestJob, JobStage
from domain.knowledge.rebuild import Rebuild
from domain.knowledge.value import DocumentId, SliceId
from domain.knowledge.work import LongWork, retry_delay_s
from tests.support.knowledge.sample import new_job
from tests.support.knowledge.work import new_copy, new_preview, new_rebuild

NOW = datetime(2030, 5, 1, 9, 0, tzinfo=UTC)
LEASE = timedelta(seconds=60)


def step(work: LongWork) -> None:
    """Do something of it; a preview is read at once or not at all."""
    match work:
        case IngestJob():
            work.enter(JobStage.PARSE)
        case Rebuild():
            work.advance(SliceId(1), count=1)
        case DatasetCopy():
            work.advance(DocumentId(1))
        case _:
            raise AssertionError(work)


MOVING: list[Callable[[], LongWork]] = [
    lambda: new_job(1, now=NOW),
    lambda: new_rebuild(now=NOW),
    lambda: new_copy(now=NOW),
]
KINDS = [*MOVING, lambda: new_preview(now=NOW)]
each_kind = pytest.mark.parametrize("make", KINDS, ids=["job", "rebuild", "copy", "preview"])
each_moving = pytest.mark.parametrize("make", MOVING, ids=["job", "rebuild", "copy"])


def claim(work: LongWork, now: datetime) -> datetime:
    """Claim it; return when that ends."""
    work.claim("worker", now=now, until=now + LEASE)
    return now + LEASE


@each_kind
def test_a_lease_keeps_others_away_until_it_ends(make: Callable[[], LongWork]) -> None:
    work = make()
    end = claim(work, NOW)
    with pytest.raises(WorkLost):
        claim(work, NOW)

    claim(work, end)

    assert (work.is_open, work.lease_until) == (True, end + LEASE)


@each_moving
def test_tries_count_until_something_is_done(make: Callable[[], LongWork]) -> None:
    work = make()
    now = NOW
    for _ in range(work.MAX_ATTEMPTS):
        assert not work.is_last_try
        now = claim(work, now)
    assert (work.is_last_try, work.is_worn_out) == (True, False)

    step(work)

    assert not work.is_last_try
    for _ in range(work.MAX_ATTEMPTS + 1):
        assert not work.is_worn_out
        now = claim(work, now)
    assert work.is_worn_out


@each_moving
def test_a_failure_after_a_step_is_the_first_one(make: Callable[[], LongWork]) -> None:
    work = make()
    claim(work, NOW)
    step(work)
    work.postpone(code=1, reason="busy", delay_s=0, now=NOW)

    assert (work.attempt, work.last_error) == (1, "busy")


@each_kind
def test_postponed_work_waits_its_delay(make: Callable[[], LongWork]) -> None:
    work = make()
    claim(work, NOW)
    work.postpone(code=1, reason="b" * 900, delay_s=500, now=NOW)
    with pytest.raises(WorkLost):
        claim(work, NOW + timedelta(seconds=59))

    claim(work, NOW + timedelta(seconds=60))

    assert (work.attempt, len(work.last_error)) == (2, 500)


@each_kind
def test_released_work_is_due_without_blame(make: Callable[[], LongWork]) -> None:
    work = make()
    claim(work, NOW)
    work.release(now=NOW)
    claim(work, NOW)

    assert (work.attempt, work.last_error) == (1, "")


@each_kind
def test_work_that_ended_is_nobodys_and_never_due(make: Callable[[], LongWork]) -> None:
    for has_failed in (False, True):
        work = make()
        claim(work, NOW)
        if has_failed:
            work.fail(code=7, reason="broken", now=NOW)
        else:
            work.finish(now=NOW)

        assert (work.is_open, work.lease_owner, work.finished_at) == (False, "", NOW)
        assert work.state == (work.FAILED if has_failed else work.DONE)
        with pytest.raises(WorkLost):
            claim(work, NOW + timedelta(days=1))


@pytest.mark.parametrize(
    ("attempt", "jitter", "wish", "delay"),
    [(1, 0, None, 1), (2, 0, None, 2), (3, 1, None, 4.8), (1, -1, None, 0.8), (1, 0, 7, 7)],
)
def test_delays_double_and_a_longer_wish_wins(
    attempt: int, jitter: float, wish: float | None, delay: float
) -> None:
    assert retry_delay_s(attempt, jitter=jitter, retry_after_s=wish) == pytest.approx(delay)


def test_no_delay_is_longer_than_a_minute() -> None:
    assert retry_delay_s(9, jitter=1, retry_after_s=3600) == 60
