"""Who else has something open: told between processes by signals."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, TypeVar

import msgspec

from application.directory.service import DirectoryService
from domain.directory.value import EntryType
from domain.shared.access import Principal
from domain.shared.ids import SpaceId, UserId
from infra.contract.clock import Clock
from infra.contract.messaging.signal import Signals

K = TypeVar("K")
V = TypeVar("V")

PRESENCE_TOPIC: Final = "presence.told"
"""Signal: somebody opened, still has open, or closed something; the key is a message as JSON."""
EXPIRES: Final = timedelta(seconds=45)
"""Who does not say again within this time has gone, without a word or not."""
_MOST: Final = 10_000
"""Open windows that a process knows; beyond them the oldest are forgotten until they say again."""
_MOST_OF_ONE: Final = 50
"""And windows of one person, who would push out all others by names of windows that are none."""
_MOST_SHOWN: Final = 50
"""People who are named of one thing."""


class Present(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who has something open; ``since`` in Unix seconds."""

    user_id: UserId
    since: int


class PresenceChanged(msgspec.Struct, frozen=True, kw_only=True, tag="presence"):
    """Who else has open what the caller has open, whoever came first before the others."""

    workspace_id: SpaceId
    resource_type: str
    resource_id: int
    people: tuple[Present, ...]


