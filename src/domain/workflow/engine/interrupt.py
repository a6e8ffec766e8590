"""Interrupts: a node asks the user, the run is parked, an answer lets it go on."""

from enum import IntEnum

import msgspec

from domain.workflow.engine.error import InvalidResume, ResumedTwice


class InterruptKind(IntEnum):
    """Numbers of the wire."""

    QUESTION = 2
    FORM = 5
    OAUTH = 7
    TOOL = 100


class Interrupt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question that is open.

    ``path`` leads to the node that asks. ``tool_path``: the asker runs as a tool of this model
    node; clients see that node with kind ``TOOL``.
    """

    id: str
    kind: InterruptKind
    path: tuple[str, ...]
    node_id: str
    node_title: str
    data: str
    tool_path: tuple[str, ...] = ()

    @property
    def event_kind(self) -> InterruptKind:
        """Kind that the interrupted node of the run itself shows."""
        return InterruptKind.TOOL if self.tool_path else self.kind


class Ask(Exception):
    """Raised by a node instead of finishing; what it keeps in its memory is saved."""

    def __init__(self, kind: InterruptKind, data: str) -> None:
        super().__init__(data)
        self.kind = kind
        self.data = data


def select_pending(
    pending: list[Interrupt], interrupt_id: str, *, strict_fifo: bool = False
) -> Interrupt:
    """Find the interrupt an answer is for.

    Raises:
        ResumedTwice: nothing is open.
        InvalidResume: the id is none of the open ones, or, if strict, not the first.
    """
    if not pending:
        raise ResumedTwice("The run waits for no answer; it was resumed already.")
    if strict_fifo and pending[0].id != interrupt_id:
        raise InvalidResume("event id mismatch: only the first open event can be resumed.")
    for interrupt in pending:
        if interrupt.id == interrupt_id:
            return interrupt
    raise InvalidResume("event id mismatch: the run waits for another event.")
