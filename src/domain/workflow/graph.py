"""The dialect-free graph of a workflow: readers produce it, everything else works on it."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Final, Literal

import msgspec

from domain.workflow.value import Field, Path, Schema, Type, Value

SCOPE_START: Final = "$start"
SCOPE_END: Final = "$end"
"""Begin and end of an iteration in the edges of a composite's body; no nodes stand for them."""

DEFAULT_PORT: Final = "default"
ERROR_PORT: Final = "error"
ANSWERS: Final = "output"
"""Output of a program without an exit: what its nodes answered the user."""
PLAIN_PORT: Final = ""
"""Edge without a port: taken on every outcome."""


def branch_port(index: int) -> str:
    """Name the port of a zero-based branch; the last resort is ``DEFAULT_PORT``."""
    return f"branch_{index}"


class GlobalKind(StrEnum):
    """Where a global variable lives; ``RUN`` are facts about the run itself."""

    APP = "app"
    USER = "user"
    SYSTEM = "system"
    RUN = "run"


Effects = Literal["none", "read", "write"]
"""What a node does to the world outside of the run."""


class Const(msgspec.Struct, frozen=True, tag="const"):
    """A value written into the canvas, already converted to the type wanted."""

    value: Value


class Ref(msgspec.Struct, frozen=True, tag="ref"):
    """Output of a node; ``hops`` scopes outwards from the scope of the reader."""

    node: str
    path: Path
    hops: int = 0


class Element(msgspec.Struct, frozen=True, tag="element"):
    """Current element of an input list of an enclosing composite."""

    composite: str
    list: str
    path: Path = ()
    hops: int = 0


class Index(msgspec.Struct, frozen=True, tag="index"):
    """Zero-based number of the running iteration of an enclosing composite."""

    composite: str
    hops: int = 0


class LoopVariable(msgspec.Struct, frozen=True, tag="variable"):
    """Current value of a variable of an enclosing loop; ``hops`` 0 is the nearest iteration."""

    composite: str
    name: str
    path: Path = ()
    hops: int = 0


class GlobalVariable(msgspec.Struct, frozen=True, tag="global"):
    """Variable of the application, the user or the system; ``path[0]`` is its name."""

    kind: GlobalKind
    path: Path


class Unresolved(msgspec.Struct, frozen=True, tag="unresolved"):
    """A reference that leads nowhere; reads as null. ``code`` is the diagnostic it deserves."""

    code: Literal["WF201", "WF202", "WF203", "WF204", "WF206"]
    node: str
    path: Path = ()


class ObjectOf(msgspec.Struct, frozen=True, tag="object"):
    """Object put together from parts; a part whose source was skipped is left out."""

    members: tuple["Binding", ...]


class ListOf(msgspec.Struct, frozen=True, tag="list"):
    """List put together from parts; ``is_flat``: of the elements of those that are lists."""

    items: tuple["Expr", ...]
    is_flat: bool = False


Expr = (
    Const | Ref | Element | Index | LoopVariable | GlobalVariable | Unresolved | ObjectOf | ListOf
)

OnAbsent = Literal["absent", "null", "error"]


class Binding(msgspec.Struct, frozen=True, kw_only=True):
    """An input of a node: where its value comes from and which type the node wants.

    Everything a node reads is a binding. Parameters carry the name the user gave them; values
    that belong to the configuration (operands, counts, references in HTTP texts) have a name
    that starts with ``$``, and the configuration mentions them by it.
    """

    name: str
    expr: Expr
    type: Type
    on_absent: OnAbsent = "null"
    """What the value is when the source was skipped; zero-filling comes afterwards."""
    file_names: tuple[str, ...] = ()
    """Original names of files given as constants."""
    pointer: str = ""

    @property
    def is_parameter(self) -> bool:
        """Tell whether the user named this input (templates and records show it)."""
        return not self.name.startswith("$")


class Slot(msgspec.Struct, frozen=True, tag="slot"):
    """Place in a template: a binding of the node and the way into its value.

    ``raw`` is the text with its braces, kept where the variable is unknown.
    ``is_quoted``: stands inside a JSON string, so the value is escaped for one.
    """

    name: str
    path: Path
    raw: str
    is_quoted: bool = False


