"""Tools of one chat that run at the client, in the shape of OpenAI's function tools."""

import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from domain.shared.chat import ToolSpec
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_TOOLS: Final = 128
_DESCRIPTION_CHARS: Final = 1024


class Function(msgspec.Struct, frozen=True, kw_only=True):
    """What the model sees of a tool; ``parameters`` is a JSON Schema object."""

    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None


class FunctionTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool; ``function`` is the only type."""

    type: str = "function"
    function: Function


def decode_tools(given: Sequence[Any] | None, *, limits: Limits) -> tuple[ToolSpec, ...]:
    """Read the tools of a request; raise ``InvalidRequest`` naming the one that is wrong."""
    if not given:
        return ()
    if len(given) > _TOOLS or len(msgspec.json.encode(given)) > limits.string_bytes:
        raise _invalid("", f"at most {_TOOLS} tools in {limits.string_bytes} bytes.")
    tools = [_tool(each, f"[{number}]") for number, each in enumerate(given)]
    names = [each.name for each in tools]
    twice = {each for each in names if names.count(each) > 1}
    if twice:
        raise _invalid("", f"two tools are called {min(twice)}.")
    return tuple(tools)


def _tool(given: Any, where: str) -> ToolSpec:
    try:
        tool = msgspec.convert(given, FunctionTool)
    except msgspec.ValidationError as exc:
        raise _invalid(where, str(exc)) from exc
    function = tool.function
    if tool.type != "function":
        raise _invalid(f"{where}.type", "function is the only type.")
    if not _NAME.fullmatch(function.name):
        raise _invalid(f"{where}.function.name", "1 to 64 letters, digits, _ and - are allowed.")
    parameters = function.parameters or {"type": "object", "properties": {}}
    if parameters.get("type") != "object":
        raise _invalid(f"{where}.function.parameters", "expected a JSON Schema of type object.")
    return ToolSpec(
        name=function.name,
        description=(function.description or "")[:_DESCRIPTION_CHARS],
        parameters=parameters,
    )


def _invalid(where: str, reason: str) -> InvalidRequest:
    return InvalidRequest(f"tools{where}: {reason}", field="tools")
