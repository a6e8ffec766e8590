"""Table of routes: what a caller needs for each, read by the gate, the document, tests and docs.

A route stands here by the name of its operation, or by its path if the document does not show it;
one that does not is refused when the application is built. Services check rights once more, in the
workspace of what is asked for, which the entry does not know yet.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler

from api.entry.traffic import traffic_of
from api.error import is_openai_path
from application.shared.traffic import Traffic
from domain.shared.access import GrantLevel, Permission, ResourceKind, Role, level_for


class Level(StrEnum):
    """Who may call at all."""

    PUBLIC = "public"
    """Everybody; signed addresses check themselves."""
    TOKEN = "token"  # noqa: S105 - no secret
    """Whoever has a token with the permissions."""
    ROLE = "role"
    """Whose token holds all that a role may, for the role is given or taken."""
    DEPLOYMENT = "deployment"
    """Whose token has no limits; most of it only administrators of the deployment."""
    SELF = "self"
    """Whoever is signed in, or has a token without limits, for what is their own."""
    SESSION = "session"
    """Whoever is signed in with a browser; no token does."""
    LINK = "link"
    """Visitors of the share link that the path names, with a token of that link; nobody else."""


@dataclass(frozen=True, kw_only=True)
class Access:
    """What a caller needs."""

    level: Level = Level.TOKEN
    permissions: frozenset[Permission] = frozenset()
    """Each of them, whatever is asked for."""

    sometimes: frozenset[Permission] = frozenset()
    """Needed by some requests besides."""

    role: Role | None = None
    grant_level: GrantLevel | None = None
    """Weakest grant that suffices, where the permissions do not say it."""

    takes_grants: bool = True
    is_of_own: bool = False
    """Asks for what the caller itself said or ran, found by who made it."""

    is_open_to_browsers: bool = False
    is_audited: bool = False
    needs_recent_sign_in: bool = False
    """Of a session, ten minutes ago at most; a token needs its permissions only."""
    is_of_own_pages: bool = False
    """Public, but for pages of this server: what a session begins with."""
    is_counted: bool = False
    """Public, and counted for the address that asks."""


@dataclass(frozen=True, kw_only=True)
class Sharing:
    """A grant that a route takes instead of a role: of at least this level, on what it names."""

    kind: ResourceKind
    parameter: str
    """Of the path, or else of the query."""

    level: GrantLevel
    permissions: frozenset[Permission]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One route of the table."""

    operation: str
    """Empty where the document does not show the route."""

    method: str
    path: str
    surface: str
    access: Access
    resource: str
    """Parameter of the path that leads to the workspace; empty where query or body do."""

    traffic: Traffic
    sharing: Sharing | None


