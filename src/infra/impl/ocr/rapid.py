"""Text in images by PP-OCR models on this machine; needs the extra ``ocr``."""

import asyncio
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Final

import msgspec

from domain.shared.capacity.fair_share import FairShare, ShareRefused
from domain.shared.capacity.share_meter import ShareFigures
from domain.shared.error import InvalidRequest, Unavailable
from domain.shared.limits import Limits
from infra.contract.document.ocr import OcrLine
from infra.impl.ocr.worker_frame import Reply, Request
from infra.impl.sandbox.jail import Jail, JailBroken, JailedProcess, JailLimits

_MODULE: Final = "infra.impl.ocr.worker"
_PACKAGES: Final = ("rapidocr", "onnxruntime", "cv2")
_MAX_IMAGES: Final = 200
"""A process is replaced after so many, whatever its libraries may have leaked."""


def is_installed() -> bool:
    """Tell whether the extra ``ocr`` is there, without importing it."""
    return all(find_spec(name) is not None for name in _PACKAGES)


class RapidOcr:
    """An ``OcrEngine`` in one jailed process that starts with the first image and goes when idle.

    A process serves one owner: what an image does to it reaches nobody else's images.
    """

    def __init__(self, *, jail: Jail, limits: Limits, figures: ShareFigures | None = None) -> None:
        self._jail = jail
        self._limits = limits
        self._turn = FairShare(
            "the reader of images",
            capacity=1,
            waiting=limits.parser_queue,
            wait_s=limits.document_wall_max_s,
        )
        if figures is not None:
            figures.show("ocr", self._turn)
        self._process: JailedProcess | None = None
        self._owner = 0
        self._served = 0
        self._is_closed = False
        self._idle: asyncio.TimerHandle | None = None

    async def start(self) -> None:
        """Do nothing: the process starts when there is an image."""

    async def aclose(self) -> None:
        """End the process; a call under way fails."""
        self._is_closed = True
        await self._stop()

    async def read(self, image: bytes, mime: str, *, owner: int) -> list[OcrLine]:
        if len(image) > self._limits.image_bytes:
            raise InvalidRequest("The image is too large to be read.")
        if self._is_closed:
            raise Unavailable("The server stops; try again.")
        try:
            await self._turn.acquire(owner)
        except ShareRefused as exc:
            raise Unavailable(
                "Too many images wait to be read; try again later.",
                retry_after_s=exc.retry_after_s,
            ) from exc
        try:
            return await self._read(image, owner)
        finally:
            self._turn.release(owner)

    async def _read(self, image: bytes, owner: int) -> list[OcrLine]:
        process = await self._take(owner)
        request = Request(image=image, pixels=self._limits.image_pixels)
        try:
            async with asyncio.timeout(self._limits.ocr_image_s):
                await process.send_frame(msgspec.msgpack.encode(request))
                data = await process.receive_frame(limit_bytes=self._limits.document_text_bytes)
        except TimeoutError as exc:
            await self._stop()
            raise InvalidRequest("The image takes too long to read.") from exc
        except JailBroken as exc:
            await self._stop()
            raise Unavailable("Reading the image failed; try again.") from exc
        except BaseException:
            await self._stop()
            raise
        if data is None:
            await self._stop()
            raise Unavailable("Reading the image failed; try again.")
        self._served += 1
        self._rest()
        reply = msgspec.msgpack.decode(data, type=Reply)
        if reply.refused:
            raise InvalidRequest(reply.refused)
        return in_reading_order(reply.lines)

    async def _take(self, owner: int) -> JailedProcess:
        if self._idle is not None:
            self._idle.cancel()
        known = self._process
        if known is not None:
            if known.is_running and owner == self._owner and self._served < _MAX_IMAGES:
                return known
            await self._stop()
        limits = self._limits
        process = await self._jail.spawn(
            _MODULE,
            [str(limits.parser_memory_bytes)],
            limits=JailLimits(
                address_space_bytes=limits.parser_memory_bytes,
                cpu_s=int(limits.document_wall_max_s),
                wall_s=limits.document_wall_max_s,
                output_bytes=limits.document_output_bytes,
                open_files=64,
            ),
            locks_itself=True,
        )
        self._process, self._owner, self._served = process, owner, 0
        return process

    def _rest(self) -> None:
        """Let the process go, with its memory, unless another image comes soon."""
        if self._process is not None:
            loop = asyncio.get_running_loop()
            self._idle = loop.call_later(self._limits.ocr_idle_s, self._process.kill)

    async def _stop(self) -> None:
        process, self._process = self._process, None
        if self._idle is not None:
            self._idle.cancel()
        if process is not None:
            process.kill()
            await process.wait()


def in_reading_order(lines: Iterable[OcrLine]) -> list[OcrLine]:
    """Order by rows from the top, and from the left within a row: labels before their values."""
    rows: list[list[OcrLine]] = []
    for line in sorted(lines, key=lambda each: each.bbox[1]):
        middle = (line.bbox[1] + line.bbox[3]) / 2
        if rows and middle < rows[-1][0].bbox[3]:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda each: each.bbox[0])]
