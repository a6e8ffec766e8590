"""Tools of a model node: plugins, workflows and parts of the canvas that the model may call."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from domain.shared.chat import ToolCall, ToolSpec
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.engine.call import Call
from domain.workflow.engine.interrupt import Ask
from domain.workflow.graph import AttachedTool, Node
from domain.workflow.node import Check
from domain.workflow.node.effect import ToolUse, Use, WorkflowUse
from domain.workflow.node.model.reply import find_object
from domain.workflow.node.model.schema import object_schema, schema_fields
from domain.workflow.node.needs import needed
from domain.workflow.node.outside.tool import call_tool, describe_tool, tools_of
from domain.workflow.node.outside.tool_drift import check_names
from domain.workflow.port import Child
from domain.workflow.text import encode_json, to_text
from domain.workflow.value import Schema, Value

_NAME_CHARS: Final = 64
_NOTHING: Final = "none"
"""What FastGPT tells a model about a tool that tells nothing."""
_FORBIDDEN: Final = re.compile(r"[^A-Za-z0-9_]", re.ASCII)


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


class PluginToolSet(msgspec.Struct, frozen=True, kw_only=True, tag="plugin_set"):
    """A plugin of whose newest version the model may call every tool."""

    plugin_id: str
    name: str = ""


ModelTool = PluginTool | WorkflowTool | PluginToolSet


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswer:
    """What the model is told.

    ``is_direct``: it is told nothing, the text is the answer. ``is_last``: it is not asked again;
    what it wrote so far is the answer.
    """

    text: str
    is_direct: bool = False
    is_last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tool:
    spec: ToolSpec
    settings: tuple[ParameterSetting, ...]
    plugin: PluginTool | None = None
    child: Child | None = None
    attached: AttachedTool | None = None
    is_direct: bool = False


class Toolbox:
    """The tools of one node, by the name the model uses."""

    def __init__(self, tools: Mapping[str, _Tool]) -> None:
        self._tools = tools

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in self._tools.values())

    @classmethod
    async def open(cls, call: Call, wanted_tools: Sequence[ModelTool]) -> "Toolbox":
        """Look the tools up; raise what the ports raise for those that do not exist."""
        tools: dict[str, _Tool] = {}
        for wanted in await _single(call, wanted_tools):
            if isinstance(wanted, PluginTool):
                description = await describe_tool(
                    call,
                    plugin_id=wanted.plugin_id,
                    tool_id=wanted.tool_id,
                    version=wanted.version,
                )
                spec = _spec(
                    description.name or wanted.name,
                    description.description,
                    schema_fields(description.parameters),
                    wanted.parameters,
                    tools,
                )
                tools[spec.name] = _Tool(
                    spec=spec,
                    settings=wanted.parameters,
                    plugin=wanted,
                    is_direct=description.is_direct,
                )
            else:
                child = await needed(call.ports.load_child, "workflows")(
                    call.context, wanted.workflow_id, "" if wanted.is_draft else wanted.version
                )
                name = f"ts_{child.name}_{child.name}"
                spec = _spec(name, child.description, child.program.input, wanted.parameters, tools)
                tools[spec.name] = _Tool(
                    spec=spec,
                    settings=wanted.parameters,
                    child=child,
                    is_direct=child.program.answers,
                )
        for attached in call.node.tools:
            name = _unique(attached.name, tools)
            tools[name] = _Tool(
                spec=ToolSpec(
                    name=name, description=attached.description, parameters=attached.parameters
                ),
                settings=(),
                attached=attached,
            )
        return cls(tools)

    async def run(self, call: Call, wanted: ToolCall) -> ToolAnswer:
        """Carry out a call of the model; a failure is told to the model."""
        tool = self._tools.get(wanted.name)
        if tool is None:
            return ToolAnswer(text=f"There is no tool {wanted.name}.")
        arguments = _arguments(wanted, tool.settings)
        if arguments is None:
            return ToolAnswer(text="The arguments are not a JSON object.")
        try:
            if tool.attached is not None:
                return await self._run_attached(call, wanted, tool.attached, arguments)
            if tool.child is not None:
                return await self._run_child(call, wanted, tool.child, arguments)
            return await self._run_plugin(call, wanted, tool, arguments)
        except Ask:
            raise
        except Exception as error:  # noqa: BLE001 - the model decides what to do without it
            return ToolAnswer(text=f"The tool failed: {error}")

    @staticmethod
    async def _run_child(
        call: Call, wanted: ToolCall, child: Child, arguments: dict[str, Value]
    ) -> ToolAnswer:
        output = await call.host.run_child(
            call, f"tool {wanted.id}", child, arguments, is_tool=True
        )
        if child.program.answers:
            return ToolAnswer(text=to_text(output.get("output")), is_direct=True)
        return ToolAnswer(text=encode_json(output))

    @staticmethod
    async def _run_attached(
        call: Call, wanted: ToolCall, tool: AttachedTool, arguments: dict[str, Value]
    ) -> ToolAnswer:
        inputs = {name: call.given[name] for name in tool.captured if name in call.given}
        for each in tool.arguments:
            value = arguments.get(each.name)
            inputs[each.name] = call.given.get(each.otherwise) if value is None else value
        outcomes = await call.host.run_attached(call, f"tool {wanted.id}", tool, inputs)
        told: Value = None
        for node_id, outcome in outcomes.items():
            value = _selected(outcome.output, tool.told.get(node_id))
            told = told if value in (None, [], {}) else value
        kinds = {node.kind for node in tool.program.root.nodes if node.id in outcomes}
        text = told if isinstance(told, str) else encode_json(told)
        return ToolAnswer(text=text if told else _NOTHING, is_last="tool_stop" in kinds)

    @staticmethod
    async def _run_plugin(
        call: Call, wanted: ToolCall, tool: _Tool, arguments: dict[str, Value]
    ) -> ToolAnswer:
        plugin = tool.plugin
        if plugin is None:
            raise TypeError("A tool is a plugin or a workflow.")
        result = await call_tool(
            call,
            plugin_id=plugin.plugin_id,
            tool_id=plugin.tool_id,
            version=plugin.version,
            arguments=arguments,
            key=call.key_of(f"tool {wanted.id}"),
        )
        return ToolAnswer(text=result.text, is_direct=tool.is_direct)


async def _single(call: Call, tools: Sequence[ModelTool]) -> list[PluginTool | WorkflowTool]:
    """Take every tool of a set for one by itself."""
    found: list[PluginTool | WorkflowTool] = []
    for each in tools:
        if not isinstance(each, PluginToolSet):
            found.append(each)
            continue
        ids = await tools_of(call, each.plugin_id)
        found += [PluginTool(plugin_id=each.plugin_id, tool_id=tool_id) for tool_id in ids]
    return found


def _selected(output: Mapping[str, Value], names: tuple[str, ...] | None) -> Value:
    if names is None:
        return None
    if len(names) == 1:
        return output.get(names[0])
    return {name: output.get(name) for name in names} if names else dict(output)


def tool_name(name: str) -> str:
    """Make a name that every provider accepts."""
    return _FORBIDDEN.sub("_", name)[:_NAME_CHARS] or "tool"


def _spec(
    name: str,
    description: str,
    parameters: Schema,
    settings: tuple[ParameterSetting, ...],
    taken: Mapping[str, _Tool],
) -> ToolSpec:
    hidden = {setting.name for setting in settings if setting.is_hidden}
    shown = tuple(field for field in parameters if field.name not in hidden)
    return ToolSpec(
        name=_unique(name, taken), description=description, parameters=object_schema(shown)
    )


def _unique(name: str, taken: Mapping[str, _Tool]) -> str:
    unique = base = tool_name(name)
    number = 1
    while unique in taken:
        number += 1
        unique = f"{base[: _NAME_CHARS - 4]}_{number}"
    return unique


def _arguments(wanted: ToolCall, settings: tuple[ParameterSetting, ...]) -> dict[str, Value] | None:
    given = find_object(wanted.arguments or "{}")
    if given is None:
        return None
    hidden = {setting.name for setting in settings if setting.is_hidden}
    defaults = {each.name: each.default for each in settings if each.default not in (None, "")}
    return {**defaults, **{name: value for name, value in given.items() if name not in hidden}}


def read_tools(cursor: Cursor) -> tuple[PluginTool | WorkflowTool, ...]:
    """Read the tools that a Coze canvas lists under ``fcParam``."""
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


def check_tools(node: Node, tools: Sequence[ModelTool], check: Check) -> None:
    """Report tools that are not there, or not as the canvas knew them."""
    around = check.surroundings
    for tool in tools:
        match tool:
            case PluginTool(plugin_id=plugin, tool_id=name):
                if around.plugins is not None and (plugin, name) not in around.plugins:
                    check.add("WF460", node, f"There is no tool {name} of plugin {plugin}.")
                declared = (around.tool_inputs or {}).get((plugin, name))
                if declared is not None:
                    used = [each.name for each in tool.parameters]
                    check_names(node, tool.name or name, used, declared, check)
            case PluginToolSet(plugin_id=plugin):
                if around.plugins is not None and (plugin, "") not in around.plugins:
                    check.add("WF460", node, f"There is no plugin {plugin}.")
            case WorkflowTool(workflow_id=workflow, version=version):
                children = around.children
                if children is not None and (workflow, version) not in children:
                    check.add("WF420", node, f"There is no workflow {workflow} to call.")


def use_of(tool: ModelTool) -> Use:
    """Tell what a tool calls, for the effects of the node."""
    if isinstance(tool, PluginToolSet):
        return ToolUse(plugin_id=tool.plugin_id, tool_id="")
    version = "" if tool.is_draft else tool.version
    if isinstance(tool, PluginTool):
        return ToolUse(plugin_id=tool.plugin_id, tool_id=tool.tool_id, version=version)
    return WorkflowUse(workflow_id=tool.workflow_id, version=version)
