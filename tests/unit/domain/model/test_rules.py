"""Small rules of the model context: prices, tokens, back-off, breaker, settings."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.model.breaker import Breaker, BreakerPolicy
from domain.model.error import BreakerOpen
from domain.model.price import PriceTable, PriceTier
from domain.model.service import RetryPolicy
from domain.model.tokens import TokenCorrection, count_input, count_text
from domain.model.value import ModelSpec
from domain.shared.chat import ChatMessage, ImagePart, Usage
from domain.shared.error import InvalidRequest
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure, ModelTimeouts
from tests.support.model.double import Timer

URL = "https://models.test/v1"
TIERS = PriceTable(
    unit=1000,
    tiers=(
        PriceTier(upto_input=1000, input=Decimal(1), output=Decimal(2)),
        PriceTier(input=Decimal(3), output=Decimal(6), cached_input=Decimal("0.5")),
    ),
)


@pytest.mark.parametrize(
    ("usage", "points"),
    [
        (Usage(), "0"),
        (Usage(input_tokens=1000, output_tokens=1000), "3"),
        (Usage(input_tokens=1001), "3.003"),
        (Usage(input_tokens=2000, cached_tokens=1000), "3.5"),
        (Usage(input_tokens=2000, cached_tokens=9999), "1"),
    ],
)
def test_tiers_are_open_on_the_left_and_closed_on_the_right(usage: Usage, points: str) -> None:
    assert TIERS.cost(usage) == Decimal(points)


def test_no_tiers_mean_free() -> None:
    assert PriceTable().cost(Usage(input_tokens=10**9)) == 0


@pytest.mark.parametrize(
    "table",
    [
        PriceTable(unit=0),
        PriceTable(tiers=(PriceTier(input=Decimal(-1)),)),
        PriceTable(tiers=(PriceTier(input=Decimal("NaN")),)),
        PriceTable(tiers=(PriceTier(), PriceTier())),
        PriceTable(tiers=(PriceTier(upto_input=10), PriceTier(upto_input=10))),
    ],
)
def test_senseless_prices_are_refused(table: PriceTable) -> None:
    with pytest.raises(InvalidRequest, match="prices"):
        table.check()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("word" * 4, 4), ("你好", 1.4), ("!?", 1), ("ä", 0.5), ("한국", 1.4), ("a b", 0.75)],
)
def test_characters_weigh_by_kind(text: str, tokens: float) -> None:
    assert count_text(text) == pytest.approx(tokens)


@given(st.text())
def test_any_text_can_be_counted(text: str) -> None:
    assert 0 <= count_text(text) <= len(text)


def test_images_count_flat() -> None:
    message = ChatMessage(role="user", parts=(ImagePart(file_id=1),))
    assert count_input([message]) == 1007


def test_correction_follows_reports_within_bounds() -> None:
    correction = TokenCorrection()
    for _ in range(200):
        correction.learn("m", estimate=100, reported=900)
    assert correction.apply("m", 100) == 200
    correction.keep(frozenset())
    assert correction.apply("m", 100) == 100


def failed(kind: ModelFailure, retry_after_s: float | None = None) -> ModelCallFailed:
    return ModelCallFailed("No.", failure=kind, retry_after_s=retry_after_s)


def test_back_off_doubles_up_to_its_cap() -> None:
    policy = RetryPolicy(attempts=10, jitter=lambda: 1.0)
    delays = [policy.delay_s(failed(ModelFailure.TIMEOUT), attempt=n) for n in range(1, 8)]
    assert delays == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]


def test_the_provider_says_when_to_come_back() -> None:
    policy = RetryPolicy(jitter=lambda: 0.0)
    assert policy.delay_s(failed(ModelFailure.RATE_LIMITED, 7), attempt=1) == 7
    assert policy.delay_s(failed(ModelFailure.RATE_LIMITED, 31), attempt=1) is None
    assert policy.delay_s(failed(ModelFailure.RATE_LIMITED, 7), attempt=3) is None


def breaker(timer: Timer) -> Breaker:
    return Breaker("m", policy=BreakerPolicy(), monotonic=timer)


def test_half_of_twenty_failures_open_the_breaker() -> None:
    timer = Timer()
    of = breaker(timer)
    for _ in range(10):
        of.succeeded()
    for _ in range(9):
        of.failed(ModelFailure.TIMEOUT)
    of.enter()
    of.failed(ModelFailure.OVERLOADED)
    assert of.state == "open"
    with pytest.raises(BreakerOpen) as caught:
        of.enter()
    assert caught.value.retry_after_s == 15


def test_failures_of_the_caller_do_not_open_it() -> None:
    of = breaker(Timer())
    for _ in range(50):
        of.failed(ModelFailure.INVALID_REQUEST)
    of.enter()


def test_old_failures_are_forgotten() -> None:
    timer = Timer()
    of = breaker(timer)
    for _ in range(19):
        of.failed(ModelFailure.TIMEOUT)
    timer.seconds += 61
    of.failed(ModelFailure.TIMEOUT)
    assert of.state == "closed"


def test_one_probe_decides_about_closing() -> None:
    timer = Timer()
    of = breaker(timer)
    for _ in range(5):
        of.failed(ModelFailure.CONNECT)
    timer.seconds += 15
    assert of.state == "half_open"
    of.enter()
    with pytest.raises(BreakerOpen):
        of.enter()
    of.failed(ModelFailure.TIMEOUT)
    with pytest.raises(BreakerOpen):
        of.enter()
    timer.seconds += 15
    of.enter()
    of.abandoned()
    of.enter()
    of.succeeded()
    of.enter()
    of.enter()


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        (ModelSpec(name="", base_url=URL), "name"),
        (ModelSpec(name=" a", base_url=URL), "name"),
        (ModelSpec(name="123", base_url=URL), "name"),
        (ModelSpec(name="a\x00", base_url=URL), "name"),
        (ModelSpec(name="a", base_url=URL, aliases=("a",)), "aliases"),
        (ModelSpec(name="a"), "base_url"),
        (ModelSpec(name="a", base_url="ftp://x"), "base_url"),
        (ModelSpec(name="a", base_url="https://user:pw@x"), "base_url"),
        (ModelSpec(name="a", base_url="https://x/v1?key=1"), "base_url"),
        (ModelSpec(name="a", base_url="https://[x"), "base_url"),
        (ModelSpec(name="a", base_url="https://x:99999"), "base_url"),
        (ModelSpec(name="a", base_url=URL, headers={"Host": "x"}), "headers"),
        (ModelSpec(name="a", base_url=URL, headers={"X-A": "b\r\nc"}), "headers"),
        (ModelSpec(name="a", base_url=URL, window=-1), "window"),
        (ModelSpec(name="a", base_url=URL, window=10, max_output=11), "max_output"),
        (ModelSpec(name="a", base_url=URL, timeouts=ModelTimeouts(idle_s=0)), "idle_s"),
    ],
)
def test_settings_that_cannot_work_are_refused(spec: ModelSpec, field: str) -> None:
    with pytest.raises(InvalidRequest, match=field):
        spec.check()


def test_built_in_models_need_no_address() -> None:
    ModelSpec(name="a", kind="offline").check()
