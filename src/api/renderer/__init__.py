"""Renderers: each turns the one event stream of a run into the bytes of one wire.

A renderer is one module of this package that registers a factory under its name.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from api.citation import CiteStyle
from api.error import Failure
from application.conversation.dto import RunView
from application.conversation.run.event import RunRecord
from domain.shared.chat import Usage
from domain.shared.registry import Registry


class StreamRecord(Protocol):
    """A numbered event of a run."""

    @property
    def event(self) -> object: ...


R_contra = TypeVar("R_contra", bound=StreamRecord, contravariant=True)


class StreamRenderer(Protocol[R_contra]):
    """Renders one stream; made for one subscriber, fed in order, never reused."""

    content_type: str
    keepalive: bytes
    """Written after a silence; a whole number of lines that clients skip."""

    holds_headers: bool
    """Whether a run that fails before its first byte becomes an error response."""

    def render(self, batch: Sequence[R_contra]) -> bytes:
        """Return the bytes of one write, possibly none; whole frames only.

        The batch with the terminal event also yields the end mark of the wire.
        """
        ...

    def fail(self, failure: Failure) -> bytes:
        """Return the last bytes of a stream whose subscription broke."""
        ...


Renderer = StreamRenderer[RunRecord]
"""Renders runs of agents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderContext:
    """What a renderer knows besides the events."""

    run: RunView
    model: str = ""
    """Model name as the client spelled it (OpenAI wire)."""
    include_usage: bool = False
    resumes: int = 0
    """How often the run had waited for its client before this part of it."""
    used: Usage = field(default_factory=Usage)
    """What the run had used by then."""
    shows_steps: bool = False
    """The client wants to know what the agent does by itself."""
    cites: CiteStyle = "marks"
    debug_url: str | None = None
    """Where a console shows the workflow run; chats of workflows end with it."""
    is_direct: bool = False
    """Text that no call can follow is the answer at once (tag protocol)."""
    escapes: bool = True
    """The client undoes escaping (tag protocol)."""


RendererFactory = Callable[[RenderContext], Renderer]

RENDERERS: Final[Registry[RendererFactory]] = Registry("renderer", package=__name__)
