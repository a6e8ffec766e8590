"""Memories to try the rules on."""

from dataclasses import replace
from datetime import UTC, datetime

from domain.memory.database import Side
from domain.memory.recollection import Recollection, RecollectionId, RecollectionKind
from domain.memory.variable import Holder, Owner, OwnerKind
from domain.shared.ids import SpaceId

NOW = datetime(2030, 5, 1, tzinfo=UTC)
HOLDER = Holder(
    owner=Owner(kind=OwnerKind.AGENT, id=5),
    side=Side.ONLINE,
    connector_id=1024,
    end_user_id="ann",
)


def memory(number: int, text: str = "", **changes: object) -> Recollection:
    """A fact whose terms are its words."""
    words = text.lower().replace(".", "").split()
    item = Recollection(
        id=RecollectionId(number),
        space_id=SpaceId(2),
        holder=HOLDER,
        kind=RecollectionKind.FACT,
        text=text,
        terms=tuple(words),
        valid_from=NOW,
        updated_at=NOW,
        last_used_at=NOW,
    )
    return replace(item, **changes)  # type: ignore[arg-type]
