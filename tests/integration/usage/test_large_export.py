"""Export of a million entries: a stream that a server makes while it is read, in little memory."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import httpx
import psutil
import pytest

from tests.support.process.server import RunningServer, running_server

ENTRIES: Final = 1_000_000
WARM: Final = 200_000
"""After so many the page caches of the readers' connections are full."""
MOST_BYTES: Final = 24 * 1024 * 1024
"""Growth of the process: a page of rows and what the allocator keeps, whatever the file's size."""


def _fill(data: Path, count: int, space_id: int) -> None:
    """Put entries into the ledger, a millisecond apart."""
    text = {"purpose": "chat", "model": "m", "provider": "openai", "outcome": "ok", "error": ""}
    text |= {"finish_reason": "stop", "cost": "0.00000100", "source": "api", "version": "v0.0.1"}
    numbers = {"call_no": 1, "attempt": 1, "input_tokens": 100, "output_tokens": 20, "total_ms": 9}
    numbers |= {"cached_tokens": 0, "reasoning_tokens": 0, "is_estimated": 0, "space_id": space_id}
    numbers["is_rolled"] = 1  # else they are added up meanwhile
    names = ", ".join(["run_id", "ended_at", "slot", "end_user_id", *text, *numbers])
    values = ", ".join([*(f"'{each}'" for each in text.values()), *map(str, numbers.values())])
    moment = "1793491200000000 + i * 1000"
    statement = (
        f"INSERT INTO model_call ({names}) "  # noqa: S608 - names and numbers of this test
        f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) "
        f"SELECT i, {moment}, ({moment}) / 900000000, 'user-' || (i % 5000), {values} FROM n"
    )
    with closing(sqlite3.connect(data / "coterie.db", timeout=60)) as database:
        database.execute("DELETE FROM model_call")
        database.execute(statement)
        database.commit()


def _read(server: RunningServer, format_: str) -> tuple[int, int]:
    """Read a file to its end; return how many lines it has, and the largest memory meanwhile."""
    process, lines, peak = psutil.Process(server.process.pid), 0, 0
    query = {"format": format_, "since": "1793491200", "until": "1796083200"}
    with httpx.stream(
        "GET",
        f"{server.url}/admin/v1/usage/entries",
        params=query,
        headers=server.headers,
        timeout=120,
    ) as answer:
        assert answer.status_code == 200, answer.read()
        for number, piece in enumerate(answer.iter_raw()):
            lines += piece.count(b"\n")
            if number % 50 == 0:
                peak = max(peak, process.memory_info().rss)
    return lines, peak


@pytest.mark.long
@pytest.mark.parametrize("format_", ["csv", "jsonl"])
def test_a_million_entries_are_exported_in_the_memory_of_a_few(
    tmp_path: Path, format_: str, record_property: Callable[[str, object], None]
) -> None:
    with running_server(tmp_path) as server:
        spaces = httpx.get(f"{server.url}/admin/v1/workspaces", headers=server.headers).json()
        space_id = int(spaces["items"][0]["id"])
        _fill(tmp_path, WARM, space_id)
        _, before = _read(server, format_)
        _fill(tmp_path, ENTRIES, space_id)
        lines, peak = _read(server, format_)

    record_property("grown_by", peak - before)
    assert lines == ENTRIES + (format_ == "csv"), "each entry is a line, after the head"
    assert peak - before < MOST_BYTES
