"""What the check of a canvas can say: stable codes, severities, and where to look."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec

from domain.workflow.engine.state import named


class Severity(StrEnum):
    """Errors block publishing; warnings and hints never block anything."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class EdgeName(msgspec.Struct, frozen=True, kw_only=True):
    """An edge as the canvas names it."""

    source: str
    target: str
    port: str = ""


class Diagnostic(msgspec.Struct, frozen=True, kw_only=True):
    """One finding. ``json_pointer`` leads into the original canvas."""

    code: str
    severity: Severity
    message: str
    node_id: str = ""
    node_title: str = ""
    json_pointer: str = ""
    hint: str = ""
    port: str = ""
    edge: EdgeName | None = None
    related: tuple[str, ...] = ()
    """Ids of other nodes involved."""
    blocks_run: bool = False
    """The engine could not run this; other errors only block publishing."""

    def __str__(self) -> str:
        node = named(self.node_title, self.node_id)
        place = f"{self.code} (node {node})" if self.node_id else self.code
        return f"{place}: {self.message}"


class Rule(msgspec.Struct, frozen=True):
    """A rule of the check: default severity, whether it stops a run, and what to do about it."""

    severity: Severity
    blocks_run: bool
    hint: str


def _stops(hint: str) -> Rule:
    return Rule(Severity.ERROR, True, hint)


def _error(hint: str) -> Rule:
    return Rule(Severity.ERROR, False, hint)


def _warning(hint: str) -> Rule:
    return Rule(Severity.WARNING, False, hint)


RULES: Final[Mapping[str, Rule]] = {
    "WF100": _stops("Export the canvas again; it must be a JSON object with nodes and edges."),
    "WF101": _stops("Keep exactly one entry node of type 1 with id 100001."),
    "WF102": _stops("Keep exactly one exit node of type 2 with id 900001."),
    "WF103": _stops("Give every node an id of its own, also inside loops and batches."),
    "WF104": _stops("Remove the node or replace it by a supported one."),
    "WF105": _stops("Remove the edge, or put the missing node back."),
    "WF106": _error("Connect the port to the next node."),
    "WF107": _warning("Connect the node or delete it."),
    "WF108": _warning("Lead the node to the exit if its work must be finished."),
    "WF109": _stops("Use a port that the source node offers."),
    "WF110": _stops("Use a loop node to repeat steps."),
    "WF111": _stops("Connect the exit with the entry."),
    "WF112": _stops("Move the node into a loop."),
    "WF113": _warning("Move the inner composite into a sub-workflow to stay portable."),
    "WF114": _stops("This kind of node cannot run here; replace it."),
    "WF115": _stops("Connect the start of the iteration with its end."),
    "WF116": _stops("Keep entry and exit at the top level, and edges within one composite."),
    "WF117": _stops("Attach nodes that can run by themselves, to a node that calls tools."),
    "WF118": _warning("Let the model write inputs that the node reads when it runs."),
    "WF201": _stops("Choose the source again; its node is gone."),
    "WF202": _error("Declare the field in the source node's outputs, or choose another one."),
    "WF203": _stops("Connect the source so that it always comes before this node."),
    "WF204": _stops("Read the outputs of the composite instead of its inner nodes."),
    "WF205": _warning("Merge the branches with an aggregator, or expect an empty value."),
    "WF206": _error("Choose a source for the value."),
    "WF207": _warning("Add an input parameter with this name, or correct the text."),
    "WF208": _warning("Use the parameter in the text, or remove it."),
    "WF209": _warning("Element 0 of the list is used; walk the list in a loop to use all."),
    "WF301": _error("Enter a value of the declared type."),
    "WF302": _stops("Assign an application or user variable, or a variable of this loop."),
    "WF303": _warning("Change the declared type or the source."),
    "WF304": _stops("Enter a default of the declared type."),
    "WF305": _error("Use letters, digits and _, no digit first, and each name once."),
    "WF306": _warning("Convert the value before, or declare the type of the source."),
    "WF307": _error("Declare the type that the variable has."),
    "WF308": _error("Use an operator that fits the type, or change the operand's type."),
    "WF401": _stops("Fill in the setting."),
    "WF402": _stops("Use one of the values that the setting allows."),
    "WF410": _stops("Enter how often the loop runs."),
    "WF411": _stops("Give a list to go through."),
    "WF412": _stops("Return a value of an inner node or a loop variable."),
    "WF413": _warning("Add a break node that can be reached."),
    "WF414": _stops("Declare one output: a list of objects."),
    "WF420": _stops("Choose a workflow that exists and is published."),
    "WF421": _error("Choose the sub-workflow again to take over its current parameters."),
    "WF422": _stops("A workflow cannot call itself, not even through others."),
    "WF423": _warning("Choose the sub-workflow, plugin or database again to refresh its fields."),
    "WF430": _error("Enter the default output as a JSON object."),
    "WF431": _warning("Switch retries off, or make sure that repeating does no harm."),
    "WF440": _stops("Enter the text to put together."),
    "WF441": _stops("Enter at least one delimiter."),
    "WF442": _error(
        "Correct the code; it must compile, define main and import allowed modules only."
    ),
    "WF443": _stops("Choose the fields of the form again."),
    "WF444": _error("Enter a text of its own for every option."),
    "WF445": _error("Enter an http or https address, and JSON as a JSON body."),
    "WF446": _warning("Do without the module, or let the operator choose the sandbox that has it."),
    "WF447": _warning("Check the canvas again, or run the node: only that shows wrong syntax now."),
    "WF450": _error("Write one statement that reads or changes rows, with a condition."),
    "WF460": _error("Choose something that exists and that you may use."),
    "WF501": _stops("Split the workflow into sub-workflows."),
    "WF502": _warning("Lower the counts of nested loops and batches."),
}


class Report:
    """Collects findings up to a bound, counting on; of every weight at least one is kept."""

    def __init__(self, *, limit: int) -> None:
        self._limit = limit
        self._found: list[Diagnostic] = []
        self._seen: set[tuple[str, str, str, str]] = set()
        self._weights: set[tuple[Severity, bool]] = set()
        self.omitted = 0

    def add(
        self,
        code: str,
        message: str,
        *,
        node_id: str = "",
        pointer: str = "",
        severity: Severity | None = None,
        blocks_run: bool | None = None,
        port: str = "",
        edge: EdgeName | None = None,
        related: tuple[str, ...] = (),
    ) -> None:
        """Add a finding of the rule ``code``; the same finding counts once."""
        rule = RULES[code]
        key = (code, node_id, pointer, message)
        if key in self._seen:
            return
        level = rule.severity if severity is None else severity
        stops = rule.blocks_run if blocks_run is None else blocks_run
        weight = (level, stops)
        if self._limit and len(self._found) >= self._limit and weight in self._weights:
            self.omitted += 1
            return
        self._seen.add(key)
        self._weights.add(weight)
        self._found.append(
            Diagnostic(
                code=code,
                severity=level,
                message=message,
                node_id=node_id,
                json_pointer=pointer,
                hint=rule.hint,
                port=port,
                edge=edge,
                related=related,
                blocks_run=stops and level is Severity.ERROR,
            )
        )

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(self._found)
