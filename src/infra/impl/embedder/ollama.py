"""Embedding models of an Ollama server, through its own API.

Wire: ``ollama/ollama``, ``docs/api.md`` ("Generate embeddings").
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from infra.contract.model.embedder import Embedder, EmbeddingEndpoint
from infra.impl.embedder import EMBEDDERS, EmbedderParts
from infra.impl.embedder.openai import (
    EmbeddingBody,
    EmbeddingPurpose,
    EmbeddingRow,
    EmbeddingUsage,
    OpenAiEmbedder,
)
from infra.impl.http import provider


class _Reply(msgspec.Struct):
    embeddings: list[list[float]]
    prompt_eval_count: int = 0


@EMBEDDERS.register("ollama")
def ollama(endpoint: EmbeddingEndpoint, parts: EmbedderParts) -> Embedder:
    """Open an embedding model of an Ollama server."""
    return OllamaEmbedder(endpoint, parts)


class OllamaEmbedder(OpenAiEmbedder):
    """Batches and retries as for the OpenAI wire, spoken as ``/api/embed``."""

    def _call(
        self, texts: Sequence[str], purpose: EmbeddingPurpose
    ) -> tuple[str, dict[str, str], dict[str, Any]]:
        endpoint = self._endpoint
        body: dict[str, Any] = {"model": endpoint.model, "input": texts}
        if endpoint.send_dimensions and endpoint.dimensions:
            body["dimensions"] = endpoint.dimensions
        address = provider.ollama_address(endpoint.base_url, "embed")
        return address, provider.provider_headers(endpoint.api_key, {}), body

    def _decode(self, raw: bytes) -> EmbeddingBody:
        reply = msgspec.json.decode(raw, type=_Reply)
        return EmbeddingBody(
            data=[EmbeddingRow(embedding=vector) for vector in reply.embeddings],
            usage=EmbeddingUsage(prompt_tokens=reply.prompt_eval_count),
        )
