"""Connections to PostgreSQL: limits on both sides, and few questions."""

import os
from time import monotonic
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from domain.shared.error import Unavailable
from infra.contract.storage.database import PoolLimits
from infra.impl.repository.sql.fastpath.postgres_write import WAITING, combine_writes_of

SILENCE_S: Final = 2.0
"""Beyond ``statement_s``, when the server ends a statement itself: it is silent, not slow."""
UNUSED_S: Final = 30.0
"""A connection that rested for longer is asked whether it works: firewalls forget such ones."""
STATEMENTS: Final = 400
"""Prepared statements kept for each connection; the product knows some hundreds."""
_USED_AT: Final = "used_at"


def pooled_engine(url: str, limits: PoolLimits) -> AsyncEngine:
    """Return an engine whose statements end within ``statement_s``, whatever the server does."""
    engine = create_async_engine(
        url,
        pool_size=limits.pool_size,
        max_overflow=limits.pool_overflow,
        pool_timeout=limits.acquire_s,
        connect_args=_arguments(limits)
        | {
            "command_timeout": limits.statement_s + SILENCE_S,
            "prepared_statement_cache_size": STATEMENTS,
            "statement_cache_size": STATEMENTS,
        },
    )
    sync = engine.sync_engine
    sa.event.listen(sync, "checkin", _note_use)
    sa.event.listen(sync, "checkout", _require_alive)
    sa.event.listen(sync, "handle_error", _give_up_silent)
    if limits.combine_writes:
        combine_writes_of(sync)
    return engine


def patient_engine(url: str, limits: PoolLimits) -> AsyncEngine:
    """Return an engine without a limit for statements on this side, nor connections to keep."""
    return create_async_engine(url, poolclass=NullPool, connect_args=_arguments(limits))


def _arguments(limits: PoolLimits) -> dict[str, Any]:
    return {
        "server_settings": {
            "application_name": f"{limits.application} {os.getpid()}",
            "statement_timeout": _millis(limits.statement_s),
            "lock_timeout": _millis(limits.lock_s),
            "idle_in_transaction_session_timeout": _millis(limits.idle_transaction_s),
        },
        "timeout": limits.acquire_s,
    }


def _millis(seconds: float) -> str:
    """A time as the server's settings want it; 0 would switch the limit off."""
    return str(max(round(seconds * 1000), 1))


def _note_use(connection: Any, record: Any) -> None:
    # Writes of a transaction that was given up must not be done by the next one.
    record.info.pop(WAITING, None)
    if connection is not None:
        record.info[_USED_AT] = monotonic()


def _require_alive(connection: Any, record: Any, _: Any) -> None:
    """Have a connection replaced that is gone.

    The driver learns at once of one that the server closed. Asking the server each time would make
    a third of all statements.
    """
    if connection.driver_connection.is_closed():
        raise sa.exc.InvalidatePoolError
    used_at = record.info.get(_USED_AT)
    if used_at is None or monotonic() - used_at < UNUSED_S:
        return
    try:
        connection.ping()
    except Exception as exc:
        connection.driver_connection.terminate()
        raise sa.exc.InvalidatePoolError from exc


def _give_up_silent(context: Any) -> Unavailable | None:
    """Drop the connection on which the driver waited in vain."""
    if not isinstance(context.original_exception, TimeoutError) or context.connection is None:
        return None
    # At once: saying goodbye, or asking for the statement to be cancelled, would wait as well.
    context.connection.connection.driver_connection.terminate()
    context.is_disconnect = True
    return Unavailable("The database does not answer; try again.")
