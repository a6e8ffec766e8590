"""T04: clients set what is theirs to set; everything else in a body has no effect.

On our own surface it is an error besides, whatever else may be wrong.
"""

from collections import defaultdict
from typing import Any, Final

import pytest

from tests.integration.security.operations import CALLS, Call, filled, perform
from tests.integration.security.rights import OF_SESSIONS
from tests.integration.security.tenants import Tenant
from tests.support.process.in_process import ADMIN, Deployment

FORGED: Final[dict[str, Any]] = {
    "__class__": "os.system",
    "__proto__": {"is_admin": True},
    "balance": 10**9,
    "created_at": 1,
    "creator_id": "4242424242424242",
    "deleted_at": 1,
    "id": "4242424242424242",
    "is_deployment_admin": True,
    "is_public": True,
    "is_read_only": True,
    "next_seq": 4242424242424242,
    "owner_id": "4242424242424242",
    "published": True,
    "quota": 10**9,
    "revision": 4242424242424242,
    "section_id": "4242424242424242",
    "tenant_id": "4242424242424242",
    "updated_at": 1,
    "usage": {"total_tokens": 4242424242424242},
}
"""Names that no request has, at no level."""

SOMETIMES_SET: Final[dict[str, Any]] = {
    "is_admin": True,
    "role": "owner",
    "space_id": "4242424242424242",
    "status": "4242424242424242",
    "type": "4242424242424242",
    "user_id": "4242424242424242",
    "version": "4242424242424242",
    "workspace_id": "4242424242424242",
}
"""Names that some requests do have, added where the level does not use them."""

TAKES: Final[dict[str, frozenset[str]]] = {
    "admin.apps.publish": frozenset({"version"}),
    "admin.data_requests.create": frozenset({"type"}),
    "admin.invitations.create": frozenset({"role"}),
    "admin.members.create": frozenset({"name", "role", "user_id"}),
    "admin.workspaces.transfer": frozenset({"user_id"}),
    "admin.members.update": frozenset({"role"}),
    "admin.tokens.issue_for_browser": frozenset({"user_id"}),
    "admin.users.create": frozenset({"is_admin"}),
    "admin.variables.replace": frozenset({"type"}),
    "admin.agents.create": frozenset({"version"}),
    "admin.agents.update": frozenset({"version"}),
    "admin.agents.duplicate": frozenset({"workspace_id"}),
    "admin.agents.publish": frozenset({"version"}),
    "admin.agents.chat": frozenset({"type", "user_id", "version"}),
    "admin.traces.replay": frozenset({"version"}),
    "admin.conversations.create": frozenset({"role", "type", "user_id"}),
    "admin.templates.duplicate": frozenset({"workspace_id"}),
    "bots.create": frozenset({"space_id"}),
    "chats.create": frozenset({"role", "type", "user_id"}),
    "conversations.create": frozenset({"role", "type", "user_id"}),
    "messages.create": frozenset({"role", "type"}),
    "messages.update": frozenset({"type"}),
    "admin.databases.create": frozenset({"type"}),
    "datasets.create": frozenset({"space_id"}),
    "documents.list": frozenset({"status"}),
    "admin.models.check": frozenset({"type"}),
    "admin.models.create": frozenset({"type"}),
    "admin.models.try_out": frozenset({"role", "workspace_id"}),
    "admin.models.update": frozenset({"type"}),
    "openai.chat_completions.create": frozenset({"role", "type"}),
    "openai.responses.create": frozenset({"role", "type"}),
    "admin.plugins.create": frozenset({"type"}),
    "admin.presence.set": frozenset({"type"}),
    "workflows.chat": frozenset({"role", "type", "version"}),
    "admin.workflows.chat": frozenset({"type", "user_id", "version"}),
    "admin.workflows.copy": frozenset({"workspace_id"}),
    "admin.workflows.publish": frozenset({"version"}),
    "workflows.run": frozenset({"version"}),
    "workflows.stream_run": frozenset({"version"}),
    "members.create": frozenset({"user_id"}),
}
"""What the interface lets clients set, at some level of the body."""

FREE: Final = frozenset(
    {"meta_data", "metadata", "variables", "custom_variables", "parameters", "tags", "schema"}
    | {"records", "values", "inputs", "input"}
)
"""Maps whose keys are the caller's own."""

