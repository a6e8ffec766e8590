"""The parent of several servers on one machine: it starts, watches and stops them.

Each server is a whole one with an event loop of its own. They are forked from a parent that has
imported everything, so that they share those pages and start in a moment; the parent has no loop
and no thread. What the servers share is made here before any of them: the listener, the claim on
the data directory, sockets for signals, and a pipe whose end tells them that the parent is gone.
"""

import gc
import logging
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Final

import msgspec

import bootstrap.server.process  # noqa: F401 - all that servers import, once for all of them
from bootstrap.compose.siblings import Siblings
from bootstrap.server.announce import Announcement
from bootstrap.server.lifecycle import prepare_data
from bootstrap.server.listener import listen
from bootstrap.server.lock import exclusive
from bootstrap.server.serve import SIGNALS
from bootstrap.settings import Settings
from domain.shared.error import SettingsInvalid
from infra.contract.adapter import Channel
from infra.impl.logging.redaction import Redactor
from infra.impl.logging.setup import formatter

SHORTEST_PAUSE_S: Final = 0.2
LONGEST_PAUSE_S: Final = 30.0
"""Between the death of a server and the next start in its place; doubled each time."""
SETTLED_S: Final = 60.0
"""Who lives so long died of something else than its start."""
CLOSE_S: Final = 15.0
"""For a server to leave, beyond what it may answer and linger."""
ABORTED: Final = 130
LAST_PORT: Final = 65535
_LOOK_S: Final = 0.5

_log: Final = logging.getLogger("coterie.supervisor")

Server = Callable[[socket.socket, Siblings, Callable[[Announcement], None]], None]
"""Serves until told to stop: with the listener of its operators, among its siblings."""


@dataclass(kw_only=True)
class _Place:
    """One server after the other: what they have in common, and the one of now."""

    operations: socket.socket
    channel: Channel
    pid: int = 0
    """0 while there is none."""
    said: int = -1
    """Descriptor from which the announcement is read."""
    announced: Announcement | None = None
    """What the first one said."""
    started_at: float = 0.0
    due_at: float = 0.0
    pause_s: float = SHORTEST_PAUSE_S
    starts: int = field(default=0)


def supervise(
    settings: Settings,
    listener: socket.socket,
    serve: Server,
    *,
    announce: Callable[[Announcement], None],
) -> None:
    """Keep ``serve.processes`` servers going until a signal comes; return in each of them, too.

    Raises:
        SettingsInvalid: the system cannot do it, or the data directory is another server's.
        SystemExit: with the status of the parent, once all servers have ended.
    """
    if os.name != "posix":
        raise SettingsInvalid("serve.processes must be 1 on this system: it does not fork.")
    prepare_data(settings.data_path)
    with ExitStack() as stack:
        if settings.database_url.startswith("sqlite"):
            # Held by the servers as well, until the last one has ended, whoever outlives whom.
            stack.enter_context(exclusive(settings.data_path))
        places = stack.enter_context(_places(settings))
        gc.freeze()  # servers would copy every page that a collection touches
        parent = _Parent(settings, listener, places, announce)
        with parent.listening():
            server = parent.watch()
        if server is None:
            sys.exit(parent.status)
        server(serve)


@contextmanager
def _places(settings: Settings) -> Generator[list[_Place], None, None]:
    """Make what each server has of its own: a listener for operators, and an ear."""
    host, port, count = settings.operations.host, settings.operations.port, settings.serve.processes
    if port + count > LAST_PORT + 1:
        raise SettingsInvalid(
            f"operations.port must leave room for {count} ports up to {LAST_PORT}."
        )
    with ExitStack() as stack:
        operations = [
            stack.enter_context(listen(host, port and port + number, chosen_by="operations.port"))
            for number in range(count)
        ]
        receivers: list[int] = []
        senders: list[int] = []
        for _ in range(count):
            for end, ends in zip(
                socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM),
                (receivers, senders),
                strict=True,
            ):
                end.setblocking(False)
                ends.append(stack.enter_context(end).fileno())
        yield [
            _Place(
                operations=operations[number],
                channel=Channel(
                    receiver=receivers[number], senders=[*senders[:number], *senders[number + 1 :]]
                ),
            )
            for number in range(count)
        ]


