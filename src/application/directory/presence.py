"""Who else has something open, and what became of it: told between processes by signals."""

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, TypeVar

import msgspec

from application.directory.service import DirectoryService
from application.shared.reply_stream import TimedEvent
from application.shared.wakeup import Waiter
from domain.directory.value import Change, EntryType
from domain.shared.access import Principal
from domain.shared.error import RateLimited
from domain.shared.ids import SpaceId, UserId
from infra.contract.clock import Clock
from infra.contract.messaging.signal import Signals

K = TypeVar("K")
V = TypeVar("V")

PRESENCE_TOPIC: Final = "presence.told"
"""Signal: somebody opened, still has open, or closed something; the key is a message as JSON."""
CHANGED_TOPIC: Final = "directory.changed"
"""Signal: something that people open was changed; the key is a message as JSON."""
EXPIRES: Final = timedelta(seconds=45)
"""Who does not say again within this time has gone, without a word or not."""
_MOST: Final = 10_000
"""Open windows that a process knows; beyond them the oldest are forgotten until they say again."""
_MOST_OF_ONE: Final = 50
"""And windows of one person, who would push out all others by names of windows that are none."""
_MOST_SHOWN: Final = 50
"""People who are named of one thing."""
MOST_CHANNELS: Final = 2
"""Live channels of one session or token: one browser needs one, and may just be changing tabs."""
_LOOK_S: Final = 5.0
"""How often a channel looks for those who left without a word."""


