"""Use cases on runs of workflows: start, wait, look up, cancel."""

import asyncio
import hashlib
from typing import Final

import msgspec

from application.run.allowance import Admission
from application.run.registry import Stop
from application.shared.wakeup import Wakeups
from application.workflow.definition.catalog import LoadedWorkflow, WorkflowCatalog
from application.workflow.run.dto import StartWorkflow, WorkflowRunView, run_view
from application.workflow.run.executor import RunJob
from application.workflow.run.launch import RunLauncher
from application.workflow.run.live import LiveRun
from application.workflow.run.lost import LostTraces
from application.workflow.run.parked import end_parked
from application.workflow.run.signal import WORKFLOW_CANCEL, WORKFLOW_QUEUED
from application.workflow.run.state import RunPrograms, ends_with_answer, first_state
from crossdomain.agent.contract import AgentDirectory
from crossdomain.usage.contract import BudgetExceeded, Budgets
from domain.shared.access import Permission, Principal, ResourceKind, TenantScope
from domain.shared.account import current_origin
from domain.shared.error import InvalidRequest, NotFound, ShuttingDown, StaleRevision
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import AgentId, RunId, SpaceId
from domain.shared.limits import Limits
from domain.workflow.engine.debug import require_mockable
from domain.workflow.engine.kept_variables import KeptVariables
from domain.workflow.graph import Program
from domain.workflow.node.control.entry import EntryConfig, read_input
from domain.workflow.run.repository import WorkflowRunStore
from domain.workflow.run.workflow_run import RunKind, RunMode, WorkflowRun, WorkflowRunNotFound
from infra.contract.clock import Clock
from infra.contract.messaging.signal import Signals

_POLL_S: Final = 0.1


