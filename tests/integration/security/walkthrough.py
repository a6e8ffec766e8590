"""Calls that succeed only after steps of their own, or for others than the owner of everything.

``CALLS`` shows how each operation is called; of some, a tenant gets a refusal by them: they are for
administrators of the deployment, for people at a browser, for visitors, or for a run that waits.
Here somebody makes each of them succeed, for the examples of the document.
"""

import base64
import json
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

from tests.integration.security.operations import CALLS, Call, filled, perform, wire
from tests.integration.security.tenants import Tenant, make_knowledge
from tests.mcp_servers.hostile import HostileServer, listening
from tests.support.client.browser import PASSWORD, Browser, link_for
from tests.support.document.build import pdf, text_page
from tests.support.document.picture import picture
from tests.support.event.dead_letter import leave_letter
from tests.support.identity.provider import CLIENT_ID, SECRET, Provider, running_provider
from tests.support.knowledge.job import put_off
from tests.support.process.in_process import ADMIN, Answer, Deployment
from tests.support.wait import until_so
from tests.support.web.harbour import PluginService
from tests.support.workflow.canvas import canvas, exit_, lit, model, node, ref
from tests.support.workflow.canvas import field as variable
from tests.upstream.fixture import RunningUpstream

NAME: Final = "dora"
_WEATHER: Final = {
    "name": "get_weather",
    "description": "Tells the weather of a city.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
}
_ASKING: Final = canvas(
    node(
        "ask",
        "18",
        question="Which city?",
        answer_type="text",
        option_type="static",
        extra_output=False,
        limit=3,
        llmParam={},
        inputParameters=[],
        outputs=[variable("USER_RESPONSE", "string")],
    ),
    node("said", "13", content=lit("Noted."), inputParameters=[], streamingOutput=False),
    exit_(city=ref("ask", "USER_RESPONSE")),
    entry=[variable("q", "string")],
)
_PROBES: Final = {
    "health": "/healthz",
    "liveness": "/livez",
    "readiness": "/readyz",
    "startup": "/startupz",
    "version": "/version",
}
_CITIES: Final = base64.b64encode(b"city,people\nOslo,700000\nBergen,290000\n").decode()


class Performed(NamedTuple):
    """A call, as it was sent, and what came back."""

    operation: str
    call: Call
    sent: Call
    answer: Answer


@dataclass
class Neighbours:
    """What runs beside the deployment."""

    upstream: RunningUpstream
    provider: Provider
    service: PluginService
    mcp: HostileServer

    @property
    def hosts(self) -> tuple[str, ...]:
        """Addresses that a deployment may reach."""
        issuer = urlsplit(self.provider.issuer).netloc
        return issuer, self.service.host, self.mcp.host

    @property
    def names(self) -> Mapping[str, str]:
        """What these are called in the document."""
        return {
            self.upstream.base_url: "https://models.example.com/v1",
            self.provider.issuer: "https://id.example.com",
            f"http://{self.service.host}": "https://harbour.example.com",
            f"http://{self.mcp.host}": "https://mcp.example.com",
        }


@dataclass
class Walk:
    """A tenant and an administrator, and what they did so far."""

    deployment: Deployment
    tenant: Tenant
    beside: Neighbours
    done: list[Performed] = field(default_factory=list)

    async def show(
        self,
        operation: str,
        call: Call | None = None,
        *,
        by: str | Browser | None = "",
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        ids: Mapping[str, str] = MappingProxyType({}),
    ) -> Any:
        """Make a call that succeeds, that of ``CALLS`` unless given; return what its JSON says.

        ``by`` is the tenant unless given, None a stranger; ``ids`` come before the tenant's own.
        """
        call = replace(call or CALLS[operation][0], fails_with=0)
        call = call if body is None else replace(call, body=body)
        call = call if query is None else replace(call, query=query)
        sent = filled(call, {**self.tenant.ids, **ids})
        sent = replace(sent, body=wire(sent.body))
        if isinstance(by, Browser):
            answer = await _by_hand(by, sent)
        else:
            token = self.tenant.token if by == "" else by
            answer = await perform(self.deployment, sent, token=token)
        assert answer.status < 400, f"{operation}: {answer}"
        self.done.append(Performed(operation, call, sent, answer))
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        return answer.json if answer.body and is_json else None

    async def ask(self, method: str, path: str, document: object = None, status: int = 200) -> Any:
        """Do something as the tenant that is not shown."""
        return await self.deployment.call(
            method, path, token=self.tenant.token, document=document, status=status
        )

    @property
    def space(self) -> str:
        return self.tenant.ids["space"]


