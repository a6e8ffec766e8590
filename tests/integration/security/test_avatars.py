"""Pictures of accounts: what is taken, who sees them, and when an address ends."""

import asyncio
from collections.abc import AsyncGenerator
from urllib.parse import urlsplit

import pytest

from application.file.icon import IconService
from tests.integration.security.test_space_end import purge_after
from tests.support.process.in_process import ADMIN, Answer, Deployment, multipart, running
from tests.support.process.variant import PROCESSES, processes_of, stored_for

ME = "/admin/v1/auth/me"
FORM = [("content-type", "multipart/form-data; boundary=b")]
PICTURE, OTHER = (IconService(public_url="").image(kind) for kind in ("agent", "dataset"))


pytestmark = pytest.mark.parametrize("deployment", PROCESSES, indirect=True)


@pytest.fixture(scope="module")
async def deployment(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Deployment, None]:
    folder, environ = tmp_path_factory.mktemp("avatars"), {"COTERIE_LIMITS__AVATAR_BYTES": "2000"}
    processes = processes_of(request)
    if processes > 1:  # without signals, one remembers for seconds where the caller had roles
        environ["COTERIE_LIMITS__AUTH_CACHE_S"] = "0.001"
    with stored_for(request) as stored:
        async with running(folder, environ | stored, processes=processes) as made:
            yield made


async def send(deployment: Deployment, data: bytes, *, token: str = ADMIN) -> Answer:
    return await deployment.send(
        "PUT", f"{ME}/avatar", token=token, body=multipart(data), headers=FORM
    )


async def test_a_picture_is_shown_to_whoever_has_its_address(deployment: Deployment) -> None:
    made = await send(deployment, PICTURE)
    address = urlsplit(made.json["avatar_url"]).path
    me = await deployment.call("GET", ME, token=ADMIN)
    shown = await deployment.send("GET", address)
    guessed = await deployment.send("GET", address[:-1] + ("0" if address[-1] != "0" else "1"))

    assert me["avatar_url"] == made.json["avatar_url"]
    assert (shown.status, shown.body) == (200, PICTURE)
    assert shown.headers["content-type"] == "image/png"
    assert "sandbox" in shown.headers["content-security-policy"]
    assert guessed.status == 404


async def test_a_new_picture_ends_the_address_of_the_former(deployment: Deployment) -> None:
    former = urlsplit((await send(deployment, PICTURE)).json["avatar_url"]).path
    present = urlsplit((await send(deployment, OTHER)).json["avatar_url"]).path
    assert (await deployment.send("GET", former)).status == 404
    assert (await deployment.send("GET", present)).body == OTHER

    gone = await deployment.call("DELETE", f"{ME}/avatar", token=ADMIN)

    assert gone["avatar_url"] == ""
    assert (await deployment.send("GET", present)).status == 404


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>", 400),
        (b"\x89PNG\r\n\x1a\nbroken", 400),
        (b"", 400),
        (PICTURE + bytes(2000), 413),
    ],
)
async def test_what_is_no_picture_is_refused(
    deployment: Deployment, data: bytes, status: int
) -> None:
    before = await deployment.call("GET", ME, token=ADMIN)
    assert (await send(deployment, data)).status == status
    assert await deployment.call("GET", ME, token=ADMIN) == before


async def test_a_limited_token_changes_no_picture(deployment: Deployment) -> None:
    limited = await deployment.call(
        "POST",
        "/admin/v1/tokens",
        token=ADMIN,
        document={"name": "chat only", "permissions": ["chat"]},
        status=201,
    )
    assert (await send(deployment, PICTURE, token=limited["token"])).status == 403


async def space_of(deployment: Deployment) -> str:
    made = await deployment.call(
        "POST", "/admin/v1/workspaces", token=ADMIN, document={"name": "Team"}, status=201
    )
    return f"/admin/v1/workspaces/{made['id']}"


async def send_icon(
    deployment: Deployment, space: str, data: bytes = PICTURE, *, token: str = ADMIN
) -> Answer:
    return await deployment.send(
        "PUT", f"{space}/icon", token=token, body=multipart(data), headers=FORM
    )


async def test_an_icon_is_shown_until_another_or_none_takes_its_place(
    deployment: Deployment,
) -> None:
    space = await space_of(deployment)
    first = urlsplit((await send_icon(deployment, space)).json["icon_url"]).path
    assert (await deployment.send("GET", first)).body == PICTURE

    second = urlsplit((await send_icon(deployment, space, OTHER)).json["icon_url"]).path
    assert (await deployment.send("GET", first)).status == 404
    assert (await deployment.send("GET", second)).body == OTHER
    shown = await deployment.call("GET", space, token=ADMIN)
    assert urlsplit(shown["icon_url"]).path == second

    gone = await deployment.call("PATCH", space, token=ADMIN, document={"icon_url": None})
    assert gone["icon_url"] == ""
    assert (await deployment.send("GET", second)).status == 404
    for address in (first, second):
        file_id = address.rpartition("/")[2].partition("-")[0]
        kept = await deployment.send("GET", f"/admin/v1/files/{file_id}", token=ADMIN)
        assert kept.status == 404


