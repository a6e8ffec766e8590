"""The context of a call from one bounded context into another."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace

from domain.shared.access import TenantScope
from domain.shared.chat import ModelCall
from domain.shared.ids import RunId, SpaceId


def _drop(_: ModelCall) -> None:
    """Ledger of calls nobody accounts for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """On whose behalf a call happens; plain data, passed explicitly.

    ``record_call`` takes the ledger entry of every model attempt, synchronously and whatever its
    fate, so that cancelled calls are accounted for too. ``egress_hosts`` are the only hosts that
    tools and nodes may call; None leaves it to the workspace.
    """

    scope: TenantScope
    space_id: SpaceId
    connector_id: int
    end_user_id: str = ""
    run_id: RunId | None = None
    log_id: str = ""
    record_call: Callable[[ModelCall], None] = field(default=_drop)
    egress_hosts: frozenset[str] | None = None
    patience_s: float | None = None
    """How long calls wait for their turn at what workspaces share, however many do: set where the
    work was accepted before, and waiting is better than failing. None leaves it to the resource."""

    def narrowed(self, hosts: Collection[str]) -> "CallContext":
        """Allow at most these hosts; an empty collection changes nothing."""
        if not hosts:
            return self
        allowed = frozenset(hosts)
        if self.egress_hosts is not None:
            allowed &= self.egress_hosts
        return replace(self, egress_hosts=allowed)
