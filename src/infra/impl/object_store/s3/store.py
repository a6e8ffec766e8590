"""Objects in a bucket of any S3-compatible store; large ones go up in parts."""

import asyncio
import hashlib
import hmac
from collections.abc import AsyncGenerator, AsyncIterable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import Any, Final, Self
from urllib.parse import quote, urlsplit

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from domain.shared.error import RequestTooLarge, Unavailable
from domain.shared.secret import Secret
from infra.contract.storage.object_store import (
    ObjectKey,
    ObjectNotFound,
    ObjectStoreFull,
    StoredObject,
)
from infra.contract.storage.transfer import ListedObject

_PART_BYTES: Final = 8 * 1024 * 1024
_PARTS_AT_ONCE: Final = 2
_READ_BYTES: Final = 256 * 1024
_LISTED: Final = 500
_CONNECT_S: Final = 5
_PROBE: Final = ObjectKey("probe/written")
"""One for all processes: what a probe that breaks off leaves there, the next one takes away."""
_CALL_S: Final = 60.0
_STALL_S: Final = 60.0
_TRANSFER_S: Final = 3600
_RETRIES: Final = 3
_FULL: Final = ("InsufficientCapacity", "QuotaExceeded", "StorageFull", "InsufficientStorage")


class S3ObjectStore:
    """An ``ObjectStore`` in one bucket, below an optional prefix; the bucket must exist.

    An object appears when it is complete. Parts of one that never was, because its upload was
    cancelled, take room until the bucket's rule for incomplete uploads removes them.
    """

    def __init__(
        self,
        bucket: str,
        *,
        endpoint: str = "",
        region: str = "us-east-1",
        access_key: str = "",
        secret_key: str = "",
        prefix: str = "",
        links_endpoint: str = "",
    ) -> None:
        """``links_endpoint``: where clients reach the store, to fetch objects by themselves."""
        self._signer: LinkSigner | None = None
        if links_endpoint:
            self._signer = LinkSigner(
                endpoint=links_endpoint,
                bucket=bucket,
                region=region,
                access_key=access_key,
                secret_key=Secret(secret_key),
                prefix=prefix,
            )
        options: dict[str, Any] = {"region": region, "virtual_hosted_style_request": not endpoint}
        if endpoint:
            options["endpoint"] = endpoint
        if access_key:
            options |= {"access_key_id": access_key, "secret_access_key": secret_key}
        self._store = S3Store(
            bucket,
            prefix=prefix or None,
            client_options={
                "allow_http": endpoint.startswith("http://"),
                "connect_timeout": timedelta(seconds=_CONNECT_S),
                "timeout": timedelta(seconds=_TRANSFER_S),
            },
            retry_config={
                "max_retries": _RETRIES,
                "retry_timeout": timedelta(seconds=_CALL_S / 2),
                "backoff": {
                    "init_backoff": timedelta(milliseconds=100),
                    "max_backoff": timedelta(seconds=5),
                    "base": 2,
                },
            },
            **options,
        )

    async def start(self) -> None:
        """Do nothing: the client connects when it is used, readiness tells if it can."""

    async def aclose(self) -> None:
        """Nothing stays open between calls."""

    async def put(
        self, key: ObjectKey, chunks: AsyncIterable[bytes], *, limit_bytes: int
    ) -> StoredObject:
        source = _Source(chunks, limit_bytes=limit_bytes)
        try:
            with _translated():
                async with aclosing(_Parts(source.batches())) as parts:
                    first = await parts.first()
                    if source.is_over:
                        await obstore.put_async(self._store, key.value, first)
                    else:
                        await obstore.put_async(
                            self._store,
                            key.value,
                            parts,
                            use_multipart=True,
                            chunk_size=_PART_BYTES,
                            max_concurrency=_PARTS_AT_ONCE,
                        )
        except Unavailable:
            if source.failure is not None:  # the store only repeats what the source raised
                raise source.failure from None
            raise
        return StoredObject(size=source.size, sha256=source.hash.hexdigest())

    async def read(
        self, key: ObjectKey, *, start: int = 0, end: int | None = None
    ) -> AsyncGenerator[bytes, None]:
        with _translated():
            async with asyncio.timeout(_CALL_S):
                options: Any = {}
                if start or end is not None:
                    meta = await obstore.head_async(self._store, key.value)
                    stop = meta["size"] if end is None else min(end, meta["size"])
                    if start >= stop:
                        return
                    options = {"range": (start, stop)}
                found = await obstore.get_async(self._store, key.value, options=options)
            stream = aiter(found.stream(min_chunk_size=_READ_BYTES))
            while True:
                async with asyncio.timeout(_STALL_S):
                    chunk = await anext(stream, None)
                if chunk is None:
                    return
                yield bytes(chunk)

    def address(
        self, key: ObjectKey, *, now: datetime, ttl_s: int, media_type: str, disposition: str
    ) -> str:
        if self._signer is None:
            return ""
        return self._signer.address(
            key.value, now=now, ttl_s=ttl_s, media_type=media_type, disposition=disposition
        )

    async def delete(self, key: ObjectKey) -> None:
        with _translated():
            try:
                async with asyncio.timeout(_CALL_S):
                    await obstore.delete_async(self._store, key.value)
            except FileNotFoundError:
                return

    async def probe(self) -> None:
        with _translated():
            async with asyncio.timeout(_CALL_S):
                await obstore.put_async(self._store, _PROBE.value, b"")
        await self.delete(_PROBE)

    async def listed(self, *, after: str = "") -> AsyncGenerator[ListedObject, None]:
        """Yield all objects with a greater key, by key: the order in which stores answer."""
        with _translated():
            pages = aiter(obstore.list(self._store, offset=after or None, chunk_size=_LISTED))
            while True:
                async with asyncio.timeout(_CALL_S):
                    page = await anext(pages, None)
                if page is None:
                    return
                for found in page:
                    yield ListedObject(ObjectKey(found["path"]), found["size"])


