"""Excel workbooks since 2007."""

from functools import partial

from infra.contract.document_parser import ParseOptions, Purpose
from infra.impl.document_parser.archive import directory_of
from infra.impl.document_parser.format import FORMATS, Format
from infra.impl.document_parser.output import Output
from infra.impl.document_parser.sheet_writer import SheetSource, write_sheets
from infra.impl.document_parser.workbook import Workbook


def is_xlsx(data: bytes) -> bool:
    """Whether the content is a package with a workbook in XML."""
    return b"xl/workbook.xml" in directory_of(data).lower()


def read_xlsx(data: bytes, options: ParseOptions, output: Output) -> None:
    """Read values as last calculated; formulas themselves are not evaluated."""
    book = Workbook(data, output)
    sheets = [
        SheetSource(sheet.name, sheet.is_hidden, partial(book.read, sheet)) for sheet in book.sheets
    ]
    write_sheets(sheets, options, output)


FORMATS.register("xlsx")(
    Format(
        read=read_xlsx,
        extensions=frozenset({"xlsx", "xlsm"}),
        media_types=frozenset(
            {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
        ),
        purposes=frozenset({Purpose.TABLE, Purpose.TEXT}),
        matches=is_xlsx,
    )
)
