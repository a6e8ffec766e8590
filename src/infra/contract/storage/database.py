"""What a process may ask of its database server, and whose work comes first."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated, Final

import msgspec

Seconds = Annotated[float, msgspec.Meta(gt=0)]


class PoolLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Connections to a server, and how long anything on them may take.

    On SQLite only ``combine_writes`` means something.
    """

    pool_size: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 20
    pool_overflow: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 10
    """Connections beyond ``pool_size`` for a moment; closed when they are given back."""
    acquire_s: Seconds = 5.0
    """For opening a connection, or while nobody gives one back."""
    queue_s: Seconds = 20.0
    """For a connection while others are given back: the line moves, and is long."""
    queue_length: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 2000
    """Newcomers that may wait for a connection; work under way always may."""
    statement_s: Seconds = 5.0
    lock_s: Seconds = 4.0
    """For getting a lock; less than ``statement_s``, so that the cause is told apart."""
    idle_transaction_s: Seconds = 30.0
    """After it the server ends a transaction that does nothing."""
    application: str = "coterie"
    """Name of the connections in the server's lists; the process's number is added."""
    combine_writes: bool = True
    """Have writes that nobody waits for travel with the commit, around SQLAlchemy's own ways."""


_HAS_PRIORITY: Final = ContextVar("_UNDER_WAY", default=False)


@contextmanager
def priority_scope() -> Generator[None, None, None]:
    """Say that the work inside was accepted: it gets connections before newcomers do.

    Otherwise a crowd that asks to begin would keep those from ending who make room for it. Tasks
    that begin inside belong to the work.
    """
    token = _HAS_PRIORITY.set(True)
    try:
        yield
    finally:
        _HAS_PRIORITY.reset(token)


def has_priority() -> bool:
    """Tell whether the current task does work that was accepted."""
    return _HAS_PRIORITY.get()
