"""Responses: runs that their caller comes back for, with what was asked for."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from application.conversation.dto import IncomingMessage, MessageView, RunView, StartRun
from application.conversation.run.event import RunRecord
from application.conversation.run.service import RunService
from application.conversation.view import message_view
from domain.conversation.error import (
    ConversationNotFound,
    IdempotencyKeyReused,
    PreviousResponseNotFound,
    ResponseNotBackground,
    ResponseNotFound,
    RunNotCancelable,
    RunNotFound,
)
from domain.conversation.repository import ConversationStore
from domain.conversation.response import StoredResponse, response_missing
from domain.conversation.value import MessageKind, RunStatus
from domain.shared.access import Permission, Principal
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import ConversationId, MessageId, ResponseId, RunId, SpaceId
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_COPIED_ROUNDS: Final = 100
"""Rounds that a branch takes along; models see far fewer."""


class StartResponse(msgspec.Struct, frozen=True, kw_only=True):
    """Answer ``run``; ``previous_id`` is the response to go on from, in its conversation.

    ``request`` and ``items`` are kept as they are for whoever reads the response later; of one
    that is not ``is_stored`` nothing is kept.
    """

    run: StartRun
    request: Mapping[str, Any]
    items: tuple[Mapping[str, Any], ...] = ()
    previous_id: int | None = None
    is_stored: bool = True
    is_background: bool = False


class ModelResponse(msgspec.Struct, frozen=True, kw_only=True):
    """A response of a model without an agent, to be kept; ``output`` belongs to the surface."""

    id: int
    space_id: int
    end_user_id: str
    previous_id: int | None = None
    request: Mapping[str, Any]
    items: tuple[Mapping[str, Any], ...]
    output: Mapping[str, Any]


class ResponseView(msgspec.Struct, frozen=True, kw_only=True):
    """A response as its caller may see it; ``run`` is missing where no agent answers.

    ``conversation_id`` is None where nothing is kept.
    """

    id: int
    run: RunView | None
    conversation_id: int | None
    is_background: bool
    request: Mapping[str, Any]
    items: tuple[Mapping[str, Any], ...]
    output: Mapping[str, Any] | None = None
    created_at: datetime


class ResponseService:
    """Starts, finds, cancels and deletes the caller's responses."""

    def __init__(
        self,
        *,
        runs: RunService,
        store: ConversationStore,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
    ) -> None:
        self._runs = runs
        self._store = store
        self._clock = clock
        self._ids = ids
        self._limits = limits

    async def start(self, principal: Principal, command: StartResponse) -> ResponseView:
        """Launch the run and keep what was asked for.

        Raises as ``RunService.start``, and ``PreviousResponseNotFound``.
        """
        start = command.run
        if start.idempotency_key and (repeated := await self._repeated(principal, command)):
            return repeated
        if command.previous_id is not None:
            start = await self._continued(principal, start, command.previous_id)
        run = await self._runs.start(principal, start)
        if not command.is_stored:
            return ResponseView(
                id=run.id,
                run=run,
                conversation_id=None,
                is_background=False,
                request=command.request,
                items=command.items,
                created_at=run.created_at,
            )
        stored = StoredResponse(
            id=ResponseId(run.id),
            run_id=RunId(run.id),
            space_id=SpaceId(run.space_id),
            creator_id=principal.user_id,
            end_user_id=principal.end_user_id or start.end_user_id,
            conversation_id=ConversationId(run.conversation_id),
            previous_id=_optional(command.previous_id),
            is_background=command.is_background,
            request=command.request,
            items=command.items,
            created_at=run.created_at,
            expires_at=self._expiry(run.created_at),
        )
        async with self._store.transaction() as uow:
            await uow.responses.save(principal.scope, stored)
            await uow.commit()
        return _view(stored, run)

    async def _repeated(self, principal: Principal, command: StartResponse) -> ResponseView | None:
        """Return the response that this very request was given before."""
        key = command.run.idempotency_key
        since = self._clock.now() - timedelta(seconds=self._limits.idempotency_ttl_s)
        async with self._store.snapshot() as uow:
            earlier = await uow.requests.find(principal.scope, key, since=since)
        if earlier is None:
            return None
        try:
            found = await self.get(principal, earlier.run_id)
        except ResponseNotFound:  # the run's own record of the key decides
            return None
        if found.request != command.request or _contents(found.items) != _contents(command.items):
            raise IdempotencyKeyReused(
                "Idempotency-Key: this key was used for a different request.",
                field="Idempotency-Key",
            )
        return found

    async def get(self, principal: Principal, response_id: int) -> ResponseView:
        """Return a response; raise ``ResponseNotFound``."""
        stored = await self._load(principal, response_id)
        if stored.conversation_id is None:
            return _view(stored, None)
        try:
            run = await self._runs.get(principal, stored.run_id)
        except RunNotFound as exc:
            raise response_missing(response_id) from exc
        return _view(stored, run)

    async def cancel(self, principal: Principal, response_id: int) -> ResponseView:
        """Stop a response made in the background; one that is over stays as it is.

        Raises:
            ResponseNotFound: no such response of the caller.
            ResponseNotBackground: its caller is answered directly.
        """
        found = await self.get(principal, response_id)
        if not found.is_background:
            raise ResponseNotBackground(
                "Only responses made with background: true can be cancelled; hang up instead.",
                field="background",
            )
        return await self._stopped(principal, found)

    async def delete(self, principal: Principal, response_id: int) -> None:
        """Forget a response, and its conversation if it was the only one there."""
        found = await self._stopped(principal, await self.get(principal, response_id))
        now = self._clock.now()
        async with self._store.transaction() as uow:
            stored = await uow.responses.get(principal.scope, ResponseId(found.id), now=now)
            await uow.responses.remove(principal.scope, stored, now=now)
            await uow.commit()

    def follow(
        self, principal: Principal, run_id: int, *, after: int = 0
    ) -> AsyncGenerator[list[RunRecord], None]:
        """Yield the events of a response's run, as ``RunService.follow``."""
        return self._runs.follow(principal, run_id, after=after)

    async def has_log(self, principal: Principal, run_id: int) -> bool:
        """Tell whether the events of a run can still be told one by one."""
        return await self._runs.has_log(principal, run_id)

    def begun(self, *, request: Mapping[str, Any]) -> ResponseView:
        """Return the response of a model that is about to be asked; nothing is kept yet."""
        return ResponseView(
            id=self._ids.next_id(),
            run=None,
            conversation_id=None,
            is_background=False,
            request=request,
            items=(),
            created_at=self._clock.now(),
        )

    async def chain(self, principal: Principal, previous_id: int) -> list[Mapping[str, Any]]:
        """Return input and output of the responses that lead to one of a model, oldest first.

        Raises:
            PreviousResponseNotFound: one of them is not there, or an agent answered it.
        """
        found: list[ResponseView] = []
        wanted: int | None = previous_id
        while wanted is not None:
            if len(found) == self._limits.completion_messages:
                raise _no_previous(previous_id)
            try:
                stored = await self._load(principal, wanted)
            except ResponseNotFound as exc:
                raise _no_previous(wanted) from exc
            if stored.output is None:
                raise _no_previous(wanted)
            found.append(_view(stored, None))
            wanted = stored.previous_id
        return [
            item
            for view in reversed(found)
            for item in (*view.items, *(view.output or {}).get("output", ()))
        ]

    async def message(self, principal: Principal, message_id: int) -> MessageView | None:
        """Return an answer that the caller was given, None if there is none of this id."""
        scope = principal.scope
        async with self._store.snapshot() as uow:
            found = await uow.messages.find(scope, MessageId(message_id))
            if found is None or found.kind is not MessageKind.ANSWER:
                return None
            try:
                await uow.conversations.get(scope, found.conversation_id)
            except ConversationNotFound:
                return None
        return message_view(found)

    async def output_item(
        self, principal: Principal, response_id: int, item_id: str
    ) -> Mapping[str, Any] | None:
        """Return an item that a model answered with, None if there is none of this id."""
        try:
            stored = await self._load(principal, response_id)
        except ResponseNotFound:
            return None
        items = (stored.output or {}).get("output", ())
        return next((item for item in items if item["id"] == item_id), None)

    async def keep(self, principal: Principal, answered: ModelResponse) -> ResponseView:
        """Keep what a model answered that was asked without an agent."""
        now = self._clock.now()
        stored = StoredResponse(
            id=ResponseId(answered.id),
            run_id=RunId(answered.id),
            previous_id=_optional(answered.previous_id),
            space_id=SpaceId(answered.space_id),
            creator_id=principal.user_id,
            end_user_id=principal.end_user_id or answered.end_user_id,
            request=answered.request,
            items=answered.items,
            output=answered.output,
            created_at=now,
            expires_at=self._expiry(now),
        )
        async with self._store.transaction() as uow:
            await uow.responses.save(principal.scope, stored)
            await uow.commit()
        return _view(stored, None)

    async def _load(self, principal: Principal, response_id: int) -> StoredResponse:
        async with self._store.snapshot() as uow:
            stored = await uow.responses.get(
                principal.scope, ResponseId(response_id), now=self._clock.now()
            )
        needed = Permission.CHAT if stored.conversation_id is not None else Permission.MODEL_USE
        principal.require(needed, stored.space_id)
        return stored

    async def _stopped(self, principal: Principal, found: ResponseView) -> ResponseView:
        run = found.run
        if run is None or run.status not in {RunStatus.CREATED, RunStatus.IN_PROGRESS}:
            return found
        try:
            run = await self._runs.cancel(principal, run.id)
        except RunNotCancelable:  # it ended meanwhile
            run = await self._runs.get(principal, run.id)
        return msgspec.structs.replace(found, run=run)

    async def _continued(self, principal: Principal, start: StartRun, previous_id: int) -> StartRun:
        """Go on in the conversation of a response, or in a branch if others followed there."""
        try:
            previous = await self.get(principal, previous_id)
        except ResponseNotFound as exc:
            raise _no_previous(previous_id) from exc
        run = previous.run
        if run is None or run.agent_id != (start.agent_id or None):
            raise _no_previous(previous_id)
        async with self._store.snapshot() as uow:
            conversation = await uow.conversations.get(
                principal.scope, ConversationId(run.conversation_id)
            )
            last = await uow.runs.last(principal.scope, conversation.id, conversation.section_id)
        if last is not None and last.id == run.id:
            return msgspec.structs.replace(start, conversation_id=run.conversation_id)
        past = await self._past(principal, run)
        return msgspec.structs.replace(start, messages=(*past, *start.messages))

    async def _past(self, principal: Principal, run: RunView) -> list[IncomingMessage]:
        """Return what was said up to the end of a run."""
        async with self._store.snapshot() as uow:
            said = await uow.messages.of_run(principal.scope, RunId(run.id), set(MessageKind))
            history = (
                await uow.messages.history(
                    principal.scope,
                    ConversationId(run.conversation_id),
                    said[-1].section_id,
                    before_seq=said[-1].seq + 1,
                    rounds=_COPIED_ROUNDS,
                )
                if said
                else ()
            )
        return [
            IncomingMessage(
                role="user" if entry.message.kind is MessageKind.QUESTION else "assistant",
                parts=entry.message.parts,
                is_text=entry.message.is_text,
                meta=entry.message.meta,
            )
            for entry in history
            if entry.message.kind in {MessageKind.QUESTION, MessageKind.ANSWER}
        ][-self._limits.completion_messages // 2 :]

    def _expiry(self, now: datetime) -> datetime:
        return now + timedelta(days=self._limits.response_ttl_days)


def _contents(items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Leave out the ids, which are given anew each time."""
    return [{key: value for key, value in item.items() if key != "id"} for item in items]


def _optional(response_id: int | None) -> ResponseId | None:
    return None if response_id is None else ResponseId(response_id)


def _no_previous(response_id: int) -> PreviousResponseNotFound:
    return PreviousResponseNotFound(
        f"previous_response_id: no stored response resp_{response_id} of this model.",
        field="previous_response_id",
    )


def _view(stored: StoredResponse, run: RunView | None) -> ResponseView:
    return ResponseView(
        id=stored.id,
        run=run,
        conversation_id=stored.conversation_id,
        is_background=stored.is_background,
        request=stored.request,
        items=stored.items,
        output=stored.output,
        created_at=stored.created_at,
    )
