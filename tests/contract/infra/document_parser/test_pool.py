"""What the pool promises about its processes."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncGenerator, Callable
from functools import partial
from io import BytesIO
from typing import Any

import psutil
import pytest
from PIL import Image

from domain.shared.error import ShuttingDown, Unavailable
from domain.shared.limits import Limits
from infra.contract.document.parser import (
    DocumentNotParsed,
    ExtractedImage,
    ParseFailure,
    ParseOptions,
    ParseProgress,
    Picture,
    Purpose,
)
from infra.impl.document_parser.pool import ParserPool
from infra.impl.sandbox.jail import Jail, JailedProcess
from tests.support.document.pool import CollectingSink, parse, source_of
from tests.support.document.reading import DOCUMENTS, plain_text

TEXT = ParseOptions(extension="txt")


def open_pool(**limits: float) -> ParserPool:
    values = {"parser_workers": 1, **limits}
    return ParserPool(jail=Jail(), limits=Limits(**values))  # type: ignore[arg-type]


def children() -> list[int]:
    return [child.pid for child in psutil.Process().children()]


async def until(is_so: Callable[[], bool]) -> None:
    def wait() -> None:
        deadline = time.monotonic() + 60
        while not is_so():
            assert time.monotonic() < deadline
            time.sleep(0.01)

    await asyncio.to_thread(wait)


@pytest.fixture
async def pool() -> AsyncGenerator[ParserPool, None]:
    pool = open_pool()
    yield pool
    await pool.aclose()
    assert children() == []


async def text_of(pool: ParserPool, data: bytes, *, owner: int = 1) -> str:
    _, blocks = await parse(pool, data, TEXT, owner=owner)
    return plain_text(blocks)


async def test_one_process_reads_many_documents_of_one_owner(pool: ParserPool) -> None:
    assert await text_of(pool, b"one") == "one"
    first = children()
    assert await text_of(pool, b"two") == "two"

    assert children() == first


async def test_documents_of_two_owners_never_meet_in_one_process(pool: ParserPool) -> None:
    await text_of(pool, b"one", owner=1)
    first = children()
    await text_of(pool, b"two", owner=2)

    assert len(children()) == 1
    assert set(children()).isdisjoint(first)


async def test_a_process_is_ready_for_the_next_owner_before_he_comes() -> None:
    pool = open_pool(parser_workers=2)
    await pool.start()
    await text_of(pool, b"one", owner=1)
    await until(lambda: len(children()) == 2)
    ready = set(children())
    await text_of(pool, b"two", owner=2)
    await until(lambda: len(children()) == 2 and set(children()) != ready)
    later = set(children())
    assert await text_of(pool, b"three", owner=2) == "three"
    await pool.aclose()

    assert len(ready & later) == 1  # it was ready and served both; that of the first made room
    assert children() == []


class LateJail(Jail):
    """Holds processes back for a while that have started."""

    async def spawn(self, *arguments: Any, **options: Any) -> JailedProcess:
        process = await super().spawn(*arguments, **options)
        await asyncio.sleep(0.5)
        return process


async def test_a_process_that_is_being_prepared_serves_whoever_comes_meanwhile() -> None:
    pool = ParserPool(jail=LateJail(), limits=Limits(parser_workers=2))
    await pool.start()
    await text_of(pool, b"one", owner=1)
    await until(lambda: len(children()) == 2)
    prepared = set(children())
    await text_of(pool, b"two", owner=2)

    assert set(children()) == prepared
    await pool.aclose()


class ClockedJail(Jail):
    """Notes when processes are started."""

    def __init__(self) -> None:
        super().__init__()
        self.started_at: list[float] = []

    async def spawn(self, *arguments: Any, **options: Any) -> JailedProcess:
        self.started_at.append(asyncio.get_running_loop().time())
        return await super().spawn(*arguments, **options)


async def test_none_is_started_while_an_owners_first_text_is_read_whatever_else_ends() -> None:
    jail = ClockedJail()
    pool = ParserPool(jail=jail, limits=Limits(parser_workers=4))
    loop = asyncio.get_running_loop()
    await pool.start()
    await text_of(pool, b"one", owner=1)
    await until(lambda: len(jail.started_at) == 2)
    await text_of(pool, b"more", owner=1)
    await asyncio.sleep(0.15)
    took_at = loop.time()
    await text_of(pool, b"two", owner=2)
    await until(lambda: len(jail.started_at) == 3)
    await pool.aclose()

    assert jail.started_at[2] - took_at >= 0.1


async def test_while_one_owner_reads_for_long_that_of_another_makes_room_for_the_next() -> None:
    pool, may_end = open_pool(parser_workers=2), asyncio.Event()

    async def chunks() -> AsyncGenerator[bytes, None]:
        await may_end.wait()
        yield b"two"

    await pool.start()
    try:
        await text_of(pool, b"one", owner=1)
        await until(lambda: len(children()) == 2)
        before = set(children())
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(pool.parse(chunks, TEXT, CollectingSink(), owner=2))
            await until(lambda: bool(set(children()) - before))
            may_end.set()
    finally:
        await pool.aclose()


class SlowJail(Jail):
    """Stops a process before it is loaded, for as long as documents that take long may stay."""

    async def spawn(self, *arguments: Any, **options: Any) -> JailedProcess:
        process = await super().spawn(*arguments, **options)
        await until(lambda: os.getpgid(process.pid) == process.pid)  # what goes behind is the group
        os.kill(process.pid, signal.SIGSTOP)
        asyncio.get_running_loop().call_later(2.3, os.kill, process.pid, signal.SIGCONT)
        return process


async def test_a_process_that_loads_slowly_does_not_go_behind_others_for_it() -> None:
    pool = ParserPool(jail=SlowJail(), limits=Limits(parser_workers=1))
    try:
        assert await text_of(pool, b"short") == "short"
        (process,) = children()
        assert os.getpriority(os.PRIO_PROCESS, process) - os.getpriority(os.PRIO_PROCESS, 0) == 5
    finally:
        await pool.aclose()


def late(*, by_s: float) -> partial[AsyncGenerator[bytes, None]]:
    """A document that comes so late that its process goes behind others."""

    async def chunks() -> AsyncGenerator[bytes, None]:
        await asyncio.sleep(by_s)
        yield b"late"

    return partial(chunks)


async def test_short_texts_after_a_long_one_are_read_before_others_again() -> None:
    pool = open_pool(parser_workers=2)
    try:
        await pool.parse(late(by_s=2.3), TEXT, CollectingSink(), owner=1)
        (behind,) = children()
        await text_of(pool, b"at once")
        assert children() == [behind]
        assert os.getpriority(os.PRIO_PROCESS, behind) - os.getpriority(os.PRIO_PROCESS, 0) > 5

        await asyncio.sleep(5.1)  # so long it is kept for what follows, as in a flood
        assert await text_of(pool, b"short") == "short"
        (process,) = set(children()) - {behind}
        assert os.getpriority(os.PRIO_PROCESS, process) - os.getpriority(os.PRIO_PROCESS, 0) == 5
    finally:
        await pool.aclose()


async def test_a_process_that_is_being_prepared_ends_with_the_pool() -> None:
    pool = open_pool(parser_workers=2)
    await pool.start()
    await text_of(pool, b"one")
    await pool.aclose()

    assert children() == []


async def test_a_process_is_replaced_after_its_share_of_documents() -> None:
    pool = open_pool(parser_files=2)
    alive = []
    for _ in range(4):
        await text_of(pool, b"text")
        alive.append(len(children()))
    await pool.aclose()

    assert alive == [1, 0, 1, 0]


async def test_a_bad_document_does_not_cost_the_process(pool: ParserPool) -> None:
    await text_of(pool, b"one")
    first = children()
    with pytest.raises(DocumentNotParsed) as caught:
        await parse(pool, b"\x00" * 2000 + b"x", TEXT)

    assert caught.value.failure is ParseFailure.UNSUPPORTED
    assert children() == first


async def test_a_cancelled_call_leaves_no_process(pool: ParserPool) -> None:
    started = asyncio.Event()

    async def endless() -> AsyncGenerator[bytes, None]:
        yield b"begin"
        started.set()
        await asyncio.Event().wait()

    task = asyncio.ensure_future(pool.parse(endless, TEXT, CollectingSink(), owner=1))
    await started.wait()
    assert len(children()) == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert children() == []
    assert await text_of(pool, b"next") == "next"


async def test_a_crash_is_tried_once_more_in_a_fresh_process(pool: ParserPool) -> None:
    attempts = 0

    async def chunks() -> AsyncGenerator[bytes, None]:
        nonlocal attempts
        attempts += 1
        if attempts == 1:
            os.kill(children()[0], signal.SIGSEGV)
        yield b"survived"

    document = await pool.parse(chunks, TEXT, CollectingSink(), owner=1)

    assert plain_text(list(document.blocks())) == "survived"
    assert attempts == 2


async def test_a_document_that_always_crashes_its_parser_fails(pool: ParserPool) -> None:
    async def chunks() -> AsyncGenerator[bytes, None]:
        os.kill(children()[0], signal.SIGSEGV)
        yield b"never"

    with pytest.raises(DocumentNotParsed) as caught:
        await pool.parse(chunks, TEXT, CollectingSink(), owner=1)

    assert caught.value.failure is ParseFailure.PARSER_CRASHED
    assert children() == []


async def test_an_error_of_the_source_is_passed_on(pool: ParserPool) -> None:
    async def chunks() -> AsyncGenerator[bytes, None]:
        yield b"begin"
        raise Unavailable("The store is gone.")

    with pytest.raises(Unavailable, match="The store is gone"):
        await pool.parse(chunks, TEXT, CollectingSink(), owner=1)

    assert children() == []


async def test_an_error_of_the_sink_is_passed_on(pool: ParserPool) -> None:
    class FullSink:
        async def add_image(self, image: ExtractedImage) -> None:
            raise Unavailable("No room.")

        async def report(self, progress: ParseProgress) -> None:
            pass

    data = (DOCUMENTS / "having-images.docx").read_bytes()
    with pytest.raises(Unavailable, match="No room"):
        await pool.parse(source_of(data), ParseOptions(extension="docx"), FullSink(), owner=1)

    assert children() == []


async def test_a_file_beyond_the_limit_is_refused_while_it_is_sent() -> None:
    pool = open_pool(document_bytes=1000)
    with pytest.raises(DocumentNotParsed) as caught:
        await text_of(pool, b"x" * 1001)

    assert caught.value.failure is ParseFailure.TOO_LARGE
    assert children() == []


async def test_a_parser_out_of_time_is_killed() -> None:
    pool = open_pool(document_wall_s=0.0)
    with pytest.raises(DocumentNotParsed) as caught:
        await text_of(pool, b"text")

    assert caught.value.failure is ParseFailure.TIMEOUT
    assert children() == []


async def test_a_parser_out_of_memory_ends_with_the_cause() -> None:
    pool = open_pool(parser_memory_bytes=96 * 1024 * 1024)
    with pytest.raises(DocumentNotParsed) as caught:
        await text_of(pool, b"x" * 60_000_000)

    assert caught.value.failure is ParseFailure.OUT_OF_MEMORY
    assert children() == []


async def test_more_output_than_allowed_ends_the_parser() -> None:
    pool = open_pool(document_output_bytes=10_000)
    with pytest.raises(DocumentNotParsed) as caught:
        await text_of(pool, b"some words\n\n" * 20_000)

    assert caught.value.failure is ParseFailure.TOO_LARGE
    assert children() == []


def held(until: asyncio.Event) -> partial[AsyncGenerator[bytes, None]]:
    """A document that comes slowly."""

    async def chunks() -> AsyncGenerator[bytes, None]:
        await until.wait()
        yield b"late"

    return partial(chunks)


async def test_too_many_waiting_documents_are_turned_away() -> None:
    pool = open_pool(parser_queue=0)
    go = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        group.create_task(pool.parse(held(go), TEXT, CollectingSink(), owner=1))
        await asyncio.sleep(0)
        with pytest.raises(Unavailable):
            await text_of(pool, b"text")
        go.set()
    await pool.aclose()


async def test_documents_of_one_workspace_leave_a_reader_to_others() -> None:
    pool = open_pool(parser_workers=3)
    go = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for _ in range(5):
            group.create_task(pool.parse(held(go), TEXT, CollectingSink(), owner=1))
        await asyncio.sleep(0)

        assert await text_of(pool, b"at once", owner=2) == "at once"

        go.set()
    await pool.aclose()


async def test_two_documents_are_read_at_the_same_time() -> None:
    pool = open_pool(parser_workers=2)
    both = asyncio.Barrier(2)

    def source(text: bytes) -> AsyncGenerator[bytes, None]:
        async def chunks() -> AsyncGenerator[bytes, None]:
            async with asyncio.timeout(60):
                await both.wait()
            yield text

        return chunks()

    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(pool.parse(partial(source, text), TEXT, CollectingSink(), owner=n))
            for n, text in enumerate((b"one", b"two"))
        ]
    await pool.aclose()

    assert [plain_text(list(t.result().blocks())) for t in tasks] == ["one", "two"]


async def test_progress_counts_pages(pool: ParserPool) -> None:
    sink = CollectingSink()
    data = (DOCUMENTS / "zh-duplicate-chars.pdf").read_bytes()
    await parse(pool, data, ParseOptions(extension="pdf"), sink=sink)

    assert [(p.done, p.total) for p in sink.progress][-2:] == [(1, 2), (2, 2)]


async def test_a_document_survives_storage(pool: ParserPool) -> None:
    data = (DOCUMENTS / "paper.docx").read_bytes()
    document, blocks = await parse(pool, data, ParseOptions(extension="docx"))

    restored = type(document).from_bytes(document.to_bytes())

    assert list(restored.blocks()) == blocks == list(document.blocks())
    assert restored.metadata == document.metadata


async def test_a_closed_pool_keeps_no_process_of_a_running_call() -> None:
    pool = open_pool()

    async def chunks() -> AsyncGenerator[bytes, None]:
        await pool.aclose()
        yield b"last words"

    document = await pool.parse(chunks, TEXT, CollectingSink(), owner=1)

    assert plain_text(list(document.blocks())) == "last words"
    assert children() == []
    with pytest.raises(ShuttingDown):
        await text_of(pool, b"text")


@pytest.mark.parametrize(
    ("kind", "mode", "mime"), [("JPEG", "RGB", "image/jpeg"), ("PNG", "RGBA", "image/png")]
)
async def test_models_get_a_smaller_copy_of_a_large_image(
    pool: ParserPool, kind: str, mode: str, mime: str
) -> None:
    data = BytesIO()
    Image.new(mode, (6000, 3000)).save(data, kind)
    sink = CollectingSink()
    options = ParseOptions(extension="png", purpose=Purpose.IMAGE)

    _, (picture,) = await parse(pool, data.getvalue(), options, sink=sink)

    whole, small = sink.images
    assert isinstance(picture, Picture)
    assert (whole.data, whole.is_copy, small.is_copy) == (data.getvalue(), False, True)
    assert (small.width, small.height, small.mime) == (4096, 2048, mime)
    assert (picture.sha256, picture.small_sha256) == (whole.sha256, small.sha256)


async def test_smaller_images_have_no_copy(pool: ParserPool) -> None:
    data = BytesIO()
    Image.new("L", (4096, 10)).save(data, "PNG")
    sink = CollectingSink()

    options = ParseOptions(extension="png", purpose=Purpose.IMAGE)
    _, (picture,) = await parse(pool, data.getvalue(), options, sink=sink)

    assert len(sink.images) == 1
    assert isinstance(picture, Picture)
    assert picture.small_sha256 == ""