async def _by_hand(browser: Browser, call: Call) -> Answer:
    query = "&".join(f"{name}={value}" for name, value in call.query.items())
    return await browser.send(
        call.method, f"{call.path}?{query}" if query else call.path, call.body
    )


def _get(path: str, **options: Any) -> Call:
    return Call(method="GET", path=path, **options)


def _post(path: str, body: Any = None, **options: Any) -> Call:
    return Call(method="POST", path=path, body=body, **options)


async def walk(deployment: Deployment, tenant: Tenant, beside: Neighbours) -> list[Performed]:
    """Make every call."""
    walk = Walk(deployment, tenant, beside)
    await _deployment(walk)
    await _people(walk)
    await _models(walk)
    await _identity_providers(walk)
    await _sessions(walk)
    await _oauth(walk)
    await _feedback(walk)
    await _waiting_runs(walk)
    await _workflows(walk)
    await _knowledge(walk)
    await _memories(walk)
    await _plugins(walk)
    await _visits(walk)
    await deployment.idle()
    return walk.done


async def _deployment(walk: Walk) -> None:
    """What a deployment tells of itself, and what only its administrators see of it."""
    for name, path in _PROBES.items():
        await walk.show(f"operations.get_{name}", _get(path, varies=True), by=None)
    call = CALLS["admin.audit_log.verify"][0]
    await walk.show("admin.audit_log.verify", replace(call, varies=True), by=ADMIN)
    await walk.show("admin.groups.create", by=ADMIN, body={"name": "Engineers"})
    await walk.show("admin.groups.list", by=ADMIN)
    await walk.show("admin.usage.import_report", by=ADMIN)
    await walk.show("admin.usage.reconcile", by=ADMIN)
    container = walk.deployment.container
    for name in ("event-1", "event-2"):
        await leave_letter(container.database(), name, died_at=container.clock().now())
    for verb in ("list", "get", "retry", "drop"):
        await walk.show(f"admin.dead_letters.{verb}", by=ADMIN)
    reporter = container.reporter()
    reporter._machine = replace(reporter._machine, host="server-1", pid=4711)
    for verb in (
        *("get_health", "list_processes", "list_queues", "get_metrics", "list_logs"),
        *("list_settings", "examine"),
    ):
        await walk.show(f"admin.operations.{verb}", by=ADMIN)
    await walk.show("icons.download", _get("/icons/agent.png"), by=None)
    account = await walk.show("admin.auth.set_avatar")
    address = urlsplit(account["avatar_url"]).path.split("/")
    shown = _get("/avatars/{owner_id}/{key}", kinds={"owner_id": "user", "key": "avatar"})
    await walk.show("avatars.download", shown, by=None, ids={"avatar": address[-1]})
    await walk.show("admin.auth.delete_avatar")
    await walk.show("admin.workspaces.set_icon")
    given = await walk.ask("GET", f"/admin/v1/files/{walk.tenant.ids['file']}/url")
    place = urlsplit(given["url"])
    query = {name: values[0] for name, values in parse_qs(place.query).items()}
    file_id = place.path.rpartition("/")[2]
    signed = _get("/files/{file_id}", query=query, kinds={"file_id": "signed"})
    await walk.show("files.download_signed", signed, by=None, ids={"signed": file_id})


