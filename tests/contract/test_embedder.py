"""The promises of every embedder, and the manners of the OpenAI wire."""

import math
from collections.abc import AsyncGenerator, Iterator

import pytest

from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from infra.contract.model.embedder import Embedder, EmbeddingEndpoint
from infra.impl.embedder.factory import RegistryEmbedderFactory
from infra.impl.embedder.hashing import _of_word
from infra.impl.http.gateway import HttpGateway
from tests.support.clock import FrozenClock
from tests.upstream.embedding import vector
from tests.upstream.fixture import RunningUpstream, running_upstream


@pytest.fixture(scope="module")
def upstream() -> Iterator[RunningUpstream]:
    with running_upstream() as running:
        yield running


@pytest.fixture
async def factory(clock: FrozenClock) -> AsyncGenerator[RegistryEmbedderFactory, None]:
    gateway = HttpGateway(limits=Limits())
    yield RegistryEmbedderFactory(gateway=gateway, limits=Limits(), clock=clock)
    await gateway.aclose()


@pytest.fixture(params=["openai", "offline", "ollama", "gemini", "ark"])
def any_embedder(
    request: pytest.FixtureRequest, factory: RegistryEmbedderFactory, upstream: RunningUpstream
) -> Embedder:
    return factory.open(
        EmbeddingEndpoint(
            kind=request.param,
            model="embed-32",
            base_url=upstream.base_url,
            dimensions=32,
            send_dimensions=True,
            max_input_tokens=100,
            batch_size=3,
        )
    )


def remote(
    factory: RegistryEmbedderFactory,
    upstream: RunningUpstream,
    model: str,
    **fields: object,
) -> Embedder:
    upstream.forget()
    endpoint = EmbeddingEndpoint(
        kind="openai",
        model=model,
        base_url=upstream.base_url,
        api_key=Secret("sk-canary"),
        **fields,  # type: ignore[arg-type]
    )
    return factory.open(endpoint)


def unit(text: str, width: int = 8) -> tuple[float, ...]:
    values = vector(text, width)
    norm = math.sqrt(sum(value * value for value in values))
    return tuple(value / norm for value in values)


async def test_vectors_come_in_order_normalised_and_of_one_length(any_embedder: Embedder) -> None:
    texts = [f"text number {n}" for n in range(10)]

    result = await any_embedder.embed(texts, purpose="document")

    assert len(result.vectors) == 10
    assert {len(values) for values in result.vectors} == {32}
    for text, values in zip(texts, result.vectors, strict=True):
        assert math.isclose(sum(value * value for value in values), 1.0, rel_tol=1e-6)
        alone = await any_embedder.embed([text], purpose="document")
        assert alone.vectors[0] == pytest.approx(values)
    assert result.input_tokens > 0


async def test_nothing_in_gives_nothing_out(any_embedder: Embedder) -> None:
    assert (await any_embedder.embed([], purpose="query")).vectors == ()


@pytest.mark.parametrize("blank", ["", " \n\t"])
async def test_blank_inputs_are_refused_by_position(any_embedder: Embedder, blank: str) -> None:
    with pytest.raises(InvalidRequest, match=r"input\[1\]"):
        await any_embedder.embed(["good", blank], purpose="query")


async def test_inputs_over_the_maximum_are_cut_and_named(any_embedder: Embedder) -> None:
    result = await any_embedder.embed(["short", "long " * 500, "好" * 400], purpose="document")

    assert result.truncated == (1, 2)


@pytest.mark.parametrize("model", ["embed-8", "embed-shuffled", "embed-base64"])
async def test_order_and_encoding_of_the_provider_do_not_matter(
    factory: RegistryEmbedderFactory, upstream: RunningUpstream, model: str
) -> None:
    result = await remote(factory, upstream, model).embed(["a", "b", "c"], purpose="query")

    for text, values in zip("abc", result.vectors, strict=True):
        assert values == pytest.approx(unit(text), abs=1e-6)
    assert (result.input_tokens, result.estimated) == (3, False)


async def test_batches_respect_count_and_tokens(
    factory: RegistryEmbedderFactory, upstream: RunningUpstream
) -> None:
    embedder = remote(factory, upstream, "embed-8", batch_size=4, batch_tokens=20)
    texts = ["word " * 8, "word " * 8, *(f"t{n}" for n in range(9))]

    result = await embedder.embed(texts, purpose="document")

    sent = sorted(len(record.body["input"]) for record in upstream.requests())
    assert sum(sent) == 11
    assert max(sent) <= 4
    assert len(result.vectors) == 11


async def test_a_batch_the_server_finds_too_large_is_halved(
    factory: RegistryEmbedderFactory, upstream: RunningUpstream
) -> None:
    embedder = remote(factory, upstream, "embed-max-3")
    texts = [f"t{n}" for n in range(10)]

    result = await embedder.embed(texts, purpose="document")

    for text, values in zip(texts, result.vectors, strict=True):
        assert values == pytest.approx(unit(text), abs=1e-6)


