"""Tools of clients in responses: which run answers, and what each response of a run tells."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from typing import Any

import pytest

from tests.support.client.tool_world import (
    CLOCK,
    World,
    flat_tool,
    refusal,
    run_of,
    said,
    tool_world,
)
from tests.support.process.in_process import ADMIN, Answer
from tests.upstream.fixture import RunningUpstream, running_upstream

QUESTION = {"role": "user", "content": "What time is it?"}
Items = list[dict[str, Any]]


@pytest.fixture(scope="module")
def upstream() -> Any:
    with running_upstream() as found:
        yield found


@pytest.fixture(scope="module", params=["one", "two"])
async def world(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    upstream: RunningUpstream,
) -> AsyncGenerator[World]:
    async with tool_world(request, tmp_path_factory, upstream) as found:
        yield found


@pytest.fixture
def user(world: World) -> str:
    world.users += 1
    return f"user {world.users}"


def calls_of(answer: Answer) -> Items:
    return [item for item in answer.json["output"] if item["type"] == "function_call"]


def text_of(answer: Answer) -> str:
    assert answer.status == 200, str(answer)
    return "\n".join(
        part["text"]
        for item in answer.json["output"]
        if item["type"] == "message"
        for part in item["content"]
    )


def outputs(answer: Answer, text: str = "12:00") -> Items:
    return [
        {"type": "function_call_output", "call_id": call["call_id"], "output": f"{text} {at}"}
        for at, call in enumerate(calls_of(answer))
    ]


def events_of(text: str) -> Items:
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]


class Follower:
    """Goes on after a response in one of the ways that clients have."""

    def __init__(self, how: str) -> None:
        self.how = how
        self._input: Items = [QUESTION]

    def request(self, answer: Answer, items: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Return input and reference of the next request."""
        told = answer.json
        match self.how:
            case "previous":
                return {"given": [*items], "previous_response_id": told["id"]}
            case "conversation":
                return {"given": [*items], "conversation": told["conversation"]["id"]}
            case _:
                self._input += [*told["output"], *items]
                return {"given": self._input, "store": self.how == "stateless"}


WAYS = ["previous", "conversation", "stateless", "unstored"]


@pytest.mark.parametrize("how", WAYS)
async def test_outputs_go_to_the_run_that_waits(world: World, user: str, how: str) -> None:
    follower = Follower(how)
    first = await world.respond("mixed", [QUESTION], user=user, store=how != "unstored")
    before = len(world.model_calls())
    second = await world.respond("mixed", **follower.request(first, outputs(first)), user=user)

    assert (first.json["status"], second.json["status"]) == ("completed", "completed")
    assert [item["type"] for item in first.json["output"]] == ["message", "function_call"]
    assert first.json["output"][0]["phase"] == "commentary"
    assert text_of(second) == "Noted and late."
    assert run_of(second) == run_of(first)
    assert second.json["id"] == f"{first.json['id']}_1"
    assert len(world.model_calls()) == before + 1
    assert second.json["usage"]["input_tokens"] < 2 * first.json["usage"]["input_tokens"]
    assert json.loads(calls_of(first)[0]["arguments"]) == CLOCK["arguments"]


@pytest.mark.parametrize("how", WAYS)
async def test_a_run_may_wait_several_times(world: World, user: str, how: str) -> None:
    follower = Follower(how)
    answers = [await world.respond("chain", [QUESTION], user=user, store=how != "unstored")]
    while calls_of(answers[-1]):
        more = follower.request(answers[-1], outputs(answers[-1]))
        answers.append(await world.respond("chain", **more, user=user))
        assert answers[-1].status == 200, str(answers[-1])

    run = answers[0].json["id"]
    assert [each.json["id"] for each in answers] == [run, f"{run}_1", f"{run}_2"]
    assert [len(calls_of(each)) for each in answers] == [1, 1, 0]
    assert text_of(answers[-1]) == "Done."
    if how != "unstored":
        for each in answers:
            assert (await world.fetch(each.json["id"])).json == each.json