async def test_an_icon_stays_when_the_workspace_is_renamed(deployment: Deployment) -> None:
    space = await space_of(deployment)
    address = urlsplit((await send_icon(deployment, space)).json["icon_url"]).path
    await deployment.call("PATCH", space, token=ADMIN, document={"name": "Renamed"})
    assert (await deployment.send("GET", address)).body == PICTURE


def pictures(deployment: Deployment) -> set[str]:
    """Ids of the files that are pictures of somebody or something."""
    found = deployment.stored.table("file")
    return {str(row["id"]) for row in found if row["name"] == "avatar" and not row["deleted_at"]}


def shown_by(address: str) -> str:
    return address.rpartition("/")[2].partition("-")[0]


async def test_of_icons_at_one_moment_the_file_of_one_stays(deployment: Deployment) -> None:
    space, before = await space_of(deployment), pictures(deployment)
    sent = await asyncio.gather(
        *(send_icon(deployment, space, each) for each in (PICTURE, OTHER) * 3)
    )
    assert {answer.status for answer in sent} <= {200, 409}
    shown = await deployment.call("GET", space, token=ADMIN)
    assert pictures(deployment) - before == {shown_by(shown["icon_url"])}


async def test_of_pictures_of_a_person_at_one_moment_the_file_of_one_stays(
    deployment: Deployment,
) -> None:
    await deployment.call("DELETE", f"{ME}/avatar", token=ADMIN)
    before = pictures(deployment)
    sent = await asyncio.gather(*(send(deployment, each) for each in (PICTURE, OTHER) * 3))
    assert {answer.status for answer in sent} <= {200, 409}
    shown = await deployment.call("GET", ME, token=ADMIN)
    assert pictures(deployment) - before == {shown_by(shown["avatar_url"])}


async def test_the_icon_of_a_deleted_workspace_is_not_shown_and_goes_with_it(
    deployment: Deployment,
) -> None:
    space = await space_of(deployment)
    address = urlsplit((await send_icon(deployment, space)).json["icon_url"]).path
    await deployment.call("DELETE", space, token=ADMIN, status=204)
    assert (await deployment.send("GET", address)).status == 404

    assert await purge_after(deployment, 8).purge()
    assert shown_by(address) not in pictures(deployment)
    folder = f"space/{space.rpartition('/')[2]}/"
    kept = [each.as_posix() for each in (deployment.data / "objects").rglob("*") if each.is_file()]
    assert [each for each in kept if folder in each] == []


async def test_an_address_by_hand_neither_shows_nor_removes_a_file_of_another_workspace(
    deployment: Deployment,
) -> None:
    space, other = await space_of(deployment), await space_of(deployment)
    address = (await send_icon(deployment, other)).json["icon_url"]
    key, space_id = address.rpartition("/")[2], space.rpartition("/")[2]
    claimed = f"{address.partition('/avatars/')[0]}/avatars/{space_id}/{key}"

    await deployment.call("PATCH", space, token=ADMIN, document={"icon_url": claimed})
    assert (await deployment.send("GET", urlsplit(claimed).path)).status == 404
    await deployment.call("PATCH", space, token=ADMIN, document={"icon_url": None})
    assert (await deployment.send("GET", urlsplit(address).path)).body == PICTURE


@pytest.mark.parametrize(
    ("data", "status"), [(b"<svg xmlns='http://www.w3.org/2000/svg'/>", 400), (bytes(2001), 413)]
)
async def test_a_refused_icon_leaves_the_former(
    deployment: Deployment, data: bytes, status: int
) -> None:
    space = await space_of(deployment)
    before = (await send_icon(deployment, space)).json
    assert (await send_icon(deployment, space, data)).status == status
    assert await deployment.call("GET", space, token=ADMIN) == before


async def test_only_who_manages_a_workspace_changes_its_icon(deployment: Deployment) -> None:
    space = await space_of(deployment)
    made = await deployment.call(
        "POST", "/admin/v1/users", token=ADMIN, document={"name": "eddy"}, status=201
    )
    assert (await send_icon(deployment, space, token=made["token"])).status == 404
    await deployment.call(
        "POST",
        f"{space}/members",
        token=ADMIN,
        document={"user_id": made["user"]["id"], "role": "editor"},
        status=201,
    )
    assert (await send_icon(deployment, space, token=made["token"])).status == 403
