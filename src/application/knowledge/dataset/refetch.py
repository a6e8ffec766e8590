"""Web pages that are fetched again by themselves, and indexed again if they changed."""

import hashlib
import logging
from contextlib import aclosing
from datetime import timedelta
from typing import Final

from application.knowledge.ingest.source import SourceReader
from domain.knowledge.document import Document
from domain.knowledge.error import DocumentNotFound, ResegmentRefused
from domain.knowledge.job import IngestJob
from domain.knowledge.repository import KnowledgeStore
from domain.knowledge.value import SourceType
from domain.shared.access import TenantScope
from domain.shared.error import AppError, StaleRevision
from domain.shared.id_generator import IdGenerator
from infra.contract.clock import Clock

AT_ONCE: Final = 20
RETRY_AFTER: Final = timedelta(hours=1)
"""A page that cannot be read now is looked at again after this."""
_logger: Final = logging.getLogger(__name__)


class PageRefresher:
    """Looks at pages of all spaces; what is searchable stays as it is while one is read."""

    def __init__(
        self, *, store: KnowledgeStore, pages: SourceReader, clock: Clock, ids: IdGenerator
    ) -> None:
        self._store = store
        self._pages = pages
        self._clock = clock
        self._ids = ids

    async def refresh_due(self) -> None:
        """Look at every page whose time has come."""
        while True:
            async with self._store.snapshot() as uow:
                due = await uow.upkeep.due_refreshes(now=self._clock.now(), limit=AT_ONCE)
            for document in due:
                await self._refresh(document)
            if len(due) < AT_ONCE:
                return

    async def _refresh(self, document: Document) -> None:
        scope = TenantScope(document.creator_id, frozenset({document.space_id}))
        digest: str | None = None
        if document.source.type is SourceType.WEB_PAGE:
            try:
                digest = await self._digest(document, scope)
            except AppError as exc:
                _logger.info("Page of document %d cannot be read: %s", document.id, exc.code)
        try:
            await self._settle(document, scope, digest)
        except (DocumentNotFound, ResegmentRefused, StaleRevision):
            _logger.info("Document %d changed while its page was read.", document.id)

    async def _digest(self, document: Document, scope: TenantScope) -> str:
        digest = hashlib.sha256()
        async with aclosing(self._pages.read(scope, document.source)) as chunks:
            async for chunk in chunks:
                digest.update(chunk)
        return digest.hexdigest()

    async def _settle(self, document: Document, scope: TenantScope, digest: str | None) -> None:
        """Begin a generation for a page that changed; put the others off."""
        now = self._clock.now()
        async with self._store.transaction() as uow:
            fresh = await uow.documents.lock(scope, document.id)
            if document.source.type is not SourceType.WEB_PAGE:
                fresh.put_off_refresh(None)
            elif digest is None:
                fresh.put_off_refresh(now + RETRY_AFTER)
            elif digest == fresh.content_hash:
                fresh.put_off_refresh(fresh.update_rule.due_after(now))
            else:
                generation = fresh.refetch(now=now)
                job = IngestJob.of(fresh, self._ids.next_id(), generation=generation, now=now)
                await uow.jobs.add(scope, job)
            await uow.documents.save(scope, fresh)
            await uow.commit()
