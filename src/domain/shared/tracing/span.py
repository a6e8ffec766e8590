"""Spans of a run while it goes on: who does a step says so, and whoever settles the run keeps it.

A run that is traced has a ``SpanLog``, which its tasks find through a context variable; without one
every call here is a look at that variable. Nothing is encoded, cut or masked before the run ends:
a span holds references to what it is told.
"""

from collections.abc import Callable, Mapping, Set
from contextvars import ContextVar, Token
from datetime import UTC, datetime
from enum import StrEnum
from time import perf_counter_ns
from types import TracebackType
from typing import Any, Final, NamedTuple, Protocol, Self

from domain.shared.chat import Usage
from domain.shared.error import AppError
from domain.shared.tracing.trace_context import TraceContext, span_id_of


class SpanKind(StrEnum):
    """What a span is of."""

    AGENT = "agent"
    STEP = "step"
    PREPARE = "prepare"
    MODEL = "model"
    EMBEDDING = "embedding"
    RERANK = "rerank"
    RETRIEVAL = "retrieval"
    QUERY_REWRITE = "query_rewrite"
    CHANNEL = "channel"
    FUSION = "fusion"
    TOOL = "tool"
    WORKFLOW = "workflow"
    NODE = "node"
    MEMORY = "memory"
    HTTP = "http"


class SpanStatus(StrEnum):
    """How a span ended; ``lost`` if nothing tells."""

    OK = "ok"
    ERROR = "error"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    LOST = "lost"


NOTHING_USED: Final = Usage()
_CALLS: Final = frozenset({SpanKind.MODEL, SpanKind.EMBEDDING, SpanKind.RERANK})
"""They say which server they called."""


_LEAF_FIELDS: Final = 8


