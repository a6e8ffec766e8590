"""What stands between callers and models is shown, also after an entry changed."""

import asyncio

from domain.model.breaker import Breaker, BreakerPolicy
from domain.model.limiter import Limiter
from domain.model.meter import ModelMeter
from infra.contract.chat_model import ModelFailure
from infra.impl.metrics.prometheus import PrometheusMetrics


def _limiter() -> Limiter:
    return Limiter("m", concurrency=1, queue=1, wait_s=30)


def _breaker() -> Breaker:
    return Breaker("m", policy=BreakerPolicy(connect_errors=1), monotonic=lambda: 0.0)


async def test_calls_that_wait_are_seen_and_their_waits_counted() -> None:
    metrics, limiter = PrometheusMetrics(), _limiter()
    ModelMeter(metrics).opened("m", limiter=limiter, breaker=_breaker())

    await limiter.acquire()
    async with asyncio.TaskGroup() as group:
        group.create_task(limiter.acquire())
        await asyncio.sleep(0)
        assert 'coterie_limiter_waiting{model="m"} 1' in metrics.render().decode()
        limiter.release()

    shown = metrics.render().decode()
    assert 'coterie_limiter_waiting{model="m"} 0' in shown
    assert 'coterie_limiter_wait_seconds_count{model="m"} 2' in shown


def test_the_breaker_in_use_is_shown() -> None:
    metrics, first, second = PrometheusMetrics(), _breaker(), _breaker()
    meter = ModelMeter(metrics)
    meter.opened("m", limiter=_limiter(), breaker=first)
    first.enter()
    first.failed(ModelFailure.CONNECT)
    assert 'coterie_breaker_state{model="m"} 2' in metrics.render().decode()

    meter.opened("m", limiter=_limiter(), breaker=second)

    assert 'coterie_breaker_state{model="m"} 0' in metrics.render().decode()
