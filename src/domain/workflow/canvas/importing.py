"""Finds the canvas in what people bring along, and puts ids of this deployment into it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from domain.shared.error import AppError
from domain.shared.text.json_scan import INNER_JSON, check_json
from domain.workflow.canvas.text import Dialect
from domain.workflow.definition.error import CanvasUnreadable
from domain.workflow.text import BrokenJson, decode_json, encode_json, spliced
from domain.workflow.value import Value

_WRAPPERS: Final = ("schema", "schema_json", "schemajson", "canvas", "workflow", "json", "data")
_NAMES: Final = ("name", "workflow_name", "title")
_DESCRIPTIONS: Final = ("description", "desc", "intro")
_IDS: Final = ("workflow_id", "workflowid")
_MODES: Final = ("flow_mode", "mode")
_WRAPPER_DEPTH: Final = 5
_CHATFLOW: Final = 3
_JSON_TEXTS: Final = frozenset({"backupllmparam"})
"""Settings that a canvas keeps as a text of JSON, in lower case."""


class IdMapping(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ids of the system a canvas comes from, and what stands for them here."""

    workflows: Mapping[str, str] = {}
    models: Mapping[str, str] = {}
    datasets: Mapping[str, str] = {}
    plugins: Mapping[str, str] = {}
    """Of plugins and of their tools."""
    databases: Mapping[str, str] = {}

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """All old ids with their new ones."""
        tables = (self.workflows, self.models, self.datasets, self.plugins, self.databases)
        return tuple(pair for table in tables for pair in table.items())

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to replace."""
        return not self.pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtCanvas:
    """A canvas as it came, with what its wrapping says about it."""

    text: str
    dialect: Dialect
    name: str = ""
    description: str = ""
    workflow_id: str = ""
    """What it was called by where it comes from."""
    is_chat: bool = False


def unwrap(text: str) -> BroughtCanvas:
    """Find the canvas in an export: bare, wrapped in objects, or as a text inside of one.

    The canvas itself is cut out to the character, never written anew.

    Raises:
        CanvasUnreadable: not JSON, or nothing in it looks like a canvas.
    """
    said: dict[str, msgspec.Raw] = {}
    for _ in range(_WRAPPER_DEPTH):
        members = _members(text)
        folded = {key.lower(): value for key, value in reversed(members.items())}
        if "nodes" in folded:
            return BroughtCanvas(
                text=text,
                dialect=_dialect(folded["nodes"]),
                name=_text(said, _NAMES),
                description=_text(said, _DESCRIPTIONS),
                workflow_id=_id(said),
                is_chat=any(_plain(said.get(key)) in {_CHATFLOW, "3"} for key in _MODES),
            )
        said.update(folded)
        inner = next((folded[key] for key in _WRAPPERS if key in folded), None)
        if inner is None:
            break
        value = _plain(inner)
        text = value if isinstance(value, str) else bytes(inner).decode()
    raise CanvasUnreadable(
        "There is no canvas in it: a JSON object with nodes and edges, bare or under "
        "schema, is needed."
    )


class Remapped(msgspec.Struct, frozen=True, kw_only=True):
    """A canvas with other ids; ``replaced``: those that were found, and what took their place."""

    text: str
    replaced: frozenset[tuple[str, str]] = frozenset()


def remap(text: str, mapping: IdMapping) -> Remapped:
    """Replace ids where a canvas names things; everything else stays to the character.

    Raises:
        CanvasUnreadable: not JSON.
    """
    try:
        before, root = decode_json(text), decode_json(text)
    except BrokenJson as error:
        raise CanvasUnreadable(f"The canvas is not JSON: {error}") from error
    replaced: set[tuple[str, str]] = set()
    _replace_all(root, _tables(mapping, replaced))
    return Remapped(text=spliced(text, before, root), replaced=frozenset(replaced))


class _Table:
    """Ids of one kind; remembers which of them were met."""

    def __init__(self, replaced: set[tuple[str, str]], *tables: Mapping[str, str]) -> None:
        self._ids = {old: new for table in tables for old, new in table.items()}
        self._replaced = replaced

    def get(self, old: object) -> str | None:
        """Return what stands for an id, None if it stays."""
        new = self._ids.get(str(old))
        if new is not None:
            self._replaced.add((str(old), new))
        return new

    def mapped(self, value: Value) -> Value:
        """Replace an id, or those in a list; anything else is returned as it is."""
        match value:
            case list(items):
                return [self.mapped(item) for item in items]
            case str() | int():
                return self.get(value) or value
            case _:
                return value


def _replace_all(root: Value, tables: Mapping[str, _Table]) -> None:
    waiting: list[Value] = [root]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            _rename_model(_named(value), tables["modeltype"])
            waiting.extend(value)
        elif isinstance(value, dict):
            members = [(key.lower(), value, key) for key in value]
            _rename_model(members, tables["modeltype"])
            _replace_in(value, tables)
            _replace_in_texts(value, tables)
            waiting.extend(value.values())


def _replace_in_texts(members: dict[str, Value], tables: Mapping[str, _Table]) -> None:
    """Replace ids in settings that a canvas keeps as a text of JSON."""
    for key, text in members.items():
        if key.lower() not in _JSON_TEXTS or not isinstance(text, str):
            continue
        try:
            inner = decode_json(text)
        except BrokenJson:  # the check of the canvas says so
            continue
        before = encode_json(inner)
        _replace_all(inner, tables)
        after = encode_json(inner)
        if after != before:
            members[key] = after


def _tables(mapping: IdMapping, replaced: set[tuple[str, str]]) -> Mapping[str, _Table]:
    """Which ids stand under which key, in lower case."""
    workflows = _Table(replaced, mapping.workflows)
    models = _Table(replaced, mapping.models)
    plugins = _Table(replaced, mapping.plugins)
    databases = _Table(replaced, mapping.databases)
    datasets = _Table(replaced, mapping.datasets)
    return {
        "workflowid": workflows,
        "workflow_id": workflows,
        "modeltype": models,
        "modlename": models,
        "modelname": models,
        "model": models,
        "datasetsearchextensionmodel": models,
        "expansionmodel": models,
        "expansion_model": models,
        "rerankmodel": models,
        "rerank_model": models,
        "pluginid": _Table(replaced, mapping.workflows, mapping.plugins),  # FastGPT's workflows
        "plugin_id": plugins,
        "toolid": plugins,  # of FastGPT's tools and sets of tools
        "apiid": plugins,
        "api_id": plugins,
        "databaseinfoid": databases,
        "datasetid": datasets,
        "datasetlist": datasets,
        "knowledgelist": datasets,
    }


def _replace_in(members: dict[str, Value], tables: Mapping[str, _Table]) -> None:
    for key, value in members.items():
        table = tables.get(key.lower())
        if table is None:
            continue
        if isinstance(value, list):
            for item in value:
                if isinstance(item, dict) and "id" in item:
                    item["id"] = table.mapped(item["id"])
        else:
            members[key] = table.mapped(value)
    for label, content in (("name", _content(members)), ("key", members)):
        table = tables.get(str(members.get(label)).lower())
        field = "content" if label == "name" else "value"
        if table is not None and content is not None and field in content:
            content[field] = table.mapped(content[field])


def _content(parameter: dict[str, Value]) -> dict[str, Value] | None:
    """The object that holds the value of a parameter: ``input.value``."""
    holder = parameter.get("input")
    value = holder.get("value") if isinstance(holder, dict) else None
    return value if isinstance(value, dict) else None


def _named(parameters: list[Value]) -> list[tuple[str, dict[str, Value], str]]:
    """Where the values of parameters stand: name, object and key."""
    return [
        (str(each.get("name")).lower(), content, "content")
        for each in parameters
        if isinstance(each, dict) and (content := _content(each)) is not None
    ]


def _rename_model(settings: list[tuple[str, dict[str, Value], str]], models: _Table) -> None:
    """Where a model is replaced by its id, its old name goes too, for both are looked up."""
    places = {name: (holder, key) for name, holder, key in settings}
    if "modeltype" not in places:
        return
    holder, key = places["modeltype"]
    chosen = models.get(holder.get(key))
    for name in ("modlename", "modelname"):
        if chosen is not None and name in places:
            holder, key = places[name]
            holder[key] = chosen


def _members(text: str) -> dict[str, msgspec.Raw]:
    """Read an object, and none of its members; as many as a canvas may have values."""
    try:
        check_json(text, INNER_JSON)
    except AppError as error:
        raise CanvasUnreadable(error.message) from error
    try:
        return msgspec.json.decode(text, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise CanvasUnreadable(f"This is not a JSON object: {str(error)[:200]}") from error


def _dialect(nodes: msgspec.Raw) -> Dialect:
    value = _plain(nodes)
    first = value[0] if isinstance(value, list) and value else None
    is_flow = isinstance(first, dict) and "flowNodeType" in first
    return Dialect.FASTGPT if is_flow else Dialect.COZE


def _text(said: Mapping[str, msgspec.Raw], keys: tuple[str, ...]) -> str:
    values = (_plain(said.get(key)) for key in keys)
    return next((value for value in values if isinstance(value, str)), "")


def _id(said: Mapping[str, msgspec.Raw]) -> str:
    values = (_plain(said.get(key)) for key in _IDS)
    return next((str(value) for value in values if isinstance(value, str | int) and value), "")


def _plain(raw: msgspec.Raw | None) -> Value:
    if raw is None:
        return None
    try:
        return decode_json(bytes(raw))
    except BrokenJson as error:
        raise CanvasUnreadable(f"This is not JSON: {str(error)[:200]}") from error
