"""Who else has something open: over HTTP, and between the processes of a deployment."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from application.directory import presence
from application.directory.presence import (
    LiveEvent,
    PresenceChanged,
    PresenceService,
    Present,
    ResourceChanged,
)
from application.shared.reply_stream import TimedEvent
from domain.directory.error import EntryNotFound
from domain.directory.value import Change, EntryType
from domain.shared.access import Principal, Role
from domain.shared.error import RateLimited
from domain.shared.ids import SpaceId, TokenId, UserId
from infra.impl.signal.local import LocalSignals
from tests.integration.security.tenants import Tenant, make_tenant
from tests.support.clock import FrozenClock
from tests.support.process.in_process import ADMIN, Deployment, running

ADMIN_PATH = "/admin/v1"
NOBODY: dict[str, Any] = {"people": []}


@pytest.fixture(scope="module")
async def deployment(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Deployment, None]:
    async with running(tmp_path_factory.mktemp("presence"), {}) as made:
        yield made


@pytest.fixture(scope="module")
async def owner(deployment: Deployment) -> Tenant:
    return await make_tenant(deployment, "presence-owner")


@pytest.fixture(scope="module")
async def colleague(deployment: Deployment, owner: Tenant) -> tuple[str, str]:
    """Token and id of somebody who edits in the same workspace."""
    document: dict[str, Any] = {"name": "presence-colleague"}
    made = await deployment.call(
        "POST", f"{ADMIN_PATH}/users", token=ADMIN, document=document, status=201
    )
    document = {"user_id": made["user"]["id"], "role": "editor"}
    path = f"{ADMIN_PATH}/workspaces/{owner.ids['space']}/members"
    await deployment.call("POST", path, token=owner.token, document=document, status=201)
    return made["token"], made["user"]["id"]


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


async def next_of(channel: AsyncGenerator[list[TimedEvent[LiveEvent]], None]) -> Any:
    return await anext(channel)


class Processes:
    """Two processes that hear each other, with a clock that moves when it is told to."""

    def __init__(self, deployment: Deployment, owner: Tenant) -> None:
        self.clock = FrozenClock(datetime(2026, 5, 1, 9, tzinfo=UTC))
        self.signals = LocalSignals()
        self.agent = int(owner.ids["agent"])
        self.space = SpaceId(int(owner.ids["space"]))
        self.left, self.right = (
            PresenceService(
                directory=deployment.container.directory().directory,
                signals=self.signals,
                clock=self.clock,
                is_draining=lambda: False,
            )
            for _ in range(2)
        )

    def person(self, number: int) -> Principal:
        return Principal(
            user_id=UserId(number),
            token_id=TokenId(number),
            roles={self.space: Role.EDITOR},
            personal_space_id=self.space,
        )

    async def opens(
        self, service: PresenceService, number: int, *, is_open: bool = True
    ) -> Sequence[Present]:
        found = await service.report(
            self.person(number), EntryType.AGENT, self.agent, window="", is_open=is_open
        )
        await asyncio.sleep(0)  # the turn in which signals arrive
        return found


@pytest.fixture
async def processes(deployment: Deployment, owner: Tenant) -> AsyncGenerator[Processes, None]:
    made = Processes(deployment, owner)
    await made.signals.start()
    yield made
    await made.signals.aclose()


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


async def test_a_channel_tells_of_coming_and_going_in_any_process(processes: Processes) -> None:
    await processes.opens(processes.left, 71)
    async with aclosing(processes.right.follow(processes.person(71), for_s=60)) as channel:
        await anext(channel)
        for is_open, expected in ((True, [72]), (False, [])):
            async with asyncio.TaskGroup() as tasks:
                batch = tasks.create_task(next_of(channel))
                await processes.opens(processes.left, 72, is_open=is_open)
            (told,) = batch.result()
            assert isinstance(told.event, PresenceChanged)
            assert [each.user_id for each in told.event.people] == expected


async def test_a_session_has_two_channels_at_most(processes: Processes) -> None:
    one, two, third, other = (
        processes.left.follow(processes.person(number), for_s=60) for number in (71, 71, 71, 72)
    )
    async with aclosing(one), aclosing(two), aclosing(other):
        await anext(one)
        await anext(two)
        await anext(other)
        with pytest.raises(RateLimited, match="At most 2"):
            await anext(third)
        await one.aclose()
        again = processes.left.follow(processes.person(71), for_s=60)
        await anext(again)
        await again.aclose()


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
        await processes.left.report(
            processes.person(72), EntryType.AGENT, processes.agent, window=str(number), is_open=True
        )

    found = await processes.opens(processes.left, 73)

    assert [each.user_id for each in found] == [71, 72]


async def test_what_is_not_there_is_open_before_nobody(processes: Processes) -> None:
    with pytest.raises(EntryNotFound):
        await processes.left.report(
            processes.person(71), EntryType.AGENT, 1, window="", is_open=True
        )
    assert await processes.opens(processes.left, 72) == ()


def changed(processes: Processes, revision: int) -> Change:
    return Change(
        type=EntryType.AGENT, id=processes.agent, space_id=processes.space, revision=revision
    )


async def test_a_change_reaches_who_has_it_open_in_any_process(processes: Processes) -> None:
    await processes.opens(processes.left, 71)
    async with aclosing(processes.right.follow(processes.person(71), for_s=60)) as channel:
        await anext(channel)
        async with asyncio.TaskGroup() as tasks:
            batch = tasks.create_task(next_of(channel))
            for revision in (5, 7, 6):
                processes.left.tell_change(changed(processes, revision))
        (told,) = batch.result()

    assert told.event == ResourceChanged(
        workspace_id=processes.space,
        resource_type="agent",
        resource_id=processes.agent,
        revision=7,
        is_deleted=False,
    )


async def test_changes_are_told_to_nobody_who_has_something_else_open(
    processes: Processes,
) -> None:
    await processes.opens(processes.left, 71)
    await processes.opens(processes.left, 72)
    async with aclosing(processes.right.follow(processes.person(72), for_s=60)) as channel:
        await anext(channel)
        await anext(channel)  # who is there
        await processes.opens(processes.left, 72, is_open=False)
        processes.left.tell_change(changed(processes, 5))
        await asyncio.sleep(0)
        async with asyncio.TaskGroup() as tasks:
            batch = tasks.create_task(next_of(channel))
            await processes.opens(processes.left, 72)
        (told,) = batch.result()

    assert isinstance(told.event, PresenceChanged)


async def test_a_narrower_token_hears_nothing_of_what_another_one_has_open(
    processes: Processes,
) -> None:
    await processes.opens(processes.left, 71)
    whole = processes.person(71)
    elsewhere = replace(whole, token_id=TokenId(171), roles={SpaceId(1): Role.EDITOR})
    async with (
        aclosing(processes.left.follow(whole, for_s=60)) as heard,
        aclosing(processes.left.follow(elsewhere, for_s=60)) as silent,
    ):
        await anext(heard)
        await anext(silent)
        nothing = asyncio.ensure_future(anext(silent))
        async with asyncio.TaskGroup() as tasks:
            batch = tasks.create_task(next_of(heard))
            processes.left.tell_change(changed(processes, 5))
        await processes.opens(processes.left, 72)
        await anext(heard)  # both were woken by both
        nothing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await nothing

    assert isinstance(batch.result()[0].event, ResourceChanged)


async def test_a_commit_tells_of_the_revision_that_it_made(
    deployment: Deployment, owner: Tenant
) -> None:
    agent = owner.ids["agent"]
    service = deployment.container.directory().presences
    me = (await deployment.call("GET", f"{ADMIN_PATH}/auth/me", token=owner.token))["id"]
    person = Principal(
        user_id=UserId(int(me)),
        token_id=TokenId(1),
        roles={SpaceId(int(owner.ids["space"])): Role.EDITOR},
        personal_space_id=SpaceId(int(owner.ids["space"])),
    )
    await opens(deployment, owner.token, agent)
    async with aclosing(service.follow(person, for_s=60)) as channel:
        await anext(channel)
        async with asyncio.TaskGroup() as tasks:
            batch = tasks.create_task(next_of(channel))
            saved = await deployment.call(
                "PATCH",
                f"{ADMIN_PATH}/agents/{agent}",
                token=owner.token,
                document={"description": "told"},
            )
        (told,) = batch.result()
    await opens(deployment, owner.token, agent, is_open=False)

    assert isinstance(told.event, ResourceChanged)
    assert (told.event.resource_id, told.event.revision) == (int(agent), saved["revision"])
    assert not told.event.is_deleted
