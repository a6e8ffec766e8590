"""The parts of knowledge that work by themselves, as long as the process lives."""

from contextlib import AsyncExitStack
from typing import Final

from application.knowledge.copying import CopyRunner
from application.knowledge.dataset.rebuild import RebuildRunner
from application.knowledge.document.preview_runner import PreviewRunner
from application.shared.background import Background
from infra.contract.event_bus import Delivery

AWAITED: Final = frozenset({"knowledge.rebuild", "knowledge.document_review", "knowledge.copy"})
"""Events after which there is something to do at once."""
_WORK_S: Final = 5.0
"""How often to look without being told; the database is the truth, not the message."""


class Upkeep:
    """Rebuilds, previews and copies, each taken by the process that is first."""

    def __init__(
        self, *, rebuilds: RebuildRunner, previews: PreviewRunner, copies: CopyRunner
    ) -> None:
        self._rebuilds = Background(rebuilds.run_due, name="knowledge rebuilds", interval_s=_WORK_S)
        self._previews = Background(previews.run_due, name="knowledge previews", interval_s=_WORK_S)
        self._copies = Background(copies.run_due, name="knowledge copies", interval_s=_WORK_S)
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        for part in (self._rebuilds, self._previews, self._copies):
            self._stack.push_async_callback(part.aclose)
            await part.start()

    async def aclose(self) -> None:
        await self._stack.aclose()

    async def ring(self, _: Delivery) -> None:
        """Take an event of ``AWAITED``; lost and repeated ones change nothing."""
        await self._rebuilds.ring()
        await self._previews.ring()
        await self._copies.ring()
