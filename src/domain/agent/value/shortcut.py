"""Shortcuts: prepared questions of an agent, with fields to fill in and a tool to call first."""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec

from domain.agent.error import AgentInvalid, ShortcutIncomplete, ShortcutNotFound
from domain.agent.turn.template import Template
from domain.shared.ids import FileId, Id


class SendType(StrEnum):
    """What choosing a shortcut does: send its text, or open a form first."""

    QUERY = "query"
    PANEL = "panel"


class InputType(StrEnum):
    """How a component of the form is filled in."""

    TEXT = "text"
    SELECT = "select"
    UPLOAD_IMAGE = "upload_image"
    UPLOAD_DOC = "upload_doc"
    UPLOAD_TABLE = "upload_table"
    UPLOAD_AUDIO = "upload_audio"
    UPLOAD_VIDEO = "upload_video"
    UPLOAD_ARCHIVE = "upload_archive"
    UPLOAD_CODE = "upload_code"
    UPLOAD_TXT = "upload_txt"
    UPLOAD_PPT = "upload_ppt"
    MIXED = "mixed"

    @property
    def is_file(self) -> bool:
        return self not in {InputType.TEXT, InputType.SELECT}


class ShortcutToolType(StrEnum):
    """What a shortcut may call."""

    WORKFLOW = "workflow"
    PLUGIN = "plugin"


class ShortcutComponent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A field of the form; ``parameter`` is the parameter of the tool that it fills."""

    name: str
    description: str = ""
    input_type: InputType = InputType.TEXT
    parameter: str = ""
    options: tuple[str, ...] = ()
    default_value: str = ""
    hide: bool = False
    upload_options: tuple[InputType, ...] = ()


class ShortcutParameter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A parameter of the tool: filled by the form if ``refer_component``, else fixed."""

    name: str
    type: str = "string"
    description: str = ""
    required: bool = False
    default_value: str = ""
    refer_component: bool = False


class ShortcutTool(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The tool that is called before the model is asked; one that the agent is bound to."""

    type: ShortcutToolType
    workflow_id: Id = 0
    plugin_id: Id = 0
    plugin_tool_id: Id = 0
    name: str = ""
    params: tuple[ShortcutParameter, ...] = ()

    @property
    def reference(self) -> str:
        """The tool as ``ToolDescription.reference`` names it."""
        if self.type is ShortcutToolType.WORKFLOW:
            return f"workflow/{self.workflow_id}"
        return f"plugin/{self.plugin_id}/{self.plugin_tool_id}"


class Shortcut(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One shortcut; ``template_query`` takes the components by name, as ``{{name}}``."""

    id: Id
    name: str
    command: str = ""
    """What users type after the slash."""
    description: str = ""
    icon_file_id: FileId | None = None
    send_type: SendType = SendType.QUERY
    template_query: str = ""
    tool: ShortcutTool | None = None
    components: tuple[ShortcutComponent, ...] = ()
    card_schema: str = ""
    agent_node_id: str = ""

    @property
    def public(self) -> "Shortcut":
        """The shortcut as visitors see it: what they type and fill in, not what it calls."""
        return msgspec.structs.replace(
            self,
            tool=None,
            components=tuple(
                msgspec.structs.replace(each, parameter="")
                for each in self.components
                if not each.hide
            ),
            card_schema="",
            agent_node_id="",
        )

    def question(self, values: Mapping[str, str], *, max_path_chars: int) -> str:
        """Return the text with the components filled in."""
        filled = {each.name: self._filled(each, values) for each in self.components}
        return Template(self.template_query, max_path_chars=max_path_chars).render(filled)

    def require(self, values: Mapping[str, str]) -> None:
        """Raise ``ShortcutIncomplete`` if the tool lacks a value."""
        arguments = self.arguments(values)
        for parameter in self.tool.params if self.tool else ():
            if parameter.required and parameter.name not in arguments:
                raise ShortcutIncomplete(
                    f"shortcut_command.parameters: {parameter.name} is missing.",
                    field="shortcut_command.parameters",
                )

    def arguments(self, values: Mapping[str, str]) -> dict[str, Any]:
        """Return what the tool is called with; the tool converts texts to its own types."""
        found: dict[str, Any] = {}
        for parameter in self.tool.params if self.tool else ():
            value = ""
            if parameter.refer_component:
                value = values.get(parameter.name, "") or self._of_component(parameter, values)
            value = value or parameter.default_value
            if value:
                found[parameter.name] = _typed(value, parameter.type)
        return found

    def _of_component(self, parameter: ShortcutParameter, values: Mapping[str, str]) -> str:
        for component in self.components:
            if (component.parameter or component.name) == parameter.name:
                return self._filled(component, values)
        return ""

    def _filled(self, component: ShortcutComponent, values: Mapping[str, str]) -> str:
        """Return a value under the component's name, or under that of its parameter."""
        given = values.get(component.name) or values.get(component.parameter)
        return given or component.default_value


def find_shortcut(shortcuts: Sequence[Shortcut], shortcut_id: int) -> Shortcut:
    """Return a shortcut by its id; raise ``ShortcutNotFound``."""
    for shortcut in shortcuts:
        if shortcut.id == shortcut_id:
            return shortcut
    raise ShortcutNotFound(f"No shortcut command {shortcut_id}.", command_id=shortcut_id)


def with_shortcut(shortcuts: Sequence[Shortcut], changed: Shortcut) -> tuple[Shortcut, ...]:
    """Return the shortcuts with one of them replaced in its place; raise ``ShortcutNotFound``."""
    find_shortcut(shortcuts, changed.id)
    return tuple(changed if each.id == changed.id else each for each in shortcuts)


def without_shortcut(shortcuts: Sequence[Shortcut], shortcut_id: int) -> tuple[Shortcut, ...]:
    """Return the other shortcuts; raise ``ShortcutNotFound``."""
    find_shortcut(shortcuts, shortcut_id)
    return tuple(each for each in shortcuts if each.id != shortcut_id)


def ordered_shortcuts(
    shortcuts: Sequence[Shortcut], shortcut_ids: Sequence[int]
) -> tuple[Shortcut, ...]:
    """Return the shortcuts in this order, which must name each of them once.

    Raises:
        ShortcutNotFound: an id is none of the agent's.
        AgentInvalid: an id is missing or comes twice.
    """
    found = tuple(find_shortcut(shortcuts, shortcut_id) for shortcut_id in shortcut_ids)
    if len(found) != len(shortcuts) or len(set(shortcut_ids)) != len(shortcuts):
        raise AgentInvalid("shortcut_ids: name each shortcut of the agent once.")
    return found


def require_bound(shortcuts: Sequence[Shortcut], references: Collection[str]) -> None:
    """Raise ``AgentInvalid`` if a shortcut calls a tool that its agent is not bound to."""
    for shortcut in shortcuts:
        if shortcut.tool is not None and shortcut.tool.reference not in references:
            raise AgentInvalid(
                f"tool: bind the agent to the tool of {shortcut.name} first.", field="tool"
            )


_JSON_TYPES: Final = frozenset({"array", "object", "list"})


def _typed(value: str, kind: str) -> Any:
    """Read lists and objects, which the form carries as JSON; other types fit by themselves."""
    if kind.lower() not in _JSON_TYPES:
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError):
        return value