class LeafNode(Protocol):
    """What leaves of one node have in common."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def kind(self) -> str: ...


class LeafColumns(NamedTuple):
    """The leaves of a log, in the order of their ends: each list has a value of each of them."""

    parent_id: list[int]
    node: list[LeafNode]
    began_ns: list[int]
    ended_ns: list[int]
    loop_index: list[int | None]
    port: list[str]
    given: list[Mapping[str, Any] | None]
    gave: list[Mapping[str, Any] | None]


class SpanLog:
    """The spans of one stretch of a run, in the order of their starts.

    ``keeps_content`` False: nobody needs inputs and outputs, and spans drop them. Spans that begin
    after ``close`` are not kept: their run has been told.
    """

    __slots__ = (
        "__weakref__",
        "began_at",
        "began_ns",
        "context",
        "is_closed",
        "is_rebuilt",
        "keeps_content",
        "leaves",
        "parent",
        "root",
        "run_id",
        "spans",
        "watchers",
    )

    def __init__(self, run_id: int, *, keeps_content: bool, began_at: datetime) -> None:
        self.run_id = run_id
        self.keeps_content = keeps_content
        self.began_at = began_at
        self.parent = _CURRENT.get()
        """The span of another run that this one is a part of."""
        if self.parent is not None:
            self.parent.link(run_id)
        self.began_ns = perf_counter_ns()
        self.spans: list[Span] = []
        self.leaves: list[Any] = []
        """Nodes that began and ended at once, with nothing below them, no error and no cost: their
        fields one behind the other, as there are very many of them and tuples or objects would be
        looked through by the garbage collector."""
        self.root = Span(self, 0, 0, SpanKind.AGENT, "")
        """Stands above all spans and is none itself; the run goes on ``within`` it."""
        self.is_closed = False
        self.is_rebuilt = False
        """It is made of what a lost run had told."""
        self.context: TraceContext | None = None
        """Its place in a trace that other tools know; None if none is to."""
        self.watchers: list[Callable[[Span], None]] = []
        """Are told of each span that begins, and once more when it ended."""

    @property
    def last_id(self) -> int:
        """Of spans and leaves: they are numbered from 1 as they come."""
        return len(self.spans) + len(self.leaves) // _LEAF_FIELDS

    def open(self, kind: SpanKind, name: str, *, parent: "Span") -> "Span":
        """Begin a span below another one."""
        if self.is_closed:
            return NOTHING
        span = Span(self, self.last_id + 1, parent.id, kind, name)
        self.spans.append(span)
        if self.watchers:
            self.tell(span)
        return span

    def leaf(  # noqa: PLR0917 - called a thousand times in a run
        self,
        parent_id: int,
        node: LeafNode,
        began_ns: int,
        ended_ns: int,
        index: int | None,
        port: str,
        given: Mapping[str, Any] | None,
        gave: Mapping[str, Any] | None,
    ) -> None:
        """Take a node that has ended; where somebody watches, ``open`` is for it."""
        if self.is_closed:
            return
        if not self.keeps_content:
            given = gave = None
        self.leaves.extend((parent_id, node, began_ns, ended_ns, index, port, given, gave))

    def leaf_columns(self) -> LeafColumns:
        return LeafColumns(*(self.leaves[at::_LEAF_FIELDS] for at in range(_LEAF_FIELDS)))

    def leaf_ids(self) -> list[int]:
        """Return the numbers of leaves: those that no span has."""
        return numbers_without({span.id for span in self.spans}, self.last_id)

    def tell(self, span: "Span") -> None:
        for watch in self.watchers:
            watch(span)

    def close(self) -> None:
        """Take no more; what is still open ends with the stretch."""
        now = perf_counter_ns()
        self.is_closed = True
        for span in self.spans:
            if not span.ended_ns:
                span.ended_ns = now
                span.status = SpanStatus.CANCELLED

    def forget(self) -> None:
        """Let go of all spans: they are stored, and each of them refers to this."""
        self.root = NOTHING
        self.spans, self.leaves = [], []


def numbers_without(taken: Set[int], last: int) -> list[int]:
    """Return the numbers from 1 to ``last`` that are not ``taken``."""
    return [number for number in range(1, last + 1) if number not in taken]


class Span:
    """One step: a context manager around it, or opened and ended by hand where it streams.

    What most spans never change are attributes of the class: there are very many spans.
    """

    ended_ns: int = 0
    status: SpanStatus = SpanStatus.OK
    error_code: int = 0
    error: str = ""
    attributes: dict[str, Any] | None = None
    input: object = None
    output: object = None
    usage: Usage = NOTHING_USED
    cost: str = "0"
    links: tuple[int, ...] = ()
    _token: "Token[Span | None] | None" = None

    def __init__(self, log: SpanLog, id_: int, parent_id: int, kind: SpanKind, name: str) -> None:
        self.log = log
        self.id = id_
        self.parent_id = parent_id
        self.kind = kind
        self.name = name
        self.began_ns = perf_counter_ns()

    @property
    def is_on(self) -> bool:
        """Anybody keeps it."""
        return True

    @property
    def keeps_content(self) -> bool:
        return self.log.keeps_content

    @property
    def traceparent(self) -> str:
        """How it names itself to whoever it calls; empty if nobody is to know."""
        log = self.log
        if log.context is None:
            return ""
        if self.id:
            return log.context.naming(span_id_of(log.run_id, log.began_at, self.id))
        return log.context.naming(log.context.parent_id) if log.context.parent_id else ""

    def given(self, value: object) -> None:
        """Take what the step began with: a text, bytes of one, or what becomes JSON."""
        if self.log.keeps_content:
            self.input = value

    def gave(self, value: object) -> None:
        """Take what came of the step."""
        if self.log.keeps_content:
            self.output = value

    def note(self, **facts: object) -> None:
        """Take facts that are no content."""
        if self.attributes is None:
            self.attributes = facts
        else:
            self.attributes.update(facts)

    def used(self, usage: Usage, cost: str = "0") -> None:
        """Take what a call cost."""
        self.usage = usage
        self.cost = cost

    def link(self, run_id: int) -> None:
        """Name a run that is a part of this step."""
        if run_id and run_id not in self.links:
            self.links = (*self.links, run_id)

    def fail(self, message: str, *, code: int = 0) -> None:
        """Say that the step failed, although nothing is raised."""
        self.status = SpanStatus.ERROR
        self.error, self.error_code = message, code

    def raised(self, error: BaseException) -> None:
        """Say that the step failed by an error; what is none of ours is not told in words."""
        if isinstance(error, AppError):
            self.fail(error.message, code=error.code)
        elif isinstance(error, TimeoutError):
            self.fail("It took too long.")
        elif isinstance(error, Exception):
            self.fail(type(error).__name__)
        else:
            self.status = SpanStatus.CANCELLED

    def end(self) -> None:
        """End it now."""
        if not self.ended_ns:
            self.ended_ns = perf_counter_ns()
            if self.log.watchers:
                self.log.tell(self)

    def __enter__(self) -> Self:
        self._token = _CURRENT.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if self._token is not None:
            _CURRENT.reset(self._token)
            self._token = None
        if error is not None:
            self.raised(error)
        self.end()


class _Nothing(Span):
    """Stands for all spans of runs that are not traced."""

    @property
    def is_on(self) -> bool:
        return False

    @property
    def keeps_content(self) -> bool:
        return False

    def given(self, value: object) -> None: ...
    def gave(self, value: object) -> None: ...
    def note(self, **facts: object) -> None: ...
    def used(self, usage: Usage, cost: str = "0") -> None: ...
    def link(self, run_id: int) -> None: ...
    def fail(self, message: str, *, code: int = 0) -> None: ...
    def raised(self, error: BaseException) -> None: ...
    def end(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...


_CURRENT: Final[ContextVar[Span | None]] = ContextVar("span", default=None)


def current() -> Span | None:
    """Return the span that goes on in this task."""
    return _CURRENT.get()


NOTHING: Final[Span] = _Nothing(
    SpanLog(0, keeps_content=False, began_at=datetime.min.replace(tzinfo=UTC)),
    0,
    0,
    SpanKind.STEP,
    "",
)


def begun(kind: SpanKind, name: str) -> Span:
    """Begin a span of the run of this task; ``NOTHING`` if that is not traced."""
    around = _CURRENT.get()
    if around is None or around.log.is_closed:
        return NOTHING
    return around.log.open(kind, name, parent=around)


class within:  # noqa: N801 - reads as the statement that it is
    """Make a span the one that goes on, without ending it; nothing may be yielded inside."""

    __slots__ = ("_span", "_token")

    def __init__(self, span: Span) -> None:
        self._span = span

    def __enter__(self) -> None:
        self._token = _CURRENT.set(self._span) if self._span.is_on else None

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _CURRENT.reset(self._token)


def calling(host: str, port: int) -> str:
    """Take note of the server that this task is about to call; return what to name itself by.

    That is the value of ``traceparent``, empty without a trace that others are to know of.
    """
    around = _CURRENT.get()
    if around is None:
        return ""
    if around.kind in _CALLS:
        around.note(server=host, port=port)
    return around.traceparent


def traceparent() -> str:
    """Return how the step of this task names itself to others; empty if nobody is to know."""
    around = _CURRENT.get()
    return "" if around is None else around.traceparent


def sent(body: bytes) -> None:
    """Give the model call of this task the bytes that go to its provider."""
    around = _CURRENT.get()
    if around is not None and around.kind is SpanKind.MODEL:
        around.given(body)
        around.note(request_bytes=len(body))
