"""Where the nodes of a canvas stand, and what a reference means from there."""

from dataclasses import dataclass, field

from domain.workflow import graph
from domain.workflow.value import Path

ROOT = ""
"""Scope id of the top level; the scope id of a body is the id of its composite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A node's scope; for a composite also what its inner nodes can read of it."""

    scope: str
    is_live: bool = True
    lists: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()


@dataclass(slots=True)
class Places:
    """All nodes of a canvas by id, and the scopes around each scope."""

    by_id: dict[str, Place] = field(default_factory=dict)
    _chains: dict[str, dict[str, int]] = field(default_factory=lambda: {ROOT: {ROOT: 0}})

    def put(self, node_id: str, place: Place) -> None:
        """Note a node; composites come before the nodes inside them."""
        self.by_id.setdefault(node_id, place)

    def open(self, composite: str, scope: str) -> None:
        """Note that ``composite``, which stands in ``scope``, has a body."""
        outer = self._chains[scope]
        self._chains[composite] = {composite: 0, **{name: hops + 1 for name, hops in outer.items()}}

    def resolve(self, reader_scope: str, node_id: str, path: Path) -> graph.Expr:
        """Say what output ``path`` of ``node_id`` is for a node that stands in ``reader_scope``."""
        place = self.by_id.get(node_id)
        if place is None:
            return graph.Unresolved("WF201", node_id, path)
        chain = self._chains[reader_scope]
        hops = chain.get(node_id)
        if hops is not None and node_id != ROOT:
            return self._inside(place, node_id, path, hops)
        hops = chain.get(place.scope)
        if hops is None:
            return graph.Unresolved("WF204", node_id, path)
        if not place.is_live:
            return graph.Unresolved("WF203", node_id, path)
        return graph.Ref(node_id, path, hops)

    @staticmethod
    def _inside(place: Place, composite: str, path: Path, hops: int) -> graph.Expr:
        match path:
            case (str(name), *rest) if name in place.lists:
                return graph.Element(composite, name, tuple(rest), hops)
            case (str(name), *rest) if name in place.variables:
                return graph.LoopVariable(composite, name, tuple(rest), hops)
            case ("index",):
                return graph.Index(composite, hops)
            case _:
                return graph.Unresolved("WF202", composite, path)
