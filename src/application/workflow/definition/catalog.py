"""Loads what is to be run; compiled once per canvas and kept."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from application.workflow.definition.plan_cache import PlanCache, ReadCanvas
from domain.shared.access import TenantScope
from domain.shared.error import InvalidRequest, NotFound
from domain.shared.ids import parse_id
from domain.shared.limits import Limits
from domain.shared.memo import Memo
from domain.shared.settlement import TraceLevel
from domain.workflow.canvas.text import Canvas, CanvasStamp
from domain.workflow.definition.error import WorkflowNotFound, WorkflowNotPublished
from domain.workflow.definition.repository import WorkflowStore
from domain.workflow.definition.version import WorkflowId
from domain.workflow.definition.workflow import Workflow
from domain.workflow.engine.error import WorkflowMissing
from domain.workflow.graph import Program
from domain.workflow.plan import Plan
from domain.workflow.port import Child, RunContext
from infra.contract.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedWorkflow:
    """A workflow ready to run; ``version`` is empty for the draft.

    ``digest`` names the canvas by its content. ``mode``: 0 workflow, 3 chat flow.
    ``can_be_published`` is about the canvas by itself, not about what exists around it.
    """

    workflow_id: int
    space_id: int
    name: str
    description: str
    mode: int
    version: str
    app_id: int
    plan: Plan
    program: Program
    canvas: str
    dialect: str
    digest: str
    can_be_published: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """What a request for a workflow and a version leads to."""

    workflow: Workflow
    version: str
    canvas: CanvasStamp


class WorkflowCatalog:
    """Drafts and published versions, ready to run.

    Versions are immutable, but which one is the latest may change in another process: what a
    request leads to lives for ``Limits.definition_cache_s``. In this process ``forget`` makes a
    change effective at once. Drafts are looked up every time.
    """

    def __init__(
        self, *, store: WorkflowStore, plans: PlanCache, clock: Clock, limits: Limits
    ) -> None:
        self._store = store
        self._plans = plans
        self._clock = clock
        self._limits = limits
        self._captures: Memo[int, TraceLevel | None] = Memo(
            clock=clock, ttl_s=limits.definition_cache_s, size=limits.definition_cache_entries
        )
        self._heads: dict[tuple[int, str], tuple[_Head, datetime]] = {}
        self._generation = 0

    async def load(
        self, scope: TenantScope, workflow_id: int, *, version: str = "", draft: bool = False
    ) -> LoadedWorkflow:
        """Return the draft, a version, or (neither said) the newest version.

        Raises:
            WorkflowNotFound: no such workflow in the scope.
            WorkflowNotPublished: it has no version, or not this one.
            NotCompilable: the canvas cannot run; the message lists why.
        """
        if draft:
            head = await self._find(scope, workflow_id, version="", draft=True)
        else:
            head = await self._published(scope, workflow_id, version)
        read = await self._read(scope, WorkflowId(workflow_id), head.canvas)
        plan = read.reading.compile() if read.plan is None else read.plan
        workflow = head.workflow
        return LoadedWorkflow(
            workflow_id=workflow.id,
            space_id=workflow.space_id,
            name=workflow.name,
            description=workflow.description,
            mode=workflow.mode.value,
            version=head.version,
            app_id=workflow.app_id,
            plan=plan,
            program=plan.program,
            canvas=read.canvas.text,
            dialect=head.canvas.dialect.value,
            digest=head.canvas.digest,
            can_be_published=read.reading.can_be_published,
        )

    async def child(self, context: RunContext, workflow_id: str, version: str) -> Child:
        """Return what a node runs, within the spaces of the run; raise ``WorkflowMissing``.

        Without a version, test runs take the draft, others the newest version.
        """
        is_draft = context.is_debug and not version
        try:
            number = parse_id(workflow_id, field="workflow_id")
            loaded = await self.load(context.call.scope, number, version=version, draft=is_draft)
        except (NotFound, InvalidRequest) as exc:
            text = f"There is no workflow {workflow_id} {version}".rstrip()
            raise WorkflowMissing(f"{text} here, or it is not published.") from exc
        return Child(program=loaded.program, name=loaded.name, description=loaded.description)

    async def read(
        self, scope: TenantScope, workflow_id: int, *, version: str = "", draft: bool = False
    ) -> ReadCanvas:
        """Return the canvas with its findings, whether it can run or not; raises as ``load``."""
        head = await self._find(scope, workflow_id, version=version, draft=draft)
        return await self._read(scope, WorkflowId(workflow_id), head.canvas)

    async def name(self, scope: TenantScope, workflow_id: int) -> str:
        """Return the name of a workflow; raise ``WorkflowNotFound``."""
        async with self._store.snapshot() as uow:
            return (await uow.workflows.get(scope, WorkflowId(workflow_id))).name

    async def trace_capture(self, scope: TenantScope, workflow_id: int) -> TraceLevel | None:
        """Return how much of its runs is kept; None if it leaves that to its workspace."""
        return await self._captures.get(workflow_id, partial(self._capture, scope, workflow_id))

    async def _capture(self, scope: TenantScope, workflow_id: int) -> TraceLevel | None:
        async with self._store.snapshot() as uow:
            try:
                return (await uow.workflows.get(scope, WorkflowId(workflow_id))).trace_capture
            except WorkflowNotFound:
                return None

    def forget(self, workflow_id: int) -> None:
        """Drop what is known of a workflow, look-ups under way included."""
        self._generation += 1
        self._captures.forget(lambda key: key == workflow_id)
        for key in [key for key in self._heads if key[0] == workflow_id]:
            del self._heads[key]

    async def _published(self, scope: TenantScope, workflow_id: int, version: str) -> _Head:
        key, now = (workflow_id, version), self._clock.now()
        kept = self._heads.get(key)
        if kept is not None and now < kept[1]:
            if kept[0].workflow.space_id not in scope.space_ids:
                raise WorkflowNotFound(f"No workflow {workflow_id}.", workflow_id=workflow_id)
            return kept[0]
        generation = self._generation
        head = await self._find(scope, workflow_id, version=version, draft=False)
        if generation == self._generation:
            self._heads.pop(key, None)
            while len(self._heads) >= self._limits.definition_cache_entries:
                del self._heads[next(iter(self._heads))]  # the one looked up longest ago
            expires_at = now + timedelta(seconds=self._limits.definition_cache_s)
            self._heads[key] = (head, expires_at)
        return head

    async def _find(
        self, scope: TenantScope, workflow_id: int, *, version: str, draft: bool
    ) -> _Head:
        wanted = WorkflowId(workflow_id)
        async with self._store.snapshot() as uow:
            workflow = await uow.workflows.get(scope, wanted)
            if draft:
                return _Head(workflow=workflow, version="", canvas=workflow.draft)
            label = version or workflow.latest_version
            if not label:
                raise WorkflowNotPublished(
                    f"The workflow {workflow_id} is not published.", workflow_id=workflow_id
                )
            found = await uow.versions.get(scope, wanted, label)
        return _Head(workflow=workflow, version=found.label, canvas=found.canvas)

    async def _read(
        self, scope: TenantScope, workflow_id: WorkflowId, stamp: CanvasStamp
    ) -> ReadCanvas:
        async def fetch() -> Canvas:
            async with self._store.snapshot() as uow:
                return await uow.canvases.get(scope, workflow_id, stamp)

        return await self._plans.read(stamp, fetch)
