"""Pool of jailed child processes that parse documents, and what it gathers of them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, AsyncExitStack, aclosing, nullcontext, suppress
from functools import partial
from typing import Final, Self

import msgspec
from msgspec.structs import replace

from domain.shared.capacity.fair_share import OF_THE_DEPLOYMENT, RECENT_S, FairShare, ShareRefused
from domain.shared.capacity.processor import ProcessorShare
from domain.shared.capacity.share_meter import ShareFigures
from domain.shared.error import InvalidRequest, ShuttingDown, Unavailable
from domain.shared.limits import Limits
from infra.contract.document.ocr import OcrEngine
from infra.contract.document.parser import (
    OCR,
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
from infra.impl.document_parser.protocol import (
    CHUNK_BYTES,
    FRAME_OVERHEAD_BYTES,
    Advance,
    Batch,
    Done,
    Failed,
    Frame,
    ImageFound,
    ParseLimits,
    ParseRequest,
    decode,
    encode,
)
from infra.impl.sandbox.jail import (
    Ending,
    Jail,
    JailBroken,
    JailedProcess,
    JailLimits,
    OutputTooLarge,
    is_oversubscribed,
)

_logger: Final = logging.getLogger(__name__)
_LONGEST_WAIT_S: Final = 24 * 3600.0
"""A job is given up after a day anyway."""

_ATTEMPTS: Final = 2
"""A parser that crashes gets a second chance in a fresh process (a neighbour may have used up
the machine's memory); what fails twice is the document's fault.
"""
_MODULE: Final = "infra.impl.document_parser.worker"
_PAUSE_S: Final = 0.1
"""After an owner's first document was read, before a process is started for the next owner: that
would take the processor from what still has to be done for the first one."""
_LONGEST_PAUSE_S: Final = 1.0
"""However long it is read, and however many first documents come one after the other."""
_STAYS_BEHIND_S: Final = 5.0
"""From one document of a flood to the next its words and embeddings wait for others."""
_FAILURES: Final = {
    Ending.OUT_OF_MEMORY: (ParseFailure.OUT_OF_MEMORY, "The document needs too much memory."),
    Ending.TIMEOUT: (ParseFailure.TIMEOUT, "The document takes too long to read."),
    Ending.OUTPUT_TOO_LARGE: (ParseFailure.TOO_LARGE, "The document holds too much."),
}

# Last words of libraries in Rust and C++ that abort instead of raising ``MemoryError``.
_OUT_OF_MEMORY_SIGNS: Final = ("memory allocation of", "std::bad_alloc", "Out of memory")

Found = Batch | ImageFound | Advance
OnFound = Callable[[Found], Awaitable[None]]


class ParserCrashed(Exception):
    """The process ended without a word, or does not keep to the protocol."""


class ParserProcess:
    """Serves documents of one owner, one at a time: of the first for whom it is taken."""

    def __init__(self, process: JailedProcess, *, limits: Limits) -> None:
        self.owner: int | None = None
        self._process = process
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._born = self._used_at = self._loop.time()
        self._is_loaded = False
        self._files = 0
        self._pages = 0
        self._received = 0

    @classmethod
    async def spawn(cls, jail: Jail, *, limits: Limits) -> Self:
        """Start a process that may live for two of the longest documents."""
        lifetime_s = 2 * limits.document_wall_max_s
        process = await jail.spawn(
            _MODULE,
            limits=JailLimits(
                address_space_bytes=limits.parser_memory_bytes,
                cpu_s=int(lifetime_s),
                wall_s=lifetime_s,
                output_bytes=limits.document_output_bytes * limits.parser_files,
            ),
        )
        return cls(process, limits=limits)

    @property
    def is_new(self) -> bool:
        """Whether it is ready for any owner."""
        return self.owner is None and self.can_serve(OF_THE_DEPLOYMENT)

    @property
    def has_read_one(self) -> bool:
        return self._files == 1

    def can_serve(self, owner: int) -> bool:
        """Whether the process lives, is of nobody else and will not end within a document.

        One that went behind others cannot come back. It serves what follows soon, as in a flood;
        a short text that comes later would be as slow there.
        """
        now = self._loop.time()
        return (
            self.owner in {None, owner}
            and self._process.is_running
            and self._files < self._limits.parser_files
            and now - self._born < self._limits.document_wall_max_s
            and not (self._process.has_yielded and now - self._used_at > _STAYS_BEHIND_S)
        )

    async def close(self) -> None:
        """Kill the process and collect what is left of it."""
        self._process.kill()
        await self._process.wait()

    async def parse(
        self,
        source: DocumentSource,
        options: ParseOptions,
        on_found: OnFound,
        *,
        loading: Callable[[], AbstractContextManager[None]] = nullcontext,
        is_wanted: Callable[[], bool] = lambda: False,
    ) -> Done | Failed:
        """Send a document and pass on what is found in it.

        Unless this returns, the process must be closed. What still has to be loaded is, inside
        ``loading``. ``is_wanted`` tells whether others have
        documents to be read.

        Raises:
            DocumentNotParsed: it exceeds time, memory or size.
            ParserCrashed: the process ended for no known reason.
            Unavailable: the process cannot be locked on this machine.
        """
        self._files += 1
        self._received = self._pages = 0
        try:
            # A process that loads does nothing yet for which it should go behind others, least of
            # all for good: beside a flood the reader of a short text would be as slow as those.
            with loading():
                await self._load()
            with self._process.yielding(is_wanted):
                await self._send(source, options)
                return await self._receive(on_found)
        except OutputTooLarge as exc:
            raise _failure(Ending.OUTPUT_TOO_LARGE) from exc
        except TimeoutError as exc:
            raise _failure(Ending.TIMEOUT) from exc
        except JailBroken as exc:
            await self._explain()
            raise ParserCrashed("The parser ended early.") from exc
        finally:
            self._used_at = self._loop.time()

    async def _load(self) -> None:
        if not self._is_loaded:
            async with asyncio.timeout(self._limits.document_stall_s):
                if await self._process.receive_frame(limit_bytes=0) is None:
                    raise JailBroken("The parser did not start.")
            self._is_loaded = True

    async def _send(self, source: DocumentSource, options: ParseOptions) -> None:
        request = ParseRequest(options=options, limits=parse_limits(self._limits))
        await self._send_frame(encode(request))
        size = 0
        async with aclosing(source()) as chunks:
            async for chunk in chunks:
                size += len(chunk)
                if size > self._limits.document_bytes:
                    raise DocumentNotParsed(
                        ParseFailure.TOO_LARGE,
                        f"The file has more than {self._limits.document_bytes} bytes.",
                    )
                for begin in range(0, len(chunk), CHUNK_BYTES):
                    await self._send_frame(chunk[begin : begin + CHUNK_BYTES])
        await self._send_frame(b"")

    async def _send_frame(self, data: bytes) -> None:
        async with asyncio.timeout(self._limits.document_stall_s):
            await self._process.send_frame(data)

    async def _receive(self, on_found: OnFound) -> Done | Failed:
        largest = max(self._limits.image_bytes, 2 * self._limits.document_text_bytes)
        used_s = 0.0
        while True:
            begin = self._loop.time()
            left_s = self._wall_s() - used_s
            async with asyncio.timeout(max(0.0, min(left_s, self._limits.document_stall_s))):
                data = await self._process.receive_frame(limit_bytes=largest + FRAME_OVERHEAD_BYTES)
            # Only the parser's own time counts, not that of storing and reading images.
            used_s += self._loop.time() - begin
            if data is None:
                raise JailBroken("The output ended.")
            self._received += len(data)
            if self._received > self._limits.document_output_bytes:
                raise OutputTooLarge("The parser sent more than its limit.")
            frame = _decode(data)
            if isinstance(frame, Done | Failed):
                return frame
            if isinstance(frame, Advance):
                self._pages = min(max(frame.total, 0), self._limits.document_pages)
            await on_found(frame)

    def _wall_s(self) -> float:
        """Time for the document; its pages are known when the first frame has come."""
        more_s = self._pages * self._limits.document_page_wall_s
        return min(self._limits.document_wall_s + more_s, self._limits.document_wall_max_s)

    async def _explain(self) -> None:
        """Raise what the end of the process means; return if it means nothing."""
        self._process.kill()
        ended = await self._process.wait()
        if ended.ending is Ending.NOT_LOCKED:
            raise Unavailable("Documents cannot be read safely on this machine.")
        if any(sign in ended.diagnostics for sign in _OUT_OF_MEMORY_SIGNS):
            raise _failure(Ending.OUT_OF_MEMORY)
        if ended.ending in _FAILURES:
            raise _failure(ended.ending)
        # What a parser writes may quote the document; the last line begins with the kind of error.
        kind = ended.diagnostics.strip().rpartition("\n")[2].partition(":")[0][:80]
        _logger.warning("A reader of documents ended with status %d: %s", ended.status, kind)


def parse_limits(limits: Limits) -> ParseLimits:
    """Pick what the parsers need to know."""
    return ParseLimits(
        document_bytes=limits.document_bytes,
        text_bytes=limits.document_text_bytes,
        pages=limits.document_pages,
        page_cpu_s=limits.document_page_cpu_s,
        page_glyphs=limits.document_page_glyphs,
        table_rows=limits.document_rows,
        table_columns=limits.document_columns,
        field_bytes=limits.document_field_bytes,
        nesting=limits.document_nesting,
        image_bytes=limits.image_bytes,
        image_pixels=limits.image_pixels,
        image_side=limits.image_side,
        archive_members=limits.archive_members,
        archive_bytes=limits.archive_bytes,
        archive_member_bytes=limits.archive_member_bytes,
        archive_ratio=limits.archive_ratio,
    )


def _decode(data: bytes) -> Frame:
    try:
        frame = decode(data)
        # Read here already: a parser that a document has taken over may send anything.
        if isinstance(frame, Batch):
            decode_blocks(frame.blocks)
        elif isinstance(frame, Failed):
            ParseFailure(frame.failure)
    except (msgspec.DecodeError, ValueError) as exc:
        raise ParserCrashed("The parser sent something else than frames.") from exc
    return frame


def _failure(ending: Ending) -> DocumentNotParsed:
    return DocumentNotParsed(*_FAILURES[ending])


class ParserPool:
    """A ``DocumentParser`` that survives whatever a document does to its parser.

    A process serves one owner and is replaced when another one comes, after a number of documents,
    and whenever anything goes wrong. Once there was a document, one more is ready for whoever comes
    next: to start it takes longer than to read most documents.
    """

    def __init__(
        self,
        *,
        jail: Jail,
        limits: Limits,
        processor: ProcessorShare | None = None,
        ocr: OcrEngine | None = None,
        figures: ShareFigures | None = None,
    ) -> None:
        self._processor = processor or ProcessorShare()
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
        self._next_wanted = asyncio.Event()
        self._next_at = 0.0
        """Not sooner, by the clock of the event loop."""
        self._came_last: int | None = None
        """Of whom the last process is that was taken new."""
        self._preparation = asyncio.Lock()
        self._stack = AsyncExitStack()
        self._closing = asyncio.Event()

    async def start(self) -> None:
        """Be ready; processes start when there is a document."""
        group = await self._stack.enter_async_context(asyncio.TaskGroup())
        group.create_task(self._keep_ready(), name="next reader of documents")

    async def aclose(self) -> None:
        """End all idle processes; those of running calls end with their call."""
        self._closing.set()
        self._next_wanted.set()
        await self._stack.aclose()
        while self._idle:
            await self._idle.pop().close()

    async def parse(
        self, source: DocumentSource, options: ParseOptions, sink: ParseSink, *, owner: int
    ) -> ParsedDocument:
        """Read one document. Raises ``DocumentNotParsed``, ``Unavailable``."""
        if self._closing.is_set():
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
            absence: Callable[[], AbstractContextManager[None]] = nullcontext
            if is_oversubscribed():
                absence = partial(self._processor.absence, owner)
            with absence():
                process = await self._take(owner)
            gathering = _Gathering(sink, self._ocr, options, owner=owner)
            try:
                end = await process.parse(
                    source,
                    options,
                    gathering.add,
                    loading=absence,
                    is_wanted=partial(self._places.is_wanted_by_others, owner),
                )
            except ParserCrashed:
                await process.close()
                continue
            except BaseException:
                await process.close()
                raise
            await self._give_back(process, owner)
            if isinstance(end, Failed):
                raise DocumentNotParsed(ParseFailure(end.failure), end.message)
            return gathering.document(end.metadata)
        raise DocumentNotParsed(
            ParseFailure.PARSER_CRASHED, "The document makes its reader crash; it may be damaged."
        )

    async def _take(self, owner: int) -> ParserProcess:
        process = self._fit(owner)
        if process is None and self._preparation.locked():
            # One that starts already is ready sooner than one more, and counts among the idle.
            async with self._preparation:
                process = self._fit(owner)
        if process is None:
            while self._idle and self._busy + len(self._idle) > self._limits.parser_workers:
                await self._idle.pop(0).close()
            process = await ParserProcess.spawn(self._jail, limits=self._limits)
        if process.owner is None:
            process.owner = self._came_last = owner
            self._want_next_in(_LONGEST_PAUSE_S)
        return process

    def _fit(self, owner: int) -> ParserProcess | None:
        """Take an idle process that may serve this owner, his own before a new one."""
        fit = [process for process in self._idle if process.can_serve(owner)]
        if not fit:
            return None
        process = next((each for each in fit if each.owner == owner), fit[0])
        self._idle.remove(process)
        return process

    async def _give_back(self, process: ParserProcess, owner: int) -> None:
        if self._closing.is_set() or not process.can_serve(owner):
            await process.close()
            return
        self._idle.append(process)
        if process.has_read_one:
            self._want_next_in(_PAUSE_S)
        self._next_wanted.set()  # there may have been no room before

    def _want_next_in(self, seconds: float) -> None:
        self._next_at = asyncio.get_running_loop().time() + seconds
        self._next_wanted.set()

    async def _keep_ready(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._next_wanted.wait()
            self._next_wanted.clear()
            # It may be put off or due sooner meanwhile: documents of a flood end all the time, and
            # none is started because of them while the first one of somebody else is being read.
            latest = loop.time() + _LONGEST_PAUSE_S
            while not self._closing.is_set() and loop.time() < (due := min(self._next_at, latest)):
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(due):
                        await self._next_wanted.wait()
                self._next_wanted.clear()
            if self._closing.is_set():
                return
            with suppress(OSError):  # whoever comes next tries again, and says so
                async with self._preparation:
                    await self._prepare()

    async def _prepare(self) -> None:
        """Start a process for whoever comes next; only that of who came last does not make room.

        It is likely to be wanted again; any other is of use to one owner, and a new one to all.
        """
        if any(process.is_new for process in self._idle):
            return
        while self._busy + len(self._idle) >= self._limits.parser_workers:
            others = (each for each in self._idle if each.owner != self._came_last)
            if (oldest := next(others, None)) is None:
                return
            self._idle.remove(oldest)
            await oldest.close()
        self._idle.append(await ParserProcess.spawn(self._jail, limits=self._limits))


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
        return (block, Paragraph(text=text, style=OCR, page=block.page))


def _has_scans(metadata: DocumentMetadata) -> bool:
    return any(warning.code == "no_text_layer" for warning in metadata.warnings)


async def _read(ocr: OcrEngine, image: ExtractedImage, *, owner: int) -> str:
    try:
        lines = await ocr.read(image.data, image.mime, owner=owner)
    except InvalidRequest:
        return ""  # An image that cannot be read has no text; the others may.
    return "\n".join(line.text for line in lines if line.text.strip())
