"""Tools of OpenAI clients: which run answers a request, on one process and on two."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from tests.support.client.tool_world import (
    QUESTION,
    World,
    outputs,
    refusal,
    run_of,
    said,
    tool,
    tool_world,
)
from tests.support.process.in_process import ADMIN
from tests.upstream.fixture import RunningUpstream, running_upstream


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


async def test_outputs_go_to_the_run_that_waits(world: World) -> None:
    asked, history = await world.first("mixed")
    before = len(world.model_calls())

    answer = await world.ask("mixed", [*history, *outputs(history[-1])], user=f"user {world.users}")

    assert asked.json["choices"][0]["finish_reason"] == "tool_calls"
    assert asked.json["choices"][0]["message"]["content"] == "Looking."
    assert "x-conversation-id" not in asked.headers
    assert answer.json["choices"][0]["message"]["content"] == "Noted and late."
    assert answer.json["choices"][0]["finish_reason"] == "stop"
    assert run_of(answer) == run_of(asked)
    assert asked.json["id"] == f"chatcmpl-{run_of(asked)}"
    assert answer.json["id"] == f"chatcmpl-{run_of(asked)}-1"
    (sent,) = world.model_calls()[before:]
    assert answer.json["usage"]["prompt_tokens"] < 2 * asked.json["usage"]["prompt_tokens"]
    assert [m["role"] for m in sent["messages"] if m["role"] != "system"] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "tool",
    ]
    (call,) = history[-1]["tool_calls"]
    assert call["id"].startswith("call_")
    assert len(call["id"]) == len("call_") + 24
    assert sent["messages"][-1]["tool_call_id"] == "call_1_1"  # as the model named it


async def test_arguments_may_be_written_otherwise(world: World) -> None:
    asked, history = await world.first("one")
    call = history[-1]["tool_calls"][0]
    call["function"]["arguments"] = json.dumps({"zone": "UTC"}, indent=3)

    answer = await world.ask("one", [*history, *outputs(history[-1])], user=f"user {world.users}")

    assert run_of(answer) == run_of(asked)


@pytest.mark.parametrize("change", ["question", "system", "tools"])
async def test_another_history_begins_a_run_of_its_own(world: World, change: str) -> None:
    asked, history = await world.first("mixed")
    tools = [tool()]
    match change:
        case "question":
            history[0] = {"role": "user", "content": "And now?"}
        case "system":
            history = [{"role": "system", "content": "Be brief."}, *history]
        case _:
            tools = [tool(description="Tells the time.")]
    before = len(world.model_calls())
    user = f"user {world.users}"

    answer = await world.ask("mixed", [*history, *outputs(history[-1])], user=user, tools=tools)
    again = await world.ask("mixed", [*history, *outputs(history[-1])], user=user, tools=tools)

    assert answer.status == 200, str(answer)
    assert len({run_of(each) for each in (asked, answer, again)}) == 3
    assert answer.json["choices"][0]["message"]["content"] == "Noted and late."
    sent = world.model_calls()[before]["messages"]
    assert sum(bool(m.get("tool_calls")) for m in sent) == 3  # own calls stand before


async def test_a_conversation_goes_on_whatever_comes_before(world: World) -> None:
    opened = await world.ask("one", [QUESTION], chatId="", user="ada")
    conversation = opened.headers["x-conversation-id"]
    message = said(opened)

    answer = await world.ask(
        "one",
        [{"role": "user", "content": "Something else"}, message, *outputs(message)],
        conversation_id=conversation,
        user="ada",
        tools=[tool("other")],
    )

    assert answer.json["choices"][0]["message"]["content"] == "It is late."
    assert run_of(answer) == run_of(opened)
    assert answer.headers["x-conversation-id"] == conversation


async def test_a_missing_output_is_named_and_the_run_waits(world: World) -> None:
    asked, history = await world.first("both")
    whole = outputs(history[-1])
    user = f"user {world.users}"

    refused = await world.ask("both", [*history, whole[0]], user=user)
    answer = await world.ask("both", [*history, *whole], user=user)

    assert refusal(refused) == (400, "missing_tool_outputs")
    assert refused.json["error"]["param"] == "messages"
    assert whole[1]["tool_call_id"] in refused.json["error"]["message"]
    assert run_of(answer) == run_of(asked)


@pytest.mark.parametrize("how", ["foreign", "twice"])
async def test_an_output_of_no_call_is_refused(world: World, how: str) -> None:
    _, history = await world.first("one")
    (output,) = outputs(history[-1])
    more = output if how == "twice" else output | {"tool_call_id": "call_other"}

    refused = await world.ask("one", [*history, output, more], user=f"user {world.users}")

    assert refusal(refused) == (400, "invalid_tool_call_id")


async def test_a_loop_of_another_provider_is_taken_over(world: World) -> None:
    call = {"id": "call_0", "type": "function", "function": {"name": "get_time", "arguments": ""}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    output = {"role": "tool", "tool_call_id": "call_0", "content": "noon"}

    answer = await world.ask("one", [QUESTION, message, output])

    assert answer.json["choices"][0]["message"]["content"] == "It is late."


async def test_calls_of_others_are_unknown(world: World) -> None:
    asked, history = await world.first("one")

    answer = await world.ask("one", [*history, *outputs(history[-1])], user="somebody else")
    of_owner = await world.ask("one", [*history, *outputs(history[-1])], user=f"user {world.users}")

    assert run_of(answer) != run_of(asked)
    assert run_of(of_owner) == run_of(asked)


async def test_an_answer_that_was_read_is_made_anew(world: World) -> None:
    _, history = await world.first("one")
    user = f"user {world.users}"
    asked = [*history, *outputs(history[-1])]

    first = await world.ask("one", asked, user=user)
    regenerated = await world.ask("one", asked, user=user)

    assert first.json["id"] != regenerated.json["id"]
    assert regenerated.json["choices"][0]["message"]["content"] == "It is late."


async def test_the_same_key_gives_the_same_answer(world: World) -> None:
    _, history = await world.first("one")
    user = f"user {world.users}"
    asked = [*history, *outputs(history[-1])]
    key = (("Idempotency-Key", f"key {user}"),)

    first = await world.ask("one", asked, user=user, headers=key)
    before = len(world.model_calls())
    repeated = await world.ask("one", asked, user=user, headers=key)

    assert repeated.json["id"] == first.json["id"]
    assert repeated.json["choices"] == first.json["choices"]
    assert repeated.json["usage"] == first.json["usage"]
    assert len(world.model_calls()) == before


async def test_many_at_once_are_one_run(world: World) -> None:
    _, history = await world.first("one")
    user = f"user {world.users}"
    asked = [*history, *outputs(history[-1])]
    before = len(world.model_calls())

    answers = await asyncio.gather(
        *(
            world.ask("one", asked, user=user, headers=(("Idempotency-Key", user),))
            for _ in range(6)
        )
    )

    assert {each.status for each in answers} == {200}
    assert len({each.json["id"] for each in answers}) == 1
    assert len(world.model_calls()) == before + 1


async def test_calls_without_outputs_are_refused_where_the_client_keeps_the_history(
    world: World,
) -> None:
    _, history = await world.first("one")

    refused = await world.ask("one", [*history, QUESTION], user=f"user {world.users}")

    assert refusal(refused) == (400, "missing_tool_outputs")


async def test_a_new_question_in_a_conversation_abandons_the_calls(world: World) -> None:
    opened = await world.ask("one", [QUESTION], chatId="", user="bob")
    conversation = opened.headers["x-conversation-id"]
    message = said(opened)

    answer = await world.ask("one", [QUESTION], conversation_id=conversation, user="bob")
    late = await world.ask("one", outputs(message), conversation_id=conversation, user="bob")

    assert answer.status == 200
    assert run_of(answer) != run_of(opened)
    assert refusal(late)[1] in {"conversation_busy", "invalid_tool_call_id"}


async def test_too_long_an_output_is_refused(world: World) -> None:
    _, history = await world.first("one")
    long = outputs(history[-1], "x" * (1 << 20))

    refused = await world.ask("one", [*history, *long], user=f"user {world.users}")

    assert refusal(refused) == (413, "request_too_large")


async def test_a_conversation_that_waits_takes_outputs_of_its_calls_only(world: World) -> None:
    opened = await world.ask("one", [QUESTION], chatId="", user="eve")
    conversation = opened.headers["x-conversation-id"]
    foreign = {"role": "tool", "tool_call_id": "call_foreign", "content": "x"}

    refused = await world.ask("one", [foreign], conversation_id=conversation, user="eve")

    assert refusal(refused) == (409, "conversation_busy")
    assert refused.headers["x-should-retry"] == "false"


async def test_a_run_may_wait_several_times(world: World) -> None:
    answer, history = await world.first("chain")
    ids = [answer.json["id"]]
    while history[-1].get("tool_calls"):
        history += outputs(history[-1])
        answer = await world.ask("chain", history, user=f"user {world.users}")
        assert answer.status == 200, str(answer)
        ids.append(answer.json["id"])
        history.append(said(answer))

    run = f"chatcmpl-{run_of(answer)}"
    assert ids == [run, f"{run}-1", f"{run}-2"]
    assert history[-1]["content"] == "Done."


async def test_streams_carry_calls_one_after_the_other(world: World) -> None:
    world.users += 1
    answer = await world.ask(
        "both",
        [QUESTION],
        stream=True,
        stream_options={"include_usage": True},
        user=f"user {world.users}",
    )
    frames = [json.loads(line[6:]) for line in answer.text.splitlines() if "{" in line]
    deltas = [frame["choices"][0]["delta"] for frame in frames if frame["choices"]]
    pieces = [delta["tool_calls"][0] for delta in deltas if "tool_calls" in delta]

    assert [piece["index"] for piece in pieces] == [0, 0, 1, 1]
    assert ["id" in piece for piece in pieces] == [True, False, True, False]
    assert pieces[0]["function"] == {"name": "get_time", "arguments": ""}
    assert json.loads(pieces[1]["function"]["arguments"]) == {"zone": "UTC"}
    assert "name" not in pieces[1]["function"]
    assert frames[-2]["choices"][0]["finish_reason"] == "tool_calls"
    assert frames[-1]["usage"]["total_tokens"] > 0


async def test_steps_are_told_to_those_who_ask(world: World) -> None:
    told, _ = await world.first("mixed", headers=(("Coterie-Include", "steps"),))
    plain, _ = await world.first("mixed")

    steps = told.json["choices"][0]["message"]["coterie_steps"]
    assert (steps[0]["kind"], steps[0]["name"]) == ("tool", "setKeywordMemory")
    assert "coterie_steps" not in plain.json["choices"][0]["message"]


async def test_one_call_at_a_time(world: World) -> None:
    _, history = await world.first("both", parallel_tool_calls=False)

    assert len(history[-1]["tool_calls"]) == 1


async def test_no_choice_leaves_the_tools_of_the_client_out(world: World) -> None:
    answer = await world.ask("one", [QUESTION], tool_choice="none")

    assert answer.status == 200
    assert not answer.json["choices"][0]["message"].get("tool_calls")


async def test_a_tool_may_have_the_name_of_one_of_the_agents(world: World) -> None:
    before = len(world.model_calls())
    answer = await world.ask("one", [QUESTION], tools=[tool(), tool("setKeywordMemory")])

    assert answer.status == 200
    names = [each["function"]["name"] for each in world.model_calls()[before]["tools"]]
    assert {"setKeywordMemory", "setKeywordMemory_2"} <= set(names)


async def test_an_agent_may_refuse_tools_of_clients(world: World) -> None:
    path = f"/admin/v1/agents/{world.agents['chain']}"
    process = world.processes[0]
    publish = {"connector_ids": ["1024"], "description": "test"}
    for policy, status in (("deny", 403), ("allow", 200)):
        await process.call("PATCH", path, token=ADMIN, document={"openai_tools": policy})
        await process.call("POST", f"{path}/publish", token=ADMIN, document=publish)
        answer = await world.ask("chain", [QUESTION])
        assert answer.status == status, str(answer)
        if status == 403:
            assert refusal(answer) == (403, "client_tools_not_allowed")
