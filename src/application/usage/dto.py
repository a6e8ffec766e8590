"""Questions about usage, and what is answered; ids are decimal strings, times Unix seconds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Self

import msgspec

from domain.shared.amount import E8
from domain.usage.entry import UsageEntry
from domain.usage.value import Dimension, Interval, Sums, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class AskUsage:
    """What is asked for; without ``until`` up to now, without ``since`` the 30 days before.

    ``space_ids`` empty: all workspaces whose usage the caller may read.
    """

    space_ids: frozenset[int] = frozenset()
    since: int | None = None
    until: int | None = None
    zone: str = "UTC"
    interval: Interval | None = None
    group_by: tuple[Dimension, ...] = ()
    filters: Mapping[Dimension, frozenset[Value]] = field(default_factory=dict)


class UnsettledView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Calls that were under way when their process died, and what they took at most."""

    calls: int
    tokens: int
    points: str
    """By the prices of their models."""
    cost: str

    @classmethod
    def of(cls, sums: Sums, currency: str) -> Self:
        """Spell what there is of them in sums."""
        return cls(
            calls=sums.unsettled_calls,
            tokens=sums.unsettled_tokens,
            points=plain_e8(sums.unsettled_points_e8),
            cost=plain_e8(sums.unsettled_money_e8.get(currency, 0)),
        )


