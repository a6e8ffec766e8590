"""Words of the document: what operations, their groups and the fields of bodies are for."""

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import Any, Final, TypeVar

import msgspec

from application.shared.projection import Projected

T = TypeVar("T")

TAGS: Final[Mapping[str, str]] = {
    "admin.agents": "Drafts, versions and publishing of agents.",
    "admin.app_conversations": "Conversations that an app defines for its workflows.",
    "admin.apps": "Projects of workflows and their releases.",
    "admin.audit_log": "Who did what.",
    "admin.auth": "Sign-in, sessions of browsers, and one's own account.",
    "admin.chats": "Chats of everybody, for support.",
    "admin.conversations": "Conversations of the caller, and what was said in them.",
    "admin.support_conversations": "Conversations of a workspace, for those who look after them.",
    "admin.app_end_users": "End users of whom apps have something.",
    "admin.app_user_variables": "Values that variables of an app have for an end user.",
    "admin.end_users": "End users of whom agents have something.",
    "admin.runs": "Runs that the caller began: their events, what they wait for, their end.",
    "admin.data_requests": "What is kept of somebody: handed over, or removed.",
    "admin.retention": "How long a workspace keeps what was said there.",
    "admin.database_imports": "Files that are read into tables.",
    "admin.databases": "Tables that agents and workflows read and write.",
    "admin.datasets": "Knowledge bases: their state, their index, searches to try them.",
    "admin.dead_letters": "Events that a consumer could not handle.",
    "admin.documents": "Documents of knowledge bases.",
    "admin.files": "Uploads of a workspace.",
    "admin.icons": "Icons that come with the product.",
    "admin.grants": "Rights of accounts and groups on single resources.",
    "admin.group_members": "Which accounts are in a group.",
    "admin.groups": "Groups of accounts of the deployment, and each single group.",
    "admin.workspace_groups": "Groups of accounts of a workspace.",
    "admin.live": "What changes while people work side by side.",
    "admin.members": "Who belongs to a workspace, and as what.",
    "admin.memories": "What agents remember of end users.",
    "admin.model_providers": "Providers whose models can be entered.",
    "admin.invitations": "Links that make whoever has them a member of a workspace.",
    "admin.models": "Models of the deployment.",
    "admin.operations": "What the deployment does, for its administrators.",
    "admin.tasks": "Documents that are to be read, are read, or could not be.",
    "admin.node_types": "Kinds of nodes that a canvas is made of.",
    "admin.plugin_hosts": "Hosts that plugins of a workspace may call.",
    "admin.plugin_tools": "Single tools of plugins.",
    "admin.plugins": "Tools of HTTP services and MCP servers.",
    "admin.presence": "What people have open.",
    "admin.previews": "How documents would be cut, before they are.",
    "admin.prices": "Prices of models, which are kept for ever.",
    "admin.prompts": "The library of prompts.",
    "admin.records": "Rows of tables.",
    "admin.budgets": "What workspaces, and what is in them, may use.",
    "admin.oauth_apps": "Applications of workspaces, to which people grant access.",
    "admin.oauth_grants": "What the account granted applications.",
    "admin.oauth_requests": "What applications ask the person at the browser for.",
    "admin.oidc_providers": "By whom people sign in, besides passwords.",
    "admin.server_tools": "Tools that an MCP server offers, and whether they changed.",
    "admin.service_tokens": "Access tokens of workspaces, with no person behind them.",
    "admin.channels": "Messaging platforms on which agents and chat flows answer.",
    "admin.share_links": "Addresses under which strangers talk to agents and chat flows.",
    "admin.shortcuts": "Buttons below the input of a chat.",
    "admin.slices": "Pieces of documents that a search finds.",
    "admin.tokens": "Access tokens of the account.",
    "admin.usage": "What was used, by whom and for what, and what it cost.",
    "admin.user_variables": "Values that variables of an agent have for an end user.",
    "admin.trace_settings": "How much of runs a workspace keeps, and what it masks.",
    "admin.trace_stats": "How many runs there were, how long they took, what they cost.",
    "admin.traces": "Traces: what runs did, step by step.",
    "admin.users": "Accounts of the deployment.",
    "admin.variables": "Variables that agents declare.",
    "admin.workflow_runs": "Runs of workflows, their nodes and their answers.",
    "admin.workflows": "Canvases, versions, imports and exports.",
    "admin.workspaces": "Workspaces that the account may enter.",
    "apps": "Projects of workflows.",
    "avatars": "Pictures of accounts and workspaces.",
    "bots": "Agents as clients of Coze know them.",
    "chats": "Questions to agents, answered in one piece or as a stream.",
    "connectors": "Places where agents are published.",
    "conversations": "What end users and agents say to each other.",
    "datasets": "Knowledge bases: documents, tables and images that agents search.",
    "documents": "Documents of knowledge bases.",
    "files": "Uploads and their bytes.",
    "icons": "Icons that come with the product.",
    "images": "Images of knowledge bases.",
    "members": "Who belongs to a workspace.",
    "messages": "What was said in a conversation, and what people think of it.",
    "oauth": "Where services lead back to that a plugin was allowed to use.",
    "openai.chat_completions": "Agents and models for clients of OpenAI.",
    "openai.embeddings": "Numbers for texts.",
    "openai.files": "Uploads, for clients of OpenAI.",
    "openai.models": "Agents and models that the token may use.",
    "openai.reranks": "Order of texts by how well they answer.",
    "openai.responses": "Answers of agents and models, kept and streamed, for clients of OpenAI.",
    "operations": "Health, metrics and version of a process.",
    "runs": "Events of a chat, live or again from a number on.",
    "share": "What visitors of a share link do, with a token of that link.",
    "slices": "Pieces of documents that a search finds.",
    "templates": "Agents to copy.",
    "admin.templates": "Agents that workspaces offer for copying.",
    "users": "The account of the token.",
    "variables": "What agents keep about an end user.",
    "workflows": "Runs of workflows and their history.",
    "workspaces": "Who shares agents, workflows and knowledge.",
}
"""What each resource is for; operations are named by resource and verb, ``admin.agents.create``.

Those of the admin API and of the OpenAI surface begin with its name.
"""

