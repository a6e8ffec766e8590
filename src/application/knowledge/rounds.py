"""What knowledge bases need from time to time, done by one process for all."""

from contextlib import AsyncExitStack
from typing import Final

from application.knowledge.dataset.reconcile import Reconciler
from application.knowledge.dataset.refetch import PageRefresher
from application.knowledge.document.preview_kind import PreviewKind
from application.knowledge.ingest.embedding_cache import EmbeddingCache
from application.shared.leader import scheduled
from infra.contract.messaging.leader_election import LeaderElection

_PAGES_S: Final = 60.0
_TURN_S: Final = 900.0
"""How often to see whether another hour began."""
_HOUR_S: Final = 3600.0


class KnowledgeRounds:
    """Pages that change, comparisons with the stores, old previews and cache entries."""

    def __init__(
        self,
        *,
        previews: PreviewKind,
        pages: PageRefresher,
        reconciler: Reconciler,
        embeddings: EmbeddingCache,
        election: LeaderElection,
    ) -> None:
        self._parts = tuple(
            scheduled(step, name=name, interval_s=interval_s, election=election)
            for name, step, interval_s in (
                ("knowledge pages", pages.refresh_due, _PAGES_S),
                ("knowledge preview expiry", previews.expire, _HOUR_S),
                ("knowledge reconciler", reconciler.run_hour, _TURN_S),
                ("knowledge embedding cache", embeddings.prune, _HOUR_S),
            )
        )
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        for part in self._parts:
            self._stack.push_async_callback(part.aclose)
            await part.start()

    async def aclose(self) -> None:
        await self._stack.aclose()
