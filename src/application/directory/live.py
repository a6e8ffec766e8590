"""The live channel: what becomes of things while people work side by side, and who is there."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
from cachetools import LRUCache

from application.directory.presence import Opened, PresenceChanged, PresenceService, Present
from application.shared.reply_stream import TimedEvent
from application.shared.wakeup import Waiter
from domain.directory.value import NEEDED, OPENED, Change, ChangeType, EntryType, Notice
from domain.shared.access import Permission, Principal
from domain.shared.error import RateLimited
from domain.shared.ids import SpaceId, UserId
from infra.contract.clock import Clock
from infra.contract.messaging.signal import Signals

CHANGED_TOPIC: Final = "directory.changed"
"""Signal: something that people open was changed; the key is a message as JSON."""
NOTICED_TOPIC: Final = "directory.noticed"
"""Signal: whoever manages a workspace is to know something; the key is a notice as JSON."""
FOLLOWED_TOPIC: Final = "directory.followed"
"""Signal: somebody follows workspaces; the key has their ids as JSON."""
FOLLOWED: Final = timedelta(seconds=45)
"""For so long others tell what is passing there."""
GATHER_S: Final = 1.0
"""What is passing is told once in this time of each base, and of the runs of a workspace."""
MOST_CHANNELS: Final = 2
"""Live channels of one session or token: one browser needs one, and may just be changing tabs."""
MOST_UNTOLD: Final = 1000
"""Things whose changes wait for one channel; with more it is told to read anew."""
KEPT: Final = timedelta(minutes=15)
"""How long a process knows changes for whoever comes back."""
MOST_KEPT: Final = 10_000
"""And how many of them: about 2 MB."""
_SAME_MODELS: Final = 64
"""Changes of models that are known: each is heard of by signals and by who looks for events."""
_OVERLAP: Final = timedelta(seconds=2)
"""Told again of before a break: clocks of processes differ, and signals are under way."""
_LOOK_S: Final = 5.0
"""How often a channel looks for those who left without a word."""


class LiveBegan(msgspec.Struct, frozen=True, kw_only=True, tag="live.began"):
    """The channel is open; what is known at once follows."""


class LiveReset(msgspec.Struct, frozen=True, kw_only=True, tag="reset"):
    """What was changed before this is not told: read anew what is shown."""


class ResourceChanged(msgspec.Struct, frozen=True, kw_only=True, tag="changed"):
    """Something that the caller may see was changed, by whomever.

    ``revision`` is the one that it has now. Several changes are told as one, by the weightiest.
    Progress of a base or table import, and states of runs, have none; one run stands for all of a
    workspace.
    """

    workspace_id: SpaceId
    resource_type: EntryType
    resource_id: int
    revision: int
    what: ChangeType


class ModelsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="models"):
    """The models of the deployment are not what they were: read anew what is shown of them.

    Which of them is not said: not everybody may see each.
    """


class SessionChanged(msgspec.Struct, frozen=True, kw_only=True, tag="session"):
    """The rights of the caller are not what they were; the stream ends, open it again."""


LiveEvent = (
    LiveBegan
    | LiveReset
    | PresenceChanged
    | ResourceChanged
    | ModelsChanged
    | Notice
    | SessionChanged
)


class _ChangeMessage(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A change on its way."""

    type: EntryType
    id: int
    space_id: SpaceId
    revision: int
    what: ChangeType

    @property
    def told_once(self) -> tuple[EntryType, int, bool]:
        """What is told as one with others that have the same."""
        one = self.space_id if self.type is EntryType.RUN else self.id
        return self.type, one, self.what.is_passing

    @property
    def event(self) -> ResourceChanged:
        return ResourceChanged(
            workspace_id=self.space_id,
            resource_type=self.type,
            resource_id=self.id,
            revision=self.revision,
            what=self.what,
        )

    def after(self, older: "_ChangeMessage") -> "_ChangeMessage":
        """Return both as one: that something is new, or was published, outweighs its changes."""
        if self.revision < older.revision:
            return older.after(self)
        if self.what is ChangeType.CHANGED and older.what is not ChangeType.DELETED:
            return msgspec.structs.replace(self, what=older.what)
        return self


_Heard = _ChangeMessage | ModelsChanged | Notice
"""What channels tell, if whoever follows may hear it."""
_decoder: Final = msgspec.json.Decoder(_ChangeMessage)
_notice_decoder: Final = msgspec.json.Decoder(Notice)
_spaces_decoder: Final = msgspec.json.Decoder(list[int])


