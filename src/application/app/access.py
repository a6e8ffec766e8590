"""Which apps a caller may use."""

from domain.app.entity import App
from domain.app.repository import AppUnitOfWork
from domain.app.value import AppId
from domain.shared.access import Permission, Principal


async def permitted_app(
    uow: AppUnitOfWork, principal: Principal, app_id: int, permission: Permission
) -> App:
    """Return an app the caller may use in this way.

    Raises:
        AppNotFound: it does not exist or is in a foreign space.
        Forbidden: the permission is missing in the app's space, or the token is for agents only.
    """
    principal.require_beyond_agents()
    app = await uow.apps.get(principal.scope, AppId(app_id))
    principal.require(permission, app.space_id)
    return app