OPEN: Final = frozenset(
    {"admin.workflows.save_canvas", "admin.workflows.validate", "admin.workflows.import_canvas"}
)
"""Operations of our own surface whose bodies are foreign documents."""

UNREAD: Final = OF_SESSIONS | {"admin.agents.set_display"}
"""Bodies of no token, see ``test_sessions``; and the document of an editor, never read here."""

WRITES: Final = [
    pytest.param(name, call, id=f"{name}-{number}")
    for name, calls in CALLS.items()
    for number, call in enumerate(calls)
    if isinstance(call.body, dict) and not call.is_last and name not in UNREAD
]


@pytest.fixture(scope="module")
def searched() -> dict[str, set[tuple[Any, ...]]]:
    """Rows, by table, that forged values were looked for in."""
    return defaultdict(set)


@pytest.mark.parametrize(("operation", "call"), WRITES)
async def test_forged_fields_are_not_stored(
    operation: str,
    call: Call,
    deployment: Deployment,
    mallory: Tenant,
    searched: dict[str, set[tuple[Any, ...]]],
) -> None:
    extra = FORGED | {
        name: value
        for name, value in SOMETIMES_SET.items()
        if name not in TAKES.get(operation, frozenset())
    }
    honest = filled(call, mallory.ids)
    forged = Call(
        method=honest.method,
        path=honest.path,
        query=honest.query,
        body=_forge(honest.body, extra),
        fails_with=call.fails_with,
    )

    answer = await perform(deployment, forged, token=mallory.token)
    await deployment.idle()

    if honest.path.startswith("/admin/v1/") and operation not in OPEN:
        assert answer.status == 400, str(answer)
        assert "Unknown field" in answer.text or "cannot be set" in answer.text
    else:
        assert answer.status == (call.fails_with or answer.status)
        assert answer.status in {200, 201, 202, 204} or call.fails_with, str(answer)
    for table, rows in deployment.rows().items():
        for row in rows.keys() - searched[table]:
            assert "4242424242424242" not in repr(row), f"{operation} wrote into {table}: {row}"
        searched[table] |= rows.keys()
    me = await deployment.send("GET", "/admin/v1/users", token=mallory.token)
    assert me.status == 403


@pytest.mark.parametrize("name", sorted(FORGED | SOMETIMES_SET | {"mode": ""}))
async def test_ownership_survives_every_forged_update(
    deployment: Deployment, mallory: Tenant, name: str
) -> None:
    value = (FORGED | SOMETIMES_SET | {"mode": "multi"})[name]
    for path in (
        f"/admin/v1/agents/{mallory.ids['agent']}",
        f"/admin/v1/workspaces/{mallory.ids['space']}",
    ):
        before = await _unsigned(deployment, path, mallory)
        refused = await deployment.call(
            "PATCH",
            path,
            token=mallory.token,
            document={"description": "Changed", name: value},
            status=400,
        )

        assert f"`{name}`" in refused["msg"]
        assert await _unsigned(deployment, path, mallory) == before


async def _unsigned(deployment: Deployment, path: str, tenant: Tenant) -> dict[str, Any]:
    """Read a resource without its signed address, whose time may move on between two reads."""
    found = await deployment.call("GET", path, token=tenant.token)
    return {name: value for name, value in found.items() if name != "icon_url"}


@pytest.mark.parametrize("place", ["display", "connection", ""])
async def test_a_model_cannot_be_made_read_only_or_renumbered(
    deployment: Deployment, place: str
) -> None:
    body: dict[str, Any] = {
        "display": {"name": "mass"},
        "connection": {"base_url": "http://127.0.0.1:9/v1"},
    }
    forged = {**body, place: {**body[place], **FORGED}} if place else {**body, **FORGED}
    refused = await deployment.call(
        "POST", "/admin/v1/models", token=ADMIN, document=forged, status=400
    )

    assert f"`{place}." in refused["msg"] if place else "`__class__`" in refused["msg"]


def _forge(tree: Any, extra: dict[str, Any]) -> Any:
    if isinstance(tree, list):
        return [_forge(each, extra) for each in tree]
    if not isinstance(tree, dict):
        return tree
    known = {name: value if name in FREE else _forge(value, extra) for name, value in tree.items()}
    return {**extra, **known}
