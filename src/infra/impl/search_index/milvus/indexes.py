"""What collections of texts and of vectors on a Milvus server have in common."""

from abc import ABC, abstractmethod
from typing import ClassVar, Generic, TypeVar

from infra.impl.search_index.milvus.calls import MilvusCalls
from infra.impl.search_index.milvus.collections import Consistency, Form, MilvusCollections

T = TypeVar("T")


class MilvusIndexes(ABC, Generic[T]):
    """All collections of one kind on one server, named with a common prefix."""

    _title: ClassVar[str]
    """What errors call it."""
    _first: ClassVar[str] = ""
    """Before the prefix, so that no kind takes the collections of another for its own."""

    def __init__(
        self,
        uri: str,
        *,
        prefix: str = "coterie_",
        token: str = "",
        database: str = "",
        ca_certs: str = "",
        consistency: Consistency = "strong",
        timeout_s: float = 10.0,
        idle_s: float = 0.0,
    ) -> None:
        self._consistency = consistency.capitalize()
        self._calls = MilvusCalls(
            uri,
            token=token,
            database=database,
            ca_certs=ca_certs,
            timeout_s=timeout_s,
            idle_s=idle_s,
            title=self._title,
        )
        self._collections = MilvusCollections(
            self._calls, self._form(is_local=self._calls.is_local), prefix=self._first + prefix
        )

    @staticmethod
    @abstractmethod
    def _form(*, is_local: bool) -> Form[T]:
        """Say what the collections are made of."""

    async def start(self) -> None:
        """Prepare; the server is connected when it is first used."""
        await self._calls.start()

    async def aclose(self) -> None:
        await self._calls.aclose()

    async def drop(self, name: str) -> None:
        await self._collections.drop(name)

    async def names(self, prefix: str = "") -> list[str]:
        return await self._collections.names(prefix)

    async def probe(self) -> None:
        """Raise ``Unavailable`` if the server does not answer; a folder is opened on use only."""
        await self._collections.probe()

    async def release_idle(self) -> list[str]:
        """Take what nobody has read for long out of the server's memory; return the names."""
        return await self._calls.release_idle()
