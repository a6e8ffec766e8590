"""Shortcuts of a bot in the spelling of the Coze wire."""

import msgspec

from domain.agent.value.shortcut import (
    SendType,
    Shortcut,
    ShortcutComponent,
    ShortcutParameter,
    ShortcutTool,
    ShortcutToolType,
)


class BotShortcutComponent(msgspec.Struct, frozen=True, kw_only=True):
    """A field of the form."""

    name: str
    description: str
    type: str
    tool_parameter: str
    default_value: str
    is_hide: bool
    options: tuple[str, ...]

    @classmethod
    def of(cls, component: ShortcutComponent) -> "BotShortcutComponent":
        kind = component.input_type
        return cls(
            name=component.name,
            description=component.description,
            type="file" if kind.is_file else kind.value,
            tool_parameter=component.parameter,
            default_value=component.default_value,
            is_hide=component.hide,
            options=component.options,
        )


class BotShortcutParameter(msgspec.Struct, frozen=True, kw_only=True):
    """A parameter of the tool."""

    name: str
    is_required: bool
    description: str
    type: str
    default_value: str
    is_refer_component: bool

    @classmethod
    def of(cls, parameter: ShortcutParameter) -> "BotShortcutParameter":
        return cls(
            name=parameter.name,
            is_required=parameter.required,
            description=parameter.description,
            type=parameter.type,
            default_value=parameter.default_value,
            is_refer_component=parameter.refer_component,
        )


class BotShortcutTool(msgspec.Struct, frozen=True, kw_only=True):
    """The tool that is called first."""

    name: str
    type: ShortcutToolType
    plugin_id: str
    plugin_api_name: str
    workflow_id: str
    params: list[BotShortcutParameter]

    @classmethod
    def of(cls, tool: ShortcutTool) -> "BotShortcutTool":
        is_plugin = tool.type is ShortcutToolType.PLUGIN
        return cls(
            name=tool.name,
            type=tool.type,
            plugin_id=str(tool.plugin_id) if tool.plugin_id else "",
            plugin_api_name=tool.name if is_plugin else "",
            workflow_id=str(tool.workflow_id) if tool.workflow_id else "",
            params=[BotShortcutParameter.of(each) for each in tool.params],
        )


class BotShortcut(msgspec.Struct, frozen=True, kw_only=True):
    """A shortcut of a bot."""

    id: str
    name: str
    command: str
    description: str
    query_template: str
    icon_url: str
    components: list[BotShortcutComponent]
    tool: BotShortcutTool | msgspec.UnsetType = msgspec.UNSET
    agent_id: str
    send_type: SendType
    card_schema: str

    @classmethod
    def of(cls, shortcut: Shortcut, *, agent_id: int) -> "BotShortcut":
        tool = shortcut.tool
        return cls(
            id=str(shortcut.id),
            name=shortcut.name,
            command=shortcut.command,
            description=shortcut.description,
            query_template=shortcut.template_query,
            icon_url="",
            components=[BotShortcutComponent.of(each) for each in shortcut.components],
            tool=msgspec.UNSET if tool is None else BotShortcutTool.of(tool),
            agent_id=str(agent_id),
            send_type=shortcut.send_type,
            card_schema=shortcut.card_schema,
        )
