"""Reranking models behind the wire that Jina and Cohere share, and many servers speak."""

import math
from collections.abc import Sequence
from contextlib import closing
from typing import Final

import msgspec

from domain.shared.error import InvalidRequest
from infra.contract.egress import EgressDenied
from infra.contract.model.chat_model import RETRYABLE, ModelCallFailed, ModelFailure
from infra.contract.model.reranker import Ranked, RerankEndpoint, Reranker, Reranking
from infra.impl.http import error, provider
from infra.impl.http.reply import Timeouts
from infra.impl.reranker import RERANKERS, RerankerParts

_GOOD: Final = 2  # hundred
_ATTEMPTS: Final = 2
_LONGEST_WAIT_S: Final = 1.0  # somebody is waiting for an answer


class _Result(msgspec.Struct):
    index: int
    relevance_score: float


class _Usage(msgspec.Struct):
    total_tokens: int = 0


class _Body(msgspec.Struct):
    results: list[_Result]
    model: str | None = None
    usage: _Usage | None = None


@RERANKERS.register("jina")
@RERANKERS.register("cohere")
def jina(endpoint: RerankEndpoint, parts: RerankerParts) -> Reranker:
    """Open a reranking model of any server with this wire."""
    return JinaReranker(endpoint, parts)


class JinaReranker:
    """Calls ``POST /rerank``; a rate limit or a broken connection is tried once more."""

    def __init__(self, endpoint: RerankEndpoint, parts: RerankerParts) -> None:
        self._endpoint = endpoint
        self._parts = parts
        self._profile = provider.profile_of(tenant_address=endpoint.tenant_address)
        self._timeouts = Timeouts(
            connect_s=min(parts.limits.model_connect_s, endpoint.timeout_s),
            first_s=endpoint.timeout_s,
            idle_s=endpoint.timeout_s,
            total_s=endpoint.timeout_s,
        )

    async def rerank(self, query: str, documents: Sequence[str]) -> Reranking:
        """Score all documents, in several calls if there are too many for one."""
        if not query.strip():
            raise InvalidRequest("query: the text is blank.")
        # A blank document cannot answer anything, and providers refuse it.
        asked = [at for at, text in enumerate(documents) if text.strip()]
        scores: dict[int, float] = {}
        model, tokens = self._endpoint.model, 0
        size = max(1, self._endpoint.max_documents)
        for start in range(0, len(asked), size):
            positions = asked[start : start + size]
            body = await self._with_retry(query, [documents[at] for at in positions])
            for result in body.results:
                scores[positions[result.index]] = result.relevance_score
            model = body.model or model
            tokens += body.usage.total_tokens if body.usage else 0
        if self._endpoint.scale == "logit":
            scores = {index: _sigmoid(score) for index, score in scores.items()}
        brought, rescaled = _within_unit(scores)
        ranked = [Ranked(index=index, score=score) for index, score in brought.items()]
        ranked.sort(key=lambda item: (-item.score, item.index))
        return Reranking(ranked=tuple(ranked), model=model, tokens=tokens, rescaled=rescaled)

    async def _with_retry(self, query: str, documents: Sequence[str]) -> _Body:
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return self._read(await self._post(query, documents), count=len(documents))
            except ModelCallFailed as exc:
                is_late = exc.failure is ModelFailure.TIMEOUT
                must_wait = (exc.retry_after_s or 0.0) > _LONGEST_WAIT_S
                is_last = attempt == _ATTEMPTS
                if exc.failure not in RETRYABLE or is_late or must_wait or is_last:
                    raise
        raise AssertionError("The last attempt returns or raises.")

    def _read(self, raw: bytes, *, count: int) -> _Body:
        try:
            body = msgspec.json.decode(raw, type=_Body)
        except (msgspec.DecodeError, UnicodeDecodeError) as exc:
            raise provider.failed(ModelFailure.MALFORMED) from exc
        indexes = [result.index for result in body.results]
        if len(set(indexes)) < len(indexes) or not all(0 <= at < count for at in indexes):
            raise provider.failed(
                ModelFailure.MALFORMED, detail="results do not match the documents"
            )
        if not all(math.isfinite(result.relevance_score) for result in body.results):
            raise provider.failed(ModelFailure.MALFORMED, detail="a score is not finite")
        return body

    async def _post(self, query: str, documents: Sequence[str]) -> bytes:
        endpoint, limits, gateway = self._endpoint, self._parts.limits, self._parts.gateway
        body = {
            "model": endpoint.model,
            "query": query,
            "documents": [text[: endpoint.max_document_chars] for text in documents],
            "top_n": len(documents),
        }
        try:
            reply = await gateway.send(
                "POST",
                gateway.parse(
                    provider.address(endpoint.base_url, "/rerank"), profile=self._profile
                ),
                profile=self._profile,
                timeouts=self._timeouts,
                headers=provider.provider_headers(endpoint.api_key, {}),
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
        raise provider.status_failed(
            reply.status, raw, reply.headers, secret=endpoint.api_key, now=self._parts.clock.now()
        )


def _sigmoid(logit: float) -> float:
    return 0.5 * (1.0 + math.tanh(0.5 * logit))  # this form does not overflow


def _within_unit(scores: dict[int, float]) -> tuple[dict[int, float], bool]:
    """Bring scores to [0, 1] if they are not: the lowest of the call becomes 0, the highest 1."""
    low, high = min(scores.values(), default=0.0), max(scores.values(), default=1.0)
    if low >= 0.0 and high <= 1.0:
        return scores, False
    span = (high - low) or 1.0
    return {index: (score - low) / span for index, score in scores.items()}, True
