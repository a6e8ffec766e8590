"""Passwords: what a guess costs, and what is said of one."""

import pytest

from domain.shared.secret import Secret
from infra.contract.security.password_hasher import Verdict
from infra.impl.password_hasher.argon2id import Argon2idHasher, Cost

PASSWORD = Secret("correct horse battery staple")
CHEAP = Argon2idHasher(Cost(memory_kib=64, passes=1, lanes=1))


async def test_a_guess_costs_what_rfc_9106_recommends() -> None:
    encoded = (await Argon2idHasher().hash(PASSWORD)).reveal()

    assert encoded.startswith("$argon2id$v=19$m=65536,t=3,p=4$")


async def test_hashes_of_the_same_password_differ_and_both_match() -> None:
    one, two = await CHEAP.hash(PASSWORD), await CHEAP.hash(PASSWORD)

    assert one.reveal() != two.reveal()
    for each in (one, two):
        assert await CHEAP.verify(PASSWORD, each.reveal()) == Verdict(matches=True)


@pytest.mark.parametrize("encoded", [None, "", "$argon2id$v=19$broken", "plain"])
async def test_nothing_matches_where_there_is_no_hash(encoded: str | None) -> None:
    assert not (await CHEAP.verify(PASSWORD, encoded)).matches


async def test_another_password_does_not_match() -> None:
    encoded = await CHEAP.hash(PASSWORD)

    assert not (await CHEAP.verify(Secret("correct horse"), encoded.reveal())).matches


async def test_a_hash_of_another_cost_matches_and_is_outdated() -> None:
    encoded = await CHEAP.hash(PASSWORD)
    dearer = Argon2idHasher(Cost(memory_kib=128, passes=1, lanes=1))

    verdict = await dearer.verify(PASSWORD, encoded.reveal())

    assert verdict == Verdict(matches=True, is_outdated=True)
