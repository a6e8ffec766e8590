"""Excel workbooks before 2007: how they are recognised."""

from typing import Final

from infra.contract.document.parser import ParseOptions, Purpose
from infra.impl.document_parser.format import FORMATS, Format
from infra.impl.document_parser.output import Output

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_STREAMS: Final = ("Workbook".encode("utf-16-le"), "Book".encode("utf-16-le"))


def is_xls(data: bytes) -> bool:
    """Whether the content is an OLE container with a workbook stream."""
    return data.startswith(_OLE) and any(stream in data for stream in _STREAMS)


def _read(data: bytes, options: ParseOptions, output: Output) -> None:
    from infra.impl.document_parser.office.old_workbook import read_xls

    read_xls(data, options, output)


FORMATS.register("xls")(
    Format(
        read=_read,
        extensions=frozenset({"xls"}),
        media_types=frozenset({"application/vnd.ms-excel"}),
        purposes=frozenset({Purpose.TABLE, Purpose.TEXT}),
        matches=is_xls,
    )
)
