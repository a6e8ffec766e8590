"""Identities over HTTP, in process: the official client and the admin surface."""

import warnings
from typing import Any

import httpx
import pytest
from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide

from api.admin.identity.audit import AdminAuditController
from api.admin.identity.identity import (
    AdminMemberController,
    AdminTokenController,
    AdminUserController,
    AdminWorkspaceController,
)
from api.admin.query import asked_page
from api.body.request import ApiRequest, RequestBodies
from api.coze.user import UserController
from api.coze.workspace import WorkspaceController
from api.entry.auth import Guard, principal_of
from api.entry.gate import Gate
from api.error import EXCEPTION_HANDLERS
from application.identity.audit import AuditService
from application.identity.authentication import AuthService
from application.identity.avatar import AvatarService
from application.identity.bootstrap import BootstrapService
from application.identity.cache import PrincipalCache
from application.identity.following import Followers
from application.identity.space import MemberService, SpaceService
from application.identity.space_book import SpaceBook
from application.identity.space_defaults import SpaceDefaultsService
from application.identity.token import TokenService
from application.identity.user import UserService
from application.operation.http_metrics import HttpMetrics
from application.privacy.retention import RetentionBook
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.observability.metrics import Metrics
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.identity.repository import SqlIdentityStore
from infra.impl.repository.sql.privacy import SqlPrivacyStore
from infra.impl.table_file import open_table_file
from tests.support.agent.scripted import ScriptedModels
from tests.support.clock import FrozenClock
from tests.support.identity.service import KnownAgents

with warnings.catch_warnings():  # the client's own dependency warns about itself
    warnings.simplefilter("ignore")
    import cozepy

LIMITS = Limits()
ADMIN = "pat_for_automation_2026"
STRANGER = "9223372036854775807"


def provide(service: Any) -> Provide:
    return Provide(lambda: service, sync_to_thread=False)


class Server:
    """The application with its real identity context."""

    def __init__(self, database: Database, clock: FrozenClock, ids: IdGenerator) -> None:
        store, cache = SqlIdentityStore(database), PrincipalCache(limits=LIMITS)
        users = UserService(store=store, cache=cache, ids=ids, clock=clock)
        self.bootstrap = BootstrapService(store=store, users=users)
        shared: dict[str, Any] = {"store": store, "cache": cache, "clock": clock}
        book = SpaceBook(store)
        spaces = SpaceService(
            **shared,
            book=book,
            holds=RetentionBook(store=SqlPrivacyStore(database)),
            ids=ids,
            limits=LIMITS,
        )
        # Pictures and accounts have tests of their own; a workspace is changed by way of its icon.
        unused: Any = None
        services = {
            "users": users,
            "spaces": spaces,
            "avatars": AvatarService(
                store=store,
                account=unused,
                spaces=spaces,
                pictures=unused,
                external_url="",
                limits=LIMITS,
            ),
            "space_defaults": SpaceDefaultsService(
                store=store, book=book, models=ScriptedModels(), clock=clock
            ),
            "members": MemberService(**shared),
            "tokens": TokenService(**shared, agents=KnownAgents(), ids=ids, limits=LIMITS),
            "sign_in": None,  # sign-in has tests of its own
            "account": None,
            "pages": None,
            "audit": AuditService(
                store=store, ids=ids, clock=clock, limits=LIMITS, open_file=open_table_file
            ),
            "limits": LIMITS,
        }
        litestar = Litestar(
            [
                AdminMemberController,
                AdminTokenController,
                AdminUserController,
                AdminAuditController,
                AdminWorkspaceController,
                UserController,
                WorkspaceController,
            ],
            dependencies={
                "principal": Provide(principal_of, sync_to_thread=False),
                "paging": Provide(asked_page, sync_to_thread=False),
                **{name: provide(service) for name, service in services.items()},
            },
            exception_handlers=dict(EXCEPTION_HANDLERS),
            guards=[Guard(AuthService(**shared, limits=LIMITS))],
            request_class=ApiRequest,
            state=State(
                {
                    "limits": LIMITS,
                    "http_metrics": HttpMetrics(Metrics()),
                    "bodies": RequestBodies(LIMITS),
                    "followers": Followers(),
                }
            ),
            logging_config=None,
        )
        self.app = Gate(litestar, limits=LIMITS, cors_origins=[], is_draining=lambda: False)

    def client(self, token: str = ADMIN) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            transport=httpx.ASGITransport(self.app),  # type: ignore[arg-type]
            base_url="http://coterie",
            headers={"authorization": f"Bearer {token}"},
        )

    def coze(self, token: str = ADMIN) -> cozepy.AsyncCoze:
        return cozepy.AsyncCoze(
            auth=cozepy.AsyncTokenAuth(token),
            base_url="http://coterie",
            http_client=cozepy.AsyncHTTPClient(  # type: ignore[no-untyped-call]
                transport=httpx.ASGITransport(self.app)  # type: ignore[arg-type]
            ),
        )

    async def call(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        status: int = 200,
        token: str = ADMIN,
    ) -> Any:
        async with self.client(token) as client:
            response = await client.request(method, path, json=json)
        assert response.status_code == status, response.text
        return response.json() if response.content else None


