"""Models and plugins that are for members of groups: who is in none neither sees nor calls them."""

from typing import Any

import pytest

from tests.integration.security.tenants import MISSING, Tenant, make_tenant
from tests.support.process.in_process import ADMIN, Deployment
from tests.upstream.fixture import RunningUpstream

COSTLY = "costly"


@pytest.fixture(scope="module")
async def firm(deployment: Deployment) -> Tenant:
    return await make_tenant(deployment, "firm")


async def admit(deployment: Deployment, firm: Tenant, *, method: str = "PUT") -> None:
    path = f"/admin/v1/groups/{firm.ids['group']}/members/{firm.ids['user']}"
    await deployment.call(method, path, token=firm.token, status=204)


async def test_a_model_answers_members_of_its_groups_only(
    deployment: Deployment, firm: Tenant, upstream: RunningUpstream
) -> None:
    given: dict[str, Any] = {
        "type": "llm",
        "provider": "openai",
        "display": {"name": COSTLY},
        "connection": {"base_url": upstream.base_url, "api_key": "sk-1", "model": "echo"},
        "groups": [firm.ids["group"]],
    }
    wrong = given | {"groups": [MISSING]}
    refused = await deployment.send("POST", "/admin/v1/models", token=ADMIN, document=wrong)
    assert (refused.status, "groups" in str(refused.json)) == (400, True)
    made = await deployment.call(
        "POST", "/admin/v1/models", token=ADMIN, document=given, status=201
    )
    assert made["settings"]["groups"] == [firm.ids["group"]]
    service = await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{firm.ids['space']}/service-tokens",
        token=firm.token,
        document={"name": "nightly", "permissions": ["model.use"]},
        status=201,
    )
    question = {"model": f"llm/{COSTLY}", "messages": [{"role": "user", "content": "Hello"}]}

    async def asks(token: str) -> int:
        answer = await deployment.send(
            "POST", "/v1/chat/completions", token=token, document=question
        )
        return answer.status

    async def is_listed() -> list[bool]:
        paths = ("/admin/v1/models", "/v1/models")
        shown = [await deployment.send("GET", path, token=firm.token) for path in paths]
        return [COSTLY.encode() in answer.body for answer in shown]

    async def counts(token: str) -> int:
        path = f"/admin/v1/models/{made['id']}/count-tokens"
        answer = await deployment.send("POST", path, token=token, document={"texts": ["Hello"]})
        return answer.status

    assert (await asks(firm.token), await is_listed()) == (403, [False, False])
    assert await counts(firm.token) == 403
    assert await asks(service["token"]) == 200  # it is the workspace, as its group is
    await admit(deployment, firm)
    assert (await asks(firm.token), await is_listed()) == (200, [True, True])
    assert await counts(firm.token) == 200
    await admit(deployment, firm, method="DELETE")
    assert await asks(firm.token) == 403

    path = f"/admin/v1/models/{made['id']}"
    await deployment.call("PATCH", path, token=ADMIN, document={"groups": None})
    assert await asks(firm.token) == 200
    await deployment.call("DELETE", path, token=ADMIN, status=204)


async def test_a_plugin_works_for_members_of_its_groups_only(
    deployment: Deployment, firm: Tenant, mallory: Tenant
) -> None:
    path = f"/admin/v1/plugins/{firm.ids['plugin']}"

    async def limit(groups: list[str]) -> int:
        answer = await deployment.send("PATCH", path, token=firm.token, document={"groups": groups})
        return answer.status

    async def is_kept_out() -> bool:
        report = await deployment.call(
            "POST",
            f"{path}/tools/{firm.ids['plugin_tool']}/debug",
            token=firm.token,
            document={"arguments": {}},
        )
        return "members of certain groups" in report["reason"]

    assert await limit([mallory.ids["group"]]) == 400  # of another workspace
    assert await limit([firm.ids["group"]]) == 200
    shown = await deployment.call("GET", path, token=firm.token)
    assert shown["groups"] == [firm.ids["group"]]
    assert await is_kept_out()
    await admit(deployment, firm)
    assert not await is_kept_out()
    await admit(deployment, firm, method="DELETE")
    assert await is_kept_out()
    assert await limit([]) == 200
    assert not await is_kept_out()


async def test_limiting_a_plugin_takes_what_sharing_it_takes(
    deployment: Deployment, firm: Tenant
) -> None:
    made = await deployment.call(
        "POST", "/admin/v1/users", token=ADMIN, document={"name": "firm.editor"}, status=201
    )
    await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{firm.ids['space']}/members",
        token=firm.token,
        document={"user_id": made["user"]["id"], "role": "editor"},
        status=201,
    )
    path = f"/admin/v1/plugins/{firm.ids['plugin']}"

    limiting = {"groups": [firm.ids["group"]]}
    refused = await deployment.send("PATCH", path, token=made["token"], document=limiting)
    renamed = await deployment.send("PATCH", path, token=made["token"], document={"name": "Mine"})

    assert (refused.status, renamed.status) == (403, 200)
