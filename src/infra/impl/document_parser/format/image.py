"""Images: one picture, upright; captions and text in it come from other ports."""

from msgspec.structs import replace

from infra.contract.document_parser import ParseOptions, Purpose
from infra.impl.document_parser.format import FORMATS, Format
from infra.impl.document_parser.output import Output, picture_of
from infra.impl.document_parser.picture import read_image, small_copy


def is_image(data: bytes) -> bool:
    """Whether the content starts like one of the formats that are read."""
    return (
        data.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a"))
        or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")
        or (data[:2] == b"BM" and data[6:10] == bytes(4))
    )


def read_picture(data: bytes, _: ParseOptions, output: Output) -> None:
    """Pass the image on, as PNG or JPEG, and a copy for models if it is large."""
    image = read_image(data, limits=output.limits)
    output.add_image(image)
    picture = picture_of(image)
    small = small_copy(image, limits=output.limits)
    if small is not None:
        output.add_image(small)
        picture = replace(picture, small_sha256=small.sha256, small_mime=small.mime)
    output.add(picture)
    output.advance(1, 1)


FORMATS.register("image")(
    Format(
        read=read_picture,
        extensions=frozenset({"jpg", "jpeg", "png", "webp", "gif", "bmp"}),
        purposes=frozenset({Purpose.IMAGE}),
        matches=is_image,
    )
)
