"""Plugin: calls a tool of a plugin."""

from domain.workflow.canvas.blank import blank, literal, param
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.convert import convert_fields
from domain.workflow.engine.call import Call
from domain.workflow.graph import Node, NodeConfig
from domain.workflow.node import Check, NodeType, Result, Runner, config_of
from domain.workflow.node.effect import Outside, ToolUse
from domain.workflow.node.outside.tool import call_tool
from domain.workflow.node.outside.tool_drift import check_names, check_outputs, check_required
from domain.workflow.value import Value


class PluginConfig(NodeConfig, frozen=True, kw_only=True):
    """Which tool is called; an empty version is the draft."""

    plugin_id: str
    tool_id: str
    tool_name: str = ""
    version: str = ""
    whole: str = ""
    """Output with all that the tool answered, besides its parts."""


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters(on_absent="absent")
    reader.outputs = reader.declare_outputs()
    constants = reader.constants(reader.inputs["apiParam"])
    reader.mark("tool", reader.inputs["apiParam"])

    def text(name: str) -> str:
        return constants[name].text() if name in constants else ""

    if not text("pluginID") or not text("apiID"):
        reader.report("WF401", reader.inputs["apiParam"], "The tool is missing.")
    return PluginConfig(
        plugin_id=text("pluginID"),
        tool_id=text("apiID"),
        tool_name=text("apiName"),
        version=text("pluginVersion"),
    )


def _check(node: Node, check: Check) -> None:
    config = config_of(node, PluginConfig)
    key = (config.plugin_id, config.tool_id)
    around = check.surroundings
    if around.plugins is not None and key not in around.plugins:
        check.add(
            "WF460", node, f"There is no tool {config.tool_name or config.tool_id}.", at="tool"
        )
    if around.tool_outputs is not None and key in around.tool_outputs:
        check_outputs(node, node.outputs, around.tool_outputs[key], check)
    if around.tool_inputs is not None and key in around.tool_inputs:
        used = [binding.name for binding in node.parameters]
        name = config.tool_name or config.tool_id
        check_names(node, name, used, around.tool_inputs[key], check)
        check_required(node, name, used, around.tool_inputs[key], check)


def _outside(node: Node) -> Outside:
    config = config_of(node, PluginConfig)
    use = ToolUse(plugin_id=config.plugin_id, tool_id=config.tool_id, version=config.version)
    return Outside(uses=(use,))


async def _work(call: Call) -> Result:
    config = config_of(call.node, PluginConfig)
    result = await call_tool(
        call,
        plugin_id=config.plugin_id,
        tool_id=config.tool_id,
        version=config.version,
        arguments=call.inputs,
        key=call.key,
    )
    call.raw_output = result.raw
    conversion = convert_fields(result.output, call.node.outputs)
    for problem in conversion.problems:
        call.warn(str(problem))
    output: dict[str, Value] = conversion.value if isinstance(conversion.value, dict) else {}
    if config.whole:
        output = {**output, config.whole: dict(result.output) or result.text}
    return Result(output)


NodeType(
    kind="plugin",
    type_id="4",
    key="Api",
    names={"en": "Plugin", "zh": "插件"},
    blank=blank(
        inputs={
            "apiParam": [
                param(name, literal("string"))
                for name in ("apiID", "apiName", "pluginID", "pluginName", "pluginVersion")
            ],
            "inputParameters": [],
        },
        outputs=[],
    ),
    group="basic",
    read=_read,
    check=_check,
    config=PluginConfig,
    zero_fill=True,
    null_fill=True,
    interrupts=True,
    has_batch_mode=True,
    effects="write",
    outside=_outside,
    time_limit="remote",
    runner=Runner(work=_work),
).register()
