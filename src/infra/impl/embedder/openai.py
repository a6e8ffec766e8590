"""Embedding models behind the OpenAI wire."""

import asyncio
import base64
import binascii
import math
import random
import re
import struct
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import closing
from typing import Any, Final, Literal, TypeVar

import msgspec

from infra.contract.egress import EgressDenied
from infra.contract.model.chat_model import RETRYABLE, ModelCallFailed, ModelFailure
from infra.contract.model.embedder import Embedder, EmbeddingEndpoint, Embeddings
from infra.impl.embedder import EMBEDDERS, EmbedderParts
from infra.impl.embedder.text import checked, estimate_tokens, shortened
from infra.impl.http import error, provider
from infra.impl.http.reply import HttpReply, Timeouts

T = TypeVar("T")
EmbeddingPurpose = Literal["query", "document"]

_GOOD: Final = 2  # hundred
_IN_FLIGHT: Final = 2
_ATTEMPTS: Final = 3
_BACK_OFF_S, _BACK_OFF_CAP_S, _RETRY_AFTER_CAP_S = 0.5, 10.0, 30.0
_TOO_MANY: Final = re.compile(
    r"batch|array|too large|too many|maximum|at most|exceed|不能超过|超过"
)
_TOO_LARGE_STATUS: Final = frozenset({400, 413, 422})
_FLOAT_BYTES: Final = 4
_WORTH_A_THREAD_BYTES: Final = 64 * 1024


class EmbeddingRow(msgspec.Struct):
    """One vector, as floats or in base64."""

    embedding: list[float] | str
    index: int | None = None


class EmbeddingUsage(msgspec.Struct):
    """Tokens of one call; zero if nobody counted."""

    prompt_tokens: int = 0
    total_tokens: int = 0


class EmbeddingBody(msgspec.Struct):
    """One reply, in the shape of the OpenAI wire."""

    data: list[EmbeddingRow]
    model: str | None = None
    usage: EmbeddingUsage | None = None


class _Batch(msgspec.Struct, frozen=True):
    start: int
    texts: tuple[str, ...]
    purpose: EmbeddingPurpose


class _Done(msgspec.Struct, frozen=True):
    start: int
    vectors: tuple[tuple[float, ...], ...]
    tokens: int
    estimated: bool


@EMBEDDERS.register("openai")
def openai(endpoint: EmbeddingEndpoint, parts: EmbedderParts) -> Embedder:
    """Open an embedding model of any server with this wire."""
    return OpenAiEmbedder(endpoint, parts)


