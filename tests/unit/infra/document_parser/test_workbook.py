"""Cells of workbooks as text."""

import pytest

from infra.contract.document.parser import (
    DocumentNotParsed,
    ParseFailure,
    ParseOptions,
    Purpose,
    TableRange,
)
from tests.support.document.build import MAIN, sheet, xlsx
from tests.support.document.reading import Read, read, read_table

STYLES = (
    '<numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/>'
    '<numFmt numFmtId="165" formatCode="[h]:mm:ss"/>'
    '<numFmt numFmtId="166" formatCode="0.00&quot;days&quot;"/>'
    '<numFmt numFmtId="167" formatCode="[$-804]yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/>'
    '<numFmt numFmtId="168" formatCode="[Red]#,##0"/></numFmts>'
    "<cellXfs>"
    + "".join(f'<xf numFmtId="{n}"/>' for n in (0, 14, 164, 165, 166, 10, 20, 167, 168))
    + "</cellXfs>"
)


def cells(*written: str, workbook: str = "", strings: tuple[str, ...] = ()) -> Read:
    header = "".join(f'<c t="str"><v>c{n}</v></c>' for n in range(len(written)))
    rows = f"<sheetData><row>{header}</row><row>{''.join(written)}</row></sheetData>"
    return read_table(xlsx({"S": rows}, styles=STYLES, workbook=workbook, strings=strings), "xlsx")


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("<c><v>89</v></c>", "89"),
        ("<c><v>89.0</v></c>", "89"),
        ("<c><v>-0.5</v></c>", "-0.5"),
        ("<c><v>0.1</v></c>", "0.1"),
        ("<c><v>1E-2</v></c>", "0.01"),
        ("<c><v>1234567890123</v></c>", "1234567890123"),
        ('<c t="b"><v>1</v></c>', "true"),
        ('<c t="b"><v>0</v></c>', "false"),
        ('<c t="s"><v>1</v></c>', "second"),
        ('<c t="inlineStr"><is><r><t>rich </t></r><r><t>text</t></r></is></c>', "rich text"),
        ('<c t="str"><f>A1</f><v>made</v></c>', "made"),
        ('<c t="d"><v>2024-05-06T07:08:09</v></c>', "2024-05-06 07:08:09"),
        ('<c s="1"><v>45000</v></c>', "2023-03-15"),
        ('<c s="2"><v>45000.5</v></c>', "2023-03-15 12:00:00"),
        ('<c s="1"><v>1</v></c>', "1900-01-01"),
        ('<c s="3"><v>1.5</v></c>', "36:00:00"),
        ('<c s="4"><v>2.5</v></c>', "2.5"),
        ('<c s="5"><v>0.25</v></c>', "0.25"),
        ('<c s="6"><v>0.5</v></c>', "12:00:00"),
        ('<c s="7"><v>45000</v></c>', "2023-03-15"),
        ('<c s="8"><v>1500</v></c>', "1500"),
        ('<c t="str"><v>a_x000A_b_x0007_</v></c>', "a\nb"),
    ],
)
def test_values_are_written_as_a_person_would(cell: str, text: str) -> None:
    assert cells(cell, strings=("first", "second")).rows == [(text,)]


def test_the_epoch_of_1904_counts() -> None:
    found = cells('<c s="1"><v>0</v></c>', workbook='<workbookPr date1904="1"/>')

    assert found.rows == [("1904-01-01",)]


def test_errors_and_uncalculated_formulas_are_null_with_a_warning() -> None:
    found = cells('<c t="e"><v>#DIV/0!</v></c>', "<c><f>1+1</f></c>", "<c><v>1</v></c>")

    assert found.rows == [(None, None, "1")]
    assert set(found.warnings) == {"error_cell", "formula_without_value"}


def test_columns_right_of_the_header_are_ignored() -> None:
    found = read_table(xlsx({"S": sheet([("a", "b"), (1, 2, 3), (4,)])}), "xlsx")

    assert found.rows == [("1", "2"), ("4", None)]


def test_hidden_sheets_are_listed_but_not_chosen() -> None:
    data = xlsx({"H": sheet([("x",), (1,)]), "V": sheet([("y",), (2,), (3,)])}, hidden=["H"])
    found = read_table(data, "xlsx")

    assert found.metadata.sheet == 1
    assert found.rows == [("2",), ("3",)]
    listed = [(s.name, s.rows, s.is_hidden) for s in found.metadata.sheets]
    assert listed == [("H", 2, True), ("V", 3, False)]
    hidden = ParseOptions(purpose=Purpose.TABLE, table=TableRange(sheet=0))
    assert read(data, "xlsx", options=hidden).rows == [("1",)]


