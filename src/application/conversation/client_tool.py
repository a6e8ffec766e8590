"""Service for clients that run tools themselves and send the outputs with their next request.

A request either begins a run, or goes on with one that waits for its outputs, or repeats what was
answered before, or begins anew from the history that it brings. Which, is told by the ids of the
calls, which are ours, and by digests of what the client holds.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Literal

import msgspec

from application.conversation.dto import IncomingMessage, RunView, StartRun, SubmitOutputs
from application.conversation.run.event import TERMINAL, RunRecord
from application.conversation.run.executor import question_of
from application.conversation.run.service import RunService
from application.conversation.view import ANSWER_SEPARATOR, run_view
from crossdomain.agent.contract import Agents
from domain.conversation.client_wait import ClientWait, WaitState
from domain.conversation.dialogue import (
    Dialogue,
    HistoryDigests,
    answer_digest,
    output_digest,
    question_id,
)
from domain.conversation.error import (
    ConversationBusy,
    InvalidToolCallId,
    RunAlreadySettled,
    RunNotFound,
    RunNotWaiting,
    ToolOutputsConflict,
)
from domain.conversation.repository import ConversationStore
from domain.conversation.run import Run
from domain.conversation.value import CancelReason, RunStatus
from domain.shared.access import Principal, TenantScope
from domain.shared.chat import ChatMessage, TextPart, ToolCall, Usage
from domain.shared.error import Conflict, StaleRevision
from domain.shared.ids import AgentId, ConversationId, RunId
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_ATTEMPTS: Final = 3
"""Others may answer the same calls at the same time; then it is seen what became of them."""


class OpenedRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run that answers a request, and which part of it does.

    ``resumes`` is how often the run had waited before, ``after`` the number of the event and
    ``used`` the usage with which its part begins.
    """

    run: RunView
    kind: Literal["new", "resume", "rebuild", "replay"]
    resumes: int = 0
    after: int = 0
    used: Usage = Usage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request, read."""

    principal: Principal
    command: StartRun
    dialogue: Dialogue
    digests: HistoryDigests
    waits: Sequence[ClientWait]
    """Everything that the runs have asked for whose calls the request knows."""

    named: ConversationId | None = None
    """Conversation that is meant, by its id or by the caller's key; None if it is yet to open."""

    held_history: str = ""
    """Digest of all that the client holds, where less of it is asked again."""

    @property
    def keeps_history(self) -> bool:
        """The client keeps the history: no conversation of ours is named."""
        return self.command.conversation_id is None and not self.command.conversation_key

    @property
    def tells_calls(self) -> bool:
        """The client has sent what a run can begin anew from."""
        return self.dialogue.asked is not None and bool(self.dialogue.before)

    @property
    def group(self) -> Sequence[ClientWait]:
        """The calls that were asked for together, if the outputs are theirs and nobody else's."""
        known = {wait.call_id: wait for wait in self.waits}
        own = [known.get(call_id) for call_id in self.dialogue.outputs]
        places = {(wait.run_id, wait.ordinal) if wait else None for wait in own}
        if len(places) != 1 or (place := places.pop()) is None:
            return ()
        return [wait for wait in self.waits if (wait.run_id, wait.ordinal) == place]

    def is_own(self, group: Sequence[ClientWait]) -> bool:
        """Tell whether the conversation that is named asked for these calls."""
        return bool(group) and self.named is not None and group[0].conversation_id == self.named

    @property
    def has_same_outputs(self) -> bool:
        """The calls were answered before as they are now."""
        return all(
            wait.output == output_digest(self.dialogue.outputs.get(wait.call_id, ""))
            for wait in self.group
        )

    def is_continued(self, wait: ClientWait) -> bool:
        """Tell whether the client brings back what it sent and got when the run began to wait."""
        asked = self.dialogue.asked
        if asked is None:
            return False
        held = self.dialogue.messages
        end = len(held) - len(self.dialogue.outputs) - 1
        before = self.digests.of((*self._system, *held[:end]))
        answer = answer_digest(asked.text, asked.tool_calls)
        return wait.history == before and wait.answer == answer

    @property
    def _system(self) -> tuple[ChatMessage, ...]:
        return tuple(ChatMessage.of_text("system", text) for text in self.dialogue.system)

    @property
    def history(self) -> str:
        """Digest of all that the client holds now."""
        return self.held_history or self.digests.of((*self._system, *self.dialogue.messages))

    @property
    def end_user_id(self) -> str:
        return self.principal.end_user_id or self.command.end_user_id

    @property
    def question_id(self) -> str:
        """Id of the question that the last message may answer."""
        told = self.dialogue.last_answers
        held = self.dialogue.before[: -1 - len(told)]
        flow = self.command.flow
        return question_id(
            *(self.principal.scope.principal_id, self.end_user_id, self.command.agent_id),
            flow.workflow_id if flow else 0,
            history=self.digests.of((*self._system, *held)),
            answer=answer_digest(ANSWER_SEPARATOR.join(filter(None, told)), ()),
        )


