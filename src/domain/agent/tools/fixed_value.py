"""Values that developers fix for tools: which of them are secret, and what is shown of those."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.agent.error import AgentInvalid
from domain.agent.value import AgentConfig, PluginBinding
from domain.agent.value.shortcut import Shortcut, ShortcutParameter
from domain.shared.secret import MASK

_SECRET_NAME: Final = re.compile(
    r"(?:^|[_\-.])(?:api_?key|access_?key|token|secret|password|passwd|authorization|credential)s?$",
    re.IGNORECASE,
)


_TELLING_CHARS: Final = 6
"""Shorter values occur in answers by chance."""


def is_secret_name(name: str) -> bool:
    """Tell whether what has this name is a secret, marked or not."""
    return _SECRET_NAME.search(name) is not None


def masked(config: AgentConfig) -> AgentConfig:
    """Return the configuration as anybody may read it, its developers included."""
    return msgspec.structs.replace(
        config,
        plugins=tuple(_masked_binding(each) for each in config.plugins),
        shortcuts=tuple(masked_shortcut(each) for each in config.shortcuts),
    )


def redacted(text: str, binding: PluginBinding) -> str:
    """Return what a tool answered, without secrets that its service sent back."""
    for name, value in binding.defaults.items():
        is_secret = name in binding.secrets or is_secret_name(name)
        if is_secret and isinstance(value, str) and len(value) >= _TELLING_CHARS:
            text = text.replace(value, MASK)
    return text


def masked_shortcut(shortcut: Shortcut) -> Shortcut:
    """Hide the secrets among the fixed values of the tool."""
    tool = shortcut.tool
    if tool is None:
        return shortcut
    params = tuple(
        msgspec.structs.replace(each, default_value=MASK) if _is_secret(each) else each
        for each in tool.params
    )
    return msgspec.structs.replace(shortcut, tool=msgspec.structs.replace(tool, params=params))


def unmasked(config: AgentConfig, before: AgentConfig) -> AgentConfig:
    """Put the stored values back in place of their masks; they stay secret.

    Raises:
        AgentInvalid: nothing is stored where a mask is sent.
    """
    stored = {(each.plugin_id, each.tool_id): each for each in reversed(before.plugins)}
    shortcuts = {each.id: each for each in before.shortcuts}
    return msgspec.structs.replace(
        config,
        plugins=tuple(
            _unmasked_binding(each, stored.get((each.plugin_id, each.tool_id)))
            for each in config.plugins
        ),
        shortcuts=tuple(
            unmasked_shortcut(each, shortcuts.get(each.id)) for each in config.shortcuts
        ),
    )


def unmasked_shortcut(shortcut: Shortcut, before: Shortcut | None) -> Shortcut:
    """Put the stored values back into a shortcut of the same tool; raise ``AgentInvalid``."""
    tool = shortcut.tool
    if tool is None:
        return shortcut
    earlier = before.tool if before is not None else None
    is_same = earlier is not None and earlier.reference == tool.reference
    stored = {each.name: each for each in earlier.params} if earlier and is_same else {}
    params = []
    for each in tool.params:
        value = each.default_value
        if value == MASK:
            if each.name not in stored:
                raise _nothing_stored(f"tool.params.{each.name}")
            value = stored[each.name].default_value
        params.append(msgspec.structs.replace(each, default_value=value))
    return msgspec.structs.replace(
        shortcut, tool=msgspec.structs.replace(tool, params=tuple(params))
    )


def _is_secret(parameter: ShortcutParameter) -> bool:
    return bool(parameter.default_value) and is_secret_name(parameter.name)


def _masked_binding(binding: PluginBinding) -> PluginBinding:
    shown = {
        name: MASK if name in binding.secrets else _masked(name, value)
        for name, value in binding.defaults.items()
    }
    return msgspec.structs.replace(binding, defaults=shown)


def _masked(name: str, value: Any) -> Any:
    if value is None or value == "":
        return value
    if is_secret_name(name):
        return MASK
    if isinstance(value, Mapping):
        return {key: _masked(key, each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_masked("", each) for each in value]
    return value


def _unmasked_binding(binding: PluginBinding, before: PluginBinding | None) -> PluginBinding:
    stored = {} if before is None else before.defaults
    kept = [name for name, value in binding.defaults.items() if value == MASK]
    defaults = {
        name: _unmasked(value, stored.get(name), f"plugins.defaults.{name}")
        for name, value in binding.defaults.items()
    }
    secrets = dict.fromkeys([*binding.secrets, *kept])
    return msgspec.structs.replace(
        binding,
        defaults=defaults,
        secrets=tuple(name for name in secrets if name in defaults and not is_secret_name(name)),
    )


def _unmasked(value: Any, stored: Any, where: str) -> Any:
    if value == MASK:
        if stored is None:
            raise _nothing_stored(where)
        return stored
    if isinstance(value, Mapping):
        earlier = stored if isinstance(stored, Mapping) else {}
        return {
            name: _unmasked(each, earlier.get(name), f"{where}.{name}")
            for name, each in value.items()
        }
    if isinstance(value, list | tuple):
        items = stored if isinstance(stored, list | tuple) else []
        return [
            _unmasked(each, items[number] if number < len(items) else None, f"{where}[{number}]")
            for number, each in enumerate(value)
        ]
    return value


def _nothing_stored(where: str) -> AgentInvalid:
    return AgentInvalid(
        f"{where}: {MASK} stands for a stored value, but none is stored here; send the value.",
        field=where,
    )
