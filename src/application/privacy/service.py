"""Use cases of data rights: asking for somebody's data, and fetching it."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final

from application.privacy.dto import CreateDataRequest, DataRequestView
from application.shared.page import Whole
from application.shared.table_export import Export
from domain.privacy.error import ArchiveGone, DataRequestNotFound, LegallyHeld, TooManyDataRequests
from domain.privacy.repository import PrivacyStore
from domain.privacy.request import DataRequest
from domain.privacy.value import DataRequestId, DataRequestKind, Subject
from domain.shared.access import Permission, Principal
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId
from infra.contract.clock import Clock
from infra.contract.storage.object_store import ObjectKey, ObjectNotFound, ObjectStore

_OPEN: Final = 20
"""Requests of a workspace that may be under way at a time."""
_LISTED: Final = 200


class DataRequestService:
    """Takes requests; a worker does them. Everybody may ask for what is their own."""

    def __init__(
        self,
        *,
        store: PrivacyStore,
        objects: ObjectStore,
        wake: Callable[[], None],
        ids: IdGenerator,
        clock: Clock,
    ) -> None:
        self._store = store
        self._objects = objects
        self._wake = wake
        self._ids = ids
        self._clock = clock

    async def list(self, principal: Principal, space_id: int) -> Whole[DataRequestView]:
        """Return the newest requests of a workspace: all of them, or one's own."""
        space = SpaceId(space_id)
        principal.require(Permission.SPACE_READ, space)
        async with self._store.snapshot() as uow:
            found = await uow.requests.newest(principal.scope.within(space), limit=_LISTED)
        items = [DataRequestView.of(each) for each in found if _sees(principal, each)]
        return Whole(items=items, total=len(items))

    async def create(self, principal: Principal, command: CreateDataRequest) -> DataRequestView:
        """Ask for somebody's data, or for their removal.

        Raises:
            SubjectInvalid: nobody can be called so.
            LegallyHeld: nothing of the workspace may be removed for now.
            TooManyDataRequests: as many are under way as may be.
        """
        space = SpaceId(command.space_id)
        subject = Subject.of(space, command.subject_kind, command.subject_id)
        if subject.account_id == principal.user_id and not principal.is_service:
            principal.require(Permission.SPACE_READ, space)
            principal.require_unlimited()
        else:
            principal.require(Permission.SPACE_WRITE, space)
        scope = principal.scope.within(space)
        async with self._store.transaction() as uow:
            await uow.serialise(f"data requests of {space}")
            if command.kind is DataRequestKind.DELETE and await uow.jobs.is_held(space):
                raise LegallyHeld(
                    "legal_hold: nothing of this workspace may be removed until it is lifted."
                )
            if await uow.requests.count_open(scope) >= _OPEN:
                raise TooManyDataRequests(
                    f"At most {_OPEN} requests of a workspace are under way: wait for one."
                )
            request = DataRequest.create(
                id=DataRequestId(self._ids.next_id()),
                kind=command.kind,
                subject=subject,
                actor_id=principal.user_id,
                now=self._clock.now(),
            )
            await uow.requests.save(scope, request)
            await uow.commit()
        self._wake()
        return DataRequestView.of(request)

    async def get(self, principal: Principal, request_id: int) -> DataRequestView:
        """Return a request with its proof; raise ``DataRequestNotFound``."""
        return DataRequestView.of(await self._find(principal, request_id))

    async def archive(self, principal: Principal, request_id: int) -> Export:
        """Return the file of an export; raise ``ArchiveGone`` if there is none (any more)."""
        request = await self._find(principal, request_id)
        if not request.has_archive:
            raise ArchiveGone("There is no file: not yet, or not any more. Ask again for one.")
        chunks = self._objects.read(ObjectKey(request.object_key))
        try:
            first = await anext(chunks)  # while there is still another answer than a file cut short
        except ObjectNotFound as exc:
            raise ArchiveGone("The file is not where this server keeps files.") from exc
        return Export(
            name=f"data-{request.id}.zip",
            media_type="application/zip",
            chunks=_going_on(first, chunks),
        )

    async def _find(self, principal: Principal, request_id: int) -> DataRequest:
        async with self._store.snapshot() as uow:
            request = await uow.requests.get(principal.scope, DataRequestId(request_id))
        if not _sees(principal, request):
            raise DataRequestNotFound(f"No data request {request_id}.", request_id=request_id)
        return request


async def _going_on(
    first: bytes, chunks: AsyncGenerator[bytes, None]
) -> AsyncGenerator[bytes, None]:
    async with aclosing(chunks):
        yield first
        async for chunk in chunks:
            yield chunk


def _sees(principal: Principal, request: DataRequest) -> bool:
    """Tell whether it is theirs, or they administer its workspace."""
    is_own = request.creator_id == principal.user_id and not principal.grant.is_limited
    return principal.may(Permission.SPACE_WRITE, request.space_id) or (
        is_own and principal.may(Permission.SPACE_READ, request.space_id)
    )