@pytest.fixture
async def server(sqlite_database: Database, clock: FrozenClock, ids: IdGenerator) -> Server:
    made = Server(sqlite_database, clock, ids)
    await made.bootstrap.ensure(Secret(ADMIN))
    return made


async def new_user(server: Server, name: str) -> tuple[str, str]:
    made = await server.call("POST", "/admin/v1/users", json={"name": name}, status=201)
    return made["user"]["id"], made["token"]


async def new_team(server: Server, name: str = "Team") -> str:
    made = await server.call("POST", "/admin/v1/workspaces", json={"name": name}, status=201)
    team_id: str = made["id"]
    return team_id


async def test_the_official_client_reads_account_and_workspaces(server: Server) -> None:
    coze = server.coze()
    me = await coze.users.me()
    workspaces = await coze.workspaces.list()

    assert (me.user_name, me.nick_name) == ("admin", "Admin")
    assert me.user_id.isdigit()
    assert workspaces.total == 1
    personal = workspaces.items[0]
    assert (personal.name, personal.role_type, personal.workspace_type) == (
        "Personal",
        "owner",
        "personal",
    )


async def test_the_official_client_adds_and_removes_members(server: Server) -> None:
    team = await new_team(server)
    user_id, token = await new_user(server, "anna")
    members = server.coze().workspaces.members
    wanted = [
        cozepy.WorkspaceMember(user_id=number, role_type=cozepy.WorkspaceRoleType.MEMBER)
        for number in (user_id, STRANGER)
    ]

    added = await members.create(workspace_id=team, users=wanted)
    assert (added.added_success_user_ids, added.not_exist_user_ids) == ([user_id], [STRANGER])
    assert added.invited_success_user_ids == added.already_invited_user_ids == []
    again = await members.create(workspace_id=team, users=wanted[:1])
    assert again.already_joined_user_ids == [user_id]

    listed = await server.call("GET", f"/v1/workspaces/{team}/members?page_size=1&page_num=2")
    assert listed["data"] == {
        "items": [
            {
                "user_id": user_id,
                "role_type": "member",
                "user_nickname": "anna",
                "user_unique_name": "anna",
                "avatar_url": "",
            }
        ],
        "total_count": 2,
    }
    mine = await server.coze(token).workspaces.list()
    assert [(w.id, w.role_type) for w in mine.items][1:] == [(team, "member")]

    owner_id = (await server.coze().users.me()).user_id
    removed = await members.delete(workspace_id=team, user_ids=[user_id, STRANGER, owner_id])
    assert removed.removed_success_user_ids == [user_id]
    assert removed.not_in_workspace_user_ids == [STRANGER]
    assert removed.owner_not_support_remove_user_ids == [owner_id]


async def test_members_to_remove_may_be_joined_by_commas(server: Server) -> None:
    team, (user_id, _) = await new_team(server), await new_user(server, "anna")
    path = f"/v1/workspaces/{team}/members"

    body = {"user_ids": f"{STRANGER}, {user_id}"}
    removed = await server.call("DELETE", path, json=body)

    assert removed["data"]["not_in_workspace_user_ids"] == [STRANGER, user_id]


async def test_members_are_admitted_by_the_name_they_sign_in_with(server: Server) -> None:
    team, (user_id, _) = await new_team(server), await new_user(server, "anna")
    path = f"/admin/v1/workspaces/{team}/members"

    added = await server.call("POST", path, json={"name": "ANNA", "role": "viewer"}, status=201)

    assert (added["user_id"], added["role"]) == (user_id, "viewer")
    await server.call("POST", path, json={"name": "nobody"}, status=404)
    assert (await server.call("POST", path, json={}, status=400))["code"] == 4000


@pytest.mark.parametrize(
    ("method", "body"),
    [
        ("POST", {}),
        ("POST", {"users": []}),
        ("POST", {"users": [{"user_id": "1"}] * 21}),
        ("POST", {"users": [{"user_id": "1", "role_type": "king"}]}),
        ("POST", {"users": [{"user_id": "x"}]}),
        ("DELETE", {}),
        ("DELETE", {"user_ids": ["1"] * 6}),
        ("DELETE", {"user_ids": "1,,2"}),
    ],
)
async def test_wrong_member_lists_are_refused(server: Server, method: str, body: object) -> None:
    team = await new_team(server)
    path = f"/v1/workspaces/{team}/members"

    assert (await server.call(method, path, json=body, status=400))["code"] == 4000


@pytest.mark.parametrize("path", ["", "/members"])
async def test_a_foreign_workspace_looks_like_a_missing_one(server: Server, path: str) -> None:
    team = await new_team(server)
    _, token = await new_user(server, "anna")
    answers = [
        await server.call("GET", f"/admin/v1/workspaces/{space}{path}", status=404, token=token)
        for space in (team, STRANGER)
    ]

    assert {answer["code"] for answer in answers} == {4200}
    assert answers[0]["msg"].replace(team, STRANGER) == answers[1]["msg"]


