"""Use cases on runs: start, follow, wait, look up, cancel."""

from collections.abc import AsyncGenerator

from application.conversation.dto import MessageView, RunResult, RunView, StartRun
from application.conversation.run_event import RunRecord
from domain.shared.access import Principal


class RunService:
    """Starts runs and lets any number of callers follow them; a caller that leaves changes nothing.

    The one exception: a run started with ``cancel_on_disconnect`` is cancelled once nobody has
    followed it for three seconds.
    """

    async def start(self, principal: Principal, command: StartRun) -> RunView:
        """Store the question, launch the run, and return it with status ``in_progress``.

        A repeated idempotency key returns the run of the first request.

        Raises:
            InvalidRequest: a limit is exceeded, or there is nothing to answer (4000).
            NotFound: unknown agent, unpublished agent, unknown conversation or file (4200).
            Forbidden: the token or role may not chat here (4101).
            ConversationBusy: another run is active in the conversation (4016).
            RateLimited: too many runs in this process or space (4013).
        """
        raise NotImplementedError

    def follow(
        self, principal: Principal, run_id: int, *, after: int = 0
    ) -> AsyncGenerator[list[RunRecord], None]:
        """Yield the events after number ``after`` in batches; the last one is terminal.

        Iterate inside ``aclosing``. Works for live runs, for runs of other processes and for ended
        ones. Raises ``RunNotFound`` on the first step.
        """
        raise NotImplementedError

    async def wait(self, principal: Principal, run_id: int) -> RunView:
        """Return the run once it is terminal; counts as following it."""
        raise NotImplementedError

    async def collect(self, principal: Principal, run_id: int) -> RunResult:
        """Wait and return the run with its answers; for unsaved runs too, right after ``start``."""
        raise NotImplementedError

    async def get(
        self, principal: Principal, run_id: int, *, conversation_id: int | None = None
    ) -> RunView:
        """Return a run; raise ``RunNotFound``, also if it is not in ``conversation_id``."""
        raise NotImplementedError

    async def messages(
        self, principal: Principal, run_id: int, *, conversation_id: int | None = None
    ) -> tuple[MessageView, ...]:
        """Return what the run produced, all kinds but questions, in order."""
        raise NotImplementedError

    async def answers(self, principal: Principal, run_id: int) -> tuple[MessageView, ...]:
        """Return the stored answers of a run, in order."""
        raise NotImplementedError

    async def cancel(
        self, principal: Principal, run_id: int, *, conversation_id: int | None = None
    ) -> RunView:
        """Stop a run and return it; waits up to three seconds for its terminal state.

        Raises:
            RunNotFound: no such run of the caller (4200).
            RunNotCancelable: the run is not running (4104).
        """
        raise NotImplementedError