class UsageSums(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What some calls were altogether."""

    calls: int
    failed_calls: int
    """Failed and cancelled ones; they are among `calls`."""
    estimated_calls: int
    """Calls whose tokens the provider did not tell; they are among `calls`."""
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    """Those of the input that the provider remembered."""
    reasoning_tokens: int
    """Those of the output that were thoughts."""
    pages: int
    """Pages and pictures whose words were recognised."""
    points: str
    """Of calls of models that are priced in points."""
    cost: str | None
    """In the currency of the report; null if none of the calls is priced in it."""
    other_costs: Mapping[str, str]
    """In currencies that the deployment had before, by their codes."""
    calls_without_points: int
    """Calls of models whose price in points nobody knows; they are not in `points`."""
    calls_without_cost: int
    """Calls of models whose price in money nobody knows; they are not in `cost`."""
    unsettled: UnsettledView | None
    """Null if there are none."""

    @classmethod
    def of(cls, sums: Sums, currency: str) -> Self:
        """Spell sums."""
        costs = {each: plain_e8(amount) for each, amount in sums.money_e8.items()}
        return cls(
            calls=sums.calls,
            failed_calls=sums.failed_calls,
            estimated_calls=sums.estimated_calls,
            input_tokens=sums.input_tokens,
            output_tokens=sums.output_tokens,
            cached_tokens=sums.cached_tokens,
            reasoning_tokens=sums.reasoning_tokens,
            pages=sums.pages,
            points=plain_e8(sums.points_e8),
            cost=costs.pop(currency, None),
            other_costs=costs,
            calls_without_points=sums.calls_without_points,
            calls_without_cost=sums.calls_without_money,
            unsettled=UnsettledView.of(sums, currency) if sums.unsettled_calls else None,
        )


class UsageStep(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One step of a series; steps without calls are left out."""

    at: int
    """When it began."""
    total: UsageSums


class UsageGroup(msgspec.Struct, frozen=True, kw_only=True):
    """What the calls with the same values amount to."""

    values: Mapping[str, str]
    """By the names of `group_by`; an empty text stands for none."""
    total: UsageSums
    series: tuple[UsageStep, ...]
    """Empty without `interval`."""


class UsageReport(msgspec.Struct, frozen=True, kw_only=True):
    """Sums of everything, and of the groups that cost most."""

    since: int
    """Begin of the time, in Unix seconds."""
    until: int
    """End of the time, in Unix seconds."""
    zone: str
    """Time zone of the steps."""
    currency: str
    """Code (ISO 4217) of the money that costs are in."""
    total: UsageSums
    series: tuple[UsageStep, ...]
    """Empty without `interval`."""
    groups: tuple[UsageGroup, ...]
    """Those that cost most first; empty without `group_by`."""
    group_count: int
    """How many there are; those beyond `limit` are in `rest`."""
    rest: UsageSums | None
    """Sums of the groups that are left out; null if none is."""


class EntryView(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a model or plugin, or the recognised pages of a document."""

    at: int
    """When it ended."""
    workspace_id: str
    run_id: str
    """Run, job or request that it belongs to."""
    number: int
    """Of the calls of that run."""
    source: str | None
    """Through what somebody asked; null for calls of releases before."""
    kind: str
    """What for: `chat`, `embedding`, `plugin` and so on."""
    model: str
    provider: str
    outcome: str
    """`ok`, `failed`, `canceled`, or `unsettled`: its process died, the tokens are the most."""
    attempt: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    reasoning_tokens: int
    pages: int
    """Pages and pictures whose words were recognised."""
    is_estimated: bool
    """The provider did not tell the tokens."""
    points: str | None
    """Null if nobody priced the model in points."""
    cost: str | None
    """Null if nobody priced the model in money."""
    currency: str | None
    """Of the cost."""
    price_version: str | None
    """Prices that it was counted with, see the prices of the model."""
    app_id: str | None
    agent_id: str | None
    version: str | None
    """Of the agent or workflow; null for a draft."""
    workflow_id: str | None
    dataset_id: str | None
    member_id: str | None
    """The account that asked."""
    end_user_id: str | None
    token_id: str | None
    """The access token that was used."""
    share_link_id: str | None
    """The share link that was used."""
    duration_ms: int

    @classmethod
    def of(cls, entry: UsageEntry) -> Self:
        """Spell an entry."""
        call, account, used = entry.call, entry.account, entry.call.usage
        has_points = call.has_points or Decimal(call.cost)
        return cls(
            at=int(call.ended_at.timestamp()) if call.ended_at else 0,
            workspace_id=str(entry.space_id),
            run_id=str(entry.run_id),
            number=entry.call_no,
            source=account.origin.source,
            kind=call.purpose,
            model=call.model,
            provider=call.provider,
            outcome=call.outcome,
            attempt=call.attempt,
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens,
            cached_tokens=used.cached_tokens,
            reasoning_tokens=used.reasoning_tokens,
            pages=call.pages,
            is_estimated=used.estimated,
            points=plain(Decimal(call.cost)) if has_points else None,
            cost=plain(Decimal(call.money)) if call.money else None,
            currency=call.currency or None,
            price_version=call.price_version or None,
            app_id=_id(account.app_id),
            agent_id=_id(account.agent_id),
            version=account.version or None,
            workflow_id=_id(account.workflow_id),
            dataset_id=_id(account.dataset_id),
            member_id=_id(account.member_id),
            end_user_id=account.end_user_id or None,
            token_id=_id(account.origin.token_id),
            share_link_id=_id(account.origin.share_link_id),
            duration_ms=call.total_ms,
        )


class EntryPage(msgspec.Struct, frozen=True, kw_only=True):
    """Entries, newest first; pass ``next_cursor`` as ``cursor`` for the next ones."""

    items: tuple[EntryView, ...]
    total: None = None
    """Counting them would take as long as reading them."""
    next_cursor: str | None


def plain(amount: Decimal) -> str:
    """Spell an amount without exponent and without zeros at its end."""
    spelt = f"{amount:.8f}".rstrip("0").rstrip(".")
    return spelt or "0"


def plain_e8(quanta: int) -> str:
    """Spell an amount in integers of 1e-8 likewise."""
    if quanta < 0:
        return f"-{plain_e8(-quanta)}"
    whole, rest = divmod(quanta, E8)
    return f"{whole}.{rest:08}".rstrip("0") if rest else str(whole)


def _id(number: int) -> str | None:
    return str(number) if number else None