_BY_PERMISSION: Final[Mapping[tuple[Permission, ...], str]] = {
    (): """
        openai.responses.cancel openai.responses.compact openai.responses.count_input_tokens
        openai.responses.create openai.responses.delete
        openai.responses.get openai.responses.list_input_items
        admin.traces.diff admin.traces.export admin.traces.get admin.traces.get_span
        admin.traces.list admin.traces.replay
        admin.data_requests.create admin.data_requests.get admin.data_requests.get_archive
        admin.grants.delete admin.grants.list admin.grants.set
        admin.icons.list admin.models.count_tokens admin.models.list admin.prices.list
        admin.variables.list_system
        openai.chat_completions.create openai.models.get openai.models.list users.get_me
    """,
    (Permission.ADMIN,): """
        admin.tokens.create admin.tokens.delete admin.tokens.get admin.tokens.list
        admin.tokens.update
    """,
    (Permission.AGENT_PUBLISH,): """
        admin.agents.publish admin.agents.unpublish admin.apps.publish
        admin.share_links.create admin.share_links.delete admin.share_links.get
        admin.share_links.list admin.share_links.reset_key admin.share_links.update
        bots.publish bots.unpublish connectors.update_bot
    """,
    (Permission.AGENT_READ,): """
        admin.agents.export admin.agents.get admin.agents.get_display admin.agents.get_version
        admin.agents.list admin.agents.list_connectors admin.agents.list_versions
        admin.agents.validate
        admin.app_conversations.list admin.apps.get admin.apps.get_publication admin.apps.list
        admin.apps.list_publications admin.prompts.get admin.prompts.list
        admin.prompts.list_references
        admin.prompts.list_official admin.shortcuts.list admin.templates.list
        admin.variables.list apps.get apps.list
        bots.get bots.get_online_info bots.list bots.list_published bots.list_versions
    """,
    (Permission.AGENT_READ, Permission.AGENT_WRITE): """
        admin.agents.duplicate admin.templates.duplicate templates.duplicate
    """,
    (Permission.AGENT_WRITE,): """
        admin.agents.assist admin.agents.create admin.agents.delete
        admin.agents.import_document admin.agents.restore admin.agents.restore_version
        admin.agents.set_display admin.agents.set_template admin.agents.undo_restore
        admin.agents.update
        admin.app_conversations.create admin.app_conversations.delete
        admin.app_conversations.update admin.apps.copy admin.apps.create admin.apps.delete
        admin.apps.update admin.databases.unbind admin.prompts.create admin.prompts.delete
        admin.prompts.update admin.shortcuts.create admin.shortcuts.delete admin.shortcuts.reorder
        admin.shortcuts.update admin.variables.replace bots.create bots.update
    """,
    (Permission.AGENT_WRITE, Permission.DATASET_READ): """
        admin.databases.bind
    """,
    (Permission.CHAT,): """
        admin.agents.chat admin.runs.cancel admin.runs.follow
        admin.runs.submit_tool_outputs admin.tokens.issue_for_browser chats.cancel chats.create
        chats.get chats.get_by_post chats.list_messages chats.list_messages_by_post
        chats.submit_tool_outputs runs.follow
    """,
    (Permission.CONVERSATION_READ,): """
        admin.conversations.get admin.conversations.list admin.support_conversations.list
        conversations.get conversations.list
    """,
    (Permission.CONVERSATION_WRITE,): """
        admin.conversations.clear admin.conversations.create admin.conversations.delete
        admin.conversations.fork admin.conversations.update
        conversations.clear conversations.create conversations.delete conversations.update
    """,
    (Permission.DATASET_READ,): """
        admin.database_imports.get admin.databases.get admin.databases.list_references
        admin.databases.get_template
        admin.databases.list admin.datasets.get admin.datasets.get_health
        admin.datasets.get_progress admin.datasets.list admin.datasets.list_examined
        admin.datasets.list_references admin.datasets.search admin.documents.export
        admin.documents.get admin.documents.get_image admin.documents.get_original
        admin.documents.get_page_image admin.documents.get_page_text
        admin.documents.get_reading admin.documents.list_pages admin.documents.list
        admin.datasets.list_images admin.previews.get admin.previews.get_page_image
        admin.previews.get_page_text admin.previews.list_pages admin.slices.list
        datasets.get_progress
        datasets.list datasets.search documents.list documents.list_by_get images.list slices.list
    """,
    (Permission.DATASET_READ, Permission.DATASET_WRITE): """
        admin.databases.update admin.datasets.copy admin.datasets.update
        admin.documents.delete admin.documents.set_caption admin.slices.merge admin.slices.reset
        admin.slices.split documents.update_tags
        images.update slices.create slices.update
    """,
    (Permission.DATASET_WRITE,): """
        admin.database_imports.create admin.database_imports.preview
        admin.databases.create admin.databases.delete admin.databases.reset
        admin.datasets.create admin.datasets.delete
        admin.datasets.infer_table_schema admin.datasets.reconcile
        admin.datasets.reindex admin.datasets.resegment admin.datasets.validate_table_schema
        admin.documents.batch_update admin.documents.create admin.documents.extract_caption
        admin.documents.replace_tags admin.documents.update admin.previews.commit
        admin.previews.create admin.previews.update admin.slices.create admin.slices.delete
        admin.slices.update admin.tasks.cancel admin.tasks.list admin.tasks.retry
        datasets.create datasets.delete datasets.update documents.create
        documents.delete documents.update slices.delete
    """,
    (Permission.FILE,): """
        admin.files.create admin.files.delete admin.files.get admin.files.get_url files.get
        files.upload openai.files.create openai.files.delete openai.files.download
        openai.files.get openai.files.list
    """,
    (Permission.MESSAGE_READ,): """
        admin.conversations.list_messages admin.support_conversations.get_transcript
        messages.get messages.get_by_post messages.list
    """,
    (Permission.MESSAGE_WRITE,): """
        admin.conversations.delete_message admin.conversations.delete_feedback
        admin.conversations.set_feedback
        admin.conversations.update_message
        messages.create messages.create_feedback messages.delete messages.delete_feedback
        messages.update
    """,
    (Permission.MODEL_USE,): """
        admin.models.try_out openai.embeddings.create openai.reranks.create
    """,
    (Permission.PLUGIN_READ,): """
        admin.plugin_hosts.get admin.plugin_tools.get admin.plugin_tools.list admin.plugins.get
        admin.plugins.get_grant admin.plugins.list admin.plugins.list_changes
        admin.plugins.list_programs admin.plugins.list_versions admin.plugins.revoke_grant
    """,
    (Permission.PLUGIN_WRITE,): """
        admin.plugin_tools.create admin.plugin_tools.debug admin.plugin_tools.delete
        admin.plugin_tools.update admin.plugins.create admin.plugins.delete
        admin.plugins.import_definition admin.plugins.publish admin.plugins.review
        admin.plugins.set_auth admin.plugins.update admin.server_tools.accept
        admin.server_tools.inspect
    """,
    (Permission.SPACE_READ,): """
        admin.data_requests.list admin.members.list admin.workspaces.find admin.workspaces.get
        admin.workspaces.get_home admin.workspaces.list members.list workspaces.list
    """,
    (Permission.FILE, Permission.SPACE_WRITE): """
        admin.workspaces.set_icon
    """,
    (Permission.SPACE_WRITE,): """
        admin.audit_log.export admin.audit_log.list admin.budgets.create admin.budgets.delete
        admin.budgets.update admin.channels.create admin.channels.delete admin.channels.get
        admin.channels.list admin.channels.test admin.channels.update
        admin.chats.get admin.chats.list
        admin.plugin_hosts.set
        admin.invitations.delete admin.invitations.list
        admin.group_members.delete admin.group_members.add admin.groups.delete admin.groups.get
        admin.groups.update admin.workspace_groups.create admin.workspace_groups.list
        admin.oauth_apps.create admin.oauth_apps.delete admin.oauth_apps.get
        admin.oauth_apps.list admin.oauth_apps.reset_secret admin.oauth_apps.update
        admin.service_tokens.create admin.service_tokens.delete admin.service_tokens.get
        admin.service_tokens.list admin.service_tokens.rotate admin.service_tokens.update
        admin.retention.get admin.retention.set
        admin.trace_settings.get admin.trace_settings.set
        admin.workspaces.delete admin.workspaces.update
    """,
    (Permission.TRACE_READ,): """
        admin.trace_stats.get admin.traces.pin admin.traces.unpin
    """,
    (Permission.USAGE_READ,): """
        admin.budgets.get admin.budgets.list admin.usage.get admin.usage.list_entries
    """,
    (Permission.VARIABLE,): """
        admin.app_end_users.list admin.app_user_variables.list
        admin.app_user_variables.reset admin.app_user_variables.update
        admin.databases.explain_sql
        admin.databases.export admin.databases.run_sql admin.end_users.list
        admin.memories.clear admin.memories.delete admin.memories.get_consent
        admin.memories.list admin.memories.set_consent admin.memories.update
        admin.records.delete admin.records.insert admin.records.query
        admin.records.update admin.user_variables.list admin.user_variables.reset
        admin.user_variables.update variables.get variables.update
    """,
    (Permission.WORKFLOW_READ,): """
        admin.node_types.list admin.workflow_runs.follow admin.workflow_runs.get
        admin.workflow_runs.get_trace admin.workflow_runs.list
        admin.workflow_runs.list_node_history admin.workflows.export admin.workflows.get
        admin.workflows.get_canvas admin.workflows.get_role admin.workflows.get_tool_settings
        admin.workflows.list admin.workflows.list_references admin.workflows.list_test_inputs
        admin.workflows.list_versions admin.workflows.validate workflows.get
        workflows.get_node_output workflows.get_run workflows.get_run_by_query workflows.list
        workflows.list_versions
    """,
    (Permission.WORKFLOW_READ, Permission.WORKFLOW_RUN): """
        admin.workflow_runs.cancel workflows.stream_run
    """,
    (Permission.WORKFLOW_READ, Permission.WORKFLOW_WRITE): """
        admin.workflows.copy
    """,
    (Permission.WORKFLOW_RUN,): """
        admin.workflow_runs.resume admin.workflows.chat workflows.chat workflows.run
        workflows.stream_resume
    """,
    (Permission.WORKFLOW_RUN, Permission.WORKFLOW_WRITE): """
        admin.workflows.test
    """,
    (Permission.WORKFLOW_WRITE,): """
        admin.workflow_runs.repeat admin.workflows.batch_delete admin.workflows.create
        admin.workflows.delete admin.workflows.delete_role admin.workflows.delete_test_input
        admin.workflows.import_canvas admin.workflows.publish admin.workflows.restore
        admin.workflows.restore_version admin.workflows.review admin.workflows.save_canvas
        admin.workflows.save_test_input admin.workflows.set_role admin.workflows.test_node
        admin.workflows.update
    """,
}

