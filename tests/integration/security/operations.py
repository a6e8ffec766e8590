"""How to call each operation, with the place of every resource marked.

``test_tenancy`` puts foreign ids into these places; a new operation, or an id that no call sends,
fails there with a hint.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final

from api.entry.traffic import traffic_of
from application.file.icon import IconService
from application.shared.traffic import Traffic
from tests.support.process.in_process import Answer, Deployment, multipart


@dataclass(frozen=True)
class Ref:
    """Stands for the id of a resource of the caller."""

    kind: str


@dataclass(frozen=True, kw_only=True)
class Call:
    """A request that succeeds with the caller's own resources."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    is_upload: bool = False
    kinds: Mapping[str, str] = field(default_factory=dict)
    """What places of the path are for, where it is not what their name says."""

    data: bytes = b"data"
    """The file of an upload."""

    form: Mapping[str, str] = field(default_factory=dict)
    """Fields beside the file of an upload."""

    is_last: bool = False
    """Destroys what other calls need."""

    fails_with: int = 0
    """Status of the well-formed request if it cannot succeed here."""

    varies: bool = False
    """What it answers depends on how far the background is: only that it answers is compared."""


@dataclass(frozen=True)
class Place:
    """Where one reference stands: ``path``, ``query`` or ``body``, and the way to it."""

    where: str
    route: tuple[str | int, ...]
    kind: str

    @property
    def name(self) -> str:
        """Name in the interface's description."""
        steps = ["[]" if isinstance(step, int) else step for step in self.route]
        return ".".join([self.where, *steps])


PATH_KINDS: Final = {
    "agent_id": "agent",
    "budget_id": "budget",
    "app_id": "app",
    "bot_id": "agent",
    "conversation_id": "conversation",
    "database_id": "database",
    "import_id": "database_import",
    "data_request_id": "data_request",
    "dataset_id": "dataset",
    "document_id": "document",
    "execute_id": "workflow_run",
    "file_id": "file",
    "grant_id": "grant",
    "group_id": "group",
    "invitation_id": "invitation",
    "message_id": "message",
    "preview_id": "preview",
    "prompt_id": "prompt",
    "model": "agent",
    "channel_id": "channel",
    "link_id": "share_link",
    "plugin_id": "plugin",
    "response_id": "response",
    "run_id": "run",
    "shortcut_id": "shortcut",
    "session_id": "session",
    "task_id": "task",
    "slice_id": "slice",
    "template_id": "agent",
    "test_input_id": "test_input",
    "token_id": "token",
    "tool_id": "plugin_tool",
    "user_id": "user",
    "version": "version",
    "workflow_id": "workflow",
    "workspace_id": "space",
    "link_code": "share_code",
}

AGENT, ALIAS, CHAT, FILE = Ref("agent"), Ref("alias"), Ref("run"), Ref("file")
CONVERSATION, MESSAGE, SPACE = Ref("conversation"), Ref("message"), Ref("space")
WORKFLOW, WORKFLOW_RUN = Ref("workflow"), Ref("workflow_run")
DATASET, DOCUMENT = Ref("dataset"), Ref("document")
_USED = {
    "workspace_id": SPACE,
    "agent_id": AGENT,
    "app_id": Ref("app"),
    "dataset_id": DATASET,
    "token_id": Ref("token"),
    "workflow_id": WORKFLOW,
    "since": "1790000000",
    "until": "1800000000",
}
"""All that usage is filtered by, at a time that does not go on."""
ROWS: Final = {"custom_content": '[{"city": "Oslo"}]', "document_source": 2}
PICTURE: Final = IconService(public_url="").image("agent")
UNIQUE: Final = "<unique>"
"""A name that no call has sent yet."""
IN_CONVERSATION: Final = {"conversation_id": CONVERSATION}
OF_CHAT: Final = {"conversation_id": CONVERSATION, "chat_id": CHAT}
OF_MESSAGE: Final = {"conversation_id": CONVERSATION, "message_id": MESSAGE}
WITH_FILE: Final = [
    {"type": "text", "text": "What is this?"},
    {"type": "file", "file_id": FILE},
]


_NUMBERS: Final = count(1)


def _get(path: str, **options: Any) -> Call:
    return Call(method="GET", path=path, **options)


def _post(path: str, body: Any = None, **options: Any) -> Call:
    return Call(method="POST", path=path, body=body, **options)


def _call(method: str, path: str, body: Any = None, **options: Any) -> Call:
    return Call(method=method, path=path, body=body, **options)


_COMPLETION: Final = {"model": AGENT, "messages": [{"role": "user", "content": "Hello"}]}
_RESPONSE: Final = {"model": AGENT, "input": "Hello"}
_AGENT: Final = "/admin/v1/agents/{agent_id}"
_MESSAGE: Final = "/admin/v1/conversations/{conversation_id}/messages/{message_id}"
_SPARE_MESSAGE: Final = {"conversation_id": "spare_conversation", "message_id": "spare_message"}
_AUTH: Final = "/admin/v1/auth"
_TOOLS: Final = {
    "plugins": [{"plugin_id": Ref("plugin"), "tool_id": Ref("plugin_tool")}],
    "workflows": [{"workflow_id": WORKFLOW}],
}
_TEAM: Final = {"agents": [{"agent_id": Ref("colleague")}]}
_LED_BY_WORKFLOW: Final = {"workflow_agent": {"workflow_id": WORKFLOW}}
_WORKFLOW_RUN: Final = "/admin/v1/workflow-runs/{execute_id}"
_SERVICE_TOKEN: Final = "/admin/v1/service-tokens/{token_id}"
_OF_SERVICE: Final = {"token_id": "service_token"}
_CHANNEL: Final = "/admin/v1/channels/{channel_id}"
_DATA_REQUEST: Final = "/admin/v1/data-requests/{data_request_id}"
_SHARE_LINK: Final = "/admin/v1/share-links/{link_id}"
_SHARED_CHAT: Final = "/s/{link_code}/api"
_OAUTH_APP: Final = "/admin/v1/oauth-apps/{app_id}"
_OIDC: Final = "/admin/v1/oidc-providers/1"
_OF_OAUTH: Final = {"app_id": "oauth_app"}
_DATABASE: Final = "/admin/v1/databases/{database_id}"
_WORKFLOW: Final = "/admin/v1/workflows/{workflow_id}"
_CANVAS: Final = {
    "nodes": [
        {"id": "100001", "type": "1", "data": {"outputs": []}},
        {"id": "900001", "type": "2", "data": {"inputs": {"terminatePlan": "returnVariables"}}},
    ],
    "edges": [{"sourceNodeID": "100001", "targetNodeID": "900001"}],
}
_APP: Final = "/admin/v1/apps/{app_id}"
_SHORTCUTS: Final = _AGENT + "/shortcuts"
_WORKSPACE: Final = "/admin/v1/workspaces/{workspace_id}"
_PLUGIN: Final = "/admin/v1/plugins/{plugin_id}"
_TOOL: Final = "/admin/v1/plugins/{plugin_id}/tools/{tool_id}"
_GROUP: Final = "/admin/v1/groups/{group_id}"
_SHARED: Final = ("agent", "app", "database", "dataset", "plugin", "prompt", "workflow")
_CURL: Final = "curl https://api.example/v1/things?q=x"

