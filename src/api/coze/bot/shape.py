"""Bots and their shortcuts in the spelling of the Coze wire."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, Self

import msgspec
from msgspec import UNSET, UnsetType

from api.search_shape import search_number
from api.shape import CozeShape, IdOrEmpty
from api.wire import seconds
from application.agent.bound import NamedPlugin, NamedTool, NamedWorkflow
from application.agent.dto import (
    AgentSummary,
    AgentView,
    NamedDataset,
    PublicAgentView,
    VersionView,
)
from application.shared.projection import After, At, By
from domain.agent.value import (
    Mode,
    ModelSettings,
    Onboarding,
    SuggestMode,
    SuggestPolicy,
    VariableDefinition,
)
from domain.agent.value.shortcut import (
    InputType,
    SendType,
    Shortcut,
    ShortcutComponent,
    ShortcutParameter,
    ShortcutTool,
    ShortcutToolType,
)


def _input(kind: InputType) -> str:
    return "file" if kind.is_file else kind.value


def _plugin_api(tool: ShortcutTool) -> str:
    return tool.name if tool.type is ShortcutToolType.PLUGIN else ""


class BotShortcutComponent(
    CozeShape,
    of=ShortcutComponent,
    only=("name", "description", "parameter", "default_value", "hide", "options"),
    rename={"parameter": "tool_parameter", "hide": "is_hide"},
):
    """A field of the form."""

    type: Annotated[str, At("input_type"), By(_input), After("description")]


class BotShortcutParameter(
    CozeShape,
    of=ShortcutParameter,
    only=("name", "required", "description", "type", "default_value", "refer_component"),
    rename={"required": "is_required", "refer_component": "is_refer_component"},
):
    """A parameter of the tool."""


class BotShortcutTool(CozeShape, of=ShortcutTool, only=("name", "type")):
    """The tool that is called first."""

    plugin_id: IdOrEmpty
    plugin_api_name: Annotated[str, At(""), By(_plugin_api)]
    workflow_id: IdOrEmpty
    params: list[BotShortcutParameter]


class BotShortcut(
    CozeShape,
    of=Shortcut,
    only=("id", "name", "command", "description", "template_query", "components"),
    rename={"template_query": "query_template"},
):
    """A shortcut of a bot."""

    icon_url: Annotated[str, After("template_query")]
    components: list[BotShortcutComponent]
    tool: BotShortcutTool | UnsetType = UNSET
    agent_id: str
    send_type: SendType
    card_schema: str

    @classmethod
    def of(cls, source: Shortcut, /, **given: Any) -> Self:
        tool = UNSET if source.tool is None else BotShortcutTool.of(source.tool)
        return super().of(source, icon_url="", tool=tool, **given)


_MODES: Final[Mapping[Mode, int]] = {Mode.SINGLE: 0, Mode.MULTI: 1, Mode.WORKFLOW: 2}


class BotReference(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A bot by its id, with the version that publishing made."""

    bot_id: str
    version: str = ""


class BotPrompt(msgspec.Struct, frozen=True):
    """Persona of a bot."""

    prompt: str


class BotOnboarding(CozeShape, of=Onboarding):
    """Opening of a bot."""


def _or_none(values: Mapping[str, str]) -> Mapping[str, str] | None:
    return values or None


class BotModel(CozeShape, of=ModelSettings, only=(), omit_defaults=True):
    """Model settings of a bot."""

    model_id: str
    model_name: str
    temperature: Annotated[float | None, At("sampling.temperature")] = None
    top_p: float | None = None
    top_k: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    max_tokens: int | None = None
    context_round: Annotated[int | None, At("history_rounds")] = None
    response_format: str | None = None
    cache_type: str | None = None
    parameters: Annotated[Mapping[str, str] | None, By(_or_none)] = None
    sp_anti_leak: bool
    sp_current_time: bool


class BotKnowledgeInfo(CozeShape, of=NamedDataset):
    """A dataset by id and name."""


class BotKnowledge(msgspec.Struct, frozen=True, kw_only=True):
    """Datasets of a bot, by id and once more with their names."""

    dataset_ids: list[str]
    auto_call: bool
    search_strategy: int
    knowledge_infos: list[BotKnowledgeInfo]


class BotTool(CozeShape, of=NamedTool, rename={"id": "api_id"}):
    """A tool of a plugin."""


class BotPlugin(
    CozeShape,
    of=NamedPlugin,
    only=("id", "name", "description", "icon_url"),
    rename={"id": "plugin_id", "tools": "api_info_list"},
):
    """A plugin with the tools that a bot uses."""

    tools: list[BotTool]


class BotWorkflow(CozeShape, of=NamedWorkflow, without=("version", "effect")):
    """A workflow that a bot uses."""

    icon_url: str


class BotSuggest(CozeShape, of=SuggestPolicy, rename={"mode": "reply_mode"}):
    """Follow-up questions of a bot."""

    mode: SuggestMode