_SOMETIMES: Final[Mapping[Permission, str]] = {
    Permission.CHAT: """
        openai.responses.cancel openai.responses.compact openai.responses.count_input_tokens
        openai.responses.create openai.responses.delete
        openai.responses.get openai.responses.list_input_items
        openai.chat_completions.create
    """,
    Permission.DATASET_WRITE: """
        admin.databases.explain_sql
        admin.databases.export admin.databases.run_sql admin.records.delete admin.records.insert
        admin.records.query admin.records.update
    """,
    Permission.FILE: """
        admin.datasets.infer_table_schema admin.datasets.validate_table_schema
        admin.documents.create admin.previews.create documents.create
    """,
    Permission.TRACE_READ: """
        admin.traces.diff admin.traces.export admin.traces.get admin.traces.get_span
        admin.traces.list admin.traces.replay admin.support_conversations.list
        admin.support_conversations.get_transcript
    """,
    Permission.SPACE_WRITE: """
        admin.data_requests.create admin.data_requests.get admin.data_requests.get_archive
        admin.data_requests.list
        admin.grants.delete admin.grants.list admin.grants.set
    """,
}
"""What some requests need besides: rows of everybody, a file, an agent instead of a model, runs
that are no own tests, data of others."""

_OF_DEPLOYMENT: Final = """
    admin.audit_log.verify admin.groups.create admin.groups.list
    admin.oidc_providers.create admin.oidc_providers.delete admin.oidc_providers.get
    admin.oidc_providers.list admin.oidc_providers.test admin.oidc_providers.update
    admin.model_providers.list admin.models.create admin.models.delete admin.models.get
    admin.models.check admin.models.get_figures
    admin.models.test admin.models.update admin.prices.create admin.users.create
    admin.users.create_link admin.users.delete_sessions admin.users.list admin.users.list_sessions
    admin.usage.import_report admin.usage.reconcile admin.users.update admin.workspaces.create
    admin.workspaces.list_all admin.oauth_apps.list_all
    admin.dead_letters.drop admin.dead_letters.get admin.dead_letters.list
    admin.dead_letters.retry admin.operations.examine admin.operations.get_health
    admin.operations.get_metrics admin.operations.list_logs admin.operations.list_processes
    admin.operations.list_queues admin.operations.list_settings
"""
"""What only a token without limits may; most of it only that of an administrator."""

