"""Knowledge bases and documents of the administrator's workspace, found by what people type."""

from typing import Final

from application.knowledge.dto import DatasetQuery, DatasetView, DocumentQuery, ProgressView
from bootstrap.cli.session import Session
from domain.knowledge.error import DatasetNotFound
from domain.knowledge.value import DocumentStatus

PAGE_SIZE: Final = 100
SHORTEST_ID: Final = 16
"""Digits; those of this deployment have 19."""


def is_id(text: str) -> bool:
    """Tell an id from a name such as a year."""
    return text.isdecimal() and len(text) >= SHORTEST_ID


async def base_named(session: Session, text: str) -> DatasetView:
    """Find a base of the workspace by id or exact name; raise ``DatasetNotFound``."""
    datasets = session.container.knowledge().datasets
    if is_id(text):
        return await datasets.get(session.principal, int(text))
    page = 1
    while True:
        query = DatasetQuery(
            space_id=session.principal.personal_space_id,
            name=text,
            page=page,
            size=PAGE_SIZE,
        )
        found = await datasets.page(session.principal, query)
        for view in found.items:
            if view.name == text:
                return view
        if page * PAGE_SIZE >= found.total:
            raise DatasetNotFound(f"No knowledge base is called {text!r}.")
        page += 1


async def bases(session: Session) -> list[DatasetView]:
    """Return all bases of the workspace."""
    datasets = session.container.knowledge().datasets
    found: list[DatasetView] = []
    while True:
        query = DatasetQuery(
            space_id=session.principal.personal_space_id,
            page=len(found) // PAGE_SIZE + 1,
            size=PAGE_SIZE,
        )
        page = await datasets.page(session.principal, query)
        found += page.items
        if len(page.items) < PAGE_SIZE:
            return found


async def documents(
    session: Session, dataset: str, statuses: frozenset[DocumentStatus]
) -> list[ProgressView]:
    """Return the documents of a base by id or name; only those in ``statuses``, if any."""
    service = session.container.knowledge().documents
    found: list[ProgressView] = []
    base = await base_named(session, dataset)
    while True:
        query = DocumentQuery(
            dataset_id=base.id,
            statuses=statuses,
            page=len(found) // PAGE_SIZE + 1,
            size=PAGE_SIZE,
        )
        page = await service.page(session.principal, query)
        ids = [view.id for view in page.items]
        found += await service.progress(session.principal, base.id, ids)
        if len(page.items) < PAGE_SIZE:
            return found
