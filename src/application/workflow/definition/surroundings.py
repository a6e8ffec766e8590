"""Finds out what exists around a workflow, so that its canvas can be checked against it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol, assert_never

from application.workflow.definition.catalog import WorkflowCatalog
from crossdomain.app.contract import Apps
from crossdomain.knowledge.contract import Knowledge
from crossdomain.memory.contract import Databases
from crossdomain.model.contract import Models
from crossdomain.plugin.contract import Plugins, PluginToolRef
from domain.shared.access import TenantScope
from domain.shared.error import NotFound
from domain.shared.ids import SpaceId
from domain.workflow.definition.error import WorkflowNotFound, WorkflowNotPublished
from domain.workflow.definition.reference import Need, NeedKind, names_globals, needs_of
from domain.workflow.definition.repository import Callee, WorkflowStore
from domain.workflow.definition.version import WorkflowId
from domain.workflow.graph import GlobalKind, Program
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.surroundings import ChildWorkflow, Surroundings
from domain.workflow.node.model.schema import schema_fields
from domain.workflow.text import local_id
from domain.workflow.value import Field, Schema, Type, TypeKind
from infra.contract.code_runner import CodeModules

ResourceKey = tuple[str, str]
"""Id and detail of a need."""


class Inventory(Protocol):
    """Knows what exists of one kind of thing that canvases name."""

    async def existing(self, scope: TenantScope, needs: Sequence[Need]) -> frozenset[ResourceKey]:
        """Return the keys of those that exist in the scope."""
        ...


class ModelInventory:
    """Chat models of the registry; a canvas may name them by id or by name."""

    def __init__(self, models: Models) -> None:
        self._models = models

    async def existing(self, scope: TenantScope, needs: Sequence[Need]) -> frozenset[ResourceKey]:
        return frozenset([(each.id, each.detail) for each in needs if await self._is_known(each)])

    async def _is_known(self, need: Need) -> bool:
        for name in dict.fromkeys((need.id, need.name)):
            try:
                await self._models.describe(name or need.id)
            except NotFound:
                continue
            return True
        return False


class DatasetInventory:
    """Knowledge bases of the space."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    async def existing(self, scope: TenantScope, needs: Sequence[Need]) -> frozenset[ResourceKey]:
        found = {str(each.id) for each in await self._knowledge.describe(scope, _ids(needs))}
        return frozenset((each.id, each.detail) for each in needs if each.id in found)


