"""Embeddings and ranking of texts by the deployment's models."""

import base64
import struct
from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec
from litestar import Controller, Request, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK

from api.disconnect import while_connected
from api.openai.error import UnsupportedInput
from api.wire import bounded_text
from application.model.gateway import MAX_INPUTS, ModelGateway
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest

EMBEDDING_PREFIX: Final = "embedding/"
"""Before the name of an embedding model that could also be an agent's alias."""

_MODEL_CHARS: Final = 256


class EmbeddingRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Texts to embed."""

    model: str
    """Name of an embedding model, with ``embedding/`` before it if an agent has the same alias."""
    input: str | list[str | int | list[int]]
    """A text, or up to 2,048 of them with 300,000 tokens together."""
    encoding_format: Literal["float", "base64"] = "float"
    """Numbers, or their bytes as base64: 32 bits each, little-endian."""
    dimensions: int | None = None
    """Length of the vectors, only of models that can be shortened."""
    input_type: Literal["query", "document"] = "document"
    """What the texts are, for models that embed questions in another way."""
    user: str | None = None


class EmbeddingObject(msgspec.Struct, frozen=True, kw_only=True):
    """A vector: numbers, or their bytes as base64 (32 bits each, little-endian)."""

    object: str = "embedding"
    index: int
    embedding: list[float] | str


class EmbeddingUsage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens that were read."""

    prompt_tokens: int
    total_tokens: int


class EmbeddingList(msgspec.Struct, frozen=True, kw_only=True):
    """Vectors in the order of the texts."""

    object: str = "list"
    data: list[EmbeddingObject]
    model: str
    usage: EmbeddingUsage


class EmbeddingController(Controller):
    """Vectors of texts."""

    path = "/v1/embeddings"

    @post(status_code=HTTP_200_OK, operation_id="openai.embeddings.create")
    async def create(
        self,
        *,
        data: JSONBody[EmbeddingRequest],
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        gateway: NamedDependency[ModelGateway],
    ) -> EmbeddingList:
        """Embed one text or several."""
        name = bounded_text(data.model, field="model", max_chars=_MODEL_CHARS)
        result = await while_connected(
            request,
            gateway.embed(
                principal,
                principal.personal_space_id,
                _texts(data.input),
                model=name.removeprefix(EMBEDDING_PREFIX),
                purpose=data.input_type,
                dimensions=data.dimensions,
            ),
        )
        is_text = data.encoding_format == "base64"
        return EmbeddingList(
            data=[
                EmbeddingObject(index=at, embedding=_packed(v) if is_text else list(v))
                for at, v in enumerate(result.vectors)
            ],
            model=result.model,
            usage=EmbeddingUsage(prompt_tokens=result.tokens, total_tokens=result.tokens),
        )


class RerankDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A text to rank."""

    text: str


class RerankRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A question and what might answer it."""

    model: str = ""
    """Name of a ranking model; the default one without it."""
    query: str
    documents: list[str | RerankDocument]
    """Up to 2,048 texts."""
    top_n: int | None = None
    """How many to return, the best ones; all without it."""
    return_documents: bool = False
    """Give the texts back with their places."""


class RerankResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A document by its position in the request, with its relevance from 0 to 1."""

    index: int
    relevance_score: float
    document: RerankDocument | None = None


class RerankUsage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens that the model counted; 0 if it does not tell."""

    total_tokens: int


class RerankResults(msgspec.Struct, frozen=True, kw_only=True):
    """Documents, best first."""

    model: str
    results: list[RerankResult]
    usage: RerankUsage


class RerankController(Controller):
    """Order of texts."""

    path = "/v1/rerank"

    @post(status_code=HTTP_200_OK, operation_id="openai.reranks.create")
    async def create(
        self,
        *,
        data: JSONBody[RerankRequest],
        request: Request[Any, Any, Any],
        principal: NamedDependency[Principal],
        gateway: NamedDependency[ModelGateway],
    ) -> RerankResults:
        """Order texts by how well they answer a question."""
        texts = [each if isinstance(each, str) else each.text for each in data.documents]
        if not 1 <= len(texts) <= MAX_INPUTS:
            raise InvalidRequest(f"documents: 1 to {MAX_INPUTS} texts.", field="documents")
        if data.top_n is not None and data.top_n < 1:
            raise InvalidRequest("top_n: expected at least 1.", field="top_n")
        result = await while_connected(
            request,
            gateway.rank(
                principal,
                principal.personal_space_id,
                data.query,
                texts,
                model=bounded_text(data.model, field="model", max_chars=_MODEL_CHARS),
                most=data.top_n,
            ),
        )
        return RerankResults(
            model=result.model,
            results=[
                RerankResult(
                    index=one.index,
                    relevance_score=one.score,
                    document=RerankDocument(text=texts[one.index])
                    if data.return_documents
                    else None,
                )
                for one in result.documents
            ],
            usage=RerankUsage(total_tokens=result.tokens),
        )


def _texts(given: str | Sequence[str | int | list[int]]) -> list[str]:
    if isinstance(given, str):
        return [given]
    texts = [each for each in given if isinstance(each, str)]
    if len(texts) < len(given):
        raise UnsupportedInput(
            "input: send texts; the ids of tokens mean something to one tokenizer only.",
            field="input",
        )
    return texts


def _packed(vector: Sequence[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