_BY_ROLE: Final[Mapping[str, Role]] = {
    "admin.invitations.create": Role.VIEWER,
    "admin.members.create": Role.VIEWER,
    "admin.members.delete": Role.OWNER,
    "admin.members.update": Role.OWNER,
    "admin.workspaces.transfer": Role.OWNER,
    "members.create": Role.VIEWER,
    "members.delete": Role.OWNER,
}
"""Where a token must hold `workspace.write` and all that a role may: the role is given or taken."""

_OF_BROWSERS: Final = """
    bots.get bots.get_online_info chats.cancel chats.create chats.get chats.get_by_post
    chats.list_messages chats.list_messages_by_post chats.submit_tool_outputs
    conversations.clear conversations.create conversations.delete conversations.get
    conversations.list conversations.update files.get files.upload messages.create
    messages.create_feedback messages.delete messages.delete_feedback messages.get
    messages.get_by_post messages.list messages.update openai.chat_completions.create
    openai.files.download runs.follow users.get_me
"""
"""All that a token for browsers may call: strangers hold it, to chat with one agent."""

_OF_SELF: Final = """
    admin.auth.delete_avatar admin.auth.delete_session admin.auth.delete_sessions
    admin.auth.get_me admin.auth.set_avatar
    admin.auth.get_preferences admin.auth.list_sessions admin.auth.set_preferences
    admin.auth.update_me admin.invitations.accept admin.live.follow admin.oauth_grants.delete
    admin.oauth_grants.list admin.presence.set admin.workspaces.leave
    admin.workspaces.list_deleted admin.workspaces.restore
"""
"""What everybody does about themselves."""

