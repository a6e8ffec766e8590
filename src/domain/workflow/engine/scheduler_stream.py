"""Nodes that read texts while they are produced: they start early and pass pieces on."""

from typing import Protocol

from domain.workflow.engine.call import Call
from domain.workflow.engine.scope import RunnableNode
from domain.workflow.engine.scope_input import ABSENT, Globals, complete, shown
from domain.workflow.engine.scope_run import ScopeRun
from domain.workflow.engine.state import Outcome
from domain.workflow.engine.stream import Feed, TemplateWriter
from domain.workflow.graph import Template
from domain.workflow.value import Value


class EarlyControl(Protocol):
    """Control flow, as far as streams need it."""

    def resolve_early(self, scope: ScopeRun, source: int) -> None:
        """Let readers of a stream start."""
        ...


class StreamHost(Protocol):
    """The scheduler, as far as streams need it."""

    @property
    def control(self) -> EarlyControl:
        """Control flow of the run."""
        ...

    def prepare(self, scope: ScopeRun, runnable: RunnableNode, values: Globals) -> Call:
        """Read the inputs of a node."""
        ...

    def complete_early(self, scope: ScopeRun, runnable: RunnableNode, call: Call) -> None:
        """Finish a node that read streams."""
        ...

    def deliver(self, scope: ScopeRun, call: Call, text: str) -> None:
        """Send a piece of a node's message."""
        ...


def begin_stream(
    host: StreamHost, scope: ScopeRun, runnable: RunnableNode, values: Globals
) -> bool:
    """Start a node before its sources are done, if some are still producing; tell whether."""
    feeds = {
        name: feed
        for name, key in runnable.feeds.items()
        if (feed := scope.feeds.get(key)) is not None and not feed.is_closed
    }
    if not feeds:
        return False
    if runnable.runner.choose is not None:
        return _Forwarding(host, scope, runnable, feeds).begin(values)
    message = runnable.runner.message
    template = None if message is None else message(runnable.node)
    if template is None:
        return False
    call = host.prepare(scope, runnable, values)
    scope.calls[runnable.position] = call
    _Writing(host, scope, runnable, call, template=template, feeds=feeds).advance()
    return True


def close_feeds(scope: ScopeRun, runnable: RunnableNode, outcome: Outcome) -> None:
    """Tell the readers of a node that it is done."""
    for key in [key for key in scope.feeds if key[0] == runnable.position]:
        scope.feeds[key].close(outcome.output.get(key[1]))


class _Writing:
    """A node that writes a template as its parts arrive."""

    def __init__(
        self,
        host: StreamHost,
        scope: ScopeRun,
        runnable: RunnableNode,
        call: Call,
        *,
        template: Template,
        feeds: dict[str, Feed],
    ) -> None:
        self._host = host
        self._scope = scope
        self._runnable = runnable
        self._call = call
        self._is_over = False
        self._writer = TemplateWriter(
            template,
            values=call.given,
            feeds=feeds,
            emit=lambda text: host.deliver(scope, call, text),
        )
        for feed in feeds.values():
            feed.listen(self.advance)

    def advance(self) -> None:
        """Write what has arrived; when all has, the node can be finished."""
        if self._scope.is_over or self._is_over:
            return
        self._writer.advance()
        if self._writer.is_done:
            self._is_over = True
            self._call.is_streamed = True
            self._host.complete_early(self._scope, self._runnable, self._call)


class _Forwarding:
    """A node whose outputs are streams of others, chosen before these are complete."""

    def __init__(
        self, host: StreamHost, scope: ScopeRun, runnable: RunnableNode, feeds: dict[str, Feed]
    ) -> None:
        self._host = host
        self._scope = scope
        self._runnable = runnable
        self._feeds = feeds
        self._open: list[tuple[Feed, Feed]] = []
        self._call: Call | None = None

    def begin(self, values: Globals) -> bool:
        """Choose, and open the outputs; tell whether any of them is still being produced."""
        choose = self._runnable.runner.choose
        if choose is None:
            return False
        settled: dict[str, Value] = {}
        has_value: dict[str, bool] = {}
        for plan in self._runnable.inputs:
            if plan.name in self._feeds:
                has_value[plan.name] = True
                continue
            found = plan.read(self._scope, values)
            has_value[plan.name] = found is not ABSENT and found is not None
            if found is not ABSENT:
                settled[plan.name] = found  # type: ignore[assignment]  # it is not ABSENT
        chosen = choose(self._runnable.node, has_value)
        if not any(name in self._feeds for name in chosen.values() if name is not None):
            return False
        self._call = self._host.prepare(self._scope, self._runnable, values)
        self._scope.calls[self._runnable.position] = self._call
        for output, name in chosen.items():
            source = self._feeds.get(name) if name is not None else None
            feed = Feed() if source is not None else Feed.settled(settled.get(name or ""))
            self._scope.feeds[self._runnable.position, output] = feed
            if source is not None:
                self._open.append((source, feed))
                source.listen(self.advance)
        self._host.control.resolve_early(self._scope, self._runnable.position)
        self.advance()
        return True

    def advance(self) -> None:
        """Pass on what has arrived."""
        if self._scope.is_over or self._call is None:
            return
        for source, feed in self._open:
            for piece in source.pieces[len(feed.pieces) :]:
                feed.push(piece)
        if all(source.is_closed for source, _ in self._open):
            call, self._call = self._call, None
            self._host.complete_early(self._scope, self._runnable, call)


def reread(call: Call, runnable: RunnableNode, given: dict[str, Value]) -> None:
    """Give a node that read streams its complete inputs."""
    call.inputs = complete(runnable.inputs, given, fills_zero=call.node.zero_fill)
    call.given = shown(runnable.inputs, given, call.inputs)
