"""Arguments that name files: ids of uploads and addresses become bytes, or addresses to read."""

from collections.abc import Mapping
from typing import Any, Final

from crossdomain.file.contract import FileLoader, Files
from domain.plugin.error import PluginInvalid
from domain.plugin.http.body import FilePart
from domain.plugin.value import BodyMedia, Location, Parameter, ToolDefinition, ValueType
from domain.shared.access import TenantScope
from domain.shared.ids import MAX_ID, FileId
from domain.shared.limits import Limits

_BYTES: Final = frozenset({BodyMedia.MULTIPART, BodyMedia.BINARY})
_SCHEMES: Final = ("http://", "https://")


class FileArguments:
    """Resolves the file parameters of a call, within the caller's workspace."""

    def __init__(self, *, files: Files, loader: FileLoader, limits: Limits) -> None:
        self._files = files
        self._loader = loader
        self._limits = limits

    async def resolve(
        self,
        tool: ToolDefinition,
        values: Mapping[str, Any],
        *,
        scope: TenantScope,
        hosts: frozenset[str],
    ) -> dict[str, Any]:
        """Return the values with bytes where files travel, with signed addresses elsewhere.

        Raises:
            PluginInvalid: a value names no file, or all of them together are too large.
            FileNotFound: no such file in the workspace.
            EgressDenied, EgressFailed: a foreign address may not or cannot be read.
        """
        found = dict(values)
        left = self._limits.plugin_file_bytes
        for parameter in tool.parameters:
            if parameter.key not in found or not _takes_files(parameter):
                continue
            given = found[parameter.key]
            items = given if isinstance(given, list) else [given]
            resolved: list[FilePart | str] = []
            for each in items:
                if not _travels(parameter, tool):
                    resolved.append(await self._address(scope, str(each)))
                    continue
                part = await self._load(parameter.key, scope, str(each), left, hosts)
                left -= len(part.data)
                resolved.append(part)
            found[parameter.key] = resolved if isinstance(given, list) else resolved[0]
        return found

    async def _address(self, scope: TenantScope, given: str) -> str:
        """Ids of uploads become addresses that the service can read for an hour."""
        file_id = _id_of(given)
        if file_id is None:
            return given
        return (await self._files.describe(scope, [file_id]))[file_id].url

    async def _load(
        self, key: str, scope: TenantScope, given: str, left: int, hosts: frozenset[str]
    ) -> FilePart:
        file_id = _id_of(given)
        if file_id is None and not given.lower().startswith(_SCHEMES):
            raise PluginInvalid(
                f"arguments.{key}: give the id of an uploaded file, or its http(s) address."
            )
        loaded = await self._loader.load(
            scope,
            file_id=file_id,
            url="" if file_id else given,
            max_bytes=max(left, 1),
            hosts=hosts,
        )
        return FilePart(name=loaded.name, media_type=loaded.media_type, data=loaded.data)


def _takes_files(parameter: Parameter) -> bool:
    if parameter.type is ValueType.ARRAY and parameter.sub_parameters:
        return _takes_files(parameter.sub_parameters[0])
    return parameter.type is ValueType.STRING and bool(parameter.assist_type)


def _travels(parameter: Parameter, tool: ToolDefinition) -> bool:
    """The file itself is sent, not where it is."""
    return parameter.location is Location.BODY and tool.body_media in _BYTES


def _id_of(given: str) -> FileId | None:
    text = given.strip()
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(MAX_ID)):
        return None
    return FileId(int(text)) if 0 < int(text) <= MAX_ID else None