CALLS: Final[Mapping[str, tuple[Call, ...]]] = {
    "apps.list": (_get("/v1/apps", query={"workspace_id": SPACE}),),
    "apps.get": (_get("/v1/apps/{app_id}"),),
    "templates.duplicate": (
        _post("/v1/templates/{template_id}/duplicate", {"workspace_id": SPACE, "name": "New"}),
    ),
    "admin.templates.list": (_get("/admin/v1/templates"),),
    "admin.templates.duplicate": (
        _post("/admin/v1/templates/{template_id}/duplicate", {"workspace_id": SPACE}),
    ),
    "admin.apps.create": (
        _post(_WORKSPACE + "/apps", {"name": "New"}),
        _post(_WORKSPACE + "/apps", {"name": "New", "icon_file_id": FILE}),
    ),
    "admin.apps.list": (_get(_WORKSPACE + "/apps"),),
    "admin.apps.get": (_get(_APP),),
    "admin.apps.update": (
        _call("PATCH", _APP, {"description": "Changed"}),
        _call("PATCH", _APP, {"icon_file_id": FILE}),
    ),
    "admin.apps.copy": (_post(_APP + "/copy", {"name": "Copy"}),),
    "admin.apps.publish": (_post(_APP + "/publish", {"description": "Next"}),),
    "admin.apps.list_publications": (_get(_APP + "/publish-records"),),
    "admin.apps.get_publication": (_get(_APP + "/publish-records/v0.0.1"),),
    "admin.app_conversations.list": (_get(_APP + "/conversation-defs"),),
    "admin.app_conversations.create": (_post(_APP + "/conversation-defs", {"name": UNIQUE}),),
    "admin.app_conversations.update": (
        _call("PATCH", _APP + "/conversation-defs/kept", {"name": "kept"}),
    ),
    "admin.app_conversations.delete": (
        _call("DELETE", _APP + "/conversation-defs/kept", is_last=True),
    ),
    "admin.apps.delete": (_call("DELETE", _APP, is_last=True),),
    "admin.prompts.list_official": (_get("/admin/v1/prompts", query={"scope": "official"}),),
    "admin.prompts.list": (_get(_WORKSPACE + "/prompts"),),
    "admin.prompts.list_references": (_get(_WORKSPACE + "/prompts/{prompt_id}/references"),),
    "admin.prompts.create": (
        _post(_WORKSPACE + "/prompts", {"name": "New", "prompt_text": "Be kind."}),
    ),
    "admin.prompts.get": (_get(_WORKSPACE + "/prompts/{prompt_id}"),),
    "admin.prompts.update": (
        _call("PATCH", _WORKSPACE + "/prompts/{prompt_id}", {"name": "Changed"}),
    ),
    "admin.prompts.delete": (_call("DELETE", _WORKSPACE + "/prompts/{prompt_id}", is_last=True),),
    "admin.shortcuts.list": (_get(_SHORTCUTS),),
    "admin.shortcuts.create": (
        _post(_SHORTCUTS, {"name": "New", "template_query": "Hello"}),
        _post(_SHORTCUTS, {"name": "New", "icon_file_id": FILE}),
    ),
    "admin.shortcuts.reorder": (
        _call("PUT", _SHORTCUTS + "/order", {"shortcut_ids": [Ref("shortcut")]}, fails_with=400),
    ),
    "admin.shortcuts.update": (
        _call("PATCH", _SHORTCUTS + "/{shortcut_id}", {"name": "Changed"}),
        _call("PATCH", _SHORTCUTS + "/{shortcut_id}", {"icon_file_id": FILE}),
    ),
    "admin.shortcuts.delete": (_call("DELETE", _SHORTCUTS + "/{shortcut_id}", is_last=True),),
    "bots.create": (
        _post("/v1/bot/create", {"space_id": SPACE, "name": "New"}),
        _post(
            "/v1/bot/create",
            {"space_id": SPACE, "name": "New", "icon_file_id": FILE},
        ),
    ),
    "bots.get_online_info": (_get("/v1/bot/get_online_info", query={"bot_id": AGENT}),),
    "bots.list": (_get("/v1/bots", query={"workspace_id": SPACE}),),
    "bots.list_published": (_get("/v1/space/published_bots_list", query={"space_id": SPACE}),),
    "bots.publish": (
        _post("/v1/bot/publish", {"bot_id": AGENT, "connector_ids": ["1024", "999"]}),
    ),
    "bots.get": (_get("/v1/bots/{bot_id}"),),
    "bots.unpublish": (_post("/v1/bots/{bot_id}/unpublish", {"connector_id": "999"}),),
    "connectors.update_bot": (
        _call("PUT", "/v1/connectors/1024/bots/{bot_id}", {"audit_status": 2}),
    ),
    "bots.update": (
        _post("/v1/bot/update", {"bot_id": AGENT, "name": "Changed"}),
        _post("/v1/bot/update", {"bot_id": AGENT, "icon_file_id": FILE}),
    ),
    "bots.list_versions": (_get("/v1/bots/{bot_id}/versions"),),
    "chats.cancel": (_post("/v3/chat/cancel", OF_CHAT, fails_with=409),),
    "chats.create": (
        _post(
            "/v3/chat",
            {
                "bot_id": AGENT,
                "user_id": "u",
                "stream": True,
                "additional_messages": [
                    {"role": "user", "content": WITH_FILE, "content_type": "object_string"}
                ],
            },
            query=IN_CONVERSATION,
        ),
        _post(
            "/v3/chat",
            {
                "bot_id": AGENT,
                "user_id": "u",
                "stream": True,
                "publish_status": "unpublished_draft",
                "additional_messages": [
                    {
                        "role": "user",
                        "content": "Hello",
                        "content_type": "text",
                    }
                ],
            },
        ),
    ),
    "chats.list_messages": (_get("/v3/chat/message/list", query=OF_CHAT),),
    "chats.list_messages_by_post": (_post("/v3/chat/message/list", query=OF_CHAT),),
    "chats.get": (_get("/v3/chat/retrieve", query=OF_CHAT),),
    "chats.get_by_post": (_post("/v3/chat/retrieve", query=OF_CHAT),),
    "chats.submit_tool_outputs": (
        _post(
            "/v3/chat/submit_tool_outputs",
            {"tool_outputs": [{"tool_call_id": "c", "output": "x"}]},
            query=OF_CHAT,
            fails_with=409,
        ),
    ),
    "conversations.clear": (_post("/v1/conversations/{conversation_id}/clear", is_last=True),),
    "conversations.create": (
        _post(
            "/v1/conversation/create",
            {
                "bot_id": AGENT,
                "messages": [
                    {"role": "user", "content": WITH_FILE, "content_type": "object_string"}
                ],
            },
        ),
    ),
    "conversations.list": (_get("/v1/conversations", query={"bot_id": AGENT}),),
    "conversations.update": (
        _call("PUT", "/v1/conversations/{conversation_id}", {"name": "Changed"}),
    ),
    "conversations.delete": (_call("DELETE", "/v1/conversations/{conversation_id}", is_last=True),),
    "conversations.get": (_get("/v1/conversation/retrieve", query=IN_CONVERSATION),),
    "messages.create_feedback": (
        _post(
            "/v1/conversations/{conversation_id}/messages/{message_id}/feedback",
            {"feedback_type": "like"},
            fails_with=400,
        ),
    ),
    "messages.delete_feedback": (
        _call(
            "DELETE",
            "/v1/conversations/{conversation_id}/messages/{message_id}/feedback",
            fails_with=400,
        ),
    ),
    "openai.files.create": (_post("/v1/files", is_upload=True, form={"purpose": "user_data"}),),
    "openai.files.list": (_get("/v1/files"), _get("/v1/files", query={"after": FILE})),
    "openai.files.get": (_get("/v1/files/{file_id}"),),
    "openai.files.delete": (
        _call("DELETE", "/v1/files/{file_id}", is_last=True, kinds={"file_id": "spare_file"}),
    ),
    "openai.files.download": (_get("/v1/files/{file_id}/content"),),
    "files.get": (_get("/v1/files/retrieve", query={"file_id": FILE}),),
    "files.upload": (_post("/v1/files/upload", query={"space_id": SPACE}, is_upload=True),),
    "messages.create": (
        _post(
            "/v1/conversation/message/create",
            {"role": "user", "content": WITH_FILE, "content_type": "object_string"},
            query=IN_CONVERSATION,
        ),
    ),
    "messages.list": (
        _post("/v1/conversation/message/list", {"chat_id": CHAT}, query=IN_CONVERSATION),
        _post("/v1/conversation/message/list", {"before_id": MESSAGE}, query=IN_CONVERSATION),
        _post("/v1/conversation/message/list", {"after_id": MESSAGE}, query=IN_CONVERSATION),
    ),
    "messages.update": (
        _post(
            "/v1/conversation/message/modify",
            {"content": WITH_FILE, "content_type": "object_string"},
            query=OF_MESSAGE,
        ),
    ),
    "messages.delete": (_post("/v1/conversation/message/delete", query=OF_MESSAGE, is_last=True),),
    "messages.get": (_get("/v1/conversation/message/retrieve", query=OF_MESSAGE),),
    "messages.get_by_post": (_post("/v1/conversation/message/retrieve", query=OF_MESSAGE),),
    "admin.databases.create": (
        _post(
            _WORKSPACE + "/databases",
            {"table_name": UNIQUE, "fields": [{"name": "title"}], "icon_file_id": FILE},
        ),
    ),
    "admin.databases.list": (_get(_WORKSPACE + "/databases"),),
    "admin.databases.get": (_get(_DATABASE),),
    "admin.databases.update": (
        _call("PATCH", _DATABASE, {"table_desc": "d", "icon_file_id": FILE}),
    ),
    "admin.databases.delete": (_call("DELETE", _DATABASE, is_last=True),),
    "admin.databases.bind": (_post(_DATABASE + "/agents/{agent_id}"),),
    "admin.databases.unbind": (_call("DELETE", _DATABASE + "/agents/{agent_id}"),),
    "admin.databases.reset": (_post(_DATABASE + "/reset"),),
    "admin.databases.get_template": (_get(_DATABASE + "/template?format=xlsx"),),
    "admin.databases.export": (_get(_DATABASE + "/export?format=xlsx"),),
    "admin.records.query": (_post(_DATABASE + "/records:query", {"limit": 10}),),
    "admin.records.insert": (_post(_DATABASE + "/records:insert", {"records": [{"title": "a"}]}),),
    "admin.records.update": (
        _post(
            _DATABASE + "/records:update",
            {"values": {"title": "b"}, "filter": {"field": "title", "value": "a"}},
        ),
    ),
    "admin.records.delete": (
        _post(_DATABASE + "/records:delete", {"filter": {"field": "title", "value": "a"}}),
    ),
    "admin.databases.run_sql": (
        _post(_DATABASE + "/sql", {"sql": "DELETE FROM `rows` WHERE title = 'none'"}),
    ),
    "admin.databases.explain_sql": (
        _post(_DATABASE + "/sql:explain", {"sql": "SELECT title FROM `rows` LIMIT 5"}),
    ),
    "admin.databases.list_references": (_get(_DATABASE + "/references"),),
    "admin.database_imports.preview": (
        _post(_DATABASE + "/imports:preview", {"file_id": FILE}, fails_with=400),
    ),
    "admin.database_imports.create": (
        _post(_DATABASE + "/imports", {"file_id": FILE}, fails_with=400),
    ),
    "admin.database_imports.get": (_get(_DATABASE + "/imports/{import_id}"),),
    "variables.get": (_get("/v1/variables", query={"bot_id": AGENT, "connector_uid": "u"}),),
    "variables.update": (
        _call(
            "PUT",
            "/v1/variables",
            {
                "bot_id": AGENT,
                "connector_uid": "u",
                "data": [{"keyword": "city", "value": "Oslo"}],
            },
        ),
    ),
    "admin.variables.list_system": (_get("/admin/v1/system-variables"),),
    "admin.variables.list": (_get(_AGENT + "/variables"),),
    "admin.variables.replace": (_call("PUT", _AGENT + "/variables", {"items": [{"key": "city"}]}),),
    "admin.user_variables.list": (_get(_AGENT + "/users/u/variables"),),
    "admin.user_variables.update": (
        _call("PUT", _AGENT + "/users/u/variables", {"items": [{"keyword": "city", "value": "x"}]}),
    ),
    "admin.memories.list": (_get(_AGENT + "/users/u/memories"),),
    "admin.memories.update": (
        _call("PATCH", _AGENT + "/users/u/memories/7", {"text": "x"}, fails_with=404),
    ),
    "admin.memories.delete": (_call("DELETE", _AGENT + "/users/u/memories/7", fails_with=404),),
    "admin.memories.clear": (_call("DELETE", _AGENT + "/users/u/memories"),),
    "admin.memories.get_consent": (_get(_AGENT + "/users/u/memory-consent"),),
    "admin.memories.set_consent": (
        _call("PUT", _AGENT + "/users/u/memory-consent", {"enabled": True}),
    ),
    "admin.user_variables.reset": (_call("DELETE", _AGENT + "/users/u/variables"),),
    "datasets.create": (
        _post(
            "/v1/datasets",
            {"space_id": SPACE, "name": UNIQUE, "format_type": 0, "file_id": FILE},
        ),
    ),
    "datasets.list": (_get("/v1/datasets", query={"space_id": SPACE}),),
    "datasets.update": (
        _call("PUT", "/v1/datasets/{dataset_id}", {"name": UNIQUE, "file_id": FILE}),
    ),
    "datasets.search": (
        _post(
            "/v1/datasets/search",
            {"query": "What?", "dataset_ids": [DATASET], "document_ids": [DOCUMENT]},
        ),
    ),
    "admin.datasets.search": (
        _post("/admin/v1/datasets:search", {"query": "What?", "dataset_ids": [DATASET]}),
        _post(
            "/admin/v1/datasets:search",
            {"query": "What?", "dataset_ids": [DATASET], "document_ids": [DOCUMENT]},
        ),
    ),
    "admin.datasets.infer_table_schema": (
        _post(
            "/admin/v1/datasets/{dataset_id}/table-schema:infer",
            {"source_info": ROWS},
            fails_with=400,
        ),
        _post(
            "/admin/v1/datasets/{dataset_id}/table-schema:infer",
            {"source_info": {"source_file_id": FILE, "document_source": 5}},
            fails_with=400,
        ),
        _post(
            "/admin/v1/datasets/{dataset_id}/table-schema:infer",
            {"source_info": {"source_document_id": DOCUMENT}},
            fails_with=400,
        ),
    ),
    "admin.datasets.validate_table_schema": (
        _post(
            "/admin/v1/datasets/{dataset_id}/table-schema:validate",
            {"source_info": ROWS},
            fails_with=400,
        ),
        _post(
            "/admin/v1/datasets/{dataset_id}/table-schema:validate",
            {"source_info": {"source_file_id": FILE, "document_source": 5}},
            fails_with=400,
        ),
        _post(
            "/admin/v1/datasets/{dataset_id}/table-schema:validate",
            {"source_info": {"source_document_id": DOCUMENT}},
            fails_with=400,
        ),
    ),
    "admin.documents.extract_caption": (
        _post("/admin/v1/documents/{document_id}/caption:extract", fails_with=400),
    ),
    "admin.datasets.list": (_get(_WORKSPACE + "/datasets"),),
    "admin.datasets.get": (_get("/admin/v1/datasets/{dataset_id}"),),
    "admin.datasets.get_health": (_get("/admin/v1/datasets/{dataset_id}/health"),),
    "admin.datasets.list_examined": (
        _get(
            "/admin/v1/datasets/{dataset_id}/health/slices"
            "?flaw=never_found&script=latin&at_least=0&below=5000"
        ),
    ),
    "admin.datasets.update": (
        _call("PATCH", "/admin/v1/datasets/{dataset_id}", {"enabled": True, "description": "d"}),
    ),
    "admin.datasets.list_references": (_get("/admin/v1/datasets/{dataset_id}/references"),),
    "admin.datasets.reindex": (_post("/admin/v1/datasets/{dataset_id}/reindex", {}),),
    "admin.datasets.copy": (
        _post("/admin/v1/datasets/{dataset_id}/copy", {"workspace_id": SPACE, "name": UNIQUE}),
    ),
    "admin.datasets.reconcile": (_post("/admin/v1/datasets/{dataset_id}/reconcile"),),
    "admin.datasets.resegment": (
        _post(
            "/admin/v1/datasets/{dataset_id}/resegment",
            {"document_ids": [DOCUMENT]},
            is_last=True,
        ),
    ),
    "admin.datasets.create": (
        _post(_WORKSPACE + "/datasets", {"name": UNIQUE, "format_type": 0, "icon_file_id": FILE}),
    ),
    "admin.datasets.get_progress": (_get("/admin/v1/datasets/{dataset_id}/progress"),),
    "admin.documents.list": (
        _get(
            "/admin/v1/datasets/{dataset_id}/documents?q=.&state=ready&source=text&sort=hits"
            "&order=asc"
        ),
    ),
    "admin.documents.create": (
        _post(
            "/admin/v1/datasets/{dataset_id}/documents",
            {
                "document_bases": [
                    {"name": "new.txt", "source_info": {"custom_content": "Some words."}},
                    {"name": "file.txt", "source_info": {"source_file_id": FILE}},
                    {"name": "copy.txt", "source_info": {"source_document_id": DOCUMENT}},
                ],
                "chunk_strategy": {"chunk_type": 1, "separator": "\n", "max_tokens": 300},
            },
        ),
    ),
    "admin.documents.batch_update": (
        _post(
            "/admin/v1/datasets/{dataset_id}/documents:batch",
            {"ids": [DOCUMENT], "action": "tag", "tags": {"year": 2031, "gone": None}},
        ),
    ),
    "admin.documents.replace_tags": (
        _call("PUT", "/admin/v1/documents/{document_id}/tags", {"tags": {"year": 2030}}),
    ),
    "admin.documents.set_caption": (
        _call("PUT", "/admin/v1/documents/{document_id}/caption", {"caption": "x"}, fails_with=400),
    ),
    "admin.datasets.list_images": (_get("/admin/v1/datasets/{dataset_id}/images", fails_with=400),),
    "admin.documents.get": (_get("/admin/v1/documents/{document_id}"),),
    "admin.documents.export": (
        _get("/admin/v1/documents/{document_id}/export?format=xlsx", fails_with=400),
    ),
    "admin.documents.get_image": (_get("/admin/v1/documents/{document_id}/image", fails_with=400),),
    "admin.documents.get_original": (_get("/admin/v1/documents/{document_id}/original"),),
    "admin.documents.update": (
        _call("PATCH", "/admin/v1/documents/{document_id}", {"enabled": True}),
    ),
    "admin.documents.list_pages": (_get("/admin/v1/documents/{document_id}/pages"),),
    "admin.documents.get_page_image": (
        _get("/admin/v1/documents/{document_id}/pages/1/image?width=400", fails_with=400),
    ),
    "admin.documents.get_page_text": (
        _get("/admin/v1/documents/{document_id}/pages/1/text", fails_with=400),
    ),
    "admin.documents.get_reading": (_get("/admin/v1/documents/{document_id}/reading"),),
    "admin.slices.split": (_post("/admin/v1/slices/{slice_id}/split", {"at": 3}),),
    "admin.slices.merge": (_post("/admin/v1/slices/{slice_id}/merge"),),
    "admin.slices.reset": (_post("/admin/v1/slices/{slice_id}/reset"),),
    "admin.slices.list": (_get("/admin/v1/documents/{document_id}/slices"),),
    "admin.slices.create": (
        _post("/admin/v1/documents/{document_id}/slices", {"content": "More."}),
    ),
    "admin.slices.update": (
        _call("PATCH", "/admin/v1/slices/{slice_id}", {"content": "Changed."}),
    ),
    "admin.previews.create": (
        _post(
            "/admin/v1/datasets/{dataset_id}/previews",
            {
                "document_bases": [
                    {"name": "new.txt", "source_info": {"custom_content": "Some words."}},
                    {"name": "file.txt", "source_info": {"source_file_id": FILE}},
                    {"name": "copy.txt", "source_info": {"source_document_id": DOCUMENT}},
                ],
            },
        ),
    ),
    "admin.previews.get": (_get("/admin/v1/previews/{preview_id}"),),
    "admin.previews.list_pages": (_get("/admin/v1/previews/{preview_id}/pages"),),
    "admin.previews.get_page_image": (
        _get("/admin/v1/previews/{preview_id}/pages/1/image?width=400", fails_with=400),
    ),
    "admin.previews.get_page_text": (
        _get("/admin/v1/previews/{preview_id}/pages/1/text", fails_with=400),
    ),
    "admin.previews.update": (
        _call(
            "PUT", "/admin/v1/previews/{preview_id}", {"chunks": [{"id": 1, "text": "Changed."}]}
        ),
    ),
    "admin.previews.commit": (_post("/admin/v1/previews/{preview_id}/commit", is_last=True),),
    "admin.tasks.list": (_get("/admin/v1/tasks", query={"workspace_id": SPACE, "state": "done"}),),
    "admin.tasks.retry": (_post("/admin/v1/tasks/{task_id}/retry", fails_with=409),),
    "admin.tasks.cancel": (_post("/admin/v1/tasks/{task_id}/cancel", fails_with=409),),
    "datasets.get_progress": (
        _post("/v1/datasets/{dataset_id}/process", {"document_ids": [DOCUMENT]}),
    ),
    "images.list": (_get("/v1/datasets/{dataset_id}/images", fails_with=400),),
    "images.update": (
        _call(
            "PUT",
            "/v1/datasets/{dataset_id}/images/{document_id}",
            {"caption": "x"},
            fails_with=400,
        ),
    ),
    "documents.create": (
        _post(
            "/open_api/knowledge/document/create",
            {
                "dataset_id": DATASET,
                "document_bases": [
                    {"name": "new.txt", "source_info": {"custom_content": "Some words."}},
                    {"name": "file.txt", "source_info": {"source_file_id": FILE}},
                    {"name": "copy.txt", "source_info": {"source_document_id": DOCUMENT}},
                ],
                "chunk_strategy": {"chunk_type": 1, "separator": "\n", "max_tokens": 300},
            },
        ),
    ),
    "documents.list": (
        _post("/open_api/knowledge/document/list", {"dataset_id": DATASET}),
        _post(
            "/open_api/knowledge/document/list",
            {"dataset_id": DATASET, "document_ids": [DOCUMENT]},
        ),
    ),
    "documents.list_by_get": (
        _get("/open_api/knowledge/document/list", query={"dataset_id": DATASET}),
    ),
    "documents.update": (
        _post(
            "/open_api/knowledge/document/update",
            {"document_id": DOCUMENT, "document_name": "changed.txt"},
        ),
    ),
    "documents.update_tags": (
        _call(
            "PUT",
            "/v1/datasets/{dataset_id}/documents/{document_id}/tags",
            {"tags": {"year": 2030}},
        ),
    ),
    "slices.list": (_get("/v1/datasets/{dataset_id}/slices", query={"document_id": DOCUMENT}),),
    "slices.create": (
        _post("/v1/datasets/{dataset_id}/slices", {"document_id": DOCUMENT, "raw_text": "More."}),
    ),
    "slices.update": (
        _call("PUT", "/v1/datasets/{dataset_id}/slices/{slice_id}", {"raw_text": "Changed."}),
    ),
    "slices.delete": (
        # By then the document was cut anew, into other slices.
        _call(
            "DELETE", "/v1/datasets/{dataset_id}/slices/{slice_id}", is_last=True, fails_with=404
        ),
    ),
    "admin.slices.delete": (
        # Comes after its public twin, which took the slice.
        _call("DELETE", "/admin/v1/slices/{slice_id}", is_last=True, fails_with=404),
    ),
    "documents.delete": (
        _post("/open_api/knowledge/document/delete", {"document_ids": [DOCUMENT]}, is_last=True),
    ),
    "admin.documents.delete": (
        # Comes after its public twin, which took the document.
        _call("DELETE", "/admin/v1/documents/{document_id}", is_last=True, fails_with=404),
    ),
    "datasets.delete": (_call("DELETE", "/v1/datasets/{dataset_id}", is_last=True),),
    "admin.datasets.delete": (
        _call("DELETE", "/admin/v1/datasets/{dataset_id}", is_last=True, fails_with=404),
    ),
    "users.get_me": (_get("/v1/users/me"),),
    "members.list": (_get("/v1/workspaces/{workspace_id}/members"),),
    "members.create": (
        _post(
            "/v1/workspaces/{workspace_id}/members",
            {"users": [{"user_id": Ref("user"), "role_type": "member"}]},
        ),
    ),
    "members.delete": (
        _call("DELETE", "/v1/workspaces/{workspace_id}/members", {"user_ids": [Ref("user")]}),
    ),
    "workspaces.list": (_get("/v1/workspaces"),),
    "openai.models.list": (_get("/v1/models"),),
    "openai.models.get": (_get("/v1/models/{model}"),),
    "openai.embeddings.create": (
        _post("/v1/embeddings", {"model": "offline-embedding", "input": ["Hello"]}),
    ),
    "openai.reranks.create": (
        _post("/v1/rerank", {"query": "Hello", "documents": ["Good day"]}, fails_with=404),
    ),
    "openai.responses.create": (
        _post("/v1/responses", {"model": AGENT, "input": "Hello"}),
        _post("/v1/responses", {**_RESPONSE, "previous_response_id": Ref("response")}),
        _post("/v1/responses", {**_RESPONSE, "conversation": CONVERSATION}),
        _post("/v1/responses", {**_RESPONSE, "conversation": {"id": CONVERSATION}}),
        _post("/v1/responses", {"model": ALIAS, "input": "Hello", "store": False}),
        _post(
            "/v1/responses",
            {**_RESPONSE, "tools": [{"type": "file_search", "vector_store_ids": [DATASET]}]},
        ),
        _post(
            "/v1/responses",
            {
                "model": AGENT,
                "input": [
                    {"role": "user", "content": [{"type": "input_file", "file_id": FILE}]},
                ],
            },
        ),
    ),
    "openai.responses.count_input_tokens": (
        _post(
            "/v1/responses/input_tokens",
            {"model": AGENT, "input": "Hello", "previous_response_id": Ref("response")},
        ),
        _post(
            "/v1/responses/input_tokens",
            {
                "model": AGENT,
                "input": [
                    {"role": "user", "content": [{"type": "input_file", "file_id": FILE}]},
                ],
            },
        ),
    ),
    "openai.responses.compact": (
        _post(
            "/v1/responses/compact",
            {"model": AGENT, "input": "Hello", "previous_response_id": Ref("response")},
        ),
        _post(
            "/v1/responses/compact",
            {
                "model": AGENT,
                "input": [
                    {"role": "user", "content": [{"type": "input_file", "file_id": FILE}]},
                ],
            },
        ),
    ),
    "openai.responses.get": (_get("/v1/responses/{response_id}"),),
    "openai.responses.list_input_items": (_get("/v1/responses/{response_id}/input_items"),),
    "openai.responses.cancel": (
        _post("/v1/responses/{response_id}/cancel", kinds={"response_id": "spare_response"}),
    ),
    "openai.responses.delete": (
        _call(
            "DELETE",
            "/v1/responses/{response_id}",
            is_last=True,
            kinds={"response_id": "spare_response"},
        ),
    ),
    "openai.chat_completions.create": (
        _post("/v1/chat/completions", {**_COMPLETION, "conversation_id": CONVERSATION}),
        _post("/v1/chat/completions", {**_COMPLETION, "model": ALIAS}),
        _post("/v1/chat/completions", {**_COMPLETION, "model": "any", "appId": AGENT}),
        _post(
            "/v1/chat/completions",
            {
                "model": AGENT,
                "messages": [
                    {
                        "role": "user",
                        "content": [
                            {"type": "text", "text": "What is this?"},
                            {"type": "file", "file": {"file_id": FILE}},
                        ],
                    }
                ],
            },
        ),
    ),
    "admin.agents.list": (
        _get(_WORKSPACE + "/agents"),
        _get(_WORKSPACE + "/agents", query={"dataset_id": DATASET}),
        _get(_WORKSPACE + "/agents", query={"plugin_id": Ref("plugin")}),
        _get(_WORKSPACE + "/agents", query={"workflow_id": WORKFLOW}),
    ),
    "admin.agents.create": (
        _post(_WORKSPACE + "/agents", {"name": "New"}),
        _post(_WORKSPACE + "/agents", {"name": "New", "icon_file_id": FILE}),
        _post(_WORKSPACE + "/agents", {"name": "New", **_TOOLS}),
        _post(_WORKSPACE + "/agents", {"name": "New", **_TEAM}),
        _post(_WORKSPACE + "/agents", {"name": "New", "mode": "workflow", **_LED_BY_WORKFLOW}),
    ),
    "admin.agents.get_display": (_get(_AGENT + "/display"),),
    "admin.agents.set_display": (_call("PUT", _AGENT + "/display", {"open": True}),),
    "admin.agents.duplicate": (_post(_AGENT + "/duplicate", {"workspace_id": SPACE}),),
    "admin.agents.get": (_get(_AGENT),),
    "admin.agents.delete": (_call("DELETE", _AGENT, is_last=True),),
    "admin.agents.update": (
        _call("PATCH", _AGENT, {"description": "Changed"}),
        _call("PATCH", _AGENT, {"icon_file_id": FILE}),
        _call("PATCH", _AGENT, _TOOLS),
        _call("PATCH", _AGENT, _TEAM),
        _call("PATCH", _AGENT, _LED_BY_WORKFLOW),
    ),
    "admin.agents.export": (_get(_AGENT + "/export"),),
    "admin.agents.import_document": (
        _post(
            _WORKSPACE + "/agents:import",
            {"document": {"kind": "coterie.agent", "format": 1, "name": "Moved"}},
        ),
    ),
    "admin.agents.restore": (_post(_AGENT + "/restore", kinds={"agent_id": "deleted_agent"}),),
    "admin.agents.set_template": (_call("PUT", _AGENT + "/template", {"enabled": True}),),
    "admin.conversations.list": (_get("/admin/v1/conversations", query={"agent_id": AGENT}),),
    "admin.support_conversations.list": (
        _get("/admin/v1/workspaces/{workspace_id}/conversations"),
        _get("/admin/v1/workspaces/{workspace_id}/conversations", query={"agent_id": AGENT}),
    ),
    "admin.support_conversations.get_transcript": (
        _get("/admin/v1/conversations/{conversation_id}/transcript"),
    ),
    "admin.end_users.list": (_get(_AGENT + "/users"),),
    "admin.app_end_users.list": (_get(_APP + "/users"),),
    "admin.app_user_variables.list": (_get(_APP + "/users/u/variables"),),
    "admin.app_user_variables.update": (
        _call("PUT", _APP + "/users/u/variables", {"items": [{"keyword": "city", "value": "x"}]}),
    ),
    "admin.app_user_variables.reset": (_call("DELETE", _APP + "/users/u/variables"),),
    "admin.conversations.list_messages": (
        _get("/admin/v1/conversations/{conversation_id}/messages"),
    ),
    "admin.conversations.get": (_get("/admin/v1/conversations/{conversation_id}"),),
    "admin.conversations.create": (
        _post(
            "/admin/v1/conversations",
            {
                "agent_id": AGENT,
                "messages": [{"role": "user", "content": [{"type": "file", "file_id": FILE}]}],
            },
        ),
    ),
    "admin.conversations.update": (
        _call("PATCH", "/admin/v1/conversations/{conversation_id}", {"name": "Changed"}),
    ),
    "admin.conversations.clear": (
        _post("/admin/v1/conversations/{conversation_id}/clear", is_last=True),
    ),
    "admin.conversations.fork": (
        _post("/admin/v1/conversations/{conversation_id}/fork", {"before_message_id": MESSAGE}),
    ),
    "admin.conversations.delete_message": (
        _call("DELETE", _MESSAGE, is_last=True, kinds=_SPARE_MESSAGE),
    ),
    "admin.conversations.delete": (
        _call(
            "DELETE",
            "/admin/v1/conversations/{conversation_id}",
            is_last=True,
            kinds={"conversation_id": "spare_conversation"},
        ),
    ),
    "admin.conversations.update_message": (
        _call("PATCH", _MESSAGE, {"content": "Changed"}),
        _call("PATCH", _MESSAGE, {"content": [{"type": "file", "file_id": FILE}]}),
    ),
    "admin.conversations.set_feedback": (
        _call("PUT", _MESSAGE + "/feedback", {"feedback_type": "like"}, fails_with=400),
    ),
    "admin.conversations.delete_feedback": (
        _call("DELETE", _MESSAGE + "/feedback", fails_with=400),
    ),
    "admin.agents.chat": (
        _post(
            _AGENT + "/chats",
            {
                "version": "draft",
                "conversation_id": CONVERSATION,
                "content": [{"type": "file", "file_id": FILE}],
            },
        ),
        _post(
            _AGENT + "/chats",
            {"conversation_id": CONVERSATION, "regenerate": CHAT},
            fails_with=400,
        ),
    ),
    "admin.runs.follow": (_get("/admin/v1/runs/{run_id}/events"),),
    "admin.runs.cancel": (_post("/admin/v1/runs/{run_id}/cancel", fails_with=409),),
    "admin.runs.submit_tool_outputs": (
        _post(
            "/admin/v1/runs/{run_id}/tool-outputs",
            {"outputs": [{"id": "x", "output": "y"}]},
            fails_with=409,
        ),
    ),
    "admin.files.create": (_post("/admin/v1/files", query={"space_id": SPACE}, is_upload=True),),
    "admin.icons.list": (_get("/admin/v1/icons"),),
    "admin.files.get_url": (_get("/admin/v1/files/{file_id}/url"),),
    "admin.files.get": (_get("/admin/v1/files/{file_id}"),),
    "admin.files.delete": (_call("DELETE", "/admin/v1/files/{file_id}", is_last=True),),
    "admin.members.list": (_get(_WORKSPACE + "/members"),),
    "admin.members.create": (
        _post(_WORKSPACE + "/members", {"user_id": Ref("user"), "role": "viewer"}, fails_with=409),
    ),
    "admin.members.delete": (_call("DELETE", _WORKSPACE + "/members/{user_id}", fails_with=409),),
    "admin.members.update": (_call("PATCH", _WORKSPACE + "/members/{user_id}", {"role": "owner"}),),
    "admin.groups.list": (_get("/admin/v1/groups", fails_with=403),),
    "admin.groups.create": (_post("/admin/v1/groups", {"name": "New"}, fails_with=403),),
    "admin.groups.get": (_get(_GROUP),),
    "admin.groups.update": (_call("PATCH", _GROUP, {"name": "Changed"}),),
    "admin.workspace_groups.list": (_get(_WORKSPACE + "/groups"),),
    "admin.workspace_groups.create": (_post(_WORKSPACE + "/groups", {"name": "New"}),),
    "admin.workspaces.leave": (_post(_WORKSPACE + "/leave", fails_with=409),),
    "admin.workspaces.restore": (_post(_WORKSPACE + "/restore", fails_with=404),),
    "admin.workspaces.transfer": (
        _post(_WORKSPACE + "/transfer", {"user_id": Ref("user")}, is_last=True),
    ),
    "admin.invitations.list": (_get(_WORKSPACE + "/invitations"),),
    "admin.invitations.create": (_post(_WORKSPACE + "/invitations", {"role": "viewer"}),),
    "admin.invitations.delete": (
        _call("DELETE", "/admin/v1/invitations/{invitation_id}", is_last=True),
    ),
    "admin.invitations.accept": (
        _post("/admin/v1/invitations:accept", {"code": "none"}, fails_with=404),
    ),
    "admin.data_requests.list": (_get(_WORKSPACE + "/data-requests"),),
    "admin.data_requests.create": (
        _post(
            _WORKSPACE + "/data-requests",
            {"kind": "export", "subject": {"type": "end_user", "id": "nobody"}},
        ),
    ),
    "admin.data_requests.get": (_get(_DATA_REQUEST),),
    "admin.data_requests.get_archive": (_get(_DATA_REQUEST + "/archive"),),
    "admin.retention.get": (_get(_WORKSPACE + "/retention"),),
    "admin.retention.set": (_call("PUT", _WORKSPACE + "/retention", {"conversation_days": 900}),),
    "admin.group_members.add": (_call("PUT", _GROUP + "/members/{user_id}"),),
    "admin.group_members.delete": (_call("DELETE", _GROUP + "/members/{user_id}", is_last=True),),
    "admin.grants.list": tuple(
        _get("/admin/v1/grants", query={"resource_type": kind, "resource_id": Ref(kind)})
        for kind in _SHARED
    ),
    "admin.grants.set": tuple(
        _call(
            "PUT",
            "/admin/v1/grants",
            {
                "resource_type": kind,
                "resource_id": Ref(kind),
                "subject_type": "group",
                "subject_id": Ref("group"),
                "level": "view",
            },
        )
        for kind in _SHARED
    ),
    "admin.grants.delete": (_call("DELETE", "/admin/v1/grants/{grant_id}", is_last=True),),
    "admin.groups.delete": (_call("DELETE", _GROUP, is_last=True),),
    "admin.agents.list_connectors": (_get(_AGENT + "/connectors"),),
    "admin.agents.publish": (
        _post(_AGENT + "/publish", {"description": "x"}),
        _post(_AGENT + "/publish", {"version": Ref("version")}),
    ),
    "admin.agents.restore_version": (_post(_AGENT + "/versions/{version}/restore"),),
    "admin.agents.undo_restore": (_call("DELETE", _AGENT + "/versions/restore"),),
    "admin.agents.unpublish": (_call("DELETE", _AGENT + "/connectors/1024", is_last=True),),
    "admin.agents.validate": (_post(_AGENT + "/validate"),),
    "admin.agents.assist": (
        _post(
            _AGENT + "/assist",
            {"kind": "prompt", "instruction": "Answer in one sentence.", "text": "Be kind."},
        ),
    ),
    "admin.agents.get_version": (_get(_AGENT + "/versions/{version}"),),
    "admin.agents.list_versions": (_get(_AGENT + "/versions"),),
    "admin.chats.list": (
        _get("/admin/v1/chats", query={"workspace_id": SPACE}),
        _get("/admin/v1/chats", query={"workspace_id": SPACE, "agent_id": AGENT}),
        _get("/admin/v1/chats", query={"workspace_id": SPACE, "conversation_id": CONVERSATION}),
    ),
    "admin.chats.get": (_get("/admin/v1/chats/{run_id}"),),
    "admin.tokens.list": (_get("/admin/v1/tokens"),),
    "admin.tokens.create": (
        _post("/admin/v1/tokens", {"name": "t", "duration_days": 30, "workspace_ids": [SPACE]}),
        _post("/admin/v1/tokens", {"name": "t", "duration_days": 30, "bot_ids": [AGENT]}),
    ),
    "admin.tokens.issue_for_browser": (_post("/admin/v1/tokens:issue", {"bot_ids": [AGENT]}),),
    "admin.tokens.get": (_get("/admin/v1/tokens/{token_id}"),),
    "admin.tokens.delete": (_call("DELETE", "/admin/v1/tokens/{token_id}", is_last=True),),
    "admin.tokens.update": (_call("PATCH", "/admin/v1/tokens/{token_id}", {"name": "Changed"}),),
    "admin.budgets.list": (_get(_WORKSPACE + "/budgets", varies=True),),
    "admin.budgets.create": (
        _post(
            _WORKSPACE + "/budgets",
            {
                "name": "Month",
                "subject_type": "agent",
                "subject_id": AGENT,
                "unit": "points",
                "amount": "1000000",
                "period": "month",
                "soft_limits": [50],
            },
        ),
    ),
    "admin.budgets.get": (_get("/admin/v1/budgets/{budget_id}", varies=True),),
    "admin.budgets.update": (
        _call("PATCH", "/admin/v1/budgets/{budget_id}", {"name": "Changed"}, varies=True),
    ),
    "admin.budgets.delete": (_call("DELETE", "/admin/v1/budgets/{budget_id}", is_last=True),),
    "admin.oauth_apps.list": (_get(_WORKSPACE + "/oauth-apps"),),
    "admin.oauth_apps.list_all": (_get("/admin/v1/oauth-apps", fails_with=403),),
    "admin.oauth_apps.create": (
        _post(
            _WORKSPACE + "/oauth-apps",
            {
                "name": "CRM",
                "type": "web",
                "permissions": ["chat"],
                "redirect_uris": ["https://crm.example.org/callback"],
            },
        ),
    ),
    "admin.oauth_apps.get": (_get(_OAUTH_APP, kinds=_OF_OAUTH),),
    "admin.oauth_apps.update": (_call("PATCH", _OAUTH_APP, {"name": "Changed"}, kinds=_OF_OAUTH),),
    "admin.oauth_apps.reset_secret": (_post(_OAUTH_APP + "/secret", kinds=_OF_OAUTH),),
    "admin.oauth_apps.delete": (_call("DELETE", _OAUTH_APP, kinds=_OF_OAUTH, is_last=True),),
    "admin.oauth_grants.list": (_get("/admin/v1/oauth-grants"),),
    "admin.oauth_grants.delete": (
        _call(
            "DELETE",
            "/admin/v1/oauth-grants/{grant_id}",
            kinds={"grant_id": "oauth_grant"},
            is_last=True,
        ),
    ),
    "admin.oauth_requests.get": (_get("/admin/v1/oauth-requests/BCDF-GHJK", fails_with=403),),
    "admin.oauth_requests.answer": (
        _post(
            "/admin/v1/oauth-requests/BCDF-GHJK",
            {"decision": "approve", "workspace_id": SPACE},
            fails_with=403,
        ),
    ),
    "admin.oauth_requests.find_by_user_code": (
        _post("/admin/v1/oauth-requests:device", {"user_code": "BCDF-GHJK"}, fails_with=403),
    ),
    "admin.oidc_providers.list": (_get("/admin/v1/oidc-providers", fails_with=403),),
    "admin.oidc_providers.create": (
        _post(
            "/admin/v1/oidc-providers",
            {
                "name": "Evil",
                "issuer": "https://id.example.org",
                "client_id": "coterie",
                "groups_claim": "groups",
                "roles": [{"group": "all", "workspace_id": "1", "role": "admin"}],
            },
            fails_with=403,
        ),
    ),
    "admin.oidc_providers.get": (_get(_OIDC, fails_with=403),),
    "admin.oidc_providers.update": (_call("PATCH", _OIDC, {"name": "Evil"}, fails_with=403),),
    "admin.oidc_providers.delete": (_call("DELETE", _OIDC, fails_with=403),),
    "admin.oidc_providers.test": (_post(_OIDC + "/try", fails_with=403),),
    "admin.channels.list": (_get(_WORKSPACE + "/channels"),),
    "admin.channels.create": (
        _post(
            _WORKSPACE + "/channels",
            {
                "platform": "slack",
                "target_type": "agent",
                "target_id": AGENT,
                "settings": {"name": "Help"},
                "credentials": {"bot_token": "xoxb-1", "signing_secret": "shh"},
            },
        ),
        _post(
            _WORKSPACE + "/channels",
            {
                "platform": "slack",
                "target_type": "workflow",
                "target_id": WORKFLOW,
                "settings": {"name": "Help"},
                "credentials": {"bot_token": "xoxb-1", "signing_secret": "shh"},
            },
        ),
    ),
    "admin.channels.get": (_get(_CHANNEL),),
    "admin.channels.update": (_call("PATCH", _CHANNEL, {"settings": {"slow_after_s": 20}}),),
    "admin.channels.test": (_post(_CHANNEL + "/test"),),
    "admin.channels.delete": (_call("DELETE", _CHANNEL, is_last=True),),
    "admin.share_links.list": (_get(_WORKSPACE + "/share-links"),),
    "admin.share_links.create": (
        _post(
            _WORKSPACE + "/share-links",
            {"target_type": "agent", "target_id": AGENT, "settings": {"name": "Help"}},
        ),
        _post(
            _WORKSPACE + "/share-links",
            {"target_type": "workflow", "target_id": WORKFLOW, "settings": {"name": "Help"}},
        ),
    ),
    "admin.share_links.get": (_get(_SHARE_LINK),),
    "admin.share_links.update": (_call("PATCH", _SHARE_LINK, {"settings": {"footer": "Changed"}}),),
    "admin.share_links.reset_key": (_post(_SHARE_LINK + "/key"),),
    "admin.share_links.delete": (_call("DELETE", _SHARE_LINK, is_last=True),),
    "admin.service_tokens.list": (_get(_WORKSPACE + "/service-tokens"),),
    "admin.service_tokens.create": (
        _post(_WORKSPACE + "/service-tokens", {"name": "s", "permissions": ["chat"]}),
        _post(
            _WORKSPACE + "/service-tokens",
            {"name": "s", "permissions": ["chat"], "bot_ids": [AGENT]},
        ),
    ),
    "admin.service_tokens.get": (_get(_SERVICE_TOKEN, kinds=_OF_SERVICE),),
    "admin.service_tokens.update": (
        _call("PATCH", _SERVICE_TOKEN, {"name": "Changed"}, kinds=_OF_SERVICE),
        _call("PATCH", _SERVICE_TOKEN, {"rate_class": "high"}, kinds=_OF_SERVICE),
        _call("PATCH", _SERVICE_TOKEN, {"bot_ids": [AGENT]}, kinds=_OF_SERVICE),
    ),
    "admin.service_tokens.rotate": (
        _post(_SERVICE_TOKEN + "/rotate", {"overlap_s": 60}, kinds=_OF_SERVICE),
    ),
    "admin.service_tokens.delete": (
        _call("DELETE", _SERVICE_TOKEN, kinds=_OF_SERVICE, is_last=True),
    ),
    "admin.audit_log.list": (
        _get("/admin/v1/audit-log", varies=True),
        _get(
            "/admin/v1/audit-log",
            query={"workspace_id": SPACE, "actor": Ref("user")},
            varies=True,
        ),
        _get(
            "/admin/v1/audit-log",
            query={"resource_type": "agent", "resource_id": AGENT},
            varies=True,
        ),
    ),
    "admin.audit_log.export": (
        _get(
            "/admin/v1/audit-log/export",
            query={"workspace_id": SPACE, "format": "jsonl"},
            varies=True,
        ),
        _get(
            "/admin/v1/audit-log/export",
            query={"resource_type": "agent", "resource_id": AGENT, "format": "jsonl"},
            varies=True,
        ),
    ),
    "admin.audit_log.verify": (_post("/admin/v1/audit-log/verify", fails_with=403),),
    "admin.dead_letters.list": (
        _get("/admin/v1/dead-letters", query={"consumer": "mailer"}, fails_with=403),
    ),
    "admin.dead_letters.get": (_get("/admin/v1/dead-letters/event-1", fails_with=403),),
    "admin.dead_letters.retry": (
        _post("/admin/v1/dead-letters:retry", {"event_id": "event-1"}, fails_with=403),
    ),
    "admin.dead_letters.drop": (
        _post(
            "/admin/v1/dead-letters:drop",
            {"event_id": "event-2", "reason": "Done by hand"},
            fails_with=403,
        ),
    ),
    "admin.operations.get_health": (
        _get("/admin/v1/operations/health", fails_with=403, varies=True),
    ),
    "admin.operations.list_processes": (
        _get("/admin/v1/operations/processes", fails_with=403, varies=True),
    ),
    "admin.operations.list_queues": (
        _get("/admin/v1/operations/queues", fails_with=403, varies=True),
    ),
    "admin.operations.get_metrics": (
        _get(
            "/admin/v1/operations/metrics",
            query={"names": "requests_ok,memory", "step": "60"},
            fails_with=403,
            varies=True,
        ),
    ),
    "admin.operations.list_logs": (
        _get(
            "/admin/v1/operations/logs",
            query={"level": "error", "limit": "50"},
            fails_with=403,
            varies=True,
        ),
    ),
    "admin.operations.list_settings": (
        _get("/admin/v1/operations/settings", fails_with=403, varies=True),
    ),
    "admin.operations.examine": (
        _post("/admin/v1/operations/doctor", fails_with=403, varies=True),
    ),
    "admin.users.list": (_get("/admin/v1/users", fails_with=403),),
    "admin.users.create": (_post("/admin/v1/users", {"name": "eve.2"}, fails_with=403),),
    "admin.users.update": (
        _call("PATCH", "/admin/v1/users/{user_id}", {"is_disabled": True}, fails_with=403),
    ),
    "admin.users.create_link": (_post("/admin/v1/users/{user_id}/link", fails_with=403),),
    "admin.users.list_sessions": (_get("/admin/v1/users/{user_id}/sessions", fails_with=403),),
    "admin.users.delete_sessions": (
        _call("DELETE", "/admin/v1/users/{user_id}/sessions", fails_with=403),
    ),
    "admin.auth.get_session": (_get(_AUTH + "/session", fails_with=403),),
    "admin.auth.logout": (_post(_AUTH + "/logout", fails_with=403),),
    "admin.auth.confirm_password": (_post(_AUTH + "/step-up", {"password": "x"}, fails_with=403),),
    "admin.auth.set_password": (
        _call("PUT", _AUTH + "/password", {"password": "x", "current": "y"}, fails_with=403),
    ),
    "admin.auth.list_sessions": (_get(_AUTH + "/sessions"),),
    "admin.auth.delete_session": (_call("DELETE", _AUTH + "/sessions/{session_id}", is_last=True),),
    "admin.auth.delete_sessions": (_call("DELETE", _AUTH + "/sessions", is_last=True),),
    "admin.auth.get_me": (_get(_AUTH + "/me"),),
    "admin.auth.update_me": (_call("PATCH", _AUTH + "/me", {"nickname": "Changed"}),),
    "admin.auth.set_avatar": (
        _call("PUT", _AUTH + "/me/avatar", is_upload=True, data=PICTURE, varies=True),
    ),
    "admin.auth.delete_avatar": (_call("DELETE", _AUTH + "/me/avatar"),),
    "admin.auth.get_preferences": (_get(_AUTH + "/preferences"),),
    "admin.auth.set_preferences": (
        _call(
            "PUT",
            _AUTH + "/preferences",
            {
                "language": "zh",
                "theme": "dark",
                "run_columns": ["question", "state", "cost"],
                "run_views": [
                    {"workspace_id": SPACE, "name": "Failed today", "search": "state=failed"}
                ],
            },
        ),
    ),
    "admin.workspaces.list": (_get("/admin/v1/workspaces"),),
    "admin.workspaces.create": (_post("/admin/v1/workspaces", {"name": "New"}),),
    "admin.workspaces.list_all": (_get("/admin/v1/workspaces:all", fails_with=403),),
    "admin.workspaces.list_deleted": (_get("/admin/v1/workspaces:deleted"),),
    "admin.workspaces.get": (_get(_WORKSPACE),),
    "admin.workspaces.get_home": (_get(_WORKSPACE + "/home"),),
    "admin.workspaces.find": (
        _get(_WORKSPACE + "/find", query={"q": "CANARY", "types": "agent,document"}),
    ),
    "admin.live.follow": (_get("/admin/v1/live", query={"for_s": "0"}),),
    "admin.presence.set": tuple(
        _call("PUT", "/admin/v1/presence", {"type": kind, "id": Ref(kind)})
        for kind in ("agent", "workflow", "dataset", "plugin", "database", "prompt")
    ),
    "admin.workspaces.delete": (
        _call("DELETE", _WORKSPACE, is_last=True, kinds={"workspace_id": "spare_space"}),
    ),
    "admin.workspaces.update": (_call("PATCH", _WORKSPACE, {"description": "Changed"}),),
    "admin.workspaces.set_icon": (
        _call("PUT", _WORKSPACE + "/icon", is_upload=True, data=PICTURE, varies=True),
    ),
    "admin.models.list": (_get("/admin/v1/models"),),
    "admin.models.create": (
        _post(
            "/admin/v1/models",
            {"display": {"name": "m"}, "connection": {"base_url": "http://127.0.0.1:9/v1"}},
            fails_with=403,
        ),
    ),
    "admin.models.get": (_get("/admin/v1/models/echo", fails_with=403),),
    "admin.models.delete": (_call("DELETE", "/admin/v1/models/echo", fails_with=403),),
    "admin.models.update": (
        _call("PATCH", "/admin/v1/models/echo", {"enabled": False}, fails_with=403),
    ),
    "admin.prices.list": (_get("/admin/v1/models/echo/prices"),),
    "admin.prices.create": (
        _post("/admin/v1/models/echo/prices", {"money": [{"input": "1"}]}, fails_with=403),
    ),
    "admin.usage.get": (_get("/admin/v1/usage", query=_USED | {"group_by": "agent,model"}),),
    "admin.usage.reconcile": (
        _get(
            "/admin/v1/usage/reconciliation",
            query={"provider": "openai"},
            fails_with=403,
            varies=True,
        ),
    ),
    "admin.usage.import_report": (
        _post(
            "/admin/v1/usage/provider-reports",
            {"provider": "openai", "csv": "date,model,cost\n2026-11-01,gpt-4o,1.5\n"},
            fails_with=403,
        ),
    ),
    "admin.usage.list_entries": (_get("/admin/v1/usage/entries", query=_USED),),
    "admin.model_providers.list": (_get("/admin/v1/model-providers", fails_with=403),),
    "admin.models.test": (_post("/admin/v1/models/echo/test", fails_with=403),),
    "admin.models.check": (
        _post("/admin/v1/models:check", {"model_id": "echo", "detects": True}, fails_with=403),
    ),
    "admin.models.get_figures": (_get("/admin/v1/models:figures", fails_with=403),),
    "admin.models.try_out": (
        _post(
            "/admin/v1/models/echo/try",
            {
                "messages": [
                    {"role": "system", "content": "Be brief."},
                    {"role": "user", "content": "Hello"},
                ],
                "parameters": {"temperature": 0.2, "max_tokens": 64},
                "workspace_id": SPACE,
            },
        ),
    ),
    "admin.models.count_tokens": (
        _post("/admin/v1/models/echo/count-tokens", {"texts": ["Be brief.", "你好"]}),
    ),
    "runs.follow": (_get("/v1/runs/{run_id}/events"),),
    "workflows.run": (
        _post("/v1/workflow/run", {"workflow_id": WORKFLOW, "parameters": {}, "bot_id": AGENT}),
        _post("/v1/workflow/run", {"workflow_id": WORKFLOW, "is_async": True}),
    ),
    "workflows.stream_run": (
        _post("/v1/workflow/stream_run", {"workflow_id": WORKFLOW, "bot_id": AGENT}),
    ),
    "workflows.chat": (
        _post(
            "/v1/workflows/chat",
            {
                "workflow_id": WORKFLOW,
                "bot_id": AGENT,
                "additional_messages": [{"role": "user", "content": "x", "content_type": "text"}],
            },
        ),
        _post(
            "/v1/workflows/chat",
            {
                "workflow_id": WORKFLOW,
                "conversation_id": CONVERSATION,
                "additional_messages": [{"role": "user", "content": "x", "content_type": "text"}],
            },
        ),
    ),
    "workflows.stream_resume": (
        _post(
            "/v1/workflow/stream_resume",
            {
                "workflow_id": WORKFLOW,
                "event_id": WORKFLOW_RUN,
                "resume_data": "yes",
                "interrupt_type": 2,
            },
            fails_with=404,
        ),
    ),
    "workflows.get_run_by_query": (
        _get(
            "/v1/workflow/get_run_history",
            query={"workflow_id": WORKFLOW, "execute_id": WORKFLOW_RUN},
        ),
    ),
    "workflows.get_run": (_get("/v1/workflows/{workflow_id}/run_histories/{execute_id}"),),
    "workflows.get_node_output": (
        _get(
            "/v1/workflows/{workflow_id}/run_histories/{execute_id}/execute_nodes/7",
            fails_with=404,
        ),
    ),
    "admin.workflows.test": (
        _post(_WORKFLOW + "/test-runs", {"inputs": {}, "mocks": {}, "agent_id": AGENT}),
    ),
    "admin.workflows.test_node": (_post(_WORKFLOW + "/nodes/900001/test-runs", {"input": {}}),),
    "admin.workflow_runs.list": (_get(_WORKFLOW + "/runs"),),
    "admin.workflow_runs.get": (_get(_WORKFLOW_RUN),),
    "admin.workflow_runs.follow": (_get(_WORKFLOW_RUN + "/events"),),
    "admin.workflow_runs.resume": (
        _post(_WORKFLOW_RUN + "/resume", {"event_id": "7", "data": "yes"}, fails_with=404),
    ),
    "admin.workflow_runs.cancel": (_post(_WORKFLOW_RUN + "/cancel"),),
    "admin.workflow_runs.repeat": (_post(_WORKFLOW_RUN + "/repeats", {"node_id": "900001"}),),
    "admin.workflow_runs.list_node_history": (_get(_WORKFLOW_RUN + "/nodes/900001"),),
    "admin.traces.list": (
        _get(
            "/admin/v1/traces",
            query={"workspace_id": SPACE, "agent_id": AGENT, "conversation_id": CONVERSATION},
        ),
        _get("/admin/v1/traces", varies=True, query={"workflow_id": WORKFLOW}),
    ),
    "admin.trace_stats.get": (
        _get(
            "/admin/v1/trace-stats",
            query={
                "since": "1767607200",
                "until": "1767610800",
                "workspace_id": SPACE,
                "agent_id": AGENT,
                "workflow_id": WORKFLOW,
                "conversation_id": CONVERSATION,
            },
        ),
    ),
    "admin.trace_settings.get": (_get(_WORKSPACE + "/trace-settings"),),
    "admin.trace_settings.set": (
        _call("PUT", _WORKSPACE + "/trace-settings", {"capture": "metadata", "redaction": ["k"]}),
    ),
    "admin.traces.get": (_get("/admin/v1/traces/{run_id}", varies=True),),
    "admin.traces.get_span": (_get("/admin/v1/traces/{run_id}/spans/1", varies=True),),
    "admin.traces.diff": (
        _get(
            "/admin/v1/traces/{left_run_id}/diff/{right_run_id}",
            kinds={"left_run_id": "run", "right_run_id": "run"},
            varies=True,
        ),
    ),
    "admin.traces.export": (_get("/admin/v1/traces/{run_id}/export", varies=True),),
    "admin.traces.replay": (
        _post("/admin/v1/traces/{run_id}/replay", {"version": "draft"}, varies=True),
    ),
    "admin.traces.pin": (Call(method="PUT", path="/admin/v1/traces/{run_id}/pin", varies=True),),
    "admin.traces.unpin": (Call(method="DELETE", path="/admin/v1/traces/{run_id}/pin"),),
    "admin.workflow_runs.get_trace": (_get(_WORKFLOW_RUN + "/trace"),),
    "workflows.list": (_get("/v1/workflows", query={"workspace_id": SPACE}),),
    "workflows.get": (_get("/v1/workflows/{workflow_id}"),),
    "workflows.list_versions": (_get("/v1/workflows/{workflow_id}/versions"),),
    "admin.plugins.import_definition": (
        _post(
            _WORKSPACE + "/plugins:import", {"data": _CURL, "format": "curl", "icon_file_id": FILE}
        ),
    ),
    "admin.plugins.review": (
        _post(_WORKSPACE + "/plugins:review", {"data": _CURL, "format": "curl"}),
    ),
    "admin.plugins.create": (
        _post(_WORKSPACE + "/plugins", {"name": "New", "icon_file_id": FILE, "app_id": "7"}),
    ),
    "admin.plugins.list": (_get(_WORKSPACE + "/plugins"),),
    "admin.plugins.get": (_get(_PLUGIN),),
    "admin.plugins.update": (
        _call("PATCH", _PLUGIN, {"description": "Changed"}),
        _call("PATCH", _PLUGIN, {"icon_file_id": FILE}),
    ),
    "admin.plugins.set_auth": (_call("PUT", _PLUGIN + "/auth", {"type": "none"}),),
    "admin.plugins.publish": (_post(_PLUGIN + "/publish", {"force": True}),),
    "admin.plugins.list_programs": (_get(_WORKSPACE + "/plugin-programs"),),
    "admin.plugins.list_versions": (_get(_PLUGIN + "/versions"),),
    "admin.plugins.list_changes": (_get(_PLUGIN + "/changes"),),
    "admin.plugins.get_grant": (_get(_PLUGIN + "/oauth", fails_with=400),),
    "admin.plugins.revoke_grant": (_call("DELETE", _PLUGIN + "/oauth"),),
    "admin.plugin_hosts.get": (_get(_WORKSPACE + "/plugin-hosts"),),
    "admin.plugin_hosts.set": (
        _call("PUT", _WORKSPACE + "/plugin-hosts", {"hosts": ["a.example"]}),
    ),
    "admin.plugin_tools.list": (_get(_PLUGIN + "/tools"),),
    "admin.plugin_tools.create": (
        _post(_PLUGIN + "/tools", {"name": UNIQUE}),
        _post(_PLUGIN + "/tools", {"name": UNIQUE, "workflow_id": WORKFLOW}, fails_with=400),
    ),
    "admin.plugin_tools.get": (_get(_TOOL),),
    "admin.plugin_tools.update": (
        _call("PATCH", _TOOL, {"description": "Changed"}),
        _call("PATCH", _TOOL, {"workflow_id": WORKFLOW}, fails_with=400),
    ),
    "admin.plugin_tools.delete": (_call("DELETE", _TOOL, is_last=True),),
    "admin.plugin_tools.debug": (_post(_TOOL + "/debug", {"arguments": {}}, varies=True),),
    "admin.server_tools.inspect": (_post(_PLUGIN + "/server-tools:inspect", fails_with=400),),
    "admin.server_tools.accept": (
        _post(_PLUGIN + "/server-tools:accept", {"digest": "0"}, fails_with=400),
    ),
    "admin.plugins.delete": (_call("DELETE", _PLUGIN, is_last=True),),
    "admin.workflows.list": (
        _get(_WORKSPACE + "/workflows"),
        _get(_WORKSPACE + "/workflows", query={"plugin_id": Ref("plugin")}),
    ),
    "admin.workflows.create": (
        _post(_WORKSPACE + "/workflows", {"name": "New"}),
        _post(_WORKSPACE + "/workflows", {"name": "New", "icon_file_id": FILE}),
    ),
    "admin.workflows.import_canvas": (
        _post(_WORKSPACE + "/workflows:import", {"schema": _CANVAS, "icon_file_id": FILE}),
    ),
    "admin.workflows.review": (
        _post(
            _WORKSPACE + "/workflows:review",
            {"canvases": [{"name": "Flow.json", "text": json.dumps(_CANVAS)}]},
        ),
    ),
    "admin.workflows.chat": (
        _post(
            _WORKFLOW + "/chats",
            {
                "version": "draft",
                "conversation_id": CONVERSATION,
                "agent_id": AGENT,
                "content": [{"type": "file", "file_id": FILE}],
            },
        ),
        _post(
            _WORKFLOW + "/chats",
            {"conversation_id": CONVERSATION, "regenerate": CHAT},
            fails_with=400,
        ),
    ),
    "admin.workflows.get": (_get(_WORKFLOW),),
    "admin.workflows.update": (
        _call("PATCH", _WORKFLOW, {"description": "Changed"}),
        _call("PATCH", _WORKFLOW, {"icon_file_id": FILE}),
    ),
    "admin.workflows.delete": (_call("DELETE", _WORKFLOW, is_last=True),),
    "admin.workflows.batch_delete": (
        _post(
            "/admin/v1/workflows:batch-delete",
            {"workflow_ids": [Ref("spare_workflow")]},
            is_last=True,
        ),
    ),
    "admin.workflows.copy": (_post(_WORKFLOW + "/copy", {"workspace_id": SPACE}),),
    "admin.workflows.list_references": (_get(_WORKFLOW + "/references"),),
    "admin.workflows.get_role": (_get(_WORKFLOW + "/role"),),
    "admin.workflows.set_role": (
        _call("PUT", _WORKFLOW + "/role", {"name": "Host", "avatar_file_id": FILE}),
    ),
    "admin.workflows.delete_role": (_call("DELETE", _WORKFLOW + "/role", is_last=True),),
    "admin.workflows.get_tool_settings": (
        _get(_WORKFLOW + "/nodes/1/tool-settings", fails_with=404),
    ),
    "admin.node_types.list": (_get("/admin/v1/workflow-node-types"),),
    "admin.workflows.get_canvas": (_get(_WORKFLOW + "/canvas"),),
    "admin.workflows.save_canvas": (_call("PUT", _WORKFLOW + "/canvas", {"schema": _CANVAS}),),
    "admin.workflows.export": (_get(_WORKFLOW + "/export"),),
    "admin.workflows.validate": (_post(_WORKFLOW + "/validate", {"schema": _CANVAS}),),
    "admin.workflows.publish": (_post(_WORKFLOW + "/publish", {"force": True}),),
    "admin.workflows.list_versions": (_get(_WORKFLOW + "/versions"),),
    "admin.workflows.restore": (
        _post(_WORKFLOW + "/restore", kinds={"workflow_id": "deleted_workflow"}),
    ),
    "admin.workflows.list_test_inputs": (_get(_WORKFLOW + "/test-inputs"),),
    "admin.workflows.save_test_input": (
        _post(
            _WORKFLOW + "/test-inputs",
            {"name": UNIQUE, "is_shared": True, "inputs": {"q": "Hi"}, "mocks": {}},
        ),
    ),
    "admin.workflows.delete_test_input": (
        _call("DELETE", _WORKFLOW + "/test-inputs/{test_input_id}", is_last=True),
    ),
    "admin.workflows.restore_version": (_post(_WORKFLOW + "/versions/v0.0.1/restore"),),
}