async def _people(walk: Walk) -> None:
    """Accounts, members and invitations."""
    made = await walk.show("admin.users.create", by=ADMIN, body={"name": "edna"})
    edna = str(made["user"]["id"])
    await walk.show("admin.users.list", by=ADMIN)
    await walk.show("admin.workspaces.list_all", by=ADMIN, query={"q": "nobody has it"})
    await walk.show("admin.oauth_apps.list_all", by=ADMIN, query={"q": "nobody has it"})
    await walk.show("admin.members.create", ids={"user": edna})
    await walk.show("admin.members.delete", ids={"user": edna})
    invited = await walk.ask(
        "POST", f"/admin/v1/workspaces/{walk.space}/invitations", {"role": "viewer"}, 201
    )
    code = invited["code"]
    looked_up = _get("/admin/v1/invitations:lookup", query={"code": code})
    await walk.show("admin.invitations.look_up", looked_up, by=None)
    await walk.show("admin.invitations.accept", by=made["token"], body={"code": code})
    await walk.show("admin.workspaces.leave", by=made["token"])
    await walk.show("admin.users.create_link", by=ADMIN, ids={"user": edna})
    await walk.show("admin.users.list_sessions", by=ADMIN, ids={"user": edna})
    await walk.show("admin.users.delete_sessions", by=ADMIN, ids={"user": edna})
    await walk.show("admin.users.update", by=ADMIN, ids={"user": edna})
    await walk.show("admin.workspaces.delete")
    await walk.show("admin.workspaces.list_deleted")
    await walk.show("admin.workspaces.restore", ids={"space": walk.tenant.ids["spare_space"]})


async def _models(walk: Walk) -> None:
    """Models, their prices, and ranking by one of them."""
    upstream = walk.beside.upstream
    body = {
        "display": {"name": "fast"},
        "connection": {"base_url": upstream.base_url, "model": "echo"},
    }
    made = await walk.show("admin.models.create", by=ADMIN, body=body)
    kinds = {"model_id": "stored_model"}
    path, ids = "/admin/v1/models/{model_id}", {"stored_model": str(made["id"])}
    await walk.show("admin.models.get", _get(path, kinds=kinds), by=ADMIN, ids=ids)
    changed = Call(method="PATCH", path=path, body={"enabled": True}, kinds=kinds)
    await walk.show("admin.models.update", changed, by=ADMIN, ids=ids)
    tried = _post(path + "/test", varies=True, kinds=kinds)
    await walk.show("admin.models.test", tried, by=ADMIN, ids=ids)
    settings = {"changes": body | {"display": {"name": "new"}}}
    checked = _post("/admin/v1/models:check", settings, varies=True)
    await walk.show("admin.models.check", checked, by=ADMIN)
    figures = _get("/admin/v1/models:figures", varies=True)
    await walk.show("admin.models.get_figures", figures, by=ADMIN)
    prices = {"money": [{"input": "1", "output": "2"}]}
    await walk.show(
        "admin.prices.create", _post(path + "/prices", prices, kinds=kinds), by=ADMIN, ids=ids
    )
    gone = Call(method="DELETE", path=path, kinds=kinds)
    await walk.show("admin.models.delete", gone, by=ADMIN, ids=ids)
    await walk.show("admin.model_providers.list", by=ADMIN)
    scores = {
        "results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.2}]
    }
    upstream.script(
        "ranker", [{"send": json.dumps(scores)}], headers={"content-type": "application/json"}
    )
    ranker = {
        "type": "rerank",
        "provider": "jina",
        "display": {"name": "ranker"},
        "connection": {"base_url": upstream.base_url, "model": "ranker"},
    }
    path = "/admin/v1/models"
    await walk.deployment.call("POST", path, token=ADMIN, document=ranker, status=201)
    asked = {"model": "ranker", "query": "Where do owls sleep?", "documents": ["Trees.", "Barns."]}
    await walk.show("openai.reranks.create", by=ADMIN, body=asked)


async def _identity_providers(walk: Walk) -> None:
    body = {
        "name": "Corp",
        "issuer": walk.beside.provider.issuer,
        "client_id": CLIENT_ID,
        "client_secret": SECRET,
        "groups_claim": "groups",
        "roles": [{"group": "engineers", "workspace_id": walk.space, "role": "editor"}],
    }
    made = await walk.show("admin.oidc_providers.create", by=ADMIN, body=body)
    ids = {"oidc_provider": str(made["id"])}
    kinds = {"provider_id": "oidc_provider"}
    path = "/admin/v1/oidc-providers/{provider_id}"
    await walk.show("admin.oidc_providers.list", by=ADMIN)
    await walk.show("admin.oidc_providers.get", _get(path, kinds=kinds), by=ADMIN, ids=ids)
    changed = Call(method="PATCH", path=path, body={"name": "Corporation"}, kinds=kinds)
    await walk.show("admin.oidc_providers.update", changed, by=ADMIN, ids=ids)
    tried = _post(path + "/try", kinds=kinds)
    await walk.show("admin.oidc_providers.test", tried, by=ADMIN, ids=ids)
    gone = Call(method="DELETE", path=path, kinds=kinds)
    await walk.show("admin.oidc_providers.delete", gone, by=ADMIN, ids=ids)


