"""Takes think-tagged reasoning out of streamed text."""

from collections.abc import Collection
from enum import Enum, auto
from io import StringIO
from typing import Final

import msgspec

from domain.shared.chat import ContentReplaced, ReasoningDelta, TextDelta

ContentEvent = TextDelta | ReasoningDelta | ContentReplaced

_NEWLINES: Final = "\r\n"


class ReasoningSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a model marks its reasoning inside the text."""

    tags: tuple[str, ...] = ("think", "thinking", "reasoning")
    """Element names; none switches the extraction off."""
    interleaved: bool = False
    """Thoughts may begin again at the start of any line, not only of the reply."""
    promote: bool = False
    """A reply that is nothing but thoughts becomes the answer instead of an error."""

    def within(self, tags: Collection[str] | None) -> "ReasoningSettings":
        """Leave out the tags that a request wants to see as text; None for all of them."""
        if tags is None:
            return self
        kept = tuple(tag for tag in self.tags if tag in tags)
        return msgspec.structs.replace(self, tags=kept)


class _State(Enum):
    START = auto()
    REASONING = auto()
    AFTER_CLOSE = auto()
    TEXT = auto()


class ThinkExtractor:
    """Splits one reply into text and reasoning, however the provider cut it into deltas.

    Ask ``passes`` first: most deltas need no look and can be forwarded as they are. Everything
    else goes through ``feed``, and ``finish`` gives out what was held back.
    """

    def __init__(
        self,
        settings: ReasoningSettings,
        *,
        implied_open: bool = False,
        is_implication_learned: bool = False,
    ) -> None:
        self._opens = {f"<{tag}>": f"</{tag}>" for tag in settings.tags}
        self._closes = tuple(self._opens.values())
        self._interleaved = settings.interleaved and bool(self._opens)
        self._promote = settings.promote
        self._implied = implied_open and bool(self._opens)
        self._is_learned = self._implied and is_implication_learned
        self._state = _State.START if self._opens else _State.TEXT
        self._looks_for_orphan = bool(self._opens) and not self._implied
        self._expected_closes = self._closes
        self._held = ""
        self._spaces: list[str] = []
        self._text = StringIO()
        self._thoughts = StringIO()
        self._keeps_thoughts = self._promote or self._is_learned
        self._has_closed = False
        self._has_text = False
        self._is_line_start = True
        self.found_orphan_close = False
        """The reply closed a tag that it never opened: the model's template opens it."""
        self.is_implication_refuted = False
        """The reply was taken for reasoning because of what was learned, wrongly."""

    def passes(self, text: str) -> bool:
        """Take note of a delta that is plain text as it stands; False asks for ``feed``."""
        if self._state is not _State.TEXT or self._held:
            return False
        if self._looks_for_orphan:
            if "<" in text:
                return False
            self._text.write(text)
        elif self._interleaved and "<" in text:
            return False
        if text:  # an empty delta changes nothing
            self._is_line_start = text.endswith("\n")
            self._has_text = self._has_text or not text.isspace()
        return True

    def feed(self, text: str) -> list[ContentEvent]:
        """Take the next delta; return what is certain by now."""
        buffer, self._held = self._held + text, ""
        events: list[ContentEvent] = []
        while buffer:
            match self._state:
                case _State.START:
                    buffer = self._at_start(buffer)
                case _State.REASONING:
                    buffer = self._in_reasoning(buffer, events)
                case _State.AFTER_CLOSE:
                    buffer = buffer.lstrip(_NEWLINES)
                    if buffer:
                        self._state = _State.TEXT
                case _State.TEXT:
                    buffer = self._in_text(buffer, events)
        return _merged(events)

    def bypass(self) -> None:
        """The provider reports reasoning apart, so a reply not yet begun needs no extraction."""
        if self._state is _State.START and not self._held:
            self._spaces.clear()
            self._state = _State.TEXT
            self._looks_for_orphan = self._interleaved = False

    def finish(self, *, is_cut: bool = False) -> list[ContentEvent]:
        """End of the reply; ``is_cut`` if it ended for length, in the middle of whatever it was."""
        events: list[ContentEvent] = []
        held, self._held = self._held, ""
        if self._state is _State.START:
            held = "".join(self._spaces) + held
            self._spaces.clear()
        if self._state is _State.REASONING:
            self._emit_thought(held, events)
            self._end_in_reasoning(events, is_cut=is_cut)
        elif held:
            self._emit_text(held, events)
        return events

    def _at_start(self, buffer: str) -> str:
        body = buffer.lstrip()
        if len(body) < len(buffer):
            self._spaces.append(buffer[: len(buffer) - len(body)])
        if not body:
            return ""
        for opening, closing in self._opens.items():
            if body.startswith(opening):
                self._spaces.clear()
                self._open(closing)
                return body[len(opening) :]
        if any(opening.startswith(body) for opening in self._opens):
            self._held = body
            return ""
        whole = "".join(self._spaces) + body
        self._spaces.clear()
        self._state = _State.REASONING if self._implied else _State.TEXT
        return whole

    def _open(self, closing: str) -> None:
        self._state = _State.REASONING
        self._expected_closes = (closing,)
        self._looks_for_orphan = False
        self._implied = self._is_learned = False
        self._text = StringIO()

    def _in_reasoning(self, buffer: str, events: list[ContentEvent]) -> str:
        position, closing = _earliest(buffer, self._expected_closes)
        if position < 0:
            held = _partial(buffer, self._expected_closes)
            self._held = buffer[len(buffer) - held :]
            self._emit_thought(buffer[: len(buffer) - held], events)
            return ""
        self._emit_thought(buffer[:position], events)
        self._state = _State.AFTER_CLOSE
        self._has_closed = self._is_line_start = True
        return buffer[position + len(closing) :]

    def _in_text(self, buffer: str, events: list[ContentEvent]) -> str:
        if self._looks_for_orphan:
            position, closing = _earliest(buffer, self._closes)
            opening_at = self._opening_position(buffer)[0]
            if position >= 0 and not 0 <= opening_at < position:
                self._replace(buffer[:position], events)
                return buffer[position + len(closing) :]
        position, opening = self._opening_position(buffer)
        if position >= 0:
            self._emit_text(buffer[:position], events)
            self._open(self._opens[opening])
            return buffer[position + len(opening) :]
        targets = (self._closes if self._looks_for_orphan else ()) + (
            tuple(self._opens) if self._interleaved else ()
        )
        held = _partial(buffer, targets)
        self._emit_text(buffer[: len(buffer) - held], events)
        self._held = buffer[len(buffer) - held :]
        return ""

    def _opening_position(self, buffer: str) -> tuple[int, str]:
        """Find the first opening tag at a line start, if thoughts may be interleaved."""
        if self._interleaved:
            start = 0
            while True:
                position, opening = _earliest(buffer, tuple(self._opens), start)
                if position < 0:
                    break
                if buffer[position - 1] == "\n" if position else self._is_line_start:
                    return position, opening
                start = position + 1
        return -1, ""

    def _replace(self, before: str, events: list[ContentEvent]) -> None:
        """Everything so far was reasoning whose opening tag the template had swallowed."""
        reasoning = self._text.getvalue() + before
        events.append(ContentReplaced(text="", reasoning=reasoning))
        self._thoughts.write(reasoning)
        self._text = StringIO()
        self._looks_for_orphan = self._has_text = False
        self._has_closed = self._is_line_start = self.found_orphan_close = True
        self._state = _State.AFTER_CLOSE

    def _end_in_reasoning(self, events: list[ContentEvent], *, is_cut: bool) -> None:
        never_closed = self._implied and not self._has_closed
        self.is_implication_refuted = self._is_learned and never_closed and not is_cut
        if self.is_implication_refuted or (self._promote and not self._has_text):
            events.append(ContentReplaced(text=self._thoughts.getvalue(), reasoning=""))

    def _emit_thought(self, text: str, events: list[ContentEvent]) -> None:
        if text:
            if self._keeps_thoughts:
                self._thoughts.write(text)
            events.append(ReasoningDelta(text))

    def _emit_text(self, text: str, events: list[ContentEvent]) -> None:
        if text:
            if self._looks_for_orphan:
                self._text.write(text)
            self._has_text = self._has_text or not text.isspace()
            self._is_line_start = text.endswith("\n")
            events.append(TextDelta(text))


def _earliest(buffer: str, tags: tuple[str, ...], start: int = 0) -> tuple[int, str]:
    """Find the first of several tags; (-1, "") if there is none."""
    found = [(at, tag) for tag in tags if (at := buffer.find(tag, start)) >= 0]
    return min(found, default=(-1, ""))


def _partial(buffer: str, tags: tuple[str, ...]) -> int:
    """Return the length of the longest end of ``buffer`` that may become one of the tags."""
    position = buffer.rfind("<")
    if position < 0:
        return 0
    tail = buffer[position:]
    return len(tail) if any(tag.startswith(tail) for tag in tags) else 0


def _merged(events: list[ContentEvent]) -> list[ContentEvent]:
    """Move text right after a replacement into it."""
    for position in range(len(events) - 1):
        first, second = events[position], events[position + 1]
        if isinstance(first, ContentReplaced) and isinstance(second, TextDelta):
            merged = ContentReplaced(text=second.text, reasoning=first.reasoning)
            return [*events[:position], merged, *events[position + 2 :]]
    return events
