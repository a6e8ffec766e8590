"""Clients that leave, cancel, collide or repeat themselves."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx

from tests.e2e.conftest import GRACE_S
from tests.support.client.chat import Talk, data, skip_to, text_message
from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer, run_command
from tests.upstream.fixture import RunningUpstream
from tests.upstream.server import Recorded

DELTA = "conversation.message.delta"
CREATED = "conversation.chat.created"


def test_a_client_that_leaves_finds_the_whole_answer_later(talk: Talk, seed: Seed) -> None:
    with talk.streaming(seed.agent("tokens-30-20"), "go") as events:
        chat = skip_to(events, CREATED)
        skip_to(events, DELTA)

    assert talk.wait(chat)["status"] == "completed"
    said = "".join(f"t{number} " for number in range(30))
    assert talk.history(chat["conversation_id"]) == [("question", "go"), ("answer", said)]


def test_cancel_hangs_up_on_the_provider(talk: Talk, seed: Seed, upstream: RunningUpstream) -> None:
    behaviour = "stall-after-3"
    with talk.streaming(seed.agent(behaviour), "go") as events:
        chat = skip_to(events, CREATED)
        while skip_to(events, DELTA)["content"].split()[-1:] != ["t2"]:
            pass
        record = upstream.requests(model=behaviour)[-1]

        canceled = data(talk.cancel(chat))
        upstream.wait_closed(record)
        rest = list(events)

    assert canceled["status"] == "canceled"
    assert [name for name, _ in rest][-2:] == ["conversation.chat.canceled", "done"]
    assert talk.get(chat)["status"] == "canceled"
    assert talk.history(chat["conversation_id"]) == [("question", "go"), ("answer", "t0 t1 t2 ")]
    assert talk.cancel(chat).json()["code"] == 4104


def test_after_a_cancel_the_conversation_goes_on(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    chat = talk.start(seed.agent("stall"), "never mind")
    canceled = talk.cancel(chat).json()
    assert (canceled["code"], canceled["data"]["status"]) == (0, "canceled"), canceled
    behaviour = "echo-after-cancel"

    again = talk.ask(seed.agent(behaviour), "now", conversation_id=chat["conversation_id"])

    assert talk.answers(again) == ["now"]
    sent = upstream.requests(model=behaviour)[-1].body["messages"]
    assert "never mind" not in [message["content"] for message in sent]


def test_of_many_simultaneous_chats_in_a_conversation_exactly_one_starts(
    talk: Talk, seed: Seed, server: RunningServer
) -> None:
    agent_id = seed.agent("tokens-20-30")
    conversation_id = data(talk.http.post("/v1/conversation/create", json={}))["id"]
    count = 8
    together = threading.Barrier(count)

    def start(number: int) -> int:
        with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
            together.wait(10)
            answer = Talk(http).post(agent_id, f"q{number}", conversation_id=conversation_id)
            return int(answer.json()["code"])

    with ThreadPoolExecutor(count) as pool:
        codes = sorted(pool.map(start, range(count)))

    assert codes == [0] + [4016] * (count - 1)


def test_the_same_idempotency_key_is_the_same_chat(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    behaviour = "echo-once"
    agent_id = seed.agent(behaviour)
    headers = {"Idempotency-Key": "key-1"}

    first = talk.ask(agent_id, "once", headers=headers)
    again = talk.start(agent_id, "once", headers=headers)
    other = talk.post(agent_id, "different", headers=headers).json()

    assert again["id"] == first["id"]
    assert again["status"] == "completed"
    assert other["code"] == 4000
    assert len(upstream.requests(model=behaviour)) == 1


def test_a_repeated_stream_replays_the_answer(talk: Talk, seed: Seed) -> None:
    agent_id = seed.agent()
    headers = {"Idempotency-Key": "key-2"}
    body = {
        "bot_id": agent_id,
        "user_id": "me",
        "stream": True,
        "additional_messages": [text_message("say it twice")],
    }

    bodies = [talk.http.post("/v3/chat", json=body, headers=headers).text for _ in range(2)]

    ends = [text.strip().split("\n\n")[-2:] for text in bodies]
    assert ends[0] == ends[1]
    assert "conversation.chat.completed" in ends[0][0]


def test_a_directory_serves_one_process(server: RunningServer) -> None:
    second = run_command(server.data, "serve", "--port", "0")

    assert second.returncode == 1
    assert "Another server uses" in second.stderr
    assert "Traceback" not in second.stderr
    assert httpx.get(f"{server.url}/readyz", timeout=60).status_code == 200


def test_a_stateless_completion_nobody_waits_for_is_stopped_after_a_grace(
    server: RunningServer, seed: Seed, upstream: RunningUpstream
) -> None:
    behaviour = "stall-after-1"
    before = len(upstream.requests(model=behaviour))
    body = {"model": seed.agent(behaviour), "messages": [{"role": "user", "content": "go"}]}

    async def leave(number: int, *, stream: bool) -> Recorded:
        """Ask, and hang up once the model is asked."""
        path = f"{server.url}/v1/chat/completions"
        async with httpx.AsyncClient(headers=server.headers, timeout=60) as http:
            asked = asyncio.ensure_future(http.post(path, json={**body, "stream": stream}))
            async with asyncio.timeout(60):
                while len(found := upstream.requests(model=behaviour)) <= before + number:  # noqa: ASYNC110 - another thread
                    await asyncio.sleep(0.01)
            asked.cancel()
            await asyncio.wait([asked])
        return found[-1]

    # Both are left before either is waited for: they share one grace.
    left = [
        asyncio.run(leave(number, stream=stream)) for number, stream in enumerate((True, False))
    ]
    for record in left:
        assert upstream.wait_closed(record) - record.at > GRACE_S - 1
        assert record.answered_at is None


def test_deleting_a_conversation_stops_its_chat(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    behaviour = "stall-after-2"
    with talk.streaming(seed.agent(behaviour), "go") as events:
        chat = skip_to(events, CREATED)
        skip_to(events, DELTA)
        record = upstream.requests(model=behaviour)[-1]
        deleted = talk.http.delete(f"/v1/conversations/{chat['conversation_id']}")
        upstream.wait_closed(record)
        rest = list(events)

    assert deleted.json()["code"] == 0
    assert rest[-1][0] == "done"
    found = talk.http.get(
        "/v1/conversation/retrieve", params={"conversation_id": chat["conversation_id"]}
    )
    assert found.json()["code"] == 4200


def test_a_chat_is_canceled_while_it_waits_to_ask_again(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    behaviour = "error-429-retry-after-20"
    chat = talk.start(seed.agent(behaviour), "go")
    upstream.wait_request(behaviour)

    canceled = data(talk.cancel(chat))

    assert canceled["status"] == "canceled"
    assert len(upstream.requests(model=behaviour)) == 1


def test_events_carry_the_log_id_of_their_request(client: httpx.Client, seed: Seed) -> None:
    made = client.post(f"/admin/v1/workspaces/{seed.workspace_id}/agents", json={"name": "logged"})
    assert made.status_code == 201
    deadline = time.monotonic() + 60
    entries: list[object] = []
    while time.monotonic() < deadline:
        entries = client.get("/admin/v1/audit-log", params={"limit": 20}).json()["items"]
        if made.headers["x-tt-logid"] in str(entries):
            return
        time.sleep(0.05)
    raise AssertionError(f"No entry with the log id: {entries[:2]}")


def test_a_reader_who_comes_back_gets_the_rest(talk: Talk, seed: Seed) -> None:
    with talk.streaming(seed.agent("tokens-20-20"), "go") as events:
        chat = skip_to(events, CREATED)
        skip_to(events, DELTA)
    url = f"/v1/runs/{chat['id']}/events"

    whole = talk.http.get(url).text
    cut = whole.index("id: 4\n")
    rest = talk.http.get(url, headers={"Last-Event-ID": "3"}).text

    assert "event: run.completed" in whole
    assert rest == whole[cut:]