async def test_a_stream_tells_of_calls_one_after_the_other(world: World, user: str) -> None:
    answer = await world.respond("both", [QUESTION], user=user, stream=True)
    events = events_of(answer.text)
    ended = events[-1]["response"]
    kinds = [event["type"].removeprefix("response.") for event in events]

    call = [
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
    ]
    assert kinds == ["created", "in_progress", *call, *call, "completed"]
    assert events[2]["item"]["arguments"] == ""
    assert json.loads(events[4]["arguments"]) == CLOCK["arguments"]
    assert [item["name"] for item in ended["output"]] == ["get_time", "get_time"]

    given = [
        {"type": "function_call_output", "call_id": item["call_id"], "output": "late"}
        for item in ended["output"]
    ]
    rest = events_of(
        (
            await world.respond(
                "both", given, previous_response_id=ended["id"], user=user, stream=True
            )
        ).text
    )
    assert [event["type"] for event in rest[:2]] == ["response.created", "response.in_progress"]
    assert rest[0]["response"]["id"] == f"{ended['id']}_1"
    assert rest[0]["sequence_number"] > events[-1]["sequence_number"]
    assert rest[-1]["response"]["output"][0]["content"][0]["text"] == "Both are known."


async def test_each_response_of_a_run_is_told_by_itself(world: World, user: str) -> None:
    """Also those that the run left behind: as they were, live, again, and after any event."""
    texts: list[str] = []
    given: Items = [QUESTION]
    more: dict[str, Any] = {}
    while not texts or "function_call" in texts[-1]:
        answer = await world.respond("chain", given, user=user, stream=True, **more)
        texts.append(answer.text)
        ended = events_of(answer.text)[-1]["response"]
        more = {"previous_response_id": ended["id"]}
        given = [
            {"type": "function_call_output", "call_id": item["call_id"], "output": "late"}
            for item in ended["output"]
            if item["type"] == "function_call"
        ]

    assert len(texts) == 3
    for text in texts:
        events = events_of(text)
        name = events[-1]["response"]["id"]
        again = await world.fetch(name, "?stream=true")
        assert "coterie-stream" not in again.headers
        assert events_of(again.text) == events
        for at, event in enumerate(events):
            number = event["sequence_number"]
            rest = await world.fetch(name, f"?stream=true&starting_after={number}")
            assert events_of(rest.text) == events[at + 1 :]
        assert (await world.fetch(name)).json == events[-1]["response"]


async def test_a_background_response_waits_and_goes_on(world: World, user: str) -> None:
    made = await world.respond("one", [QUESTION], user=user, background=True)
    first = await until_over(world, made)
    more = {"previous_response_id": first.json["id"], "background": True}
    second = await until_over(world, await world.respond("one", outputs(first), user=user, **more))

    assert made.json["status"] == "queued"
    assert [item["type"] for item in first.json["output"]] == ["message", "function_call"]
    assert text_of(second) == "It is late."
    assert (await world.fetch(first.json["id"])).json == first.json


async def until_over(world: World, made: Answer) -> Answer:
    async with asyncio.timeout(60):
        while True:
            found = await world.fetch(made.json["id"])
            if found.json["status"] not in {"queued", "in_progress"}:
                return found
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("how", WAYS)
async def test_a_missing_output_is_named_and_the_run_waits(
    world: World, user: str, how: str
) -> None:
    first = await world.respond("both", [QUESTION], user=user, store=how != "unstored")
    whole = outputs(first)

    refused = await world.respond("both", **Follower(how).request(first, whole[:1]), user=user)
    answer = await world.respond("both", **Follower(how).request(first, whole), user=user)

    assert refusal(refused) == (400, "missing_tool_outputs")
    assert refused.json["error"]["param"] == "input"
    assert whole[1]["call_id"] in refused.json["error"]["message"]
    assert text_of(answer) == "Both are known."
    assert run_of(answer) == run_of(first)


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("wrong", ["foreign", "twice"])
async def test_an_output_of_no_call_is_refused(
    world: World, user: str, how: str, wrong: str
) -> None:
    first = await world.respond("one", [QUESTION], user=user, store=how != "unstored")
    (output,) = outputs(first)
    more = output if wrong == "twice" else output | {"call_id": "call_other"}
    given = [output, more] if wrong == "twice" else [more]

    refused = await world.respond("one", **Follower(how).request(first, given), user=user)

    assert refused.status in {400, 409}, str(refused)
    assert refusal(refused)[1] in {"invalid_tool_call_id", "conversation_busy"}