class Present(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who has something open; ``since`` in Unix seconds."""

    user_id: UserId
    since: int


class LiveBegan(msgspec.Struct, frozen=True, kw_only=True, tag="live.began"):
    """The channel is open; what is known at once follows."""


class PresenceChanged(msgspec.Struct, frozen=True, kw_only=True, tag="presence"):
    """Who else has open what the caller has open, whoever came first before the others."""

    workspace_id: SpaceId
    resource_type: str
    resource_id: int
    people: tuple[Present, ...]


class ResourceChanged(msgspec.Struct, frozen=True, kw_only=True, tag="changed"):
    """What the caller has open was changed, by whomever; ``revision`` is the one that it has now.

    Of several changes the last one is told.
    """

    workspace_id: SpaceId
    resource_type: str
    resource_id: int
    revision: int
    is_deleted: bool


LiveEvent = LiveBegan | PresenceChanged | ResourceChanged


class _PresenceMessage(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A window that something is open in, on its way; ``since_s`` in Unix seconds."""

    space_id: int
    type: str
    id: int
    user_id: int
    window: str
    since_s: float
    is_open: bool


class _ChangeMessage(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A change on its way."""

    type: str
    id: int
    space_id: int
    revision: int
    is_deleted: bool


class _Resource(NamedTuple):
    type: str
    id: int


class _Window(NamedTuple):
    thing: _Resource
    user_id: UserId
    window: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    space_id: SpaceId
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True, eq=False)
class _Follower:
    """An open channel, and what it has yet to tell of changes: at most one of each thing."""

    waiter: Waiter = field(default_factory=Waiter)
    changed: dict[_Resource, _ChangeMessage] = field(default_factory=dict)

    def take_changes(self) -> list[ResourceChanged]:
        changed = [
            ResourceChanged(
                workspace_id=SpaceId(each.space_id),
                resource_type=each.type,
                resource_id=each.id,
                revision=each.revision,
                is_deleted=each.is_deleted,
            )
            for each in self.changed.values()
        ]
        self.changed.clear()
        return changed


_decoder: Final = msgspec.json.Decoder(_PresenceMessage)
_change_decoder: Final = msgspec.json.Decoder(_ChangeMessage)


class PresenceService:
    """Takes note of what people have open, and tells those who have the same open.

    Each process keeps what it heard in memory, at most for ``EXPIRES``: nothing of it is worth
    storing. Whether somebody may see a thing is asked whenever they say that it is open, and they
    hear of its changes for so long.
    """

    def __init__(
        self,
        *,
        directory: DirectoryService,
        signals: Signals,
        clock: Clock,
        is_draining: Callable[[], bool],
    ) -> None:
        self._directory = directory
        self._signals = signals
        self._clock = clock
        self._is_draining = is_draining
        self._windows: dict[_Window, _Seen] = {}
        self._by_thing: dict[_Resource, set[_Window]] = {}
        self._by_user: dict[UserId, set[_Window]] = {}
        self._followers: dict[UserId, set[_Follower]] = {}
        self._channels: dict[int, int] = {}
        signals.listen(PRESENCE_TOPIC, self._hear)
        signals.listen(CHANGED_TOPIC, self._hear_change)

    async def report(
        self, principal: Principal, type_: EntryType, id_: int, *, window: str, is_open: bool
    ) -> Sequence[Present]:
        """Say that something is open, or no longer, in a window; return who else has it open.

        Raises:
            EntryNotFound: nothing has this id, or the caller may not see it.
        """
        place = _Window(_Resource(type_.value, id_), principal.user_id, window)
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
            since = now if known is None or known.until <= now else known.since
        else:
            entry = await self._directory.entry(principal, type_, id_)
            since = known.since
        self._tell(
            place,
            _Seen(space_id=entry.space_id, since=since, until=now + EXPIRES),
            is_open=True,
        )
        return self._others(place.thing, principal.user_id)

    async def follow(
        self, principal: Principal, *, for_s: float
    ) -> AsyncGenerator[list[TimedEvent[LiveEvent]], None]:
        """Tell who else has open what the caller has open, and whenever either changes.

        Iterate inside ``aclosing``; it ends after ``for_s`` seconds.

        Raises:
            RateLimited: the session, or the token, has two channels already.
        """
        with self._channel(int(principal.token_id)), self._follower(principal.user_id) as follower:
            yield [TimedEvent.now(LiveBegan(), self._clock)]
            ends_at = self._clock.now() + timedelta(seconds=for_s)
            shown: dict[_Resource, tuple[Present, ...]] = {}
            while True:
                found: list[PresenceChanged | ResourceChanged] = [
                    *follower.take_changes(),
                    *self._changes(principal.user_id, shown),
                ]
                changes = [each for each in found if _may_hear(principal, each)]
                if changes:
                    yield [TimedEvent.now(each, self._clock) for each in changes]
                left_s = (ends_at - self._clock.now()).total_seconds()
                if left_s <= 0 or self._is_draining():
                    return
                await follower.waiter.pause(min(left_s, _LOOK_S))

    def tell_change(self, change: Change) -> None:
        """Tell in all processes, without waiting, who has open what was just changed."""
        told = _ChangeMessage(
            type=change.type.value,
            id=change.id,
            space_id=change.space_id,
            revision=change.revision,
            is_deleted=change.is_deleted,
        )
        self._signals.send(CHANGED_TOPIC, msgspec.json.encode(told).decode())

    def _changes(
        self, user_id: UserId, shown: dict[_Resource, tuple[Present, ...]]
    ) -> Iterator[PresenceChanged]:
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

    def _others(self, thing: _Resource, user_id: UserId) -> tuple[Present, ...]:
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

    def _hear_change(self, key: str) -> None:
        try:
            told = _change_decoder.decode(key)
        except msgspec.DecodeError:
            return  # of another release
        thing, now = _Resource(told.type, told.id), self._clock.now()
        for place in self._by_thing.get(thing, ()):
            if self._windows[place].until <= now:
                continue
            for follower in self._followers.get(place.user_id, ()):
                known = follower.changed.get(thing)
                if known is None or known.revision < told.revision:
                    follower.changed[thing] = told
                    follower.waiter.wake()

    def _take(self, told: _PresenceMessage) -> None:
        place = _Window(_Resource(told.type, told.id), UserId(told.user_id), told.window)
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
            for follower in self._followers.get(user_id, ()):
                follower.waiter.wake()

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

    @contextmanager
    def _channel(self, token_id: int) -> Iterator[None]:
        open_now = self._channels.get(token_id, 0)
        if open_now >= MOST_CHANNELS:
            raise RateLimited(
                f"At most {MOST_CHANNELS} live channels of one session; share one between windows.",
                limit="live_channels",
            )
        self._channels[token_id] = open_now + 1
        try:
            yield
        finally:
            self._channels[token_id] -= 1
            if not self._channels[token_id]:
                del self._channels[token_id]

    @contextmanager
    def _follower(self, user_id: UserId) -> Iterator[_Follower]:
        follower = _Follower()
        self._followers.setdefault(user_id, set()).add(follower)
        try:
            yield follower
        finally:
            _discard(self._followers, user_id, follower)


def _may_hear(principal: Principal, event: PresenceChanged | ResourceChanged) -> bool:
    """Tell whether the token reaches what another one of its person says is open."""
    if event.workspace_id not in principal.scope.space_ids:
        return False
    agents = principal.agent_ids
    if agents is None:
        return True
    return event.resource_type == EntryType.AGENT and event.resource_id in agents


def _discard(sets: dict[K, set[V]], key: K, member: V) -> None:
    """Take a member out of a set, and the set with its last one."""
    members = sets[key]
    members.discard(member)
    if not members:
        del sets[key]