class _Memory:
    """Changes of the last while, for those whose channel broke, or opens after their page."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._complete_since = clock.now()
        self._changes: deque[tuple[datetime, _Heard]] = deque()

    def add(self, heard: _Heard) -> None:
        if isinstance(heard, _ChangeMessage) and heard.what.is_passing:
            return
        now = self._clock.now()
        self._changes.append((now, heard))
        while len(self._changes) > MOST_KEPT or self._changes[0][0] < now - KEPT:
            self._complete_since, _ = self._changes.popleft()

    def since(self, at: datetime) -> list[_Heard] | None:
        """Return the changes since then; None where not all of them are known."""
        at -= _OVERLAP
        if at <= self._complete_since:
            return None
        return [heard for heard_at, heard in self._changes if heard_at >= at]


@dataclass(slots=True, eq=False)
class _Follower:
    """An open channel, and what it has yet to tell: at most one change of each thing."""

    principal: Principal
    waiter: Waiter = field(default_factory=Waiter)
    untold: dict[Hashable, _Heard] = field(default_factory=dict)
    is_behind: bool = False
    has_other_rights: bool = False

    def hear(self, heard: _Heard) -> None:
        """Take note of something, if the caller may know of it."""
        if not _may_hear(self.principal, heard):
            return
        once = heard.told_once if isinstance(heard, _ChangeMessage) else heard
        known = self.untold.get(once)
        if known is None and len(self.untold) >= MOST_UNTOLD:
            self.untold.clear()
            self.is_behind = True
        if isinstance(heard, _ChangeMessage) and isinstance(known, _ChangeMessage):
            heard = heard.after(known)
        self.untold[once] = heard
        self.waiter.wake()

    def take(self) -> list[LiveEvent]:
        """Return what is to be told now."""
        events: list[LiveEvent] = [LiveReset()] if self.is_behind else []
        events += [
            each.event if isinstance(each, _ChangeMessage) else each
            for each in self.untold.values()
        ]
        if self.has_other_rights:
            events.append(SessionChanged())
        self.untold.clear()
        self.is_behind = False
        return events


class LiveService:
    """Tells people what becomes of things in their workspaces, and who has open what they have.

    Commits of any process are heard by signals. A process keeps what it heard for a while, so that
    who comes back, here or from another process, is told what was missed.
    """

    def __init__(
        self,
        *,
        presences: PresenceService,
        signals: Signals,
        clock: Clock,
    ) -> None:
        self._presences = presences
        self._signals = signals
        self._clock = clock
        self._has_ended = False
        self._memory = _Memory(clock)
        self._followers: dict[UserId, set[_Follower]] = {}
        self._channels: dict[int, int] = {}
        self._followed: dict[int, datetime] = {}
        self._held: dict[tuple[EntryType, int, bool], _ChangeMessage] = {}
        self._models_told: LRUCache[str, None] = LRUCache(_SAME_MODELS)
        presences.listen(self._wake)
        signals.listen(CHANGED_TOPIC, self._hear_change)
        signals.listen(NOTICED_TOPIC, self._hear_notice)
        signals.listen(FOLLOWED_TOPIC, self._hear_followed)

    async def follow(
        self,
        principal: Principal,
        *,
        for_s: float,
        after_ms: int | None = None,
        past_ms: int | None = None,
    ) -> AsyncGenerator[list[TimedEvent[LiveEvent]], None]:
        """Tell what changes where the caller may see it, and who has open what the caller has open.

        ``after_ms`` is the instant of the last event that was read, ``past_ms`` how long ago the
        caller, who read none, began to read what is shown: what was changed since comes first, or
        ``LiveReset`` where that is not known. Iterate inside ``aclosing``; it ends after ``for_s``
        seconds, or when the rights of the caller change.

        Raises:
            RateLimited: the session, or the token, has two channels already.
        """
        with self._channel(int(principal.token_id)), self._follower(principal) as follower:
            self._resume(follower, self._since(after_ms, past_ms))
            self._say_followed(principal)
            first: list[LiveEvent] = [LiveBegan(), *follower.take()]
            yield [TimedEvent.now(each, self._clock) for each in first]
            ends_at = self._clock.now() + timedelta(seconds=for_s)
            shown: dict[Opened, tuple[Present, ...]] = {}
            while True:
                self._say_followed(principal)
                events = [*self._others(principal, shown), *follower.take()]
                if events:
                    yield [TimedEvent.now(each, self._clock) for each in events]
                left_s = (ends_at - self._clock.now()).total_seconds()
                if left_s <= 0 or follower.has_other_rights or self._has_ended:
                    return
                await follower.waiter.pause(min(left_s, _LOOK_S))

    def end(self) -> None:
        """End all channels at once; whoever follows comes back, to another process."""
        self._has_ended = True
        for user_id in self._followers:
            self._wake(user_id)

    def tell_change(self, change: Change) -> None:
        """Tell in all processes, without waiting, who may see what was just changed.

        What is passing is told only while somebody follows its workspace, and a moment later, as
        one with more of the kind.
        """
        if change.what.is_passing and not self._is_followed(change.space_id):
            return
        told = _ChangeMessage(
            type=change.type,
            id=change.id,
            space_id=change.space_id,
            revision=change.revision,
            what=change.what,
        )
        if not change.what.is_passing:
            self._send(told)
            return
        if told.told_once not in self._held:
            asyncio.get_running_loop().call_later(GATHER_S, self._let_go, told.told_once)
        self._held[told.told_once] = told

    def tell_notice(self, notice: Notice) -> None:
        """Tell in all processes, without waiting, who manages the workspace."""
        self._signals.send(NOTICED_TOPIC, msgspec.json.encode(notice).decode())

    def tell_models(self, event_id: str) -> None:
        """Tell here that models changed, once of each event; call it in every process."""
        if event_id not in self._models_told:
            self._models_told[event_id] = None
            self._hear(ModelsChanged())

    def tell_rights(self, user_id: UserId | None, space_id: SpaceId | None) -> None:
        """Tell here that rights changed: of a person, or of all who reach a workspace."""
        for user in list(self._followers) if user_id is None else [user_id]:
            for follower in self._followers.get(user, ()):
                if space_id is None or _reaches(follower.principal, space_id):
                    follower.has_other_rights = True
                    follower.waiter.wake()

    def _since(self, after_ms: int | None, past_ms: int | None) -> datetime | None:
        if after_ms is not None:
            return datetime.fromtimestamp(after_ms / 1000, UTC)
        return None if past_ms is None else self._clock.now() - timedelta(milliseconds=past_ms)

    def _resume(self, follower: _Follower, since: datetime | None) -> None:
        if since is None:
            return
        missed = self._memory.since(since)
        if missed is None:
            follower.is_behind = True
        for change in missed or ():
            follower.hear(change)

    def _others(
        self, principal: Principal, shown: dict[Opened, tuple[Present, ...]]
    ) -> Iterator[LiveEvent]:
        for each in self._presences.changes(principal.user_id, shown):
            type_ = EntryType(each.resource_type)
            # Another token of the same person may reach more than this one.
            if _may_see(principal, type_, each.resource_id, each.workspace_id):
                yield each

    def _let_go(self, held: tuple[EntryType, int, bool]) -> None:
        self._send(self._held.pop(held))

    def _send(self, told: _ChangeMessage) -> None:
        self._signals.send(CHANGED_TOPIC, msgspec.json.encode(told).decode())

    def _is_followed(self, space_id: int) -> bool:
        until = self._followed.get(space_id)
        return until is not None and until > self._clock.now()

    def _say_followed(self, principal: Principal) -> None:
        """Have all processes tell what is passing, where they would soon cease to."""
        soon = self._clock.now() + FOLLOWED / 2
        reached = {*principal.roles, *(share.space_id for share in principal.shares.values())}
        due = [each for each in reached if self._followed.get(each, soon) <= soon]
        if due:
            self._take_followed(due)
            self._signals.send(FOLLOWED_TOPIC, msgspec.json.encode(due).decode())

    def _hear_followed(self, key: str) -> None:
        try:
            self._take_followed(_spaces_decoder.decode(key))
        except msgspec.DecodeError:
            return  # of another release

    def _take_followed(self, space_ids: Sequence[int]) -> None:
        now = self._clock.now()
        self._followed = {each: until for each, until in self._followed.items() if until > now}
        self._followed.update(dict.fromkeys(space_ids, now + FOLLOWED))

    def _hear_change(self, key: str) -> None:
        try:
            self._hear(_decoder.decode(key))
        except msgspec.DecodeError:
            return  # of another release

    def _hear_notice(self, key: str) -> None:
        try:
            self._hear(_notice_decoder.decode(key))
        except msgspec.DecodeError:
            return  # of another release

    def _hear(self, heard: _Heard) -> None:
        self._memory.add(heard)
        for followers in self._followers.values():
            for follower in followers:
                follower.hear(heard)

    def _wake(self, user_id: UserId) -> None:
        for follower in self._followers.get(user_id, ()):
            follower.waiter.wake()

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
    def _follower(self, principal: Principal) -> Iterator[_Follower]:
        follower = _Follower(principal)
        followers = self._followers.setdefault(principal.user_id, set())
        followers.add(follower)
        try:
            yield follower
        finally:
            followers.discard(follower)
            if not followers:
                del self._followers[principal.user_id]


def _may_hear(principal: Principal, heard: _Heard) -> bool:
    """Tell whether the caller may know of something; tokens for some agents, of these alone."""
    if isinstance(heard, _ChangeMessage):
        return _may_see(principal, heard.type, heard.id, heard.space_id)
    if principal.agent_ids is not None:
        return False
    if isinstance(heard, Notice):
        return principal.may(Permission.SPACE_WRITE, heard.workspace_id)
    return True


def _may_see(principal: Principal, type_: EntryType, id_: int, space_id: SpaceId) -> bool:
    """Tell whether the caller may see something, by a role or by what was granted on it."""
    if not _reaches(principal, space_id):
        return False
    needed = NEEDED[type_]
    agents = principal.agent_ids
    if agents is not None and (type_ is not EntryType.AGENT or id_ not in agents):
        return False
    kind = OPENED.get(type_)
    if kind is not None:
        principal = principal.toward(kind, id_, permissions=frozenset({needed}))
    return principal.may(needed, space_id)


def _reaches(principal: Principal, space_id: SpaceId) -> bool:
    return space_id in principal.roles or any(
        share.space_id == space_id for share in principal.shares.values()
    )
