"""Checksums of many things whose order does not matter."""

import hashlib
from collections.abc import Iterable
from typing import Final

import msgspec

_BYTES: Final = 16
_SPACE: Final = 1 << (8 * _BYTES)


class Digest:
    """Counts items and adds up their hashes: engines may list the same items in other orders.

    Finds what is lost, doubled or changed by accident; it is no signature.
    """

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0

    def add(self, items: Iterable[object]) -> None:
        """Take items of plain cells; blocks, so that large ones belong into a thread."""
        for item in items:
            packed = msgspec.msgpack.encode(item)
            hashed = hashlib.blake2b(packed, digest_size=_BYTES).digest()
            self._sum = (self._sum + int.from_bytes(hashed)) % _SPACE
            self.count += 1

    @property
    def text(self) -> str:
        """The checksum, as hexadecimal digits."""
        return f"{self._sum:0{2 * _BYTES}x}"
