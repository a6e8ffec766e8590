"""Composition of memory: variables, recollections, and tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial

from application.memory.app_source import AppVariableSource
from application.memory.bound import BoundDatabases
from application.memory.database_service import DatabaseService
from application.memory.end_user_service import EndUserService
from application.memory.export import ExportService
from application.memory.import_preview import ImportPreviews
from application.memory.importing import ImportService, ImportWorker
from application.memory.offer import OfferedDatabases, OfferedVariables
from application.memory.person import PersonRecords
from application.memory.recollection_index import RecollectionIndex
from application.memory.recollection_lesson import LessonKeeper
from application.memory.recollection_reading import RoundReader
from application.memory.recollection_service import OfferedRecollections, RecollectionService
from application.memory.recollection_worker import RecollectionWorker
from application.memory.record_service import RecordService
from application.memory.rows import TableRows
from application.memory.variable_service import VariableService
from bootstrap.compose import adapters
from crossdomain.agent.contract import AgentDirectory
from crossdomain.app.contract import Apps
from crossdomain.conversation.contract import Rounds
from crossdomain.file.impl import DomainFiles
from crossdomain.memory.contract import VariableSource
from crossdomain.model.contract import Models
from domain.memory.variable import OwnerKind
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.document.parser import DocumentParser
from infra.contract.table.change import ChangingTableStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.memory.database import SqlMemoryStore
from infra.impl.table_file import open_table_file
from infra.impl.vector_math.half import half_similarities, pack_half


@dataclass(frozen=True, kw_only=True)
class MemoryParts:
    """Variables of end users, what is remembered of them, and database tables."""

    variables: VariableService
    end_users: EndUserService
    databases: DatabaseService
    records: RecordService
    exports: ExportService
    imports: ImportService
    import_previews: ImportPreviews
    recollections: RecollectionService
    person_records: PersonRecords
    importer: ImportWorker
    learner: RecollectionWorker

    variable_contract: OfferedVariables
    database_contract: OfferedDatabases
    recollection_contract: OfferedRecollections


def compose_memory(
    *,
    database: Database,
    tables: ChangingTableStore,
    parser: DocumentParser,
    table_extensions: frozenset[str],
    analyse: Callable[[str], list[str]],
    files: DomainFiles,
    agents: AgentDirectory,
    agent_variables: VariableSource,
    apps: Apps,
    models: Models,
    rounds: Rounds,
    master_key: Secret,
    clock: Clock,
    ids: IdGenerator,
    limits: Limits,
) -> MemoryParts:
    """Needs the definitions of agents and apps, and what was said."""
    store = SqlMemoryStore(database)
    sources: Mapping[OwnerKind, VariableSource] = {
        OwnerKind.AGENT: agent_variables,
        OwnerKind.APP: AppVariableSource(apps),
    }
    variables = VariableService(
        store=store,
        sources=sources,
        clock=clock,
        master_key=master_key,
    )

    # Tables
    rows = TableRows(
        tables=tables,
        open_guard=cache(partial(adapters.statement_guard, tables)),
        clock=clock,
        ids=ids,
        limits=limits,
    )
    bound = BoundDatabases(store=store, clock=clock, limits=limits)
    records = RecordService(store=store, rows=rows)

    # Recollections
    index = RecollectionIndex(
        models=models, pack=pack_half, similarities=half_similarities, analyse=analyse
    )
    return MemoryParts(
        variables=variables,
        end_users=EndUserService(store=store, sources=sources, limits=limits),
        databases=DatabaseService(
            store=store,
            tables=tables,
            agents=agents,
            files=files,
            bound=bound,
            clock=clock,
            ids=ids,
        ),
        records=records,
        person_records=PersonRecords(store=store, tables=tables, rows=rows),
        exports=ExportService(store=store, records=records, open_file=open_table_file),
        imports=ImportService(
            store=store,
            files=files,
            clock=clock,
            ids=ids,
            limits=limits,
            extensions=table_extensions,
        ),
        import_previews=ImportPreviews(
            store=store,
            files=files,
            parser=parser,
            limits=limits,
            extensions=table_extensions,
        ),
        recollections=RecollectionService(
            store=store, variables=variables, index=index, clock=clock, limits=limits
        ),
        importer=ImportWorker(store=store, tables=tables, files=files, parser=parser, clock=clock),
        learner=RecollectionWorker(
            store=store,
            rounds=rounds,
            index=index,
            reader=RoundReader(models),
            keeper=LessonKeeper(store=store, index=index, ids=ids, limits=limits),
            clock=clock,
        ),
        variable_contract=OfferedVariables(variables),
        database_contract=OfferedDatabases(store=store, rows=rows, bound=bound),
        recollection_contract=OfferedRecollections(store=store, index=index, clock=clock),
    )
