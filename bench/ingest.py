"""Ingest benchmark: how fast documents become searchable, and what chats notice of it.

The same chats run before the documents come and while they are indexed, in one run: once with the
server indexing itself, once with a worker process beside it.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import psutil
from rich.console import Console

from bench.load import LoadResult, run_load
from bench.server import Product, product, spawned

TEXTS, PAGES_OF_HTML, PDFS = 24, 12, 6
TEXT_BYTES, HTML_BYTES = 200_000, 100_000
PDF_PAGES, PDF_LINES = 80, 40
STREAMS: Final = 4
MODEL: Final = "tokens-20-10"
QUIET_ROUNDS: Final = 25
SAMPLE_S: Final = 0.1
LIMIT_S: Final = 900.0
MIB: Final = 1024 * 1024
_WORDS: Final = 5000
_SEED: Final = 7


@dataclass(frozen=True, slots=True)
class Row:
    """One way to index, with the chats meanwhile; first tokens in milliseconds."""

    indexed_by: str
    documents: int
    errors: int
    """Documents that failed, and chats."""
    mib: float
    slices: int
    seconds: float
    documents_per_s: float
    mib_per_s: float
    slices_per_s: float
    server_mib: float
    """Largest resident set; so the next two."""
    worker_mib: float
    parser_mib: float
    quiet_p50_ms: float
    quiet_p95_ms: float
    busy_p50_ms: float
    busy_p95_ms: float
    ratio_p50: float


def write_corpus(folder: Path) -> int:
    """Write texts, web pages and PDF files, the same each time; return their bytes."""
    chance = random.Random(_SEED)  # noqa: S311 - repeatable, no secret
    letters = "abcdefghijklmnoprstuvw"
    words = ["".join(chance.choices(letters, k=chance.randint(3, 10))) for _ in range(_WORDS)]

    def sentence() -> str:
        return " ".join(chance.choices(words, k=12)).capitalize() + "."

    def paragraphs(size: int) -> Iterator[str]:
        while size > 0:
            text = " ".join(sentence() for _ in range(6))
            size -= len(text)
            yield text

    for number in range(TEXTS):
        (folder / f"text{number}.txt").write_text("\n\n".join(paragraphs(TEXT_BYTES)))
    for number in range(PAGES_OF_HTML):
        body = "".join(f"<p>{text}</p>" for text in paragraphs(HTML_BYTES))
        (folder / f"page{number}.html").write_text(f"<html><body>{body}</body></html>")
    for number in range(PDFS):
        pages = [[sentence()[:90] for _ in range(PDF_LINES)] for _ in range(PDF_PAGES)]
        (folder / f"report{number}.pdf").write_bytes(_pdf(pages))
    return sum(path.stat().st_size for path in folder.iterdir())


def one_pdf(pages: int) -> bytes:
    """Make a report with lines on each page."""
    return _pdf(
        [[f"Line {line} of page {at}." for line in range(PDF_LINES)] for at in range(pages)]
    )


def _pdf(pages: list[list[str]]) -> bytes:
    """Write lines of text as a PDF, with nothing else in it."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    bodies = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for at, lines in enumerate(pages):
        shown = " ".join(f"({line}) Tj T*" for line in lines)
        content = zlib.compress(f"BT /F1 10 Tf 16 TL 60 740 Td {shown} ET".encode())
        bodies.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R"
            b"/Resources<</Font<</F1 3 0 R>>>>>>" % (5 + 2 * at)
        )
        bodies.append(
            b"<</Filter/FlateDecode/Length %d>>stream\n%b\nendstream" % (len(content), content)
        )
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(bodies, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(bodies) + 1, start)
    return bytes(out)


class Memory:
    """Largest resident sets of the server, of a worker, and of any parser below them."""

    def __init__(self, server: psutil.Process, worker: psutil.Process | None) -> None:
        self._parts = {"server": server, "worker": worker}
        self.peaks = {"server": 0, "worker": 0, "parser": 0}
        self._over = threading.Event()

    @contextmanager
    def watched(self) -> Generator[None, None, None]:
        """Measure until the block ends."""
        thread = threading.Thread(target=self._watch)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _watch(self) -> None:
        while not self._over.wait(SAMPLE_S):
            for name, process in self._parts.items():
                if process is None:
                    continue
                self._note(name, process)
                for child in process.children(recursive=True):
                    self._note("parser", child)

    def _note(self, name: str, process: psutil.Process) -> None:
        try:
            self.peaks[name] = max(self.peaks[name], process.memory_info().rss)
        except psutil.NoSuchProcess:
            return


def chat(server: Product, agent_id: str) -> LoadResult:
    """Stream a few answers at once."""
    body: dict[str, object] = {
        "bot_id": agent_id,
        "user_id": "bench",
        "stream": True,
        "additional_messages": [{"role": "user", "content": "go", "content_type": "text"}],
    }
    return asyncio.run(
        run_load(f"{server.url}/v3/chat", body, streams=STREAMS, headers=server.headers)
    )