_OF_SESSIONS: Final = """
    admin.auth.confirm_password admin.auth.get_session admin.auth.logout admin.auth.set_password
    admin.oauth_requests.answer admin.oauth_requests.find_by_user_code admin.oauth_requests.get
"""
"""What only a person at a browser does."""

_OF_LINKS: Final = """
    share.cancel_run share.create_chat share.follow_run share.give_feedback
    share.list_conversations share.list_messages share.submit_outputs share.upload_file
"""
"""What visitors of a share link do with what it leads to."""

_RECENT: Final = """
    admin.oauth_apps.create admin.oauth_apps.reset_secret admin.service_tokens.create
    admin.oidc_providers.create admin.oidc_providers.update
    admin.service_tokens.rotate admin.share_links.reset_key admin.tokens.create
    admin.users.create admin.users.create_link admin.workspaces.delete
"""
"""What shows a secret, makes administrators, or cannot be undone."""

_OF_OWN_PAGES: Final = """
    admin.auth.exchange_token admin.auth.login admin.auth.register admin.auth.redeem_ticket
"""
"""What a session begins with."""

_NOT_AUDITED: Final = """
    admin.agents.assist admin.agents.chat admin.agents.validate admin.audit_log.verify
    admin.operations.examine
    admin.conversations.clear admin.conversations.create admin.conversations.fork
    admin.conversations.update admin.datasets.infer_table_schema admin.datasets.search
    admin.database_imports.preview admin.databases.explain_sql
    admin.conversations.delete_message admin.conversations.delete_feedback
    admin.conversations.set_feedback
    admin.conversations.update_message admin.runs.cancel admin.runs.submit_tool_outputs
    admin.datasets.validate_table_schema admin.models.check admin.models.count_tokens
    admin.models.test
    admin.models.try_out
    admin.oauth_requests.find_by_user_code admin.oidc_providers.test admin.plugin_tools.debug
    admin.plugins.review admin.presence.set admin.records.query admin.server_tools.inspect
    admin.traces.replay
    admin.workflow_runs.cancel
    admin.workflow_runs.repeat admin.workflow_runs.resume admin.workflows.chat
    admin.workflows.review admin.workflows.test admin.workflows.test_node
    admin.workflows.validate chats.cancel chats.create chats.get_by_post
    chats.list_messages_by_post chats.submit_tool_outputs conversations.clear conversations.create
    conversations.update datasets.get_progress datasets.search documents.list messages.create
    messages.create_feedback messages.delete messages.delete_feedback messages.get_by_post
    messages.list messages.update openai.chat_completions.create openai.embeddings.create
    openai.reranks.create openai.responses.cancel openai.responses.compact
    openai.responses.count_input_tokens openai.responses.create openai.responses.delete
    share.cancel_run share.create_chat share.give_feedback share.open_session share.submit_outputs
    share.upload_file variables.update workflows.chat workflows.run workflows.stream_resume
    workflows.stream_run
"""
"""What changes nothing, or only chats and runs, which have records of their own."""

_AUDITED_READS: Final = """
    admin.audit_log.export admin.chats.get admin.data_requests.get_archive oauth.complete_grant
    admin.support_conversations.get_transcript
"""
"""What is told of although it is asked for by ``GET``: it shows administrators what others said,
or ends what an address began."""

