"""What the prompt library needs from a store; implemented in ``infra.impl.repository``."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from domain.prompt.entity import Prompt, PromptId
from domain.shared.access import TenantScope


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptQuery:
    """A page of prompts, newest first; ``text`` is searched in names."""

    limit: int
    after_id: PromptId | None = None
    text: str = ""


class PromptRepository(Protocol):
    """Prompts of spaces."""

    async def get(self, scope: TenantScope, prompt_id: PromptId) -> Prompt:
        """Return the prompt; raise ``PromptNotFound``."""
        ...

    async def search(self, scope: TenantScope, query: PromptQuery) -> tuple[Sequence[Prompt], int]:
        """Return one page and the number of all matches."""
        ...

    async def save(self, scope: TenantScope, prompt: Prompt) -> None:
        """Insert or update; raise ``StaleRevision``, or ``PromptNotFound`` for a foreign space."""
        ...

    async def delete(self, scope: TenantScope, prompt: Prompt) -> None:
        """Remove the prompt; raise ``PromptNotFound`` if it is gone already."""
        ...


class PromptUnitOfWork(Protocol):
    """One transaction: committed by ``commit``, rolled back by leaving the block without it."""

    @property
    def prompts(self) -> PromptRepository: ...

    async def commit(self) -> None: ...


class PromptStore(Protocol):
    """Opens transactions."""

    def transaction(self) -> AbstractAsyncContextManager[PromptUnitOfWork]:
        """Open a transaction for writing."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[PromptUnitOfWork]:
        """Open a transaction for reading only."""
        ...
