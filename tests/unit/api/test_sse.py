"""The response behind every event stream, driven as an ASGI server drives it."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import msgspec
import pytest
from litestar import Litestar
from litestar.datastructures import State

from api.renderer import RENDERERS, RenderContext
from api.sse import EventStreamResponse
from application.conversation.run.event import (
    MessageDelta,
    RunCreated,
    RunRecord,
    RunStarted,
)
from application.identity.following import Followers
from application.operation.http_metrics import HttpMetrics
from domain.shared.limits import Limits
from infra.contract.observability.metrics import Metrics
from tests.unit.api.harness import (
    ANSWER_ID,
    AgentNotFound,
    answering,
    failed,
    records,
    run_view,
)
from tests.unit.api.sse_parser import parse

QUICK = Limits(stream_keepalive_s=0.01, stream_write_stall_s=0.05)


class Run:
    """A subscription that yields what it is given, and tells when it was closed."""

    def __init__(self, *batches: list[RunRecord], error: Exception | None = None) -> None:
        self.batches = batches
        self.error = error
        self.goes_on = False
        self.is_closed = False

    async def follow(self) -> AsyncGenerator[list[RunRecord], None]:
        try:
            for batch in self.batches:
                yield batch
            if self.error is not None:
                raise self.error
            if self.goes_on:
                await asyncio.Event().wait()
        finally:
            self.is_closed = True


class Peer:
    """A client on the other side of ``receive`` and ``send``."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.leaves = asyncio.Event()
        self.wrote = asyncio.Event()
        self.stalls = False
        self.stalls_at = 0
        """Number of the piece of the body that is not taken any more."""

    async def receive(self) -> Any:
        await self.leaves.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.messages.append(message)
        self.wrote.set()
        is_body = message["type"] == "http.response.body"
        if is_body and (self.stalls or len(self.bodies) == self.stalls_at):
            await asyncio.Event().wait()

    @property
    def status(self) -> int:
        return int(self.messages[0]["status"])

    @property
    def headers(self) -> dict[bytes, bytes]:
        return dict(self.messages[0]["headers"])

    @property
    def bodies(self) -> list[bytes]:
        return [m["body"] for m in self.messages if m["type"] == "http.response.body"]


async def serve(
    run: Run,
    peer: Peer,
    *,
    wire: str = "coze",
    path: str = "/v3/chat",
    limits: Limits = QUICK,
    metrics: Metrics | None = None,
) -> None:
    renderer = RENDERERS.get(wire)(RenderContext(run=run_view(), model="m"))
    response = EventStreamResponse(run.follow(), renderer, limits=limits)
    app = Litestar(
        state=State({"http_metrics": HttpMetrics(metrics or Metrics()), "followers": Followers()})
    )
    scope = {"type": "http", "path": path, "litestar_app": app}
    async with asyncio.timeout(60):
        await response.to_asgi_response()(scope, peer.receive, peer.send)


async def test_each_batch_is_one_write_and_that_of_the_end_ends_the_body() -> None:
    script = answering("a", "b", "c")
    run, peer = Run(script[:2], script[2:]), Peer()
    run.goes_on = True  # the terminal event ends the body, not the end of the subscription

    await serve(run, peer, limits=Limits())

    assert all(peer.bodies)
    assert [message.get("more_body") for message in peer.messages[1:]] == [True, False]
    assert parse(b"".join(peer.bodies))[-1].name == "done"
    assert run.is_closed


async def test_streams_may_not_be_cached_or_buffered() -> None:
    peer = Peer()
    await serve(Run(answering("a")), peer)

    assert peer.headers[b"content-type"] == b"text/event-stream; charset=utf-8"
    assert peer.headers[b"cache-control"] == b"no-cache, no-transform"
    assert peer.headers[b"x-accel-buffering"] == b"no"


async def test_a_client_that_hangs_up_ends_the_subscription_at_once() -> None:
    run, peer = Run(records(RunCreated(run_view()))), Peer()
    run.goes_on = True

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(serve(run, peer, limits=Limits()))
        await peer.wrote.wait()
        peer.leaves.set()

    assert run.is_closed


@pytest.mark.parametrize("body", ["keepalive", "end"])
async def test_a_client_that_stalls_when_nothing_is_to_be_told_is_dropped_too(body: str) -> None:
    script = answering("a")
    batches = [script[:2]] if body == "keepalive" else [script[:2], script[2:]]
    run, peer, metrics = Run(*batches), Peer(), Metrics()
    run.goes_on = True
    peer.stalls_at = 2

    await serve(run, peer, metrics=metrics)

    assert run.is_closed
    assert 'coterie_sse_dropped_total{reason="stalled"} 1' in metrics.render().decode()


async def test_a_client_that_takes_no_byte_is_dropped_and_counted() -> None:
    run, peer, metrics = Run(answering("a")), Peer(), Metrics()
    peer.stalls = True

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(serve(run, peer, metrics=metrics))
        await peer.wrote.wait()
        assert "coterie_sse_subscribers 1" in metrics.render().decode()

    assert run.is_closed
    shown = metrics.render().decode()
    assert "coterie_sse_subscribers 0" in shown
    assert 'coterie_sse_dropped_total{reason="stalled"} 1' in shown


@pytest.mark.parametrize(
    ("wire", "filler"),
    [("coze", b"\n"), ("openai", b": keep-alive\n\n"), ("events", b": keep-alive\n\n")],
)
async def test_a_silent_stream_is_kept_alive_in_the_words_of_its_wire(
    wire: str, filler: bytes
) -> None:
    run, peer = Run(), Peer()
    run.goes_on = True

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(serve(run, peer, wire=wire))
        while len(peer.bodies) < 3:
            peer.wrote.clear()
            await peer.wrote.wait()
        peer.leaves.set()

    assert set(peer.bodies) == {filler}


async def test_a_failure_before_the_first_byte_is_an_ordinary_error() -> None:
    peer = Peer()
    await serve(Run(error=AgentNotFound("No such chat.")), peer)

    assert peer.status == 404
    assert msgspec.json.decode(peer.bodies[0])["code"] == 4200


async def test_a_run_that_fails_before_its_first_word_is_an_error_on_the_openai_wire() -> None:
    peer = Peer()
    script = records(RunCreated(run_view()), RunStarted(run_view()), failed())
    await serve(Run(script[:2], script[2:]), peer, wire="openai", path="/v1/chat/completions")

    assert peer.status == 502
    assert msgspec.json.decode(peer.bodies[0])["error"]["code"] == "provider_error"


async def test_a_run_that_fails_later_is_a_frame_on_the_openai_wire() -> None:
    peer = Peer()
    said = MessageDelta(message_id=ANSWER_ID, text="hi")
    script = records(RunStarted(run_view()), said, failed())
    await serve(Run(script[:2], script[2:]), peer, wire="openai", path="/v1/chat/completions")

    assert peer.status == 200
    assert "error" in msgspec.json.decode(parse(b"".join(peer.bodies))[-1].data)


async def test_a_defect_in_the_stream_tells_nothing_of_its_cause() -> None:
    peer = Peer()
    await serve(Run(records(RunCreated(run_view())), error=RuntimeError("inside")), peer)

    body = b"".join(peer.bodies)
    assert [event.name for event in parse(body)][-2:] == ["conversation.chat.failed", "done"]
    assert b"inside" not in body