async def _sessions(walk: Walk) -> None:
    """A person at a browser."""
    deployment = walk.deployment
    auth = "/admin/v1/auth"
    await walk.show("admin.auth.list_sign_in_methods", _get(auth + "/ways"), by=Browser(deployment))
    made = await deployment.call(
        "POST", "/admin/v1/users", token=ADMIN, document={"name": "faye"}, status=201
    )
    link = await link_for(deployment, made["user"]["id"])
    ticket = urlsplit(link).query.removeprefix("ticket=")
    entered = _post(auth + "/ticket", {"ticket": ticket, "password": PASSWORD})
    browser = Browser(deployment)
    browser.csrf = (await walk.show("admin.auth.redeem_ticket", entered, by=browser))["csrf"]
    await walk.show("admin.auth.get_session", by=browser)
    await walk.show("admin.auth.confirm_password", by=browser, body={"password": PASSWORD})
    await walk.show("admin.auth.logout", by=browser)
    login = _post(auth + "/login", {"name": "faye", "password": PASSWORD})
    browser.csrf = (await walk.show("admin.auth.login", login, by=browser))["csrf"]
    new = {"current": PASSWORD, "password": "a loud Harbour 8"}
    await walk.show("admin.auth.set_password", by=browser, body=new)
    exchanged = _post(auth + "/token", {"token": walk.tenant.token})
    await walk.show("admin.auth.exchange_token", exchanged, by=Browser(deployment))
    invited = await walk.ask(
        "POST", f"/admin/v1/workspaces/{walk.space}/invitations", {"role": "viewer"}, 201
    )
    registered = {"name": "gill", "password": PASSWORD, "code": invited["code"]}
    await walk.show(
        "admin.auth.register", _post(auth + "/register", registered), by=Browser(deployment)
    )


async def _oauth(walk: Walk) -> None:
    """A device that asks to be let in, and the person who lets it."""
    deployment = walk.deployment
    body = {"name": "Television", "type": "device", "permissions": ["chat"]}
    app = await walk.ask("POST", f"/admin/v1/workspaces/{walk.space}/oauth-apps", body, 201)
    begun = await deployment.send(
        "POST",
        "/api/permission/oauth2/device/code",
        document={"client_id": app["client_id"]},
        peer=deployment.new_peer(),
    )
    code = begun.json["user_code"]
    browser = Browser(deployment)
    await browser.exchange(walk.tenant.token)
    asked = "/admin/v1/oauth-requests"
    kinds = {"request_id": "oauth_request"}
    found = _post(asked + ":device", {"user_code": code})
    await walk.show("admin.oauth_requests.find_by_user_code", found, by=browser)
    shown = _get(asked + "/{request_id}", kinds=kinds)
    await walk.show("admin.oauth_requests.get", shown, by=browser, ids={"oauth_request": code})
    answered = _post(
        asked + "/{request_id}", {"decision": "approve", "workspace_id": walk.space}, kinds=kinds
    )
    await walk.show(
        "admin.oauth_requests.answer", answered, by=browser, ids={"oauth_request": code}
    )


async def _feedback(walk: Walk) -> None:
    """Verdicts on an answer."""
    conversation = walk.tenant.ids["conversation"]
    listed = await walk.ask(
        "POST", f"/v1/conversation/message/list?conversation_id={conversation}", {}
    )
    answer = next(str(each["id"]) for each in listed["data"] if each["type"] == "answer")
    for operation in (
        *("admin.conversations.set_feedback", "admin.conversations.delete_feedback"),
        *("messages.create_feedback", "messages.delete_feedback"),
    ):
        await walk.show(operation, ids={"message": answer})


