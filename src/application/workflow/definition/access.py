"""Which workflows a caller may use."""

from domain.shared.access import Permission, Principal
from domain.workflow.definition.repository import WorkflowUnitOfWork
from domain.workflow.definition.version import WorkflowId
from domain.workflow.definition.workflow import Workflow


async def permitted_workflow(
    uow: WorkflowUnitOfWork, principal: Principal, workflow_id: int, permission: Permission
) -> Workflow:
    """Return a workflow the caller may use in this way.

    Raises:
        WorkflowNotFound: it does not exist or is in a foreign space.
        Forbidden: the permission is missing in the workflow's space.
    """
    workflow = await uow.workflows.get(principal.scope, WorkflowId(workflow_id))
    principal.require(permission, workflow.space_id)
    return workflow
