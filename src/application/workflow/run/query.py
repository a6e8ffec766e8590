"""Looking into runs: lists, what their nodes did, and where the time went."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from application.workflow.run.dto import ListRuns, RunPage, WorkflowRunView, run_view
from application.workflow.run.event import RunRecord, decode_records
from application.workflow.run.launch import RunLauncher
from application.workflow.run.process import NodeResult, in_scope, node_results
from domain.shared.access import Permission, Principal
from domain.shared.error import NotFound
from domain.shared.ids import RunId, SpaceId
from domain.workflow.definition.repository import WorkflowStore
from domain.workflow.definition.version import WorkflowId
from domain.workflow.engine.state import NodePath
from domain.workflow.run.repository import LogBatch, WorkflowRunStore

_LARGE_BYTES: Final = 256 * 1024


class NodeRunNotFound(NotFound):
    """The node has not run in this run, or not in this place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProcess:
    """A run with the results of its nodes, in the order in which they began."""

    run: WorkflowRunView
    nodes: tuple[NodeResult, ...]


class RunQueries:
    """Reads what runs stored; needs the right to see workflows."""

    def __init__(
        self, *, store: WorkflowRunStore, workflows: WorkflowStore, launcher: RunLauncher
    ) -> None:
        self._store = store
        self._workflows = workflows
        self._launcher = launcher

    async def page(self, principal: Principal, query: ListRuns) -> RunPage:
        """List the runs of a workflow; raise ``WorkflowNotFound``."""
        async with self._workflows.snapshot() as uow:
            workflow = await uow.workflows.get(principal.scope, WorkflowId(query.workflow_id))
        principal.require(Permission.WORKFLOW_READ, workflow.space_id)
        wanted = replace(query, limit=query.limit + 1)
        async with self._store.snapshot() as uow:
            found = await uow.runs.page(principal.scope, wanted)
        items = tuple(run_view(run) for run in found[: query.limit])
        return RunPage(items=items, has_more=len(found) > query.limit)

    async def process(
        self, principal: Principal, run_id: int, *, node_id: str = "", inside: str = ""
    ) -> RunProcess:
        """Return a run with the nodes of one level.

        ``node_id`` keeps only the results of one node; ``inside`` is the id of the result of a
        node that runs another workflow, whose nodes are returned then.

        Raises:
            WorkflowRunNotFound: no such run here (4200).
            NodeRunNotFound: there is no result with this id (4200).
        """
        run, results = await self._results(principal, run_id)
        path: NodePath = ()
        if inside:
            path = _by_id(results, inside).path
        nodes = in_scope(results, inside=path)
        if node_id:
            nodes = [each for each in nodes if each.node_id == node_id]
        return RunProcess(run=run, nodes=tuple(nodes))

    async def node(
        self, principal: Principal, run_id: int, result_id: str, *, workflow_id: int | None = None
    ) -> NodeResult:
        """Return one result by its id; raises as ``process``."""
        run, results = await self._results(principal, run_id)
        if workflow_id not in {None, run.workflow_id}:
            raise NodeRunNotFound(f"No run {run_id} of this workflow.", run_id=run_id)
        return _by_id(results, result_id)

    async def node_history(
        self, principal: Principal, run_id: int, node_id: str, *, index: int | None = None
    ) -> tuple[NodeResult, ...]:
        """Return all results of a node, or the one of an iteration; raises as ``process``."""
        _, results = await self._results(principal, run_id)
        found = tuple(
            each
            for each in results.values()
            if each.node_id == node_id and index in {None, each.index}
        )
        if not found:
            raise NodeRunNotFound(f"Node {node_id} has not run there.", run_id=run_id)
        return found

    async def get(self, principal: Principal, run_id: int) -> WorkflowRunView:
        """Return a run; raise ``WorkflowRunNotFound``."""
        async with self._store.snapshot() as uow:
            run = run_view(await uow.runs.get(principal.scope, RunId(run_id)))
        principal.require(Permission.WORKFLOW_READ, SpaceId(run.space_id))
        return run

    async def trace(self, principal: Principal, run_id: int) -> RunProcess:
        """Return a run with the results of all its nodes, on every level."""
        run, results = await self._results(principal, run_id)
        return RunProcess(run=run, nodes=tuple(results.values()))

    async def _results(
        self, principal: Principal, run_id: int
    ) -> tuple[WorkflowRunView, dict[NodePath, NodeResult]]:
        scope = principal.scope
        live = self._launcher.find(scope, run_id)
        if live is not None:
            # What the run did so far is read from the storage, so it has to be there.
            await live.flush_for_readers()
        async with self._store.snapshot() as uow:
            run = run_view(await uow.runs.get(scope, RunId(run_id)))
            batches = await uow.runs.log(scope, RunId(run_id), after=0)
        principal.require(Permission.WORKFLOW_READ, SpaceId(run.space_id))
        if sum(len(batch.events) for batch in batches) < _LARGE_BYTES:
            return run, _fold(run_id, batches)
        # Decoding so much on the loop would hold up everybody else.
        return run, await asyncio.to_thread(_fold, run_id, batches)


def _fold(run_id: int, batches: Sequence[LogBatch]) -> dict[NodePath, NodeResult]:
    records: list[RunRecord] = []
    for batch in batches:
        records.extend(decode_records(batch.events))
    return node_results(run_id, records)


def _by_id(results: dict[NodePath, NodeResult], result_id: str) -> NodeResult:
    for result in results.values():
        if result.id == result_id:
            return result
    raise NodeRunNotFound(f"No node execution {result_id}.", node_execute_uuid=result_id)
