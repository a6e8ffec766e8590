"""Composition root: the only place that knows which adapter serves which port.

Each provider is written as a method of the container, so that mypy checks what it hands over. A
context is built as a whole when something asks for it first, after those that it names.
"""

import os
import platform
from collections.abc import Callable, Collection
from importlib.metadata import version as distribution_version
from typing import Any, Final, TypeVar
from uuid import uuid4

from dependency_injector import containers, providers

from application.identity.audit_stream import AuditStream
from application.identity.avatar import AvatarService
from application.identity.space_defaults import SpaceDefaultsService
from application.identity.token import TokenService
from application.knowledge.dataset.detail import DatasetDetails
from application.knowledge.dataset.user import DatasetReferences
from application.operation.about import About
from application.operation.admission import Admission
from application.operation.dead_letters import DeadLetterAdminService, DeadLetterService
from application.operation.examination.doctor import Doctor
from application.operation.health import Drain, HealthService
from application.operation.http_metrics import HttpMetrics
from application.operation.outbox import OutboxMonitor
from application.operation.overview import OperationService
from application.operation.reporter import Machine, ProcessReporter
from application.plugin.tool_service import PluginToolService
from application.privacy.retention import RetentionBook
from application.run.allowance import RunAllowance
from application.shared.cache_invalidation import CacheInvalidation, InvalidationPoller
from application.shared.traffic import ShedMeter
from application.trace.archive import TraceArchive
from application.trace.telemetry import SpanExport
from application.usage.reconciliation import ReconciliationService
from bootstrap.compose import adapters
from bootstrap.compose.consumers import AUDITED, STORED
from bootstrap.compose.observe import AccessObserver, log_context
from bootstrap.compose.part.agent import (
    AgentParts,
    DefinitionParts,
    compose_agent,
    compose_definitions,
)
from bootstrap.compose.part.channel import ChannelParts, compose_channel
from bootstrap.compose.part.conversation import (
    ConversationParts,
    RecordParts,
    compose_conversation,
    compose_records,
)
from bootstrap.compose.part.file import FileParts, compose_file
from bootstrap.compose.part.identity import (
    ClientParts,
    IdentityParts,
    OidcParts,
    compose_clients,
    compose_identity,
    compose_oidc,
)
from bootstrap.compose.part.invalidation import (
    account_stopper,
    budget_invalidation,
    model_invalidation,
    rights_invalidation,
    session_teller,
)
from bootstrap.compose.part.knowledge import KnowledgeParts, compose_knowledge
from bootstrap.compose.part.library import (
    DirectoryParts,
    LibraryParts,
    compose_directory,
    compose_library,
)
from bootstrap.compose.part.mcp import McpParts, compose_mcp, programs_of
from bootstrap.compose.part.memory import MemoryParts, compose_memory
from bootstrap.compose.part.model import ModelParts, compose_model
from bootstrap.compose.part.plugin import PluginParts, compose_plugin
from bootstrap.compose.part.privacy import PrivacyParts, compose_privacy
from bootstrap.compose.part.probe import (
    code_runner_note,
    disk_probe,
    memory_reader,
    schema_probe,
    watch_database,
)
from bootstrap.compose.part.share import ShareParts, compose_share
from bootstrap.compose.part.telemetry import (
    TelemetryWanted,
    compose_telemetry,
)
from bootstrap.compose.part.trace import TraceParts, compose_trace
from bootstrap.compose.part.usage import UsageParts, compose_usage
from bootstrap.compose.part.workflow import (
    WorkflowParts,
    WorkflowRunParts,
    compose_workflow,
    compose_workflow_runs,
)
from bootstrap.compose.siblings import Siblings
from bootstrap.effective import effective
from bootstrap.role import Role
from bootstrap.safety import load_master_keys
from bootstrap.settings import Settings
from crossdomain.app.impl import DomainApps
from domain.app.repository import AppStore
from domain.knowledge.value import FormatType
from domain.shared.capacity.processor import ProcessorShare
from domain.shared.capacity.quota import Quotas
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
from infra.contract.security.password_hasher import PasswordHasher
from infra.contract.security.secret_box import SecretBox
from infra.impl.clock.system import SystemClock
from infra.impl.egress.http import HttpEgress
from infra.impl.http.gateway import HttpGateway
from infra.impl.logging.recent import RecentLines
from infra.impl.logging.redaction import Redactor
from infra.impl.logging.setup import RecordReader
from infra.impl.mcp.client import ProtocolMcpClient
from infra.impl.mcp.programs import McpPrograms
from infra.impl.metrics.loop import LoopLagMonitor
from infra.impl.metrics.machine import DiskUse, processor_s, resident_bytes
from infra.impl.password_hasher.argon2id import Argon2idHasher
from infra.impl.repository.sql.app.repository import SqlAppStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.migrate import head
from infra.impl.repository.sql.event.audit import AuditRows
from infra.impl.repository.sql.event.dead_letter import SqlDeadLetters
from infra.impl.repository.sql.event.outbox import SqlEventQueue
from infra.impl.repository.sql.event.relay import SqlEventRelay
from infra.impl.repository.sql.identity.table import audit_log
from infra.impl.repository.sql.operation.leader_election import SqlLeaderElection
from infra.impl.repository.sql.operation.process import SqlProcessReports
from infra.impl.repository.sql.operation.queue import SqlQueueStates
from infra.impl.repository.sql.operation.run_count import SqlRunCounts
from infra.impl.repository.sql.privacy import SqlPrivacyStore
from infra.impl.time_slice import let_the_loop_interrupt


