"""Knowledge of a deployment, seen from a process that only reads and takes documents in."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from application.knowledge.dto import (
    CreateDataset,
    CreateDocuments,
    DocumentView,
    NewDocument,
    SliceQuery,
)
from bootstrap.compose.container import Container
from bootstrap.configuration import load
from bootstrap.server.lifecycle import opened
from domain.knowledge.text.analyzer import Analyzer
from domain.knowledge.value import (
    DEFAULT_RULE,
    DatasetId,
    DocumentStatus,
    FormatType,
    ParseRule,
    SliceId,
    SourceType,
)
from domain.shared.access import Principal
from infra.contract.storage.search_index import CollectionNotFound, QueryTerm

TERMINAL = frozenset({DocumentStatus.ENABLED, DocumentStatus.DISABLED, DocumentStatus.FAILED})
PAGE = 300


def embedding_models(base_url: str, *names: str, waits_s: Mapping[str, float] | None = None) -> str:
    """The setting ``models``: embedding models of the scripted provider.

    ``waits_s`` says of which of them an answer is not waited for like that of others.
    """
    waits_s = waits_s or {}
    return json.dumps(
        [
            {
                "id": name,
                "kind": "openai",
                "base_url": base_url,
                "api_key": "sk-canary",
                "type": "embedding",
                "timeouts": {"connect_s": 60.0, "total_s": waits_s.get(name, 60.0)},
            }
            for name in names
        ]
    )


@dataclass
class Library:
    """Bases and documents of the first administrator."""

    container: Container
    principal: Principal

    async def base(self, name: str = "base", *, model: str = "") -> int:
        """Make a text base, with an embedding model of its own if one is named."""
        command = CreateDataset(
            space_id=self.principal.personal_space_id, name=name, format_type=FormatType.TEXT
        )
        made = await self.container.knowledge().datasets.create(self.principal, command)
        if model:
            async with self.container.knowledge().store.transaction() as uow:
                dataset = await uow.datasets.get(self.principal.scope, DatasetId(made.id))
                dataset.embedding_model = model
                await uow.datasets.save(self.principal.scope, dataset)
                await uow.commit()
        return int(made.id)

    async def accept(
        self, base: int, name: str, content: bytes, *, rule: ParseRule = DEFAULT_RULE
    ) -> int:
        """Take a file in and return its document."""
        new = NewDocument(
            name=name,
            source_type=SourceType.LOCAL_FILE,
            content=content,
            extension=Path(name).suffix,
        )
        command = CreateDocuments(dataset_id=base, documents=(new,), rule=rule)
        (made,) = await self.container.knowledge().documents.create(self.principal, command)
        return int(made.id)

    async def get(self, document: int) -> DocumentView:
        found: DocumentView = await self.container.knowledge().documents.get(
            self.principal, document
        )
        return found

    async def ended(
        self, documents: Sequence[int], *, timeout_s: float = 120.0
    ) -> list[DocumentView]:
        """Wait until each document is in a terminal state."""
        deadline = time.monotonic() + timeout_s
        while True:
            views = [await self.get(document) for document in documents]
            if all(view.status in TERMINAL for view in views):
                return views
            left = [(view.name, view.status.name) for view in views if view.status not in TERMINAL]
            assert time.monotonic() < deadline, f"Still at work: {left}"
            await asyncio.sleep(0.05)

    async def contents(self, document: int) -> list[str]:
        """All slices of a document, in order."""
        found: list[str] = []
        while True:
            query = SliceQuery(document_id=document, page=len(found) // PAGE + 1, size=PAGE)
            page = await self.container.knowledge().slices.page(self.principal, query)
            found += [item.content for item in page.items]
            if len(found) >= page.total:
                return found

    async def entries(self, base: int) -> tuple[int, int]:
        """Count vectors and texts of a base, whoever they belong to."""
        counts = []
        for indexes in (self.container.vectors(), self.container.texts()):
            try:
                counts.append(await (await indexes.open(f"kb_{base}")).count())
            except CollectionNotFound:
                counts.append(0)
        return counts[0], counts[1]

    async def find(self, base: int, word: str) -> list[str]:
        """Return what a search for a word may show, sorted."""
        index = await self.container.texts().open(f"kb_{base}")
        hits = await index.search([QueryTerm(token=Analyzer().stem(word))], limit=50)
        async with self.container.knowledge().store.snapshot() as uow:
            scope = self.principal.scope
            shown = await uow.retrieval.hydrate(scope, [SliceId(hit.slice_id) for hit in hits])
        return sorted(item.content for item in shown)


@asynccontextmanager
async def opened_library(data: Path, environ: Mapping[str, str]) -> AsyncGenerator[Library, None]:
    """Open a deployment beside the processes that work on it."""
    configuration = data / "coterie.toml"
    configuration.touch()
    settings = load(
        {"COTERIE_DATA_DIR": str(data), "COTERIE_CONFIG": str(configuration), **environ}
    )
    container = Container(settings=settings)
    async with opened(container):
        await container.identity().bootstrap.ensure(None)
        yield Library(container, await container.identity().bootstrap.operator())
