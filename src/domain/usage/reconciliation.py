"""Reconciliation: what a provider says that it sold, beside what the ledger has."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from io import StringIO
from typing import Final, TypeVar

import msgspec

from domain.shared.error import InvalidRequest

NumberT = TypeVar("NumberT", int, Decimal)

MOST_LINES: Final = 50_000
_MOST: Final = Decimal(10**12)
_TEXT_CHARS: Final = 200
_COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "day": ("date", "day"),
    "model": ("model", "snapshot_id"),
    "calls": ("calls", "requests", "num_model_requests"),
    "input_tokens": ("input_tokens", "prompt_tokens"),
    "output_tokens": ("output_tokens", "completion_tokens"),
    "cost": ("cost", "amount", "amount_value"),
    "currency": ("currency", "amount_currency"),
}
"""Names of columns, as exports of providers have them; only day and model must be there."""


class InvalidReport(InvalidRequest):
    """A file that is no report of a provider; the message names the line."""


class ReportLine(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider says of one model on one day, in UTC; None: it does not say."""

    day: date
    model: str
    calls: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: Decimal | None = None
    currency: str = ""

    def plus(self, other: "ReportLine") -> "ReportLine":
        """Add up lines of one day, model and currency."""
        return msgspec.structs.replace(
            self,
            calls=_plus(self.calls, other.calls),
            input_tokens=_plus(self.input_tokens, other.input_tokens),
            output_tokens=_plus(self.output_tokens, other.output_tokens),
            cost=_plus(self.cost, other.cost),
        )


def read_report(text: str, *, currency: str) -> list[ReportLine]:
    """Read a report in CSV with a head; lines of one day and model are added up.

    Without a column of its own costs are in ``currency``. Raises ``InvalidReport``.
    """
    rows = csv.reader(StringIO(text.removeprefix("\ufeff")), strict=True)
    try:
        head = [name.strip().lower() for name in next(rows, [])]
        places = _places(head)
        found: dict[tuple[date, str, str], ReportLine] = {}
        for number, row in enumerate(rows, start=2):
            if not any(cell.strip() for cell in row):
                continue
            line = _line(row, places, number, currency)
            key = line.day, line.model, line.currency
            found[key] = found[key].plus(line) if key in found else line
            if len(found) > MOST_LINES:
                raise InvalidReport(f"csv: at most {MOST_LINES} lines.", field="csv")
    except csv.Error as exc:
        raise InvalidReport(f"csv: line {rows.line_num}: {exc}.", field="csv") from exc
    if not found:
        raise InvalidReport("csv: the report has no line.", field="csv")
    return sorted(found.values(), key=lambda each: (each.day, each.model, each.currency))


def _places(head: Sequence[str]) -> dict[str, int]:
    places = {
        name: head.index(known)
        for name, names in _COLUMNS.items()
        for known in names[::-1]
        if known in head
    }
    for needed in ("day", "model"):
        if needed not in places:
            known = " or ".join(_COLUMNS[needed])
            raise InvalidReport(f"csv: there is no column {known}.", field="csv")
    return places


def _line(row: Sequence[str], places: Mapping[str, int], number: int, currency: str) -> ReportLine:
    cells = {name: row[at].strip() if at < len(row) else "" for name, at in places.items()}
    try:
        day = date.fromisoformat(cells["day"][:10])
        counts = {
            name: _count(cells.get(name, "")) for name in ("calls", "input_tokens", "output_tokens")
        }
        cost = _amount(cells.get("cost", ""))
    except (ValueError, InvalidOperation) as exc:
        raise InvalidReport(
            f"csv: line {number}: days are like 2026-11-23, numbers without separators.",
            field="csv",
        ) from exc
    model = cells["model"]
    if not 0 < len(model) <= _TEXT_CHARS or not model.isprintable():
        raise InvalidReport(f"csv: line {number}: there is no name of a model.", field="csv")
    named = cells.get("currency", "").upper() or currency
    if len(named) != len(currency) or not (named.isascii() and named.isalpha()):
        raise InvalidReport(
            f"csv: line {number}: the currency is no code of ISO 4217.", field="csv"
        )
    return ReportLine(
        day=day, model=model, cost=cost, currency=named if cost is not None else "", **counts
    )


def _count(text: str) -> int | None:
    amount = _amount(text)
    if amount is None:
        return None
    if amount != amount.to_integral_value():
        raise InvalidOperation
    return int(amount)


def _amount(text: str) -> Decimal | None:
    if not text:
        return None
    amount = Decimal(text)
    if not (amount.is_finite() and 0 <= amount < _MOST):
        raise InvalidOperation
    return amount


def _plus(one: NumberT | None, other: NumberT | None) -> NumberT | None:
    if one is None or other is None:
        return other if one is None else one
    return one + other


def days_of(lines: Iterable[ReportLine]) -> frozenset[date]:
    """Return the days that a report tells of."""
    return frozenset(line.day for line in lines)