class OpenAiEmbedder:
    """Batches by count and tokens, two in flight; halves batches that the server finds too large.

    Retries 429, 5xx and broken connections twice, with full jitter or as ``Retry-After`` asks.
    """

    def __init__(self, endpoint: EmbeddingEndpoint, parts: EmbedderParts) -> None:
        self._endpoint = endpoint
        self._parts = parts
        self._profile = provider.profile_of(tenant_address=endpoint.tenant_address)
        self._timeouts = Timeouts(
            connect_s=parts.limits.model_connect_s,
            first_s=endpoint.timeout_s,
            idle_s=endpoint.timeout_s,
            total_s=endpoint.timeout_s,
        )

    async def embed(self, texts: Sequence[str], *, purpose: EmbeddingPurpose) -> Embeddings:
        """Embed all texts; see the port."""
        checked(texts)
        endpoint = self._endpoint
        prefix = endpoint.query_prefix if purpose == "query" else endpoint.document_prefix
        cut = [shortened(prefix + text, max_tokens=endpoint.max_input_tokens) for text in texts]
        batches = list(self._batches([text for text, _ in cut], purpose))
        done = await _in_parallel(self._run, batches, limit=_IN_FLIGHT)
        parts = sorted((part for parts in done for part in parts), key=lambda part: part.start)
        vectors = tuple(vector for part in parts for vector in part.vectors)
        _check_shape(vectors, dimensions=endpoint.dimensions)
        return Embeddings(
            vectors=vectors,
            model=endpoint.model,
            input_tokens=sum(part.tokens for part in parts),
            estimated=any(part.estimated for part in parts),
            truncated=tuple(at for at, (_, is_cut) in enumerate(cut) if is_cut),
        )

    def _batches(self, texts: Sequence[str], purpose: EmbeddingPurpose) -> Iterator[_Batch]:
        start, tokens = 0, 0
        for at, text in enumerate(texts):
            size = estimate_tokens(text)
            is_full = at - start >= max(1, self._endpoint.batch_size)
            if at > start and (is_full or tokens + size > self._endpoint.batch_tokens):
                yield _Batch(start, tuple(texts[start:at]), purpose)
                start, tokens = at, 0
            tokens += size
        if start < len(texts):
            yield _Batch(start, tuple(texts[start:]), purpose)

    async def _run(self, batch: _Batch) -> list[_Done]:
        """Embed a batch, in halves if the server finds it too large."""
        try:
            return [await self._with_retries(batch)]
        except ModelCallFailed as exc:
            if not _is_too_large(exc):
                raise
            if len(batch.texts) == 1:
                raise provider.failed(
                    ModelFailure.CONTEXT_OVERFLOW,
                    status=exc.status,
                    detail=f"input[{batch.start}]",
                    position=batch.start,
                ) from exc
        middle = len(batch.texts) // 2
        first = _Batch(batch.start, batch.texts[:middle], batch.purpose)
        second = _Batch(batch.start + middle, batch.texts[middle:], batch.purpose)
        return [*await self._run(first), *await self._run(second)]

    async def _with_retries(self, batch: _Batch) -> _Done:
        for attempt in range(_ATTEMPTS):
            try:
                return await self._once(batch)
            except ModelCallFailed as exc:
                if exc.failure not in RETRYABLE or attempt + 1 == _ATTEMPTS:
                    raise
                pause = min(_BACK_OFF_S * 2**attempt, _BACK_OFF_CAP_S) * random.random()  # noqa: S311 - jitter
                if exc.retry_after_s is not None:
                    pause = min(exc.retry_after_s, _RETRY_AFTER_CAP_S)
            await asyncio.sleep(pause)
        raise AssertionError("The last attempt returns or raises.")

    async def _once(self, batch: _Batch) -> _Done:
        raw = await self._post(batch)
        if len(raw) > _WORTH_A_THREAD_BYTES:
            return await asyncio.to_thread(self._read, batch, raw)
        return self._read(batch, raw)

    def _read(self, batch: _Batch, raw: bytes) -> _Done:
        try:
            body = self._decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError) as exc:
            raise provider.failed(ModelFailure.MALFORMED) from exc
        vectors = _in_order(body.data, count=len(batch.texts))
        if self._endpoint.normalise:
            vectors = [_normalised(vector) for vector in vectors]
        reported = (body.usage.prompt_tokens or body.usage.total_tokens) if body.usage else 0
        return _Done(
            start=batch.start,
            vectors=tuple(vectors),
            tokens=reported or sum(map(estimate_tokens, batch.texts)),
            estimated=not reported,
        )

    def _call(
        self, texts: Sequence[str], purpose: EmbeddingPurpose
    ) -> tuple[str, dict[str, str], dict[str, Any]]:
        """Return address, headers and body of one call; other wires say them differently."""
        endpoint = self._endpoint
        body: dict[str, Any] = {
            "model": endpoint.model,
            "input": texts,
            "encoding_format": "float",
        }
        if endpoint.send_dimensions and endpoint.dimensions:
            body["dimensions"] = endpoint.dimensions
        address = provider.address(endpoint.base_url, "/embeddings")
        return address, provider.provider_headers(endpoint.api_key, {}), body

    def _decode(self, raw: bytes) -> EmbeddingBody:
        """Read a reply; raise ``DecodeError`` for what is none."""
        return msgspec.json.decode(raw, type=EmbeddingBody)

    def _failed(self, reply: HttpReply, raw: bytes) -> ModelCallFailed:
        return provider.status_failed(
            reply.status,
            raw,
            reply.headers,
            secret=self._endpoint.api_key,
            now=self._parts.clock.now(),
        )

    async def _post(self, batch: _Batch) -> bytes:
        address, headers, body = self._call(batch.texts, batch.purpose)
        gateway, limits = self._parts.gateway, self._parts.limits
        try:
            reply = await gateway.send(
                "POST",
                gateway.parse(address, profile=self._profile),
                profile=self._profile,
                timeouts=self._timeouts,
                headers=headers,
                body=msgspec.json.encode(body),
            )
            with closing(reply):
                is_good = reply.status // 100 == _GOOD
                limit_bytes = limits.model_reply_bytes if is_good else limits.model_error_bytes
                raw = await reply.read_all(limit_bytes=limit_bytes)
        except (error.TransportError, EgressDenied) as exc:
            raise provider.transport_failed(exc) from exc
        if is_good:
            return raw
        raise self._failed(reply, raw)


