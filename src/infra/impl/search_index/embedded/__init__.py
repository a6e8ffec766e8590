"""Search stores without a server: one SQLite file per collection and kind."""

from pathlib import Path

from infra.contract.adapter import (
    AdapterSettings,
    ManagedTextIndexes,
    ManagedVectorIndexes,
    Place,
)
from infra.contract.transfer import VectorSource
from infra.impl.search_index import TEXT_INDEXES, VECTOR_INDEXES
from infra.impl.search_index.embedded.on_demand import IndexesOnDemand


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
