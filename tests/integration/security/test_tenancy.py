"""T03: the id of somebody else's resource works nowhere, and looks like one that is missing."""

import re
import time
from datetime import datetime
from typing import Final

import pytest

from tests.integration.security.interface import operations
from tests.integration.security.operations import (
    CALLS,
    PUBLIC,
    filled,
    perform,
    places,
    put,
)
from tests.integration.security.tenants import MISSING, Tenant
from tests.support.process.in_process import Answer, Deployment
from tests.support.process.variant import PROCESSES

pytestmark = pytest.mark.parametrize("deployment", PROCESSES, indirect=True)

_ID_FIELD: Final = re.compile(r"(^|[._])ids?$|Id$|(^|[._])(model|version|datasets)$|user_id")

NOT_TENANTS: Final = frozenset(
    {
        "body.app_id",  # applications are names only so far
        "body.commit_id",  # names the caller's own draft by its content
        "body.additional_messages.[].content.[].file_id",  # sent as object_string, see CALLS
        "body.chatId",  # the caller's own key, resolved within its workspaces
        "body.connection.model",  # a name at the provider
        "query.model",  # the same
        "path.span_id",  # a number within its trace
        "path.event_id",  # of a dead letter, which administrators of the deployment alone see
        "body.tool_choice.tools.[].vector_store_ids",  # bases are named in `tools`
        "body.connector_id",
        "body.connector_ids",
        "body.custom_config.model_config.model_id",  # models belong to the deployment
        "body.chunks.[].id",  # numbers within a preview
        "body.subject.id",  # of an end user it is a name; of nobody there is nothing
        "body.key_id",  # what an application calls its key
        "path.request_id",  # a random name, or the code of a device: whoever has it may answer
        "body.client_id",  # of a plugin's credentials: a name at its service
        "body.embedding_model",  # models belong to the deployment
        "body.expansion_model",
        "body.rerank_model",
        "body.knowledge.expansion_model",
        "body.knowledge.rerank_model",
        "body.fields.[].id",  # fields belong to their table
        "body.agents.[].version",
        "body.router.default_agent_id",  # one of the agents of its own agent
        "body.router.model_id",
        "body.router.rules.[].agent_id",
        "body.tools.[].workflow_id",  # refused there: tools that are workflows are added one by one
        "body.plugins.[].version",  # versions are named within what they are of
        "body.table_meta.[].id",  # columns belong to their table
        "body.table_sheet.sheet_id",
        "body.workflow_agent.version",
        "body.workflows.[].version",
        "body.document_bases.[].table_meta.[].id",  # columns belong to their table
        "body.document_bases.[].table_sheet.sheet_id",
        "body.knowledge.dataset_ids",  # datasets come with knowledge
        "body.knowledge.datasets",
        "body.mapping.datasets",  # ids of an export; what stands for them is looked for here
        "body.model",  # of an agent: its settings
        "body.memory.model_id",
        "body.model.model_id",
        "body.model_info_config.model_id",
        "body.overrides.model_id",
        "path.memory_id",  # found among the memories of the agent and end user of the path only
        "body.plugin_id_list.id_list.[].api_id",
        "body.plugin_id_list.id_list.[].plugin_id",
        "body.responseChatItemId",
        "body.shortcut_command.command_id",
        "body.tool.plugin_id",  # of a shortcut: one that its agent is bound to
        "body.tool.plugin_tool_id",
        "body.tool.workflow_id",
        "body.agent_node_id",  # a node of the agent itself
        "body.tool_outputs.[].tool_call_id",
        "body.input.[].id",  # names an item that the caller was given, see test_openai_responses
        "body.input.[].call_id",  # calls are the caller's own
        "body.outputs.[].id",
        "body.input.[].output.[].file_id",  # outputs are texts
        "body.messages.[].tool_call_id",  # calls are the caller's own
        "body.messages.[].tool_calls.[].id",
        "body.workflow_id_list.ids",
        "body.workflow_id_list.ids.[].id",
        "path.connector_id",
        "path.model_id",
        "body.event_id",  # named within a run, which has its own row here
        "body.node_id",
        "query.node_id",
        "query.sub_execute_id",
        "body.project_id",  # another name of app_id
        "body.workflow_version",
        "path.node_id",  # named within a workflow, which has its own row here
        "query.app_id",
        "query.connector_id",
        "query.creator_id",
        "query.user_id",  # the caller's own name of an end user
        "query.end_user_id",
        "body.span_id",  # of the run in the path
        "query.member_id",  # accounts are of the deployment
        "query.share_link_id",  # none are there yet
        "query.version",
        "path.provider_id",
        "body.roles.[].workspace_id",  # of a provider, which administrators alone add
    }
)
"""Ids of what belongs to the deployment, to the caller, or to nobody yet."""

ACCOUNTS: Final = frozenset(
    {"body.user_id", "body.users.[].user_id", "body.user_ids", "path.user_id"}
)
"""Accounts are known across workspaces: naming one is how members are added and removed."""

