"""Snapshots of collections that searches hold in memory, within a budget."""

import threading
from collections import OrderedDict, defaultdict
from typing import Generic, Protocol, TypeVar


class Sized(Protocol):
    """What takes memory."""

    @property
    def size_bytes(self) -> int: ...


SnapshotT = TypeVar("SnapshotT", bound=Sized)


class SnapshotCache(Generic[SnapshotT]):
    """Snapshots by collection; those used least are dropped when the budget is spent."""

    def __init__(self, *, budget_bytes: int) -> None:
        self.budget_bytes = budget_bytes
        self._lock = threading.Lock()
        self._snapshots: OrderedDict[str, SnapshotT] = OrderedDict()
        self._refreshing: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    def get(self, name: str) -> SnapshotT | None:
        """Return what is held of a collection, whether or not that is its state."""
        with self._lock:
            known = self._snapshots.get(name)
            if known is not None:
                self._snapshots.move_to_end(name)
            return known

    def refreshing(self, name: str) -> threading.Lock:
        """Return the lock that whoever reads a collection anew holds."""
        with self._lock:
            return self._refreshing[name]

    def keep(self, name: str, snapshot: SnapshotT) -> None:
        """Hold a snapshot; the last one stays even if it alone is beyond the budget."""
        with self._lock:
            self._snapshots[name] = snapshot
            self._snapshots.move_to_end(name)
            used = sum(known.size_bytes for known in self._snapshots.values())
            while used > self.budget_bytes and len(self._snapshots) > 1:
                _, dropped = self._snapshots.popitem(last=False)
                used -= dropped.size_bytes

    def holds(self, name: str) -> bool:
        """Tell whether searches have brought a collection into memory."""
        with self._lock:
            return name in self._snapshots

    def forget(self, name: str) -> None:
        """Drop what is held of a collection."""
        with self._lock:
            self._snapshots.pop(name, None)
            self._refreshing.pop(name, None)

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._snapshots.clear()
            self._refreshing.clear()
