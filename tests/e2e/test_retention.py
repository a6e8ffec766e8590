"""Retention of a server that never lives for an hour."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx

from tests.support.process.server import RunningServer, running_server
from tests.support.wait import until

_TWO_DAYS = timedelta(days=2) // timedelta(microseconds=1)


def test_what_is_old_goes_when_a_server_starts_unless_it_is_held(tmp_path: Path) -> None:
    def call(server: RunningServer, method: str, path: str, **document: Any) -> Any:
        answer = httpx.request(
            method, server.url + path, headers=server.headers, json=document or None, timeout=60
        )
        assert answer.is_success, answer.text
        return answer.json()

    def kept(server: RunningServer) -> bool:
        found = httpx.get(
            f"{server.url}/v1/conversation/retrieve",
            params={"conversation_id": conversation},
            headers=server.headers,
            timeout=60,
        )
        return int(found.json()["code"]) == 0

    with running_server(tmp_path) as server:
        space = call(server, "GET", "/admin/v1/workspaces")["items"][0]["id"]
        retention = f"/admin/v1/workspaces/{space}/retention"
        conversation = call(server, "POST", "/v1/conversation/create")["data"]["id"]
        call(server, "PUT", retention, conversation_days=1, legal_hold=True)
    with closing(sqlite3.connect(tmp_path / "coterie.db")) as database:
        database.execute("UPDATE conversation SET updated_at = updated_at - ?", (_TWO_DAYS,))
        database.commit()
    with running_server(tmp_path) as server:
        until(lambda: _swept(tmp_path), "the sweep")
        assert kept(server)
        call(server, "PUT", retention, conversation_days=1)
    with running_server(tmp_path) as server:
        until(lambda: not kept(server), "the end of what is old")


def _swept(data: Path) -> bool:
    """Tell whether a server took the duty, which it does before it sweeps."""
    with closing(sqlite3.connect(data / "coterie.db")) as database:
        return bool(database.execute("SELECT 1 FROM duty WHERE name = 'retention'").fetchone())
