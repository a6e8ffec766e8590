"""Which nodes come before a node, and which are sure to have run when it runs."""

from collections.abc import Iterable
from functools import reduce
from operator import and_

from domain.workflow.graph import PLAIN_PORT, Scope
from domain.workflow.plan import BOUNDARY, EdgePlan, ScopePlan


class Order:
    """Ancestors and certainties of the nodes of one acyclic scope, as sets of bits.

    A node that runs implies that every target of its plain edges runs, and whatever runs on each
    of its ports; and whatever all of its incoming edges imply.
    """

    def __init__(self, plan: ScopePlan) -> None:
        self._plan = plan
        order = _topological(plan)
        self.is_complete = len(order) == len(plan.nodes)
        self._ancestors = self._find_ancestors(order)
        self._by_port: dict[tuple[int, str], int] = {}
        self._implied = self._find_implied(order)
        self._certain = self._find_certain(order)

    def comes_before(self, source: int, reader: int) -> bool:
        """Tell whether control can pass from one node to the other."""
        return bool(self._ancestors[reader] >> source & 1)

    def is_certain(self, source: int, reader: int) -> bool:
        """Tell whether ``source`` has run in every case in which ``reader`` runs."""
        return bool(self._certain[reader] >> source & 1)

    def _find_ancestors(self, order: list[int]) -> list[int]:
        found = [0] * len(self._plan.nodes)
        for index in order:
            for edge in self._incoming(index):
                found[index] |= found[edge.source] | 1 << edge.source
        return found

    def _find_implied(self, order: list[int]) -> list[int]:
        found = [0] * len(self._plan.nodes)
        for index in reversed(order):
            ports = self._plan.nodes[index].node.ports
            implied = 1 << index | self._on_port(found, index, PLAIN_PORT)
            if ports:
                branches = [self._on_port(found, index, port) for port in ports]
                implied |= reduce(and_, branches)
            found[index] = implied
        return found

    def _find_certain(self, order: list[int]) -> list[int]:
        found = [0] * len(self._plan.nodes)
        for index in order:
            cases = [
                found[edge.source] | self._on_port(self._implied, edge.source, edge.port)
                for edge in self._incoming(index)
            ]
            found[index] = self._implied[index] | (reduce(and_, cases) if cases else 0)
        return found

    def _incoming(self, index: int) -> Iterable[EdgePlan]:
        edges = (self._plan.edges[edge] for edge in self._plan.nodes[index].incoming)
        return (edge for edge in edges if edge.source != BOUNDARY)

    def _on_port(self, implied: list[int], index: int, port: str) -> int:
        """What runs when the node chooses the port; asked once every target is known."""
        key = (index, port)
        if key not in self._by_port:
            found = 0
            for edge in self._plan.nodes[index].edges_by_port.get(port, ()):
                target = self._plan.edges[edge].target
                if target != BOUNDARY:
                    found |= implied[target]
            self._by_port[key] = found
        return self._by_port[key]


def can_be_ordered(scope: Scope, *, limit: int) -> bool:
    """Tell whether the sets of bits of a scope stay small enough to be worth it."""
    return not scope.is_cyclic and len(scope.nodes) <= limit


def _topological(plan: ScopePlan) -> list[int]:
    waiting_for = [
        sum(plan.edges[edge].source != BOUNDARY for edge in node.incoming) for node in plan.nodes
    ]
    order = [index for index, count in enumerate(waiting_for) if not count]
    for index in order:
        for edge in plan.nodes[index].outgoing:
            target = plan.edges[edge].target
            if target != BOUNDARY:
                waiting_for[target] -= 1
                if not waiting_for[target]:
                    order.append(target)
    return order
