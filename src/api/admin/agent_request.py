"""What clients send to create, change and publish agents."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from api.admin.agent_team import MemberFields, RouterFields
from api.admin.agent_tool import ClientToolFields, PluginToolFields, WorkflowFields
from api.search_shape import StrategyFields, search_type
from api.wire import WireId, WireMap, required_id, string_map
from application.agent.dto import (
    CacheType,
    ConfigPatch,
    KnowledgePatch,
    MemoryPatch,
    Mode,
    ModelPatch,
    NoRecallMode,
    OnboardingPatch,
    OpenAISystem,
    OutputFormat,
    PromptPatch,
    SourceMode,
    StylePreset,
    SuggestMode,
    SuggestPatch,
    VariableChannel,
    VariableDefinition,
    VariableType,
    WorkflowSettings,
)
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

EnumT = TypeVar("EnumT", bound=StrEnum)

FORMATS: Final = {0: OutputFormat.TEXT, 1: OutputFormat.MARKDOWN, 2: OutputFormat.JSON}
STYLES: Final = {
    0: StylePreset.CUSTOM,
    1: StylePreset.CREATIVE,
    2: StylePreset.BALANCED,
    3: StylePreset.PRECISE,
}
SOURCE_MODES: Final = {0: SourceMode.LIST, 1: SourceMode.CARDS}
NO_RECALL_MODES: Final = {
    0: NoRecallMode.MODEL,
    1: NoRecallMode.TEXT,
    2: NoRecallMode.DIRECT,
}
SUGGESTIONS: Final = {0: SuggestMode.ENABLE, 1: SuggestMode.CUSTOMIZED, 2: SuggestMode.DISABLE}

Choice = int | str
"""An enumerated setting: the number of the stored model, or its name."""


class PromptFields(msgspec.Struct, frozen=True, kw_only=True):
    """The persona, a template with ``{{ name }}`` placeholders."""

    text: str | UnsetType | None = UNSET


class ModelFields(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of the model; absent leaves a value, null resets it."""

    model_id: WireId | UnsetType | None = UNSET
    temperature: float | UnsetType | None = UNSET
    top_p: float | UnsetType | None = UNSET
    top_k: int | UnsetType | None = UNSET
    presence_penalty: float | UnsetType | None = UNSET
    frequency_penalty: float | UnsetType | None = UNSET
    max_tokens: int | UnsetType | None = UNSET
    response_format: Choice | UnsetType | None = UNSET
    style: Choice | UnsetType | None = UNSET
    history_rounds: int | UnsetType | None = UNSET
    cache_type: CacheType | UnsetType | None = UNSET
    sp_current_time: bool | UnsetType | None = UNSET
    sp_anti_leak: bool | UnsetType | None = UNSET
    parameters: WireMap | UnsetType | None = UNSET
    lock_model_params: bool | UnsetType | None = UNSET
    tool_choice: str | UnsetType | None = UNSET

    def patch(self, limits: Limits) -> ModelPatch:
        changes: dict[str, Any] = msgspec.structs.asdict(self)
        if isinstance(self.model_id, int):
            changes["model_id"] = str(self.model_id)
        changes["response_format"] = _choice(
            self.response_format, FORMATS, field="model.response_format"
        )
        changes["style"] = _choice(self.style, STYLES, field="model.style")
        if self.parameters is not UNSET and self.parameters is not None:
            changes["parameters"] = string_map(
                self.parameters, field="model.parameters", limits=limits
            )
        return ModelPatch(**changes)


