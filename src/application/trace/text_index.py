"""Text index of traces: finds runs by what was asked and answered, some seconds after their end.

It is one collection of the deployment's text index; a workspace is a document of it, a run an
entry. The database decides what there is: what the index has too much is never shown, and removed.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from itertools import groupby
from typing import Final

from application.trace.body import TraceBodies
from domain.shared.error import AppError
from domain.shared.ids import SpaceId
from domain.trace.error import TraceUnreadable
from domain.trace.repository import TraceStore
from domain.trace.value import DueText, StoredSpan, TraceBody
from infra.contract.storage.search_index import (
    MAX_BATCH,
    CollectionNotFound,
    EntryKey,
    QueryTerm,
    TextCollection,
    TextEntry,
    TextIndex,
    TextIndexes,
    Where,
)

_logger: Final = logging.getLogger(__name__)
_PREFIX: Final = "trace_"
_BATCH: Final = MAX_BATCH
_PAGE: Final = 1000
_MOST: Final = 1000
"""So many runs may have a word before it is quicker to look into the newest runs for it."""
_TOKENS: Final = 8192
_LONG_CHARS: Final = 8192
"""Longer texts are taken apart in a thread."""


class TraceTextIndex:
    """Brings runs into the index, and finds them; ``analyse`` returns the words of a text."""

    def __init__(
        self,
        *,
        store: TraceStore,
        bodies: TraceBodies,
        texts: TextIndexes,
        analyse: Callable[[str], list[str]],
        analyzer: str,
    ) -> None:
        """``analyzer`` is the version that makes the words: another one begins a new collection."""
        self._store = store
        self._bodies = bodies
        self._texts = texts
        self._analyse = analyse
        self._analyzer = analyzer
        self._name = _PREFIX + "".join(c if c.isalnum() else "_" for c in analyzer.lower())
        self._is_there = False

    async def find(self, space_ids: Collection[SpaceId], text: str) -> frozenset[int] | None:
        """Return all runs that may have a text, by its rarest word; None if that says too little.

        That is so where nobody used the word, which may be a part of one, or too many did.
        """
        words = [QueryTerm(token=each) for each in self._words(text) if _is_simple(each)]
        if not words or not space_ids:
            return None
        try:
            index = await self._texts.open(self._name)
            stats = await index.term_stats([each.token for each in words])
            rarest = min(words, key=lambda each: stats.frequencies.get(each.token, 0))
            if not stats.frequencies.get(rarest.token):
                return None
            where = Where(documents=frozenset(map(int, space_ids)))
            hits = await index.search([rarest], limit=_MOST + 1, where=where)
        except CollectionNotFound:
            return None
        except AppError:
            _logger.warning("Traces are searched without their text index.", exc_info=True)
            return None
        return frozenset(hit.id for hit in hits) if len(hits) <= _MOST else None

    async def learn(self) -> None:
        """Bring what is due into the index; for one process at a time."""
        while due := await self._due():
            index = await self._open()  # not before: an idle process needs none
            async with self._store.snapshot() as uow:
                bodies = await uow.texts.bodies([each.run_id for each in due])
            entries = [
                await self._entry(list(some))
                for _, some in groupby(bodies, key=lambda body: body.run_id)
            ]
            if entries:
                await index.upsert(entries)
            async with self._store.transaction() as uow:
                await uow.texts.done(due)
                await uow.commit()

    async def forget(self) -> None:
        """Take out what is no longer kept."""
        try:
            index, after = await self._texts.open(self._name), 0
        except CollectionNotFound:
            return
        while entries := await index.scan(after=after, limit=_PAGE):
            after = entries[-1].id
            async with self._store.snapshot() as uow:
                kept = await uow.texts.kept([each.id for each in entries])
            if gone := [each.id for each in entries if each.id not in kept]:
                await index.delete(ids=gone)

    async def _due(self) -> Sequence[DueText]:
        async with self._store.snapshot() as uow:
            return await uow.texts.due(limit=_BATCH)

    async def _open(self) -> TextIndex:
        """Return the collection; where it is new, all that is kept comes into it."""
        if not self._is_there:
            names = await self._texts.names(_PREFIX)
            if self._name not in names:
                async with self._store.transaction() as uow:
                    await uow.texts.everything()
                    await uow.commit()
                await self._texts.create(TextCollection(name=self._name, analyzer=self._analyzer))
            for name in names:
                if name != self._name:
                    await self._texts.drop(name)
            self._is_there = True
        return await self._texts.open(self._name)

    async def _entry(self, stretches: Sequence[TraceBody]) -> TextEntry:
        said: list[str] = []
        for body in stretches:
            try:
                said += said_in(await self._bodies.open(body))
            except TraceUnreadable:
                continue
        run_id, text = stretches[0].run_id, "\n".join(said)
        if len(text) > _LONG_CHARS:
            words = await asyncio.to_thread(self._words, text)
        else:
            words = self._words(text)
        space_id = int(stretches[0].space_id)
        key = EntryKey(id=run_id, document_id=space_id, slice_id=run_id, generation=0, creator_id=0)
        return TextEntry(key=key, tokens=words)

    def _words(self, text: str) -> list[str]:
        """Return the words of a text, each once: how often it was said counts for nothing."""
        return list(dict.fromkeys(self._analyse(text)))[:_TOKENS]


def said_in(spans: Sequence[StoredSpan]) -> list[str]:
    """Return the question and the answer of a run."""
    return [text for span in spans if not span.parent for text in (span.input, span.output) if text]


def _is_simple(word: str) -> bool:
    """Tell whether a text with the word in it has it as a word, also where more is joined to it."""
    return all(c.isalnum() or not c.isascii() for c in word)
