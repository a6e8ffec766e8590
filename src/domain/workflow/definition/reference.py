"""What a program needs from outside: other workflows, models, bases, tools, databases."""

from collections.abc import Iterator
from enum import StrEnum

import msgspec

from crossdomain.knowledge.contract import RetrievalStrategy
from domain.workflow.definition.repository import Callee
from domain.workflow.graph import GlobalVariable, Node, Program, leaves, walk_nodes
from domain.workflow.node.control.sub_workflow import SubWorkflowConfig
from domain.workflow.node.control.variable_assign import VariableAssignConfig
from domain.workflow.node.database.database_delete import DatabaseDeleteConfig
from domain.workflow.node.database.database_insert import DatabaseInsertConfig
from domain.workflow.node.database.database_query import DatabaseQueryConfig
from domain.workflow.node.database.database_sql import DatabaseSqlConfig
from domain.workflow.node.database.database_update import DatabaseUpdateConfig
from domain.workflow.node.knowledge.knowledge_delete import KnowledgeDeleteConfig
from domain.workflow.node.knowledge.knowledge_retrieve import KnowledgeRetrieveConfig
from domain.workflow.node.knowledge.knowledge_write import KnowledgeWriteConfig
from domain.workflow.node.knowledge.query_expansion import QueryExpansionConfig
from domain.workflow.node.knowledge.search import models_of
from domain.workflow.node.model.choice import ModelChoice
from domain.workflow.node.model.intent import IntentConfig
from domain.workflow.node.model.model import ModelConfig
from domain.workflow.node.model.question import QuestionConfig
from domain.workflow.node.model.toolbox import PluginTool, PluginToolSet, WorkflowTool
from domain.workflow.node.outside.plugin import PluginConfig
from domain.workflow.text import local_id


class NeedKind(StrEnum):
    """Kinds of things that a canvas names and does not contain."""

    WORKFLOW = "workflow"
    MODEL = "model"
    DATASET = "dataset"
    PLUGIN = "plugin"
    DATABASE = "database"


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """Something a canvas names; ``detail`` is a version, or the tool of a plugin: empty for all."""

    kind: NeedKind
    id: str
    name: str = ""
    detail: str = ""
    node_ids: tuple[str, ...] = ()


def needs_of(program: Program) -> tuple[Need, ...]:
    """List what the program names, each once with all its nodes, in the order of the canvas."""
    found: dict[tuple[NeedKind, str, str], Need] = {}
    for node in walk_nodes(program):
        for need in _of_node(node):
            key = (need.kind, need.id, need.detail)
            before = found.get(key, need).node_ids
            node_ids = tuple(dict.fromkeys((*before, node.canvas_id)))
            found[key] = msgspec.structs.replace(found.get(key, need), node_ids=node_ids)
    return tuple(found.values())


def names_globals(program: Program) -> bool:
    """Tell whether a node reads or assigns variables that live outside of the run."""
    return any(
        isinstance(node.config, VariableAssignConfig)
        or any(
            isinstance(leaf, GlobalVariable) for each in node.inputs for leaf in leaves(each.expr)
        )
        for node in walk_nodes(program)
    )


def callees_of(program: Program) -> tuple[Callee, ...]:
    """List the workflows that the program calls; ids that cannot be ours are left out."""
    return tuple(
        Callee(workflow_id=number, version=need.detail)
        for need in needs_of(program)
        if need.kind is NeedKind.WORKFLOW and (number := local_id(need.id)) is not None
    )


def _of_node(node: Node) -> Iterator[Need]:
    match node.config:
        case SubWorkflowConfig(workflow_id=workflow_id, version=version) if workflow_id:
            yield Need(kind=NeedKind.WORKFLOW, id=workflow_id, name=node.title, detail=version)
        case PluginConfig(plugin_id=plugin_id, tool_id=tool_id, tool_name=name) if plugin_id:
            yield Need(kind=NeedKind.PLUGIN, id=plugin_id, name=name, detail=tool_id)
        case KnowledgeRetrieveConfig(dataset_ids=ids, strategy=strategy):
            yield from _datasets(ids)
            yield from _search_models(strategy)
        case KnowledgeDeleteConfig(dataset_ids=ids):
            yield from _datasets(ids)
        case KnowledgeWriteConfig(dataset_id=dataset_id):
            yield from _datasets((dataset_id,))
        case ModelConfig() as config:
            yield from _models(config.model, config.backup)
            yield from _skills(config)
        case IntentConfig(model=model, backup=backup):
            yield from _models(model, backup)
        case QuestionConfig(model=model, backup=backup) as config:
            if config.asks_model:
                yield from _models(model, backup)
        case QueryExpansionConfig(model=model):
            yield from _models(model)
        case (
            DatabaseQueryConfig(database_id=database_id)
            | DatabaseInsertConfig(database_id=database_id)
            | DatabaseUpdateConfig(database_id=database_id)
            | DatabaseDeleteConfig(database_id=database_id)
            | DatabaseSqlConfig(database_id=database_id)
        ) if database_id:
            yield Need(kind=NeedKind.DATABASE, id=database_id)
        case _:
            pass


def _skills(config: ModelConfig) -> Iterator[Need]:
    for tool in config.tools:
        match tool:
            case PluginTool(plugin_id=plugin_id, tool_id=tool_id, name=name):
                yield Need(kind=NeedKind.PLUGIN, id=plugin_id, name=name, detail=tool_id)
            case PluginToolSet(plugin_id=plugin_id, name=name):
                yield Need(kind=NeedKind.PLUGIN, id=plugin_id, name=name)
            case WorkflowTool(workflow_id=workflow_id, version=version):
                yield Need(kind=NeedKind.WORKFLOW, id=workflow_id, detail=version)
    if config.knowledge is not None:
        yield from _datasets(config.knowledge.dataset_ids)
        yield from _search_models(config.knowledge.strategy)


def _search_models(strategy: RetrievalStrategy) -> Iterator[Need]:
    for model in models_of(strategy):
        yield from _model(model, model)


def _models(*choices: ModelChoice | None) -> Iterator[Need]:
    for choice in choices:
        if choice is not None:
            yield from _model(choice.model, choice.name)


def _model(model: str, name: str) -> Iterator[Need]:
    if model or name:
        yield Need(kind=NeedKind.MODEL, id=model or name, name=name)


def _datasets(ids: tuple[str, ...]) -> Iterator[Need]:
    for dataset_id in ids:
        if dataset_id:
            yield Need(kind=NeedKind.DATASET, id=dataset_id)
