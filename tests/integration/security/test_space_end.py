"""A workspace is deleted with all that is in it: back within a week, and then gone everywhere."""

from datetime import timedelta

import pytest

from application.privacy.space_purge import SpacePurge
from bootstrap.compose.archive import archive_of
from domain.shared.ids import SpaceId
from infra.impl.repository.sql.privacy import SqlPrivacyStore
from tests.integration.security.tenants import Tenant, make_tenant
from tests.integration.security.test_data_rights import everywhere, live
from tests.support.clock import FrozenClock
from tests.support.process.in_process import ADMIN, Deployment

SAID = "the-parrot-is-gone"
"""Nobody else says that: others leave in the same deployment what they said."""


@pytest.fixture(scope="module")
async def owner(deployment: Deployment) -> Tenant:
    made = await make_tenant(deployment, "ending")
    path = f"/admin/v1/agents/{made.ids['agent']}"
    document = {"trace_capture": "content"}
    await deployment.call("PATCH", path, token=made.token, document=document)
    return made


def purge_after(deployment: Deployment, days: int) -> SpacePurge:
    """Return the job as it is that many days from now."""
    container = deployment.container
    return SpacePurge(
        store=SqlPrivacyStore(container.database()),
        objects=container.objects(),
        drop_tables=container.tables().drop_space,
        forget_others=(
            container.knowledge().reconciler.drop_orphans,
            container.trace().forget_words,
        ),
        clock=FrozenClock(container.clock().now() + timedelta(days=days)),
    )


async def test_a_workspace_with_contents_goes_comes_back_and_then_is_gone(
    deployment: Deployment, owner: Tenant
) -> None:
    await live(deployment, owner, said=SAID)
    words, space = archive_of(deployment.container).text_index, int(owner.ids["space"])
    await words.learn()
    path, agent = f"/admin/v1/workspaces/{space}", f"/admin/v1/agents/{owner.ids['agent']}"
    bases = f"kb_{owner.ids['dataset']}"

    async def indexes() -> list[str]:
        container = deployment.container
        return [*await container.vectors().names(bases), *await container.texts().names(bases)]

    await deployment.call(
        "PUT", f"{path}/retention", token=owner.token, document={"legal_hold": True}
    )
    held = await deployment.send("DELETE", path, token=owner.token)
    assert (held.status, "space_held" in held.text) == (409, True)
    await deployment.call(
        "PUT", f"{path}/retention", token=owner.token, document={"legal_hold": False}
    )

    await deployment.call("DELETE", path, token=owner.token, status=204)
    await deployment.idle()
    assert (await deployment.send("GET", path, token=owner.token)).status == 404
    assert (await deployment.send("GET", agent, token=owner.token)).status == 404
    assert await purge_after(deployment, 6).purge() == 0

    async def restorable(token: str) -> list[str]:
        listed = await deployment.call("GET", "/admin/v1/workspaces:deleted", token=token)
        days = {each["restorable_until"] - each["deleted_at"] for each in listed["items"]}
        assert days <= {7 * 24 * 3600}
        return [each["id"] for each in listed["items"]]

    assert await restorable(owner.token) == [str(space)]
    assert str(space) not in await restorable(ADMIN), "it is its owners who are told"

    back = await deployment.call("POST", f"{path}/restore", token=owner.token)
    assert back["id"] == str(space)
    assert await restorable(owner.token) == []
    await purge_after(deployment, 30).purge()  # there may be others that are gone
    found = await deployment.call("GET", agent, token=owner.token)
    assert found["name"] == owner.canary

    await deployment.call("DELETE", path, token=ADMIN, status=204)  # who has no role in it
    await deployment.idle()
    assert everywhere(deployment, SAID)
    assert await indexes()
    assert await words.find([SpaceId(space)], "parrot")
    assert await purge_after(deployment, 8).purge() == 1
    await deployment.idle()

    # Uploads lie where the token is at home, which is the owner's own workspace.
    listed = await deployment.call("GET", "/admin/v1/workspaces", token=owner.token)
    home = next(each["id"] for each in listed["items"] if each["type"] == "personal")
    at_home = f"objects/space/{home}/"
    assert [each for each in everywhere(deployment, SAID) if not each.startswith(at_home)] == []
    folders = (deployment.data / "objects").rglob("*")
    of_it = {str(space), owner.ids["dataset"]}
    assert [each for each in folders if each.is_file() and of_it & set(each.parts)] == []
    assert await indexes() == []
    assert not await words.find([SpaceId(space)], "parrot")
    assert await deployment.container.tables().names(space) == []
    for token in (owner.token, ADMIN):
        assert (await deployment.send("POST", f"{path}/restore", token=token)).status == 404
    told = await deployment.call("GET", "/admin/v1/audit-log?action=space.purged", token=ADMIN)
    assert [each["changes"] or each["detail"] for each in told["items"]]


async def test_only_owners_and_administrators_delete_a_workspace(deployment: Deployment) -> None:
    owner = await make_tenant(deployment, "keeping")
    stranger = await make_tenant(deployment, "strange")
    path = f"/admin/v1/workspaces/{owner.ids['space']}"
    made = await deployment.call(
        "POST", "/admin/v1/users", token=ADMIN, document={"name": "keeping.admin"}, status=201
    )
    document = {"user_id": made["user"]["id"], "role": "admin"}
    await deployment.call(
        "POST", f"{path}/members", token=owner.token, document=document, status=201
    )

    assert (await deployment.send("DELETE", path, token=stranger.token)).status == 404
    assert (await deployment.send("DELETE", path, token=str(made["token"]))).status == 403
    await deployment.call("DELETE", path, token=ADMIN, status=204)
    assert (await deployment.send("DELETE", path, token=ADMIN)).status == 404
