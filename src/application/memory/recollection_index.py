"""Search keys of memories: words always, embeddings where a model makes meaningful ones."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from crossdomain.model.contract import Models
from domain.memory.recollection import MAX_TERMS, Recollection, RecollectionId
from domain.memory.relevance import overlap
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage
from domain.shared.error import AppError
from infra.contract.storage.search_index import PackVector, Similarities

_LOG: Final = logging.getLogger(__name__)
_EMBED_S: Final = 20.0
_ANY_MODEL: Final = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """Packed vectors of some texts, and the identity of the model; both empty without a model."""

    identity: str = ""
    vectors: tuple[bytes, ...] = ()

    def at(self, position: int) -> bytes:
        return self.vectors[position] if self.vectors else b""


class RecollectionIndex:
    """Makes search keys and compares by them; without an embedding model by words alone."""

    def __init__(
        self,
        *,
        models: Models,
        pack: PackVector,
        similarities: Similarities,
        analyse: Callable[[str], list[str]],
    ) -> None:
        self._models = models
        self._pack = pack
        self._similarities = similarities
        self._analyse = analyse

    def terms(self, text: str) -> tuple[str, ...]:
        """Return the search tokens of a text, at most ``MAX_TERMS``."""
        return tuple(self._analyse(text)[:MAX_TERMS])

    def count(self, text: str) -> int:
        """Estimate the tokens of a text."""
        return self._models.count_tokens(_ANY_MODEL, [ChatMessage.of_text("user", text)])

    async def embed(
        self, context: CallContext, texts: Sequence[str], *, is_query: bool = False
    ) -> Embedded:
        """Embed texts with the default model; failures leave them to the words."""
        if not texts:
            return Embedded()
        try:
            model = await self._models.describe_embedding("")
            if model.is_offline:
                return Embedded()
            async with asyncio.timeout(_EMBED_S):
                found = await self._models.embed(
                    context, texts, purpose="query" if is_query else "document"
                )
        except (AppError, TimeoutError) as exc:
            _LOG.warning("Memories are searched by words alone: %r", exc)
            return Embedded()
        vectors = await asyncio.to_thread(lambda: tuple(map(self._pack, found.vectors)))
        return Embedded(identity=model.identity, vectors=vectors)

    async def similarities(
        self, context: CallContext, query: str, items: Sequence[Recollection]
    ) -> Mapping[RecollectionId, float]:
        """Compare a question with those that have an embedding of the present model."""
        if not query.strip() or not any(each.vector for each in items):
            return {}
        embedded = await self.embed(context, [query], is_query=True)
        return await asyncio.to_thread(self.compared, embedded, 0, items)

    def compared(
        self, embedded: Embedded, position: int, items: Sequence[Recollection]
    ) -> dict[RecollectionId, float]:
        """Compare one of several embedded texts with memories."""
        vector = embedded.at(position)
        likes = [
            each
            for each in items
            if vector and each.embedding == embedded.identity and len(each.vector) == len(vector)
        ]
        found = self._similarities(vector, [each.vector for each in likes])
        return {each.id: cosine for each, cosine in zip(likes, found, strict=True)}

    def likeness(self, one: Recollection, others: Sequence[Recollection]) -> list[float]:
        """Compare a memory with others, by words where there are no comparable vectors."""
        mine = Embedded(identity=one.embedding, vectors=(one.vector,))
        near = self.compared(mine, 0, others)
        return [
            max(0.0, near[each.id]) if each.id in near else overlap(one, each) for each in others
        ]

    async def renewed(
        self, context: CallContext, items: Sequence[Recollection], *, limit: int
    ) -> list[Recollection]:
        """Embed again what has no vector of the present model; at most ``limit`` of them."""
        try:
            model = await self._models.describe_embedding("")
        except AppError:
            return []
        if model.is_offline:
            return []
        stale = [each for each in items if each.embedding != model.identity][:limit]
        made = await self.embed(context, [each.text for each in stale])
        if not made.identity:
            return []
        return [
            replace(each, vector=made.at(at), embedding=made.identity)
            for at, each in enumerate(stale)
        ]
