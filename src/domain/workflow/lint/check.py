"""Checks a canvas: reads it, applies every rule in one pass, never raises for what it contains."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

import msgspec

from domain.workflow import graph
from domain.workflow.canvas.reader import CozeReader
from domain.workflow.engine.state import named
from domain.workflow.error import NotCompilable
from domain.workflow.graph import Const, Flags, Node, Program, Scope, walk_nodes, walk_programs
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.data import Fit, Globals, check_data, fit, parts
from domain.workflow.lint.diagnostic import Diagnostic, Report, Severity
from domain.workflow.lint.flow import check_flow
from domain.workflow.lint.surroundings import NOTHING_KNOWN, Surroundings
from domain.workflow.node import NODE_TYPES, Check
from domain.workflow.node.control.batch import BatchConfig
from domain.workflow.node.control.loop import LoopConfig
from domain.workflow.node.control.variable_assign import VariableAssignConfig
from domain.workflow.plan import Plan, compile_program
from domain.workflow.value import OBJECT, TEXTS, Type, TypeKind

_SHOWN: Final = 20


class Reader(Protocol):
    """Translates texts of one dialect into programs."""

    def read(self, text: str, *, report: Report) -> Program | None:
        """Translate; what is wrong goes into ``report``, None if nothing can be made of it."""
        ...


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """A canvas as the product understands it.

    ``text`` is the canvas as it came: exporting gives it back. ``program`` is None if there is
    nothing to work with; otherwise the findings decide whether it can run.
    """

    text: str
    program: Program | None
    diagnostics: tuple[Diagnostic, ...] = ()
    omitted: int = 0
    """Findings beyond the limit."""

    @property
    def can_run(self) -> bool:
        """Tell whether the engine could run it, as a draft."""
        return self.program is not None and not any(each.blocks_run for each in self.diagnostics)

    @property
    def can_be_published(self) -> bool:
        """Tell whether it is free of errors."""
        return self.can_run and not any(
            each.severity is Severity.ERROR for each in self.diagnostics
        )

    def export(self) -> str:
        """Give the canvas back as it came, unknown keys included."""
        return self.text

    def compile(self) -> Plan:
        """Compile it; raise ``NotCompilable`` with the findings that forbid running."""
        blocking = [each for each in self.diagnostics if each.blocks_run]
        if self.program is None or blocking:
            shown = blocking[:_SHOWN]
            lines = ["The workflow cannot run.", *map(str, shown)]
            raise NotCompilable("\n".join(lines), codes=[each.code for each in shown])
        return compile_program(self.program)


class Checker:
    """Reads and checks canvases of every dialect."""

    def __init__(
        self, *, limits: WorkflowLimits, flags: Flags, readers: Mapping[str, Reader] | None = None
    ) -> None:
        self._limits = limits
        coze: Reader = CozeReader(limits=limits, flags=flags)
        self._readers = {"coze": coze, **(readers or {})}

    def check(
        self, text: str, *, dialect: str = "coze", surroundings: Surroundings = NOTHING_KNOWN
    ) -> Reading:
        """Read a canvas and report everything wrong with it, in the order of its nodes."""
        report = Report(limit=self._limits.diagnostics)
        program = self._readers[dialect].read(text, report=report)
        if program is not None:
            check_program(program, report, surroundings=surroundings, limits=self._limits)
        return Reading(
            text=text,
            program=program,
            diagnostics=_in_order(program, _titled(program, report.diagnostics)),
            omitted=report.omitted,
        )


def check_program(
    program: Program, report: Report, *, surroundings: Surroundings, limits: WorkflowLimits
) -> None:
    """Apply the rules that hold for every dialect."""
    check = Check(report, surroundings, limits)
    for each in walk_programs(program):
        check_flow(each.root, report)
        check_data(compile_program(each).root, report, surroundings.globals)
        check_cost(each.root, report, limits=limits, budget=surroundings.run_budget)
    check_variables(program, report, surroundings.globals)
    for node in walk_nodes(program):
        NODE_TYPES.get(node.kind).check(node, check)
        if node.policy.attempts > 1 and node.effects == "write":
            check.add("WF431", node, "A repetition may do the same thing twice.")


def _titled(program: Program | None, diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Add the titles of nodes, by which people know them."""
    titles: dict[str, str] = {}
    if program is not None and diagnostics:
        for node in walk_nodes(program):
            titles.setdefault(node.canvas_id, node.title)
    return tuple(
        msgspec.structs.replace(each, node_title=titles[each.node_id])
        if each.node_id in titles
        else each
        for each in diagnostics
    )


def _in_order(
    program: Program | None, diagnostics: tuple[Diagnostic, ...]
) -> tuple[Diagnostic, ...]:
    position: dict[str, int] = {}
    if program is not None:
        for node in walk_nodes(program):
            position.setdefault(node.canvas_id, node.source.position)
    return tuple(sorted(diagnostics, key=lambda each: (position.get(each.node_id, -1), each.code)))


_ENDLESS: Final = 10**30
"""Estimates are cut here."""


