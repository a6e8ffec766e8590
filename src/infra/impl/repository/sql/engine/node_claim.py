"""Node numbers on a PostgreSQL that several machines share."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.error import SettingsInvalid, Unavailable
from infra.impl.repository.sql.engine.database import Database

_LOCKS: Final = 0x6E6F_6465  # first half of the advisory locks' keys, "node" in ASCII
_STAYING: Final = sa.text("SET LOCAL idle_in_transaction_session_timeout = 0")
"""Also ends what a query before it left open: the snapshot of the last one would stay."""

_ANSWER_S: Final = 10.0

_log: Final = logging.getLogger(__name__)


class NodeClaim:
    """A number that no other process on the database has, for as long as this one lives.

    An advisory lock holds it: the server drops it when the process dies, however that happens. It
    belongs to a transaction that stays open on a connection of its own, since a pooler may give
    each transaction of a session to another server process. Meanwhile it holds no snapshot, or
    each index that is made beside writers would wait for it for ever. The lock goes with the
    connection, so ``renew`` has to be called now and then: it takes the number again, or the next
    free one if somebody was faster.
    ``on_change`` hears of each number that was taken.
    """

    def __init__(
        self, database: Database, *, first: int, last: int, on_change: Callable[[int], None]
    ) -> None:
        self._database = database
        self._wanted = first
        self._last = last
        self._on_change = on_change
        self._held = AsyncExitStack()
        self._connection: AsyncConnection | None = None

    async def take(self) -> None:
        """Take the first number that is free.

        Raises:
            SettingsInvalid: none is.
            Unavailable: the database does not answer.
        """
        async with AsyncExitStack() as stack:
            connection = await stack.enter_async_context(self._database.write_at_length())
            for number in range(self._wanted, self._last + 1):
                free = sa.func.pg_try_advisory_xact_lock(_LOCKS, number)
                if await connection.scalar(sa.select(free)):
                    break
            else:
                raise SettingsInvalid(
                    f"All node numbers from {self._wanted} to {self._last} are taken by other "
                    "processes on this database. Set COTERIE_NODE to a lower number."
                )
            await connection.execute(_STAYING)
            self._held, self._connection = stack.pop_all(), connection
        if number != self._wanted:
            _log.info("Node number %s is taken; this process has %s.", self._wanted, number)
        self._wanted = number
        self._on_change(number)

    async def renew(self) -> None:
        """Take a number again if the connection was lost."""
        if self._connection is not None:
            try:
                async with asyncio.timeout(_ANSWER_S):
                    await self._connection.execute(_STAYING)
            except (sa.exc.SQLAlchemyError, OSError):
                _log.warning("The connection that held the node number was lost.")
            else:
                return
            await self.release()
        await self.take()

    async def release(self) -> None:
        """Give the number back."""
        held, self._held, self._connection = self._held, AsyncExitStack(), None
        try:
            async with asyncio.timeout(_ANSWER_S):
                await held.aclose()
        except (Unavailable, TimeoutError):  # gone with the connection
            _log.debug("The connection of the node number closed badly.", exc_info=True)
