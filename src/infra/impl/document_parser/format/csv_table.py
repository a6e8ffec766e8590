"""CSV and its relatives: the delimiter is the one that divides the lines most evenly."""

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

from infra.contract.document_parser import DocumentNotParsed, ParseFailure, ParseOptions, Purpose
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
    delimiter = "\t" if options.extension == "tsv" else find_delimiter(decoded.text)
    for number, record in enumerate(_records(decoded.text, delimiter)):
        writer.add(number, [value or None for value in record])
        if number % _ADVANCE_ROWS == 0:
            output.advance(0, 1)
    writer.finish()
    output.advance(1, 1)


def find_delimiter(text: str) -> str:
    """Choose by consistency: most records of one width, then the greater width."""
    best, best_score = ",", (0.0, 0)
    sample = text[:_SAMPLE_CHARS]
    for delimiter in _DELIMITERS:
        records = islice(_records(sample, delimiter), _SAMPLE_RECORDS)
        widths = Counter(len(record) for record in records if record)
        if not widths:
            continue
        width, count = widths.most_common(1)[0]
        score = (count / widths.total(), width)
        if width > 1 and score > best_score:
            best, best_score = delimiter, score
    return best


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
