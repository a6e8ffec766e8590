"""What a node sees while it runs: its inputs, its settings, and the run around it."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Final, Protocol, TypeVar

from domain.shared.call import CallContext
from domain.shared.chat import ModelCall
from domain.shared.tracing.span import NOTHING, Span
from domain.workflow.engine.error import VariableFailed
from domain.workflow.engine.state import NodeError, NodePath, NodeProgress, Outcome
from domain.workflow.engine.stored_variable import write_variable
from domain.workflow.graph import AttachedTool, Flags, GlobalKind, LoopVariable, Node
from domain.workflow.limit import WorkflowLimits
from domain.workflow.port import Child, Ports, RunContext
from domain.workflow.value import Value

_SAID: Final = "$said"
"""Part of a node's memory: its answers so far."""
T = TypeVar("T")

BROKEN: Final = "$broken"
"""Variable of a loop that a break sets; the name is no legal one."""


class Surroundings(Protocol):
    """The scope instance of a node, as far as nodes look at it."""

    input: dict[str, Value]
    is_strict: bool
    is_root: bool
    path: NodePath
    span: Span
    tool_path: NodePath
    is_silent: bool
    variables_path: NodePath
    flags: Flags


class Host(Protocol):
    """The run, as far as nodes reach into it.

    The engine runs kinds of nodes and knows them all; by this, kinds need not know the engine.
    """

    ports: Ports
    context: RunContext
    limits: WorkflowLimits
    run_id: str

    def say(self, call: "Call", text: str, *, is_last: bool, writes_history: bool = True) -> None:
        """Send a piece of the node's message."""
        ...

    async def speak(self, call: "Call", text: str, *, is_reasoning: bool = False) -> None:
        """Send a piece of an answer while it is written; waits while the readers are behind."""
        ...

    async def write(self, call: "Call", output: str, text: str) -> None:
        """Add a piece to an output; waits while the readers are behind."""
        ...

    async def run_child(
        self,
        call: "Call",
        key: str,
        child: Child,
        inputs: Mapping[str, Value],
        *,
        is_tool: bool,
        is_silent: bool = False,
    ) -> dict[str, Value]:
        """Run another workflow inside this node; parks the node if the child is interrupted."""
        ...

    async def run_attached(
        self, call: "Call", key: str, tool: AttachedTool, inputs: Mapping[str, Value]
    ) -> dict[str, Outcome]:
        """Run a part of the canvas inside this node; return what its nodes did, in their order."""
        ...

    async def together(
        self, call: "Call", works: Sequence[Awaitable[Value]]
    ) -> list[Value | Exception]:
        """Do several things at once for a node; what one raises is its result."""
        ...

    def remember(self, call: "Call") -> None:
        """Make the memory of a node part of the state before it is done."""
        ...

    def loop_path(self, call: "Call", hops: int) -> NodePath:
        """Find the loop around a node, ``hops`` composites further out."""
        ...

    def nearest_loop(self, call: "Call") -> NodePath:
        """Find the nearest loop around a node."""
        ...


