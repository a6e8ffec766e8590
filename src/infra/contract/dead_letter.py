"""Port: deliveries given up after their last attempt, for the operator of the deployment."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """An event that one consumer could not handle."""

    consumer: str
    event_id: str
    topic: str
    key: str
    payload: bytes
    attempts: int
    error: str
    died_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterQuery:
    """Which letters are meant; empty fields match all."""

    event_id: str = ""
    consumer: str = ""
    topic: str = ""


class DeadLetters(Protocol):
    """Dead letters of all spaces: they belong to the deployment, not to a tenant."""

    async def find(self, query: LetterQuery, *, limit: int) -> list[DeadLetter]:
        """Return letters, the oldest first."""
        ...

    async def count(self, query: LetterQuery) -> int: ...

    async def deliver_again(self, letters: Sequence[DeadLetter], *, now: datetime) -> int:
        """Put letters back into the queue with all their attempts; return how many were there."""
        ...

    async def drop(self, letters: Sequence[DeadLetter]) -> int:
        """Forget letters for good; return how many were there."""
        ...
