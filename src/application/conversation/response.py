"""Responses: runs that their caller comes back for, with what was asked for."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Any, Final, NamedTuple

import msgspec

from application.conversation.client_tool import ClientToolService, OpenedRun
from application.conversation.dto import MessageView, RunView, StartRun
from application.conversation.run.event import RunRecord
from application.conversation.run.service import RunService
from application.conversation.sealed_text import SealedTexts, SealedTextUnreadable
from application.conversation.view import message_view
from domain.conversation.client_wait import WaitState
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
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.chat import ChatMessage, Usage
from domain.shared.error import Conflict, InternalError, StaleRevision
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import AgentId, ConversationId, MessageId, ResponseId, RunId, SpaceId
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.security.secret_box import SecretBox

_COPIED_ROUNDS: Final = 100
"""Rounds that a branch takes along; models see far fewer."""

_AT_WORK: Final = frozenset({RunStatus.CREATED, RunStatus.IN_PROGRESS})
INPUT: Final = "input"
"""What the messages of a request are called here."""


class ResponseKey(NamedTuple):
    """What a response is found by: its run, and how often that had waited for its client before."""

    run_id: int
    resumes: int = 0


class StartResponse(msgspec.Struct, frozen=True, kw_only=True):
    """Answer ``messages`` by ``run``; ``previous`` is the response to go on from.

    ``run`` has everything but what ``ClientToolService.open`` reads from messages. ``request`` and
    ``items`` are kept as they are for whoever reads the response later; of one that is not
    ``is_stored`` nothing is kept.
    """

    run: StartRun
    messages: tuple[ChatMessage, ...]
    request: Mapping[str, Any]
    items: tuple[Mapping[str, Any], ...] = ()
    previous: ResponseKey | None = None
    is_stored: bool = True
    is_background: bool = False


ReadItems = Callable[[Sequence[Mapping[str, Any]]], Sequence[ChatMessage]]
"""Reads items as they are kept; they belong to the surface."""


class ModelResponse(msgspec.Struct, frozen=True, kw_only=True):
    """A response of a model without an agent, to be kept; ``output`` belongs to the surface."""

    id: int
    space_id: int
    end_user_id: str
    previous_id: int | None = None
    request: Mapping[str, Any]
    items: tuple[Mapping[str, Any], ...]
    output: Mapping[str, Any]
    created_at: datetime


class ResponseView(msgspec.Struct, frozen=True, kw_only=True):
    """A response as its caller may see it; ``run`` is missing where no agent answers.

    ``id`` and ``resumes`` are its key. Of the run's events those after ``after_seq`` belong to it,
    of the usage what is beyond ``used``. ``output`` is kept of models, and of runs that wait or
    waited after they answered this. ``conversation_id`` is None where nothing is kept.
    """

    id: int
    resumes: int = 0
    row_id: int = 0
    after_seq: int = 0
    used: Usage = Usage()
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
        client_tools: ClientToolService,
        store: ConversationStore,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
        box: SecretBox,
    ) -> None:
        self._thoughts = SealedTexts(box, kind="reasoning")
        self._runs = runs
        self._client_tools = client_tools
        self._store = store
        self._clock = clock
        self._ids = ids
        self._limits = limits

    async def start(
        self, principal: Principal, command: StartResponse, *, read: ReadItems
    ) -> ResponseView:
        """Launch the run, or go on with the one that waits, and keep what was asked for.

        Raises as ``ClientToolService.open``, and ``PreviousResponseNotFound``.
        """
        start, messages = command.run, command.messages
        if start.idempotency_key and (repeated := await self._repeated(principal, command)):
            return repeated
        previous_row = None
        if command.previous is not None:
            previous = await self._previous(principal, command.previous, start.agent_id)
            previous_row = ResponseId(previous.row_id)
            start, messages = await self._continued(principal, command, previous, read)
        begun_at = self._clock.now()
        opened = await self._client_tools.open(principal, start, messages, field=INPUT)
        run = opened.run
        view = ResponseView(
            id=run.id,
            resumes=opened.resumes,
            after_seq=opened.after,
            used=opened.used,
            run=run,
            conversation_id=None,
            is_background=False,
            request=command.request,
            items=command.items,
            created_at=begun_at if opened.resumes else run.created_at,
        )
        if not command.is_stored:
            return view
        return await self._stored(
            principal,
            StoredResponse(
                id=ResponseId(self._ids.next_id() if opened.resumes else run.id),
                run_id=RunId(run.id),
                resumes=opened.resumes,
                after_seq=opened.after,
                used=opened.used,
                space_id=SpaceId(run.space_id),
                creator_id=principal.user_id,
                end_user_id=principal.end_user_id or start.end_user_id,
                conversation_id=ConversationId(run.conversation_id),
                previous_id=previous_row,
                is_background=command.is_background,
                request=command.request,
                items=command.items,
                created_at=view.created_at,
                expires_at=self._expiry(view.created_at),
            ),
            run,
        )

    async def _stored(
        self, principal: Principal, response: StoredResponse, run: RunView
    ) -> ResponseView:
        """Keep a response, unless the request that it repeats has kept it."""
        key = ResponseKey(response.run_id, response.resumes)
        known = await self._find(principal.scope, key) if response.resumes else None
        if known is None:
            try:
                async with self._store.transaction() as uow:
                    await uow.responses.save(principal.scope, response)
                    await uow.commit()
            except Conflict:  # the other one did so in this very moment
                known = await self._find(principal.scope, key)
                if known is None:
                    raise
        return _view(known or response, run)

    async def _find(self, scope: TenantScope, key: ResponseKey) -> StoredResponse | None:
        try:
            async with self._store.snapshot() as uow:
                return await uow.responses.get(
                    scope, key.run_id, resumes=key.resumes, now=self._clock.now()
                )
        except ResponseNotFound:
            return None

    async def asked_by(
        self, principal: Principal, command: StartRun, call_ids: Sequence[str]
    ) -> ResponseView | None:
        """Return the response that asked for these calls, if its run still waits with them."""
        async with self._store.snapshot() as uow:
            waits = await uow.client_waits.find(
                principal.scope,
                call_ids,
                agent_id=AgentId(command.agent_id),
                end_user_id=principal.end_user_id or command.end_user_id,
                now=self._clock.now(),
            )
        wait = next((each for each in waits if each.state is WaitState.PENDING), None)
        if wait is None or wait.conversation_id is None:
            return None
        try:
            return await self.get(principal, ResponseKey(wait.run_id, wait.ordinal - 1))
        except ResponseNotFound:  # another surface asked
            return None

    async def keep_answer(
        self, principal: Principal, answered: ResponseView, output: Mapping[str, Any]
    ) -> None:
        """Keep what a run answered before it goes on: its later state tells of what follows."""
        try:
            async with self._store.transaction() as uow:
                stored = await uow.responses.get(
                    principal.scope, answered.id, resumes=answered.resumes, now=self._clock.now()
                )
                if stored.output is not None:
                    return
                stored.output = output
                await uow.responses.save(principal.scope, stored)
                await uow.commit()
        except (ResponseNotFound, StaleRevision):  # deleted, or kept by another reader
            return

    async def _repeated(self, principal: Principal, command: StartResponse) -> ResponseView | None:
        """Return the response that this very request was given before."""
        key = command.run.idempotency_key
        since = self._clock.now() - timedelta(seconds=self._limits.idempotency_ttl_s)
        async with self._store.snapshot() as uow:
            earlier = await uow.requests.find(principal.scope, key, since=since)
        if earlier is None:
            return None
        try:
            found = await self.get(principal, ResponseKey(earlier.run_id))
        except ResponseNotFound:  # the run's own record of the key decides
            return None
        if found.request != command.request or _contents(found.items) != _contents(command.items):
            raise IdempotencyKeyReused(
                "Idempotency-Key: this key was used for a different request.",
                field="Idempotency-Key",
            )
        return found

    async def get(self, principal: Principal, key: ResponseKey) -> ResponseView:
        """Return a response; raise ``ResponseNotFound``."""
        stored = await self._load(principal, key)
        if stored.conversation_id is None:
            return _view(stored, None)
        try:
            run = await self._runs.get(principal, stored.run_id)
        except RunNotFound as exc:
            raise response_missing(key.run_id) from exc
        return _view(stored, run)

    async def cancel(self, principal: Principal, key: ResponseKey) -> ResponseView:
        """Stop a response made in the background; one that is over stays as it is.

        Raises:
            ResponseNotFound: no such response of the caller.
            ResponseNotBackground: its caller is answered directly.
        """
        found = await self.get(principal, key)
        if not found.is_background:
            raise ResponseNotBackground(
                "Only responses made with background: true can be cancelled; hang up instead.",
                field="background",
            )
        return await self._stopped(principal, found)

    async def delete(self, principal: Principal, key: ResponseKey) -> None:
        """Forget a response, and its conversation if it was the only one there."""
        await self._stopped(principal, await self.get(principal, key))
        now = self._clock.now()
        async with self._store.transaction() as uow:
            stored = await uow.responses.get(
                principal.scope, key.run_id, resumes=key.resumes, now=now
            )
            await uow.responses.remove(principal.scope, stored, now=now)
            await uow.commit()

    def follow(
        self, principal: Principal, response: ResponseView
    ) -> AsyncGenerator[list[RunRecord], None]:
        """Yield the events of a response of an agent, as ``ClientToolService.follow``."""
        if response.run is None:
            raise InternalError("A response of a model has no run.")
        opened = OpenedRun(
            run=response.run,
            kind="replay",
            resumes=response.resumes,
            after=response.after_seq,
            used=response.used,
        )
        return self._client_tools.follow(principal, opened)

    async def has_log(self, principal: Principal, run_id: int) -> bool:
        """Tell whether the events of a run can still be told one by one."""
        return await self._runs.has_log(principal, run_id)

    def sealed_thought(self, space_id: int, text: str) -> str:
        """Return reasoning as its caller may keep it, who cannot read it."""
        return self._thoughts.seal(SpaceId(space_id), text)

    def opened_thought(self, principal: Principal, content: str) -> str:
        """Return reasoning that a caller kept; nothing of what others made."""
        try:
            return self._thoughts.open(principal, content)
        except SealedTextUnreadable:
            return ""

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

    async def said(
        self, principal: Principal, key: ResponseKey, *, read: ReadItems
    ) -> tuple[ChatMessage, ...]:
        """Return what was said up to a response and by it; raise ``PreviousResponseNotFound``."""
        try:
            previous = await self.get(principal, key)
        except ResponseNotFound as exc:
            raise _no_previous(key) from exc
        if previous.run is None:
            return tuple(read(await self.chain(principal, key)))
        after = await self._find(principal.scope, ResponseKey(key.run_id, previous.resumes + 1))
        until = after.created_at if after else None
        return tuple(await self._past(principal, previous.run, until=until))

    async def chain(self, principal: Principal, previous: ResponseKey) -> list[Mapping[str, Any]]:
        """Return input and output of the responses that lead to one of a model, oldest first.

        Raises:
            PreviousResponseNotFound: one of them is not there, or an agent answered it.
        """
        found: list[ResponseView] = []
        wanted: ResponseKey | None = previous
        while wanted is not None:
            if len(found) == self._limits.completion_messages:
                raise _no_previous(previous)
            try:
                stored = await self._load(principal, wanted)
            except ResponseNotFound as exc:
                raise _no_previous(wanted) from exc
            if stored.conversation_id is not None:
                raise _no_previous(wanted)
            found.append(_view(stored, None))
            wanted = None if stored.previous_id is None else ResponseKey(stored.previous_id)
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
        self, principal: Principal, run_id: int, item_id: str
    ) -> Mapping[str, Any] | None:
        """Return an item that is kept of what was answered, None if there is none of this id."""
        for resumes in count():
            try:
                stored = await self._load(principal, ResponseKey(run_id, resumes))
            except ResponseNotFound:
                return None
            for item in (stored.output or {}).get("output", ()):
                if item["id"] == item_id:
                    return dict(item)
        return None

    async def keep(self, principal: Principal, answered: ModelResponse) -> ResponseView:
        """Keep what a model answered that was asked without an agent."""
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
            created_at=answered.created_at,
            expires_at=self._expiry(answered.created_at),
        )
        async with self._store.transaction() as uow:
            await uow.responses.save(principal.scope, stored)
            await uow.commit()
        return _view(stored, None)

    async def _load(self, principal: Principal, key: ResponseKey) -> StoredResponse:
        stored = await self._find(principal.scope, key)
        if stored is None:
            raise response_missing(key.run_id)
        needed = Permission.CHAT if stored.conversation_id is not None else Permission.MODEL_USE
        principal.require(needed, stored.space_id)
        return stored

    async def _stopped(self, principal: Principal, found: ResponseView) -> ResponseView:
        run = found.run
        is_answered = found.output is not None
        if is_answered or run is None or run.status not in _AT_WORK:
            return found
        try:
            run = await self._runs.cancel(principal, run.id)
        except RunNotCancelable:  # it ended meanwhile
            run = await self._runs.get(principal, run.id)
        return msgspec.structs.replace(found, run=run)

    async def _previous(
        self, principal: Principal, key: ResponseKey, agent_id: int
    ) -> ResponseView:
        """Return the response of an agent to go on from; raise ``PreviousResponseNotFound``."""
        try:
            previous = await self.get(principal, key)
        except ResponseNotFound as exc:
            raise _no_previous(key) from exc
        if previous.run is None or previous.run.agent_id != (agent_id or None):
            raise _no_previous(key)
        return previous

    async def _continued(
        self,
        principal: Principal,
        command: StartResponse,
        previous: ResponseView,
        read: ReadItems,
    ) -> tuple[StartRun, tuple[ChatMessage, ...]]:
        """Go on in the conversation of a response, or in a branch if others followed there."""
        run, start, messages = previous.run, command.run, command.messages
        if run is None:
            raise InternalError("A response of a model has no conversation.")
        after = await self._find(principal.scope, ResponseKey(run.id, previous.resumes + 1))
        brings_outputs = bool(messages) and messages[-1].role == "tool"
        is_lost = run.status is RunStatus.FAILED and brings_outputs
        if after is None and not is_lost and await self._is_last(principal.scope, run):
            return msgspec.structs.replace(start, conversation_id=run.conversation_id), messages
        calls = any(message.tool_calls for message in messages)
        if brings_outputs and not calls:
            past = await self._past(principal, run, until=run.created_at)
            items = await self._steps(principal, previous)
            return start, (*past, *read(items), *messages)
        past = await self._past(principal, run, until=after.created_at if after else None)
        return start, (*past, *messages)

    async def _is_last(self, scope: TenantScope, run: RunView) -> bool:
        """Tell whether nothing was asked in the conversation since."""
        async with self._store.snapshot() as uow:
            conversation = await uow.conversations.get(scope, ConversationId(run.conversation_id))
            last = await uow.runs.last(scope, conversation.id, conversation.section_id)
        return last is not None and last.id == run.id

    async def _steps(self, principal: Principal, answered: ResponseView) -> list[Mapping[str, Any]]:
        """Return the calls that a run asked for up to a response, and the outputs that came."""
        steps: list[Mapping[str, Any]] = []
        for resumes in range(answered.resumes + 1):
            stored = await self._load(principal, ResponseKey(answered.id, resumes))
            steps += [*(stored.items if resumes else ()), *(stored.output or {}).get("output", ())]
        return steps

    async def _past(
        self, principal: Principal, run: RunView, *, until: datetime | None
    ) -> list[ChatMessage]:
        """Return what was said up to the end of a run, or what it had said before a moment."""
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
        known = {entry.message.id: entry.message for entry in history}
        known |= {message.id: message for message in said}  # that of a cancelled run is no history
        return [
            ChatMessage(
                role="user" if message.kind is MessageKind.QUESTION else "assistant",
                parts=message.parts,
            )
            for message in sorted(known.values(), key=lambda each: each.seq)
            if message.kind is MessageKind.QUESTION
            or (
                message.kind is MessageKind.ANSWER
                and (until is None or message.run_id != run.id or message.created_at < until)
            )
        ][-self._limits.completion_messages // 2 :]

    def _expiry(self, now: datetime) -> datetime:
        return now + timedelta(days=self._limits.response_ttl_days)


def _contents(items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Leave out the ids, which are given anew each time."""
    return [{key: value for key, value in item.items() if key != "id"} for item in items]


def _optional(response_id: int | None) -> ResponseId | None:
    return None if response_id is None else ResponseId(response_id)


def _no_previous(key: ResponseKey) -> PreviousResponseNotFound:
    return PreviousResponseNotFound(
        f"previous_response_id: no such stored response of this model (run {key.run_id}).",
        field="previous_response_id",
    )


def _view(stored: StoredResponse, run: RunView | None) -> ResponseView:
    return ResponseView(
        id=stored.run_id,
        resumes=stored.resumes,
        row_id=stored.id,
        after_seq=stored.after_seq,
        used=stored.used,
        run=run,
        conversation_id=stored.conversation_id,
        is_background=stored.is_background,
        request=stored.request,
        items=stored.items,
        output=stored.output,
        created_at=stored.created_at,
    )
