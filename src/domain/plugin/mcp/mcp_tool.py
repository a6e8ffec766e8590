"""Tools of MCP servers as tools of a plugin: read, pinned, compared, described."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.plugin.argument import fit_value
from domain.plugin.entity import Tool
from domain.plugin.error import DocumentUnreadable, PluginInvalid
from domain.plugin.openapi_import.document import Document
from domain.plugin.openapi_import.openapi_schema import SchemaReader
from domain.plugin.value import Effect, McpPin, Parameter, ToolDefinition
from infra.contract.mcp import McpTool

_NAME: Final = re.compile(r"[^A-Za-z0-9_-]+", re.ASCII)
_NAME_CHARS: Final = 64
_DESCRIPTION_CHARS: Final = 2000
_SCHEMA_BYTES: Final = 64 * 1024
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTool:
    """A tool of a server's list beside the one that was accepted.

    ``change`` is ``added``, ``changed``, ``removed`` or ``same``; ``problem`` says why a tool
    cannot be taken. ``offered`` is missing for one that the server has no more, ``accepted`` for
    one that nobody accepted yet.
    """

    name: str
    change: str
    offered: McpTool | None
    accepted: Tool | None
    problem: str = ""


def compared(offered: Sequence[McpTool], tools: Sequence[Tool]) -> list[OfferedTool]:
    """Set what a server offers beside what a draft has accepted, by name."""
    accepted = {each.definition.pin.name: each for each in tools if each.definition.pin}
    found = []
    for each in offered:
        known = accepted.pop(each.name, None)
        change = "added"
        if known is not None and known.definition.pin is not None:
            change = "same" if known.definition.pin.digest == each.digest else "changed"
        found.append(
            OfferedTool(
                name=each.name,
                change=change,
                offered=each,
                accepted=known,
                problem=_problem(each),
            )
        )
    found += [
        OfferedTool(name=name, change="removed", offered=None, accepted=each)
        for name, each in accepted.items()
    ]
    return found


def definition_of(
    tool: McpTool, *, taken: Iterable[str], before: ToolDefinition | None = None
) -> ToolDefinition:
    """Pin a tool; what somebody set about the accepted one ``before`` stays.

    Hints of the server decide about the effect: ``readOnlyHint`` makes a reading tool, a
    ``destructiveHint`` one whose calls need consent.

    Raises:
        PluginInvalid: its schema cannot be used.
    """
    schema = _sound(tool)
    effect, is_risky = Effect.WRITE, False
    if tool.is_read_only:
        effect = Effect.READ
    elif tool.says_destructive:
        effect, is_risky = Effect.IRREVERSIBLE, True
    fresh = ToolDefinition(
        name=_free_name(tool.name, set(taken)) if before is None else before.name,
        description=_CONTROLS.sub(" ", tool.description or tool.title)[:_DESCRIPTION_CHARS].strip(),
        parameters=_parameters(schema),
        effect=effect,
        needs_approval=is_risky,
        pin=McpPin(
            name=tool.name,
            digest=tool.digest,
            title=tool.title,
            description=tool.description,
            schema=schema,
        ),
    )
    if before is None:
        return fresh
    return replace(
        fresh,
        is_disabled=before.is_disabled,
        needs_approval=before.needs_approval or is_risky,
        returns_directly=before.returns_directly,
        parameters=tuple(_kept(each, before.parameters) for each in fresh.parameters),
    )


def shown_schema(definition: ToolDefinition, preset: Iterable[str] = ()) -> dict[str, Any]:
    """Return the schema of the server without what callers cannot set."""
    schema: dict[str, Any] = {"type": "object", **(definition.pin.schema if definition.pin else {})}
    hidden = {*preset, *(each.name for each in definition.parameters if each.is_hidden)}
    own = {each.name for each in definition.parameters if each.local_default is not None}
    given: Mapping[str, Any] = schema.get("properties", {})
    schema["properties"] = {name: each for name, each in given.items() if name not in hidden}
    required = [each for each in schema.get("required", ()) if each not in hidden | own]
    schema.pop("required", None)
    return {**schema, "required": required} if required else schema


def settled_for(
    definition: ToolDefinition, arguments: Mapping[str, Any], fixed: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments that the server gets; nobody overrides ``fixed`` and hidden values.

    Only what stands in the schema is sent. Plain values are converted where nothing is lost;
    everything else is for the server to judge.

    Raises:
        PluginInvalid: a required value is missing, or a plain one has another type.
    """
    schema: Mapping[str, Any] = definition.pin.schema if definition.pin else {}
    properties: Mapping[str, Any] = schema.get("properties", {})
    declared = {each.name: each for each in definition.parameters}
    names = list(properties)
    if schema.get("additionalProperties", not properties) is not False:
        names += [each for each in arguments if each not in properties]
    found: dict[str, Any] = {}
    for name in names:
        parameter = declared.get(name)
        value = fixed.get(name)
        if value is None and not (parameter and parameter.is_hidden):
            value = arguments.get(name)
        if value is None and parameter is not None:
            value = parameter.local_default
        if value is not None:
            plain = isinstance(properties.get(name, {}).get("type"), str)
            where = f"arguments.{name}"
            found[name] = fit_value(value, parameter, where) if parameter and plain else value
    missing = [name for name in schema.get("required", ()) if name not in found]
    if missing:
        raise PluginInvalid(f"arguments.{missing[0]}: this value is required.")
    return found


def _sound(tool: McpTool) -> dict[str, Any]:
    """Return the schema of the arguments as everybody here can rely on it."""
    schema = dict(tool.input_schema)
    try:
        Document(schema)
        size = len(msgspec.json.encode(schema))
    except (DocumentUnreadable, ValueError, TypeError) as exc:
        raise PluginInvalid(f"inputSchema: {str(exc)[:200]}") from exc
    if size > _SCHEMA_BYTES:
        raise PluginInvalid(f"inputSchema: more than {_SCHEMA_BYTES} bytes.")
    if schema.get("type", "object") != "object":
        raise PluginInvalid("inputSchema: the arguments are no object.")
    schema["type"] = "object"
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    schema["properties"] = {
        name: each if isinstance(each, dict) else {} for name, each in properties.items()
    }
    required = schema.get("required")
    required = required if isinstance(required, list) else []
    schema["required"] = [each for each in required if isinstance(each, str)]
    return schema


def _problem(tool: McpTool) -> str:
    try:
        _sound(tool)
    except PluginInvalid as exc:
        return exc.message
    return ""


def _parameters(schema: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """Describe the arguments for consoles; models and servers go by the schema itself."""
    try:
        return SchemaReader(Document(dict(schema))).properties(schema, "inputSchema")
    except DocumentUnreadable:
        return ()


def _kept(fresh: Parameter, before: Sequence[Parameter]) -> Parameter:
    known = next((each for each in before if each.name == fresh.name), None)
    if known is None:
        return fresh
    return replace(fresh, is_hidden=known.is_hidden, local_default=known.local_default)


def _free_name(wanted: str, taken: set[str]) -> str:
    name = _NAME.sub("_", wanted).strip("_")[:_NAME_CHARS] or "tool"
    if name in taken:
        mark = sha256(wanted.encode()).hexdigest()[:6]
        name = f"{name[: _NAME_CHARS - 7]}_{mark}"
    return name
