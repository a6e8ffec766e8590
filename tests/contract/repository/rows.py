"""Rows of any table, made from its columns."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from infra.impl.repository.sql.mapping.column import Instant, IntMember, Json, Names, StrMember
from infra.impl.repository.sql.model.call import Points

NOW: Final = datetime(2026, 11, 24, tzinfo=UTC)
_VALUES: Final = (
    {"amount": "1", "soft_limits": [], "is_hard": True},
    {"message_id": "1", "chat_id": "1", "sender_id": "1"},
)


def row_of(table: sa.Table, number: int, who: str, creator: int, *, space: int) -> dict[str, Any]:
    """Make a row whose ids are all the same number, of somebody."""
    own = {"space_id": space}
    return {
        column.name: own.get(column.name) or value_of(column, number, who, creator)
        for column in table.columns
    }


def value_of(column: sa.Column[Any], number: int, who: str, creator: int) -> Any:
    by_name = {
        "end_user_id": who,
        "key_end_user": who,
        "holder": f"user:{who}",
        "creator_id": creator,
        "member_id": creator,
        "user_id": creator,
        "deleted_at": None,
        "parts": [],
    }
    if column.name in by_name:
        return by_name[column.name]
    kind = column.type
    if isinstance(kind, Json):
        return smallest(kind, is_empty=bool(column.nullable))
    if isinstance(kind, StrMember | IntMember):
        members: type[StrEnum] | type[IntEnum] = kind.of
        return next(iter(members))
    by_type: dict[Any, Any] = {
        Instant: NOW - timedelta(days=100),
        Names: (),
        Points: Decimal(1),
        sa.Boolean: False,
        sa.Integer: number,
        sa.Float: number,
        sa.LargeBinary: number.to_bytes(4, "big"),
    }
    for each, value in by_type.items():
        if isinstance(kind, each):
            return value
    return f"{column.name[:8]}-{number}"[: getattr(kind, "length", None) or 20]


def smallest(kind: Json, *, is_empty: bool) -> Any:
    """Return a value that can be read as what a column holds."""
    value: Any
    for value in ({}, [], "", 0, *_VALUES):
        try:
            kind.process_result_value(msgspec.json.encode(value).decode(), sqlite.dialect())
        except msgspec.ValidationError:
            continue
        return value
    return None if is_empty else {}