_BY_LEVEL: Final[Mapping[GrantLevel, str]] = {
    GrantLevel.PUBLISH: """
        admin.plugins.publish admin.workflows.publish
    """,
    GrantLevel.MANAGE: """
        admin.agents.delete admin.agents.restore admin.apps.delete admin.databases.delete
        admin.databases.reset admin.datasets.delete admin.plugins.delete admin.plugins.set_auth
        admin.prompts.delete admin.workflows.delete admin.workflows.restore
        datasets.delete
    """,
}
"""What needs a stronger grant than its permissions say."""

_OF_MEMBERS: Final = """
    admin.agents.duplicate admin.agents.set_template admin.apps.copy admin.databases.bind
    admin.databases.list_references
    admin.databases.unbind admin.datasets.copy admin.datasets.list_references
    admin.workflows.copy admin.workflows.list_references admin.templates.duplicate
    admin.templates.list templates.duplicate
"""
"""What no grant allows: it makes or shows other things of the workspace."""

_OF_OWN: Final = """
    admin.conversations.clear admin.conversations.delete admin.conversations.fork
    admin.conversations.update admin.conversations.delete_message
    admin.conversations.delete_feedback
    admin.conversations.set_feedback admin.conversations.update_message admin.runs.cancel
    admin.runs.follow
    admin.runs.submit_tool_outputs
    admin.workflow_runs.cancel admin.workflow_runs.follow admin.workflow_runs.get
    admin.workflow_runs.get_trace admin.workflow_runs.list_node_history admin.workflow_runs.resume
    chats.cancel chats.get chats.get_by_post chats.list_messages chats.list_messages_by_post
    chats.submit_tool_outputs conversations.clear conversations.delete conversations.get
    conversations.update messages.create messages.create_feedback messages.delete
    messages.delete_feedback messages.get messages.get_by_post messages.list messages.update
    openai.responses.cancel openai.responses.delete openai.responses.get
    openai.responses.list_input_items runs.follow workflows.stream_resume
"""
"""What asks for conversations, chats and runs, which belong to whoever began them."""

_PUBLIC: Final = """
    admin.auth.list_sign_in_methods admin.invitations.look_up avatars.download
    files.download_signed icons.download
    images.download oauth.complete_grant
    operations.get_health operations.get_liveness operations.get_metrics operations.get_readiness
    operations.get_startup operations.get_version share.get_link share.open_session
"""

_UNCOUNTED: Final = """
    avatars.download files.download_signed icons.download images.download operations.get_health
    operations.get_liveness operations.get_metrics operations.get_readiness operations.get_startup
    operations.get_version
"""
"""Of these, what pages are made of and what machines watch: it is asked for often, and is cheap."""

PUBLIC_PATHS: Final = frozenset(
    {
        "/",
        "/console",
        "/console/account",
        "/console/assets/{name}",
        "/console/sign-in",
        "/console/sign-in.css",
        "/console/sign-in.js",
        "/console/consent",
        "/console/consent.js",
        "/console/device",
        "/console/third-party.txt",
        "/console/welcome",
        "/console/{path}",
        "/admin/v1/csp-reports",
        "/admin/v1/auth/oidc/{provider}/backchannel-logout",
        "/admin/v1/auth/oidc/{provider}/callback",
        "/admin/v1/auth/oidc/{provider}/start",
        "/channels/{public_id}",
        "/embed.js",
        "/s/{link_code}",
        "/docs",
        "/schema/openapi.json",
        "/api/permission/oauth2/account/{account_id}/token",
        "/api/permission/oauth2/authorize",
        "/api/permission/oauth2/device/code",
        "/api/permission/oauth2/token",
        "/api/permission/oauth2/workspace_id/{workspace_id}/authorize",
        "/api/permission/oauth2/workspace_id/{workspace_id}/device/code",
    }
)
"""Routes outside the document that answer without a token; those of OAuth take other proofs."""

SESSION_PATHS: Final = frozenset(
    {"/console/frame/file/{file_id}", "/console/frame/span/{run_id}/{span_id}"}
)
"""Routes outside the document for a person at a browser; services ask for the rights."""

_GUARDED_NAMES: Final = frozenset({"unsupported"})
_GUARDED_PREFIXES: Final = ("/mcp/",)
"""Routes outside the document that need a token, and rights that what they lead to asks for."""


