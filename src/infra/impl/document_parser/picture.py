"""Embedded images: measured from the header, kept if PNG or JPEG, converted otherwise."""

import warnings
from io import BytesIO
from typing import Final

from msgspec.structs import replace
from PIL import Image, ImageOps, UnidentifiedImageError

from infra.contract.document.parser import (
    DocumentNotParsed,
    ExtractedImage,
    ParseFailure,
    ParseOptions,
)
from infra.impl.document_parser.output import Output, image_of, picture_of
from infra.impl.document_parser.protocol import ParseLimits

_KEPT: Final = {"PNG": "image/png", "JPEG": "image/jpeg"}
_CONVERTED: Final = ("GIF", "BMP", "TIFF", "WEBP")
_MODEL_SIDE: Final = 4096
_ORIENTATION: Final = 0x0112  # EXIF tag
_UPRIGHT: Final = 1
_OPAQUE: Final = "RGB"
# Decoders raise almost anything on damaged data; SyntaxError comes from the PNG reader.
_IMAGE_ERRORS: Final = (
    UnidentifiedImageError,
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    IndexError,
    KeyError,
    EOFError,
    AttributeError,
    ZeroDivisionError,
)


def read_picture(data: bytes, _: ParseOptions, output: Output) -> None:
    """Pass the image on, as PNG or JPEG, and a copy for models if it is large."""
    image = read_image(data, limits=output.limits)
    output.add_image(image)
    picture = picture_of(image)
    small = small_copy(image, limits=output.limits)
    if small is not None:
        output.add_image(small)
        picture = replace(picture, small_sha256=small.sha256, small_mime=small.mime)
    output.add(picture)
    output.advance(1, 1)


def read_image(data: bytes, *, limits: ParseLimits) -> ExtractedImage:
    """Measure an image and make it PNG or JPEG, standing upright.

    Raises:
        DocumentNotParsed: too large in bytes or pixels, damaged, or of another format.
    """
    if len(data) > limits.image_bytes:
        raise DocumentNotParsed(ParseFailure.TOO_LARGE, "The image has too many bytes.")
    try:
        with warnings.catch_warnings():
            # Pillow warns of many pixels before it refuses more; our own bound comes after the
            # header is read.
            warnings.simplefilter("ignore")
            return _read(data, limits)
    except Image.DecompressionBombError as exc:
        raise DocumentNotParsed(ParseFailure.TOO_LARGE, "The image has too many pixels.") from exc
    except _IMAGE_ERRORS as exc:
        raise DocumentNotParsed(ParseFailure.CORRUPT, "The image cannot be read.") from exc


def small_copy(image: ExtractedImage, *, limits: ParseLimits) -> ExtractedImage | None:
    """Scale a large image down to what models take; None if it is small enough.

    Raises ``DocumentNotParsed`` if its pixels are damaged.
    """
    if max(image.width, image.height) <= _MODEL_SIDE:
        return None
    try:
        with Image.open(BytesIO(image.data)) as large:
            large.draft(_OPAQUE, (_MODEL_SIDE, _MODEL_SIDE))  # JPEG alone can skip pixels
            small = large.convert("RGBA" if large.has_transparency_data else _OPAQUE)
    except _IMAGE_ERRORS as exc:
        raise DocumentNotParsed(ParseFailure.CORRUPT, "The image cannot be read.") from exc
    small.thumbnail((_MODEL_SIDE, _MODEL_SIDE))
    if small.mode == _OPAQUE:
        buffer = BytesIO()
        small.save(buffer, "JPEG", quality=85)
        made = image_of(
            buffer.getvalue(), mime=_KEPT["JPEG"], width=small.width, height=small.height
        )
    else:
        made = encode_png(small, limits=limits)
    return replace(made, is_copy=True)


def encode_png(image: Image.Image, *, limits: ParseLimits) -> ExtractedImage:
    """Store pixels, as JPEG if PNG would exceed the size of an image."""
    if image.mode not in ("1", "L", "LA", "P", "RGB", "RGBA"):
        image = image.convert(_OPAQUE)
    buffer = BytesIO()
    image.save(buffer, "PNG")
    mime = "image/png"
    if buffer.tell() > limits.image_bytes:
        buffer = BytesIO()
        image.convert(_OPAQUE).save(buffer, "JPEG", quality=85)
        mime = "image/jpeg"
    return image_of(buffer.getvalue(), mime=mime, width=image.width, height=image.height)


def _read(data: bytes, limits: ParseLimits) -> ExtractedImage:
    with Image.open(BytesIO(data), formats=[*_KEPT, *_CONVERTED]) as image:
        width, height = image.size
        if max(width, height) > limits.image_side or width * height > limits.image_pixels:
            raise DocumentNotParsed(ParseFailure.TOO_LARGE, "The image has too many pixels.")
        kind = image.format or ""
        upright = image.getexif().get(_ORIENTATION, _UPRIGHT) == _UPRIGHT
        if kind in _KEPT and upright:
            return image_of(data, mime=_KEPT[kind], width=width, height=height)
        turned = ImageOps.exif_transpose(image)
        if kind == "JPEG":
            buffer = BytesIO()
            turned.convert(_OPAQUE).save(buffer, "JPEG", quality=90)
            return image_of(
                buffer.getvalue(), mime=_KEPT[kind], width=turned.width, height=turned.height
            )
        return encode_png(turned, limits=limits)
