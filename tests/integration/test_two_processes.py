"""What one process makes, another one on the same database knows at once, without signals."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, Final

import pytest

from tests.support.client.browser import Browser
from tests.support.lateness import lateness
from tests.support.process.in_process import ADMIN, Answer, Deployment, running
from tests.support.service.postgres import PostgresServer
from tests.support.wait import until_so
from tests.upstream.fixture import RunningUpstream, running_upstream

NAMES: Final = ("first", "second", "third")
KEY: Final = "sk-canary-of-a-model"


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
async def processes(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[tuple[Deployment, Deployment]]:
    if request.param == "sqlite":
        data = [tmp_path_factory.mktemp("both")] * 2
        environ = {"COTERIE_SERVE__PROCESSES": "2"}
    else:
        server: PostgresServer = request.getfixturevalue("postgres_server")
        data = [tmp_path_factory.mktemp(name) for name in ("one", "two")]
        environ = {"COTERIE_DATABASE__URL": server.create_database("two_processes")}
        request.addfinalizer(partial(server.drop_database, "two_processes"))  # noqa: PT021 - of one
    async with AsyncExitStack() as stack:
        one, two = [await stack.enter_async_context(running(each, environ)) for each in data]
        yield one, two


@pytest.fixture(scope="module")
def upstream() -> Any:
    with running_upstream() as found:
        yield found


async def test_a_model_is_known_where_it_was_not_added(
    processes: tuple[Deployment, Deployment], upstream: RunningUpstream
) -> None:
    one, two = processes
    space = (await one.call("GET", "/v1/workspaces", token=ADMIN))["data"]["workspaces"][0]["id"]
    for name in NAMES:
        await two.call("GET", "/admin/v1/models", token=ADMIN)  # read just before
        connection = {"base_url": upstream.base_url, "model": "echo"}
        made = await one.call(
            "POST",
            "/admin/v1/models",
            token=ADMIN,
            document={"display": {"name": name}, "connection": connection},
            status=201,
        )
        agent = await two.call(
            "POST",
            f"/admin/v1/workspaces/{space}/agents",
            token=ADMIN,
            document={"name": f"Of {name}", "model": {"model_id": made["id"]}},
            status=201,
        )
        shown = await two.call("GET", f"/admin/v1/models/{name}", token=ADMIN)
        assert (agent["model"]["model_id"], shown["id"]) == (made["id"], made["id"])


async def test_a_change_of_a_model_is_told_where_it_was_not_made(
    processes: tuple[Deployment, Deployment], upstream: RunningUpstream
) -> None:
    one, two = processes
    began: float | None = None

    async def told() -> set[str]:
        past_ms = 0 if began is None else round((time.time() - began) * 1000)
        path = f"/admin/v1/live?for_s=0&past_ms={past_ms}"
        answer = await two.send("GET", path, token=ADMIN)
        assert upstream.base_url not in answer.text
        assert KEY not in answer.text
        lines = answer.text.splitlines()
        return {each.removeprefix("event: ") for each in lines if each.startswith("event: ")}

    async def is_quiet() -> bool:
        return not await told() & {"models", "reset"}

    async def is_told() -> bool:
        return "models" in await told()

    await until_so(is_quiet)
    began = time.time()
    connection = {"base_url": upstream.base_url, "model": "echo", "api_key": KEY}
    document = {"display": {"name": "told"}, "connection": connection}
    made = await one.call("POST", "/admin/v1/models", token=ADMIN, document=document, status=201)
    await until_so(is_told)
    shown = await two.call("GET", "/admin/v1/models?q=told", token=ADMIN)
    assert [each["id"] for each in shown["items"]] == [made["id"]]


async def test_a_token_is_known_where_it_was_not_issued(
    processes: tuple[Deployment, Deployment],
) -> None:
    one, two = processes
    body = {"name": "other", "duration_days": 1}
    made = await one.call("POST", "/admin/v1/tokens", token=ADMIN, document=body, status=201)

    assert (await two.call("GET", "/v1/workspaces", token=made["token"]))["code"] == 0


async def test_both_processes_draw_ids_of_their_own(
    processes: tuple[Deployment, Deployment],
) -> None:
    """Neither is told a number; both begin at the same."""
    nodes = {each.container.ids().next_id() >> 12 & 1023 for each in processes}
    assert len(nodes) == 2


async def test_a_name_that_nobody_knows_is_still_refused(
    processes: tuple[Deployment, Deployment],
) -> None:
    answer = await processes[1].send("GET", "/admin/v1/models/nobody", token=ADMIN)
    assert answer.status == 404


async def _is_out_within_a_second(there: Deployment, token: str, path: str) -> None:
    """Ask until the answer is a refusal: what is let in was asked within a second."""
    loop = asyncio.get_running_loop()
    began = let_in_at = loop.time()
    with lateness() as late:
        async with asyncio.timeout(10):
            while True:
                asked_at = loop.time()
                answer = await there.send("GET", path, token=token)
                if answer.status in {401, 403, 404}:
                    break
                let_in_at = asked_at
                await asyncio.sleep(0.02)
        assert let_in_at - began <= 1.0 + late()


@pytest.mark.parametrize("taken", ["token", "account", "membership", "workspace"])
async def test_rights_that_end_in_one_process_end_in_the_other_within_a_second(
    taken: str, processes: tuple[Deployment, Deployment]
) -> None:
    one, two = processes

    async def ask(method: str, path: str, document: Any = None, status: int = 200) -> Any:
        return await one.call(
            method, "/admin/v1" + path, token=ADMIN, document=document, status=status
        )

    made = await ask("POST", "/users", {"name": f"leaves-{taken}"}, 201)
    user_id, token = made["user"]["id"], made["token"]
    space = (await ask("POST", "/workspaces", {"name": "Team"}, 201))["id"]
    member = {"user_id": user_id, "role": "editor"}
    await ask("POST", f"/workspaces/{space}/members", member, 201)
    path = f"/admin/v1/workspaces/{space}"
    assert (await two.send("GET", path, token=token)).status == 200, "The other one knows it now."

    if taken == "token":
        mine = await one.call("GET", "/admin/v1/tokens", token=token)
        await one.call(
            "DELETE", f"/admin/v1/tokens/{mine['items'][0]['id']}", token=token, status=204
        )
    elif taken == "account":
        await ask("PATCH", f"/users/{user_id}", {"is_disabled": True})
    elif taken == "membership":
        await ask("DELETE", f"/workspaces/{space}/members/{user_id}", status=204)
    else:
        await ask("PATCH", f"/workspaces/{space}", {"suspended": True})

    await _is_out_within_a_second(two, token, path)


async def test_limits_of_a_workspace_hold_for_both_processes_together(
    processes: tuple[Deployment, Deployment], upstream: RunningUpstream
) -> None:
    one, two = processes

    async def ask(method: str, path: str, document: Any = None, status: int = 200) -> Any:
        return await one.call(
            method, "/admin/v1" + path, token=ADMIN, document=document, status=status
        )

    space = (await ask("POST", "/workspaces", {"name": "Limited"}, 201))["id"]
    model = {
        "display": {"name": "endless"},
        "connection": {"base_url": upstream.base_url, "model": "stall-after-1"},
    }
    made = await ask("POST", "/models", model, 201)
    body = {"name": "Endless", "model": {"model_id": made["id"]}}
    agent = (await ask("POST", f"/workspaces/{space}/agents", body, 201))["id"]
    await ask("POST", f"/agents/{agent}/publish", {"connector_ids": ["1024"], "description": "x"})
    await ask("PATCH", f"/workspaces/{space}", {"limits": {"runs": 2}})
    for each in processes:  # else within five seconds
        await each.container.identity().space_book.read()

    async def begin(there: Deployment) -> Answer:
        message = {"role": "user", "content": "go", "content_type": "text"}
        document = {"bot_id": agent, "user_id": "ada", "additional_messages": [message]}
        return await there.send("POST", "/v3/chat", token=ADMIN, document=document)

    begun = [await begin(each) for each in processes]
    assert [each.code for each in begun] == [0, 0]
    for each in processes:
        refused = await begin(each)
        assert (refused.status, refused.code) == (429, 4013)
        assert refused.headers["retry-after"]

    async def end(chat: Answer) -> None:
        ids = {
            "chat_id": chat.json["data"]["id"],
            "conversation_id": chat.json["data"]["conversation_id"],
        }
        await one.call("POST", "/v3/chat/cancel", token=ADMIN, document=ids)

    await end(begun[0])
    answers: list[Answer] = []

    async def has_begun() -> bool:
        answers.append(await begin(two))
        return answers[-1].status != 429

    await until_so(has_begun, "room for another run")
    assert answers[-1].code == 0
    await end(begun[1])
    await end(answers[-1])


async def test_a_device_is_let_in_by_whichever_process_is_asked(
    processes: tuple[Deployment, Deployment],
) -> None:
    """Begun at one, allowed and fetched at the other, ended at both by a token that comes back."""
    one, two = processes
    space = (await one.call("GET", "/v1/workspaces", token=ADMIN))["data"]["workspaces"][0]["id"]
    body = {"name": "screen", "type": "device", "permissions": ["chat", "workspace.read"]}
    path = f"/admin/v1/workspaces/{space}/oauth-apps"
    app = await one.call("POST", path, token=ADMIN, document=body, status=201)
    named = {"client_id": app["client_id"]}
    begun = (await one.send("POST", "/api/permission/oauth2/device/code", document=named)).json
    here = Browser(one)
    await here.exchange(ADMIN)
    there = Browser(two, cookies=here.cookies, csrf=here.csrf)
    request = f"/admin/v1/oauth-requests/{begun['user_code']}"
    asked = await there.call("GET", request)
    allowed = {"decision": "approve", "workspace_id": asked["workspaces"][0]["id"]}
    await there.call("POST", request, allowed)

    async def fetch(process: Deployment, **how: str) -> Answer:
        path, document = "/api/permission/oauth2/token", {**named, **how}
        return await process.send("POST", path, document=document)

    device = "urn:ietf:params:oauth:grant-type:device_code"
    first = await fetch(two, grant_type=device, device_code=begun["device_code"])
    assert first.status == 200, str(first)
    refresh = {"grant_type": "refresh_token", "refresh_token": first.json["refresh_token"]}
    second = await fetch(one, **refresh)
    assert second.status == 200, str(second)
    token = second.json["access_token"]
    for each in processes:
        await each.call("GET", "/v1/users/me", token=token)

    assert [(await fetch(each, **refresh)).status for each in (two, one)] == [400, 400]
    for each in processes:
        await _is_out_within_a_second(each, token, "/v1/users/me")


async def test_a_session_is_known_and_ends_in_both_processes(
    processes: tuple[Deployment, Deployment],
) -> None:
    one, two = processes
    here = Browser(one)
    await here.exchange(ADMIN)
    there = Browser(two, cookies=dict(here.cookies), csrf=here.csrf)
    await there.call("GET", "/admin/v1/auth/session")

    assert (await here.send("POST", "/admin/v1/auth/logout")).status < 300

    async def is_out() -> bool:
        return (await there.send("GET", "/admin/v1/auth/session")).status == 401

    await until_so(is_out, "the end of the session", wait_s=1.5)
