"""Spans of runs while they go on, told to those who follow: by signals, so that any process may."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Final
from weakref import ref

import msgspec

from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.ids import SpaceId
from domain.shared.tracing.span import Span, SpanKind, SpanLog, SpanStatus
from domain.trace.ids import prefix
from infra.contract.messaging.signal import Signals

SPANS_WANTED: Final = "trace.wanted"
"""Signal: somebody follows the run that is the key, with spans."""
SPAN_TOPIC: Final = "trace.span"
"""Signal: a span began or ended; the key is a ``_SpanMessage`` as JSON."""
RENEWED_S: Final = 5.0
_WANTED_S: Final = 15.0
"""Who follows says so again within this time."""
_WAITING: Final = 4096
"""Spans that a slow follower has not taken; the oldest go, the stored trace has all of them."""
_MOST: Final = 20_000
"""Told of one run; who wants more reads the trace."""
_NAME_CHARS: Final = 200
_ROOM: Final = 256
"""Runs of this process from which on it is looked which of them are still there."""
_EPOCH: Final = datetime.fromtimestamp(0, UTC)

CountStretches = Callable[[TenantScope, int], Awaitable[int]]
"""Counts the stretches of a run that are stored."""


class LiveSpan(msgspec.Struct, frozen=True, kw_only=True):
    """A span that began, or ended: ids as in the tree of the trace, times in Unix microseconds."""

    id: str
    parent_id: str | None
    run_id: str
    kind: SpanKind
    name: str
    started_at_us: int
    duration_us: int | None = None
    status: SpanStatus | None = None

    @property
    def has_ended(self) -> bool:
        return self.status is not None


class _SpanMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, array_like=True):
    """A span on its way; ``root`` is the run that is followed, ``above`` the span of a caller."""

    root: int
    run_id: int
    id: int
    parent_id: int
    above: tuple[int, int]
    kind: SpanKind
    name: str
    started_at_us: int
    duration_us: int = 0
    status: SpanStatus | None = None


_decoder: Final = msgspec.json.Decoder(_SpanMessage)


class LiveSpans:
    """Knows the runs of this process, and has those tell their spans that somebody follows."""

    def __init__(self, *, signals: Signals) -> None:
        self._signals = signals
        self._logs: dict[int, ref[SpanLog]] = {}
        self._room = _ROOM
        self._watches: dict[int, _Watch] = {}
        self._feeds: dict[int, set[SpanFeed]] = {}
        signals.listen(SPANS_WANTED, self._want)
        signals.listen(SPAN_TOPIC, self._hear)

    def begun(self, log: SpanLog) -> None:
        """Take note of a run of this process."""
        if len(self._logs) >= self._room:
            # Runs that another process took over do not end here. A dictionary of weak values would
            # let go of them by itself; for each run it costs ten times as much.
            self._logs = {log.run_id: ref(log) for log in self._known()}
            self._room = max(_ROOM, 2 * len(self._logs))
        self._logs[log.run_id] = ref(log)
        watch = self._watches.get(_root_of(log)) if self._watches and log.parent else None
        if watch is not None:
            watch.over(log)

    def ended(self, log: SpanLog) -> None:
        """Forget a run of this process."""
        known = self._logs.get(log.run_id)
        if known is not None and known() is log:
            del self._logs[log.run_id]
        self._watches.pop(log.run_id, None)

    @contextmanager
    def feeding(self, feed: "SpanFeed") -> Iterator[None]:
        """Tell a feed the spans of its run as long as the context lasts."""
        self._feeds.setdefault(feed.run_id, set()).add(feed)
        try:
            yield
        finally:
            feeds = self._feeds[feed.run_id]
            feeds.discard(feed)
            if not feeds:
                del self._feeds[feed.run_id]

    def ask(self, run_id: int) -> None:
        """Have whoever runs it tell its spans for some seconds, those so far first."""
        self._signals.send(SPANS_WANTED, str(run_id))

    def _want(self, key: str) -> None:
        run_id = int(key) if key.isdecimal() else 0
        known = self._logs.get(run_id)
        if known is None or known() is None:
            return
        watch = self._watches.get(run_id)
        if watch is None or watch.is_over:
            self._watches = {each: w for each, w in self._watches.items() if not w.is_over}
            watch = self._watches[run_id] = _Watch(run_id, self._signals)
            for log in self._known():
                if _root_of(log) == run_id:
                    watch.over(log)
        watch.renew()

    def _known(self) -> list[SpanLog]:
        return [log for log in (known() for known in self._logs.values()) if log is not None]

    def _hear(self, key: str) -> None:
        try:
            told = _decoder.decode(key)
        except msgspec.DecodeError:
            return  # of another release
        for feed in self._feeds.get(told.root, ()):
            feed.put(told)


class _Watch:
    """Tells the spans of one run and of those below it until nobody asks any more."""

    def __init__(self, root: int, signals: Signals) -> None:
        self._root = root
        self._signals = signals
        self._logs: list[SpanLog] = []
        self._told = 0
        self._until = 0.0
        self._time = asyncio.get_running_loop().time
        self.renew()

    @property
    def is_over(self) -> bool:
        return self._time() > self._until

    def renew(self) -> None:
        self._until = self._time() + _WANTED_S

    def over(self, log: SpanLog) -> None:
        """Tell what a run has done so far, and what it does from now on."""
        self._logs.append(log)
        for span in log.spans:
            self._tell(span)
        ids, leaves = log.leaf_ids(), log.leaf_columns()
        columns = zip(
            ids, leaves.parent_id, leaves.node, leaves.began_ns, leaves.ended_ns, strict=True
        )
        for id_, parent_id, node, began_ns, ended_ns in columns:
            name, ended = node.title or node.id, (ended_ns, SpanStatus.OK)
            self._send(log, id_, parent_id, SpanKind.NODE, name, began_ns=began_ns, ended=ended)
        log.watchers.append(self._tell)

    def _tell(self, span: Span) -> None:
        if self.is_over or self._told >= _MOST:
            for log in self._logs:
                log.watchers = [each for each in log.watchers if each != self._tell]
            self._logs = []
            return
        self._send(
            span.log,
            span.id,
            span.parent_id,
            span.kind,
            span.name,
            began_ns=span.began_ns,
            ended=(span.ended_ns, span.status) if span.ended_ns else None,
        )

    def _send(
        self,
        log: SpanLog,
        id_: int,
        parent_id: int,
        kind: SpanKind,
        name: str,
        *,
        began_ns: int,
        ended: tuple[int, SpanStatus] | None,
    ) -> None:
        self._told += 1
        began = log.began_at + timedelta(microseconds=(began_ns - log.began_ns) // 1000)
        above = log.parent if log.run_id != self._root else None
        told = _SpanMessage(
            root=self._root,
            run_id=log.run_id,
            id=id_,
            parent_id=parent_id,
            above=(above.log.run_id, above.id) if above else (0, 0),
            kind=kind,
            name=name[:_NAME_CHARS],
            started_at_us=(began - _EPOCH) // timedelta(microseconds=1),
            duration_us=max(0, ended[0] - began_ns) // 1000 if ended else 0,
            status=ended[1] if ended else None,
        )
        self._signals.send(SPAN_TOPIC, msgspec.json.encode(told).decode())


class SpanFeed:
    """What one follower is told; ``stretch`` numbers the part of the run that goes on."""

    def __init__(self, run_id: int, *, stretch: int) -> None:
        self.run_id = run_id
        self._stretch = stretch
        self._spans: deque[LiveSpan] = deque(maxlen=_WAITING)
        self._has_some = asyncio.Event()

    async def wait(self) -> None:
        """Return when there is something to take."""
        await self._has_some.wait()

    def take(self) -> list[LiveSpan]:
        """Return what was told since the last time."""
        self._has_some.clear()
        spans = [*self._spans]
        self._spans.clear()
        return spans

    def put(self, told: _SpanMessage) -> None:
        """Take a span, under the id that the stored trace will show."""
        parent_id = None
        if told.parent_id:
            parent_id = self._id(told.run_id, told.parent_id)
        elif told.above[1]:
            parent_id = self._id(*told.above)
        self._spans.append(
            LiveSpan(
                id=self._id(told.run_id, told.id),
                parent_id=parent_id,
                run_id=str(told.run_id),
                kind=told.kind,
                name=told.name,
                started_at_us=told.started_at_us,
                duration_us=None if told.status is None else told.duration_us,
                status=told.status,
            )
        )
        self._has_some.set()

    def _id(self, run_id: int, span_id: int) -> str:
        stretch = self._stretch if run_id == self.run_id else 1
        return f"{prefix(self.run_id, run_id, stretch)}{span_id}"


class SpanFollower:
    """Lets callers with ``trace.read`` follow spans."""

    def __init__(self, *, spans: LiveSpans, stretches: CountStretches) -> None:
        self._spans = spans
        self._stretches = stretches

    async def admit(self, principal: Principal, run_id: int, space_id: int) -> "FollowedSpans":
        """Return what to follow; raise ``Forbidden`` or ``NotFound``."""
        principal.require(Permission.TRACE_READ, SpaceId(space_id))
        stretch = await self._stretches(principal.scope.within(SpaceId(space_id)), run_id) + 1
        return FollowedSpans(self._spans, run_id, stretch=stretch)


class FollowedSpans:
    """The spans of one run for one caller."""

    def __init__(self, spans: LiveSpans, run_id: int, *, stretch: int) -> None:
        self._spans = spans
        self._run_id = run_id
        self._stretch = stretch

    def feed(self) -> SpanFeed:
        """Return where they go."""
        return SpanFeed(self._run_id, stretch=self._stretch)

    @contextmanager
    def open(self, feed: SpanFeed) -> Iterator[None]:
        """Follow as long as the context lasts; ``ask`` every ``RENEWED_S`` seconds meanwhile."""
        with self._spans.feeding(feed):
            self.ask()
            yield

    def ask(self) -> None:
        """Say that somebody follows."""
        self._spans.ask(self._run_id)


def _root_of(log: SpanLog) -> int:
    while log.parent is not None:
        log = log.parent.log
    return log.run_id
