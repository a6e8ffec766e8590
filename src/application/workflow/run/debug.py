"""Debugging: one node by itself, and a run again from a node on."""

from application.workflow.definition.catalog import LoadedWorkflow, WorkflowCatalog
from application.workflow.run.dto import (
    ForkRun,
    ReplayRun,
    TestNode,
    WorkflowRunView,
    run_view,
)
from application.workflow.run.executor import RunJob
from application.workflow.run.launch import RunLauncher
from application.workflow.run.state import RunPrograms, rebuild
from domain.shared.access import Permission, Principal
from domain.shared.account import current_origin
from domain.shared.error import Conflict, NotFound
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import RunId, SpaceId
from domain.workflow.engine.debug import fork, keep_effects, require_known, single_node
from domain.workflow.engine.state import RunState
from domain.workflow.error import NotCompilable
from domain.workflow.plan import Plan
from domain.workflow.run.repository import WorkflowRunStore
from domain.workflow.run.workflow_run import RunKind, RunMode, WorkflowRun
from infra.contract.clock import Clock


class WorkflowNodeNotFound(NotFound):
    """The workflow has no such node, or not where it would have to be."""


class RunNotRepeatable(Conflict):
    """Only runs of whole workflows that are over can be repeated from a node on."""


class WorkflowDebugging:
    """Runs of drafts that are not from start to end."""

    def __init__(
        self,
        *,
        store: WorkflowRunStore,
        catalog: WorkflowCatalog,
        programs: RunPrograms,
        launcher: RunLauncher,
        clock: Clock,
        ids: IdGenerator,
    ) -> None:
        self._store = store
        self._catalog = catalog
        self._programs = programs
        self._launcher = launcher
        self._clock = clock
        self._ids = ids

    async def test_node(self, principal: Principal, command: TestNode) -> WorkflowRunView:
        """Run one node of the draft, a composite with its whole body.

        Raises:
            WorkflowNotFound: no such workflow here (4200).
            WorkflowNodeNotFound: it has no such node (4200).
            NotCompilable: the canvas cannot run (720799005).
            InvalidRequest: the node reads nothing of the name of an input (4000).
            Forbidden: the token or role may not change workflows here (4101).
        """
        loaded = await self._catalog.load(principal.scope, command.workflow_id, draft=True)
        principal.require(Permission.WORKFLOW_WRITE, SpaceId(loaded.space_id))
        try:
            require_known(loaded.program, command.node_id, command.inputs)
            plan, state = single_node(loaded.program, command.node_id, command.inputs)
        except NotCompilable as exc:
            raise WorkflowNodeNotFound(exc.message, node_id=command.node_id) from exc
        now = self._clock.now()
        run = WorkflowRun(
            id=RunId(self._ids.next_id()),
            space_id=SpaceId(loaded.space_id),
            workflow_id=loaded.workflow_id,
            version="",
            version_hash=plan.version_hash,
            canvas_digest=loaded.digest,
            kind=RunKind.NODE,
            mode=command.mode,
            node_id=command.node_id,
            creator_id=principal.user_id,
            connector_id=command.connector_id,
            app_id=loaded.app_id,
            log_id=command.log_id,
            origin=current_origin(),
            input=dict(command.inputs),
            created_at=now,
            updated_at=now,
        )
        state.run_id = str(run.id)
        return await self._open(run, loaded, plan, state)

    async def repeat(self, principal: Principal, command: ForkRun) -> WorkflowRunView:
        """Start a run that repeats another one from a node on.

        Raises:
            WorkflowRunNotFound: no such run here (4200).
            WorkflowNodeNotFound: the workflow has no such node at its top level (4200).
            RunNotRepeatable: the run goes on, or is one of a single node (4106).
            InvalidRequest: the node reads no such input, or an output is of no such node (4000).
            Forbidden: the token or role may not change workflows here (4101).
        """
        source, plan, before = await self._source(principal, command.run_id)
        run = self._copy(principal, source, command)
        loaded = await self._loaded(principal, source, run)
        try:
            state = fork(
                plan,
                before,
                run_id=str(run.id),
                node_id=command.node_id,
                inputs=command.inputs,
                outputs=command.outputs,
            )
        except NotCompilable as exc:
            raise WorkflowNodeNotFound(exc.message, node_id=command.node_id) from exc
        return await self._open(run, loaded, plan, state)

    async def replay(self, principal: Principal, command: ReplayRun) -> WorkflowRunView:
        """Start a run that does what another one did.

        Raises:
            WorkflowRunNotFound, WorkflowNodeNotFound, Forbidden: as ``repeat``.
            RunNotRepeatable: as ``repeat``, or a node would change something outside for the first
                time, although that is not wanted (4106).
        """
        source, plan, before = await self._source(principal, command.run_id)
        run = self._copy(principal, source, command)
        loaded = await self._loaded(principal, source, run)
        node_id = command.node_id or plan.root.nodes[0].node.id
        try:
            state = fork(plan, before, run_id=str(run.id), node_id=node_id)
        except NotCompilable as exc:
            raise WorkflowNodeNotFound(exc.message, node_id=node_id) from exc
        if not command.node_id:
            state.root.outcomes.clear()
        if not command.has_effects and (unknown := keep_effects(plan, before, state)):
            names = ", ".join(unknown)
            raise RunNotRepeatable(
                f"{names} would change something outside, and the run before did not come there: "
                "ask for effects."
            )
        return await self._open(run, loaded, plan, state)

    async def _source(
        self, principal: Principal, run_id: int
    ) -> tuple[WorkflowRun, Plan, RunState]:
        """Return a run that may be repeated, its program, and where it stood at its end."""
        async with self._store.snapshot() as uow:
            source = await uow.runs.get(principal.scope, RunId(run_id))
            stored = await uow.runs.state(source.scope, source.id)
        principal.require(Permission.WORKFLOW_WRITE, source.space_id)
        if not source.is_over or source.kind is RunKind.NODE:
            raise RunNotRepeatable("Repeat a run of a whole workflow once it is over.")
        plan = await self._programs.plan(source)
        return source, plan, await rebuild(source, plan, stored)

    async def _loaded(
        self, principal: Principal, source: WorkflowRun, run: WorkflowRun
    ) -> LoadedWorkflow | None:
        """Return what is to be kept with a run; that of a draft is kept already."""
        if source.is_debug:
            return None
        loaded = await self._catalog.load(
            principal.scope, source.workflow_id, version=source.version
        )
        run.canvas_digest = loaded.digest
        return loaded

    def _copy(
        self, principal: Principal, source: WorkflowRun, command: ForkRun | ReplayRun
    ) -> WorkflowRun:
        now = self._clock.now()
        return WorkflowRun(
            id=RunId(self._ids.next_id()),
            space_id=source.space_id,
            workflow_id=source.workflow_id,
            version=source.version,
            version_hash=source.version_hash,
            canvas_digest=source.canvas_digest,
            kind=RunKind.FORK,
            mode=command.mode,
            node_id=command.node_id,
            creator_id=principal.user_id,
            end_user_id=source.end_user_id,
            connector_id=source.connector_id,
            app_id=source.app_id,
            agent_id=source.agent_id,
            egress_hosts=source.egress_hosts,
            conversation_id=source.conversation_id,
            log_id=command.log_id,
            origin=current_origin(),
            input=source.input,
            answers=source.answers,
            created_at=now,
            updated_at=now,
        )

    async def _open(
        self, run: WorkflowRun, loaded: LoadedWorkflow | None, plan: Plan, state: RunState
    ) -> WorkflowRunView:
        async with self._launcher.admission(run) as admission:
            if loaded is not None:
                await self._programs.keep(run, loaded)
            job = RunJob(run=run, plan=plan, state=state, keeps_first_state=True)
            live = await self._launcher.open(job, admission)
        if run.mode is RunMode.SYNC:
            await live.ended.wait()
        return run_view(live.run)