_SURFACES: Final = frozenset({"admin", "openai"})
_TITLES: Final[Mapping[str, str]] = {"oauth": "OAuth", "openai": "OpenAI"}
_SPELLED: Final[Mapping[str, str]] = {"oauth": "OAuth", "oidc": "OpenID"}
_OF_SEVERAL: Final = frozenset(
    {"accept", "clear", "insert", "inspect", "list", "query", "reorder", "replace", "reset"}
    | {"search"}
)
"""Verbs whose object is several things; the others are about one."""

_WHICH: Final = frozenset({"official", "published", "signed", "system"})
"""Words behind a verb that say which things are meant."""

_ALWAYS_SEVERAL: Final = frozenset(
    {"app_user_variables", "plugin_hosts", "records", "user_variables", "variables"}
)
"""Resources that no operation takes one by one."""

_SPECIAL: Final[Mapping[str, str]] = {
    "admin.agents.chat": "Chat with the draft of an agent",
    "admin.agents.get_display": "Get how the editor shows an agent",
    "admin.agents.import_document": "Import an agent",
    "admin.agents.list_connectors": "List connectors of an agent",
    "admin.agents.set_display": "Set how the editor shows an agent",
    "admin.agents.set_template": "Make an agent a template",
    "admin.agents.undo_restore": "Undo the restoring of an agent version",
    "admin.auth.confirm_password": "Confirm the sign-in with the password",
    "admin.auth.delete_session": "Sign out one browser",
    "admin.auth.delete_sessions": "Sign out everywhere else",
    "admin.auth.exchange_token": "Exchange a token for a session",
    "admin.auth.get_me": "Get one's own account",
    "admin.auth.get_preferences": "Get one's own preferences",
    "admin.auth.get_session": "Get the session",
    "admin.auth.list_sessions": "List one's own sessions",
    "admin.auth.list_sign_in_methods": "List ways to sign in",
    "admin.auth.login": "Sign in with a password",
    "admin.auth.logout": "Sign out",
    "admin.auth.redeem_ticket": "Sign in with a one-time link",
    "admin.auth.register": "Sign up",
    "admin.auth.delete_avatar": "Take one's own picture away",
    "admin.auth.set_avatar": "Set one's own picture",
    "admin.auth.set_password": "Change one's own password",
    "admin.auth.set_preferences": "Change one's own preferences",
    "admin.auth.update_me": "Change one's own account",
    "admin.channels.test": "Test the credentials of a channel",
    "admin.conversations.clear": "Begin a new section of a conversation",
    "admin.conversations.delete_feedback": "Take back the rating of an answer",
    "admin.conversations.fork": "Continue in a copy of a conversation",
    "admin.conversations.set_feedback": "Rate an answer",
    "admin.database_imports.preview": "Preview an import into a database",
    "admin.databases.bind": "Bind a database to an agent",
    "admin.databases.explain_sql": "Explain SQL on a database",
    "admin.databases.list_references": "List what uses a database",
    "admin.databases.reset": "Remove all draft rows of a database",
    "admin.databases.run_sql": "Run SQL on a database",
    "admin.databases.unbind": "Unbind a database from an agent",
    "admin.datasets.get_health": "Get the health of a dataset",
    "admin.datasets.infer_table_schema": "Infer columns from a table file",
    "admin.datasets.list_examined": "List slices behind a figure of health",
    "admin.datasets.list_references": "List what uses a dataset",
    "admin.datasets.validate_table_schema": "Check a table file against columns",
    "admin.documents.batch_update": "Change several documents",
    "admin.files.get_url": "Get a signed URL of a file",
    "admin.grants.set": "Grant a right on a resource",
    "admin.group_members.add": "Add a member to a group",
    "admin.invitations.accept": "Accept an invitation",
    "admin.invitations.look_up": "Look up an invitation",
    "admin.live.follow": "Follow what changes, and who else is there",
    "admin.oauth_requests.answer": "Answer an OAuth request",
    "admin.oauth_requests.find_by_user_code": "Find the request of a device by its code",
    "admin.plugins.import_definition": "Import a plugin",
    "admin.plugins.set_auth": "Set how a plugin authenticates",
    "admin.presence.set": "Report what is open",
    "admin.runs.follow": "Follow the events of a run",
    "admin.runs.submit_tool_outputs": "Submit tool outputs to a run",
    "admin.slices.merge": "Merge a slice with the next one",
    "admin.slices.reset": "Reset a slice to what was read",
    "admin.tokens.issue_for_browser": "Issue a token for browsers",
    "admin.trace_settings.get": "Get trace settings of a workspace",
    "admin.trace_settings.set": "Set trace settings of a workspace",
    "admin.trace_stats.get": "Get trace statistics",
    "admin.traces.diff": "Compare two traces",
    "admin.usage.import_report": "Import the usage report of a provider",
    "admin.usage.reconcile": "Compare usage with a provider's report",
    "admin.workflow_runs.follow": "Follow the events of a workflow run",
    "admin.workflows.batch_delete": "Delete several workflows",
    "admin.workflows.chat": "Chat with the draft of a chat flow",
    "admin.workflows.import_canvas": "Import a workflow",
    "admin.workflows.list_references": "List what uses a workflow",
    "admin.workflows.review": "Review workflows to be imported",
    "admin.workspaces.list_all": "List all workspaces of the deployment",
    "admin.workspaces.list_deleted": "List workspaces that can be restored",
    "admin.workspaces.find": "Find anything in a workspace",
    "admin.workspaces.get_home": "Get what the home screen shows",
    "admin.workspaces.set_icon": "Set the icon of a workspace",
    "admin.workspaces.transfer": "Transfer the ownership of a workspace",
    "bots.get_online_info": "Get a published bot",
    "chats.get_by_post": "Get chat (POST)",
    "chats.list_messages_by_post": "List chat messages (POST)",
    "chats.submit_tool_outputs": "Submit tool outputs to a chat",
    "connectors.update_bot": "Report the review of a bot on a connector",
    "documents.list_by_get": "List documents (GET)",
    "messages.create_feedback": "Rate a message",
    "messages.delete_feedback": "Take back the rating of a message",
    "messages.get_by_post": "Get message (POST)",
    "oauth.complete_grant": "Complete a grant",
    "openai.responses.compact": "Compact a conversation",
    "openai.responses.count_input_tokens": "Count input tokens",
    "openai.responses.list_input_items": "List input items of a response",
    "operations.get_liveness": "Check whether the process is alive",
    "operations.get_readiness": "Check whether the process is ready",
    "operations.get_startup": "Check whether the process has started",
    "runs.follow": "Follow the events of a run",
    "share.cancel_run": "Cancel a visitor's run",
    "share.create_chat": "Chat as a visitor",
    "share.follow_run": "Follow the events of a visitor's run",
    "share.get_link": "Get a share link as visitors see it",
    "share.give_feedback": "Rate an answer as a visitor",
    "share.list_conversations": "List a visitor's conversations",
    "share.list_messages": "List messages of a visitor's conversation",
    "share.open_session": "Open a visitor's session",
    "share.submit_outputs": "Submit tool outputs to a visitor's run",
    "share.upload_file": "Upload a visitor's file",
    "users.get_me": "Get the account of the token",
    "workflows.chat": "Chat with a workflow",
    "workflows.get_run_by_query": "Get workflow run (query)",
    "workflows.stream_resume": "Resume a workflow run as a stream",
    "workflows.stream_run": "Run a workflow as a stream",
}
"""Summaries of operations whose name is no sentence."""

