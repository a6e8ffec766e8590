"""Chats of the console over HTTP, in process: states of an agent, and conversations of try-outs."""

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.process.in_process import ADMIN, Answer, Deployment, running
from tests.support.workflow.canvas import ENTRY, answering, canvas, field, ref, text
from tests.upstream.fixture import RunningUpstream, running_upstream

CLOCK = {"name": "get_time", "arguments": {}}


@dataclass
class Bench:
    """A deployment with an agent whose states follow different plans."""

    deployment: Deployment
    upstream: RunningUpstream
    agent: str

    async def send(self, method: str, path: str, document: object = None) -> Answer:
        return await self.deployment.send(
            method, f"/admin/v1{path}", token=ADMIN, document=document
        )

    async def call(self, method: str, path: str, document: object = None, status: int = 200) -> Any:
        return await self.deployment.call(
            method, f"/admin/v1{path}", token=ADMIN, document=document, status=status
        )

    async def ask(self, **body: Any) -> dict[str, Any]:
        """Begin a chat; its events say how it ended."""
        begun = await self.call("POST", f"/agents/{self.agent}/chats", body, status=202)
        return {**begun, "events": await self.events(begun["run_id"])}

    async def events(self, run_id: str, after: int = 0) -> list[tuple[int, dict[str, Any]]]:
        answer = await self.send("GET", f"/runs/{run_id}/events?after={after}")
        frames = [frame.split("\n") for frame in answer.text.split("\n\n") if frame[:3] == "id:"]
        return [(int(each[0][4:]), json.loads(each[2][6:])) for each in frames]

    async def plan(self, *steps: dict[str, Any]) -> None:
        prompt = {"prompt": {"text": f"<plan>{json.dumps(steps)}</plan>"}}
        await self.call("PATCH", f"/agents/{self.agent}", prompt)

    def told(self) -> list[str]:
        """What the model was told last, without instructions."""
        messages = self.upstream.requests(model="planned")[-1].body["messages"]
        return [each["content"] for each in messages if each["role"] != "system"]


@pytest.fixture(scope="module")
async def bench(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Bench]:
    with running_upstream() as upstream:
        async with running(tmp_path_factory.mktemp("bench"), {}) as deployment:
            found = Bench(deployment, upstream, "")
            space = (await found.call("GET", "/workspaces"))["items"][0]["id"]
            model = {
                "display": {"name": "planned"},
                "connection": {"base_url": upstream.base_url, "model": "planned"},
            }
            made = await found.call("POST", "/models", model, status=201)
            agent = {
                "name": "Tried",
                "model": {"model_id": made["id"]},
                "client_tools": [{"name": "get_time", "description": "The time"}],
                "suggest_reply": {"mode": "disable"},
            }
            found.agent = (
                await found.call("POST", f"/workspaces/{space}/agents", agent, status=201)
            )["id"]
            yield found


def answer_of(chat: dict[str, Any]) -> str:
    said = [
        event["message"]["text"]
        for _, event in chat["events"]
        if event["type"] == "message.completed" and event["message"]["kind"] == "answer"
    ]
    return "\n".join(said)


def ending_of(chat: dict[str, Any]) -> str:
    return str(chat["events"][-1][1]["type"])


async def test_each_state_of_an_agent_answers(bench: Bench) -> None:
    published = []
    for word in ("first", "second"):
        await bench.plan({"say": word})
        body = {"connector_ids": ["1024"], "description": word}
        published.append(await bench.call("POST", f"/agents/{bench.agent}/publish", body))
    await bench.plan({"say": "draft"})

    versions = ["draft", published[0]["version"], published[1]["version"], None]
    said = [answer_of(await bench.ask(version=each, content="Hello")) for each in versions]

    assert said == ["draft", "first", "second", "second"]
    unknown = await bench.send(
        "POST", f"/agents/{bench.agent}/chats", {"version": "never", "content": "Hello"}
    )
    assert unknown.status == 404


async def test_a_shortcut_asks_its_own_text_with_what_was_filled_in(bench: Bench) -> None:
    await bench.plan({"say": "Gladly."})
    made = await bench.call(
        "POST",
        f"/agents/{bench.agent}/shortcuts",
        {
            "name": "Route",
            "send_type": "panel",
            "template_query": "The way to {{to}}",
            "components": [{"name": "to"}],
        },
        status=201,
    )
    chosen = {"command_id": made["id"], "parameters": {"to": "Narvik"}}

    alone = await bench.ask(version="draft", shortcut_command=chosen)
    assert (answer_of(alone), bench.told()) == ("Gladly.", ["The way to Narvik"])
    worded = await bench.ask(version="draft", shortcut_command=chosen, content="To Narvik, please")
    assert (ending_of(worded), bench.told()) == ("run.completed", ["To Narvik, please"])
    path = f"/agents/{bench.agent}/chats"
    unknown = {"version": "draft", "shortcut_command": {"command_id": "7"}, "content": "x"}
    assert (await bench.send("POST", path, unknown)).status == 404


