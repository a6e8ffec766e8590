"""Entry of the ledger: one call with its account."""

from dataclasses import dataclass

from domain.shared.account import Account
from domain.shared.chat import ModelCall
from domain.shared.ids import RunId, SpaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageEntry:
    """A call under its number of a run, document or request."""

    space_id: SpaceId
    run_id: RunId
    call_no: int
    call: ModelCall
    account: Account
