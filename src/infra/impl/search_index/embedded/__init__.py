"""Search stores without a server: one SQLite file per collection and kind."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from infra.contract.adapter import AdapterSettings, ManagedTextIndexes, ManagedVectorIndexes, Place
from infra.contract.lifecycle import Managed
from infra.contract.storage.transfer import VectorSource
from infra.impl.search_index import TEXT_INDEXES, VECTOR_INDEXES

CollectionT_contra = TypeVar("CollectionT_contra", contravariant=True)
IndexT_co = TypeVar("IndexT_co", covariant=True)
CollectionT = TypeVar("CollectionT")
IndexT = TypeVar("IndexT")


class Indexes(Managed, Protocol[CollectionT_contra, IndexT_co]):
    """All collections of one kind, with a life cycle."""

    async def create(self, collection: CollectionT_contra) -> None: ...

    async def drop(self, name: str) -> None: ...

    async def open(self, name: str) -> IndexT_co: ...

    async def names(self, prefix: str = "") -> list[str]: ...

    async def probe(self) -> None: ...


class IndexesOnDemand(Generic[CollectionT, IndexT]):
    """Passes everything on to indexes that are made when there is a collection or one is asked for.

    ``make`` imports what it needs, in a thread; ``has_any`` tells of collections without it.
    """

    def __init__(
        self, make: Callable[[], Indexes[CollectionT, IndexT]], *, has_any: Callable[[], bool]
    ) -> None:
        self._make = make
        self._has_any = has_any
        self._indexes: Indexes[CollectionT, IndexT] | None = None
        self._making = asyncio.Lock()

    async def start(self) -> None:
        """Do nothing yet."""

    async def aclose(self) -> None:
        """Close the indexes if they were ever made."""
        async with self._making:
            if self._indexes is not None:
                await self._indexes.aclose()

    async def create(self, collection: CollectionT) -> None:
        await (await self._made()).create(collection)

    async def drop(self, name: str) -> None:
        await (await self._made()).drop(name)

    async def open(self, name: str) -> IndexT:
        return await (await self._made()).open(name)

    async def names(self, prefix: str = "") -> list[str]:
        if self._indexes is None and not await asyncio.to_thread(self._has_any):
            return []
        return await (await self._made()).names(prefix)

    async def probe(self) -> None:
        """Ask the indexes; what nobody has used is fine."""
        if self._indexes is not None:
            await self._indexes.probe()

    async def _made(self) -> Indexes[CollectionT, IndexT]:
        if self._indexes is not None:
            return self._indexes
        async with self._making:
            if self._indexes is None:
                indexes = await asyncio.to_thread(self._make)
                await indexes.start()
                self._indexes = indexes
            return self._indexes


def folder(place: Place) -> Path:
    """Where search stores keep files."""
    return place.data / "index"


class EmbeddedVectors(AdapterSettings, frozen=True, kw_only=True):
    """Vectors in files of their own, searched in memory."""

    def build(self, place: Place) -> ManagedVectorIndexes:
        root = folder(place)

        def make() -> ManagedVectorIndexes:
            from infra.impl.search_index.embedded.vector import SqliteVectorIndexes

            return SqliteVectorIndexes(root)

        return IndexesOnDemand(make, has_any=lambda: any(root.glob("*.vector.db")))

    def source(self, store: ManagedVectorIndexes, place: Place) -> VectorSource:
        """The files themselves: the store gives no vectors back."""
        from infra.impl.search_index.embedded.vector import SqliteVectorSource

        return SqliteVectorSource(folder(place))


class EmbeddedTexts(AdapterSettings, frozen=True, kw_only=True):
    """Words in files of their own, searched by SQLite."""

    def build(self, place: Place) -> ManagedTextIndexes:
        root = folder(place)

        def make() -> ManagedTextIndexes:
            from infra.impl.search_index.embedded.text import SqliteTextIndexes

            return SqliteTextIndexes(root)

        return IndexesOnDemand(make, has_any=lambda: any(root.glob("*.text.db")))


VECTOR_INDEXES.register("embedded")(EmbeddedVectors)
TEXT_INDEXES.register("embedded")(EmbeddedTexts)
