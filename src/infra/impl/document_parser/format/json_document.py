"""JSON: an array of objects is a table, anything else a text with one section per member."""

import json
from collections.abc import Mapping
from typing import Final

from infra.contract.document.parser import (
    Cell,
    Code,
    DocumentNotParsed,
    Heading,
    Paragraph,
    ParseFailure,
    ParseOptions,
    Purpose,
)
from infra.impl.document_parser.encoding import decode_text
from infra.impl.document_parser.format import FORMATS, Format
from infra.impl.document_parser.output import Output
from infra.impl.document_parser.table_writer import TableWriter

_ADVANCE_ROWS: Final = 5000


def read_json(data: bytes, options: ParseOptions, output: Output) -> None:
    """Read one value, or one value per line."""
    decoded = decode_text(data)
    output.metadata.encoding = decoded.encoding
    try:
        value, is_lines = _load(decoded.text)
        if options.purpose is Purpose.TABLE:
            _write_table(value, options, output)
        elif is_lines and isinstance(value, list):
            for item in value:
                output.add(Code(text=_pretty(item), language="json"))
        else:
            _write_sections(value, output)
    except RecursionError as exc:
        raise DocumentNotParsed(ParseFailure.BOMB, "The file is nested too deeply.") from exc
    output.advance(1, 1)


def _load(text: str) -> tuple[object, bool]:
    try:
        return _decode(text), False
    except ValueError as whole:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) <= 1:
            raise DocumentNotParsed(ParseFailure.CORRUPT, f"Not valid JSON: {whole}.") from whole
        try:
            return [_decode(line) for line in lines], True
        except ValueError as exc:
            raise DocumentNotParsed(ParseFailure.CORRUPT, f"Not valid JSON: {whole}.") from exc


def _decode(text: str) -> object:
    value: object = json.loads(text, parse_constant=_refuse_constant)
    return value


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON value")


def _write_table(value: object, options: ParseOptions, output: Output) -> None:
    if not isinstance(value, list) or not value:
        raise _not_rows()
    names: dict[str, None] = {}
    for item in value:
        if not isinstance(item, dict):
            raise _not_rows()
        names.update(dict.fromkeys(item))
        if len(names) > output.limits.table_columns:
            raise DocumentNotParsed(
                ParseFailure.TOO_LARGE,
                f"The objects have more than {output.limits.table_columns} different names.",
            )
    if not any(name.strip() for name in names):
        raise DocumentNotParsed(ParseFailure.HEADER_MISSING, "The objects have no named members.")
    writer = TableWriter(output, options, ignores_extra_cells=False, drops_unnamed_tail=False)
    # The header always comes from the names: the range counts objects, not lines.
    header_line = options.table.header_line
    writer.add(header_line, [name or None for name in names])
    for number, item in enumerate(value, start=header_line + 1):
        writer.add(number, [_cell(item.get(name)) for name in names])
        if number % _ADVANCE_ROWS == 0:
            output.advance(0, 1)
    writer.finish()


def _not_rows() -> DocumentNotParsed:
    return DocumentNotParsed(
        ParseFailure.NOT_A_ROW_ARRAY, "A table needs a JSON array of objects, one per row."
    )


def _cell(value: object) -> Cell:
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _write_sections(value: object, output: Output) -> None:
    if isinstance(value, Mapping):
        for name, member in value.items():
            output.add(Heading(text=str(name), level=1))
            if isinstance(member, dict | list):
                output.add(Code(text=_pretty(member), language="json"))
            else:
                output.add(Paragraph(text=_cell(member) or "null"))
    elif isinstance(value, list):
        for member in value:
            output.add(Code(text=_pretty(member), language="json"))
    else:
        output.add(Paragraph(text=_cell(value) or "null"))


def _pretty(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


FORMATS.register("json")(
    Format(
        read=read_json,
        extensions=frozenset({"json", "jsonl", "ndjson"}),
        media_types=frozenset({"application/json", "application/x-ndjson"}),
        purposes=frozenset({Purpose.TABLE, Purpose.TEXT}),
    )
)
