"""Composition of traces: what keeps them, and who may read them."""

from dataclasses import dataclass

from application.trace.body import TraceBodies
from application.trace.recorder import TraceRecorder
from application.trace.service import TraceService
from application.trace.settings import TraceSettings
from application.trace.sweeper import TraceObjects, TraceSweeper
from domain.shared.limits import Limits
from domain.trace.redaction import Mask
from infra.contract.clock import Clock
from infra.contract.secret_box import SecretBox
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.trace.repository import SqlTraceStore


@dataclass(frozen=True, kw_only=True)
class TraceParts:
    """Traces for those who may look, and what runs tell them to."""

    service: TraceService
    recorder: TraceRecorder
    sweeper: TraceSweeper


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
) -> TraceParts:
    """``mask`` replaces the values of known credentials in a text."""
    store = SqlTraceStore(database)
    bodies = TraceBodies(objects=objects, box=box, clock=clock)
    return TraceParts(
        service=TraceService(
            store=store, bodies=bodies, clock=clock, limits=limits, version=version
        ),
        recorder=TraceRecorder(bodies=bodies, settings=settings, mask=mask, clock=clock),
        sweeper=TraceSweeper(
            store=store, bodies=bodies, objects=objects, settings=settings, clock=clock
        ),
    )
