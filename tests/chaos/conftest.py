"""Servers that the tests may hurt, and deployments on them."""

from collections.abc import Iterator

import pytest

from tests.support.service.nats import NatsServer, running_nats
from tests.support.service.postgres import SAFE, PostgresServer, running_postgres
from tests.upstream.fixture import RunningUpstream, running_upstream


@pytest.fixture(scope="session")
def upstream() -> Iterator[RunningUpstream]:
    with running_upstream() as upstream:
        yield upstream


@pytest.fixture(scope="module")
def fragile_postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server that keeps what it was told, so that it may crash."""
    with running_postgres(SAFE) as server:
        yield server


@pytest.fixture(scope="module")
def fragile_nats() -> Iterator[NatsServer]:
    with running_nats() as server:
        yield server
