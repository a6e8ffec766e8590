"""The model pipeline over the real adapters, against a scripted provider on a real socket."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field

import pytest

from crossdomain.model.impl import DomainModels
from domain.model.catalog import ModelCatalog, configured_model, packaged_models
from domain.model.service import ModelService, RetryPolicy
from domain.model.value import ModelSpec, ModelType
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import (
    ChatMessage,
    ChatRequest,
    ContentReplaced,
    ModelCall,
    ModelEvent,
    ReasoningDelta,
    ReplyFinished,
    ReplyStarted,
    TextDelta,
    UsageReported,
)
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from infra.impl.chat_model.factory import RegistryChatModelFactory
from infra.impl.embedder.factory import RegistryEmbedderFactory
from infra.impl.http.gateway import HttpGateway
from infra.impl.reranker.factory import RegistryRerankerFactory
from tests.support.clock import FrozenClock
from tests.support.model.double import MemoryFiles, MemoryModels
from tests.upstream.fixture import RunningUpstream, running_upstream

CHATS = (
    "echo",
    "think-tags",
    "reasoning",
    "no-usage",
    "flaky-2",
    "empty",
    "error-401",
    "error-400",
    "error-500",
    "error-later",
    "reset-after-3",
    "tokens-1000-20",
    "half-utf8",
)

BROKEN = {
    ModelType.CHAT: ("openai", "error-401"),
    ModelType.EMBEDDING: ("openai", "embed-max-0"),
    ModelType.RERANK: ("jina", "error-404"),
}
"""Adapter and model of a kind that fails for good."""


@dataclass
class Site:
    models: DomainModels
    upstream: RunningUpstream
    ledger: list[ModelCall] = field(default_factory=list)

    @property
    def context(self) -> CallContext:
        return CallContext(
            scope=TenantScope(UserId(1), frozenset({SpaceId(2)})),
            space_id=SpaceId(2),
            connector_id=1024,
            record_call=self.ledger.append,
        )

    def stream(self, model: str) -> AsyncGenerator[ModelEvent, None]:
        question = ChatMessage.of_text("user", "Tell me about the weather today")
        return self.models.stream(self.context, ChatRequest(model=model, messages=(question,)))

    async def collect(self, model: str) -> list[ModelEvent]:
        async with aclosing(self.stream(model)) as events:
            return [event async for event in events]


@pytest.fixture(scope="module")
def upstream() -> Iterator[RunningUpstream]:
    with running_upstream() as running:
        yield running


@pytest.fixture
async def site(upstream: RunningUpstream, clock: FrozenClock) -> AsyncGenerator[Site, None]:
    upstream.forget()
    limits = Limits()
    gateway = HttpGateway(limits=limits)
    await gateway.start()
    key = Secret("sk-0123456789abcdef")
    chats = [
        configured_model(ModelSpec(name=name, base_url=upstream.base_url), api_key=key)
        for name in CHATS
    ]
    chained = ModelSpec(
        name="chained", model="error-500", base_url=upstream.base_url, fallbacks=("echo",)
    )
    vectors = ModelSpec(name="embed-8", type=ModelType.EMBEDDING, base_url=upstream.base_url)
    static = [
        *packaged_models(),
        *chats,
        configured_model(chained, api_key=key),
        configured_model(vectors, api_key=key),
        *(
            configured_model(
                ModelSpec(
                    name=f"broken-{kind.value}",
                    model=model,
                    type=kind,
                    base_url=upstream.base_url,
                    kind=adapter,
                ),
                api_key=key,
            )
            for kind, (adapter, model) in BROKEN.items()
        ),
    ]
    service = ModelService(
        catalog=ModelCatalog(static=static, store=MemoryModels()),
        chat_models=RegistryChatModelFactory(gateway=gateway, limits=limits, clock=clock),
        embedders=RegistryEmbedderFactory(gateway=gateway, limits=limits, clock=clock),
        rerankers=RegistryRerankerFactory(gateway=gateway, limits=limits, clock=clock),
        files=MemoryFiles(),
        limits=limits,
        clock=clock,
        retry=RetryPolicy(base_s=0.0),
    )
    yield Site(DomainModels(service), upstream)
    await gateway.aclose()


def text_of(events: list[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


@pytest.mark.parametrize("model", ["echo", "think-tags", "reasoning", "no-usage", "flaky-2"])
async def test_every_reply_begins_once_ends_once_and_counts(site: Site, model: str) -> None:
    events = await site.collect(model)
    kinds = [type(event) for event in events]
    assert kinds[0] is ReplyStarted
    assert kinds[-2:] == [UsageReported, ReplyFinished]
    assert kinds.count(ReplyStarted) == kinds.count(UsageReported) == 1
    assert site.ledger[-1].outcome == "ok"
    assert site.ledger[-1].usage.estimated is (model == "no-usage")


@pytest.mark.parametrize(
    ("kind", "purpose"),
    [
        (ModelType.CHAT, "Chat"),
        (ModelType.EMBEDDING, "Embedding"),
        (ModelType.RERANK, "Ranking"),
    ],
)
async def test_a_model_that_fails_is_named_with_what_it_was_for(
    site: Site, kind: ModelType, purpose: str
) -> None:
    name = f"broken-{kind.value}"
    calls: dict[ModelType, Callable[[], Awaitable[object]]] = {
        ModelType.CHAT: lambda: site.collect(name),
        ModelType.EMBEDDING: lambda: site.models.embed(
            site.context, ["a"], purpose="document", model=name
        ),
        ModelType.RERANK: lambda: site.models.rerank(site.context, "q", ["a"], model=name),
    }
    with pytest.raises(ModelCallFailed) as caught:
        await calls[kind]()
    assert caught.value.message.startswith(f"{purpose} model {name!r}: ")
    assert str(caught.value) == caught.value.message


@pytest.mark.parametrize("model", ["think-tags", "reasoning"])
async def test_reasoning_never_mixes_with_text(site: Site, model: str) -> None:
    events = await site.collect(model)
    assert any(isinstance(event, ReasoningDelta) for event in events)
    assert text_of(events)
    assert "think>" not in text_of(events)
    assert not any(isinstance(event, ContentReplaced) for event in events)


async def test_two_failures_are_not_seen(site: Site) -> None:
    await site.collect("flaky-2")
    assert [(call.attempt, call.outcome) for call in site.ledger] == [
        (1, "failed"),
        (2, "failed"),
        (3, "ok"),
    ]


async def test_an_empty_reply_is_tried_three_times(site: Site) -> None:
    with pytest.raises(ModelCallFailed) as caught:
        await site.collect("empty")
    assert caught.value.failure is ModelFailure.EMPTY
    assert len(site.upstream.requests(model="empty")) == 3


@pytest.mark.parametrize(
    ("model", "failure", "attempts"),
    [
        ("error-401", ModelFailure.AUTH, 1),
        ("error-400", ModelFailure.INVALID_REQUEST, 1),
        ("error-500", ModelFailure.OVERLOADED, 3),
        ("reset-after-3", ModelFailure.INTERRUPTED, 1),
    ],
)
async def test_a_failure_is_repeated_only_where_that_may_help(
    site: Site, model: str, failure: ModelFailure, attempts: int
) -> None:
    with pytest.raises(ModelCallFailed) as caught:
        await site.collect(model)
    assert caught.value.failure is failure
    assert [call.outcome for call in site.ledger] == ["failed"] * attempts
    assert "sk-" not in caught.value.message


async def test_a_stand_in_answers(site: Site) -> None:
    assert "weather" in text_of(await site.collect("chained"))
    assert [call.model for call in site.ledger] == ["chained"] * 3 + ["echo"]


async def test_leaving_closes_the_socket(site: Site) -> None:
    async with aclosing(site.stream("tokens-1000-20")) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                break
        left_at = site.upstream.time()
    record = site.upstream.wait_request("tokens-1000-20")
    closed_at = await asyncio.to_thread(site.upstream.wait_closed, record)
    assert closed_at - left_at < 10  # the whole answer takes 20 s
    assert [call.outcome for call in site.ledger] == ["canceled"]


async def test_the_offline_models_answer_without_a_network(site: Site) -> None:
    assert (await site.models.describe("offline")).is_offline
    assert text_of(await site.collect("offline"))
    vectors = await site.models.embed(
        site.context, ["weather", "天气"], purpose="document", model="offline-embedding"
    )
    assert len({len(vector) for vector in vectors.vectors}) == 1


async def test_texts_become_vectors_in_order(site: Site) -> None:
    result = await site.models.embed(site.context, ["a", "b", "c"], purpose="query")
    assert [len(vector) for vector in result.vectors] == [8, 8, 8]
    assert site.ledger[-1].purpose == "embedding"