class WorkflowRunService:
    """Runs belong to the process, not to whoever started them: a caller that leaves is no end."""

    def __init__(
        self,
        *,
        store: WorkflowRunStore,
        catalog: WorkflowCatalog,
        programs: RunPrograms,
        agents: AgentDirectory,
        launcher: RunLauncher,
        signals: Signals,
        wakeups: Wakeups,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
        traces: LostTraces,
        budgets: Budgets | None = None,
    ) -> None:
        self._budgets = budgets
        self._store = store
        self._catalog = catalog
        self._programs = programs
        self._agents = agents
        self._launcher = launcher
        self._signals = signals
        self._wakeups = wakeups
        self._requests = RunRequests(store=store)
        self._traces = traces
        self._clock = clock
        self._ids = ids
        self._limits = limits

    async def start(self, principal: Principal, command: StartWorkflow) -> WorkflowRunView:
        """Start a run and return it; an asynchronous one is stored before that.

        A repeated idempotency key returns the run of the first request.

        Raises:
            WorkflowNotFound: no such workflow here (4200).
            WorkflowNotPublished: it has no version, or not this one (4200).
            NotFound: no such agent in its space (4200).
            NotCompilable: the canvas cannot run (720799005).
            Forbidden: the token or role may not run workflows here, or not change them if it is
                the draft (4101).
            InvalidRequest: the idempotency key came with another request, or a node cannot be
                replaced by the outputs given for it (4000).
            MissingValue, InvalidValue: an asynchronous run would fail by its parameters (4000).
            RateLimited: too many runs in this process or space (4013).
            BudgetExceeded: a budget that the run would count for is used up (4028).
            ShuttingDown: the process takes no new work (5002).
        """
        return run_view((await self._start(principal, command)).run)

    async def run(self, principal: Principal, command: StartWorkflow) -> WorkflowRunView:
        """Start a run and return it once it ended or waits for an answer.

        Raises as ``start``, and:
            RunNotRecorded: not even its failure could be stored (5000).
            Unavailable: the storage was away while it ran, and knows nothing of it (5002).
        """
        live = await self._start(principal, command)
        await live.ended.wait()
        if live.failure is not None:
            raise live.failure
        if live.is_settled:
            return run_view(live.run)
        return await self.wait(principal, live.run.id)

    async def wait(self, principal: Principal, run_id: int) -> WorkflowRunView:
        """Return a run once it ended or waits for an answer.

        Raises:
            WorkflowRunNotFound: no such run here (4200).
            ShuttingDown: the process ends, and another one goes on with the run (5002).
        """
        with self._wakeups.waiter(run_id) as waiter:
            while True:
                live = self._launcher.find(principal.scope, run_id)
                if live is not None:
                    await live.ended.wait()
                    if live.failure is not None:
                        raise live.failure
                    if live.is_settled:
                        return run_view(live.run)
                if self._launcher.registry.is_draining:
                    text = f"The server is shutting down; run {run_id} goes on afterwards."
                    raise ShuttingDown(text, run_id=run_id)
                view = await self.get(principal, run_id)
                if view.is_over:
                    return view
                await waiter.pause()

    async def get(
        self, principal: Principal, run_id: int, *, workflow_id: int | None = None
    ) -> WorkflowRunView:
        """Return a run; raise ``WorkflowRunNotFound``, also if it is one of another workflow."""
        view = await self.look_up(principal.scope, run_id)
        if workflow_id not in {None, view.workflow_id}:
            raise WorkflowRunNotFound(f"No run {run_id} of this workflow.", run_id=run_id)
        principal.require(Permission.WORKFLOW_READ, SpaceId(view.space_id))
        return view

    async def look_up(self, scope: TenantScope, run_id: int) -> WorkflowRunView:
        """Return a run for a caller who was found to be allowed to; raises as ``get``."""
        live = self._launcher.find(scope, run_id)
        if live is not None:
            return run_view(live.run)
        async with self._store.snapshot() as uow:
            return run_view(await uow.runs.get(scope, RunId(run_id)))

    def variables(self, scope: TenantScope, run_id: int) -> KeptVariables | None:
        """Return variables that a run in progress here keeps, as they are now."""
        live = self._launcher.find(scope, run_id)
        return live.execution.variables if live is not None and live.execution else None

    async def stop(self, scope: TenantScope, run_id: int) -> None:
        """End a run for good, soon, for a caller who was found to be allowed to."""
        live = self._launcher.find(scope, run_id)
        if live is not None:
            live.stop(Stop.REQUESTED)
        else:
            await self._cancel_stored(scope, RunId(run_id))

    async def cancel(self, principal: Principal, run_id: int) -> WorkflowRunView:
        """End a run for good and return it; one that ended before stays as it is.

        Raises:
            WorkflowRunNotFound: no such run here (4200).
            Forbidden: the token or role may not run workflows here (4101).
        """
        view = await self.get(principal, run_id)
        principal.require(Permission.WORKFLOW_RUN, SpaceId(view.space_id))
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._limits.cancel_wait_s
        while not view.phase.is_final and loop.time() < deadline:
            live = self._launcher.find(principal.scope, run_id)
            if live is not None:
                live.stop(Stop.REQUESTED)
                await _ended_within(live, deadline - loop.time())
            else:
                await self._cancel_stored(principal.scope, RunId(run_id))
                await asyncio.sleep(_POLL_S)
            view = await self.get(principal, run_id)
        return view

    async def _start(self, principal: Principal, command: StartWorkflow) -> LiveRun:
        needed = {Permission.WORKFLOW_RUN}
        if command.is_draft:
            needed.add(Permission.WORKFLOW_WRITE)
        principal = principal.toward(
            ResourceKind.WORKFLOW, int(command.workflow_id), permissions=frozenset(needed)
        )
        loaded = await self._catalog.load(
            principal.scope, command.workflow_id, version=command.version, draft=command.is_draft
        )
        principal.require(Permission.WORKFLOW_RUN, SpaceId(loaded.space_id))
        if command.mode is RunMode.STREAM:  # who may not follow it should not find it started
            principal.require(Permission.WORKFLOW_READ, SpaceId(loaded.space_id))
        if command.is_draft:
            principal.require(Permission.WORKFLOW_WRITE, SpaceId(loaded.space_id))
        if command.mocks:
            require_mockable(loaded.program, command.mocks)
        if command.agent_id:
            await self._require_agent(principal.scope.within(SpaceId(loaded.space_id)), command)
        return await self.launch(principal.scope, command, loaded)

    async def launch(
        self, scope: TenantScope, command: StartWorkflow, loaded: LoadedWorkflow
    ) -> LiveRun:
        """Start a run for a caller who was found to be allowed to; raises as ``start``."""
        run = self._new_run(scope, command, loaded)
        if run.mode is RunMode.ASYNC:
            # Who asks for a result later would only be told of wrong parameters by a failed run.
            _require_input(run, loaded.program)
        async with self._launcher.admission(run) as admission:
            return await self._open(scope, command, loaded, run, admission)

    async def _open(
        self,
        scope: TenantScope,
        command: StartWorkflow,
        loaded: LoadedWorkflow,
        run: WorkflowRun,
        admission: Admission,
    ) -> LiveRun:
        if self._budgets is not None:
            try:
                await self._budgets.require(run.space_id, run.account)
            except BudgetExceeded:
                # A request that was accepted before gets its run, whatever has become of the
                # budget.
                if (known := await self._requests.find(scope, command)) is None:
                    raise
                return self._launcher.find(scope, known.id) or self._launcher.show(known)
        # Before the run is stored: another worker must find the canvas of each run that it can
        # take.
        await self._programs.keep(run, loaded)
        known = await self._requests.admit(scope, run, command)
        if known is not None:
            live = self._launcher.find(scope, known.id)
            return live or self._launcher.show(known)
        state = first_state(run, loaded.plan)
        state.mocks = {node_id: {**output} for node_id, output in command.mocks.items()}
        job = RunJob(run=run, plan=loaded.plan, state=state, keeps_first_state=bool(command.mocks))
        live = await self._launcher.open(job, admission)
        if not run.lease_owner:
            # Nobody holds it yet, and it is stored: ``open`` returns only then.
            self._signals.send(WORKFLOW_QUEUED, str(run.id))
        return live

    async def _require_agent(self, scope: TenantScope, command: StartWorkflow) -> None:
        agent_id = AgentId(command.agent_id)
        if agent_id not in await self._agents.names(scope, [agent_id]):
            raise NotFound(
                f"No bot {agent_id} in the workspace of the workflow.", agent_id=agent_id
            )

    def _new_run(
        self, scope: TenantScope, command: StartWorkflow, loaded: LoadedWorkflow
    ) -> WorkflowRun:
        now = self._clock.now()
        _require_storable(command)
        return WorkflowRun(
            id=RunId(command.run_id or self._ids.next_id()),
            space_id=SpaceId(loaded.space_id),
            workflow_id=loaded.workflow_id,
            version=loaded.version,
            version_hash=loaded.plan.version_hash,
            canvas_digest=loaded.digest if command.is_draft else "",
            kind=RunKind.DEBUG if command.is_draft else RunKind.RELEASE,
            mode=command.mode,
            creator_id=scope.principal_id,
            end_user_id=command.end_user_id,
            connector_id=command.connector_id,
            app_id=command.app_id or loaded.app_id,
            agent_id=command.agent_id,
            conversation_id=command.conversation_id,
            egress_hosts=command.egress_hosts,
            log_id=command.log_id,
            origin=current_origin(),
            input=dict(command.parameters),
            answers=ends_with_answer(loaded.program),
            created_at=now,
            updated_at=now,
        )

    async def _cancel_stored(self, scope: TenantScope, run_id: RunId) -> None:
        """End a run that nobody works on; leave word for whoever does."""
        now = self._clock.now()
        async with self._store.transaction() as uow:
            run = await uow.runs.get(scope, run_id)
            if run.is_final:
                return
            if run.lease_owner:
                await uow.runs.request_cancel(scope, run_id, now=now)
            else:
                run.cancel(now=now)
                try:
                    await end_parked(uow, run, traces=self._traces)
                except StaleRevision:
                    return
            await uow.commit()
        self._signals.send(WORKFLOW_CANCEL, str(run_id))


