"""Parameters that say which runs: of lists and of statistics."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from api.wire import query_choice, query_integer
from domain.shared.account import SOURCES
from domain.shared.error import InvalidRequest
from domain.shared.ids import parse_id

POINT: Final = Decimal(10**8)
KINDS: Final = {"chat": "chat", "workflow": "workflow"}
STATUSES: Final = {each: each for each in ("completed", "failed", "cancelled", "interrupted")}
VERDICTS: Final = {"up": "up", "down": "down"}
SOURCE_NAMES: Final[Mapping[str, str]] = {each: each for each in SOURCES}
_MOST_SPACES: Final = 50
_MOST_MICROS: Final = 2**62


def points(cost: int) -> str:
    """Show a cost as a decimal number."""
    return f"{Decimal(cost) / POINT:.8f}"


def choice(value: str | None, choices: Mapping[str, str], *, field: str) -> Any:
    """Read one of some words; None without any."""
    return query_choice(value, choices, field=field)


def spaces(given: list[str] | None) -> tuple[int, ...]:
    """Read ids of workspaces."""
    if given and len(given) > _MOST_SPACES:
        raise InvalidRequest(f"workspace_id: at most {_MOST_SPACES}.", field="workspace_id")
    return tuple(parse_id(each, field="workspace_id") for each in given or ())


def micros(milliseconds: str | None, *, field: str) -> int | None:
    """Read milliseconds as microseconds."""
    number = query_integer(milliseconds, field=field)
    if number is None:
        return None
    if not 0 <= number * 1000 <= _MOST_MICROS:
        raise InvalidRequest(f"{field}: milliseconds, at least 0.", field=field)
    return number * 1000


def cost_of(given: str | None, *, field: str) -> int | None:
    """Read points."""
    if not given:
        return None
    try:
        cost = int(Decimal(given[:40]) * POINT)
    except (InvalidOperation, ValueError, OverflowError):
        raise InvalidRequest(f"{field}: points as a decimal number.", field=field) from None
    if not 0 <= cost <= _MOST_MICROS:
        raise InvalidRequest(f"{field}: points, at least 0.", field=field)
    return cost


def instant(given: str | None, *, field: str) -> datetime | None:
    """Read Unix seconds."""
    number = query_integer(given, field=field)
    if number is None:
        return None
    try:
        return datetime.fromtimestamp(number, UTC)
    except (ValueError, OverflowError, OSError):
        raise InvalidRequest(f"{field}: Unix seconds.", field=field) from None
