"""Composition of what looks across all contexts of a workspace."""

from dataclasses import dataclass

from application.directory.service import DirectoryService
from infra.contract.clock import Clock
from infra.impl.repository.sql.directory import SqlDirectoryStore
from infra.impl.repository.sql.engine.database import Database


@dataclass(frozen=True, kw_only=True)
class DirectoryParts:
    """The start of a workspace, and finding anything in it."""

    directory: DirectoryService


def compose_directory(*, database: Database, clock: Clock) -> DirectoryParts:
    """Needs the tables of the others, and none of their services."""
    return DirectoryParts(
        directory=DirectoryService(store=SqlDirectoryStore(database), clock=clock)
    )
