"""The context of a call from one bounded context into another."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace

from domain.shared.access import TenantScope
from domain.shared.account import Account, current_origin
from domain.shared.chat import ModelCall
from domain.shared.ids import RunId, SpaceId

RecordCall = Callable[[ModelCall], None]


def drop_call(_: ModelCall) -> None:
    """Ledger of calls that belong to nothing that is stored."""


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
    record_call: RecordCall = field(default=drop_call)
    egress_hosts: frozenset[str] | None = None
    account: Account | None = None
    """Whom the calls are counted for, where it is not who asks."""
    max_wait_s: float | None = None
    """How long calls wait for their turn at what workspaces share, however many do: set where the
    work was accepted before, and waiting is better than failing. None leaves it to the resource."""

    @property
    def is_recorded(self) -> bool:
        """Tell whether somebody stores its calls together with what they are part of."""
        return self.record_call is not drop_call

    @property
    def payer(self) -> Account:
        """Whom calls that are part of nothing are counted for."""
        if self.account is not None:
            return self.account
        return Account(
            origin=current_origin(),
            member_id=self.scope.principal_id,
            end_user_id=self.end_user_id,
        )

    def narrowed(self, hosts: Collection[str]) -> "CallContext":
        """Allow at most these hosts; an empty collection changes nothing."""
        if not hosts:
            return self
        allowed = frozenset(hosts)
        if self.egress_hosts is not None:
            allowed &= self.egress_hosts
        return replace(self, egress_hosts=allowed)
