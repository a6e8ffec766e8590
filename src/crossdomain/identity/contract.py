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


class SpaceDefaults(Protocol):
    """What things of a workspace begin with, known at once."""

    def model(self, space_id: int) -> str:
        """Id of the chat model that answers where none is named; empty: the deployment's."""
        ...

    def language(self, space_id: int) -> str:
        """``en`` or ``zh``, in which new agents begin; empty: in that of whoever writes."""
        ...


class Groups(Protocol):
    """Groups of people that something costly is limited to."""

    async def include(
        self, group_ids: Collection[int], *, user_id: int, space_ids: Collection[int]
    ) -> bool:
        """Whether one of the groups holds whoever acts.

        An account has to be its member. What acts with no person behind it, like a service token
        or a share link, is included where one of the groups belongs to its workspace.
        """
        ...

    async def unknown(self, group_ids: Collection[int], *, space_id: int = 0) -> frozenset[int]:
        """Which of these are no groups of the deployment or of a workspace; 0 takes all."""
        ...
