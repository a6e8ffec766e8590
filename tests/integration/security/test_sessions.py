"""T14, T16: sessions of browsers count where they should, with what shows that they are meant."""

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import Any, Final

import pytest

from api.entry.route import ROUTES, Level, access_of
from bootstrap.server.app import create_app
from tests.integration.security.tenants import Tenant
from tests.support.client.browser import (
    COOKIE,
    HOST,
    PASSWORD,
    Browser,
    link_for,
    signed_in,
)
from tests.support.process.in_process import ADMIN, Answer, Deployment, Headers

ME: Final = "/admin/v1/auth/me"


@pytest.fixture(scope="module")
async def browser(deployment: Deployment) -> Browser:
    return await signed_in(deployment, "bea-session")


def cookie_of(answer: Answer) -> dict[str, str]:
    (line,) = [value.decode() for name, value in answer.header_lines if name == b"set-cookie"]
    pair, *flags = line.split("; ")
    found = {"name": pair.partition("=")[0], "value": pair.partition("=")[2]}
    for flag in flags:
        key, _, value = flag.partition("=")
        found[key.lower()] = value
    return found


async def test_a_session_does_what_a_token_without_limits_does(
    browser: Browser, deployment: Deployment
) -> None:
    shown = await browser.call("GET", "/admin/v1/auth/session")

    assert shown["user"]["name"] == "bea-session"
    assert shown["csrf"] == browser.csrf
    assert [each["type"] for each in shown["workspaces"]] == ["personal"]
    assert "bot.write" in shown["workspaces"][0]["permissions"]
    space = shown["workspaces"][0]["id"]
    made = await browser.call(
        "POST", f"/admin/v1/workspaces/{space}/agents", {"name": "By hand"}, 201
    )
    listed = await browser.call("GET", f"/admin/v1/workspaces/{space}/agents")
    assert [each["id"] for each in listed["items"]] == [made["id"]]


@pytest.mark.parametrize("is_remembered", [False, True])
@pytest.mark.parametrize(
    ("host", "name"), [(HOST, COOKIE), ("localhost:8000", COOKIE), ("[::1]:8000", COOKIE)]
)
async def test_the_cookie_is_for_this_server_and_no_script(
    host: str, name: str, deployment: Deployment, browser: Browser, *, is_remembered: bool
) -> None:
    other = Browser(deployment, host=host)
    body = {"name": "bea-session", "password": PASSWORD, "remember": is_remembered}
    answer = await other.send("POST", "/admin/v1/auth/login", body)
    cookie = cookie_of(answer)

    assert cookie.pop("name") == name
    assert len(cookie.pop("value")) >= 43
    lasts = {"max-age": str(30 * 24 * 3600)} if is_remembered else {}
    assert cookie == {"httponly": "", "path": "/", "samesite": "Lax", **lasts}
    assert answer.headers["cache-control"] == "no-store"
    other.csrf = answer.json["csrf"]
    again = await other.send("GET", "/admin/v1/auth/session")
    assert ("max-age" in cookie_of(again)) == is_remembered

    gone = await other.send("POST", "/admin/v1/auth/logout")
    ended = cookie_of(gone)
    assert (gone.status, ended["value"], ended["max-age"]) == (204, '""', "0")
    assert (await other.send("GET", ME)).status == 401


async def test_plain_http_over_a_network_takes_no_sign_in(
    deployment: Deployment, browser: Browser
) -> None:
    far = Browser(deployment, host="coterie.example", cookies=dict(browser.cookies))
    for path, body in (
        ("login", {"name": "bea-session", "password": PASSWORD}),
        ("token", {"token": ADMIN}),
        ("ticket", {"ticket": "x"}),
    ):
        answer = await far.send("POST", f"/admin/v1/auth/{path}", body)
        assert (answer.status, answer.json["error"]["detail"]) == (403, "insecure_connection")
    assert (await far.send("GET", ME)).status == 401
    ways = await far.call("GET", "/admin/v1/auth/ways")
    assert (ways["is_insecure"], ways["password"], ways["token"]) == (True, False, False)
    near = await browser.call("GET", "/admin/v1/auth/ways")
    assert (near["is_insecure"], near["password"], near["token"]) == (False, True, True)


