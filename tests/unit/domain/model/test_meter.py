"""What stands between callers and models is shown, also after an entry changed."""

import asyncio

import msgspec

from domain.model.breaker import Breaker, BreakerPolicy
from domain.model.meter import ModelMeter
from domain.shared.capacity.fair_share import FairShare
from domain.shared.chat import ModelCall, Usage
from infra.contract.model.chat_model import ModelFailure
from infra.contract.observability.metrics import Metrics


def _places() -> FairShare:
    return FairShare("m", capacity=1, waiting=1, wait_s=30)


def _breaker() -> Breaker:
    return Breaker("m", policy=BreakerPolicy(connect_errors=1), monotonic=lambda: 0.0)


async def test_calls_that_wait_are_seen_and_their_waits_counted() -> None:
    metrics, places = Metrics(), _places()
    ModelMeter(metrics).opened("m", places=places, breaker=_breaker())

    await places.acquire(1)
    async with asyncio.TaskGroup() as group:
        group.create_task(places.acquire(1))
        await asyncio.sleep(0)
        assert 'coterie_share_waiting{resource="model m"} 1' in metrics.render().decode()
        places.release(1)

    shown = metrics.render().decode()
    assert 'coterie_share_waiting{resource="model m"} 0' in shown
    assert 'coterie_share_wait_seconds_count{resource="model m"} 2' in shown


def test_the_breaker_in_use_is_shown() -> None:
    metrics, first, second = Metrics(), _breaker(), _breaker()
    meter = ModelMeter(metrics)
    meter.opened("m", places=_places(), breaker=first)
    first.enter()
    first.failed(ModelFailure.CONNECT)
    assert 'coterie_breaker_state{model="m"} 2' in metrics.render().decode()

    meter.opened("m", places=_places(), breaker=second)

    assert 'coterie_breaker_state{model="m"} 0' in metrics.render().decode()


def test_calls_are_counted_with_their_retries_points_and_pace() -> None:
    metrics, kept = Metrics(), list[ModelCall]()
    record = ModelMeter(metrics).recording(kept.append)
    call = ModelCall(
        model="m",
        provider="p",
        attempt=1,
        purpose="chat",
        usage=Usage(input_tokens=5, output_tokens=20),
        outcome="failed",
        cost="0",
    )

    record(call)
    record(
        msgspec.structs.replace(
            call,
            attempt=2,
            outcome="ok",
            first_token_ms=100,
            total_ms=1100,
            output_chunks=11,
            cost="1.5",
        )
    )

    assert [each.attempt for each in kept] == [1, 2]
    lines = metrics.render().decode().splitlines()
    labels = 'model="m",purpose="chat"'
    assert 'coterie_model_requests_total{model="m",outcome="failed",purpose="chat"} 1' in lines
    assert 'coterie_model_requests_total{model="m",outcome="ok",purpose="chat"} 1' in lines
    assert f"coterie_model_retries_total{{{labels}}} 1" in lines
    assert f"coterie_usage_points_total{{{labels}}} 1.5" in lines
    assert f"coterie_model_first_token_seconds_sum{{{labels}}} 0.1" in lines
    assert f"coterie_model_chunk_seconds_sum{{{labels}}} 0.1" in lines
    assert f'coterie_gen_ai_client_token_usage_sum{{direction="output",{labels}}} 40' in lines