class _Parent:
    """Waits for signals, deaths and announcements, and does what follows from them."""

    def __init__(
        self,
        settings: Settings,
        listener: socket.socket,
        places: Sequence[_Place],
        announce: Callable[[Announcement], None],
    ) -> None:
        self._listener = listener
        self._places = places
        self._announce = announce
        self._max_wait_s = settings.serve.linger_s + settings.limits.shutdown_grace_s + CLOSE_S
        self._redactor = Redactor()
        self._style = settings.log.format
        self._lifeline, self._held_end = os.pipe()
        self._wake, self._woken = os.pipe()
        self._handled = (*SIGNALS, signal.SIGCHLD)
        self._is_announced = False
        self._kill_at = float("inf")
        self.status = 0

    @contextmanager
    def listening(self) -> Generator[None, None, None]:
        """Have signals wake the parent; as before afterwards, which is where servers begin."""
        os.set_blocking(self._wake, False)
        os.set_blocking(self._woken, False)
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(formatter(self._style, sys.stderr, redactor=self._redactor))
        _log.addHandler(handler)
        _log.propagate = False
        _log.setLevel(logging.INFO)
        before = {number: signal.signal(number, _ignore) for number in self._handled}
        signal.set_wakeup_fd(self._woken, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(-1)
            for number, handled in before.items():
                signal.signal(number, handled)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, self._handled)
            _log.removeHandler(handler)
            for descriptor in (self._wake, self._woken):
                os.close(descriptor)

    def watch(self) -> "Callable[[Server], None] | None":
        """Return in a server what it is to do with itself; in the parent nothing, at the end."""
        while True:
            for place in self._due():
                server = self._start(place)
                if server is not None:
                    return server
            self._wait()
            self._reap()
            if self._is_stopping and not any(place.pid for place in self._places):
                return None

    @property
    def _is_stopping(self) -> bool:
        return self._kill_at != float("inf")

    def _due(self) -> list[_Place]:
        """Who is to be started now; the first one of all makes the database for the others."""
        if self._is_stopping:
            return []
        first = self._places[0]
        places = self._places if first.announced else [first]
        return [each for each in places if not each.pid and each.due_at <= monotonic()]

    def _start(self, place: _Place) -> "Callable[[Server], None] | None":
        said, say = os.pipe()
        is_first = not place.starts and place is self._places[0]
        # What is buffered would be written by both.
        sys.stdout.flush()
        sys.stderr.flush()
        # A signal that comes in between waits, and is the server's once that handles its own.
        signal.pthread_sigmask(signal.SIG_BLOCK, self._handled)
        pid = os.fork()
        if not pid:
            os.close(said)
            os.close(self._held_end)
            return self._server(place, say, is_first=is_first)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, self._handled)
        os.close(say)
        place.pid, place.said, place.started_at = pid, said, monotonic()
        place.starts += 1
        return None

    def _server(self, place: _Place, say: int, *, is_first: bool) -> Callable[[Server], None]:
        siblings = Siblings(channel=place.channel, lifeline=self._lifeline, is_first=is_first)

        def announce(found: Announcement) -> None:
            with suppress(BrokenPipeError), os.fdopen(say, "wb") as pipe:
                pipe.write(msgspec.json.encode(found))

        return lambda serve: serve(place.operations, siblings, announce)

    def _wait(self) -> None:
        """Sleep until something happens, and hear what it is."""
        said = {place.said: place for place in self._places if place.said >= 0}
        found, _, _ = select.select([self._wake, *said], [], [], _LOOK_S)
        for descriptor in found:
            if descriptor == self._wake:
                for number in os.read(self._wake, 64):
                    if number in SIGNALS:
                        self._stop()
            else:
                self._hear(said[descriptor])
        if monotonic() >= self._kill_at:
            self._send(signal.SIGKILL)

    def _hear(self, place: _Place) -> None:
        with os.fdopen(place.said, "rb") as pipe:
            text = pipe.read()  # written at once, and the end closed
        place.said = -1
        if not text:
            return  # it died first
        if place.announced is None:
            place.announced = msgspec.json.decode(text, type=Announcement)
        all_said = [each.announced for each in self._places if each.announced is not None]
        if len(all_said) == len(self._places) and not self._is_announced:
            self._is_announced = True
            urls = tuple(each.operations_url for each in all_said[1:])
            self._announce(replace(all_said[0], pid=os.getpid(), siblings_urls=urls))

    def _reap(self) -> None:
        for place in self._places:
            if not place.pid:
                continue
            pid, raw = os.waitpid(place.pid, os.WNOHANG)
            if pid:
                place.pid = 0
                self._ended(place, pid, os.waitstatus_to_exitcode(raw))

    def _ended(self, place: _Place, pid: int, status: int) -> None:
        if self._is_stopping:
            if status not in {0, -signal.SIGTERM} and not self.status:
                self.status = status if status > 0 else 1
            return
        if not self._is_announced:  # it said why
            self._stop()
            self.status = status if status > 0 else 1
            return
        now = monotonic()
        if now - place.started_at >= SETTLED_S:
            place.pause_s = SHORTEST_PAUSE_S
        place.due_at = now + place.pause_s
        how = f"signal {-status}" if status < 0 else f"status {status}"
        _log.warning(
            "a server ended with %s; another one starts in %.1f s",
            how,
            place.pause_s,
            extra={"server_pid": pid},
        )
        place.pause_s = min(2 * place.pause_s, LONGEST_PAUSE_S)

    def _stop(self) -> None:
        """Have all leave in an orderly way; asked again, at once."""
        if self._is_stopping:
            self.status = ABORTED
            self._send(signal.SIGTERM)
            return
        self._kill_at = monotonic() + self._max_wait_s
        self._listener.close()  # nobody is to wait in it once the last server has closed its own
        # All servers watch its other end: for each of them this is like a first signal.
        os.close(self._held_end)

    def _send(self, number: int) -> None:
        for place in self._places:
            if place.pid:
                os.kill(place.pid, number)


def _ignore(_number: int, _frame: object) -> None:
    """Do nothing: the byte in the pipe is what counts."""
