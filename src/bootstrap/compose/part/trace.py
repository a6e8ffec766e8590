"""Composition of traces: what keeps them, and who may read them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from application.shared.background import Background
from application.shared.leader import scheduled
from application.trace.body import TraceBodies
from application.trace.live import LiveSpans, SpanFollower
from application.trace.recorder import TraceRecorder
from application.trace.resealing import TraceResealing
from application.trace.rules import OwnCapture, TraceRuleBook, TraceRuleService
from application.trace.service import TraceService
from application.trace.settings import TraceSettings
from application.trace.statistics import TraceStatistics
from application.trace.sweeper import TraceObjects, TraceSweeper
from application.trace.telemetry import SpanExport
from application.trace.text_index import TraceTextIndex
from crossdomain.trace.contract import RetentionRules
from domain.shared.limits import Limits
from domain.trace.redaction import Mask
from infra.contract.clock import Clock
from infra.contract.messaging.leader_election import LeaderElection
from infra.contract.messaging.signal import Signals
from infra.contract.security.secret_box import SecretBox
from infra.contract.storage.search_index import TextIndexes
from infra.impl.pattern.re2 import Re2Patterns
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.trace.repository import SqlTraceStore

_LEARN_S: Final = 5.0


@dataclass(frozen=True, kw_only=True)
class TraceParts:
    """Traces for those who may look, and what runs tell them to."""

    service: TraceService
    rules: TraceRuleService
    statistics: TraceStatistics
    spans: SpanFollower
    recorder: TraceRecorder
    sweeper: TraceSweeper
    text_index: TraceTextIndex
    learning: Background
    """Brings what runs said into the text index."""
    resealing: TraceResealing


def compose_trace(
    *,
    settings: TraceSettings,
    database: Database,
    objects: TraceObjects,
    box: SecretBox,
    mask: Mask,
    clock: Clock,
    limits: Limits,
    version: str,
    signals: Signals,
    retention: RetentionRules,
    agents: OwnCapture,
    workflows: OwnCapture,
    export: SpanExport | None,
    texts: TextIndexes,
    analyse: Callable[[str], list[str]],
    analyzer: str,
    election: LeaderElection,
) -> TraceParts:
    """``mask`` replaces the values of known credentials in a text, ``analyse`` finds its words."""
    store = SqlTraceStore(database)
    bodies = TraceBodies(objects=objects, box=box, clock=clock)
    book = TraceRuleBook(
        store=store,
        patterns=Re2Patterns(),
        signals=signals,
        clock=clock,
        limits=limits,
        agents=agents,
        workflows=workflows,
    )
    live = LiveSpans(signals=signals)
    index = TraceTextIndex(
        store=store,
        bodies=bodies,
        texts=texts,
        analyse=analyse,
        analyzer=analyzer,
    )
    service = TraceService(
        store=store, bodies=bodies, texts=index, clock=clock, limits=limits, version=version
    )
    return TraceParts(
        service=service,
        spans=SpanFollower(spans=live, traces=service),
        statistics=TraceStatistics(store=store, clock=clock),
        rules=TraceRuleService(store=store, book=book, clock=clock),
        recorder=TraceRecorder(
            bodies=bodies,
            settings=settings,
            rules=book,
            live=live,
            mask=mask,
            clock=clock,
            export=export,
        ),
        sweeper=TraceSweeper(
            store=store,
            bodies=bodies,
            objects=objects,
            settings=settings,
            clock=clock,
            retention=retention,
            texts=index,
        ),
        text_index=index,
        learning=scheduled(
            index.learn, name="text index of traces", interval_s=_LEARN_S, election=election
        ),
        resealing=TraceResealing(store=store, bodies=bodies),
    )
