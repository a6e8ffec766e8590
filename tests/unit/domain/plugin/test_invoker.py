"""What is told of calls: how those went that reached a service, and nothing of the others."""

import asyncio
import contextlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from crossdomain.identity.contract import Groups
from domain.plugin.call import Called, Caller, LoadedTool, Trace
from domain.plugin.entity import Plugin
from domain.plugin.error import GrantNeeded, PluginInvalid, ToolCallFailed
from domain.plugin.invoker import ToolInvoker
from domain.plugin.repository import PluginStore
from domain.plugin.rules import PluginRules
from domain.plugin.value import LastCall, Manifest, PluginId, PluginKind, ToolDefinition, ToolId
from domain.shared.access import TenantScope
from domain.shared.error import AppError
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from infra.contract.egress import EgressDenied

NOW = datetime(2026, 5, 1, tzinfo=UTC)
SCOPE = TenantScope(UserId(7), frozenset({SpaceId(2)}))


class Service:
    """Answers, or does what it is given instead."""

    def __init__(self, error: AppError | None, *, patience_s: float = 5.0) -> None:
        self._error = error
        self._patience_s = patience_s

    def longest_s(self, tool: LoadedTool) -> float:
        return self._patience_s

    async def call(
        self,
        tool: LoadedTool,
        arguments: Mapping[str, Any],
        caller: Caller,
        *,
        fixed: Mapping[str, Any],
        trace: Trace,
    ) -> Called:
        trace.status = 200
        if not self._patience_s:
            await asyncio.Event().wait()
        if self._error is not None:
            raise self._error
        return Called(output={}, text="", raw="", status=200)


async def told_of(service: Service) -> list[LastCall]:
    """Call once and return what was told."""
    manifest = Manifest(server_url="https://harbour.example")
    plugin = Plugin.create(
        PluginId(1),
        space_id=SpaceId(2),
        creator_id=UserId(7),
        name="Harbour",
        description="",
        icon_file_id=None,
        app_id=0,
        manifest=manifest,
        rules=PluginRules(Limits()),
        now=NOW,
    )
    tool = LoadedTool(
        id=ToolId(3),
        plugin=plugin,
        manifest=manifest,
        definition=ToolDefinition(name="find"),
        version="",
        hosts=frozenset(),
    )
    told: list[LastCall] = []
    invoker = ToolInvoker(
        store=cast("PluginStore", None),
        callers={PluginKind.HTTP: service},
        groups=cast("Groups", None),
        limits=Limits(),
        note=lambda _, call: told.append(call),
        now=lambda: NOW,
        monotonic=iter([1.0, 1.25]).__next__,
    )
    with contextlib.suppress(AppError):
        await invoker.call(tool, {}, Caller(scope=SCOPE))
    return told


async def test_an_answer_is_told_with_its_status_and_time() -> None:
    told = await told_of(Service(None))
    assert told == [LastCall(at=NOW, tool="find", has_worked=True, status=200, duration_ms=250)]


@pytest.mark.parametrize("error", [ToolCallFailed("HTTP 500"), EgressDenied("not there")])
async def test_what_the_service_is_to_blame_for_has_failed(error: AppError) -> None:
    assert [each.has_worked for each in await told_of(Service(error))] == [False]


async def test_no_answer_in_time_has_failed() -> None:
    assert [each.has_worked for each in await told_of(Service(None, patience_s=0.0))] == [False]


@pytest.mark.parametrize(
    "error",
    [PluginInvalid("arguments.q"), GrantNeeded("connect", authorize_url="https://a.example")],
)
async def test_what_was_never_sent_is_not_told(error: AppError) -> None:
    assert await told_of(Service(error)) == []