async def _agent(walk: Walk, plan: list[dict[str, Any]], **more: Any) -> str:
    """Publish an agent of the tenant that follows a plan."""
    made = await walk.ask(
        "POST",
        f"/admin/v1/workspaces/{walk.space}/agents",
        {"name": "Planner", "prompt": {"text": f"<plan>{json.dumps(plan)}</plan>"}, **more},
        201,
    )
    await walk.ask("POST", f"/admin/v1/agents/{made['id']}/publish", {"description": "first"})
    return str(made["id"])


async def _waiting_runs(walk: Walk) -> None:
    """Runs that are stopped, and runs that wait for their client."""
    body = {
        "display": {"name": "planned"},
        "connection": {"base_url": walk.beside.upstream.base_url, "model": "planned"},
    }
    planned = await walk.deployment.call(
        "POST", "/admin/v1/models", token=ADMIN, document=body, status=201
    )
    by_plan = {"model": {"model_id": planned["id"]}}
    stalls = await _agent(walk, [{"stalls": True}], **by_plan)
    calls = [{"name": "get_weather", "arguments": {"city": "Oslo"}}]
    waits = await _agent(
        walk, [{"calls": calls}, {"say": "It is sunny."}], client_tools=[_WEATHER], **by_plan
    )
    walk.tenant.ids |= {"stalling_agent": stalls, "waiting_agent": waits}
    for operation in ("chats.cancel", "admin.runs.cancel"):
        chat = await _chat(walk, stalls)
        await walk.show(operation, ids={"conversation": chat["conversation_id"], "run": chat["id"]})
    for operation, name in (
        ("chats.submit_tool_outputs", "tool_outputs"),
        ("admin.runs.submit_tool_outputs", "outputs"),
    ):
        chat = await _chat(walk, waits)
        call = await _call_of(walk, chat)
        key = "tool_call_id" if name == "tool_outputs" else "id"
        given = {name: [{key: call["id"], "output": "Sunny in Oslo"}]}
        await walk.show(
            operation, body=given, ids={"conversation": chat["conversation_id"], "run": chat["id"]}
        )
        await walk.deployment.idle()


async def _chat(walk: Walk, agent_id: str) -> Any:
    said = {"role": "user", "content": "How is the weather?", "content_type": "text"}
    body = {"bot_id": agent_id, "user_id": "user-1", "additional_messages": [said]}
    return (await walk.ask("POST", "/v3/chat", body))["data"]


async def _call_of(walk: Walk, chat: Mapping[str, Any]) -> Any:
    """Return the call that a chat asks its client for, once it does."""
    path = f"/v3/chat/retrieve?conversation_id={chat['conversation_id']}&chat_id={chat['id']}"
    found: Any = None

    async def waits() -> bool:
        nonlocal found
        found = (await walk.ask("GET", path))["data"]
        return found["status"] not in {"created", "in_progress"}

    await until_so(waits)
    assert found["status"] == "requires_action", found
    (call,) = found["required_action"]["submit_tool_outputs"]["tool_calls"]
    return call


async def _flow(
    walk: Walk, name: str, schema: Mapping[str, Any], *, is_published: bool = True
) -> str:
    path = f"/admin/v1/workspaces/{walk.space}/workflows"
    made = await walk.ask("POST", path, {"name": name, "description": "A flow."}, 201)
    flow = f"/admin/v1/workflows/{made['id']}"
    await walk.ask("PUT", flow + "/canvas", {"schema": json.dumps(schema)})
    if is_published:
        await walk.ask("POST", flow + "/publish", {"force": True})
    return str(made["id"])


