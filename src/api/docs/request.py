"""Requests in the document as clients should write them, where the decoder takes more.

A field that handlers demand is optional for the decoder, so that its absence can be told in one way
wherever the field stands; parts of a content have one structure that holds the fields of all.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from api.docs.schema import ID, REF

REQUIRED: Final[Mapping[str, str]] = {
    "admin.chats.list": "workspace_id",
    "admin.conversations.list": "agent_id",
    "admin.datasets.search": "query dataset_ids",
    "admin.records.delete": "filter",
    "admin.records.update": "filter",
    "apps.list": "workspace_id",
    "bots.create": "space_id name",
    "bots.get_online_info": "bot_id",
    "bots.list": "workspace_id",
    "bots.list_published": "space_id",
    "bots.publish": "bot_id",
    "bots.unpublish": "connector_id",
    "bots.update": "bot_id",
    "chats.cancel": "conversation_id chat_id",
    "chats.create": "bot_id user_id",
    "chats.get": "conversation_id chat_id",
    "chats.get_by_post": "conversation_id chat_id",
    "chats.list_messages": "conversation_id chat_id",
    "chats.list_messages_by_post": "conversation_id chat_id",
    "chats.submit_tool_outputs": "conversation_id chat_id",
    "connectors.update_bot": "audit_status",
    "conversations.get": "conversation_id",
    "conversations.list": "bot_id",
    "conversations.update": "name",
    "datasets.create": "space_id name format_type",
    "datasets.get_progress": "document_ids",
    "datasets.list": "space_id",
    "datasets.search": "query dataset_ids",
    "datasets.update": "name",
    "documents.create": "dataset_id document_bases",
    "documents.delete": "document_ids",
    "documents.list": "dataset_id",
    "documents.list_by_get": "dataset_id",
    "documents.update": "document_id",
    "documents.update_tags": "tags",
    "files.get": "file_id",
    "images.update": "caption",
    "members.create": "users",
    "members.delete": "user_ids",
    "messages.create": "conversation_id content",
    "messages.create_feedback": "feedback_type",
    "messages.delete": "conversation_id message_id",
    "messages.get": "conversation_id message_id",
    "messages.get_by_post": "conversation_id message_id",
    "messages.list": "conversation_id",
    "messages.update": "conversation_id message_id",
    "openai.chat_completions.create": "model messages",
    "openai.responses.create": "model",
    "slices.create": "document_id raw_text",
    "slices.list": "document_id",
    "slices.update": "raw_text",
    "templates.duplicate": "workspace_id",
    "variables.get": "connector_uid",
    "variables.update": "connector_uid",
    "workflows.chat": "workflow_id additional_messages",
    "workflows.get_run_by_query": "workflow_id execute_id",
    "workflows.run": "workflow_id",
    "workflows.stream_resume": "workflow_id event_id resume_data interrupt_type",
    "workflows.stream_run": "workflow_id",
}
"""Parameters and fields of bodies without which an operation answers 400, by operation."""

BEGIN_RUNS: Final = frozenset(
    {
        "admin.agents.chat",
        "admin.traces.replay",
        "admin.workflows.chat",
        "admin.workflow_runs.repeat",
        "admin.workflows.test",
        "admin.workflows.test_node",
        "chats.create",
        "openai.chat_completions.create",
        "openai.responses.create",
        "workflows.chat",
        "workflows.run",
        "workflows.stream_run",
    }
)
"""Operations that begin runs, of which a request may have less kept than the settings say, and
to which it may give tags.

The gate reads the headers of every request, so that no handler names them.
"""

_TRACE_HEADERS: Final[Sequence[Mapping[str, Any]]] = (
    {
        "name": "Coterie-Trace",
        "in": "header",
        "required": False,
        "schema": {"type": "string", "enum": ["off", "metadata"]},
    },
    {
        "name": "Coterie-Tags",
        "in": "header",
        "required": False,
        "schema": {"type": "string"},
    },
)
_NULL: Final[Mapping[str, str]] = {"type": "null"}
_TEXT: Final[Mapping[str, str]] = {"type": "string"}


_ANY_OBJECT: Final = {"application/json": {"schema": {"type": "object"}}}
_TAKES_ANY_OBJECT: Final = "admin.agents.set_display"


def demand(document: Mapping[str, Any]) -> None:
    """Mark what operations need; a body that several share needs what all of them do."""
    schemas = document["components"]["schemas"]
    by_body: dict[str, set[str]] = {}
    for item in document["paths"].values():
        for operation in item.values():
            _describe_raw(operation)
            if operation["operationId"] in BEGIN_RUNS:
                operation.setdefault("parameters", []).extend(map(dict, _TRACE_HEADERS))
            needed = set(REQUIRED.get(operation["operationId"], "").split())
            for parameter in operation.get("parameters", ()):
                if parameter["name"] in needed and parameter["in"] == "query":
                    parameter["required"] = True
                    parameter["schema"] = _not_null(parameter["schema"])
            if body := operation.get("requestBody"):
                name = _body(body)
                if name:
                    by_body[name] = by_body.get(name, needed) & needed
    for name, needed in by_body.items():
        _require(schemas[name], needed)
    for name, schema in PARTS.items():
        if name in schemas:
            schemas |= schema


def _describe_raw(operation: dict[str, Any]) -> None:
    """Describe bodies that handlers read and write as bytes, and answers that have none."""
    if operation["operationId"] == _TAKES_ANY_OBJECT:
        operation["requestBody"] = {"content": _ANY_OBJECT, "required": True}
    for response in operation["responses"].values():
        if _shows_nothing(response):  # a redirection for instance
            del response["content"]
    shown = operation["responses"].get("200", {}).get("content", {})
    if shown.get("application/json", {}).get("schema", {}).get("type") == "string":
        operation["responses"]["200"]["content"] = _ANY_OBJECT


def _shows_nothing(response: Mapping[str, Any]) -> bool:
    """Tell whether an answer has no body, which the framework calls null."""
    contents = response.get("content", {}).values()
    return bool(contents) and all(each.get("schema", {}).get("type") == "null" for each in contents)


def _body(body: dict[str, Any]) -> str:
    """Return the name of a body's schema; one that may be left out is never null."""
    content = body["content"].get("application/json")
    if content is None:
        return ""
    options = [each for each in content["schema"].get("anyOf", ()) if each != _NULL]
    if len(options) == 1:
        content["schema"] = options[0]
        body["required"] = False
    return str(content["schema"].get("$ref", "").removeprefix(REF))


