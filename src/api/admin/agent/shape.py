"""Agents in the spelling of the admin surface."""

from collections.abc import Iterable
from typing import Annotated, Any, Self

import msgspec

from api.admin.agent.request import KNOWLEDGE_NAMES, VariableFields, WorkflowAgentFields
from api.admin.agent.team import MemberFields, RouterFields
from api.admin.agent.tool import ClientToolFields, PluginToolFields, WorkflowFields
from api.admin.query import next_id
from api.search_shape import EXPAND_WORDS, search_number
from api.shape import Shape
from application.agent.dto import (
    AgentPage,
    AgentSummary,
    AgentView,
    ConnectorView,
    NamedDataset,
    NamedMember,
    VersionView,
)
from application.shared.page import Paged, Whole
from application.shared.projection import After, At, By
from domain.agent.value import (
    KnowledgeSettings,
    ModelSettings,
    Onboarding,
    Prompt,
    SuggestPolicy,
)
from domain.agent.value.finding import Finding
from domain.agent.value.memory import MemorySettings


def _ids(named: Iterable[Any]) -> list[str]:
    return [str(each.id) for each in named]


class AdminModel(Shape, of=ModelSettings):
    """Settings of the model; ``model_name`` is what ``model_id`` resolves to."""

    model_name: Annotated[str, After("model_id")]
    cache_type: str | None


class AdminPrompt(Shape, of=Prompt):
    """The persona."""


class AdminBoundDataset(Shape, of=NamedDataset):
    """A dataset by id and name."""


class AdminKnowledge(
    Shape,
    of=KnowledgeSettings,
    only=(
        "dataset_ids",
        "auto_call",
        "search_type",
        "top_k",
        "min_score",
        "show_source",
        "show_source_mode",
        "no_recall_reply_mode",
        "no_recall_reply_customize_prompt",
        "reranks",
        "rewrites",
        "uses_sql",
        "max_tokens",
        "embedding_weight",
        "expansion",
        "expansion_model",
        "expansion_background",
        "rerank_model",
        "rerank_weight",
        "is_personal_only",
        "neighbours",
        "threshold",
        "filter",
    ),
    rename=KNOWLEDGE_NAMES | {"neighbours": "expand", "threshold": "threshold_mode"},
):
    """Datasets and how they are searched; ``dataset_infos`` names them."""

    dataset_infos: Annotated[list[AdminBoundDataset], After("dataset_ids")]
    search_type: Annotated[int, By(search_number)]
    neighbours: Annotated[str, By(EXPAND_WORDS.__getitem__)]
    threshold: str


class AdminMemory(Shape, of=MemorySettings):
    """What is remembered of conversations and end users."""


class AdminOnboarding(Shape, of=Onboarding):
    """What an end user sees first."""


class AdminSuggest(Shape, of=SuggestPolicy):
    """Follow-up questions."""


class AdminAgent(
    Shape,
    of=AgentView,
    without=(
        "config",
        "datasets",
        "members",
        "plugins",
        "workflows",
        "model_id",
        "model_name",
    ),
    rename={"is_draft_changed": "has_unpublished_changes", "workflow": "workflow_agent"},
):
    """An agent in full; ``version`` is empty for the draft."""

    prompt: Annotated[AdminPrompt, At("config.prompt")]
    model: AdminModel
    knowledge: AdminKnowledge
    variables: Annotated[list[VariableFields], At("config.variables")]
    memory: Annotated[AdminMemory, At("config.memory")]
    plugins: Annotated[list[PluginToolFields], At("config.plugins")]
    client_tools: Annotated[list[ClientToolFields], At("config.client_tools")]
    onboarding: Annotated[AdminOnboarding, At("config.onboarding")]
    suggest_reply: Annotated[AdminSuggest, At("config.suggest_reply")]
    shortcuts: Annotated[list[str], At("config.shortcuts"), By(_ids)]
    workflow: WorkflowAgentFields | None
    workflows: list[WorkflowFields]
    agents: list[MemberFields]
    router: Annotated[RouterFields, At("config.router")]
    link_hosts: Annotated[tuple[str, ...], At("config.link_hosts")]
    egress_hosts: Annotated[tuple[str, ...], At("config.egress_hosts")]
    openai_system: Annotated[str, At("config.openai_system")]
    openai_tools: Annotated[str, At("config.openai_tools")]

    @classmethod
    def of(cls, source: AgentView, /, **_: Any) -> Self:
        config, names = source.config, {each.id: each.name for each in source.members}
        effects = {(each.id, each.version): each.effect for each in source.workflows}
        return super().of(
            source,
            model=AdminModel.of(config.model, model_name=source.model_name),
            knowledge=AdminKnowledge.of(
                config.knowledge,
                dataset_ids=_ids(source.datasets),
                dataset_infos=AdminBoundDataset.each(source.datasets),
            ),
            workflow=WorkflowAgentFields.of(config.workflow)
            if config.workflow.workflow_id
            else None,
            workflows=[
                WorkflowFields.of(
                    each,
                    applied_effect=effects.get((each.workflow_id, each.version), each.effect),
                )
                for each in config.workflows
            ],
            agents=[
                MemberFields.of(each, agent_name=names.get(each.agent_id, ""))
                for each in config.agents
            ],
        )


class AdminTeamMember(Shape, of=NamedMember):
    """Another agent of a team by id and name."""


class AdminAgentSummary(
    Shape, of=AgentSummary, rename={"is_draft_changed": "has_unpublished_changes"}
):
    """An agent in a list; model and members are those of the draft."""

    is_published: Annotated[bool, After("revision")]
    members: list[AdminTeamMember]
    """Other agents that it works with."""


class AdminAgentList(Paged[AdminAgentSummary]):
    """One page of agents."""

    @classmethod
    def by_id(cls, found: AgentPage) -> Self:
        """Show a page whose cursor is the id of its last agent."""
        return cls(
            items=AdminAgentSummary.each(found.items),
            total=found.total,
            next_cursor=next_id(found.items, has_more=found.has_more),
        )


class FindingList(Whole[Finding]):
    """What the check before publishing found; errors forbid publishing."""


class PublishedVersion(msgspec.Struct, frozen=True, kw_only=True):
    """The version that answers now."""

    version: str


class AdminExportedAgent(msgspec.Struct, frozen=True, kw_only=True):
    """A draft as a document, and the names of the secrets that its import asks for."""

    document: dict[str, Any]
    """Begins with ``kind`` and ``format``; holds no secret."""
    secrets: tuple[str, ...]
    """Values that whoever imports it has to give, by name."""


class AdminImportedAgent(msgspec.Struct, frozen=True, kw_only=True):
    """A new draft, and what did not come along."""

    agent: AdminAgent
    warnings: tuple[str, ...]
    """What the workspace does not have, in words."""


class AdminVersion(Shape, of=VersionView):
    """A version in a list."""


class AdminVersionList(Paged[AdminVersion]):
    """One page of versions, newest first."""


class AdminVersionDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A version and the agent as it was in it."""

    version: AdminVersion
    agent: AdminAgent


class AdminConnector(
    Shape,
    of=ConnectorView,
    rename={
        "is_bound": "bound",
        "last_published_at": "last_publish_time",
        "is_allowed": "allowed",
    },
):
    """A connector and what it has of the agent; ``reason`` is why it was taken off."""


class AdminConnectorList(Whole[AdminConnector]):
    """All installed connectors."""
