"""What a run tells while it goes on: messages for its caller, records of its nodes."""

from typing import Any, Literal, Protocol

import msgspec

from domain.workflow.engine.interrupt import Interrupt
from domain.workflow.engine.state import Iteration, NodeError, NodePath, Outcome


class MessageChunk(msgspec.Struct, frozen=True, kw_only=True, tag="message"):
    """A piece of a message of a node that speaks; ``number`` counts within the message."""

    path: NodePath
    node_id: str
    node_title: str
    kind: str
    text: str
    number: int
    is_last: bool
    writes_history: bool = True
    is_reasoning: bool = False
    """What a model thought before it answered; no part of the message itself."""
    tool_path: NodePath = ()
    """Model node that runs the sender as its tool; empty for everything else."""


class NodeBegan(msgspec.Struct, frozen=True, kw_only=True, tag="node_began"):
    """A node instance starts; ``index`` is the iteration of the nearest composite."""

    path: NodePath
    node_id: str
    node_title: str
    kind: str
    inputs: dict[str, Any]
    index: int | None = None
    type_name: str = ""
    """What the canvas calls the type of the node, if not as its kind does."""


class NodeEnded(msgspec.Struct, frozen=True, kw_only=True, tag="node_ended"):
    """A node instance is over; skipped ones are not told."""

    path: NodePath
    node_id: str
    node_title: str
    kind: str
    status: Literal["success", "failed", "cancelled", "interrupted"]
    output: dict[str, Any] | None = None
    raw_output: str = ""
    port: str = ""
    error: NodeError | None = None
    warnings: tuple[str, ...] = ()
    duration_ms: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    is_estimated: bool = False
    extra: dict[str, Any] = {}
    index: int | None = None
    type_name: str = ""


class Asked(msgspec.Struct, frozen=True, kw_only=True, tag="asked"):
    """A node waits for an answer."""

    interrupt: Interrupt


RunEvent = MessageChunk | NodeBegan | NodeEnded | Asked


class Observer(Protocol):
    """Takes the events of a run, in order."""

    def take(self, event: RunEvent) -> None:
        """Take an event at once; never blocks, never fails."""
        ...

    async def drain(self) -> None:
        """Return when there is room for more: producers of streams wait here."""
        ...


class NodeOpened(msgspec.Struct, frozen=True, kw_only=True, tag="node_opened"):
    """A node that may wait or iterate begins with these inputs."""

    path: NodePath
    inputs: dict[str, Any]
    variables: dict[str, Any] = {}


class NodeFinished(msgspec.Struct, frozen=True, kw_only=True, tag="node_finished"):
    """A node instance is done."""

    path: NodePath
    outcome: Outcome
    edges: tuple[int, ...] = ()
    """Edges of its scope, where these may form cycles."""


class IterationFinished(msgspec.Struct, frozen=True, kw_only=True, tag="iteration_finished"):
    """An iteration is over; its nodes are forgotten."""

    path: NodePath
    index: int
    iteration: Iteration


class VariablesSet(msgspec.Struct, frozen=True, kw_only=True, tag="variables_set"):
    """Variables of the loop at ``path``, or of the scope there; empty: of the application."""

    path: NodePath
    values: dict[str, Any]


class MemorySaved(msgspec.Struct, frozen=True, kw_only=True, tag="memory_saved"):
    """What a node wants to find again."""

    path: NodePath
    memory: dict[str, Any]


class InterruptRaised(msgspec.Struct, frozen=True, kw_only=True, tag="interrupt_raised"):
    """A node asks; ``is_first``: it asked before, so it stays at the head."""

    interrupt: Interrupt
    memory: dict[str, Any]
    is_first: bool = False


class InterruptAnswered(msgspec.Struct, frozen=True, kw_only=True, tag="interrupt_answered"):
    """The answer to an open interrupt arrived."""

    interrupt_id: str
    answer: str


JournalEntry = (
    NodeOpened
    | NodeFinished
    | IterationFinished
    | VariablesSet
    | MemorySaved
    | InterruptRaised
    | InterruptAnswered
)


class Journal(Protocol):
    """Append-only log of a run; folding it over a snapshot gives the state."""

    def record(self, *entries: JournalEntry) -> None:
        """Take entries that become durable all together, after those before them.

        Raises:
            NotStorable: none of them is taken.
        """
        ...

    async def flush(self) -> None:
        """Return when everything recorded so far is durable; raise ``JournalClosed``."""
        ...
