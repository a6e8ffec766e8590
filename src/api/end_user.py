"""Which end user a request acts for."""

from api.wire import WireId, bounded_text
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits


def end_user_of(
    principal: Principal,
    wanted: WireId | None,
    *,
    field: str,
    limits: Limits,
    default: str | None = None,
) -> str:
    """Return the caller's key of its end user.

    A token that is bound to one end user acts for that one, whatever the request says.

    Raises:
        InvalidRequest: the request names none and there is no default, or the name is too long.
    """
    if principal.end_user_id:
        return principal.end_user_id
    name = default if wanted is None or wanted == "" else str(wanted)
    if name is None:
        raise InvalidRequest(f"{field}: name your end user here.", field=field)
    return bounded_text(name, field=field, max_chars=limits.end_user_chars)
