"""Roles at all operations: each member does what the table of routes says, and nothing more."""

from typing import Final

import pytest

from api.entry.route import ROUTES, Level
from domain.shared.access import ROLE_PERMISSIONS, Permission, Role
from tests.integration.security.operations import (
    CALLS,
    Call,
    filled,
    in_order,
    perform,
    places,
)
from tests.integration.security.tenants import Tenant, make_member, make_tenant
from tests.support.process.in_process import ADMIN, Answer, Deployment
from tests.support.process.variant import PROCESSES

pytestmark = pytest.mark.parametrize("deployment", PROCESSES, indirect=True)

OF_OTHERS: Final = {"workflow_run", "data_request"}
"""What members see of each other only with more than the permission that a route names."""
OF_WHO_ASKS: Final = {
    "session",
    "oauth_grant",
    "token",
    "user",
    "conversation",
    "spare_conversation",
    "message",
    "spare_message",
    "run",
    "response",
    "spare_response",
    "file",
    "spare_file",
    "preview",
}
"""What belongs to an account, not to the workspace."""


@pytest.fixture(scope="module")
async def office(deployment: Deployment) -> Tenant:
    return await make_tenant(deployment, "office")


async def join(deployment: Deployment, office: Tenant, role: Role) -> dict[str, str]:
    """Open an account with a role in the office; return its tokens by what each lacks."""
    made = await deployment.call(
        "POST", "/admin/v1/users", token=ADMIN, document={"name": f"office.{role}"}, status=201
    )
    await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{office.ids['space']}/members",
        token=office.token,
        document={"user_id": made["user"]["id"], "role": role},
        status=201,
    )
    tokens = {"": str(made["token"])}
    for lacked in Permission:
        cut = await deployment.call(
            "POST",
            "/admin/v1/tokens",
            token=tokens[""],
            document={
                "name": lacked,
                "permissions": [each for each in Permission if each != lacked],
            },
            status=201,
        )
        tokens[lacked] = str(cut["token"])
    return tokens


OPEN_TO_ALL: Final = {"admin.workspaces.create"}
"""What takes a token without limits, and no administrator."""


def is_refused(answer: Answer, canary: str) -> bool:
    """Tell whether nothing was shown; a body that is wrong besides may be told of first."""
    if answer.status in {400, 403, 404, 409}:
        return canary.encode() not in answer.body
    return answer.status in {200, 204} and canary.encode() not in answer.body


@pytest.mark.parametrize("role", Role)
async def test_a_role_does_what_the_table_of_routes_says(
    role: Role, deployment: Deployment, office: Tenant
) -> None:
    tokens, held = await join(deployment, office, role), ROLE_PERMISSIONS[role]
    done = refused = cut = 0
    wrong: list[str] = []
    for operation, calls in CALLS.items():
        access = ROUTES[operation]
        if access.level in {Level.PUBLIC, Level.SESSION, Level.LINK, Level.SELF}:
            continue
        if operation in OPEN_TO_ALL:
            continue
        # `admin` belongs to accounts: tokens need it, roles do not give it.
        needed = access.permissions | (ROLE_PERMISSIONS[access.role] if access.role else set())
        for call in calls:
            kinds = {place.kind for place in places(call)}
            request = filled(call, office.ids)
            where = f"{operation} as {role}"
            if lacked := min(needed, default=None):
                before = deployment.rows()
                answer = await perform(deployment, request, token=tokens[lacked])
                if not is_refused(answer, office.canary) or deployment.rows() != before:
                    wrong.append(f"{where} without {lacked}: {answer}")
                cut += 1
            if access.level is Level.DEPLOYMENT or not needed - {Permission.ADMIN} <= held:
                before = deployment.rows()
                answer = await perform(deployment, request, token=tokens[""])
                if not is_refused(answer, office.canary) or deployment.rows() != before:
                    wrong.append(f"{where}: {answer}")
                refused += 1
            elif (
                call.method == "GET"
                and access.sometimes <= held
                and not kinds & (OF_OTHERS | OF_WHO_ASKS)
            ):
                answer = await perform(deployment, request, token=tokens[""])
                if answer.status != (call.fails_with or 200):
                    wrong.append(f"{where}: {answer}")
                done += 1
    assert not wrong, "\n".join(wrong)
    assert min(done, refused, cut) > 20


SUCCESSFUL: Final = frozenset({200, 201, 202, 204})
OF_DRAFTS: Final = {
    "chats.create": Permission.AGENT_WRITE,
    "admin.agents.chat": Permission.AGENT_WRITE,
    "admin.traces.replay": Permission.AGENT_WRITE,
    "admin.workflows.chat": Permission.WORKFLOW_WRITE,
}
"""What needs more where it asks a draft, as it is asked here."""
OF_OWNERS: Final = {"admin.workspaces.delete", "admin.workspaces.transfer"}
"""What needs the role itself, besides all that it may."""


def may_write(role: Role, operation: str, call: Call) -> bool:
    """Tell whether the table of routes lets a role make a call that is no mere reading."""
    access, held = ROUTES[operation], ROLE_PERMISSIONS[role] | {Permission.ADMIN}
    needed = access.permissions | access.sometimes
    needed |= ROLE_PERMISSIONS[access.role] if access.role else frozenset()
    if operation in OF_DRAFTS:
        needed |= {OF_DRAFTS[operation]}
    return (
        access.level in {Level.TOKEN, Level.ROLE}
        and call.method != "GET"
        and operation not in OF_OWNERS
        and needed <= held
    )


@pytest.mark.parametrize(
    "role", [pytest.param(Role.ADMIN, marks=pytest.mark.long), *list(Role)[2:]]
)
async def test_a_role_writes_what_the_table_of_routes_allows(
    role: Role, deployment: Deployment
) -> None:
    """Each has a workspace of its own, which is used up; examples are what owners may write."""
    member = await make_member(deployment, await make_tenant(deployment, f"busy-{role}"), role)
    wrong: list[str] = []
    done = 0
    for operation, call in in_order():
        if not may_write(role, operation, call):
            continue
        answer = await perform(deployment, filled(call, member.ids), token=member.token)
        await deployment.idle()
        expected = {call.fails_with} if call.fails_with else SUCCESSFUL
        if answer.status not in expected:
            wrong.append(f"{operation} as {role}: {answer}")
        done += 1
    assert not wrong, "\n".join(wrong)
    assert done > 20
