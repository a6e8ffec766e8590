"""What names and texts of a workflow must satisfy."""

import unicodedata

import msgspec

from domain.shared.limits import Limits
from domain.workflow.definition.error import WorkflowInvalid
from domain.workflow.definition.role import ChatflowRole


class WorkflowRules:
    """Checks of values that clients set; raise ``WorkflowInvalid`` naming the field."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def name(self, text: str) -> str:
        """Return the trimmed name."""
        name = text.strip()
        if not 1 <= len(name) <= self._limits.agent_name_chars:
            raise WorkflowInvalid(
                f"name: 1 to {self._limits.agent_name_chars} characters are needed."
            )
        if any(unicodedata.category(char) == "Cc" for char in name):
            raise WorkflowInvalid("name: control characters are not allowed.")
        return name

    def fitting_name(self, text: str, *, suffix: str = "") -> str:
        """Make a valid name of a text of another system, for instance of a file."""
        kept = "".join(c for c in text if unicodedata.category(c) != "Cc").strip() or "Workflow"
        return self.name(kept[: self._limits.agent_name_chars - len(suffix)].strip() + suffix)

    def description(self, text: str) -> str:
        """Return the trimmed description; line breaks and tabs are fine."""
        return self._text("description", text, self._limits.agent_description_chars)

    def note(self, text: str) -> str:
        """Return the trimmed remark of a version."""
        return self._text("description", text, self._limits.publish_note_chars)

    def role(self, role: ChatflowRole) -> ChatflowRole:
        """Return the role if every part of it is within its range."""
        self._text("name", role.name, self._limits.agent_name_chars)
        self._text("description", role.description, self._limits.agent_description_chars)
        self._text("onboarding.prologue", role.onboarding.prologue, self._limits.string_bytes)
        questions = role.onboarding.suggested_questions
        self._at_most(
            "onboarding.suggested_questions", len(questions), self._limits.suggested_questions
        )
        for each in questions:
            self._text(
                "onboarding.suggested_questions", each, self._limits.suggested_question_chars
            )
        self._text("suggestions.prompt", role.suggestions.prompt, self._limits.persona_bytes)
        self._at_most("role", len(msgspec.json.encode(role)), self._limits.string_bytes * 4)
        return role

    def _text(self, field: str, text: str, limit: int) -> str:
        kept = text.strip()
        self._at_most(field, len(kept), limit)
        if any(unicodedata.category(char) == "Cc" and char not in "\n\r\t" for char in kept):
            raise WorkflowInvalid(f"{field}: control characters are not allowed.", field=field)
        return kept

    @staticmethod
    def _at_most(field: str, size: int, limit: int) -> None:
        if size > limit:
            raise WorkflowInvalid(f"{field}: too long or too many, {size} of {limit}.", field=field)
