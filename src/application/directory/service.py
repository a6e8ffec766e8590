"""Use cases across a workspace: where to go on, what waits, and finding anything."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Final

import msgspec

from domain.directory.error import EntryNotFound
from domain.directory.repository import DirectoryStore
from domain.directory.value import NEEDED, OPENED, Counts, Entry, EntryType, Waiting
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.ids import MAX_ID, SpaceId
from infra.contract.clock import Clock

RECENT: Final = 8
_WAITING: Final = 20
_FAILED: Final = timedelta(days=1)
_ENDING: Final = timedelta(days=14)
MOST_FOUND: Final = 50
_LOG_ID: Final = re.compile(r"\d{14}[0-9A-F]{20}", re.ASCII)
_NUMBER: Final = re.compile(r"\d{1,19}", re.ASCII)
_LAST4: Final = re.compile(r"[A-Za-z0-9_-]{4}", re.ASCII)
_NAMED: Final = (*OPENED, EntryType.DOCUMENT, EntryType.MEMBER)
"""What has a name that is searched."""


class HomeView(msgspec.Struct, frozen=True, kw_only=True):
    """Where somebody goes on in a workspace, what waits for them there, and how much there is."""

    recent: tuple[Entry, ...]
    waiting: tuple[Waiting, ...]
    counts: Counts


class DirectoryService:
    """Looks across contexts; shows of each only what the caller may see there."""

    def __init__(self, *, store: DirectoryStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def home(self, principal: Principal, space_id: int) -> HomeView:
        """Return the start of a workspace."""
        space = SpaceId(space_id)
        principal.require(Permission.SPACE_READ, space)
        scopes = _scopes(principal, space, OPENED)
        scope, now = principal.scope.within(space), self._clock.now()
        async with self._store.snapshot() as uow:
            found = uow.directory
            opened = await found.opened(scopes, principal.user_id, space, limit=RECENT)
            recent = [*opened]
            if len(recent) < RECENT:
                known = {(each.type, each.id) for each in recent}
                made = await found.made(scopes, principal.user_id, limit=RECENT)
                recent += [each for each in made if (each.type, each.id) not in known]
            waiting = [*await found.runs_waiting(scope, limit=_WAITING)]
            if EntryType.DATASET in scopes:
                waiting += await found.documents_failed(scope, since=now - _FAILED, limit=_WAITING)
            waiting += await found.tokens_ending(principal.scope, after=now, before=now + _ENDING)
            counts = await found.counts(scope, scopes.keys())
        return HomeView(recent=tuple(recent[:RECENT]), waiting=tuple(waiting), counts=counts)

    async def find(
        self,
        principal: Principal,
        space_id: int,
        text: str,
        *,
        types: Collection[EntryType] = (),
        limit: int = MOST_FOUND,
    ) -> Sequence[Entry]:
        """Return what a text leads to: what has that id first, then what has it in its name."""
        space = SpaceId(space_id)
        principal.require(Permission.SPACE_READ, space)
        text = text.strip()
        if not text:
            return ()
        scopes = _scopes(principal, space, set(types) or EntryType)
        named = {type_: scope for type_, scope in scopes.items() if type_ in _NAMED}
        found: list[Entry] = []
        async with self._store.snapshot() as uow:
            if _NUMBER.fullmatch(text) and 0 < int(text) <= MAX_ID:
                found += await uow.directory.by_id(scopes, int(text))
            if _LOG_ID.fullmatch(text.upper()) and EntryType.RUN in scopes:
                found += await uow.directory.by_log_id(scopes[EntryType.RUN], text.upper())
            if _LAST4.fullmatch(text) and EntryType.TOKEN in scopes:
                found += await uow.directory.tokens(principal.scope, text)
            known = {(each.type, each.id) for each in found}
            by_name = await uow.directory.find(named, text, limit=limit)
        found += [each for each in by_name if (each.type, each.id) not in known]
        return found[:limit]

    async def open(self, principal: Principal, type_: EntryType, id_: int) -> Entry:
        """Remember that somebody opened something; raise ``EntryNotFound``."""
        entry = await self.entry(principal, type_, id_)
        async with self._store.transaction() as uow:
            await uow.directory.open(
                principal.scope, entry.space_id, type_, id_, now=self._clock.now()
            )
            await uow.commit()
        return entry

    async def entry(self, principal: Principal, type_: EntryType, id_: int) -> Entry:
        """Return what people open, wherever it is; raise ``EntryNotFound``."""
        shown = principal.toward(OPENED[type_], id_, permissions=frozenset({NEEDED[type_]}))
        scope = shown.scope
        async with self._store.snapshot() as uow:
            found = await uow.directory.by_id({type_: scope}, id_)
        entry = next((each for each in found if shown.may(NEEDED[type_], each.space_id)), None)
        if entry is None:
            raise EntryNotFound(f"No {type_.value} {id_}.")
        return entry


def _scopes(
    principal: Principal, space_id: SpaceId, types: Collection[EntryType] | type[EntryType]
) -> Mapping[EntryType, TenantScope]:
    """Return the types that the caller may see in a workspace, in their order."""
    scope = principal.scope.within(space_id)
    return {
        type_: scope
        for type_ in EntryType
        if type_ in types and principal.may(NEEDED[type_], space_id)
    }
