"""Tools of plugins: those of MCP servers and of FastGPT itself."""

import re
from typing import Final

from domain.workflow.canvas.cursor import Cursor
from domain.workflow.fastgpt.flow import ERROR_TEXT, TOOL_DATA, schema_of
from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NodeConfig
from domain.workflow.node.outside.plugin import PluginConfig
from domain.workflow.value import ANY, Field

RAW: Final = "system_rawResponse"
_HERE: Final = re.compile(r"([0-9]+)/([0-9]+)", re.ASCII)
_SETTINGS: Final = frozenset({*TOOL_DATA, "system_input_config", "system_toolSetData"})


def _read(reader: FlowReader) -> NodeConfig:
    reader.parameters(*_SETTINGS)
    for name in schema_of(reader.node):
        if name not in reader.otherwise:
            reader.bind(name, wanted=ANY)
    reader.outputs = (
        *(field for field in reader.outputs if field.name != RAW),
        Field(name=RAW, type=ANY),
    )
    place = _named(reader)
    reader.fields["tool"] = place.pointer
    found = _HERE.fullmatch(place.text())
    if found is None:
        text = (
            f"The tool {place.text()[:80] or reader.node.id!r} is one of another system. Add its "
            "plugin here and name it as PLUGIN/TOOL, under plugins when you import the flow."
        )
        reader.report("WF401", place, text)
    plugin, tool = found.groups() if found is not None else (place.text(), "")
    return PluginConfig(
        plugin_id=plugin,
        tool_id=tool,
        tool_name=reader.node.cursor["name"].text(),
        whole=RAW,
    )


def _named(reader: FlowReader) -> Cursor:
    """Find the id of the tool: newer flows keep it with the kind of the tool."""
    node = reader.node.cursor
    config = node["toolConfig"]
    for place in (
        node["pluginId"],
        config["mcpTool"]["toolId"],
        config["systemTool"]["toolId"],
        config["httpTool"]["toolId"],
    ):
        if place.text():
            return place
    return node["pluginId"]


FLOW_KINDS.register("tool")(
    FlowKind(
        kind="plugin",
        read=_read,
        outputs={"error": ERROR_TEXT},
        told=(RAW,),
    )
)
