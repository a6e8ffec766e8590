"""What clients send to create, change and publish bots."""

from typing import TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from api.search_shape import search_type
from api.wire import WireId, WireMap, required_id, string_map
from application.agent.dto import (
    CacheType,
    ConfigPatch,
    KnowledgePatch,
    ModelPatch,
    OnboardingPatch,
    OutputFormat,
    PluginBinding,
    PromptPatch,
    SuggestMode,
    SuggestPatch,
    WorkflowBinding,
)
from domain.shared.limits import Limits

T = TypeVar("T")


class BotPromptFields(msgspec.Struct, frozen=True, kw_only=True):
    """Persona of a bot."""

    prompt: str | None = None


class BotOnboardingFields(msgspec.Struct, frozen=True, kw_only=True):
    """Opening of a bot."""

    prologue: str | None = None
    suggested_questions: list[str] | None = None


class BotSuggestFields(msgspec.Struct, frozen=True, kw_only=True):
    """Follow-up questions of a bot."""

    reply_mode: SuggestMode | None = None
    customized_prompt: str | None = None


class BotModelFields(msgspec.Struct, frozen=True, kw_only=True):
    """Model settings of a bot; the model's name is shown, never read."""

    model_id: WireId | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    max_tokens: int | None = None
    context_round: int | None = None
    response_format: OutputFormat | None = None
    cache_type: CacheType | None = None
    parameters: WireMap | None = None
    sp_anti_leak: bool | None = None
    sp_current_time: bool | None = None


class BotKnowledgeFields(msgspec.Struct, frozen=True, kw_only=True):
    """Datasets of a bot."""

    dataset_ids: list[WireId] | None = None
    auto_call: bool | None = None
    search_strategy: int | None = None


class BotToolId(msgspec.Struct, frozen=True, kw_only=True):
    """A tool of a plugin."""

    plugin_id: WireId | None = None
    api_id: WireId | None = None


class BotToolIds(msgspec.Struct, frozen=True, kw_only=True):
    """Tools of a bot."""

    id_list: list[BotToolId] | None = None


class BotWorkflowId(msgspec.Struct, frozen=True, kw_only=True):
    """A workflow."""

    id: WireId | None = None


class BotWorkflowIds(msgspec.Struct, frozen=True, kw_only=True):
    """Workflows of a bot."""

    ids: list[BotWorkflowId] | None = None


class BotFields(msgspec.Struct, frozen=True, kw_only=True):
    """What clients may set when they create or update a bot; null equals absent."""

    name: str | None = None
    description: str | None = None
    icon_file_id: WireId | None = None
    prompt_info: BotPromptFields | None = None
    onboarding_info: BotOnboardingFields | None = None
    suggest_reply_info: BotSuggestFields | None = None
    model_info_config: BotModelFields | None = None
    knowledge: BotKnowledgeFields | None = None
    plugin_id_list: BotToolIds | None = None
    workflow_id_list: BotWorkflowIds | None = None

    def config(self, limits: Limits) -> ConfigPatch:
        """Translate the configuration; what is absent stays as it is."""
        prompt, onboarding = self.prompt_info, self.onboarding_info
        suggest = self.suggest_reply_info
        return ConfigPatch(
            prompt=PromptPatch(text=_given(prompt.prompt)) if prompt else UNSET,
            onboarding=OnboardingPatch(
                prologue=_given(onboarding.prologue),
                suggested_questions=UNSET
                if onboarding.suggested_questions is None
                else tuple(onboarding.suggested_questions),
            )
            if onboarding
            else UNSET,
            suggest_reply=SuggestPatch(
                mode=_given(suggest.reply_mode),
                customized_prompt=_given(suggest.customized_prompt),
            )
            if suggest
            else UNSET,
            model=_model_patch(self.model_info_config, limits) if self.model_info_config else UNSET,
            knowledge=_knowledge_patch(self.knowledge) if self.knowledge else UNSET,
            workflows=_workflows(self.workflow_id_list) if self.workflow_id_list else UNSET,
            plugins=self._plugins(),
        )

    def _plugins(self) -> tuple[PluginBinding, ...] | UnsetType:
        """Read the tools of plugins; raise ``InvalidRequest`` for malformed ids."""
        if self.plugin_id_list is None or self.plugin_id_list.id_list is None:
            return UNSET
        return tuple(
            PluginBinding(
                plugin_id=required_id(tool.plugin_id, field="plugin_id_list.id_list.plugin_id"),
                tool_id=required_id(tool.api_id, field="plugin_id_list.id_list.api_id"),
            )
            for tool in self.plugin_id_list.id_list
        )


class CreateBotBody(BotFields, frozen=True, kw_only=True):
    """Body of ``/v1/bot/create``."""

    space_id: WireId | None = None


class UpdateBotBody(BotFields, frozen=True, kw_only=True):
    """Body of ``/v1/bot/update``."""

    bot_id: WireId | None = None


class PublishBotBody(msgspec.Struct, frozen=True, kw_only=True):
    """Body of ``/v1/bot/publish``."""

    bot_id: WireId | None = None
    connector_ids: list[WireId] | None = None


class UnpublishBotBody(msgspec.Struct, frozen=True, kw_only=True):
    """Body of ``/v1/bots/{bot_id}/unpublish``."""

    connector_id: WireId | None = None
    unpublish_reason: str | None = None


def _given(value: T | None) -> T | UnsetType:
    return UNSET if value is None else value


def _model_patch(model: BotModelFields, limits: Limits) -> ModelPatch:
    changes = {
        name: value
        for name, value in msgspec.structs.asdict(model).items()
        if value is not None and name not in {"model_id", "context_round", "parameters"}
    }
    if model.model_id is not None:
        changes["model_id"] = str(model.model_id)
    if model.context_round is not None:
        changes["history_rounds"] = model.context_round
    if model.parameters is not None:
        changes["parameters"] = string_map(
            model.parameters, field="model_info_config.parameters", limits=limits
        )
    return ModelPatch(**changes)


def _workflows(given: BotWorkflowIds) -> tuple[WorkflowBinding, ...] | UnsetType:
    """Read the ids of workflows; raise ``InvalidRequest`` for malformed ones."""
    if given.ids is None:
        return UNSET
    return tuple(
        WorkflowBinding(workflow_id=required_id(each.id, field="workflow_id_list.ids.id"))
        for each in given.ids
    )


def _knowledge_patch(knowledge: BotKnowledgeFields) -> KnowledgePatch:
    given = knowledge.search_strategy
    field = "knowledge.search_strategy"
    return KnowledgePatch(
        dataset_ids=UNSET
        if knowledge.dataset_ids is None
        else tuple(
            required_id(each, field="knowledge.dataset_ids") for each in knowledge.dataset_ids
        ),
        auto_call=UNSET if knowledge.auto_call is None else knowledge.auto_call,
        search={} if given is None else {"search_type": search_type(given, field=field)},
    )
