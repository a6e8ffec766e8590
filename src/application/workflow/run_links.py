"""Addresses of runs, for people."""

from application.workflow.run.dto import WorkflowRunView


class RunLinks:
    """Makes the link that clients get as ``debug_url``: the page of the run in the console.

    ``console_url`` is its address, empty where it is switched off; then every link is, too.
    """

    def __init__(self, *, console_url: str) -> None:
        self._console = console_url.rstrip("/")

    def debug_url(self, run: WorkflowRunView) -> str:
        """Return the address under which people look into the run."""
        return self.address(run.id, space_id=run.space_id)

    def address(self, run_id: int, *, space_id: int) -> str:
        """Return the address of a run, of a workflow or of a chat, that is known by its ids."""
        return f"{self._console}/w/{space_id}/runs/{run_id}" if self._console else ""
