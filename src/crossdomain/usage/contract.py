"""What other contexts may ask of usage, in plain types only."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from domain.shared.account import Account
from domain.shared.chat import ModelCall
from domain.shared.error import AppError, ErrorKind
from domain.shared.ids import SpaceId


class BudgetExceeded(AppError):
    """A hard limit is reached: nothing new begins until ``resets_at``, or until it is raised.

    The context holds ``resets_at`` in Unix seconds (None: never) and ``reason``: what the budget
    is for, like ``agent``.
    """

    code, kind = 4028, ErrorKind.EXHAUSTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What a call takes at most; ``points`` and ``money`` are None where nobody priced it."""

    tokens: int
    points: str | None = None
    money: str | None = None


class OpenCall(Protocol):
    """What is kept of one call from its begin until it has an entry, or gets none."""

    def settled(self, call: ModelCall) -> ModelCall:
        """Return the entry of the call with what follows from this; only the first has it."""
        ...

    def release(self) -> None:
        """Forget a call that gets no entry; nothing if it was settled."""
        ...


class InFlightCalls(Protocol):
    """Remembers calls that may be lost with their process; costs them nothing."""

    def begin(self, space_id: SpaceId, account: Account, most: Callable[[], ModelCall]) -> OpenCall:
        """Take note of a call; ``most`` tells its entry if nothing more is ever heard of it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCost:
    """What one model was asked for altogether; ``points`` None where nobody priced some of it."""

    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    seconds: float
    points: Decimal | None


class RunCosts(Protocol):
    """What runs took, as the ledger has it."""

    async def of_runs(self, space_id: SpaceId, run_ids: Collection[int]) -> Sequence[ModelCost]:
        """Return a line for each model that some runs of a workspace asked, by its name."""
        ...


class Budgets(Protocol):
    """What calls may cost; costs nothing where no budget applies."""

    async def require(self, space_id: SpaceId, account: Account) -> None:
        """Raise ``BudgetExceeded`` if nothing new may begin on an account."""
        ...

    async def hold(
        self, space_id: SpaceId, account: Account, bound: Callable[[], Bound]
    ) -> OpenCall:
        """Set aside what a call takes at most; nothing if no budget applies.

        Where others hold what is left, it waits for them for some seconds. Raises
        ``BudgetExceeded``.
        """
        ...
