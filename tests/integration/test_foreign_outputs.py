"""Outputs of tools that are handed in for something else than what asked for them."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest

from tests.support.client.tool_world import (
    QUESTION,
    World,
    outputs,
    run_of,
    said,
    tool_world,
)
from tests.support.process.in_process import ADMIN, Answer
from tests.upstream.fixture import RunningUpstream, running_upstream


@dataclass(frozen=True)
class Waiting:
    """A conversation whose run waits for the client."""

    agent: str
    user: str
    key: str
    conversation: str
    run: str
    message: Mapping[str, Any]
    """What the assistant said last: its calls."""


@pytest.fixture(scope="module")
def upstream() -> Any:
    with running_upstream() as found:
        yield found


@pytest.fixture(scope="module", params=["one"])
async def world(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    upstream: RunningUpstream,
) -> AsyncGenerator[World]:
    async with tool_world(request, tmp_path_factory, upstream) as found:
        yield found


async def waiting(world: World, *, agent: str, user: str) -> Waiting:
    world.users += 1
    key = f"key {world.users}"
    asked = await world.ask(agent, [QUESTION], chatId=key, user=user)
    conversation = asked.headers["x-conversation-id"]
    return Waiting(agent, user, key, conversation, run_of(asked), said(asked))


Way = Callable[[World, Waiting, Waiting], Awaitable[Answer]]
"""Hands the outputs of the second in at the place of the first."""


async def by_id(world: World, place: Waiting, of: Waiting) -> Answer:
    given = outputs(dict(of.message))
    return await world.ask(place.agent, given, user=place.user, conversation_id=place.conversation)


async def by_header(world: World, place: Waiting, of: Waiting) -> Answer:
    headers = (("X-Conversation-Id", place.conversation),)
    given = outputs(dict(of.message))
    return await world.ask(place.agent, given, user=place.user, headers=headers)


async def by_key(world: World, place: Waiting, of: Waiting) -> Answer:
    given = outputs(dict(of.message))
    return await world.ask(place.agent, given, user=place.user, chatId=place.key)


async def by_new_key(world: World, place: Waiting, of: Waiting) -> Answer:
    given = outputs(dict(of.message))
    return await world.ask(place.agent, given, user=place.user, chatId=f"new {place.key}")


async def by_response(world: World, place: Waiting, of: Waiting) -> Answer:
    items = [
        {"type": "function_call_output", "call_id": each["tool_call_id"], "output": "12:00"}
        for each in outputs(dict(of.message))
    ]
    return await world.respond(place.agent, items, user=place.user, conversation=place.conversation)


async def by_run(world: World, place: Waiting, of: Waiting) -> Answer:
    return await submitted(world, place.conversation, place.run, of)


async def by_foreign_run(world: World, place: Waiting, of: Waiting) -> Answer:
    return await submitted(world, place.conversation, of.run, of)


async def submitted(world: World, conversation: str, run: str, of: Waiting) -> Answer:
    given = [
        {"tool_call_id": each["tool_call_id"], "output": "12:00"}
        for each in outputs(dict(of.message))
    ]
    return await world.processes[0].send(
        "POST",
        f"/v3/chat/submit_tool_outputs?conversation_id={conversation}&chat_id={run}",
        token=ADMIN,
        document={"tool_outputs": given},
    )


WAYS: Final[tuple[Way, ...]] = (
    by_id,
    by_header,
    by_key,
    by_new_key,
    by_response,
    by_run,
    by_foreign_run,
)
OTHERS: Final[Mapping[str, Mapping[str, str]]] = {
    "conversation": {},
    "agent": {"agent": "both"},
    "user": {"user": "somebody else"},
}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("other", OTHERS)
async def test_outputs_go_to_no_other_place(world: World, way: Way, other: str) -> None:
    world.users += 1
    mine = {"agent": "one", "user": f"user {world.users}"}
    asked = await waiting(world, **mine)
    elsewhere = await waiting(world, **{**mine, **OTHERS[other]})

    refused = await way(world, elsewhere, asked)
    still = await by_key(world, asked, asked)

    assert refused.status in {400, 404, 409}, str(refused)
    assert run_of(still) == asked.run
    assert still.json["choices"][0]["message"]["content"] == "It is late."


@pytest.mark.parametrize("way", [by_id, by_header, by_key, by_response])
async def test_outputs_go_to_their_own_place(world: World, way: Way) -> None:
    world.users += 1
    asked = await waiting(world, agent="one", user=f"user {world.users}")

    answer = await way(world, asked, asked)

    assert answer.status == 200, str(answer)
    assert run_of(answer) == asked.run
