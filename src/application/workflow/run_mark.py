"""Tells a workflow that a test run of its draft went well."""

import logging
from typing import Final

from domain.shared.error import NotFound, StaleRevision
from domain.workflow.definition.repository import WorkflowStore
from domain.workflow.definition.version import WorkflowId
from domain.workflow.run.workflow_run import WorkflowRun

_logger: Final = logging.getLogger(__name__)
_ATTEMPTS: Final = 3


class TestRunMark:
    """Marks the draft, unless it changed while the run went on."""

    __test__ = False
    """The name begins like that of a test."""

    def __init__(self, *, store: WorkflowStore) -> None:
        self._store = store

    async def passed(self, run: WorkflowRun) -> None:
        """Remember that the run's canvas succeeded; a workflow that is gone stays gone."""
        for _ in range(_ATTEMPTS):
            try:
                async with self._store.transaction() as uow:
                    workflow = await uow.workflows.get(run.scope, WorkflowId(run.workflow_id))
                    if workflow.test_run_passed:
                        return
                    workflow.pass_test_run(run.canvas_digest)
                    await uow.workflows.save(run.scope, workflow)
                    await uow.commit()
            except StaleRevision:
                continue
            except NotFound:
                return
            else:
                return
        _logger.warning("Workflow %d is not marked as tested: it is busy.", run.workflow_id)