def _is_too_large(exc: ModelCallFailed) -> bool:
    """Whether fewer or shorter inputs could help."""
    if exc.failure is ModelFailure.CONTEXT_OVERFLOW:
        return True
    words = str(exc.context.get("upstream", "")).lower()
    if exc.failure is not ModelFailure.INVALID_REQUEST:
        return False
    return exc.status in _TOO_LARGE_STATUS and _TOO_MANY.search(words) is not None


def _in_order(rows: Sequence[EmbeddingRow], *, count: int) -> list[tuple[float, ...]]:
    """Return the vectors by the index each row carries, or by position if none does."""
    found: list[tuple[float, ...] | None] = [None] * count
    for position, row in enumerate(rows):
        at = position if row.index is None else row.index
        if not 0 <= at < count or found[at] is not None:
            raise provider.failed(ModelFailure.MALFORMED, detail="vectors do not match the inputs")
        found[at] = _numbers(row.embedding)
    if any(vector is None for vector in found):
        raise provider.failed(ModelFailure.MALFORMED, detail="a vector is missing")
    return [vector for vector in found if vector is not None]


def _numbers(raw: list[float] | str) -> tuple[float, ...]:
    """Read floats, or little-endian 32-bit floats in base64."""
    if isinstance(raw, str):
        try:
            data = base64.b64decode(raw, validate=True)
            vector: tuple[float, ...] = struct.unpack(f"<{len(data) // _FLOAT_BYTES}f", data)
        except (binascii.Error, struct.error) as exc:
            raise provider.failed(ModelFailure.MALFORMED, detail="unreadable base64") from exc
    else:
        vector = tuple(raw)
    if not all(map(math.isfinite, vector)) or not any(vector):
        raise provider.failed(ModelFailure.MALFORMED, detail="a vector is zero or not finite")
    return vector


def _normalised(vector: tuple[float, ...]) -> tuple[float, ...]:
    norm = math.sqrt(math.fsum(value * value for value in vector))
    return tuple(value / norm for value in vector)


def _check_shape(vectors: Sequence[tuple[float, ...]], *, dimensions: int) -> None:
    expected = dimensions or (len(vectors[0]) if vectors else 0)
    for vector in vectors:
        if len(vector) != expected:
            raise provider.failed(
                ModelFailure.MALFORMED,
                detail=f"expected {expected} dimensions, got {len(vector)}",
            )


async def _in_parallel(
    work: Callable[[_Batch], Coroutine[Any, Any, T]], batches: Sequence[_Batch], *, limit: int
) -> list[T]:
    """Run all batches, ``limit`` at a time; the first failure ends the others and is raised."""
    waiting = iter(batches)
    results: list[T] = []

    async def worker() -> None:
        for batch in waiting:
            results.append(await work(batch))  # noqa: PERF401 - other workers append in between

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(limit, len(batches))):
                group.create_task(worker())
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return results
