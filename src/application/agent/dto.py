"""Commands and views of the agent use cases; surfaces translate them to their wires."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from application.agent.bound import NamedPlugin, NamedWorkflow
from domain.agent.entity import Verdict
from domain.agent.memory_settings import MemorySettings
from domain.agent.repository import PublishState
from domain.agent.rules import Finding
from domain.agent.shortcut import Shortcut
from domain.agent.team import (
    AgentBinding,
    MemberKind,
    RouterMode,
    RouterRule,
    RouterSettings,
)
from domain.agent.value import (
    AgentConfig,
    CacheType,
    Mode,
    ModelSettings,
    NoRecallMode,
    Onboarding,
    OpenAISystem,
    PluginBinding,
    SourceMode,
    StylePreset,
    SuggestMode,
    VariableChannel,
    VariableDefinition,
    VariableType,
    WorkflowBinding,
    WorkflowSettings,
)
from domain.shared.access import CONNECTOR_API
from domain.shared.chat import OutputFormat, ToolSpec

__all__ = [
    "AgentBinding",
    "AgentConfig",
    "AgentPage",
    "AgentSummary",
    "AgentView",
    "CacheType",
    "ConfigPatch",
    "ConnectorView",
    "CreateAgent",
    "Finding",
    "KnowledgePatch",
    "ListAgents",
    "MemberKind",
    "MemoryPatch",
    "MemorySettings",
    "Mode",
    "ModelPatch",
    "ModelSettings",
    "NamedDataset",
    "NamedMember",
    "NoRecallMode",
    "OnboardingPatch",
    "OpenAISystem",
    "OutputFormat",
    "PluginBinding",
    "PromptPatch",
    "PublicAgentView",
    "PublishAgent",
    "PublishState",
    "RouterMode",
    "RouterRule",
    "RouterSettings",
    "SourceMode",
    "StylePreset",
    "SuggestMode",
    "SuggestPatch",
    "UpdateAgent",
    "VariableChannel",
    "VariableDefinition",
    "VariableType",
    "Verdict",
    "VersionPage",
    "VersionView",
    "WorkflowBinding",
    "WorkflowSettings",
]


class ModelPatch(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of the model settings."""

    model_id: str | UnsetType | None = UNSET
    temperature: float | UnsetType | None = UNSET
    top_p: float | UnsetType | None = UNSET
    top_k: int | UnsetType | None = UNSET
    presence_penalty: float | UnsetType | None = UNSET
    frequency_penalty: float | UnsetType | None = UNSET
    max_tokens: int | UnsetType | None = UNSET
    response_format: OutputFormat | UnsetType | None = UNSET
    style: StylePreset | UnsetType | None = UNSET
    history_rounds: int | UnsetType | None = UNSET
    cache_type: CacheType | UnsetType | None = UNSET
    sp_current_time: bool | UnsetType | None = UNSET
    sp_anti_leak: bool | UnsetType | None = UNSET
    parameters: Mapping[str, str] | UnsetType | None = UNSET
    lock_model_params: bool | UnsetType | None = UNSET
    tool_choice: str | UnsetType | None = UNSET


