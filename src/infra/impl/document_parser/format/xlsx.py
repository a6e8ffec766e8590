"""Excel workbooks since 2007: how they are recognised."""

from infra.contract.document.parser import ParseOptions, Purpose
from infra.impl.document_parser.archive import directory_of
from infra.impl.document_parser.format import FORMATS, Format
from infra.impl.document_parser.output import Output


def is_xlsx(data: bytes) -> bool:
    """Whether the content is a package with a workbook in XML."""
    return b"xl/workbook.xml" in directory_of(data).lower()


def _read(data: bytes, options: ParseOptions, output: Output) -> None:
    from infra.impl.document_parser.office.workbook import read_xlsx

    read_xlsx(data, options, output)


FORMATS.register("xlsx")(
    Format(
        read=_read,
        extensions=frozenset({"xlsx", "xlsm"}),
        media_types=frozenset(
            {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
        ),
        purposes=frozenset({Purpose.TABLE, Purpose.TEXT}),
        matches=is_xlsx,
    )
)
