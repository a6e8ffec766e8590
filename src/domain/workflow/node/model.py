"""Model: one call of a language model, with tools and knowledge if it has some."""

from typing import Final

import msgspec

from crossdomain.knowledge.contract import RetrievalStrategy
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.graph import Node, NodeConfig, Streams, Template
from domain.workflow.node import NODE_TYPES, Check, NodeType, config_of
from domain.workflow.node.choice import (
    ModelChoice,
    check_model,
    check_unused,
    history_rounds,
    read_choice,
)
from domain.workflow.node.outside import Outside, ToolUse, Use, WorkflowUse
from domain.workflow.node.search import (
    CANVAS_DEFAULTS,
    SKILL_NAMES,
    check_strategy,
    read_strategy,
)
from domain.workflow.node.tool_drift import check_names
from domain.workflow.text import BrokenJson, decode_json
from domain.workflow.value import Schema, TypeKind, Value

REASONING: Final = "reasoning_content"
SUCCESS: Final = "success"
FIELDS: Final = "fields"


class ParameterSetting(msgspec.Struct, frozen=True, kw_only=True):
    """What the canvas says about one parameter of a tool."""

    name: str
    is_hidden: bool = False
    """The model does not see it; ``default`` is passed."""
    default: Value = None


class PluginTool(msgspec.Struct, frozen=True, kw_only=True, tag="plugin"):
    """A tool of a plugin that the model may call."""

    plugin_id: str
    tool_id: str
    name: str = ""
    version: str = ""
    is_draft: bool = False
    parameters: tuple[ParameterSetting, ...] = ()


class WorkflowTool(msgspec.Struct, frozen=True, kw_only=True, tag="workflow"):
    """A workflow that the model may call."""

    workflow_id: str
    version: str = ""
    is_draft: bool = False
    parameters: tuple[ParameterSetting, ...] = ()


class KnowledgeSkill(msgspec.Struct, frozen=True, kw_only=True):
    """Knowledge bases searched before the model answers."""

    dataset_ids: tuple[str, ...]
    strategy: RetrievalStrategy = CANVAS_DEFAULTS
    no_recall_prompt: str = ""
    """Followed when nothing is found; empty: the model answers normally."""


class ModelConfig(NodeConfig, frozen=True, kw_only=True):
    """``text_output``: output that receives the whole text, empty in JSON format."""

    model: ModelChoice
    backup: ModelChoice | None = None
    """Used from the second attempt on."""
    prompt: Template
    system_prompt: Template = Template()
    history_rounds: int = 0
    text_output: str = "output"
    has_reasoning: bool = False
    tools: tuple[PluginTool | WorkflowTool, ...] = ()
    knowledge: KnowledgeSkill | None = None
    files: str = ""
    """Input with addresses of files that belong to the question."""
    answers: bool = False
    """What the model writes is an answer to the user, shown while it is written."""
    shows_reasoning: bool = False
    thought_tags: tuple[str, ...] | None = None
    """Tags that are taken for reasoning, all others are text; None for those of the model."""
    extracted: Schema = ()
    """What the model is asked for in JSON, where the outputs tell about it: ``SUCCESS`` whether
    anything was found, ``FIELDS`` all of it as JSON."""
    max_tool_rounds: int = 0
    """0 for the limit of the deployment."""


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    constants = reader.constants(reader.inputs["llmParam"])
    if not constants:
        reader.report("WF401", reader.inputs["llmParam"], "The model's settings are missing.")
    nothing = Cursor(None, reader.inputs["llmParam"], "prompt")
    reader.mark("model", reader.inputs["llmParam"])
    choice = read_choice(constants)
    text_output = _text_output(reader, choice)
    has_reasoning = any(field.name == REASONING for field in reader.outputs)
    if text_output:
        names = (text_output, REASONING) if has_reasoning else (text_output,)
        reader.streams = Streams(produces=names)
    return ModelConfig(
        model=choice,
        backup=_backup(reader),
        prompt=reader.template(constants.get("prompt", nothing), field="prompt"),
        system_prompt=reader.template(
            constants.get("systemPrompt", nothing), field="system_prompt"
        ),
        history_rounds=history_rounds(
            reader.inputs["chatHistorySetting"],
            enabled=constants.get("enableChatHistory", nothing).flag(),
            rounds=constants.get("chatHistoryRound", nothing).integer(3),
        ),
        text_output=text_output,
        has_reasoning=has_reasoning,
        tools=_tools(reader.inputs["fcParam"]),
        knowledge=_knowledge(reader),
    )


