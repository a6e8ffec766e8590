"""CSV and its relatives: the delimiter is the one that divides the lines most evenly."""

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

from infra.contract.document.parser import DocumentNotParsed, ParseFailure, ParseOptions, Purpose
from infra.contract.table.file import FORMULA_MARKS, PLAIN_MARK
from infra.impl.document_parser.encoding import decode_text
from infra.impl.document_parser.format import FORMATS, Format
from infra.impl.document_parser.output import Output
from infra.impl.document_parser.table_writer import TableWriter

_DELIMITERS: Final = (",", ";", "\t", "|")
_SAMPLE_RECORDS: Final = 100
_SAMPLE_CHARS: Final = 512 * 1024
_ADVANCE_ROWS: Final = 5000


def read_csv(data: bytes, options: ParseOptions, output: Output) -> None:
    """Read all records; an empty value is null, and names come from the header line."""
    decoded = decode_text(data, charset=options.charset)
    output.metadata.encoding = decoded.encoding
    if decoded.is_guess:
        output.metadata.warn("encoding_guessed", decoded.encoding)
    csv.field_size_limit(output.limits.field_bytes)
    writer = TableWriter(output, options, ignores_extra_cells=False, drops_unnamed_tail=False)
    is_table = options.purpose is Purpose.TABLE
    delimiter = "\t" if options.extension == "tsv" else find_delimiter(decoded.text)
    for number, record in enumerate(_records(decoded.text, delimiter)):
        writer.add(number, [unmarked(value) if is_table else value or None for value in record])
        if number % _ADVANCE_ROWS == 0:
            output.advance(0, 1)
    writer.finish()
    output.advance(1, 1)


def unmarked(value: str) -> str | None:
    """Take away the apostrophe that keeps a text from being a formula; empty is null."""
    is_marked = value.startswith(PLAIN_MARK) and value.lstrip(PLAIN_MARK).startswith(FORMULA_MARKS)
    return (value.removeprefix(PLAIN_MARK) if is_marked else value) or None


def find_delimiter(text: str) -> str:
    """Choose by consistency: most records of one width, then the greater width."""
    sample = text[:_SAMPLE_CHARS]
    # A wrong one leaves quotes in the middle of values. Files that are sloppy have none without.
    scores = _scores(sample, is_strict=True) or _scores(sample, is_strict=False)
    return max(scores, key=lambda delimiter: scores[delimiter], default=",")


def _scores(sample: str, *, is_strict: bool) -> dict[str, tuple[float, int]]:
    """Return share and width of the usual record, by delimiter; the first of equals is best."""
    scores = {}
    for delimiter in _DELIMITERS:
        try:
            reader = csv.reader(_lines(sample), delimiter=delimiter, strict=is_strict)
            widths = Counter(len(record) for record in islice(reader, _SAMPLE_RECORDS) if record)
        except csv.Error:
            continue
        if widths:
            width, count = widths.most_common(1)[0]
            if width > 1:
                scores[delimiter] = count / widths.total(), width
    return scores


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    try:
        # Lines keep their ends, so that line breaks inside quotes survive.
        yield from csv.reader(_lines(text), delimiter=delimiter)
    except csv.Error as exc:
        raise DocumentNotParsed(ParseFailure.TOO_LARGE, "A value of the file is too long.") from exc


def _lines(text: str) -> Iterator[str]:
    """Split at line feeds only: ``splitlines`` also splits at characters that are content."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start : end + 1]
        start = end + 1
    if start < len(text):
        yield text[start:]


FORMATS.register("csv")(
    Format(
        read=read_csv,
        extensions=frozenset({"csv", "tsv"}),
        media_types=frozenset({"text/csv", "text/tab-separated-values"}),
        purposes=frozenset({Purpose.TABLE, Purpose.TEXT}),
    )
)
