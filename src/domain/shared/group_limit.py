"""Groups that something is limited to, as they are written: by decimal ids."""

from collections.abc import Collection
from typing import Final

from domain.shared.error import InvalidRequest
from domain.shared.ids import parse_id

_MOST: Final = 50


def group_ids_of(names: Collection[str]) -> tuple[int, ...]:
    """Return the ids of groups, each once; raise ``InvalidRequest`` for what is none."""
    if len(names) > _MOST:
        raise InvalidRequest(f"groups: at most {_MOST}.", field="groups")
    return tuple(dict.fromkeys(parse_id(each, field="groups") for each in names))