VISITS: Final[Mapping[str, tuple[Call, ...]]] = {
    "share.create_chat": (
        _post(
            _SHARED_CHAT + "/chats",
            {"content": "Hello", "conversation_id": CONVERSATION, "file_ids": [FILE]},
        ),
    ),
    "share.follow_run": (_get(_SHARED_CHAT + "/runs/{run_id}/events"),),
    "share.cancel_run": (_post(_SHARED_CHAT + "/runs/{run_id}/cancel"),),
    "share.submit_outputs": (_post(_SHARED_CHAT + "/runs/{run_id}/tool-outputs", {"outputs": []}),),
    "share.list_conversations": (_get(_SHARED_CHAT + "/conversations"),),
    "share.list_messages": (_get(_SHARED_CHAT + "/conversations/{conversation_id}/messages"),),
    "share.give_feedback": (
        _call(
            "PUT",
            _SHARED_CHAT + "/messages/{message_id}/feedback",
            {"conversation_id": CONVERSATION, "verdict": "like"},
        ),
    ),
    "share.upload_file": (_post(_SHARED_CHAT + "/files", is_upload=True),),
}
"""What visitors of a share link send, with tokens that no account has; see ``test_share_links``."""

PUBLIC: Final = frozenset(
    {"avatars.download", "files.download_signed", "icons.download"}
    | {"operations.get_health", "operations.get_readiness"}
    | {"operations.get_liveness", "operations.get_startup"}
    | {"images.download"}
    | {"operations.get_version", "oauth.complete_grant", "admin.auth.list_sign_in_methods"}
    | {"admin.auth.exchange_token", "admin.auth.login", "admin.auth.redeem_ticket"}
    | {"admin.auth.register", "admin.invitations.look_up"}
    | {"share.get_link", "share.open_session", *VISITS}
)
"""Operations without a caller, or for strangers; signed addresses and links have own tests."""


