"""Content that is not ours in frames of the console: who sees it, and what it may do there."""

from typing import Any, Final

import pytest

from tests.integration.security.tenants import Tenant, make_tenant
from tests.integration.security.test_support_view import member
from tests.support.client.browser import Browser
from tests.support.process.in_process import Deployment

HTML: Final = "<!doctype html><script>alert(1)</script><p style='color: red'>Seven piers</p>"
SVG: Final = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
POLICY: Final = {
    "sandbox",
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "img-src data:",
    "frame-ancestors 'self'",
}


@pytest.fixture(scope="module")
async def owner(deployment: Deployment) -> Tenant:
    return await make_tenant(deployment, "frames")


async def browser_of(deployment: Deployment, tenant: Tenant) -> Browser:
    browser = Browser(deployment)
    await browser.exchange(tenant.token)
    return browser


async def asked(deployment: Deployment, tenant: Tenant, text: str) -> str:
    """Ask the draft of the tenant's agent, which says it again; return the run."""
    begun = await deployment.call(
        "POST",
        f"/admin/v1/agents/{tenant.ids['agent']}/chats",
        token=tenant.token,
        document={"version": "draft", "content": text},
        status=202,
    )
    await deployment.idle()
    run: str = begun["run_id"]
    return run


async def spans(deployment: Deployment, tenant: Tenant, run: str) -> list[Any]:
    found = await deployment.call("GET", f"/admin/v1/traces/{run}", token=tenant.token)
    listed: list[Any] = found["spans"]
    return listed


async def frame_of(deployment: Deployment, tenant: Tenant, run: str, text: str) -> str:
    """Return the address of the frame of the first step that began with a text."""
    span = next(each for each in await spans(deployment, tenant, run) if each["input"] == text)
    return f"/console/frame/span/{run}/{span['id']}?side=input"


@pytest.mark.parametrize(("name", "content"), [("a.html", HTML), ("a.svg", SVG)])
async def test_a_file_is_shown_without_scripts_and_origin(
    deployment: Deployment, owner: Tenant, name: str, content: str
) -> None:
    file = await deployment.upload(owner.token, content.encode(), name=name)
    browser = await browser_of(deployment, owner)

    answer = await browser.send("GET", f"/console/frame/file/{file}")

    assert (answer.status, answer.text) == (200, content)
    require_sandbox(answer.headers)


def require_sandbox(headers: Any) -> None:
    assert {part.strip() for part in headers["content-security-policy"].split(";")} == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["x-frame-options"] == "SAMEORIGIN"
    assert "no-store" in headers["cache-control"]
    assert headers["content-type"].startswith(("text/html", "image/svg+xml"))
    assert "set-cookie" not in headers


async def test_what_a_step_began_with_is_shown_the_same_way(
    deployment: Deployment, owner: Tenant
) -> None:
    run = await asked(deployment, owner, HTML)
    path = await frame_of(deployment, owner, run, HTML)
    browser = await browser_of(deployment, owner)

    answer = await browser.send("GET", path)

    assert (answer.status, answer.text) == (200, HTML)
    require_sandbox(answer.headers)


async def test_what_is_no_page_is_refused_with_what_to_do(
    deployment: Deployment, owner: Tenant
) -> None:
    file = await deployment.upload(owner.token, b"plain words")
    run = await asked(deployment, owner, "plain words")
    path = await frame_of(deployment, owner, run, "plain words")
    browser = await browser_of(deployment, owner)

    for each in (f"/console/frame/file/{file}", path):
        answer = await browser.send("GET", each)
        assert (answer.status, answer.json["code"]) == (400, 4000), str(answer)


async def test_nobody_else_finds_it(deployment: Deployment, owner: Tenant, mallory: Tenant) -> None:
    file = await deployment.upload(owner.token, HTML.encode(), name="a.html")
    run = await asked(deployment, owner, HTML)
    paths = (f"/console/frame/file/{file}", await frame_of(deployment, owner, run, HTML))
    other = await browser_of(deployment, mallory)

    for path in paths:
        missing = await other.send("GET", path)
        assert missing.status == 404, str(missing)
        assert "piers" not in missing.text
        assert (await Browser(deployment).send("GET", path)).status == 401
        # A program downloads; a frame is for a person at a browser.
        assert (await deployment.send("GET", path, token=owner.token)).status == 403


async def test_a_member_without_the_rights_finds_no_step_of_others(
    deployment: Deployment, owner: Tenant
) -> None:
    run = await asked(deployment, owner, HTML)
    path = await frame_of(deployment, owner, run, HTML)
    viewer = await member(deployment, owner, "viewer")
    browser = Browser(deployment)
    await browser.exchange(viewer)

    assert (await browser.send("GET", path)).status == 404
