"""Intent: a model decides which of the named intents a text has."""

import re
from typing import Final

from domain.shared.chat import ChatMessage
from domain.workflow.canvas.blank import blank, literal, out, param, unset
from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.engine.call import Call
from domain.workflow.engine.error import ModelReplyInvalid
from domain.workflow.graph import DEFAULT_PORT, Node, NodeConfig, Template, branch_port
from domain.workflow.node import Check, NodeType, Result, Runner, config_of, settings
from domain.workflow.node.model.choice import (
    ModelChoice,
    check_models,
    choice_of_attempt,
    history_rounds,
    read_backup,
    read_choice,
)
from domain.workflow.node.model.reply import ask, find_object, history, request
from domain.workflow.template import render
from domain.workflow.text import to_text
from domain.workflow.value import INTEGER, STRING, Value

QUERY: Final = "query"
INTENT: Final = "intent"
"""Output with the text of the chosen intent, of nodes that always choose one."""


class IntentConfig(NodeConfig, frozen=True, kw_only=True):
    """Intent ``n`` (from 0) leads to port ``branch_n``, none of them to ``default``."""

    intents: tuple[str, ...]
    model: ModelChoice
    backup: ModelChoice | None = None
    """Used from the second attempt on."""
    system_prompt: Template = Template()
    is_fast: bool = False
    """The model answers with a bare number and gives no reason."""
    always_chooses: bool = False
    """The last intent stands for everything else; the chosen one is an output by its text."""
    history_rounds: int = 0
    history: str = ""
    """Input with what was said before; empty: rounds of the conversation."""


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    if QUERY not in reader.names:
        reader.report("WF401", reader.inputs["inputParameters"], "The query is missing.")
    mode = reader.inputs["mode"].text("all") or "all"
    if mode not in {"all", "top_speed"}:
        reader.report("WF402", reader.inputs["mode"], f"Unknown mode {mode[:40]!r}.")
    parameters = reader.inputs["llmParam"]
    if not parameters and mode == "all":
        reader.report("WF401", parameters, "The model's settings are missing.")
    reader.mark("intents", reader.inputs["intents"])
    reader.mark("model", parameters)
    prompt = parameters["systemPrompt"]
    place = prompt["value"]["content"] if prompt.is_object else prompt
    return IntentConfig(
        intents=tuple(item["name"].text() for item in reader.inputs["intents"]),
        model=read_choice(parameters),
        backup=read_backup(reader),
        system_prompt=reader.template(place, field="system_prompt"),
        is_fast=mode == "top_speed",
        history_rounds=history_rounds(
            reader.inputs["chatHistorySetting"],
            enabled=parameters["enableChatHistory"].flag(),
            rounds=parameters["chatHistoryRound"].integer(3),
        ),
    )


def _ports(config: NodeConfig) -> tuple[str, ...]:
    intents = settings(config, IntentConfig).intents
    return (*(branch_port(index) for index in range(len(intents))), DEFAULT_PORT)


def _check(node: Node, check: Check) -> None:
    config = config_of(node, IntentConfig)
    check_models(node, config.model, config.backup, check)
    if not config.intents:
        check.add("WF444", node, "There is no intent.", at="intents")
    if any(not intent.strip() for intent in config.intents):
        check.add("WF444", node, "An intent has no text.", at="intents")
    if len(set(config.intents)) != len(config.intents):
        check.add("WF444", node, "Two intents have the same text.", at="intents")


_FULL: Final = (
    "Classify the user's text. Answer with one JSON object "
    '{"classificationId": number, "reason": string} and nothing else.'
)
_FAST: Final = "Classify the user's text. Answer with the number of the intent and nothing else."
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,9}", re.ASCII)


async def _work(call: Call) -> Result:
    config = config_of(call.node, IntentConfig)
    listed = [f"{number}. {intent}" for number, intent in enumerate(config.intents, 1)]
    none = [] if config.always_chooses else ["0. none of these"]
    system = "\n".join([_FAST if config.is_fast else _FULL, "Intents:", *none, *listed])
    extra = render(config.system_prompt, call.given)
    messages = [ChatMessage.of_text("system", f"{system}\n\n{extra}" if extra else system)]
    messages += await history(call, config.history_rounds, call.inputs.get(config.history))
    messages.append(ChatMessage.of_text("user", to_text(call.inputs.get(QUERY))))
    choice = choice_of_attempt(call, config.model, config.backup)
    reply = await ask(call, await request(call, choice, messages))
    call.raw_output = reply.text
    if config.always_chooses:
        place = _nearest(reply.text, config.intents)
        return Result({INTENT: config.intents[place]}, branch_port(place))
    number, reason = _fast(reply.text) if config.is_fast else _full(reply.text)
    if not 0 <= number <= len(config.intents):
        raise ModelReplyInvalid(f"The model chose the intent {number}, which does not exist.")
    output: dict[str, Value] = {"classificationId": number}
    if not config.is_fast:
        output["reason"] = reason
    return Result(output, branch_port(number - 1) if number else DEFAULT_PORT)


def _nearest(text: str, intents: tuple[str, ...]) -> int:
    """Return the place of the intent that a reply means: by its number, or else by its words."""
    last = len(intents) - 1
    try:
        number = _full(text)[0]
    except ModelReplyInvalid:
        named = (place for place, each in enumerate(intents) if each and each in text)
        return next(named, last)
    return number - 1 if 0 < number <= len(intents) else last


def _fast(text: str) -> tuple[int, str]:
    if not _NUMBER.fullmatch(text.strip()):
        raise ModelReplyInvalid(f"The model answered no number but {text[:80]!r}.")
    return int(text), ""


def _full(text: str) -> tuple[int, str]:
    value = find_object(text)
    number = None if value is None else value.get("classificationId")
    if value is None or isinstance(number, bool) or not isinstance(number, int | float | str):
        raise ModelReplyInvalid(f"The model answered no classification but {text[:80]!r}.")
    if isinstance(number, str):
        return _fast(number)[0], to_text(value.get("reason"))
    return int(number), to_text(value.get("reason"))


NodeType(
    kind="intent",
    type_id="22",
    key="Intent",
    names={"en": "Intent recognition", "zh": "意图识别"},
    blank=blank(
        inputs={
            "inputParameters": [param("query", unset("string"))],
            "intents": [{"name": ""}],
            "mode": "all",
            "llmParam": {
                "modelType": 0,
                "modelName": "",
                "temperature": 0.5,
                "maxTokens": 1024,
                "responseFormat": 0,
                "systemPrompt": literal("string"),
            },
            "chatHistorySetting": {"enableChatHistory": False, "chatHistoryRound": 3},
        },
        outputs=[out("classificationId", "integer"), out("reason")],
    ),
    group="logic",
    read=_read,
    ports=_ports,
    check=_check,
    config=IntentConfig,
    outputs=(output_field("classificationId", INTEGER), output_field("reason", STRING)),
    zero_fill=True,
    null_fill=True,
    effects="read",
    time_limit="model",
    runner=Runner(work=_work),
).register()
