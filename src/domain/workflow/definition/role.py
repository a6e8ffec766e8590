"""How a chat flow presents itself to the people who talk to it."""

from typing import Any, Literal

import msgspec


class RoleOnboarding(msgspec.Struct, frozen=True, kw_only=True):
    """What a new conversation begins with."""

    prologue: str = ""
    suggested_questions: tuple[str, ...] = ()
    shows_all_suggestions: bool = False


class RoleSuggestions(msgspec.Struct, frozen=True, kw_only=True):
    """Whether questions are suggested after an answer, and by which instruction."""

    mode: Literal["default", "custom", "off"] = "default"
    prompt: str = ""


class ChatflowRole(msgspec.Struct, frozen=True, kw_only=True):
    """Persona of a chat flow; ``background``, ``user_input`` and ``audio`` belong to the client."""

    name: str = ""
    description: str = ""
    avatar_file_id: int | None = None
    onboarding: RoleOnboarding = RoleOnboarding()
    suggestions: RoleSuggestions = RoleSuggestions()
    background: dict[str, Any] = {}
    user_input: dict[str, Any] = {}
    audio: dict[str, Any] = {}
