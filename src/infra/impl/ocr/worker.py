"""Main module of a jailed child: reads images from stdin, writes their lines to stdout.

The models are the package's own (PP-OCR, Apache-2.0); the process locks itself before the first
image, so that a defect of a decoder leads nowhere.
"""

import dataclasses
import io
import struct
import sys
from typing import Any, BinaryIO, Final

import msgspec
import numpy as np
from PIL import Image, ImageOps

from infra.contract.document.ocr import OcrLine
from infra.impl.ocr.worker_frame import Reply, Request
from infra.impl.sandbox.entry import leave_unlocked
from infra.impl.sandbox.kernel import LockFailed
from infra.impl.sandbox.lockdown import LockSettings, lock

_HEADER: Final = struct.Struct(">I")
_LONGEST_SIDE: Final = 4096
_DETECTED_SIDE: Final = 736
"""The detector enlarges what has a shorter side than this (``Det.limit_side_len`` of rapidocr)."""
_MIN_CONFIDENCE: Final = 0.5
"""Below it, marks and textures are taken for letters."""


def main() -> None:
    """Load the models, lock, then serve images until the input ends."""
    address_space, settings = sys.argv[1:]
    engine = _load()
    try:
        lock(
            dataclasses.replace(
                LockSettings.from_text(settings), address_space_bytes=int(address_space)
            )
        )
    except LockFailed as exc:
        leave_unlocked(exc)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while (frame := _read_frame(source)) is not None:
        data = msgspec.msgpack.encode(_serve(engine, msgspec.msgpack.decode(frame, type=Request)))
        sink.write(_HEADER.pack(len(data)) + data)
        sink.flush()


def _load() -> Any:
    import cv2  # noqa: PLC0415 - native code starts its threads when it is imported
    from rapidocr import RapidOCR  # noqa: PLC0415

    cv2.setNumThreads(1)
    engine = RapidOCR(
        params={
            "Global.log_level": "critical",
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
    engine(np.full((64, 64, 3), 255, dtype=np.uint8))  # whatever it loads later, it loads now
    return engine


def _serve(engine: Any, request: Request) -> Reply:
    try:
        with Image.open(io.BytesIO(request.image)) as image:
            if image.width * image.height > request.pixels:
                return Reply(refused="The image has too many pixels.")
            upright = ImageOps.exif_transpose(image).convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return Reply(refused="The image is damaged.")
    scale = max(upright.size) / _LONGEST_SIDE
    if scale > 1:
        upright.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
    result = engine(np.asarray(_widened(upright))[:, :, ::-1])
    if result.txts is None:
        return Reply()
    found = zip(result.boxes, result.txts, result.scores, strict=True)
    return Reply(
        lines=tuple(
            OcrLine(text=text, bbox=_bounds(box, max(scale, 1.0)), confidence=float(score))
            for box, text, score in found
            if score >= _MIN_CONFIDENCE
        )
    )


def _widened(picture: Image.Image) -> Image.Image:
    """Give a narrow picture a margin, on the right or below.

    Enlarged until its shorter side is long enough, a strip of a single line would become hundreds
    of times as large.
    """
    side = min(max(picture.size), _DETECTED_SIDE)
    if min(picture.size) >= side:
        return picture
    size = (max(picture.width, side), max(picture.height, side))
    page = Image.new("RGB", size, picture.getpixel((0, 0)))
    page.paste(picture)
    return page


def _bounds(corners: Any, scale: float) -> tuple[float, float, float, float]:
    """Return the upright box around a quadrilateral, in pixels of the original."""
    left, top = corners.min(axis=0) * scale
    right, bottom = corners.max(axis=0) * scale
    return float(left), float(top), float(right), float(bottom)


def _read_frame(source: BinaryIO) -> bytes | None:
    header = source.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    (length,) = _HEADER.unpack(header)
    return source.read(length)


if __name__ == "__main__":
    main()