_MAX_SUMMARY: Final = 60
_LAYERS: Final = ("api.", "application.", "domain.")
_COPIES: Final = "api.body.shape"
"""Where bodies are copied that refuse unknown fields, once they are read."""


def resource_of(operation_id: str) -> str:
    """Return what an operation is about: its name without the verb."""
    return operation_id.rpartition(".")[0]


def tag(resource: str) -> str:
    """Return the title of the group of a resource: ``Admin Workflow Runs``."""
    words = resource.replace(".", "_").split("_")
    return " ".join(_TITLES.get(word, word.capitalize()) for word in words)


def summary(operation_id: str) -> str:
    """Say in a few words what an operation does, from its name: a verb and what it is about."""
    if operation_id in _SPECIAL:
        return _SPECIAL[operation_id]
    *_, resource, name = operation_id.split(".")
    verb, *more = name.split("_")
    is_several = verb in _OF_SEVERAL and (not more or more[0] in _WHICH | {"by"})
    words = "" if resource == "operations" else resource.replace("_", " ")
    thing = words if is_several or resource in _ALWAYS_SEVERAL else _one(words)
    if more and more[0] in _WHICH:
        thing = f"{more.pop(0)} {thing}"
    told = " ".join(filter(None, [verb.capitalize(), thing, *more])).split(" ")
    return " ".join(_SPELLED.get(word, word) for word in told)[:_MAX_SUMMARY]


