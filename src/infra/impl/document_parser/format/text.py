"""Plain text: paragraphs are separated by empty lines."""

from infra.contract.document.parser import Paragraph, ParseOptions, Purpose
from infra.impl.document_parser.encoding import decode_text
from infra.impl.document_parser.format import FORMATS, Format
from infra.impl.document_parser.output import Output


def read_text(data: bytes, options: ParseOptions, output: Output) -> None:
    """Keep line breaks inside paragraphs: they may carry meaning (verses, addresses, logs)."""
    decoded = decode_text(data, charset=options.charset)
    output.metadata.encoding = decoded.encoding
    if decoded.is_guess:
        output.metadata.warn("encoding_guessed", decoded.encoding)
    lines: list[str] = []
    for line in decoded.text.split("\n"):
        if line.strip():
            lines.append(line.rstrip())
        elif lines:
            output.add(Paragraph(text="\n".join(lines)))
            lines.clear()
    output.add(Paragraph(text="\n".join(lines)))


FORMATS.register("txt")(
    Format(
        read=read_text,
        extensions=frozenset({"txt", "text", "log", ""}),
        media_types=frozenset({"text/plain"}),
        purposes=frozenset({Purpose.TEXT}),
    )
)
