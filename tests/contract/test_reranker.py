"""The promises of every reranker, and the manners of the wire of Jina and Cohere."""

import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import Any

import pytest

from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits
from domain.shared.registry import UnknownExtension
from domain.shared.secret import Secret
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from infra.contract.model.reranker import Ranked, RerankEndpoint, Reranker
from infra.impl.http.gateway import HttpGateway
from infra.impl.reranker.factory import RegistryRerankerFactory
from tests.support.clock import FrozenClock
from tests.upstream.fixture import RunningUpstream, running_upstream

MODEL = "rerank-1"


@pytest.fixture(scope="module")
def running() -> Iterator[RunningUpstream]:
    with running_upstream() as upstream:
        yield upstream


@pytest.fixture
def upstream(running: RunningUpstream) -> RunningUpstream:
    running.forget()
    return running


@pytest.fixture
async def factory(clock: FrozenClock) -> AsyncGenerator[RegistryRerankerFactory, None]:
    gateway = HttpGateway(limits=Limits())
    yield RegistryRerankerFactory(gateway=gateway, limits=Limits(), clock=clock)
    await gateway.aclose()


def opened(factory: RegistryRerankerFactory, upstream: RunningUpstream, **fields: Any) -> Reranker:
    return factory.open(
        RerankEndpoint(
            kind=fields.pop("kind", "jina"),
            model=MODEL,
            base_url=upstream.base_url,
            api_key=Secret("sk-canary"),
            **fields,
        )
    )


def answers(
    upstream: RunningUpstream,
    scores: Sequence[tuple[int, float]],
    *,
    status: int = 200,
    **more: object,
) -> None:
    body = {"results": [{"index": at, "relevance_score": score} for at, score in scores], **more}
    says(upstream, json.dumps(body), status=status)


def says(
    upstream: RunningUpstream,
    text: str,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> None:
    headers = {"content-type": "application/json"} | (headers or {})
    upstream.script(MODEL, [{"send": text}], status=status, headers=headers)


@pytest.mark.parametrize("kind", ["jina", "cohere"])
async def test_documents_come_best_first(
    factory: RegistryRerankerFactory, upstream: RunningUpstream, kind: str
) -> None:
    answers(upstream, [(0, 0.2), (2, 0.9), (1, 0.2)], model="named", usage={"total_tokens": 7})

    result = await opened(factory, upstream, kind=kind).rerank("q", ["a", "b", "c"])

    assert [(item.index, item.score) for item in result.ranked] == [(2, 0.9), (0, 0.2), (1, 0.2)]
    assert (result.model, result.tokens, result.rescaled) == ("named", 7, False)
    (request,) = upstream.requests(model=MODEL)
    assert request.path == "/v1/rerank"
    assert request.body == {
        "model": MODEL,
        "query": "q",
        "documents": ["a", "b", "c"],
        "top_n": 3,
    }


async def test_a_model_may_leave_documents_out(
    factory: RegistryRerankerFactory, upstream: RunningUpstream
) -> None:
    answers(upstream, [(1, 0.9)])

    result = await opened(factory, upstream).rerank("q", ["a", "b"])

    assert result.ranked == (Ranked(index=1, score=0.9),)


async def test_long_documents_are_cut_and_blank_ones_not_sent(
    factory: RegistryRerankerFactory, upstream: RunningUpstream
) -> None:
    answers(upstream, [(0, 0.1), (1, 0.5)])

    result = await opened(factory, upstream, max_document_chars=4).rerank(
        "q", ["long text", " \n", "b"]
    )

    assert [item.index for item in result.ranked] == [2, 0]
    assert upstream.requests(model=MODEL)[0].body["documents"] == ["long", "b"]


async def test_many_documents_are_sent_in_several_calls(
    factory: RegistryRerankerFactory, upstream: RunningUpstream
) -> None:
    answers(upstream, [(0, 0.1), (1, 0.5)], usage={"total_tokens": 3})
    answers(upstream, [(0, 0.3)], usage={"total_tokens": 4})

    result = await opened(factory, upstream, max_documents=2).rerank("q", ["a", "b", "c"])

    assert [item.index for item in result.ranked] == [1, 2, 0]
    assert result.tokens == 7


async def test_nothing_to_rank_calls_nobody(
    factory: RegistryRerankerFactory, upstream: RunningUpstream
) -> None:
    assert (await opened(factory, upstream).rerank("q", [])).ranked == ()
    assert (await opened(factory, upstream).rerank("q", [" "])).ranked == ()
    assert upstream.requests() == []


async def test_logits_become_probabilities(
    factory: RegistryRerankerFactory, upstream: RunningUpstream
) -> None:
    answers(upstream, [(0, -800.0), (1, 0.0), (2, 800.0)])

    result = await opened(factory, upstream, scale="logit").rerank("q", ["a", "b", "c"])

    assert [item.score for item in result.ranked] == pytest.approx([1.0, 0.5, 0.0])
    assert not result.rescaled


async def test_scores_off_the_scale_are_stretched_over_it_and_said_so(
    factory: RegistryRerankerFactory, upstream: RunningUpstream
) -> None:
    answers(upstream, [(0, -2.0), (1, 2.0), (2, 0.0)])

    result = await opened(factory, upstream).rerank("q", ["a", "b", "c"])

    assert [item.score for item in result.ranked] == pytest.approx([1.0, 0.5, 0.0])
    assert result.rescaled


async def test_a_blank_query_is_refused(
    factory: RegistryRerankerFactory, upstream: RunningUpstream
) -> None:
    with pytest.raises(InvalidRequest):
        await opened(factory, upstream).rerank(" ", ["a"])


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "{}",
        '{"results": [{"index": 9, "relevance_score": 1}]}',
        '{"results": [{"index": -1, "relevance_score": 1}]}',
        '{"results": [{"index": 0, "relevance_score": 1}, {"index": 0, "relevance_score": 0}]}',
        '{"results": [{"index": 0, "relevance_score": "high"}]}',
        '{"results": [{"index": 0, "relevance_score": NaN}]}',
    ],
)
async def test_answers_that_make_no_sense_are_failures(
    factory: RegistryRerankerFactory, upstream: RunningUpstream, text: str
) -> None:
    says(upstream, text)

    with pytest.raises(ModelCallFailed) as caught:
        await opened(factory, upstream).rerank("q", ["a", "b"])

    assert caught.value.failure is ModelFailure.MALFORMED


