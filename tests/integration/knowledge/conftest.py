"""Knowledge with its real stores, empty for each test."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from domain.shared.id_generator import IdGenerator
from infra.impl.object_store.local import LocalObjectStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.knowledge.repository import SqlKnowledgeStore
from infra.impl.search_index.embedded.text import SqliteTextIndexes
from infra.impl.search_index.embedded.vector import SqliteVectorIndexes
from infra.impl.table_store.sqlite import SqliteTableStore
from tests.support.clock import FrozenClock
from tests.support.knowledge.world import OfflineModels, World


@pytest.fixture
async def world(
    sqlite_database: Database, tmp_path: Path, clock: FrozenClock, ids: IdGenerator
) -> AsyncGenerator[World, None]:
    objects = LocalObjectStore(tmp_path / "objects")
    vectors = SqliteVectorIndexes(tmp_path / "vectors")
    texts = SqliteTextIndexes(tmp_path / "texts")
    tables = SqliteTableStore(tmp_path / "tables")
    for adapter in (objects, vectors, texts, tables):
        await adapter.start()
    yield World(
        database=sqlite_database,
        store=SqlKnowledgeStore(sqlite_database),
        objects=objects,
        vectors=vectors,
        texts=texts,
        tables=tables,
        clock=clock,
        ids=ids,
        models=OfflineModels(),
    )
    for adapter in (texts, vectors, objects):
        await adapter.aclose()
