"""Composition root: the only module that knows which adapter serves which port."""

import operator
from importlib.metadata import version as distribution_version
from uuid import uuid4

from dependency_injector import containers, providers

from application.conversation.named import NamedConversationService
from application.conversation.rounds import OfferedRounds
from application.conversation.talk import TalkService
from application.file.icon import IconService
from application.file.purge import FilePurge
from application.file.service import FileService
from application.identity.audit import AuditService
from application.identity.authentication import AuthService
from application.identity.bootstrap import BootstrapService
from application.identity.cache import PrincipalCache
from application.identity.following import Followers
from application.identity.space import MemberService, SpaceService
from application.identity.token import TokenService
from application.identity.user import UserService
from application.knowledge.dataset_detail import DatasetDetails
from application.knowledge.reference import DatasetReferences
from application.operation.about import About
from application.operation.admission import Admission
from application.operation.edge import EdgeMeter
from application.operation.health import Drain, HealthService
from application.operation.outbox import OutboxMonitor
from application.plugin.tool_service import PluginToolService
from application.shared.everywhere import Lookout
from application.shared.traffic import ShedMeter
from bootstrap import adapters
from bootstrap.agent import AgentContainer
from bootstrap.bus import Wires
from bootstrap.consumers import STORED
from bootstrap.conversation import ConversationContainer
from bootstrap.knowledge import KnowledgeContainer
from bootstrap.library import LibraryContainer
from bootstrap.mcp import McpClientContainer, McpContainer
from bootstrap.memory import MemoryContainer
from bootstrap.models import ModelContainer
from bootstrap.news import account_stopper, rights_news
from bootstrap.observe import AccessObserver
from bootstrap.plugin import PluginContainer
from bootstrap.probe import (
    code_runner_note,
    disk_probe,
    lag_reader,
    memory_reader,
    schema_probe,
    watch_database,
)
from bootstrap.role import Role
from bootstrap.safety import load_master_key
from bootstrap.settings import Settings
from bootstrap.workflow import WorkflowContainer
from crossdomain.agent.impl import DomainAgentDirectory
from crossdomain.agent.variables import AgentVariableSource
from crossdomain.app.impl import DomainApps
from crossdomain.conversation.impl import DomainConversations
from crossdomain.file.impl import DomainFiles
from crossdomain.identity.impl import DomainPeople
from domain.agent.definition import AgentDefinitions
from domain.file.service import FileResolver
from domain.file.signature import FileLinks, LinkSigner
from domain.shared.quota import Quotas
from domain.shared.share_meter import ShareFigures
from infra.impl.clock.system import SystemClock
from infra.impl.egress.http import HttpEgress
from infra.impl.http.door import HttpDoor
from infra.impl.id_generator.snowflake import SnowflakeIdGenerator
from infra.impl.logging.redaction import Redactor
from infra.impl.metrics.loop import LoopLagMonitor
from infra.impl.metrics.prometheus import CONTENT_TYPE, PrometheusMetrics
from infra.impl.repository.sql.agent import SqlAgentStore
from infra.impl.repository.sql.app import SqlAppStore
from infra.impl.repository.sql.conversation import SqlConversationStore
from infra.impl.repository.sql.database import Database
from infra.impl.repository.sql.file import SqlFileStore
from infra.impl.repository.sql.identity import SqlIdentityStore
from infra.impl.repository.sql.outbox import SqlEventQueue
from infra.impl.repository.sql.roster import SqlRoster


def new_boot_id() -> str:
    """Name of this process in leases: two starts never share one."""
    return uuid4().hex


def installed() -> str:
    """Version of the installed distribution."""
    return distribution_version("coterie")