def _routes() -> dict[str, Access]:
    levels = {name: level for level, names in _BY_LEVEL.items() for name in names.split()}
    found = {
        operation: Access(
            permissions=frozenset(permissions),
            sometimes=frozenset(p for p, each in _SOMETIMES.items() if operation in each.split()),
            grant_level=levels.get(operation),
            takes_grants=operation not in _OF_MEMBERS.split(),
            is_of_own=operation in _OF_OWN.split(),
            is_open_to_browsers=operation in _OF_BROWSERS.split(),
        )
        for permissions, operations in _BY_PERMISSION.items()
        for operation in operations.split()
    }
    for name in _OF_DEPLOYMENT.split():
        found[name] = Access(level=Level.DEPLOYMENT)
    for name, role in _BY_ROLE.items():
        found[name] = Access(
            level=Level.ROLE, permissions=frozenset({Permission.SPACE_WRITE}), role=role
        )
    for name in _PUBLIC.split():
        found[name] = Access(level=Level.PUBLIC, is_counted=name not in _UNCOUNTED.split())
    for level, names in {
        Level.SELF: _OF_SELF,
        Level.SESSION: _OF_SESSIONS,
        Level.LINK: _OF_LINKS,
    }.items():
        for name in names.split():
            found[name] = Access(level=level)
    for name in _OF_OWN_PAGES.split():
        # A failed sign-in counts for its account; an account that is opened, for the address.
        is_counted = name == "admin.auth.register"
        found[name] = Access(level=Level.PUBLIC, is_of_own_pages=True, is_counted=is_counted)
    for name in _RECENT.split():
        found[name] = replace(found[name], needs_recent_sign_in=True)
    return found


_OF_COZE: Final = ("/v1/", "/v3/", "/open_api/", "/api/")
_OWN: Final = ("/v1/runs/",)

_KINDS: Final[Mapping[str, ResourceKind]] = {
    "agent_id": ResourceKind.AGENT,
    "app_id": ResourceKind.APP,
    "bot_id": ResourceKind.AGENT,
    "database_id": ResourceKind.DATABASE,
    "dataset_id": ResourceKind.DATASET,
    "plugin_id": ResourceKind.PLUGIN,
    "prompt_id": ResourceKind.PROMPT,
    "workflow_id": ResourceKind.WORKFLOW,
}
"""Parameters that name what can be granted."""

_ASKED: Final[Mapping[str, str]] = {
    "bots.get_online_info": "bot_id",
    "conversations.list": "bot_id",
}
"""Routes that name it in the query."""

_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_PARAMETER: Final = re.compile(r"\{(\w+)")

ROUTES: Final[Mapping[str, Access]] = _routes()
"""What each operation needs."""

_PAGE_HEAD: Final = """# Routes

Who may call what: the permissions that a token must leave, in the workspace of what is asked for.
The resource is the parameter of the path that leads to that workspace; where there is none, the
query or the body does. A grant of the level named, on that resource, does instead of a role.
Generated from `src/api/entry/route.py` by `make idl`.

| Method | Path | Operation | Needs | Resource | Grant | Audited | Class |
|---|---|---|---|---|---|---|---|"""

_COUNTED_PATHS: Final = frozenset({"/admin/v1/csp-reports"})
_COUNTED_ACCESS: Final = Access(level=Level.PUBLIC, is_counted=True)
_PUBLIC_ACCESS: Final = Access(level=Level.PUBLIC)
_SESSION_ACCESS: Final = Access(level=Level.SESSION)
_TOKEN_ACCESS: Final = Access()


class UndeclaredRoute(Exception):
    """A route is served of which the table does not say who may call it."""


def access_of(handler: Any, method: str, path: str) -> Access:
    """Return what a route needs; one that nobody declared needs a token and is shut to browsers."""
    operation = operation_of(handler, method)
    declared = ROUTES.get(operation)
    if declared is not None:
        return replace(declared, is_audited=_is_audited(operation, method))
    if path in _COUNTED_PATHS:
        return _COUNTED_ACCESS
    if path in SESSION_PATHS:
        return _SESSION_ACCESS
    return _PUBLIC_ACCESS if path in PUBLIC_PATHS else _TOKEN_ACCESS


