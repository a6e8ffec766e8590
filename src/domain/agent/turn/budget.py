"""What one run may still spend; all its agents draw on it."""

from domain.shared.chat import Usage
from domain.shared.limits import Limits


class RunBudget:
    """Counts rounds of tools, calls and tokens; whoever finds it spent answers without tools."""

    def __init__(self, limits: Limits, *, most_calls: int | None = None) -> None:
        """``most_calls`` is what the request allows; it lowers the limit, never raises it."""
        self._most_rounds = limits.agent_steps
        self._most_tokens = limits.agent_run_tokens
        self._calls_left = min(most_calls or limits.agent_tool_calls, limits.agent_tool_calls)
        self._tokens = 0
        self._is_closed = False
        self.rounds = 0
        """How often tools were called."""

    @property
    def is_spent(self) -> bool:
        """Nobody may call tools any more."""
        return (
            self._is_closed
            or self._calls_left <= 0
            or self.rounds >= self._most_rounds
            or 0 < self._most_tokens <= self._tokens
        )

    def take_call(self) -> bool:
        """Take one call; False if there is none left."""
        if self._calls_left <= 0:
            return False
        self._calls_left -= 1
        return True

    def spend(self, usage: Usage) -> None:
        """Note what a model call cost."""
        self._tokens += usage.total_tokens

    def close(self) -> None:
        """Let no more tools be called, whatever is left."""
        self._is_closed = True