class ClientToolService:
    """Opens runs for requests that may bring tools, and outputs of tools."""

    def __init__(
        self,
        *,
        store: ConversationStore,
        runs: RunService,
        agents: Agents,
        clock: Clock,
        limits: Limits,
    ) -> None:
        self._store = store
        self._runs = runs
        self._agents = agents
        self._clock = clock
        self._limits = limits

    async def open(
        self,
        principal: Principal,
        command: StartRun,
        messages: Sequence[ChatMessage],
        *,
        field: str = "messages",
    ) -> OpenedRun:
        """Begin a run, or go on with the one that waits for what the messages bring.

        ``command`` has everything but ``messages``, ``steps``, ``extra_system`` and ``history``,
        which are read from ``messages``; refusals call these ``field``.

        Raises:
            MissingToolOutputs: a call has no output (4000).
            InvalidToolCallId: an output belongs to no call (4000).
            ToolOutputsConflict: the run goes on with other outputs already (4106).
            ConversationBusy: the conversation waits for outputs of other calls (4016).
            ClientToolsNotAllowed: the agent takes no tools of clients (4101).
            Others as ``RunService.start`` and ``RunService.submit``.
        """
        dialogue = Dialogue.of(messages, field=field)
        command = msgspec.structs.replace(command, takes_calls=True)
        request = await self._read(principal, command, dialogue)
        if request.keeps_history:
            dialogue.require_answered()
        if not dialogue.outputs:
            dialogue.require_called()
            return await self._begin(await self._answering(request), kind="new")
        for _ in range(_ATTEMPTS):
            try:
                return await self._go_on(request)
            except (RunNotWaiting, StaleRevision):  # somebody else was faster
                request = await self._read(principal, command, dialogue)
        return await self._rebuild(request, None)

    async def follow(
        self, principal: Principal, opened: OpenedRun
    ) -> AsyncGenerator[list[RunRecord], None]:
        """Yield the events of the part of the run that answers; the last one is terminal.

        Iterate inside ``aclosing``. Who gets the last event is taken to have read it all.
        """
        events = self._runs.follow_part(principal, opened.run.id, after=opened.after)
        async with aclosing(events) as batches:
            async for batch in batches:
                if isinstance(batch[-1].event, TERMINAL):
                    await self._deliver(opened)
                yield batch

    async def _deliver(self, opened: OpenedRun) -> None:
        if not opened.resumes:
            return
        async with self._store.transaction() as uow:
            await uow.client_waits.deliver(RunId(opened.run.id), opened.resumes)
            await uow.commit()

    async def _answering(self, request: Request) -> Request:
        """Let the input answer the question that a run of the client's history waits with.

        Nobody is told of it: if the run does not wait any more, the input is asked like any other.
        """
        if not (request.keeps_history and request.dialogue.last_answers):
            return request
        asked, command = request.question_id, request.command
        async with self._store.snapshot() as uow:
            found = await uow.client_waits.find(
                request.principal.scope,
                [asked],
                agent_id=AgentId(command.agent_id),
                end_user_id=request.end_user_id,
                now=self._clock.now(),
            )
        wait = next((each for each in found if each.call_id == asked), None)
        if wait is None or (wait.conversation_id is not None) != command.save_history:
            return request
        if wait.conversation_id is None:
            return replace(request, command=msgspec.structs.replace(command, answers=wait.run_id))
        if wait.state is not WaitState.PENDING:
            return request
        *_, answer = request.dialogue.before
        return replace(
            request,
            command=msgspec.structs.replace(command, conversation_id=wait.conversation_id),
            dialogue=replace(request.dialogue, before=(answer,)),
            held_history=request.history,
        )

    async def _read(self, principal: Principal, command: StartRun, dialogue: Dialogue) -> Request:
        end_user_id = principal.end_user_id or command.end_user_id
        waits: Sequence[ClientWait] = ()
        named = command.conversation_id
        if dialogue.call_ids:
            async with self._store.snapshot() as uow:
                if named is None and command.conversation_key:
                    named = await uow.conversations.find_key(
                        principal.scope, AgentId(command.agent_id), command.conversation_key
                    )
                waits = await uow.client_waits.find(
                    principal.scope,
                    dialogue.call_ids,
                    agent_id=AgentId(command.agent_id),
                    end_user_id=end_user_id,
                    now=self._clock.now(),
                )
        digests = HistoryDigests(
            agent_id=command.agent_id, end_user_id=end_user_id, tools=command.overrides.tools
        )
        return Request(
            principal=principal,
            command=command,
            dialogue=dialogue,
            digests=digests,
            waits=waits,
            named=ConversationId(named) if named is not None else None,
        )

    async def _go_on(self, request: Request) -> OpenedRun:
        """Decide what becomes of outputs."""
        group = request.group
        if not request.keeps_history:
            is_own = request.is_own(group)
            if not is_own or group[0].state not in {WaitState.PENDING, WaitState.ANSWERED}:
                await self._require_idle(request)
            if not is_own:
                group = ()
        if not group:
            return await self._rebuild(request, None)
        asked = request.dialogue.asked
        known = {call.id for call in asked.tool_calls} if asked is not None else None
        missing = [
            wait.call_id
            for wait in group
            if wait.call_id not in request.dialogue.outputs
            and (known is None or wait.call_id in known)
        ]
        request.dialogue.require_outputs(missing)
        first = group[0]
        run = await self._find(request.principal.scope, first.run_id)
        is_stored = first.conversation_id is not None
        if request.keeps_history and is_stored != request.command.save_history:
            return await self._rebuild(request, run)  # one of the two is not to be kept
        match first.state:
            case WaitState.PENDING if run is not None:
                is_whole = len(group) == len(request.dialogue.outputs)
                if request.keeps_history and not (is_whole and request.is_continued(first)):
                    return await self._rebuild(request, run)
                return await self._resume(request, first, run)
            case WaitState.ANSWERED if run is not None:
                return await self._again(request, first, run)
            case _:
                return await self._rebuild(request, run)

    async def _require_idle(self, request: Request) -> None:
        """Refuse outputs that are not what the conversation waits for.

        Raises:
            ConversationBusy: it waits for others.
        """
        named = request.named
        if named is not None and await self._is_waiting(request.principal.scope, named):
            raise ConversationBusy(
                "The conversation waits for outputs of other calls; answer these, or ask anew.",
                conversation_id=named,
            )

    async def _is_waiting(self, scope: TenantScope, conversation_id: ConversationId) -> bool:
        async with self._store.snapshot() as uow:
            runs = await uow.runs.unsettled(scope, conversation_id)
        return any(run.waits_for is not None and run.waits_for.calls for run in runs)

    async def _find(self, scope: TenantScope, run_id: RunId) -> Run | None:
        try:
            async with self._store.snapshot() as uow:
                return await uow.runs.get(scope, run_id)
        except RunNotFound:
            return None

    async def _resume(self, request: Request, wait: ClientWait, run: Run) -> OpenedRun:
        dialogue = request.dialogue
        command = msgspec.structs.replace(
            request.command,
            messages=_incoming(dialogue.before, request.waits),
            extra_system=dialogue.system,
            history=request.history,
        )
        handed_over = SubmitOutputs(
            run_id=run.id,
            conversation_id=run.conversation_id,
            outputs=tuple(dialogue.outputs.items()),
            log_id=command.log_id,
            request=command,
            ordinal=wait.ordinal,
        )
        try:
            view = await self._runs.submit(request.principal, handed_over)
        except Conflict as exc:  # it is being gone on with in this very moment
            raise StaleRevision("The run goes on already.", run_id=run.id) from exc
        return _opened(view, wait, kind="resume")

    async def _again(self, request: Request, wait: ClientWait, run: Run) -> OpenedRun:
        """Follow what was answered before, if the client did not read it; else begin anew."""
        key = request.command.idempotency_key
        is_repeated = bool(key) and wait.request_key == output_digest(key)
        if run.status in {RunStatus.CREATED, RunStatus.IN_PROGRESS} and not run.is_finishing:
            if request.has_same_outputs:
                return _opened(run_view(run), wait, kind="replay")
            raise ToolOutputsConflict(
                f"{request.dialogue.field}: the run goes on with other outputs of these calls; "
                "wait for its end.",
                field=request.dialogue.field,
            )
        is_unread = is_repeated or not wait.is_delivered
        if run.status is RunStatus.FAILED and request.tells_calls:  # asking again shall help
            return await self._rebuild(request, run)
        if request.has_same_outputs and is_unread and self._is_kept(run):
            return _opened(run_view(run), wait, kind="replay")
        return await self._rebuild(request, run)

    def _is_kept(self, run: Run) -> bool:
        """Tell whether the events of a run are still there."""
        ended_at = run.completed_at or run.failed_at or run.canceled_at
        since = self._clock.now() - timedelta(seconds=self._limits.event_log_ttl_s)
        return run.status is not RunStatus.CANCELED and (ended_at is None or ended_at > since)

    async def _rebuild(self, request: Request, run: Run | None) -> OpenedRun:
        """Begin anew from the history as it was sent, with what the agent did by itself."""
        if not request.tells_calls:
            field = request.dialogue.field
            raise InvalidToolCallId(
                f"{field}: these outputs belong to no call that waits; send the question and the "
                "calls as well, to begin anew.",
                field=field,
            )
        steps = request.dialogue.steps
        if run is not None and (question := question_of(run.waits_for)) is not None:
            steps = _with_own_steps(steps, self._agents.steps(question), request.waits)
        opened = await self._begin(request, kind="rebuild", steps=steps)
        if run is not None:
            await self._replace(request.principal.scope, run.id)
        return opened

    async def _replace(self, scope: TenantScope, run_id: RunId) -> None:
        """End a run that waits for what nobody will bring."""
        try:
            async with self._store.transaction() as uow:
                run = await uow.runs.get(scope, run_id)
                if run.status is not RunStatus.REQUIRES_ACTION:
                    return
                run.cancel(CancelReason.SUPERSEDED, now=self._clock.now())
                await uow.runs.save(scope, run)
                await uow.client_waits.end(run.id, WaitState.REPLACED)
                await uow.commit()
        except (StaleRevision, RunAlreadySettled, RunNotFound):
            return  # it went on or ended meanwhile

    async def _begin(
        self,
        request: Request,
        *,
        kind: Literal["new", "rebuild"],
        steps: Sequence[ChatMessage] | None = None,
    ) -> OpenedRun:
        dialogue = request.dialogue
        command = msgspec.structs.replace(
            request.command,
            messages=_incoming(dialogue.before, request.waits),
            steps=_known(dialogue.steps if steps is None else steps, request.waits),
            extra_system=dialogue.system,
            history=request.history,
        )
        run = await self._runs.start(request.principal, command)
        return OpenedRun(run=run, kind=kind)


