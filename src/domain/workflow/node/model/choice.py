"""The choice of a model, as several kinds make it."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.engine.call import Call
from domain.workflow.graph import Node, Template
from domain.workflow.node import Check
from domain.workflow.text import BrokenJson, decode_json

ResponseFormat = Literal["text", "markdown", "json"]


class ModelChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A model and how it answers; None leaves a setting to the model."""

    model: str
    """Id as text, empty for the default model."""
    name: str = ""
    temperature: float | None = None
    top_p: float | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    max_tokens: int | None = None
    response_format: ResponseFormat = "text"
    stop: tuple[str, ...] = ()
    """Texts that end the answer."""


def read_choice(settings: Mapping[str, Cursor] | Cursor) -> ModelChoice:
    """Read the settings that both shapes of ``llmParam`` share."""
    limit = _number(settings, "maxTokens")
    formats: dict[int, ResponseFormat] = {1: "markdown", 2: "json"}
    model = _get(settings, "modelType").text()
    return ModelChoice(
        # Studios write 0 where nobody has chosen yet.
        model="" if model == "0" else model,
        name=_get(settings, "modleName").text() or _get(settings, "modelName").text(),
        temperature=_number(settings, "temperature"),
        top_p=_number(settings, "topP"),
        frequency_penalty=_number(settings, "frequencyPenalty"),
        presence_penalty=_number(settings, "presencePenalty"),
        max_tokens=None if limit is None else int(limit),
        response_format=formats.get(_get(settings, "responseFormat").integer(), "text"),
    )


def read_backup(reader: NodeReader) -> ModelChoice | None:
    """Read the model that takes over from the second attempt on; None if there is no other."""
    cursor = reader.inputs["settingOnError"]["ext"]["backupLLMParam"]
    reader.mark("backup", cursor)
    text = cursor.text()
    if not text:
        return None
    try:
        value = decode_json(text)
    except BrokenJson:
        reader.report("WF402", cursor, "The backup model's settings are not JSON.")
        return None
    return read_choice(Cursor(value))


def choice_of_attempt(call: Call, first: ModelChoice, backup: ModelChoice | None) -> ModelChoice:
    """Return the choice that counts for the attempt that a call is."""
    return backup if call.number and backup is not None else first


def history_rounds(
    setting: Cursor, *, enabled: bool = False, rounds: int = 0, default: int = 3
) -> int:
    """Read how many rounds of the conversation the model sees; 0 for none.

    ``chatHistorySetting`` overrules what the model's settings say.
    """
    if setting.is_object:
        enabled = setting["enableChatHistory"].flag()
        rounds = setting["chatHistoryRound"].integer(default)
    return max(rounds, 0) if enabled else 0


def check_models(node: Node, choice: ModelChoice, backup: ModelChoice | None, check: Check) -> None:
    """Report models of a node that do not exist."""
    _check_model(node, choice, check, at="model")
    if backup is not None:
        _check_model(node, backup, check, at="backup")


def _check_model(
    node: Node, choice: ModelChoice, check: Check, *, at: Literal["model", "backup"]
) -> None:
    known = check.surroundings.models
    if known is not None and choice.model and not {choice.model, choice.name} & known:
        sentences = {
            "model": f"There is no model {choice.model}.",
            "backup": f"There is no backup model {choice.model}.",
        }
        check.add("WF460", node, sentences[at], at=at)


def check_unused(
    node: Node, check: Check, *templates: Template, used: tuple[str, ...] = ()
) -> None:
    """Report input parameters that none of the texts names."""
    named = {slot.name for template in templates for slot in template.slots} | set(used)
    for binding in node.parameters:
        if binding.name not in named:
            check.add(
                "WF208", node, f"The parameter {binding.name} is never used.", at=binding.name
            )


def _get(settings: Mapping[str, Cursor] | Cursor, name: str) -> Cursor:
    if isinstance(settings, Cursor):
        return settings[name]
    return settings.get(name, Cursor(None))


def _number(settings: Mapping[str, Cursor] | Cursor, name: str) -> float | None:
    number = _get(settings, name).number()
    return None if number is None else float(number)