class BotVariable(
    CozeShape,
    of=VariableDefinition,
    rename={"enabled": "enable", "prompt_enabled": "prompt_enable"},
):
    """A variable of a bot."""


class Bot(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A bot in full; optional objects are complete or absent."""

    bot_id: str
    name: str
    description: str
    icon_url: str
    create_time: int
    update_time: int
    version: str = ""
    prompt_info: BotPrompt
    onboarding_info: BotOnboarding
    bot_mode: int
    plugin_info_list: list[BotPlugin]
    model_info: BotModel | None = None
    knowledge: BotKnowledge
    workflow_info_list: list[BotWorkflow]
    suggest_reply_info: BotSuggest
    shortcut_commands: list[BotShortcut]
    variables: list[BotVariable]
    owner_user_id: str
    default_user_input_type: str

    @classmethod
    def of(cls, view: AgentView) -> "Bot":
        config = view.config
        takes_turns = any(each.takes_over for each in config.agents)
        return cls(
            bot_id=str(view.id),
            name=view.name,
            description=view.description,
            icon_url=view.icon_url,
            create_time=seconds(view.created_at),
            update_time=seconds(view.updated_at),
            version=view.version,
            prompt_info=BotPrompt(config.prompt.text),
            onboarding_info=BotOnboarding.of(config.onboarding),
            bot_mode=_MODES[Mode.MULTI if takes_turns else view.mode],
            plugin_info_list=BotPlugin.each(view.plugins),
            model_info=_model(view),
            knowledge=BotKnowledge(
                dataset_ids=[str(each.id) for each in view.datasets],
                auto_call=config.knowledge.auto_call,
                search_strategy=search_number(config.knowledge.search_type),
                knowledge_infos=BotKnowledgeInfo.each(view.datasets),
            ),
            workflow_info_list=[BotWorkflow.of(each, icon_url="") for each in view.workflows],
            suggest_reply_info=BotSuggest.of(config.suggest_reply),
            shortcut_commands=[
                BotShortcut.of(each, agent_id=str(view.id)) for each in config.shortcuts
            ],
            variables=BotVariable.each(config.variables),
            owner_user_id=str(view.creator_id),
            default_user_input_type="text",
        )

    @classmethod
    def public(cls, view: PublicAgentView) -> "Bot":
        """Spell what visitors see: the fields that tell how the bot works are empty."""
        return cls(
            bot_id=str(view.id),
            name=view.name,
            description="",
            icon_url=view.icon_url,
            create_time=0,
            update_time=0,
            prompt_info=BotPrompt(""),
            onboarding_info=BotOnboarding.of(view.onboarding),
            bot_mode=_MODES[Mode.SINGLE],
            plugin_info_list=[],
            knowledge=BotKnowledge(
                dataset_ids=[], auto_call=False, search_strategy=0, knowledge_infos=[]
            ),
            workflow_info_list=[],
            suggest_reply_info=BotSuggest.of(SuggestPolicy()),
            shortcut_commands=[
                BotShortcut.of(each, agent_id=str(view.id)) for each in view.shortcuts
            ],
            variables=[],
            owner_user_id="",
            default_user_input_type="text",
        )


def _text(instant: datetime | None) -> str:
    return "" if instant is None else str(seconds(instant))


class SpaceBot(
    CozeShape,
    of=AgentSummary,
    only=("id", "name", "description", "icon_url"),
    rename={"id": "bot_id", "name": "bot_name"},
):
    """A published bot in the list of a space."""

    publish_time: Annotated[str, At("published_at"), By(_text)]


class SpaceBotList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of published bots, latest publication first."""

    total: int
    space_bots: list[SpaceBot]


class SimpleBot(
    CozeShape,
    of=AgentSummary,
    only=("id", "name", "description", "icon_url", "updated_at", "creator_id"),
    rename={"creator_id": "owner_user_id"},
    omit_defaults=True,
):
    """A bot in a list."""

    is_published: Annotated[bool, After("icon_url")]
    published_at: int | None = None


class SimpleBotList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of bots."""

    total: int
    items: list[SimpleBot]


class BotVersionCreator(msgspec.Struct, frozen=True, kw_only=True):
    """Who published a version."""

    id: str
    name: str


def _creator(creator_id: int) -> BotVersionCreator:
    return BotVersionCreator(id=str(creator_id), name="")


class BotVersion(CozeShape, of=VersionView, only=("version", "description")):
    """A version of a bot; versions never change, so both times are the same."""

    created_at: Annotated[str, By(_text)]
    updated_at: Annotated[str, At("created_at"), By(_text)]
    creator: Annotated[BotVersionCreator, At("creator_id"), By(_creator)]


class BotVersionList(msgspec.Struct, frozen=True, kw_only=True):
    """One page of versions, newest first."""

    total: int
    items: list[BotVersion]


def _model(view: AgentView) -> BotModel | None:
    """Show the model settings, unless there is no model to name."""
    if not view.model_id:
        return None
    return BotModel.of(view.config.model, model_id=view.model_id, model_name=view.model_name)
