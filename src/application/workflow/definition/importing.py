"""Imports canvases of other systems and reports what is not here."""

import asyncio
from collections.abc import Sequence

from application.workflow.definition.canvas_check import CanvasChecker, findings, refuse_unreadable
from application.workflow.definition.dto import (
    CreateWorkflow,
    ImportReport,
    ImportWorkflow,
    NeedView,
    UnknownNode,
)
from application.workflow.definition.service import WorkflowService
from application.workflow.definition.surroundings import is_there
from domain.shared.access import Permission, Principal
from domain.shared.ids import SpaceId
from domain.shared.limits import Limits
from domain.workflow.canvas.importing import BroughtCanvas, IdMapping, Remapped, remap, unwrap
from domain.workflow.canvas.text import Canvas
from domain.workflow.definition.reference import Need, needs_of
from domain.workflow.definition.rules import WorkflowRules
from domain.workflow.definition.workflow import WorkflowMode
from domain.workflow.graph import Program
from domain.workflow.lint.check import Reading

_UNKNOWN = frozenset({"WF104", "WF114"})
_CHAT_INPUT = "CONVERSATION_NAME"


class WorkflowImportService:
    """Makes workflows of exports; the canvas is kept to the character unless ids are mapped."""

    def __init__(
        self, *, workflows: WorkflowService, checker: CanvasChecker, limits: Limits
    ) -> None:
        self._workflows = workflows
        self._checker = checker
        self._rules = WorkflowRules(limits)

    async def bring(self, principal: Principal, command: ImportWorkflow) -> ImportReport:
        """Import one workflow.

        Raises:
            CanvasUnreadable: there is no canvas in the text.
            WorkflowInvalid: the name given is not valid.
        """
        space_id = SpaceId(command.space_id)
        principal.require(Permission.WORKFLOW_WRITE, space_id)
        brought = await asyncio.to_thread(unwrap, command.text)
        mapping = command.mapping
        mapped = Remapped(text=brought.text)
        if not mapping.is_empty:
            mapped = await asyncio.to_thread(remap, brought.text, mapping)
        canvas = Canvas.of(mapped.text, brought.dialect)
        reading, around = await self._checker.check_with_surroundings(
            principal.scope, space_id, canvas, app_id=command.app_id
        )
        refuse_unreadable(reading)
        program = reading.program
        view = await self._workflows.create(
            principal,
            CreateWorkflow(
                space_id=space_id,
                name=command.name or self._name(brought, command.fallback_name),
                description=command.description or brought.description,
                icon_file_id=command.icon_file_id,
                mode=command.mode if command.mode is not None else mode_of(brought, program),
                app_id=command.app_id,
            ),
            canvas=canvas,
            program=program,
        )
        needs = needs_of(program) if program is not None else ()
        return ImportReport(
            workflow=view,
            findings=findings(reading, workflow_id=view.id, name=view.name),
            unknown_nodes=unknown_nodes(reading),
            needs=tuple(
                NeedView(
                    need=each,
                    exists=is_there(each, around),
                    mapped_from=tuple(
                        sorted(old for old, new in mapped.replaced if new == each.id)
                    ),
                )
                for each in needs
            ),
            unused=_unused(mapping, mapped, needs),
        )

    def _name(self, brought: BroughtCanvas, fallback: str) -> str:
        return self._rules.fitting_name(brought.name or fallback)


def mode_of(brought: BroughtCanvas, program: Program | None) -> WorkflowMode:
    """Tell what a canvas is, by what its export says of it or by its inputs."""
    inputs = {each.name for each in program.input} if program is not None else set()
    is_chat = brought.is_chat or _CHAT_INPUT in inputs
    return WorkflowMode.CHATFLOW if is_chat else WorkflowMode.WORKFLOW


def unknown_nodes(reading: Reading) -> tuple[UnknownNode, ...]:
    """List the nodes of kinds that do not run here."""
    return tuple(
        UnknownNode(node_id=each.node_id, message=each.message)
        for each in reading.diagnostics
        if each.code in _UNKNOWN
    )


def _unused(mapping: IdMapping, mapped: Remapped, needs: Sequence[Need]) -> tuple[str, ...]:
    """List ids of the mapping that the canvas does not name, or still names somewhere."""
    new = {new for _, new in mapping.pairs}
    left = {name for each in needs for name in (each.id, each.detail)} - new
    pairs = mapping.pairs
    unused = (old for old, to in pairs if (old, to) not in mapped.replaced or old in left)
    return tuple(dict.fromkeys(unused))
