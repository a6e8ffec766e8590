"""Composition of the memory context: its parts, what handlers ask for, and its events."""

from collections.abc import Mapping
from typing import Any

from dependency_injector import containers, providers

from application.memory.app_source import AppVariableSource
from application.memory.bound import BoundDatabases
from application.memory.database_service import DatabaseService
from application.memory.export import ExportService
from application.memory.importing import ImportService, ImportWorker
from application.memory.offer import OfferedDatabases, OfferedVariables
from application.memory.recollection_index import RecollectionIndex
from application.memory.recollection_lesson import LessonKeeper
from application.memory.recollection_reading import RoundReader
from application.memory.recollection_service import OfferedRecollections, RecollectionService
from application.memory.recollection_worker import (
    RecollectionWorker,
)
from application.memory.record_service import RecordService
from application.memory.rows import TableRows
from application.memory.variable_service import VariableService
from bootstrap import adapters
from domain.memory.variable import OwnerKind
from infra.impl.repository.sql.memory import SqlMemoryStore
from infra.impl.table_file import RegistryTableFiles
from infra.impl.vector_math.half import HalfVectorMath

"""Consumers that belong to the role of importing."""


class MemoryContainer(containers.DeclarativeContainer):
    """Variables of end users, and database tables."""

    settings: providers.Dependency[Any] = providers.Dependency()
    limits = settings.provided.limits
    clock: providers.Dependency[Any] = providers.Dependency()
    ids: providers.Dependency[Any] = providers.Dependency()
    database: providers.Dependency[Any] = providers.Dependency()
    tables: providers.Dependency[Any] = providers.Dependency()
    parser: providers.Dependency[Any] = providers.Dependency()
    table_extensions: providers.Dependency[Any] = providers.Dependency()
    files: providers.Dependency[Any] = providers.Dependency()
    agents: providers.Dependency[Any] = providers.Dependency()
    agent_variables: providers.Dependency[Any] = providers.Dependency()
    apps: providers.Dependency[Any] = providers.Dependency()
    master_key: providers.Dependency[Any] = providers.Dependency()
    models: providers.Dependency[Any] = providers.Dependency()
    rounds: providers.Dependency[Any] = providers.Dependency()
    analyser: providers.Dependency[Any] = providers.Dependency()

    store = providers.Singleton(SqlMemoryStore, database)
    variables = providers.Singleton(
        VariableService,
        store=store,
        sources=providers.Dict(
            {
                OwnerKind.AGENT: agent_variables,
                OwnerKind.APP: providers.Singleton(AppVariableSource, apps),
            }
        ),
        clock=clock,
        master_key=master_key,
    )
    rows = providers.Singleton(
        TableRows,
        tables=tables,
        open_guard=providers.Singleton(adapters.statement_guard, tables).provider,
        clock=clock,
        ids=ids,
        limits=limits,
    )
    bound = providers.Singleton(BoundDatabases, store=store, clock=clock, limits=limits)
    databases = providers.Singleton(
        DatabaseService,
        store=store,
        tables=tables,
        agents=agents,
        files=files,
        bound=bound,
        clock=clock,
        ids=ids,
    )
    records = providers.Singleton(RecordService, store=store, rows=rows)
    exports = providers.Singleton(
        ExportService,
        store=store,
        records=records,
        files=providers.Singleton(RegistryTableFiles),
    )
    imports = providers.Singleton(
        ImportService,
        store=store,
        files=files,
        clock=clock,
        ids=ids,
        limits=limits,
        extensions=table_extensions,
    )
    importer = providers.Singleton(
        ImportWorker, store=store, tables=tables, files=files, parser=parser, clock=clock
    )
    index = providers.Singleton(
        RecollectionIndex,
        models=models,
        math=providers.Singleton(HalfVectorMath),
        analyse=analyser.provided.index_tokens,
    )
    recollections = providers.Singleton(
        RecollectionService,
        store=store,
        variables=variables,
        index=index,
        clock=clock,
        limits=limits,
    )
    learner = providers.Singleton(
        RecollectionWorker,
        store=store,
        rounds=rounds,
        index=index,
        reader=providers.Singleton(RoundReader, models),
        keeper=providers.Singleton(LessonKeeper, store=store, index=index, ids=ids, limits=limits),
        clock=clock,
    )
    recollection_contract = providers.Singleton(
        OfferedRecollections, store=store, index=index, clock=clock
    )
    variable_contract = providers.Singleton(OfferedVariables, variables)
    database_contract = providers.Singleton(OfferedDatabases, store=store, rows=rows, bound=bound)


def dependencies(memory: Any) -> Mapping[str, Any]:
    """What handlers ask for by name."""
    return {
        "databases": memory.databases,
        "database_exports": memory.exports,
        "database_imports": memory.imports,
        "recollections": memory.recollections,
        "records": memory.records,
        "variables": memory.variables,
    }