class Call:
    """One execution of a node instance.

    ``inputs`` are complete; ``given`` are the same before zero-filling and without what was
    skipped, which is what templates show.
    """

    # Defaults on the class: most calls never change them, and there are very many calls.
    number: int = 0
    """How many attempts there were before this one."""
    attempt: int = 0
    """The same without those that may have had an effect."""
    index: int | None = None
    globals: Mapping[tuple[GlobalKind, str], Value] = MappingProxyType({})
    """Global variables as they were when the node began."""
    raw_output: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    is_estimated: bool = False
    has_written: bool = False
    """Pieces of an output reached a reader."""
    is_streamed: bool = False
    """The message went out in pieces already."""
    messages: int = 0
    said: str = ""
    """What the user was answered, where answers are the output of the scope."""
    began_ns: int = 0
    span: Span = NOTHING
    """What the trace of the run shows of it."""
    timer: asyncio.Timeout | None = None
    """Ends the node when its time is over."""

    def __init__(
        self,
        *,
        host: Host,
        scope: Surroundings,
        node: Node,
        inputs: dict[str, Value],
        given: dict[str, Value],
        progress: NodeProgress | None,
    ) -> None:
        self.host = host
        self.scope = scope
        self.node = node
        self.inputs = inputs
        self.given = given
        self.progress = progress
        self.answer: str | None = None if progress is None else progress.answer
        self.warnings: list[str] = []
        self.extra: dict[str, Value] = {}
        self.assigned: list[tuple[NodePath, dict[str, Value]]] = []

    @property
    def path(self) -> NodePath:
        return (*self.scope.path, self.node.id)

    @property
    def ports(self) -> Ports:
        return self.host.ports

    @property
    def context(self) -> RunContext:
        return self.host.context

    @property
    def limits(self) -> WorkflowLimits:
        return self.host.limits

    def answered(self, text: str) -> None:
        """Note what the node, or what it runs, answered; it outlives interrupts and crashes."""
        if not text:
            return
        said = self.memory.setdefault(_SAID, [])
        if isinstance(said, list):
            said.append(text)
            self.said = "\n".join(map(str, said))

    @property
    def memory(self) -> dict[str, Value]:
        """What the node kept when it was interrupted."""
        if self.progress is None:
            self.progress = NodeProgress()
        memory: dict[str, Value] = self.progress.memory
        return memory

    @cached_property
    def key(self) -> str:
        """Idempotency key of this attempt: the same after a crash, another one for a retry."""
        text = "\x1f".join((self.host.run_id, *self.path, str(self.attempt)))
        return hashlib.sha256(text.encode()).hexdigest()

    def key_of(self, part: str) -> str:
        """Idempotency key of one of several effects of this attempt."""
        return hashlib.sha256(f"{self.key}\x1f{part}".encode()).hexdigest()

    @cached_property
    def model_context(self) -> CallContext:
        """Context for calls of models: their tokens are counted for this node, too."""
        outer = self.host.context.call
        return replace(outer, record_call=self._record)

    def error(self, code: int, message: str) -> NodeError:
        """Describe a failure of this node."""
        return NodeError(
            code=code,
            message=message,
            path=self.path,
            node_id=self.node.id,
            node_title=self.node.title,
        )

    def next_attempt(self, *, is_definite: bool) -> None:
        """Go on to another attempt; one that may have had an effect is repeated with its key."""
        if is_definite:
            self.attempt += 1
            self.__dict__.pop("key", None)

    @property
    def left_s(self) -> float | None:
        """Time that the node has left; None for no limit."""
        end = None if self.timer is None else self.timer.when()
        return None if end is None else end - asyncio.get_running_loop().time()

    async def untimed(self, work: Awaitable[T], spent_s: Callable[[T], float]) -> T:
        """Await work that keeps to the time limit by itself; only what it spent is counted.

        What it waited for, a place or a preparation, costs the node nothing.
        """
        timer, left, spent = self.timer, self.left_s, 0.0
        if timer is None or left is None:
            return await work
        timer.reschedule(None)
        try:
            result = await work
            spent = spent_s(result)
        finally:
            if not timer.expired():
                timer.reschedule(asyncio.get_running_loop().time() + left - spent)
        return result

    def warn(self, message: str) -> None:
        """Note what went wrong without failing the node."""
        self.warnings.append(message)

    def count(self, *, input_tokens: int, output_tokens: int, is_estimated: bool = False) -> None:
        """Count tokens for this node."""
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens
        self.is_estimated = self.is_estimated or is_estimated

    def assign(self, target: LoopVariable, value: Value) -> None:
        """Set a variable of an enclosing loop when this node is done."""
        path = self.host.loop_path(self, target.hops)
        self.assigned.append((path, {target.name: value}))

    def leave_loop(self) -> None:
        """End the nearest loop after the running iteration."""
        self.assigned.append((self.host.nearest_loop(self), {BROKEN: True}))

    def assign_app(self, name: str, value: Value) -> None:
        """Set a variable of the application, for this run, when this node is done."""
        self.assigned.append((self.scope.variables_path, {name: value}))

    async def assign_global(self, kind: GlobalKind, name: str, value: Value) -> None:
        """Set a variable of the user at once."""
        if self.ports.variables is None:
            raise VariableFailed("There are no user variables here.")
        await write_variable(self.ports.variables, self.context, kind, name, value)

    def _record(self, ledger: ModelCall) -> None:
        usage = ledger.usage
        self.count(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            is_estimated=usage.estimated,
        )
        self.host.context.call.record_call(ledger)
