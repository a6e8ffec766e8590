"""What a user filled into a shortcut, as texts that a tool can take."""

from typing import Final

import msgspec

from application.conversation.dto import IncomingMessage, ShortcutCall
from crossdomain.file.contract import Files
from domain.conversation.rule import check_variables
from domain.shared.access import TenantScope
from domain.shared.chat import TextPart
from domain.shared.ids import FileId, parse_id
from domain.shared.limits import Limits


class _Item(msgspec.Struct, frozen=True):
    """One item of a multi-part content, as clients spell it."""

    type: str
    text: str = ""
    file_id: str | int | None = None
    file_url: str = ""


_DECODER: Final = msgspec.json.Decoder(_Item)


async def with_plain_values(
    call: ShortcutCall, *, files: Files, scope: TenantScope, limits: Limits
) -> ShortcutCall:
    """Replace items by their text or the address of their file.

    Raises:
        InvalidRequest: too many values, or one that is too long.
        FileNotFound: a file is not one of the scope.
    """
    check_variables(call.values, limits)
    values: dict[str, str] = {}
    for name, value in call.values.items():
        values[name] = await _plain(value, name, files=files, scope=scope)
    return msgspec.structs.replace(call, values=values)


def asked_by(text: str) -> IncomingMessage | None:
    """Return the question of a shortcut that has one."""
    if not text.strip():
        return None
    return IncomingMessage(role="user", parts=(TextPart(text=text),))


async def _plain(value: str, name: str, *, files: Files, scope: TenantScope) -> str:
    """Return the value itself unless it is the JSON text of an item."""
    if not value.startswith("{"):
        return value
    try:
        item = _DECODER.decode(value)
    except (msgspec.DecodeError, RecursionError):
        return value
    if item.file_id:
        file_id = FileId(parse_id(item.file_id, field=f"shortcut_command.parameters.{name}"))
        return (await files.describe(scope, [file_id]))[file_id].url
    return item.file_url or item.text
