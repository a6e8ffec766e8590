"""Sign-in by providers of OpenID Connect: who gets in, as whom, and what is refused."""

import asyncio
import base64
import hmac
import json
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from joserfc.jwk import OctKey

from tests.support.client.browser import COOKIE, Browser, signed_in
from tests.support.identity.provider import (
    CLIENT_ID,
    SECRET,
    Provider,
    new_key,
    running_provider,
    signed,
)
from tests.support.process.in_process import ADMIN, Answer, Deployment, running
from tests.support.process.variant import PROCESSES, processes_of, stored_for
from tests.support.wait import until_so

PATH: Final = "/admin/v1/auth/oidc"
PROVIDERS: Final = "/admin/v1/oidc-providers"
FLOW: Final = "coterie_oidc"


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as provider:
        yield provider


@dataclass
class World:
    """A deployment with two providers, which are one and the same but for what they may."""

    deployment: Deployment
    provider: Provider
    space_id: str

    def forget_provider(self) -> None:
        """Have each process ask the provider anew for what it publishes."""
        for container in self.deployment.containers:
            container.oidc().sign_in._client._known.clear()

    def browser(self) -> Browser:
        return Browser(self.deployment)

    async def start(self, browser: Browser, name: str = "corp", query: str = "") -> str:
        answer = await browser.send("GET", f"{PATH}/{name}/start{query}", headers=())
        assert answer.status == 303, str(answer)
        return answer.headers["location"]

    async def come_back(self, browser: Browser, query: str, name: str = "corp") -> Answer:
        headers = (("sec-fetch-site", "cross-site"),)
        return await browser.send("GET", f"{PATH}/{name}/callback{query}", headers=headers)

    async def enter(self, via: str = "corp", /, **person: Any) -> Browser:
        """Sign somebody in; return the browser."""
        self.provider.person = {"sub": "anna", **person}
        browser = self.browser()
        url = await self.start(browser, via)
        answer = await self.come_back(browser, self.provider.visit(url), via)
        assert answer.headers["location"] == "/console/", str(answer)
        assert COOKIE in browser.cookies
        await self.session(browser)
        return browser

    async def refused(self, via: str = "corp", /, **person: Any) -> str:
        """Try to sign somebody in; return why that is refused."""
        self.provider.person = {"sub": "anna", **person}
        browser = self.browser()
        url = await self.start(browser, via)
        return await self.reason(browser, self.provider.visit(url), via)

    async def reason(self, browser: Browser, query: str, name: str = "corp") -> str:
        answer = await self.come_back(browser, query, name)
        assert answer.status == 303, str(answer)
        assert COOKIE not in browser.cookies
        place = urlsplit(answer.headers["location"])
        assert place.path == "/console/sign-in"
        return parse_qs(place.query)["refused"][0]

    async def session(self, browser: Browser) -> Any:
        shown = await browser.call("GET", "/admin/v1/auth/session")
        browser.csrf = shown["csrf"]
        return shown

    async def role(self, browser: Browser) -> str | None:
        """Return what somebody is in the workspace."""
        spaces = (await self.session(browser))["workspaces"]
        return next((each["role"] for each in spaces if each["id"] == self.space_id), None)


def settings(provider: Provider, space_id: str) -> str:
    shared = {
        "issuer": provider.issuer,
        "client_id": CLIENT_ID,
        "client_secret": SECRET,
    }
    roles = [
        {"group": "engineers", "workspace": space_id, "role": "editor"},
        {"group": "leads", "workspace": space_id, "role": "admin"},
    ]
    corp = {"id": "corp", "name": "Corp", **shared, "trust_email": True}
    return json.dumps(
        [
            {**corp, "groups_claim": "realm.roles", "roles": roles},
            {"id": "closed", "name": "Closed", **shared, "create_accounts": False},
        ]
    )


@pytest.fixture(scope="module", params=PROCESSES)
async def world(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, provider: Provider
) -> AsyncGenerator[World, None]:
    folder, processes = tmp_path_factory.mktemp("oidc"), processes_of(request)
    with stored_for(request) as stored:
        async with running(folder, stored) as before:
            made = await before.call(
                "POST", "/admin/v1/workspaces", token=ADMIN, document={"name": "Team"}, status=201
            )
        environ = {"COTERIE_AUTH__OIDC": settings(provider, made["id"]), **stored}
        async with running(folder, environ, processes=processes) as deployment:
            yield World(deployment, provider, made["id"])


