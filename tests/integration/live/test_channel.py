"""What becomes of things, told to those who may see them, in any process and after a break."""

import asyncio
import json
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest

from application.directory import live
from application.directory.live import (
    LiveBegan,
    LiveEvent,
    LiveReset,
    ModelsChanged,
    ResourceChanged,
    SessionChanged,
)
from domain.directory.value import Change, ChangeType, EntryType
from domain.shared.access import GrantLevel, Principal, Resource, ResourceKind, Role, Share
from domain.shared.error import RateLimited
from domain.shared.ids import AgentId, SpaceId, TokenId, UserId
from tests.integration.live.processes import ADMIN_PATH, Channel, Processes, told
from tests.integration.security.tenants import Tenant
from tests.support.process.in_process import Deployment


def told_of(processes: Processes, revision: int, what: str) -> ResourceChanged:
    return ResourceChanged(
        workspace_id=processes.space,
        resource_type=EntryType.AGENT,
        resource_id=processes.agent,
        revision=revision,
        what=ChangeType(what),
    )


def now_ms(processes: Processes) -> int:
    return int(processes.clock.now().timestamp() * 1000)


async def begun(channel: Channel) -> Channel:
    assert await told(channel) == [LiveBegan()]
    return channel


async def test_a_session_has_two_channels_at_most(processes: Processes) -> None:
    one, two, third, other = (
        processes.left.follow(processes.person(number)) for number in (71, 71, 71, 72)
    )
    async with aclosing(one), aclosing(two), aclosing(other):
        await anext(one)
        await anext(two)
        await anext(other)
        with pytest.raises(RateLimited, match="At most 2"):
            await anext(third)
        await one.aclose()
        again = processes.left.follow(processes.person(71))
        await anext(again)
        await again.aclose()


async def test_channels_end_as_soon_as_their_process_leaves(processes: Processes) -> None:
    async def rest(channel: Channel) -> list[Any]:
        return [each async for each in channel]

    async with aclosing(processes.left.follow(processes.person(71))) as channel:
        await begun(channel)
        waiting = asyncio.create_task(rest(channel))
        await asyncio.sleep(0)

        processes.left.live.end()

        async with asyncio.timeout(live._LOOK_S / 2):
            assert await waiting == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([(5, "changed"), (7, "changed"), (6, "changed")], (7, "changed")),
        ([(1, "created"), (2, "changed")], (2, "created")),
        ([(8, "changed"), (7, "published")], (8, "published")),
        ([(7, "published"), (8, "deleted")], (8, "deleted")),
        ([(8, "deleted"), (9, "changed")], (9, "changed")),
    ],
)
async def test_changes_of_a_thing_are_told_as_one_in_any_process(
    processes: Processes, changes: list[tuple[int, str]], expected: tuple[int, str]
) -> None:
    async with aclosing(processes.right.follow(processes.person(71))) as channel:
        await begun(channel)
        made = [processes.change(revision, ChangeType(what)) for revision, what in changes]
        await processes.changes(processes.left, *made)
        assert await told(channel) == [told_of(processes, *expected)]


def of_token(processes: Processes) -> Principal:
    """Somebody with a token for some agents."""
    person = processes.person(71)
    return replace(
        person, grant=replace(person.grant, agent_ids=frozenset({AgentId(processes.agent)}))
    )


def guest(processes: Processes) -> Principal:
    """Somebody who was granted the agent, and is no member."""
    share = Share(processes.space, GrantLevel.EDIT)
    granted = {Resource(ResourceKind.AGENT, processes.agent): share}
    return replace(processes.person(71), roles={}, shares=granted)


@pytest.mark.parametrize("person", [of_token, guest])
async def test_whoever_may_see_one_agent_hears_of_that_alone(
    processes: Processes, person: Any
) -> None:
    async with aclosing(processes.left.follow(person(processes))) as channel:
        await begun(channel)
        await processes.changes(
            processes.left,
            processes.change(3, id=processes.agent + 1),
            processes.change(3, type=EntryType.WORKFLOW),
            processes.change(3, type=EntryType.PROMPT),
            processes.change(4),
        )
        assert await told(channel) == [told_of(processes, 4, "changed")]


@pytest.mark.parametrize("person", [of_token, guest])
async def test_who_manages_no_workspace_hears_no_notice(processes: Processes, person: Any) -> None:
    async with aclosing(processes.left.follow(person(processes))) as channel:
        await begun(channel)
        await processes.notices(processes.left, processes.notice())
        await processes.changes(processes.left, processes.change(4))
        assert await told(channel) == [told_of(processes, 4, "changed")]


