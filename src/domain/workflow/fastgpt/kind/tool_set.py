"""Sets of tools: all tools of an MCP server, of an HTTP service, or of FastGPT itself."""

import re
from typing import Final

from domain.workflow.canvas.cursor import Cursor
from domain.workflow.fastgpt.flow import TOOL_SET
from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NodeConfig
from domain.workflow.node.control.unsupported import UnsupportedConfig
from domain.workflow.node.model.toolbox import PluginToolSet

_HERE: Final = re.compile(r"[0-9]+", re.ASCII)
_SETS: Final = ("mcpToolSet", "httpToolSet", "systemToolSet")
_OLD_DATA: Final = ("toolSetData", "system_toolSetData")
"""Inputs that hold the set in older flows."""


def read_tool_set(reader: FlowReader) -> PluginToolSet | None:
    """Read which plugin stands for a set that is attached to an agent; None if none does."""
    place = _named(reader.node.cursor)
    name = reader.node.cursor["name"].text()
    if _HERE.fullmatch(place.text()):
        return PluginToolSet(plugin_id=place.text(), name=name)
    called = place.text()[:80] or name[:80]
    text = (
        f"The set of tools {called!r} is one of another system{_where(reader)}. "
        "Add its plugin here and name the plugin, under plugins when you import the flow."
    )
    reader.report("WF401", place, text)
    return None


def _where(reader: FlowReader) -> str:
    """Say where its tools come from, so that the same can be added here."""
    node = reader.node.cursor
    places = [node["toolConfig"]["mcpToolSet"]["url"], node["toolConfig"]["httpToolSet"]["baseUrl"]]
    places += [reader.value(key)["url"] for key in _OLD_DATA]
    url = next((each.text() for each in places if each.text()), "")
    return f" ({url[:200]})" if url else ""


def _named(node: Cursor) -> Cursor:
    """Find the id of the set: newer flows keep it with the kind of the set."""
    for place in (node["pluginId"], *(node["toolConfig"][each]["toolId"] for each in _SETS)):
        if place.text():
            return place
    return node["pluginId"]


def _read(reader: FlowReader) -> NodeConfig:
    place = reader.node.cursor["flowNodeType"]
    reader.report("WF117", place, "A set of tools runs only attached to a node that calls tools.")
    return UnsupportedConfig(type_name=reader.node.type)


FLOW_KINDS.register(TOOL_SET)(FlowKind(kind="foreign", read=_read))
