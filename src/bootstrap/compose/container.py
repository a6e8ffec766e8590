"""Composition root: the only place that knows which adapter serves which port.

A context is built as a whole when something asks for it first, after those that it names.
"""

import os
import platform
from typing import Any

from application.identity.audit_stream import AuditStream
from application.identity.avatar import AvatarService
from application.identity.space_defaults import SpaceDefaultsService
from application.identity.token import TokenService
from application.knowledge.dataset.detail import DatasetDetails
from application.knowledge.dataset.user import DatasetReferences
from application.operation.examination.doctor import Doctor
from application.operation.health import HealthService
from application.operation.overview import OperationService
from application.operation.reporter import Machine, ProcessReporter
from application.plugin.tool_service import PluginToolService
from application.privacy.retention import RetentionBook
from application.run.allowance import RunAllowance
from application.shared.cache_invalidation import CacheInvalidation, InvalidationPoller
from application.trace.archive import TraceArchive
from application.usage.reconciliation import ReconciliationService
from bootstrap.compose import adapters
from bootstrap.compose.foundation import CONTAINER, Foundation, once
from bootstrap.compose.observe import log_context
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
from bootstrap.compose.part.mcp import McpParts, compose_mcp
from bootstrap.compose.part.memory import MemoryParts, compose_memory
from bootstrap.compose.part.model import ModelParts, compose_model
from bootstrap.compose.part.plugin import PluginParts, compose_plugin
from bootstrap.compose.part.privacy import PrivacyParts, compose_privacy
from bootstrap.compose.part.probe import (
    code_runner_note,
    disk_probe,
    schema_probe,
)
from bootstrap.compose.part.share import ShareParts, compose_share
from bootstrap.compose.part.trace import TraceParts, compose_trace
from bootstrap.compose.part.usage import UsageParts, compose_usage
from bootstrap.compose.part.workflow import (
    WorkflowParts,
    WorkflowRunParts,
    compose_workflow,
    compose_workflow_runs,
)
from bootstrap.effective import effective
from crossdomain.app.impl import DomainApps
from domain.app.repository import AppStore
from domain.knowledge.value import FormatType
from domain.shared.capacity.quota import Quotas
from infra.contract.security.password_hasher import PasswordHasher
from infra.impl.logging.recent import RecentLines
from infra.impl.logging.setup import RecordReader
from infra.impl.mcp.client import ProtocolMcpClient
from infra.impl.metrics.machine import DiskUse, processor_s, resident_bytes
from infra.impl.password_hasher.argon2id import Argon2idHasher
from infra.impl.repository.sql.app.repository import SqlAppStore
from infra.impl.repository.sql.engine.migrate import head
from infra.impl.repository.sql.operation.process import SqlProcessReports
from infra.impl.repository.sql.operation.queue import SqlQueueStates
from infra.impl.repository.sql.operation.run_count import SqlRunCounts
from infra.impl.repository.sql.privacy import SqlPrivacyStore


def _doctor(container: Any) -> Doctor:
    from bootstrap.maintenance.doctor import doctor_of

    return doctor_of(container)


class Container(Foundation):
    """Settings, adapters and contexts of one process.

    All providers are synchronous; whatever needs I/O to start does so in the lifecycle.
    """

    container = CONTAINER

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

    # What hears that caches are stale

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
        return model_invalidation(
            self.signals(), self.model().catalog, self.directory().live.tell_models
        )

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
            spaces=self.identity().spaces,
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
