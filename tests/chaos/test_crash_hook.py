"""A server that dies between a visitor's question and its answer: the hook of the link is told."""

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import httpx

from tests.chaos.life import living_server
from tests.support.process.server import TOKEN
from tests.support.wait import until
from tests.support.web.service import Asked, Service
from tests.upstream.fixture import RunningUpstream

DIES = "chat.accept.committed"


def test_a_hook_is_told_of_a_run_whose_server_died(
    tmp_path: Path, upstream: RunningUpstream
) -> None:
    ends: list[Any] = []

    def answer(asked: Asked) -> tuple[int, str, bytes]:
        body = json.loads(asked.body)
        if asked.target.endswith("/finish"):
            ends.append(body)
        said = {"success": True, "data": {"uid": "customer-1"}}
        return 200, "application/json", json.dumps(said).encode()

    with Service(answer).listening() as hook:
        environ = {
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_MODEL": "echo",
            "COTERIE_EGRESS__ALLOW_PRIVATE": hook.host,
        }
        with living_server(tmp_path, environ, dying_at=DIES) as life:
            code = _link(life.url, f"{hook.url}/h")
            with httpx.Client(base_url=f"{life.url}/s/{code}/api", timeout=60) as visitor:
                shown = {"user_token": "the site says so"}
                token = visitor.post("/session", json=shown).raise_for_status().json()["token"]
                with suppress(httpx.TransportError):
                    visitor.post(
                        "/chats",
                        json={"content": "Hello"},
                        headers={"Authorization": f"Bearer {token}"},
                    )
            life.dies_at(DIES)
        assert not ends
        with closing(sqlite3.connect(tmp_path / "coterie.db")) as database:
            database.execute("DELETE FROM duty")  # a minute later the dead server's leases are over
            database.commit()
        with living_server(tmp_path, environ):
            until(lambda: ends, "the end that the hook is told of")

    assert (ends[0]["token"], ends[0]["status"]) == ("the site says so", "failed")


def _link(url: str, hook_url: str) -> str:
    """Make a link with a hook to the agent of the first start."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=f"{url}/admin/v1/workspaces", headers=headers, timeout=60) as admin:
        space = admin.get("").raise_for_status().json()["items"][0]["id"]
        agent = admin.get(f"/{space}/agents").raise_for_status().json()["items"][0]["id"]
        link = {
            "target_type": "agent",
            "target_id": agent,
            "settings": {"name": "Help"},
            "auth": "hook",
            "hook_url": hook_url,
        }
        made = admin.post(f"/{space}/share-links", json=link).raise_for_status().json()
        return str(made["code"])
