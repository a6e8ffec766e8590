"""Base of the composition root: the process itself, storage, messages, and the way out.

Each provider is written as a method, so that mypy checks what it hands over.
"""

import os
from collections.abc import Callable, Collection
from importlib.metadata import version as distribution_version
from typing import Any, Final, TypeVar
from uuid import uuid4

from dependency_injector import containers, providers

from application.operation.about import About
from application.operation.admission import Admission
from application.operation.dead_letters import DeadLetterAdminService, DeadLetterService
from application.operation.health import Drain
from application.operation.http_metrics import HttpMetrics
from application.operation.outbox import OutboxMonitor
from application.shared.traffic import ShedMeter
from application.trace.archive import PassesSpansOn
from bootstrap.compose import adapters
from bootstrap.compose.consumers import AUDITED, STORED
from bootstrap.compose.observe import AccessObserver, log_context
from bootstrap.compose.part.mcp import programs_of
from bootstrap.compose.part.probe import (
    memory_reader,
    watch_database,
)
from bootstrap.compose.part.telemetry import (
    TelemetryWanted,
    compose_span_export,
    compose_telemetry,
)
from bootstrap.compose.siblings import Siblings
from bootstrap.role import Role
from bootstrap.safety import load_master_keys
from bootstrap.settings import Settings
from domain.shared.capacity.processor import ProcessorShare
from domain.shared.capacity.share_meter import ShareFigures
from domain.shared.id_generator import IdGenerator
from domain.shared.secret import Secret
from infra.contract.adapter import (
    ManagedEventBus,
    ManagedObjectStore,
    ManagedSignals,
    ManagedTextIndexes,
    ManagedVectorIndexes,
    Messaging,
    Place,
)
from infra.contract.clock import Clock
from infra.contract.egress import EgressClient
from infra.contract.observability.metrics import CONTENT_TYPE, Metrics
from infra.contract.observability.telemetry import Telemetry
from infra.contract.security.secret_box import SecretBox
from infra.impl.clock.system import SystemClock
from infra.impl.egress.http import HttpEgress
from infra.impl.http.gateway import HttpGateway
from infra.impl.logging.redaction import Redactor
from infra.impl.logging.setup import RecordReader
from infra.impl.mcp.programs import McpPrograms
from infra.impl.metrics.loop import LoopLagMonitor
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.event.audit import AuditRows
from infra.impl.repository.sql.event.dead_letter import SqlDeadLetters
from infra.impl.repository.sql.event.outbox import SqlEventQueue
from infra.impl.repository.sql.event.relay import SqlEventRelay
from infra.impl.repository.sql.identity.table import audit_log
from infra.impl.repository.sql.operation.leader_election import SqlLeaderElection
from infra.impl.thread_affinity import keep_together, waits
from infra.impl.time_slice import let_the_loop_interrupt


def installed() -> str:
    """Version of the installed distribution."""
    return distribution_version("coterie")


_Part = TypeVar("_Part")
CONTAINER: Final[providers.Self[Any]] = providers.Self()


def once(build: Callable[[Any], _Part]) -> providers.Singleton[_Part]:
    """Make a provider of a method: called once with the container, and open to overrides."""
    return providers.Singleton(build, CONTAINER)


