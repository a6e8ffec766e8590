"""Parses documents in jailed child processes and gathers what they find."""

from functools import partial
from typing import Final

from msgspec.structs import replace

from domain.shared.error import InvalidRequest, ShuttingDown, Unavailable
from domain.shared.fair_share import RECENT_S, FairShare, ShareRefused
from domain.shared.limits import Limits
from domain.shared.share_meter import ShareFigures
from infra.contract.document_parser import (
    Block,
    DocumentMetadata,
    DocumentNotParsed,
    DocumentSource,
    ExtractedImage,
    Paragraph,
    ParsedDocument,
    ParseFailure,
    ParseOptions,
    ParseProgress,
    ParseSink,
    ParseWarning,
    Picture,
    decode_blocks,
    encode_blocks,
)
from infra.contract.ocr import OcrEngine
from infra.impl.document_parser.process import ParserCrashed, ParserProcess
from infra.impl.document_parser.protocol import Advance, Batch, Failed, ImageFound
from infra.impl.sandbox.jail import Jail

_LONGEST_WAIT_S: Final = 24 * 3600.0
"""A job is given up after a day anyway."""

_ATTEMPTS: Final = 2
"""A parser that crashes gets a second chance in a fresh process (a neighbour may have used up
the machine's memory); what fails twice is the document's fault.
"""


class ParserPool:
    """A ``DocumentParser`` that survives whatever a document does to its parser.

    A process serves one owner at a time and is replaced when another one comes, after a number of
    documents, and whenever anything goes wrong.
    """

    def __init__(
        self,
        *,
        jail: Jail,
        limits: Limits,
        ocr: OcrEngine | None = None,
        figures: ShareFigures | None = None,
    ) -> None:
        self._jail = jail
        self._limits = limits
        self._ocr = ocr
        self._places = FairShare(
            "readers of documents",
            capacity=limits.parser_workers,
            kept=limits.parser_workers // 2,
            waiting=limits.parser_queue,
            wait_s=_LONGEST_WAIT_S,
            recent_s=RECENT_S,
        )
        if figures is not None:
            figures.show("parsers", self._places)
        self._idle: list[ParserProcess] = []
        self._busy = 0
        self._is_closed = False

    async def start(self) -> None:
        """Do nothing: processes start when there is a document."""

    async def aclose(self) -> None:
        """End all idle processes; those of running calls end with their call."""
        self._is_closed = True
        while self._idle:
            await self._idle.pop().close()

    async def parse(
        self, source: DocumentSource, options: ParseOptions, sink: ParseSink, *, owner: int
    ) -> ParsedDocument:
        """Read one document. Raises ``DocumentNotParsed``, ``Unavailable``."""
        if self._is_closed:
            raise ShuttingDown("The server stops; another one reads documents.")
        is_unread = self._ocr is None and options.reads_scans
        if self._ocr is None:
            options = replace(options, image_ocr=False, scan_ocr=False)
        try:
            await self._places.acquire(owner)
        except ShareRefused as exc:
            raise Unavailable(
                "Too many documents wait to be read; try again later.",
                retry_after_s=exc.retry_after_s,
            ) from exc
        self._busy += 1
        try:
            parsed = await self._parse(source, options, sink, owner)
            if is_unread and _has_scans(parsed.metadata):
                missing = ParseWarning(code="ocr_missing")
                parsed.metadata = replace(
                    parsed.metadata, warnings=(*parsed.metadata.warnings, missing)
                )
            return parsed
        finally:
            self._busy -= 1
            self._places.release(owner)

    async def _parse(
        self, source: DocumentSource, options: ParseOptions, sink: ParseSink, owner: int
    ) -> ParsedDocument:
        for _ in range(_ATTEMPTS):
            process = await self._take(owner)
            gathering = _Gathering(sink, self._ocr, options, owner=owner)
            try:
                end = await process.parse(
                    source,
                    options,
                    gathering.add,
                    is_wanted=partial(self._places.is_wanted_by_others, owner),
                )
            except ParserCrashed:
                await process.close()
                continue
            except BaseException:
                await process.close()
                raise
            await self._give_back(process)
            if isinstance(end, Failed):
                raise DocumentNotParsed(ParseFailure(end.failure), end.message)
            return gathering.document(end.metadata)
        raise DocumentNotParsed(
            ParseFailure.PARSER_CRASHED, "The document makes its reader crash; it may be damaged."
        )

    async def _take(self, owner: int) -> ParserProcess:
        for process in self._idle:
            if process.can_serve(owner):
                self._idle.remove(process)
                return process
        while self._idle and self._busy + len(self._idle) > self._limits.parser_workers:
            await self._idle.pop(0).close()
        return await ParserProcess.spawn(self._jail, limits=self._limits, owner=owner)

    async def _give_back(self, process: ParserProcess) -> None:
        if process.can_serve(process.owner) and not self._is_closed:
            self._idle.append(process)
        else:
            await process.close()


class _Gathering:
    """What one attempt has found so far."""

    def __init__(
        self, sink: ParseSink, ocr: OcrEngine | None, options: ParseOptions, *, owner: int
    ) -> None:
        self._sink = sink
        self._ocr = ocr
        self._options = options
        self._owner = owner
        self._batches: list[bytes] = []
        self._texts: dict[str, str] = {}

    async def add(self, frame: Batch | ImageFound | Advance) -> None:
        match frame:
            case Batch():
                batch = bytes(frame.blocks)
                if self._texts:
                    blocks = decode_blocks(batch)
                    read = tuple(part for block in blocks for part in self._with_text(block))
                    batch = encode_blocks(read)
                self._batches.append(batch)
            case ImageFound():
                await self._sink.add_image(frame.image)
                if self._ocr is not None and self._is_read(frame.image):
                    text = await _read(self._ocr, frame.image, owner=self._owner)
                    self._texts[frame.image.sha256] = text
            case Advance():
                await self._sink.report(ParseProgress(done=frame.done, total=frame.total))

    def document(self, metadata: DocumentMetadata) -> ParsedDocument:
        return ParsedDocument(metadata=metadata, batches=self._batches)

    def _is_read(self, image: ExtractedImage) -> bool:
        if image.is_copy:
            return False
        return self._options.reads_images or (self._options.reads_scans and image.is_scan)

    def _with_text(self, block: Block) -> tuple[Block, ...]:
        """Give an image its text; that of a scanned page becomes the text of the page."""
        if not isinstance(block, Picture) or not (text := self._texts.get(block.sha256)):
            return (block,)
        if not block.is_scan:
            return (replace(block, ocr_text=text),)
        return (block, Paragraph(text=text, style="ocr", page=block.page))


def _has_scans(metadata: DocumentMetadata) -> bool:
    return any(warning.code == "no_text_layer" for warning in metadata.warnings)


async def _read(ocr: OcrEngine, image: ExtractedImage, *, owner: int) -> str:
    try:
        lines = await ocr.read(image.data, image.mime, owner=owner)
    except InvalidRequest:
        return ""  # An image that cannot be read has no text; the others may.
    return "\n".join(line.text for line in lines if line.text.strip())
