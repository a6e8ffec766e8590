"""Begin and end of a flow, and messages on the way."""

from domain.workflow.fastgpt.flow import type_named
from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NodeConfig
from domain.workflow.node.control.emitter import EmitterConfig
from domain.workflow.node.control.entry import EntryConfig
from domain.workflow.node.control.exit import ExitConfig
from domain.workflow.value import STRING, Field, list_of


def _start(reader: FlowReader) -> NodeConfig:
    reader.outputs = (
        Field(name="userChatInput", type=STRING),
        Field(name="userFiles", type=list_of(STRING)),
    )
    return EntryConfig(defaults={})


def _plugin_input(reader: FlowReader) -> NodeConfig:
    inputs = list(reader.node.cursor["inputs"])
    reader.outputs = tuple(
        Field(
            name=item["key"].text(),
            type=type_named(item["valueType"].text()),
            is_required=item["required"].flag(),
            description=item["toolDescription"].text() or item["description"].text(),
        )
        for item in inputs
        if item["key"].text()
    )
    defaults = {
        item["key"].text(): item["defaultValue"].value for item in inputs if item["defaultValue"]
    }
    return EntryConfig(defaults=defaults)


def _plugin_output(reader: FlowReader) -> NodeConfig:
    reader.parameters()
    reader.outputs = tuple(Field(name=each.name, type=each.type) for each in reader.bindings)
    return ExitConfig()


def _answer(reader: FlowReader) -> NodeConfig:
    return EmitterConfig(content=reader.template("text"), is_output=True)


FLOW_KINDS.register("workflowStart")(FlowKind(kind="entry", read=_start, is_tool=False))
FLOW_KINDS.register("pluginInput")(FlowKind(kind="entry", read=_plugin_input, is_tool=False))
FLOW_KINDS.register("pluginOutput")(FlowKind(kind="exit", read=_plugin_output, is_tool=False))
FLOW_KINDS.register("answerNode")(FlowKind(kind="emitter", read=_answer))
