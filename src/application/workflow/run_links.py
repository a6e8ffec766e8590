"""Addresses of runs, for people."""

from application.workflow.run.dto import WorkflowRunView


class RunLinks:
    """Makes the link that clients get as ``debug_url``; empty as long as no page shows runs."""

    def debug_url(self, run: WorkflowRunView) -> str:
        """Return the address under which people look into the run."""
        return self.address(run.id, space_id=run.space_id, workflow_id=run.workflow_id)

    def address(self, run_id: int, *, space_id: int, workflow_id: int) -> str:
        """Return the address of a run that is known by its ids."""
        return ""
