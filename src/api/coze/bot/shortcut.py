"""Shortcuts of a bot in the spelling of the Coze wire."""

from typing import Annotated, Any, Self

from msgspec import UNSET, UnsetType

from api.shape import CozeShape, IdOrEmpty
from application.shared.projection import After, At, By
from domain.agent.value.shortcut import (
    InputType,
    SendType,
    Shortcut,
    ShortcutComponent,
    ShortcutParameter,
    ShortcutTool,
    ShortcutToolType,
)


def _input(kind: InputType) -> str:
    return "file" if kind.is_file else kind.value


def _plugin_api(tool: ShortcutTool) -> str:
    return tool.name if tool.type is ShortcutToolType.PLUGIN else ""


class BotShortcutComponent(
    CozeShape,
    of=ShortcutComponent,
    only=("name", "description", "parameter", "default_value", "hide", "options"),
    rename={"parameter": "tool_parameter", "hide": "is_hide"},
):
    """A field of the form."""

    type: Annotated[str, At("input_type"), By(_input), After("description")]


class BotShortcutParameter(
    CozeShape,
    of=ShortcutParameter,
    only=("name", "required", "description", "type", "default_value", "refer_component"),
    rename={"required": "is_required", "refer_component": "is_refer_component"},
):
    """A parameter of the tool."""


class BotShortcutTool(CozeShape, of=ShortcutTool, only=("name", "type")):
    """The tool that is called first."""

    plugin_id: IdOrEmpty
    plugin_api_name: Annotated[str, At(""), By(_plugin_api)]
    workflow_id: IdOrEmpty
    params: list[BotShortcutParameter]


class BotShortcut(
    CozeShape,
    of=Shortcut,
    only=("id", "name", "command", "description", "template_query", "components"),
    rename={"template_query": "query_template"},
):
    """A shortcut of a bot."""

    icon_url: Annotated[str, After("template_query")]
    components: list[BotShortcutComponent]
    tool: BotShortcutTool | UnsetType = UNSET
    agent_id: str
    send_type: SendType
    card_schema: str

    @classmethod
    def of(cls, source: Shortcut, /, **given: Any) -> Self:
        tool = UNSET if source.tool is None else BotShortcutTool.of(source.tool)
        return super().of(source, icon_url="", tool=tool, **given)
