"""Commands and views of the prompt library."""

from datetime import datetime
from typing import Annotated

import msgspec

from application.shared.projection import At, Projection
from domain.prompt.entity import Prompt
from domain.prompt.value import PromptContent
from domain.shared.ids import Id


class CreatePrompt(msgspec.Struct, frozen=True, kw_only=True):
    """Put a text into the library of a space."""

    space_id: int
    content: PromptContent


class PromptView(Projection, of=Prompt, only=()):
    """A prompt; of the official ones ``space_id`` is 0 and there are no times."""

    id: Id
    space_id: Id = 0
    creator_id: Id = 0
    name: Annotated[str, At("content.name")]
    description: Annotated[str, At("content.description")]
    text: Annotated[str, At("content.text")]
    tags: Annotated[tuple[str, ...], At("content.tags")] = ()
    created_at: datetime | None = None
    updated_at: datetime | None = None


class PromptPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of prompts, newest first."""

    items: tuple[PromptView, ...]
    total: int
    has_more: bool = False
    tags: tuple[str, ...] = ()
    """All that occur, on whatever page."""
