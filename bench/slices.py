"""What a slice costs: processor time of a worker, and bytes in PostgreSQL and in both indexes.

The same texts as ``bench.ingest``, indexed by one worker on PostgreSQL and NATS with the embedded
search indexes and the built-in embedder, whose vectors have 4,096 dimensions. An embedding service
takes the embedder's share off the worker and adds its own waiting.
"""

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from rich.console import Console

from bench.cluster import Deployment, cluster
from bench.ingest import LIMIT_S, base_of, write_corpus

POLL_S: Final = 0.5


@dataclass(frozen=True)
class Row:
    """One import; processor times are those of all processes of a kind."""

    slices: int
    errors: int
    """Documents that failed."""
    seconds: float
    text_bytes: float
    """Of one slice, as stored."""
    worker_ms: float
    """For one slice, parser processes included; so the next two."""
    postgres_ms: float
    nats_ms: float
    postgres_bytes: float
    """Growth of the database for one slice, indexes included."""
    wal_bytes: float
    vector_bytes: float
    """Of the embedded vector index, for one slice."""
    text_index_bytes: float
    files_bytes: float
    """Documents and their parsed pages in the object store, for one slice."""


def _bytes_of(path: Path) -> int:
    return sum(each.stat().st_size for each in path.rglob("*") if each.is_file())


def _index_bytes(folder: Path, kind: str) -> int:
    """Length of the indexes of one kind, with what their logs still held."""
    files = list(folder.glob(f"*.{kind}.db"))
    for file in files:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return sum(file.stat().st_size for file in files)


def _take_in(folder: Path, environment: Mapping[str, str]) -> None:
    command = [str(Path(sys.executable).with_name("coterie")), "knowledge", "import"]
    command += [str(folder), "--dataset", "bench", "--format", "text", "--no-wait", "--json"]
    subprocess.run(command, env=os.environ | environment, check=True, stdout=subprocess.DEVNULL)


def _await_index(on: Deployment) -> dict[str, Any]:
    deadline = time.monotonic() + LIMIT_S
    while True:
        base = base_of(on.first)
        if base and not base["processing_file_list"]:
            return base
        if time.monotonic() > deadline:
            raise TimeoutError("The documents were not indexed in time.")
        time.sleep(POLL_S)


def measure(folder: Path, on: Deployment) -> Row:
    """Import everything and relate what grew to the slices."""
    database, data = on.postgres, Path(on.environment["COTERIE_DATA_DIR"])
    assert database is not None
    on.settle()
    before, wal, spent = database.bytes(), database.wal_bytes(), on.cpu_s()
    started = time.perf_counter()
    _take_in(folder, on.environment)
    base = _await_index(on)
    seconds = time.perf_counter() - started
    count = int(base["slice_count"])
    used = {name: (cpu_s - spent[name]) / count * 1000 for name, cpu_s in on.cpu_s().items()}
    index = data / "index"
    return Row(
        slices=count,
        errors=len(base["failed_file_list"] or []),
        seconds=seconds,
        text_bytes=database.number("SELECT avg(octet_length(content))::int FROM knowledge_slice"),
        worker_ms=used["worker"],
        postgres_ms=used["postgres"],
        nats_ms=used["nats"],
        postgres_bytes=(database.bytes() - before) / count,
        wal_bytes=(database.wal_bytes() - wal) / count,
        vector_bytes=_index_bytes(index, "vector") / count,
        text_index_bytes=_index_bytes(index, "text") / count,
        files_bytes=_bytes_of(data / "objects") / count,
    )


def run(console: Console) -> list[dict[str, Any]]:
    """Index the texts once."""
    with TemporaryDirectory() as name, cluster(1) as on:
        folder = Path(name)
        write_corpus(folder)
        with console.status("slices"):
            return [asdict(measure(folder, on))]
