"""Tools of plugins for workflows: as nodes, as tools of models, and for the check of canvases."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec

from application.workflow.definition.surroundings import ResourceKey
from crossdomain.plugin.contract import AccessNeeded, PluginCall, PluginToolRef
from crossdomain.plugin.contract import Plugins as PluginContract
from domain.shared.access import TenantScope
from domain.shared.error import AppError, InvalidRequest, NotFound
from domain.shared.ids import parse_id
from domain.workflow.definition.reference import Need
from domain.workflow.engine.error import PluginFailed, PluginNotFound, ToolNotFound
from domain.workflow.port import AuthorisationNeeded, RunContext, ToolDescription, ToolResult
from domain.workflow.text import local_id
from domain.workflow.value import (
    ANY,
    BOOLEAN,
    FLOAT,
    INTEGER,
    STRING,
    Field,
    Schema,
    Type,
    TypeKind,
    Value,
)

_DRAFT: Final = frozenset({"", "0", "draft"})
"""How canvases name no version."""

_PLAIN: Final = {"integer": INTEGER, "number": FLOAT, "boolean": BOOLEAN, "string": STRING}


class ContextTools:
    """Implements the port ``Tools``.

    Without a version, test runs take the draft of a plugin, others its newest version.
    """

    def __init__(self, plugins: PluginContract) -> None:
        self._plugins = plugins

    async def of_plugin(self, context: RunContext, plugin_id: str) -> Sequence[str]:
        """List the tools of a plugin; raise ``PluginNotFound``."""
        try:
            number = parse_id(plugin_id, field="pluginID")
            found = await self._plugins.tools(_scope(context), number, is_draft=context.is_debug)
        except (InvalidRequest, NotFound) as exc:
            text = f"There is no plugin {plugin_id[:80]} here, or it is not published."
            raise PluginNotFound(text) from exc
        return [str(each) for each in found]

    async def describe(
        self, context: RunContext, *, plugin_id: str, tool_id: str, version: str
    ) -> ToolDescription:
        """Describe a tool; raise ``PluginNotFound`` or ``ToolNotFound``."""
        ref = await self._ref(context, plugin_id, tool_id, version)
        try:
            found = await self._plugins.describe(_scope(context), ref)
        except NotFound as exc:
            raise ToolNotFound(exc.message) from exc
        return ToolDescription(
            plugin_id=plugin_id,
            tool_id=tool_id,
            name=found.name,
            description=found.description,
            parameters=schema_fields(found.parameters),
            is_direct=found.is_direct,
        )

    async def call(
        self,
        context: RunContext,
        *,
        plugin_id: str,
        tool_id: str,
        version: str,
        arguments: Mapping[str, Value],
        key: str,
    ) -> ToolResult:
        """Call a tool; see the port for what is raised."""
        ref = await self._ref(context, plugin_id, tool_id, version)
        wanted = PluginCall(
            ref=ref,
            arguments=arguments,
            key=key,
            agent_id=context.agent_id,
            conversation_id=context.conversation_id,
        )
        try:
            result = await self._plugins.call(context.call, wanted)
        except AccessNeeded as exc:
            data = {"content": exc.message, "auth_info": exc.authorize_url}
            raise AuthorisationNeeded(msgspec.json.encode(data).decode()) from exc
        except NotFound as exc:
            raise ToolNotFound(exc.message) from exc
        except AppError as exc:
            raise PluginFailed(exc.message) from exc
        return ToolResult(output=result.output, text=result.text, raw=result.raw)

    async def _ref(
        self, context: RunContext, plugin_id: str, tool_id: str, version: str
    ) -> PluginToolRef:
        wanted = "" if version in _DRAFT else version
        try:
            plugin, tool = parse_id(plugin_id, field="pluginID"), parse_id(tool_id, field="apiID")
        except InvalidRequest as exc:
            raise PluginNotFound(f"There is no plugin {plugin_id[:80]} here.") from exc
        ref = PluginToolRef(
            plugin_id=plugin,
            tool_id=tool,
            version=wanted,
            is_draft=context.is_debug and not wanted,
        )
        is_newest = not (ref.is_draft or wanted)
        if is_newest and plugin not in await self._plugins.latest(_scope(context), [plugin]):
            raise PluginNotFound(f"There is no plugin {plugin_id} here, or it is not published.")
        return ref


class PluginInventory:
    """Tools of plugins of the space, for the check of canvases."""

    def __init__(self, plugins: PluginContract) -> None:
        self._plugins = plugins

    async def existing(self, scope: TenantScope, needs: Sequence[Need]) -> frozenset[ResourceKey]:
        """Return the pairs of plugin and tool that exist; of whole plugins those with tools."""
        whole = [each.id for each in needs if local_id(each.id) and not each.detail]
        there = [each for each in whole if await self._has_tools(scope, int(each))]
        wanted = [
            (int(each.id), int(each.detail))
            for each in needs
            if local_id(each.id) and local_id(each.detail)
        ]
        found = await self._plugins.existing(scope, wanted)
        pairs = ((str(plugin_id), str(tool_id)) for plugin_id, tool_id in found)
        return frozenset((*pairs, *((each, "") for each in there)))

    async def _has_tools(self, scope: TenantScope, plugin_id: int) -> bool:
        try:
            return bool(await self._plugins.tools(scope, plugin_id, is_draft=True))
        except NotFound:
            return False

    async def schemas(
        self, scope: TenantScope, needs: Sequence[Need]
    ) -> Mapping[ResourceKey, tuple[Schema, Schema]]:
        """Return parameters and outputs; those of the draft if nothing is published."""
        found: dict[ResourceKey, tuple[Schema, Schema]] = {}
        for each in needs:
            if not (local_id(each.id) and local_id(each.detail)):
                continue
            ref = PluginToolRef(plugin_id=int(each.id), tool_id=int(each.detail))
            for wanted in (ref, replace(ref, is_draft=True)):
                try:
                    tool = await self._plugins.describe(scope, wanted)
                except NotFound:
                    continue
                shape = (schema_fields(tool.parameters), schema_fields(tool.result))
                found[each.id, each.detail] = shape
                break
        return found


def schema_fields(schema: Mapping[str, Any]) -> Schema:
    """Read the properties of a JSON Schema object as declared fields."""
    required = schema.get("required") or ()
    return tuple(
        Field(
            name=name,
            type=_type(each),
            is_required=name in required,
            description=str(each.get("description") or ""),
        )
        for name, each in (schema.get("properties") or {}).items()
    )


def _type(schema: Mapping[str, Any]) -> Type:
    match schema.get("type"):
        case "object":
            return Type(TypeKind.OBJECT, fields=schema_fields(schema))
        case "array":
            items = schema.get("items")
            return Type(TypeKind.LIST, item=_type(items) if items else None)
        case str() as name:
            return _PLAIN.get(name, ANY)
        case _:
            return ANY


def _scope(context: RunContext) -> TenantScope:
    return context.call.scope.within(context.call.space_id)
