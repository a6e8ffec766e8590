"""What the model context needs from a store; implemented in ``infra.impl.repository``.

Models belong to the deployment, not to a space, so nothing here takes a tenant's scope.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from domain.model.entity import ModelEntry, ModelId
from domain.model.experience import CallFigures, TestOutcome
from domain.model.price import PriceTable, PriceVersion
from domain.shared.account import Account
from domain.shared.chat import ModelCall
from domain.shared.ids import SpaceId


class ModelRepository(Protocol):
    """Stored model entries of the deployment, with their keys unsealed."""

    async def get(self, model_id: ModelId) -> ModelEntry:
        """Return the entry; raise ``ModelNotFound``."""
        ...

    async def all(self) -> Sequence[ModelEntry]:
        """Return every entry, oldest first."""
        ...

    async def save(self, entry: ModelEntry) -> None:
        """Insert or update, and collect the entry's events.

        Raises:
            ModelNameTaken: another entry has this name.
            StaleRevision: the entry changed since it was read.
        """
        ...

    async def remove(self, entry: ModelEntry) -> None:
        """Delete the row and collect the entry's events; raise ``StaleRevision``."""
        ...


class PriceBook(Protocol):
    """Versions of prices, which never change."""

    async def of(self, model: str) -> Sequence[PriceVersion]:
        """Return the versions of a model, by the key that it has in the registry, newest first."""
        ...

    async def latest(self) -> Mapping[str, PriceVersion]:
        """Return the newest version of each model."""
        ...

    async def note(
        self, model: str, prices: PriceTable, *, currency: str, now: datetime, actor_id: int = 0
    ) -> None:
        """Add a version if these prices are others than the newest."""
        ...


class ModelExperience(Protocol):
    """What tests and calls of the deployment's models showed lately."""

    async def note(self, outcome: TestOutcome) -> None:
        """Remember a test in place of the model's one before."""
        ...

    async def outcomes(self) -> Mapping[str, TestOutcome]:
        """Return the last test of each model, by its key in the registry."""
        ...

    async def figures(self, *, since: datetime) -> Sequence[CallFigures]:
        """Count the attempts of all workspaces by model; those without any are left out."""
        ...


class ModelUnitOfWork(Protocol):
    """One transaction: committed by ``commit``, rolled back by leaving the block without it."""

    @property
    def models(self) -> ModelRepository: ...

    @property
    def prices(self) -> PriceBook: ...

    @property
    def experience(self) -> ModelExperience: ...

    async def serialise(self, what: str) -> None:
        """Go on alone among the transactions that name the same, until this one ends."""
        ...

    async def commit(self) -> None: ...


class CallAccounts(Protocol):
    """Keeps calls that are part of no run and no document."""

    async def settle(self, space_id: SpaceId, account: Account, calls: Sequence[ModelCall]) -> None:
        """Store the calls of one request in a transaction of their own."""
        ...


class ModelStore(Protocol):
    """Opens transactions on the model entries."""

    def transaction(self) -> AbstractAsyncContextManager[ModelUnitOfWork]:
        """Open a transaction for writing."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[ModelUnitOfWork]:
        """Open a transaction for reading only."""
        ...