@pytest.mark.parametrize("role", Role)
async def test_notices_are_for_those_who_manage_the_workspace(
    processes: Processes, role: Role
) -> None:
    person = processes.person(71, role)
    mine, theirs = processes.notice(), processes.notice(workspace_id=SpaceId(1))
    async with aclosing(processes.right.follow(person)) as channel:
        await begun(channel)
        await processes.notices(processes.left, theirs, mine)
        await processes.changes(processes.left, processes.change(4))
        heard = await told(channel)

    change = told_of(processes, 4, "changed")
    assert heard == ([mine, change] if role in {Role.OWNER, Role.ADMIN} else [change])


async def test_a_change_of_models_is_told_once_of_each_event_and_after_a_break(
    processes: Processes,
) -> None:
    person = processes.person(71, Role.VIEWER)
    async with aclosing(processes.left.follow(person)) as channel:
        await begun(channel)
        for event_id in ("one", "one", "two"):
            processes.left.live.tell_models(event_id)
        assert await told(channel) == [ModelsChanged()]
        processes.left.live.tell_models("one")
        await processes.changes(processes.left, processes.change(4))
        assert await told(channel) == [told_of(processes, 4, "changed")]
    processes.clock.advance(seconds=10)
    last = now_ms(processes)
    processes.left.live.tell_models("three")
    async with aclosing(processes.left.follow(person, after_ms=last)) as channel:
        assert await told(channel) == [LiveBegan(), ModelsChanged()]


async def test_a_token_for_some_agents_hears_nothing_of_models(processes: Processes) -> None:
    async with aclosing(processes.left.follow(of_token(processes))) as channel:
        await begun(channel)
        processes.left.live.tell_models("one")
        await processes.changes(processes.left, processes.change(4))
        assert await told(channel) == [told_of(processes, 4, "changed")]


async def test_nobody_hears_of_other_workspaces(processes: Processes) -> None:
    elsewhere = replace(processes.person(71), roles={SpaceId(1): Role.OWNER})
    async with aclosing(processes.left.follow(elsewhere)) as channel:
        await begun(channel)
        there = processes.change(5, space_id=SpaceId(1))
        await processes.changes(processes.left, processes.change(4), there)
        (event,) = await told(channel)

    assert isinstance(event, ResourceChanged)
    assert (event.workspace_id, event.revision) == (1, 5)


async def test_what_a_narrower_token_does_not_reach_is_not_told_to_it(
    processes: Processes,
) -> None:
    await processes.opens(processes.left, 71)
    elsewhere = replace(processes.person(71), roles={SpaceId(1): Role.EDITOR})
    async with aclosing(processes.left.follow(elsewhere)) as channel:
        await begun(channel)
        await processes.opens(processes.left, 72)
        await processes.changes(processes.left, processes.change(5, space_id=SpaceId(1)))
        (event,) = await told(channel)

    assert isinstance(event, ResourceChanged)


async def test_what_was_missed_in_a_break_comes_first(processes: Processes) -> None:
    person = processes.person(71)
    async with aclosing(processes.left.follow(person)) as channel:
        await begun(channel)
        processes.clock.advance(seconds=10)
        await processes.changes(processes.left, processes.change(4))
        assert await told(channel) == [told_of(processes, 4, "changed")]
    last = now_ms(processes)
    processes.clock.advance(seconds=60)
    missed = processes.change(7, id=processes.agent + 1, type=EntryType.PROMPT)
    await processes.changes(processes.right, missed, processes.change(6, ChangeType.PUBLISHED))

    async with aclosing(processes.left.follow(person, after_ms=last)) as channel:
        first, agent, prompt = await told(channel)

    assert first == LiveBegan()
    assert isinstance(prompt, ResourceChanged)
    assert (prompt.resource_type, prompt.revision) == (EntryType.PROMPT, 7)
    assert agent == told_of(processes, 6, "published")


async def test_what_was_changed_while_a_page_opened_comes_first_in_any_process(
    processes: Processes,
) -> None:
    person = processes.person(71)

    async def opened(past_ms: int) -> list[LiveEvent]:
        async with aclosing(processes.left.follow(person, past_ms=past_ms)) as channel:
            return await told(channel)

    assert await opened(500) == [LiveBegan(), LiveReset()], "before this process knew anything"
    processes.clock.advance(seconds=30)
    await processes.changes(processes.right, processes.change(4))
    processes.clock.advance(seconds=8)
    assert await opened(7_000) == [LiveBegan(), told_of(processes, 4, "changed")]
    assert await opened(5_000) == [LiveBegan()]


