"""Figures of usage that an entry adds to sums: named, and reckoned in Python and in SQL alike."""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any, Final

import sqlalchemy as sa

from domain.shared.amount import E8
from infra.impl.repository.sql.model.call import model_call

SUMMED: Final = (
    "calls",
    "failed_calls",
    "estimated_calls",
    "input_tokens",
    "output_tokens",
    "cached_tokens",
    "reasoning_tokens",
    "pages",
    "points_e8",
    "money_e8",
    "calls_without_points",
    "calls_without_money",
    "unsettled_calls",
    "unsettled_tokens",
    "unsettled_points_e8",
    "unsettled_money_e8",
)
_UNPRICED_KINDS: Final = ("ocr", "plugin")
"""Nobody prices them, so that their want of a price is no news."""
_UNSETTLED: Final = "unsettled"


def figures_of(row: sa.Row[Any]) -> list[int]:
    """Return what an entry adds to sums, in the order of ``SUMMED``."""
    is_settled, is_model = row.outcome != _UNSETTLED, row.purpose not in _UNPRICED_KINDS
    points, money = int(row.cost * E8), int((row.money or 0) * E8)
    if not is_settled:
        return [0] * 12 + [1, row.input_tokens + row.output_tokens, points, money]
    return [
        1,
        int(row.outcome in {"failed", "canceled"}),
        int(row.is_estimated),
        row.input_tokens,
        row.output_tokens,
        row.cached_tokens,
        row.reasoning_tokens,
        row.pages,
        points,
        money,
        int(is_model and not (row.has_points or row.cost)),
        int(is_model and row.money is None),
        0,
        0,
        0,
        0,
    ]


@cache
def figures_in_sql(dialect: str) -> Mapping[str, Any]:
    """Return what an entry adds to sums, in the words of the database."""
    table = model_call.c
    is_settled = table.outcome != _UNSETTLED
    is_model = table.purpose.not_in(_UNPRICED_KINDS)

    def count(condition: Any) -> Any:
        return sa.case((condition, 1), else_=0)

    def settled(column: Any) -> Any:
        return sa.case((is_settled, column), else_=0)

    def unsettled(column: Any) -> Any:
        return sa.case((is_settled, 0), else_=column)

    points, money = _e8(table.cost, dialect), _e8(table.money, dialect)
    return {
        "calls": count(is_settled),
        "failed_calls": count(table.outcome.in_(("failed", "canceled"))),
        "estimated_calls": count(is_settled & table.is_estimated),
        "input_tokens": settled(table.input_tokens),
        "output_tokens": settled(table.output_tokens),
        "cached_tokens": settled(table.cached_tokens),
        "reasoning_tokens": settled(table.reasoning_tokens),
        "pages": settled(table.pages),
        "points_e8": settled(points),
        "money_e8": settled(money),
        "calls_without_points": count(is_settled & is_model & ~_has_points()),
        "calls_without_money": count(is_settled & is_model & table.money.is_(None)),
        "unsettled_calls": count(~is_settled),
        "unsettled_tokens": unsettled(table.input_tokens + table.output_tokens),
        "unsettled_points_e8": unsettled(points),
        "unsettled_money_e8": unsettled(money),
    }


def _e8(column: sa.ColumnElement[Any], dialect: str) -> sa.ColumnElement[int]:
    """Return an amount as an integer; SQLite keeps it as text with eight digits."""
    if dialect == "sqlite":
        text = sa.type_coerce(column, sa.String)
        number: sa.ColumnElement[int] = sa.cast(sa.func.replace(text, ".", ""), sa.BigInteger)
    else:
        number = sa.cast(column * E8, sa.BigInteger)
    return sa.func.coalesce(number, 0)


def _has_points() -> sa.ColumnElement[bool]:
    """Entries of releases before say so by what they cost."""
    return model_call.c.has_points | (model_call.c.cost != Decimal(0))
