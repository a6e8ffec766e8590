"""Functions of date and time."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from sqlglot import exp

from infra.contract.sql_guard import CellKind, Refusal
from infra.impl.sql_guard.engine import MONTHS, SECONDS, DatePart
from infra.impl.sql_guard.expression import Expressions, only
from infra.impl.sql_guard.fragment import Fragment, combine, refuse, shown

_READABLE: Final[Mapping[type[exp.Expr], DatePart]] = {
    exp.Year: DatePart.YEAR,
    exp.Quarter: DatePart.QUARTER,
    exp.Month: DatePart.MONTH,
    exp.Day: DatePart.DAY,
    exp.DayOfMonth: DatePart.DAY,
    exp.Hour: DatePart.HOUR,
    exp.Minute: DatePart.MINUTE,
    exp.Second: DatePart.SECOND,
}
_EXPANDED: Final = {"%T": "%H:%M:%S", "%F": "%Y-%m-%d", "%X": "%H:%M:%S"}
_PATTERN: Final = re.compile(r"%[YmdHMS]|[-/:., _T年月日时時分秒]")
_MONTHS_PER_YEAR: Final = 12


def _current_moment(to: Expressions, node: exp.Expr) -> Fragment:
    only(node)
    return to.convert.moment(to.now)


def _current_day(to: Expressions, node: exp.Expr) -> Fragment:
    only(node)
    return to.convert.moment(to.now.replace(hour=0, minute=0, second=0, microsecond=0))


def _date(to: Expressions, node: exp.Expr | None) -> Fragment:
    """Write a date argument; the parser wraps some in conversions that change nothing here."""
    while isinstance(node, exp.TsOrDsToDate | exp.TsOrDsToTimestamp):
        only(node, "this")
        node = node.this
    return to.convert.date(to.write(node))


def _day(to: Expressions, node: exp.TsOrDsToDate) -> Fragment:
    date = _date(to, node)
    return date.as_kind(to.engine.midnight(date.text), CellKind.DATE)


def _part(to: Expressions, node: exp.Expr) -> Fragment:
    only(node, "this")
    date = _date(to, node.this)
    text = to.engine.part(_READABLE[type(node)], date.text)
    return combine(text, CellKind.INTEGER, date, width=10)


def _extract(to: Expressions, node: exp.Extract) -> Fragment:
    only(node, "this", "expression")
    part = _unit(node.this)
    if part not in _READABLE.values():
        raise refuse(Refusal.FORBIDDEN_FUNCTION, f"EXTRACT does not know {shown(part.value)}.")
    date = _date(to, node.expression)
    return combine(to.engine.part(part, date.text), CellKind.INTEGER, date, width=10)


def _last_day(to: Expressions, node: exp.LastDay) -> Fragment:
    only(node, "this")
    date = _date(to, node.this)
    return date.as_kind(to.engine.last_day(date.text), CellKind.DATE)


def _format(to: Expressions, node: exp.TimeToStr) -> Fragment:
    only(node, "this", "format")
    given = node.args.get("format")
    if not (isinstance(given, exp.Literal) and given.is_string):
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "The format of a date is a text.")
    pattern = given.name
    for short, long in _EXPANDED.items():
        pattern = pattern.replace(short, long)
    codes = tuple(_PATTERN.findall(pattern))
    if "".join(codes) != pattern:
        raise refuse(
            Refusal.FORBIDDEN_FUNCTION, "A date's format takes %Y %m %d %H %i %s and separators."
        )
    date = _date(to, node.this)
    placed = to.convert.text_constant(to.engine.pattern(codes))
    return combine(to.engine.format(date.text, placed.text), CellKind.TEXT, date, width=64)


def _days_between(to: Expressions, node: exp.DateDiff) -> Fragment:
    only(node, "this", "expression", "date_part_boundary")
    later, earlier = (_date(to, node.args.get(name)) for name in ("this", "expression"))
    days = [to.engine.midnight(date.text) for date in (later, earlier)]
    text = f"({to.engine.seconds_between(*days)} / 86400)"
    return combine(text, CellKind.INTEGER, later, earlier, width=10)


def _units_between(to: Expressions, node: exp.TimestampDiff) -> Fragment:
    only(node, "this", "expression", "unit")
    unit = _unit(node.args.get("unit"))
    later, earlier = (_date(to, node.args.get(name)) for name in ("this", "expression"))
    if unit in SECONDS:
        text = f"({to.engine.seconds_between(later.text, earlier.text)} / {SECONDS[unit]})"
    else:
        text = f"({_months_between(to, later.text, earlier.text)} / {MONTHS[unit]})"
    return combine(text, CellKind.INTEGER, later, earlier, width=10)


def _months_between(to: Expressions, later: str, earlier: str) -> str:
    """Whole months from one date to another, towards zero, negative if it lies before."""
    engine = to.engine

    def months(date: str) -> str:
        year, month = engine.part(DatePart.YEAR, date), engine.part(DatePart.MONTH, date)
        return f"({year} * {_MONTHS_PER_YEAR} + {month})"

    late, early = engine.within_month(later), engine.within_month(earlier)
    short = f"CASE WHEN {later} >= {earlier} AND {late} < {early} THEN 1"
    far = f"WHEN {later} < {earlier} AND {late} > {early} THEN -1 ELSE 0 END"
    return f"({months(later)} - {months(earlier)} - ({short} {far}))"


def _add(to: Expressions, node: exp.DateAdd | exp.DateSub) -> Fragment:
    only(node, "this", "expression", "unit")
    return _moved(
        to, node.this, node.expression, node.args.get("unit"), back=isinstance(node, exp.DateSub)
    )


def _interval(to: Expressions, node: exp.Add | exp.Sub) -> Fragment:
    """``date + INTERVAL n unit``, either way round, or minus."""
    only(node, "this", "expression")
    date, interval = node.this, node.expression
    if isinstance(date, exp.Interval) and isinstance(node, exp.Add):
        date, interval = interval, date
    if isinstance(date, exp.Interval) or not isinstance(interval, exp.Interval):
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "An INTERVAL is added to a date.")
    only(interval, "this", "unit")
    return _moved(
        to, date, interval.this, interval.args.get("unit"), back=isinstance(node, exp.Sub)
    )


def _moved(
    to: Expressions,
    date_node: exp.Expr,
    amount_node: exp.Expr,
    unit_node: exp.Expr | None,
    *,
    back: bool,
) -> Fragment:
    unit = _unit(unit_node)
    date = _date(to, date_node)
    amount = to.convert.integer(to.write(amount_node))
    factor = (SECONDS | MONTHS)[unit] * (-1 if back else 1)
    moved = f"({amount.text} * ({factor}))"
    if unit in SECONDS:
        text = to.engine.add_seconds(date.text, moved)
    else:
        text = to.engine.add_months(date.text, moved)
    return combine(text, CellKind.DATE, date, amount, width=19)


def _unit(node: exp.Expr | None) -> DatePart:
    name = node.name.upper() if isinstance(node, exp.Var | exp.Literal) else "DAY"
    try:
        return DatePart(name.removesuffix("S") if name != "S" else name)
    except ValueError as exc:
        raise refuse(Refusal.FORBIDDEN_FUNCTION, f"Unknown unit {shown(name)}.") from exc


DATES: Final[Mapping[type[exp.Expr], Callable[[Expressions, Any], Fragment]]] = {
    exp.CurrentTimestamp: _current_moment,
    exp.CurrentDatetime: _current_moment,
    exp.CurrentDate: _current_day,
    exp.TsOrDsToDate: _day,
    exp.Date: _day,
    exp.Extract: _extract,
    exp.LastDay: _last_day,
    exp.TimeToStr: _format,
    exp.DateDiff: _days_between,
    exp.TimestampDiff: _units_between,
    exp.DateAdd: _add,
    exp.DateSub: _add,
    exp.Interval: _interval,
    **dict.fromkeys(_READABLE, _part),
}
