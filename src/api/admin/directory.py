"""The start of a workspace, finding anything in it, and what people open."""

from typing import Final

import msgspec
from litestar import Controller, Response, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from api.renderer.timed import TimedRenderer
from api.shape import IdOrNone, Shape
from api.sse import EventStreamResponse
from api.wire import WireId, bounded_text, query_choice, query_integer, required_id
from application.directory.live import LiveService
from application.directory.presence import PresenceService, Present
from application.directory.service import MOST_FOUND, DirectoryService, HomeView
from domain.directory.value import OPENED, Counts, Entry, EntryType, Waiting, WaitingCall
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

_FOUND: Final = 20
_QUERY_CHARS: Final = 200
_WINDOW_CHARS: Final = 40
_LONGEST_S: Final = 3600
_LAST_MS: Final = 253_402_300_799_000
"""End of the year 9999."""
_YEAR_MS: Final = 366 * 86_400_000
_TYPES: Final = {each.value: each.value for each in EntryType}
_OPENED: Final = {each.value: each.value for each in OPENED}


class AdminEntry(Shape, of=Entry):
    """Something of a workspace; ``at`` is when it was changed, opened or begun."""

    parent_id: IdOrNone


class AdminWaitingCall(Shape, of=WaitingCall):
    """A call that a run stands still for; ``arguments`` are JSON."""


class AdminWaiting(Shape, of=Waiting):
    """Something that waits for the caller; ``at`` is since when, or when a token ends."""

    parent_id: IdOrNone
    conversation_id: IdOrNone
    workflow_run_id: IdOrNone
    calls: list[AdminWaitingCall]


class AdminCounts(Shape, of=Counts):
    """How much of each there is; of runs only whether there is one."""


class AdminHome(Shape, of=HomeView):
    """Where the caller goes on in a workspace, what waits, and how much there is."""

    recent: list[AdminEntry]
    waiting: list[AdminWaiting]
    counts: AdminCounts


class AdminEntryList(msgspec.Struct, frozen=True, kw_only=True):
    """What was found, best first."""

    items: list[AdminEntry]


class PresenceBody(msgspec.Struct, frozen=True, kw_only=True):
    """What is open before somebody."""

    type: str
    id: WireId
    is_open: bool = True
    window: str = ""


class AdminPresent(Shape, of=Present):
    """Somebody else who has it open; ``since`` is when they opened it."""


class AdminPresence(msgspec.Struct, frozen=True, kw_only=True):
    """Who else has it open, whoever came first before the others."""

    people: list[AdminPresent]


class AdminDirectoryController(Controller):
    """What a workspace has, across all kinds of things."""

    path = "/admin/v1"

    @get("/workspaces/{workspace_id:str}/home", operation_id="admin.workspaces.get_home")
    async def home(
        self,
        *,
        workspace_id: FromPath[str],
        principal: NamedDependency[Principal],
        directory: NamedDependency[DirectoryService],
    ) -> AdminHome:
        """Return what the caller opened last, what waits for them, and how much there is."""
        space_id = required_id(workspace_id, field="workspace_id")
        return AdminHome.of(await directory.home(principal, space_id))

    @get("/workspaces/{workspace_id:str}/find", operation_id="admin.workspaces.find")
    async def find(
        self,
        *,
        workspace_id: FromPath[str],
        principal: NamedDependency[Principal],
        directory: NamedDependency[DirectoryService],
        q: FromQuery[str | None] = None,
        types: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
    ) -> AdminEntryList:
        """Find anything by name, id, log id, or the last four characters of an own token."""
        number = query_integer(limit, field="limit")
        found = await directory.find(
            principal,
            required_id(workspace_id, field="workspace_id"),
            bounded_text(q, field="q", max_chars=_QUERY_CHARS),
            types=[_type(each, _TYPES, field="types") for each in (types or "").split(",") if each],
            limit=_FOUND if number is None else min(max(number, 1), MOST_FOUND),
        )
        return AdminEntryList(items=AdminEntry.each(found))

    @put("/presence", operation_id="admin.presence.set")
    async def presence(
        self,
        *,
        data: JSONBody[PresenceBody],
        principal: NamedDependency[Principal],
        presences: NamedDependency[PresenceService],
    ) -> AdminPresence:
        """Say what is open before the caller, and learn who else has it open.

        It stands first where the caller goes on. Others see the caller there for 45 seconds; who
        still has it open says so again before that.
        """
        found = await presences.report(
            principal,
            _type(data.type, _OPENED, field="type"),
            required_id(data.id, field="id"),
            window=bounded_text(data.window, field="window", max_chars=_WINDOW_CHARS),
            is_open=data.is_open,
        )
        return AdminPresence(people=AdminPresent.each(found))

    @get("/live", operation_id="admin.live.follow")
    async def follow(
        self,
        *,
        principal: NamedDependency[Principal],
        live: NamedDependency[LiveService],
        limits: NamedDependency[Limits],
        after: FromQuery[str | None] = None,
        past_ms: FromQuery[str | None] = None,
        for_s: FromQuery[str | None] = None,
    ) -> Response[None]:
        """Follow what changes in all workspaces of the caller, and who else has open the same.

        One channel serves all windows of a browser; a session has two at most. What is known comes
        at once, then each change. After a break say the ``at_ms`` of the last event that came, or
        at first how long ago you began to read what you show: what was missed follows, for up to 15
        minutes. ``reset`` says that earlier changes are not told, so read anew. It ends after an
        hour, or after ``for_s`` seconds.
        """
        seconds = _number(for_s, field="for_s", most=_LONGEST_S)
        return EventStreamResponse(
            live.follow(
                principal,
                for_s=_LONGEST_S if seconds is None else seconds,
                after_ms=_number(after, field="after", most=_LAST_MS),
                past_ms=_number(past_ms, field="past_ms", most=_YEAR_MS),
            ),
            TimedRenderer(),
            limits=limits,
            endings=(),
        )


def _number(given: str | None, *, field: str, most: int) -> int | None:
    number = query_integer(given, field=field)
    if number is not None and not 0 <= number <= most:
        raise InvalidRequest(f"{field}: 0 to {most}.", field=field)
    return number


def _type(value: str, known: dict[str, str], *, field: str) -> EntryType:
    found = query_choice(value, known, field=field)
    if found is None:
        raise InvalidRequest(f"{field}: this field is required.", field=field)
    return EntryType(found)
