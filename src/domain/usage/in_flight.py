"""Calls in flight: what is known of a call before its entry is there, in case that never comes."""

import msgspec

from domain.shared.account import Account
from domain.shared.chat import ModelCall
from domain.shared.ids import SpaceId


class InFlightCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call that has begun, and the entry it gets if its process dies: the most it can take."""

    id: int
    space_id: SpaceId
    account: Account
    most: ModelCall
