"""What other contexts may ask about accounts, in plain types only."""

from collections.abc import Collection
from typing import Protocol


class People(Protocol):
    """Names and standing of accounts."""

    async def names(self, user_ids: Collection[int]) -> dict[int, str]:
        """Names by id, to show who made what the caller may see; who is gone is left out."""
        ...

    async def is_disabled(self, user_id: int) -> bool:
        """Whether an account was disabled; nobody disabled what does not exist."""
        ...

    async def are_all_administrators(self, space_id: int) -> bool:
        """Whether all members of a workspace that exists administrate the deployment."""
        ...
