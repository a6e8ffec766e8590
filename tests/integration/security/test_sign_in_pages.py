"""T16: pages of sign-in run nothing but their script, and lead nowhere else.

They are those of a server without console; with it, its screens are at the same addresses.
"""

import json
import re
from collections.abc import AsyncGenerator
from typing import Final

import pytest

from api.sign_in.oidc import OIDC_PATH
from tests.support.client.browser import Browser, signed_in
from tests.support.process.in_process import ADMIN, Deployment, running

PAGES: Final = ("/console/sign-in", "/console/welcome", "/console/account")
POLICY: Final = {
    "default-src 'none'",
    "script-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
}


CORP: Final = {
    "id": "corp",
    "name": "Corp",
    "issuer": "https://id.example",
    "client_id": "coterie",
    "client_secret": "secret",
}


@pytest.fixture(scope="module")
async def deployment(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Deployment, None]:
    environ = {"COTERIE_CONSOLE__ENABLED": "false", "COTERIE_AUTH__OIDC": json.dumps([CORP])}
    async with running(tmp_path_factory.mktemp("pages"), environ) as deployment:
        yield deployment


async def test_an_invitation_says_where_it_leads_and_what_to_do(
    deployment: Deployment, browser: Browser
) -> None:
    made = await deployment.call(
        "POST",
        "/admin/v1/workspaces",
        token=ADMIN,
        document={"name": "<b>Team</b>"},
        status=201,
    )
    invited = await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{made['id']}/invitations",
        token=ADMIN,
        document={"role": "editor"},
        status=201,
    )
    path = f"/console/welcome?invite={invited['code']}"

    stranger = (await Browser(deployment).send("GET", path)).text
    member = (await browser.send("GET", path)).text
    nowhere = (await Browser(deployment).send("GET", "/console/welcome?invite=none")).text

    assert "You are invited to &lt;b&gt;Team&lt;/b&gt;" in stranger
    assert "You come in as editor." in stranger
    assert 'id="register-form"' not in stranger  # nobody signs up here
    assert "/console/sign-in?return_to=%2Fconsole%2Fwelcome%3Finvite%3D" in stranger
    assert 'id="join-form"' in member
    assert "leads nowhere" in nowhere


@pytest.fixture(scope="module")
async def browser(deployment: Deployment) -> Browser:
    return await signed_in(deployment, "page-reader")


@pytest.mark.parametrize("path", [*PAGES, "/console/sign-in.js", "/console/sign-in.css"])
async def test_a_page_runs_one_file_of_this_server(path: str, browser: Browser) -> None:
    visitor = browser if path.endswith("account") else Browser(browser.deployment)
    answer = await visitor.send("GET", path)

    assert answer.status == 200, str(answer)
    policy = {each.strip() for each in answer.headers["content-security-policy"].split(";")}
    assert policy >= POLICY
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in answer.headers
    if path in PAGES:
        assert answer.headers["cache-control"] == "no-store"
        assert re.findall(r"<script[^>]*>", answer.text) == [
            '<script src="/console/sign-in.js" defer>'
        ]
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|https?://", answer.text)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(
    ("headers", "language", "theme"),
    [
        ([], "en", "system"),
        ([("accept-language", "zh-CN,zh;q=0.9,en;q=0.8")], "zh", "system"),
        ([("accept-language", "fr, en;q=0.5")], "en", "system"),
        ([("cookie", "coterie_ui=zh.dark")], "zh", "dark"),
        ([("cookie", 'coterie_ui="><script>.x')], "en", "system"),
    ],
)
async def test_a_page_speaks_the_language_of_its_reader(
    path: str, headers: list[tuple[str, str]], language: str, theme: str, browser: Browser
) -> None:
    given = dict(headers)
    if path.endswith("account"):
        own = [f"{name}={value}" for name, value in browser.cookies.items()]
        given["cookie"] = "; ".join([*own, *filter(None, [given.get("cookie")])])
    answer = await Browser(browser.deployment).send("GET", path, headers=list(given.items()))

    assert answer.status == 200, str(answer)
    assert f'<html lang="{language}" class="{theme}">' in answer.text
    assert ("在此" in answer.text or "设备" in answer.text) == (language == "zh")


async def test_whoever_is_not_signed_in_signs_in_and_the_other_way_round(
    browser: Browser,
) -> None:
    stranger = await Browser(browser.deployment).send("GET", "/console/account")
    known = await browser.send("GET", "/console/sign-in")

    assert (stranger.status, known.status) == (302, 302)
    assert stranger.headers["location"] == "/console/sign-in?return_to=/console/account"
    assert known.headers["location"] == "/console/account"


async def test_the_page_names_the_providers(browser: Browser) -> None:
    page = await Browser(browser.deployment).send("GET", "/console/sign-in?refused=denied")

    assert f'href="{OIDC_PATH}/corp/start"' in page.text
    assert "Continue with Corp" in page.text


@pytest.mark.parametrize("path", ["/console/sign-in", "/console/welcome?ticket=x"])
async def test_plain_http_over_a_network_is_told_why(path: str, browser: Browser) -> None:
    far = Browser(browser.deployment, host="coterie.example")
    answer = await far.send("GET", path)

    assert answer.status == 200
    assert "<form" not in answer.text
    assert "public_url" in answer.text
    assert "console.allow_http" in answer.text
