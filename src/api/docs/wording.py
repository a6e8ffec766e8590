"""Words of the document: what operations, their groups and the fields of bodies are for."""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any, Final

import msgspec

from application.shared.projection import Projected

TAGS: Final[Mapping[str, tuple[str, str]]] = {
    "Chat": ("Chat", "Questions to agents, answered in one piece or as a stream."),
    "Messages": ("Messages", "What was said in a conversation, and what people think of it."),
    "Conversations": ("Conversations", "What end users and agents say to each other."),
    "Runs": ("Runs", "Events of a chat, live or again from a number on."),
    "OpenAI": ("OpenAI", "Agents and models for clients of OpenAI."),
    "Workflows": ("Workflows", "Runs of workflows and their history."),
    "workflows": ("Workflows", "Runs of workflows and their history."),
    "bots": ("Agents", "Agents as clients of Coze know them."),
    "connectors": ("Connectors", "Places where agents are published."),
    "templates": ("Templates", "Agents to copy."),
    "apps": ("Apps", "Projects of workflows."),
    "datasets": ("Knowledge bases", "Bases of documents, tables and images."),
    "Knowledge bases": ("Knowledge bases", "Bases of documents, tables and images."),
    "documents": ("Documents", "Documents of knowledge bases."),
    "slices": ("Slices", "Pieces of documents that a search finds."),
    "files": ("Files", "Uploads and their bytes."),
    "variables": ("Variables", "What agents keep about an end user."),
    "workspaces": ("Workspaces", "Who shares agents, workflows and knowledge."),
    "users": ("Users", "The account of the token."),
    "operations": ("Operations", "Health, metrics and version of a process."),
    "admin agents": ("Admin: agents", "Drafts, versions and publishing of agents."),
    "admin apps": ("Admin: apps", "Projects with their conversations and releases."),
    "admin conversations": ("Admin: conversations", "Conversations of everybody."),
    "admin databases": ("Admin: databases", "Tables that agents and workflows read and write."),
    "admin files": ("Admin: files", "Uploads of a workspace."),
    "admin identity": ("Admin: identity", "Accounts, workspaces, members and tokens."),
    "admin knowledge": ("Admin: knowledge", "Bases, documents, previews and search tests."),
    "admin memory": ("Admin: memory", "What agents remember of end users."),
    "admin models": ("Admin: models", "Models of the deployment and their providers."),
    "admin plugins": ("Admin: plugins", "Tools of HTTP services and MCP servers."),
    "admin prompts": ("Admin: prompts", "The library of prompts."),
    "admin runs": ("Admin: runs", "Chats of everybody, for support."),
    "admin variables": ("Admin: variables", "Variables of agents and their values."),
    "admin workflow runs": ("Admin: workflow runs", "Runs, their nodes and their answers."),
    "admin workflows": ("Admin: workflows", "Canvases, versions, imports and exports."),
}
"""Groups by the name that controllers give them: title and text."""

_SURFACES: Final = frozenset({"admin", "openai"})
_OF_ONE: Final = frozenset(
    {"accept", "copy", "create", "delete", "duplicate", "export", "get", "issue", "publish"}
    | {"restore", "resume", "retrieve", "run", "set", "test", "unpublish", "update", "validate"}
)
"""Verbs whose object is one thing; the others are about several."""

_MAX_SUMMARY: Final = 60
_LAYERS: Final = ("api.", "application.", "domain.")
_COPIES: Final = "api.body.shape"
"""Where bodies are copied that refuse unknown fields, once they are read."""


def summary(operation_id: str) -> str:
    """Say in a few words what an operation does, from its name: a verb and what it is about."""
    *things, verb = operation_id.replace("admin_", "").split(".")
    words = [_spaced(each) for each in things if each not in _SURFACES]
    action, *more = _spaced(verb).split(" ")
    if action in _OF_ONE:
        words = [_one(each) for each in words]
    text = " ".join([action.capitalize(), *words, *more])
    return text[:_MAX_SUMMARY]


def _one(word: str) -> str:
    """Return the singular of a resource."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word.removesuffix("s") if not word.endswith("ss") else word


def _spaced(name: str) -> str:
    """Take ``tableSchema`` and ``get_version`` apart."""
    return "".join(f" {c.lower()}" if c.isupper() else c for c in name).replace("_", " ")


def tag_list(used: set[str]) -> list[dict[str, str]]:
    """Describe the groups that operations are in, by title."""
    found = {title: text for name, (title, text) in TAGS.items() if name in used}
    return [{"name": title, "description": found[title]} for title in sorted(found)]


def field_words(component: Mapping[str, Any], struct: type) -> dict[str, str]:
    """Return the words that stand below the fields of a class, by their names on the wire."""
    told = _words(struct)
    wire = {each.name: each.encode_name for each in msgspec.structs.fields(struct)}
    names = component.get("properties", {})
    return {wire.get(f, f): text for f, text in told.items() if wire.get(f, f) in names}


def _words(kind: type) -> dict[str, str]:
    """Read the texts below the fields of a class and of what it was made from."""
    found: dict[str, str] = {}
    source = kind.projected_of if isinstance(kind, Projected) else None
    if isinstance(source, type):
        found |= _words(source)
    for each in reversed(kind.__mro__):
        found |= _own_words(each)
    return found


def _own_words(kind: type) -> Mapping[str, str]:
    return _words_in(kind.__module__).get(kind.__qualname__, {})


@cache
def _words_in(module: str) -> Mapping[str, Mapping[str, str]]:
    """Read the texts below the fields of all classes of a module, which is parsed once."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError, KeyError):
        return {}
    return {each.name: dict(_texts(each)) for each in tree.body if isinstance(each, ast.ClassDef)}


def _texts(described: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, text in pairwise(described.body):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
            and isinstance(text.value.value, str)
        ):
            yield field.target.id, inspect.cleandoc(text.value.value).replace("\n", " ")


def structs_by_name() -> dict[str, type]:
    """Return the structures that answers and bodies are made of, by their names.

    Those of the surfaces come before those of use cases and values; where two of one layer have a
    name, nobody knows which is meant. What else the process has loaded does not count.
    """
    found: dict[str, list[type]] = {}
    waiting: list[type] = [msgspec.Struct]
    seen: set[type] = set()
    while waiting:
        known: list[type] = type.__subclasses__(waiting.pop())
        for kind in known:
            if kind not in seen:
                seen.add(kind)
                waiting.append(kind)
                found.setdefault(kind.__name__, []).append(kind)
    chosen: dict[str, type] = {}
    for name, kinds in found.items():
        for layer in _LAYERS:
            of_layer = [kind for kind in kinds if kind.__module__.startswith(layer)]
            of_layer = [kind for kind in of_layer if kind.__module__ != _COPIES]
            if of_layer:
                if len(of_layer) == 1:
                    chosen[name] = of_layer[0]
                break
    return chosen
