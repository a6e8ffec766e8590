"""The parts of knowledge that work by themselves, as long as the process lives."""

from contextlib import AsyncExitStack
from typing import Any, Final

from application.knowledge.work import WorkKind, WorkRunner
from application.shared.background import Background
from domain.knowledge.repository import KnowledgeStore
from infra.contract.clock import Clock
from infra.contract.messaging.event_bus import Delivery

AWAITED: Final = frozenset({"knowledge.rebuild", "knowledge.document_review", "knowledge.copy"})
"""Events after which there is something to do at once."""
_WORK_S: Final = 5.0
"""How often to look without being told; the database is the truth, not the message."""


class Upkeep:
    """Kinds of long work, each of whose pieces is taken by the process that is first."""

    def __init__(self, *kinds: WorkKind[Any], store: KnowledgeStore, clock: Clock) -> None:
        self._parts = [
            Background(
                WorkRunner(kind, store=store, clock=clock).run_due,
                name=f"knowledge {kind.name}",
                interval_s=_WORK_S,
            )
            for kind in kinds
        ]
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        for part in self._parts:
            self._stack.push_async_callback(part.aclose)
            await part.start()

    async def aclose(self) -> None:
        await self._stack.aclose()

    async def ring(self, _: Delivery) -> None:
        """Take an event of ``AWAITED``; lost and repeated ones change nothing."""
        for part in self._parts:
            part.wake()
