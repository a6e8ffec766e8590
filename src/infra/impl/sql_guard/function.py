"""The functions a statement may call, each with its form; any other is refused."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlglot import exp

from infra.contract.table.sql_guard import CellKind, Refusal, SqlDialect
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
MAX_FRAME_DIGITS: Final = 6
JOINED_WIDTH: Final = 256 * 1024
"""What the result of GROUP_CONCAT counts for."""
_RANKINGS: Final[Mapping[type[exp.Expr], str]] = {
    exp.RowNumber: "ROW_NUMBER()",
    exp.Rank: "RANK()",
    exp.DenseRank: "DENSE_RANK()",
}
_FRAME_SIDES: Final = frozenset({"PRECEDING", "FOLLOWING"})


def _argument(to: Expressions, node: exp.Expr) -> tuple[Fragment, str]:
    """Write what is aggregated, and DISTINCT if it says so."""
    if isinstance(node, exp.Distinct):
        only(node, "expressions")
        if len(node.expressions) != 1:
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "DISTINCT in an aggregate takes one value.")
        return _inner(to, node.expressions[0]), "DISTINCT "
    return _inner(to, node), ""


def _inner(to: Expressions, node: exp.Expr) -> Fragment:
    if not to.scope.allows_aggregates:
        raise refuse(
            Refusal.FORBIDDEN_CONSTRUCT, "An aggregate stands in SELECT, HAVING, ORDER BY."
        )
    value = to.write(node)
    if value.has_window:
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "A window function cannot be aggregated.")
    return value


def _aggregate(text: str, kind: CellKind | None, value: Fragment, width: int = 32) -> Fragment:
    # Inside a window, and only there, an aggregate may have another one in it.
    if value.has_aggregate:
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "An aggregate cannot contain another one.")
    return Fragment(text=text, kind=kind, has_aggregate=True, width=width)


def _count(to: Expressions, node: exp.Count) -> Fragment:
    only(node, "this", "big_int")
    if isinstance(node.this, exp.Star):
        only(node.this)
        if not to.scope.allows_aggregates:
            raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "COUNT stands in SELECT, HAVING, ORDER BY.")
        return Fragment(text="COUNT(*)", kind=CellKind.INTEGER, has_aggregate=True)
    value, distinct = _argument(to, node.this)
    return _aggregate(f"COUNT({distinct}{value.text})", CellKind.INTEGER, value)


def _sum(to: Expressions, node: exp.Sum) -> Fragment:
    only(node, "this")
    value, distinct = _argument(to, node.this)
    value = to.convert.number(value)
    return _aggregate(f"SUM({distinct}{value.text})", value.kind, value)


def _average(to: Expressions, node: exp.Avg) -> Fragment:
    only(node, "this")
    value, distinct = _argument(to, node.this)
    value = to.convert.real(value)
    return _aggregate(f"AVG({distinct}{value.text})", CellKind.FLOAT, value)


def _extreme_of_rows(to: Expressions, node: exp.Max | exp.Min) -> Fragment:
    only(node, "this")
    value, _ = _argument(to, node.this)
    if value.kind is CellKind.BOOLEAN:
        value = to.convert.number(value)
    name = "MAX" if isinstance(node, exp.Max) else "MIN"
    return _aggregate(f"{name}({value.text})", value.kind, value, value.width)


def _join(to: Expressions, node: exp.GroupConcat) -> Fragment:
    only(node, "this", "separator")
    separator = node.args.get("separator") or exp.Literal.string(",")
    if not (isinstance(separator, exp.Literal) and separator.is_string):
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "A separator is a text.")
    if isinstance(node.this, exp.Order):
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "GROUP_CONCAT takes no ORDER BY here.")
    value, distinct = _argument(to, node.this)
    if distinct and separator.name != "," and to.engine.dialect is SqlDialect.SQLITE:
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "GROUP_CONCAT(DISTINCT …) takes no SEPARATOR.")
    value = to.convert.text(value)
    placed = to.convert.text_constant(separator.name)
    text = to.engine.join_texts(value.text, placed.text, is_distinct=bool(distinct))
    return _aggregate(text, CellKind.TEXT, value, JOINED_WIDTH)


def _window(to: Expressions, node: exp.Window) -> Fragment:
    only(node, "this", "partition_by", "order", "spec", "over")
    if not to.scope.allows_aggregates:
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "A window function stands in SELECT or ORDER BY.")
    function = _windowed(to, node.this)
    parts = [to.write(part) for part in node.args.get("partition_by") or []]
    clauses = []
    if parts:
        clauses.append(f"PARTITION BY {', '.join(part.text for part in parts)}")
    if node.args.get("order") is not None:
        terms, text = _ordering(to, node.args["order"])
        parts += terms
        clauses.append(f"ORDER BY {text}")
    if node.args.get("spec") is not None:
        clauses.append(_frame(node.args["spec"]))
    text = f"{function.text} OVER ({' '.join(clauses)})"
    return replace(combine(text, function.kind, function, *parts, width=32), has_window=True)


def _windowed(to: Expressions, node: exp.Expr) -> Fragment:
    """The function of a window: its argument is not aggregated away, so it keeps its columns."""
    if type(node) in _RANKINGS:
        only(node)
        return Fragment(text=_RANKINGS[type(node)], kind=CellKind.INTEGER)
    if not isinstance(node, exp.Count | exp.Sum | exp.Avg | exp.Max | exp.Min):
        raise refuse(Refusal.FORBIDDEN_FUNCTION, "This function has no OVER.")
    only(node, "this", "big_int")
    if isinstance(node.this, exp.Distinct):
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "DISTINCT does not go with OVER.")
    if isinstance(node.this, exp.Star):
        only(node.this)
        return Fragment(text="COUNT(*)", kind=CellKind.INTEGER)
    value = _inner(to, node.this)
    match node:
        case exp.Count():
            return value.as_kind(f"COUNT({value.text})", CellKind.INTEGER)
        case exp.Sum():
            value = to.convert.number(value)
            return value.as_kind(f"SUM({value.text})", value.kind)
        case exp.Avg():
            value = to.convert.real(value)
            return value.as_kind(f"AVG({value.text})", CellKind.FLOAT)
        case _:
            value = to.convert.number(value) if value.kind is CellKind.BOOLEAN else value
            name = "MAX" if isinstance(node, exp.Max) else "MIN"
            return value.as_kind(f"{name}({value.text})", value.kind)


def _ordering(to: Expressions, node: exp.Order) -> tuple[list[Fragment], str]:
    only(node, "expressions")
    terms, texts = [], []
    for item in node.expressions:
        only(item, "this", "desc", "nulls_first")
        term = to.write(item.this)
        terms.append(term)
        texts.append(to.engine.order(term.text, descending=bool(item.args.get("desc"))))
    return terms, ", ".join(texts)


def _frame(node: exp.WindowSpec) -> str:
    only(node, "kind", "start", "start_side", "end", "end_side")
    if str(node.args.get("kind")).upper() != "ROWS":
        raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "A window's frame counts ROWS.")
    start = _bound(node, "start")
    end = _bound(node, "end") if node.args.get("end") else "CURRENT ROW"
    return f"ROWS BETWEEN {start} AND {end}"


def _bound(node: exp.WindowSpec, name: str) -> str:
    value, side = node.args.get(name), str(node.args.get(f"{name}_side") or "").upper()
    if value == "CURRENT ROW":
        return "CURRENT ROW"
    if side in _FRAME_SIDES:
        if value == "UNBOUNDED":
            return f"UNBOUNDED {side}"
        if (
            isinstance(value, exp.Literal)
            and value.name.isdecimal()
            and len(value.name) <= MAX_FRAME_DIGITS
        ):
            return f"{int(value.name)} {side}"
    raise refuse(
        Refusal.FORBIDDEN_CONSTRUCT, "A frame's bound is a number, UNBOUNDED or CURRENT ROW."
    )


AGGREGATES: Final[Mapping[type[exp.Expr], Callable[[Expressions, Any], Fragment]]] = {
    exp.Count: _count,
    exp.Sum: _sum,
    exp.Avg: _average,
    exp.Max: _extreme_of_rows,
    exp.Min: _extreme_of_rows,
    exp.GroupConcat: _join,
    exp.Window: _window,
}


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


Function = Callable[[Expressions, Any], Fragment]
MAX_DIGITS: Final = 15


def _lower(to: Expressions, node: exp.Lower) -> Fragment:
    only(node, "this")
    value = to.convert.text(to.write(node.this))
    return value.as_kind(f"LOWER({value.text})", CellKind.TEXT)


def _upper(to: Expressions, node: exp.Upper) -> Fragment:
    only(node, "this")
    value = to.convert.text(to.write(node.this))
    return value.as_kind(f"UPPER({value.text})", CellKind.TEXT)


def _trim(to: Expressions, node: exp.Trim) -> Fragment:
    only(node, "this", "position", "expression")
    value = to.convert.text(to.write(node.this))
    names = {"LEADING": "LTRIM", "TRAILING": "RTRIM"}
    name = names.get(str(node.args.get("position") or "").upper(), to.engine.trim)
    if node.expression is None:
        return value.as_kind(f"{name}({value.text})", CellKind.TEXT)
    sign = to.convert.text(to.write(node.expression))
    return combine(f"{name}({value.text}, {sign.text})", CellKind.TEXT, value, sign)


def _substring(to: Expressions, node: exp.Substring) -> Fragment:
    only(node, "this", "start", "length")
    value = to.convert.text(to.write(node.this))
    start = to.convert.integer(to.write(node.args.get("start")))
    if node.args.get("length") is None:
        text = to.engine.substring(value.text, start.text, "")
        return combine(text, CellKind.TEXT, value, start, width=value.width)
    length = to.convert.integer(to.write(node.args.get("length")))
    text = to.engine.substring(value.text, start.text, length.text)
    return combine(text, CellKind.TEXT, value, start, length, width=value.width)


def _left(to: Expressions, node: exp.Left) -> Fragment:
    only(node, "this", "expression")
    value = to.convert.text(to.write(node.this))
    length = to.convert.integer(to.write(node.expression))
    text = to.engine.substring(value.text, "1", length.text)
    return combine(text, CellKind.TEXT, value, length, width=value.width)


def _right(to: Expressions, node: exp.Right) -> Fragment:
    only(node, "this", "expression")
    value = to.convert.text(to.write(node.this))
    length = to.convert.integer(to.write(node.expression))
    # Counted from the front, because -n means something else where n is longer than the text.
    start = to.engine.greatest((f"LENGTH({value.text}) - {length.text} + 1", "1"))
    text = to.engine.substring(value.text, start, "")
    return combine(text, CellKind.TEXT, value, length, width=value.width)


def _concat(to: Expressions, node: exp.Concat) -> Fragment:
    only(node, "expressions", "safe", "coalesce")
    parts = [to.convert.text(to.write(part)) for part in node.expressions]
    return combine(f"({' || '.join(part.text for part in parts)})", CellKind.TEXT, *parts)


def _concat_ws(to: Expressions, node: exp.ConcatWs) -> Fragment:
    only(node, "expressions", "safe", "coalesce")
    separator, *parts = [to.convert.text(to.write(part)) for part in node.expressions]
    if not parts:
        raise refuse(Refusal.SYNTAX, "CONCAT_WS needs a separator and texts.")
    glued = " || ".join(f"COALESCE({separator.text} || {part.text}, '')" for part in parts)
    text = to.engine.substring(f"({glued})", f"LENGTH({separator.text}) + 1", "")
    width = sum(part.width + separator.width for part in parts)
    return combine(text, CellKind.TEXT, separator, *parts, width=width)


def _replace(to: Expressions, node: exp.Replace) -> Fragment:
    only(node, "this", "expression", "replacement")
    value, old, new = (
        to.convert.text(to.write(node.args.get(name)))
        for name in ("this", "expression", "replacement")
    )
    text = f"REPLACE({value.text}, {old.text}, {new.text})"
    width = value.width * max(1, new.width)
    return combine(text, CellKind.TEXT, value, old, new, width=width)


def _length(to: Expressions, node: exp.Length) -> Fragment:
    only(node, "this", "binary")
    value = to.convert.text(to.write(node.this))
    text = to.engine.bytes(value.text) if node.args.get("binary") else f"LENGTH({value.text})"
    return combine(text, CellKind.INTEGER, value, width=10)


def _position(to: Expressions, node: exp.StrPosition) -> Fragment:
    only(node, "this", "substr")
    value = to.convert.text(to.write(node.this))
    part = to.convert.text(to.write(node.args.get("substr")))
    text = to.engine.position(part.text, value.text)
    return combine(text, CellKind.INTEGER, value, part, width=10)


def _alternatives(to: Expressions, nodes: Sequence[exp.Expr | None]) -> list[Fragment]:
    return to.convert.common([to.write(node) for node in nodes])


def _kind(parts: list[Fragment]) -> CellKind | None:
    return next((part.kind for part in parts if part.kind is not None), None)


def _coalesce(to: Expressions, node: exp.Coalesce) -> Fragment:
    only(node, "this", "expressions")
    parts = _alternatives(to, [node.this, *node.expressions])
    if len(parts) == 1:
        return parts[0]
    listed = ", ".join(part.text for part in parts)
    return combine(f"COALESCE({listed})", _kind(parts), *parts)


def _null_if(to: Expressions, node: exp.Nullif) -> Fragment:
    only(node, "this", "expression")
    parts = [to.write(node.this), to.write(node.expression)]
    left, right = to.convert.comparable(parts, is_equality=True)
    return combine(f"NULLIF({left.text}, {right.text})", left.kind, left, right)


def _extreme(to: Expressions, node: exp.Greatest | exp.Least) -> Fragment:
    only(node, "this", "expressions")
    parts = _alternatives(to, [node.this, *node.expressions])
    if len(parts) == 1:
        return parts[0]
    values = tuple(part.text for part in parts)
    is_least = isinstance(node, exp.Least)
    text = to.engine.least(values) if is_least else to.engine.greatest(values)
    return combine(text, _kind(parts), *parts)


def _if(to: Expressions, node: exp.If) -> Fragment:
    only(node, "this", "true", "false")
    test = to.condition(node.this)
    otherwise = node.args.get("false") or exp.Null()
    yes, no = _alternatives(to, [node.args.get("true"), otherwise])
    text = f"(CASE WHEN {test.text} THEN {yes.text} ELSE {no.text} END)"
    return combine(text, _kind([yes, no]), test, yes, no)


def _case(to: Expressions, node: exp.Case) -> Fragment:
    only(node, "this", "ifs", "default")
    branches = node.args.get("ifs") or []
    if not branches:
        raise refuse(Refusal.SYNTAX, "CASE needs WHEN.")
    tests = []
    for branch in branches:
        only(branch, "this", "true")
        test = branch.this if node.this is None else exp.EQ(this=node.this, expression=branch.this)
        tests.append(to.condition(test))
    results = [branch.args.get("true") for branch in branches]
    *values, default = _alternatives(to, [*results, node.args.get("default") or exp.Null()])
    choices = " ".join(
        f"WHEN {test.text} THEN {value.text}" for test, value in zip(tests, values, strict=True)
    )
    text = f"(CASE {choices} ELSE {default.text} END)"
    return combine(text, _kind([*values, default]), *tests, *values, default)


def _absolute(to: Expressions, node: exp.Abs) -> Fragment:
    only(node, "this")
    value = to.convert.number(to.write(node.this))
    return value.as_kind(f"ABS({value.text})", value.kind)


def _sign(to: Expressions, node: exp.Sign) -> Fragment:
    only(node, "this")
    value = to.convert.number(to.write(node.this))
    return value.as_kind(f"CAST(SIGN({value.text}) AS INTEGER)", CellKind.INTEGER)


def _digits(node: exp.Expr | None) -> int:
    if node is None:
        return 0
    if isinstance(node, exp.Literal) and not node.is_string and node.name.isdecimal():
        return min(int(node.name[:3]), MAX_DIGITS)
    raise refuse(Refusal.FORBIDDEN_CONSTRUCT, "The number of digits is a number, 0 or more.")


def _round(to: Expressions, node: exp.Round) -> Fragment:
    only(node, "this", "decimals")
    digits = _digits(node.args.get("decimals"))
    value = to.convert.number(to.write(node.this))
    if value.kind is CellKind.INTEGER:
        return value
    if digits == 0:
        return to.convert.integer(value)
    value = to.convert.real(value)
    return value.as_kind(to.engine.round(value.text, digits), CellKind.FLOAT)


def _truncate(to: Expressions, node: exp.Trunc) -> Fragment:
    only(node, "this", "decimals")
    digits = _digits(node.args.get("decimals"))
    value = to.convert.real(to.write(node.this))
    if digits == 0:
        return value.as_kind(to.engine.truncate(value.text), CellKind.INTEGER)
    scale = f"1{'0' * digits}.0"
    cut = to.engine.truncate(f"({value.text} * {scale})")
    return value.as_kind(f"({to.engine.to_float(cut)} / {scale})", CellKind.FLOAT)


def _floor(to: Expressions, node: exp.Floor) -> Fragment:
    only(node, "this")
    value = to.convert.real(to.write(node.this))
    return value.as_kind(to.engine.floor(value.text), CellKind.INTEGER)


def _ceiling(to: Expressions, node: exp.Ceil) -> Fragment:
    only(node, "this")
    value = to.convert.real(to.write(node.this))
    return value.as_kind(to.engine.ceiling(value.text), CellKind.INTEGER)


def _square_root(to: Expressions, node: exp.Sqrt) -> Fragment:
    only(node, "this")
    value = to.convert.real(to.write(node.this))
    text = f"(CASE WHEN {value.text} >= 0 THEN SQRT({value.text}) END)"
    return value.as_kind(text, CellKind.FLOAT)


def _power(to: Expressions, node: exp.Pow) -> Fragment:
    only(node, "this", "expression")
    left = to.convert.real(to.write(node.this))
    right = to.convert.real(to.write(node.expression))
    return combine(f"{to.engine.power}({left.text}, {right.text})", CellKind.FLOAT, left, right)


def _logarithm(to: Expressions, node: exp.Ln) -> Fragment:
    only(node, "this")
    value = to.convert.real(to.write(node.this))
    text = f"(CASE WHEN {value.text} > 0 THEN LN({value.text}) END)"
    return value.as_kind(text, CellKind.FLOAT)


def _divide(to: Expressions, node: exp.Div) -> Fragment:
    only(node, "this", "expression", "typed", "safe")
    left = to.convert.real(to.write(node.this))
    right = to.convert.real(to.write(node.expression))
    return combine(to.engine.divide(left.text, right.text), CellKind.FLOAT, left, right)


def _divide_whole(to: Expressions, node: exp.IntDiv) -> Fragment:
    only(node, "this", "expression")
    left = to.convert.number(to.write(node.this))
    right = to.convert.number(to.write(node.expression))
    return combine(to.engine.divide_whole(left.text, right.text), CellKind.INTEGER, left, right)


def _modulo(to: Expressions, node: exp.Mod) -> Fragment:
    only(node, "this", "expression")
    left = to.convert.number(to.write(node.this))
    right = to.convert.number(to.write(node.expression))
    is_whole = CellKind.FLOAT not in {left.kind, right.kind}
    text = to.engine.modulo(left.text, right.text, is_whole=is_whole)
    return combine(text, CellKind.INTEGER if is_whole else CellKind.FLOAT, left, right)


_INTEGERS: Final = frozenset(
    {exp.DType.BIGINT, exp.DType.UBIGINT, exp.DType.INT, exp.DType.UINT, exp.DType.SMALLINT}
)
_TEXTS: Final = frozenset({exp.DType.CHAR, exp.DType.VARCHAR, exp.DType.TEXT, exp.DType.NCHAR})
_MOMENTS: Final = frozenset({exp.DType.DATETIME, exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ})


def _cast(to: Expressions, node: exp.Cast) -> Fragment:
    only(node, "this", "to", "_type")
    target = node.to
    value = to.write(node.this)
    sizes = [param.this for param in target.expressions]
    match target.this:
        case kind if kind in _INTEGERS:
            result = to.convert.integer(value)
        case exp.DType.DECIMAL:
            real = to.convert.real(value)
            digits = _digits(sizes[1]) if len(sizes) > 1 else 0
            result = real.as_kind(to.engine.round(real.text, digits), CellKind.FLOAT)
        case exp.DType.DOUBLE | exp.DType.FLOAT:
            result = to.convert.real(value)
        case kind if kind in _TEXTS and not sizes:
            result = to.convert.text(value)
        case exp.DType.BOOLEAN:
            result = to.convert.truth(value)
        case exp.DType.DATE:
            date = to.convert.date(value)
            result = date.as_kind(to.engine.midnight(date.text), CellKind.DATE)
        case kind if kind in _MOMENTS:
            result = to.convert.date(value)
        case _:
            raise refuse(
                Refusal.FORBIDDEN_FUNCTION,
                "CAST knows SIGNED, DECIMAL, DOUBLE, CHAR, DATE and DATETIME.",
            )
    return result


def _anonymous(to: Expressions, node: exp.Anonymous) -> Fragment:
    only(node, "this", "expressions")
    if node.name.upper() == "NOW" and not node.expressions:
        return to.convert.moment(to.now)
    raise refuse(Refusal.FORBIDDEN_FUNCTION, f"The function {shown(node.name)} is not available.")


FUNCTIONS: Final[Mapping[type[exp.Expr], Function]] = {
    exp.Lower: _lower,
    exp.Upper: _upper,
    exp.Trim: _trim,
    exp.Substring: _substring,
    exp.Left: _left,
    exp.Right: _right,
    exp.Concat: _concat,
    exp.ConcatWs: _concat_ws,
    exp.Replace: _replace,
    exp.Length: _length,
    exp.StrPosition: _position,
    exp.Coalesce: _coalesce,
    exp.Nullif: _null_if,
    exp.Greatest: _extreme,
    exp.Least: _extreme,
    exp.If: _if,
    exp.Case: _case,
    exp.Abs: _absolute,
    exp.Sign: _sign,
    exp.Round: _round,
    exp.Trunc: _truncate,
    exp.Floor: _floor,
    exp.Ceil: _ceiling,
    exp.Sqrt: _square_root,
    exp.Pow: _power,
    exp.Ln: _logarithm,
    exp.Div: _divide,
    exp.IntDiv: _divide_whole,
    exp.Mod: _modulo,
    exp.Cast: _cast,
    exp.Anonymous: _anonymous,
    **AGGREGATES,
    **DATES,
}