async def _workflows(walk: Walk) -> None:
    """Runs of workflows that ask something, and what a model's node may call."""
    asking = await _flow(walk, "asks", _ASKING)
    for operation in ("admin.workflow_runs.resume", "workflows.stream_resume"):
        started = await walk.ask(
            "POST",
            "/v1/workflow/run",
            {"workflow_id": asking, "parameters": {"q": "Hello"}, "is_async": True},
        )
        run = str(started["execute_id"])
        await walk.deployment.idle()
        found = await walk.ask("GET", f"/admin/v1/workflow-runs/{run}")
        event = found["interrupts"][0]["id"]
        if operation.startswith("admin"):
            body = {"event_id": event, "data": "Oslo"}
            await walk.show(operation, body=body, ids={"workflow_run": run})
            await walk.deployment.idle()
            ended = await walk.ask("GET", f"/admin/v1/workflow-runs/{run}")
            said = next(each for each in ended["nodes"] if each["node_id"] == "said")
            output = _get(
                "/v1/workflows/{workflow_id}/run_histories/{execute_id}"
                "/execute_nodes/{node_execute_uuid}",
                kinds={"node_execute_uuid": "execution"},
            )
            await walk.show(
                "workflows.get_node_output",
                output,
                ids={"workflow": asking, "workflow_run": run, "execution": str(said["id"])},
            )
            continue
        await walk.show(
            operation,
            body={
                "workflow_id": asking,
                "event_id": f"{run}/{event}",
                "resume_data": "Oslo",
                "interrupt_type": found["interrupts"][0].get("type", 2),
            },
        )
    setting = {"request_params": [{"name": "q", "local_default": "Oslo"}]}
    used = {"workflow_id": asking, "fc_setting": setting}
    calling = model("2", fcParam={"workflowFCParam": {"workflowList": [used]}})
    caller = await _flow(walk, "calls", canvas(calling), is_published=False)
    settings = _get("/admin/v1/workflows/{workflow_id}/nodes/{node_id}/tool-settings")
    settings = replace(settings, kinds={"node_id": "node"})
    await walk.show(
        "admin.workflows.get_tool_settings", settings, ids={"workflow": caller, "node": "2"}
    )


async def _knowledge(walk: Walk) -> None:
    """Tables, images and pages; and ends of what is left."""
    table, rows = await _base(
        walk, 1, {"name": "cities.csv", "source_info": {"file_base64": _CITIES, "file_type": "csv"}}
    )
    for operation in ("admin.datasets.infer_table_schema", "admin.datasets.validate_table_schema"):
        source = {"custom_content": '[{"city": "Oslo", "people": "700000"}]', "document_source": 2}
        await walk.show(operation, body={"source_info": source}, ids={"dataset": table})
    await walk.show("admin.documents.export", ids={"document": rows})
    seeing = {
        "display": {"name": "seeing"},
        "connection": {"base_url": walk.beside.upstream.base_url, "model": "echo"},
        "capabilities": {"vision": True},
        "is_vision_default": True,
    }
    path = "/admin/v1/models"
    await walk.deployment.call("POST", path, token=ADMIN, document=seeing, status=201)
    image = base64.b64encode(picture()).decode()
    images, sky = await _base(
        walk, 2, {"name": "sky.png", "source_info": {"file_base64": image, "file_type": "png"}}
    )
    await walk.show(
        "images.update", body={"caption": "A red sky"}, ids={"dataset": images, "document": sky}
    )
    listed = await walk.show("images.list", ids={"dataset": images})
    await walk.show("admin.datasets.list_images", ids={"dataset": images})
    await walk.show("admin.documents.set_caption", body={"caption": "A sky"}, ids={"document": sky})
    await walk.show("admin.documents.extract_caption", ids={"document": sky})
    await walk.show("admin.documents.get_image", ids={"document": sky})
    token = urlsplit(listed["data"]["photo_infos"][0]["url"]).path.rpartition("/")[2]
    shown = _get("/knowledge/images/{token}", kinds={"token": "image"})
    await walk.show("images.download", shown, by=None, ids={"image": token})
    page = base64.b64encode(pdf([text_page([(72, 700, 12, "Pumps run on oil.")])])).decode()
    file = {"name": "pumps.pdf", "source_info": {"file_base64": page, "file_type": "pdf"}}
    manuals, pumps = await _base(walk, 0, file)
    await walk.show("admin.documents.get_page_text", ids={"document": pumps})
    await walk.show("admin.documents.get_page_image", ids={"document": pumps})
    previewed = await walk.show(
        "admin.previews.create", body={"document_bases": [file]}, ids={"dataset": manuals}
    )
    await walk.deployment.idle()
    seen = previewed["items"][0]["id"]
    await walk.show("admin.previews.list_pages", ids={"preview": seen})
    await walk.show("admin.previews.get_page_text", ids={"preview": seen})
    await walk.show("admin.previews.get_page_image", ids={"preview": seen})
    await _tasks(walk, manuals)
    await walk.show("admin.slices.delete")
    dataset, document, piece = await make_knowledge(
        walk.deployment, walk.tenant.token, walk.space, "spare"
    )
    await walk.show("slices.delete", ids={"dataset": dataset, "slice": piece})
    await walk.show("admin.documents.delete", ids={"document": document})
    await walk.show("admin.datasets.delete", ids={"dataset": dataset})
    sheet = await walk.deployment.upload(walk.tenant.token, b"title\nOslo\n", name="rows.csv")
    await walk.show("admin.database_imports.preview", body={"file_id": sheet})
    await walk.show("admin.database_imports.create", body={"file_id": sheet})
    await walk.deployment.idle()


