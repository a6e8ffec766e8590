"""Reports of usage: sums by step and group, entries one by one, and entries as files."""

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncGenerator, Collection, Mapping
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Final
from zoneinfo import ZoneInfo

import msgspec

from application.shared.table_export import ROWS_AT_ONCE, Export, Rows, open_export
from application.usage.dto import (
    AskUsage,
    EntryPage,
    EntryView,
    UsageGroup,
    UsageReport,
    UsageStep,
    UsageSums,
)
from domain.shared.access import Permission, Principal
from domain.shared.error import InvalidRequest
from domain.shared.ids import MAX_ID, SpaceId
from domain.usage.entry import UsageEntry
from domain.usage.repository import EntryPlace, UsageStore
from domain.usage.span import DAY, HOUR
from domain.usage.value import MAX_BUCKETS, Dimension, Group, Interval, Sums, UsageQuery
from infra.contract.clock import Clock
from infra.contract.table.file import OpenTableFile

MAX_GROUPS: Final = 1000
_SECONDS: Final = {Interval.HOUR: HOUR, Interval.DAY: DAY, Interval.MONTH: 28 * DAY}
_USUAL: Final = timedelta(days=30)
_LONGEST: Final = timedelta(days=3700)
_LAST: Final = 253_402_300_799
"""End of the year 9999: the last second that dates know."""
_ZONE_CHARS: Final = 64
_CURSOR: Final = re.compile(r"(\d{1,18})-(\d{1,19})-(\d{1,9})")
_MONTH: Final = re.compile(r"(20\d\d)-(0[1-9]|1[0-2])")
_MICROS: Final = timedelta(microseconds=1)
_EPOCH: Final = datetime.fromtimestamp(0, UTC)
FIELDS: Final = EntryView.__struct_fields__
"""Names of what a file has of each entry."""


class UsageReports:
    """Shows usage to whoever may read it in a workspace."""

    def __init__(
        self, *, store: UsageStore, open_file: OpenTableFile, clock: Clock, currency: str
    ) -> None:
        self._store = store
        self._open_file = open_file
        self._clock = clock
        self._currency = currency

    async def report(self, principal: Principal, ask: AskUsage, *, most: int) -> UsageReport:
        """Sum up; ``most`` groups are told apart.

        Raises:
            InvalidRequest: the time, the zone or the number of steps is out of bounds.
            NotFound, Forbidden: usage of a workspace may not be read.
        """
        query = await self._query(ask, _readable(principal, ask.space_ids), principal.end_user_id)
        return await self._report(query, most)

    async def report_everywhere(self, ask: AskUsage, *, most: int) -> UsageReport:
        """Sum up for whoever operates the deployment, also over workspaces of others."""
        spaces = frozenset(map(SpaceId, ask.space_ids)) or None
        return await self._report(await self._query(ask, spaces), most)

    async def _report(self, query: UsageQuery, most: int) -> UsageReport:
        _require_steps(query)
        async with self._store.snapshot() as uow:
            sums = await uow.ledger.sums(query)
        of_groups = defaultdict[Group, dict[int | None, Sums]](dict)
        for (step, group), each in sums.items():
            of_groups[group][step] = each
        ranked = sorted(
            (
                (Sums.total(by_step.values()), group, by_step)
                for group, by_step in of_groups.items()
            ),
            key=lambda each: self._rank(each[0]),
            reverse=True,
        )
        shown = min(max(most, 1), MAX_GROUPS)
        rest = Sums.total(total for total, *_ in ranked[shown:])
        is_grouped = bool(query.group_by)
        return UsageReport(
            since=int(query.since.timestamp()),
            until=int(query.until.timestamp()),
            zone=query.zone.key,
            currency=self._currency,
            total=self._spelt(Sums.total([rest, *(total for total, *_ in ranked[:shown])])),
            series=self._series(_by_step(sums)),
            groups=tuple(
                UsageGroup(
                    values={
                        name.value: str(value or "")
                        for name, value in zip(query.group_by, group, strict=True)
                    },
                    total=self._spelt(total),
                    series=self._series(by_step),
                )
                for total, group, by_step in (ranked[:shown] if is_grouped else ())
            ),
            group_count=len(ranked) if is_grouped else 0,
            rest=self._spelt(rest) if len(ranked) > shown else None,
        )

    async def entries(
        self, principal: Principal, ask: AskUsage, *, cursor: str, limit: int
    ) -> EntryPage:
        """List entries, newest first; the errors are those of ``report``."""
        query = await self._query(ask, _readable(principal, ask.space_ids), principal.end_user_id)
        after = _read_cursor(cursor) if cursor else None
        async with self._store.snapshot() as uow:
            found = await uow.ledger.entries(
                query, after=after, is_newest_first=True, limit=limit + 1
            )
        page = found[:limit]
        return EntryPage(
            items=tuple(map(EntryView.of, page)),
            next_cursor=_written_cursor(page[-1]) if len(found) > limit else None,
        )

    async def export(self, principal: Principal, ask: AskUsage, format_: str) -> Export:
        """Begin a file of entries, oldest first; raise ``InvalidRequest`` for its format."""
        query = await self._query(ask, _readable(principal, ask.space_ids), principal.end_user_id)
        return await open_export(
            self._open_file, format_, title="usage", columns=FIELDS, pages=self._pages(query)
        )

    async def _pages(self, query: UsageQuery) -> AsyncGenerator[Rows, None]:
        after: EntryPlace | None = None
        while True:
            async with self._store.snapshot() as uow:  # none is open while the client reads
                found = await uow.ledger.entries(
                    query, after=after, is_newest_first=False, limit=ROWS_AT_ONCE
                )
            if not found:
                return
            yield [_cells(each) for each in found]
            after = _place(found[-1])

    async def _query(
        self, ask: AskUsage, space_ids: frozenset[SpaceId] | None, end_user_id: str = ""
    ) -> UsageQuery:
        until = self._clock.now() if ask.until is None else _moment(ask.until, "until")
        since = until - _USUAL if ask.since is None else _moment(ask.since, "since")
        if not timedelta(0) < until - since <= _LONGEST:
            raise InvalidRequest(
                "since: it lies before until, by ten years at most.", field="since"
            )
        filters = dict(ask.filters)
        if end_user_id:  # the token reads no more than theirs
            filters[Dimension.END_USER] = frozenset({end_user_id})
        return UsageQuery(
            space_ids=space_ids,
            since=since,
            until=until,
            zone=await _zone(ask.zone),
            interval=ask.interval,
            group_by=ask.group_by,
            filters=filters,
        )

    def _rank(self, sums: Sums) -> tuple[int, int, int, int]:
        money = sums.money_e8.get(self._currency, 0)
        return money, sums.points_e8, sums.input_tokens + sums.output_tokens, sums.calls

    def _series(self, by_step: Mapping[int | None, Sums]) -> tuple[UsageStep, ...]:
        steps = [(step, sums) for step, sums in by_step.items() if step is not None]
        steps.sort(key=itemgetter(0))
        return tuple([UsageStep(at=at, total=self._spelt(sums)) for at, sums in steps])

    def _spelt(self, sums: Sums) -> UsageSums:
        return UsageSums.of(sums, self._currency)


