"""The heartbeat of a lease: renewed for as long as the work under it takes."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from domain.shared.error import AppError

_logger: Final = logging.getLogger(__name__)


async def with_heartbeat(
    work: Callable[[], Awaitable[None]], renew: Callable[[], Awaitable[bool]], *, every_s: float
) -> bool:
    """Call ``renew`` again and again while ``work`` runs; a call that fails is repeated.

    Once ``renew`` returns False somebody else has the lease: the work is cancelled, and so is
    returned. Raises what ``work`` raises.
    """
    failure: Exception | None = None
    lease = asyncio.timeout(None)
    async with asyncio.TaskGroup() as group:
        heart = group.create_task(_beat(renew, every_s, lease))
        try:
            async with lease:
                await work()
        except Exception as exc:  # noqa: BLE001 - raised below, not as one of a group
            failure = exc
        heart.cancel()
    if lease.expired():
        return False
    if failure is not None:
        raise failure
    return True


async def _beat(
    renew: Callable[[], Awaitable[bool]], every_s: float, lease: asyncio.Timeout
) -> None:
    while True:
        await asyncio.sleep(every_s)
        try:
            if not await renew():
                # Ends the work as a timeout does, which can be told from a cancel that came from
                # outside.
                lease.reschedule(asyncio.get_running_loop().time())
                return
        except AppError:
            # A lease lasts for several beats, so the next one may still keep it.
            _logger.warning("A lease could not be renewed.", exc_info=True)