def _one(words: str) -> str:
    """Return the singular of a resource."""
    if words.endswith("ies"):
        return f"{words[:-3]}y"
    return words.removesuffix("s") if not words.endswith("ss") else words


def tag_list(resources: Iterable[str]) -> list[dict[str, str]]:
    """Describe the groups of operations; raise ``ValueError`` for a resource without a text."""
    if unknown := set(resources) - TAGS.keys():
        raise ValueError(f"Say in TAGS what these are for: {', '.join(sorted(unknown))}.")
    return [{"name": tag(each), "description": TAGS[each]} for each in sorted(set(resources))]


def field_words(component: Mapping[str, Any], struct: type) -> dict[str, str]:
    """Return the words that stand below the fields of a class, by their names on the wire."""
    told = _words(struct)
    wire = {each.name: each.encode_name for each in msgspec.structs.fields(struct)}
    names = component.get("properties", {})
    return {wire.get(f, f): text for f, text in told.items() if wire.get(f, f) in names}


def always_sent(kind: type[msgspec.Struct]) -> Iterable[str]:
    """Name the fields that every instance is sent with."""
    config = kind.__struct_config__
    if config.tag is not None:
        yield str(config.tag_field)
    for each in msgspec.structs.fields(kind):
        may_lack = each.default is msgspec.UNSET or (config.omit_defaults and not each.required)
        if not may_lack:
            yield each.encode_name


