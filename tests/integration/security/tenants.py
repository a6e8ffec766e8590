"""Two tenants who know nothing of each other, each with one of every resource."""

import json
from dataclasses import dataclass
from typing import Final

from domain.shared.access import ROLE_PERMISSIONS, Permission, Role
from tests.support.client.browser import Browser
from tests.support.process.in_process import ADMIN, Deployment

MISSING: Final = "7000000000000000007"
"""An id that nothing has."""


@dataclass
class Tenant:
    """An account and what it owns; every text of it holds ``canary``."""

    token: str
    canary: str
    ids: dict[str, str]
    """Ids by kind of resource."""


async def make_tenant(deployment: Deployment, name: str, *, is_admin: bool = False) -> Tenant:
    """Open an account with an agent, a chat, a file and a token in a workspace of its own."""
    canary = f"CANARY-{name}"
    made = await deployment.call(
        "POST",
        "/admin/v1/users",
        token=ADMIN,
        document={"name": name, "is_admin": is_admin},
        status=201,
    )
    token: str = made["token"]

    async def post(path: str, document: object, status: int = 200) -> dict[str, object]:
        body = await deployment.call("POST", path, token=token, document=document, status=status)
        found: dict[str, object] = body.get("data", body)
        return found

    space = await post("/admin/v1/workspaces", {"name": canary, "description": canary}, 201)
    space_id = str(space["id"])
    spare = await post("/admin/v1/workspaces", {"name": canary}, 201)
    file_id = await deployment.upload(token, f"{canary} in a file".encode(), name=f"{canary}.txt")
    agent = await post(
        f"/admin/v1/workspaces/{space_id}/agents",
        {
            "name": canary,
            "description": canary,
            "prompt": {"text": f"You are {canary}."},
            "onboarding": {"prologue": canary, "suggested_questions": [canary]},
        },
        201,
    )
    agent_id = str(agent["id"])
    colleague = await post(f"/admin/v1/workspaces/{space_id}/agents", {"name": canary}, 201)
    colleague_id = str(colleague["id"])
    for each in (agent_id, colleague_id):
        await post(f"/admin/v1/agents/{each}/publish", {"description": canary})
    alias = f"alias-{name}"
    await deployment.call(
        "PATCH", f"/admin/v1/agents/{agent_id}", token=token, document={"alias": alias}
    )
    talk = await _talk(deployment, token, agent_id, name=name, canary=canary)
    dataset_id, document_id, slice_id = await make_knowledge(deployment, token, space_id, canary)
    await deployment.idle()
    message = await _last_message(deployment, token, talk["conversation"])
    second = await post(
        "/admin/v1/tokens", {"name": canary, "duration_days": 30, "permissions": ["chat"]}, 201
    )
    invited = await post(f"/admin/v1/workspaces/{space_id}/invitations", {"role": "viewer"}, 201)
    served = await post(
        f"/admin/v1/workspaces/{space_id}/service-tokens",
        {"name": canary, "permissions": ["workspace.write"]},
        201,
    )
    shared = await post(
        f"/admin/v1/workspaces/{space_id}/share-links",
        {
            "target_type": "agent",
            "target_id": agent_id,
            "settings": {"name": canary, "footer": canary},
        },
        201,
    )
    channel = await post(
        f"/admin/v1/workspaces/{space_id}/channels",
        {
            "platform": "slack",
            "target_type": "agent",
            "target_id": agent_id,
            "settings": {"name": canary, "slow_text": canary},
            "credentials": {"bot_token": "xoxb-1", "signing_secret": canary},
        },
        201,
    )
    workflow_ids = [
        str(
            (
                await post(
                    f"/admin/v1/workspaces/{space_id}/workflows",
                    {"name": canary, "description": canary, "mode": 3},
                    201,
                )
            )["id"]
        )
        for _ in range(2)
    ]
    await post(
        f"/admin/v1/workflows/{workflow_ids[0]}/publish", {"force": True, "description": canary}
    )
    ran = await deployment.call(
        "POST",
        f"/admin/v1/workflows/{workflow_ids[0]}/test-runs",
        token=token,
        document={"inputs": {"USER_INPUT": canary}},
        status=202,
    )
    library = await _make_library(deployment, token, space_id, agent_id, canary)
    plugin_id, tool_id = await _make_plugin(deployment, token, space_id, canary)
    database_id, import_id = await _make_database(deployment, token, space_id, agent_id, canary)
    group = await post(f"/admin/v1/workspaces/{space_id}/groups", {"name": canary}, 201)
    granted = await deployment.call(
        "PUT",
        "/admin/v1/grants",
        token=token,
        document={
            "resource_type": "app",
            "resource_id": library["app"],
            "subject_type": "group",
            "subject_id": group["id"],
            "level": "view",
        },
    )
    budget = await post(
        f"/admin/v1/workspaces/{space_id}/budgets",
        {"name": canary, "subject_type": "workspace", "unit": "tokens", "amount": "1000000000"}
        | {"period": "month"},
        201,
    )
    asked = await post(
        f"/admin/v1/workspaces/{space_id}/data-requests",
        {"kind": "export", "subject": {"type": "end_user", "id": f"user-{name}"}},
        202,
    )
    await deployment.idle()
    tasks = await deployment.call(
        "GET", f"/admin/v1/tasks?workspace_id={space_id}&state=done", token=token
    )
    ids = {
        "data_request": str(asked["id"]),
        "budget": str(budget["id"]),
        "group": str(group["id"]),
        "grant": str(granted["id"]),
        "task": str(tasks["items"][0]["id"]),
        "database": database_id,
        "database_import": import_id,
        "plugin": plugin_id,
        "plugin_tool": tool_id,
        **library,
        "workflow_run": str(ran["execute_id"]),
        "agent": agent_id,
        "deleted_agent": await _delete_agent(deployment, token, space_id, canary),
        "deleted_workflow": await _delete_workflow(deployment, token, space_id, canary),
        "test_input": await _save_input(deployment, token, workflow_ids[0], canary),
        "alias": alias,
        "colleague": colleague_id,
        **talk,
        "dataset": dataset_id,
        "document": document_id,
        "file": file_id,
        "spare_file": await deployment.upload(token, canary.encode(), name=f"{canary}.md"),
        "spare_space": str(spare["id"]),
        "message": message,
        "preview": await _make_preview(deployment, token, dataset_id, canary),
        "response": await _respond(deployment, token, agent_id, canary),
        "spare_response": await _respond(deployment, token, agent_id, canary),
        **await _grant(deployment, token, space_id, canary),
        "session": await _sign_in(deployment, token),
        "slice": slice_id,
        "space": space_id,
        "service_token": str(served["id"]),
        "invitation": str(invited["id"]),
        "share_code": str(shared["code"]),
        "channel": str(channel["id"]),
        "share_link": str(shared["id"]),
        "token": str(second["id"]),
        "user": str(made["user"]["id"]),
        "version": "",
        "workflow": workflow_ids[0],
        "spare_workflow": workflow_ids[1],
    }
    versions = await deployment.call("GET", f"/admin/v1/agents/{agent_id}/versions", token=token)
    ids["version"] = str(versions["items"][0]["version"])
    return Tenant(token, canary, ids)