def _require(schema: dict[str, Any], names: set[str]) -> None:
    fields = schema.get("properties", {})
    for name in sorted(names & fields.keys()):
        fields[name] = _not_null(fields[name])
        required = schema.setdefault("required", [])
        if name not in required:
            required.append(name)


def _not_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Take null away from what a field may be."""
    found = {key: value for key, value in schema.items() if key != "default"}
    if isinstance(found.get("type"), list):
        kinds = [each for each in found["type"] if each != "null"]
        return {**found, "type": kinds[0] if len(kinds) == 1 else kinds}
    if "anyOf" in found:
        options = [each for each in found.pop("anyOf") if each != _NULL]
        return {**options[0], **found} if len(options) == 1 else {**found, "anyOf": options}
    return found


def _part(value: str, words: str, /, **fields: Any) -> dict[str, Any]:
    needed = ["type", *(name for name, each in fields.items() if each.pop("needed", False))]
    return {
        "type": "object",
        "description": words,
        "properties": {"type": {"type": "string", "const": value}, **fields},
        "required": needed,
    }


def _choice(words: str, /, **parts: str) -> dict[str, Any]:
    return {
        "description": words,
        "oneOf": [{"$ref": REF + name} for name in parts.values()],
        "discriminator": {
            "propertyName": "type",
            "mapping": {value: REF + name for value, name in parts.items()},
        },
    }


def _stored(value: str, thing: str) -> dict[str, Any]:
    return _part(
        value,
        f"{thing}, by the id of an upload or by address.",
        file_id={**ID, "description": "Id of an upload."},
        file_url={**_TEXT, "description": "Address (http, https), instead of an id."},
        name={**_TEXT, "description": "Name to show."},
    )


PARTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "ContentItem": {
        "ContentItem": _choice(
            "One item of a multi-part content.",
            text="TextItem",
            image="ImageItem",
            file="FileItem",
            audio="AudioItem",
        ),
        "TextItem": _part("text", "Plain text.", text={**_TEXT, "needed": True}),
        "ImageItem": _stored("image", "An image"),
        "FileItem": _stored("file", "A document"),
        "AudioItem": _stored("audio", "A recording"),
    },
    "ConversationRef": {
        "ConversationRef": {
            "type": "object",
            "description": "A conversation by its id.",
            "properties": {
                "id": {
                    **_TEXT,
                    "pattern": r"^(conv_)?\d{1,19}$",
                    "description": "Id of a conversation, with ``conv_`` before it or without.",
                }
            },
            "required": ["id"],
        },
    },
    "ContentPart": {
        "ContentPart": _choice(
            "One part of a message.",
            text="TextContentPart",
            refusal="RefusalContentPart",
            image_url="ImageContentPart",
            file="FileContentPart",
            file_url="FileUrlContentPart",
        ),
        "TextContentPart": _part("text", "Plain text.", text={**_TEXT, "needed": True}),
        "RefusalContentPart": _part(
            "refusal", "What the assistant refused with.", refusal={**_TEXT, "needed": True}
        ),
        "ImageContentPart": _part(
            "image_url", "An image.", image_url={"$ref": REF + "ImageUrl", "needed": True}
        ),
        "FileContentPart": _part(
            "file", "A document.", file={"$ref": REF + "FileRef", "needed": True}
        ),
        "FileUrlContentPart": _part(
            "file_url",
            "A document by its address, as clients of FastGPT send it.",
            url={**_TEXT, "needed": True},
            name={**_TEXT, "description": "Name to show."},
        ),
    },
}
"""Unions in place of structures that hold the fields of all their members, and others that
clients should see otherwise than the decoder does."""
