"""More to do than can be done: what was begun is served, the rest is told to come back."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.chaos.crowd import Crowd, Reply
from tests.chaos.invariants import NO_SANDBOX
from tests.support.process.server import RunningServer, running_server
from tests.support.wait import until_so

SPARE_FILES = 12
"""Descriptors that a server may open once and keep: connections to its database, to models."""


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[RunningServer]:
    """A server that stores one run at a time and lets nobody wait for long."""
    environ = {
        **NO_SANDBOX,
        "COTERIE_LIMITS__RUN_STARTS": "1",
        "COTERIE_LIMITS__RUN_WAIT_S": "0.001",
        "COTERIE_LIMITS__OVERLOAD_LAG_S": "0",  # nobody is refused because the machine is slow
    }
    with running_server(tmp_path, environ) as server:
        yield server


async def test_a_crowd_is_served_in_part_and_the_rest_is_told_to_come_back(
    impatient: RunningServer,
) -> None:
    crowd = Crowd(impatient)
    await crowd.ask("chat")
    before = crowd.open_files()
    async with asyncio.TaskGroup() as group:
        for _ in range(5):
            for _ in range(20):
                group.create_task(crowd.ask("chat"))
            await asyncio.sleep(0.02)  # the line has to be old before anybody is refused

    assert all(reply.is_served or reply.is_refused for reply in crowd.replies)
    assert any(reply.is_served for reply in crowd.replies)
    refused = [reply for reply in crowd.replies if not reply.is_served]
    assert {reply.status for reply in refused} == {429}
    assert f'{{reason="line",traffic="chat"}} {len(refused)}' in metrics(impatient)
    await recovered(crowd, impatient, open_files=before)


def test_in_need_only_health_and_cancelling_are_served(tmp_path: Path) -> None:
    environ = {
        **NO_SANDBOX,
        "COTERIE_LIMITS__OVERLOAD_LAG_S": "0.000000001",
        "COTERIE_LIMITS__OVERLOAD_REQUESTS": "0",
        "COTERIE_LIMITS__OVERLOAD_AFTER_S": "0",
    }
    with (
        running_server(tmp_path, environ) as server,
        httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http,
    ):

        async def everything() -> dict[str, Reply]:
            crowd = Crowd(server)
            await until_so(lambda: _is_refused(crowd), "overload", pause_s=0.1)
            kinds = ("health", "cancel", "list", "chat", "upload")
            return {kind: await crowd.ask(kind) for kind in kinds}

        found = asyncio.run(everything())
        openai = http.post("/v1/chat/completions", json={"model": "m", "messages": []})
        text = metrics(server)

    assert found["health"].status == 200
    assert found["cancel"].status == 404
    for kind in ("list", "chat", "upload"):
        assert found[kind].is_refused, found[kind]
        assert b'"code":5002' in found[kind].body
        assert b"overloaded" in found[kind].body
    assert openai.status_code == 503
    assert openai.json()["error"]["message"]
    for traffic in ("read", "chat", "ingest"):
        assert f'coterie_shed_total{{reason="lag",traffic="{traffic}"}}' in text


async def _is_refused(crowd: Crowd) -> bool:
    # Requests are counted while they are in progress, so one alone is never too many.
    async with asyncio.TaskGroup() as group:
        asked = [group.create_task(crowd.ask("list")) for _ in range(3)]
    return all(each.result().is_refused for each in asked)


@pytest.mark.long
async def test_three_times_the_capacity_is_served_or_told_to_come_back(tmp_path: Path) -> None:
    with running_server(tmp_path, NO_SANDBOX) as server:
        crowd = Crowd(server)
        await crowd.busy("chat", "list", clients=16, for_s=4)
        before = crowd.open_files()
        capacity = await crowd.busy("chat", "list", clients=16, for_s=8)

        await crowd.rush("chat", "list", per_s=3 * capacity, for_s=20)

        replies = crowd.replies
        statuses = Counter((reply.kind, reply.status) for reply in replies)
        assert all(reply.is_served or reply.is_refused for reply in replies), statuses
        assert any(not reply.is_served for reply in replies), statuses
        assert {reply.kind for reply in replies if reply.is_served} == {"chat", "list"}, statuses
        await recovered(crowd, server, open_files=before)


async def recovered(crowd: Crowd, server: RunningServer, *, open_files: int) -> None:
    """Wait until everything is served as if nothing had been."""

    async def is_well() -> bool:
        replies = [await crowd.ask(kind) for kind in ("chat", "list")]
        text = metrics(server)
        return (
            all(reply.is_served for reply in replies)
            and "coterie_run_active 0" in text
            and "coterie_sse_subscribers 0" in text
            and crowd.open_files() <= open_files + SPARE_FILES
        )

    await until_so(is_well, "recovery", pause_s=0.1)


def metrics(server: RunningServer) -> str:
    return httpx.get(f"{server.url}/metrics", timeout=60).text