def _opened(run: RunView, wait: ClientWait, *, kind: Literal["resume", "replay"]) -> OpenedRun:
    return OpenedRun(
        run=run, kind=kind, resumes=wait.ordinal, after=wait.last_event, used=wait.usage
    )


def _known(messages: Sequence[ChatMessage], waits: Sequence[ClientWait]) -> tuple[ChatMessage, ...]:
    """Give calls the ids back that the model had given them."""
    names = {wait.call_id: wait.upstream_id for wait in waits}
    return tuple(
        msgspec.structs.replace(
            message,
            tool_calls=tuple(
                msgspec.structs.replace(call, upstream_id=names.get(call.id, call.upstream_id))
                for call in message.tool_calls
            ),
        )
        if message.tool_calls
        else message
        for message in messages
    )


def _incoming(
    messages: Sequence[ChatMessage], waits: Sequence[ClientWait]
) -> tuple[IncomingMessage, ...]:
    """Return what a conversation keeps of a history: calls apart from what was said with them."""
    found: list[IncomingMessage] = []
    names: dict[str, str] = {}
    taken: set[str] = set()
    for message in _known(messages, waits):
        if message.role == "tool":
            call_id = names.get(message.tool_call_id, message.tool_call_id)
            found.append(IncomingMessage(role="tool", parts=message.parts, tool_call_id=call_id))
            continue
        if message.parts:
            found.append(
                IncomingMessage(
                    role="user" if message.role == "user" else "assistant",
                    parts=message.parts,
                    is_text=all(isinstance(part, TextPart) for part in message.parts),
                )
            )
        if message.tool_calls:
            names = {call.id: _free(call.id, taken) for call in message.tool_calls}
            taken.update(names.values())
            calls = tuple(
                msgspec.structs.replace(call, id=names[call.id]) for call in message.tool_calls
            )
            found.append(IncomingMessage(role="assistant", parts=(), tool_calls=calls))
    return tuple(found)


