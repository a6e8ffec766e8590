"""Vectors that a model gave lately: texts cut or copied again cost no second call."""

import asyncio
import hashlib
import logging
from array import array
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from domain.knowledge.repository import KnowledgeStore
from domain.shared.call import CallContext
from domain.shared.error import AppError
from infra.contract.clock import Clock

MAX_ENTRIES: Final = 100_000
MAX_AGE: Final = timedelta(days=7)
_logger: Final = logging.getLogger(__name__)


class EmbeddingCache:
    """Kept in the database, so that it outlives the process; a fault of it never stops indexing.

    A model is named by its identity, so that another one of the same name is never mistaken for
    it. Spaces never see each other's entries.
    """

    def __init__(
        self, *, store: KnowledgeStore, clock: Clock, max_entries: int = MAX_ENTRIES
    ) -> None:
        self._store = store
        self._clock = clock
        self._max_entries = max_entries

    async def get(
        self, context: CallContext, model: str, texts: Sequence[str]
    ) -> dict[str, "array[float]"]:
        """Return the vectors of those texts that are known."""
        # A hundred long texts take milliseconds, which everybody would wait for.
        hashes = await asyncio.to_thread(lambda: {_hash(text): text for text in texts})
        scope = context.scope.within(context.space_id)
        try:
            async with self._store.snapshot() as uow:
                found = await uow.embeddings.get(
                    scope, context.space_id, model, list(hashes), since=self._clock.now() - MAX_AGE
                )
        except AppError:
            _logger.warning("The embedding cache cannot be read.", exc_info=True)
            return {}
        return {hashes[key]: array("f", vector) for key, vector in found.items()}

    async def put(
        self, context: CallContext, model: str, vectors: Mapping[str, Sequence[float]]
    ) -> None:
        """Remember vectors by their texts."""
        packed = await asyncio.to_thread(
            lambda: {_hash(text): array("f", vector).tobytes() for text, vector in vectors.items()}
        )
        scope = context.scope.within(context.space_id)
        try:
            async with self._store.transaction() as uow:
                await uow.embeddings.put(
                    scope, context.space_id, model, packed, now=self._clock.now()
                )
                await uow.commit()
        except AppError:
            _logger.warning("The embedding cache cannot be written.", exc_info=True)

    async def prune(self) -> None:
        """Forget what is old, and the oldest of what is too much."""
        async with self._store.transaction() as uow:
            await uow.upkeep.prune_embeddings(
                before=self._clock.now() - MAX_AGE, kept=self._max_entries
            )
            await uow.commit()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
