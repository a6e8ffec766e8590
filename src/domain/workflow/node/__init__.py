"""Node kinds: how each is read from a canvas, checked and run, registered from its own module."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal, TypeVar

import msgspec

from domain.shared.registry import Registry
from domain.workflow.canvas.blank import Blank
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.engine.call import Call
from domain.workflow.graph import Effects, NoConfig, Node, NodeConfig, Template
from domain.workflow.limit import WorkflowLimits
from domain.workflow.lint.diagnostic import Report, Severity
from domain.workflow.lint.surroundings import Surroundings
from domain.workflow.node.effect import Outside, by_effects
from domain.workflow.value import Schema, Value

C = TypeVar("C", bound=NodeConfig)

TimeLimit = Literal["none", "model", "remote", "code"]


@dataclass(frozen=True, slots=True)
class Check:
    """What a kind needs to check a node: what exists around it, and where findings go."""

    report: Report
    surroundings: Surroundings
    limits: WorkflowLimits

    def add(
        self,
        code: str,
        node: Node,
        message: str,
        *,
        at: str = "",
        severity: Severity | None = None,
        blocks_run: bool | None = None,
    ) -> None:
        """Report about a node; ``at`` names a configuration field or an input."""
        binding = node.input(at) if at else None
        pointer = binding.pointer if binding else node.source.fields.get(at, node.source.pointer)
        self.report.add(
            code,
            message,
            node_id=node.canvas_id,
            pointer=pointer,
            severity=severity,
            blocks_run=blocks_run,
        )


def _read_parameters(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    return NoConfig()


def _same_name(port: str) -> str:
    return port


def _no_ports(_: NodeConfig) -> tuple[str, ...]:
    return ()


def _no_check(_: Node, __: Check) -> None:
    return None


class Result(msgspec.Struct, frozen=True):
    """What a node produced, and the port it chose."""

    output: dict[str, Value]
    port: str = ""


Step = Callable[[Call], Result]
Work = Callable[[Call], Awaitable[Result]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """How a kind runs; exactly one of ``step``, ``work`` and ``composite`` is set.

    ``step`` computes at once: no waiting, no input or output. ``work`` may wait. ``composite``
    runs the body of the node again and again.

    ``needs_work`` lets a kind with a ``step`` send single nodes to ``work`` instead.
    """

    step: Step | None = None
    work: Work | None = None
    needs_work: Callable[[Node], bool] | None = None
    composite: Literal["loop", "batch", ""] = ""
    message: Callable[[Node], Template | None] | None = None
    """Kinds that send a text: the template to write piece by piece, None to wait for all of it."""
    choose: Callable[[Node, Mapping[str, bool]], dict[str, str | None]] | None = None
    """Kinds that forward streams: the input each output takes, given which inputs have a value."""


@dataclass(frozen=True, kw_only=True)
class NodeType:
    """Everything the product knows about a kind of node.

    ``type_id``: number in a Coze canvas. ``key``: name in process records. ``outputs``: fields
    the node has even if the canvas does not declare them. The flags are those of the table of
    the specification.
    """

    kind: str
    type_id: str
    key: str
    names: Mapping[str, str]
    """Name for people, by language: at least ``en`` and ``zh``."""
    group: str = "other"
    blank: Blank = field(default_factory=dict)
    """What a new node begins with: its ``data`` in a Coze canvas, without the title."""
    read: Callable[[NodeReader], NodeConfig] = _read_parameters
    ports: Callable[[NodeConfig], tuple[str, ...]] = _no_ports
    port_name: Callable[[str], str] = _same_name
    """Name of a port in a Coze canvas."""
    check: Callable[[Node, Check], None] = _no_check
    outputs: Schema = ()
    required: tuple[str, ...] = ()
    """Names of input parameters that must be there."""
    zero_fill: bool = False
    null_fill: bool = False
    interrupts: bool = False
    has_batch_mode: bool = False
    can_stream: bool = False
    """Produces, forwards or reads texts that arrive in pieces."""
    is_composite: bool = False
    effects: Effects = "none"
    outside: Callable[[Node], Outside] = by_effects
    """What a node changes outside this deployment; see ``Outside``."""
    time_limit: TimeLimit = "none"
    config: type[NodeConfig] = field(default=NoConfig)
    runner: Runner | None = None
    """How it runs; None: it cannot."""

    @property
    def is_runnable(self) -> bool:
        """Nodes of this kind can be carried out."""
        return self.runner is not None

    def register(self) -> None:
        """Make the kind known by its name."""
        NODE_TYPES.register(self.kind)(self)


NODE_TYPES: Final = Registry[NodeType]("node kind", package=__name__, has_rooms=True)


@cache
def types_by_id() -> Mapping[str, NodeType]:
    """All kinds that a Coze canvas can name, by their number."""
    types = (NODE_TYPES.get(name) for name in NODE_TYPES.names())
    return {node_type.type_id: node_type for node_type in types if node_type.type_id}


def config_of(node: Node, expected: type[C]) -> C:
    """Return the settings of a node as those of its kind."""
    if not isinstance(node.config, expected):
        raise TypeError(f"{node.kind} node {node.id} has settings of another kind.")
    return node.config


def settings(config: NodeConfig, expected: type[C]) -> C:
    """Narrow settings to those of a kind."""
    if not isinstance(config, expected):
        raise TypeError(f"Expected {expected.__name__}, got {type(config).__name__}.")
    return config
