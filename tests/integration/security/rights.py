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
        admin.apps.conversations.list admin.apps.get admin.apps.list
        admin.apps.publish_record admin.apps.publish_records agents.connectors agents.get
        agents.get_display agents.get_version agents.list agents.list_versions
        agents.shortcuts.list agents.validate agents.variables.get apps.list apps.retrieve
        bots.get_online_info bots.list bots.list_published bots.retrieve bots.versions.list
        prompts.get prompts.list prompts.official
    """,
    (Permission.AGENT_READ, Permission.AGENT_WRITE): """
        agents.duplicate templates.duplicate
    """,
    (Permission.AGENT_WRITE,): """
        admin.apps.conversations.create admin.apps.conversations.delete
        admin.apps.conversations.update admin.apps.copy admin.apps.create admin.apps.delete
        admin.apps.update agents.create agents.delete agents.restore_version
        agents.set_display agents.set_template agents.shortcuts.create
        agents.shortcuts.delete agents.shortcuts.order agents.shortcuts.update agents.update
        agents.variables.put bots.create bots.update databases.unbind prompts.create
        prompts.delete prompts.update
    """,
    (Permission.AGENT_PUBLISH,): """
        admin.apps.publish agents.publish agents.unpublish bots.publish bots.unpublish
        connectors.bots.update
    """,
    (Permission.CHAT,): """
        admin.tokens.issue chat.cancel chat.create chat.messages.list
        chat.messages.list_by_post chat.retrieve chat.retrieve_by_post
        chat.submit_tool_outputs openai.chat.completions.create runs.events
    """,
    (Permission.CONVERSATION_WRITE,): """
        conversations.clear conversations.create conversations.delete conversations.update
    """,
    (Permission.CONVERSATION_READ,): """
        admin_conversations.get admin_conversations.list conversations.list
        conversations.retrieve
    """,
    (Permission.MESSAGE_WRITE,): """
        conversations.messages.create conversations.messages.delete
        conversations.messages.feedback.create conversations.messages.feedback.delete
        conversations.messages.update
    """,
    (Permission.FILE,): """
        admin.files.create admin.files.delete admin.files.get admin.files.link files.content
        files.retrieve files.upload
    """,
    (Permission.MESSAGE_READ,): """
        admin_conversations.messages conversations.messages.list
        conversations.messages.retrieve
        conversations.messages.retrieve_by_post
    """,
    (Permission.DATASET_WRITE,): """
        admin.datasets.reconcile admin.datasets.reindex admin.datasets.resegment
        admin.datasets.tableSchema.infer admin.datasets.tableSchema.validate
        admin.documents.caption.extract admin.documents.update admin.previews.commit
        admin.previews.create admin.previews.save admin.slices.create admin.slices.delete
        admin.slices.update databases.create databases.delete databases.imports.create
        databases.reset datasets.create datasets.delete datasets.update documents.delete
        documents.update slices.delete
    """,
    (Permission.DATASET_READ,): """
        admin.datasets.get admin.datasets.list admin.datasets.references
        admin.datasets.search admin.documents.export admin.documents.get admin.previews.get
        admin.slices.list databases.get databases.imports.get databases.list databases.template
        datasets.images.list datasets.list datasets.process datasets.search documents.list
        slices.list
        documents.list_by_get
    """,
    (Permission.DATASET_READ, Permission.DATASET_WRITE): """
        admin.datasets.copy admin.datasets.update databases.update datasets.images.update
        documents.tags.update slices.create slices.update
    """,
    (Permission.DATASET_WRITE, Permission.VARIABLE): """
        databases.export databases.records.delete databases.records.insert databases.records.query
        databases.records.update databases.sql
    """,
    (Permission.VARIABLE,): """
        agents.memories.clear agents.memories.delete agents.memories.list
        agents.memories.update agents.memory_consent.get agents.memory_consent.put
        agents.user_variables.list agents.user_variables.put agents.user_variables.reset
        variables.retrieve variables.update
    """,
    (): """
        admin.icons.list models.list users.me variables.system
    """,
    (Permission.FILE, Permission.DATASET_WRITE): """
        documents.create
    """,
    (Permission.MODEL_USE,): """
        openai.embeddings.create openai.rerank.create
    """,
    (Permission.SPACE_READ,): """
        admin.members.list admin.workspaces.get admin.workspaces.list workspaces.list
        workspaces.members.list
    """,
    (Permission.SPACE_WRITE,): """
        admin.audit.list admin.workspaces.delete admin.workspaces.update chats.get
        chats.list plugin_hosts.set
    """,
    (Permission.ADMIN,): """
        admin.tokens.create admin.tokens.delete admin.tokens.get admin.tokens.list
        admin.tokens.update
    """,
    (Permission.WORKFLOW_RUN,): """
        workflow_runs.resume workflows.chat workflows.run workflows.stream_resume
    """,
    (Permission.WORKFLOW_READ, Permission.WORKFLOW_RUN): """
        workflow_runs.cancel workflows.stream_run
    """,
    (Permission.WORKFLOW_READ,): """
        workflow_node_types.list workflow_runs.events workflow_runs.get
        workflow_runs.node_history workflow_runs.trace workflows.export workflows.get
        workflows.get_canvas workflows.get_role workflows.list workflows.list_in_workspace
        workflows.list_versions workflows.references workflows.retrieve
        workflows.run_histories.execute_nodes.get workflows.run_histories.get
        workflows.run_histories.get_by_query workflows.runs workflows.tool_settings
        workflows.validate workflows.versions.list
    """,
    (Permission.WORKFLOW_RUN, Permission.WORKFLOW_WRITE): """
        workflows.test_run
    """,
    (Permission.WORKFLOW_WRITE,): """
        workflow_runs.repeat workflows.batch_delete workflows.create workflows.delete
        workflows.import workflows.publish workflows.restore_version workflows.save_canvas
        workflows.test_node workflows.update
        workflows.delete_role workflows.set_role
    """,
    (Permission.PLUGIN_WRITE,): """
        plugin_server_tools.accept plugin_server_tools.inspect plugin_tools.create
        plugin_tools.debug plugin_tools.delete plugin_tools.update plugins.create
        plugins.delete plugins.import plugins.publish plugins.set_auth plugins.update
    """,
    (Permission.PLUGIN_READ,): """
        plugin_hosts.get plugin_tools.get plugin_tools.list plugins.get plugins.get_grant
        plugins.list plugins.list_changes plugins.list_versions plugins.revoke_grant
    """,
    (Permission.WORKFLOW_READ, Permission.WORKFLOW_WRITE): "workflows.copy",
    (Permission.AGENT_WRITE, Permission.DATASET_READ): "databases.bind",
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
            "model_providers.list",
            "models.create",
            "models.delete",
            "models.get",
            "models.test",
            "models.update",
        )
    },
    **{
        operation: Need(role=role)
        for operation, role in {
            "admin.members.create": Role.VIEWER,
            "admin.members.delete": Role.OWNER,
            "admin.members.update": Role.OWNER,
            "workspaces.members.create": Role.VIEWER,
            "workspaces.members.delete": Role.OWNER,
        }.items()
    },
}

SHOWS_WHAT_IT_MAY: Final = frozenset({"openai.models.list", "openai.models.retrieve"})
"""Agents that the token may chat with, which may be none."""

OF_BROWSERS: Final = frozenset(
    {"bots.get_online_info", "bots.retrieve", "users.me"}
    | {"chat.cancel", "chat.create", "chat.messages.list", "chat.messages.list_by_post"}
    | {"chat.retrieve", "chat.retrieve_by_post", "chat.submit_tool_outputs"}
    | {"conversations.clear", "conversations.create", "conversations.delete"}
    | {"conversations.list", "conversations.retrieve", "conversations.update"}
    | {"conversations.messages.create", "conversations.messages.delete"}
    | {"conversations.messages.feedback.create", "conversations.messages.feedback.delete"}
    | {"conversations.messages.list", "conversations.messages.retrieve"}
    | {"conversations.messages.retrieve_by_post"}
    | {"conversations.messages.update", "openai.chat.completions.create", "runs.events"}
    | {"files.content", "files.retrieve", "files.upload"}
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
