"""What an agent remembers of one end user beyond conversations."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NewType, Self

from domain.memory.error import RecollectionInvalid
from domain.memory.variable import Holder
from domain.shared.ids import SpaceId

RecollectionId = NewType("RecollectionId", int)

MAX_TERMS: Final = 200
"""Tokens of a text that count in searches."""

_HALF_LIFE: Final = timedelta(days=30)
_EPISODE_IMPORTANCE: Final = 0.3
_USED_SHARE: Final = 0.5


class RecollectionKind(StrEnum):
    """What is remembered; an episode is a round of a conversation, the others are statements."""

    FACT = "fact"
    PREFERENCE = "preference"
    EVENT = "event"
    EPISODE = "episode"


STATEMENTS: Final = frozenset(RecollectionKind) - {RecollectionKind.EPISODE}


class Origin(StrEnum):
    """Who wrote the text: a model that read a conversation, or a person."""

    MODEL = "model"
    PERSON = "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """One thing remembered, with where it is from.

    ``terms`` are the search tokens of the text, ``vector`` its packed embedding by the model that
    ``embedding`` identifies; both are empty without one. ``importance`` is 0 to 1. What a newer
    statement replaced stays for a while, ``superseded_by`` it, and is never shown to a model.
    """

    id: RecollectionId
    space_id: SpaceId
    holder: Holder
    kind: RecollectionKind
    text: str
    terms: tuple[str, ...] = ()
    vector: bytes = b""
    embedding: str = ""
    importance: float = 0.5
    origin: Origin = Origin.MODEL
    conversation_id: int = 0
    run_id: int = 0
    message_ids: tuple[int, ...] = ()
    valid_from: datetime
    updated_at: datetime
    last_used_at: datetime
    superseded_by: RecollectionId | None = None

    @property
    def is_active(self) -> bool:
        return self.superseded_by is None

    @property
    def is_episode(self) -> bool:
        return self.kind is RecollectionKind.EPISODE

    def corrected(
        self,
        *,
        text: str,
        importance: float | None,
        terms: Sequence[str],
        max_chars: int,
        now: datetime,
    ) -> Self:
        """Return it as a person wants it; its embedding is to be made anew.

        Raises:
            RecollectionInvalid: the text is empty or too long, or the importance is no share.
        """
        wanted = text.strip()
        if not wanted or len(wanted) > max_chars or "\0" in wanted:
            raise RecollectionInvalid(f"text: 1 to {max_chars} characters.", field="text")
        if importance is not None and not 0 <= importance <= 1:
            raise RecollectionInvalid("importance: a number from 0 to 1.", field="importance")
        is_same = wanted == self.text
        return replace(
            self,
            text=wanted,
            terms=tuple(terms),
            vector=self.vector if is_same else b"",
            embedding=self.embedding if is_same else "",
            importance=self.importance if importance is None else importance,
            origin=Origin.PERSON,
            updated_at=now,
        )

    def confirmed(self, *, importance: float, now: datetime) -> Self:
        """Return it as said once more."""
        most = max(self.importance, importance)
        return replace(self, importance=most, updated_at=now, last_used_at=now)

    def worth(self, now: datetime) -> float:
        """How much is lost by forgetting it: importance, halved by each month without use."""
        if not self.is_active:
            return 0.0
        importance = _EPISODE_IMPORTANCE if self.is_episode else self.importance
        if self.origin is Origin.PERSON:
            importance += 1.0
        return importance * (_USED_SHARE + _USED_SHARE * decay(now - self.last_used_at))


def decay(age: timedelta) -> float:
    """Return 1 for what is new, half of it after each 30 days."""
    days = max(age, timedelta()) / _HALF_LIFE
    return float(0.5**days)


def least_worth(
    items: Iterable[Recollection], *, keep: int, now: datetime
) -> tuple[Recollection, ...]:
    """Return what has to go so that ``keep`` of them remain."""
    ordered = sorted(items, key=lambda each: (each.worth(now), each.updated_at, each.id))
    return tuple(ordered[: max(0, len(ordered) - keep)])