def check_cost(root: Scope, report: Report, *, limits: WorkflowLimits, budget: int) -> None:
    """Check nesting, and estimate the executions of a run in the worst case.

    Lists of unknown length count once in loops and with the batch size in batches.
    """
    waiting = [(root, 1, 1)]
    total = 0
    while waiting:
        scope, times, depth = waiting.pop()
        total = min(total + times * len(scope.nodes), _ENDLESS)
        for node in scope.nodes:
            if node.body is None:
                continue
            if limits.nesting and depth + 1 > limits.nesting:
                report.add(
                    "WF501",
                    f"Composites are nested deeper than {limits.nesting} levels.",
                    node_id=node.canvas_id,
                    pointer=node.source.pointer,
                )
            rounds = _rounds(node, limits)
            waiting.append((node.body, min(times * rounds, _ENDLESS), depth + 1))
    if budget and total > budget:
        report.add("WF502", f"A run may execute {total} nodes, more than {budget}.")


def _rounds(node: Node, limits: WorkflowLimits) -> int:
    config = node.config
    if isinstance(config, LoopConfig):
        if config.mode == "infinite":
            return max(limits.loop_iterations, 1)
        if config.mode == "count":
            return max(_constant(node, config.count, otherwise=1), 0)
        return _length(node, config.lists, otherwise=1)
    if isinstance(config, BatchConfig):
        size = _constant(node, config.size, otherwise=0) or limits.batch_size
        return min(size, _length(node, config.lists, otherwise=size))
    return 1


def _constant(node: Node, name: str, *, otherwise: int) -> int:
    binding = node.input(name) if name else None
    if binding is None or not isinstance(binding.expr, Const):
        return otherwise
    value = binding.expr.value
    return value if isinstance(value, int) else otherwise


def _length(node: Node, lists: tuple[str, ...], *, otherwise: int) -> int:
    lengths = []
    for name in lists:
        binding = node.input(name)
        if binding is None or not isinstance(binding.expr, Const):
            return otherwise
        if isinstance(binding.expr.value, list):
            lengths.append(len(binding.expr.value))
    return min(lengths, default=otherwise)


_WALKED = frozenset({TypeKind.OBJECT, TypeKind.LIST, TypeKind.ANY})
"""What a path can lead into; a list contributes its first element."""


@dataclass(frozen=True, slots=True)
class _Use:
    """A node that takes a variable for something of a type."""

    node: graph.Node
    type: Type
    pointer: str
    is_assigned: bool = False
    is_walked: bool = False
    """A path leads into the value, so that it must be an object or a list of them."""


def check_variables(program: graph.Program, report: Report, known: Globals) -> None:
    """Compare the uses of each variable with the first that says its type: one that assigns it.

    No type that an application could declare would suit both. What can never become the other is
    an error of variables of applications; values of users are texts that their agents declare.
    """
    kept = {each.field.name for each in program.globals}
    uses: dict[tuple[graph.GlobalKind, str], list[_Use]] = {}
    for node in graph.walk_nodes(program):
        for key, use in _uses(node):
            field = None if known is None else known.get(key)
            is_declared = field is not None and field.type.kind is not TypeKind.ANY
            if not is_declared and key[1] not in kept and use.type.kind is not TypeKind.ANY:
                uses.setdefault(key, []).append(use)
    for (kind, name), found in uses.items():
        first = next((each for each in found if each.is_assigned), found[0])
        for each in found:
            clash = _clash(first, each)
            if clash is Fit.NEVER or (clash > Fit.UNKNOWN and kind is graph.GlobalKind.APP):
                is_error = clash is Fit.NEVER and kind is graph.GlobalKind.APP
                where = named(first.node.title, first.node.canvas_id)
                report.add(
                    "WF307",
                    f"The variable {name[:80]} is of type {first.type} in {where}, "
                    f"and of type {each.type} here.",
                    node_id=each.node.canvas_id,
                    pointer=each.pointer,
                    severity=None if is_error else Severity.WARNING,
                    related=(first.node.canvas_id,),
                )


def _uses(node: graph.Node) -> Iterator[tuple[tuple[graph.GlobalKind, str], _Use]]:
    if isinstance(node.config, VariableAssignConfig):
        for each in node.config.assignments:
            binding = node.input(each.value)
            pointer = binding.pointer if binding is not None else ""
            use = _Use(node, each.type, pointer, is_assigned=True)
            yield (each.target.kind, str(each.target.path[0])), use
    for binding in node.inputs:
        for part in parts(binding):
            match part.expr:
                case graph.GlobalVariable(
                    kind=graph.GlobalKind.APP | graph.GlobalKind.USER as kind,
                    path=(str(name), *rest),
                ):
                    wanted = OBJECT if rest else part.type
                    yield (kind, name), _Use(node, wanted, part.pointer, is_walked=bool(rest))
                case _:
                    pass


def _clash(first: _Use, other: _Use) -> Fit:
    """Tell how badly two uses fit: better than ``LOSSY``, and they do not disagree."""
    kinds = {first.type.kind, other.type.kind}
    if first.is_walked and other.is_walked:
        return Fit.EXACT
    if first.is_walked or other.is_walked:
        plain = other if first.is_walked else first
        return Fit.EXACT if plain.type.kind in _WALKED else Fit.NEVER
    if first.is_assigned and not other.is_assigned:
        return fit(first.type, other.type)
    best = min(fit(first.type, other.type), fit(other.type, first.type))
    if other.is_assigned and best < Fit.UNKNOWN and not (len(kinds) == 1 or kinds <= TEXTS):
        return Fit.LOSSY  # one of them assigns what the other would have to convert
    return best
