"""Keeping a claim for as long as the work under it takes."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from domain.shared.error import AppError

_logger: Final = logging.getLogger(__name__)


async def keeping(
    work: Callable[[], Awaitable[None]], renew: Callable[[], Awaitable[None]], *, every_s: float
) -> None:
    """Call ``renew`` again and again while ``work`` runs; a call that fails is repeated.

    Raises what ``work`` raises.
    """
    failure: Exception | None = None
    async with asyncio.TaskGroup() as group:
        keeper = group.create_task(_repeat(renew, every_s))
        try:
            await work()
        except Exception as exc:  # noqa: BLE001 - raised below, not as one of a group
            failure = exc
        keeper.cancel()
    if failure is not None:
        raise failure


async def _repeat(renew: Callable[[], Awaitable[None]], every_s: float) -> None:
    while True:
        await asyncio.sleep(every_s)
        try:
            await renew()
        except AppError:
            _logger.warning("A claim could not be renewed.", exc_info=True)
