"""A collection's vectors in memory: immutable snapshots over blocks that only grow."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

import numpy as np
from numpy.typing import NDArray

from infra.contract.storage.search_index import Hit, Where
from infra.impl.search_index.embedded.lists import Floats, Integers, Lists

_ROWS_AT_ONCE: Final = 1024
_SMALLEST_BLOCK: Final = 1024
_GROWTH: Final = 4  # a new block has room for a quarter of what is there
_FEW: Final = 8  # fewer than one in eight rows are compared one by one
_DEAD: Final = 4
_FEWEST_DEAD: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What one search sees. ``keys[n]`` are id, document, slice and creator of row ``n``.

    ``lists`` cover the first rows; ``change`` is the state of the file it was read from.
    Later snapshots share the blocks and write only to rows that this one does not have.
    """

    identity: str
    change: int
    dimensions: int
    keys: Integers
    alive: NDArray[np.bool_]
    blocks: tuple[Floats, ...]
    lists: Lists | None = None

    @property
    def rows(self) -> int:
        return len(self.keys)

    @property
    def size_bytes(self) -> int:
        """Memory that is not backed by a file."""
        in_memory = (block for block in self.blocks if not isinstance(block, np.memmap))
        return self.keys.nbytes + self.alive.nbytes + sum(block.nbytes for block in in_memory)

    @property
    def is_wasteful(self) -> bool:
        """Whether a quarter of the rows is dead."""
        dead = self.rows - int(np.count_nonzero(self.alive))
        return dead > max(_FEWEST_DEAD, self.rows // _DEAD)

    def changed(
        self, *, change: int, gone: Iterable[int], keys: Integers, vectors: Floats
    ) -> "Snapshot":
        """Return the state after entries were removed, replaced or added."""
        out = np.fromiter({*gone, *keys[:, 0].tolist()}, dtype=np.int64)
        alive = self.alive & ~np.isin(self.keys[:, 0], out)
        return replace(
            self,
            change=change,
            keys=np.concatenate([self.keys, keys]),
            alive=np.concatenate([alive, np.ones(len(keys), dtype=np.bool_)]),
            blocks=self._grown(vectors),
        )

    def _grown(self, vectors: Floats) -> tuple[Floats, ...]:
        blocks = self.blocks
        used = self.rows - sum(len(block) for block in blocks[:-1]) if blocks else 0
        free = len(blocks[-1]) - used if blocks else 0
        fitting = min(free, len(vectors))
        if fitting:
            blocks[-1][used : used + fitting] = vectors[:fitting]
        if fitting < len(vectors):
            left = vectors[fitting:]
            room = max(_SMALLEST_BLOCK, self.rows // _GROWTH, len(left))
            block = np.empty((room, self.dimensions), dtype=np.float32)
            block[: len(left)] = left
            blocks = (*blocks, block)
        return blocks

    def living(self) -> tuple[Integers, Floats]:
        """Return keys and vectors of the rows that are left, to be read only.

        Nothing is copied where nothing was deleted or added since the collection was read: a
        second copy of a large one would be what a process cannot have.
        """
        if len(self.blocks) == 1 and bool(self.alive.all()):
            return self.keys, self.blocks[0][: len(self.keys)]  # a block may have room
        rows = np.flatnonzero(self.alive)
        vectors = np.empty((len(rows), self.dimensions), dtype=np.float32)
        start = done = 0
        for block in self.blocks:
            inside = rows[(rows >= start) & (rows < start + len(block))] - start
            for at in range(0, len(inside), _ROWS_AT_ONCE):
                some = inside[at : at + _ROWS_AT_ONCE]
                vectors[done : done + len(some)] = block[some]
                done += len(some)
            start += len(block)
        return self.keys[rows], vectors

    def search(self, vector: Floats, *, limit: int, where: Where) -> list[Hit]:
        """Return the best entries; exact unless lists are used."""
        allowed = within(where, self.alive, documents=self.keys[:, 1], creators=self.keys[:, 3])
        count = int(np.count_nonzero(allowed))
        wanted = min(limit, count)
        if not wanted:
            return []
        if count * _FEW < self.rows:
            rows = np.flatnonzero(allowed)
            products = self._products_of(rows, vector)
        elif self.lists is not None and not self.lists.is_exhaustive:
            rows, products = self._listed_products(vector, allowed, self.lists)
            if len(rows) < wanted:  # the lists hold too little of what is allowed
                rows, products = self._all_products(vector, allowed)
        else:
            rows, products = self._all_products(vector, allowed)
        # Equal products at the border go by id, as everywhere.
        border = np.partition(products, len(products) - wanted)[len(products) - wanted]
        best = np.flatnonzero(products >= border)
        rows, products = rows[best], products[best]
        order = np.lexsort((self.keys[rows, 0], -products))[:wanted]
        found = self.keys[rows[order]].tolist()
        return [
            Hit(id=entry_id, document_id=document_id, slice_id=slice_id, raw=raw)
            for (entry_id, document_id, slice_id, _), raw in zip(
                found, products[order].tolist(), strict=True
            )
        ]

    def _listed_products(
        self, vector: Floats, allowed: NDArray[np.bool_], lists: Lists
    ) -> tuple[Integers, Floats]:
        """Compare the nearest lists, and all rows that are in none."""
        rows, products = lists.scan(self.blocks[0], vector)
        every_row, every_product = [rows], [products]
        start, first = 0, lists.rows
        for block in self.blocks:
            used = min(len(block), self.rows - start)
            every_row.append(np.arange(start + first, start + used))
            every_product.append(block[first:used] @ vector)
            start, first = start + len(block), 0
        rows, products = np.concatenate(every_row), np.concatenate(every_product)
        kept = allowed[rows]
        return rows[kept], products[kept]

    def _all_products(self, vector: Floats, allowed: NDArray[np.bool_]) -> tuple[Integers, Floats]:
        products = np.empty(self.rows, dtype=np.float32)
        start = 0
        for block in self.blocks:
            used = min(len(block), self.rows - start)
            np.matmul(block[:used], vector, out=products[start : start + used])
            start += used
        products[~allowed] = -np.inf
        return np.arange(self.rows), products

    def _products_of(self, rows: Integers, vector: Floats) -> Floats:
        products = []
        start = 0
        for block in self.blocks:
            inside = rows[(rows >= start) & (rows < start + len(block))] - start
            products.append(block[inside] @ vector)
            start += len(block)
        return np.concatenate(products)


def matrix(rows: int, dimensions: int, *, folder: Path | None) -> Floats:
    """Return room for vectors: in memory, or in a nameless file of ``folder``."""
    if folder is None or not rows:
        return np.empty((rows, dimensions), dtype=np.float32)
    with TemporaryFile(dir=folder) as file:
        return np.memmap(file, dtype=np.float32, mode="w+", shape=(rows, dimensions))


def within(
    where: Where, allowed: NDArray[np.bool_], *, documents: Integers, creators: Integers
) -> NDArray[np.bool_]:
    """Return which of the allowed rows a restriction lets through."""
    if where.documents is not None:
        allowed = allowed & np.isin(documents, _array(where.documents))
    if where.without_documents:
        allowed = allowed & ~np.isin(documents, _array(where.without_documents))
    if where.creator_id is not None:
        allowed = allowed & (creators == where.creator_id)
    return allowed


def _array(numbers: frozenset[int]) -> Integers:
    return np.fromiter(numbers, dtype=np.int64, count=len(numbers))


def unit(vector: Sequence[float], *, dimensions: int) -> Floats | None:
    """Return a vector with length 1; None if it is zero, not finite or of another dimension."""
    values = np.asarray(vector, dtype=np.float64)
    if values.shape != (dimensions,):
        return None
    norm = float(np.linalg.norm(values))
    if not np.isfinite(norm) or norm == 0.0:
        return None
    return np.asarray(values / norm, dtype=np.float32)