def _text_output(reader: NodeReader, choice: ModelChoice) -> str:
    reader.outputs = reader.declare_outputs()
    plain = [field for field in reader.outputs if field.name not in _IMPLICIT]
    if choice.response_format == "json":
        is_text = len(plain) == 1 and plain[0].type.kind is TypeKind.STRING
        return plain[0].name if is_text else ""
    return plain[0].name if plain else "output"


_IMPLICIT: Final = frozenset({REASONING, "errorBody", "isSuccess"})


def _backup(reader: NodeReader) -> ModelChoice | None:
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


def _tools(cursor: Cursor) -> tuple[PluginTool | WorkflowTool, ...]:
    plugins = [
        PluginTool(
            plugin_id=item["plugin_id"].text(),
            tool_id=item["api_id"].text(),
            name=item["api_name"].text(),
            version=item["plugin_version"].text(),
            is_draft=item["is_draft"].flag(),
            parameters=_parameters(item["fc_setting"]["request_params"]),
        )
        for item in cursor["pluginFCParam"]["pluginList"]
    ]
    workflows = [
        WorkflowTool(
            workflow_id=item["workflow_id"].text(),
            version=item["workflow_version"].text(),
            is_draft=item["is_draft"].flag(),
            parameters=_parameters(item["fc_setting"]["request_params"]),
        )
        for item in cursor["workflowFCParam"]["workflowList"]
    ]
    return (*plugins, *workflows)


def _parameters(cursor: Cursor) -> tuple[ParameterSetting, ...]:
    return tuple(
        ParameterSetting(
            name=item["name"].text(),
            is_hidden=item["local_disable"].flag(),
            default=item["local_default"].value,
        )
        for item in cursor
    )


def _knowledge(reader: NodeReader) -> KnowledgeSkill | None:
    cursor = reader.inputs["fcParam"]["knowledgeFCParam"]
    ids = tuple(item["id"].text() for item in cursor["knowledgeList"])
    if not ids:
        return None
    setting = cursor["global_setting"]
    follows_prompt = setting["no_recall_reply_mode"].integer() == 1
    prompt = setting["no_recall_reply_customize_prompt"].text() if follows_prompt else ""
    for field, name in SKILL_NAMES.items():
        reader.mark(field, setting[name])
    return KnowledgeSkill(
        dataset_ids=ids,
        strategy=read_strategy(
            lambda name: setting[name],
            SKILL_NAMES,
            lambda place, text: reader.report("WF402", place, text),
        ),
        no_recall_prompt=prompt,
    )


def _check(node: Node, check: Check) -> None:
    config = config_of(node, ModelConfig)
    check_model(node, config.model, check)
    if config.backup is not None:
        check_model(node, config.backup, check, at="backup", role="backup model")
    check_unused(node, check, config.prompt, config.system_prompt)
    _check_tools(node, config, check)


def _check_tools(node: Node, config: ModelConfig, check: Check) -> None:
    around = check.surroundings
    for tool in config.tools:
        match tool:
            case PluginTool(plugin_id=plugin, tool_id=name):
                if around.plugins is not None and (plugin, name) not in around.plugins:
                    check.add("WF460", node, f"There is no tool {name} of plugin {plugin}.")
                declared = (around.tool_inputs or {}).get((plugin, name))
                if declared is not None:
                    used = [each.name for each in tool.parameters]
                    check_names(node, tool.name or name, used, declared, check)
            case WorkflowTool(workflow_id=workflow, version=version):
                children = around.children
                if children is not None and (workflow, version) not in children:
                    check.add("WF420", node, f"There is no workflow {workflow} to call.")
    if config.knowledge is not None:
        check_strategy(node, config.knowledge.strategy, check)
        for dataset in config.knowledge.dataset_ids:
            if around.datasets is not None and dataset not in around.datasets:
                check.add("WF460", node, f"There is no knowledge base {dataset}.")


def _outside(node: Node) -> Outside:
    return Outside(uses=tuple(map(_use, config_of(node, ModelConfig).tools)))


def _use(tool: PluginTool | WorkflowTool) -> Use:
    version = "" if tool.is_draft else tool.version
    if isinstance(tool, PluginTool):
        return ToolUse(plugin_id=tool.plugin_id, tool_id=tool.tool_id, version=version)
    return WorkflowUse(workflow_id=tool.workflow_id, version=version)


NODE_TYPES.register("model")(
    NodeType(
        kind="model",
        type_id="3",
        key="LLM",
        names={"en": "LLM", "zh": "大模型"},
        group="basic",
        read=_read,
        check=_check,
        config=ModelConfig,
        can_stream=True,
        zero_fill=True,
        null_fill=True,
        interrupts=True,
        has_batch_mode=True,
        effects="read",
        outside=_outside,
        time_limit="model",
    )
)