def _require_storable(command: StartWorkflow) -> None:
    """Raise ``InvalidRequest`` for parameters that no record of the run can hold."""
    try:
        msgspec.msgpack.encode((command.parameters, command.mocks))
    except (TypeError, ValueError, OverflowError, RecursionError) as exc:
        raise InvalidRequest(f"parameters: {exc}.", field="parameters") from exc


def _require_input(run: WorkflowRun, program: Program) -> None:
    """Refuse parameters that the entry would refuse, while there is somebody to tell."""
    entry = program.root.node(program.root.start)
    if entry is not None and isinstance(entry.config, EntryConfig):
        read_input(entry, run.input, is_strict=not run.is_debug)


async def _ended_within(live: LiveRun, seconds: float) -> None:
    try:
        async with asyncio.timeout(max(seconds, 0.0)):
            await live.ended.wait()
    except TimeoutError:
        return


class RunRequests:
    """Remembers which run belongs to an idempotency key of a caller."""

    def __init__(self, *, store: WorkflowRunStore) -> None:
        self._store = store

    async def admit(
        self, scope: TenantScope, run: WorkflowRun, command: StartWorkflow
    ) -> WorkflowRun | None:
        """Store the run together with its key, or return the run that the key stands for.

        Raises:
            InvalidRequest: the key came with another request (4000).
        """
        key = command.idempotency_key
        if not key:
            return None
        digest = _digest(command)
        known = await self._find(scope, key, digest)
        if known is not None:
            return known
        try:
            async with self._store.transaction() as uow:
                await uow.runs.save(scope, run)
                await uow.runs.remember_request(scope, run, key, digest)
                await uow.commit()
        except StaleRevision:  # somebody was faster with the same key
            return await self._find(scope, key, digest)
        return None

    async def find(self, scope: TenantScope, command: StartWorkflow) -> WorkflowRun | None:
        """Return the run of a key that was used before; errors as ``admit``."""
        key = command.idempotency_key
        return await self._find(scope, key, _digest(command)) if key else None

    async def _find(self, scope: TenantScope, key: str, digest: str) -> WorkflowRun | None:
        async with self._store.snapshot() as uow:
            found = await uow.runs.find_request(scope, key)
        if found is None:
            return None
        if found[1] != digest:
            raise InvalidRequest(
                "Idempotency-Key: this key came with another request before.",
                field="Idempotency-Key",
            )
        return found[0]


def _digest(command: StartWorkflow) -> str:
    said = (
        command.workflow_id,
        command.version,
        command.is_draft,
        command.mode.value,
        command.app_id,
        command.agent_id,
        command.parameters,
        *((command.mocks,) if command.mocks else ()),
    )
    return hashlib.sha256(msgspec.json.encode(said, order="sorted")).hexdigest()
