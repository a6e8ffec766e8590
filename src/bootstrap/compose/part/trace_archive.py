"""Composition of the archive of traces: what stores them, and who may read them.

Only ``Container.trace_archive`` imports it, when something is stored, swept or asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass

from application.trace.archive import PassesSpansOn
from application.trace.body import TraceBodies
from application.trace.resealing import TraceResealing
from application.trace.rule_service import TraceRuleService
from application.trace.rules import TraceRuleBook
from application.trace.service import TraceService
from application.trace.settings import TraceSettings
from application.trace.statistics import TraceStatistics
from application.trace.sweeper import TraceObjects, TraceSweeper
from application.trace.text_index import TraceTextIndex
from application.trace.writer import TraceWriter
from crossdomain.trace.contract import RetentionRules
from domain.shared.access import TenantScope
from domain.shared.limits import Limits
from domain.trace.capture import Mask
from infra.contract.clock import Clock
from infra.contract.security.secret_box import SecretBox
from infra.contract.storage.search_index import TextIndexes
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.trace.repository import SqlTraceStore


@dataclass(frozen=True, kw_only=True)
class TraceArchiveParts:
    """Implements ``TraceArchive``, and has what else asks for traces."""

    service: TraceService
    rule_service: TraceRuleService
    statistics: TraceStatistics
    writer: TraceWriter
    sweeper: TraceSweeper
    text_index: TraceTextIndex
    resealing: TraceResealing

    async def stretches(self, scope: TenantScope, run_id: int) -> int:
        return await self.service.stretches(scope, run_id)

    async def learn(self) -> None:
        await self.text_index.learn()

    async def forget_words(self) -> None:
        await self.text_index.forget()

    async def sweep(self) -> None:
        await self.sweeper.sweep()


def compose_trace_archive(
    *,
    settings: TraceSettings,
    rules: TraceRuleBook,
    database: Database,
    objects: TraceObjects,
    box: SecretBox,
    mask: Mask,
    clock: Clock,
    limits: Limits,
    version: str,
    retention: RetentionRules,
    export: PassesSpansOn | None,
    texts: TextIndexes,
    analyse: Callable[[str], list[str]],
    analyzer: str,
) -> TraceArchiveParts:
    """``mask`` replaces the values of known credentials in a text, ``analyse`` finds its words."""
    store = SqlTraceStore(database)
    bodies = TraceBodies(objects=objects, box=box, clock=clock)
    index = TraceTextIndex(
        store=store,
        bodies=bodies,
        texts=texts,
        analyse=analyse,
        analyzer=analyzer,
    )
    return TraceArchiveParts(
        service=TraceService(
            store=store, bodies=bodies, texts=index, clock=clock, limits=limits, version=version
        ),
        rule_service=TraceRuleService(store=store, book=rules, clock=clock),
        statistics=TraceStatistics(store=store, clock=clock),
        writer=TraceWriter(bodies=bodies, settings=settings, mask=mask, export=export),
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
        resealing=TraceResealing(store=store, bodies=bodies),
    )