def _free(call_id: str, taken: set[str]) -> str:
    """Return an id like this one that no earlier call has: other providers count anew each time."""
    name, number = call_id, 1
    while name in taken:
        number += 1
        name = f"{call_id}_{number}"
    return name


def _with_own_steps(
    steps: Sequence[ChatMessage], own: Sequence[ChatMessage], waits: Sequence[ClientWait]
) -> tuple[ChatMessage, ...]:
    """Put what the agent called by itself before the calls of the client that followed it.

    Only before those that the client tells as they were made; what was said beside is in them.
    """
    answers = {wait.call_id: wait.answer for wait in waits}
    told: list[ChatMessage] = []
    at = 0
    for step in steps:
        ids = {call.id for call in step.tool_calls}
        if ids and all(answers.get(each) == _digest(step) for each in ids):
            end = next(
                (n for n in range(at, len(own)) if ids & {c.id for c in own[n].tool_calls}), None
            )
            if end is not None:
                told += [_silent(message) for message in own[at:end]]
                asked, results = own[end], _results(own[end + 1 :])
                calls = tuple(call for call in asked.tool_calls if call.id not in ids)
                if calls:
                    told.append(ChatMessage(role="assistant", tool_calls=calls))
                    told += _of(calls, results)
                at = end + 1 + len(results)
        told.append(step)
    return tuple(told)


def _digest(step: ChatMessage) -> str:
    return answer_digest(step.text, step.tool_calls)


def _silent(message: ChatMessage) -> ChatMessage:
    """Leave out what was said before a call: the client has it in its own message."""
    if message.role != "assistant":
        return message
    return msgspec.structs.replace(message, parts=())


def _results(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Return the results at the beginning of messages."""
    results: list[ChatMessage] = []
    for message in messages:
        if message.role != "tool":
            break
        results.append(message)
    return results


def _of(calls: Sequence[ToolCall], results: Sequence[ChatMessage]) -> list[ChatMessage]:
    ids: Mapping[str, None] = {call.id: None for call in calls}
    return [result for result in results if result.tool_call_id in ids]
