"""Documents of knowledge bases: files added, and waited for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from coterie_client._errors import DocumentFailed, WaitTimeout
from coterie_client._generated import models
from coterie_client._generated.resources import AsyncAdminDocuments, AsyncFiles
from coterie_client._generated.resources import AsyncDocuments as Operations
from coterie_client._waits import until

_WAITING: Final = frozenset({-1, 4})
_FAILED: Final = 9


class AsyncDocuments(Operations):
    """Documents of knowledge bases."""

    async def add(
        self,
        base: str,
        *paths: str | os.PathLike[str],
        chunking: models.ChunkStrategyBody | None = None,
        wait: bool = False,
        timeout: float = 600.0,
    ) -> list[models.AdminDocument]:
        """Upload files and add them to a knowledge base; with ``wait`` until they can be found.

        Raises:
            DocumentFailed: one of them failed, if they are waited for.
            WaitTimeout: they take longer than ``timeout`` seconds; they go on.
        """
        files = AsyncFiles(self._transport)
        sources = []
        for path in paths:
            file = await files.upload(path)
            source = models.SourceBody(source_file_id=file.id)
            sources.append(models.DocumentBody(name=Path(path).name, source_info=source))
        given: dict[str, Any] = {} if chunking is None else {"chunk_strategy": chunking}
        made = await self.create(dataset_id=base, document_bases=sources, **given)
        found = [await self.look_up(each.document_id) for each in made.document_infos]
        if not wait:
            return found
        return [await self.wait(each.id, timeout=timeout) for each in found]

    async def look_up(self, document: str) -> models.AdminDocument:
        """Return a document with its state."""
        return await AsyncAdminDocuments(self._transport).get(document)

    async def wait(self, document: str, *, timeout: float = 600.0) -> models.AdminDocument:
        """Wait until a document can be found.

        Raises:
            DocumentFailed: it cannot be read or indexed.
            WaitTimeout: it takes longer than ``timeout`` seconds; it goes on.
        """
        found = await self.look_up(document)
        async for _ in until(timeout):
            if found.status not in _WAITING:
                break
            found = await self.look_up(document)
        else:
            raise WaitTimeout(f"{found.name} is not indexed after {timeout:g} s.")
        if found.status == _FAILED:
            raise DocumentFailed(found)
        return found