async def test_overrides_hold_for_one_answer(bench: Bench) -> None:
    await bench.plan({"say": "as written"})
    overrides = {
        "prompt": '<plan>[{"say": "as tried"}]</plan>',
        "parameters": {"temperature": 0.25, "max_tokens": 77},
    }

    tried = await bench.ask(version="draft", content="Hello", overrides=overrides)
    sent = bench.upstream.requests(model="planned")[-1].body

    assert answer_of(tried) == "as tried"
    assert (sent["temperature"], sent["max_tokens"]) == (0.25, 77)
    assert answer_of(await bench.ask(version="draft", content="Hello")) == "as written"


async def test_events_go_on_behind_any_number(bench: Bench) -> None:
    chat = await bench.ask(version="draft", content="Hello")

    for number, _ in chat["events"]:
        rest = await bench.events(chat["run_id"], after=number)
        assert rest == [each for each in chat["events"] if each[0] > number] or chat["events"][-1:]


async def test_a_run_waits_for_outputs_and_goes_on(bench: Bench) -> None:
    await bench.plan({"calls": [CLOCK]}, {"say": "Late."})
    chat = await bench.ask(version="draft", content="What time is it?")
    assert ending_of(chat) == "run.requires_action"
    waits = chat["events"][-1][1]["run"]["waits_for"]

    outputs = [{"id": each, "output": "12:00"} for each in waits["output_ids"]]
    path = f"/runs/{chat['run_id']}/tool-outputs"
    await bench.call("POST", path, {"outputs": outputs}, status=202)
    chat["events"] = await bench.events(chat["run_id"], after=chat["events"][-1][0])

    assert ending_of(chat) == "run.completed"
    assert answer_of(chat) == "Late."
    assert (await bench.send("POST", path, {"outputs": outputs})).status == 409


async def test_a_run_is_stopped(bench: Bench) -> None:
    await bench.plan({"stalls": True})
    begun = await bench.call(
        "POST", f"/agents/{bench.agent}/chats", {"version": "draft", "content": "Hi"}, status=202
    )

    stopped = await bench.call("POST", f"/runs/{begun['run_id']}/cancel")

    assert stopped["status"] == "canceled"
    assert (await bench.events(begun["run_id"]))[-1][1]["type"] == "run.canceled"


async def test_the_last_answer_is_given_again(bench: Bench) -> None:
    await bench.plan({"say": "before"})
    chat = await bench.ask(version="draft", content="Say it")
    await bench.plan({"say": "after"})
    where = {"version": "draft", "conversation_id": chat["conversation_id"]}

    again = await bench.ask(**where, regenerate=chat["run_id"])
    edited = await bench.ask(**where, regenerate=again["run_id"], content="Say more")

    assert (answer_of(again), answer_of(edited)) == ("after", "after")
    assert bench.told() == ["Say more"]
    path = f"/conversations/{chat['conversation_id']}/messages?order=asc"
    shown = (await bench.call("GET", path))["items"]
    assert [each["content"] for each in shown] == ["Say more", "after"]
    assert shown[0]["id"] == edited["message_id"]
    refused = await bench.send(
        "POST", f"/agents/{bench.agent}/chats", {"version": "draft", "regenerate": chat["run_id"]}
    )
    assert refused.status == 400


async def test_a_fork_has_what_was_said_before(bench: Bench) -> None:
    await bench.plan({"say": "well"})
    first = await bench.ask(version="draft", content="One")
    where = {"version": "draft", "conversation_id": first["conversation_id"]}
    second = await bench.ask(**where, content="Two")

    path = f"/conversations/{first['conversation_id']}/fork"
    body = {"before_message_id": second["message_id"]}
    fork = await bench.call("POST", path, body, status=201)
    asked = await bench.ask(version="draft", conversation_id=fork["id"], content="Three")

    assert bench.told() == ["One", "well", "Three"]
    assert asked["conversation_id"] == fork["id"]
    listed = await bench.call(
        "GET", f"/conversations/{first['conversation_id']}/messages?order=asc"
    )
    assert [each["content"] for each in listed["items"]] == ["One", "well", "Two", "well"]


