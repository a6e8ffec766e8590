"""What the prompt library needs from a store; implemented in ``infra.impl.repository``."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from domain.prompt.entity import Prompt, PromptId
from domain.prompt.value import PromptUse
from domain.shared.access import TenantScope


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptQuery:
    """A page of prompts, newest first; ``text`` is searched in names, ``tag`` is one of theirs."""

    limit: int
    after_id: PromptId | None = None
    text: str = ""
    tag: str = ""


class PromptRepository(Protocol):
    """Prompts of spaces."""

    async def get(self, scope: TenantScope, prompt_id: PromptId) -> Prompt:
        """Return the prompt; raise ``PromptNotFound``."""
        ...

    async def search(self, scope: TenantScope, query: PromptQuery) -> tuple[Sequence[Prompt], int]:
        """Return one page and the number of all matches."""
        ...

    async def tags(self, scope: TenantScope, *, limit: int) -> Sequence[str]:
        """Return the tags that occur, in order; at most so many."""
        ...

    async def uses(
        self, prompt: Prompt, *, agents: TenantScope, workflows: TenantScope | None, limit: int
    ) -> Sequence[PromptUse]:
        """Return drafts that have its text word for word, by name, agents first.

        Nobody keeps where a text came from: a copy that was edited is a text of its own.
        """
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
