"""From what is stored to what a worker needs: the program of a run, and its state."""

import asyncio
from typing import Final

import msgspec
from cachetools import TTLCache

from application.workflow.definition.catalog import LoadedWorkflow, WorkflowCatalog
from application.workflow.definition.plan_cache import PlanCache
from domain.shared.error import AppError
from domain.workflow.canvas.text import Canvas, Dialect
from domain.workflow.engine.checkpoint import decode_entry, decode_state, fold
from domain.workflow.engine.debug import single_node
from domain.workflow.engine.state import RunState
from domain.workflow.error import NotCompilable
from domain.workflow.graph import OnNode, Program
from domain.workflow.node.control.exit import ExitConfig
from domain.workflow.plan import Plan
from domain.workflow.run.repository import StoredState, WorkflowRunStore
from domain.workflow.run.workflow_run import RunKind, WorkflowRun

_BLOBS: Final = msgspec.msgpack.Decoder(list[bytes])
_NAMES: Final = 1024
_NAMES_S: Final = 60.0
_LARGE_BYTES: Final = 256 * 1024
"""States from this size are read in a thread."""


class RunPrograms:
    """Finds the program that a stored run belongs to, whatever became of the draft."""

    def __init__(
        self, *, catalog: WorkflowCatalog, plans: PlanCache, store: WorkflowRunStore
    ) -> None:
        self._catalog = catalog
        self._plans = plans
        self._store = store
        self._names: TTLCache[int, str] = TTLCache(_NAMES, _NAMES_S)

    async def keep(self, run: WorkflowRun, loaded: LoadedWorkflow) -> None:
        """Keep the canvas of a draft that is about to be run."""
        if not run.is_debug:
            return
        async with self._store.snapshot() as uow:
            known = await uow.runs.canvas(run.scope, run.space_id, run.canvas_digest)
        if known is None:
            canvas = Canvas.of(loaded.canvas, Dialect(loaded.dialect))
            async with self._store.transaction() as uow:
                await uow.runs.put_canvas(run.scope, run.space_id, canvas)
                await uow.commit()

    async def name(self, run: WorkflowRun) -> str:
        """Return the name of the workflow of a run; empty if that cannot be told now."""
        try:
            return await self._catalog.name(run.scope, run.workflow_id)
        except AppError:
            return ""

    async def known_name(self, run: WorkflowRun) -> str:
        """Return the same as it was a minute ago, for those who ask at each run."""
        known = self._names.get(run.workflow_id)
        if known is None:
            known = self._names[run.workflow_id] = await self.name(run)
        return known

    async def plan(self, run: WorkflowRun) -> Plan:
        """Return the plan of a run.

        Raises:
            NotCompilable: the program is gone, or another release reads it in another way.
        """
        if not run.is_debug:
            loaded = await self._catalog.load(run.scope, run.workflow_id, version=run.version)
            return loaded.plan
        async with self._store.snapshot() as uow:
            canvas = await uow.runs.canvas(run.scope, run.space_id, run.canvas_digest)
        if canvas is None:
            raise NotCompilable("The canvas of this run is gone.")
        text = canvas

        async def fetch() -> Canvas:
            return text

        read = await self._plans.read(canvas.stamp, fetch)
        plan = read.reading.compile() if read.plan is None else read.plan
        if run.kind is RunKind.NODE:
            plan, _ = single_node(plan.program, run.node_id, run.input)
        return plan


async def rebuild(run: WorkflowRun, plan: Plan, stored: StoredState) -> RunState:
    """Bring the last snapshot of a run up to date."""
    size = sum(len(batch.entries) for batch in stored.batches)
    size += len(stored.snapshot.state) if stored.snapshot else 0
    if size < _LARGE_BYTES:
        return _rebuild(run, plan, stored)
    return await asyncio.to_thread(_rebuild, run, plan, stored)


def first_state(run: WorkflowRun, plan: Plan) -> RunState:
    """Make the state of a run that has not begun."""
    return RunState(run_id=str(run.id), version_hash=plan.version_hash, input=dict(run.input))


def ends_with_answer(program: Program) -> bool:
    """Tell whether the program ends with an answer text instead of returned variables."""
    end = program.root.end
    node = program.root.node(end.node) if isinstance(end, OnNode) else None
    return node is not None and isinstance(node.config, ExitConfig) and node.config.answers


def _rebuild(run: WorkflowRun, plan: Plan, stored: StoredState) -> RunState:
    snapshot = stored.snapshot
    state = first_state(run, plan) if snapshot is None else decode_state(snapshot.state)
    for batch in stored.batches:
        if batch.entries and batch.entries_after >= state.sequence:
            fold(state, map(decode_entry, _BLOBS.decode(batch.entries)))
    return state