async def test_tries_are_listed_apart(bench: Bench) -> None:
    chat = await bench.ask(version="draft", content="Hello")

    listed = {}
    for scene in ("api", "playground"):
        path = f"/conversations?agent_id={bench.agent}&scene={scene}&limit=100"
        found = (await bench.call("GET", path))["items"]
        listed[scene] = chat["conversation_id"] in {each["id"] for each in found}

    assert listed == {"api": False, "playground": True}


async def test_answers_are_rated_and_deleted(bench: Bench) -> None:
    await bench.plan({"say": "well"})
    chat = await bench.ask(version="draft", content="Hello")
    conversation = f"/conversations/{chat['conversation_id']}"
    shown = (await bench.call("GET", f"{conversation}/messages"))["items"]
    answer = f"{conversation}/messages/{shown[0]['id']}"

    verdict = {"feedback_type": "unlike", "reason_types": ["wrong"], "comment": "No."}
    assert (await bench.send("PUT", f"{answer}/feedback", verdict)).status == 204
    rated = [{"message_id": shown[0]["id"], "feedback_type": "unlike"}]
    assert (await bench.call("GET", f"{conversation}/messages"))["feedback"] == rated
    assert (await bench.send("DELETE", f"{answer}/feedback")).status == 204
    assert (await bench.call("GET", f"{conversation}/messages"))["feedback"] == []
    changed = await bench.call("PATCH", answer, {"content": "Better"})
    assert changed["content"] == "Better"
    assert (await bench.send("DELETE", answer)).status == 204
    assert (await bench.call("PATCH", conversation, {"name": "Kept"}))["name"] == "Kept"
    await bench.call("POST", f"{conversation}/clear")
    assert (await bench.send("DELETE", conversation)).status == 204
    assert (await bench.send("GET", conversation)).status == 404


async def test_a_chat_flow_answers_as_its_draft_stands(bench: Bench) -> None:
    space = (await bench.call("GET", "/workspaces"))["items"][0]["id"]
    says = answering("{{said}} for {{who}}", said=ref(ENTRY, "USER_INPUT"), who=ref(ENTRY, "who"))
    inputs = [field("USER_INPUT", "string"), field("who", "string")]
    body = {"schema": canvas(says, entry=inputs), "name": "Tried", "mode": 3}
    made = await bench.call("POST", f"/workspaces/{space}/workflows:import", body, status=201)
    path = f"/workflows/{made['workflow']['id']}"

    question = {"version": "draft", "content": "Tea", "parameters": {"who": "Ann"}}
    first = await bench.call("POST", f"{path}/chats", question, status=202)
    assert answer_of({"events": await bench.events(first["run_id"])}) == "Tea for Ann"
    where = {"version": "draft", "conversation_id": first["conversation_id"]}
    again = {**where, "regenerate": first["run_id"], "parameters": {"who": "Ben"}}
    second = await bench.call("POST", f"{path}/chats", again, status=202)
    assert answer_of({"events": await bench.events(second["run_id"])}) == "Tea for Ben"

    kept = await bench.call("GET", f"/conversations/{first['conversation_id']}/messages?order=asc")
    assert [each["content"] for each in kept["items"]] == ["Tea", "Tea for Ben"]
    runs = (await bench.call("GET", f"{path}/runs"))["items"]
    assert {each["conversation_id"] for each in runs} == {first["conversation_id"]}
    unpublished = await bench.send("POST", f"{path}/chats", {"content": "Tea"})
    assert unpublished.status == 404
    both = await bench.send("POST", f"{path}/chats", {"agent_id": "1", "app_id": "2"})
    assert both.status == 400


async def test_fixed_outputs_stand_for_nodes_of_a_chat_flow(bench: Bench) -> None:
    space = (await bench.call("GET", "/workspaces"))["items"][0]["id"]
    says = answering("{{said}}", said=ref("t", "output"))
    drawn = canvas(text("t", "made"), says, entry=[field("USER_INPUT", "string")])
    body = {"schema": drawn, "name": "Fixed", "mode": 3}
    made = await bench.call("POST", f"/workspaces/{space}/workflows:import", body, status=201)
    chats = f"/workflows/{made['workflow']['id']}/chats"

    async def answered(**mocks: object) -> str:
        question = {"version": "draft", "content": "Tea", "mocks": mocks}
        begun = await bench.call("POST", chats, question, status=202)
        return answer_of({"events": await bench.events(begun["run_id"])})

    assert await answered() == "made"
    assert await answered(t={"output": "fixed"}) == "fixed"

    for refused in (
        {"version": "draft", "mocks": {"gone": {"output": "x"}}},
        {"version": "draft", "mocks": {"t": {"other": "x"}}},
    ):
        answer = await bench.send("POST", chats, {"content": "Tea", **refused})
        assert answer.status == 400, str(answer)
        assert "mocks" in answer.text
