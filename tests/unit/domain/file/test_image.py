"""Images are judged by their headers alone."""

import io
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from domain.file.error import ImageRefused
from domain.file.image import check_image
from domain.shared.limits import Limits

LIMITS = Limits()


def encoded(kind: str, size: tuple[int, int] = (3, 2), **options: object) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, "red").save(buffer, kind, **options)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (encoded("PNG"), "image/png"),
        (encoded("JPEG"), "image/jpeg"),
        (encoded("JPEG", progressive=True), "image/jpeg"),
        (encoded("GIF"), "image/gif"),
        (encoded("WEBP"), "image/webp"),
        (encoded("WEBP", lossless=True), "image/webp"),
        (encoded("WEBP", exif=b"Exif\0\0" + b"x" * 20), "image/webp"),
        (encoded("JPEG", exif=b"Exif\0\0" + b"x" * 60_000), "image/jpeg"),
    ],
)
def test_usual_images_pass(data: bytes, expected: str) -> None:
    assert check_image(data, limits=LIMITS) == expected


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
@pytest.mark.parametrize("lossless", [False, True])
def test_a_side_one_pixel_too_long_is_refused(kind: str, *, lossless: bool) -> None:
    limits = Limits(image_side=20)
    options = {"lossless": True} if lossless and kind == "WEBP" else {}

    check_image(encoded(kind, (20, 1), **options), limits=limits)
    with pytest.raises(ImageRefused, match="21 by 1"):
        check_image(encoded(kind, (21, 1), **options), limits=limits)


def test_one_pixel_too_many_is_refused() -> None:
    check_image(encoded("PNG", (5, 4)), limits=Limits(image_pixels=20))
    with pytest.raises(ImageRefused, match="5 by 4"):
        check_image(encoded("PNG", (5, 4)), limits=Limits(image_pixels=19))


def test_one_byte_too_many_is_refused() -> None:
    data = encoded("PNG")

    with pytest.raises(ImageRefused, match="bytes"):
        check_image(data, limits=Limits(image_bytes=len(data) - 1))


def test_a_flat_bomb_is_refused() -> None:
    header = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" + struct.pack(">II", 10**9, 1)

    with pytest.raises(ImageRefused):
        check_image(header, limits=LIMITS)


@pytest.mark.parametrize(
    "data", [b"", b"<svg/>", b"hello", b"BM", b"%PDF-1.4", b"\x89PNG\r\n\x1a\n", b"GIF89a"]
)
def test_what_is_no_image_is_refused(data: bytes) -> None:
    with pytest.raises(ImageRefused):
        check_image(data, limits=LIMITS)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_header_cut_anywhere_is_refused_or_complete(kind: str) -> None:
    data = encoded(kind)
    for length in range(len(data)):
        try:
            check_image(data[:length], limits=LIMITS)
        except ImageRefused:
            continue


@given(
    st.sampled_from([b"\xff\xd8\xff", b"GIF89a", b"RIFF1234WEBP", b"\x89PNG\r\n\x1a\n"]),
    st.binary(),
)
def test_garbage_behind_a_mark_never_crashes(mark: bytes, rest: bytes) -> None:
    try:
        check_image(mark + rest, limits=LIMITS)
    except ImageRefused:
        return
