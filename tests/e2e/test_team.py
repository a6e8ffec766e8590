"""Agents that work together, with unmodified Coze client code where it shows."""

import json
from typing import Any

import httpx
import pytest
from cozepy import Coze, Message, MessageType
from cozepy.bots import BotMode

from tests.support.client.chat import Talk
from tests.support.client.seed import Seed
from tests.upstream.fixture import RunningUpstream

Agent = dict[str, Any]
LOCATE = {"name": "locate", "description": "Where the user is."}


def bound(agent_id: str, name: str = "", kind: str = "delegate", **more: Any) -> Agent:
    return {"agent_id": agent_id, "kind": kind, "name": name, **more}


@pytest.fixture
def make(seed: Seed) -> Any:
    """Make a published agent by name and behaviour of its model."""

    def agent(name: str, behaviour: str, *agents: Agent, **config: Any) -> str:
        model = {"model_id": seed.model(behaviour)}
        return seed.new_agent(name, model=model, agents=list(agents), **config)

    return agent


@pytest.fixture(scope="module")
def said(seed: Seed) -> str:
    """An agent that says the same always."""
    return seed.new_agent("Oracle", model={"model_id": seed.model("says-forty-two")})


def told(client: httpx.Client, chat: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Names and data of all events of a run."""
    text = client.get(f"/v1/runs/{chat['id']}/events").text
    blocks = [block.splitlines() for block in text.strip().split("\n\n")]
    return [
        (lines[1].removeprefix("event: "), json.loads(lines[2].removeprefix("data: ")))
        for lines in blocks
        if len(lines) == 3
    ]


def speakers(talk: Talk, chat: dict[str, Any]) -> list[str]:
    """Which agent gave each answer of a chat, as clients read it."""
    ids = {"conversation_id": chat["conversation_id"], "chat_id": chat["id"]}
    found = talk.http.get("/v3/chat/message/list", params=ids).json()["data"]
    return [
        json.loads(each["meta_data"]["bot_state"])["agent_name"]
        for each in found
        if each["type"] == "answer"
    ]


def refusal(client: httpx.Client, agent_id: str, **config: Any) -> tuple[int, str, str]:
    body = client.patch(f"/admin/v1/agents/{agent_id}", json=config).json()
    return body["code"], body["error"]["detail"], body["msg"]


def test_delegates_work_side_by_side_with_a_context_of_their_own(
    coze: Coze, client: httpx.Client, make: Any, said: str, upstream: RunningUpstream
) -> None:
    scout = make("Scout", "asks-oracle", bound(said, "oracle"))
    lead = make(
        "Lead",
        "asks-scout+oracle+setKeywordMemory",
        bound(scout, "scout"),
        bound(said, "oracle", description="Knows numbers."),
        variables=[{"key": "note"}],
    )

    question = Message.build_user_question_text("How many?")
    chat = coze.chat.create_and_poll(bot_id=lead, user_id="ada", additional_messages=[question])

    messages = list(chat.messages or ())
    answers = [each.content for each in messages if each.type == MessageType.ANSWER]
    assert answers[0].startswith("Told: Told: forty two / forty two / ")
    calls = [each for each in messages if each.type == MessageType.FUNCTION_CALL]
    assert len(calls) == 3  # those of the scout are no messages of this conversation
    asked = [each.body for each in upstream.requests(model="asks-oracle")]
    assert [m["content"] for m in asked[0]["messages"] if m["role"] == "user"] == ["How many?"]
    events = told(client, {"id": chat.chat.id})
    paths = [
        [each["name"] for each in data["agent_path"]]
        for name, data in events
        if name == "agent.started"
    ]
    assert sorted(paths) == [["Oracle"], ["Scout"], ["Scout", "Oracle"]]
    inner = [data for name, data in events if name == "tool.started" and "agent_path" in data]
    assert [each["name"] for each in inner] == ["oracle"]
    scouted = next(
        data for name, data in events if name == "agent.ended" and len(data["agent_path"]) == 1
    )
    assert not scouted["is_error"]
    assert chat.chat.usage
    steps = [data for name, data in events if name == "step.ended"]
    used = sum(each["usage"]["input_tokens"] + each["usage"]["output_tokens"] for each in steps)
    assert chat.chat.usage.token_count == used


def test_a_conversation_stays_with_whom_it_was_handed_to(
    talk: Talk, coze: Coze, make: Any, upstream: RunningUpstream
) -> None:
    expert = make("Expert", "says-I-know")
    front = make("Front", "asks-hand_off_to_expert", bound(expert, "expert", "hand_off"))

    assert coze.bots.retrieve(bot_id=front).bot_mode == BotMode.MULTI_AGENT
    first = talk.ask(front, "Help")
    assert talk.answers(first) == ["I know"]
    assert speakers(talk, first) == ["Expert"]
    asked = len(upstream.requests(model="asks-hand_off_to_expert"))
    place = {"conversation_id": first["conversation_id"]}
    second = talk.ask(front, "More", **place)
    assert (talk.answers(second), speakers(talk, second)) == (["I know"], ["Expert"])
    assert len(upstream.requests(model="asks-hand_off_to_expert")) == asked
    seen = upstream.requests(model="says-I-know")[-1].body["messages"]
    assert "Help" in [each["content"] for each in seen]

    talk.http.post(f"/v1/conversations/{first['conversation_id']}/clear")
    talk.ask(front, "Again", **place)
    assert len(upstream.requests(model="asks-hand_off_to_expert")) > asked


def test_passing_back_and_forth_ends_with_an_answer(
    talk: Talk, client: httpx.Client, make: Any
) -> None:
    second = make("Pong", "always-hand_back")
    first = make("Ping", "always-hand_off_to_pong", bound(second, "pong", "hand_off"))

    chat = talk.ask(first, "Who is it?")

    assert chat["status"] == "completed"
    assert talk.answers(chat) == ["Enough of hand_back."]
    switches = [data["name"] for name, data in told(client, chat) if name == "agent.switched"]
    assert switches == ["Pong", "Ping", "Pong", "Ping", "Pong"]


def submitted(talk: Talk, chat: dict[str, Any], output: str) -> dict[str, Any]:
    """Submit the output of the one call that a chat waits for, and wait for its end."""
    assert chat["status"] == "requires_action", chat
    (call,) = chat["required_action"]["submit_tool_outputs"]["tool_calls"]
    ids = {"conversation_id": chat["conversation_id"], "chat_id": chat["id"]}
    body = {"tool_outputs": [{"tool_call_id": call["id"], "output": output}]}
    talk.http.post("/v3/chat/submit_tool_outputs", params=ids, json=body)
    return talk.wait(chat)


def test_a_client_tool_after_a_hand_off_goes_back_to_the_same_agent(talk: Talk, make: Any) -> None:
    guide = make("Guide", "asks-locate", client_tools=[LOCATE])
    front = make("Desk", "asks-hand_off_to_guide", bound(guide, "guide", "hand_off"))

    chat = talk.ask(front, "Where am I?")

    assert submitted(talk, chat, "In Rome")["status"] == "completed"
    assert talk.answers(chat) == ["Told: In Rome"]
    assert speakers(talk, chat) == ["Guide"]


def test_a_hand_off_beside_a_client_tool_happens_once_its_output_is_there(
    talk: Talk, make: Any
) -> None:
    guide = make("Guide", "says-follow-me")
    agents = bound(guide, "guide", "hand_off")
    front = make("Desk", "asks-locate+hand_off_to_guide", agents, client_tools=[LOCATE])

    chat = talk.ask(front, "Where am I?")
    assert talk.answers(chat) == []

    assert submitted(talk, chat, "In Rome")["status"] == "completed"
    assert (talk.answers(chat), speakers(talk, chat)) == (["follow me"], ["Guide"])


def test_a_spent_budget_ends_in_an_answer_of_everybody(talk: Talk, make: Any, said: str) -> None:
    eager = make("Eager", "always-oracle", bound(said, "oracle"))
    lead = make("Boss", "asks-eager", bound(eager, "eager"))

    chat = talk.ask(lead, "Work")

    assert talk.answers(chat) == ["Told: Enough of oracle."]


def test_calls_nest_three_deep(talk: Talk, make: Any, upstream: RunningUpstream) -> None:
    below = make("Deep 4", "says-too-deep")
    for depth in (3, 2, 1):
        below = make(f"Deep {depth}", f"asks-next+at{depth}", bound(below, "next"))
    top = make("Deep 0", "asks-next", bound(below, "next"))

    chat = talk.ask(top, "Dig")

    assert chat["status"] == "completed"
    assert upstream.requests(model="asks-next+at3")
    assert not upstream.requests(model="says-too-deep")


def test_cancelling_ends_what_was_called(talk: Talk, make: Any, upstream: RunningUpstream) -> None:
    slow = make("Slow", "stall-after-7")
    lead = make("Waiting", "asks-slow", bound(slow, "slow"))
    chat = talk.start(lead, "Go")
    inner = upstream.wait_request("stall-after-7")

    assert talk.cancel(chat).json()["data"]["status"] == "canceled"
    upstream.wait_closed(inner)


def test_agents_that_are_gone_or_fail_are_told_to_the_model(
    talk: Talk, seed: Seed, make: Any, said: str
) -> None:
    gone = make("Gone", "says-here")
    broken = make("Broken", "error-400")
    lead = make(
        "Stoic",
        "asks-gone+broken+oracle",
        bound(gone, "gone"),
        bound(broken, "broken"),
        bound(said, "oracle"),
    )
    seed.call("DELETE", f"/agents/{gone}")

    (answer,) = talk.answers(talk.ask(lead, "Go"))

    parts = answer.split(" / ")
    assert parts[0].startswith("Told: There is no tool of this name.")
    assert "forty" not in parts[1]
    assert parts[2] == "forty two"


def test_published_agents_call_the_versions_they_were_published_with(
    talk: Talk, seed: Seed, make: Any
) -> None:
    worker = make("Worker", "says-old")
    lead = make("Locked", "asks-worker", bound(worker, "worker"))
    new = {"model": {"model_id": seed.model("says-new")}}
    seed.call("PATCH", f"/agents/{worker}", new)
    seed.publish(worker)

    assert talk.answers(talk.ask(lead, "Go")) == ["Told: old"]
    shown = seed.call("GET", f"/agents/{lead}")
    assert shown["agents"][0]["agent_name"] == "Worker"
    assert not shown["agents"][0]["version"]
    versions = seed.call("GET", f"/agents/{lead}/versions")["items"]
    locked = seed.call("GET", f"/agents/{lead}/versions/{versions[0]['version']}")
    assert locked["agent"]["agents"][0]["version"]
    seed.publish(lead)
    assert talk.answers(talk.ask(lead, "Go")) == ["Told: new"]


def test_a_router_chooses_by_words_and_by_model(talk: Talk, seed: Seed, make: Any) -> None:
    bills = make("Bills", "says-about-bills")
    tech = make("Tech", "says-about-tech")
    agents = [bound(bills, "bills", "route"), bound(tech, "tech", "route")]
    rules = [{"agent_id": bills, "words": ["invoice"]}]
    desk = make("Router", "says-myself", *agents, router={"mode": "rules", "rules": rules})

    first = talk.ask(desk, "My INVOICE is wrong")
    assert (talk.answers(first), speakers(talk, first)) == (["about bills"], ["Bills"])
    second = talk.ask(desk, "Hello", conversation_id=first["conversation_id"])
    assert talk.answers(second) == ["myself"]

    judge = {"mode": "model", "model_id": seed.model("says-2")}
    seed.call("PATCH", f"/agents/{desk}", {"router": judge})
    seed.publish(desk)
    assert talk.answers(talk.ask(desk, "Hello")) == ["about tech"]
    lost = {"mode": "model", "model_id": seed.model("error-400"), "default_agent_id": bills}
    seed.call("PATCH", f"/agents/{desk}", {"router": lost})
    seed.publish(desk)
    assert talk.answers(talk.ask(desk, "Hello")) == ["about bills"]


def test_teams_that_cannot_work_are_refused(
    client: httpx.Client, seed: Seed, make: Any, said: str
) -> None:
    lead = make("Lead", "echo", bound(said))
    top = make("Top", "echo", bound(lead))
    space = seed.workspace("elsewhere")
    path = f"/workspaces/{space}/agents"
    foreign = seed.call("POST", path, {"name": "Foreign"})["id"]
    flow = seed.new_agent("Flow", publish=False, mode="workflow")

    for other in (foreign, "1"):
        code, detail, _ = refusal(client, lead, agents=[bound(other)])
        assert (code, detail) == (4200, "member_not_found")
    code, detail, _ = refusal(client, lead, agents=[bound(lead)])
    assert (code, detail) == (4000, "team_cycle")
    code, detail, message = refusal(client, lead, agents=[bound(top)])
    assert (code, detail) == (4000, "team_cycle")
    assert "Lead → Top → Lead" in message
    for broken in (
        {"agents": [bound(flow)]},
        {"agents": [bound(said), bound(said, "twice")]},
        {"agents": [bound(said, "no spaces")]},
        {"agents": [bound(said, parameters={"type": "string"})]},
        {"router": {"mode": "model"}},
        {"router": {"mode": "rules", "rules": [{"agent_id": said, "words": ["x"]}]}},
    ):
        code, detail, _ = refusal(client, lead, **broken)
        assert (code, detail) == (4000, "agent_invalid")
    draft = seed.new_agent("Draft", publish=False)
    seed.call("PATCH", f"/agents/{lead}", {"agents": [bound(draft)]})
    found = seed.call("POST", f"/agents/{lead}/validate")["items"]
    assert ("error", "agents") in [(each["severity"], each["field"]) for each in found]


def test_openai_clients_read_the_answer_of_whoever_gives_it(
    openai: Any, make: Any, said: str
) -> None:
    expert = make("Expert", "asks-oracle", bound(said, "oracle"))
    front = make("Front", "asks-hand_off_to_expert", bound(expert, "expert", "hand_off"))

    stream = openai.chat.completions.create(
        model=front, messages=[{"role": "user", "content": "Help"}], stream=True
    )

    pieces = [each.choices[0].delta.content or "" for each in stream if each.choices]
    assert "".join(pieces) == "Told: forty two"


def test_drafts_work_with_drafts(talk: Talk, seed: Seed) -> None:
    helper = seed.new_agent("Helper", publish=False, model={"model_id": seed.model("says-draft")})
    lead = seed.new_agent(
        "Lead",
        publish=False,
        model={"model_id": seed.model("asks-help")},
        agents=[bound(helper, "help")],
    )

    chat = talk.ask(lead, "Go", publish_status="unpublished_draft")

    assert talk.answers(chat) == ["Told: draft"]
