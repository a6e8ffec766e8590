"""What other contexts may ask about accounts, in plain types only."""

from collections.abc import Collection
from typing import Protocol


class People(Protocol):
    """Names of accounts, for showing who made something that the caller may see."""

    async def names(self, user_ids: Collection[int]) -> dict[int, str]:
        """Names to show by id; accounts that are gone are left out."""
        ...
