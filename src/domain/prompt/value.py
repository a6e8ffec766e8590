"""What a prompt says, and what took its text."""

from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from domain.prompt.error import PromptInvalid
from domain.shared.ids import Id
from domain.shared.limits import Limits

MOST_TAGS: Final = 10
TAG_CHARS: Final = 40


class PromptContent(msgspec.Struct, frozen=True, kw_only=True):
    """What people edit; ``checked`` before it is kept."""

    name: str
    description: str
    text: str
    tags: tuple[str, ...] = ()

    def checked(self, limits: Limits) -> "PromptContent":
        """Return it trimmed; raise ``PromptInvalid`` naming the field."""
        name, description = self.name.strip(), self.description.strip()
        if not 1 <= len(name) <= limits.agent_name_chars:
            raise PromptInvalid(f"name: 1 to {limits.agent_name_chars} characters are needed.")
        if len(description) > limits.agent_description_chars:
            raise PromptInvalid(
                f"description: at most {limits.agent_description_chars} characters."
            )
        if not self.text.strip() or len(self.text.encode()) > limits.persona_bytes:
            raise PromptInvalid(f"prompt_text: 1 to {limits.persona_bytes} bytes are needed.")
        tags = tuple(dict.fromkeys(tag for each in self.tags if (tag := each.strip())))
        if len(tags) > MOST_TAGS or any(len(tag) > TAG_CHARS for tag in tags):
            raise PromptInvalid(f"tags: at most {MOST_TAGS}, of up to {TAG_CHARS} characters each.")
        return PromptContent(name=name, description=description, text=self.text, tags=tags)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptUse:
    """An agent whose persona, or a workflow of which a node, has the text of a prompt."""

    type: Literal["agent", "workflow"]
    """What it is: `agent` or `workflow`."""
    id: Id
    name: str