@pytest.fixture(autouse=True)
def honest(provider: Provider) -> Iterator[None]:
    """Let the provider be itself again after each test."""
    yield
    provider.spoil, provider.sign, provider.is_down = lambda _: None, None, False
    provider.more, provider.published = None, []
    provider.metadata.clear()


async def test_the_ways_in_name_the_providers(world: World) -> None:
    ways = await world.browser().call("GET", "/admin/v1/auth/ways")

    assert ways["providers"] == [
        {"id": "corp", "name": "Corp"},
        {"id": "closed", "name": "Closed"},
    ]


async def test_whoever_the_provider_knows_gets_an_account_once(world: World) -> None:
    person = {
        "sub": "ben",
        "name": "Ben Ö. Smith",
        "preferred_username": "Ben.Smith@corp",
        "email": "ben@corp.example",
        "email_verified": True,
        "picture": "https://id.example/ben.png",
    }
    first = await world.enter(**person)
    second = await world.enter(**person)

    mine, again = await world.session(first), await world.session(second)
    assert mine["user"]["id"] == again["user"]["id"]
    assert mine["user"]["name"] == "ben.smith"
    assert mine["user"]["nickname"] == "Ben Ö. Smith"
    assert mine["user"]["avatar_url"] == "https://id.example/ben.png"
    account = await first.call("GET", "/admin/v1/auth/me")
    assert (account["email"], account["has_password"]) == ("ben@corp.example", False)
    sessions = await first.call("GET", "/admin/v1/auth/sessions")
    assert {each["way"] for each in sessions["items"]} == {"oidc"}


async def test_names_of_accounts_are_made_up_where_they_are_taken_or_no_names(
    world: World,
) -> None:
    names = []
    for subject, called in [("n1", "Jörg"), ("n2", "jorg"), ("n3", "李"), ("n4", "x")]:
        browser = await world.enter(sub=subject, preferred_username=called)
        names.append((await world.session(browser))["user"]["name"])

    assert names == ["jorg", "jorg-2", "user", "user-x"]


async def test_the_exchange_shows_what_only_the_browser_and_the_client_know(world: World) -> None:
    browser = world.browser()
    url = await world.start(browser, query="?return_to=/console/agents%3Fq%3D1&remember=true")
    asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}

    answer = await world.come_back(browser, world.provider.visit(url))

    assert asked["response_type"] == "code"
    assert asked["scope"] == "openid profile email"
    assert asked["code_challenge_method"] == "S256"
    assert asked["redirect_uri"].endswith(f"{PATH}/corp/callback")
    form = world.provider.forms[-1]
    assert form["redirect_uri"] == asked["redirect_uri"]
    assert form["code_verifier"] not in url
    scheme, _, text = world.provider.authorization[-1].partition(" ")
    assert (scheme, "client_secret" in form) == ("Basic", False)
    assert base64.b64decode(text).decode().startswith(f"{CLIENT_ID}:canary%20secret")
    assert answer.headers["location"] == "/console/agents?q=1"
    lines = [value.decode() for name, value in answer.header_lines if name == b"set-cookie"]
    assert any(line.startswith(f"{COOKIE}=") and "Max-Age=2592000" in line for line in lines)
    assert FLOW not in browser.cookies


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example/",
        "//evil.example/console/",
        "/\\evil.example",
        "/console/../admin/v1/auth/logout",
        "/admin/v1/auth/session",
        "javascript:alert(1)",
        "/console/\n",
        "/console/" + "x" * 2000,
    ],
)
async def test_nobody_is_led_away_from_the_console(world: World, wanted: str) -> None:
    browser = world.browser()
    url = await world.start(browser, query=f"?return_to={quote(wanted, safe='')}")
    answer = await world.come_back(browser, world.provider.visit(url))

    assert answer.headers["location"] == "/console/"