class KnowledgeFields(StrategyFields, frozen=True, kw_only=True):
    """Datasets and how they are searched; ``auto`` false leaves it to the model when to search."""

    datasets: list[WireId] | UnsetType | None = UNSET
    auto: bool | UnsetType | None = UNSET
    search_strategy: Choice | UnsetType | None = UNSET
    show_source: bool | UnsetType | None = UNSET
    show_source_mode: Choice | UnsetType | None = UNSET
    no_recall_reply_mode: Choice | UnsetType | None = UNSET
    no_recall_reply_customize_prompt: str | UnsetType | None = UNSET
    use_rerank: bool | UnsetType | None = UNSET
    use_rewrite: bool | UnsetType | None = UNSET
    use_nl2sql: bool | UnsetType | None = UNSET

    def patch(self) -> KnowledgePatch:
        datasets: tuple[int, ...] | UnsetType | None
        if self.datasets is UNSET or self.datasets is None:
            datasets = self.datasets
        else:
            datasets = tuple(
                required_id(each, field="knowledge.datasets") for each in self.datasets
            )
        return KnowledgePatch(
            dataset_ids=datasets,
            auto_call=self.auto,
            show_source=self.show_source,
            show_source_mode=_choice(
                self.show_source_mode, SOURCE_MODES, field="knowledge.show_source_mode"
            ),
            no_recall_reply_mode=_choice(
                self.no_recall_reply_mode, NO_RECALL_MODES, field="knowledge.no_recall_reply_mode"
            ),
            no_recall_reply_customize_prompt=self.no_recall_reply_customize_prompt,
            search=self.changes("knowledge.")
            | {
                "search_type": self._search_type(),
                "reranks": self.use_rerank,
                "rewrites": self.use_rewrite,
                "uses_sql": self.use_nl2sql,
            },
        )

    def _search_type(self) -> str | UnsetType | None:
        given = self.search_strategy
        if given is UNSET or given is None:
            return given
        return search_type(given, field="knowledge.search_strategy")


class MemoryFields(msgspec.Struct, frozen=True, kw_only=True):
    """What is remembered; ``model_id`` does the work, empty for the agent's own model."""

    summary: bool | UnsetType | None = UNSET
    long_term: bool | UnsetType | None = UNSET
    model_id: WireId | UnsetType | None = UNSET

    def patch(self) -> MemoryPatch:
        model_id = self.model_id
        return MemoryPatch(
            summary=self.summary,
            long_term=self.long_term,
            model_id=str(model_id) if isinstance(model_id, int) else model_id,
        )


class VariableFields(msgspec.Struct, frozen=True, kw_only=True):
    """A variable of the agent."""

    key: str
    description: str = ""
    default_value: str = ""
    is_system: bool = False
    prompt_disabled: bool = False
    is_disabled: bool = False
    type: VariableType = VariableType.VALUE

    @classmethod
    def of(cls, variable: VariableDefinition) -> "VariableFields":
        return cls(
            key=variable.keyword,
            description=variable.description,
            default_value=variable.default_value,
            is_system=variable.channel is VariableChannel.SYSTEM,
            prompt_disabled=not variable.prompt_enabled,
            is_disabled=not variable.enabled,
            type=variable.variable_type,
        )

    def definition(self) -> VariableDefinition:
        return VariableDefinition(
            keyword=self.key,
            description=self.description,
            default_value=self.default_value,
            channel=VariableChannel.SYSTEM if self.is_system else VariableChannel.CUSTOM,
            prompt_enabled=not self.prompt_disabled,
            enabled=not self.is_disabled,
            variable_type=self.type,
        )


class SuggestFields(msgspec.Struct, frozen=True, kw_only=True):
    """Follow-up questions."""

    mode: Choice | UnsetType | None = UNSET
    customized_prompt: str | UnsetType | None = UNSET

    def patch(self) -> SuggestPatch:
        return SuggestPatch(
            mode=_choice(self.mode, SUGGESTIONS, field="suggest_reply.mode"),
            customized_prompt=self.customized_prompt,
        )


class WorkflowAgentFields(msgspec.Struct, frozen=True, kw_only=True):
    """The workflow that answers instead of a model; without a version its newest one."""

    workflow_id: WireId
    version: str = ""

    def settings(self) -> WorkflowSettings:
        """Translate; raise ``InvalidRequest``."""
        return WorkflowSettings(
            workflow_id=required_id(self.workflow_id, field="workflow_agent.workflow_id"),
            version=self.version,
        )

    @classmethod
    def of(cls, settings: WorkflowSettings) -> "WorkflowAgentFields | None":
        if not settings.workflow_id:
            return None
        return cls(workflow_id=str(settings.workflow_id), version=settings.version)


