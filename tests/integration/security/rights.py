"""Which right each operation needs: the oracle for tokens of all shapes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from domain.shared.access import Permission, Role


@dataclass(frozen=True, kw_only=True)
class Need:
    """What a token must leave of its account's rights; ``permissions`` are all needed."""

    permissions: frozenset[Permission] = frozenset()
    is_unlimited: bool = False
    """No limit of any kind."""
    role: Role | None = None
    """All that this role may do in the space, for it is given or taken."""


_BY_PERMISSION: Final[Mapping[tuple[Permission, ...], str]] = {
    (Permission.AGENT_READ,): """
        admin.agents.get admin.agents.get_display admin.agents.get_version admin.agents.list
        admin.agents.list_connectors admin.agents.list_versions admin.agents.validate
        admin.app_conversations.list admin.apps.get admin.apps.get_publication admin.apps.list
        admin.apps.list_publications admin.prompts.get admin.prompts.list
        admin.prompts.list_official admin.shortcuts.list admin.variables.list apps.get apps.list
        bots.get bots.get_online_info bots.list bots.list_published bots.list_versions
    """,
    (Permission.AGENT_READ, Permission.AGENT_WRITE): """
        admin.agents.duplicate templates.duplicate
    """,
    (Permission.AGENT_WRITE,): """
        admin.agents.create admin.agents.delete admin.agents.restore_version
        admin.agents.set_display admin.agents.set_template admin.agents.update
        admin.app_conversations.create admin.app_conversations.delete
        admin.app_conversations.update admin.apps.copy admin.apps.create admin.apps.delete
        admin.apps.update admin.databases.unbind admin.prompts.create admin.prompts.delete
        admin.prompts.update admin.shortcuts.create admin.shortcuts.delete admin.shortcuts.reorder
        admin.shortcuts.update admin.variables.replace bots.create bots.update
    """,
    (Permission.AGENT_PUBLISH,): """
        admin.agents.publish admin.agents.unpublish admin.apps.publish bots.publish bots.unpublish
        connectors.update_bot
    """,
    (Permission.CHAT,): """
        admin.tokens.issue chats.cancel chats.create chats.get chats.get_by_post
        chats.list_messages chats.list_messages_by_post chats.submit_tool_outputs
        openai.chat_completions.create
        openai.responses.cancel openai.responses.create openai.responses.delete
        openai.responses.get openai.responses.list_input_items runs.follow
    """,
    (Permission.CONVERSATION_WRITE,): """
        conversations.clear conversations.create conversations.delete conversations.update
    """,
    (Permission.CONVERSATION_READ,): """
        admin.conversations.get admin.conversations.list conversations.get conversations.list
    """,
    (Permission.MESSAGE_WRITE,): """
        messages.create messages.create_feedback messages.delete messages.delete_feedback
        messages.update
    """,
    (Permission.FILE,): """
        admin.files.create admin.files.delete admin.files.get admin.files.get_url files.get
        files.upload openai.files.create openai.files.delete openai.files.download openai.files.get
        openai.files.list
    """,
    (Permission.MESSAGE_READ,): """
        admin.conversations.list_messages messages.get messages.get_by_post messages.list
    """,
    (Permission.DATASET_WRITE,): """
        admin.database_imports.create admin.databases.create admin.databases.delete
        admin.databases.reset admin.datasets.infer_table_schema admin.datasets.reconcile
        admin.datasets.reindex admin.datasets.resegment admin.datasets.validate_table_schema
        admin.documents.extract_caption admin.documents.update admin.previews.commit
        admin.previews.create admin.previews.update admin.slices.create admin.slices.delete
        admin.slices.update datasets.create datasets.delete datasets.update documents.delete
        documents.update slices.delete
    """,
    (Permission.DATASET_READ,): """
        admin.database_imports.get admin.databases.get admin.databases.get_template
        admin.databases.list admin.datasets.get admin.datasets.list admin.datasets.list_references
        admin.datasets.search admin.documents.export admin.documents.get admin.previews.get
        admin.slices.list datasets.get_progress datasets.list datasets.search documents.list
        documents.list_by_get images.list slices.list
    """,
    (Permission.DATASET_READ, Permission.DATASET_WRITE): """
        admin.databases.update admin.datasets.copy admin.datasets.update documents.update_tags
        images.update slices.create slices.update
    """,
    (Permission.DATASET_WRITE, Permission.VARIABLE): """
        admin.databases.export admin.databases.run_sql admin.records.delete admin.records.insert
        admin.records.query admin.records.update
    """,
    (Permission.VARIABLE,): """
        admin.memories.clear admin.memories.delete admin.memories.get_consent admin.memories.list
        admin.memories.set_consent admin.memories.update admin.user_variables.list
        admin.user_variables.reset admin.user_variables.update variables.get variables.update
    """,
    (): """
        admin.icons.list admin.models.list admin.variables.list_system users.get_me
    """,
    (Permission.FILE, Permission.DATASET_WRITE): """
        documents.create
    """,
    (Permission.MODEL_USE,): """
        openai.embeddings.create openai.reranks.create
    """,
    (Permission.SPACE_READ,): """
        admin.members.list admin.workspaces.get admin.workspaces.list members.list workspaces.list
    """,
    (Permission.SPACE_WRITE,): """
        admin.audit_log.list admin.chats.get admin.chats.list admin.plugin_hosts.set
        admin.workspaces.delete admin.workspaces.update
    """,
    (Permission.ADMIN,): """
        admin.tokens.create admin.tokens.delete admin.tokens.get admin.tokens.list
        admin.tokens.update
    """,
    (Permission.WORKFLOW_RUN,): """
        admin.workflow_runs.resume workflows.chat workflows.run workflows.stream_resume
    """,
    (Permission.WORKFLOW_READ, Permission.WORKFLOW_RUN): """
        admin.workflow_runs.cancel workflows.stream_run
    """,
    (Permission.WORKFLOW_READ,): """
        admin.node_types.list admin.workflow_runs.follow admin.workflow_runs.get
        admin.workflow_runs.get_trace admin.workflow_runs.list
        admin.workflow_runs.list_node_history admin.workflows.export admin.workflows.get
        admin.workflows.get_canvas admin.workflows.get_role admin.workflows.get_tool_settings
        admin.workflows.list admin.workflows.list_references admin.workflows.list_versions
        admin.workflows.validate workflows.get workflows.get_node_output workflows.get_run
        workflows.get_run_by_query workflows.list workflows.list_versions
    """,
    (Permission.WORKFLOW_RUN, Permission.WORKFLOW_WRITE): """
        admin.workflows.test
    """,
    (Permission.WORKFLOW_WRITE,): """
        admin.workflow_runs.repeat admin.workflows.batch_delete admin.workflows.create
        admin.workflows.delete admin.workflows.delete_role admin.workflows.import_canvas
        admin.workflows.publish admin.workflows.restore_version admin.workflows.save_canvas
        admin.workflows.set_role admin.workflows.test_node admin.workflows.update
    """,
    (Permission.PLUGIN_WRITE,): """
        admin.plugin_tools.create admin.plugin_tools.debug admin.plugin_tools.delete
        admin.plugin_tools.update admin.plugins.create admin.plugins.delete
        admin.plugins.import_definition admin.plugins.publish admin.plugins.set_auth
        admin.plugins.update admin.server_tools.accept admin.server_tools.inspect
    """,
    (Permission.PLUGIN_READ,): """
        admin.plugin_hosts.get admin.plugin_tools.get admin.plugin_tools.list admin.plugins.get
        admin.plugins.get_grant admin.plugins.list admin.plugins.list_changes
        admin.plugins.list_versions admin.plugins.revoke_grant
    """,
    (Permission.WORKFLOW_READ, Permission.WORKFLOW_WRITE): "admin.workflows.copy",
    (Permission.AGENT_WRITE, Permission.DATASET_READ): "admin.databases.bind",
}

