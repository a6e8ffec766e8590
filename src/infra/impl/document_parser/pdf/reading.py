"""Reading of PDF, page by page; nothing of a page is kept when the next one begins."""

from typing import Final

from msgspec.structs import replace

from infra.contract.document_parser import (
    DocumentNotParsed,
    PageBreak,
    ParseFailure,
    ParseOptions,
    Picture,
    Table,
)
from infra.impl.document_parser.output import Output, picture_of
from infra.impl.document_parser.pdf.engine import Document, Page
from infra.impl.document_parser.pdf.page_reader import PageReader, PlacedBlock
from infra.impl.document_parser.pdf.pictures import draw, is_scan
from infra.impl.document_parser.pdf.profile import profile
from infra.impl.document_parser.pdf.tables import FoundTable, RuledTables, is_continued

_MAX_MERGED_ROWS: Final = 2000


def read_pdf(data: bytes, options: ParseOptions, output: Output) -> None:
    """Write text, tables and images of all pages that are not skipped."""
    document = Document(data)
    ruled = RuledTables(data)
    try:
        _Reading(document, ruled, options, output).run()
    finally:
        ruled.close()
        document.close()


class _Reading:
    def __init__(
        self, document: Document, ruled: RuledTables, options: ParseOptions, output: Output
    ) -> None:
        self._document = document
        self._options = options
        self._output = output
        self._glyphs = output.limits.page_glyphs
        self._open: PlacedBlock | None = None
        if document.page_count > output.limits.pages:
            raise DocumentNotParsed(
                ParseFailure.TOO_LARGE,
                f"The document has more than {output.limits.pages} pages.",
            )
        output.metadata.pages = document.page_count
        output.metadata.title = document.property("Title")
        output.metadata.author = document.property("Author")
        output.advance(0, document.page_count)
        self._reader = PageReader(
            options=options,
            output=output,
            profile=profile(document, max_chars=self._glyphs, on_page=self._show_life),
            ruled=ruled,
        )

    def run(self) -> None:
        skipped = set(self._options.skip_pages)
        count = self._document.page_count
        for number in range(1, count + 1):
            if number not in skipped:
                self._page(number)
            self._output.advance(number, count)
        self._close_table()

    def _show_life(self) -> None:
        self._output.advance(0, self._document.page_count)

    def _page(self, number: int) -> None:
        try:
            with self._document.page(number) as page:
                if self._open is None and number > 1:
                    self._output.add(PageBreak(page=number))
                self._write(page, number)
        except ValueError:
            self._output.metadata.warn("page_unreadable", f"page {number}")

    def _write(self, page: Page, number: int) -> None:
        text = page.text(max_chars=self._glyphs)
        if is_scan(page, text):
            self._close_table()
            self._scan(page, number)
            return
        blocks = self._reader.read(page, number, text)
        if blocks:
            self._continue_table(blocks, number)
        for placed in blocks[:-1]:
            self._output.add(placed.block)
        for placed in blocks[-1:]:
            # A table at the end may go on; it is written when that is known.
            if placed.table is not None:
                self._open = placed
            else:
                self._output.add(placed.block)

    def _continue_table(self, blocks: list[PlacedBlock], number: int) -> None:
        """Append the first table of a page to the one that ended the page before."""
        first, held = blocks[0], self._open
        if (
            held is None
            or first.table is None
            or held.table is None
            or not is_continued(held.table, first.table)
            or len(held.table.rows) > _MAX_MERGED_ROWS
            or not isinstance(held.block, Table)
        ):
            if self._close_table():
                self._output.add(PageBreak(page=number))
            return
        rows = first.table.rows
        added = rows[1:] if rows[0] == held.table.rows[0] else rows
        table = FoundTable(held.table.box, held.table.rows + added, held.table.edges)
        blocks[0] = PlacedBlock(replace(held.block, rows=table.rows), table)
        self._open = None

    def _close_table(self) -> bool:
        if self._open is None:
            return False
        self._output.add(self._open.block)
        self._open = None
        return True

    def _scan(self, page: Page, number: int) -> None:
        if not self._options.reads_scans:
            self._output.metadata.warn("no_text_layer", f"page {number}")
        if self._options.extracts_images or self._options.reads_scans:
            image = replace(draw(page, self._output), is_scan=True)
            self._output.add_image(image)
            picture: Picture = replace(picture_of(image), page=number, is_scan=True)
            self._output.add(picture)
