"""What gathers while the event loop is late: the same text in fewer pieces, and all of it."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, asynccontextmanager

import pytest

from domain.shared.chat import ChatMessage, ChatRequest, ModelEvent, ReplyFinished, TextDelta
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.model.chat_model import ModelEndpoint
from infra.impl.chat_model.factory import RegistryChatModelFactory
from infra.impl.http.gateway import HttpGateway
from infra.impl.http.pace import ReadPace
from tests.support.clock import FrozenClock
from tests.upstream.fixture import RunningUpstream, running_upstream

TOKENS = 200
MOST_S = 0.2


@pytest.fixture(scope="module")
def upstream() -> Iterator[RunningUpstream]:
    with running_upstream() as running:
        yield running


def late() -> ReadPace:
    """A pace whose clock goes so fast that each timer comes late."""
    return ReadPace(most_s=MOST_S, clock=itertools.count().__next__)


@asynccontextmanager
async def replies(
    upstream: RunningUpstream, clock: FrozenClock, pace: ReadPace
) -> AsyncGenerator[AsyncGenerator[ModelEvent, None], None]:
    gateway = HttpGateway(limits=Limits(), pace=pace)
    factory = RegistryChatModelFactory(gateway=gateway, limits=Limits(), clock=clock)
    model = factory.open(
        ModelEndpoint(
            kind="openai",
            model=f"tokens-{TOKENS}-1",
            base_url=upstream.base_url,
            api_key=Secret("sk-x"),
        )
    )
    request = ChatRequest(model="", messages=(ChatMessage.of_text("user", "go"),))
    async with aclosing(model.stream(request)) as events:
        yield events
    await gateway.aclose()


async def test_a_late_loop_gets_the_same_text_in_few_pieces(
    upstream: RunningUpstream, clock: FrozenClock
) -> None:
    async with asyncio.timeout(60), replies(upstream, clock, late()) as events:
        seen = [event async for event in events]

    texts = [event.text for event in seen if isinstance(event, TextDelta)]
    assert len("".join(texts).split()) == TOKENS
    assert len(texts) < TOKENS / 4
    assert isinstance(seen[-1], ReplyFinished)


async def test_nobody_is_watched_once_nobody_reads(
    upstream: RunningUpstream, clock: FrozenClock
) -> None:
    pace = late()
    async with asyncio.timeout(60):
        async with replies(upstream, clock, pace) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    break  # who leaves in the middle counts no more, either
        while pace.is_watching:  # noqa: ASYNC110 - it says nothing when it ends
            await asyncio.sleep(0.01)

    assert pace.window_s == 0.0


def test_a_loop_that_keeps_up_lets_nothing_gather() -> None:
    pace = ReadPace(most_s=MOST_S)

    for late_s in (0.0, 0.001, 0.0005) * 10:
        pace.see(late_s)

    assert pace.window_s == 0.0


def test_the_window_grows_with_lateness_and_ends() -> None:
    pace = ReadPace(most_s=MOST_S)
    windows = []

    for _ in range(40):
        pace.see(0.05)
        windows.append(pace.window_s)

    assert windows == sorted(windows)
    assert windows[-1] == MOST_S


def test_without_a_width_nothing_gathers() -> None:
    pace = ReadPace(most_s=0.0)

    pace.see(10.0)

    assert pace.window_s == 0.0
