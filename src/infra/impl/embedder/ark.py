"""Embedding models of Volcengine's Ark platform, whose wire is that of OpenAI."""

import msgspec

from infra.contract.model.embedder import Embedder, EmbeddingEndpoint
from infra.impl.embedder import EMBEDDERS, EmbedderParts
from infra.impl.embedder.openai import OpenAiEmbedder
from infra.impl.http import provider


@EMBEDDERS.register("ark")
def ark(endpoint: EmbeddingEndpoint, parts: EmbedderParts) -> Embedder:
    """Open an embedding model or inference endpoint of Ark."""
    address = provider.ark_address(endpoint.base_url)
    return OpenAiEmbedder(msgspec.structs.replace(endpoint, base_url=address), parts)
