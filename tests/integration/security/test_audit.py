"""Audit log: every operation that changes something leaves a row, with the transaction."""

import json
from collections.abc import Mapping
from typing import Any, Final

import pytest

from api.entry.route import Row, table
from bootstrap.server.app import create_app
from tests.integration.security.operations import filled, in_order, perform
from tests.integration.security.tenants import make_tenant
from tests.support.process.in_process import Deployment
from tests.support.process.variant import PROCESSES

pytestmark = pytest.mark.parametrize("deployment", PROCESSES, indirect=True)

TOLD_ELSEWHERE: Final = frozenset(
    {"knowledge_document", "knowledge_job", "knowledge_object", "knowledge_slice"}
    | {"client_wait", "conversation", "conversation_name", "feedback", "message", "run"}
    | {"named_conversation", "request_key", "run_request", "section", "stored_response"}
    | {
        "memory_variable",
        "opened_resource",
        "share_visit",
        "trace",
        "trace_body",
        "trace_text_due",
        "workflow_checkpoint",
        "workflow_node_run",
        "workflow_run",
        "workflow_run_log",
        "workflow_run_state",
    }
)
"""Records of chats and runs, which tell of themselves, what end users keep by them, what
people looked at, and what the work behind documents moves at its own time."""


@pytest.fixture(scope="module")
def rows(deployment: Deployment) -> Mapping[str, Row]:
    return {row.operation: row for row in table(create_app(deployment.container))}


def told_by(deployment: Deployment, log_id: str) -> list[dict[str, Any]]:
    """Return the rows of a request, past all rights."""
    return [row for row in deployment.stored.table("audit_log") if row["log_id"] == log_id]


async def test_every_operation_that_changes_something_leaves_a_row(
    deployment: Deployment, rows: Mapping[str, Row]
) -> None:
    """The table of routes says which do: whoever forgets one is found by the rows it changes."""
    tenant = await make_tenant(deployment, "audit-all")
    silent: list[str] = []
    told = 0
    for name, call in in_order():
        await deployment.idle()
        before = deployment.rows()
        answer = await perform(deployment, filled(call, tenant.ids), token=tenant.token)
        audited = told_by(deployment, answer.headers["x-tt-logid"])
        if answer.status >= 400:
            continue
        if rows[name].access.is_audited:
            told += 1
            actions = {each["action"] for each in audited}
            if actions != {name}:
                silent.append(f"{name} is told of as {actions or 'nothing'}")
            for each in audited:
                assert str(each["actor_id"]) == tenant.ids["user"], name
                assert each["token_id"], name
                assert each["address"], name
            continue
        assert not audited, f"{name} is told of, and the table says that it is not."
        await deployment.idle()
        after = deployment.rows()
        changed = {table for table in after if after[table] != before.get(table)}
        if changed - TOLD_ELSEWHERE and call.method != "GET":
            silent.append(f"{name} changes {sorted(changed - TOLD_ELSEWHERE)}")
    assert not silent, "\n".join(silent)
    assert told > 100


async def test_a_row_says_who_changed_what_from_where_without_secrets(
    deployment: Deployment,
) -> None:
    tenant = await make_tenant(deployment, "audit-one")
    answer = await deployment.send(
        "PATCH",
        f"/admin/v1/agents/{tenant.ids['agent']}",
        token=tenant.token,
        document={"name": "Renamed", "prompt": {"text": "Be short."}},
    )
    (row,) = told_by(deployment, answer.headers["x-tt-logid"])
    changes = json.loads(row["changes"])

    assert (row["action"], row["resource_name"]) == ("admin.agents.update", "Renamed")
    assert row["resource"] == f"agent:{tenant.ids['agent']}"
    assert str(row["space_id"]) == tenant.ids["space"]
    assert changes["name"] == {"before": tenant.canary, "after": "Renamed"}
    assert [each for each in changes if "prompt" in each or "persona" in each]

    secret = "sk-of-the-service-itself"
    keyed = await deployment.send(
        "PUT",
        f"/admin/v1/plugins/{tenant.ids['plugin']}/auth",
        token=tenant.token,
        document={
            "type": "service",
            "service": {"key": "Authorization", "location": "header", "secret": secret},
        },
    )
    for each in told_by(deployment, keyed.headers["x-tt-logid"]):
        assert secret not in str(each)

    listed = await deployment.call(
        "GET",
        f"/admin/v1/audit-log?resource_type=agent&resource_id={tenant.ids['agent']}&limit=1",
        token=tenant.token,
    )
    (shown,) = listed["items"]
    assert shown["changes"]["name"]["after"] == "Renamed"
    exported = await deployment.send(
        "GET",
        f"/admin/v1/audit-log/export?format=jsonl&workspace_id={tenant.ids['space']}",
        token=tenant.token,
    )
    lines = [json.loads(line) for line in exported.body.decode().splitlines()]
    assert {str(line["workspace_id"]) for line in lines} == {tenant.ids["space"]}
    assert any(line["action"] == "admin.agents.update" for line in lines)


async def test_rows_are_chained_soon_and_the_chain_holds(deployment: Deployment) -> None:
    audit = deployment.container.identity().audit
    await audit.chain()

    found = await audit.verify(None)

    assert (found.is_intact, found.unchained) == (True, 0)
    assert found.checked


async def test_what_fails_is_rolled_back_with_its_row(deployment: Deployment) -> None:
    tenant = await make_tenant(deployment, "audit-none")
    agent = f"/admin/v1/agents/{tenant.ids['agent']}"
    taken = await deployment.send("PATCH", agent, token=tenant.token, document={"alias": "a" * 999})
    assert taken.status >= 400
    assert not told_by(deployment, taken.headers["x-tt-logid"])
