"""What clients send to create, change and publish agents."""

from operator import not_
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from api.admin.agent.team import MemberFields, RouterFields
from api.admin.agent.tool import ClientToolFields, PluginToolFields, WorkflowFields
from api.search_shape import StrategyFields, search_type
from api.shape import Changes, Choice, Fields
from api.wire import WireId, WireMap, string_map
from application.shared.patch import Patch
from application.shared.projection import At, By
from domain.agent.value import (
    AgentConfig,
    KnowledgeSettings,
    Mode,
    ModelSettings,
    Onboarding,
    OpenAISystem,
    OpenAITools,
    Prompt,
    SuggestPolicy,
    VariableChannel,
    VariableDefinition,
    VariableType,
    WorkflowSettings,
)
from domain.agent.value.memory import MemorySettings
from domain.agent.value.proposal import ProposalKind
from domain.shared.limits import Limits
from domain.shared.settlement import TraceLevel

KNOWLEDGE_NAMES: Final = {
    "dataset_ids": "datasets",
    "auto_call": "auto",
    "search_type": "search_strategy",
    "reranks": "use_rerank",
    "rewrites": "use_rewrite",
    "uses_sql": "use_nl2sql",
}


class PromptFields(Changes, of=Prompt):
    """The persona, a template with ``{{ name }}`` placeholders."""


class ModelFields(Changes, of=ModelSettings):
    """Settings of the model; absent leaves a value, null resets it."""

    model_id: WireId | UnsetType | None = UNSET
    parameters: WireMap | UnsetType | None = UNSET


class KnowledgeFields(
    StrategyFields,
    Changes,
    of=KnowledgeSettings,
    only=(
        "dataset_ids",
        "auto_call",
        "search_type",
        "show_source",
        "show_source_mode",
        "no_recall_reply_mode",
        "no_recall_reply_customize_prompt",
        "reranks",
        "rewrites",
        "uses_sql",
    ),
    rename=KNOWLEDGE_NAMES,
):
    """Datasets and how they are searched; ``auto`` false leaves it to the model when to search."""

    search_type: Choice | UnsetType | None = UNSET

    def patch(self, field: str = "knowledge") -> Patch[KnowledgeSettings]:
        """Return the changes; raise ``InvalidRequest`` that names the field below ``field``."""
        changes = {**super().patch(field).values, **self.changes(f"{field}.")}
        given = self.search_type
        if given is not UNSET and given is not None:
            changes["search_type"] = search_type(given, field=f"{field}.search_strategy")
        return Patch(changes)


class MemoryFields(Changes, of=MemorySettings):
    """What is remembered; ``model_id`` does the work, empty for the agent's own model."""

    model_id: WireId | UnsetType | None = UNSET


class VariableFields(Fields, of=VariableDefinition, only=()):
    """A variable of the agent."""

    key: Annotated[str, At("keyword")]
    description: str = ""
    default_value: str = ""
    is_system: Annotated[bool, At("channel"), By(VariableChannel.SYSTEM.__eq__)] = False
    prompt_disabled: Annotated[bool, At("prompt_enabled"), By(not_)] = False
    is_disabled: Annotated[bool, At("enabled"), By(not_)] = False
    type: Annotated[VariableType, At("variable_type")] = VariableType.VALUE

    def value(self, field: str = "") -> VariableDefinition:
        return VariableDefinition(
            keyword=self.key,
            description=self.description,
            default_value=self.default_value,
            channel=VariableChannel.SYSTEM if self.is_system else VariableChannel.CUSTOM,
            prompt_enabled=not self.prompt_disabled,
            enabled=not self.is_disabled,
            variable_type=self.type,
        )


class SuggestFields(Changes, of=SuggestPolicy):
    """Follow-up questions."""


class OnboardingPatch(Changes, of=Onboarding):
    """Changes of what an end user sees first."""


