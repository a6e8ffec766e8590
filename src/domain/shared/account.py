"""Account that a call goes on: who asked, through what, and of what it was part."""

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, Literal, get_args

import msgspec

Source = Literal[
    "playground",
    "api",
    "openai",
    "mcp",
    "share_link",
    "embed",
    "channel",
    "trigger",
    "evaluation",
    "ingest",
]
"""What occasioned a call."""
SOURCES: Final[tuple[Source, ...]] = get_args(Source)


class Origin(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Through what somebody asked; ``token_id`` and ``share_link_id`` are 0 if through none.

    ``trace`` is how much at most is to be kept of what the request begins; empty without a wish.
    ``traceparent`` is the caller's place in a trace of its own, as its header said. ``tags`` are
    words by which the caller finds again what the request begins.
    """

    source: Source = "api"
    token_id: int = 0
    share_link_id: int = 0
    trace: str = ""
    traceparent: str = ""
    tags: tuple[str, ...] = ()

    def of_draft(self) -> "Origin":
        """Return the origin of a run of a draft: whoever tries it, tries it out."""
        return msgspec.structs.replace(self, source="playground") if self.source == "api" else self


NOBODY: Final = Origin()
_ORIGIN: Final[ContextVar[Origin]] = ContextVar("origin", default=NOBODY)


def current_origin() -> Origin:
    """Return through what the running request asked; tasks that it begins inherit it."""
    return _ORIGIN.get()


def originate(origin: Origin) -> None:
    """Set it, once per request; its task ends with the request."""
    _ORIGIN.set(origin)


INGEST: Final = Origin(source="ingest")
"""Documents and their indexes are work that nobody waits for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Whom and what the calls of one run, document or request are counted for; 0 for none.

    ``version`` is that of the agent or workflow, empty for a draft.
    """

    origin: Origin = NOBODY
    app_id: int = 0
    agent_id: int = 0
    version: str = ""
    workflow_id: int = 0
    dataset_id: int = 0
    member_id: int = 0
    end_user_id: str = ""