def in_order() -> list[tuple[str, Call]]:
    """Return every call in an order in which one tenant can make them all: readers come first."""
    return sorted(
        ((name, call) for name, calls in CALLS.items() for call in calls),
        key=lambda each: (
            each[1].is_last,
            each[0].endswith("delete"),
            traffic_of(each[1].method, each[1].path) is not Traffic.READ,
            "message" not in each[0],
            "workspaces" in each[0],
        ),
    )


def filled(call: Call, ids: Mapping[str, str], *, but: Place | None = None) -> Call:
    """Put the caller's own ids into every place ``but`` one."""
    for place in places(call):
        if place != but:
            call = put(call, place, ids[place.kind])
    return call


def places(call: Call) -> Iterator[Place]:
    """Walk over every place that still holds a reference."""
    for name in re.findall(r"{(\w+)}", call.path):
        yield Place("path", (name,), call.kinds.get(name) or PATH_KINDS[name])
    for where, tree in (("query", call.query), ("body", call.body)):
        for route, kind in _refs(tree, ()):
            yield Place(where, route, kind)


def put(call: Call, place: Place, value: Any) -> Call:
    """Put a value into one place."""
    match place.where:
        case "path":
            return replace(call, path=call.path.replace(f"{{{place.route[0]}}}", str(value)))
        case "query":
            return replace(call, query=_with(call.query, place.route, value))
        case _:
            return replace(call, body=_with(call.body, place.route, value))


