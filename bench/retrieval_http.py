"""Retrieval benchmark over HTTP: documents imported, cut and indexed, and searched by clients.

``bench.retrieval`` fills its index itself and calls the retrieval in its own process. Here texts
are uploaded as documents, the server cuts and indexes them with its defaults (embedded indexes and
the built-in embedder), and clients on connections of their own search, each as soon as it was
answered; every question is asked anew, so its vector has to be made unless it was asked before.
``BENCH_DOCUMENTS`` (sizes of the base) and ``BENCH_SECONDS`` (of a row) shorten it.
"""

import asyncio
import base64
import os
import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any, Final

import httpx
from rich.console import Console

from bench.retrieval import DATA, SETS, SHOWN, mixed
from bench.retrieval_system import QuestionSet
from bench.server import Product, product

DOCUMENTS: Final = tuple(map(int, os.environ.get("BENCH_DOCUMENTS", "200,1000").split(",")))
SECONDS: Final = float(os.environ.get("BENCH_SECONDS", "8"))
CLIENTS: Final = (1, 16)
KINDS: Final = {"full text": 20, "vectors": 0, "hybrid": 1}
PASSAGES_PER_DOCUMENT: Final = 20
DOCUMENTS_PER_REQUEST: Final = 10
LIMIT_S: Final = 3600.0
POLL_S: Final = 0.2
_ENABLED, _FAILED = 1, 9


@dataclass(frozen=True, slots=True)
class Row:
    """Searches for five slices by so many clients; milliseconds until the answer was read."""

    kind: str
    documents: int
    slices: int
    clients: int
    searches: int
    errors: int
    per_s: float
    p50_ms: float
    p95_ms: float
    processor_ms: float
    """Of the server, for one search."""
    slices_per_s: float
    """How fast the documents became searchable, from the first upload to the last slice."""


def fill(server: Product, texts: Sequence[str]) -> tuple[str, int, float]:
    """Upload documents and wait for them; return the base, its slices, and the seconds."""
    space = server.call("GET", "/v1/workspaces")["data"]["workspaces"][0]["id"]
    body = {"name": f"bench {len(texts)}", "space_id": space, "format_type": 0}
    dataset_id = server.call("POST", "/v1/datasets", body)["data"]["dataset_id"]
    began = time.monotonic()
    numbers, waiting = count(), []
    for batch in _parts(texts):
        bases = [
            {
                "name": f"{next(numbers)}.txt",
                "source_info": {
                    "file_base64": base64.b64encode(text.encode()).decode(),
                    "file_type": "txt",
                },
            }
            for text in batch
        ]
        made = server.call(
            "POST",
            "/open_api/knowledge/document/create",
            {"dataset_id": str(dataset_id), "document_bases": bases},
        )
        waiting += [str(each["document_id"]) for each in made["document_infos"]]
    slices = 0
    for ids in _parts(waiting):
        slices += _await_slices(server, str(dataset_id), ids, until=began + LIMIT_S)
    return str(dataset_id), slices, time.monotonic() - began


def _await_slices(server: Product, dataset_id: str, ids: Sequence[str], *, until: float) -> int:
    while True:
        path = f"/v1/datasets/{dataset_id}/process"
        found = server.call("POST", path, {"document_ids": list(ids)})["data"]["data"]
        states = {each["status"] for each in found}
        if _FAILED in states:
            raise RuntimeError(f"A document was not indexed: {found}")
        if states == {_ENABLED}:
            break
        if time.monotonic() > until:
            raise TimeoutError("The documents were not indexed in time.")
        time.sleep(POLL_S)
    documents = [server.call("GET", f"/admin/v1/documents/{each}") for each in ids]
    return sum(each["slice_count"] for each in documents)


def _parts(items: Sequence[str]) -> list[Sequence[str]]:
    size = DOCUMENTS_PER_REQUEST
    return [items[at : at + size] for at in range(0, len(items), size)]


async def search(
    server: Product, dataset_id: str, strategy: int, questions: Sequence[str], clients: int
) -> tuple[list[float], int, float, float]:
    """Search for as long as a row lasts; return times, errors, seconds and processor seconds."""
    times: list[float] = []
    errors = 0

    async def client(http: httpx.AsyncClient, first: int, end: float) -> None:
        nonlocal errors
        for number in count(first, clients):
            body = {
                "dataset_ids": [dataset_id],
                "query": questions[number % len(questions)],
                "strategy": strategy,
                "top_k": SHOWN,
                "min_score": 0.0,
            }
            start = time.perf_counter()
            answer = await http.post("/v1/datasets/search", json=body)
            times.append(1000 * (time.perf_counter() - start))
            errors += answer.status_code != 200 or not answer.json()["data"]["items"]
            if time.monotonic() >= end:
                return

    async with httpx.AsyncClient(base_url=server.url, headers=server.headers, timeout=60) as http:
        began, spent = time.monotonic(), server.processor_s
        async with asyncio.TaskGroup() as group:
            for first in range(clients):
                group.create_task(client(http, first, began + SECONDS))
    return sorted(times), errors, time.monotonic() - began, server.processor_s - spent


def run(console: Console) -> list[dict[str, Any]]:
    """Import every size of a base into a server of its own and search it."""
    data = QuestionSet.read(DATA / SETS[0])
    questions = [each.text for each in data.questions]
    rows: list[Row] = []
    for documents in DOCUMENTS:
        chance = random.Random(1)  # noqa: S311 - data, not secrets
        texts = [
            "\n\n".join(mixed(data.passages, chance) for _ in range(PASSAGES_PER_DOCUMENT))
            for _ in range(documents)
        ]
        with product(COTERIE_RETRIEVAL__TESTS_PER_MINUTE="0") as server:
            console.log(f"retrieval_http: {documents} documents")
            dataset_id, slices, seconds = fill(server, texts)
            for kind, strategy in KINDS.items():
                for clients in CLIENTS:
                    times, errors, lasted, spent = asyncio.run(
                        search(server, dataset_id, strategy, questions, clients)
                    )
                    rows.append(
                        Row(
                            kind=kind,
                            documents=documents,
                            slices=slices,
                            clients=clients,
                            searches=len(times),
                            errors=errors,
                            per_s=len(times) / lasted,
                            p50_ms=times[len(times) // 2],
                            p95_ms=times[int(len(times) * 0.95)],
                            processor_ms=1000 * spent / len(times),
                            slices_per_s=slices / seconds,
                        )
                    )
    return [asdict(row) for row in rows]
