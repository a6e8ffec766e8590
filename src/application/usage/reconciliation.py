"""Reconciliation of the ledger with what providers say that they sold."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

import msgspec

from application.usage.dto import plain, plain_e8
from crossdomain.model.contract import ModelNames
from domain.shared.access import Principal
from domain.shared.error import Forbidden, InvalidRequest
from domain.usage.reconciliation import ReportLine, days_of, read_report
from domain.usage.repository import UsageStore
from domain.usage.value import Dimension, Interval, Sums, UsageQuery
from infra.contract.clock import Clock

_USUAL: Final = timedelta(days=30)
_LONGEST: Final = timedelta(days=400)
_DAY: Final = timedelta(days=1)
_PROVIDER_CHARS: Final = 50
_NOT_SOLD: Final = frozenset({"ocr", "plugin"})


class ReconciledSide(msgspec.Struct, frozen=True, kw_only=True):
    """What one of both says; null: it does not say."""

    calls: int | None
    input_tokens: int | None
    output_tokens: int | None
    cost: str | None


class ReconciledLine(msgspec.Struct, frozen=True, kw_only=True):
    """One model on one day (UTC): the ledger, the provider, and the ledger less the provider."""

    day: str
    """Like `2026-11-23`."""
    model: str
    """As the provider calls it."""
    ours: ReconciledSide | None
    """Null: the ledger has no call."""
    theirs: ReconciledSide | None
    """Null: the report does not name it."""
    difference: ReconciledSide | None
    """Null unless both are there."""
    unsettled_calls: int
    """Calls of ours besides that nobody knows the end of."""


class Reconciled(msgspec.Struct, frozen=True, kw_only=True):
    """Each model on each day that either side knows, by day and model."""

    items: tuple[ReconciledLine, ...]
    total: int
    next_cursor: None = None
    currency: str
    """Code (ISO 4217) of all costs."""


class ImportedReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was read from a report."""

    provider: str
    lines: int
    """How many there were, those of one day and model added up."""
    first_day: str
    """First day that it tells of, like `2026-11-01`."""
    last_day: str
    """Last day that it tells of."""


@dataclass(slots=True)
class _Pair:
    ours: list[Sums] = field(default_factory=list)
    theirs: list[ReportLine] = field(default_factory=list)


