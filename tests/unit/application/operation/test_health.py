"""Readiness: every part is asked, none can hang or hide the others."""

import asyncio

from application.operation.health import DRAINING, Drain, HealthService
from domain.shared.error import Unavailable


async def _fine() -> None:
    return


async def test_all_parts_fine_means_ready() -> None:
    readiness = await HealthService(probes={"database": _fine}, drain=Drain()).readiness()

    assert readiness.ready
    assert readiness.parts == {"database": "ok"}


async def test_a_part_that_fails_or_hangs_is_named_beside_the_others() -> None:
    async def broken() -> None:
        raise Unavailable("The disk is full.")

    async def defect() -> None:
        raise ZeroDivisionError

    async def hangs() -> None:
        await asyncio.Event().wait()

    probes = {"a": broken, "b": defect, "c": hangs, "d": _fine}
    readiness = await HealthService(probes=probes, drain=Drain(), timeout_s=0.01).readiness()

    assert not readiness.ready
    assert readiness.parts == {
        "a": "The disk is full.",
        "b": "failed",
        "c": "no answer in time",
        "d": "ok",
    }


async def test_answers_are_kept_for_a_while_and_shared_by_callers() -> None:
    asked = 0

    async def count() -> None:
        nonlocal asked
        asked += 1

    health = HealthService(probes={"a": count}, drain=Drain())
    await asyncio.gather(*(health.readiness() for _ in range(10)))

    assert asked == 1


async def test_draining_shows_at_once_whatever_was_kept() -> None:
    drain = Drain()
    health = HealthService(probes={"a": _fine}, drain=drain)
    await health.readiness()

    drain.begin()

    readiness = await health.readiness()
    assert not readiness.ready
    assert readiness.parts == {"process": DRAINING}


def test_who_listens_is_told_once_that_the_process_leaves() -> None:
    drain = Drain()
    told: list[bool] = []
    drain.listen(lambda: told.append(drain.is_leaving))

    drain.leave()
    drain.begin()

    assert told == [True]
    assert drain.is_on


class Part:
    """Works or not, as told."""

    def __init__(self) -> None:
        self.works = True

    async def probe(self) -> None:
        if not self.works:
            raise Unavailable("The part is gone.")


async def test_a_part_that_worked_is_forgiven_one_failure() -> None:
    part = Part()
    health = HealthService(probes={"part": part.probe}, drain=Drain(), cache_s=0)
    assert (await health.readiness()).ready

    part.works = False
    assert (await health.readiness()).ready
    assert not (await health.readiness()).ready

    part.works = True
    assert (await health.readiness()).ready


async def test_what_others_can_do_without_only_degrades() -> None:
    part = Part()
    part.works = False
    health = HealthService(
        probes={"database": _fine},
        helpful={"index": part.probe},
        notes={"sandbox": lambda: "no kernel for it"},
        drain=Drain(),
    )

    readiness = await health.readiness()

    assert (readiness.ready, readiness.status) == (True, "degraded")
    assert readiness.parts == {
        "database": "ok",
        "index": "The part is gone.",
        "sandbox": "no kernel for it",
    }


async def test_having_started_is_for_ever() -> None:
    part = Part()
    part.works = False
    health = HealthService(probes={"part": part.probe}, drain=Drain(), cache_s=0)
    assert not await health.has_started()

    part.works = True
    assert await health.has_started()

    part.works = False
    await health.readiness()
    assert not (await health.readiness()).ready
    assert await health.has_started()


async def test_a_loop_that_does_not_turn_is_not_alive() -> None:
    lag_s = 0.1
    health = HealthService(probes={}, drain=Drain(), lag_s=lambda: lag_s)
    assert health.is_live

    lag_s = 6.0
    assert not health.is_live
