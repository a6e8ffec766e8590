"""Agents in the spelling of the admin surface."""

from collections.abc import Mapping
from typing import Any

import msgspec

from api.admin.agent_request import (
    FORMATS,
    NO_RECALL_MODES,
    SOURCE_MODES,
    STYLES,
    SUGGESTIONS,
    VariableFields,
    WorkflowAgentFields,
    number_of,
)
from api.admin.agent_team import MemberFields, RouterFields
from api.admin.agent_tool import ClientToolFields, PluginToolFields, WorkflowFields
from api.search_shape import search_number, shown_strategy
from api.wire import seconds
from application.agent.dto import (
    AgentConfig,
    AgentSummary,
    AgentView,
    ConnectorView,
    Finding,
    Mode,
    VersionView,
)


class AdminModel(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of the model; ``model_name`` is what ``model_id`` resolves to."""

    model_id: str
    model_name: str
    temperature: float | None
    top_p: float | None
    top_k: int | None
    presence_penalty: float | None
    frequency_penalty: float | None
    max_tokens: int | None
    response_format: int | None
    style: int
    history_rounds: int | None
    cache_type: str | None
    sp_current_time: bool
    sp_anti_leak: bool
    parameters: Mapping[str, str]
    lock_model_params: bool
    tool_choice: str

    @classmethod
    def of(cls, config: AgentConfig, *, model_name: str) -> "AdminModel":
        model = config.model
        shown = model.response_format
        return cls(
            model_id=model.model_id,
            model_name=model_name,
            temperature=model.temperature,
            top_p=model.top_p,
            top_k=model.top_k,
            presence_penalty=model.presence_penalty,
            frequency_penalty=model.frequency_penalty,
            max_tokens=model.max_tokens,
            response_format=None if shown is None else number_of(shown, FORMATS),
            style=number_of(model.style, STYLES),
            history_rounds=model.history_rounds,
            cache_type=model.cache_type,
            sp_current_time=model.sp_current_time,
            sp_anti_leak=model.sp_anti_leak,
            parameters=model.parameters,
            lock_model_params=model.lock_model_params,
            tool_choice=model.tool_choice,
        )


class AdminPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """The persona."""

    text: str


class AdminBoundDataset(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset by id and name."""

    id: str
    name: str


class AdminKnowledge(msgspec.Struct, frozen=True, kw_only=True):
    """Datasets and how they are searched; ``dataset_infos`` names them."""

    datasets: list[str]
    dataset_infos: list[AdminBoundDataset]
    auto: bool
    search_strategy: int
    top_k: int
    min_score: float
    show_source: bool
    show_source_mode: int
    no_recall_reply_mode: int
    no_recall_reply_customize_prompt: str
    use_rerank: bool
    use_rewrite: bool
    use_nl2sql: bool
    max_tokens: int | None
    embedding_weight: float | None
    expansion: int
    expansion_model: str
    expansion_background: str
    rerank_model: str
    rerank_weight: float
    is_personal_only: bool
    expand: str
    threshold_mode: str
    filter: Mapping[str, Any] | None

    @classmethod
    def of(cls, view: AgentView) -> "AdminKnowledge":
        knowledge = view.config.knowledge
        return cls(
            datasets=[str(each.id) for each in view.datasets],
            dataset_infos=[
                AdminBoundDataset(id=str(each.id), name=each.name) for each in view.datasets
            ],
            auto=knowledge.auto_call,
            search_strategy=search_number(knowledge.search_type),
            show_source=knowledge.show_source,
            show_source_mode=number_of(knowledge.show_source_mode, SOURCE_MODES),
            no_recall_reply_mode=number_of(knowledge.no_recall_reply_mode, NO_RECALL_MODES),
            no_recall_reply_customize_prompt=knowledge.no_recall_reply_customize_prompt,
            use_rerank=knowledge.reranks,
            use_rewrite=knowledge.rewrites,
            use_nl2sql=knowledge.uses_sql,
            **shown_strategy(knowledge.strategy),
        )


class AdminMemory(msgspec.Struct, frozen=True, kw_only=True):
    """What is remembered of conversations and end users."""

    summary: bool
    long_term: bool
    model_id: str

    @classmethod
    def of(cls, config: AgentConfig) -> "AdminMemory":
        memory = config.memory
        return cls(summary=memory.summary, long_term=memory.long_term, model_id=memory.model_id)


class AdminOnboarding(msgspec.Struct, frozen=True, kw_only=True):
    """What an end user sees first."""

    prologue: str
    suggested_questions: tuple[str, ...]


class AdminSuggest(msgspec.Struct, frozen=True, kw_only=True):
    """Follow-up questions."""

    mode: int
    customized_prompt: str


class AdminAgent(msgspec.Struct, frozen=True, kw_only=True):
    """An agent in full; ``version`` is empty for the draft."""

    id: str
    workspace_id: str
    creator_id: str
    name: str
    description: str
    icon_file_id: str | None
    icon_url: str
    mode: Mode
    version: str
    revision: int
    alias: str | None
    template_category: str | None
    has_unpublished_changes: bool
    created_at: int
    updated_at: int
    prompt: AdminPrompt
    model: AdminModel
    knowledge: AdminKnowledge
    variables: list[VariableFields]
    memory: AdminMemory
    plugins: list[PluginToolFields]
    client_tools: list[ClientToolFields]
    onboarding: AdminOnboarding
    suggest_reply: AdminSuggest
    shortcuts: list[str]
    workflow_agent: WorkflowAgentFields | None
    workflows: list[WorkflowFields]
    agents: list[MemberFields]
    router: RouterFields
    link_hosts: tuple[str, ...]
    egress_hosts: tuple[str, ...]
    openai_system: str

    @classmethod
    def of(cls, view: AgentView) -> "AdminAgent":
        config = view.config
        names = {each.id: each.name for each in view.members}
        return cls(
            id=str(view.id),
            workspace_id=str(view.space_id),
            creator_id=str(view.creator_id),
            name=view.name,
            description=view.description,
            icon_file_id=None if view.icon_file_id is None else str(view.icon_file_id),
            icon_url=view.icon_url,
            mode=view.mode,
            version=view.version,
            revision=view.revision,
            alias=view.alias,
            template_category=view.template_category,
            has_unpublished_changes=view.is_draft_changed,
            created_at=seconds(view.created_at),
            updated_at=seconds(view.updated_at),
            prompt=AdminPrompt(text=config.prompt.text),
            model=AdminModel.of(config, model_name=view.model_name),
            knowledge=AdminKnowledge.of(view),
            variables=[VariableFields.of(each) for each in config.variables],
            memory=AdminMemory.of(config),
            plugins=[PluginToolFields.of(each) for each in config.plugins],
            client_tools=[ClientToolFields.of(each) for each in config.client_tools],
            onboarding=AdminOnboarding(
                prologue=config.onboarding.prologue,
                suggested_questions=config.onboarding.suggested_questions,
            ),
            suggest_reply=AdminSuggest(
                mode=number_of(config.suggest_reply.mode, SUGGESTIONS),
                customized_prompt=config.suggest_reply.customized_prompt,
            ),
            workflow_agent=WorkflowAgentFields.of(config.workflow),
            workflows=[WorkflowFields.of(each) for each in config.workflows],
            agents=[
                MemberFields.of(each, agent_name=names.get(each.agent_id, ""))
                for each in config.agents
            ],
            router=RouterFields.of(config.router),
            shortcuts=[str(each.id) for each in config.shortcuts],
            link_hosts=config.link_hosts,
            egress_hosts=config.egress_hosts,
            openai_system=config.openai_system,
        )


class AdminAgentSummary(msgspec.Struct, frozen=True, kw_only=True):
    """An agent in a list."""

    id: str
    workspace_id: str
    creator_id: str
    name: str
    description: str
    icon_url: str
    mode: Mode
    alias: str | None
    revision: int
    is_published: bool
    version: str
    published_at: int | None
    has_unpublished_changes: bool
    template_category: str | None
    created_at: int
    updated_at: int

    @classmethod
    def of(cls, summary: AgentSummary) -> "AdminAgentSummary":
        published_at = summary.published_at
        return cls(
            id=str(summary.id),
            workspace_id=str(summary.space_id),
            creator_id=str(summary.owner_id),
            name=summary.name,
            description=summary.description,
            icon_url=summary.icon_url,
            mode=summary.mode,
            alias=summary.alias,
            revision=summary.revision,
            is_published=published_at is not None,
            version=summary.version,
            published_at=None if published_at is None else seconds(published_at),
            has_unpublished_changes=summary.is_draft_changed,
            template_category=summary.template_category,
            created_at=seconds(summary.created_at),
            updated_at=seconds(summary.updated_at),
        )


class AdminAgentList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of agents."""

    items: list[AdminAgentSummary]
    total: int
    next_cursor: str | None


class FindingList(msgspec.Struct, frozen=True, kw_only=True):
    """What the check before publishing found; errors forbid publishing."""

    items: tuple[Finding, ...]
    total: int
    next_cursor: str | None = None


class PublishedVersion(msgspec.Struct, frozen=True, kw_only=True):
    """The version that answers now."""

    version: str


class AdminVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A version in a list."""

    version: str
    description: str
    creator_id: str
    created_at: int

    @classmethod
    def of(cls, view: VersionView) -> "AdminVersion":
        return cls(
            version=view.version,
            description=view.description,
            creator_id=str(view.creator_id),
            created_at=seconds(view.created_at),
        )


class AdminVersionList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of versions, newest first."""

    items: list[AdminVersion]
    total: int
    next_cursor: str | None


class AdminVersionDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A version and the agent as it was in it."""

    version: AdminVersion
    agent: AdminAgent


class AdminConnector(msgspec.Struct, frozen=True, kw_only=True):
    """A connector and what it has of the agent."""

    id: str
    name: str
    bound: bool
    version: str
    last_publish_time: int | None
    reason: str
    """Why it was taken off, if somebody said so."""
    allowed: bool

    @classmethod
    def of(cls, view: ConnectorView) -> "AdminConnector":
        published_at = view.last_published_at
        return cls(
            id=str(view.id),
            name=view.name,
            bound=view.is_bound,
            version=view.version,
            last_publish_time=None if published_at is None else seconds(published_at),
            reason=view.reason,
            allowed=view.is_allowed,
        )


class AdminConnectorList(msgspec.Struct, frozen=True, kw_only=True):
    """All installed connectors."""

    items: list[AdminConnector]
    total: int
    next_cursor: str | None = None
