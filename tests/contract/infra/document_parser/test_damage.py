"""Damaged documents: whatever happens to their bytes, there is a result or a cause."""

import random
from collections.abc import AsyncGenerator, Callable

import pytest

from domain.shared.limits import Limits
from infra.contract.document.parser import (
    DocumentNotParsed,
    ParseFailure,
    ParseMode,
    ParseOptions,
    Purpose,
)
from infra.impl.document_parser.pool import ParserPool
from infra.impl.sandbox.jail import Jail
from tests.support.document.build import archive, docx, paragraph, pdf, sheet, text_page, xlsx
from tests.support.document.pool import parse
from tests.support.document.reading import DOCUMENTS

ROUNDS = 10
SMALL: dict[str, Callable[[], bytes]] = {
    "pdf": lambda: pdf([text_page([(72, 700, 12, "Some words.")])] * 2),
    "docx": lambda: docx(paragraph("Some words.")),
    "xlsx": lambda: xlsx({"S": sheet([("a", "b"), (1, "x")])}),
    "xls": (DOCUMENTS / "two-sheets.xls").read_bytes,
    "csv": lambda: b"a,b\n1,2\n" * 20,
    "json": lambda: b'[{"a": 1, "b": [true, null]}]' * 1,
    "md": (DOCUMENTS / "editor-guide.md").read_bytes,
    "html": lambda: (DOCUMENTS / "blog.html").read_bytes()[:4000],
    "epub": lambda: archive({"mimetype": "application/epub+zip"}, stored=True),
}


@pytest.fixture(scope="module")
async def pool() -> AsyncGenerator[ParserPool, None]:
    pool = ParserPool(jail=Jail(), limits=Limits(document_wall_s=20.0, document_page_cpu_s=5.0))
    yield pool
    await pool.aclose()


def damaged(data: bytes, dice: random.Random) -> bytes:
    """Change, drop, double or move a few bytes."""
    spoilt = bytearray(data)
    for _ in range(dice.randint(1, 8)):
        at = dice.randrange(len(spoilt))
        length = dice.randint(1, 64)
        match dice.randrange(4):
            case 0:
                spoilt[at] = dice.randrange(256)
            case 1:
                del spoilt[at : at + length]
            case 2:
                spoilt[at:at] = spoilt[at : at + length]
            case _:
                spoilt[at : at + length] = dice.randbytes(length)
        if not spoilt:
            return b"x"
    return bytes(spoilt)


@pytest.mark.parametrize("extension", SMALL)
@pytest.mark.parametrize("purpose", [Purpose.TEXT, Purpose.TABLE])
async def test_damage_ends_in_a_result_or_a_cause(
    pool: ParserPool, extension: str, purpose: Purpose
) -> None:
    dice = random.Random(f"{extension} {purpose}")  # noqa: S311 (repeatable)
    data = SMALL[extension]()
    failures = set()
    for number in range(ROUNDS):
        mode = ParseMode.ACCURATE if number % 2 else ParseMode.FAST
        options = ParseOptions(extension=extension, purpose=purpose, mode=mode)
        try:
            await parse(pool, damaged(data, dice), options)
        except DocumentNotParsed as exc:
            failures.add(exc.failure)

    assert ParseFailure.PARSER_CRASHED not in failures
