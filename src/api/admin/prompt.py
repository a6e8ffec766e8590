"""The prompt library on the admin surface."""

from typing import Annotated, Final

from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from msgspec import UNSET, UnsetType

from api.admin.query import Paging, next_id
from api.shape import Changes, Fields, IdOrNone, Shape
from api.wire import query_choice, required_id
from application.prompt.dto import CreatePrompt, PromptView
from application.prompt.service import PromptService
from application.shared.page import Listed, Whole
from domain.prompt.value import PromptContent, PromptUse
from domain.shared.access import Principal

_NAMES: Final = {"text": "prompt_text"}
_SCOPES: Final = {"official": "official"}


class CreatePromptBody(Fields, of=PromptContent, only=("name", "text"), rename=_NAMES):
    """A new prompt."""

    description: str = ""
    tags: list[str] | UnsetType = UNSET


class ChangePromptBody(Changes, of=PromptContent, absent="unset, never null", rename=_NAMES):
    """Changes of a prompt."""

    tags: list[str] | UnsetType = UNSET


class AdminLibraryPrompt(Shape, of=PromptView, rename=_NAMES):
    """A prompt; those that come with the product have no workspace and no times."""

    space_id: IdOrNone
    creator_id: IdOrNone
    tags: list[str]


class AdminPromptUse(Shape, of=PromptUse):
    """An agent or workflow whose draft has the text of a prompt."""


class AdminPromptUses(Listed[AdminPromptUse]):
    """What has the text of a prompt: agents, then workflows, by name."""


class AdminPromptList(Whole[AdminLibraryPrompt]):
    """One page of prompts, newest first."""


class AdminTaggedPromptList(Whole[AdminLibraryPrompt]):
    """One page of prompts of a workspace, newest first, and what they can be found by."""

    tags: list[str]
    """Tags of all prompts of the workspace, in order."""


class AdminPromptController(Controller):
    """Prompts of the product and of workspaces."""

    path = "/admin/v1"

    @get("/prompts", operation_id="admin.prompts.list_official")
    async def official(
        self,
        *,
        principal: NamedDependency[Principal],
        prompts: NamedDependency[PromptService],
        library: Annotated[str | None, QueryParameter(name="scope")] = None,
        q: FromQuery[str | None] = None,
    ) -> AdminPromptList:
        """List the prompts that come with the product."""
        query_choice(library, _SCOPES, field="scope")
        found = prompts.official(principal, text=q or "")
        return AdminPromptList(items=AdminLibraryPrompt.each(found.items), total=found.total)

    @get("/workspaces/{workspace_id:str}/prompts", operation_id="admin.prompts.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        prompts: NamedDependency[PromptService],
        workspace_id: FromPath[str],
        q: FromQuery[str | None] = None,
        tag: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> AdminTaggedPromptList:
        """List the prompts of a workspace."""
        found = await prompts.list(
            principal,
            _space(workspace_id),
            limit=paging.size,
            after_id=paging.last_id,
            text=q or "",
            tag=tag or "",
        )
        items = AdminLibraryPrompt.each(found.items)
        return AdminTaggedPromptList(
            items=items,
            total=found.total,
            tags=[*found.tags],
            next_cursor=next_id(found.items, has_more=found.has_more),
        )

    @post("/workspaces/{workspace_id:str}/prompts", operation_id="admin.prompts.create")
    async def create(
        self,
        *,
        data: JSONBody[CreatePromptBody],
        principal: NamedDependency[Principal],
        prompts: NamedDependency[PromptService],
        workspace_id: FromPath[str],
    ) -> AdminLibraryPrompt:
        """Put a prompt into the library of a workspace."""
        command = CreatePrompt(space_id=_space(workspace_id), content=data.value(""))
        return AdminLibraryPrompt.of(await prompts.create(principal, command))

    @get("/workspaces/{workspace_id:str}/prompts/{prompt_id:str}", operation_id="admin.prompts.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        prompts: NamedDependency[PromptService],
        workspace_id: FromPath[str],
        prompt_id: FromPath[str],
    ) -> AdminLibraryPrompt:
        """Show a prompt."""
        return AdminLibraryPrompt.of(
            await prompts.get(principal, _space(workspace_id), _prompt(prompt_id))
        )

    @get(
        "/workspaces/{workspace_id:str}/prompts/{prompt_id:str}/references",
        operation_id="admin.prompts.list_references",
    )
    async def references(
        self,
        *,
        principal: NamedDependency[Principal],
        prompts: NamedDependency[PromptService],
        workspace_id: FromPath[str],
        prompt_id: FromPath[str],
    ) -> AdminPromptUses:
        """List agents and workflows whose drafts have the text of a prompt, word for word."""
        found = await prompts.uses(principal, _space(workspace_id), _prompt(prompt_id))
        return AdminPromptUses(items=AdminPromptUse.each(found), total=len(found))

    @patch(
        "/workspaces/{workspace_id:str}/prompts/{prompt_id:str}",
        operation_id="admin.prompts.update",
    )
    async def update(
        self,
        *,
        data: JSONBody[ChangePromptBody],
        principal: NamedDependency[Principal],
        prompts: NamedDependency[PromptService],
        workspace_id: FromPath[str],
        prompt_id: FromPath[str],
    ) -> AdminLibraryPrompt:
        """Change a prompt."""
        space_id, changes = _space(workspace_id), data.patch()
        changed = await prompts.change(principal, space_id, _prompt(prompt_id), changes)
        return AdminLibraryPrompt.of(changed)

    @delete(
        "/workspaces/{workspace_id:str}/prompts/{prompt_id:str}",
        operation_id="admin.prompts.delete",
    )
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        prompts: NamedDependency[PromptService],
        workspace_id: FromPath[str],
        prompt_id: FromPath[str],
    ) -> None:
        """Remove a prompt; agents that took its text keep it."""
        await prompts.delete(principal, _space(workspace_id), _prompt(prompt_id))


def _space(value: str) -> int:
    return required_id(value, field="workspace_id")


def _prompt(value: str) -> int:
    return required_id(value, field="prompt_id")