class Container(containers.DeclarativeContainer):
    """All providers are synchronous; whatever needs I/O to start does so in the lifecycle."""

    settings = providers.Dependency(instance_of=Settings)
    limits = settings.provided.limits

    # The process
    version = providers.Singleton(installed)
    machine_clock = providers.Singleton(SystemClock)
    node = providers.Callable(operator.attrgetter("node"), settings)
    """Overridden when the process opens: by then it knows which numbers are free."""
    redactor = providers.Singleton(Redactor)
    metrics = providers.Singleton(PrometheusMetrics)
    loop_lag = providers.Singleton(LoopLagMonitor, metrics=metrics)
    shed = providers.Singleton(ShedMeter, metrics=metrics)
    admission = providers.Singleton(
        Admission,
        lag_s=providers.Callable(lag_reader, loop_lag),
        memory_share=providers.Callable(memory_reader, metrics),
        meter=shed,
        limits=limits,
    )
    access = providers.Singleton(AccessObserver, metrics=metrics, log=settings.provided.log.access)
    edge = providers.Singleton(EdgeMeter, metrics)
    drain = providers.Singleton(Drain)
    roles: providers.Callable[frozenset[Role]] = providers.Callable(
        frozenset, settings.provided.serve.roles
    )
    """Overridden in processes that do not serve."""
    about = providers.Singleton(
        About,
        version=version,
        render_metrics=metrics.provided.render,
        metrics_content_type=CONTENT_TYPE,
    )

    # Storage
    master_key = providers.Singleton(load_master_key, settings)
    secret_box = providers.Singleton(adapters.secret_box, master_key, redactor)
    database = providers.Singleton(
        watch_database,
        providers.Singleton(
            Database,
            settings.provided.database_url,
            limits=settings.provided.database,
            stored=STORED,
        ),
        metrics,
    )
    clock = providers.Singleton(adapters.clock, database, machine_clock)
    ids = providers.Singleton(SnowflakeIdGenerator, clock=clock, node=node)
    objects = providers.Singleton(
        adapters.object_store, settings.provided.data_path, settings.provided.objects
    )
    events = providers.Singleton(SqlEventQueue, database)
    wires = providers.Singleton(Wires, settings.provided.bus)
    bus = providers.Singleton(Wires.event_bus, wires, database=database, queue=events, clock=clock)
    outbox = providers.Singleton(
        OutboxMonitor, backlog=events.provided.backlog, clock=clock, metrics=metrics
    )
    signals = providers.Singleton(Wires.signals, wires)
    boot = providers.Singleton(new_boot_id)
    roster = providers.Singleton(SqlRoster, database, clock=clock, owner=boot)

    # The way out
    door = providers.Singleton(
        HttpDoor, limits=limits, allow_private=settings.provided.egress.allow_private
    )
    egress = providers.Singleton(
        HttpEgress, door=door, limits=limits, figures=providers.Singleton(ShareFigures, metrics)
    )

    # Identity
    identity_store = providers.Singleton(SqlIdentityStore, database)
    principals = providers.Singleton(PrincipalCache, limits=limits)
    authentication = providers.Singleton(
        AuthService, store=identity_store, cache=principals, clock=clock, limits=limits
    )
    followers = providers.Singleton(Followers)
    users = providers.Singleton(
        UserService, store=identity_store, cache=principals, ids=ids, clock=clock
    )
    spaces = providers.Singleton(
        SpaceService, store=identity_store, cache=principals, ids=ids, clock=clock, limits=limits
    )
    members = providers.Singleton(
        MemberService, store=identity_store, cache=principals, clock=clock
    )
    people = providers.Singleton(DomainPeople, identity_store)
    audit = providers.Singleton(AuditService, store=identity_store, ids=ids)
    bootstrap = providers.Singleton(BootstrapService, store=identity_store, users=users)

    # Files
    file_store = providers.Singleton(SqlFileStore, database)
    link_signer = providers.Singleton(LinkSigner, providers.List(master_key))
    file_links = providers.Singleton(
        FileLinks, signer=link_signer, public_url=settings.provided.external_url
    )
    file_resolver = providers.Singleton(
        FileResolver,
        store=file_store,
        objects=objects,
        egress=egress,
        links=file_links,
        clock=clock,
        limits=limits,
    )
    file_contract = providers.Singleton(DomainFiles, file_resolver)
    quotas = providers.Singleton(Quotas, limits)
    files = providers.Singleton(
        FileService,
        store=file_store,
        objects=objects,
        links=file_links,
        clock=clock,
        ids=ids,
        limits=limits,
        quotas=quotas,
    )
    file_purge = providers.Singleton(
        FilePurge, store=file_store, objects=objects, clock=clock, limits=limits
    )
    icons = providers.Singleton(IconService, public_url=settings.provided.external_url)

    # Models
    model = providers.Container(
        ModelContainer,
        settings=settings,
        clock=clock,
        ids=ids,
        database=database,
        secret_box=secret_box,
        door=door,
        files=file_contract,
        metrics=metrics,
        signals=signals,
    )

    # Knowledge
    knowledge = providers.Container(
        KnowledgeContainer,
        settings=settings,
        clock=clock,
        ids=ids,
        database=database,
        objects=objects,
        egress=egress,
        models=model.contract,
        files=file_contract,
        metrics=metrics,
        quotas=quotas,
        roster=roster,
        master_key=master_key,
        file_links=file_links,
    )

    # Plugins
    mcp_client = providers.Container(McpClientContainer, settings=settings, door=door)
    plugin = providers.Container(
        PluginContainer,
        settings=settings,
        clock=clock,
        ids=ids,
        database=database,
        secret_box=secret_box,
        egress=egress,
        files=file_contract,
        foreign=mcp_client.foreign,
        people=people,
    )

    # Agents
    agent_store = providers.Singleton(SqlAgentStore, database)
    definitions = providers.Singleton(
        AgentDefinitions, store=agent_store, clock=clock, limits=limits
    )
    agent_directory = providers.Singleton(DomainAgentDirectory, definitions)

    # Memory
    conversation_store = providers.Singleton(SqlConversationStore, database)
    rounds = providers.Singleton(OfferedRounds, conversation_store)
    apps = providers.Singleton(DomainApps, providers.Singleton(SqlAppStore, database))
    memory = providers.Container(
        MemoryContainer,
        settings=settings,
        clock=clock,
        ids=ids,
        database=database,
        tables=knowledge.tables,
        parser=knowledge.parser,
        table_extensions=knowledge.table_extensions,
        files=file_contract,
        agents=agent_directory,
        agent_variables=providers.Singleton(AgentVariableSource, definitions),
        apps=apps,
        master_key=master_key,
        models=model.contract,
        rounds=rounds,
        analyser=knowledge.analyzer,
    )

    # Workflows
    conversation_names = providers.Singleton(
        NamedConversationService, store=conversation_store, clock=clock, ids=ids, limits=limits
    )
    conversation_contract = providers.Singleton(
        DomainConversations,
        names=conversation_names,
        talk=providers.Singleton(
            TalkService, store=conversation_store, clock=clock, ids=ids, limits=limits
        ),
    )
    workflow = providers.Container(
        WorkflowContainer,
        agents=agent_directory,
        settings=settings,
        clock=clock,
        ids=ids,
        database=database,
        objects=objects,
        egress=egress,
        models=model.contract,
        files=file_contract,
        knowledge=knowledge,
        people=people,
        boot=boot,
        databases=memory.database_contract,
        variables=memory.variable_contract,
        conversations=conversation_contract,
        apps=apps,
        plugins=plugin.contract,
        signals=signals,
        metrics=metrics,
        roles=roles,
    )

    plugin_tools = providers.Singleton(
        PluginToolService,
        store=plugin.store,
        invoker=plugin.invoker,
        flows=workflow.chat_flows,
        clock=clock,
        ids=ids,
        limits=limits,
    )

    # What agents do
    agent = providers.Container(
        AgentContainer,
        settings=settings,
        clock=clock,
        ids=ids,
        store=agent_store,
        definitions=definitions,
        models=model.contract,
        files=file_contract,
        knowledge=knowledge.contract,
        plugins=plugin.contract,
        flows=workflow.chat_flows,
        workflow_tools=workflow.tools,
        variables=memory.variable_contract,
        databases=memory.database_contract,
        recollections=memory.recollection_contract,
        metrics=metrics,
    )
    dataset_details = providers.Singleton(
        DatasetDetails, files=file_contract, people=people, agents=agent.contract
    )
    dataset_references = providers.Singleton(
        DatasetReferences, store=knowledge.store, agents=agent.contract
    )
    tokens = providers.Singleton(
        TokenService,
        store=identity_store,
        cache=principals,
        agents=agent.contract,
        ids=ids,
        clock=clock,
        limits=limits,
    )
    # Apps, prompts, templates
    library = providers.Container(
        LibraryContainer,
        limits=limits,
        clock=clock,
        ids=ids,
        database=database,
        files=file_contract,
        models=model.contract,
        knowledge=knowledge.contract,
        agent_store=agent_store,
        agents=agent.agents,
    )

    # Conversations
    conversation = providers.Container(
        ConversationContainer,
        limits=limits,
        clock=clock,
        ids=ids,
        database=database,
        store=conversation_store,
        names=conversation_names,
        rounds=rounds,
        agents=agent.contract,
        files=file_contract,
        models=model.contract,
        signals=signals,
        metrics=metrics,
        shed=shed,
        owner=boot,
    )

    # Tools of other servers, and ours for others
    mcp = providers.Container(
        McpContainer,
        settings=settings,
        version=version,
        publishing=agent.publishing,
        runs=conversation.runs,
        workflows=workflow.workflows,
        workflow_tools=workflow.tools,
        drain=drain,
    )

    # Life cycle: started in this order, closed in reverse
    storage = providers.List(
        database, providers.Callable(adapters.running_clock, clock), door, objects
    )
    rights_news = providers.Singleton(
        rights_news,
        signals,
        providers.List(
            authentication.provided.forget,
            followers.provided.apply,
            providers.Callable(
                account_stopper,
                conversation.registry.provided.stop_account,
                workflow.run_registry.provided.stop_account,
            ),
        ),
    )
    lookout = providers.Singleton(Lookout, events, providers.List(rights_news, model.news))
    """What signals do not tell a process, it sees for itself."""

    background = providers.List(
        signals,
        authentication,
        bus,
        lookout,
        outbox,
        conversation.checkpoints,
        conversation.leases,
        conversation.registry,
        conversation.sweeper,
        loop_lag,
        admission,
    )
    work = providers.List(signals, bus, lookout, outbox, loop_lag)
    """Of a process that only works in the background; its roles add theirs."""
    scheduled = providers.List(roster, file_purge)
    listeners = providers.List(conversation.replay, workflow.news)
    """Made before the signals start."""
    health = providers.Singleton(
        HealthService,
        probes=providers.Dict(
            database=database.provided.probe,
            schema=providers.Callable(schema_probe, database),
            object_store=objects.provided.probe,
        ),
        drain=drain,
        helpful=providers.Dict(
            bus=bus.provided.check,
            events=outbox.provided.probe,
            text_index=knowledge.texts.provided.probe,
            vector_index=knowledge.vectors.provided.probe,
            disk=providers.Callable(disk_probe, settings.provided.data_path),
        ),
        notes=providers.Dict(
            code_runner=providers.Callable(
                code_runner_note, workflow.code_runner, settings.provided.code
            )
        ),
        lag_s=providers.Callable(lag_reader, loop_lag),
    )