def test_a_sheet_that_is_not_there_is_named() -> None:
    options = ParseOptions(purpose=Purpose.TABLE, table=TableRange(sheet=3))
    with pytest.raises(DocumentNotParsed) as caught:
        read(xlsx({"S": sheet([("a",)])}), "xlsx", options=options)

    assert caught.value.failure is ParseFailure.NO_SUCH_SHEET


def test_the_range_counts_lines_of_the_sheet() -> None:
    data = xlsx({"S": sheet([("Title",), (), ("a", "b"), (1, 2), (3, 4), (5, 6)])})
    table = TableRange(header_line=2, data_line=4, rows_count=1)
    found = read(data, "xlsx", options=ParseOptions(purpose=Purpose.TABLE, table=table))

    assert found.metadata.columns == ("a", "b")
    assert found.rows == [("3", "4")]
    assert found.tables[0].row == 5


def test_merged_ranges_reach_lines_without_cells() -> None:
    rows = (
        '<sheetData><row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c></row>'
        '<row r="2"><c r="A2"><v>1</v></c></row></sheetData>'
        '<mergeCells><mergeCell ref="A2:B4"/></mergeCells>'
    )

    assert read_table(xlsx({"S": rows}), "xlsx").rows == [("1", "1")] * 3


def test_as_a_text_every_sheet_has_its_name() -> None:
    found = read(xlsx({"A": sheet([("x",), (1,)]), "B": sheet([("y",), (2,)])}), "xlsx")

    assert found.headings == [(1, "A"), (1, "B")]
    assert [table.rows for table in found.tables] == [(("x",), ("1",)), (("y",), ("2",))]


def test_a_mislabelled_workbook_is_read_with_a_warning() -> None:
    found = read_table(xlsx({"S": sheet([("a",), (1,)])}), "csv")

    assert found.metadata.format == "xlsx"
    assert found.warnings == ["mislabelled"]


STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"


@pytest.mark.parametrize(
    "part",
    [
        # What other programs write, and what openpyxl would stumble over by itself.
        {"docProps/core.xml": "<broken"},
        {"xl/theme/theme1.xml": "<broken"},
        {"[Content_Types].xml": "<Types><Default Extension='xml'/></Types>"},
        {"xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><fills><fill/></fills></styleSheet>'},
        {"xl/worksheets/s1.xml": f'<worksheet xmlns="{STRICT}">{{}}</worksheet>'},
    ],
    ids=["properties", "theme", "types", "styles", "strict"],
)
def test_what_says_nothing_of_values_may_be_broken(part: dict[str, str]) -> None:
    rows = sheet([("a",), (1,)])
    data = xlsx({"S": rows}, extra={name: text.format(rows) for name, text in part.items()})

    assert read_table(data, "xlsx").rows == [("1",)]


def test_lines_that_are_coloured_to_their_end_are_narrow() -> None:
    rows = (
        '<sheetData><row r="1"><c r="A1" t="str"><v>a</v></c><c r="XFD1" s="1"/></row>'
        '<row r="2"><c r="A2"><v>1</v></c><c r="XFD2" s="1"/></row></sheetData>'
    )

    assert read_table(xlsx({"S": rows}), "xlsx").rows == [("1",)]


def test_a_value_beyond_the_last_column_is_not_lost_silently() -> None:
    rows = (
        '<sheetData><row r="1"><c r="A1" t="str"><v>a</v></c></row>'
        '<row r="2"><c r="A2"><v>1</v></c><c r="XFD2"><v>2</v></c></row></sheetData>'
    )
    with pytest.raises(DocumentNotParsed) as caught:
        read_table(xlsx({"S": rows}), "xlsx")

    assert caught.value.failure is ParseFailure.TOO_LARGE


@pytest.mark.parametrize("filling", [262_100, 262_144, 262_180])
def test_marks_across_pieces_of_a_part_are_found_once(filling: int) -> None:
    rows = (
        '<sheetData><row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c></row>'
        '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><f>1+1</f></c></row></sheetData>'
        "<!--{}-->"
        '<mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="A4:A5"/></mergeCells>'
    )
    found = read_table(
        xlsx({"S": rows.format("".join(f"{n}," for n in range(60_000))[:filling])}), "xlsx"
    )

    assert found.rows == [("1", None), ("1", None)]
    assert found.warnings == ["formula_without_value"]


def test_a_document_type_is_refused_in_every_part() -> None:
    hostile = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]>'
    for part in ("worksheets/s1", "sharedStrings", "styles", "workbook", "_rels/workbook.xml.rels"):
        name = f"xl/{part}" if part.endswith(".rels") else f"xl/{part}.xml"
        data = xlsx({"S": sheet([("a",), (1,)])}, extra={name: f"{hostile}<a>&a;</a>"})
        with pytest.raises(DocumentNotParsed) as caught:
            read_table(data, "xlsx")
        assert caught.value.failure is ParseFailure.BOMB, part