class DatabaseInventory:
    """Database tables of the space."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    async def existing(self, scope: TenantScope, needs: Sequence[Need]) -> frozenset[ResourceKey]:
        found = {str(each.id) for each in await self._databases.describe(scope, _ids(needs))}
        return frozenset((each.id, each.detail) for each in needs if each.id in found)


class PluginInventory:
    """Tools of plugins of the space, for the check of canvases."""

    def __init__(self, plugins: Plugins) -> None:
        self._plugins = plugins

    async def existing(self, scope: TenantScope, needs: Sequence[Need]) -> frozenset[ResourceKey]:
        """Return the pairs of plugin and tool that exist; of whole plugins those with tools."""
        whole = [each.id for each in needs if local_id(each.id) and not each.detail]
        there = [each for each in whole if await self._has_tools(scope, int(each))]
        wanted = [
            (int(each.id), int(each.detail))
            for each in needs
            if local_id(each.id) and local_id(each.detail)
        ]
        found = await self._plugins.existing(scope, wanted)
        pairs = ((str(plugin_id), str(tool_id)) for plugin_id, tool_id in found)
        return frozenset((*pairs, *((each, "") for each in there)))

    async def _has_tools(self, scope: TenantScope, plugin_id: int) -> bool:
        try:
            return bool(await self._plugins.tools(scope, plugin_id, is_draft=True))
        except NotFound:
            return False

    async def schemas(
        self, scope: TenantScope, needs: Sequence[Need]
    ) -> Mapping[ResourceKey, tuple[Schema, Schema]]:
        """Return parameters and outputs; those of the draft if nothing is published."""
        found: dict[ResourceKey, tuple[Schema, Schema]] = {}
        for each in needs:
            if not (local_id(each.id) and local_id(each.detail)):
                continue
            ref = PluginToolRef(plugin_id=int(each.id), tool_id=int(each.detail))
            for wanted in (ref, replace(ref, is_draft=True)):
                try:
                    tool = await self._plugins.describe(scope, wanted)
                except NotFound:
                    continue
                shape = (schema_fields(tool.parameters), schema_fields(tool.result))
                found[each.id, each.detail] = shape
                break
        return found


class SurroundingsLoader:
    """Loads what a program names, from the space of its workflow only.

    Of a kind without an inventory nothing exists here.
    """

    def __init__(
        self,
        *,
        store: WorkflowStore,
        catalog: WorkflowCatalog,
        inventories: Mapping[NeedKind, Inventory],
        tools: PluginInventory,
        limits: WorkflowLimits,
        apps: Apps | None = None,
        code_modules: CodeModules | None = None,
    ) -> None:
        self._apps = apps
        self._code_modules = code_modules
        self._store = store
        self._catalog = catalog
        self._inventories = inventories
        self._tools = tools
        self._limits = limits

    @property
    def nothing(self) -> Surroundings:
        """What is around a program that names nothing."""
        return Surroundings(
            run_budget=self._limits.node_executions, code_modules=self._code_modules
        )

    async def load(
        self,
        scope: TenantScope,
        space_id: SpaceId,
        program: Program,
        *,
        workflow_id: int = 0,
        app_id: int = 0,
        is_release: bool = False,
    ) -> Surroundings:
        """Describe what is around the program of a workflow; 0 for one that is not stored.

        ``app_id`` is that of a workflow that is not stored yet.

        A call without a version leads to the child's draft, in a release to its newest version.
        """
        here = scope.within(space_id)
        needs = needs_of(program)
        found = {kind: await self._existing(here, kind, needs) for kind in NeedKind}
        names = {each.id: each.name for each in needs if each.kind is NeedKind.MODEL}
        models = {id_ for id_, _ in found[NeedKind.MODEL]}
        tools = await self._tools.schemas(
            here, [each for each in needs if (each.id, each.detail) in found[NeedKind.PLUGIN]]
        )
        return Surroundings(
            workflow_id=str(workflow_id) if workflow_id else "",
            children=await self._children(here, needs, is_release=is_release),
            models=frozenset(models | {names[each] for each in models if names[each]}),
            plugins=found[NeedKind.PLUGIN],
            tool_inputs={key: taken for key, (taken, _) in tools.items()},
            tool_outputs={key: given for key, (_, given) in tools.items() if given},
            datasets=frozenset(id_ for id_, _ in found[NeedKind.DATASET]),
            databases=frozenset(id_ for id_, _ in found[NeedKind.DATABASE]),
            globals=await self._globals(here, program, workflow_id, app_id),
            run_budget=self._limits.node_executions,
            code_modules=self._code_modules,
        )

    async def _globals(
        self, scope: TenantScope, program: Program, workflow_id: int, app_id: int
    ) -> Mapping[tuple[GlobalKind, str], Field] | None:
        """Return the variables of the app around a workflow; None where there is none."""
        if self._apps is None or not names_globals(program):
            return None
        try:
            if workflow_id:
                async with self._store.snapshot() as uow:
                    app_id = (await uow.workflows.get(scope, WorkflowId(workflow_id))).app_id
            if not app_id:
                return None
            variables = await self._apps.variables(scope, app_id, is_draft=True)
        except NotFound:
            return None
        found: dict[tuple[GlobalKind, str], Field] = {}
        for each in variables:
            is_system = each.channel == "system"
            for kind in (GlobalKind.SYSTEM,) if is_system else (GlobalKind.APP, GlobalKind.USER):
                if each.is_enabled:
                    found[kind, each.keyword] = Field(
                        name=each.keyword, type=Type(TypeKind(each.type))
                    )
        return found

    async def _existing(
        self, scope: TenantScope, kind: NeedKind, needs: Sequence[Need]
    ) -> frozenset[ResourceKey]:
        wanted = [each for each in needs if each.kind is kind]
        inventory = self._inventories.get(kind)
        if not wanted or inventory is None:
            return frozenset()
        return await inventory.existing(scope, wanted)

    async def _children(
        self, scope: TenantScope, needs: Sequence[Need], *, is_release: bool
    ) -> dict[ResourceKey, ChildWorkflow]:
        children: dict[ResourceKey, ChildWorkflow] = {}
        for need in needs:
            number = local_id(need.id)
            if need.kind is NeedKind.WORKFLOW and number is not None:
                child = await self._child(
                    scope, number, need.detail, is_draft=not (need.detail or is_release)
                )
                if child is not None:
                    children[need.id, need.detail] = child
        return children

    async def _child(
        self, scope: TenantScope, workflow_id: int, version: str, *, is_draft: bool
    ) -> ChildWorkflow | None:
        try:
            async with self._store.snapshot() as uow:
                workflow = await uow.workflows.get(scope, WorkflowId(workflow_id))
        except WorkflowNotFound:
            return None
        is_published = workflow.is_published
        try:
            read = await self._catalog.read(scope, workflow_id, version=version, draft=is_draft)
        except WorkflowNotPublished:
            is_published = False
            read = await self._catalog.read(scope, workflow_id, draft=True)
        program = read.reading.program
        calls = await self._calls(scope, Callee(workflow_id=workflow_id, version=version))
        return ChildWorkflow(
            name=workflow.name,
            is_published=is_published,
            answers=program is not None and program.answers,
            input=program.input if program is not None else (),
            output=program.output if program is not None else (),
            calls=calls,
        )

    async def _calls(self, scope: TenantScope, start: Callee) -> tuple[str, ...]:
        """Ids of everything that is called from here on, found level by level."""
        seen: set[Callee] = set()
        level = {start}
        while level:
            async with self._store.snapshot() as uow:
                callees = await uow.references.callees(scope, level)
            level = {each for found in callees.values() for each in found} - seen
            seen |= level
        return tuple(dict.fromkeys(str(each.workflow_id) for each in seen))


def _ids(needs: Sequence[Need]) -> list[int]:
    return [number for each in needs if (number := local_id(each.id)) is not None]


def is_there(need: Need, around: Surroundings) -> bool:
    """Tell whether what a canvas names was found around it."""
    match need.kind:
        case NeedKind.WORKFLOW:
            child = (around.children or {}).get((need.id, need.detail))
            return child is not None and (child.is_published or not need.detail)
        case NeedKind.MODEL:
            return bool({need.id, need.name} & (around.models or frozenset()))
        case NeedKind.DATASET:
            return need.id in (around.datasets or frozenset())
        case NeedKind.PLUGIN:
            return (need.id, need.detail) in (around.plugins or frozenset())
        case NeedKind.DATABASE:
            return need.id in (around.databases or frozenset())
        case _:
            assert_never(need.kind)
