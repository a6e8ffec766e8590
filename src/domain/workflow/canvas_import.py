"""Finds the canvas in what people bring along, and puts ids of this deployment into it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from domain.workflow.canvas_text import Dialect
from domain.workflow.definition_error import CanvasUnreadable
from domain.workflow.text import BrokenJson, decode_json
from domain.workflow.value import Value

_WRAPPERS: Final = ("schema", "schema_json", "schemajson", "canvas", "workflow", "json", "data")
_NAMES: Final = ("name", "workflow_name", "title")
_DESCRIPTIONS: Final = ("description", "desc", "intro")
_MODES: Final = ("flow_mode", "mode")
_WRAPPER_DEPTH: Final = 5
_CHATFLOW: Final = 3


class IdMapping(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ids of the system a canvas comes from, and what stands for them here."""

    workflows: Mapping[str, str] = {}
    models: Mapping[str, str] = {}
    datasets: Mapping[str, str] = {}
    plugins: Mapping[str, str] = {}
    """Of plugins and of their tools."""
    databases: Mapping[str, str] = {}

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to replace."""
        return not any((self.workflows, self.models, self.datasets, self.plugins, self.databases))


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtCanvas:
    """A canvas as it came, with what its wrapping says about it."""

    text: str
    dialect: Dialect
    name: str = ""
    description: str = ""
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


def remap(text: str, mapping: IdMapping) -> str:
    """Replace ids where a canvas names things; everything else stays, in its order.

    Raises:
        CanvasUnreadable: not JSON.
    """
    try:
        root = decode_json(text)
    except BrokenJson as error:
        raise CanvasUnreadable(f"The canvas is not JSON: {error}") from error
    tables = _tables(mapping)
    waiting: list[Value] = [root]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            _rename_model(value, mapping.models)
            waiting.extend(value)
        elif isinstance(value, dict):
            _replace_in(value, tables)
            waiting.extend(value.values())
    return msgspec.json.encode(root).decode()


def _tables(mapping: IdMapping) -> Mapping[str, Mapping[str, str]]:
    """Which ids stand under which key, in lower case."""
    return {
        "workflowid": mapping.workflows,
        "workflow_id": mapping.workflows,
        "modeltype": mapping.models,
        "modlename": mapping.models,
        "modelname": mapping.models,
        "model": mapping.models,
        "datasetsearchextensionmodel": mapping.models,
        "expansionmodel": mapping.models,
        "expansion_model": mapping.models,
        "rerankmodel": mapping.models,
        "rerank_model": mapping.models,
        "pluginid": {**mapping.workflows, **mapping.plugins},  # FastGPT calls workflows so
        "plugin_id": mapping.plugins,
        "apiid": mapping.plugins,
        "api_id": mapping.plugins,
        "databaseinfoid": mapping.databases,
        "datasetid": mapping.datasets,
        "datasetlist": mapping.datasets,
        "knowledgelist": mapping.datasets,
    }


def _replace_in(members: dict[str, Value], tables: Mapping[str, Mapping[str, str]]) -> None:
    for key, value in members.items():
        table = tables.get(key.lower())
        if table and isinstance(value, str | int):
            members[key] = table.get(str(value), value)
        elif table and isinstance(value, list):
            for item in value:
                if isinstance(item, dict) and "id" in item:
                    item["id"] = table.get(str(item["id"]), item["id"])
    for label, content in (("name", _content(members)), ("key", members)):
        table = tables.get(str(members.get(label)).lower())
        field = "content" if label == "name" else "value"
        if table and content is not None and field in content:
            content[field] = _mapped(content[field], table)


def _mapped(value: Value, table: Mapping[str, str]) -> Value:
    match value:
        case list(items):
            return [_mapped(item, table) for item in items]
        case str() | int():
            return table.get(str(value), value)
        case _:
            return value


def _content(parameter: dict[str, Value]) -> dict[str, Value] | None:
    """The object that holds the value of a parameter: ``input.value``."""
    holder = parameter.get("input")
    value = holder.get("value") if isinstance(holder, dict) else None
    return value if isinstance(value, dict) else None


def _rename_model(parameters: list[Value], models: Mapping[str, str]) -> None:
    """Where a model is replaced by its id, its old name goes too, for both are looked up."""
    named = {
        str(each.get("name")).lower(): content
        for each in parameters
        if isinstance(each, dict) and (content := _content(each)) is not None
    }
    chosen = models.get(str(named.get("modeltype", {}).get("content")))
    for key in ("modlename", "modelname"):
        if chosen is not None and key in named:
            named[key]["content"] = chosen


def _members(text: str) -> dict[str, msgspec.Raw]:
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


def _plain(raw: msgspec.Raw | None) -> Value:
    if raw is None:
        return None
    try:
        return decode_json(bytes(raw))
    except BrokenJson as error:
        raise CanvasUnreadable(f"This is not JSON: {str(error)[:200]}") from error
