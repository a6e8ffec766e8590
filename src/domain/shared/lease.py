"""The lease: a claim on work that runs out unless its owner renews it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from domain.shared.aggregate import Aggregate
from domain.shared.ids import RunId

T_co = TypeVar("T_co", covariant=True)


class _Instant(Protocol[T_co]):
    """A moment, or a column of moments."""

    def __le__(self, other: datetime, /) -> T_co: ...


def is_over(until: _Instant[T_co], now: datetime) -> T_co:
    """Compare the end of a lease with the time: it is over from the very instant that it names.

    Every such comparison is this one, of values as of columns. Were it ``<`` in one place and
    ``<=`` in another, work would be due that nobody may claim.
    """
    return until <= now


@dataclass(kw_only=True, eq=False)
class Leased(Aggregate):
    """An aggregate on which one owner at a time works.

    Whoever takes it over saves it and so moves the revision, so that an owner that lost it cannot
    write any more. Renewing moves nothing: it is done beside the work, by owner.
    """

    lease_owner: str = ""
    lease_until: datetime | None = None
    attempt: int = 0
    """Claims so far, or since the last progress where a kind of work can make some."""

    def is_free(self, *, now: datetime) -> bool:
        """Tell whether nobody has it, or whoever had it did not renew the claim."""
        return self.lease_until is None or is_over(self.lease_until, now)

    def _lend(self, owner: str, *, until: datetime) -> None:
        self.lease_owner, self.lease_until = owner, until
        self.attempt += 1

    def _let_go(self) -> None:
        self.lease_owner, self.lease_until = "", None


class RunLeases(Protocol):
    """The leases of runs, for the processes that work on them."""

    async def renew(self, owner: str, run_ids: Collection[RunId], *, until: datetime) -> set[RunId]:
        """Extend the leases this owner still holds and return those runs."""
        ...

    async def cancel_requested(self, owner: str) -> Sequence[RunId]:
        """Return this owner's runs that somebody asked to cancel."""
        ...