class PromptPatch(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of the persona."""

    text: str | UnsetType | None = UNSET


class OnboardingPatch(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of what an end user sees first."""

    prologue: str | UnsetType | None = UNSET
    suggested_questions: tuple[str, ...] | UnsetType | None = UNSET


class SuggestPatch(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of the follow-up questions."""

    mode: SuggestMode | UnsetType | None = UNSET
    customized_prompt: str | UnsetType | None = UNSET


class KnowledgePatch(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of the bound datasets and how they are searched."""

    dataset_ids: tuple[int, ...] | UnsetType | None = UNSET
    auto_call: bool | UnsetType | None = UNSET
    show_source: bool | UnsetType | None = UNSET
    show_source_mode: SourceMode | UnsetType | None = UNSET
    no_recall_reply_mode: NoRecallMode | UnsetType | None = UNSET
    no_recall_reply_customize_prompt: str | UnsetType | None = UNSET
    search: Mapping[str, Any] = {}
    """Fields of ``RetrievalStrategy`` that change; None resets one."""


class MemoryPatch(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of what is remembered: summaries of long conversations, facts about end users."""

    summary: bool | UnsetType | None = UNSET
    long_term: bool | UnsetType | None = UNSET
    model_id: str | UnsetType | None = UNSET


class ConfigPatch(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of a configuration: UNSET leaves a value, None resets it, lists are replaced."""

    prompt: PromptPatch | UnsetType | None = UNSET
    model: ModelPatch | UnsetType | None = UNSET
    onboarding: OnboardingPatch | UnsetType | None = UNSET
    suggest_reply: SuggestPatch | UnsetType | None = UNSET
    knowledge: KnowledgePatch | UnsetType | None = UNSET
    variables: tuple[VariableDefinition, ...] | UnsetType | None = UNSET
    memory: MemoryPatch | UnsetType | None = UNSET
    plugins: tuple[PluginBinding, ...] | UnsetType | None = UNSET
    client_tools: tuple[ToolSpec, ...] | UnsetType | None = UNSET
    workflow: WorkflowSettings | UnsetType | None = UNSET
    workflows: tuple[WorkflowBinding, ...] | UnsetType | None = UNSET
    link_hosts: tuple[str, ...] | UnsetType | None = UNSET
    egress_hosts: tuple[str, ...] | UnsetType | None = UNSET
    agents: tuple[AgentBinding, ...] | UnsetType | None = UNSET
    router: RouterSettings | UnsetType | None = UNSET
    openai_system: OpenAISystem | UnsetType | None = UNSET


class CreateAgent(msgspec.Struct, frozen=True, kw_only=True):
    """Make a draft in a space."""

    space_id: int
    name: str
    description: str = ""
    icon_file_id: int | None = None
    mode: Mode = Mode.SINGLE
    config: ConfigPatch = ConfigPatch()
    idempotency_key: str = ""


class UpdateAgent(msgspec.Struct, frozen=True, kw_only=True):
    """Change the draft; UNSET leaves a value, None resets it.

    ``expected_revision`` None means that the last write wins.
    """

    agent_id: int
    name: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    icon_file_id: int | UnsetType | None = UNSET
    alias: str | UnsetType | None = UNSET
    config: ConfigPatch = ConfigPatch()
    expected_revision: int | None = None


class ListAgents(msgspec.Struct, frozen=True, kw_only=True):
    """One page of the agents of a space.

    By ``offset``, newest change first; with ``by_id`` by age instead, continuing after
    ``after_id``. ``connector_id`` None looks at all connectors.
    """

    space_id: int
    limit: int
    offset: int = 0
    by_id: bool = False
    descending: bool = True
    after_id: int | None = None
    state: PublishState = PublishState.ALL
    show_online: bool = False
    """Show name, description and icon as published instead of those of the draft."""
    connector_id: int | None = None
    text: str = ""
    creator_id: int | None = None


class PublishAgent(msgspec.Struct, frozen=True, kw_only=True):
    """Freeze the draft and let it answer on connectors.

    ``version`` names an existing version to activate instead of the draft.
    """

    agent_id: int
    connector_ids: tuple[int, ...] = (CONNECTOR_API,)
    description: str = ""
    version: str = ""


class NamedDataset(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset that an agent is bound to."""

    id: int
    name: str


class NamedMember(msgspec.Struct, frozen=True, kw_only=True):
    """Another agent that an agent works with."""

    id: int
    name: str


class AgentView(msgspec.Struct, frozen=True, kw_only=True):
    """An agent in full: its draft, or the version named by ``version``.

    ``datasets``, ``plugins`` and ``workflows`` are those that exist, in its order. ``model_id`` and
    ``model_name`` are what the setting resolves to now; both are empty when the model is gone.
    """

    id: int
    space_id: int
    creator_id: int
    name: str
    description: str
    icon_file_id: int | None
    icon_url: str
    mode: Mode
    version: str
    config: AgentConfig
    datasets: tuple[NamedDataset, ...] = ()
    members: tuple[NamedMember, ...] = ()
    plugins: tuple[NamedPlugin, ...] = ()
    workflows: tuple[NamedWorkflow, ...] = ()
    model_id: str
    model_name: str
    alias: str | None
    template_category: str | None
    is_draft_changed: bool
    revision: int
    created_at: datetime
    updated_at: datetime


class PublicAgentView(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody may see of a published agent; nothing of how it works."""

    id: int
    name: str
    icon_url: str
    onboarding: Onboarding
    shortcuts: tuple[Shortcut, ...]
    """Without tools, and without fields of the form that users do not see."""


class AgentSummary(msgspec.Struct, frozen=True, kw_only=True):
    """An agent in a list; ``published_at`` None means not published where the list looked.

    In a list of published agents name, description and icon are those of the online version.
    """

    id: int
    space_id: int
    owner_id: int
    name: str
    description: str
    icon_url: str
    mode: Mode
    alias: str | None
    revision: int
    created_at: datetime
    updated_at: datetime
    version: str = ""
    published_at: datetime | None = None
    is_draft_changed: bool = False
    template_category: str | None = None


class AgentPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of agents; ``total`` counts all matches."""

    items: tuple[AgentSummary, ...]
    total: int
    has_more: bool


class VersionView(msgspec.Struct, frozen=True, kw_only=True):
    """One version in a list."""

    version: str
    description: str
    created_at: datetime
    creator_id: int


class VersionPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of versions, newest first."""

    items: tuple[VersionView, ...]
    total: int


class ConnectorView(msgspec.Struct, frozen=True, kw_only=True):
    """A connector and what it has of an agent."""

    id: int
    name: str
    is_bound: bool
    version: str
    last_published_at: datetime | None
    reason: str
    """Why it was taken off, if somebody said so."""
    is_allowed: bool
