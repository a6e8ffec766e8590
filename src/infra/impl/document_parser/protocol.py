"""Frames between the pool and its child processes, as tagged msgpack.

The first one of a process is empty, and tells that all is loaded that reads documents.
"""

from typing import Final

import msgspec

from infra.contract.document.parser import DocumentMetadata, ExtractedImage, ParseOptions

CHUNK_BYTES: Final = 256 * 1024
"""Size of the pieces in which a document is sent; an empty piece ends it."""
FRAME_OVERHEAD_BYTES: Final = 64 * 1024


class ParseLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What one document may contain; see ``domain.shared.limits`` for the defaults."""

    document_bytes: int
    text_bytes: int
    pages: int
    page_cpu_s: float
    page_glyphs: int
    table_rows: int
    table_columns: int
    field_bytes: int
    nesting: int
    image_bytes: int
    image_pixels: int
    image_side: int
    archive_members: int
    archive_bytes: int
    archive_member_bytes: int
    archive_ratio: int


class ParseRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Announces a document, whose bytes follow in frames of their own."""

    options: ParseOptions
    limits: ParseLimits


class Batch(msgspec.Struct, frozen=True, tag="batch"):
    """Some blocks, encoded."""

    blocks: msgspec.Raw


class ImageFound(msgspec.Struct, frozen=True, tag="image"):
    """An image that the blocks to come refer to."""

    image: ExtractedImage


class Advance(msgspec.Struct, frozen=True, tag="advance"):
    """Units read so far, of how many."""

    done: int
    total: int


class Done(msgspec.Struct, frozen=True, tag="done"):
    """The document was read to its end."""

    metadata: DocumentMetadata


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """The document cannot be used; ``failure`` is a ``ParseFailure``."""

    failure: str
    message: str


Frame = Batch | ImageFound | Advance | Done | Failed


def encode(frame: Frame | ParseRequest) -> bytes:
    """Pack one frame."""
    return msgspec.msgpack.encode(frame)


def decode(data: bytes) -> Frame:
    """Unpack what a child sent; raise ``msgspec.ValidationError`` unless it is a frame."""
    frame: Frame = msgspec.msgpack.decode(data, type=Frame)
    return frame


def decode_request(data: bytes) -> ParseRequest:
    """Unpack what the pool sent."""
    return msgspec.msgpack.decode(data, type=ParseRequest)
