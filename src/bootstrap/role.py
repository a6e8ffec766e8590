"""What a process does in the background, besides answering requests."""

from collections.abc import Collection
from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """A kind of background work; each can be left to other processes on the same database."""

    INGEST = "ingest"
    """Indexing of documents, rebuilds, previews and copies of knowledge bases."""
    WORKFLOW = "workflow"
    """Asynchronous runs of workflows, and runs whose process was lost."""
    IMPORTS = "imports"
    """Rows for the tables of databases, and what deleted tables leave behind."""
    SCHEDULED = "scheduled"
    """Sweepers, purges, pages that are read again, comparisons with the stores."""


ALL_ROLES: Final = tuple(Role)
ONE_SERVER_ROLES: Final = frozenset({Role.WORKFLOW, Role.SCHEDULED})
"""On SQLite the server takes whatever it finds for its own: nobody else may do these."""


def worker_roles(roles: Collection[Role], *, is_sqlite: bool) -> frozenset[Role]:
    """What a process beside the server can do of what it is to do."""
    return frozenset(roles) - (ONE_SERVER_ROLES if is_sqlite else frozenset())
