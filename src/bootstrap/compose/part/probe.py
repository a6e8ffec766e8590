"""What readiness asks that no single adapter can answer."""

import shutil
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Final

from bootstrap.settings import CodeSettings
from domain.shared.error import Unavailable
from infra.contract.code_runner import CodeRunner
from infra.contract.observability.metrics import Metrics
from infra.impl.metrics.memory import CgroupMemory
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.migrate import is_at_head
from infra.impl.shared_thread import SharedThread

FREE_SHARE: Final = 0.05
"""Of the data directory's file system; below it the operator should act."""

Probe = Callable[[], Awaitable[None]]


def schema_probe(database: Database) -> Probe:
    """Readiness of the schema: another release may have moved it on."""

    async def probe() -> None:
        if not await is_at_head(database):
            raise Unavailable("The database is not at this release's schema.")

    return probe


def disk_probe(data: Path, *, free_share: float = FREE_SHARE) -> Probe:
    """Tell of a nearly full disk, while reads still work and writes mostly do."""
    asked = SharedThread(partial(shutil.disk_usage, data))

    async def probe() -> None:
        usage = await asked()
        # What a quota or the file system's reserve keeps back is neither used nor free.
        if usage.free < free_share * (usage.used + usage.free):
            raise Unavailable(
                f"storage_full: less than {free_share:.0%} of the disk of the data directory "
                "is free."
            )

    return probe


def code_runner_note(runner: CodeRunner, settings: CodeSettings) -> Callable[[], str]:
    """Why code nodes do not run although they should; the process is ready without them."""
    return lambda: "" if settings.kind == "off" else runner.disabled_reason


def memory_reader(metrics: Metrics) -> Callable[[], float]:
    """How much of the granted memory is used, shown as a metric too."""
    share = CgroupMemory().share
    metrics.watch("memory_limit_share", "Used share of the memory that is granted.", share)
    return share


def watch_database(database: Database, metrics: Metrics) -> Database:
    """Show what the connections of the database do; return the database."""
    metrics.watch("db_pool_in_use", "Database connections in use.", lambda: database.in_use)
    metrics.watch(
        "writer_queue_depth",
        "Transactions that wait for a connection, or for the one writer of SQLite.",
        lambda: database.waiting,
    )
    return database