NEEDS: Final[Mapping[str, Need]] = {
    **{
        operation: Need(permissions=frozenset(permissions))
        for permissions, operations in _BY_PERMISSION.items()
        for operation in operations.split()
    },
    **{
        operation: Need(is_unlimited=True)
        for operation in (
            "admin.users.create",
            "admin.users.list",
            "admin.users.update",
            "admin.workspaces.create",
            "admin.model_providers.list",
            "admin.models.create",
            "admin.models.delete",
            "admin.models.get",
            "admin.models.test",
            "admin.models.update",
        )
    },
    **{
        operation: Need(role=role)
        for operation, role in {
            "admin.members.create": Role.VIEWER,
            "admin.members.delete": Role.OWNER,
            "admin.members.update": Role.OWNER,
            "members.create": Role.VIEWER,
            "members.delete": Role.OWNER,
        }.items()
    },
}

SHOWS_WHAT_IT_MAY: Final = frozenset({"openai.models.list", "openai.models.get"})
"""Agents that the token may chat with, which may be none."""

OF_BROWSERS: Final = frozenset(
    {"bots.get_online_info", "bots.get", "users.get_me"}
    | {"chats.cancel", "chats.create", "chats.list_messages", "chats.list_messages_by_post"}
    | {"chats.get", "chats.get_by_post", "chats.submit_tool_outputs"}
    | {"conversations.clear", "conversations.create", "conversations.delete"}
    | {"conversations.list", "conversations.get", "conversations.update"}
    | {"messages.create", "messages.delete"}
    | {"messages.create_feedback", "messages.delete_feedback"}
    | {"messages.list", "messages.get"}
    | {"messages.get_by_post"}
    | {"messages.update", "openai.chat_completions.create", "runs.follow"}
    | {"openai.files.download", "files.get", "files.upload"}
)
"""What a token for browsers reaches at all, within its agents and its end user."""

BEYOND_AGENTS: Final = frozenset(Permission) - {
    Permission.AGENT_READ,
    Permission.AGENT_WRITE,
    Permission.AGENT_PUBLISH,
    Permission.CHAT,
    Permission.CONVERSATION_READ,
    Permission.CONVERSATION_WRITE,
    Permission.MESSAGE_READ,
    Permission.MESSAGE_WRITE,
    Permission.FILE,
    Permission.VARIABLE,
}
"""What no token that is limited to agents may do."""
