"""The collections of one kind on a server: named with a prefix, created step by step, dropped."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

from pymilvus import MilvusClient, MilvusException

from infra.contract.storage.search_index import CollectionDiffers, UnfitEntry
from infra.impl.search_index.milvus.calls import MilvusCalls, is_not_found, load
from infra.impl.search_index.milvus.rows import NEWEST

Consistency = Literal["strong", "bounded"]
"""What a search sees: every earlier write, or all but those of the last seconds."""

_NAME: Final = re.compile("[a-z0-9_]{1,64}")

T = TypeVar("T")


class Form(Protocol[T]):
    """What collections of a kind are made of; ``T`` tells one from another."""

    @property
    def difference(self) -> str:
        """Says that a collection of this name is another one than wanted."""
        ...

    def require(self, version: str) -> None:
        """Raise ``Unavailable`` for a server that cannot hold such collections."""
        ...

    def read(self, fields: Sequence[Mapping[str, Any]]) -> T:
        """Find what tells a collection from others in its fields."""
        ...

    def add_fields(self, schema: Any, wanted: T, *, version: str) -> Mapping[str, Any]:
        """Describe a new collection; return further options of its creation."""
        ...

    def add_indexes(self, params: Any, wanted: T, *, known: Sequence[str], version: str) -> None:
        """Describe the indexes that are missing."""
        ...


class MilvusCollections(Generic[T]):
    """Those of a deployment on one server."""

    def __init__(self, calls: MilvusCalls, form: Form[T], *, prefix: str) -> None:
        self._calls = calls
        self._form = form
        self._prefix = prefix

    def full(self, name: str) -> str:
        """Return the name on the server; raise ``UnfitEntry`` for an impossible one."""
        if not _NAME.fullmatch(name):
            raise UnfitEntry("Collection names match [a-z0-9_]{1,64}.", name=name)
        return self._prefix + name

    async def create(self, name: str, wanted: T) -> None:
        """Make it, or go on with what an earlier attempt began.

        Raises:
            CollectionDiffers: there is one of this name that is made in another way.
        """
        full = self.full(name)
        await self._calls.on(full, partial(self._create, name=full, wanted=wanted))

    async def open(self, name: str) -> T:
        """Return what tells it from others; raise ``CollectionNotFound``."""
        return await self._calls.run(partial(self._read, name=self.full(name)))

    async def drop(self, name: str) -> None:
        """Remove it; one that is not there is no error."""
        full = self.full(name)

        def drop(client: MilvusClient) -> None:
            try:
                client.drop_collection(full, timeout=self._calls.timeout_s)
            except MilvusException as exc:
                if not is_not_found(exc):
                    raise

        await self._calls.run(drop)
        self._calls.forget(full)

    async def names(self, prefix: str = "") -> list[str]:
        """Names without the deployment's prefix, by name."""
        start = self._prefix + prefix
        found = await self._calls.run(
            lambda client: client.list_collections(timeout=self._calls.timeout_s)
        )
        return sorted(name.removeprefix(self._prefix) for name in found if name.startswith(start))

    async def version(self) -> str:
        """What the server calls itself."""
        return await self._calls.run(self._version)

    async def probe(self) -> None:
        """Raise ``Unavailable`` if the server does not answer; a folder is opened on use only."""
        if not self._calls.is_local:
            await self.version()

    def _version(self, client: MilvusClient) -> str:
        return str(client.get_server_version(timeout=self._calls.timeout_s))

    def _read(self, client: MilvusClient, name: str) -> T:
        found = client.describe_collection(name, timeout=self._calls.timeout_s)
        return self._form.read(found["fields"])

    def _create(self, client: MilvusClient, name: str, wanted: T) -> None:
        timeout, form, version = self._calls.timeout_s, self._form, self._version(client)
        form.require(version)
        try:
            found = self._read(client, name)
        except MilvusException as exc:
            if not is_not_found(exc):
                raise
            found = self._make(client, name, wanted, version)
        if found != wanted:
            raise CollectionDiffers(form.difference)
        known = client.list_indexes(name, timeout=timeout)
        params = client.prepare_index_params()
        form.add_indexes(params, wanted, known=known, version=version)
        if len(params):
            client.create_index(name, params, timeout=timeout, sync=False)
        load(client, name)

    def _make(self, client: MilvusClient, name: str, wanted: T, version: str) -> T:
        """Create the collection and return what it is, also if another process was first."""
        schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
        options = self._form.add_fields(schema, wanted, version=version)
        try:
            client.create_collection(
                name,
                schema=schema,
                consistency_level=NEWEST,
                timeout=self._calls.timeout_s,
                **options,
            )
        except MilvusException:
            return self._read(client, name)
        return wanted
