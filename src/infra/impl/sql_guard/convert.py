"""Conversions between types as MySQL makes them, written out for engines that do not."""

import math
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from infra.contract.table.sql_guard import CellKind, Refusal
from infra.impl.sql_guard.engine import Engine
from infra.impl.sql_guard.fragment import Fragment, Parameters, refuse, shown

_MAX_INTEGER: Final = 2**63 - 1
NUMERIC: Final = frozenset({CellKind.INTEGER, CellKind.FLOAT})
_NUMBER: Final = re.compile(
    r"[-+]?([0-9]{1,19}(\.[0-9]{0,18})?|\.[0-9]{1,18})([eE][-+]?[0-9]{1,3})?"
)
_TRUTHS: Final = {"true": True, "1": True, "false": False, "0": False}
_DATE: Final = re.compile(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:[ T]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.[0-9]+)?)?)?"
)


class Converter:
    """Brings fragments to the type their place needs, or refuses."""

    def __init__(self, engine: Engine, parameters: Parameters) -> None:
        self._engine = engine
        self._parameters = parameters

    def text_constant(self, value: str) -> Fragment:
        """A text of the input, as a bound parameter."""
        placed = self._engine.text(self._parameters.add(value))
        return Fragment(text=placed, kind=CellKind.TEXT, constant=value, width=len(value))

    def number_constant(self, source: str) -> Fragment:
        """A number of the input, written anew."""
        if not _NUMBER.fullmatch(source):
            raise refuse(Refusal.SYNTAX, f"Not a number: {shown(source)}.")
        if re.fullmatch(r"[-+]?[0-9]+", source):
            if abs(int(source)) > _MAX_INTEGER:
                raise refuse(Refusal.SYNTAX, f"Not a number: {shown(source)}.")
            text, kind = str(int(source)), CellKind.INTEGER
        else:
            value = float(source)
            if not math.isfinite(value):
                raise refuse(Refusal.SYNTAX, f"Not a number: {shown(source)}.")
            # Plain digits are exact on PostgreSQL, whose comparison with a float converts them.
            text, kind = (
                (source.lstrip("+") if "e" not in source.lower() else repr(value)),
                (CellKind.FLOAT),
            )
        return Fragment(text=text, kind=kind, constant=source)

    def date_constant(self, value: str) -> Fragment:
        """A date written as a text."""
        found = _DATE.fullmatch(value.strip())
        if not found:
            raise refuse(
                Refusal.TYPE_MISMATCH, f"Not a date: {shown(value)}; write YYYY-MM-DD HH:MM:SS."
            )
        numbers = [int(part) if part else 0 for part in found.groups()]
        try:
            moment = datetime(*numbers)  # type: ignore[arg-type]  # noqa: DTZ001 - cells have no zone
        except ValueError as exc:
            raise refuse(Refusal.TYPE_MISMATCH, f"Not a date: {shown(value)}.") from exc
        return self.moment(moment)

    def moment(self, moment: datetime) -> Fragment:
        written = moment.strftime("%Y-%m-%d %H:%M:%S").rjust(19, "0")
        text = self._engine.to_date(self._engine.text(self._parameters.add(written)))
        return Fragment(text=text, kind=CellKind.DATE)

    def number(self, value: Fragment) -> Fragment:
        """As a number: texts by the number they begin with, truth as 1 and 0."""
        match value.kind:
            case CellKind.TEXT if value.constant is not None:
                if not _NUMBER.fullmatch(value.constant.strip()):
                    raise refuse(Refusal.TYPE_MISMATCH, f"{shown(value.constant)} is not a number.")
                return self.number_constant(value.constant.strip())
            case CellKind.TEXT:
                return value.as_kind(self._engine.leading_number(value.text), CellKind.FLOAT)
            case CellKind.BOOLEAN:
                return value.as_kind(self._engine.truth_to_integer(value.text), CellKind.INTEGER)
            case CellKind.DATE:
                raise refuse(Refusal.TYPE_MISMATCH, "A date cannot be used as a number.")
            case _:
                return value

    def real(self, value: Fragment) -> Fragment:
        """As a float."""
        value = self.number(value)
        return value.as_kind(self._engine.to_float(value.text), CellKind.FLOAT)

    def integer(self, value: Fragment) -> Fragment:
        """As an integer, rounded."""
        value = self.number(value)
        if value.kind is not CellKind.FLOAT:
            return value
        return value.as_kind(self._engine.to_integer(value.text), CellKind.INTEGER)

    def text(self, value: Fragment) -> Fragment:
        """As a text."""
        if value.kind is CellKind.TEXT:
            return value
        if value.kind is None:
            return value.as_kind(f"CAST({value.text} AS TEXT)", CellKind.TEXT)
        return value.as_kind(self._engine.to_text(value.text, value.kind), CellKind.TEXT)

    def date(self, value: Fragment) -> Fragment:
        """As a date with time."""
        match value.kind:
            case CellKind.DATE | None:
                return value
            case CellKind.TEXT if value.constant is not None:
                return self.date_constant(value.constant)
            case CellKind.TEXT:
                return value.as_kind(self._engine.to_date(value.text), CellKind.DATE)
            case _:
                raise refuse(Refusal.TYPE_MISMATCH, "A number cannot be used as a date.")

    def truth(self, value: Fragment) -> Fragment:
        """As a condition."""
        if value.kind is CellKind.BOOLEAN:
            return value
        if value.kind is None:
            return value.as_kind(f"CAST({value.text} AS BOOLEAN)", CellKind.BOOLEAN)
        number = self.number(value)
        return number.as_kind(f"({number.text} <> 0)", CellKind.BOOLEAN)

    def common(self, values: Sequence[Fragment]) -> list[Fragment]:
        """Bring alternatives (the branches of a CASE, columns of a UNION) to one type."""
        kinds = {value.kind for value in values if value.kind is not None}
        if len(kinds) <= 1:
            return list(values)
        if kinds == NUMERIC:
            return [
                value if value.kind is not CellKind.INTEGER else self.real(value)
                for value in values
            ]
        if kinds <= NUMERIC | {CellKind.BOOLEAN}:
            return self.common([self.number(value) for value in values])
        if kinds == {CellKind.DATE, CellKind.TEXT} and all(
            value.kind is not CellKind.TEXT or value.constant is not None for value in values
        ):
            return [self.date(value) for value in values]
        return [value if value.kind is None else self.text(value) for value in values]

    def comparable(self, values: Sequence[Fragment], *, is_equality: bool) -> list[Fragment]:
        """Bring operands of a comparison to one type.

        A text column against a number constant compares as texts for equality, so that the code
        ``047`` is not 47, and as numbers for order.
        """
        kinds = {value.kind for value in values if value.kind is not None}
        if CellKind.DATE in kinds and len(kinds) > 1:
            return [self.date(value) for value in values]
        if CellKind.BOOLEAN in kinds and len(kinds) > 1:
            return [self._truth_number(value) for value in values]
        if CellKind.TEXT in kinds and kinds & NUMERIC:
            numbers_fixed = all(v.constant is not None for v in values if v.kind in NUMERIC)
            if is_equality and numbers_fixed:
                return [self._as_written(value) for value in values]
            return [self.number(value) for value in values]
        return list(values)

    def _truth_number(self, value: Fragment) -> Fragment:
        if value.kind is CellKind.TEXT and value.constant is not None:
            truth = _TRUTHS.get(value.constant.strip().lower())
            if truth is None:
                raise refuse(
                    Refusal.TYPE_MISMATCH, f"{shown(value.constant)} is neither TRUE nor FALSE."
                )
            return value.as_kind("1" if truth else "0", CellKind.INTEGER)
        return self.number(value)

    def _as_written(self, value: Fragment) -> Fragment:
        if value.kind in NUMERIC and value.constant is not None:
            return self.text_constant(value.constant)
        return value
