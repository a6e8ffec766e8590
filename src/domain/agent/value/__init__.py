"""The configuration of an agent: one immutable value tree, stored as JSON in draft and versions."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, Literal, assert_never

import msgspec

from crossdomain.knowledge.contract import RetrievalStrategy, SearchType
from domain.agent.value.memory import MemorySettings
from domain.agent.value.shortcut import Shortcut
from domain.agent.value.team import AgentBinding, RouterSettings
from domain.shared.chat import OutputFormat, Sampling, ToolSpec
from domain.shared.ids import Id


class Mode(StrEnum):
    """What answers: one model, several agents, or a workflow."""

    SINGLE = "single"
    MULTI = "multi"
    WORKFLOW = "workflow"


class UseKind(StrEnum):
    """What an agent can be bound to."""

    DATASET = "dataset"
    PLUGIN = "plugin"
    WORKFLOW = "workflow"


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """Something that agents are bound to."""

    kind: UseKind
    id: int


class StylePreset(StrEnum):
    """Named temperatures of the editor."""

    CUSTOM = "custom"
    CREATIVE = "creative"
    BALANCED = "balanced"
    PRECISE = "precise"


# Temperatures of the presets in the Coze editor.
PRESET_TEMPERATURES: Final[Mapping[StylePreset, float]] = {
    StylePreset.CREATIVE: 1.0,
    StylePreset.BALANCED: 0.8,
    StylePreset.PRECISE: 0.3,
}


class CacheType(StrEnum):
    """Whether the provider may keep the common prefix of prompts."""

    CLOSED = "closed"
    PREFIX = "prefix"


OpenAISystem = Literal["append", "replace", "ignore"]
OpenAITools = Literal["allow", "deny"]


class ModelSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which model answers and how; None leaves the default of the model or of the product.

    ``model_id`` is a decimal id, a name or an alias; empty means the
    default of the workspace, or of the deployment where that has none.
    """

    model_id: str = ""
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    max_tokens: int | None = None
    response_format: OutputFormat | None = None
    style: StylePreset = StylePreset.CUSTOM
    history_rounds: int | None = None
    cache_type: CacheType | None = None
    sp_current_time: bool = False
    sp_anti_leak: bool = False
    parameters: Mapping[str, str] = {}
    lock_model_params: bool = False
    """Requests may not change sampling, length or format."""
    tool_choice: str = "auto"
    """What the first step does: ``auto``, ``required`` (calls some tool) or the name of a tool;
    later steps are free. ``none``: the model gets no tools at all."""

    @property
    def sampling(self) -> Sampling:
        """Settings for the provider; an explicit temperature wins over the style preset."""
        temperature = self.temperature
        if temperature is None:
            temperature = PRESET_TEMPERATURES.get(self.style)
        return Sampling(
            temperature=temperature,
            top_p=self.top_p,
            top_k=self.top_k,
            presence_penalty=self.presence_penalty,
            frequency_penalty=self.frequency_penalty,
        )


class Prompt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The persona: a template with ``{{ path }}`` placeholders."""

    text: str = ""


class Onboarding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an end user sees before the first message."""

    prologue: str = ""
    suggested_questions: tuple[str, ...] = ()


class SuggestMode(StrEnum):
    """Whether follow-up questions are offered after an answer."""

    DISABLE = "disable"
    ENABLE = "enable"
    CUSTOMIZED = "customized"


class SuggestPolicy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Follow-up questions; ``customized_prompt`` counts in mode customized only."""

    mode: SuggestMode = SuggestMode.DISABLE
    customized_prompt: str = ""


class SourceMode(StrEnum):
    """Where the sources of an answer are shown."""

    LIST = "list"
    """As a list at the end of the answer."""
    CARDS = "cards"
    """In the metadata of the answer."""


class NoRecallMode(StrEnum):
    """What happens when no knowledge answers the question."""

    MODEL = "model"
    """The model answers from itself."""
    TEXT = "text"
    """The agent's text is all the model finds."""
    DIRECT = "direct"
    """The agent's text is the answer; no model is asked."""


class KnowledgeSettings(
    RetrievalStrategy,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    rename={
        "search_type": "search_strategy",
        "rewrites": "use_rewrite",
        "reranks": "use_rerank",
        "uses_sql": "use_nl2sql",
    },
):
    """Datasets bound to the agent and how they are searched; stored under Coze's names.

    ``auto_call`` searches on every question; else the model decides by calling a tool.
    ``no_recall_reply_customize_prompt`` is the text of the modes text and direct.
    """

    dataset_ids: tuple[Id, ...] = ()
    auto_call: bool = True
    search_type: SearchType = "semantic"
    rewrites: bool = True
    reranks: bool = True
    uses_sql: bool = True
    show_source: bool = True
    show_source_mode: SourceMode = SourceMode.LIST
    no_recall_reply_mode: NoRecallMode = NoRecallMode.MODEL
    no_recall_reply_customize_prompt: str = ""

    @property
    def strategy(self) -> RetrievalStrategy:
        """The settings of the search alone."""
        values = msgspec.structs.asdict(self)
        return RetrievalStrategy(
            **{name: values[name] for name in RetrievalStrategy.__struct_fields__}
        )

    @property
    def no_recall_text(self) -> str:
        """What stands in for knowledge when nothing was found; empty means nothing does."""
        if self.no_recall_reply_mode is NoRecallMode.MODEL:
            return ""
        return self.no_recall_reply_customize_prompt.strip()


