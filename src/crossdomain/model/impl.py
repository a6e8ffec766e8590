"""Translates models into the contract's words; the only importer of both sides."""

import hashlib
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Literal

import msgspec

from crossdomain.model.contract import (
    ChatPurpose,
    EmbeddingDescription,
    EmbeddingResult,
    ModelDescription,
    RankedText,
    RerankResult,
)
from domain.model.entity import Model
from domain.model.service import ModelService
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, ChatRequest, ModelEvent, ToolSpec


class DomainModels:
    """In-process implementation of the contracts ``Models`` and ``ModelNames``."""

    def __init__(self, service: ModelService) -> None:
        self._service = service

    async def describe(self, model: str, *, space_id: int = 0) -> ModelDescription:
        return _described(await self._service.describe(model, space_id=space_id))

    async def seeing(self) -> ModelDescription | None:
        found = await self._service.seeing()
        return None if found is None else _described(found)

    async def upstreams(self) -> Mapping[str, str]:
        return await self._service.upstreams()

    def stream(
        self,
        context: CallContext,
        request: ChatRequest,
        *,
        purpose: ChatPurpose = "chat",
    ) -> AsyncGenerator[ModelEvent, None]:
        return self._service.stream(context, request, purpose=purpose)

    async def embed(
        self,
        context: CallContext,
        texts: Sequence[str],
        *,
        purpose: Literal["query", "document"],
        model: str = "",
    ) -> EmbeddingResult:
        used = await self._service.describe_embedding(model)
        result = await self._service.embed(context, texts, purpose=purpose, model=model)
        return EmbeddingResult(
            vectors=result.vectors,
            model=result.model,
            input_tokens=result.input_tokens,
            is_offline=used.is_offline,
        )

    async def describe_embedding(self, model: str) -> EmbeddingDescription:
        found = await self._service.describe_embedding(model)
        spec = found.spec
        settings = spec.embedding
        traits = (
            spec.kind,
            spec.upstream,
            spec.base_url,
            settings.dimensions,
            settings.normalise,
            settings.document_prefix,
        )
        return EmbeddingDescription(
            id=found.key,
            identity=hashlib.sha256(msgspec.json.encode(traits)).hexdigest(),
            is_offline=found.is_offline,
            upstream=spec.upstream,
        )

    async def has_reranker(self) -> bool:
        return await self._service.has_reranker()

    async def rerank(
        self, context: CallContext, query: str, texts: Sequence[str], *, model: str = ""
    ) -> RerankResult:
        result = await self._service.rerank(context, query, texts, model=model)
        return RerankResult(
            ranked=tuple(RankedText(index=one.index, score=one.score) for one in result.ranked),
            model=result.model,
            tokens=result.tokens,
        )

    def count_tokens(
        self, model: str, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec] = ()
    ) -> int:
        return self._service.count_tokens(model, messages, tools)


def _described(model: Model) -> ModelDescription:
    return ModelDescription(
        dropped=model.dropped,
        id=model.key,
        name=model.name,
        capabilities=model.capabilities,
        window=model.window,
        max_output=model.max_output,
        is_offline=model.is_offline,
    )
