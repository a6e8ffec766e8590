"""Small documents: what importing one costs through the API, and a search over a thousand of them.

Texts of one passage are uploaded ten at a time and indexed by the server with its defaults; then
one client searches, each time with another question. Processor times are those of the server with
its children. ``BENCH_SMALL`` (documents) and ``BENCH_SECONDS`` (of a row) shorten it.
"""

import asyncio
import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Final

import psutil
from rich.console import Console

from bench.retrieval import DATA, SETS
from bench.retrieval_http import KINDS, fill, search
from bench.retrieval_system import QuestionSet
from bench.server import Product, product

DOCUMENTS: Final = int(os.environ.get("BENCH_SMALL", "1000"))
_SETTLE_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of request; milliseconds of processor for each."""

    asked: str
    documents: int
    requests: int
    errors: int
    p50_ms: float
    processor_ms: float


def spent_s(server: Product) -> float:
    """Processor time of the server and of what it started, so far."""
    total = server.processor_s
    for child in server.process.children(recursive=True):
        try:
            times = child.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total


def measure(server: Product, texts: Sequence[str], questions: Sequence[str]) -> list[Row]:
    """Import the texts, then search them in every way."""
    fill(server, texts[:10])  # opens what is opened once
    time.sleep(_SETTLE_S)
    before = spent_s(server)
    dataset_id, _, seconds = fill(server, texts)
    time.sleep(_SETTLE_S)  # what an import leaves to do
    count = len(texts)
    rows = [
        Row(
            "import",
            count,
            count,
            0,
            1000 * seconds / count,
            1000 * (spent_s(server) - before) / count,
        )
    ]
    for kind, strategy in KINDS.items():
        asyncio.run(search(server, dataset_id, strategy, questions[:5], 1))
        times, errors, _, spent = asyncio.run(search(server, dataset_id, strategy, questions, 1))
        cost = 1000 * spent / len(times)
        rows.append(Row(f"search: {kind}", count, len(times), errors, median(times), cost))
    return rows


def run(console: Console) -> list[dict[str, Any]]:
    """Import and search on a server of its own."""
    data = QuestionSet.read(DATA / SETS[0])
    texts = [data.passages[at % len(data.passages)].text for at in range(DOCUMENTS)]
    questions = [each.text for each in data.questions]
    console.log(f"small: {DOCUMENTS} documents")
    with product(COTERIE_RETRIEVAL__TESTS_PER_MINUTE="0", COTERIE_LOG__ACCESS="false") as server:
        return [asdict(row) for row in measure(server, texts, questions)]
