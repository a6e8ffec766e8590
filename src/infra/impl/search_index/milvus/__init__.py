"""Search stores on Milvus: a server, or a folder of milvus-lite."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

import msgspec

from domain.shared.error import SettingsInvalid
from domain.shared.secret import Secret
from infra.contract.adapter import (
    AdapterSettings,
    ManagedTextIndexes,
    ManagedVectorIndexes,
    Place,
    is_local,
)
from infra.contract.storage.transfer import VectorSource
from infra.impl.search_index import TEXT_INDEXES, VECTOR_INDEXES
from infra.impl.search_index.embedded import folder

FIRST: Final = "text_"
"""What names of text collections begin with, so that they are not taken for vectors."""


class MilvusVectors(AdapterSettings, frozen=True, kw_only=True):
    """Vectors on a server, or in a folder that milvus-lite keeps."""

    uri: Annotated[str, msgspec.Meta(pattern=r"^https?://|\.db$")] = "milvus.db"
    """Address of the server; a name that ends with ``.db`` is a folder that milvus-lite keeps."""
    prefix: str = "coterie_"
    """Of all collection names, so that deployments can share a server."""
    token: Secret = Secret("")
    database: str = ""
    ca_certs: str = ""
    """File with the authority that signed the server's certificate."""
    consistency: Literal["strong", "bounded"] = "strong"
    """Whether searches wait until they see every earlier write."""
    idle_s: Annotated[float, msgspec.Meta(ge=0)] = 3600.0
    """After how long without use a collection leaves the server's memory; 0 keeps all there."""

    @property
    def is_address(self) -> bool:
        return "://" in self.uri

    def build(self, place: Place) -> ManagedVectorIndexes:
        from infra.impl.search_index.milvus.vector import MilvusVectorIndexes

        return MilvusVectorIndexes(
            self.uri if self.is_address else str(folder(place) / self.uri),
            prefix=self.prefix,
            token=self.token.reveal(),
            database=self.database,
            ca_certs=self.ca_certs,
            consistency=self.consistency,
            idle_s=self.idle_s,
        )

    def source(self, store: ManagedVectorIndexes, place: Place) -> VectorSource:
        from infra.impl.search_index.milvus.vector import MilvusVectorIndexes

        if not isinstance(store, MilvusVectorIndexes):
            raise TypeError(f"{store!r} was not built by these settings.")
        return store

    def warnings(self) -> Sequence[str]:
        if not self.is_address or is_local(self.uri):
            return ()
        return [
            *(["vector_index.uri is not https."] if self.uri.startswith("http://") else ()),
            *([] if self.token else ["vector_index has no token."]),
        ]

    def identity(self, place: Place) -> tuple[object, ...] | None:
        uri = self.uri if self.is_address else str(folder(place) / self.uri)
        return uri, self.database, self.prefix


class MilvusTexts(AdapterSettings, frozen=True, kw_only=True):
    """Words on the server of the vectors; milvus-lite gets a folder of its own for them."""

    prefix: str = "coterie_"

    def build(self, place: Place) -> ManagedTextIndexes:
        vectors = self._vectors(place)
        if vectors.is_address and (FIRST + self.prefix).startswith(vectors.prefix):
            raise SettingsInvalid(
                "vector_index.prefix also begins the names of text collections "
                f"({FIRST}{self.prefix}): choose another one."
            )
        from infra.impl.search_index.milvus.text import MilvusTextIndexes

        own = folder(place) / vectors.uri
        return MilvusTextIndexes(
            vectors.uri if vectors.is_address else str(own.with_name(f"text-{own.name}")),
            prefix=self.prefix,
            token=vectors.token.reveal(),
            database=vectors.database,
            ca_certs=vectors.ca_certs,
            consistency=vectors.consistency,
            idle_s=vectors.idle_s,
        )

    def identity(self, place: Place) -> tuple[object, ...] | None:
        return self.prefix, self._vectors(place).identity(place)

    def _vectors(self, place: Place) -> MilvusVectors:
        vectors = place.chosen("vector_index")
        if not isinstance(vectors, MilvusVectors):
            raise SettingsInvalid(
                'text_index.kind "milvus" searches words where the vectors are: set '
                'vector_index.kind to "milvus" and vector_index.uri.'
            )
        return vectors


VECTOR_INDEXES.register("milvus")(MilvusVectors)
TEXT_INDEXES.register("milvus")(MilvusTexts)
