"""What names and definitions of an app must satisfy."""

import re
import unicodedata
from typing import Final

from domain.app.error import AppInvalid
from domain.app.value import AppContent
from domain.shared.limits import Limits

_KEYWORD: Final = re.compile(r"[^\W\d]\w*")


class AppRules:
    """Checks of values that clients set; raise ``AppInvalid`` naming the field."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def name(self, text: str) -> str:
        """Return the trimmed name of an app."""
        name = text.strip()
        if not 1 <= len(name) <= self._limits.agent_name_chars or not _is_plain(name):
            raise AppInvalid(
                f"name: 1 to {self._limits.agent_name_chars} printable characters are needed.",
                field="name",
            )
        return name

    def description(self, text: str) -> str:
        """Return the trimmed description."""
        description = text.strip()
        if len(description) > self._limits.agent_description_chars:
            raise AppInvalid(
                f"description: at most {self._limits.agent_description_chars} characters.",
                field="description",
            )
        return description

    def note(self, text: str) -> str:
        """Return the trimmed remark on a version."""
        note = text.strip()
        if len(note) > self._limits.publish_note_chars:
            raise AppInvalid(
                f"description: at most {self._limits.publish_note_chars} characters.",
                field="description",
            )
        return note

    def conversation(self, text: str) -> str:
        """Return the trimmed name of a conversation."""
        name = text.strip()
        if not 1 <= len(name) <= self._limits.conversation_name_chars or not _is_plain(name):
            raise AppInvalid(
                f"name: 1 to {self._limits.conversation_name_chars} printable characters.",
                field="name",
            )
        return name

    def content(self, content: AppContent) -> AppContent:
        """Return the content if every part of it is within its range."""
        if len(content.conversations) > self._limits.app_conversations:
            raise AppInvalid(f"conversations: at most {self._limits.app_conversations}.")
        if len(content.variables) > self._limits.agent_variables:
            raise AppInvalid(f"variables: at most {self._limits.agent_variables}.")
        seen: set[str] = set()
        for variable in content.variables:
            keyword = variable.keyword
            if not _KEYWORD.fullmatch(keyword) or len(keyword) > self._limits.meta_key_chars:
                raise AppInvalid(
                    f"variables: a keyword is a word of at most {self._limits.meta_key_chars} "
                    "letters, digits and underscores.",
                    field="variables",
                )
            if keyword in seen:
                raise AppInvalid(f"variables: {keyword} is defined twice.", field="variables")
            seen.add(keyword)
            if not variable.type.takes(variable.default_value):
                raise AppInvalid(
                    f"variables.{keyword}: the default is no {variable.type.value}.",
                    field="variables",
                )
            size = len(variable.default_value.encode()) + len(variable.description.encode())
            if size > self._limits.string_bytes:
                raise AppInvalid(
                    f"variables.{keyword}: at most {self._limits.string_bytes} bytes.",
                    field="variables",
                )
        return content


def _is_plain(text: str) -> bool:
    return not any(unicodedata.category(char) == "Cc" for char in text)
