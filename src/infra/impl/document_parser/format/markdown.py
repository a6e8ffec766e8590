"""Markdown, which nothing in the content tells from text."""

from infra.contract.document.parser import ParseOptions, Purpose
from infra.impl.document_parser.format import FORMATS, Format
from infra.impl.document_parser.output import Output


def _read(data: bytes, options: ParseOptions, output: Output) -> None:
    from infra.impl.document_parser.markup.markdown import read_markdown

    read_markdown(data, options, output)


FORMATS.register("md")(
    Format(
        read=_read,
        extensions=frozenset({"md", "markdown", "mdown", "mkd"}),
        media_types=frozenset({"text/markdown", "text/x-markdown"}),
        purposes=frozenset({Purpose.TEXT}),
    )
)
