"""Servers that die at every crash point of an import: all rows of the file, each once."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from tests.chaos.crash_points import IMPORTING
from tests.chaos.life import Life, living_server
from tests.support.client.workflow import Flows
from tests.support.process.server import TOKEN

ROWS = 40
SHEET = "title,pages\n" + "\n".join(f"Book {number},{number}" for number in range(ROWS))
FIELDS = [{"name": "title", "must_required": True}, {"name": "pages", "type": 2}]
PATIENCE_S = 60.0
SHORT = "import.inserted"


@contextmanager
def life(data: Path, *, dying_at: str = "") -> Iterator[tuple[Life, Flows]]:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with (
        living_server(data, {}, dying_at=dying_at) as life,
        httpx.Client(base_url=life.url, headers=headers, timeout=60) as http,
    ):
        yield life, Flows(http)


def accepted(data: Path) -> str:
    """Return the one import; let the next server have it now, and not when a lease ends."""
    with closing(sqlite3.connect(data / "coterie.db", timeout=30)) as connection:
        connection.execute("UPDATE inbox SET leased_until = 1 WHERE handled_at IS NULL")
        connection.commit()
        (found,) = connection.execute("SELECT id FROM memory_import").fetchone()
    return str(found)


@pytest.mark.parametrize(
    "point",
    [pytest.param(each, marks=[] if each == SHORT else pytest.mark.long) for each in IMPORTING],
)
def test_every_row_is_there_once(tmp_path: Path, point: str) -> None:
    with life(tmp_path, dying_at=point) as (server, flows):
        body = {"table_name": "books", "fields": FIELDS}
        path = f"/admin/v1/workspaces/{flows.workspace_id}/databases"
        database_id = flows.call("POST", path, body)["id"]
        files = {"file": ("books.csv", SHEET.encode())}
        file_id = flows.http.post("/v1/files/upload", files=files).json()["data"]["id"]
        path = f"/admin/v1/databases/{database_id}/imports"
        with suppress(httpx.TransportError):
            flows.call("POST", path, {"file_id": file_id})
        server.dies_at(point)
    import_id = accepted(tmp_path)
    with life(tmp_path) as (server, flows):
        deadline = time.monotonic() + PATIENCE_S
        while (found := flows.call("GET", f"{path}/{import_id}"))["status"] in {
            "waiting",
            "running",
        }:
            assert time.monotonic() < deadline, found
            time.sleep(0.05)
        assert (found["status"], found["rows"]) == ("done", ROWS), found
        query = {"limit": 100}
        path = f"/admin/v1/databases/{database_id}/records:query"
        titles = [each["title"] for each in flows.call("POST", path, query)["items"]]
        assert sorted(titles) == sorted(f"Book {number}" for number in range(ROWS))
