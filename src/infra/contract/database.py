"""What a process may ask of its database server."""

from typing import Annotated

import msgspec

Seconds = Annotated[float, msgspec.Meta(gt=0)]


class PoolLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Connections to a server, and how long anything on them may take; SQLite knows none of it."""

    pool_size: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 20
    pool_overflow: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 10
    """Connections beyond ``pool_size`` for a moment; closed when they are given back."""
    acquire_s: Seconds = 5.0
    """For getting a connection, new or of the pool."""
    statement_s: Seconds = 5.0
    lock_s: Seconds = 4.0
    """For getting a lock; less than ``statement_s``, so that the cause is told apart."""
    idle_transaction_s: Seconds = 30.0
    """After it the server ends a transaction that does nothing."""
    application: str = "coterie"
    """Name of the connections in the server's lists; the process's number is added."""
