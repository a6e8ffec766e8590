"""The context of a call from one bounded context into another."""

from collections.abc import Callable
from dataclasses import dataclass, field

from domain.shared.access import TenantScope
from domain.shared.chat import ModelCall
from domain.shared.ids import RunId, SpaceId


def _drop(_: ModelCall) -> None:
    """Ledger of calls nobody accounts for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """On whose behalf a call happens; plain data, passed explicitly.

    ``record_call`` takes the ledger entry of every model attempt, synchronously and whatever its
    fate, so that cancelled calls are accounted for too.
    """

    scope: TenantScope
    space_id: SpaceId
    connector_id: int
    end_user_id: str = ""
    run_id: RunId | None = None
    log_id: str = ""
    record_call: Callable[[ModelCall], None] = field(default=_drop)