def installed() -> str:
    """Version of the installed distribution."""
    return distribution_version("coterie")


def _doctor(container: Any) -> Doctor:
    from bootstrap.maintenance.doctor import doctor_of

    return doctor_of(container)


_Part = TypeVar("_Part")
_CONTAINER: Final[providers.Self[Any]] = providers.Self()


def once(build: Callable[[Any], _Part]) -> providers.Singleton[_Part]:
    """Make a provider of a method: called once with the container, and open to overrides."""
    return providers.Singleton(build, _CONTAINER)


class Container(containers.DeclarativeContainer):
    """Settings, adapters and contexts of one process.

    All providers are synchronous; whatever needs I/O to start does so in the lifecycle.
    """

    container = _CONTAINER
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
        return ProcessorShare(prepare=let_the_loop_interrupt, figures=ShareFigures(self.metrics()))

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
    def span_export(self) -> SpanExport | None:
        telemetry, wanted = self.telemetry(), self.telemetry_wanted()
        if telemetry is None:
            return None
        return SpanExport(telemetry=telemetry, with_content=wanted.with_content)

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
    def tables(self) -> adapters.ManagedTableStore:
        settings = self.settings()
        return adapters.table_store(
            settings.database_url,
            settings.data_path,
            settings.limits,
            self.metrics(),
            limits_of=self.identity().space_book.limits,
        )

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

    @once
    def rights_invalidation(self) -> CacheInvalidation:
        """Tells who remembers rights, or uses them at length, that some were taken away."""
        return rights_invalidation(
            self.signals(),
            [
                self.identity().authentication.forget,
                self.identity().followers.apply,
                account_stopper(
                    self.conversation().registry.stop_account,
                    self.workflow_runs().registry.stop_account,
                ),
                session_teller(self.directory().live.tell_rights),
            ],
        )

    @once
    def model_invalidation(self) -> CacheInvalidation:
        return model_invalidation(self.signals(), self.model().catalog)

    @once
    def budget_invalidation(self) -> CacheInvalidation:
        return budget_invalidation(self.signals(), self.usage().gate)

    @once
    def invalidation_poller(self) -> InvalidationPoller:
        """What signals do not tell a process, it sees for itself."""
        heard = [
            self.rights_invalidation(),
            self.model_invalidation(),
            self.budget_invalidation(),
        ]
        return InvalidationPoller(self.events(), heard)

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
        return adapters.document_parser(self.settings().limits, self.ocr(), self.metrics())

    @once
    def code_runner(self) -> adapters.ManagedCodeRunner:
        settings = self.settings()
        return adapters.code_runner(settings.code, settings.data_path, self.metrics())

    @once
    def mcp_programs(self) -> McpPrograms:
        """Run in whichever process calls them."""
        return McpPrograms(programs_of(self.settings()), limits=self.settings().limits)

    # Contexts, each after those that it needs

    @once
    def quotas(self) -> Quotas:
        return Quotas(self.settings().limits, limits_of=self.identity().space_book.limits)

    @once
    def allowance(self) -> RunAllowance:
        book = self.identity().space_book
        return RunAllowance(
            counts=SqlRunCounts(self.database(), owner=self.boot()),
            clock=self.clock(),
            limits_of=book.limits,
            limited=book.limited,
            begins_alone=self.begins_alone(),
        )

    @once
    def hasher(self) -> PasswordHasher:
        return Argon2idHasher()

    @once
    def identity(self) -> IdentityParts:
        return compose_identity(
            database=self.database(),
            hasher=self.hasher(),
            clock=self.clock(),
            ids=self.ids(),
            limits=self.settings().limits,
            rules=self.settings().auth,
            holds=self.retention(),
        )

    @once
    def retention(self) -> RetentionBook:
        return RetentionBook(store=SqlPrivacyStore(self.database()))

    @once
    def audit_stream(self) -> AuditStream | None:
        """None where the audit log is kept here only."""
        settings = self.settings().audit
        if not settings.syslog:
            return None
        return AuditStream(
            store=self.identity().store,
            receiver=adapters.audit_receiver(settings),
            target=settings.syslog,
            election=self.leader_election(),
        )

    @once
    def file(self) -> FileParts:
        return compose_file(
            database=self.database(),
            objects=self.objects(),
            egress=self.egress(),
            master_keys=self.master_keys(),
            external_url=self.settings().external_url,
            quotas=self.quotas(),
            holds=self.retention(),
            clock=self.clock(),
            ids=self.ids(),
            limits=self.settings().limits,
        )

    @once
    def usage(self) -> UsageParts:
        return compose_usage(
            database=self.database(),
            election=self.leader_election(),
            owner=self.boot(),
            begins_alone=self.begins_alone(),
            clock=self.clock(),
            ids=self.ids(),
            currency=self.settings().usage.currency,
        )

    @once
    def model(self) -> ModelParts:
        return compose_model(
            settings=self.settings(),
            database=self.database(),
            secret_box=self.secret_box(),
            gateway=self.gateway(),
            files=self.file().contract,
            budgets=self.usage().gate,
            in_flight=self.usage().in_flight,
            groups=self.identity().member_groups,
            defaults=self.identity().space_book,
            clock=self.clock(),
            ids=self.ids(),
            metrics=self.metrics(),
            export=self.span_export(),
        )

    @once
    def knowledge(self) -> KnowledgeParts:
        return compose_knowledge(
            settings=self.settings(),
            database=self.database(),
            objects=self.objects(),
            vectors=self.vectors(),
            texts=self.texts(),
            tables=self.tables(),
            parser=self.parser(),
            egress=self.egress(),
            models=self.model().contract,
            files=self.file().contract,
            file_links=self.file().links,
            master_keys=self.master_keys(),
            quotas=self.quotas(),
            election=self.leader_election(),
            clock=self.clock(),
            ids=self.ids(),
            metrics=self.metrics(),
        )

    @once
    def plugin(self) -> PluginParts:
        return compose_plugin(
            settings=self.settings(),
            database=self.database(),
            secret_box=self.secret_box(),
            egress=self.egress(),
            files=self.file().contract,
            people=self.identity().people,
            groups=self.identity().member_groups,
            mcp_client=ProtocolMcpClient(
                gateway=self.gateway(), programs=self.mcp_programs(), limits=self.settings().limits
            ),
            clock=self.clock(),
            ids=self.ids(),
        )

    @once
    def definitions(self) -> DefinitionParts:
        return compose_definitions(
            database=self.database(), clock=self.clock(), limits=self.settings().limits
        )

    @once
    def records(self) -> RecordParts:
        return compose_records(
            database=self.database(),
            clock=self.clock(),
            ids=self.ids(),
            limits=self.settings().limits,
        )

    @once
    def app_store(self) -> AppStore:
        return SqlAppStore(self.database())

    @once
    def apps(self) -> DomainApps:
        return DomainApps(self.app_store())

    @once
    def memory(self) -> MemoryParts:
        return compose_memory(
            database=self.database(),
            tables=self.tables(),
            parser=self.parser(),
            table_extensions=self.knowledge().accepted.extensions(FormatType.TABLE),
            analyse=self.knowledge().analyzer.index_tokens,
            files=self.file().contract,
            agents=self.definitions().directory,
            agent_variables=self.definitions().variables,
            apps=self.apps(),
            models=self.model().contract,
            rounds=self.records().rounds,
            master_key=self.master_key(),
            clock=self.clock(),
            ids=self.ids(),
            limits=self.settings().limits,
        )

    @once
    def workflow(self) -> WorkflowParts:
        return compose_workflow(
            settings=self.settings(),
            database=self.database(),
            models=self.model().contract,
            files=self.file().contract,
            knowledge=self.knowledge().contract,
            databases=self.memory().database_contract,
            plugins=self.plugin().contract,
            people=self.identity().people,
            apps=self.apps(),
            code_runner=self.code_runner(),
            clock=self.clock(),
            ids=self.ids(),
        )

    @once
    def trace(self) -> TraceParts:
        return compose_trace(
            archive=self.trace_archive,
            settings=self.settings().trace,
            database=self.database(),
            clock=self.clock(),
            limits=self.settings().limits,
            signals=self.signals(),
            agents=self.definitions().definitions.trace_capture,
            workflows=self.workflow().catalog.trace_capture,
            export=self.span_export(),
            election=self.leader_election(),
        )

    @once
    def trace_archive(self) -> TraceArchive:
        """What ``bootstrap.compose.archive`` gives with its type; a start needs none of it."""
        from bootstrap.compose.part.trace_archive import compose_trace_archive

        return compose_trace_archive(
            settings=self.settings().trace,
            rules=self.trace().rules,
            database=self.database(),
            objects=self.objects(),
            box=adapters.content_box(self.master_keys()),
            mask=self.redactor().clean,
            clock=self.clock(),
            limits=self.settings().limits,
            version=self.version(),
            retention=self.retention(),
            export=self.span_export(),
            texts=self.texts(),
            analyse=self.knowledge().analyzer.index_tokens,
            analyzer=self.knowledge().analyzer.version,
        )

    @once
    def workflow_runs(self) -> WorkflowRunParts:
        return compose_workflow_runs(
            tracing=self.trace().recorder,
            workflow=self.workflow(),
            settings=self.settings(),
            roles=self.roles(),
            owner=self.boot(),
            database=self.database(),
            is_alone=self.is_alone(),
            code_runner=self.code_runner(),
            egress=self.egress(),
            signals=self.signals(),
            agents=self.definitions().directory,
            models=self.model().contract,
            budgets=self.usage().gate,
            knowledge=self.knowledge().contract,
            questions=self.knowledge().questions,
            documents=self.knowledge().document_texts,
            conversations=self.records().contract,
            people=self.identity().people,
            apps=self.apps(),
            databases=self.memory().database_contract,
            variables=self.memory().variable_contract,
            plugins=self.plugin().contract,
            allowance=self.allowance(),
            clock=self.clock(),
            ids=self.ids(),
            metrics=self.metrics(),
        )

    @once
    def agent(self) -> AgentParts:
        settings = self.settings()
        return compose_agent(
            agents=self.definitions(),
            models=self.model().contract,
            defaults=self.identity().space_book,
            files=self.file().contract,
            knowledge=self.knowledge().contract,
            plugins=self.plugin().contract,
            workflows=self.workflow_runs().contract,
            variables=self.memory().variable_contract,
            databases=self.memory().database_contract,
            recollections=self.memory().recollection_contract,
            link_rules=adapters.link_rules(settings.external_url, settings.egress.link_hosts),
            clock=self.clock(),
            ids=self.ids(),
            limits=settings.limits,
            metrics=self.metrics(),
        )

    @once
    def library(self) -> LibraryParts:
        return compose_library(
            database=self.database(),
            apps=self.app_store(),
            agents=self.definitions().store,
            agent_service=self.agent().agents,
            files=self.file().contract,
            models=self.model().contract,
            knowledge=self.knowledge().contract,
            holds=self.retention(),
            election=self.leader_election(),
            clock=self.clock(),
            ids=self.ids(),
            limits=self.settings().limits,
        )

    @once
    def conversation(self) -> ConversationParts:
        return compose_conversation(
            tracing=self.trace().recorder,
            holds=self.retention(),
            records=self.records(),
            is_alone=self.is_alone(),
            begins_alone=self.begins_alone(),
            agents=self.agent().contract,
            files=self.file().contract,
            budgets=self.usage().gate,
            secret_box=self.secret_box(),
            models=self.model().contract,
            signals=self.signals(),
            allowance=self.allowance(),
            clock=self.clock(),
            ids=self.ids(),
            limits=self.settings().limits,
            metrics=self.metrics(),
            shed=self.shed(),
            owner=self.boot(),
        )

    @once
    def mcp(self) -> McpParts:
        return compose_mcp(
            settings=self.settings(),
            version=self.version(),
            publishing=self.agent().publishing,
            runs=self.conversation().runs,
            workflows=self.workflow().workflows,
            workflow_tools=self.workflow_runs().contract,
            drain=self.drain(),
        )

    # What belongs to one context and needs a later one

    @once
    def tokens(self) -> TokenService:
        return TokenService(
            store=self.identity().store,
            cache=self.identity().principals,
            agents=self.agent().contract,
            ids=self.ids(),
            clock=self.clock(),
            limits=self.settings().limits,
        )

    @once
    def share(self) -> ShareParts:
        return compose_share(
            database=self.database(),
            secret_box=self.secret_box(),
            master_keys=self.master_keys(),
            agents=self.agent().contract,
            runs=self.conversation().runs,
            costs=self.usage().costs,
            egress=self.egress(),
            hasher=self.hasher(),
            election=self.leader_election(),
            clock=self.clock(),
            ids=self.ids(),
            limits=self.settings().limits,
        )

    @once
    def channel(self) -> ChannelParts:
        return compose_channel(
            database=self.database(),
            secret_box=self.secret_box(),
            egress=self.egress(),
            addresses=self.settings().channel.addresses,
            agents=self.agent().contract,
            runs=self.conversation().runs,
            files=self.file().files,
            signals=self.signals(),
            election=self.leader_election(),
            clock=self.clock(),
            ids=self.ids(),
            begins_alone=self.begins_alone(),
        )

    @once
    def privacy(self) -> PrivacyParts:
        return compose_privacy(
            database=self.database(),
            objects=self.objects(),
            records=self.memory().person_records,
            signals=self.signals(),
            election=self.leader_election(),
            forget_words=self.trace().forget_words,
            drop_tables=self.tables().drop_space,
            drop_orphans=self.knowledge().reconciler.drop_orphans,
            clock=self.clock(),
            ids=self.ids(),
            limits=self.settings().limits,
        )

    @once
    def directory(self) -> DirectoryParts:
        return compose_directory(
            database=self.database(),
            signals=self.signals(),
            clock=self.clock(),
            drain=self.drain(),
        )

    @once
    def clients(self) -> ClientParts:
        return compose_clients(
            identity=self.identity(),
            agents=self.agent().contract,
            election=self.leader_election(),
            clock=self.clock(),
            ids=self.ids(),
            limits=self.settings().limits,
        )

    @once
    def oidc(self) -> OidcParts:
        return compose_oidc(
            identity=self.identity(),
            configured=self.settings().auth.oidc,
            external_url=self.settings().external_url,
            egress=self.egress(),
            box=self.secret_box(),
            clock=self.clock(),
            ids=self.ids(),
        )

    @once
    def space_defaults(self) -> SpaceDefaultsService:
        return SpaceDefaultsService(
            store=self.identity().store,
            book=self.identity().space_book,
            models=self.model().contract,
            clock=self.clock(),
        )

    @once
    def avatars(self) -> AvatarService:
        return AvatarService(
            store=self.identity().store,
            account=self.identity().account,
            pictures=self.file().pictures,
            external_url=self.settings().external_url,
            limits=self.settings().limits,
        )

    @once
    def reconciliation(self) -> ReconciliationService:
        return ReconciliationService(
            store=self.usage().store,
            models=self.model().names,
            clock=self.clock(),
            currency=self.settings().usage.currency,
        )

    @once
    def dataset_details(self) -> DatasetDetails:
        return DatasetDetails(
            files=self.file().contract,
            people=self.identity().people,
            agents=self.agent().contract,
        )

    @once
    def dataset_references(self) -> DatasetReferences:
        return DatasetReferences(store=self.knowledge().store, agents=self.agent().contract)

    @once
    def plugin_tools(self) -> PluginToolService:
        return PluginToolService(
            store=self.plugin().store,
            invoker=self.plugin().invoker,
            flows=self.workflow_runs().contract,
            clock=self.clock(),
            ids=self.ids(),
            limits=self.settings().limits,
            calls=self.plugin().calls,
        )

    @once
    def health(self) -> HealthService:
        monitor, runner, settings = self.loop_lag(), self.code_runner(), self.settings()
        return HealthService(
            probes={
                "database": self.database().probe,
                "schema": schema_probe(self.database()),
                "object_store": self.objects().probe,
            },
            drain=self.drain(),
            helpful={
                "bus": self.bus().check,
                "events": self.outbox().probe,
                "text_index": self.texts().probe,
                "vector_index": self.vectors().probe,
                "disk": disk_probe(settings.data_path),
            },
            notes={"code_runner": code_runner_note(runner, settings.code)},
            lag_s=lambda: monitor.lag_s,
        )

    @once
    def process_reports(self) -> SqlProcessReports:
        return SqlProcessReports(self.database())

    @once
    def recent_lines(self) -> RecentLines:
        return RecentLines(RecordReader(redactor=self.redactor(), context=log_context))

    @once
    def is_serving(self) -> bool:
        """Overridden in processes that answer."""
        return False

    @once
    def reporter(self) -> ProcessReporter:
        roles = self.roles
        return ProcessReporter(
            store=self.process_reports(),
            readings=self.metrics().readings,
            lines=self.recent_lines().take,
            machine=Machine(
                host=platform.node(),
                pid=os.getpid(),
                processor_s=processor_s,
                memory_bytes=resident_bytes,
                disk_share=DiskUse(self.settings().data_path),
            ),
            documents_waiting=SqlQueueStates(self.database()).documents_waiting,
            health=self.health(),
            drain=self.drain(),
            clock=self.clock(),
            ids=self.ids(),
            boot=self.boot(),
            version=self.version(),
            roles=lambda: [role.value for role in roles()],
            url=self.settings().external_url,
            is_server=self.is_serving(),
        )

    @once
    def operations(self) -> OperationService:
        container = self.container()
        return OperationService(
            reports=self.process_reports(),
            queues=SqlQueueStates(self.database()),
            election=self.leader_election(),
            health=self.health(),
            drain=self.drain(),
            reporter=self.reporter(),
            readings=self.metrics().readings,
            settings=lambda: effective(self.settings(), os.environ, mask=self.redactor().clean),
            doctor=lambda: _doctor(container),
            clock=self.clock(),
            boot=self.boot(),
            version=self.version(),
            schema=head,
        )
