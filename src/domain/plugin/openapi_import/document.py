"""Plain documents as they come in: bounded, with references that can be followed."""

from collections.abc import Mapping
from typing import Any, Final

from domain.plugin.error import DocumentUnreadable

_NODES: Final = 500_000
_DEPTH: Final = 64
_HOPS: Final = 32

Node = Mapping[str, Any]


class Document:
    """A decoded document whose local references resolve."""

    def __init__(self, root: Any) -> None:
        """Raise ``DocumentUnreadable`` for one that is no object, too deep, or too large."""
        if not isinstance(root, dict):
            raise DocumentUnreadable("The document is no object.")
        _Budget().check(root)
        self.root: Node = root

    def resolve(self, node: Any, where: str) -> Node:
        """Return what a node is after following its references.

        Raises:
            DocumentUnreadable: the target is outside the document, missing, or goes in circles.
        """
        for _ in range(_HOPS):
            if not isinstance(node, Mapping):
                raise DocumentUnreadable(f"{where}: an object is needed.")
            target = node.get("$ref")
            if not isinstance(target, str):
                return node
            node = self._at(target, where)
        raise DocumentUnreadable(f"{where}: references go in circles.")

    def _at(self, pointer: str, where: str) -> Any:
        if pointer in mapping(self.root, "definitions"):  # as old documents write it
            return mapping(self.root, "definitions")[pointer]
        if not pointer.startswith("#/"):
            raise DocumentUnreadable(
                f"{where}: {pointer[:120]} is outside the document; put it inside."
            )
        node: Any = self.root
        for part in pointer[2:].split("/"):
            key = part.replace("~1", "/").replace("~0", "~").replace("%7B", "{").replace("%7D", "}")
            if isinstance(node, Mapping) and key in node:
                node = node[key]
            elif isinstance(node, list) and key.isdigit() and int(key) < len(node):
                node = node[int(key)]
            else:
                raise DocumentUnreadable(f"{where}: there is no {pointer[:120]}.")
        return node


class _Budget:
    """Counts what a walk would see: shared parts of a YAML document count every time."""

    def __init__(self) -> None:
        self._left = _NODES

    def check(self, node: Any, depth: int = 0) -> None:
        self._left -= 1
        if self._left < 0:
            raise DocumentUnreadable(f"The document has more than {_NODES} parts.")
        if depth > _DEPTH:
            raise DocumentUnreadable(f"The document is nested deeper than {_DEPTH} levels.")
        if isinstance(node, dict):
            for key, each in node.items():
                if not isinstance(key, str | int):
                    raise DocumentUnreadable("The document has a key that is no text.")
                self.check(each, depth + 1)
        elif isinstance(node, list):
            for each in node:
                self.check(each, depth + 1)


def text_of(node: Node, name: str) -> str:
    """Return a text of an object; empty for everything else."""
    found = node.get(name)
    return found.strip() if isinstance(found, str) else ""


def objects(node: Node, name: str) -> list[Any]:
    """Return a list of an object; empty for everything else."""
    found = node.get(name)
    return found if isinstance(found, list) else []


def mapping(node: Node, name: str) -> Node:
    """Return an object of an object; empty for everything else."""
    found = node.get(name)
    return found if isinstance(found, Mapping) else {}
