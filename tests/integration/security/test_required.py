"""What the document says is required, field by field: leaving it out is an error that names it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.integration.security.operations import CALLS, Call, filled, perform
from tests.integration.security.tenants import Tenant
from tests.support.interface import interface
from tests.support.process.in_process import Deployment

ONE_OF_SEVERAL = frozenset(
    {
        ("admin.agents.assist", "instruction"),  # of the persona, not of welcome and questions
        ("admin.budgets.create", "subject_id"),  # of a workspace none
        ("admin.members.create", "user_id"),  # or name
        ("admin.documents.batch_update", "tags"),  # of the action that sets them
        ("admin.oauth_apps.create", "redirect_uris"),  # of the two types that are sent back
        ("admin.plugins.import_definition", "data"),  # or openapi
        ("admin.plugins.review", "data"),  # or openapi, or url
        ("admin.shortcuts.create", "name"),  # one body with changes, which may leave it
        ("admin.workflows.import_canvas", "schema"),  # or a bare canvas
        ("admin.workflows.save_canvas", "schema"),  # or a bare canvas
        ("admin.plugins.publish", "force"),  # after calls that succeeded nobody forces
        ("chats.create", "additional_messages"),  # a conversation may end with a question
        ("openai.responses.create", "input"),  # a conversation may end with a question
        ("variables.get", "bot_id"),  # or app_id
        ("variables.update", "bot_id"),  # or app_id
    }
)
"""Fields that some requests need and others do not."""


def required(document: dict[str, Any]) -> dict[str, set[tuple[str, str]]]:
    """Read where each operation has required fields."""
    schemas = document["components"]["schemas"]
    found: dict[str, set[tuple[str, str]]] = {}
    for item in document["paths"].values():
        for operation in item.values():
            names = found.setdefault(operation["operationId"], set())
            for each in operation.get("parameters", ()):
                if each.get("required") and each["in"] == "query":
                    names.add(("query", each["name"]))
            for content in operation.get("requestBody", {}).get("content", {}).values():
                schema = content["schema"]
                schema = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
                names |= {("body", each) for each in schema.get("required", ())}
    return found


def without_each(call: Call) -> Iterator[tuple[str, str, Call]]:
    """The call without one of its fields, for each."""
    for where, given in (("query", call.query), ("body", call.body)):
        if isinstance(given, dict):
            for name in given:
                left = {key: value for key, value in given.items() if key != name}
                is_query = where == "query"
                yield (
                    where,
                    name,
                    replace(call, query=left) if is_query else replace(call, body=left),
                )


@pytest.mark.parametrize("chunk", range(4))
async def test_exactly_what_is_required_is_missed(
    chunk: int, deployment: Deployment, alice: Tenant
) -> None:
    needs, wrong = required(interface()), []
    for operation in sorted(CALLS)[chunk::4]:
        call = filled(CALLS[operation][0], alice.ids)
        if call.fails_with == 403 or call.is_upload:
            continue
        for where, name, less in without_each(call):
            answer = await perform(deployment, less, token=alice.token)
            is_missed = answer.status == 400 and name.encode() in answer.body
            is_required = (where, name) in needs[operation]
            if is_missed != is_required and (operation, name) not in ONE_OF_SEVERAL:
                wrong.append(f"{operation} {where}.{name}: required={is_required}, {answer}")
    assert not wrong, "\n".join(wrong)
