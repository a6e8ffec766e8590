"""Use cases of versions: check, freeze, look back, restore."""

import asyncio
from typing import Final

from application.workflow.definition.access import permitted_workflow
from application.workflow.definition.canvas_check import CanvasChecker, findings, refuse_unreadable
from application.workflow.definition.catalog import WorkflowCatalog
from application.workflow.definition.dto import (
    Findings,
    PublishWorkflow,
    WorkflowVersionPage,
    WorkflowVersionView,
    WorkflowView,
)
from application.workflow.definition.view import WorkflowViews
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.error import NotFound, StaleRevision
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from domain.workflow.canvas.importing import unwrap
from domain.workflow.canvas.text import Canvas
from domain.workflow.definition.error import WorkflowNotPublishable
from domain.workflow.definition.reference import callees_of
from domain.workflow.definition.repository import Callee, ReferenceSource, WorkflowStore
from domain.workflow.definition.rules import WorkflowRules
from domain.workflow.definition.version import WorkflowId, WorkflowVersionId
from domain.workflow.definition.workflow import Workflow
from domain.workflow.graph import count_nodes
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.check import Reading
from domain.workflow.lint.diagnostic import Severity
from domain.workflow.lint.surroundings import Surroundings
from infra.contract.clock import Clock

_SHOWN: Final = 10
"""Errors named in a refusal; the check lists all."""


