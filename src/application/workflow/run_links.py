"""Addresses of runs, for people."""

from application.workflow.run_dto import WorkflowRunView


class RunLinks:
    """Makes the link that clients get as ``debug_url``."""

    def __init__(self, *, public_url: str) -> None:
        self._public_url = public_url

    def debug_url(self, run: WorkflowRunView) -> str:
        """Return the address under which a console shows the run."""
        return (
            f"{self._public_url}/work_flow?execute_id={run.id}&space_id={run.space_id}"
            f"&workflow_id={run.workflow_id}&execute_mode=2"
        )
