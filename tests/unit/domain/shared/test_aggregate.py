"""Facts of aggregates: what is special about them, completed by whose they are."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from domain.shared.aggregate import Aggregate, DomainEvent

NOW = datetime(2026, 5, 4, tzinfo=UTC)


class Shelved(DomainEvent, frozen=True, kw_only=True, tag="test.shelved"):
    row: int


@dataclass(kw_only=True, eq=False)
class Book(Aggregate):
    space_id: int


@dataclass(kw_only=True, eq=False)
class Page(Aggregate):
    space_id: int
    book_id: int

    @property
    def subject(self) -> tuple[int, int]:
        return self.space_id, self.book_id


@dataclass(kw_only=True, eq=False)
class Reader(Aggregate):
    """Belongs to no workspace."""


def recorded(aggregate: Aggregate) -> DomainEvent:
    aggregate.record(Shelved(row=3), at=NOW, by=7)
    (event,) = aggregate.pull_events()
    return event


@pytest.mark.parametrize(
    ("aggregate", "space_id", "aggregate_id"),
    [
        (Book(id=1, space_id=2), 2, 1),
        (Page(id=9, space_id=2, book_id=1), 2, 1),
        (Reader(id=4), 0, 4),
    ],
)
def test_a_fact_says_whose_it_is_and_when_and_by_whom(
    aggregate: Aggregate, space_id: int, aggregate_id: int
) -> None:
    event = recorded(aggregate)

    told = Shelved(
        row=3,
        occurred_at=NOW,
        space_id=space_id,
        aggregate_id=aggregate_id,
        actor_id=7,
        log_id=event.log_id,
        event_id=event.event_id,
    )
    assert event == told


def test_a_fact_without_a_time_is_refused() -> None:
    with pytest.raises(TypeError, match="say when"):
        Book(id=1, space_id=2).record(Shelved(row=3))
