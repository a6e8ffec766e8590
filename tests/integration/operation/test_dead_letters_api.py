"""Dead letters over HTTP: seen without secrets, delivered again, dropped with a reason."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest

from tests.integration.security.tenants import make_tenant
from tests.support.event.dead_letter import leave_letter
from tests.support.process.in_process import ADMIN, Deployment, running

LETTERS = "/admin/v1/dead-letters"
SECRET = "sk-of-somebody-else"


@pytest.fixture(scope="module")
async def deployment(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Deployment, None]:
    async with running(tmp_path_factory.mktemp("letters"), {}) as made:
        yield made


async def leave(deployment: Deployment, event_id: str, **said: Any) -> None:
    container = deployment.container
    await leave_letter(container.database(), event_id, died_at=container.clock().now(), **said)


async def ask(deployment: Deployment, query: str = "") -> dict[str, Any]:
    found: dict[str, Any] = await deployment.call("GET", LETTERS + query, token=ADMIN)
    return found


async def settle(deployment: Deployment, how: str, status: int = 200, **said: Any) -> Any:
    return await deployment.call(
        "POST", f"{LETTERS}:{how}", token=ADMIN, document=said, status=status
    )


async def test_letters_are_shown_by_what_they_say_but_without_secrets(
    deployment: Deployment,
) -> None:
    payload = b'{"name": "Ann", "token": "abc", "deep": [{"said": "Bearer %s"}]}' % SECRET.encode()
    await leave(deployment, "shown", payload=payload, error=f"Refused {SECRET}, 50% gone")
    await leave(deployment, "other", consumer="printer", error="502 gone")

    (listed,) = (await ask(deployment, "?q=50%25%20GONE"))["items"]
    (whole,) = (await ask(deployment, "/shown"))["items"]
    by_consumer = await ask(deployment, "?consumer=printer&topic=book.opened")

    assert (listed["event_id"], listed["payload"]) == ("shown", None)
    assert whole["payload"]["name"] == "Ann"
    assert whole["payload"]["token"] != "abc"
    assert SECRET not in str(listed) + str(whole)
    assert [each["event_id"] for each in by_consumer["items"]] == ["other"]
    await settle(deployment, "drop", is_all=True, reason="seen")


async def test_matching_letters_are_delivered_again(deployment: Deployment) -> None:
    for name in ("again-1", "again-2"):
        await leave(deployment, name, consumer="courier")
    await leave(deployment, "stays")

    assert await settle(deployment, "retry", consumer="courier") == {"count": 2}

    assert [each["event_id"] for each in (await ask(deployment))["items"]] == ["stays"]
    await settle(deployment, "retry", 404, event_id="again-1")
    await settle(deployment, "drop", is_all=True, reason="seen")


async def test_dropping_needs_a_reason_which_the_audit_log_keeps(deployment: Deployment) -> None:
    await leave(deployment, "dropped")
    for body in ({"event_id": "dropped", "reason": " "}, {"event_id": "dropped"}, {"reason": "x"}):
        await settle(deployment, "drop", 400, **body)
    await settle(deployment, "drop", 400, is_all=True, consumer="mailer", reason="both")
    await settle(deployment, "drop", 400, event_id="dropped", reason="x", unknown=1)

    assert await settle(deployment, "drop", event_id="dropped", reason="Paid by hand") == {
        "count": 1
    }

    await deployment.call("GET", f"{LETTERS}/dropped", token=ADMIN, status=404)
    await deployment.container.identity().audit.chain()
    log = await deployment.call(
        "GET", "/admin/v1/audit-log?action=admin.dead_letters.drop", token=ADMIN
    )
    assert log["items"][0]["detail"]["reason"] == "Paid by hand"


async def test_only_administrators_of_the_deployment_see_or_settle_them(
    deployment: Deployment,
) -> None:
    owner = await make_tenant(deployment, "letters-owner")
    await leave(deployment, "hidden")

    for method, path, body in (
        ("GET", LETTERS, None),
        ("GET", f"{LETTERS}/hidden", None),
        ("POST", f"{LETTERS}:retry", {"event_id": "hidden"}),
        ("POST", f"{LETTERS}:drop", {"event_id": "hidden", "reason": "x"}),
    ):
        await deployment.call(method, path, token=owner.token, document=body, status=403)

    assert (await ask(deployment, "/hidden"))["total"] == 1
