"""Checks canvases against what exists around them, off the event loop."""

import asyncio
from collections.abc import Mapping

import msgspec

from application.workflow.definition.code_check import CodeCompiler
from application.workflow.definition.dto import Findings
from application.workflow.definition.surroundings import ResourceKey, SurroundingsLoader
from domain.shared.access import TenantScope
from domain.shared.ids import SpaceId
from domain.workflow.canvas.text import Canvas
from domain.workflow.definition.error import CanvasUnreadable
from domain.workflow.definition.reference import names_globals, needs_of
from domain.workflow.lint.check import Checker, Reading
from domain.workflow.lint.surroundings import ChildWorkflow, Surroundings


class CanvasChecker:
    """Reads a canvas to learn what it names, loads that, and checks it against it."""

    def __init__(
        self, *, checker: Checker, surroundings: SurroundingsLoader, compiler: CodeCompiler
    ) -> None:
        self._checker = checker
        self._compiler = compiler
        self._surroundings = surroundings

    async def check(
        self, scope: TenantScope, space_id: SpaceId, canvas: Canvas, *, workflow_id: int = 0
    ) -> Reading:
        """Check the canvas of a workflow; 0 for one that is not stored."""
        reading, _ = await self.check_with_surroundings(
            scope, space_id, canvas, workflow_id=workflow_id
        )
        return reading

    async def check_with_surroundings(
        self,
        scope: TenantScope,
        space_id: SpaceId,
        canvas: Canvas,
        *,
        workflow_id: int = 0,
        app_id: int = 0,
        is_release: bool = False,
        brought: Mapping[ResourceKey, ChildWorkflow] | None = None,
    ) -> tuple[Reading, Surroundings]:
        """Check a canvas, as a draft or as what will run for others, and tell against what.

        ``brought``: workflows that are not stored yet, where none is of the same id.
        """
        text, dialect = canvas.text, canvas.stamp.dialect.value
        nothing = self._surroundings.nothing
        first = await asyncio.to_thread(
            self._checker.check, text, dialect=dialect, surroundings=nothing
        )
        program = first.program
        if program is None:
            return first, nothing
        compiled = await self._compiler.compile(space_id, program)
        is_alone = not (needs_of(program) or names_globals(program))
        if is_alone and not compiled:
            return first, nothing  # there is nothing to check it against
        around = nothing
        if not is_alone:
            around = await self._surroundings.load(
                scope,
                space_id,
                program,
                workflow_id=workflow_id,
                app_id=app_id,
                is_release=is_release,
            )
        children = {**(brought or {}), **(around.children or {})}
        around = msgspec.structs.replace(
            around, compiled=compiled, children=children or around.children
        )
        reading = await asyncio.to_thread(
            self._checker.check, text, dialect=dialect, surroundings=around
        )
        return reading, around


def findings(
    reading: Reading, *, workflow_id: int = 0, name: str = "", version: str = ""
) -> Findings:
    """Show what a check found about one workflow."""
    return Findings(
        workflow_id=workflow_id,
        name=name,
        version=version,
        diagnostics=reading.diagnostics,
        omitted=reading.omitted,
        can_run=reading.can_run,
        can_be_published=reading.can_be_published,
    )


def refuse_unreadable(reading: Reading) -> None:
    """Raise ``CanvasUnreadable`` for a text that is no canvas at all; drafts may be wrong."""
    if reading.program is None:
        found = reading.diagnostics[:3]
        told = [line for each in found for line in (each.message, each.hint)]
        first, *rest = told or ["The canvas cannot be read."]
        raise CanvasUnreadable("\n".join([f"schema: {first}", *rest]))
