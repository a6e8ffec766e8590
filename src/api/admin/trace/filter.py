"""Parameters that say which runs: of lists and of statistics."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from litestar.di import Provide
from litestar.params import FromQuery

from api.wire import optional_id, query_choice, query_integer
from domain.shared.account import SOURCES
from domain.shared.amount import E8
from domain.shared.error import InvalidRequest
from domain.shared.ids import parse_id
from domain.trace.value import TraceQuery

POINT: Final = Decimal(E8)
_KINDS: Final = {"chat": "chat", "workflow": "workflow"}
_STATUSES: Final = {each: each for each in ("completed", "failed", "cancelled", "interrupted")}
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


def _micros(milliseconds: str | None, *, field: str) -> int | None:
    """Read milliseconds as microseconds."""
    number = query_integer(milliseconds, field=field)
    if number is None:
        return None
    if not 0 <= number * 1000 <= _MOST_MICROS:
        raise InvalidRequest(f"{field}: milliseconds, at least 0.", field=field)
    return number * 1000


def _cost(given: str | None, *, field: str) -> int | None:
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


def asked_runs(
    *,
    agent_id: FromQuery[str | None] = None,
    workflow_id: FromQuery[str | None] = None,
    version: FromQuery[str | None] = None,
    kind: FromQuery[str | None] = None,
    status: FromQuery[str | None] = None,
    error_code: FromQuery[str | None] = None,
    source: FromQuery[str | None] = None,
    connector_id: FromQuery[str | None] = None,
    end_user_id: FromQuery[str | None] = None,
    conversation_id: FromQuery[str | None] = None,
    min_duration_ms: FromQuery[str | None] = None,
    max_duration_ms: FromQuery[str | None] = None,
    min_cost: FromQuery[str | None] = None,
    max_cost: FromQuery[str | None] = None,
    min_tokens: FromQuery[str | None] = None,
    max_tokens: FromQuery[str | None] = None,
    tool: FromQuery[str | None] = None,
    model: FromQuery[str | None] = None,
    tag: FromQuery[str | None] = None,
) -> TraceQuery:
    """Read which runs a list and statistics are about."""
    return TraceQuery(
        agent_id=optional_id(agent_id, field="agent_id"),
        workflow_id=optional_id(workflow_id, field="workflow_id"),
        version=version,
        kind=choice(kind, _KINDS, field="kind"),
        status=choice(status, _STATUSES, field="status"),
        error_code=query_integer(error_code, field="error_code"),
        source=choice(source, SOURCE_NAMES, field="source"),
        connector_id=optional_id(connector_id, field="connector_id"),
        end_user_id=end_user_id or None,
        conversation_id=optional_id(conversation_id, field="conversation_id"),
        min_duration_us=_micros(min_duration_ms, field="min_duration_ms"),
        max_duration_us=_micros(max_duration_ms, field="max_duration_ms"),
        min_cost=_cost(min_cost, field="min_cost"),
        max_cost=_cost(max_cost, field="max_cost"),
        min_tokens=query_integer(min_tokens, field="min_tokens"),
        max_tokens=query_integer(max_tokens, field="max_tokens"),
        tool=tool or None,
        model=model or None,
        tag=tag or None,
    )


RUNS: Final = {"runs": Provide(asked_runs, sync_to_thread=False)}
"""Handlers that take ``runs`` are about some of them."""
