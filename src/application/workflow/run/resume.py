"""Answers to questions of runs."""

import msgspec

from application.workflow.run.dto import ResumeWorkflow
from application.workflow.run.executor import RunJob
from application.workflow.run.launch import RunLauncher
from application.workflow.run.state import RunPrograms, rebuild
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.crashpoint import crashpoint
from domain.shared.error import InvalidRequest, StaleRevision
from domain.shared.ids import RunId
from domain.workflow.engine.checkpoint import encode_entry
from domain.workflow.engine.event import JournalEntry
from domain.workflow.engine.execution import Engine
from domain.workflow.engine.interrupt import Interrupt
from domain.workflow.engine.state import RunState
from domain.workflow.run.repository import LogBatch, StoredState, WorkflowRunStore
from domain.workflow.run.workflow_run import InterruptNotFound, WorkflowRun, WorkflowRunNotFound
from infra.contract.clock import Clock


class RunAnswers:
    """Lets runs go on; of two answers to one question exactly one is taken."""

    def __init__(
        self,
        *,
        store: WorkflowRunStore,
        programs: RunPrograms,
        engine: Engine,
        launcher: RunLauncher,
        clock: Clock,
    ) -> None:
        self._store = store
        self._programs = programs
        self._engine = engine
        self._launcher = launcher
        self._clock = clock

    async def resume(self, principal: Principal, command: ResumeWorkflow) -> int:
        """Take an answer and let the run go on; return the number of its last event before.

        The answer is stored before this returns.

        Raises:
            WorkflowRunNotFound: no such run of the workflow here (4200).
            InterruptNotFound: the run does not wait for this event, or no longer (4200).
            InvalidRequest: the event is of another type (4000).
            Forbidden: the token or role may not run workflows here (4101).
            NotCompilable: the program of the run is gone (720799005).
            RateLimited: too many runs in this process or space (4013).
        """
        run, stored = await self._find(principal.scope, command)
        principal.require(Permission.WORKFLOW_RUN, run.space_id)
        return await self._go_on(run, stored, command)

    async def resume_as(self, scope: TenantScope, command: ResumeWorkflow) -> int:
        """Resume for a caller who was found to be allowed to; raises as ``resume``."""
        return await self._go_on(*await self._find(scope, command), command)

    async def _find(
        self, scope: TenantScope, command: ResumeWorkflow
    ) -> tuple[WorkflowRun, StoredState]:
        run_id = RunId(command.run_id)
        async with self._store.snapshot() as uow:
            run = await uow.runs.get(scope, run_id)
            stored = await uow.runs.state(run.scope, run_id)
        if command.workflow_id not in {None, run.workflow_id}:
            raise WorkflowRunNotFound(f"No run {run_id} of this workflow.", run_id=run_id)
        return run, stored

    async def _go_on(self, run: WorkflowRun, stored: StoredState, command: ResumeWorkflow) -> int:
        _check_kind(run.open_question(command.event_id), command.kind)
        self._launcher.registry.require_room(run.space_id)
        await self._launcher.registry.vacancy(run.id)
        plan = await self._programs.plan(run)
        state = await rebuild(run, plan, stored)
        batch = self._answer(state, stored, command)
        await self._store_answer(run, state, batch)
        last_seq = stored.last_seq
        stored = msgspec.structs.replace(stored, last_number=batch.number)
        self._launcher.launch(RunJob(run=run, plan=plan, state=state, stored=stored))
        return last_seq

    def _answer(self, state: RunState, stored: StoredState, command: ResumeWorkflow) -> LogBatch:
        journal = _AnswerJournal()
        before = state.sequence
        self._engine.answer(state, command.event_id, command.data, journal=journal)
        return LogBatch(
            number=stored.last_number + 1,
            entries_after=before,
            entries_to=state.sequence,
            entries=msgspec.msgpack.encode(journal.entries),
            first_seq=0,
            last_seq=0,
            events=b"",
        )

    async def _store_answer(self, run: WorkflowRun, state: RunState, batch: LogBatch) -> None:
        run.resume(
            self._launcher.owner,
            state.pending,
            now=self._clock.now(),
            lease_s=self._launcher.lease_s,
        )
        try:
            async with self._store.transaction() as uow:
                await uow.runs.save(run.scope, run)
                await uow.runs.append(run.scope, run.id, batch)
                crashpoint("workflow.answer.before_commit")
                await uow.commit()
            crashpoint("workflow.answer.committed")
        except StaleRevision as exc:
            raise InterruptNotFound("The event was answered a moment ago.", run_id=run.id) from exc


class _AnswerJournal:
    """Holds the one entry of an answer."""

    def __init__(self) -> None:
        self.entries: list[bytes] = []

    def record(self, *entries: JournalEntry) -> None:
        self.entries.extend(map(encode_entry, entries))

    async def flush(self) -> None:
        """Do nothing: the caller stores the entries."""


def _check_kind(question: Interrupt, kind: int | None) -> None:
    """Clients may name the type they were told, or the one behind it."""
    if kind is not None and kind not in {question.kind, question.event_kind}:
        raise InvalidRequest(
            f"interrupt_type: the event has type {int(question.kind)}.", field="interrupt_type"
        )
