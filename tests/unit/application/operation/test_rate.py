"""A token's minute: used up, refilled, its own."""

import pytest

from application.operation.rate import RateLimitedAuthentication
from domain.shared.access import Principal
from domain.shared.error import RateLimited
from domain.shared.ids import SpaceId, TokenId, UserId
from domain.shared.limits import Limits


class _ByHeader:
    async def authenticate(self, header_value: str | None, *, peer: str) -> Principal:
        token_id = TokenId(int(header_value or "0"))
        return Principal(
            user_id=UserId(1), token_id=token_id, roles={}, personal_space_id=SpaceId(1)
        )


class _Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_a_token_waits_for_its_own_bucket_only() -> None:
    time = _Time()
    limits = Limits(requests_per_token_per_min=2)
    authentication = RateLimitedAuthentication(_ByHeader(), limits=limits, monotonic=time)
    for _ in range(2):
        await authentication.authenticate("1", peer="")

    with pytest.raises(RateLimited) as refused:
        await authentication.authenticate("1", peer="")
    await authentication.authenticate("2", peer="")

    assert refused.value.retry_after_s == pytest.approx(30)
    time.now = 30.0
    await authentication.authenticate("1", peer="")


async def test_zero_switches_the_limit_off() -> None:
    limits = Limits(requests_per_token_per_min=0)
    authentication = RateLimitedAuthentication(_ByHeader(), limits=limits)

    for _ in range(1000):
        await authentication.authenticate("1", peer="")
