"""Which part of a team's run a turn is."""

from dataclasses import dataclass, field

from domain.agent.tools.taint import Taint
from domain.agent.turn.budget import RunBudget
from domain.shared.chat import ChatMessage
from domain.shared.limits import Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamContext:
    """Where the agent of a turn stands, and what it shares with the others of the run.

    ``callers`` are the agents whose calls led here, the outermost first; empty for the one that
    talks to the user. ``path`` are those that took over from the agent that was asked, the active
    one last; ``back_to`` is the name of whom it took over from. ``carried`` are the messages of
    this turn by those before, ``note`` tells how the agent got it. ``lane`` tells calls of this
    agent from those of the others in the same run.
    """

    budget: RunBudget = field(default_factory=lambda: RunBudget(Limits()))
    taint: Taint = field(default_factory=Taint)
    callers: tuple[int, ...] = ()
    path: tuple[int, ...] = ()
    back_to: str = ""
    hand_offs: int = 0
    carried: tuple[ChatMessage, ...] = ()
    note: str = ""
    lane: str = ""

    @property
    def is_called(self) -> bool:
        """Another agent called this one: nobody can be asked, nothing handed over."""
        return bool(self.callers)
