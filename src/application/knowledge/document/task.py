"""Documents in work and those given up, for who runs the deployment or a workspace."""

from dataclasses import dataclass
from typing import Final

from application.knowledge.ingest.quota import require_room, wait_turn
from application.shared.page import Listed
from application.shared.projection import Projection
from domain.knowledge.document import Document
from domain.knowledge.error import KnowledgeInvalid, ResegmentRefused, TaskNotFound
from domain.knowledge.job import LIVE, IngestJob, JobState
from domain.knowledge.repository import KnowledgeStore, KnowledgeUnitOfWork
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId
from infra.contract.clock import Clock

CANCELED: Final = "Stopped by hand. It can be read again."
_CANCELED_CODE: Final = ResegmentRefused.code


class TaskView(
    Projection,
    of=IngestJob,
    only=(
        "id",
        "space_id",
        "dataset_id",
        "document_id",
        "state",
        "stage",
        "attempt",
        "last_error",
        "created_at",
        "started_at",
        "finished_at",
        "next_run_at",
    ),
):
    """A document that is to be read, is read, or could not be."""

    percent: int
    name: str
    """Of the document; empty in a workspace that the caller does not belong to."""
    can_retry: bool
    """It failed and can be read again."""
    can_cancel: bool
    """It has not ended yet."""


class TaskPage(Listed[TaskView]):
    """Tasks, what goes on first, then the newest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskQuery:
    """Which tasks are meant."""

    space_id: int | None = None
    states: frozenset[JobState] = frozenset({JobState.WAITING, JobState.RUNNING, JobState.FAILED})
    limit: int = 50
    offset: int = 0


def task_states(name: str) -> frozenset[JobState]:
    """Return the states that a list shows; raise ``KnowledgeInvalid`` for a word that is none."""
    if not name:
        return TaskQuery().states
    if name not in set(JobState):
        raise KnowledgeInvalid(f"state: expected one of {', '.join(JobState)}.", field="state")
    return frozenset({JobState(name)})


class TaskService:
    """Lists, repeats and stops the reading of documents."""

    def __init__(self, *, store: KnowledgeStore, clock: Clock, ids: IdGenerator) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def page(self, principal: Principal, query: TaskQuery) -> TaskPage:
        """List tasks of a workspace, or of all that the caller may see."""
        space_ids: frozenset[SpaceId] | None = None
        if query.space_id is not None:
            space_ids = frozenset({SpaceId(query.space_id)})
            _require(principal, SpaceId(query.space_id))
        elif not principal.administers_deployment:
            space_ids = frozenset(
                space_id
                for space_id in principal.scope.space_ids
                if principal.may(Permission.DATASET_WRITE, space_id)
            )
        async with self._store.snapshot() as uow:
            jobs, total = await uow.queue.page(
                space_ids, states=query.states, limit=query.limit, offset=query.offset
            )
            names = await uow.queue.names([job.document_id for job in jobs])
        here = principal.scope.space_ids
        return TaskPage(
            items=[
                _view(
                    job,
                    names.get(job.document_id, "") if job.space_id in here else "",
                    is_there=job.document_id in names,
                )
                for job in jobs
            ],
            total=total,
        )

    async def retry(self, principal: Principal, task_id: int) -> TaskView:
        """Have a document that could not be read be read again.

        Raises:
            TaskNotFound: there is none, or none that the caller may see.
            ResegmentRefused: it did not fail, or rows were to be added to what is there.
            IngestQueueFull: the workspace has too many documents waiting.
        """
        async with self._store.transaction() as uow:
            job, scope = await self._found(uow, principal, task_id)
            if not _can_retry(job):
                raise ResegmentRefused("Only what failed as a whole is read again.")
            await wait_turn(uow, job.space_id)
            await require_room(uow, scope, 1)
            document = await uow.documents.lock(scope, job.document_id)
            if document.pending_generation is not None:
                raise ResegmentRefused("The document is being read again already.")
            generation = document.restart(now=self._clock.now())
            await uow.documents.save(scope, document)
            again = IngestJob.of(
                document, self._ids.next_id(), generation=generation, now=self._clock.now()
            )
            job.replace(now=self._clock.now())
            await uow.queue.save(job)
            await uow.jobs.add(scope, again)
            await uow.commit()
        return _view(again, _shown(principal, document))

    async def cancel(self, principal: Principal, task_id: int) -> TaskView:
        """Stop the reading of a document; what was searchable of it before stays.

        Raises:
            TaskNotFound: there is none, or none that the caller may see.
            ResegmentRefused: it has ended.
        """
        async with self._store.transaction() as uow:
            job, scope = await self._found(uow, principal, task_id)
            if job.state not in LIVE:
                raise ResegmentRefused("This has ended already.")
            document = await uow.documents.lock(scope, job.document_id)
            now = self._clock.now()
            job.fail(code=_CANCELED_CODE, reason=CANCELED, now=now)
            await uow.queue.save(job)
            if document.pending_generation == job.generation:
                document.fail(job.generation, code=_CANCELED_CODE, reason=CANCELED, now=now)
                await uow.documents.save(scope, document)
            await uow.commit()
        return _view(job, _shown(principal, document))

    async def _found(
        self, uow: KnowledgeUnitOfWork, principal: Principal, task_id: int
    ) -> tuple[IngestJob, TenantScope]:
        job = await uow.queue.find(task_id)
        if job is None:
            raise TaskNotFound(f"No task {task_id}.", task_id=task_id)
        if not principal.administers_deployment:
            if job.space_id not in principal.scope.space_ids:
                raise TaskNotFound(f"No task {task_id}.", task_id=task_id)
            principal.require(Permission.DATASET_WRITE, job.space_id)
        scope = TenantScope(principal.user_id, frozenset({job.space_id}))
        if job.document_id not in await uow.documents.get_many(scope, [job.document_id]):
            raise TaskNotFound(f"No task {task_id}.", task_id=task_id)
        return job, scope


def _require(principal: Principal, space_id: SpaceId) -> None:
    if not principal.administers_deployment:
        principal.scope.within(space_id)
        principal.require(Permission.DATASET_WRITE, space_id)


def _can_retry(job: IngestJob) -> bool:
    return job.state is JobState.FAILED and not job.is_append


def _shown(principal: Principal, document: Document) -> str:
    """Return the name of a document, which is contents: operators alone need not know it."""
    return document.name if document.space_id in principal.scope.space_ids else ""


def _view(job: IngestJob, name: str, *, is_there: bool = True) -> TaskView:
    return TaskView.of(
        job,
        name=name,
        can_retry=is_there and _can_retry(job),
        can_cancel=is_there and job.state in LIVE,
    )
