"""Tokens of all shapes at all operations: none does, makes or shows more than it was granted."""

from typing import Final

import pytest

from api.entry.route import ROUTES
from domain.identity.entity import ApiToken
from domain.identity.value import TokenKind, new_token_text
from domain.shared.access import ROLE_PERMISSIONS, Grant, Permission, TenantScope
from domain.shared.ids import AgentId, SpaceId, TokenId, UserId
from tests.integration.security.operations import CALLS, Call, filled, perform
from tests.integration.security.rights import (
    BEYOND_AGENTS,
    NEEDS,
    OF_BROWSERS,
    OF_SESSIONS,
    SHOWS_WHAT_IT_MAY,
    Need,
)
from tests.integration.security.tenants import Tenant, make_tenant
from tests.support.process.in_process import Answer, Deployment

EVERY: Final = frozenset(Permission)


class Issuer:
    """Makes tokens of any shape for one administrator, each shape once."""

    def __init__(self, deployment: Deployment, tenant: Tenant, ids: dict[str, str]) -> None:
        self.tenant = tenant
        self.ids = ids
        self._deployment = deployment
        self._made: dict[Grant, str] = {}

    async def token(self, grant: Grant) -> str:
        if grant not in self._made:
            container = self._deployment.container
            kind = TokenKind.SHORT_LIVED if grant.is_browser else TokenKind.PERSONAL
            text = new_token_text(kind).reveal()
            user_id = UserId(int(self.tenant.ids["user"]))
            async with container.identity().store.transaction() as uow:
                token = ApiToken.create(
                    id=TokenId(container.ids().next_id()),
                    user_id=user_id,
                    kind=kind,
                    name="shaped",
                    text=text,
                    grant=grant,
                    expires_at=None,
                    actor_id=user_id,
                    now=container.clock().now(),
                )
                await uow.tokens.save(TenantScope(user_id, frozenset()), token)
                await uow.commit()
            self._made[grant] = text
        return self._made[grant]


@pytest.fixture(scope="module")
async def issuer(deployment: Deployment) -> Issuer:
    tenant = await make_tenant(deployment, "heidi", is_admin=True)
    other = await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{tenant.ids['space']}/agents",
        token=tenant.token,
        document={"name": "Other"},
        status=201,
    )
    elsewhere = await deployment.call(
        "POST", "/admin/v1/workspaces", token=tenant.token, document={"name": "Else"}, status=201
    )
    await deployment.idle()
    return Issuer(deployment, tenant, {"agent": other["id"], "space": elsewhere["id"]})


def lacking(need: Need, issuer: Issuer, *, in_space: bool) -> dict[str, Grant]:
    """Shapes with which an operation that needs this must be refused."""
    here = frozenset({SpaceId(int(issuer.tenant.ids["space"]))})
    elsewhere = Grant(space_ids=frozenset({SpaceId(int(issuer.ids["space"]))}))
    other_agent = Grant(agent_ids=frozenset({AgentId(int(issuer.ids["agent"]))}))
    if need.is_unlimited:
        return {
            "every permission named": Grant(permissions=EVERY),
            "admin named": Grant(permissions=frozenset({Permission.ADMIN, Permission.SPACE_WRITE})),
            "one workspace": Grant(space_ids=here),
            "one agent": other_agent,
            "one end user": Grant(end_user_id="visitor"),
            "nothing": Grant(permissions=frozenset()),
        }
    if need.role is not None:
        given = ROLE_PERMISSIONS[need.role]
        return {
            **{f"no {p}": Grant(permissions=EVERY - {p}) for p in sorted(given)},
            "one agent": other_agent,
            "one end user": Grant(end_user_id="visitor"),
            "another workspace": elsewhere,
        }
    shapes = {f"no {p}": Grant(permissions=EVERY - {p}) for p in sorted(need.permissions)}
    if need.permissions:
        shapes["nothing"] = Grant(permissions=frozenset())
        if in_space:
            shapes["another workspace"] = elsewhere
    if need.permissions & BEYOND_AGENTS:
        shapes["one agent"] = other_agent
    return shapes


def is_refused(answer: Answer, canary: str) -> bool:
    """Tell whether nothing was done or shown; lists may leave out what the token may not see."""
    if answer.status in {403, 404}:
        return True
    return answer.status == 200 and canary.encode() not in answer.body


def test_each_operation_has_its_need() -> None:
    assert NEEDS.keys() | SHOWS_WHAT_IT_MAY | OF_SESSIONS == CALLS.keys(), (
        "Say in rights.py what it needs."
    )
    assert CALLS.keys() >= OF_BROWSERS


