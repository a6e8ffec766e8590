"""Addresses of runs, for people."""

from application.workflow.run_dto import WorkflowRunView


class RunLinks:
    """Makes the link that clients get as ``debug_url``."""

    def __init__(self, *, public_url: str) -> None:
        self._public_url = public_url

    def debug_url(self, run: WorkflowRunView) -> str:
        """Return the address under which a console shows the run."""
        return self.address(run.id, space_id=run.space_id, workflow_id=run.workflow_id)

    def address(self, run_id: int, *, space_id: int, workflow_id: int) -> str:
        """Return the address of a run that is known by its ids."""
        return (
            f"{self._public_url}/work_flow?execute_id={run_id}&space_id={space_id}"
            f"&workflow_id={workflow_id}&execute_mode=2"
        )
