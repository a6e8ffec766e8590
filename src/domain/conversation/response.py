"""Responses kept for their caller: what was asked for beside the messages of a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from domain.conversation.error import ResponseNotFound
from domain.shared.access import TenantScope
from domain.shared.aggregate import Aggregate
from domain.shared.chat import Usage
from domain.shared.ids import ConversationId, ResponseId, RunId, SpaceId, UserId


@dataclass(kw_only=True, eq=False)
class StoredResponse(Aggregate):
    """One request with what it asked for; of an agent, the answer is in the messages of its run.

    ``request`` is echoed to whoever reads the response, ``items`` are its input; both belong to
    the surface and are opaque here. A model without an agent has no run and no conversation: its
    ``output`` is kept as it was answered, once there is one.
    """

    id: ResponseId
    run_id: RunId
    """Of the run that answers; equal to ``id`` where none does, and of its first answer."""
    resumes: int = 0
    """How often the run had waited for outputs of its client before it answered this request."""
    after_seq: int = 0
    """Number of the run's event that this answer follows."""
    used: Usage = field(default_factory=Usage)
    """What the run had cost before."""
    space_id: SpaceId
    creator_id: UserId
    end_user_id: str = ""
    conversation_id: ConversationId | None = None
    previous_id: ResponseId | None = None
    is_background: bool = False
    request: Mapping[str, Any] = field(default_factory=dict)
    items: tuple[Mapping[str, Any], ...] = ()
    output: Mapping[str, Any] | None = None
    created_at: datetime
    expires_at: datetime


class ResponseRepository(Protocol):
    """Responses of the scope's account that have not expired, narrowed to its end user."""

    async def get(
        self, scope: TenantScope, run_id: int, *, resumes: int = 0, now: datetime
    ) -> StoredResponse:
        """Return what a run answered after so many resumes; raise ``ResponseNotFound``."""
        ...

    async def save(self, scope: TenantScope, response: StoredResponse) -> None:
        """Insert or update."""
        ...

    async def remove(self, scope: TenantScope, response: StoredResponse, *, now: datetime) -> None:
        """Delete it, and its conversation if that was opened for responses and has no other."""
        ...

    async def purge(self, *, now: datetime, limit: int) -> int:
        """System port: remove what has expired, as ``remove`` does; return how many."""
        ...


def response_missing(response_id: int) -> ResponseNotFound:
    """Make the refusal of an id that is not there, or is somebody else's."""
    return ResponseNotFound(f"No response resp_{response_id}.", response_id=response_id)
