"""Leases, attempts and progress of ingest jobs."""

from datetime import timedelta

import pytest

from domain.knowledge.error import JobLost
from domain.knowledge.job import IngestJob, JobStage, JobState, retry_delay_s
from tests.support.clock import FrozenClock
from tests.support.knowledge.sample import new_job

LEASE = timedelta(seconds=60)


@pytest.fixture
def job(clock: FrozenClock) -> IngestJob:
    return new_job(1, now=clock.now())


def claim(job: IngestJob, clock: FrozenClock) -> None:
    job.claim("worker", now=clock.now(), until=clock.now() + LEASE)


def test_a_lease_keeps_others_away_until_it_ends(job: IngestJob, clock: FrozenClock) -> None:
    claim(job, clock)
    with pytest.raises(JobLost):
        claim(job, clock)

    clock.advance(seconds=60)
    claim(job, clock)

    assert job.state is JobState.RUNNING


def test_a_crash_counts_only_if_nothing_moved(job: IngestJob, clock: FrozenClock) -> None:
    claim(job, clock)
    job.enter(JobStage.INDEX, total=10)
    clock.advance(seconds=60)
    claim(job, clock)
    assert job.attempt == 0

    for _ in range(3):
        clock.advance(seconds=60)
        claim(job, clock)

    assert job.is_exhausted


def test_a_postponed_job_waits_its_delay(job: IngestJob, clock: FrozenClock) -> None:
    claim(job, clock)
    job.postpone(code=1, reason="busy", delay_s=500, now=clock.now())
    clock.advance(seconds=59)
    with pytest.raises(JobLost):
        claim(job, clock)

    clock.advance(seconds=1)
    claim(job, clock)

    assert (job.attempt, job.last_error) == (1, "busy")
    job.advance(cursor=5, done=5)
    assert job.attempt == 0


def test_a_released_job_is_due_without_blame(job: IngestJob, clock: FrozenClock) -> None:
    claim(job, clock)
    job.release(now=clock.now())
    claim(job, clock)

    assert job.attempt == 0


def test_progress_never_falls_and_ends_with_the_activation(
    job: IngestJob, clock: FrozenClock
) -> None:
    claim(job, clock)
    assert job.remaining_s(now=clock.now()) == 300
    clock.advance(seconds=10)
    seen = [job.percent]
    for stage, total in ((JobStage.PARSE, 0), (JobStage.CHUNK, 4), (JobStage.INDEX, 4)):
        job.enter(stage, total=total)
        seen.append(job.percent)
        if stage is JobStage.PARSE:
            # Read once in part, then by another worker from the start.
            for page in (1, 5, 9, 0, 2, 9, 12):
                job.report(done=page, total=12)
                seen.append(job.percent)
            assert seen[-1] == 20
            assert len(set(seen)) > 4
        for done in range(1, total + 1):
            job.advance(cursor=done, done=done)
            seen.append(job.percent)
    job.enter(JobStage.ACTIVATE)
    seen.append(job.percent)
    assert job.remaining_s(now=clock.now()) == 1

    job.enter(JobStage.COLLECT)

    assert seen == sorted(seen)
    assert max(seen) == 99
    assert job.percent == 100
    assert job.remaining_s(now=clock.now()) == 0


def test_pages_that_were_read_do_not_forgive_a_crash(job: IngestJob, clock: FrozenClock) -> None:
    claim(job, clock)
    job.enter(JobStage.PARSE)
    job.postpone(code=1, reason="x", delay_s=0, now=clock.now())
    job.report(done=3, total=4)
    assert job.attempt == 1


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