class WorkflowAgentFields(Fields, of=WorkflowSettings):
    """The workflow that answers instead of a model; without a version its newest one."""

    workflow_id: WireId


class ConfigFields(Changes, of=AgentConfig, only=(), rename={"workflow": "workflow_agent"}):
    """A JSON merge patch of the configuration; lists are replaced as a whole."""

    prompt: PromptFields | UnsetType | None = UNSET
    model: ModelFields | UnsetType | None = UNSET
    knowledge: KnowledgeFields | UnsetType | None = UNSET
    variables: list[VariableFields] | UnsetType | None = UNSET
    memory: MemoryFields | UnsetType | None = UNSET
    plugins: list[PluginToolFields] | UnsetType | None = UNSET
    client_tools: list[ClientToolFields] | UnsetType | None = UNSET
    onboarding: OnboardingPatch | UnsetType | None = UNSET
    suggest_reply: SuggestFields | UnsetType | None = UNSET
    workflow: WorkflowAgentFields | UnsetType | None = UNSET
    workflows: list[WorkflowFields] | UnsetType | None = UNSET
    agents: list[MemberFields] | UnsetType | None = UNSET
    router: RouterFields | UnsetType | None = UNSET
    link_hosts: tuple[str, ...] | UnsetType | None = UNSET
    """Hosts that images in answers may come from; ``*`` for any."""
    egress_hosts: tuple[str, ...] | UnsetType | None = UNSET
    """The only hosts that tools and workflows of the agent may call; none named: no limit."""
    openai_system: OpenAISystem | UnsetType | None = UNSET
    openai_tools: OpenAITools | UnsetType | None = UNSET
    """``deny``: OpenAI requests may bring no tools of their own."""

    def config(self, limits: Limits) -> Patch[AgentConfig]:
        """Translate the configuration; raise ``InvalidRequest``."""
        changed = self.patch()
        model = changed.values.get("model")
        if model and (given := model.values.get("parameters")):
            read = string_map(given, field="model.parameters", limits=limits)
            model = Patch({**model.values, "parameters": read})
            return Patch({**changed.values, "model": model})
        return changed


class CreateAgentBody(ConfigFields, frozen=True, kw_only=True):
    """A new agent."""

    name: str
    description: str = ""
    icon_file_id: WireId | None = None
    mode: Mode = Mode.SINGLE


class UpdateAgentBody(ConfigFields, frozen=True, kw_only=True):
    """Changes of a draft."""

    name: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    icon_file_id: WireId | UnsetType | None = UNSET
    alias: str | UnsetType | None = UNSET
    trace_capture: TraceLevel | UnsetType | None = UNSET


class DuplicateAgentBody(msgspec.Struct, frozen=True, kw_only=True):
    """Where a copy goes and what it is called."""

    name: str | None = None
    workspace_id: WireId | None = None


class CopyTemplateBody(msgspec.Struct, frozen=True, kw_only=True):
    """Where the agent is made and what it is called."""

    workspace_id: WireId
    name: str | None = None


class PublishAgentBody(msgspec.Struct, frozen=True, kw_only=True):
    """What to publish where; ``version`` activates an existing version."""

    connector_ids: list[WireId] | None = None
    description: str | None = None
    version: str | None = None


class AssistBody(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is to write for an agent."""

    kind: ProposalKind
    instruction: str = ""
    """What is to be different, at most 4,000 characters; only a persona needs one."""
    text: str | None = None
    """The text as it is; absent, the draft's own."""


class ImportAgentBody(msgspec.Struct, frozen=True, kw_only=True):
    """An exported document, and the values of the secrets that it names."""

    document: dict[str, Any]
    """As ``export`` answered it."""
    name: str | None = None
    """Instead of the name in the document."""
    secrets: dict[str, str] | None = None
    """By the names that ``export`` listed."""


class TemplateBody(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the agent is offered as a template."""

    enabled: bool
    category: str | None = None