def _by_step(sums: Mapping[tuple[int | None, Group], Sums]) -> Mapping[int | None, Sums]:
    """Add up all groups of each step; without a series there are none."""
    of_steps = defaultdict[int | None, list[Sums]](list)
    for (step, _), each in sums.items():
        if step is not None:
            of_steps[step].append(each)
    return {step: Sums.total(each) for step, each in of_steps.items()}


def _readable(principal: Principal, wanted: Collection[int]) -> frozenset[SpaceId]:
    """Return the workspaces that are asked for, or all that may be read."""
    for space_id in wanted:
        principal.require(Permission.USAGE_READ, SpaceId(space_id))
    if wanted:
        return frozenset(SpaceId(each) for each in wanted)
    return frozenset(s for s in principal.roles if principal.may(Permission.USAGE_READ, s))


def _moment(seconds: int, name: str) -> datetime:
    if not 0 <= seconds <= _LAST:
        raise InvalidRequest(f"{name}: Unix seconds until the year 9999.", field=name)
    return datetime.fromtimestamp(seconds, UTC)


async def month_of(text: str, zone: str) -> tuple[int, int]:
    """Return begin and end of a month like ``2026-11`` in Unix seconds."""
    found = _MONTH.fullmatch(text)
    if found is None:
        raise InvalidRequest("month: a year and a month, like 2026-11.", field="month")
    year, month = int(found[1]), int(found[2])
    begin = datetime(year, month, 1, tzinfo=await _zone(zone))
    end = begin.replace(year=year + month // 12, month=month % 12 + 1)
    return int(begin.timestamp()), int(end.timestamp())


async def _zone(name: str) -> ZoneInfo:
    try:
        return await asyncio.to_thread(ZoneInfo, name[:_ZONE_CHARS])  # may read a file
    except (KeyError, ValueError, OSError) as exc:
        raise InvalidRequest(
            f"zone: {name[:_ZONE_CHARS]!r} is unknown; use a name like Europe/Zurich.", field="zone"
        ) from exc


def _require_steps(query: UsageQuery) -> None:
    if query.interval is None:
        return
    steps = (query.until - query.since).total_seconds() / _SECONDS[query.interval]
    if steps > MAX_BUCKETS:
        raise InvalidRequest(
            f"interval: the series would have more than {MAX_BUCKETS} steps; take longer ones, or "
            "a shorter time.",
            field="interval",
        )


def _place(entry: UsageEntry) -> EntryPlace:
    return entry.call.ended_at or _EPOCH, entry.run_id, entry.call_no


def _written_cursor(entry: UsageEntry) -> str:
    ended_at, run_id, call_no = _place(entry)
    return f"{(ended_at - _EPOCH) // _MICROS}-{run_id}-{call_no}"


def _read_cursor(text: str) -> EntryPlace:
    found = _CURSOR.fullmatch(text)
    if found is None:
        raise InvalidRequest("cursor: take it from the page before.", field="cursor")
    micros, run_id, call_no = map(int, found.groups())
    try:
        return _EPOCH + micros * _MICROS, min(run_id, MAX_ID), call_no
    except OverflowError as exc:
        raise InvalidRequest("cursor: take it from the page before.", field="cursor") from exc


def _cells(entry: UsageEntry) -> list[str | int | bool | None]:
    _, *rest = msgspec.structs.astuple(EntryView.of(entry))
    return [_place(entry)[0].isoformat(timespec="milliseconds"), *rest]
