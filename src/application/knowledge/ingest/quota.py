"""How much of a space may wait to be read or indexed, counted so that two requests cannot pass."""

from typing import Final

from domain.knowledge.error import IngestQueueFull
from domain.knowledge.repository import KnowledgeUnitOfWork
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId

MAX_JOBS: Final = 1000
"""Documents of a space that wait to be indexed."""
MAX_PREVIEWS: Final = 50
"""Previews of a space that wait to be read."""


async def wait_turn(uow: KnowledgeUnitOfWork, space_id: SpaceId) -> None:
    """Have nobody else add documents to the space before this transaction ends.

    Before anything is locked: whoever locked a document and waits here would hold up the others.
    """
    await uow.serialise(f"ingest queue of {space_id}")


async def require_room(uow: KnowledgeUnitOfWork, scope: TenantScope, count: int) -> None:
    """Raise ``IngestQueueFull`` unless ``count`` more documents may wait."""
    if await uow.jobs.waiting(scope) + count > MAX_JOBS:
        raise IngestQueueFull(
            "Too many documents wait to be indexed; try again later.", retry_after_s=60.0
        )


async def require_preview_room(uow: KnowledgeUnitOfWork, scope: TenantScope, count: int) -> None:
    """Raise ``IngestQueueFull`` unless ``count`` more previews may wait."""
    if await uow.previews.waiting(scope) + count > MAX_PREVIEWS:
        raise IngestQueueFull(
            "Too many previews wait to be read; try again later.", retry_after_s=30.0
        )
