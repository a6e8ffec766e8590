"""Use cases of a workspace's administrators: runs of everybody, without their content."""

from application.conversation.dto import RunPage, RunQuery, RunView
from domain.shared.access import Principal


class SupportService:
    """Shows runs of a space to those who administer it (permission ``workspace.write``)."""

    async def runs(self, principal: Principal, query: RunQuery) -> RunPage:
        """Return one page of runs, newest first, without variables or messages."""
        raise NotImplementedError

    async def run(self, principal: Principal, run_id: int) -> RunView:
        """Return one run of any space the caller administers; raise ``RunNotFound``."""
        raise NotImplementedError
