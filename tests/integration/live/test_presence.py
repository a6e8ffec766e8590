"""Who else has something open: over HTTP, and between the processes of a deployment."""

import asyncio
import json
from contextlib import aclosing
from typing import Any

import pytest

from application.directory import presence
from application.directory.presence import PresenceChanged
from domain.directory.error import EntryNotFound
from domain.directory.value import EntryType
from tests.integration.live.processes import ADMIN_PATH, Processes, told
from tests.integration.security.tenants import Tenant, make_tenant
from tests.support.process.in_process import Deployment

NOBODY: dict[str, Any] = {"people": []}


async def opens(
    deployment: Deployment, token: str, agent: str, *, is_open: bool = True, window: str = "1"
) -> dict[str, Any]:
    document = {"type": "agent", "id": agent, "is_open": is_open, "window": window}
    answer: dict[str, Any] = await deployment.call(
        "PUT", f"{ADMIN_PATH}/presence", token=token, document=document
    )
    return answer


async def told_now(deployment: Deployment, token: str) -> list[dict[str, Any]]:
    """What a channel says at once, without the word that it is open."""
    answer = await deployment.send("GET", f"{ADMIN_PATH}/live?for_s=0", token=token)
    assert answer.status == 200, str(answer)
    lines = answer.body.decode().splitlines()
    events = [json.loads(each.removeprefix("data: ")) for each in lines if each.startswith("data:")]
    assert events[0]["type"] == "live.began"
    return events[1:]


async def test_people_see_who_else_has_the_same_open(
    deployment: Deployment, owner: Tenant, colleague: tuple[str, str]
) -> None:
    token, user_id = colleague
    agent = owner.ids["agent"]

    assert await opens(deployment, owner.token, agent) == NOBODY
    assert await opens(deployment, owner.token, agent, window="2") == NOBODY
    (first,) = (await opens(deployment, token, agent))["people"]
    (other,) = (await opens(deployment, owner.token, agent))["people"]
    assert other["user_id"] == user_id
    assert first["user_id"] != user_id
    assert first["since"] <= other["since"]

    (event,) = await told_now(deployment, owner.token)
    assert (event["type"], event["resource_type"], event["resource_id"]) == (
        "presence",
        "agent",
        agent,
    )
    assert event["workspace_id"] == owner.ids["space"]
    assert event["people"] == [other]

    await opens(deployment, owner.token, agent, is_open=False)
    assert (await opens(deployment, token, agent))["people"] == [first], "in another window"
    await opens(deployment, owner.token, agent, is_open=False, window="2")
    assert await opens(deployment, token, agent) == NOBODY
    await opens(deployment, token, agent, is_open=False)
    assert await told_now(deployment, token) == []


async def test_nobody_learns_who_works_in_other_workspaces(
    deployment: Deployment, owner: Tenant
) -> None:
    stranger = await make_tenant(deployment, "presence-stranger")
    await opens(deployment, owner.token, owner.ids["agent"])

    document = {"type": "agent", "id": owner.ids["agent"]}
    refused = await deployment.send(
        "PUT", f"{ADMIN_PATH}/presence", token=stranger.token, document=document
    )

    assert refused.status == 404
    assert await told_now(deployment, stranger.token) == []
    await opens(deployment, owner.token, owner.ids["agent"], is_open=False)


async def test_processes_tell_each_other_and_forget_who_says_nothing_more(
    processes: Processes,
) -> None:
    began = int(processes.clock.now().timestamp())
    await processes.opens(processes.left, 71)
    processes.clock.advance(seconds=40)
    (seen,) = await processes.opens(processes.right, 72)
    assert (seen.user_id, seen.since) == (71, began)

    await processes.opens(processes.right, 71)  # says it again, to whichever process
    processes.clock.advance(seconds=40)
    (seen,) = await processes.opens(processes.left, 72)
    assert (seen.user_id, seen.since) == (71, began)

    processes.clock.advance(seconds=6)
    assert await processes.opens(processes.left, 72) == ()


async def test_who_changes_windows_has_been_there_all_along(processes: Processes) -> None:
    began = int(processes.clock.now().timestamp())
    await processes.opens(processes.left, 71, window="1")
    processes.clock.advance(seconds=5)
    await processes.opens(processes.right, 71, window="2")
    await processes.opens(processes.left, 71, window="1", is_open=False)

    (seen,) = await processes.opens(processes.left, 72)

    assert (seen.user_id, seen.since) == (71, began)


async def test_a_channel_tells_of_coming_and_going_in_any_process(processes: Processes) -> None:
    await processes.opens(processes.left, 71)
    async with aclosing(processes.right.follow(processes.person(71))) as channel:
        await anext(channel)
        for is_open, expected in ((True, [72]), (False, [])):
            async with asyncio.TaskGroup() as tasks:
                batch = tasks.create_task(told(channel))
                await processes.opens(processes.left, 72, is_open=is_open)
            (event,) = batch.result()
            assert isinstance(event, PresenceChanged)
            assert [each.user_id for each in event.people] == expected


async def test_what_a_process_knows_is_bounded(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "_MOST", 3)
    for number in range(71, 76):
        await processes.opens(processes.left, number)

    found = await processes.opens(processes.left, 75)

    assert [each.user_id for each in found] == [73, 74]


async def test_one_person_pushes_out_nobody_else(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "_MOST", 6)
    monkeypatch.setattr(presence, "_MOST_OF_ONE", 3)
    await processes.opens(processes.left, 71)
    for number in range(5):
        await processes.left.presences.report(
            processes.person(72), EntryType.AGENT, processes.agent, window=str(number), is_open=True
        )

    found = await processes.opens(processes.left, 73)

    assert [each.user_id for each in found] == [71, 72]


async def test_what_is_not_there_is_open_before_nobody(processes: Processes) -> None:
    with pytest.raises(EntryNotFound):
        await processes.left.presences.report(
            processes.person(71), EntryType.AGENT, 1, window="", is_open=True
        )
    assert await processes.opens(processes.left, 72) == ()
