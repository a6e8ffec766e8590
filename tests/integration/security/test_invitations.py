"""Invitations let in whom they say, as what they say, and nobody besides."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support.client.browser import PASSWORD, Browser, signed_in
from tests.support.process.in_process import ADMIN, Deployment, running

SIGN_UPS: Final[dict[str, dict[str, str]]] = {
    "closed": {},
    "invite": {"COTERIE_AUTH__SIGN_UP": "invite"},
    "domains": {
        "COTERIE_AUTH__SIGN_UP": "domains",
        "COTERIE_AUTH__SIGN_UP_DOMAINS": "other.example,Corp.example",
    },
}


@pytest.fixture(scope="module", params=SIGN_UPS)
async def deployment(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Deployment, None]:
    async with running(tmp_path_factory.mktemp("invitations"), SIGN_UPS[request.param]) as made:
        yield made


@pytest.fixture
def sign_up(request: pytest.FixtureRequest) -> str:
    return str(request.node.callspec.params["deployment"])


class Team:
    """A workspace of the administrator."""

    def __init__(self, deployment: Deployment, space_id: str) -> None:
        self.deployment = deployment
        self.space_id = space_id

    async def call(self, method: str, path: str, document: Any = None, status: int = 200) -> Any:
        return await self.deployment.call(
            method, "/admin/v1" + path, token=ADMIN, document=document, status=status
        )

    async def invite(self, **fields: Any) -> dict[str, Any]:
        body = {"role": "editor", **fields}
        made: dict[str, Any] = await self.call(
            "POST", f"/workspaces/{self.space_id}/invitations", body, 201
        )
        return made

    async def role_of(self, user_id: str) -> str | None:
        found = await self.call("GET", f"/workspaces/{self.space_id}/members")
        roles = {each["user_id"]: each["role"] for each in found["items"]}
        return roles.get(user_id)


@pytest.fixture
async def team(deployment: Deployment) -> Team:
    made = await deployment.call(
        "POST", "/admin/v1/workspaces", token=ADMIN, document={"name": "Team"}, status=201
    )
    return Team(deployment, made["id"])


async def accept(browser: Browser, code: str) -> Any:
    return await browser.send("POST", "/admin/v1/invitations:accept", {"code": code})


async def look_up(browser: Browser, code: str) -> Any:
    return await browser.send("GET", f"/admin/v1/invitations:lookup?code={code}")


async def test_whoever_has_the_link_sees_what_it_leads_to_and_comes_in(team: Team) -> None:
    made = await team.invite()
    code = parse_qs(urlsplit(made["url"]).query)["invite"][0]
    guest = await signed_in(team.deployment, f"guest-{team.space_id[-8:]}")
    user_id = (await guest.call("GET", "/admin/v1/auth/me"))["id"]

    shown = await look_up(Browser(team.deployment), code)
    entered = await accept(guest, code)
    again = await accept(await signed_in(team.deployment, f"late-{team.space_id[-8:]}"), code)

    assert code == made["code"]
    assert (shown.json["workspace_name"], shown.json["role"]) == ("Team", "editor")
    assert (entered.status, entered.json["role"]) == (200, "editor")
    assert await team.role_of(user_id) == "editor"
    assert again.status == 404
    assert (await look_up(guest, code)).status == 404
    assert (await team.call("GET", f"/workspaces/{team.space_id}/invitations"))["items"] == []


async def test_a_member_stays_what_it_is_and_uses_nothing_up(team: Team) -> None:
    made = await team.invite(role="viewer")
    member = await signed_in(team.deployment, f"kept-{team.space_id[-8:]}")
    user_id = (await member.call("GET", "/admin/v1/auth/me"))["id"]
    await team.call(
        "POST", f"/workspaces/{team.space_id}/members", {"user_id": user_id, "role": "admin"}, 201
    )

    assert (await accept(member, made["code"])).json["role"] == "admin"
    (listed,) = (await team.call("GET", f"/workspaces/{team.space_id}/invitations"))["items"]
    assert (listed["uses"], "code" in listed) == (0, False)


async def test_of_many_at_once_only_as_many_come_in_as_it_says(team: Team) -> None:
    made = await team.invite(max_uses=3)
    crowd = [
        await signed_in(team.deployment, f"c{number}-{team.space_id[-8:]}") for number in range(6)
    ]

    answers = await asyncio.gather(*(accept(each, made["code"]) for each in crowd))

    assert sorted(answer.status for answer in answers) == [200, 200, 200, 404, 404, 404]


async def test_a_revoked_one_lets_nobody_in(team: Team) -> None:
    made = await team.invite()
    await team.call("DELETE", f"/invitations/{made['id']}", status=204)
    guest = await signed_in(team.deployment, f"gone-{team.space_id[-8:]}")

    assert (await accept(guest, made["code"])).status == 404
    await team.call("DELETE", f"/invitations/{made['id']}", status=404)


async def test_nobody_invites_to_more_than_they_may_give(team: Team) -> None:
    editor = await signed_in(team.deployment, f"ed-{team.space_id[-8:]}")
    await accept(editor, (await team.invite())["code"])
    path = f"/admin/v1/workspaces/{team.space_id}/invitations"

    assert (await editor.send("POST", path, {"role": "viewer"})).status == 403
    refused = await team.call("POST", path.removeprefix("/admin/v1"), {"role": "owner"}, 400)
    assert "role" in refused["msg"]
    personal = (await team.call("GET", "/workspaces"))["items"][0]["id"]
    await team.call("POST", f"/workspaces/{personal}/invitations", {"role": "viewer"}, 409)


@pytest.mark.parametrize("way", ["invitation", "address", "foreign address", "nothing"])
async def test_an_account_is_opened_only_the_ways_that_are_open(
    team: Team, sign_up: str, way: str
) -> None:
    name = f"n{way[:2]}-{team.space_id[-8:]}"
    body: dict[str, Any] = {"name": name, "password": PASSWORD, "nickname": "Newcomer"}
    if way == "invitation":
        body["code"] = (await team.invite())["code"]
    elif way.endswith("address"):
        domain = "corp.example" if way == "address" else "corp.example.evil.example"
        body["email"] = f"{name}@{domain}"
    may = {
        "closed": set(),
        "invite": {"invitation"},
        "domains": {"invitation", "address"},
    }[sign_up]
    newcomer = Browser(team.deployment)

    answer = await newcomer.send("POST", "/admin/v1/auth/register", body)

    assert answer.status == (201 if way in may else 403), str(answer)
    assert answer.headers["ratelimit-policy"] == '"address";q=60;w=60'
    if way in may:
        assert answer.json["user"]["nickname"] == "Newcomer"
        spaces = [each["type"] for each in answer.json["workspaces"]]
        assert spaces == ["personal", "team"] if way == "invitation" else ["personal"]
        await Browser(team.deployment).sign_in(name)
    else:
        assert answer.json["error"]["detail"] == "sign_up_closed"


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"password": "short"}, 400),
        ({"name": "x"}, 400),
        ({"name": "admin"}, 409),
        ({"code": "made up"}, 404),
    ],
)
async def test_a_refused_account_uses_no_invitation_up(
    team: Team, sign_up: str, change: dict[str, str], status: int
) -> None:
    code = (await team.invite())["code"]
    body = {"name": f"r-{team.space_id[-8:]}", "password": PASSWORD, "code": code, **change}

    answer = await Browser(team.deployment).send("POST", "/admin/v1/auth/register", body)

    assert answer.status == (403 if sign_up == "closed" else status), str(answer)
    assert (await look_up(Browser(team.deployment), code)).status == 200


async def test_an_owner_gives_a_workspace_away_and_leaves(team: Team) -> None:
    heir = await signed_in(team.deployment, f"heir-{team.space_id[-8:]}")
    user_id = (await heir.call("GET", "/admin/v1/auth/me"))["id"]
    await accept(heir, (await team.invite(role="viewer"))["code"])
    path = f"/workspaces/{team.space_id}"

    await team.call("POST", path + "/leave", status=409)
    await team.call("POST", path + "/transfer", {"user_id": "1"}, 404)
    given = await team.call("POST", path + "/transfer", {"user_id": user_id})
    await team.call("POST", path + "/leave", status=204)

    assert given["role"] == "owner"
    await team.call("GET", path, status=404)
    assert (await heir.call("GET", "/admin/v1" + path))["role"] == "owner"
