"""Tasks on the admin surface: documents that are to be read, are read, or could not be."""

from typing import Annotated

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.status_codes import HTTP_200_OK

from api.admin.query import Paging
from api.shape import Shape
from api.wire import optional_id, required_id
from application.knowledge.document.task import TaskQuery, TaskService, TaskView, task_states
from application.shared.page import Paged
from domain.shared.access import Principal


class TaskItem(Shape, of=TaskView):
    """A document in work, or given up."""

    started_at: int | None
    """When a process first took it, in Unix seconds."""
    next_run_at: int
    """When it is tried next, in Unix seconds."""


class TaskItems(Paged[TaskItem]):
    """One page of tasks, what goes on first, then the newest."""


class TaskController(Controller):
    """Background work on documents."""

    path = "/admin/v1/tasks"

    @get("", operation_id="admin.tasks.list")
    async def list_tasks(
        self,
        *,
        principal: NamedDependency[Principal],
        tasks: NamedDependency[TaskService],
        workspace_id: FromQuery[str | None] = None,
        wanted_state: Annotated[str | None, QueryParameter(name="state")] = None,
        paging: NamedDependency[Paging],
    ) -> TaskItems:
        """List documents in work and those given up: of a workspace, or of all one may see."""
        query = TaskQuery(
            space_id=optional_id(workspace_id, field="workspace_id"),
            states=task_states(wanted_state or ""),
            limit=paging.size,
            offset=paging.offset,
        )
        found = await tasks.page(principal, query)
        return TaskItems(
            items=TaskItem.each(found.items),
            total=found.total,
            next_cursor=paging.next_offset(found),
        )

    @post("/{task_id:str}/retry", operation_id="admin.tasks.retry", status_code=HTTP_200_OK)
    async def retry(
        self,
        *,
        principal: NamedDependency[Principal],
        tasks: NamedDependency[TaskService],
        task_id: FromPath[str],
    ) -> TaskItem:
        """Read a document again that could not be read; the answer is the new task."""
        return TaskItem.of(await tasks.retry(principal, required_id(task_id, field="task_id")))

    @post("/{task_id:str}/cancel", operation_id="admin.tasks.cancel", status_code=HTTP_200_OK)
    async def cancel(
        self,
        *,
        principal: NamedDependency[Principal],
        tasks: NamedDependency[TaskService],
        task_id: FromPath[str],
    ) -> TaskItem:
        """Stop reading a document; what searches found of it before stays."""
        return TaskItem.of(await tasks.cancel(principal, required_id(task_id, field="task_id")))