class Template(msgspec.Struct, frozen=True):
    """A text with places; rendered by ``domain.workflow.template``."""

    parts: tuple[str | Slot, ...] = ()

    @property
    def slots(self) -> Iterator[Slot]:
        return (part for part in self.parts if isinstance(part, Slot))


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """Control passes from ``source`` to ``target`` when ``port`` is chosen.

    ``group``: edges of one cycle share a number above 0; a join looks at each group by itself.
    """

    source: str
    target: str
    port: str = PLAIN_PORT
    group: int = 0
    pointer: str = ""


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What happens when the node takes long or fails."""

    on_error: Literal["throw", "default", "branch"] = "throw"
    timeout_ms: int = 0
    """For all attempts together; 0 for the limit named by ``time_limit``."""
    time_limit: Literal["none", "model", "remote", "code"] = "none"
    attempts: int = 1
    backoff_ms: int = 0
    has_default: bool = False
    default: Value = None
    """Output in case of failure, converted to the declared outputs at compile time."""


class Streams(msgspec.Struct, frozen=True, kw_only=True):
    """Outputs that may arrive in pieces, and bindings that can be read in pieces."""

    produces: tuple[str, ...] = ()
    consumes: tuple[str, ...] = ()
    forwards: tuple[tuple[str, str], ...] = ()
    """Pairs (binding, output): the output streams if the binding does."""


class NodeConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What is specific to a kind of node; each kind has its own subclass in its own module."""


class NoConfig(NodeConfig, frozen=True, kw_only=True):
    """Kinds without anything to configure."""


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Where a node comes from; ``fields`` maps configuration fields to JSON pointers."""

    node_id: str = ""
    """Id in the canvas, which differs from that of a node made by a reader."""
    type_name: str = ""
    """What the canvas calls its type, where that is not the kind's own name."""
    pointer: str = ""
    position: int = 0
    """Order in the canvas; ready nodes start in this order."""
    fields: dict[str, str] = msgspec.field(default_factory=dict)


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A step. Its flags are copied from its kind, so that the scheduler needs no table."""

    id: str
    kind: str
    title: str
    config: NodeConfig
    inputs: tuple[Binding, ...] = ()
    outputs: Schema = ()
    ports: tuple[str, ...] = ()
    """Ports the node chooses from; empty for a node that just finishes.

    ``ERROR_PORT`` is among them if failures have a branch of their own; a node without branches
    then chooses ``DEFAULT_PORT`` when it succeeds.
    """
    body: "Scope | None" = None
    tools: "tuple[AttachedTool, ...]" = ()
    """Parts of the canvas that the node may run as tools, as often as it wants."""
    policy: Policy = Policy()
    streams: Streams = Streams()
    zero_fill: bool = False
    null_fill: bool = False
    interrupts: bool = False
    effects: Effects = "none"
    secrets: tuple[str, ...] = ()
    """Inputs whose values are credentials: records do not show them."""
    source: Source = Source()

    def input(self, name: str) -> Binding | None:
        """Return the binding called ``name``."""
        return next((binding for binding in self.inputs if binding.name == name), None)

    @property
    def canvas_id(self) -> str:
        """Id that findings and records show."""
        return self.source.node_id or self.id

    @property
    def parameters(self) -> tuple[Binding, ...]:
        """Inputs the user named."""
        return tuple(binding for binding in self.inputs if binding.is_parameter)


class OnNode(msgspec.Struct, frozen=True, tag="on_node"):
    """The scope ends when this node is done."""

    node: str


class OnQuiescence(msgspec.Struct, frozen=True, tag="on_quiescence"):
    """The scope ends when nothing is left to run."""


EndPolicy = OnNode | OnQuiescence


class Collected(msgspec.Struct, frozen=True, kw_only=True):
    """Output of a composite, as it looks from inside its body (``hops`` 0 is the body).

    A ``LoopVariable`` gives its last value; anything else is collected over the iterations.
    ``type`` is that of the finished output.
    """

    name: str
    expr: Expr
    type: Type
    pointer: str = ""


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """Nodes that run together: the top level, or the body of a composite.

    ``start`` and the end policy's node are ids of nodes at the top level, and ``SCOPE_START`` and
    ``SCOPE_END`` in a body.
    """

    id: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    start: str
    end: EndPolicy
    on_error: Literal["fail", "skip_out"] = "fail"
    is_cyclic: bool = False
    """Edges may form cycles: a node that runs sets its incoming edges back to waiting."""
    collected: tuple[Collected, ...] = ()

    def node(self, node_id: str) -> Node | None:
        """Return a node of this very scope; linear, plans have an index."""
        return next((node for node in self.nodes if node.id == node_id), None)


class Flags(msgspec.Struct, frozen=True, kw_only=True):
    """Switches for exact compatibility with the system a canvas comes from."""

    strict_paths: bool = False
    """An empty list or null on the way of a reference is an error."""
    template_trailing_space_literal: bool = False
    string_length_bytes: bool = False
    option_match_loose: bool = False
    fastgpt_join_all: bool = False
    fastgpt_silent_depth: bool = False
    """What is nested too deeply gives an empty result instead of an error."""
    fastgpt_abort_on_error: bool = False


class GlobalDeclaration(msgspec.Struct, frozen=True, kw_only=True):
    """A global variable that is known when the canvas is checked.

    ``is_input``: the program keeps it by itself; it begins with what the run was given under its
    name, or else with ``default``.
    """

    kind: GlobalKind
    field: Field
    is_input: bool = False
    default: Value = None


class ChatInput(msgspec.Struct, frozen=True, kw_only=True):
    """Names under which a chat gives a message; without ``files`` they follow the text."""

    text: str = "USER_INPUT"
    files: str = ""


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """A whole workflow. ``output`` is what the exit returns; ``answers`` tells it is a text."""

    dialect: Literal["coze", "fastgpt"] | str
    version_hash: str
    root: Scope
    input: Schema = ()
    output: Schema = ()
    answers: bool = False
    flags: Flags = Flags()
    globals: tuple[GlobalDeclaration, ...] = ()
    chat: ChatInput = ChatInput()
    max_concurrent_nodes: int = 0
    """0 for the limit of the deployment."""


class ToolArgument(msgspec.Struct, frozen=True, kw_only=True):
    """What a model fills in; ``otherwise`` names an input of the node that counts without it."""

    name: str
    otherwise: str = ""


class AttachedTool(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the canvas that a node runs as a tool: a program of its own.

    Its entry takes the arguments of the model, and under their own names the inputs of the node
    that are listed in ``captured``: what the tool reads from around it.
    """

    name: str
    """What the model calls it; free of characters that providers refuse only later."""
    title: str
    description: str
    parameters: dict[str, Value]
    """JSON Schema of an object."""
    arguments: tuple[ToolArgument, ...]
    captured: tuple[str, ...]
    told: dict[str, tuple[str, ...]]
    """What a model is told: outputs by node, none for all; the last node that ran counts."""
    program: Program