async def make_member(deployment: Deployment, tenant: Tenant, role: Role) -> Tenant:
    """Let somebody join a tenant's workspace, with what belongs to accounts of their own."""
    canary, space_id = tenant.canary, tenant.ids["space"]
    name = f"{role}-{space_id[-8:]}"
    made = await deployment.call(
        "POST", "/admin/v1/users", token=ADMIN, document={"name": name}, status=201
    )
    await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{space_id}/members",
        token=tenant.token,
        document={"user_id": made["user"]["id"], "role": role},
        status=201,
    )
    token, agent_id = str(made["token"]), tenant.ids["agent"]
    second = {"name": canary, "duration_days": 30, "permissions": ["chat"]}
    kept = await deployment.call(
        "POST", "/admin/v1/tokens", token=token, document=second, status=201
    )
    own = {
        "token": str(kept["id"]),
        "file": await deployment.upload(token, canary.encode(), name=f"{canary}.txt"),
        "spare_file": await deployment.upload(token, canary.encode(), name=f"{canary}.md"),
        **await _talk(deployment, token, agent_id, name=name, canary=canary),
        "response": await _respond(deployment, token, agent_id, canary),
        "spare_response": await _respond(deployment, token, agent_id, canary),
    }
    if Permission.DATASET_WRITE in ROLE_PERMISSIONS[role]:
        own["preview"] = await _make_preview(deployment, token, tenant.ids["dataset"], canary)
    if Permission.WORKFLOW_WRITE in ROLE_PERMISSIONS[role]:
        own["test_input"] = await _save_input(deployment, token, tenant.ids["workflow"], canary)
    await deployment.idle()
    own["message"] = await _last_message(deployment, token, own["conversation"])
    return Tenant(token, canary, tenant.ids | own)


