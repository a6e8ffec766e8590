"""Rates of a whole deployment: who is limited, and what answers tell of it."""

from pathlib import Path
from typing import Any

from tests.support.process.in_process import ADMIN, Deployment, running

FIELDS = ("ratelimit", "ratelimit-policy")


async def visitor(deployment: Deployment) -> str:
    """Make a token for a browser, for an agent that is published."""
    listed = await deployment.call("GET", "/v1/workspaces", token=ADMIN)
    space = listed["data"]["workspaces"][0]["id"]
    agents = await deployment.call("GET", f"/admin/v1/workspaces/{space}/agents", token=ADMIN)
    made: dict[str, Any] = await deployment.call(
        "POST",
        "/admin/v1/tokens:issue",
        token=ADMIN,
        document={"bot_ids": [agents["items"][0]["id"]], "user_id": "ada"},
        status=201,
    )
    return str(made["token"])


async def test_answers_tell_of_the_limits_that_a_request_counts_for(tmp_path: Path) -> None:
    async with running(tmp_path, {}) as deployment:
        of_account = await deployment.send("GET", "/v1/users/me", token=ADMIN)
        of_visitor = await deployment.send("GET", "/v1/users/me", token=await visitor(deployment))
        of_stranger = await deployment.send("GET", "/admin/v1/auth/ways")
        health = await deployment.send("GET", "/livez")

    assert (of_account.status, of_visitor.status, of_stranger.status) == (200, 200, 200)
    assert not any(field in answer.headers for field in FIELDS for answer in (of_account, health))
    assert of_visitor.headers["ratelimit-policy"] == '"end-user";q=120;w=60'
    assert of_visitor.headers["ratelimit"].startswith('"end-user";r=119;t=')
    assert of_stranger.headers["ratelimit-policy"] == '"address";q=60;w=60'
    assert of_stranger.headers["ratelimit"] == '"address";r=59;t=1'


async def test_each_limit_refuses_and_says_when_to_come_back(tmp_path: Path) -> None:
    environ = {
        "COTERIE_LIMITS__REQUESTS_PER_STRANGER_PER_MIN": "1",
        "COTERIE_LIMITS__REQUESTS_PER_VISITOR_PER_MIN": "1",
    }
    async with running(tmp_path, environ) as deployment:
        token, other = await visitor(deployment), await visitor(deployment)
        await deployment.send("GET", "/v1/users/me", token=token)
        refused = [await deployment.send("GET", "/v1/users/me", token=other)]
        await deployment.send("GET", "/admin/v1/auth/ways")
        refused.append(await deployment.send("GET", "/admin/v1/auth/ways"))
        elsewhere = await deployment.send("GET", "/admin/v1/auth/ways", peer="198.51.100.7")

    assert elsewhere.status == 200
    for answer, name in zip(refused, ("end-user", "address"), strict=True):
        assert answer.status == 429
        assert answer.json["code"] == 4013
        assert 1 <= int(answer.headers["retry-after"]) <= 60
        assert answer.headers["ratelimit"].startswith(f'"{name}";r=0;t=')


async def test_a_token_is_limited_where_the_setting_says_so(tmp_path: Path) -> None:
    environ = {"COTERIE_LIMITS__REQUESTS_PER_TOKEN_PER_MIN": "1"}
    async with running(tmp_path, environ) as deployment:
        first = await deployment.send("GET", "/v1/users/me", token=ADMIN)
        second = await deployment.send("GET", "/v1/users/me", token=ADMIN)

    assert first.headers["ratelimit-policy"] == '"token";q=1;w=60'
    assert (first.status, second.status) == (200, 429)
    assert second.headers["retry-after"]