@pytest.mark.parametrize("how", WAYS)
async def test_other_outputs_later_are_a_run_of_their_own(
    world: World, user: str, how: str
) -> None:
    if how == "conversation":
        pytest.skip("a conversation goes on behind its last response only")
    first = await world.respond("chain", [QUESTION], user=user, store=how != "unstored")
    request = Follower(how).request(first, outputs(first))
    second = await world.respond("chain", **request, user=user)
    before = len(world.model_calls())
    other = await world.respond(
        "chain", **Follower(how).request(first, outputs(first, "noon")), user=user
    )

    assert run_of(second) == run_of(first) != run_of(other)
    assert len(calls_of(other)) == 1
    (sent,) = world.model_calls()[before:]
    assert [m["role"] for m in sent["messages"] if m["role"] != "system"] == [
        "user",
        "assistant",
        "tool",
    ]
    assert "noon 0" in sent["messages"][-1]["content"]


async def test_a_branch_behind_a_response_has_the_calls_before_it(world: World, user: str) -> None:
    answers = [await world.respond("chain", [QUESTION], user=user)]
    for _ in range(2):
        more = {"previous_response_id": answers[-1].json["id"], "user": user}
        answers.append(await world.respond("chain", outputs(answers[-1]), **more))
    before = len(world.model_calls())
    other = await world.respond(
        "chain",
        outputs(answers[1], "noon"),
        previous_response_id=answers[1].json["id"],
        user=user,
    )

    assert text_of(other) == "Done."
    assert other.json["conversation"] != answers[1].json["conversation"]
    (sent,) = world.model_calls()[before:]
    roles = [m["role"] for m in sent["messages"] if m["role"] != "system"]
    assert roles == ["user", "assistant", "tool", "assistant", "tool"]


async def test_a_question_behind_a_response_leaves_its_calls(world: World, user: str) -> None:
    first = await world.respond("one", [QUESTION], user=user)
    more = {"previous_response_id": first.json["id"], "user": user}
    asked = await world.respond("one", "Never mind. Who are you?", **more)
    late = await world.respond("one", outputs(first), **more)

    assert asked.status == 200, str(asked)
    assert run_of(asked) != run_of(first)
    assert text_of(late) == "It is late."
    assert run_of(late) not in {run_of(first), run_of(asked)}
    assert (await world.fetch(first.json["id"])).json == first.json


async def test_the_same_key_gives_the_same_response(world: World, user: str) -> None:
    first = await world.respond("one", [QUESTION], user=user)
    request = {**Follower("previous").request(first, outputs(first)), "user": user}
    key = (("Idempotency-Key", f"key {user}"),)

    answers = await asyncio.gather(
        *(world.respond("one", **request, headers=key) for _ in range(6))
    )
    before = len(world.model_calls())
    again = await world.respond("one", **request, headers=key)

    assert {each.status for each in answers} == {200}, [str(each) for each in answers]
    assert len({each.json["id"] for each in (*answers, again)}) == 1
    assert again.json["output"] == answers[0].json["output"]
    assert len(world.model_calls()) == before


async def test_an_answer_that_waits_again_is_told_where_the_run_waited_before(
    world: World, user: str
) -> None:
    first = await world.respond("chain", [QUESTION], user=user)
    request = {**Follower("previous").request(first, outputs(first)), "user": user}
    key = (("Idempotency-Key", f"key {user}"),)

    second = await world.respond("chain", **request, headers=key)  # by the other process
    again = await world.respond("chain", **request, headers=key)

    assert len(calls_of(second)) == 1
    assert again.json["id"] == second.json["id"]
    assert again.json["output"] == second.json["output"]


async def test_a_reference_stands_for_a_call(world: World, user: str) -> None:
    first = await world.respond("one", [QUESTION], user=user)
    references = [{"type": "item_reference", "id": item["id"]} for item in first.json["output"]]

    second = await world.respond("one", [QUESTION, *references, *outputs(first)], user=user)

    assert text_of(second) == "It is late."
    assert run_of(second) == run_of(first)


@pytest.mark.parametrize("is_stored", [True, False])
async def test_what_is_kept_does_not_go_on_unkept(world: World, user: str, is_stored: bool) -> None:
    first = await world.respond("one", [QUESTION], user=user, store=is_stored)
    given = [QUESTION, *first.json["output"], *outputs(first)]

    second = await world.respond("one", given, user=user, store=not is_stored)

    assert text_of(second) == "It is late."
    assert run_of(second) != run_of(first)
    assert (await world.fetch(second.json["id"])).status == (404 if is_stored else 200)