def sharing_of(operation: str, path: str, access: Access) -> Sharing | None:
    """Return which grant a route takes instead of a role; None if it takes none."""
    if access.level is not Level.TOKEN or not access.takes_grants:
        return None
    named = [_ASKED[operation]] if operation in _ASKED else _PARAMETER.findall(path)
    parameter = next((each for each in named if each in _KINDS), None)
    if parameter is None:
        return None
    kind, permissions = _KINDS[parameter], access.permissions
    enough = level_for(kind, permissions)
    if enough is None or not permissions:
        return None
    if access.grant_level is not None and not enough.holds(access.grant_level):
        enough = access.grant_level
    return Sharing(kind=kind, parameter=parameter, level=enough, permissions=permissions)


def _is_audited(operation: str, method: str) -> bool:
    if method in _READING:
        return operation in _AUDITED_READS.split()
    return operation not in _NOT_AUDITED.split()


def table(app: Litestar) -> list[Row]:
    """Return every route that an application serves; raise ``UndeclaredRoute``."""
    rows = sorted(_rows(app), key=lambda row: (row.path, row.method))
    for row in rows:
        is_known = row.operation in ROUTES or row.path in PUBLIC_PATHS | SESSION_PATHS
        if not is_known and not row.path.startswith(_GUARDED_PREFIXES):
            raise UndeclaredRoute(
                f"{row.method} {row.path}: say in api/entry/route.py who may call "
                f"{row.operation or 'it'}."
            )
    return rows


def page(rows: Iterable[Row]) -> str:
    """Write the table for people, in Markdown."""
    lines = [_PAGE_HEAD]
    lines += [
        f"| {row.method} | `{row.path}` | {row.operation} | {_needs(row.access)} | {row.resource} "
        f"| {row.sharing.level.value if row.sharing else ''} "
        f"| {'yes' if row.access.is_audited else ''} | {row.traffic.value} |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def _needs(access: Access) -> str:
    """Say in words what a caller needs."""
    needs = _at_least(access)
    return f"{needs}; in a browser a recent sign-in" if access.needs_recent_sign_in else needs


_PLAIN_NEEDS: Final[Mapping[Level, str]] = {
    Level.SELF: "a session, or a token without limits",
    Level.SESSION: "a session",
    Level.LINK: "a token of the share link",
    Level.DEPLOYMENT: "a token without limits",
}


def _at_least(access: Access) -> str:
    match access.level:
        case Level.PUBLIC:
            return "a page of this server" if access.is_of_own_pages else "nothing"
        case Level.SELF | Level.SESSION | Level.LINK | Level.DEPLOYMENT:
            return _PLAIN_NEEDS[access.level]
        case Level.ROLE:
            return f"workspace.write, and all that the role {access.role} may, at least"
        case Level.TOKEN:
            always = ", ".join(sorted(access.permissions)) or "a token"
            some = ", ".join(sorted(access.sometimes))
            return f"{always}; for some requests {some}" if some else always


def public_paths(app: Litestar) -> frozenset[str]:
    """Return the paths that answer without a token."""
    return PUBLIC_PATHS | {row.path for row in table(app) if row.access.level is Level.PUBLIC}


def _rows(app: Litestar) -> Iterator[Row]:
    for route in app.routes:
        path = route.path_format
        for handler in getattr(route, "route_handlers", ()):
            if not isinstance(handler, HTTPRouteHandler):
                continue
            if handler.name in _GUARDED_NAMES:  # answers that nothing is there
                continue
            for method in sorted(handler.http_methods - {"OPTIONS"}):
                operation, access = operation_of(handler, method), access_of(handler, method, path)
                yield Row(
                    operation=operation,
                    method=method,
                    path=path,
                    surface=surface_of(path),
                    access=access,
                    resource=path.partition("{")[2].partition("}")[0],
                    traffic=traffic_of(method, path),
                    sharing=sharing_of(operation, path, access),
                )


def operation_of(handler: Any, method: str) -> str:
    """Return the name of what a handler does; empty if the document does not show it."""
    name = handler.operation_id
    return str(name(handler, method, None) if callable(name) else name or "")


def surface_of(path: str) -> str:
    """Name the surface that a path is of: ``coterie`` is ours outside the administration."""
    if path.startswith("/admin/"):
        return "admin"
    if is_openai_path(path):
        return "openai"
    return "coze" if path.startswith(_OF_COZE) and not path.startswith(_OWN) else "coterie"