async def test_a_break_that_was_too_long_says_to_read_anew(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = processes.person(71)

    async def resumed(after_ms: int) -> list[Any]:
        async with aclosing(processes.left.follow(person, after_ms=after_ms)) as channel:
            return await told(channel)

    unknown = [LiveBegan(), LiveReset()]
    assert await resumed(now_ms(processes)) == unknown, "before this process knew anything"
    processes.clock.advance(seconds=10)
    last = now_ms(processes)
    assert await resumed(last) == [LiveBegan()]
    await processes.changes(processes.left, processes.change(4))
    assert await resumed(last) == [LiveBegan(), told_of(processes, 4, "changed")]

    processes.clock.advance(seconds=live.KEPT.total_seconds() + 1)
    assert await resumed(last) == [LiveBegan(), told_of(processes, 4, "changed")]
    await processes.changes(processes.left, processes.change(5))
    assert await resumed(last) == unknown, "older than is kept"

    monkeypatch.setattr(live, "MOST_KEPT", 2)
    processes.clock.advance(seconds=10)
    last = now_ms(processes)
    processes.clock.advance(seconds=10)
    for revision in (6, 7):
        await processes.changes(processes.left, processes.change(revision))
    assert await resumed(last) == [LiveBegan(), told_of(processes, 7, "changed")]
    processes.clock.advance(seconds=10)
    await processes.changes(processes.left, processes.change(8))
    assert await resumed(last) == unknown, "more than is kept"


async def test_who_does_not_keep_up_is_told_to_read_anew(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MOST_UNTOLD", 2)
    async with aclosing(processes.left.follow(processes.person(71))) as channel:
        await begun(channel)
        many = [processes.change(4, id=processes.agent + number) for number in range(3)]
        await processes.changes(processes.left, *many)
        reset, last = await told(channel)
        await processes.changes(processes.left, processes.change(5))
        again = await told(channel)

    assert reset == LiveReset()
    assert isinstance(last, ResourceChanged)
    assert last.resource_id == processes.agent + 2
    assert again == [told_of(processes, 5, "changed")]


def step(processes: Processes, number: int = 0) -> Change:
    """Something is read into a base."""
    of_base = {"type": EntryType.DATASET, "id": processes.agent + number}
    return processes.change(0, ChangeType.PROGRESS, **of_base)


def moved(processes: Processes, number: int = 0) -> Change:
    """A run is in another state."""
    of_run = {"type": EntryType.RUN, "id": processes.agent + number}
    return processes.change(0, ChangeType.STATE, **of_run)


def said(events: list[LiveEvent]) -> list[tuple[str, int]]:
    return [
        (each.what.value, each.resource_id) for each in events if isinstance(each, ResourceChanged)
    ]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "GATHER_S", 0.01)


@pytest.mark.usefixtures("quick")
async def test_what_is_passing_is_told_as_one_and_not_kept(processes: Processes) -> None:
    person, agent = processes.person(71), processes.agent
    async with aclosing(processes.right.follow(person)) as channel:
        await begun(channel)
        await asyncio.sleep(0)  # the turn in which the others hear that somebody follows
        runs = [moved(processes, number) for number in range(3)]
        await processes.changes(processes.left, *runs, step(processes), step(processes))
        events = await told(channel)
        while len(events) < 2:
            events += await told(channel)
        assert said(events) == [("state", agent + 2), ("progress", agent)]
    processes.clock.advance(seconds=5)
    last = now_ms(processes)
    async with aclosing(processes.right.follow(person, after_ms=last)) as channel:
        assert await told(channel) == [LiveBegan()]


@pytest.mark.usefixtures("quick")
async def test_what_is_passing_is_sent_only_while_somebody_follows(processes: Processes) -> None:
    await processes.changes(processes.left, step(processes, 1))
    async with aclosing(processes.right.follow(processes.person(71))) as channel:
        await begun(channel)
        await asyncio.sleep(0)
        await processes.changes(processes.left, step(processes))
        assert said(await told(channel)) == [("progress", processes.agent)]
    processes.clock.advance(seconds=live.FOLLOWED.total_seconds())
    await processes.changes(processes.left, step(processes, 1), processes.change(4))

    assert [json.loads(each)[4] for each in processes.sent] == ["progress", "changed"]


@pytest.mark.usefixtures("quick")
async def test_states_of_runs_are_for_those_who_may_read_traces(processes: Processes) -> None:
    viewer = processes.person(71, Role.VIEWER)
    async with aclosing(processes.left.follow(viewer)) as channel:
        await begun(channel)
        await processes.changes(processes.left, moved(processes), step(processes))
        assert said(await told(channel)) == [("progress", processes.agent)]


async def hear_progress(
    deployment: Deployment, owner: Tenant, of: int, *, path: str, document: Any, status: int
) -> None:
    """Send something that is read into a thing, and wait for a word of that."""
    space = SpaceId(int(owner.ids["space"]))
    person = Principal(
        user_id=UserId(1), token_id=TokenId(3), roles={space: Role.VIEWER}, personal_space_id=space
    )
    service = deployment.container.directory().live
    async with aclosing(service.follow(person, for_s=60)) as channel:
        await begun(channel)
        await deployment.call(
            "POST", ADMIN_PATH + path, token=owner.token, document=document, status=status
        )
        while ("progress", of) not in said(await told(channel)):
            pass


async def test_a_document_that_is_read_is_progress_of_its_base(
    deployment: Deployment, owner: Tenant
) -> None:
    base = owner.ids["dataset"]
    text = {"name": "told.txt", "source_info": {"custom_content": "The lamp turns."}}
    path, document = f"/datasets/{base}/documents", {"document_bases": [text]}
    await hear_progress(deployment, owner, int(base), path=path, document=document, status=201)


async def test_a_file_that_is_imported_is_progress_of_its_table(
    deployment: Deployment, owner: Tenant
) -> None:
    table = owner.ids["database"]
    file_id = await deployment.upload(owner.token, b"title\nThe lamp turns.\n", name="told.csv")
    path, document = f"/databases/{table}/imports", {"file_id": file_id}
    await hear_progress(deployment, owner, int(table), path=path, document=document, status=202)


async def test_a_commit_tells_what_it_did(deployment: Deployment, owner: Tenant) -> None:
    space = SpaceId(int(owner.ids["space"]))
    person = Principal(
        user_id=UserId(1), token_id=TokenId(1), roles={space: Role.VIEWER}, personal_space_id=space
    )
    agents = f"{ADMIN_PATH}/workspaces/{space}/agents"

    async def call(method: str, path: str, document: Any = None, status: int = 200) -> Any:
        return await deployment.call(
            method, path, token=owner.token, document=document, status=status
        )

    heard: list[tuple[int, str]] = []
    service = deployment.container.directory().live
    async with aclosing(service.follow(person, for_s=60)) as channel:
        await begun(channel)

        async def hear() -> None:
            (event,) = await told(channel)
            assert isinstance(event, ResourceChanged)
            assert (event.resource_type, event.resource_id) == (EntryType.AGENT, int(made["id"]))
            heard.append((event.revision, event.what.value))

        made = await call("POST", agents, {"name": "told"}, 201)
        await hear()
        one = f"{ADMIN_PATH}/agents/{made['id']}"
        saved = await call("PATCH", one, {"description": "told"})
        await hear()
        await call("DELETE", one, status=204)
        await hear()

        # Its row is deleted at once.
        text = {"name": "told", "prompt_text": "Tell."}
        prompts = f"{ADMIN_PATH}/workspaces/{space}/prompts"
        prompt = await call("POST", prompts, text, 201)
        await told(channel)
        await call("DELETE", f"{prompts}/{prompt['id']}", status=204)
        (gone,) = await told(channel)

    assert heard == [
        (made["revision"], "created"),
        (saved["revision"], "changed"),
        (saved["revision"] + 1, "deleted"),
    ]
    assert isinstance(gone, ResourceChanged)
    assert (gone.resource_type, gone.what) == (EntryType.PROMPT, ChangeType.DELETED)
    assert gone.resource_id == int(prompt["id"])


async def test_whose_rights_change_is_told_so_and_comes_back_with_the_new_ones(
    deployment: Deployment, owner: Tenant, colleague: tuple[str, str]
) -> None:
    _, user_id = colleague
    path = f"{ADMIN_PATH}/workspaces/{owner.ids['space']}/members/{user_id}"
    space = SpaceId(int(owner.ids["space"]))
    person = Principal(
        user_id=UserId(int(user_id)),
        token_id=TokenId(2),
        roles={space: Role.EDITOR},
        personal_space_id=space,
    )
    service = deployment.container.directory().live
    async with aclosing(service.follow(person, for_s=60)) as channel:
        await begun(channel)
        async with asyncio.TaskGroup() as tasks:
            batch = tasks.create_task(told(channel))
            await deployment.call(
                "PATCH", path, token=owner.token, document={"role": "viewer"}, status=200
            )
        assert batch.result() == [SessionChanged()]
        with pytest.raises(StopAsyncIteration):
            await anext(channel)


async def test_a_channel_says_over_http_what_was_missed(
    deployment: Deployment, owner: Tenant
) -> None:
    async def events(since: str) -> list[dict[str, Any]]:
        path = f"{ADMIN_PATH}/live?for_s=0&{since}"
        answer = await deployment.send("GET", path, token=owner.token)
        assert answer.status == 200, str(answer)
        lines = answer.body.decode().splitlines()
        return [json.loads(each.removeprefix("data: ")) for each in lines if "data:" in each]

    for since in ("after=0", "past_ms=31622400000"):
        assert [each["type"] for each in await events(since)] == ["live.began", "reset"]
    for since in ("after=-1", "past_ms=31622400001"):
        wrong = await deployment.send("GET", f"{ADMIN_PATH}/live?{since}", token=owner.token)
        assert wrong.status == 400
