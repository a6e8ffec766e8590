"""Images: one picture, upright; captions and text in it come from other ports."""

from infra.contract.document.parser import ParseOptions, Purpose
from infra.impl.document_parser.format import FORMATS, Format
from infra.impl.document_parser.output import Output


def is_image(data: bytes) -> bool:
    """Whether the content starts like one of the formats that are read."""
    return (
        data.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a"))
        or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")
        or (data[:2] == b"BM" and data[6:10] == bytes(4))
    )


def _read(data: bytes, options: ParseOptions, output: Output) -> None:
    from infra.impl.document_parser.picture import read_picture

    read_picture(data, options, output)


FORMATS.register("image")(
    Format(
        read=_read,
        extensions=frozenset({"jpg", "jpeg", "png", "webp", "gif", "bmp"}),
        media_types=frozenset({"image/jpeg", "image/png", "image/webp", "image/gif", "image/bmp"}),
        purposes=frozenset({Purpose.IMAGE}),
        matches=is_image,
    )
)