async def _tasks(walk: Walk, dataset: str) -> None:
    """A document that cannot be read, once more, and no longer."""
    torn = {"name": "torn.pdf", "source_info": {"file_base64": "dG9ybg==", "file_type": "pdf"}}
    await walk.ask(
        "POST",
        "/open_api/knowledge/document/create",
        {"dataset_id": dataset, "document_bases": [torn]},
    )
    await walk.deployment.idle()
    query = {"workspace_id": walk.space, "state": "failed"}
    listed = await walk.show("admin.tasks.list", replace(CALLS["admin.tasks.list"][0], query=query))
    again = await walk.show("admin.tasks.retry", ids={"task": listed["items"][0]["id"]})
    await walk.deployment.idle()
    await put_off(walk.deployment.container.database(), int(again["id"]))
    await walk.show("admin.tasks.cancel", ids={"task": again["id"]})


async def _base(walk: Walk, kind: int, document: Mapping[str, Any]) -> tuple[str, str]:
    """Make a knowledge base of a kind with a document; return both."""
    body = {"name": f"base {kind}", "space_id": walk.space, "format_type": kind}
    made = await walk.ask("POST", "/v1/datasets", body)
    dataset = str(made["data"]["dataset_id"])
    taken = await walk.ask(
        "POST",
        "/open_api/knowledge/document/create",
        {"dataset_id": dataset, "document_bases": [document], "format_type": kind},
    )
    await walk.deployment.idle()
    return dataset, str(taken["document_infos"][0]["document_id"])


async def _memories(walk: Walk) -> None:
    """What an agent remembers of a user."""
    agent = await _agent(walk, [{"say": "Fine."}], memory={"long_term": True})
    await _chat(walk, agent)
    path = f"/admin/v1/agents/{agent}/users/user-1/memories"

    learnt: list[Any] = []

    async def is_learnt() -> bool:
        learnt[:] = (await walk.ask("GET", path))["items"]
        return bool(learnt)

    await until_so(is_learnt, "what an agent remembers")
    memory = str(learnt[0]["id"])
    kinds = {"memory_id": "memory", "connector_uid": "end_user"}
    ids = {"agent": agent, "memory": memory, "end_user": "user-1"}
    path = "/admin/v1/agents/{agent_id}/users/{connector_uid}/memories/{memory_id}"
    changed = Call(method="PATCH", path=path, body={"text": "Likes tea."}, kinds=kinds)
    await walk.show("admin.memories.update", changed, ids=ids)
    await walk.show("admin.memories.delete", Call(method="DELETE", path=path, kinds=kinds), ids=ids)


async def _plugins(walk: Walk) -> None:
    """Access that a user gives to a plugin, tools of an MCP server, and the order of shortcuts."""
    plugin = {"plugin": walk.tenant.ids["plugin"]}
    service = f"http://{walk.beside.service.host}"
    auth = {
        "type": "oauth_authorization_code",
        "client_id": "harbour",
        "client_secret": "geheim-client",
        "client_url": f"{service}/token",
        "authorization_url": f"{service}/authorize",
    }
    await walk.ask("PUT", f"/admin/v1/plugins/{plugin['plugin']}/auth", auth)
    state = await walk.show("admin.plugins.get_grant", ids=plugin)
    asked = parse_qs(urlsplit(state["authorize_url"]).query)["state"][0]
    back = _get("/oauth/callback", query={"state": asked, "code": "abc"})
    await walk.show("oauth.complete_grant", back, by=None)
    body = {"name": "Weather", "type": "mcp", "server_url": walk.beside.mcp.url("good")}
    made = await walk.ask("POST", f"/admin/v1/workspaces/{walk.space}/plugins", body, 201)
    ids = {"plugin": str(made["id"])}
    offered = await walk.show("admin.server_tools.inspect", ids=ids)
    await walk.show("admin.server_tools.accept", body={"digest": offered["digest"]}, ids=ids)
    shortcuts = await walk.ask("GET", f"/admin/v1/agents/{walk.tenant.ids['agent']}/shortcuts")
    order = [each["id"] for each in reversed(shortcuts["items"])]
    await walk.show("admin.shortcuts.reorder", body={"shortcut_ids": order})


