"""What can go wrong while documents are indexed, all at once: each ends, and says why."""

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from application.knowledge.dto import DocumentView
from domain.knowledge.value import ChunkRule, ChunkType, DocumentStatus, ParseRule
from tests.support.document import build
from tests.support.knowledge.reader import Library, embedding_models, opened_library
from tests.support.process.server import RunningWorker, running_worker
from tests.upstream.fixture import RunningUpstream

MIB = 1024 * 1024
FIXTURES = Path(__file__).parents[1] / "fixtures" / "documents"
RETRY_AFTER_S = 2
JOB_ATTEMPTS, CALL_ATTEMPTS = 3, 3
PAGES = 1600
MODELS = (
    "embed-8",
    "embed-denied",
    "embed-busy",
    "embed-later",
    "embed-mute",
    "embed-short",
    "embed-narrower",
    "embed-max-3",
    "embed-chars-400",
    "embed-flaky-2",
    "embed-gone",
)
LINES = ParseRule(chunking=ChunkRule(chunk_type=ChunkType.CUSTOM, separator="##"))
TEXT = "##".join(f"Line {number} is about the river Elbe." for number in range(10)).encode()
JSON = {"content-type": "application/json"}
FAILED, ENABLED = DocumentStatus.FAILED, DocumentStatus.ENABLED


@dataclass
class Outcome:
    """What became of a document."""

    base: int
    view: DocumentView
    contents: list[str]
    entries: tuple[int, int]


@dataclass
class Aftermath:
    """Everything that happened, by the name of the fault."""

    outcomes: Mapping[str, Outcome]
    memory: Mapping[str, int]
    """Largest resident set of the worker and of any process below it."""


@pytest.fixture(scope="module")
def aftermath(tmp_path_factory: pytest.TempPathFactory, upstream: RunningUpstream) -> Aftermath:
    data = tmp_path_factory.mktemp("faults")
    environ = {
        "COTERIE_MODELS": embedding_models(upstream.base_url, *MODELS, waits_s={"embed-mute": 1.0}),
        "COTERIE_INGEST__WORKERS": "8",
        "COTERIE_INGEST__PER_SPACE": "100",
        "COTERIE_INGEST__POLL_S": "0.2",
    }
    _script(upstream)
    with running_worker(data, environ) as worker, _watched(worker) as memory:
        outcomes = asyncio.run(_everything(data, environ))
    assert not [line for line in worker.log if "Traceback" in line]
    return Aftermath(outcomes, memory)


async def _everything(data: Path, environ: Mapping[str, str]) -> dict[str, Outcome]:
    async with opened_library(data, environ) as library:
        return await _indexed(library, _files())


async def _indexed(
    library: Library, files: Mapping[str, tuple[str, bytes, str]]
) -> dict[str, Outcome]:
    """Take all documents in at once and wait until the last has ended."""
    documents: dict[str, tuple[int, int]] = {}
    first = await library.base("narrower", model="embed-narrower")
    await library.ended([await library.accept(first, "first.txt", b"The first one is good.")])
    for name, (file, content, model) in files.items():
        base = first if name == "narrower" else await library.base(name, model=model)
        documents[name] = base, await library.accept(base, file, content, rule=LINES)
    views = await library.ended([document for _, document in documents.values()], timeout_s=240)
    return {
        name: Outcome(
            base=base,
            view=view,
            contents=await library.contents(document),
            entries=await library.entries(base),
        )
        for (name, (base, document)), view in zip(documents.items(), views, strict=True)
    }


def _files() -> dict[str, tuple[str, bytes, str]]:
    """File name, content and embedding model by fault."""
    long = "##".join([*(f"Line {n} is short." for n in range(39)), "x" * 1000]).encode()
    return {
        "large": ("report.pdf", _large_pdf(), "embed-8"),
        "denied": ("a.txt", TEXT, "embed-denied"),
        "busy": ("a.txt", TEXT, "embed-busy"),
        "later": ("a.txt", b"Only one slice, so that a fixed answer fits.", "embed-later"),
        "mute": ("a.txt", TEXT, "embed-mute"),
        "gone": ("a.txt", TEXT, "embed-gone"),
        "short": ("a.txt", TEXT, "embed-short"),
        "narrower": ("a.txt", b"The second one has another length.", "embed-narrower"),
        "batch": ("a.txt", TEXT, "embed-max-3"),
        "long": ("a.txt", long, "embed-chars-400"),
        "flaky": ("a.txt", TEXT, "embed-flaky-2"),
        "corrupt pdf": ("a.pdf", b"%PDF-1.7\n" + bytes(range(256)) * 40, "embed-8"),
        "corrupt docx": ("a.docx", build.docx(build.paragraph("x"))[:-80], "embed-8"),
        "wrong type": ("a.pdf", b"This is no PDF at all.", "embed-8"),
        "password": (
            "a.pdf",
            (FIXTURES / "password-protected.pdf").read_bytes(),
            "embed-8",
        ),
        "bomb": ("a.docx", _bomb(), "embed-8"),
        "blank": ("a.txt", b" \n\n \n", "embed-8"),
    }