def walk_programs(program: Program) -> Iterator[Program]:
    """Yield a program and those of all tools in it, however deep."""
    waiting = [program]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(
            tool.program
            for scope in walk_scopes(current.root)
            for node in reversed(scope.nodes)
            for tool in reversed(node.tools)
        )


def walk_nodes(program: Program) -> Iterator[Node]:
    """Yield the nodes of a program, of its composites and its tools, without recursion."""
    for each in walk_programs(program):
        for scope in walk_scopes(each.root):
            yield from scope.nodes


def count_nodes(program: Program | None) -> int | None:
    """Count what a canvas shows as nodes; None for one that cannot be read."""
    if program is None:
        return None
    return len({each.canvas_id for each in walk_nodes(program)})


def walk_scopes(root: Scope) -> Iterator[Scope]:
    """Yield ``root`` and every scope inside it, outer ones first, without recursion."""
    waiting = [root]
    while waiting:
        scope = waiting.pop()
        yield scope
        waiting.extend(node.body for node in reversed(scope.nodes) if node.body is not None)


def leaves(expr: Expr) -> Iterator[Expr]:
    """Yield the expressions that ``expr`` is put together from, none of them composed."""
    waiting: list[Expr] = [expr]
    while waiting:
        match waiting.pop():
            case ObjectOf(members=members):
                waiting.extend(member.expr for member in reversed(members))
            case ListOf(items=items):
                waiting.extend(reversed(items))
            case leaf:
                yield leaf