ANSWERS_EMPTY: Final = frozenset(
    {"admin.conversations.list", "admin.chats.list", "conversations.list", "messages.list"}
    | {"admin.support_conversations.list"}
    | {"datasets.get_progress", "documents.delete", "documents.list"}
    | {"datasets.search", "admin.datasets.search", "admin.traces.list", "admin.trace_stats.get"}
    | {"admin.usage.get", "admin.usage.list_entries"}
    | {"admin.agents.list", "admin.workflows.list"}
    | {"admin.audit_log.list", "admin.audit_log.export"}
)
"""Filters by a foreign id find nothing, and there is nothing of it to delete."""

FORBIDS: Final = frozenset({"admin.tokens.create"})
"""Grants of workspaces that exceed the caller's own; everything else answers 404."""

CASES: Final = [
    pytest.param(operation, number, id=f"{operation}-{number}")
    for operation, calls in CALLS.items()
    for number, call in enumerate(calls)
    if any(place.kind != "user" for place in places(call))
]

_TIME: Final = re.compile(
    rb"(?<![\d.])\d{10}(?:\d{3})?(?![\d.])"
    rb"|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)"
)
"""Seconds or milliseconds of Unix, or ISO 8601."""
_PRESENT_S: Final = 3600


async def test_every_operation_and_every_id_is_in_the_matrix(deployment: Deployment) -> None:
    described = operations(deployment.container)

    unknown = described.keys() - CALLS.keys() - PUBLIC
    assert not unknown, f"Add calls for {sorted(unknown)} to CALLS in operations.py."
    for name, calls in CALLS.items():
        sent = {place.name for call in calls for place in places(call)}
        sent = {re.sub(r"\.\[\]$", "", each) for each in sent}
        expected = (
            {each for each in described[name].fields if _ID_FIELD.search(each)}
            - NOT_TENANTS
            - ACCOUNTS
        )
        if "openai" in name:
            expected.discard("body.messages.[].content.[].file")
        if name == "openai.responses.count_input_tokens":  # tools are counted, not searched
            expected.discard("body.tools.[].vector_store_ids")
        if name == "admin.models.check":  # models belong to the deployment
            expected -= {"body.changes.connection.model", "body.model_id"}
        if name == "admin.workspaces.update":  # likewise
            expected.discard("body.default_model")
        missing = {each for each in expected - sent if not each.startswith("header.")}
        if name.startswith(
            (
                "bots",
                "agents",
                "admin.agents.chat",
                "admin.traces.replay",
                "admin.apps.publish",
                "workflows.chat",
                "admin.workflows.chat",
                "admin.workflows.publish",
                "workflows.run",
                "workflows.stream_run",
            )
        ):
            missing -= {"body.model", "body.version"}
        assert not missing, (
            f"{name} takes {sorted(missing)}: mark them with a Ref in CALLS, or list them in "
            "NOT_TENANTS and say why they belong to no tenant."
        )


@pytest.mark.parametrize(("operation", "number"), CASES)
async def test_a_foreign_id_is_as_good_as_a_missing_one(
    operation: str, number: int, deployment: Deployment, alice: Tenant, mallory: Tenant
) -> None:
    call = CALLS[operation][number]
    for place in places(call):
        if place.kind == "user":
            continue
        others = filled(call, mallory.ids, but=place)
        foreign_id = alice.ids[place.kind]
        foreign_call = put(others, place, foreign_id)
        if place.kind == "version":
            continue  # versions are named within their agent, which has its own row here
        before = deployment.rows()
        foreign = await perform(deployment, foreign_call, token=mallory.token)
        await deployment.idle()
        after = deployment.rows()
        missing_id = "no-such-alias" if place.kind == "alias" else MISSING
        missing = await perform(deployment, put(others, place, missing_id), token=mallory.token)
        await deployment.idle()

        where = f"{operation} with a foreign {place.name}: {foreign}"
        assert alice.canary.encode() not in foreign.body, where
        assert foreign.status == missing.status, f"{where} but for a missing one: {missing}"
        assert _neutral(foreign, foreign_id) == _neutral(missing, missing_id), where
        if operation in ANSWERS_EMPTY:
            assert foreign.status in {200, 404}, where
        else:
            is_limit = operation in FORBIDS and place.kind != "agent"
            is_refused = is_limit or call.fails_with == 403
            assert foreign.status == (403 if is_refused else 404), where
        assert after == before, f"{where} changed rows."


def _neutral(answer: Answer, used_id: str) -> bytes:
    """The body without what differs between any two requests: its id, and the time they came."""
    body = re.sub(rb"\d{14}[0-9A-F]{20}", b"<logid>", answer.body)
    body = _TIME.sub(_without_now, body)
    return body.replace(used_id.encode(), b"<id>")


def _without_now(found: re.Match[bytes]) -> bytes:
    """A mark for a time near the present, and any other time as it stands."""
    text = found[0].decode()
    if "T" in text:
        told = datetime.fromisoformat(text).timestamp()
    else:
        told = int(text) / (1000 if len(text) > len("1700000000") else 1)
    return b"<now>" if abs(told - time.time()) < _PRESENT_S else found[0]