class ConfigFields(msgspec.Struct, frozen=True, kw_only=True):
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
    workflow_agent: WorkflowAgentFields | UnsetType | None = UNSET
    workflows: list[WorkflowFields] | UnsetType | None = UNSET
    agents: list[MemberFields] | UnsetType | None = UNSET
    router: RouterFields | UnsetType | None = UNSET
    link_hosts: tuple[str, ...] | UnsetType | None = UNSET
    """Hosts that images in answers may come from; ``*`` for any."""
    egress_hosts: tuple[str, ...] | UnsetType | None = UNSET
    """The only hosts that tools and workflows of the agent may call; none named: no limit."""
    openai_system: OpenAISystem | UnsetType | None = UNSET

    def config(self, limits: Limits) -> ConfigPatch:
        """Translate the configuration; raise ``InvalidRequest``."""
        variables = self.variables
        prompt = self.prompt
        return ConfigPatch(
            prompt=PromptPatch(text=prompt.text) if isinstance(prompt, PromptFields) else prompt,
            model=self.model.patch(limits) if isinstance(self.model, ModelFields) else self.model,
            knowledge=self.knowledge.patch()
            if isinstance(self.knowledge, KnowledgeFields)
            else self.knowledge,
            variables=tuple(each.definition() for each in variables)
            if isinstance(variables, list)
            else variables,
            memory=self.memory.patch() if isinstance(self.memory, MemoryFields) else self.memory,
            plugins=tuple(each.binding() for each in self.plugins)
            if isinstance(self.plugins, list)
            else self.plugins,
            client_tools=tuple(each.spec() for each in self.client_tools)
            if isinstance(self.client_tools, list)
            else self.client_tools,
            onboarding=self.onboarding,
            suggest_reply=self.suggest_reply.patch()
            if isinstance(self.suggest_reply, SuggestFields)
            else self.suggest_reply,
            workflow=self.workflow_agent.settings()
            if isinstance(self.workflow_agent, WorkflowAgentFields)
            else self.workflow_agent,
            workflows=tuple(each.binding() for each in self.workflows)
            if isinstance(self.workflows, list)
            else self.workflows,
            agents=tuple(each.binding() for each in self.agents)
            if isinstance(self.agents, list)
            else self.agents,
            router=self.router.settings() if isinstance(self.router, RouterFields) else self.router,
            link_hosts=self.link_hosts,
            egress_hosts=self.egress_hosts,
            openai_system=self.openai_system,
        )


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


class DuplicateAgentBody(msgspec.Struct, frozen=True, kw_only=True):
    """Where a copy goes and what it is called."""

    name: str | None = None
    workspace_id: WireId | None = None


class PublishAgentBody(msgspec.Struct, frozen=True, kw_only=True):
    """What to publish where; ``version`` activates an existing version."""

    connector_ids: list[WireId] | None = None
    description: str | None = None
    version: str | None = None


class TemplateBody(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the agent is offered as a template."""

    enabled: bool
    category: str | None = None


def number_of(member: EnumT, numbers: Mapping[int, EnumT]) -> int:
    """Return the number of the stored model; a member without one is a defect."""
    return next(number for number, each in numbers.items() if each is member)


def _choice(
    value: Choice | UnsetType | None, numbers: Mapping[int, EnumT], *, field: str
) -> EnumT | UnsetType | None:
    if value is UNSET or value is None:
        return value
    for number, member in numbers.items():
        if value in {number, member.value}:
            return member
    known = ", ".join(f"{number} ({member.value})" for number, member in numbers.items())
    raise InvalidRequest(f"{field}: unknown value. Known: {known}.", field=field)
