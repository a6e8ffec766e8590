"""How plugins were called is written later where the database is away, the newest call only."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

from application.plugin.call_recorder import CallRecorder
from domain.plugin.entity import Plugin
from domain.plugin.repository import PluginStore
from domain.plugin.value import LastCall, PluginId
from domain.shared.access import TenantScope
from domain.shared.error import Unavailable
from domain.shared.ids import SpaceId

NOW = datetime(2026, 5, 1, tzinfo=UTC)


class Store:
    """Keeps what is written; fails as often as it is told to."""

    def __init__(self, *, failures: int) -> None:
        self.failures = failures
        self.written: list[Mapping[PluginId, LastCall]] = []
        self.plugins = self

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator["Store", None]:
        yield self

    async def record_calls(self, scope: TenantScope, calls: Mapping[PluginId, LastCall]) -> None:
        if self.failures:
            self.failures -= 1
            raise Unavailable("The database is away.")
        self.written.append(calls)

    async def commit(self) -> None: ...


def call(minute: int) -> LastCall:
    at = NOW + timedelta(minutes=minute)
    return LastCall(at=at, tool="find", has_worked=True, status=200, duration_ms=1)


async def test_only_the_newest_call_is_written_once_the_database_is_back() -> None:
    store = Store(failures=1)
    recorder = CallRecorder(store=cast("PluginStore", store))
    plugin = cast("Any", SimpleNamespace(id=PluginId(1), space_id=SpaceId(2)))
    recorder.note(cast("Plugin", plugin), call(1))
    await recorder.flush()
    assert store.written == []
    recorder.note(cast("Plugin", plugin), call(2))
    await recorder.flush()
    await recorder.flush()
    assert store.written == [{PluginId(1): call(2)}]