def _words(kind: type) -> dict[str, str]:
    """Read the texts below the fields of a class and of what it was made from."""
    found: dict[str, str] = {}
    source = kind.projected_of if isinstance(kind, Projected) else None
    if isinstance(source, type):
        found |= _words(source)
    for each in reversed(kind.__mro__):
        found |= _own_words(each)
    return found


def _own_words(kind: type) -> Mapping[str, str]:
    return _words_in(kind.__module__).get(kind.__qualname__, {})


@cache
def _words_in(module: str) -> Mapping[str, Mapping[str, str]]:
    """Read the texts below the fields of all classes of a module, which is parsed once."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError, KeyError):
        return {}
    return {each.name: dict(_texts(each)) for each in tree.body if isinstance(each, ast.ClassDef)}


def _texts(described: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, text in pairwise(described.body):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
            and isinstance(text.value.value, str)
        ):
            yield field.target.id, inspect.cleandoc(text.value.value).replace("\n", " ")


class Types:
    """The structures and enumerations that answers and bodies are made of, for their components."""

    def __init__(self) -> None:
        self._structs = _named_structs()
        self._enumerations = _named(Enum)

    def of(self, name: str, component: Mapping[str, Any]) -> type | None:
        """Return the type of that name with just these fields or values.

        Those of the surfaces come before those of use cases and values; where two of one layer fit,
        nobody knows which is meant. What else the process has loaded does not count.
        """
        fitting: list[type] = [
            kind
            for kind in self._structs.get(name, ())
            if _field_names(kind) == component.get("properties", {}).keys()
        ]
        values = {*component.get("enum", ()), component.get("const")} - {None}
        fitting += [
            kind
            for kind in self._enumerations.get(name, ())
            if {each.value for each in kind} == values
        ]
        for layer in _LAYERS:
            of_layer = [kind for kind in fitting if kind.__module__.startswith(layer)]
            if of_layer:
                return of_layer[0] if len(of_layer) == 1 else None
        return None


def required_fields(components: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return what answers always have, of components that are one structure by name and fields."""
    structs = _named_structs()
    found: dict[str, list[str]] = {}
    for name, component in components.items():
        names = component.get("properties", {}).keys()
        sent = {tuple(always_sent(k)) for k in structs.get(name, ()) if _field_names(k) == names}
        if len(sent) == 1:
            found[name] = list(sent.pop())
    return found


def _field_names(kind: type[msgspec.Struct]) -> set[str]:
    tag = kind.__struct_config__.tag_field
    return {each.encode_name for each in msgspec.structs.fields(kind)} | ({tag} if tag else set())


def _named_structs() -> dict[str, list[type[msgspec.Struct]]]:
    return _named(msgspec.Struct)


def _named(root: type[T]) -> dict[str, list[type[T]]]:
    """Return what is derived from a type, in our layers, by name."""
    found: dict[str, list[type[T]]] = {}
    waiting: list[type[T]] = [root]
    seen: set[type[T]] = set()
    while waiting:
        known: list[type[T]] = type.__subclasses__(waiting.pop())
        for kind in known:
            if kind not in seen:
                seen.add(kind)
                waiting.append(kind)
                if kind.__module__.startswith(_LAYERS) and kind.__module__ != _COPIES:
                    found.setdefault(kind.__name__, []).append(kind)
    return found