class VariableType(StrEnum):
    """Shape of a variable, in the spelling of the Coze wire."""

    VALUE = "KVVariable"
    LIST = "ListVariable"


class VariableChannel(StrEnum):
    """Where a variable's value comes from."""

    CUSTOM = "custom"
    SYSTEM = "system"
    LOCATION = "location"
    FEISHU = "feishu"
    APP = "app"


class VariableDefinition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A variable of the agent; its default feeds the persona unless a request sets the value."""

    keyword: str
    default_value: str = ""
    variable_type: VariableType = VariableType.VALUE
    channel: VariableChannel = VariableChannel.CUSTOM
    description: str = ""
    enabled: bool = True
    prompt_enabled: bool = True


class WorkflowSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The workflow that answers in mode workflow; without a version its newest one."""

    workflow_id: Id = 0
    version: str = ""


Approval = Literal["auto", "always", "exempt"]
"""When the user is asked before a call.

``auto``: if the tool says so, and before calls with effects outside once the turn has read
untrusted content. ``exempt``: not for the second reason.
"""


class WorkflowBinding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A workflow that the model may call; without a version its newest one.

    ``tool_name`` is what the model calls it, empty for a name made of the workflow's own.
    ``effect`` is what a run of it changes outside this deployment, beyond what its nodes tell;
    less than they tell is only said by ``approval="exempt"``.
    """

    workflow_id: Id
    tool_name: str = ""
    version: str = ""
    effect: Literal["read", "external_write", "irreversible"] = "read"
    approval: Approval = "auto"


class PluginBinding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tool of a plugin that the model may call; publishing fills in the version.

    ``defaults`` are values that the developer fixes: the model neither sees nor overrides them.
    Those named in ``secrets`` are shown to nobody again.
    """

    plugin_id: Id
    tool_id: Id
    version: str = ""
    defaults: Mapping[str, Any] = {}
    secrets: tuple[str, ...] = ()
    approval: Approval = "auto"


class AgentConfig(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything an agent's developer sets besides name, description and icon."""

    prompt: Prompt = Prompt()
    model: ModelSettings = ModelSettings()
    onboarding: Onboarding = Onboarding()
    suggest_reply: SuggestPolicy = SuggestPolicy()
    knowledge: KnowledgeSettings = KnowledgeSettings()
    variables: tuple[VariableDefinition, ...] = ()
    memory: MemorySettings = MemorySettings()
    shortcuts: tuple[Shortcut, ...] = ()
    """In the order in which users see them."""
    workflow: WorkflowSettings = WorkflowSettings()
    workflows: tuple[WorkflowBinding, ...] = ()
    plugins: tuple[PluginBinding, ...] = ()
    client_tools: tuple[ToolSpec, ...] = ()
    """Tools that run at the client, which submits their outputs."""
    agents: tuple[AgentBinding, ...] = ()
    """Other agents that this one works with."""
    router: RouterSettings = RouterSettings()
    link_hosts: tuple[str, ...] = ()
    """Hosts that images in answers may come from, besides the deployment's; ``*`` for any."""
    egress_hosts: tuple[str, ...] = ()
    """The only hosts that its tools and workflows may call; none named: those of the workspace."""
    openai_system: OpenAISystem = "append"
    """What becomes of system messages in OpenAI requests."""
    openai_tools: OpenAITools = "allow"
    """Whether OpenAI requests may bring tools of their own."""

    def locked(self, plugins: Mapping[int, str], agents: Mapping[int, str]) -> "AgentConfig":
        """Name the versions of plugins and agents that are not named yet, by their ids."""
        return msgspec.structs.replace(
            self,
            plugins=tuple(
                e if e.version else msgspec.structs.replace(e, version=plugins[e.plugin_id])
                for e in self.plugins
            ),
            agents=tuple(
                e if e.version else msgspec.structs.replace(e, version=agents[e.agent_id])
                for e in self.agents
            ),
        )

    @property
    def workflow_ids(self) -> tuple[int, ...]:
        """All workflows that the agent refers to."""
        bound = tuple(each.workflow_id for each in self.workflows)
        own = self.workflow.workflow_id
        return (*bound, own) if own else bound

    def uses(self, use: "Use") -> bool:
        """Tell whether the agent is bound to it."""
        match use.kind:
            case UseKind.DATASET:
                return use.id in self.knowledge.dataset_ids
            case UseKind.PLUGIN:
                return any(each.plugin_id == use.id for each in self.plugins)
            case UseKind.WORKFLOW:
                return use.id in self.workflow_ids
            case _:
                assert_never(use.kind)

    @property
    def tool_references(self) -> frozenset[str]:
        """The tools that shortcuts may call, as ``ToolDescription.reference`` names them."""
        plugins = (f"plugin/{each.plugin_id}/{each.tool_id}" for each in self.plugins)
        return frozenset(f"workflow/{each.workflow_id}" for each in self.workflows) | {*plugins}

    @property
    def variable_defaults(self) -> dict[str, str]:
        """Default values of the enabled variables that may appear in the persona."""
        return {
            variable.keyword: variable.default_value
            for variable in self.variables
            if variable.enabled and variable.prompt_enabled
        }


class PublishState(StrEnum):
    """Which agents a listing shows, by their state on the connectors it looks at."""

    ALL = "all"
    ONLINE = "published_online"
    CHANGED = "published_draft"
    """Published, and the draft differs from the newest version."""
    OFFLINE = "unpublished_draft"


class Verdict(StrEnum):
    """What a connector's own review decided about an agent."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