class _Source:
    """Counts and hashes what goes up, and remembers why it ended early."""

    def __init__(self, chunks: AsyncIterable[bytes], *, limit_bytes: int) -> None:
        self._chunks = chunks
        self._limit = limit_bytes
        self.size = 0
        self.hash = hashlib.sha256()
        self.failure: Exception | None = None
        self.is_over = False

    async def batches(self) -> AsyncGenerator[bytes, None]:
        """Yield parts of the object, the last one when ``is_over``."""
        pending = bytearray()
        try:
            async for chunk in self._chunks:
                self._count(len(chunk))
                pending += chunk
                if len(pending) >= _PART_BYTES:
                    batch = bytes(pending)
                    pending.clear()
                    await asyncio.to_thread(self.hash.update, batch)
                    yield batch
        except Exception as exc:
            self.failure = exc
            raise
        await asyncio.to_thread(self.hash.update, pending)
        self.is_over = True
        if pending:
            yield bytes(pending)

    def _count(self, size: int) -> None:
        self.size += size
        if self.size > self._limit:
            raise RequestTooLarge(f"Expected at most {self._limit} bytes.")


class _Parts:
    """Parts for the client, which reads them in tasks of its own and forgets those it gives up.

    A source that is waited for by nobody would wait for ever; here it is cancelled.
    """

    def __init__(self, batches: AsyncGenerator[bytes, None]) -> None:
        self._batches = batches
        self._first = b""
        self._reading: asyncio.Task[Any] | None = None

    async def first(self) -> bytes:
        """Return the first part, which is read again with the others."""
        self._first = await anext(self._batches, b"")
        return self._first

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        self._reading = asyncio.current_task()
        try:
            part, self._first = self._first, b""
            return part or await anext(self._batches)
        finally:
            self._reading = None

    async def aclose(self) -> None:
        """End the source, whoever reads it just now."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait([self._reading])
        await self._batches.aclose()


@contextmanager
def _translated() -> Iterator[None]:
    """Turn what the store says into what the port promises; its texts stay in the log."""
    try:
        yield
    except FileNotFoundError as exc:
        if "NoSuchBucket" in str(exc):
            raise Unavailable("The bucket does not exist; the operator must create it.") from exc
        raise ObjectNotFound("There is no such object.") from exc
    except TimeoutError as exc:
        raise Unavailable("The object store does not answer; try again later.") from exc
    except (BaseError, OSError) as exc:
        if any(code in str(exc) for code in _FULL):
            raise ObjectStoreFull("The object store is full.") from exc
        raise Unavailable("The object store does not answer; try again later.") from exc


_ALGORITHM: Final = "AWS4-HMAC-SHA256"
LONGEST_S: Final = 7 * 24 * 3600
"""What the protocol allows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSigner:
    """Signs downloads; ``endpoint`` is where clients reach the store, ``scheme://host[:port]``."""

    endpoint: str
    bucket: str
    region: str
    access_key: str
    secret_key: Secret
    prefix: str = ""

    def address(
        self, key: str, *, now: datetime, ttl_s: int, media_type: str, disposition: str
    ) -> str:
        """Return an address from which anyone can read the object for so long.

        The store answers with this type and disposition, whatever it knows of the object.
        """
        stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        scope = (stamp[:8], self.region, "s3", "aws4_request")
        path = quote("/" + "/".join(filter(None, (self.bucket, self.prefix.strip("/"), key))))
        query = {
            "X-Amz-Algorithm": _ALGORITHM,
            "X-Amz-Credential": "/".join((self.access_key, *scope)),
            "X-Amz-Date": stamp,
            "X-Amz-Expires": str(min(ttl_s, LONGEST_S)),
            "X-Amz-SignedHeaders": "host",
            "response-cache-control": "private, no-cache",
            "response-content-disposition": disposition,
            "response-content-type": media_type,
        }
        encoded = "&".join(f"{_quoted(k)}={_quoted(query[k])}" for k in sorted(query))
        host = urlsplit(self.endpoint).netloc
        request = "\n".join(("GET", path, encoded, f"host:{host}\n", "host", "UNSIGNED-PAYLOAD"))
        digest = hashlib.sha256(request.encode()).hexdigest()
        text = "\n".join((_ALGORITHM, stamp, "/".join(scope), digest))
        signing_key = reduce(_hmac, scope, b"AWS4" + self.secret_key.reveal().encode())
        signature = _hmac(signing_key, text).hex()
        return f"{self.endpoint.rstrip('/')}{path}?{encoded}&X-Amz-Signature={signature}"


def _quoted(text: str) -> str:
    return quote(text, safe="-_.~")


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()
