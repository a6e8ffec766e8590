"""Agents as readable documents: what leaves a deployment, and what comes back in.

A document holds no secret: what looks like one becomes a reference by name, and whoever imports
it supplies the value.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

import msgspec

from domain.agent.error import AgentInvalid
from domain.agent.tools.fixed_value import is_secret_name
from domain.agent.value import AgentConfig, KnowledgeSettings, Mode, ModelSettings

FORMAT: Final = 1
_REFERENCE: Final = "$secret"
_SECRETS: Final = "AGENT_"
"""How names of secrets begin: a document must not ask for any other variable of its reader."""

_NAMED_BY: Final = {"keyword": "default_value", "name": "default_value", "key": "value"}
"""Lists of named values: the field with the name, and that with the value."""


class NamedReference(msgspec.Struct, frozen=True, kw_only=True):
    """Something of the workspace that the agent uses; the name is for readers."""

    id: str
    name: str = ""


class AgentBundle(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """An agent's draft as a document. ``settings`` is its configuration without what is named."""

    kind: Literal["coterie.agent"]
    format: int
    name: str
    description: str = ""
    mode: Mode = Mode.SINGLE
    workspace_id: str = ""
    """Where it comes from: ids in ``settings`` mean something there only."""
    model: str = ""
    knowledge: tuple[NamedReference, ...] = ()
    agents: tuple[NamedReference, ...] = ()
    """Names of the agents that ``settings`` refers to."""
    settings: dict[str, Any] = {}


def to_settings(config: AgentConfig) -> dict[str, Any]:
    """Return the configuration as plain values, without secrets and references by name."""
    plain = msgspec.structs.replace(
        config,
        model=msgspec.structs.replace(config.model, model_id=""),
        memory=msgspec.structs.replace(config.memory, model_id=""),
        knowledge=msgspec.structs.replace(config.knowledge, dataset_ids=()),
        shortcuts=tuple(
            msgspec.structs.replace(each, icon_file_id=None) for each in config.shortcuts
        ),
    )
    values = msgspec.to_builtins(plain)
    for binding in values.get("plugins", ()):
        for name in binding.get("secrets", ()):
            if name in binding.get("defaults", {}):
                binding["defaults"][name] = _reference("_plugins_defaults", name)
    found: dict[str, Any] = _sealed(values, "")
    return {name: value for name, value in found.items() if value}


def from_settings(settings: Mapping[str, Any], secrets: Mapping[str, str]) -> AgentConfig:
    """Read a configuration; raise ``AgentInvalid`` naming what is wrong or which secret lacks."""
    opened = _opened(settings, secrets)
    try:
        config = msgspec.convert(opened, AgentConfig)
    except msgspec.ValidationError as exc:
        raise AgentInvalid(f"settings: {exc}", field="settings") from exc
    if unknown := next(_unknown(opened, config, "settings"), ""):
        raise AgentInvalid(f"{unknown} is no setting of an agent.", field="settings")
    return config


def without_bindings(config: AgentConfig) -> tuple[AgentConfig, tuple[str, ...]]:
    """Return the configuration as it can be in another workspace, and what was left out.

    Other agents stay: they are looked for by their names.
    """
    kept = AgentConfig(
        prompt=config.prompt,
        model=config.model,
        onboarding=config.onboarding,
        suggest_reply=config.suggest_reply,
        knowledge=msgspec.structs.replace(config.knowledge, dataset_ids=()),
        variables=config.variables,
        memory=config.memory,
        shortcuts=tuple(
            msgspec.structs.replace(each, icon_file_id=None, tool=None) for each in config.shortcuts
        ),
        client_tools=config.client_tools,
        link_hosts=config.link_hosts,
        egress_hosts=config.egress_hosts,
        agents=config.agents,
        router=config.router,
        openai_system=config.openai_system,
        openai_tools=config.openai_tools,
    )
    default = AgentConfig()
    lost = [
        name
        for name in AgentConfig.__struct_fields__
        if _value(kept, name) == _value(default, name) != _value(config, name)
    ]
    lost += [f"tool of the shortcut {each.name}" for each in config.shortcuts if each.tool]
    return kept, tuple(lost)


def bound(config: AgentConfig, *, model_id: str, dataset_ids: tuple[int, ...]) -> AgentConfig:
    """Return the configuration with the references that were resolved."""
    model: ModelSettings = msgspec.structs.replace(config.model, model_id=model_id)
    knowledge: KnowledgeSettings = msgspec.structs.replace(
        config.knowledge, dataset_ids=dataset_ids
    )
    return msgspec.structs.replace(config, model=model, knowledge=knowledge)


def secret_names(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names under which an import expects secrets."""
    return tuple(dict.fromkeys(_references(settings)))


def _value(config: AgentConfig, name: str) -> Any:
    return msgspec.structs.asdict(config)[name]


def _sealed(value: Any, path: str) -> Any:
    if isinstance(value, Mapping):
        names = {
            value[field]: holder
            for field, holder in _NAMED_BY.items()
            if isinstance(value.get(field), str)
        }
        hidden = {holder for name, holder in names.items() if is_secret_name(name)}
        named = next((name for name in names if is_secret_name(name)), "")
        return {
            key: _reference(path, named if key in hidden else key)
            if each and isinstance(each, str) and (key in hidden or is_secret_name(key))
            else _sealed(each, f"{path}_{key}")
            for key, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [_sealed(each, path) for each in value]
    return value


def _reference(path: str, name: str) -> dict[str, str]:
    words = re.sub(r"\W+", "_", f"{path}_{name}", flags=re.ASCII)
    return {_REFERENCE: f"{_SECRETS}{words.lstrip('_').upper()}"}


def _opened(value: Any, secrets: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        if set(value) == {_REFERENCE}:
            name = str(value[_REFERENCE])
            if not name.startswith(_SECRETS):
                raise AgentInvalid(
                    f"The document refers to the secret {name[:80]!r}, but only names that begin "
                    f"with {_SECRETS} can be secrets of an agent.",
                    field="settings",
                )
            if name not in secrets:
                raise AgentInvalid(
                    f"The document refers to the secret {name}: set the environment variable of "
                    "this name.",
                    field=name,
                )
            return secrets[name]
        return {key: _opened(each, secrets) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_opened(each, secrets) for each in value]
    return value


def _unknown(given: Any, read: Any, path: str) -> Iterator[str]:
    """Yield the places of what was given but means nothing: most likely a slip of the pen."""
    if isinstance(read, msgspec.Struct) and isinstance(given, Mapping):
        fields = msgspec.structs.asdict(read)
        for name, value in given.items():
            if name not in fields:
                yield f"{path}.{name}"
            else:
                yield from _unknown(value, fields[name], f"{path}.{name}")
    elif isinstance(read, tuple) and isinstance(given, list):
        for number, (one, other) in enumerate(zip(given, read, strict=True)):
            yield from _unknown(one, other, f"{path}[{number}]")


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if set(value) == {_REFERENCE}:
            yield str(value[_REFERENCE])
        for each in value.values():
            yield from _references(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _references(each)
