"""Which plugins a caller may use."""

from domain.plugin.entity import Plugin
from domain.plugin.repository import PluginUnitOfWork
from domain.plugin.value import PluginId
from domain.shared.access import Permission, Principal


async def permitted_plugin(
    uow: PluginUnitOfWork, principal: Principal, plugin_id: int, permission: Permission
) -> Plugin:
    """Return a plugin the caller may use in this way.

    Raises:
        PluginNotFound: it does not exist or is in a foreign space.
        Forbidden: the permission is missing in the plugin's space.
    """
    plugin = await uow.plugins.get(principal.scope, PluginId(plugin_id))
    principal.require(permission, plugin.space_id)
    return plugin