async def test_outputs_come_last_or_with_their_calls(world: World, user: str) -> None:
    first = await world.respond("one", [QUESTION], user=user)
    more = {"previous_response_id": first.json["id"], "user": user}

    refused = await world.respond("one", [*outputs(first), QUESTION], **more)
    answer = await world.respond("one", outputs(first), **more)

    assert refusal(refused) == (400, "invalid_tool_call_id")
    assert text_of(answer) == "It is late."


async def test_completions_go_on_with_a_response(world: World, user: str) -> None:
    first = await world.respond("one", [QUESTION], user=user, store=False)
    (call,) = calls_of(first)
    function = {"name": call["name"], "arguments": call["arguments"]}
    message = {
        "role": "assistant",
        "content": text_of(first),
        "tool_calls": [{"id": call["call_id"], "type": "function", "function": function}],
    }
    output = {"role": "tool", "tool_call_id": call["call_id"], "content": "late"}

    answer = await world.ask("one", [QUESTION, message, output], user=user)

    assert said(answer)["content"] == "It is late."
    assert run_of(answer) == run_of(first)


async def test_other_outputs_are_a_conflict_while_the_run_goes_on(world: World, user: str) -> None:
    first = await world.respond("stuck", [QUESTION], user=user)
    more = {"previous_response_id": first.json["id"], "background": True, "user": user}
    second = await world.respond("stuck", outputs(first), **more)
    (call,) = calls_of(first)
    message = {"role": "tool", "tool_call_id": call["call_id"], "content": "noon"}

    refused = [
        await world.respond("stuck", outputs(first, "noon"), **more),
        await world.respond(
            "stuck", outputs(first, "noon"), conversation=first.json["conversation"], user=user
        ),
        await world.ask(
            "stuck", [message], conversation_id=first.headers["x-conversation-id"], user=user
        ),
    ]
    same = await world.respond("stuck", outputs(first), **more)
    process = world.processes[0]
    name = second.json["id"]
    ended = await process.send("POST", f"/v1/responses/{name}/cancel", token=ADMIN)

    for each in refused:
        assert refusal(each) == (409, "tool_outputs_conflict")
        assert each.headers["x-should-retry"] == "false"
    assert same.json["id"] == second.json["id"] == f"{first.json['id']}_1"
    assert ended.status == 200, str(ended)


@pytest.mark.parametrize(
    ("more", "calls"),
    [
        ({"tool_choice": "none"}, 0),
        ({"parallel_tool_calls": False}, 1),
        ({"tool_choice": {"type": "function", "name": "get_time"}}, 2),
        ({"tool_choice": "required"}, 2),
    ],
    ids=str,
)
async def test_the_choice_of_tools_is_kept(
    world: World, user: str, more: dict[str, Any], calls: int
) -> None:
    answer = await world.respond("both", [QUESTION], user=user, **more)

    assert answer.status == 200, str(answer)
    assert len(calls_of(answer)) == calls


async def test_tools_that_are_not_allowed_are_not_offered(world: World, user: str) -> None:
    before = len(world.model_calls())
    allowed = {
        "type": "allowed_tools",
        "mode": "auto",
        "tools": [{"type": "function", "name": "get_time"}],
    }
    await world.respond(
        "one", [QUESTION], user=user, tools=[flat_tool(), flat_tool("other")], tool_choice=allowed
    )

    names = {each["function"]["name"] for each in world.model_calls()[before]["tools"]}
    assert "get_time" in names
    assert "other" not in names


async def test_arguments_of_strict_tools_fit_or_fail(world: World, user: str) -> None:
    schema = {
        "type": "object",
        "properties": {"zone": {"type": "integer"}},
        "required": ["zone"],
        "additionalProperties": False,
    }
    tools = [{"type": "function", "name": "get_time", "parameters": schema, "strict": True}]

    refused = await world.respond("chain", [QUESTION], user=user, tools=tools)

    assert refusal(refused) == (502, "tool_arguments_invalid")


@pytest.mark.parametrize("last", [[], [{"role": "assistant", "content": "Hello"}]], ids=str)
async def test_something_must_be_asked(world: World, user: str, last: Items) -> None:
    refused = await world.respond("one", last, user=user)

    assert refusal(refused) == (400, "invalid_value")
    assert refused.json["error"]["param"] == "input"
