"""What goes to and from the jailed reader of images."""

import msgspec

from infra.contract.document.ocr import OcrLine


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """An image to read; more than ``pixels`` are refused."""

    image: bytes
    pixels: int


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """The lines of an image, or why it cannot be used."""

    lines: tuple[OcrLine, ...] = ()
    refused: str = ""
