"""The start of a workspace, finding anything in it, and what people open."""

from typing import Final

import msgspec
from litestar import Controller, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_204_NO_CONTENT

from api.shape import IdOrNone, Shape
from api.wire import WireId, bounded_text, query_choice, query_integer, required_id
from application.directory.service import MOST_FOUND, DirectoryService, HomeView
from domain.directory.value import OPENED, Counts, Entry, EntryType, Waiting, WaitingCall
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest

_FOUND: Final = 20
_QUERY_CHARS: Final = 200
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

    @put("/presence", operation_id="admin.presence.set", status_code=HTTP_204_NO_CONTENT)
    async def presence(
        self,
        *,
        data: JSONBody[PresenceBody],
        principal: NamedDependency[Principal],
        directory: NamedDependency[DirectoryService],
    ) -> None:
        """Say what is open before the caller, so that it stands first where they go on."""
        type_, id_ = _type(data.type, _OPENED, field="type"), required_id(data.id, field="id")
        if data.is_open:
            await directory.open(principal, type_, id_)


def _type(value: str, known: dict[str, str], *, field: str) -> EntryType:
    found = query_choice(value, known, field=field)
    if found is None:
        raise InvalidRequest(f"{field}: this field is required.", field=field)
    return EntryType(found)