async def test_a_sign_in_belongs_to_the_browser_that_began_it(world: World) -> None:
    mine, other, nobody = world.browser(), world.browser(), world.browser()
    world.provider.person = {"sub": "victim"}
    query = world.provider.visit(await world.start(mine))
    await world.start(other)

    assert await world.reason(other, query) == "expired"
    assert await world.reason(nobody, query) == "expired"
    begun = world.browser()
    url = await world.start(begun)
    begun.cookies[FLOW] = begun.cookies[FLOW][:-6] + "AAAAAA"
    assert await world.reason(begun, world.provider.visit(url)) == "expired"
    crossed = world.browser()
    url = await world.start(crossed)
    assert await world.reason(crossed, world.provider.visit(url), "closed") == "expired"


async def test_what_the_provider_refuses_is_said_on_the_page(world: World) -> None:
    browser = world.browser()
    url = await world.start(browser)
    state = parse_qs(urlsplit(url).query)["state"][0]

    refused = await world.reason(
        browser, f"?error=access_denied&error_description=%3Cscript%3E&state={state}"
    )

    assert refused == "denied"
    page = await browser.send("GET", "/console/sign-in?refused=denied")
    assert "script>alert" not in page.text


SPOILT: Final[dict[str, Callable[[Provider, dict[str, Any]], None]]] = {
    "another issuer": lambda p, c: c.update(iss=p.issuer + "/"),
    "no issuer": lambda _, c: c.pop("iss"),
    "another audience": lambda _, c: c.update(aud="somebody"),
    "several audiences and no party": lambda _, c: c.update(aud=[CLIENT_ID, "somebody"]),
    "another party": lambda _, c: c.update(aud=[CLIENT_ID, "x"], azp="x"),
    "party of one audience": lambda _, c: c.update(azp="somebody"),
    "no audience": lambda _, c: c.pop("aud"),
    "expired": lambda _, c: c.update(exp=int(time.time()) - 120),
    "no end": lambda _, c: c.pop("exp"),
    "an end that is no time": lambda _, c: c.update(exp="tomorrow"),
    "an end that is true": lambda _, c: c.update(exp=True),
    "issued in the future": lambda _, c: c.update(iat=int(time.time()) + 600),
    "not good yet": lambda _, c: c.update(nbf=int(time.time()) + 600),
    "another nonce": lambda _, c: c.update(nonce="x" * 43),
    "no nonce": lambda _, c: c.pop("nonce"),
    "no subject": lambda _, c: c.pop("sub"),
    "a subject that is a list": lambda _, c: c.update(sub=["anna"]),
}


@pytest.mark.parametrize("how", SPOILT)
async def test_a_token_that_says_something_else_signs_nobody_in(world: World, how: str) -> None:
    world.provider.spoil = lambda claims: SPOILT[how](world.provider, claims)

    assert await world.refused() == "failed"


