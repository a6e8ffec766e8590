"""What a search asks of table knowledge: rows that a statement found."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from domain.knowledge.dataset import Dataset
from domain.shared.call import CallContext
from domain.shared.chat import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlHit:
    """A row, then ``slice_id`` is its slice; or a whole result, then ``slice_id`` is 0."""

    slice_id: int
    document_id: int
    dataset_id: int
    content: str
    sql: str
    """The statement with the names that users know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlHits:
    """Rows of all tables; ``failed`` says why a table gave none, for explanations."""

    items: tuple[SqlHit, ...] = ()
    failed: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


class TableChannel(Protocol):
    """Answers questions to tables by SQL."""

    async def answer(
        self, context: CallContext, datasets: Sequence[Dataset], question: str
    ) -> SqlHits:
        """Ask each table base; a table that fails gives nothing, the others still count."""
        ...