@pytest.mark.parametrize("operation", sorted(NEEDS))
async def test_a_token_that_lacks_something_is_refused(
    operation: str, deployment: Deployment, issuer: Issuer
) -> None:
    tenant, before = issuer.tenant, deployment.rows()
    sometimes = {f"no {each}" for each in ROUTES[operation].sometimes}
    for call in CALLS[operation]:
        in_space = "token" not in operation and not _is_of_account(call)
        for shape, grant in lacking(NEEDS[operation], issuer, in_space=in_space).items():
            token = await issuer.token(grant)
            before = deployment.rows()
            answer = await perform(deployment, filled(call, tenant.ids), token=token)
            where = f"{operation} with {shape}: {answer}"
            is_not_needed = shape in sometimes and answer.status == call.fails_with
            assert is_refused(answer, tenant.canary) or is_not_needed, where
            assert call.method == "GET" or answer.status != 200 or "no " not in shape, where
            assert deployment.rows() == before, where


@pytest.mark.parametrize("operation", sorted(NEEDS))
async def test_a_token_limited_to_another_agent_shows_nothing_of_this_one(
    operation: str, deployment: Deployment, issuer: Issuer
) -> None:
    tenant = issuer.tenant
    need = NEEDS[operation].permissions
    if Permission.FILE in need:
        pytest.skip("files belong to no agent")
    token = await issuer.token(Grant(agent_ids=frozenset({AgentId(int(issuer.ids["agent"]))})))
    for call in CALLS[operation]:
        before = deployment.rows()
        answer = await perform(deployment, filled(call, tenant.ids), token=token)
        where = f"{operation}: {answer}"
        assert is_refused(answer, tenant.canary) or answer.status in {400, 409}, where
        assert deployment.rows() == before, where


@pytest.mark.parametrize("operation", sorted(NEEDS))
async def test_what_is_needed_is_enough(
    operation: str, deployment: Deployment, issuer: Issuer
) -> None:
    """Refusals prove nothing if everything is refused."""
    need, tenant = NEEDS[operation], issuer.tenant
    if need.is_unlimited or need.role is not None:
        pytest.skip("the shapes above leave nothing between enough and too little")
    grant = Grant(
        permissions=need.permissions,
        space_ids=frozenset({SpaceId(int(tenant.ids["space"]))}),
    )
    if need.permissions & {Permission.FILE, Permission.ADMIN}:  # of the account, in no such space
        grant = Grant(permissions=need.permissions | {Permission.CHAT})
    token = await issuer.token(grant)
    for call in CALLS[operation]:
        if call.method == "GET":
            answer = await perform(deployment, filled(call, tenant.ids), token=token)
            assert answer.status == (call.fails_with or 200), f"{operation}: {answer}"


@pytest.mark.parametrize("operation", sorted(CALLS))
async def test_a_token_for_browsers_reaches_a_short_list(
    operation: str, deployment: Deployment, issuer: Issuer
) -> None:
    tenant = issuer.tenant
    agent = frozenset({AgentId(int(tenant.ids["agent"]))})
    token = await issuer.token(Grant(agent_ids=agent, end_user_id="visitor", is_browser=True))
    for call in CALLS[operation]:
        if operation not in OF_BROWSERS:
            before = deployment.rows()
            answer = await perform(deployment, filled(call, tenant.ids), token=token)
            assert answer.status == 403, f"{operation}: {answer}"
            assert deployment.rows() == before
        elif call.method == "GET":
            answer = await perform(deployment, filled(call, tenant.ids), token=token)
            assert answer.status in {200, 404}, f"{operation}: {answer}"
            assert b"You are" not in answer.body


@pytest.mark.parametrize(
    "path", ["/mcp/admin", "/mcp/admin/sse", "/mcp/{space}", "/admin/v1/nothing"]
)
async def test_a_token_for_browsers_has_no_other_way_in(
    path: str, deployment: Deployment, issuer: Issuer
) -> None:
    tenant = issuer.tenant
    agent = frozenset({AgentId(int(tenant.ids["agent"]))})
    token = await issuer.token(Grant(agent_ids=agent, end_user_id="visitor", is_browser=True))
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    target = path.replace("{space}", tenant.ids["space"])

    answer = await deployment.send("POST", target, token=token, document=message)

    assert answer.status in {403, 404}, str(answer)
    assert tenant.canary.encode() not in answer.body


def _is_of_account(call: Call) -> bool:
    """Neither a space nor anything in one is named: the account's own things are meant."""
    return not list(filter(None, [call.query, call.body])) and "{" not in call.path
