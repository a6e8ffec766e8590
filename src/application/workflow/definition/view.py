"""Turns workflows and versions into views: icons become URLs, creators get their names."""

from collections.abc import Iterable, Sequence

import msgspec

from application.workflow.definition.dto import (
    Creator,
    LastRun,
    WorkflowFacts,
    WorkflowVersionView,
    WorkflowView,
)
from crossdomain.file.contract import Files
from crossdomain.identity.contract import People
from domain.shared.access import TenantScope
from domain.shared.error import NotFound
from domain.shared.ids import FileId
from domain.workflow.definition.repository import WorkflowStore
from domain.workflow.definition.version import WorkflowVersion
from domain.workflow.definition.workflow import Workflow
from domain.workflow.run.repository import WorkflowRunStore
from domain.workflow.run.workflow_run import WorkflowRun


class WorkflowViews:
    """Builds views; icons and accounts that are gone show as empty."""

    def __init__(
        self, *, store: WorkflowStore, runs: WorkflowRunStore, files: Files, people: People
    ) -> None:
        self._store = store
        self._runs = runs
        self._files = files
        self._people = people

    async def one(self, scope: TenantScope, workflow: Workflow) -> WorkflowView:
        """Show one workflow."""
        return (await self.many(scope, [workflow]))[0]

    async def many(
        self, scope: TenantScope, workflows: Sequence[Workflow]
    ) -> tuple[WorkflowView, ...]:
        """Show workflows in the same order."""
        urls = await self._icons(scope, (each.icon_file_id for each in workflows))
        names = await self._people.names({each.creator_id for each in workflows})
        return tuple(
            WorkflowView.of(
                each,
                creator=Creator(id=each.creator_id, name=names.get(each.creator_id, "")),
                icon_url="" if each.icon_file_id is None else urls.get(each.icon_file_id, ""),
            )
            for each in workflows
        )

    async def with_facts(
        self, scope: TenantScope, workflows: Sequence[Workflow]
    ) -> tuple[WorkflowView, ...]:
        """Show workflows in the same order, with what calls them and how they ran last."""
        ids = [each.id for each in workflows]
        if not ids:
            return ()
        async with self._store.snapshot() as uow:
            callers = await uow.references.count_callers(scope, ids)
        async with self._runs.snapshot() as runs:
            newest = {each.workflow_id: each for each in await runs.runs.newest(scope, ids)}
        views = await self.many(scope, workflows)
        return tuple(
            msgspec.structs.replace(
                view,
                facts=WorkflowFacts(
                    callers=callers.get(each.id, 0), last_run=_last_run(newest.get(each.id))
                ),
            )
            for view, each in zip(views, workflows, strict=True)
        )

    async def versions(
        self, versions: Sequence[WorkflowVersion]
    ) -> tuple[WorkflowVersionView, ...]:
        """Show versions in the same order."""
        names = await self._people.names({each.creator_id for each in versions})
        return tuple(
            WorkflowVersionView.of(
                each, creator=Creator(id=each.creator_id, name=names.get(each.creator_id, ""))
            )
            for each in versions
        )

    async def url(self, scope: TenantScope, file_id: int | None) -> str:
        """Address of a picture; empty if there is none, or none any more."""
        if file_id is None:
            return ""
        return (await self._icons(scope, (FileId(file_id),))).get(FileId(file_id), "")

    async def _icons(
        self, scope: TenantScope, file_ids: Iterable[FileId | None]
    ) -> dict[FileId, str]:
        urls: dict[FileId, str] = {}
        wanted = list({file_id for file_id in file_ids if file_id is not None})
        if not wanted:
            return urls
        try:
            found = await self._files.describe(scope, wanted)
        except NotFound:  # one of them is gone; the others still have their URLs
            for file_id in wanted:
                try:
                    found = await self._files.describe(scope, [file_id])
                except NotFound:
                    continue
                urls[file_id] = found[file_id].url
            return urls
        return {file_id: file.url for file_id, file in found.items()}


def _last_run(run: WorkflowRun | None) -> LastRun | None:
    return None if run is None else LastRun(id=run.id, phase=run.phase, created_at=run.created_at)
