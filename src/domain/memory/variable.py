"""Variables that an agent or app keeps for each end user: what may be read and written."""

import base64
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Final, Self

from crossdomain.memory.contract import DeclaredVariable, DeclaredVariables
from domain.memory.database import Side
from domain.memory.error import VariableInvalid

MAX_VALUE_BYTES: Final = 64 * 1024
MAX_LIST_ITEMS: Final = 1000
SYS_UUID: Final = "sys_uuid"
_UUID_CHARS: Final = 26


class OwnerKind(StrEnum):
    """What declares a variable."""

    AGENT = "agent"
    APP = "app"


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The agent or app whose variables these are."""

    kind: OwnerKind
    id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Whose values: an end user of a connector; drafts and publications do not share any."""

    owner: Owner
    side: Side
    connector_id: int
    end_user_id: str

    @property
    def recollecting(self) -> str:
        """What changes of this holder's memories are serialised by."""
        return (
            f"memories of {self.owner.kind} {self.owner.id} {self.side} {self.connector_id} "
            f"{self.end_user_id}"
        )

    @property
    def everybody(self) -> Self:
        """Whose values those are that all users of the connector share."""
        return replace(self, end_user_id="")

    def of(self, declaration: DeclaredVariable) -> Self:
        """Return who holds the value of this variable."""
        return self.everybody if declaration.is_shared else self


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredValue:
    """A value that was written."""

    value: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentValue:
    """What a variable is now; without times it is the default."""

    declaration: DeclaredVariable
    value: str
    created_at: datetime | None = None
    updated_at: datetime | None = None


def current_values(
    declarations: DeclaredVariables,
    stored: Mapping[str, StoredValue],
    holder: Holder,
    *,
    key: bytes,
) -> list[CurrentValue]:
    """Resolve every variable in use: what was written, else the default; system ones computed."""
    found = []
    for each in declarations.listed:
        if each.is_system:
            value = system_value(each.keyword, holder, key=key)
            found.append(CurrentValue(declaration=each, value=value or each.default_value))
        elif (written := stored.get(each.keyword)) is not None:
            found.append(
                CurrentValue(
                    declaration=each,
                    value=written.value,
                    created_at=written.created_at,
                    updated_at=written.updated_at,
                )
            )
        else:
            found.append(CurrentValue(declaration=each, value=each.default_value))
    return found


def require_writable(
    declarations: DeclaredVariables, values: Sequence[tuple[str, str]]
) -> dict[str, str]:
    """Return the values to be stored, the last of each keyword.

    Raises:
        VariableInvalid: not declared, disabled, read-only or of the system, or too long.
    """
    wanted: dict[str, str] = {}
    for keyword, value in values:
        declaration = declarations.find(keyword)
        if declaration is None:
            raise VariableInvalid(
                f"{keyword[:50]}: no variable has this name; declare it, and publish.",
                field=keyword[:50],
            )
        if not declaration.is_writable:
            raise VariableInvalid(f"{keyword}: this variable cannot be written.", field=keyword)
        if len(value.encode(errors="surrogatepass")) > MAX_VALUE_BYTES or "\0" in value:
            raise VariableInvalid(
                f"{keyword}: a value has at most {MAX_VALUE_BYTES} bytes of text.", field=keyword
            )
        wanted[keyword] = value
    if not wanted:
        raise VariableInvalid("data: at least one variable is needed.", field="data")
    return wanted


def require_list(declarations: DeclaredVariables, keyword: str) -> DeclaredVariable:
    """Return a list that can be changed; raise ``VariableInvalid``."""
    declaration = declarations.find(keyword)
    if declaration is None or not declaration.is_list or not declaration.is_writable:
        raise VariableInvalid(f"{keyword[:50]}: no list that can be changed has this name.")
    return declaration


def list_items(text: str) -> tuple[str, ...]:
    """Return the items of a list as it is stored; anything else counts as one item."""
    if not text.strip():
        return ()
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return (text,)
    if not isinstance(found, list):
        return (text,)
    return tuple(
        each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in found
    )


def changed_list(text: str, *, add: Sequence[str], remove: Sequence[str]) -> tuple[str, ...]:
    """Take items out of a list and put others at its end; nothing stands in it twice.

    Raises:
        VariableInvalid: it would have more than ``MAX_LIST_ITEMS`` or ``MAX_VALUE_BYTES``.
    """
    gone = set(remove)
    items = tuple(dict.fromkeys([each for each in list_items(text) if each not in gone] + [*add]))
    if len(items) > MAX_LIST_ITEMS:
        raise VariableInvalid(f"A list has at most {MAX_LIST_ITEMS} items.", field="add")
    if len(list_text(items).encode(errors="surrogatepass")) > MAX_VALUE_BYTES:
        raise VariableInvalid(f"A list has at most {MAX_VALUE_BYTES} bytes.", field="add")
    if any("\0" in each for each in items):
        raise VariableInvalid("A list holds text without NUL characters.", field="add")
    return items


def list_text(items: Sequence[str]) -> str:
    """Return a list as it is stored: JSON."""
    return json.dumps(list(items), ensure_ascii=False)


def system_value(keyword: str, holder: Holder, *, key: bytes) -> str:
    """Compute a system variable; empty if this deployment does not know it.

    ``sys_uuid`` tells an end user from others without telling who it is.
    """
    if keyword != SYS_UUID or not holder.end_user_id:
        return ""
    owner = holder.owner
    text = f"{owner.kind.value}/{owner.id}/{holder.connector_id}/{holder.end_user_id}"
    digest = hmac.new(key, text.encode(errors="surrogatepass"), sha256).digest()
    return base64.b32encode(digest).decode().lower()[:_UUID_CHARS]