def together(loads: list[LoadResult]) -> LoadResult:
    """Take the streams of several loads as one."""
    return LoadResult([one for load in loads for one in load.streams], 0.0)


def import_files(data: Path, folder: Path) -> None:
    """Take the documents in and leave them to whoever indexes here."""
    command = [str(Path(sys.executable).with_name("coterie")), "knowledge", "import"]
    command += [str(folder), "--dataset", "bench", "--format", "text", "--no-wait", "--json"]
    subprocess.run(
        command,
        env=os.environ | {"COTERIE_DATA_DIR": str(data)},
        check=True,
        stdout=subprocess.DEVNULL,
    )


def base_of(server: Product) -> dict[str, Any]:
    """Ask how far the documents are."""
    space = server.call("GET", "/v1/workspaces")["data"]["workspaces"][0]["id"]
    found = server.call("GET", f"/v1/datasets?space_id={space}&name=bench")["data"]
    base: dict[str, Any] = found["dataset_list"][0] if found["dataset_list"] else {}
    return base


@contextmanager
def worker(data: Path) -> Generator[psutil.Process, None, None]:
    """Run ``coterie worker`` on the data."""
    command = [str(Path(sys.executable).with_name("coterie")), "worker", "--json"]
    process = subprocess.Popen(
        command,
        env=os.environ | {"COTERIE_DATA_DIR": str(data)},
        stdout=subprocess.PIPE,
        stderr=(data / "worker.log").open("ab"),
    )
    try:
        assert process.stdout is not None
        yield psutil.Process(json.loads(process.stdout.readline())["pid"])
    finally:
        process.terminate()
        process.wait(timeout=40)


@contextmanager
def deployment(data: Path, *, by_worker: bool) -> Generator[tuple[Product, Memory], None, None]:
    """A server, and a worker if the server is not to index."""
    if not by_worker:
        with product(data) as server:
            yield server, Memory(server.process, None)
        return
    with product(data, COTERIE_INGEST__WORKERS="0") as server, worker(data) as process:
        yield server, Memory(server.process, process)


def measure(folder: Path, size: int, upstream: str, *, by_worker: bool) -> Row:
    """Chat in silence, then import and chat until the last document is done."""
    with (
        TemporaryDirectory() as name,
        deployment(Path(name), by_worker=by_worker) as (server, memory),
    ):
        agent_id = server.agent_on(MODEL, f"{upstream}/v1")
        chat(server, agent_id)
        quiet = together([chat(server, agent_id) for _ in range(QUIET_ROUNDS)])
        busy_loads: list[LoadResult] = []
        with memory.watched():
            started = time.perf_counter()
            importing = threading.Thread(target=import_files, args=(Path(name), folder))
            importing.start()
            while True:
                busy_loads.append(chat(server, agent_id))
                base = base_of(server)
                if not importing.is_alive() and base and not base["processing_file_list"]:
                    break
                if time.perf_counter() - started > LIMIT_S:
                    raise TimeoutError("The documents were not indexed in time.")
            seconds = time.perf_counter() - started
        busy = together(busy_loads)
    documents = TEXTS + PAGES_OF_HTML + PDFS
    missing = documents - int(base["doc_count"])
    return Row(
        indexed_by="worker" if by_worker else "server",
        documents=documents,
        errors=quiet.errors + busy.errors + len(base["failed_file_list"] or []) + missing,
        mib=size / MIB,
        slices=int(base["slice_count"]),
        seconds=seconds,
        documents_per_s=documents / seconds,
        mib_per_s=size / MIB / seconds,
        slices_per_s=int(base["slice_count"]) / seconds,
        server_mib=memory.peaks["server"] / MIB,
        worker_mib=memory.peaks["worker"] / MIB,
        parser_mib=memory.peaks["parser"] / MIB,
        quiet_p50_ms=quiet.first_token_ms(0.5),
        quiet_p95_ms=quiet.first_token_ms(0.95),
        busy_p50_ms=busy.first_token_ms(0.5),
        busy_p95_ms=busy.first_token_ms(0.95),
        ratio_p50=busy.first_token_ms(0.5) / quiet.first_token_ms(0.5),
    )


def run(console: Console) -> list[dict[str, Any]]:
    """Index the same documents by a server and by a worker beside one."""
    rows = []
    with TemporaryDirectory() as name, spawned("bench.upstream") as upstream:
        folder = Path(name)
        size = write_corpus(folder)
        for by_worker in (False, True):
            with console.status(f"ingest by {'a worker' if by_worker else 'the server'}"):
                rows.append(asdict(measure(folder, size, upstream, by_worker=by_worker)))
    return rows
