"""People of an older release: after the upgrade each token, member and role does what it did."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from domain.identity.value import TokenKind
from domain.shared.access import ROLE_PERMISSIONS, Permission, Role
from infra.impl.repository.sql.engine.database import Database
from tests.release.fixture import GIVEN, MASTER_KEY, Written, last_release
from tests.release.test_release import Old, copied
from tests.support.process.in_process import Deployment, running

TEAM: Final = 7_000
OTHER: Final = 7_001
BEGAN_US: Final = 1_795_375_619_431_668
"""When the release was written down."""

LATER_US: Final = 4_000_000_000_000_000
ROLES: Final = {role: 8_000 + number for number, role in enumerate(Role)}
"""Who has each role in the team."""

FIRST: Final = "pat_q7Zk2mV9xT4bN8rLw3Ys6Hd1Fg5Jc0KpAeUiOv"
"""What the release was started with when its data were written down."""

ADMINISTRATOR: Final = 8_100
DISABLED: Final = 8_101


@dataclass(frozen=True)
class Kept:
    """A token of before, and whose it is."""

    user_id: int
    kind: TokenKind = TokenKind.PERSONAL
    permissions: Sequence[Permission] | None = None
    space_ids: Sequence[int] | None = None
    end_user_id: str = ""
    expires_at: int | None = None
    revoked_at: int | None = None


TOKENS: Final[Mapping[str, Kept]] = {
    **{role: Kept(user_id) for role, user_id in ROLES.items()},
    "administrator": Kept(ADMINISTRATOR),
    "reading": Kept(ROLES[Role.EDITOR], permissions=[Permission.AGENT_READ]),
    "elsewhere": Kept(ROLES[Role.EDITOR], space_ids=[OTHER]),
    "browser": Kept(
        ROLES[Role.EDITOR],
        TokenKind.SHORT_LIVED,
        permissions=[Permission.CHAT, Permission.CONVERSATION_WRITE],
        end_user_id="visitor",
        expires_at=LATER_US,
    ),
    "expired": Kept(ROLES[Role.OWNER], expires_at=BEGAN_US + 1),
    "revoked": Kept(ROLES[Role.OWNER], revoked_at=BEGAN_US + 1),
    "disabled": Kept(DISABLED),
}


def _written() -> Iterator[tuple[str, Written]]:
    """Give each the next token that the code of that release drew."""
    release = last_release()
    drawn = {kind: iter(release.tokens(kind)) for kind in {kept.kind for kept in TOKENS.values()}}
    for name, kept in TOKENS.items():
        yield name, next(drawn[kept.kind])


WRITTEN: Final = dict(_written())
TEXTS: Final = {name: each.text for name, each in WRITTEN.items()}


@pytest.fixture(params=["sqlite", "postgres"])
async def environ(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """An installation of before with people, in this kind of database."""
    release = last_release()
    release.unpack(tmp_path)
    with closing(sqlite3.connect(tmp_path / "coterie.db")) as connection:
        _people(connection)
        connection.commit()
    if request.param == "sqlite":
        return {"COTERIE_MASTER_KEY": MASTER_KEY}
    url = str(request.getfixturevalue("empty_postgres"))
    stored, target = Database(f"sqlite+aiosqlite:///{tmp_path / 'coterie.db'}"), Database(url)
    await copied(Old(release, stored), target)
    for each in (stored, target):
        await each.aclose()
    return {"COTERIE_MASTER_KEY": MASTER_KEY, "COTERIE_DATABASE__URL": url}


def _people(connection: sqlite3.Connection) -> None:
    names = {user_id: f"team.{role}" for role, user_id in ROLES.items()}
    names |= {ADMINISTRATOR: "boss", DISABLED: "gone"}
    for space_id in (TEAM, OTHER):
        _space(connection, space_id, "team")
    for user_id, name in names.items():
        own = user_id + 1_000
        _space(connection, own, "personal")
        _member(connection, own, user_id, Role.OWNER)
        _row(
            connection,
            "user_account",
            id=user_id,
            name=name,
            name_key=name,
            nickname=name,
            avatar_url="",
            personal_space_id=own,
            is_admin=user_id == ADMINISTRATOR,
            created_at=BEGAN_US,
            disabled_at=BEGAN_US if user_id == DISABLED else None,
            revision=1,
        )
    for role, user_id in ROLES.items():
        _member(connection, TEAM, user_id, role)
    _member(connection, TEAM, DISABLED, Role.EDITOR)
    _member(connection, OTHER, ROLES[Role.EDITOR], Role.OWNER)
    for number, (name, kept) in enumerate(TOKENS.items()):
        _row(
            connection,
            "api_token",
            id=9_500 + number,
            user_id=kept.user_id,
            kind=kept.kind,
            name=name,
            digest=WRITTEN[name].digest,
            last4=TEXTS[name][-4:],
            permissions=_json(kept.permissions),
            space_ids=_json(kept.space_ids),
            end_user_id=kept.end_user_id,
            created_at=BEGAN_US,
            updated_at=BEGAN_US,
            expires_at=kept.expires_at,
            revoked_at=kept.revoked_at,
            revision=1,
        )


def _space(connection: sqlite3.Connection, space_id: int, kind: str) -> None:
    _row(
        connection,
        "space",
        id=space_id,
        kind=kind,
        name=f"Workspace {space_id}",
        description="",
        icon_url="",
        created_at=BEGAN_US,
        updated_at=BEGAN_US,
        revision=1,
    )


def _member(connection: sqlite3.Connection, space_id: int, user_id: int, role: Role) -> None:
    _row(
        connection, "membership", space_id=space_id, user_id=user_id, role=role, joined_at=BEGAN_US
    )


def _row(connection: sqlite3.Connection, table: str, **values: object) -> None:
    columns, places = ", ".join(values), ", ".join("?" * len(values))
    connection.execute(
        f"INSERT INTO {table} ({columns}) VALUES ({places})",  # noqa: S608
        list(values.values()),
    )


@pytest.mark.parametrize("chosen", last_release().tokens(GIVEN), ids=lambda each: each.text)
async def test_the_token_of_the_first_start_still_opens(tmp_path: Path, chosen: Written) -> None:
    """Whatever the operator chose, also what looks as if it was drawn."""
    last_release().unpack(tmp_path)
    async with running(tmp_path, {"COTERIE_MASTER_KEY": MASTER_KEY}) as deployment:
        recorded = await deployment.send("GET", "/v1/users/me", token=FIRST)
    with closing(sqlite3.connect(tmp_path / "coterie.db")) as connection:
        connection.execute("UPDATE api_token SET digest = ?", [chosen.digest])
        connection.commit()
    async with running(tmp_path, {"COTERIE_MASTER_KEY": MASTER_KEY}) as deployment:
        opened = await deployment.send("GET", "/admin/v1/users", token=chosen.text)
        closed = await deployment.send("GET", "/v1/users/me", token=FIRST)

    assert (recorded.status, opened.status, closed.status) == (200, 200, 401)


def _json(values: Sequence[object] | None) -> str | None:
    return None if values is None else json.dumps(list(values))


async def test_people_of_before_may_what_they_might(
    environ: dict[str, str], tmp_path: Path
) -> None:
    async with running(tmp_path, environ) as deployment:
        await _members_are_those_of_before(deployment)
        for role in Role:
            await _a_role_does_what_it_did(deployment, role)
        await _tokens_open_what_they_opened(deployment)


async def _members_are_those_of_before(deployment: Deployment) -> None:
    path = f"/admin/v1/workspaces/{TEAM}/members"
    found: Any = await deployment.call("GET", path, token=TEXTS["owner"])
    roles = {int(each["user_id"]): each["role"] for each in found["items"]}

    assert roles == {**{user_id: str(role) for role, user_id in ROLES.items()}, DISABLED: "editor"}


async def _a_role_does_what_it_did(deployment: Deployment, role: Role) -> None:
    token, held = TEXTS[role], ROLE_PERMISSIONS[role]
    agents, workspace = f"/admin/v1/workspaces/{TEAM}/agents", f"/admin/v1/workspaces/{TEAM}"
    made = {"name": f"made by {role}"}
    changed = {"description": f"Changed by {role}."}

    me = await deployment.call("GET", "/v1/users/me", token=token)
    read = await deployment.send("GET", agents, token=token)
    wrote = await deployment.send("POST", agents, token=token, document=made)
    led = await deployment.send("PATCH", workspace, token=token, document=changed)

    assert me["data"]["user_id"] == str(ROLES[role])
    assert read.status == 200, read
    assert wrote.status == (201 if Permission.AGENT_WRITE in held else 403), wrote
    assert led.status == (200 if Permission.SPACE_WRITE in held else 403), led


async def _tokens_open_what_they_opened(deployment: Deployment) -> None:
    async def status(name: str, method: str, path: str, document: object = None) -> int:
        answer = await deployment.send(method, path, token=TEXTS[name], document=document)
        return answer.status

    team, other = (f"/admin/v1/workspaces/{space_id}/agents" for space_id in (TEAM, OTHER))
    new = {"name": "made with a token"}

    assert await status("administrator", "GET", "/admin/v1/users") == 200
    assert await status("owner", "GET", "/admin/v1/users") == 403
    assert await status("reading", "GET", team) == 200
    assert await status("reading", "POST", team, new) == 403
    assert await status("elsewhere", "POST", other, new) == 201
    assert await status("elsewhere", "GET", team) in {403, 404}
    assert await status("browser", "POST", "/v1/conversation/create", {}) == 200
    assert await status("browser", "GET", team) == 403
    for name in ("expired", "revoked", "disabled"):
        assert await status(name, "GET", "/v1/users/me") == 401, name