class _PresenceMessage(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A window that something is open in, on its way; ``since_s`` in Unix seconds."""

    space_id: int
    type: str
    id: int
    user_id: int
    window: str
    since_s: float
    is_open: bool


class Opened(NamedTuple):
    """What is open somewhere."""

    type: str
    id: int


class _Window(NamedTuple):
    thing: Opened
    user_id: UserId
    window: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    space_id: SpaceId
    since: datetime
    until: datetime


_decoder: Final = msgspec.json.Decoder(_PresenceMessage)


class PresenceService:
    """Takes note of what people have open, and of who else has the same open.

    Each process keeps what it heard in memory, at most for ``EXPIRES``: nothing of it is worth
    storing. Whether somebody may see a thing is asked whenever they say that it is open.
    """

    def __init__(
        self,
        *,
        directory: DirectoryService,
        signals: Signals,
        clock: Clock,
    ) -> None:
        self._directory = directory
        self._signals = signals
        self._clock = clock
        self._windows: dict[_Window, _Seen] = {}
        self._by_thing: dict[Opened, set[_Window]] = {}
        self._by_user: dict[UserId, set[_Window]] = {}
        self._heard: list[Callable[[UserId], None]] = []
        signals.listen(PRESENCE_TOPIC, self._hear)

    def listen(self, heard: Callable[[UserId], None]) -> None:
        """Have ``heard`` called with each person for whom it may have changed who else is there."""
        self._heard.append(heard)

    async def report(
        self, principal: Principal, type_: EntryType, id_: int, *, window: str, is_open: bool
    ) -> Sequence[Present]:
        """Say that something is open, or no longer, in a window; return who else has it open.

        Raises:
            EntryNotFound: nothing has this id, or the caller may not see it.
        """
        place = _Window(Opened(type_.value, id_), principal.user_id, window)
        known = self._windows.get(place)
        if not is_open:
            if known is not None:
                self._tell(place, known, is_open=False)
            return ()
        now = self._clock.now()
        if known is None or known.until <= now or not window:
            # What is opened anew stands first where people go on; that it still is changes nothing,
            # and only who names the window can say that.
            entry = await self._directory.open(principal, type_, id_)
            since = self._here_since(place, now)
        else:
            entry = await self._directory.entry(principal, type_, id_)
            since = known.since
        self._tell(
            place,
            _Seen(space_id=entry.space_id, since=since, until=now + EXPIRES),
            is_open=True,
        )
        return self._others(place.thing, principal.user_id)

    def changes(
        self, user_id: UserId, shown: dict[Opened, tuple[Present, ...]]
    ) -> Iterator[PresenceChanged]:
        """Return who else has open what a person has open, where ``shown`` says otherwise.

        ``shown`` is then what was returned.
        """
        now = self._clock.now()
        own = {
            place.thing: seen.space_id
            for place in self._by_user.get(user_id, ())
            if (seen := self._windows[place]).until > now
        }
        for gone in shown.keys() - own.keys():
            del shown[gone]
        for thing, space_id in own.items():
            people = self._others(thing, user_id)
            if shown.get(thing, ()) == people:
                continue
            shown[thing] = people
            yield PresenceChanged(
                workspace_id=space_id,
                resource_type=thing.type,
                resource_id=thing.id,
                people=people,
            )

    def _here_since(self, place: _Window, now: datetime) -> datetime:
        """Since when somebody has a thing open in any window: a second one is not a new arrival."""
        own = self._by_thing.get(place.thing, set()) & self._by_user.get(place.user_id, set())
        kept = (seen.since for each in own if (seen := self._windows[each]).until > now)
        return min(kept, default=now)

    def _others(self, thing: Opened, user_id: UserId) -> tuple[Present, ...]:
        now = self._clock.now()
        since: dict[UserId, datetime] = {}
        for place in self._by_thing.get(thing, ()):
            seen = self._windows[place]
            if place.user_id != user_id and seen.until > now:
                since[place.user_id] = min(seen.since, since.get(place.user_id, seen.since))
        first = sorted(since.items(), key=lambda each: (each[1], each[0]))
        return tuple(
            Present(user_id=each, since=int(at.timestamp())) for each, at in first[:_MOST_SHOWN]
        )

    def _tell(self, place: _Window, seen: _Seen, *, is_open: bool) -> None:
        """Take note at once, so that the next answer knows it, and tell the other processes."""
        told = _PresenceMessage(
            space_id=seen.space_id,
            type=place.thing.type,
            id=place.thing.id,
            user_id=place.user_id,
            window=place.window,
            since_s=seen.since.timestamp(),
            is_open=is_open,
        )
        self._take(told)
        self._signals.send(PRESENCE_TOPIC, msgspec.json.encode(told).decode())

    def _hear(self, key: str) -> None:
        try:
            told = _decoder.decode(key)
        except msgspec.DecodeError:
            return  # of another release
        self._take(told)

    def _take(self, told: _PresenceMessage) -> None:
        place = _Window(Opened(told.type, told.id), UserId(told.user_id), told.window)
        self._forget(place)
        if told.is_open:
            now = self._clock.now()
            self._make_room(now, place.user_id)
            # At the end of the order: what said so least recently goes first.
            self._windows[place] = _Seen(
                space_id=SpaceId(told.space_id),
                since=datetime.fromtimestamp(told.since_s, UTC),
                until=now + EXPIRES,
            )
            self._by_thing.setdefault(place.thing, set()).add(place)
            self._by_user.setdefault(place.user_id, set()).add(place)
        concerned = {each.user_id for each in self._by_thing.get(place.thing, ())}
        for user_id in {*concerned, place.user_id}:
            for heard in self._heard:
                heard(user_id)

    def _make_room(self, now: datetime, user_id: UserId) -> None:
        own = self._by_user.get(user_id, set())
        if len(own) >= _MOST_OF_ONE:
            self._forget(min(own, key=lambda place: self._windows[place].until))
        while self._windows:
            oldest = next(iter(self._windows))
            if self._windows[oldest].until > now and len(self._windows) < _MOST:
                return
            self._forget(oldest)

    def _forget(self, place: _Window) -> None:
        if self._windows.pop(place, None) is None:
            return
        _discard(self._by_thing, place.thing, place)
        _discard(self._by_user, place.user_id, place)


def _discard(sets: dict[K, set[V]], key: K, member: V) -> None:
    """Take a member out of a set, and the set with its last one."""
    members = sets[key]
    members.discard(member)
    if not members:
        del sets[key]
