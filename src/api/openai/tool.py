"""Tools of a request: functions that the caller executes."""

import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from api.openai.error import UnsupportedToolType
from domain.shared.chat import ToolSpec
from domain.shared.error import InvalidRequest
from domain.shared.limits import KIB
from domain.shared.text.json_schema import check_schema

MAX_TOOLS: Final = 128
"""As in OpenAI's own API."""

NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_SCHEMA_BYTES: Final = 64 * KIB
_SCHEMAS_BYTES: Final = 512 * KIB
_MODES: Final = frozenset({"auto", "none", "required"})


class FunctionIn(msgspec.Struct, frozen=True, kw_only=True):
    """A function; ``parameters`` is a JSON Schema object."""

    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class ToolIn(msgspec.Struct, frozen=True, kw_only=True):
    """A tool; only ``function`` is known."""

    type: str = "function"
    function: FunctionIn | None = None


class NamedFunction(msgspec.Struct, frozen=True, kw_only=True):
    """A function by its name."""

    name: str


class NamedTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool by its name."""

    type: str = "function"
    function: NamedFunction | None = None


class AllowedTools(msgspec.Struct, frozen=True, kw_only=True):
    """Some of the tools; ``mode`` is ``auto`` or ``required``."""

    mode: str = "auto"
    tools: list[NamedTool] = []


class ToolChoiceIn(msgspec.Struct, frozen=True, kw_only=True):
    """One tool that must be called, or those that may be."""

    type: str = "function"
    function: NamedFunction | None = None
    allowed_tools: AllowedTools | None = None


class ClientTools(msgspec.Struct, frozen=True, kw_only=True):
    """Tools as the model gets them; ``choice`` as in ``ChatRequest.tool_choice``."""

    specs: tuple[ToolSpec, ...] = ()
    choice: str = "auto"


def decode_tools(tools: Sequence[ToolIn] | None, choice: str | ToolChoiceIn | None) -> ClientTools:
    """Check the tools of a request.

    Raises:
        UnsupportedToolType: a tool is no function.
        InvalidJsonSchema: arguments of a strict tool cannot be checked against its parameters.
        InvalidRequest: too many, too large, a wrong or repeated name, an unknown choice.
    """
    given = [_function(tool, field=f"tools[{at}]") for at, tool in enumerate(tools or ())]
    if len(given) > MAX_TOOLS:
        raise InvalidRequest(f"tools: at most {MAX_TOOLS}.", field="tools")
    specs = {each.name: _spec(each, field=f"tools[{at}]") for at, each in enumerate(given)}
    if len(specs) < len(given):
        raise InvalidRequest("tools: each name only once.", field="tools")
    if sum(len(msgspec.json.encode(spec.parameters)) for spec in specs.values()) > _SCHEMAS_BYTES:
        raise InvalidRequest(
            f"tools: at most {_SCHEMAS_BYTES} bytes of parameters together.", field="tools"
        )
    return _chosen(specs, choice)


def _function(tool: ToolIn, *, field: str) -> FunctionIn:
    if tool.type != "function":
        raise UnsupportedToolType(f"{field}.type: only function is known.", field=f"{field}.type")
    if tool.function is None:
        raise InvalidRequest(f"{field}.function: required.", field=f"{field}.function")
    return tool.function


def _spec(function: FunctionIn, *, field: str) -> ToolSpec:
    if not NAME.fullmatch(function.name):
        raise InvalidRequest(
            f"{field}.function.name: 1 to 64 letters, digits, _ or -.",
            field=f"{field}.function.name",
        )
    parameters = function.parameters or {"type": "object", "properties": {}}
    if len(msgspec.json.encode(parameters)) > _SCHEMA_BYTES:
        raise InvalidRequest(
            f"{field}.function.parameters: at most {_SCHEMA_BYTES} bytes.",
            field=f"{field}.function.parameters",
        )
    if function.strict:  # arguments are checked against them
        check_schema(parameters, field=f"{field}.function.parameters")
    return ToolSpec(
        name=function.name, description=function.description or "", parameters=parameters
    )


def _chosen(specs: dict[str, ToolSpec], choice: str | ToolChoiceIn | None) -> ClientTools:
    kept = tuple(specs.values())
    mode = "auto"
    if isinstance(choice, str):
        mode = choice
    elif choice is not None and choice.type == "allowed_tools" and choice.allowed_tools:
        names = {each.function.name for each in choice.allowed_tools.tools if each.function}
        if unknown := names - set(specs):
            raise _no_such_tool(min(unknown))
        kept = tuple(spec for spec in kept if spec.name in names)
        mode = choice.allowed_tools.mode
    elif choice is not None:
        name = choice.function.name if choice.function else ""
        if name not in specs:
            raise _no_such_tool(name)
        return ClientTools(specs=kept, choice=name)
    if mode not in _MODES:
        raise InvalidRequest(
            "tool_choice: expected auto, none, required or a function.", field="tool_choice"
        )
    if mode == "required" and not kept:
        raise InvalidRequest("tool_choice: required needs tools.", field="tool_choice")
    return ClientTools(specs=kept, choice=mode)


def _no_such_tool(name: str) -> InvalidRequest:
    return InvalidRequest(f"tool_choice: no tool {name[:64]!r}.", field="tool_choice")
