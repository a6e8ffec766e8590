"""Kinds of FastGPT nodes that have an equivalent; each registers its translation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from domain.shared.registry import Registry
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import NodeConfig
from domain.workflow.value import Path


def _no_handles(_: FlowReader) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, kw_only=True)
class FlowKind:
    """How a node type of a flow becomes a kind of the graph.

    ``outputs``: ids of outputs that are called otherwise in the graph. ``handles``: branch keys
    of edges, with the port each one means. ``told``: the outputs that a model is told if the node
    runs in a tool, none for all of them; None for kinds that tell it nothing.
    """

    kind: str
    read: Callable[[FlowReader], NodeConfig]
    outputs: Mapping[str, Path] = field(default_factory=dict)
    handles: Callable[[FlowReader], Mapping[str, str]] = _no_handles
    told: tuple[str, ...] | None = None
    takes_tools: bool = False
    is_tool: bool = True
    """It can be attached to a node as a tool."""


FLOW_KINDS: Final = Registry[FlowKind]("FastGPT node", package=__name__)

STRUCTURE: Final = frozenset(
    {
        "userGuide",
        "systemConfig",
        "pluginConfig",
        "globalVariable",
        "emptyNode",
        "comment",
    }
)
"""Node types that configure the flow or the editor and never run."""