async def test_a_single_input_that_is_too_large_is_named(
    factory: RegistryEmbedderFactory, upstream: RunningUpstream
) -> None:
    embedder = remote(factory, upstream, "embed-chars-10")

    with pytest.raises(ModelCallFailed, match=r"input\[2\]") as caught:
        await embedder.embed(["a", "b", "x" * 11, "d"], purpose="document")
    assert caught.value.failure is ModelFailure.CONTEXT_OVERFLOW


async def test_rate_limits_are_waited_for(
    factory: RegistryEmbedderFactory, upstream: RunningUpstream
) -> None:
    embedder = remote(factory, upstream, "embed-flaky-2")

    assert (await embedder.embed(["a"], purpose="query")).vectors
    assert len(upstream.requests()) == 3


async def test_the_third_failure_is_final(
    factory: RegistryEmbedderFactory, upstream: RunningUpstream
) -> None:
    embedder = remote(factory, upstream, "embed-flaky-3")

    with pytest.raises(ModelCallFailed) as caught:
        await embedder.embed(["a"], purpose="query")
    assert caught.value.failure is ModelFailure.RATE_LIMITED
    assert len(upstream.requests()) == 3


@pytest.mark.parametrize("model", ["embed-zero", "embed-nan", "embed-short"])
async def test_vectors_that_are_none_are_refused(
    factory: RegistryEmbedderFactory, upstream: RunningUpstream, model: str
) -> None:
    embedder = remote(factory, upstream, model)

    with pytest.raises(ModelCallFailed) as caught:
        await embedder.embed(["a", "b"], purpose="query")
    assert caught.value.failure is ModelFailure.MALFORMED


async def test_the_length_must_be_the_configured_one(
    factory: RegistryEmbedderFactory, upstream: RunningUpstream
) -> None:
    with pytest.raises(ModelCallFailed, match="expected 9 dimensions, got 8"):
        await remote(factory, upstream, "embed-8", dimensions=9).embed(["a"], purpose="query")


async def test_prefixes_and_dimensions_are_sent(
    factory: RegistryEmbedderFactory, upstream: RunningUpstream
) -> None:
    embedder = remote(
        factory,
        upstream,
        "embed-base64",
        dimensions=4,
        send_dimensions=True,
        query_prefix="query: ",
        document_prefix="passage: ",
    )
    for purpose in ("query", "document"):
        await embedder.embed(["a"], purpose=purpose)

    bodies = [record.body for record in upstream.requests()]
    assert [body["input"] for body in bodies] == [["query: a"], ["passage: a"]]
    assert {body["dimensions"] for body in bodies} == {4}
    assert upstream.requests()[0].headers["authorization"] == "Bearer sk-canary"


async def test_shared_words_make_offline_vectors_similar(factory: RegistryEmbedderFactory) -> None:
    embedder = factory.open(EmbeddingEndpoint(kind="offline", model="offline-embedding"))
    texts = ["How do refunds work?", "Refunds work like this.", "The weather is nice today."]
    chinese = ["如何申请退款", "退款申请的流程", "今天天气很好"]

    for asked, close, far in (texts, chinese):
        a, b, c = (await embedder.embed([asked, close, far], purpose="query")).vectors
        assert len(a) == 4096
        assert dot(a, b) > dot(a, c) + 0.2


async def test_offline_vectors_never_change(factory: RegistryEmbedderFactory) -> None:
    """They are stored: another way of computing them would make bases unsearchable."""
    embedder = factory.open(
        EmbeddingEndpoint(kind="offline", model="offline-embedding", dimensions=64)
    )
    [found] = (await embedder.embed(["The fox, 狐狸"], purpose="document")).vectors
    assert {at: round(value, 9) for at, value in enumerate(found) if value} == {
        30: -0.188839911,
        35: -0.629466369,
        36: -0.188839911,
        51: 0.673529015,
        54: -0.207723902,
        62: -0.188839911,
    }


async def test_offline_features_of_a_word_are_made_once(factory: RegistryEmbedderFactory) -> None:
    embedder = factory.open(EmbeddingEndpoint(kind="offline", model="offline-embedding"))
    text = f"wolves, foxes and {'x' * 100}"
    first = await embedder.embed([text], purpose="document")
    made = _of_word.cache_info().misses

    assert await embedder.embed([text], purpose="document") == first
    assert _of_word.cache_info().misses == made


async def test_texts_without_words_still_have_a_direction(factory: RegistryEmbedderFactory) -> None:
    embedder = factory.open(EmbeddingEndpoint(kind="offline", model="offline-embedding"))

    for values in (await embedder.embed(["!?", "🚀", "\u200b", "a"], purpose="query")).vectors:
        assert dot(values, values) == pytest.approx(1.0)


def dot(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