async def test_a_busy_provider_is_asked_once_more(
    factory: RegistryRerankerFactory, upstream: RunningUpstream
) -> None:
    says(upstream, "{}", status=503)
    answers(upstream, [(0, 0.5)])

    result = await opened(factory, upstream).rerank("q", ["a"])

    assert result.ranked[0].score == 0.5


async def test_a_provider_that_asks_for_patience_is_not_waited_for(
    factory: RegistryRerankerFactory, upstream: RunningUpstream
) -> None:
    says(upstream, "{}", status=429, headers={"retry-after": "20"})

    with pytest.raises(ModelCallFailed) as caught:
        await opened(factory, upstream).rerank("q", ["a"])

    assert caught.value.failure is ModelFailure.RATE_LIMITED
    assert len(upstream.requests(model=MODEL)) == 1


async def test_refused_credentials_are_not_tried_again_or_shown(
    factory: RegistryRerankerFactory, upstream: RunningUpstream
) -> None:
    says(upstream, '{"error": {"message": "bad key sk-canary"}}', status=401)

    with pytest.raises(ModelCallFailed) as caught:
        await opened(factory, upstream).rerank("q", ["a"])

    assert caught.value.failure is ModelFailure.AUTH
    assert "sk-canary" not in f"{caught.value.message} {caught.value.context}"
    assert len(upstream.requests(model=MODEL)) == 1


async def test_a_silent_provider_ends_with_a_timeout(
    factory: RegistryRerankerFactory, upstream: RunningUpstream
) -> None:
    upstream.script(MODEL, [{"stall": True}], headers={"content-type": "application/json"})

    with pytest.raises(ModelCallFailed) as caught:
        await opened(factory, upstream, timeout_s=0.2).rerank("q", ["a"])

    assert caught.value.failure is ModelFailure.TIMEOUT


async def test_unknown_kinds_are_named(factory: RegistryRerankerFactory) -> None:
    assert factory.kinds() == ("cohere", "jina")
    with pytest.raises(UnknownExtension, match="cohere, jina"):
        factory.open(RerankEndpoint(kind="none", model="m"))
