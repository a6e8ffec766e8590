"""The reader of images, with its real models, in its jail."""

import asyncio
import io
from collections.abc import AsyncGenerator

import msgspec
import pytest
from PIL import Image, ImageDraw, ImageFont

from domain.shared.error import InvalidRequest, Unavailable
from domain.shared.limits import Limits
from infra.contract.document.ocr import OcrLine
from infra.impl.ocr.rapid import RapidOcr, in_reading_order, is_installed
from infra.impl.sandbox.jail import Jail


def drawn(*lines: str, size: int = 36) -> bytes:
    """A picture with lines of text, hardly larger than they are; ``size`` of letters in pixels."""
    font = ImageFont.load_default(size)
    width = max(map(font.getlength, lines))
    picture = Image.new("RGB", (int(width) + 2 * size, int(size * (2.5 * len(lines) + 1))), "white")
    pen = ImageDraw.Draw(picture)
    for number, line in enumerate(lines):
        pen.text((size, size * (2.5 * number + 1)), line, fill="black", font=font)
    data = io.BytesIO()
    picture.save(data, "PNG")
    return data.getvalue()


@pytest.fixture(scope="module")
async def engine() -> AsyncGenerator[RapidOcr, None]:
    assert is_installed()
    engine = RapidOcr(jail=Jail(), limits=Limits(ocr_image_s=600.0))
    await engine.start()
    yield engine
    await engine.aclose()


async def test_text_is_read_from_top_to_bottom(engine: RapidOcr) -> None:
    image = drawn("Invoice 2024-117 total 1,284.50 EUR", "Warranty period: 24 months")

    lines = await engine.read(image, "image/png", owner=1)

    texts = [line.text for line in lines]
    assert texts == ["Invoice 2024-117 total 1,284.50 EUR", "Warranty period: 24 months"]
    assert lines[0].bbox[1] < lines[1].bbox[1]
    assert all(line.confidence > 0.9 for line in lines)


async def test_a_strip_with_one_small_line_is_read(engine: RapidOcr) -> None:
    """Enlarged until its shorter side is that of a page, it lost its letters (and took seconds)."""
    strip = drawn("Total 12.50", size=12)
    assert [line.text for line in await engine.read(strip, "image/png", owner=1)] == ["Total 12.50"]


async def test_an_empty_image_has_no_text_and_a_broken_one_is_refused(engine: RapidOcr) -> None:
    assert await engine.read(drawn(""), "image/png", owner=1) == []
    with pytest.raises(InvalidRequest, match="damaged"):
        await engine.read(drawn("x")[:200], "image/png", owner=1)
    assert [line.text for line in await engine.read(drawn("Still here"), "image/png", owner=1)] == [
        "Still here"
    ]


async def test_owners_never_share_a_process(engine: RapidOcr) -> None:
    await engine.read(drawn("one"), "image/png", owner=1)
    first = engine._process
    await engine.read(drawn("two"), "image/png", owner=2)

    assert first is not None
    assert engine._process is not first
    assert not first.is_running


async def test_a_slow_image_is_given_up_and_the_next_one_is_read() -> None:
    impatient = msgspec.structs.replace(Limits(), ocr_image_s=0.05)
    engine = RapidOcr(jail=Jail(), limits=impatient)
    with pytest.raises(InvalidRequest, match="too long"):
        await engine.read(drawn("text"), "image/png", owner=1)
    await engine.aclose()
    with pytest.raises(Unavailable):
        await engine.read(drawn("text"), "image/png", owner=1)


async def test_an_idle_process_gives_its_memory_back() -> None:
    engine = RapidOcr(jail=Jail(), limits=msgspec.structs.replace(Limits(), ocr_idle_s=0.05))
    await engine.read(drawn("text"), "image/png", owner=1)
    process = engine._process
    assert process is not None
    async with asyncio.timeout(60):
        await process.ended()
    assert [line.text for line in await engine.read(drawn("more"), "image/png", owner=1)] == [
        "more"
    ]
    await engine.aclose()


def test_a_label_comes_before_its_value_in_the_same_row() -> None:
    value = OcrLine(text="March 15", bbox=(200, 9, 300, 29))
    label = OcrLine(text="Born:", bbox=(10, 12, 80, 32))
    title = OcrLine(text="Patient", bbox=(10, 40, 80, 60))

    assert in_reading_order([title, value, label]) == [label, value, title]