class Foundation(containers.DeclarativeContainer):
    """What the contexts of a process stand on; knows none of them."""

    container = CONTAINER
    settings = providers.Dependency(instance_of=Settings)

    def __getattr__(self, name: str) -> None:  # type: ignore[override]
        """Have mypy refuse misspelt providers, for all of which the library answers ``Any``."""

    # The process

    @once
    def version(self) -> str:
        return installed()

    @once
    def boot(self) -> str:
        """Name of this process in leases: two starts never share one."""
        return uuid4().hex

    @once
    def node(self) -> int:
        """Overridden when the process opens: by then it knows which numbers are free."""
        return self.settings().node

    @once
    def roles(self) -> Collection[Role]:
        """Overridden in processes that do not serve."""
        return frozenset(self.settings().serve.roles)

    @once
    def siblings(self) -> Siblings | None:
        """Overridden in servers that share a listener with others."""
        return None

    @once
    def is_alone(self) -> bool:
        """Whether no other server uses the database: the data directory's lock keeps them out."""
        return self.database().is_sqlite and self.settings().serve.processes == 1

    @once
    def begins_alone(self) -> bool:
        """Whether none did when this process began."""
        siblings = self.siblings()
        is_first = siblings is not None and siblings.is_first
        return self.is_alone() or (self.database().is_sqlite and is_first)

    redactor = providers.Singleton(Redactor)
    metrics = providers.Singleton(Metrics)
    drain = providers.Singleton(Drain)
    machine_clock = providers.Singleton(SystemClock)

    @once
    def processor(self) -> ProcessorShare:
        return ProcessorShare(
            waits=waits,
            keep_together=keep_together,
            prepare=let_the_loop_interrupt,
            figures=ShareFigures(self.metrics()),
        )

    @once
    def loop_lag(self) -> LoopLagMonitor:
        return LoopLagMonitor(metrics=self.metrics())

    @once
    def shed(self) -> ShedMeter:
        return ShedMeter(metrics=self.metrics())

    @once
    def admission(self) -> Admission:
        monitor = self.loop_lag()
        return Admission(
            lag_s=lambda: monitor.lag_s,
            memory_share=memory_reader(self.metrics()),
            meter=self.shed(),
            limits=self.settings().limits,
        )

    @once
    def access(self) -> AccessObserver:
        return AccessObserver(metrics=self.metrics(), log=self.settings().log.access)

    @once
    def http_metrics(self) -> HttpMetrics:
        return HttpMetrics(self.metrics())

    @once
    def about(self) -> About:
        return About(
            version=self.version(),
            render_metrics=self.metrics().render,
            metrics_content_type=CONTENT_TYPE,
        )

    @once
    def telemetry_wanted(self) -> TelemetryWanted:
        return TelemetryWanted.of(os.environ, export_logs=self.settings().trace.export_logs)

    @once
    def telemetry(self) -> Telemetry | None:
        return compose_telemetry(
            wanted=self.telemetry_wanted(),
            version=self.version(),
            instance=self.boot(),
            metrics=self.metrics(),
            read=RecordReader(redactor=self.redactor(), context=log_context).read,
        )

    @once
    def span_export(self) -> PassesSpansOn | None:
        return compose_span_export(self.telemetry(), wanted=self.telemetry_wanted())

    # Storage

    @once
    def master_keys(self) -> tuple[Secret, ...]:
        return load_master_keys(self.settings())

    @once
    def master_key(self) -> Secret:
        return self.master_keys()[0]

    @once
    def secret_box(self) -> SecretBox:
        return adapters.secret_box(self.master_keys(), self.redactor())

    @once
    def database(self) -> Database:
        settings = self.settings()
        several = settings.serve.processes > 1
        database = Database(
            settings.database_url,
            limits=settings.database,
            stored=STORED,
            turns=settings.data_path / "writer.lock" if several else None,
            audit=AuditRows(audit_log, topics=AUDITED, ids=self.ids, clock=self.clock),
        )
        return watch_database(database, self.metrics())

    @once
    def clock(self) -> Clock:
        return adapters.clock(self.database(), self.machine_clock())

    @once
    def ids(self) -> IdGenerator:
        return IdGenerator(clock=self.clock(), node=self.node())

    @once
    def place(self) -> Place:
        siblings = self.siblings()
        return adapters.place_of(
            self.settings(), channel=None if siblings is None else siblings.channel
        )

    @once
    def objects(self) -> ManagedObjectStore:
        return adapters.object_adapter(self.settings()).build(self.place())

    @once
    def vectors(self) -> ManagedVectorIndexes:
        return adapters.vector_adapter(self.settings()).build(self.place())

    @once
    def texts(self) -> ManagedTextIndexes:
        return adapters.text_adapter(self.settings()).build(self.place())

    # Messages

    @once
    def events(self) -> SqlEventQueue:
        return SqlEventQueue(self.database())

    @once
    def messaging(self) -> Messaging:
        return adapters.bus_adapter(self.settings()).build(self.place())

    @once
    def bus(self) -> ManagedEventBus:
        return self.messaging().event_bus(
            queue=self.events(),
            relay=lambda: SqlEventRelay(self.database()),
            clock=self.clock(),
        )

    @once
    def signals(self) -> ManagedSignals:
        return self.messaging().signals()

    @once
    def outbox(self) -> OutboxMonitor:
        return OutboxMonitor(
            backlog=self.events().backlog, clock=self.clock(), metrics=self.metrics()
        )

    @once
    def dead_letters(self) -> DeadLetterService:
        return DeadLetterService(letters=SqlDeadLetters(self.database()), clock=self.clock())

    @once
    def dead_letter_admin(self) -> DeadLetterAdminService:
        return DeadLetterAdminService(letters=self.dead_letters(), mask=self.redactor().value)

    @once
    def leader_election(self) -> SqlLeaderElection:
        return SqlLeaderElection(self.database(), clock=self.clock(), owner=self.boot())

    # The way out, and foreign content

    @once
    def gateway(self) -> HttpGateway:
        settings = self.settings()
        return HttpGateway(limits=settings.limits, allow_private=settings.egress.allow_private)

    @once
    def egress(self) -> EgressClient:
        return HttpEgress(
            gateway=self.gateway(),
            limits=self.settings().limits,
            figures=ShareFigures(self.metrics()),
        )

    @once
    def ocr(self) -> adapters.ManagedOcr | None:
        return adapters.ocr_engine(self.settings().limits, self.metrics())

    @once
    def parser(self) -> adapters.ManagedParser:
        return adapters.document_parser(
            self.settings().limits, self.ocr(), self.metrics(), self.processor()
        )

    @once
    def code_runner(self) -> adapters.ManagedCodeRunner:
        settings = self.settings()
        return adapters.code_runner(settings.code, settings.data_path, self.metrics())

    @once
    def mcp_programs(self) -> McpPrograms:
        """Run in whichever process calls them."""
        return McpPrograms(programs_of(self.settings()), limits=self.settings().limits)