class ReconciliationService:
    """Compares for administrators of the deployment."""

    def __init__(
        self, *, store: UsageStore, models: ModelNames, clock: Clock, currency: str
    ) -> None:
        self._store = store
        self._models = models
        self._clock = clock
        self._currency = currency

    async def take(self, principal: Principal, provider: str, text: str) -> ImportedReport:
        """Keep a report in CSV instead of what was known of its days; raise ``InvalidReport``."""
        _require_administrator(principal)
        name = _provider(provider)
        lines = await asyncio.to_thread(read_report, text, currency=self._currency)
        async with self._store.transaction() as uow:
            await uow.serialise(f"provider report {name}")
            await uow.reports.replace(name, lines, now=self._clock.now())
            await uow.commit()
        days = sorted(days_of(lines))
        return ImportedReport(
            provider=name,
            lines=len(lines),
            first_day=days[0].isoformat(),
            last_day=days[-1].isoformat(),
        )

    async def compare(
        self, principal: Principal, provider: str, *, since: int | None, until: int | None
    ) -> Reconciled:
        """Put both beside each other, by whole days in UTC; the last 30 ones otherwise."""
        _require_administrator(principal)
        name = _provider(provider)
        first, last = self._days(since, until)
        upstreams = await self._models.upstreams()
        query = UsageQuery(
            space_ids=None,
            since=datetime(first.year, first.month, first.day, tzinfo=UTC),
            until=datetime(last.year, last.month, last.day, tzinfo=UTC) + _DAY,
            zone=await asyncio.to_thread(ZoneInfo, "UTC"),
            interval=Interval.DAY,
            group_by=(Dimension.MODEL, Dimension.KIND),
            filters={Dimension.PROVIDER: frozenset({name})},
        )
        async with self._store.snapshot() as uow:
            sums = await uow.ledger.sums(query)
            theirs = await uow.reports.lines(name, first, last)
        pairs: dict[tuple[date, str], _Pair] = {}
        for (step, (model, kind)), each in sums.items():
            if kind in _NOT_SOLD or step is None:
                continue
            day = datetime.fromtimestamp(step, UTC).date()
            pair = pairs.setdefault((day, _known_as(str(model), upstreams)), _Pair())
            pair.ours.append(each)
        for line in theirs:
            pairs.setdefault((line.day, line.model), _Pair()).theirs.append(line)
        items = tuple(
            self._line(day, model, pair) for (day, model), pair in sorted(pairs.items(), key=_place)
        )
        return Reconciled(items=items, total=len(items), currency=self._currency)

    def _days(self, since: int | None, until: int | None) -> tuple[date, date]:
        now = self._clock.now()
        try:
            end = now if until is None else datetime.fromtimestamp(until, UTC)
            begin = end - _USUAL if since is None else datetime.fromtimestamp(since, UTC)
        except (OverflowError, ValueError, OSError) as exc:
            raise InvalidRequest("since, until: Unix seconds.", field="since") from exc
        if not timedelta(0) <= end - begin <= _LONGEST:
            raise InvalidRequest(
                f"since: it lies before until, by {_LONGEST.days} days at most.", field="since"
            )
        return begin.date(), end.date()

    def _line(self, day: date, model: str, pair: _Pair) -> ReconciledLine:
        said, ours = self._said(pair.theirs), None
        if pair.ours:
            sums = Sums.total(pair.ours)
            is_priced = sums.calls > sums.calls_without_money
            ours = ReconciledSide(
                calls=sums.calls,
                input_tokens=sums.input_tokens,
                output_tokens=sums.output_tokens,
                cost=plain_e8(sums.money_e8.get(self._currency, 0)) if is_priced else None,
            )
        return ReconciledLine(
            day=day.isoformat(),
            model=model,
            ours=ours,
            theirs=said,
            difference=_difference(ours, said) if ours and said else None,
            unsettled_calls=sum(each.unsettled_calls for each in pair.ours),
        )

    def _said(self, lines: Sequence[ReportLine]) -> ReconciledSide | None:
        """Sum up what the provider says; costs in other currencies are none of ours."""
        if not lines:
            return None
        whole = lines[0]
        if whole.currency not in {"", self._currency}:
            whole = msgspec.structs.replace(whole, cost=None)
        for line in lines[1:]:
            is_ours = line.currency in {"", self._currency}
            whole = whole.plus(line if is_ours else msgspec.structs.replace(line, cost=None))
        return ReconciledSide(
            calls=whole.calls,
            input_tokens=whole.input_tokens,
            output_tokens=whole.output_tokens,
            cost=None if whole.cost is None else plain(whole.cost),
        )


def _difference(ours: ReconciledSide, theirs: ReconciledSide) -> ReconciledSide:
    cost = None
    if ours.cost is not None and theirs.cost is not None:
        cost = plain(Decimal(ours.cost) - Decimal(theirs.cost))
    return ReconciledSide(
        calls=_less(ours.calls, theirs.calls),
        input_tokens=_less(ours.input_tokens, theirs.input_tokens),
        output_tokens=_less(ours.output_tokens, theirs.output_tokens),
        cost=cost,
    )


def _less(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one - other


def _place(each: tuple[tuple[date, str], _Pair]) -> tuple[date, str]:
    return each[0]


def _known_as(model: str, upstreams: Mapping[str, str]) -> str:
    """Return what the provider calls a model; one that is gone keeps its own name."""
    return upstreams.get(model) or model


def _provider(name: str) -> str:
    if not 0 < len(name) <= _PROVIDER_CHARS or not name.isprintable():
        raise InvalidRequest(
            "provider: the kind of a provider, like openai, as entries of the ledger name it.",
            field="provider",
        )
    return name


def _require_administrator(principal: Principal) -> None:
    if not principal.administers_deployment:
        raise Forbidden("Only administrators of the deployment, with a token without limits, may.")
