"""The long variant of what one process on SQLite shows: two of them on one PostgreSQL database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from uuid import uuid4

import pytest

from tests.support.service.postgres import PostgresServer

TWO: Final = 2
PROCESSES: Final = (
    # Nothing rather than 1: the server is then the one of tests that do not ask for this.
    pytest.param(None, id="one process"),
    pytest.param(TWO, id="two processes", marks=pytest.mark.long),
)
"""Parameters of the fixture that starts the server: all requests to one, or in turn to both."""


@contextmanager
def stored_for(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """Settings of the database for the variant that a fixture was asked for."""
    if processes_of(request) == 1:
        yield {}
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    name = f"two_{uuid4().hex}"
    yield {"COTERIE_DATABASE__URL": server.create_database(name)}
    server.drop_database(name)


def processes_of(request: pytest.FixtureRequest) -> int:
    """Number of the server's processes in the variant that a fixture was asked for."""
    return getattr(request, "param", None) or 1
