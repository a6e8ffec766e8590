"""How kinds of nodes run: each registers its runner from its own module."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from domain.shared.registry import Registry
from domain.workflow.execution_call import Call
from domain.workflow.graph import Node, Template
from domain.workflow.value import Value


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


RUNNERS: Final = Registry[Runner]("node runner", package=__name__)
