"""What clients send to create, change and publish bots."""

from typing import Any

import msgspec

from api.search_shape import search_type
from api.wire import WireId, WireMap, required_id, string_map
from application.shared.patch import Patch
from domain.agent.value import (
    AgentConfig,
    CacheType,
    KnowledgeSettings,
    ModelSettings,
    PluginBinding,
    SuggestMode,
    WorkflowBinding,
)
from domain.shared.chat import OutputFormat
from domain.shared.limits import Limits


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

    def config(self, limits: Limits) -> Patch[AgentConfig]:
        """Translate the configuration; what is absent stays as it is."""
        prompt, onboarding = self.prompt_info, self.onboarding_info
        suggest, model = self.suggest_reply_info, self.model_info_config
        changes = {
            "prompt": prompt and _patch(prompt, prompt="text"),
            "onboarding": onboarding and _patch(onboarding),
            "suggest_reply": suggest and _patch(suggest, reply_mode="mode"),
            "model": model and _model_patch(model, limits),
            "knowledge": self.knowledge and _knowledge_patch(self.knowledge),
            "workflows": self.workflow_id_list and _workflows(self.workflow_id_list),
            "plugins": self._plugins(),
        }
        return Patch({name: value for name, value in changes.items() if value is not None})

    def _plugins(self) -> tuple[PluginBinding, ...] | None:
        """Read the tools of plugins; raise ``InvalidRequest`` for malformed ids."""
        if self.plugin_id_list is None or self.plugin_id_list.id_list is None:
            return None
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


def _patch(given: msgspec.Struct, **names: str) -> Patch[Any]:
    """Return what is given; ``names`` are those of the configuration where they differ."""
    return Patch(
        {
            names.get(name, name): tuple(value) if isinstance(value, list) else value
            for name, value in msgspec.structs.asdict(given).items()
            if value is not None
        }
    )


def _model_patch(model: BotModelFields, limits: Limits) -> Patch[ModelSettings]:
    changes = dict(_patch(model, context_round="history_rounds").values)
    if model.model_id is not None:
        changes["model_id"] = str(model.model_id)
    if model.parameters is not None:
        changes["parameters"] = string_map(
            model.parameters, field="model_info_config.parameters", limits=limits
        )
    return Patch(changes)


def _workflows(given: BotWorkflowIds) -> tuple[WorkflowBinding, ...] | None:
    """Read the ids of workflows; raise ``InvalidRequest`` for malformed ones."""
    if given.ids is None:
        return None
    return tuple(
        WorkflowBinding(workflow_id=required_id(each.id, field="workflow_id_list.ids.id"))
        for each in given.ids
    )


def _knowledge_patch(knowledge: BotKnowledgeFields) -> Patch[KnowledgeSettings]:
    changes = dict(_patch(knowledge, search_strategy="search_type").values)
    if knowledge.dataset_ids is not None:
        changes["dataset_ids"] = tuple(
            required_id(each, field="knowledge.dataset_ids") for each in knowledge.dataset_ids
        )
    if knowledge.search_strategy is not None:
        changes["search_type"] = search_type(
            knowledge.search_strategy, field="knowledge.search_strategy"
        )
    return Patch(changes)