def _script(upstream: RunningUpstream) -> None:
    upstream.forget()
    denied = {"error": {"message": "Incorrect API key provided.", "type": "invalid_request_error"}}
    busy = {"error": {"message": "Slow down.", "type": "rate_limit_error"}}
    upstream.script("embed-denied", [{"send": json.dumps(denied)}], status=401, headers=JSON)
    headers = {**JSON, "retry-after": "0"}
    upstream.script("embed-busy", [{"send": json.dumps(busy)}], status=429, headers=headers)
    headers = {**JSON, "retry-after": str(RETRY_AFTER_S)}
    upstream.script("embed-later", [{"send": json.dumps(busy)}], status=429, headers=headers)
    upstream.script("embed-later", [{"send": _vector(8)}], headers=JSON)
    upstream.script("embed-mute", [{"stall": True}], headers=JSON)
    upstream.script("embed-gone", [{"reset": True}], headers=JSON)
    upstream.script("embed-narrower", [{"send": _vector(8)}], headers=JSON)
    upstream.script("embed-narrower", [{"send": _vector(4)}], headers=JSON)


def _vector(width: int) -> str:
    row = {"object": "embedding", "index": 0, "embedding": [1.0] * width}
    return json.dumps({"object": "list", "data": [row], "model": "m"})


def _large_pdf() -> bytes:
    def page(number: int) -> bytes:
        return build.text_page(
            [
                (72.0, 700.0 - 14 * line, 11.0, f"Line {line} of page {number} of a long report.")
                for line in range(6)
            ]
        )

    return build.pdf([page(number) for number in range(1, PAGES + 1)])


def _bomb() -> bytes:
    """An archive of a few kilobytes that unpacks to a quarter of a gigabyte."""
    return build.docx(" " * (256 * MIB))


@contextmanager
def _watched(worker: RunningWorker) -> Iterator[dict[str, int]]:
    """Measure the worker and its children until the block ends."""
    peaks = {"worker": 0, "child": 0}
    over = threading.Event()
    process = psutil.Process(worker.process.pid)

    def watch() -> None:
        while not over.wait(0.1):
            try:
                peaks["worker"] = max(peaks["worker"], process.memory_info().rss)
                for child in process.children(recursive=True):
                    peaks["child"] = max(peaks["child"], child.memory_info().rss)
            except psutil.NoSuchProcess:
                continue

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peaks
    finally:
        over.set()
        thread.join()


def test_a_refused_credential_is_not_tried_again(
    aftermath: Aftermath, upstream: RunningUpstream
) -> None:
    view = aftermath.outcomes["denied"].view

    assert view.status is FAILED
    assert "API key" in view.fail_reason
    assert "sk-canary" not in view.fail_reason
    assert len(upstream.requests(model="embed-denied")) == 1


def test_a_provider_that_stays_busy_is_asked_a_few_times(
    aftermath: Aftermath, upstream: RunningUpstream
) -> None:
    view = aftermath.outcomes["busy"].view

    assert view.status is FAILED
    assert "rate" in view.fail_reason
    assert len(upstream.requests(model="embed-busy")) == JOB_ATTEMPTS * CALL_ATTEMPTS


def test_the_wish_to_wait_is_granted(aftermath: Aftermath, upstream: RunningUpstream) -> None:
    asked, again, *_ = upstream.requests(model="embed-later")  # then its scale is learnt

    assert again.at - asked.at >= RETRY_AFTER_S
    assert aftermath.outcomes["later"].view.status is ENABLED


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        ("mute", "did not answer in time"),
        ("gone", "cannot be reached"),
        ("short", "expected 8 dimensions, got 7"),
        ("narrower", "the index has 8"),
        ("corrupt pdf", "no readable PDF"),
        ("corrupt docx", "its end is missing"),
        ("wrong type", "no readable PDF"),
        ("password", "password"),
        ("bomb", "unpacks to more"),
        ("blank", "empty"),
    ],
)
def test_what_cannot_be_indexed_fails_with_its_cause(
    aftermath: Aftermath, fault: str, cause: str
) -> None:
    outcome = aftermath.outcomes[fault]

    assert outcome.view.status is FAILED
    assert cause in outcome.view.fail_reason
    assert outcome.view.fail_code > 0
    assert (outcome.view.slice_count, outcome.contents) == (0, [])


def test_a_document_that_failed_leaves_nothing_in_the_stores(aftermath: Aftermath) -> None:
    left = {
        name: outcome.entries
        for name, outcome in aftermath.outcomes.items()
        if outcome.view.status is FAILED and name != "narrower"
    }

    assert set(left.values()) == {(0, 0)}
    assert aftermath.outcomes["narrower"].entries == (1, 1)  # of the document before it


@pytest.mark.parametrize("fault", ["batch", "flaky"])
def test_what_passes_costs_nothing(aftermath: Aftermath, fault: str) -> None:
    outcome = aftermath.outcomes[fault]

    assert (outcome.view.status, outcome.view.fail_reason) == (ENABLED, "")
    assert outcome.contents == TEXT.decode().split("##")
    assert outcome.entries == (10, 10)


def test_a_text_that_is_too_long_costs_only_itself(aftermath: Aftermath) -> None:
    outcome = aftermath.outcomes["long"]

    assert outcome.view.status is ENABLED
    assert outcome.view.fail_reason == "1 of 40 slices could not be indexed."
    assert outcome.entries == (39, 39)


def test_a_long_report_is_read_to_its_last_page_in_little_memory(aftermath: Aftermath) -> None:
    outcome = aftermath.outcomes["large"]

    assert outcome.view.status is ENABLED
    text = " ".join(outcome.contents)
    assert all(f"Line 5 of page {page} of" in text for page in range(1, PAGES + 1))
    assert aftermath.memory["child"] > 0
    assert max(aftermath.memory.values()) < 512 * MIB
