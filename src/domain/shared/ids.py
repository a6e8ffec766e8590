"""Identifiers: 63-bit time-ordered integers inside, decimal strings on every wire."""

import re
from collections.abc import Collection
from typing import Annotated, Final, NewType

from domain.shared.error import InvalidRequest

UserId = NewType("UserId", int)
SpaceId = NewType("SpaceId", int)
AgentId = NewType("AgentId", int)
ConversationId = NewType("ConversationId", int)
SectionId = NewType("SectionId", int)
RunId = NewType("RunId", int)
ResponseId = NewType("ResponseId", int)
MessageId = NewType("MessageId", int)
FileId = NewType("FileId", int)
TokenId = NewType("TokenId", int)
SessionId = NewType("SessionId", int)
TicketId = NewType("TicketId", int)
InvitationId = NewType("InvitationId", int)
OAuthAppId = NewType("OAuthAppId", int)
OAuthRequestId = NewType("OAuthRequestId", int)
OAuthGrantId = NewType("OAuthGrantId", int)
OidcProviderId = NewType("OidcProviderId", int)
BudgetId = NewType("BudgetId", int)

Id = Annotated[int, "id"]
"""An id of any kind, for values that are shown."""

MAX_ID: Final = 2**63 - 1
_MOST_GROUPS: Final = 50
_DECIMAL: Final = re.compile(r"[0-9]{1,19}", re.ASCII)


def parse_id(value: str | int, *, field: str) -> int:
    """Read an id as clients send it (decimal string or integer).

    Raises:
        InvalidRequest: not a positive 63-bit decimal number; the message names ``field``.
    """
    if isinstance(value, bool) or (isinstance(value, str) and not _DECIMAL.fullmatch(value)):
        raise InvalidRequest(f"{field}: expected a decimal id.", field=field)
    number = int(value)
    if not 0 < number <= MAX_ID:
        raise InvalidRequest(f"{field}: expected a decimal id.", field=field)
    return number


def group_ids_of(names: Collection[str]) -> tuple[int, ...]:
    """Read the groups that something is limited to, each once; raise ``InvalidRequest``."""
    if len(names) > _MOST_GROUPS:
        raise InvalidRequest(f"groups: at most {_MOST_GROUPS}.", field="groups")
    return tuple(dict.fromkeys(parse_id(each, field="groups") for each in names))