class WorkflowPublishingService:
    """Makes immutable versions of drafts that can run."""

    def __init__(
        self,
        *,
        store: WorkflowStore,
        catalog: WorkflowCatalog,
        checker: CanvasChecker,
        views: WorkflowViews,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
        workflow_limits: WorkflowLimits,
    ) -> None:
        self._store = store
        self._catalog = catalog
        self._checker = checker
        self._views = views
        self._clock = clock
        self._ids = ids
        self._rules = WorkflowRules(limits)
        self._nesting = workflow_limits.nesting

    async def validate(
        self, principal: Principal, workflow_id: int, *, text: str | None = None
    ) -> tuple[Findings, ...]:
        """Check the draft, or a text that may become it, and every workflow called from there.

        Raises:
            WorkflowNotFound: no such workflow.
            CanvasUnreadable: the given text is no canvas.
        """
        workflow, canvas = await self._draft(principal, workflow_id, Permission.WORKFLOW_READ)
        if text is not None:
            brought = await asyncio.to_thread(unwrap, text)
            canvas = Canvas.of(brought.text, brought.dialect)
        reading = await self._checker.check(
            principal.scope, workflow.space_id, canvas, workflow_id=workflow.id
        )
        own = findings(reading, workflow_id=workflow.id, name=workflow.name)
        scope = principal.scope.within(workflow.space_id)
        return (own, *await self._children(scope, workflow.id, reading))

    async def publish(
        self, principal: Principal, command: PublishWorkflow
    ) -> tuple[WorkflowView, WorkflowVersionView]:
        """Freeze the draft as a version.

        Raises:
            WorkflowNotPublishable: the check found errors, or no test run has passed.
            WorkflowInvalid: the version is malformed or not greater than the last one.
            StaleRevision: the draft is not the one that ``commit_id`` names.
        """
        draft, canvas = await self._draft(principal, command.workflow_id, Permission.WORKFLOW_WRITE)
        if command.commit_id and command.commit_id != draft.draft.digest:
            raise StaleRevision("commit_id: the draft has changed since; read it again.")
        reading, around = await self._checker.check_with_surroundings(
            principal.scope, draft.space_id, canvas, workflow_id=draft.id, is_release=True
        )
        _refuse_errors(reading)
        _refuse_drafts(around)
        callees = callees_of(reading.program) if reading.program is not None else ()
        async with self._store.transaction() as uow:
            workflow = await permitted_workflow(
                uow, principal, command.workflow_id, Permission.WORKFLOW_WRITE
            )
            if workflow.draft != draft.draft:  # what was checked is what is published
                raise StaleRevision("The draft changed while it was checked; publish again.")
            version = workflow.publish(
                WorkflowVersionId(self._ids.next_id()),
                label=command.version,
                note=command.description,
                is_forced=command.is_forced,
                actor_id=principal.user_id,
                rules=self._rules,
                now=self._clock.now(),
            )
            await uow.workflows.save(principal.scope, workflow)
            await uow.versions.add(principal.scope, version)
            await uow.references.replace(
                principal.scope, workflow, ReferenceSource.PUBLISHED, callees
            )
            await uow.commit()
        self._catalog.forget(workflow.id)
        (shown,) = await self._views.versions([version])
        return await self._views.one(principal.scope, workflow), shown

    async def versions(
        self, principal: Principal, workflow_id: int, *, offset: int, limit: int
    ) -> WorkflowVersionPage:
        """Return one page of versions, newest first."""
        async with self._store.snapshot() as uow:
            workflow = await permitted_workflow(
                uow, principal, workflow_id, Permission.WORKFLOW_READ
            )
            found, total = await uow.versions.page(
                principal.scope, workflow.id, offset=offset, limit=limit
            )
        return WorkflowVersionPage(items=await self._views.versions(found), total=total)

    async def restore(self, principal: Principal, workflow_id: int, label: str) -> WorkflowView:
        """Make the canvas of a version the draft again; what runs does not change.

        Raises:
            WorkflowNotPublished: no such version.
        """
        async with self._store.snapshot() as uow:
            await permitted_workflow(uow, principal, workflow_id, Permission.WORKFLOW_WRITE)
        read = await self._catalog.read(principal.scope, workflow_id, version=label)
        program = read.reading.program
        async with self._store.transaction() as uow:
            workflow = await permitted_workflow(
                uow, principal, workflow_id, Permission.WORKFLOW_WRITE
            )
            version = await uow.versions.get(principal.scope, workflow.id, label)
            workflow.restore(
                version,
                actor_id=principal.user_id,
                now=self._clock.now(),
                node_count=count_nodes(program),
            )
            await uow.workflows.save(principal.scope, workflow)
            await uow.canvases.put(principal.scope, workflow, read.canvas)
            await uow.references.replace(
                principal.scope,
                workflow,
                ReferenceSource.DRAFT,
                callees_of(program) if program is not None else (),
            )
            await uow.commit()
        return await self._views.one(principal.scope, workflow)

    async def _draft(
        self, principal: Principal, workflow_id: int, permission: Permission
    ) -> tuple[Workflow, Canvas]:
        async with self._store.snapshot() as uow:
            workflow = await permitted_workflow(uow, principal, workflow_id, permission)
            return workflow, await uow.canvases.get(principal.scope, workflow.id, workflow.draft)

    async def _children(
        self, scope: TenantScope, workflow_id: int, reading: Reading
    ) -> tuple[Findings, ...]:
        """Check what is called, level by level, each version once; what is gone is left out."""
        seen = {Callee(workflow_id=workflow_id)}
        level = callees_of(reading.program) if reading.program is not None else ()
        found: list[Findings] = []
        for _ in range(self._nesting or len(level)):
            below: list[Callee] = []
            for callee in dict.fromkeys(level):
                if callee in seen:
                    continue
                seen.add(callee)
                child = await self._child(scope, callee)
                if child is not None:
                    shown, program_calls = child
                    found.append(shown)
                    below.extend(program_calls)
            if not below:
                break
            level = tuple(below)
        return tuple(found)

    async def _child(
        self, scope: TenantScope, callee: Callee
    ) -> tuple[Findings, tuple[Callee, ...]] | None:
        try:
            async with self._store.snapshot() as uow:
                (workflow,) = await uow.workflows.find(scope, [WorkflowId(callee.workflow_id)]) or (
                    None,
                )
            if workflow is None:
                return None
            read = await self._catalog.read(
                scope, callee.workflow_id, version=callee.version, draft=not callee.version
            )
        except NotFound:
            return None
        reading = await self._checker.check(
            scope, workflow.space_id, read.canvas, workflow_id=workflow.id
        )
        shown = findings(
            reading, workflow_id=workflow.id, name=workflow.name, version=callee.version
        )
        return shown, callees_of(reading.program) if reading.program is not None else ()


def _refuse_errors(reading: Reading) -> None:
    refuse_unreadable(reading)
    errors = [each for each in reading.diagnostics if each.severity is Severity.ERROR]
    if not errors and reading.can_be_published:
        return
    lines = ["The draft has errors.", *map(str, errors[:_SHOWN])]
    more = len(errors) + reading.omitted - _SHOWN
    if more > 0:
        lines.append(f"And {more} more; validate lists all.")
    raise WorkflowNotPublishable("\n".join(lines), codes=[each.code for each in errors[:_SHOWN]])


def _refuse_drafts(around: Surroundings) -> None:
    """Refuse calls of workflows that have no version: a release runs none of their drafts."""
    drafts = [each.name for each in (around.children or {}).values() if not each.is_published]
    if drafts:
        raise WorkflowNotPublishable(
            f"It calls workflows that are not published: {', '.join(sorted(drafts)[:_SHOWN])}. "
            "Publish them first."
        )
