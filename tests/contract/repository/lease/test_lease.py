"""What a lease promises, for everything that is lent, on every database."""

import asyncio
from datetime import datetime, timedelta

import pytest

from infra.impl.repository.sql.engine.database import Database
from tests.contract.repository.lease.holder import KINDS, NOW, Lent

LENGTH = timedelta(seconds=60)
MOMENT = timedelta(microseconds=1)
COUNTS = ("attempt", "attempts")


@pytest.fixture(params=sorted(KINDS))
async def lent(request: pytest.FixtureRequest, database: Database) -> Lent:
    return await KINDS[request.param](database)


async def taken(lent: Lent, owner: str, *, now: datetime) -> bool:
    found = await lent.look(owner, now=now)
    return found and await lent.take(owner, now=now, until=now + LENGTH)


async def test_of_two_who_see_it_one_gets_it(lent: Lent) -> None:
    for owner in ("one", "two"):
        assert await lent.look(owner, now=NOW)

    got = await asyncio.gather(
        *(lent.take(owner, now=NOW, until=NOW + LENGTH) for owner in ("one", "two"))
    )

    assert sorted(got) == [False, True]


async def test_it_is_over_from_the_instant_that_it_names(lent: Lent) -> None:
    assert await taken(lent, "one", now=NOW)

    back = NOW - timedelta(hours=1)  # a clock that was set takes nothing away
    for now in (NOW, NOW + LENGTH - MOMENT, back, back + LENGTH):
        assert not await lent.look("two", now=now)
    assert await taken(lent, "two", now=NOW + LENGTH)


async def test_who_slept_past_its_end_changes_nothing(lent: Lent) -> None:
    assert await taken(lent, "one", now=NOW)
    late = NOW + LENGTH
    assert await taken(lent, "two", now=late)
    row = await lent.row()

    assert not await lent.renew("one", now=late, until=late + 2 * LENGTH)
    assert not await lent.write("one", now=late)
    await lent.give_back("one", now=late)

    assert await lent.row() == row


async def test_what_is_given_back_is_free_at_once(lent: Lent) -> None:
    assert await taken(lent, "one", now=NOW)
    assert not await lent.look("two", now=NOW)

    await lent.give_back("one", now=NOW)

    if lent.outlives_its_owner:
        assert await taken(lent, "two", now=NOW)


async def test_a_claim_counts_once_and_a_renewal_never(lent: Lent) -> None:
    assert await taken(lent, "one", now=NOW)
    first = await lent.row()
    late = NOW + LENGTH - MOMENT
    untils = (late + LENGTH / 2, late + LENGTH)
    renewals = [await lent.renew("one", now=late, until=until) for until in untils]
    assert renewals == [lent.is_renewed] * 2
    renewed = await lent.row()
    assert await lent.look("two", now=NOW + LENGTH) is not lent.is_renewed
    assert await taken(lent, "two", now=late + LENGTH)
    second = await lent.row()

    fences = [each["revision"] for each in (first, renewed, second) if "revision" in each]
    assert fences in ([], [2, 2, 3])
    if lent.counts_claims:
        (count,) = (name for name in COUNTS if name in first)
        assert [each[count] for each in (first, renewed, second)] == [1, 1, 2]


async def test_who_renewed_in_time_writes(lent: Lent) -> None:
    assert await taken(lent, "one", now=NOW)
    late = NOW + LENGTH - MOMENT

    if await lent.renew("one", now=late, until=late + LENGTH):
        assert await lent.write("one", now=NOW + LENGTH)
