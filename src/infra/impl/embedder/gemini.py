"""Embedding models behind Google's Gemini API.

Wire: ai.google.dev, "Embeddings" (``models.batchEmbedContents``).
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from infra.contract.model.chat_model import ModelCallFailed
from infra.contract.model.embedder import Embedder, EmbeddingEndpoint
from infra.impl.embedder import EMBEDDERS, EmbedderParts
from infra.impl.embedder.openai import EmbeddingBody, EmbeddingPurpose, EmbeddingRow, OpenAiEmbedder
from infra.impl.http import gemini
from infra.impl.http.reply import HttpReply

_TASKS: Final = {"query": "RETRIEVAL_QUERY", "document": "RETRIEVAL_DOCUMENT"}


class _Values(msgspec.Struct):
    values: list[float]


class _Reply(msgspec.Struct):
    embeddings: list[_Values]


@EMBEDDERS.register("gemini")
def embedder(endpoint: EmbeddingEndpoint, parts: EmbedderParts) -> Embedder:
    """Open a Gemini embedding model."""
    return GeminiEmbedder(endpoint, parts)


class GeminiEmbedder(OpenAiEmbedder):
    """Batches and retries as for the OpenAI wire, spoken as ``batchEmbedContents``.

    The wire counts no tokens, so they are estimated.
    """

    def _call(
        self, texts: Sequence[str], purpose: EmbeddingPurpose
    ) -> tuple[str, dict[str, str], dict[str, Any]]:
        endpoint = self._endpoint
        model = gemini.resource_of(endpoint.model)
        shared: dict[str, Any] = {"model": model, "taskType": _TASKS[purpose]}
        if endpoint.send_dimensions and endpoint.dimensions:
            shared["outputDimensionality"] = endpoint.dimensions
        requests = [shared | {"content": {"parts": [{"text": text}]}} for text in texts]
        address = f"{gemini.versioned(endpoint.base_url)}/{model}:batchEmbedContents"
        headers = gemini.headers_of(endpoint.api_key, {}, accept="application/json")
        return address, headers, {"requests": requests}

    def _decode(self, raw: bytes) -> EmbeddingBody:
        reply = msgspec.json.decode(raw, type=_Reply)
        return EmbeddingBody(
            data=[EmbeddingRow(embedding=each.values) for each in reply.embeddings]
        )

    def _failed(self, reply: HttpReply, raw: bytes) -> ModelCallFailed:
        return gemini.status_failed(
            reply.status,
            raw,
            reply.headers,
            secret=self._endpoint.api_key,
            now=self._parts.clock.now(),
        )
