"""Main module of a jailed child: reads documents from stdin, writes what it finds to stdout."""

import signal
import struct
import sys
from collections.abc import Callable
from types import FrameType
from typing import BinaryIO, Final

from infra.contract.document.parser import DocumentNotParsed, ParseFailure
from infra.impl.document_parser.detection import parse_document
from infra.impl.document_parser.format import FORMATS
from infra.impl.document_parser.output import Output
from infra.impl.document_parser.protocol import (
    Done,
    Failed,
    Frame,
    ParseRequest,
    decode_request,
    encode,
)

_HEADER: Final = struct.Struct(">I")
_REPEAT_S: Final = 1.0
"""A library may swallow the exception of the timer; it comes again."""


def main() -> None:
    """Serve documents one after another until the input ends."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer

    def emit(frame: Frame) -> None:
        data = encode(frame)
        sink.write(_HEADER.pack(len(data)) + data)
        sink.flush()

    signal.signal(signal.SIGPROF, _page_is_over)
    for name in FORMATS.names():  # before somebody waits for it
        FORMATS.get(name)
    sink.write(_HEADER.pack(0))
    sink.flush()
    while (frame := _read_frame(source)) is not None:
        request = decode_request(frame)
        document = bytearray()
        while chunk := _read_frame(source):
            document += chunk
        emit(_serve(request, bytes(document), emit_blocks=emit))


def _serve(request: ParseRequest, data: bytes, *, emit_blocks: Callable[[Frame], None]) -> Frame:
    """Parse one document and return the frame that ends it."""

    def arm() -> None:
        signal.setitimer(signal.ITIMER_PROF, request.limits.page_cpu_s, _REPEAT_S)

    output = Output(emit=emit_blocks, limits=request.limits, on_unit=arm)
    arm()
    try:
        name = parse_document(data, request.options, output)
        return Done(metadata=output.finish(format_name=name))
    except DocumentNotParsed as exc:
        return Failed(failure=exc.failure.value, message=exc.message)
    except RecursionError:
        return Failed(failure=ParseFailure.BOMB.value, message="The file is nested too deeply.")
    # Memory that has run out ends the process: the pool reads the cause from its exit status.
    except (MemoryError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # noqa: BLE001 (whatever a library raises, panics of Rust included)
        return Failed(failure=ParseFailure.CORRUPT.value, message="The file is damaged.")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _page_is_over(_: int, __: FrameType | None) -> None:
    raise DocumentNotParsed(ParseFailure.TIMEOUT, "A part of the document takes too long to read.")


def _read_frame(source: BinaryIO) -> bytes | None:
    """Read one frame; null at the end of the input."""
    header = source.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    (length,) = _HEADER.unpack(header)
    return source.read(length)


if __name__ == "__main__":
    main()
