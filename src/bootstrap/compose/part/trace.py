"""Composition of traces, as much of it as runs and the background of each process need."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from application.shared.background import Background
from application.shared.leader import scheduled
from application.trace.archive import PassesSpansOn, TraceArchive
from application.trace.live import LiveSpans, SpanFollower
from application.trace.recorder import TraceRecorder
from application.trace.rules import OwnCapture, TraceRuleBook
from application.trace.settings import TraceSettings
from domain.shared.access import TenantScope
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.messaging.leader_election import LeaderElection
from infra.contract.messaging.signal import Signals
from infra.impl.pattern.re2 import Re2Patterns
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.trace.rule import SqlTraceRules

_LEARN_S: Final = 5.0
_SWEEP_S: Final = 3600.0
_ARCHIVE: Final = "bootstrap.compose.part.trace_archive"


@dataclass(frozen=True, kw_only=True)
class TraceParts:
    """What runs tell, and what is done beside them; the rest is in the archive."""

    rules: TraceRuleBook
    spans: SpanFollower
    recorder: TraceRecorder
    sweeping: Background
    """Several processes may sweep side by side."""
    learning: Background
    """Brings what runs said into the text index."""
    forget_words: Callable[[], Awaitable[None]]
    """Takes out of it at once what is no longer kept."""


def compose_trace(
    *,
    archive: Callable[[], TraceArchive],
    settings: TraceSettings,
    database: Database,
    clock: Clock,
    limits: Limits,
    signals: Signals,
    agents: OwnCapture,
    workflows: OwnCapture,
    export: PassesSpansOn | None,
    election: LeaderElection,
) -> TraceParts:
    """``archive`` makes it when it is asked for first."""
    book = TraceRuleBook(
        load=SqlTraceRules(database).load,
        patterns=Re2Patterns(),
        signals=signals,
        clock=clock,
        limits=limits,
        agents=agents,
        workflows=workflows,
    )
    live = LiveSpans(signals=signals)
    made: list[TraceArchive] = []

    async def opened() -> TraceArchive:
        if not made:
            # In a thread: the first run ends, or the first words are learnt, amid requests, which
            # the code behind it would hold up.
            await asyncio.to_thread(import_module, _ARCHIVE)
            made.append(archive())
        return made[0]

    async def stretches(scope: TenantScope, run_id: int) -> int:
        return await (await opened()).stretches(scope, run_id)

    async def learn() -> None:
        await (await opened()).learn()

    async def forget_words() -> None:
        await (await opened()).forget_words()

    async def sweep() -> None:
        await (await opened()).sweep()

    return TraceParts(
        rules=book,
        spans=SpanFollower(spans=live, stretches=stretches),
        recorder=TraceRecorder(
            archive=opened,
            settings=settings,
            rules=book,
            live=live,
            clock=clock,
            export=export,
        ),
        forget_words=forget_words,
        sweeping=Background(sweep, name="sweeper of traces", interval_s=_SWEEP_S),
        learning=scheduled(
            learn, name="text index of traces", interval_s=_LEARN_S, election=election
        ),
    )
