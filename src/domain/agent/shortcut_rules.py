"""What the shortcuts of an agent must satisfy."""

from collections.abc import Sequence

from domain.agent.error import AgentInvalid
from domain.agent.turn.template import Template
from domain.agent.value.shortcut import Shortcut, ShortcutTool, ShortcutToolType
from domain.shared.limits import Limits


def check_shortcuts(shortcuts: Sequence[Shortcut], limits: Limits) -> None:
    """Raise ``AgentInvalid`` naming the field."""
    if len(shortcuts) > limits.agent_shortcuts:
        raise AgentInvalid(f"shortcuts: at most {limits.agent_shortcuts}.", field="shortcuts")
    commands = [each.command for each in shortcuts if each.command]
    if len(set(commands)) != len(commands):
        raise AgentInvalid("command: another shortcut of the agent has it.", field="command")
    for shortcut in shortcuts:
        _check(shortcut, limits)


def _check(shortcut: Shortcut, limits: Limits) -> None:
    if not 1 <= len(shortcut.name.strip()) <= limits.agent_name_chars:
        raise AgentInvalid(f"name: 1 to {limits.agent_name_chars} characters are needed.")
    texts = {
        "command": (shortcut.command, limits.agent_alias_chars),
        "description": (shortcut.description, limits.agent_description_chars),
        "template_query": (shortcut.template_query, limits.string_bytes),
        "card_schema": (shortcut.card_schema, limits.string_bytes),
        "agent_node_id": (shortcut.agent_node_id, limits.meta_value_chars),
    }
    for field, (text, longest) in texts.items():
        if len(text.encode()) > longest:
            raise AgentInvalid(f"{field}: at most {longest} bytes.", field=field)
    if any(char.isspace() or char == "/" for char in shortcut.command):
        raise AgentInvalid("command: write it without slash and spaces.", field="command")
    _check_components(shortcut, limits)
    if shortcut.tool is not None:
        _check_tool(shortcut, shortcut.tool, limits)


def _check_components(shortcut: Shortcut, limits: Limits) -> None:
    if len(shortcut.components) > limits.meta_pairs:
        raise AgentInvalid(f"components: at most {limits.meta_pairs}.", field="components")
    names = [each.name for each in shortcut.components]
    if len(set(names)) != len(names):
        raise AgentInvalid("components: two have the same name.", field="components")
    for component in shortcut.components:
        if not 1 <= len(component.name) <= limits.meta_key_chars:
            raise AgentInvalid(f"components: a name has 1 to {limits.meta_key_chars} characters.")
        size = sum(map(len, component.options))
        size += len(component.default_value) + len(component.description)
        if size > limits.string_bytes:
            raise AgentInvalid(f"components.{component.name}: too long.", field="components")
    placed = Template(shortcut.template_query, max_path_chars=limits.placeholder_chars).names
    if unknown := sorted(placed - set(names)):
        raise AgentInvalid(
            f"template_query: no component is called {unknown[0]}.", field="template_query"
        )


def _check_tool(shortcut: Shortcut, tool: ShortcutTool, limits: Limits) -> None:
    if tool.type is ShortcutToolType.WORKFLOW and not tool.workflow_id:
        raise AgentInvalid("tool.workflow_id: this id is required.", field="tool.workflow_id")
    if tool.type is ShortcutToolType.PLUGIN and not (tool.plugin_id and tool.plugin_tool_id):
        raise AgentInvalid("tool: plugin_id and plugin_tool_id are required.", field="tool")
    if len(tool.params) > limits.agent_variables:
        raise AgentInvalid(f"tool.params: at most {limits.agent_variables}.", field="tool.params")
    filled = {each.parameter or each.name for each in shortcut.components}
    for parameter in tool.params:
        if parameter.refer_component and parameter.name not in filled:
            raise AgentInvalid(
                f"tool.params.{parameter.name}: no component fills it.", field="tool.params"
            )