async def test_the_cookie_counts_on_the_surfaces_of_browsers_only(
    deployment: Deployment, browser: Browser
) -> None:
    app, wrong = create_app(deployment.container), []
    for route in app.routes:
        path = route.path_format
        concrete = "/".join("7" if part.startswith("{") else part for part in path.split("/"))
        for handler in getattr(route, "route_handlers", ()):
            for method in sorted(handler.http_methods - {"OPTIONS"}):
                if access_of(handler, method, path).level in {Level.PUBLIC, Level.LINK}:
                    continue  # visitors of links have tokens of these
                if path.startswith("/admin/v1/") and method != "GET":
                    continue
                brief = "?for_s=0" if path == "/admin/v1/live" else ""  # it goes on otherwise
                answer = await browser.send(method, concrete + brief)
                if (answer.status == 401) == path.startswith(("/admin/v1/", "/console/", "/s/")):
                    wrong.append(f"{method} {path}: {answer}")
    assert not wrong, "\n".join(wrong)


async def test_a_header_alone_decides_where_there_is_one(
    deployment: Deployment, browser: Browser, alice: Tenant
) -> None:
    for value, status in (
        (f"Bearer {alice.token}", 200),
        ("Bearer pat_wrongwrongwrongwrong", 401),
        ("", 401),
        ("Basic YTpi", 401),
    ):
        answer = await browser.send("GET", ME, headers=[("authorization", value)])
        assert answer.status == status, str(answer)
    shown = await browser.send("GET", ME, headers=[("authorization", f"Bearer {alice.token}")])
    assert shown.json["name"] == "alice"
    secret = browser.cookies[COOKIE]
    for value in (secret, f"pat_{secret}"):
        assert (await deployment.send("GET", ME, token=value)).status == 401
    for text in (alice.token, ADMIN, "", "x" * 43, "\xff"):
        thief = Browser(deployment, cookies={COOKIE: text}, peer=deployment.new_peer())
        assert (await thief.send("GET", ME)).status == 401
    for name in ("__Host-coterie", "coterie-8001", "coterie", "Coterie-8000"):
        thief = Browser(deployment, cookies={name: secret}, peer=deployment.new_peer())
        assert (await thief.send("GET", ME)).status == 401
    two = [("cookie", f"{COOKIE}={secret}"), ("cookie", f"{COOKIE}=other")]
    assert (await Browser(deployment).send("GET", ME, headers=two)).status == 401


