"""Tools of plugins, as nodes call them and models are told of them.

Without a version, test runs take the draft of a plugin, others its newest version.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from crossdomain.plugin.contract import (
    AccessNeeded,
    PluginCall,
    PluginResult,
    Plugins,
    PluginToolDescription,
    PluginToolRef,
)
from domain.shared.error import AppError, InvalidRequest, NotFound
from domain.shared.ids import parse_id
from domain.workflow.engine.call import Call
from domain.workflow.engine.error import PluginFailed, PluginNotFound, ToolNotFound
from domain.workflow.engine.interrupt import Ask, InterruptKind
from domain.workflow.node.needs import needed
from domain.workflow.text import encode_json
from domain.workflow.value import Value

_DRAFT: Final = frozenset({"", "0", "draft"})
"""How canvases name no version."""


async def tools_of(call: Call, plugin_id: str) -> Sequence[str]:
    """List the tools of a plugin; raise ``PluginNotFound``."""
    context = call.context
    try:
        number = parse_id(plugin_id, field="pluginID")
        found = await _plugins(call).tools(context.home, number, is_draft=context.is_debug)
    except (InvalidRequest, NotFound) as exc:
        text = f"There is no plugin {plugin_id[:80]} here, or it is not published."
        raise PluginNotFound(text) from exc
    return [str(each) for each in found]


async def describe_tool(
    call: Call, *, plugin_id: str, tool_id: str, version: str
) -> PluginToolDescription:
    """Describe a tool; raise ``PluginNotFound`` or ``ToolNotFound``."""
    ref = await _ref(call, plugin_id, tool_id, version)
    try:
        return await _plugins(call).describe(call.context.home, ref)
    except NotFound as exc:
        raise ToolNotFound(exc.message) from exc


async def call_tool(
    call: Call,
    *,
    plugin_id: str,
    tool_id: str,
    version: str,
    arguments: Mapping[str, Value],
    key: str,
) -> PluginResult:
    """Call a tool; equal ``key``, same effect.

    Raises:
        Ask: the user has to grant access first.
        PluginFailed: it answered with an error, or not as described.
        PluginNotFound: there is no such plugin.
        ToolNotFound: the plugin has no such tool.
    """
    ref = await _ref(call, plugin_id, tool_id, version)
    wanted = PluginCall(
        ref=ref,
        arguments=arguments,
        key=key,
        agent_id=call.context.agent_id,
        conversation_id=call.context.conversation_id,
    )
    try:
        return await _plugins(call).call(call.context.call, wanted)
    except AccessNeeded as exc:
        data = encode_json({"content": exc.message, "auth_info": exc.authorize_url})
        raise Ask(InterruptKind.OAUTH, data) from exc
    except NotFound as exc:
        raise ToolNotFound(exc.message) from exc
    except AppError as exc:
        raise PluginFailed(exc.message) from exc


async def _ref(call: Call, plugin_id: str, tool_id: str, version: str) -> PluginToolRef:
    wanted = "" if version in _DRAFT else version
    try:
        plugin, tool = parse_id(plugin_id, field="pluginID"), parse_id(tool_id, field="apiID")
    except InvalidRequest as exc:
        raise PluginNotFound(f"There is no plugin {plugin_id[:80]} here.") from exc
    ref = PluginToolRef(
        plugin_id=plugin,
        tool_id=tool,
        version=wanted,
        is_draft=call.context.is_debug and not wanted,
    )
    is_newest = not (ref.is_draft or wanted)
    if is_newest and plugin not in await _plugins(call).latest(call.context.home, [plugin]):
        raise PluginNotFound(f"There is no plugin {plugin_id} here, or it is not published.")
    return ref


def _plugins(call: Call) -> Plugins:
    return needed(call.ports.plugins, "plugins")