async def perform(deployment: Deployment, call: Call, *, token: str | None) -> Answer:
    """Send a call whose places are filled."""
    query = "&".join(f"{name}={value}" for name, value in call.query.items())
    target = f"{call.path}?{query}" if query else call.path
    if call.is_upload:
        return await deployment.send(
            call.method,
            target,
            token=token,
            body=multipart(call.data, fields=call.form),
            headers=[("content-type", "multipart/form-data; boundary=b")],
        )
    return await deployment.send(call.method, target, token=token, document=wire(call.body))


def wire(body: Any) -> Any:
    """Spell a body as clients do: an ``object_string`` is JSON text, a unique name a new one."""
    if isinstance(body, list):
        return [wire(each) for each in body]
    if body == UNIQUE:
        return f"unique {next(_NUMBERS)}"
    if not isinstance(body, dict):
        return body
    found = {name: wire(value) for name, value in body.items()}
    if found.get("content_type") == "object_string" and isinstance(found.get("content"), list):
        found["content"] = json.dumps(found["content"])
    return found


def _refs(tree: Any, route: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    match tree:
        case Ref(kind):
            yield route, kind
        case dict():
            for name, value in tree.items():
                yield from _refs(value, (*route, name))
        case list():
            for index, value in enumerate(tree):
                yield from _refs(value, (*route, index))
        case _:
            pass


def _with(tree: Any, route: tuple[str | int, ...], value: Any) -> Any:
    if not route:
        return value
    step, *rest = route
    copy: Any = dict(tree) if isinstance(tree, dict) else list(tree)
    copy[step] = _with(copy[step], tuple(rest), value)
    return copy