def _encoded(document: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")


def _unsigned(claims: dict[str, Any]) -> str:
    return f"{_encoded({'alg': 'none'})}.{_encoded(claims)}."


def _by_secret(text: bytes) -> Callable[[dict[str, Any]], str]:
    key = OctKey.import_key(text, {"kid": "first", "alg": "HS256"})
    return lambda claims: signed(claims, key)


def _tampered(provider: Provider) -> Callable[[dict[str, Any]], str]:
    def sign(claims: dict[str, Any]) -> str:
        head, _, tail = signed(claims, provider.key).split(".")
        other = json.dumps({**claims, "sub": "admin"}).encode()
        return f"{head}.{base64.urlsafe_b64encode(other).decode().rstrip('=')}.{tail}"

    return sign


def _by_another(_: Provider) -> Callable[[dict[str, Any]], str]:
    key = new_key("first")
    return lambda claims: signed(claims, key)


def _by_its_header(_: Provider) -> Callable[[dict[str, Any]], str]:
    key = new_key("own")
    return lambda claims: signed(claims, key, jwk=key.as_dict(private=False))


def _by_the_public_key(provider: Provider) -> Callable[[dict[str, Any]], str]:
    """Sign with what everybody knows, as if it was a secret of both."""
    assert not isinstance(provider.key, OctKey)
    text = provider.key.as_pem(private=False)

    def sign(claims: dict[str, Any]) -> str:
        head, body = (_encoded(each) for each in ({"alg": "HS256", "kid": "first"}, claims))
        mac = hmac.digest(text, f"{head}.{body}".encode(), "sha256")
        return f"{head}.{body}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"

    return sign


def _extended(provider: Provider) -> Callable[[dict[str, Any]], str]:
    head = _encoded({"alg": "RS256", "kid": "first", "crit": ["x"], "x": 1})
    return lambda claims: f"{head}.{signed(claims, provider.key).partition('.')[2]}"


FORGED: Final[dict[str, Callable[[Provider], Callable[[dict[str, Any]], str]]]] = {
    "not signed": lambda _: _unsigned,
    "by the client's secret": lambda _: _by_secret(SECRET.encode()),
    "by the public key as a secret": _by_the_public_key,
    "by a key of another's under the name": _by_another,
    "by a key in its header": _by_its_header,
    "with an extension that must be known": _extended,
    "changed afterwards": _tampered,
    "no token at all": lambda _: lambda _: "a.b",
    "much too long": lambda _: lambda _: "a" * 100_000,
}


@pytest.mark.parametrize("how", FORGED)
async def test_a_token_that_the_provider_has_not_signed_signs_nobody_in(
    world: World, how: str
) -> None:
    world.provider.sign = FORGED[how](world.provider)

    assert await world.refused() == "failed"


@pytest.mark.parametrize("kind", ["RS256", "PS256", "ES256"])
async def test_tokens_are_signed_in_any_of_the_usual_ways(world: World, kind: str) -> None:
    key = new_key(f"key of {kind}", kind)
    world.provider.published = [key]
    world.provider.sign = lambda claims: signed(claims, key)
    world.forget_provider()

    await world.enter(sub=f"by {kind}")


async def test_rotated_keys_are_fetched_once_and_made_up_ones_ask_nobody_again(
    world: World,
) -> None:
    world.forget_provider()
    await world.enter()
    for container in world.deployment.containers:
        for known in container.oidc().sign_in._client._known.values():
            known.keys_read_at = known.read_at.replace(year=2000)
    world.provider.key = new_key("second")
    world.provider.asked.clear()

    await world.enter()
    asked = world.provider.asked.count("/jwks")
    world.provider.sign = lambda claims: signed(claims, new_key("made up"))
    refused = [await world.refused() for _ in range(3)]

    assert (asked, refused) == (1, ["failed"] * 3)
    assert world.provider.asked.count("/jwks") <= len(world.deployment.containers)
    assert world.provider.asked.count("/.well-known/openid-configuration") == 0


async def test_only_the_provider_that_was_asked_may_answer(world: World) -> None:
    browser = world.browser()
    query = world.provider.visit(await world.start(browser))

    assert await world.reason(browser, query + "&iss=https%3A%2F%2Fevil.example") == "failed"


async def test_what_the_token_leaves_out_the_provider_is_asked_for(world: World) -> None:
    world.forget_provider()
    world.provider.more = {"sub": "carla", "name": "Carla", "realm": {"roles": ["engineers"]}}

    browser = await world.enter(sub="carla")

    assert (await world.session(browser))["user"]["nickname"] == "Carla"
    assert await world.role(browser) == "editor"
    world.provider.more = {"sub": "somebody else", "name": "Eve"}
    assert await world.refused(sub="carla") == "failed"
    world.provider.is_down = True
    world.forget_provider()
    answer = await world.browser().send("GET", f"{PATH}/corp/start", headers=())
    assert answer.headers["location"].endswith("refused=unreachable")


async def test_a_verified_address_leads_to_the_account_that_an_administrator_gave_it(
    world: World,
) -> None:
    made = await world.deployment.call(
        "POST",
        "/admin/v1/users",
        token=ADMIN,
        document={"name": "dora", "email": "Dora@corp.example"},
        status=201,
    )
    email = {"email": "dora@corp.example", "email_verified": True}

    assert await world.refused("closed", sub="dora") == "no_account"
    assert await world.refused("closed", sub="dora", **email) == "taken"
    plain = await world.enter(sub="dora-unverified", email="dora@corp.example")
    assert (await world.session(plain))["user"]["id"] != made["user"]["id"]
    linked = await world.enter(sub="dora", **email)
    assert (await world.session(linked))["user"]["id"] == made["user"]["id"]
    assert await world.refused(sub="dora's successor", **email) == "taken"
    later = await world.enter("closed", sub="dora")
    assert (await world.session(later))["user"]["id"] == made["user"]["id"]


async def test_an_address_that_nobody_vouches_for_leads_nowhere(world: World) -> None:
    other = await signed_in(world.deployment, "squatter")
    me = await other.call("GET", "/admin/v1/auth/me")
    async with world.deployment.container.identity().store.transaction() as uow:
        user = await uow.users.get(int(me["id"]))  # type: ignore[arg-type]
        user.set_email("erin@corp.example", is_trusted=False)
        await uow.users.save(user)
        await uow.commit()

    refused = await world.refused(sub="erin", email="erin@corp.example", email_verified=True)

    assert refused == "taken"


async def test_roles_come_and_go_with_groups_and_those_given_by_hand_stay(world: World) -> None:
    def groups(*names: str) -> dict[str, Any]:
        return {"sub": "fay", "realm": {"roles": list(names)}}

    browser = await world.enter(**groups("engineers"))
    user_id = (await world.session(browser))["user"]["id"]
    member = f"/admin/v1/workspaces/{world.space_id}/members/{user_id}"
    assert await world.role(browser) == "editor"
    assert await world.role(await world.enter(**groups("engineers", "leads"))) == "admin"
    assert await world.role(await world.enter(**groups("engineers"))) == "editor"
    assert await world.role(browser) == "editor"
    assert await world.role(await world.enter(**groups("others"))) is None
    assert await world.role(browser) is None

    await world.deployment.call(
        "POST",
        f"/admin/v1/workspaces/{world.space_id}/members",
        token=ADMIN,
        document={"user_id": user_id, "role": "operator"},
        status=201,
    )
    assert await world.role(await world.enter(**groups())) == "operator"
    assert await world.role(await world.enter(**groups("leads"))) == "admin"
    assert await world.role(await world.enter(**groups())) == "operator"
    assert await world.role(await world.enter(**groups("leads"))) == "admin"
    await world.deployment.call("PATCH", member, token=ADMIN, document={"role": "viewer"})
    assert await world.role(await world.enter(**groups())) == "viewer"
    overflown = {"sub": "fay", "_claim_names": {"realm.roles": "src1"}}
    assert await world.role(await world.enter(**groups("engineers"))) == "editor"
    assert await world.role(await world.enter(**overflown)) == "editor"


async def test_a_disabled_account_is_out_and_stays_out(world: World) -> None:
    browser = await world.enter(sub="gus")
    user_id = (await world.session(browser))["user"]["id"]

    await world.deployment.call(
        "PATCH", f"/admin/v1/users/{user_id}", token=ADMIN, document={"is_disabled": True}
    )

    async def is_out() -> bool:
        answers = []
        for _ in world.deployment.containers:  # from new addresses: each may be refused a few times
            peer = world.deployment.new_peer()
            again = replace(browser, cookies=dict(browser.cookies), peer=peer)
            answers.append(await again.send("GET", "/admin/v1/auth/session"))
        return all(each.status == 401 for each in answers)

    # A process that was not told looks once a second.
    assert len(world.deployment.containers) > 1 or await is_out()
    await until_so(is_out)
    assert await world.refused(sub="gus") == "disabled"


async def test_signing_out_leads_to_the_provider_with_what_it_said(world: World) -> None:
    world.forget_provider()
    world.provider.metadata["end_session_endpoint"] = f"{world.provider.issuer}/end?a=1"
    browser = await world.enter(sub="hal")

    answer = await browser.send("POST", "/admin/v1/auth/logout")

    assert answer.status == 204
    url = urlsplit(answer.headers["location"])
    query = parse_qs(url.query)
    assert url.path == "/end"
    assert query["client_id"] == [CLIENT_ID]
    assert query["post_logout_redirect_uri"][0].endswith("/console/sign-in")
    assert query["id_token_hint"][0].count(".") == 2
    assert query["a"] == ["1"]
    local = await signed_in(world.deployment, "local-person")
    assert "location" not in (await local.send("POST", "/admin/v1/auth/logout")).headers


async def back(world: World, token: str, name: str = "corp") -> Answer:
    return await world.deployment.send(
        "POST",
        f"{PATH}/{name}/backchannel-logout",
        body=f"logout_token={token}".encode(),
        headers=[
            ("host", "127.0.0.1:8000"),
            ("content-type", "application/x-www-form-urlencoded"),
        ],
    )


async def is_in(browser: Browser) -> bool:
    return (await browser.send("GET", "/admin/v1/auth/session")).status == 200


async def test_a_provider_signs_out_a_session_or_a_person(world: World) -> None:
    one = await world.enter(sub="ida", sid="s1")
    two = await world.enter(sub="ida", sid="s2")
    other = await world.enter(sub="jan", sid="s3")

    assert (await back(world, world.provider.logout_token(sid="s1"))).status == 200
    assert [await is_in(each) for each in (one, two, other)] == [False, True, True]
    assert (await back(world, world.provider.logout_token(sub="ida"))).status == 200
    assert [await is_in(each) for each in (two, other)] == [False, True]


BAD_LOGOUTS: Final[dict[str, dict[str, Any]]] = {
    "neither person nor session": {},
    "of another issuer": {"sub": "kim", "iss": "https://evil.example"},
    "for somebody else": {"sub": "kim", "aud": "somebody"},
    "no event": {"sub": "kim", "events": None},
    "another event": {"sub": "kim", "events": {"x": {}}},
    "a nonce": {"sub": "kim", "nonce": "x"},
    "too old": {"sub": "kim", "iat": int(time.time()) - 3600},
    "from the future": {"sub": "kim", "iat": int(time.time()) + 3600},
    "no time": {"sub": "kim", "iat": None},
    "expired": {"sub": "kim", "exp": int(time.time()) - 120},
}


@pytest.mark.parametrize("how", BAD_LOGOUTS)
async def test_a_word_of_logout_that_is_none_ends_nothing(world: World, how: str) -> None:
    browser = await world.enter(sub="kim", sid="k1")

    answer = await back(world, world.provider.logout_token(**BAD_LOGOUTS[how]))

    assert answer.status == 400, str(answer)
    assert await is_in(browser)


async def test_a_word_of_logout_by_somebody_else_ends_nothing(world: World) -> None:
    browser = await world.enter(sub="lea", sid="l1")
    claims = {"iss": world.provider.issuer, "aud": CLIENT_ID, "sub": "lea"}

    for token in (signed(claims, new_key("first")), _unsigned(claims), "", "x"):
        assert (await back(world, token)).status == 400
    assert (await back(world, world.provider.logout_token(sub="lea"), "missing")).status == 404
    assert await is_in(browser)


async def test_the_way_to_confirm_asks_the_person_again(world: World) -> None:
    old = await world.enter(sub="mia", auth_time=int(time.time()) - 3600)
    shown = await world.session(old)
    assert shown["signed_in_at"] <= time.time() - 3500
    url = await world.start(old, query="?confirm=true")
    asked = parse_qs(urlsplit(url).query)
    assert (asked["prompt"], asked["max_age"]) == (["login"], ["0"])
    former = old.cookies[COOKIE]

    world.provider.person = {"sub": "mia", "auth_time": int(time.time())}
    await world.come_back(old, world.provider.visit(url))

    assert (await world.session(old))["signed_in_at"] >= time.time() - 60
    assert old.cookies[COOKIE] != former
    gone = world.browser()
    gone.cookies[COOKIE] = former
    assert not await is_in(gone)
    lazy = world.browser()
    world.provider.person = {"sub": "mia"}
    url = await world.start(lazy, query="?confirm=true")
    assert await world.reason(lazy, world.provider.visit(url)) == "failed"


async def test_many_first_sign_ins_of_one_person_make_one_account(world: World) -> None:
    world.provider.person = {"sub": "noa"}
    browsers = [world.browser() for _ in range(4)]
    queries = [world.provider.visit(await world.start(each)) for each in browsers]

    answers = await asyncio.gather(
        *(world.come_back(each, query) for each, query in zip(browsers, queries, strict=True))
    )

    # A machine that is too busy at the moment lets some of them wait.
    inside = [each for each in browsers if COOKIE in each.cookies]
    assert {each.status for each in answers} <= {303, 503}
    assert inside
    assert len({(await world.session(each))["user"]["id"] for each in inside}) == 1


async def test_administrators_add_change_try_and_remove_providers(world: World) -> None:
    call, issuer = world.deployment.call, world.provider.issuer
    document = {
        "name": "Added",
        "issuer": issuer,
        "client_id": CLIENT_ID,
        "client_secret": SECRET,
    }
    made = await call("POST", PROVIDERS, token=ADMIN, document=document, status=201)
    one = f"{PROVIDERS}/{made['id']}"

    assert made["redirect_uri"].endswith(f"{PATH}/{made['id']}/callback")
    assert (made["has_secret"], made["is_read_only"]) == (True, False)
    assert SECRET not in json.dumps(made)
    listed = await call("GET", PROVIDERS, token=ADMIN)
    assert [each["id"] for each in listed["items"]] == ["corp", "closed", made["id"]]
    assert [each["is_read_only"] for each in listed["items"]] == [True, True, False]
    tried = await call("POST", f"{one}/try", token=ADMIN)
    assert not tried["is_usable"]  # what an administrator typed goes through the gate
    assert "127.0.0.1" in tried["problem"]
    changed = await call(
        "PATCH",
        one,
        token=ADMIN,
        document={
            "name": "Changed",
            "groups_claim": "groups",
            "roles": [{"group": "g", "workspace_id": world.space_id, "role": "viewer"}],
        },
    )
    assert changed["roles"] == [{"group": "g", "workspace_id": world.space_id, "role": "viewer"}]
    moved = await world.deployment.send(
        "PATCH", one, token=ADMIN, document={"issuer": "https://evil.example"}
    )
    assert (moved.status, "client_secret" in moved.text) == (400, True)
    assert (await call("POST", f"{PROVIDERS}/corp/try", token=ADMIN))["is_usable"]
    for method, path in [("PATCH", f"{PROVIDERS}/corp"), ("DELETE", f"{PROVIDERS}/corp")]:
        body = {"name": "x"} if method == "PATCH" else None
        answer = await world.deployment.send(method, path, token=ADMIN, document=body)
        assert answer.status == 409, str(answer)
    await call("DELETE", one, token=ADMIN, status=204)
    assert (await world.deployment.send("GET", one, token=ADMIN)).status == 404


@pytest.mark.parametrize(
    "change",
    [
        {"issuer": "http://id.example.org"},
        {"issuer": "ftp://id.example.org"},
        {"issuer": "https://id.example.org?x=1"},
        {"issuer": "https://user@id.example.org"},
        {"issuer": "https://"},
        {"client_id": ""},
        {"client_id": "x\n"},
        {"scopes": ["profile"]},
        {"scopes": ["openid", "a b"]},
        {"groups_claim": "g", "roles": [{"group": "g", "workspace_id": "1", "role": "owner"}]},
        {"roles": [{"group": "g", "workspace_id": "1", "role": "viewer"}]},
        {"name": "x" * 51},
        {"client_secret": "x" * 1001},
    ],
    ids=str,
)
async def test_providers_that_cannot_work_or_open_a_hole_are_refused(
    world: World, change: dict[str, Any]
) -> None:
    document = {"name": "N", "issuer": "https://id.example.org", "client_id": "c", **change}

    answer = await world.deployment.send("POST", PROVIDERS, token=ADMIN, document=document)

    assert answer.status == 400, str(answer)


async def test_sign_ins_and_providers_are_in_the_audit_log(world: World) -> None:
    await world.enter(sub="olga", realm={"roles": ["engineers"]})

    found = await world.deployment.call("GET", "/admin/v1/audit-log?limit=100", token=ADMIN)

    told = {each["action"] for each in found["items"]}
    assert {"user.created", "user.identity_linked", "session.opened"} <= told
    assert "membership.added" in told
    assert SECRET not in json.dumps(found)