async def _visits(walk: Walk) -> None:
    """A visitor behind share links."""
    here = "/s/{link_code}/api"
    code = walk.tenant.ids["share_code"]
    link = f"/admin/v1/share-links/{walk.tenant.ids['share_link']}"
    await walk.ask("PATCH", link, {"settings": {"allows_files": True}})
    await walk.show("share.get_link", _get(here + "/link"), by=None)
    opened = await walk.show("share.open_session", _post(here + "/session", {}), by=None)
    by = opened["token"]
    made = await walk.show("share.upload_file", _post(here + "/files", is_upload=True), by=by)
    asked = {"content": "What is this?", "file_ids": [str(made["id"])]}
    run = await walk.show("share.create_chat", _post(here + "/chats", asked), by=by)
    await walk.deployment.idle()
    of_run = {"share_code": code, "run": str(run["run_id"])}
    await walk.show("share.follow_run", _get(here + "/runs/{run_id}/events"), by=by, ids=of_run)
    await walk.show("share.list_conversations", _get(here + "/conversations"), by=by)
    listed = await walk.show(
        "share.list_messages",
        _get(here + "/conversations/{conversation_id}/messages"),
        by=by,
        ids={"conversation": str(run["conversation_id"])},
    )
    answer = next(each for each in listed["items"] if each["type"] == "answer")
    verdict = {"conversation_id": str(run["conversation_id"]), "verdict": "like"}
    rated = Call(method="PUT", path=here + "/messages/{message_id}/feedback", body=verdict)
    await walk.show("share.give_feedback", rated, by=by, ids={"message": str(answer["id"])})
    for agent, operation in (
        ("stalling_agent", "share.cancel_run"),
        ("waiting_agent", "share.submit_outputs"),
    ):
        target = {"target_type": "agent", "target_id": walk.tenant.ids[agent]}
        path = f"/admin/v1/workspaces/{walk.space}/share-links"
        link = await walk.ask("POST", path, {**target, "settings": {"name": "Help"}}, 201)
        ids = {"share_code": str(link["code"])}
        entered = await walk.deployment.send(
            "POST", f"/s/{link['code']}/api/session", document={}, peer=walk.deployment.new_peer()
        )
        by = entered.json["token"]
        begun = await walk.deployment.call(
            "POST",
            f"/s/{link['code']}/api/chats",
            token=by,
            document={"content": "How is the weather?"},
            status=202,
        )
        ids["run"] = str(begun["run_id"])
        if operation == "share.cancel_run":
            await walk.show(operation, _post(here + "/runs/{run_id}/cancel"), by=by, ids=ids)
            continue
        await walk.deployment.idle()
        path = f"/s/{link['code']}/api/runs/{ids['run']}/events"
        told = await walk.deployment.send("GET", path, token=by)
        call_id = told.text.partition('"call_')[2].partition('"')[0]
        outputs = {"outputs": [{"id": f"call_{call_id}", "output": "Sunny in Oslo"}]}
        given = _post(here + "/runs/{run_id}/tool-outputs", outputs)
        await walk.show(operation, given, by=by, ids=ids)
        await walk.deployment.idle()


async def neighbours(stack: AsyncExitStack, upstream: RunningUpstream) -> Neighbours:
    """Start what runs beside a deployment."""
    return Neighbours(
        upstream=upstream,
        provider=stack.enter_context(running_provider()),
        service=await stack.enter_async_context(PluginService().listening()),
        mcp=stack.enter_context(listening()),
    )