async def _talk(
    deployment: Deployment, token: str, agent_id: str, *, name: str, canary: str
) -> dict[str, str]:
    """Ask an agent in a conversation, and make another one with a message."""

    async def post(path: str, document: object) -> str:
        body = await deployment.call("POST", path, token=token, document=document)
        return str(body["data"]["id"])

    said = {"role": "user", "content": f"{canary} said", "content_type": "text"}
    conversation = await post(
        "/v1/conversation/create", {"bot_id": agent_id, "name": canary, "messages": [said]}
    )
    said = said | {"content": canary}
    spare = await post("/v1/conversation/create", {"bot_id": agent_id, "messages": [said]})
    asked = said | {"content": f"{canary} asks"}
    return {
        "conversation": conversation,
        "spare_conversation": spare,
        "spare_message": await post(
            f"/v1/conversation/message/create?conversation_id={spare}", said
        ),
        "run": await post(
            f"/v3/chat?conversation_id={conversation}",
            {"bot_id": agent_id, "user_id": f"user-{name}", "additional_messages": [asked]},
        ),
    }


async def _last_message(deployment: Deployment, token: str, conversation_id: str) -> str:
    path = f"/v1/conversation/message/list?conversation_id={conversation_id}"
    listed = await deployment.call("POST", path, token=token, document={})
    return str(listed["data"][-1]["id"])


async def _sign_in(deployment: Deployment, token: str) -> str:
    """Open a session with the token; return its id."""
    page = [("host", "127.0.0.1:8000"), ("sec-fetch-site", "same-origin")]
    opened = await deployment.send(
        "POST", "/admin/v1/auth/token", document={"token": token}, headers=page
    )
    assert opened.status == 200, str(opened)
    listed = await deployment.call("GET", "/admin/v1/auth/sessions", token=token)
    return str(listed["items"][0]["id"])


async def _grant(deployment: Deployment, token: str, space_id: str, canary: str) -> dict[str, str]:
    """Register an application of devices and let it in; return both."""
    app = await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{space_id}/oauth-apps",
        token=token,
        document={"name": canary, "type": "device", "permissions": ["chat"]},
        status=201,
    )
    spare = await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{space_id}/oauth-apps",
        token=token,
        document={
            "name": canary,
            "type": "web",
            "permissions": ["chat"],
            "redirect_uris": ["https://crm.example.org/"],
        },
        status=201,
    )
    oauth = "/api/permission/oauth2"
    device = await deployment.send(
        "POST",
        f"{oauth}/device/code",
        document={"client_id": app["client_id"]},
        peer=deployment.new_peer(),
    )
    browser = Browser(deployment)
    await browser.exchange(token)
    path = f"/admin/v1/oauth-requests/{device.json['user_code']}"
    await browser.call("POST", path, {"decision": "approve", "workspace_id": space_id})
    taken = {
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "client_id": app["client_id"],
        "device_code": device.json["device_code"],
    }
    issued = await deployment.send("POST", f"{oauth}/token", document=taken)
    assert issued.status == 200, str(issued)
    granted = await deployment.call("GET", "/admin/v1/oauth-grants", token=token)
    return {"oauth_app": str(spare["id"]), "oauth_grant": str(granted["items"][0]["id"])}


async def _make_library(
    deployment: Deployment, token: str, space_id: str, agent_id: str, canary: str
) -> dict[str, str]:
    """Make an app, a prompt and a shortcut, and offer the agent as a template."""

    async def post(path: str, document: object, status: int = 201) -> dict[str, object]:
        found: dict[str, object] = await deployment.call(
            "POST", f"/admin/v1/{path}", token=token, document=document, status=status
        )
        return found

    app = await post(
        f"workspaces/{space_id}/apps",
        {"name": canary, "description": canary, "variables": [{"key": "city"}]},
    )
    await post(f"apps/{app['id']}/conversation-defs", {"name": "kept"})
    await post(f"apps/{app['id']}/publish", {"description": canary}, 200)
    prompt = await post(
        f"workspaces/{space_id}/prompts", {"name": canary, "prompt_text": f"You are {canary}."}
    )
    shortcut = await post(
        f"agents/{agent_id}/shortcuts", {"name": canary, "template_query": canary}
    )
    await deployment.call(
        "PUT", f"/admin/v1/agents/{agent_id}/template", token=token, document={"enabled": True}
    )
    return {
        "app": str(app["id"]),
        "prompt": str(prompt["id"]),
        "shortcut": str(shortcut["id"]),
    }


