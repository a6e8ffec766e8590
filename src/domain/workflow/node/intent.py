"""Intent: a model decides which of the named intents a text has."""

from typing import Final

from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.graph import DEFAULT_PORT, Node, NodeConfig, Template, branch_port
from domain.workflow.node import NODE_TYPES, Check, NodeType, config_of, settings
from domain.workflow.node.choice import ModelChoice, check_model, history_rounds, read_choice
from domain.workflow.value import INTEGER, STRING

QUERY: Final = "query"
INTENT: Final = "intent"
"""Output with the text of the chosen intent, of nodes that always choose one."""


class IntentConfig(NodeConfig, frozen=True, kw_only=True):
    """Intent ``n`` (from 0) leads to port ``branch_n``, none of them to ``default``."""

    intents: tuple[str, ...]
    model: ModelChoice
    system_prompt: Template = Template()
    is_fast: bool = False
    """The model answers with a bare number and gives no reason."""
    always_chooses: bool = False
    """The last intent stands for everything else; the chosen one is an output by its text."""
    history_rounds: int = 0


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
    check_model(node, config.model, check)
    if not config.intents:
        check.add("WF444", node, "There is no intent.", at="intents")
    if any(not intent.strip() for intent in config.intents):
        check.add("WF444", node, "An intent has no text.", at="intents")
    if len(set(config.intents)) != len(config.intents):
        check.add("WF444", node, "Two intents have the same text.", at="intents")


NODE_TYPES.register("intent")(
    NodeType(
        kind="intent",
        type_id="22",
        key="Intent",
        names={"en": "Intent recognition", "zh": "意图识别"},
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
    )
)
