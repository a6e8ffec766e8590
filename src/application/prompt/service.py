"""Use cases of the prompt library."""

from collections.abc import Sequence
from typing import Final

from application.prompt.dto import CreatePrompt, PromptPage, PromptView
from application.shared.patch import Patch
from domain.prompt.entity import Prompt, PromptId
from domain.prompt.official import OFFICIAL
from domain.prompt.repository import PromptQuery, PromptStore, PromptUnitOfWork
from domain.prompt.value import PromptContent, PromptUse
from domain.shared.access import Permission, Principal, ResourceKind
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId
from domain.shared.limits import Limits
from infra.contract.clock import Clock

_MOST_USES: Final = 100
_MOST_TAGS: Final = 500


class PromptService:
    """Texts that the members of a space share; who may edit agents may edit them."""

    def __init__(
        self, *, store: PromptStore, clock: Clock, ids: IdGenerator, limits: Limits
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._limits = limits

    def official(self, principal: Principal, *, text: str = "") -> PromptPage:
        """Return the prompts that come with the product."""
        principal.require_token(Permission.AGENT_READ)
        found = tuple(
            PromptView(
                id=number,
                name=content.name,
                description=content.description,
                text=content.text,
            )
            for number, content in OFFICIAL.items()
            if text.lower() in content.name.lower()
        )
        return PromptPage(items=found, total=len(found))

    async def create(self, principal: Principal, command: CreatePrompt) -> PromptView:
        """Put a text into the library; raise ``PromptInvalid``."""
        space_id = SpaceId(command.space_id)
        principal.require(Permission.AGENT_WRITE, space_id)
        principal.require_beyond_agents()
        prompt = Prompt.create(
            PromptId(self._ids.next_id()),
            space_id=space_id,
            creator_id=principal.user_id,
            content=command.content,
            limits=self._limits,
            now=self._clock.now(),
        )
        async with self._store.transaction() as uow:
            await uow.prompts.save(principal.scope, prompt)
            await uow.commit()
        return PromptView.of(prompt)

    async def list(
        self,
        principal: Principal,
        space_id: int,
        *,
        limit: int,
        after_id: int | None = None,
        text: str = "",
        tag: str = "",
    ) -> PromptPage:
        """Return one page of a space's prompts, newest first."""
        principal.require_beyond_agents()
        space = SpaceId(space_id)
        scope = principal.listing(ResourceKind.PROMPT, Permission.AGENT_READ, space)
        async with self._store.snapshot() as uow:
            found, total = await uow.prompts.search(
                scope,
                PromptQuery(
                    limit=limit + 1,
                    after_id=None if after_id is None else PromptId(after_id),
                    text=text,
                    tag=tag,
                ),
            )
            tags = await uow.prompts.tags(scope, limit=_MOST_TAGS)
        return PromptPage(
            items=tuple(map(PromptView.of, found[:limit])),
            total=total,
            has_more=len(found) > limit,
            tags=tuple(tags),
        )

    async def get(self, principal: Principal, space_id: int, prompt_id: int) -> PromptView:
        """Return a prompt of the space; raise ``PromptNotFound``."""
        async with self._store.snapshot() as uow:
            return PromptView.of(
                await _permitted(uow, principal, space_id, prompt_id, Permission.AGENT_READ)
            )

    async def uses(
        self, principal: Principal, space_id: int, prompt_id: int
    ) -> Sequence[PromptUse]:
        """Return the drafts that have the text of a prompt, as far as the caller may see them."""
        space = SpaceId(space_id)
        async with self._store.snapshot() as uow:
            prompt = await _permitted(uow, principal, space_id, prompt_id, Permission.AGENT_READ)
            sees_workflows = principal.may(Permission.WORKFLOW_READ, space)
            here = principal.scope.within(space)
            return await uow.prompts.uses(
                prompt,
                agents=here,
                workflows=here if sees_workflows else None,
                limit=_MOST_USES,
            )

    async def change(
        self,
        principal: Principal,
        space_id: int,
        prompt_id: int,
        changes: Patch[PromptContent],
    ) -> PromptView:
        """Change a prompt; agents that took its text keep what they have."""
        async with self._store.transaction() as uow:
            prompt = await _permitted(uow, principal, space_id, prompt_id, Permission.AGENT_WRITE)
            prompt.change(
                changes.applied(prompt.content),
                actor_id=principal.user_id,
                limits=self._limits,
                now=self._clock.now(),
            )
            await uow.prompts.save(principal.scope, prompt)
            await uow.commit()
        return PromptView.of(prompt)

    async def delete(self, principal: Principal, space_id: int, prompt_id: int) -> None:
        """Remove a prompt from the library."""
        async with self._store.transaction() as uow:
            prompt = await _permitted(uow, principal, space_id, prompt_id, Permission.AGENT_WRITE)
            prompt.delete(actor_id=principal.user_id, now=self._clock.now())
            await uow.prompts.delete(principal.scope, prompt)
            await uow.commit()


async def _permitted(
    uow: PromptUnitOfWork,
    principal: Principal,
    space_id: int,
    prompt_id: int,
    permission: Permission,
) -> Prompt:
    principal.require_beyond_agents()
    principal.require(permission, SpaceId(space_id))
    scope = principal.scope.within(SpaceId(space_id))
    return await uow.prompts.get(scope, PromptId(prompt_id))
