"""Opening and closing the parts of a process, in order."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from bootstrap.configuration import SettingsInvalid
from bootstrap.container import Container
from bootstrap.settings import Settings
from bootstrap.subscriptions import subscribe
from infra.contract.lifecycle import Managed

_log: Final = logging.getLogger("coterie")


@asynccontextmanager
async def opened(container: Container, *, serving: bool = False) -> AsyncGenerator[None, None]:
    """Prepare the data directory, migrate, and start the parts; close them in reverse.

    Commands start only what they use; ``serving`` adds the parts that work in the background.
    """
    settings: Settings = container.settings()
    await asyncio.to_thread(prepare_data, settings.data_path)
    container.redactor().register(settings.openai.api_key, container.master_key())
    await migrate(settings)
    parts: Sequence[Managed] = container.storage()
    if serving:
        subscribe(container)
        parts = [*parts, *container.background()]
    async with AsyncExitStack() as stack:
        for part in parts:
            stack.push_async_callback(_close, part)
            await part.start()
        yield


async def migrate(settings: Settings) -> str:
    """Bring the schema to the newest revision and return it."""
    from infra.impl.repository.sql.migrate import upgrade

    await asyncio.to_thread(prepare_data, settings.data_path)
    return await asyncio.to_thread(upgrade, settings.database_url)


def prepare_data(path: Path) -> None:
    """Make the data directory, for its owner only; raise ``SettingsInvalid`` if that fails."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as exc:
        raise SettingsInvalid(f"Cannot use the data directory {path}: {exc.strerror}.") from exc


async def _close(part: Managed) -> None:
    """Close one part; its failure must not keep the others open."""
    try:
        await part.aclose()
    except Exception:  # noqa: BLE001 - logged; the others close all the same
        _log.exception("a part did not close", extra={"part": type(part).__name__})
