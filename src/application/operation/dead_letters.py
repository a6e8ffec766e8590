"""What the operator does with deliveries that were given up."""

from collections.abc import Sequence
from typing import Final

from domain.shared.error import NotFound
from infra.contract.clock import Clock
from infra.contract.messaging.event_repository import DeadLetter, DeadLetters, LetterQuery

MAX_LISTED: Final = 1000
_AT_ONCE: Final = 200


class NoDeadLetter(NotFound):
    """No dead letter is like this; it may have been delivered again already."""


class DeadLetterService:
    """Lists dead letters, delivers them again, or forgets them."""

    def __init__(self, *, letters: DeadLetters, clock: Clock) -> None:
        self._letters = letters
        self._clock = clock

    async def page(self, query: LetterQuery, *, limit: int) -> tuple[list[DeadLetter], int]:
        """Return the oldest letters, and how many there are."""
        found = await self._letters.find(query, limit=min(limit, MAX_LISTED))
        return found, await self._letters.count(query)

    async def get(self, event_id: str) -> Sequence[DeadLetter]:
        """Return the letters of one event, one per consumer; raise ``NoDeadLetter``."""
        return await self._required(LetterQuery(event_id=event_id))

    async def retry(self, query: LetterQuery) -> int:
        """Have all matching letters delivered once more; raise ``NoDeadLetter`` for none."""
        count, letters = 0, await self._required(query)
        while letters:
            done = await self._letters.deliver_again(letters, now=self._clock.now())
            count += done
            letters = await self._letters.find(query, limit=_AT_ONCE) if done else []
        return count

    async def drop(self, query: LetterQuery) -> int:
        """Forget all matching letters; raise ``NoDeadLetter`` for none."""
        count, letters = 0, await self._required(query)
        while letters:
            done = await self._letters.drop(letters)
            count += done
            letters = await self._letters.find(query, limit=_AT_ONCE) if done else []
        return count

    async def _required(self, query: LetterQuery) -> Sequence[DeadLetter]:
        found = await self._letters.find(query, limit=_AT_ONCE)
        if not found:
            raise NoDeadLetter("There is no such dead letter. `coterie dlq list` shows them.")
        return found
