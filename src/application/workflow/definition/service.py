"""Use cases on drafts: make, read, change, list, copy, remove."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime, timedelta

from msgspec import UNSET

from application.workflow.definition.access import permitted_workflow
from application.workflow.definition.canvas_check import CanvasChecker, findings, refuse_unreadable
from application.workflow.definition.catalog import WorkflowCatalog
from application.workflow.definition.dto import (
    CanvasView,
    CreateWorkflow,
    ListWorkflows,
    ReferenceView,
    SaveCanvas,
    SavedCanvas,
    UpdateWorkflow,
    WorkflowPage,
    WorkflowView,
)
from application.workflow.definition.view import WorkflowViews
from crossdomain.file.contract import Files
from domain.shared.access import Permission, Principal, ResourceKind, TenantScope
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import FileId, SpaceId
from domain.shared.limits import Limits
from domain.workflow.canvas.importing import unwrap
from domain.workflow.canvas.text import INITIAL_NODES, Canvas, CanvasStamp, initial_canvas
from domain.workflow.definition.error import WorkflowInUse
from domain.workflow.definition.reference import callees_of
from domain.workflow.definition.repository import (
    Callee,
    ReferenceSource,
    WorkflowStore,
    WorkflowUnitOfWork,
)
from domain.workflow.definition.role import ChatflowRole
from domain.workflow.definition.rules import WorkflowRules
from domain.workflow.definition.version import WorkflowId
from domain.workflow.definition.workflow import Workflow, WorkflowMode
from domain.workflow.graph import Program, count_nodes
from infra.contract.clock import Clock


class WorkflowService:
    """Works on drafts; what runs for others changes by publishing only."""

    def __init__(
        self,
        *,
        store: WorkflowStore,
        catalog: WorkflowCatalog,
        checker: CanvasChecker,
        views: WorkflowViews,
        files: Files,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
    ) -> None:
        self._store = store
        self._catalog = catalog
        self._checker = checker
        self._views = views
        self._files = files
        self._clock = clock
        self._ids = ids
        self._limits = limits
        self._rules = WorkflowRules(limits)

    async def create(
        self,
        principal: Principal,
        command: CreateWorkflow,
        *,
        canvas: Canvas | None = None,
        program: Program | None = None,
    ) -> WorkflowView:
        """Make a draft, of a checked canvas with its program if one is given.

        Raises:
            WorkflowInvalid: a name or text breaks a rule.
            FileNotFound: no such icon in the scope.
        """
        space_id = SpaceId(command.space_id)
        principal.require(Permission.WORKFLOW_WRITE, space_id)
        await self._check_file(principal.scope, command.icon_file_id)
        is_chat = command.mode is WorkflowMode.CHATFLOW
        draft = canvas or initial_canvas(is_chat=is_chat, language=command.language)
        workflow = Workflow.create(
            WorkflowId(self._ids.next_id()),
            space_id=space_id,
            creator_id=principal.user_id,
            name=command.name,
            description=command.description,
            icon_file_id=_file_id(command.icon_file_id),
            mode=command.mode,
            app_id=command.app_id,
            draft=draft.stamp,
            rules=self._rules,
            now=self._clock.now(),
            node_count=INITIAL_NODES if canvas is None else count_nodes(program),
        )
        callees = callees_of(program) if program is not None else ()
        async with self._store.transaction() as uow:
            await self._put(uow, principal.scope, workflow, draft, callees)
            await uow.commit()
        return await self._views.one(principal.scope, workflow)

    async def get(self, principal: Principal, workflow_id: int) -> WorkflowView:
        """Describe a workflow; raise ``WorkflowNotFound``."""
        async with self._store.snapshot() as uow:
            workflow = await permitted_workflow(
                uow, principal, workflow_id, Permission.WORKFLOW_READ
            )
        return await self._views.one(principal.scope, workflow)

    async def list(self, principal: Principal, query: ListWorkflows) -> WorkflowPage:
        """Return one page of workflows of a space, or of all spaces the caller may read in."""
        scope = _reading_scope(principal, query.space_id)
        async with self._store.snapshot() as uow:
            found, total = await uow.workflows.search(scope, replace(query, limit=query.limit + 1))
        items = await self._views.with_facts(scope, found[: query.limit])
        return WorkflowPage(items=items, total=total, has_more=len(found) > query.limit)

    async def update(self, principal: Principal, command: UpdateWorkflow) -> WorkflowView:
        """Change name, description or icon; raise ``StaleRevision`` for an older revision."""
        icon = command.icon_file_id
        if icon is not UNSET:
            await self._check_file(principal.scope, icon)

        def change(workflow: Workflow, now: datetime) -> None:
            workflow.expect_revision(command.expected_revision)
            text = command.description
            workflow.describe(
                name=workflow.name if command.name is UNSET else command.name,
                description=workflow.description if text is UNSET else text or "",
                icon_file_id=workflow.icon_file_id if icon is UNSET else _file_id(icon),
                actor_id=principal.user_id,
                rules=self._rules,
                now=now,
            )
            if command.trace_capture is not UNSET:
                workflow.trace(command.trace_capture, now=now)

        workflow = await self._change(principal, command.workflow_id, change)
        return await self._views.one(principal.scope, workflow)

    async def canvas(
        self, principal: Principal, workflow_id: int, *, version: str = ""
    ) -> CanvasView:
        """Return the draft, or a version, to the character as it was stored.

        Raises:
            WorkflowNotFound: no such workflow.
            WorkflowNotPublished: no such version.
        """
        async with self._store.snapshot() as uow:
            workflow = await permitted_workflow(
                uow, principal, workflow_id, Permission.WORKFLOW_READ
            )
            stamp: CanvasStamp = workflow.draft
            if version:
                found = await uow.versions.get(principal.scope, workflow.id, version)
                stamp = found.canvas
            canvas = await uow.canvases.get(principal.scope, workflow.id, stamp)
        return CanvasView(
            workflow_id=workflow.id,
            version=version,
            text=canvas.text,
            dialect=stamp.dialect,
            commit_id=stamp.digest,
            revision=workflow.draft_revision,
            test_run_passed=workflow.tested == stamp.digest,
        )

    async def save_canvas(self, principal: Principal, command: SaveCanvas) -> SavedCanvas:
        """Replace the draft; findings never hinder saving.

        Raises:
            CanvasUnreadable: the text is no canvas at all.
            StaleRevision: the draft is not the one the caller saw.
        """
        brought = await asyncio.to_thread(unwrap, command.text)
        canvas = Canvas.of(brought.text, brought.dialect)
        async with self._store.snapshot() as uow:
            before = await permitted_workflow(
                uow, principal, command.workflow_id, Permission.WORKFLOW_WRITE
            )
            before.expect_revision(command.expected_revision)
        reading = await self._checker.check(
            principal.scope, before.space_id, canvas, workflow_id=before.id
        )
        refuse_unreadable(reading)
        callees = callees_of(reading.program) if reading.program is not None else ()
        async with self._store.transaction() as uow:
            workflow = await permitted_workflow(
                uow, principal, command.workflow_id, Permission.WORKFLOW_WRITE
            )
            workflow.expect_revision(command.expected_revision)
            workflow.save_canvas(
                canvas.stamp,
                actor_id=principal.user_id,
                now=self._clock.now(),
                node_count=count_nodes(reading.program),
            )
            await self._put(uow, principal.scope, workflow, canvas, callees)
            await uow.commit()
        return SavedCanvas(
            workflow=await self._views.one(principal.scope, workflow),
            findings=findings(reading, workflow_id=workflow.id, name=workflow.name),
        )

    async def copy(
        self, principal: Principal, workflow_id: int, *, name: str = "", space_id: int | None = None
    ) -> WorkflowView:
        """Copy the draft into a new workflow, by default beside the original."""
        async with self._store.transaction() as uow:
            source = await permitted_workflow(uow, principal, workflow_id, Permission.WORKFLOW_READ)
            target = source.space_id if space_id is None else SpaceId(space_id)
            principal.require(Permission.WORKFLOW_WRITE, target)
            canvas = await uow.canvases.get(principal.scope, source.id, source.draft)
            made = source.copy(
                WorkflowId(self._ids.next_id()),
                space_id=target,
                actor_id=principal.user_id,
                name=name,
                rules=self._rules,
                now=self._clock.now(),
            )
            origin = Callee(workflow_id=source.id)
            callees = await uow.references.callees(principal.scope, [origin])
            await self._put(uow, principal.scope, made, canvas, callees.get(origin, ()))
            await uow.commit()
        return await self._views.one(principal.scope, made)

    async def references(self, principal: Principal, workflow_id: int) -> tuple[ReferenceView, ...]:
        """Return the workflows of the space that call this one."""
        async with self._store.snapshot() as uow:
            workflow = await permitted_workflow(
                uow, principal, workflow_id, Permission.WORKFLOW_READ
            )
            found = await uow.references.callers(
                principal.scope.within(workflow.space_id), workflow.id
            )
        return tuple(
            ReferenceView(
                workflow_id=each.workflow.id,
                name=each.workflow.name,
                source=each.source,
                version=each.version,
            )
            for each in found
        )

    async def delete(
        self, principal: Principal, workflow_ids: Collection[int], *, is_forced: bool = False
    ) -> None:
        """Remove workflows, all or none.

        Raises:
            WorkflowNotFound: one of them does not exist.
            WorkflowInUse: another workflow calls one of them, and it is not forced.
        """
        wanted = list(dict.fromkeys(workflow_ids))
        async with self._store.transaction() as uow:
            for workflow_id in wanted:
                workflow = await permitted_workflow(
                    uow, principal, workflow_id, Permission.WORKFLOW_WRITE
                )
                if not is_forced:
                    await _refuse_used(uow, principal.scope, workflow, wanted)
                workflow.delete(actor_id=principal.user_id, now=self._clock.now())
                await uow.workflows.save(principal.scope, workflow)
            await uow.commit()
        for workflow_id in wanted:
            self._catalog.forget(workflow_id)

    async def restore(self, principal: Principal, workflow_id: int) -> WorkflowView:
        """Bring back a workflow that was deleted lately, with its versions.

        Raises:
            WorkflowNotFound: it was not deleted, or that is too long ago.
        """
        now = self._clock.now()
        since = now - timedelta(seconds=self._limits.workflow_restore_s)
        async with self._store.transaction() as uow:
            workflow = await uow.workflows.get_deleted(
                principal.scope, WorkflowId(workflow_id), since=since
            )
            principal.require(Permission.WORKFLOW_WRITE, workflow.space_id)
            workflow.bring_back(actor_id=principal.user_id, now=now)
            await uow.workflows.save(principal.scope, workflow)
            await uow.commit()
        self._catalog.forget(workflow_id)
        return await self._views.one(principal.scope, workflow)

    async def role(self, principal: Principal, workflow_id: int) -> tuple[ChatflowRole, str]:
        """Return the role of a chat flow, empty if it has none, and its picture's address."""
        async with self._store.snapshot() as uow:
            workflow = await permitted_workflow(
                uow, principal, workflow_id, Permission.WORKFLOW_READ
            )
        return await self._role_of(principal, workflow)

    async def set_role(
        self, principal: Principal, workflow_id: int, role: ChatflowRole | None
    ) -> tuple[ChatflowRole, str]:
        """Set the role of a chat flow, or remove it with None; raise ``WorkflowInvalid``."""
        if role is not None:
            await self._check_file(principal.scope, role.avatar_file_id)

        def change(workflow: Workflow, now: datetime) -> None:
            workflow.play(role, actor_id=principal.user_id, rules=self._rules, now=now)

        return await self._role_of(principal, await self._change(principal, workflow_id, change))

    async def _role_of(self, principal: Principal, workflow: Workflow) -> tuple[ChatflowRole, str]:
        role = workflow.role or ChatflowRole()
        return role, await self._views.url(principal.scope, role.avatar_file_id)

    async def _change(
        self, principal: Principal, workflow_id: int, change: Callable[[Workflow, datetime], None]
    ) -> Workflow:
        async with self._store.transaction() as uow:
            workflow = await permitted_workflow(
                uow, principal, workflow_id, Permission.WORKFLOW_WRITE
            )
            change(workflow, self._clock.now())
            await uow.workflows.save(principal.scope, workflow)
            await uow.commit()
        self._catalog.forget(workflow.id)
        return workflow

    async def _check_file(self, scope: TenantScope, file_id: int | None) -> None:
        if file_id is not None:
            await self._files.describe(scope, [FileId(file_id)])

    @staticmethod
    async def _put(
        uow: WorkflowUnitOfWork,
        scope: TenantScope,
        workflow: Workflow,
        canvas: Canvas,
        callees: Collection[Callee],
    ) -> None:
        await uow.workflows.save(scope, workflow)
        await uow.canvases.put(scope, workflow, canvas)
        await uow.references.replace(scope, workflow, ReferenceSource.DRAFT, callees)


async def _refuse_used(
    uow: WorkflowUnitOfWork, scope: TenantScope, workflow: Workflow, going: Collection[int]
) -> None:
    callers = await uow.references.callers(scope.within(workflow.space_id), workflow.id)
    names = {each.workflow.name for each in callers if each.workflow.id not in going}
    if names:
        raise WorkflowInUse(
            f"{workflow.name} is called by {', '.join(sorted(names)[:5])}; take it out of there "
            "first, or delete with force.",
            workflow_id=workflow.id,
        )


def _reading_scope(principal: Principal, space_id: int | None) -> TenantScope:
    if space_id is not None:
        return principal.listing(ResourceKind.WORKFLOW, Permission.WORKFLOW_READ, SpaceId(space_id))
    principal.require_token(Permission.WORKFLOW_READ)
    spaces = (each for each in principal.roles if principal.may(Permission.WORKFLOW_READ, each))
    return TenantScope(principal.user_id, frozenset(spaces), principal.end_user_id)


def _file_id(value: int | None) -> FileId | None:
    return None if value is None else FileId(value)
