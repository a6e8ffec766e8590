"""Requests per token and minute."""

import pytest

from api.rate import TokenRates
from domain.shared.error import RateLimited
from domain.shared.ids import TokenId
from domain.shared.limits import Limits
from tests.unit.api.harness import Surface

ONE, OTHER = TokenId(1), TokenId(2)


def test_a_burst_may_use_the_minute_and_not_one_request_more() -> None:
    now = 100.0
    rates = TokenRates(monotonic=lambda: now)
    for _ in range(6):
        rates.take(ONE, per_min=6)

    with pytest.raises(RateLimited) as caught:
        rates.take(ONE, per_min=6)

    assert caught.value.retry_after_s == pytest.approx(10)
    rates.take(OTHER, per_min=6)
    now += 10
    rates.take(ONE, per_min=6)


async def test_a_token_over_its_rate_is_told_when_to_come_back() -> None:
    async with Surface(limits=Limits(requests_per_token_per_min=2)).client() as client:
        statuses = [(await client.get("/v1/models")).status_code for _ in range(2)]
        refused = await client.get("/v1/models")

    assert statuses == [200, 200]
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) >= 1
    assert refused.json()["error"]["code"] == "rate_limit_exceeded"
