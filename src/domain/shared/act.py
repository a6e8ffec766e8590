"""Act of a request: who changes something, from where, by which operation; what audit rows tell."""

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final


@dataclass(slots=True, eq=False, kw_only=True)
class Act:
    """What an audited operation does, until it has answered.

    Transactions that commit meanwhile write it into the audit log, each thing that they change in
    a row, and count the rows: an operation that ends without any changed nothing there.
    """

    action: str
    """The operation, as the table of routes names it."""

    user_id: int
    token_id: int = 0
    session_id: int = 0
    address: str = ""
    resource_type: str = ""
    """What the path names, if it names something."""

    resource_id: int = 0
    space_id: int = 0
    reason: str = ""
    """Why, in the words of who does it; it stands in the row of an act that changed no rows."""

    rows: int = 0
    is_cut_short: bool = False
    """It was stopped, nobody knows how far it had come."""

    has_ended: bool = False
    """Work that goes on behind the answer, a run for instance, is none of it."""


ACT: Final[ContextVar[Act | None]] = ContextVar("act", default=None)


def current_act() -> Act | None:
    """Return what an audited request is doing; None outside of one."""
    act = ACT.get()
    return None if act is None or act.has_ended else act
