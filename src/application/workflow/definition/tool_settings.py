"""Shows what a model node of a draft may call, as the node's settings leave it."""

from collections.abc import Sequence
from typing import Any

import msgspec

from application.workflow.definition.catalog import WorkflowCatalog
from application.workflow.definition.surroundings import SurroundingsLoader
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.error import NotFound
from domain.shared.ids import SpaceId
from domain.workflow.definition.error import WorkflowNotFound
from domain.workflow.definition.repository import WorkflowStore
from domain.workflow.definition.version import WorkflowId
from domain.workflow.graph import Node, Program, walk_scopes
from domain.workflow.lint.surroundings import Surroundings
from domain.workflow.node.model.model import ModelConfig
from domain.workflow.node.model.toolbox import (
    ParameterSetting,
    PluginTool,
    PluginToolSet,
    WorkflowTool,
)
from domain.workflow.text import local_id
from domain.workflow.value import Schema


class ToolParameter(msgspec.Struct, frozen=True, kw_only=True):
    """A parameter of a tool; the model does not see a hidden one, ``default`` is passed."""

    name: str
    type: str
    description: str
    is_required: bool
    is_hidden: bool
    default: Any


class ToolSetting(msgspec.Struct, frozen=True, kw_only=True):
    """A workflow or a plugin's tool that the node's model may call."""

    id: str
    tool_id: str
    """Of a plugin; empty for all of its tools."""
    version: str
    name: str
    description: str
    exists: bool
    parameters: tuple[ToolParameter, ...]


class KnowledgeSetting(msgspec.Struct, frozen=True, kw_only=True):
    """Knowledge bases searched before the model answers; ``missing`` are not here."""

    dataset_ids: tuple[str, ...]
    missing: tuple[str, ...]
    strategy: str
    top_k: int
    min_score: float


class NodeToolSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a model node may use."""

    workflows: tuple[ToolSetting, ...]
    plugins: tuple[ToolSetting, ...]
    knowledge: KnowledgeSetting | None


class ToolSettingService:
    """Merges what a node says about its tools with what the tools say about themselves."""

    def __init__(
        self, *, store: WorkflowStore, catalog: WorkflowCatalog, surroundings: SurroundingsLoader
    ) -> None:
        self._store = store
        self._catalog = catalog
        self._surroundings = surroundings

    async def of_node(
        self, principal: Principal, workflow_id: int, node_id: str
    ) -> NodeToolSettings:
        """Return the settings of a node of the draft.

        Raises:
            WorkflowNotFound: no such workflow, or it has no model node of this id.
        """
        async with self._store.snapshot() as uow:
            workflow = await uow.workflows.get(principal.scope, WorkflowId(workflow_id))
        principal.require(Permission.WORKFLOW_READ, workflow.space_id)
        read = await self._catalog.read(principal.scope, workflow_id, draft=True)
        program = read.reading.program
        config = None if program is None else _config(program, node_id)
        if program is None or config is None:
            raise WorkflowNotFound(
                f"The workflow {workflow_id} has no model node {node_id[:80]}.",
                workflow_id=workflow_id,
            )
        scope, space_id = principal.scope.within(workflow.space_id), workflow.space_id
        around = await self._surroundings.load(scope, space_id, program, workflow_id=workflow_id)
        return NodeToolSettings(
            workflows=tuple(
                [
                    await self._workflow(scope, space_id, each, around)
                    for each in config.tools
                    if isinstance(each, WorkflowTool)
                ]
            ),
            plugins=tuple(
                _plugin(each, around)
                for each in config.tools
                if isinstance(each, PluginTool | PluginToolSet)
            ),
            knowledge=_knowledge(config, around),
        )

    async def _workflow(
        self, scope: TenantScope, space_id: SpaceId, tool: WorkflowTool, around: Surroundings
    ) -> ToolSetting:
        child = (around.children or {}).get((tool.workflow_id, tool.version))
        description = ""
        number = local_id(tool.workflow_id)
        if child is not None and number is not None:
            try:
                async with self._store.snapshot() as uow:
                    found = await uow.workflows.get(scope, WorkflowId(number))
                description = found.description
            except NotFound:
                child = None
        return ToolSetting(
            id=tool.workflow_id,
            tool_id="",
            version=tool.version,
            name="" if child is None else child.name,
            description=description,
            exists=child is not None,
            parameters=_merged(() if child is None else child.input, tool.parameters),
        )


def _plugin(tool: PluginTool | PluginToolSet, around: Surroundings) -> ToolSetting:
    if isinstance(tool, PluginToolSet):
        return ToolSetting(
            id=tool.plugin_id,
            tool_id="",
            version="",
            name=tool.name,
            description="",
            exists=(tool.plugin_id, "") in (around.plugins or frozenset()),
            parameters=(),
        )
    declared = (around.tool_inputs or {}).get((tool.plugin_id, tool.tool_id), ())
    return ToolSetting(
        id=tool.plugin_id,
        tool_id=tool.tool_id,
        version=tool.version,
        name=tool.name,
        description="",
        exists=(tool.plugin_id, tool.tool_id) in (around.plugins or frozenset()),
        parameters=_merged(declared, tool.parameters),
    )


def _knowledge(config: ModelConfig, around: Surroundings) -> KnowledgeSetting | None:
    skill = config.knowledge
    if skill is None:
        return None
    known = around.datasets or frozenset()
    return KnowledgeSetting(
        dataset_ids=skill.dataset_ids,
        missing=tuple(each for each in skill.dataset_ids if each not in known),
        strategy=skill.strategy.search_type,
        top_k=skill.strategy.top_k,
        min_score=skill.strategy.min_score,
    )


def _merged(declared: Schema, settings: Sequence[ParameterSetting]) -> tuple[ToolParameter, ...]:
    """Declared parameters with what the node says about them; then those only the node knows."""
    by_name = {each.name: each for each in settings}
    merged = [
        ToolParameter(
            name=field.name,
            type=str(field.type),
            description=field.description,
            is_required=field.is_required,
            is_hidden=field.name in by_name and by_name[field.name].is_hidden,
            default=by_name[field.name].default if field.name in by_name else None,
        )
        for field in declared
    ]
    known = {field.name for field in declared}
    merged += [
        ToolParameter(
            name=each.name,
            type="",
            description="",
            is_required=False,
            is_hidden=each.is_hidden,
            default=each.default,
        )
        for each in settings
        if each.name not in known
    ]
    return tuple(merged)


def _config(program: Program, node_id: str) -> ModelConfig | None:
    nodes: list[Node] = [
        node
        for scope in walk_scopes(program.root)
        for node in scope.nodes
        if node.canvas_id == node_id
    ]
    configs = [node.config for node in nodes if isinstance(node.config, ModelConfig)]
    return configs[0] if configs else None
