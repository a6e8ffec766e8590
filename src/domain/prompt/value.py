"""What a prompt says."""

import msgspec

from domain.prompt.error import PromptInvalid
from domain.shared.limits import Limits


class PromptContent(msgspec.Struct, frozen=True, kw_only=True):
    """What people edit; ``checked`` before it is kept."""

    name: str
    description: str
    text: str

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
        return PromptContent(name=name, description=description, text=self.text)