ORIGINS: Final[dict[str, Headers]] = {
    "same-origin": [("sec-fetch-site", "same-origin")],
    "own origin": [("origin", f"http://{HOST}")],
}
FOREIGN: Final[dict[str, Headers]] = {
    "nothing": [],
    "cross-site": [("sec-fetch-site", "cross-site")],
    "same-site": [("sec-fetch-site", "same-site")],
    "none": [("sec-fetch-site", "none")],
    "twice": [("sec-fetch-site", "same-origin"), ("sec-fetch-site", "same-origin")],
    "contradiction": [("sec-fetch-site", "cross-site"), ("origin", f"http://{HOST}")],
    **{
        origin: [("origin", origin)]
        for origin in (
            "null",
            "",
            f"https://{HOST}",
            "http://127.0.0.1",
            "http://127.0.0.1:8001",
            "http://localhost:8000",
            f"http://{HOST}.",
            f"http://{HOST}.evil.example",
            f"http://evil{HOST}",
            "https://app.example",
            f"http://{HOST}/",
        )
    },
    "two origins": [("origin", f"http://{HOST}"), ("origin", f"http://{HOST}")],
}
BODIES: Final[dict[str, tuple[int, bytes, Headers]]] = {
    "json": (200, b'{"nickname": "Bea"}', [("content-type", "application/json")]),
    "json with charset": (
        200,
        b'{"nickname": "Bea"}',
        [("content-type", "application/json; charset=utf-8")],
    ),
    "form": (415, b"nickname=x", [("content-type", "application/x-www-form-urlencoded")]),
    "text": (415, b'{"nickname": "x"}', [("content-type", "text/plain")]),
    "no type": (415, b'{"nickname": "x"}', []),
    "two types": (
        415,
        b'{"nickname": "x"}',
        [("content-type", "text/plain"), ("content-type", "application/json")],
    ),
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("value", ["right", "wrong", "missing", "twice", "of another"])
async def test_a_change_shows_that_a_page_of_ours_means_it(
    value: str, body: str, deployment: Deployment, browser: Browser
) -> None:
    csrf = {
        "right": [browser.csrf],
        "wrong": [browser.csrf[:-1] + ("A" if browser.csrf[-1] != "A" else "B")],
        "missing": [],
        "twice": [browser.csrf, browser.csrf],
        "of another": [(await signed_in_again(deployment, "bea-session")).csrf],
    }[value]
    expected, data, types = BODIES[body]
    before = deployment.rows()
    for name, origin in (ORIGINS | FOREIGN).items():
        headers = [*origin, *types, *(("coterie-csrf", each) for each in csrf)]
        answer = await browser.send("PATCH", ME, body=data, headers=headers)
        if name in FOREIGN:
            assert (answer.status, answer.json["error"]["detail"]) == (403, "csrf"), name
        elif expected != 200:
            assert (answer.status, answer.code) == (415, 4000), f"{name}: {answer}"
        elif value == "right":
            assert answer.status == 200, f"{name}: {answer}"
        else:
            assert (answer.status, answer.json["error"]["detail"]) == (403, "csrf"), name
    if value != "right" or expected != 200:
        assert deployment.rows() == before


async def signed_in_again(deployment: Deployment, name: str) -> Browser:
    browser = Browser(deployment)
    await browser.sign_in(name)
    return browser


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_no_change_of_the_surface_is_done_without_the_value(
    method: str, deployment: Deployment, browser: Browser
) -> None:
    app, before = create_app(deployment.container), deployment.rows()
    for route in app.routes:
        path = route.path_format
        if not path.startswith("/admin/v1/"):
            continue
        concrete = "/".join("7" if part.startswith("{") else part for part in path.split("/"))
        for handler in getattr(route, "route_handlers", ()):
            if method not in handler.http_methods:
                continue
            if access_of(handler, method, path).level is Level.PUBLIC:
                continue
            for headers in ([("sec-fetch-site", "same-origin")], [("coterie-csrf", browser.csrf)]):
                answer = await browser.send(method, concrete, headers=headers)
                assert (answer.status, answer.json["error"]["detail"]) == (403, "csrf"), path
    assert deployment.rows() == before


@pytest.mark.parametrize(
    "operation", [name for name, access in ROUTES.items() if access.is_of_own_pages]
)
async def test_what_a_session_begins_with_comes_from_our_pages(
    operation: str, deployment: Deployment
) -> None:
    path = {
        "admin.auth.login": "login",
        "admin.auth.exchange_token": "token",
        "admin.auth.register": "register",
        "admin.auth.redeem_ticket": "ticket",
    }[operation]
    before, browser = deployment.rows(), Browser(deployment)
    for headers in FOREIGN.values():
        answer = await browser.send("POST", f"/admin/v1/auth/{path}", {}, headers=headers)
        assert (answer.status, answer.json["error"]["detail"]) == (403, "csrf"), str(headers)
    for types in ("text/plain", "application/x-www-form-urlencoded"):
        headers = [("sec-fetch-site", "same-origin"), ("content-type", types)]
        answer = await browser.send("POST", f"/admin/v1/auth/{path}", body=b"{}", headers=headers)
        assert answer.status == 415
    assert deployment.rows() == before


async def test_a_session_is_for_people_where_a_route_says_so(
    deployment: Deployment, alice: Tenant
) -> None:
    for method, path, body in (
        ("GET", "session", None),
        ("POST", "logout", None),
        ("POST", "step-up", {"password": PASSWORD}),
        ("PUT", "password", {"password": PASSWORD}),
    ):
        answer = await deployment.send(
            method, f"/admin/v1/auth/{path}", token=alice.token, document=body
        )
        assert answer.status == 403, str(answer)


async def test_bodies_of_sessions_take_nothing_else(
    deployment: Deployment, browser: Browser
) -> None:
    before = deployment.rows()
    for method, path, body in (
        ("POST", "step-up", {"password": PASSWORD}),
        ("PUT", "password", {"password": "quite long enough 5", "current": PASSWORD}),
        ("PATCH", "me", {"nickname": "Forged"}),
        ("POST", "login", {"name": "bea-session", "password": PASSWORD}),
        ("POST", "ticket", {"ticket": "x"}),
        ("POST", "token", {"token": ADMIN}),
    ):
        forged = {**body, "is_admin": True}
        answer = await browser.send(method, f"/admin/v1/auth/{path}", forged)
        assert (answer.status, answer.code) == (400, 4000), path
        assert "`is_admin`" in answer.json["msg"], path
    assert deployment.rows() == before


async def test_a_link_opens_once_and_sets_a_password_that_is_worth_something(
    deployment: Deployment,
) -> None:
    made = await deployment.call(
        "POST", "/admin/v1/users", token=ADMIN, document={"name": "once-only"}, status=201
    )
    url = await link_for(deployment, made["user"]["id"])
    first, second = Browser(deployment), Browser(deployment)
    ticket = url.rpartition("=")[2]
    for weak in ("short", "password1234", "aaaaaaaaaaaaaaa", "once-only123", "x" * 257):
        answer = await first.send(
            "POST", "/admin/v1/auth/ticket", {"ticket": ticket, "password": weak}
        )
        assert (answer.status, answer.json["error"]["detail"]) == (400, "weak_password"), weak
    empties: list[Any] = [None, "", [], {}, 0, True, "x" * 43]
    for empty in empties:
        answer = await first.send("POST", "/admin/v1/auth/ticket", {"ticket": empty})
        assert answer.status in {400, 401}, str(answer)
    answer = await first.send("POST", "/admin/v1/auth/ticket", {})
    assert answer.status == 400

    await first.enter(url)

    answer = await second.send("POST", "/admin/v1/auth/ticket", {"ticket": ticket})
    assert (answer.status, answer.json["error"]["detail"]) == (401, "link_spent")
    assert not second.cookies
    await second.sign_in("ONCE-only")
    assert (await deployment.send("GET", ME, token=made["token"])).status == 200


async def test_a_password_ends_links_that_were_made_before(deployment: Deployment) -> None:
    made = await deployment.call(
        "POST", "/admin/v1/users", token=ADMIN, document={"name": "two-links"}, status=201
    )
    urls = [await link_for(deployment, made["user"]["id"]) for _ in range(2)]
    await Browser(deployment).enter(urls[1])
    answer = await Browser(deployment).send(
        "POST", "/admin/v1/auth/ticket", {"ticket": urls[0].rpartition("=")[2]}
    )
    assert answer.status == 401


async def test_whoever_fails_is_told_the_same_and_then_to_wait(deployment: Deployment) -> None:
    await signed_in(deployment, "guessed-at")
    told = []
    for name in ("guessed-at", "nobody-here", "nobody@example.org"):
        answers = []
        for number in range(11):
            guesser = Browser(deployment, peer="203.0.113.7")
            body = {"name": name, "password": f"wrong {number}"}
            answers.append(await guesser.send("POST", "/admin/v1/auth/login", body))
        assert [each.status for each in answers] == [401] * 10 + [429]
        assert 0 < int(answers[-1].headers["retry-after"]) <= 15 * 60
        told.append({(each.json["code"], each.json["msg"]) for each in answers[:-1]})
        told[-1] = {json.dumps(sorted(told[-1]))}  # type: ignore[arg-type]
    assert told[0] == told[1] == told[2]
    late = Browser(deployment, peer="203.0.113.7")
    right = await late.send(
        "POST", "/admin/v1/auth/login", {"name": "guessed-at", "password": PASSWORD}
    )
    assert right.status == 429
    elsewhere = Browser(deployment, peer="203.0.113.8")
    await elsewhere.sign_in("guessed-at")


async def test_many_guesses_at_once_are_counted_one_by_one(deployment: Deployment) -> None:
    await signed_in(deployment, "flooded")

    async def guess(number: int) -> int:
        browser = Browser(deployment, peer="203.0.113.44")
        body = {"name": "flooded", "password": f"wrong {number}"}
        return (await browser.send("POST", "/admin/v1/auth/login", body)).status

    statuses = await asyncio.gather(*(guess(number) for number in range(16)))

    assert sorted(statuses) == [401] * 10 + [429] * 6


async def test_a_token_signs_in_and_its_session_ends_with_it(deployment: Deployment) -> None:
    made = await deployment.call(
        "POST", "/admin/v1/users", token=ADMIN, document={"name": "by-token"}, status=201
    )
    token = made["token"]
    limited = await deployment.call(
        "POST",
        "/admin/v1/tokens",
        token=token,
        document={"name": "less", "permissions": ["chat"]},
        status=201,
    )
    browser = Browser(deployment)
    refused = await browser.send(
        "POST", "/admin/v1/auth/token", {"token": limited["token"], "remember": True}
    )
    assert refused.status == 403
    assert (
        await browser.send("POST", "/admin/v1/auth/token", {"token": "pat_" + "x" * 30})
    ).status == 401
    second = await deployment.call(
        "POST", "/admin/v1/tokens", token=token, document={"name": "whole"}, status=201
    )
    answer = await browser.send("POST", "/admin/v1/auth/token", {"token": second["token"]})
    assert answer.status == 200

    await deployment.call("DELETE", f"/admin/v1/tokens/{second['id']}", token=token, status=204)

    assert (await browser.send("GET", ME)).status == 401


async def _password(deployment: Deployment, browser: Browser, user: str) -> None:
    other = await signed_in_again(deployment, user)
    body = {"current": PASSWORD, "password": "another fine Day 8"}
    await other.call("PUT", "/admin/v1/auth/password", body, 204)
    assert (await other.send("GET", ME)).status == 200


async def _disabled(deployment: Deployment, browser: Browser, user: str) -> None:
    path = f"/admin/v1/users/{await _id(browser)}"
    await deployment.call("PATCH", path, token=ADMIN, document={"is_disabled": True})


async def _everywhere(deployment: Deployment, browser: Browser, user: str) -> None:
    other = await signed_in_again(deployment, user)
    await other.call("DELETE", "/admin/v1/auth/sessions", status=204)
    assert (await other.send("GET", ME)).status == 200


async def _one(deployment: Deployment, browser: Browser, user: str) -> None:
    listed = await browser.call("GET", "/admin/v1/auth/sessions")
    (current,) = [each["id"] for each in listed["items"] if each["is_current"]]
    other = await signed_in_again(deployment, user)
    await other.call("DELETE", f"/admin/v1/auth/sessions/{current}", status=204)
    assert (await other.send("GET", ME)).status == 200


async def _by_administrator(deployment: Deployment, browser: Browser, user: str) -> None:
    path = f"/admin/v1/users/{await _id(browser)}/sessions"
    listed = await deployment.call("GET", path, token=ADMIN)
    assert listed["total"] >= 1
    await deployment.call("DELETE", path, token=ADMIN, status=204)


async def _reset(deployment: Deployment, browser: Browser, user: str) -> None:
    other = Browser(deployment)
    await other.enter(await link_for(deployment, await _id(browser)), password="new and long 99")
    assert (await other.send("GET", ME)).status == 200


async def _signed_out(deployment: Deployment, browser: Browser, user: str) -> None:
    kept = dict(browser.cookies)
    await browser.call("POST", "/admin/v1/auth/logout", status=204)
    assert not browser.cookies
    browser.cookies = kept


CAUSES: Final[dict[str, Callable[[Deployment, Browser, str], Awaitable[None]]]] = {
    "password changed": _password,
    "account disabled": _disabled,
    "signed out elsewhere": _everywhere,
    "one signed out": _one,
    "by an administrator": _by_administrator,
    "password reset": _reset,
    "signed out": _signed_out,
}


async def _id(browser: Browser) -> str:
    found: str = (await browser.call("GET", ME))["id"]
    return found


@pytest.mark.parametrize("cause", CAUSES)
async def test_a_session_ends_at_once_with_what_was_open(
    cause: str, deployment: Deployment
) -> None:
    name = f"leaver-{list(CAUSES).index(cause)}"
    browser = await signed_in(deployment, name)
    stranger = await signed_in(deployment, f"stays-{list(CAUSES).index(cause)}")
    followers, ended = deployment.container.identity().followers, asyncio.Event()
    principal = await deployment.container.identity().authentication.authenticate_session(
        browser.cookies[COOKIE]
    )
    leave = followers.add(principal, None, ended.set)

    await CAUSES[cause](deployment, browser, name)

    answer = await browser.send("GET", ME)
    assert answer.status == 401
    assert not set(answer.headers) & {"set-cookie"}
    async with asyncio.timeout(60):
        await ended.wait()
    leave()
    assert (await stranger.send("GET", ME)).status == 200


async def test_what_cannot_be_undone_needs_a_recent_sign_in(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = await signed_in(deployment, "careful", is_admin=True)
    space = await browser.call("POST", "/admin/v1/workspaces", {"name": "To go"}, 201)
    await _age_sign_ins(deployment)
    user_id = await _id(browser)
    needing: list[tuple[str, str, Any, int]] = [
        ("POST", "/admin/v1/tokens", {"name": "shown"}, 201),
        ("POST", "/admin/v1/users", {"name": "new-admin", "is_admin": True}, 201),
        ("POST", f"/admin/v1/users/{user_id}/link", None, 201),
        ("DELETE", f"/admin/v1/workspaces/{space['id']}", None, 204),
    ]
    before = deployment.rows()
    for method, path, body, _ in needing:
        answer = await browser.send(method, path, body)
        assert (answer.status, answer.json["error"]["detail"]) == (403, "recent_sign_in_needed")
    assert deployment.rows() == before

    wrong = await browser.send("POST", "/admin/v1/auth/step-up", {"password": "not this one"})
    assert wrong.status == 401
    assert (await browser.send("GET", ME)).status == 200
    await browser.call("POST", "/admin/v1/auth/step-up", {"password": PASSWORD}, 204)

    for method, path, body, status in needing:
        await browser.call(method, path, body, status)
    token = await deployment.call(
        "POST", "/admin/v1/tokens", token=ADMIN, document={"name": "by token"}, status=201
    )
    assert token["token"].startswith("pat_")


async def _age_sign_ins(deployment: Deployment) -> None:
    """Have all sessions be of an hour ago."""
    with closing(sqlite3.connect(deployment.data / "coterie.db")) as connection, connection:
        connection.execute("UPDATE browser_session SET signed_in_at = signed_in_at - 3600000000")
    deployment.container.identity().principals.forget_all()


async def test_sessions_are_listed_and_end_for_their_account_alone(
    deployment: Deployment, alice: Tenant
) -> None:
    browser = await signed_in(deployment, "lister")
    again = await signed_in_again(deployment, "lister")
    listed = await browser.call("GET", "/admin/v1/auth/sessions")

    assert [each["is_current"] for each in listed["items"]] == [False, True]
    assert {each["way"] for each in listed["items"]} == {"password", "ticket"}
    assert (listed["total"], listed["next_cursor"]) == (2, None)
    number = listed["items"][0]["id"]
    foreign = await deployment.send(
        "DELETE", f"/admin/v1/auth/sessions/{number}", token=alice.token
    )
    missing = await deployment.send(
        "DELETE", "/admin/v1/auth/sessions/7000000000000000007", token=alice.token
    )
    assert (foreign.status, missing.status) == (404, 404)
    assert (await again.send("GET", ME)).status == 200
    secrets = [*browser.cookies.values(), *again.cookies.values()]
    assert not [each for each in secrets if each.encode() in deployment.dump()]


async def test_what_one_prefers_is_kept(browser: Browser) -> None:
    first = await browser.call("GET", "/admin/v1/auth/preferences")
    assert (first["language"], first["theme"]) == ("", "system")
    body = {**first, "language": "zh", "zone": "Asia/Shanghai", "theme": "dark"}

    assert await browser.call("PUT", "/admin/v1/auth/preferences", body) == body

    assert await browser.call("GET", "/admin/v1/auth/preferences") == body
    shown = await browser.call("GET", "/admin/v1/auth/session")
    assert (shown["user"]["language"], shown["user"]["zone"]) == ("zh", "Asia/Shanghai")
    refused = await browser.send("PUT", "/admin/v1/auth/preferences", {"language": "tlh"})
    assert refused.status == 400


async def test_views_of_own_workspaces_are_kept(browser: Browser) -> None:
    shown = await browser.call("GET", "/admin/v1/auth/session")
    own = {
        "workspace_id": shown["workspaces"][0]["id"],
        "name": "Failed today",
        "search": "state=failed&time=1d",
    }
    body = {"run_columns": ["question", "cost"], "run_views": [own]}

    await browser.call("PUT", "/admin/v1/auth/preferences", body)

    kept = await browser.call("GET", "/admin/v1/auth/preferences")
    assert (kept["run_columns"], kept["run_views"]) == (["question", "cost"], [own])
    foreign = {"run_views": [own | {"workspace_id": "17"}]}
    assert (await browser.send("PUT", "/admin/v1/auth/preferences", foreign)).status == 404
    many = {"run_views": [own] * 51}
    assert (await browser.send("PUT", "/admin/v1/auth/preferences", many)).status == 400
    odd = {"run_columns": ["no column"]}
    assert (await browser.send("PUT", "/admin/v1/auth/preferences", odd)).status == 400
