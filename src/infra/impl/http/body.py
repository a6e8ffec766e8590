"""Content encodings, undone piece by piece so that a small reply cannot fill the memory."""

import zlib
from collections.abc import Iterator
from typing import Final, Protocol

import httpx

_PIECE: Final = 256 * 1024
_ZLIB_OR_GZIP: Final = 32 + zlib.MAX_WBITS
_RAW_DEFLATE: Final = -zlib.MAX_WBITS
_ZLIB_MARK: Final = 0x0F  # low nibble of the first byte: 8 in a zlib header


class Decoder(Protocol):
    """Undoes one content encoding."""

    def feed(self, raw: bytes) -> Iterator[bytes]:
        """Yield decoded pieces of bounded size."""
        ...


class Inflater:
    """Gzip, zlib and raw deflate."""

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        self._inflate = zlib.decompressobj(_ZLIB_OR_GZIP)
        self._started = False

    def feed(self, raw: bytes) -> Iterator[bytes]:
        """Yield decoded pieces; raise ``RemoteProtocolError`` if the data is damaged."""
        if not self._started and raw:
            self._started = True
            if self._encoding == "deflate" and raw[0] & _ZLIB_MARK != zlib.DEFLATED:
                self._inflate = zlib.decompressobj(_RAW_DEFLATE)
        try:
            while raw:
                piece = self._inflate.decompress(raw, _PIECE)
                raw = self._inflate.unconsumed_tail
                if piece:
                    yield piece
        except zlib.error as exc:
            raise httpx.RemoteProtocolError("The compressed body is damaged.") from exc


def decoder_for(encoding: str) -> Decoder:
    """Return the decoder of a ``Content-Encoding``.

    Raises:
        RemoteProtocolError: an encoding nobody asked for, or several on top of each other.
    """
    name = encoding.strip().lower()
    if name in {"gzip", "x-gzip", "deflate"}:
        return Inflater(name)
    raise httpx.RemoteProtocolError("The body is encoded in a way that was not asked for.")
