"""Leases, attempts and progress of ingest jobs."""

import random
from datetime import timedelta
from itertools import pairwise

import pytest

from domain.knowledge.job import (
    UNKNOWN_REMAINING_S,
    IngestJob,
    JobStage,
)
from tests.support.clock import FrozenClock
from tests.support.knowledge.sample import new_job

LEASE = timedelta(seconds=60)


@pytest.fixture
def job(clock: FrozenClock) -> IngestJob:
    return new_job(1, now=clock.now())


def claim(job: IngestJob, clock: FrozenClock) -> None:
    job.claim("worker", now=clock.now(), until=clock.now() + LEASE)


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


STAGES = ((JobStage.PARSE, 15), (JobStage.CHUNK, 10), (JobStage.INDEX, 70))


@pytest.mark.parametrize("seconds_per_percent", [0.05, 1.0, 40.0])
@pytest.mark.parametrize("seed", range(8))
def test_the_remaining_time_never_grows_while_work_goes_on_as_it_did(
    job: IngestJob, clock: FrozenClock, seconds_per_percent: float, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 - deals steps, protects nothing
    claim(job, clock)
    told: list[int] = []

    def wait(percent: float) -> None:
        """Let the time pass that this much work takes, and look now and then."""
        for _ in range(3):
            clock.advance(seconds=percent * seconds_per_percent / 3)
            told.append(job.remaining_s(now=clock.now()))

    wait(5)
    for stage, own in STAGES:
        total = chance.randint(2, 500)
        job.enter(stage, total=0 if stage is JobStage.PARSE else total)
        job.measure(now=clock.now())
        done = 0
        while done < total:
            more = min(chance.randint(1, max(1, total // 4)), total - done)
            wait(own * more / total)
            done += more
            if stage is JobStage.PARSE:
                job.report(done=done, total=total)
            else:
                job.advance(cursor=done, done=done)
            job.measure(now=clock.now())
            told.append(job.remaining_s(now=clock.now()))
    job.enter(JobStage.ACTIVATE)
    job.measure(now=clock.now())
    told += [job.remaining_s(now=clock.now())]

    known = told[told.index(next(s for s in told if s != UNKNOWN_REMAINING_S)) :]
    assert all(later <= earlier + 1 for earlier, later in pairwise(known)), known  # rounding
    assert known[-1] == 1
    whole_s = 100 * seconds_per_percent
    assert all(seconds <= whole_s + 1 for seconds in known)


def test_the_remaining_time_follows_the_pace_of_each_stage(
    job: IngestJob, clock: FrozenClock
) -> None:
    """A file that comes at once says nothing about its pages, nor these about indexing."""
    claim(job, clock)
    job.enter(JobStage.PARSE)
    job.measure(now=clock.now())
    seen = []
    for page in range(1, 11):
        clock.advance(seconds=3)
        job.report(done=page, total=10)
        job.measure(now=clock.now())
        seen.append(job.remaining_s(now=clock.now()))
    assert seen == sorted(seen, reverse=True)
    job.enter(JobStage.INDEX, total=10)
    job.measure(now=clock.now())
    assert job.remaining_s(now=clock.now()) == seen[-1]
    clock.advance(seconds=1)
    job.advance(cursor=5, done=5)
    job.measure(now=clock.now())
    assert job.remaining_s(now=clock.now()) == 1


def test_another_worker_has_a_pace_of_its_own(job: IngestJob, clock: FrozenClock) -> None:
    claim(job, clock)
    job.enter(JobStage.INDEX, total=100)
    job.measure(now=clock.now())
    clock.advance(seconds=10)
    job.advance(cursor=50, done=50)
    job.measure(now=clock.now())
    assert job.remaining_s(now=clock.now()) == round(10 * 35 / 35)
    clock.advance(seconds=3600)
    claim(job, clock)
    assert job.remaining_s(now=clock.now()) == UNKNOWN_REMAINING_S
    job.advance(cursor=50, done=50)
    job.measure(now=clock.now())
    clock.advance(seconds=1)
    job.advance(cursor=75, done=75)
    job.measure(now=clock.now())
    assert job.remaining_s(now=clock.now()) == 1


def test_pages_that_were_read_do_not_forgive_a_crash(job: IngestJob, clock: FrozenClock) -> None:
    claim(job, clock)
    job.enter(JobStage.PARSE)
    job.postpone(code=1, reason="x", delay_s=0, now=clock.now())
    job.report(done=3, total=4)
    assert job.attempt == 1
