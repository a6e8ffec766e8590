"""Texts that arrive in pieces, and templates that pass them on as they do."""

from collections.abc import Callable, Mapping

from domain.workflow.graph import Slot, Template
from domain.workflow.template import render_slot, written_text
from domain.workflow.value import Value

Listener = Callable[[], None]


class Feed:
    """One output of a node while it is produced: pieces so far, and whether there will be more.

    Pieces stay until the run forgets the feed, so that every reader sees all of them.
    """

    __slots__ = ("_listeners", "is_closed", "pieces", "value")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.is_closed = False
        self.value: Value = None
        """The finished output; only once closed."""
        self._listeners: list[Listener] = []

    @classmethod
    def settled(cls, value: Value) -> "Feed":
        """Make a feed of a value that is complete already."""
        feed = cls()
        feed.is_closed = True
        feed.value = value
        return feed

    def push(self, text: str) -> None:
        """Add a piece and tell the readers."""
        if text and not self.is_closed:
            self.pieces.append(text)
            self._tell()

    def close(self, value: Value) -> None:
        """Say that this was all; ``value`` is what the record holds."""
        if not self.is_closed:
            self.is_closed = True
            self.value = value
            self._tell()
            self._listeners.clear()

    def listen(self, listener: Listener) -> None:
        """Call ``listener`` after each change; it looks for itself what changed."""
        if not self.is_closed:
            self._listeners.append(listener)

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()


class TemplateWriter:
    """Writes a template part by part: what is next in order goes out as soon as it is there."""

    __slots__ = ("_emit", "_feeds", "_part", "_piece", "_template", "_values", "is_done")

    def __init__(
        self,
        template: Template,
        *,
        values: Mapping[str, Value],
        feeds: Mapping[str, Feed],
        emit: Callable[[str], None],
    ) -> None:
        self._template = template
        self._values = values
        self._feeds = feeds
        self._emit = emit
        self._part = 0
        self._piece = 0
        self.is_done = False

    def advance(self) -> None:
        """Write as far as possible."""
        parts = self._template.parts
        while self._part < len(parts):
            part = parts[self._part]
            if isinstance(part, str):
                self._emit(part)
            elif (feed := self._feeds.get(part.name)) is None:
                self._emit(render_slot(part, self._values))
            elif not self._write(part, feed):
                return
            self._part += 1
            self._piece = 0
        self.is_done = True

    def _write(self, slot: Slot, feed: Feed) -> bool:
        """Write what a feed has; tell whether it is complete."""
        if slot.path or (feed.is_closed and not feed.pieces):
            if feed.is_closed:
                self._emit(render_slot(slot, {slot.name: feed.value}))
            return feed.is_closed
        pieces = feed.pieces
        while self._piece < len(pieces):
            self._piece += 1
            self._emit(pieces[self._piece - 1])
        return feed.is_closed


def text_of(value: Value) -> str:
    """Write a finished output as the pieces of its feed, put together, would read."""
    return written_text(value)
