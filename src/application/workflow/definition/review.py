"""Looks at exports before anything of them is stored."""

import asyncio
import re
from collections.abc import Sequence
from typing import Final

import msgspec

from application.workflow.definition.canvas_check import CanvasChecker
from application.workflow.definition.dto import (
    BroughtFile,
    CanvasReview,
    NeedView,
    ReviewWorkflows,
    WorkflowReview,
)
from application.workflow.definition.importing import mode_of, unknown_nodes
from application.workflow.definition.surroundings import ResourceKey, is_there
from domain.shared.access import Permission, Principal
from domain.shared.error import InvalidRequest
from domain.shared.ids import SpaceId
from domain.shared.limits import Limits
from domain.workflow.canvas.importing import BroughtCanvas, IdMapping, remap, unwrap
from domain.workflow.canvas.text import Canvas
from domain.workflow.definition.error import CanvasUnreadable
from domain.workflow.definition.reference import Need, NeedKind, needs_of
from domain.workflow.definition.rules import WorkflowRules
from domain.workflow.graph import Program, walk_nodes
from domain.workflow.lint.check import Checker, Reading
from domain.workflow.lint.surroundings import ChildWorkflow, Surroundings

FILES_AT_ONCE: Final = 20
_ID: Final = re.compile(r"(?<!\d)\d{6,20}(?!\d)")
"""What looks like the id of a workflow in the name of a file."""


class _Opened(msgspec.Struct, frozen=True, kw_only=True):
    """A file with what can be read of it alone."""

    file: BroughtFile
    problem: str = ""
    brought: BroughtCanvas | None = None
    canvas: Canvas | None = None
    program: Program | None = None
    ids: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def holds(self, need: Need) -> bool:
        """Tell whether the workflow that another canvas calls is this one."""
        by_name = _folded(need.name)
        return need.id in self.ids or (bool(by_name) and by_name in self.names)

    @property
    def as_child(self) -> ChildWorkflow | None:
        """What it is to others once it is imported, and published as they name it."""
        if self.program is None:
            return None
        return ChildWorkflow(
            name=self.brought.name if self.brought else "",
            is_published=True,
            answers=self.program.answers,
            input=self.program.input,
            output=self.program.output,
        )


_Brought = dict[ResourceKey, tuple[int, ChildWorkflow]]
"""Workflows that come with other files: the position of the file, and what it holds."""


class WorkflowReviewService:
    """Tells what files would become, together: one may hold what another one calls."""

    def __init__(self, *, checker: CanvasChecker, reader: Checker, limits: Limits) -> None:
        self._checker = checker
        self._reader = reader
        self._rules = WorkflowRules(limits)

    async def look(self, principal: Principal, command: ReviewWorkflows) -> WorkflowReview:
        """Review files; one that cannot be read says why, and hinders no other.

        Raises:
            InvalidRequest: there are no files, or too many (4000).
            Forbidden: the token or role may not change workflows here (4101).
        """
        space_id = SpaceId(command.space_id)
        principal.require(Permission.WORKFLOW_WRITE, space_id)
        if not 1 <= len(command.files) <= FILES_AT_ONCE:
            raise InvalidRequest(
                f"canvases: 1 to {FILES_AT_ONCE} are looked at together.", field="canvases"
            )
        opened = [
            await asyncio.to_thread(self._open, each, command.mapping) for each in command.files
        ]
        reviews, calls = [], []
        for position, each in enumerate(opened):
            review = CanvasReview(file_name=each.file.name, problem=each.problem)
            if each.canvas is not None:
                brought = _brought(position, opened)
                reading, around = await self._checker.check_with_surroundings(
                    principal.scope,
                    space_id,
                    each.canvas,
                    app_id=command.app_id,
                    brought={key: child for key, (_, child) in brought.items()},
                )
                review = self._review_of(each, reading, around, brought)
            reviews.append(review)
            calls.append({need.brought_by for need in review.needs if need.brought_by is not None})
        return WorkflowReview(items=tuple(reviews), order=called_first(calls))

    def _open(self, file: BroughtFile, mapping: IdMapping) -> _Opened:
        try:
            brought = unwrap(file.text)
            text = brought.text if mapping.is_empty else remap(brought.text, mapping).text
        except CanvasUnreadable as error:
            return _Opened(file=file, problem=error.message)
        canvas = Canvas.of(text, brought.dialect)
        program = self._reader.check(text, dialect=brought.dialect.value).program
        stem = _stem(file.name)
        return _Opened(
            file=file,
            brought=brought,
            canvas=canvas,
            program=program,
            ids=frozenset({brought.workflow_id, *_ID.findall(stem)} - {""}),
            names=frozenset({_folded(brought.name), _folded(stem)} - {""}),
        )

    def _review_of(
        self, opened: _Opened, reading: Reading, around: Surroundings, brought: _Brought
    ) -> CanvasReview:
        program, export = reading.program, opened.brought
        if program is None or export is None:
            return CanvasReview(
                file_name=opened.file.name,
                problem=_unreadable(reading),
                diagnostics=reading.diagnostics,
                omitted=reading.omitted,
            )
        return CanvasReview(
            file_name=opened.file.name,
            name=self._rules.fitting_name(export.name or _stem(opened.file.name)),
            mode=mode_of(export, program),
            dialect=export.dialect,
            nodes=tuple({each.canvas_id: each.title for each in walk_nodes(program)}.items()),
            can_run=reading.can_run,
            can_be_published=reading.can_be_published,
            omitted=reading.omitted,
            diagnostics=reading.diagnostics,
            unknown_nodes=unknown_nodes(reading),
            needs=tuple(_need(each, around, brought) for each in needs_of(program)),
        )


def _need(need: Need, around: Surroundings, brought: _Brought) -> NeedView:
    """Tell whether something is there already, or comes with another file."""
    key = (need.id, need.detail)
    if need.kind is NeedKind.WORKFLOW and key in brought:
        holder, child = brought[key]
        if (around.children or {}).get(key) is child:
            return NeedView(need=need, exists=False, brought_by=holder)
    return NeedView(need=need, exists=is_there(need, around))


def called_first(calls: Sequence[set[int]]) -> tuple[int, ...]:
    """Order files so that each comes behind those it calls; who call each other stay as given."""
    placed: dict[int, None] = {}
    left = list(range(len(calls)))
    while left:
        free = [each for each in left if calls[each] - {each} <= placed.keys()]
        for each in free or left[:1]:
            placed[each] = None
        left = [each for each in left if each not in placed]
    return tuple(placed)


def _brought(position: int, opened: Sequence[_Opened]) -> _Brought:
    """Find which of the other files hold what one of them calls, and describe it."""
    program = opened[position].program
    found: _Brought = {}
    for need in () if program is None else needs_of(program):
        if need.kind is not NeedKind.WORKFLOW:
            continue
        others = (at for at, each in enumerate(opened) if at != position and each.holds(need))
        holder = next(others, None)
        child = None if holder is None else opened[holder].as_child
        if holder is not None and child is not None:
            found[need.id, need.detail] = (holder, child)
    return found


def _unreadable(reading: Reading) -> str:
    first = next(iter(reading.diagnostics), None)
    return f"{first.message} {first.hint}".strip() if first else "The canvas cannot be read."


def _stem(name: str) -> str:
    stem, dot, _ = name.rpartition(".")
    return stem if dot else name


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
