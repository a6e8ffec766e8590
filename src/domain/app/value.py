"""What an app consists of besides its resources: one value tree, stored as JSON."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NewType

import msgspec

from domain.app.error import AppConversationNotFound, AppConversationTaken, AppInvalid

AppId = NewType("AppId", int)
AppVersionId = NewType("AppVersionId", int)

_LABEL: Final = re.compile(r"v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})", re.ASCII)


class AppVariableChannel(StrEnum):
    """Who holds the value of a variable: every end user one of his own, or the app one for all."""

    CUSTOM = "custom"
    APP = "app"
    SYSTEM = "system"


class AppVariableType(StrEnum):
    """What a variable holds; the checks of workflows look at it. ``any``: nobody said."""

    ANY = "any"
    STRING = "string"
    INTEGER = "integer"
    FLOAT = "float"
    BOOLEAN = "boolean"
    OBJECT = "object"
    LIST = "list"

    def takes(self, text: str) -> bool:
        """Tell whether a default, written as text, is a value of the type; nothing always is."""
        if self in {AppVariableType.ANY, AppVariableType.STRING} or not text:
            return True
        try:
            msgspec.json.decode(text, type=_PYTHON[self])
        except (msgspec.DecodeError, RecursionError):
            return False
        return True


_PYTHON: Final[Mapping[AppVariableType, type]] = {
    AppVariableType.INTEGER: int,
    AppVariableType.FLOAT: float,
    AppVariableType.BOOLEAN: bool,
    AppVariableType.OBJECT: dict,
    AppVariableType.LIST: list,
}


class AppVariable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A variable that the workflows and agents of the app share."""

    keyword: str
    description: str = ""
    default_value: str = ""
    type: AppVariableType = AppVariableType.ANY
    channel: AppVariableChannel = AppVariableChannel.CUSTOM
    enabled: bool = True


class AppContent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What publishing freezes.

    ``conversations`` are the names that workflows may use for a conversation of their own.
    """

    variables: tuple[AppVariable, ...] = ()
    conversations: tuple[str, ...] = ()

    def with_conversation(self, name: str) -> "AppContent":
        """Add a name; raise ``AppConversationTaken``."""
        if name in self.conversations:
            raise AppConversationTaken(f"name: the app defines {name} already.", field="name")
        return msgspec.structs.replace(self, conversations=(*self.conversations, name))

    def with_conversation_renamed(self, old: str, new: str) -> "AppContent":
        """Rename in place; raise ``AppConversationNotFound``, ``AppConversationTaken``."""
        self.require_conversation(old)
        if new != old and new in self.conversations:
            raise AppConversationTaken(f"name: the app defines {new} already.", field="name")
        names = tuple(new if name == old else name for name in self.conversations)
        return msgspec.structs.replace(self, conversations=names)

    def without_conversation(self, name: str) -> "AppContent":
        """Remove a name; raise ``AppConversationNotFound``."""
        self.require_conversation(name)
        names = tuple(each for each in self.conversations if each != name)
        return msgspec.structs.replace(self, conversations=names)

    def require_conversation(self, name: str) -> None:
        if name not in self.conversations:
            raise AppConversationNotFound(f"The app defines no conversation {name[:64]}.")


def version_numbers(label: str) -> tuple[int, int, int]:
    """Return the numbers of a label like ``v1.2.3``; raise ``AppInvalid``."""
    found = _LABEL.fullmatch(label)
    if found is None:
        raise AppInvalid("version: expected three numbers, like v1.0.2.", field="version")
    return int(found[1]), int(found[2]), int(found[3])


def next_label(label: str) -> str:
    """Return the label that follows one, or the first."""
    if not label:
        return "v0.0.1"
    major, minor, patch = version_numbers(label)
    return f"v{major}.{minor}.{patch + 1}"
