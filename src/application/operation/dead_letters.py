"""What the operator does with deliveries that were given up."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from application.shared.page import Whole
from domain.shared.access import Principal
from domain.shared.act import current_act
from domain.shared.error import InvalidRequest, NotFound
from infra.contract.clock import Clock
from infra.contract.messaging.event_repository import DeadLetter, DeadLetters, LetterQuery

MAX_LISTED: Final = 1000
_AT_ONCE: Final = 200


class NoDeadLetter(NotFound):
    """No dead letter is like this; it may have been delivered again already."""


MAX_REASON_CHARS: Final = 500

Letters = LetterQuery
Mask = Callable[[str, object], object]
"""Returns what may be shown of a value under a key."""


class DeadLetterView(msgspec.Struct, frozen=True, kw_only=True):
    """An event that one consumer could not handle."""

    event_id: str
    consumer: str
    topic: str
    key: str
    attempts: int
    error: str
    died_at: datetime
    payload: Any = None
    """What the event says, without secrets; null in lists."""


class DeadLetterPage(Whole[DeadLetterView]):
    """Letters, the oldest first, and how many match."""


class DeadLetterAdminService:
    """Shows and settles dead letters for administrators of the deployment."""

    def __init__(self, *, letters: "DeadLetterService", mask: Mask) -> None:
        self._letters = letters
        self._mask = mask

    async def page(self, principal: Principal, query: LetterQuery, *, limit: int) -> DeadLetterPage:
        """Return the oldest that match."""
        principal.require_deployment_admin()
        found, total = await self._letters.page(query, limit=limit)
        return DeadLetterPage(items=[self._view(letter) for letter in found], total=total)

    async def get(self, principal: Principal, event_id: str) -> DeadLetterPage:
        """Return the letters of one event with what it says; raise ``NoDeadLetter``."""
        principal.require_deployment_admin()
        found = await self._letters.get(event_id)
        items = [self._view(letter, is_whole=True) for letter in found]
        return DeadLetterPage(items=items, total=len(items))

    async def retry(self, principal: Principal, query: LetterQuery) -> int:
        """Have all matching letters delivered once more; raise ``NoDeadLetter`` for none."""
        principal.require_deployment_admin()
        return await self._letters.retry(query)

    async def drop(self, principal: Principal, query: LetterQuery, *, reason: str) -> int:
        """Forget all matching letters; the audit log keeps the reason.

        Raises:
            InvalidRequest: no reason is given.
            NoDeadLetter: nothing matches.
        """
        principal.require_deployment_admin()
        reason = reason.strip()
        if not 1 <= len(reason) <= MAX_REASON_CHARS:
            raise InvalidRequest("reason: say why in up to 500 characters.", field="reason")
        act = current_act()
        if act is not None:
            act.reason = reason
        return await self._letters.drop(query)

    def _view(self, letter: DeadLetter, *, is_whole: bool = False) -> DeadLetterView:
        return DeadLetterView(
            event_id=letter.event_id,
            consumer=letter.consumer,
            topic=letter.topic,
            key=letter.key,
            attempts=letter.attempts,
            error=str(self._mask("error", letter.error)),
            died_at=letter.died_at,
            payload=self._readable(letter.payload) if is_whole else None,
        )

    def _readable(self, payload: bytes) -> Any:
        try:
            return self._masked("", msgspec.json.decode(payload))
        except msgspec.DecodeError:
            return self._mask("", payload.decode("utf-8", "replace"))

    def _masked(self, key: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: self._masked(str(name), each) for name, each in value.items()}
        if isinstance(value, list):
            return [self._masked(key, each) for each in value]
        return self._mask(key, value)


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