async def make_knowledge(
    deployment: Deployment, token: str, space_id: str, canary: str
) -> tuple[str, str, str]:
    """Make a base with one indexed document of one slice."""
    made = await deployment.call(
        "POST",
        "/v1/datasets",
        token=token,
        document={"name": canary, "description": canary, "space_id": space_id, "format_type": 0},
    )
    dataset_id = str(made["data"]["dataset_id"])
    created = await deployment.call(
        "POST",
        "/open_api/knowledge/document/create",
        token=token,
        document={
            "dataset_id": dataset_id,
            "document_bases": [
                {"name": canary, "source_info": {"custom_content": f"{canary} is written here."}}
            ],
        },
    )
    document_id = str(created["document_infos"][0]["document_id"])
    await deployment.idle()
    slices = await deployment.call(
        "GET", f"/v1/datasets/{dataset_id}/slices?document_id={document_id}", token=token
    )
    return dataset_id, document_id, str(slices["data"]["slices"][0]["slice_id"])


async def _respond(deployment: Deployment, token: str, agent_id: str, canary: str) -> str:
    """Have an agent give a response that is kept, whatever its model does; return its bare id."""
    answer = await deployment.send(
        "POST",
        "/v1/responses",
        token=token,
        document={"model": agent_id, "input": canary, "background": True},
    )
    await deployment.idle()
    made: str = json.loads(answer.body)["id"]
    return made.removeprefix("resp_")


async def _make_database(
    deployment: Deployment, token: str, space_id: str, agent_id: str, canary: str
) -> tuple[str, str]:
    """Make a table of one imported row, and let the agent declare a variable."""
    made = await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{space_id}/databases",
        token=token,
        document={"table_name": "rows", "table_desc": canary, "fields": [{"name": "title"}]},
        status=201,
    )
    file_id = await deployment.upload(token, f"title\n{canary}\n".encode(), name="rows.csv")
    imported = await deployment.call(
        "POST",
        f"/admin/v1/databases/{made['id']}/imports",
        token=token,
        document={"file_id": file_id},
        status=202,
    )
    await deployment.call(
        "PUT",
        f"/admin/v1/agents/{agent_id}/variables",
        token=token,
        document={"items": [{"key": "city", "description": canary}]},
    )
    await deployment.call("POST", f"/admin/v1/agents/{agent_id}/publish", token=token, document={})
    await deployment.idle()
    return str(made["id"]), str(imported["id"])


async def _make_plugin(
    deployment: Deployment, token: str, space_id: str, canary: str
) -> tuple[str, str]:
    """Make a plugin of one tool, whose service nobody reaches."""
    asked = {"name": "q", "in": "query", "schema": {"type": "string"}}
    tool = {"operationId": "x", "summary": canary, "parameters": [asked]}
    made = await deployment.call(
        "POST",
        f"/admin/v1/workspaces/{space_id}/plugins:import",
        token=token,
        document={
            "openapi": {
                "openapi": "3.0.3",
                "info": {"title": canary, "description": canary},
                "servers": [{"url": "http://127.0.0.1:9"}],
                "paths": {"/x": {"get": tool}},
            }
        },
        status=201,
    )
    plugin_id = str(made["plugin"]["id"])
    await deployment.call(
        "POST",
        f"/admin/v1/plugins/{plugin_id}/publish",
        token=token,
        document={"force": True},
        status=201,
    )
    return plugin_id, str(made["tools"][0]["id"])


async def _delete_agent(deployment: Deployment, token: str, space_id: str, canary: str) -> str:
    path, named = f"/admin/v1/workspaces/{space_id}/agents", {"name": f"Gone {canary}"}
    made = await deployment.call("POST", path, token=token, document=named, status=201)
    path = f"/admin/v1/agents/{made['id']}"
    await deployment.call("DELETE", path, token=token, status=204)
    return str(made["id"])


async def _delete_workflow(deployment: Deployment, token: str, space_id: str, canary: str) -> str:
    path, named = f"/admin/v1/workspaces/{space_id}/workflows", {"name": f"Gone {canary}"}
    made = await deployment.call("POST", path, token=token, document=named, status=201)
    path = f"/admin/v1/workflows/{made['id']}"
    await deployment.call("DELETE", path, token=token, status=204)
    return str(made["id"])


async def _save_input(deployment: Deployment, token: str, workflow_id: str, canary: str) -> str:
    path = f"/admin/v1/workflows/{workflow_id}/test-inputs"
    kept = {"name": canary, "inputs": {"q": canary}}
    made = await deployment.call("POST", path, token=token, document=kept, status=201)
    return str(made["id"])


async def _make_preview(deployment: Deployment, token: str, dataset_id: str, canary: str) -> str:
    """Make a preview of one chunk that is ready."""
    made = await deployment.call(
        "POST",
        f"/admin/v1/datasets/{dataset_id}/previews",
        token=token,
        document={
            "document_bases": [
                {"name": canary, "source_info": {"custom_content": f"{canary} is previewed."}}
            ]
        },
        status=202,
    )
    await deployment.idle()
    return str(made["items"][0]["id"])
