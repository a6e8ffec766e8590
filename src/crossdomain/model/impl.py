"""Translates models into the contract's words; the only importer of both sides."""

from collections.abc import AsyncGenerator, Sequence
from typing import Literal

from crossdomain.model.contract import (
    EmbeddingResult,
    ModelDescription,
    RankedText,
    RerankResult,
)
from domain.model.service import ModelService
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, ChatRequest, ModelEvent, ToolSpec


class DomainModels:
    """In-process implementation of the ``Models`` contract."""

    def __init__(self, service: ModelService) -> None:
        self._service = service

    async def describe(self, model: str) -> ModelDescription:
        found = await self._service.describe(model)
        return ModelDescription(
            id=found.key,
            name=found.name,
            capabilities=found.capabilities,
            window=found.window,
            max_output=found.max_output,
            is_offline=found.is_offline,
        )

    def stream(
        self,
        context: CallContext,
        request: ChatRequest,
        *,
        purpose: Literal["chat", "suggestion", "title", "summary", "query_rewrite"] = "chat",
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
