"""What every parser writes to."""

import pytest

from domain.shared.limits import Limits
from infra.contract.document.parser import (
    Block,
    DocumentNotParsed,
    Heading,
    PageBreak,
    Paragraph,
    ParseFailure,
    Table,
    decode_blocks,
)
from infra.impl.document_parser.output import Output
from infra.impl.document_parser.pool import parse_limits
from infra.impl.document_parser.protocol import Batch, Frame


def open_output(frames: list[Frame], **limits: int) -> Output:
    return Output(emit=frames.append, limits=parse_limits(Limits(**limits)))


def blocks_of(frames: list[Frame]) -> list[Block]:
    return [b for f in frames if isinstance(f, Batch) for b in decode_blocks(f.blocks)]


def test_blocks_come_in_their_order_whatever_the_batches() -> None:
    frames: list[Frame] = []
    output = open_output(frames)
    written: list[Block] = [Paragraph(text=f"paragraph {n} " + "x" * n) for n in range(1200)]
    for block in written:
        output.add(block)
    output.finish(format_name="txt")

    assert blocks_of(frames) == written
    assert sum(isinstance(frame, Batch) for frame in frames) > 2


def test_blocks_without_text_are_dropped() -> None:
    frames: list[Frame] = []
    output = open_output(frames)
    for block in (Paragraph(text=""), Heading(text="", level=1), Table(rows=((None, None),))):
        output.add(block)
    output.add(PageBreak(page=2))
    with pytest.raises(DocumentNotParsed) as caught:
        output.finish(format_name="txt")

    assert caught.value.failure is ParseFailure.EMPTY
    assert blocks_of(frames) == [PageBreak(page=2)]


def test_too_much_text_is_refused() -> None:
    output = open_output([], document_text_bytes=100)
    output.add(Paragraph(text="x" * 60))

    with pytest.raises(DocumentNotParsed) as caught:
        output.add(Paragraph(text="x" * 60))

    assert caught.value.failure is ParseFailure.TOO_LARGE


def test_warnings_are_counted_and_bounded() -> None:
    output = open_output([])
    for number in range(100):
        output.metadata.warn("bad_row", f"line {number}")
    output.metadata.warn("encoding_guessed", "big5")
    output.add(Paragraph(text="x"))
    warnings = output.finish(format_name="txt").warnings

    assert sum(w.count for w in warnings if w.code == "bad_row") == 100
    assert len([w for w in warnings if w.code == "bad_row"]) == 21
    assert warnings[-1].detail == "big5"