async def test_a_workspace_is_created_changed_listed_and_deleted(server: Server) -> None:
    team = await new_team(server)
    path = f"/admin/v1/workspaces/{team}"
    changed = await server.call("PATCH", path, json={"name": "Ours", "description": "All"})
    assert (changed["name"], changed["description"], changed["role"]) == ("Ours", "All", "owner")
    reset = await server.call("PATCH", path, json={"description": None})
    assert (reset["name"], reset["description"]) == ("Ours", "")

    first = await server.call("GET", "/admin/v1/workspaces?limit=1")
    assert (first["total"], first["next_cursor"]) == (2, "1")
    second = await server.call("GET", "/admin/v1/workspaces?limit=1&cursor=1")
    assert ([w["id"] for w in second["items"]], second["next_cursor"]) == ([team], None)

    await server.call("DELETE", path, status=204)
    await server.call("GET", path, status=404)


async def test_a_member_has_an_exact_role(server: Server) -> None:
    team, (user_id, token) = await new_team(server), await new_user(server, "anna")
    path = f"/admin/v1/workspaces/{team}/members"
    body = {"user_id": user_id, "role": "viewer"}
    assert (await server.call("POST", path, json=body, status=201))["role"] == "viewer"
    assert (await server.call("POST", path, json=body, status=409))["code"] == 4106

    await server.call("POST", path, json=body, status=403, token=token)
    changed = await server.call("PATCH", f"{path}/{user_id}", json={"role": "operator"})
    assert changed["role"] == "operator"
    assert (await server.call("GET", path))["total"] == 2
    await server.call("DELETE", f"{path}/{user_id}", status=204)
    await server.call("DELETE", f"{path}/{user_id}", status=404)


async def test_a_token_is_shown_once_and_works_until_it_is_revoked(server: Server) -> None:
    body = {"name": "Laptop", "duration_days": 30, "permissions": ["chat", "workspace.read"]}
    made = await server.call("POST", "/admin/v1/tokens", json=body, status=201)
    path = f"/admin/v1/tokens/{made['id']}"
    assert made["token"].startswith("pat_")
    assert made["expires_at"] - made["created_at"] == 30 * 86_400

    await server.call("GET", "/v1/workspaces", token=made["token"])
    await server.call("GET", "/admin/v1/tokens", status=403, token=made["token"])
    shown = await server.call("GET", path)
    assert "token" not in shown
    assert (shown["last4"], sorted(shown["permissions"])) == (
        made["token"][-4:],
        ["chat", "workspace.read"],
    )
    assert (await server.call("PATCH", path, json={"name": "Desk"}))["name"] == "Desk"
    assert [t["name"] for t in (await server.call("GET", "/admin/v1/tokens"))["items"]] == [
        "Desk",
        "First token",
    ]

    await server.call("DELETE", path, status=204)
    await server.call("GET", "/v1/workspaces", status=401, token=made["token"])
    await server.call("DELETE", path, status=404)


@pytest.mark.parametrize(
    "fields",
    [
        {"duration_days": 31},
        {"permissions": ["everything"]},
        {"expires_at": 1},
        {"expires_at": 10**18},
        {"workspace_ids": ["x"]},
        {"name": ""},
        {"name": None},
    ],
)
async def test_a_wrong_token_is_refused(server: Server, fields: dict[str, object]) -> None:
    body = {"name": "x", **fields}

    assert (await server.call("POST", "/admin/v1/tokens", json=body, status=400))["code"] == 4000


async def test_what_the_owner_sets_cannot_be_set_by_a_client(server: Server) -> None:
    for field in ("user_id", "id", "last4", "digest"):
        body = {"name": "x", field: "1"}
        refused = await server.call("POST", "/admin/v1/tokens", json=body, status=400)

        assert field in refused["msg"]


async def test_a_short_lived_token_is_issued_for_a_browser(
    server: Server, clock: FrozenClock
) -> None:
    body = {"bot_ids": ["5"], "user_id": "visitor", "duration_seconds": 60}
    made = await server.call("POST", "/admin/v1/tokens:issue", json=body, status=201)

    assert made["token"].startswith("cst_")
    assert made["expires_at"] == int(clock.now().timestamp()) + 60
    assert (made["bot_ids"], made["user_id"]) == (["5"], "visitor")
    await server.call("POST", "/admin/v1/tokens:issue", json=body, status=403, token=made["token"])


async def test_accounts_are_listed_found_and_stopped(server: Server) -> None:
    user_id, token = await new_user(server, "anna")
    assert (await server.call("GET", "/admin/v1/users?q=ann"))["items"][0]["id"] == user_id
    await server.call("GET", "/admin/v1/users", status=403, token=token)
    await server.call("POST", "/admin/v1/users", json={"name": "ANNA"}, status=409)

    path = f"/admin/v1/users/{user_id}"
    assert (await server.call("PATCH", path, json={"is_disabled": True}))["is_disabled"]
    await server.call("GET", "/v1/users/me", status=401, token=token)


async def test_the_audit_log_is_paged(server: Server) -> None:
    page = await server.call("GET", "/admin/v1/audit-log?limit=1")

    assert page == {"items": [], "total": 0, "next_cursor": None}, "no bus runs in this test"
