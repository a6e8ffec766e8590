"""Slices into the search stores of their base, and out again."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from application.knowledge.ingest.embedding_cache import EmbeddingCache
from application.shared.aside import aside
from crossdomain.model.contract import EmbeddingDescription, Models
from domain.knowledge.dataset import Dataset
from domain.knowledge.error import EmbeddingChanged
from domain.knowledge.rebuild import IndexPlan
from domain.knowledge.slice import Slice
from domain.knowledge.text.analyzer import Analyzer
from domain.knowledge.value import DatasetId, DocumentId, SliceId
from domain.shared.access import CONNECTOR_API, TenantScope
from domain.shared.account import INGEST, Account
from domain.shared.call import CallContext, RecordCall, drop_call
from domain.shared.capacity.fair_share import MAX_WAIT_S
from domain.shared.capacity.processor import in_turn
from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError, InvalidRequest
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from infra.contract.storage.search_index import (
    MAX_BATCH,
    MAX_TERMS,
    CollectionNotFound,
    EntryKey,
    QueryTerm,
    TextCollection,
    TextEntry,
    TextIndexes,
    VectorCollection,
    VectorEntry,
    VectorIndexes,
    Where,
)

REMOVED_AT_ONCE: Final = 1000
_AT_ONCE_CHARS: Final = 4000  # half a millisecond
_ALL_WORDS: Final = 0.999
"""Coverage of an entry that holds all words of a question, whatever rounding does."""
_TEXT_AT_FAULT: Final = frozenset(
    {ModelFailure.CONTEXT_OVERFLOW, ModelFailure.CONTENT_FILTER, ModelFailure.INVALID_REQUEST}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What became of a batch; ``dimensions`` is 0 if every text was at fault."""

    model: str
    dimensions: int
    failed: Mapping[SliceId, str]
    """The reasons of those that the model refuses."""


class SliceIndexer:
    """Keeps vectors and tokens of slices; all stores accept a batch, or it is not done."""

    def __init__(
        self,
        *,
        models: Models,
        vectors: VectorIndexes,
        texts: TextIndexes,
        analyzer: Analyzer,
        cache: EmbeddingCache | None = None,
    ) -> None:
        self._models = models
        self._vectors = vectors
        self._texts = texts
        self._analyzer = analyzer
        self._cache = cache

    async def write(
        self,
        scope: TenantScope,
        dataset: Dataset,
        slices: Sequence[Slice],
        *,
        record: RecordCall = drop_call,
    ) -> None:
        """Index up to ``MAX_BATCH`` slices and mark each done, or failed if its text is at fault.

        The first call fixes the embedding of ``dataset``, which the caller saves. While the index
        is built anew the slices go into the new one too. Raises what models and stores raise.
        """
        written = await self.fill(scope, dataset, dataset.index, slices, record=record)
        for item in slices:
            if (reason := written.failed.get(item.id)) is None:
                item.mark_indexed()
            else:
                item.mark_failed(reason)
        if written.dimensions:
            dataset.fix_embedding(model=written.model, dimensions=written.dimensions)
        if dataset.shadow is not None:
            await self.fill(scope, dataset, dataset.shadow, slices, record=record)

    async def fill(
        self,
        scope: TenantScope,
        dataset: Dataset,
        plan: IndexPlan,
        slices: Sequence[Slice],
        *,
        record: RecordCall = drop_call,
    ) -> Written:
        """Write up to ``MAX_BATCH`` slices to one collection of the base; mark nothing.

        ``record`` takes the calls of models that the caller stores.

        Raises:
            EmbeddingChanged: the vectors have another length than those of the collection.
        """
        if len(slices) > MAX_BATCH:
            raise ValueError(f"{len(slices)} slices at once")
        context = CallContext(
            scope=scope,
            space_id=dataset.space_id,
            connector_id=CONNECTOR_API,
            record_call=record,
            account=_account(scope, dataset),
            max_wait_s=MAX_WAIT_S,
        )
        model = await self._models.describe_embedding(plan.embedding_model)
        found, failed = await self._embed_cached(context, model, slices)
        good = [item for item in slices if item.id in found]
        lengths = {len(vector) for vector in found.values()}
        if not good:
            return Written(model=model.id, dimensions=0, failed=failed)
        dimensions = lengths.pop()
        if lengths or plan.embedding_dimensions not in {0, dimensions}:
            raise EmbeddingChanged(
                f"The embedding model {model.id!r} gives vectors of {dimensions} numbers, the "
                f"index has {plan.embedding_dimensions}; build the index of the knowledge base "
                f"anew (POST /admin/v1/datasets/{dataset.id}/reindex).",
                dataset_id=dataset.id,
            )
        name = plan.collection(dataset.id)
        # Made on first use: only the first answer of a model tells how long its vectors are.
        await self._vectors.create(VectorCollection(name=name, dimensions=dimensions))
        vectors = await self._vectors.open(name)
        await vectors.upsert([VectorEntry(key=_key(i, dataset), vector=found[i.id]) for i in good])
        crashpoint("ingest.index.vectors_written")
        # Both writes replace what has the same key, so a batch that was cut off between them is
        # repeated.
        await self.fill_texts(dataset, plan, good)
        crashpoint("ingest.index.texts_written")
        return Written(model=model.id, dimensions=dimensions, failed=failed)

    async def fill_texts(self, dataset: Dataset, plan: IndexPlan, slices: Sequence[Slice]) -> None:
        """Write the words of up to ``MAX_BATCH`` slices to one collection of the base."""
        tokens = await self._tokens(slices)
        name = plan.collection(dataset.id)
        await self._texts.create(TextCollection(name=name, analyzer=plan.analyzer_version))
        texts = await self._texts.open(name)
        await texts.upsert(
            [
                TextEntry(key=_key(item, dataset), tokens=words)
                for item, words in zip(slices, tokens, strict=True)
            ]
        )

    async def found_by_words(self, plan: IndexPlan, slices: Sequence[Slice]) -> set[SliceId]:
        """Tell which slices are found, each in its document, by the first words they have."""
        tokens = await self._tokens(slices)
        found: set[SliceId] = set()
        for item, words in zip(slices, tokens, strict=True):
            name = plan.collection(item.dataset_id)
            terms = [QueryTerm(token=word) for word in dict.fromkeys(words)][:MAX_TERMS]
            try:
                texts = await self._texts.open(name)
            except CollectionNotFound:
                return found
            where = Where(documents=frozenset({item.document_id}))
            hits = await texts.search(terms, limit=MAX_BATCH, where=where) if terms else ()
            best = {hit.slice_id: hit.coverage for hit in hits}
            if not terms or (best.get(item.id) or 0.0) > _ALL_WORDS:
                found.add(item.id)
        return found

    async def remove(
        self,
        dataset_id: DatasetId,
        *,
        slice_ids: Sequence[SliceId] = (),
        document_ids: Sequence[DocumentId] = (),
    ) -> None:
        """Remove entries from all collections of a base; absent ones are no error."""
        for indexes in (self._vectors, self._texts):
            for name in await collections_of(indexes, dataset_id):
                try:
                    index = await indexes.open(name)
                except CollectionNotFound:  # dropped just now
                    continue
                await index.delete(ids=slice_ids, document_ids=document_ids)

    async def drop(self, dataset_id: DatasetId) -> None:
        """Remove all collections of a base."""
        for indexes in (self._vectors, self._texts):
            for name in await collections_of(indexes, dataset_id):
                await indexes.drop(name)

    async def drop_collection(self, name: str) -> None:
        """Remove one collection with all entries."""
        await self._vectors.drop(name)
        await self._texts.drop(name)

    async def _embed_cached(
        self, context: CallContext, model: EmbeddingDescription, slices: Sequence[Slice]
    ) -> tuple[dict[SliceId, Sequence[float]], dict[SliceId, str]]:
        """Embed what can be, without asking the model for what it said lately."""
        # What the offline model says is faster computed than read.
        cache = None if model.is_offline else self._cache
        found: dict[SliceId, Sequence[float]] = {}
        if cache is not None:
            known = await cache.get(context, model.identity, [i.searched_text for i in slices])
            found = {i.id: known[i.searched_text] for i in slices if i.searched_text in known}
        failed: dict[SliceId, str] = {}
        fresh = await self._embed(
            context, model.id, [item for item in slices if item.id not in found], failed
        )
        crashpoint("ingest.index.embedded")
        if cache is not None and fresh:
            made = {item.searched_text: fresh[item.id] for item in slices if item.id in fresh}
            await cache.put(context, model.identity, made)
            crashpoint("ingest.index.cached")
        return found | fresh, failed

    async def _embed(
        self,
        context: CallContext,
        model: str,
        slices: Sequence[Slice],
        failed: dict[SliceId, str],
    ) -> dict[SliceId, Sequence[float]]:
        """Embed what can be; a batch with a text at fault is split down to that one."""
        if not slices:
            return {}
        try:
            result = await self._models.embed(
                context, [item.searched_text for item in slices], purpose="document", model=model
            )
        except (ModelCallFailed, InvalidRequest) as exc:
            if not _is_text_at_fault(exc):
                raise
            if len(slices) == 1:
                failed[slices[0].id] = exc.message
                return {}
            half = len(slices) // 2
            first = await self._embed(context, model, slices[:half], failed)
            return first | await self._embed(context, model, slices[half:], failed)
        return {
            item.id: array("f", vector) for item, vector in zip(slices, result.vectors, strict=True)
        }

    async def embedded(
        self,
        scope: TenantScope,
        dataset: Dataset,
        model: EmbeddingDescription,
        texts: Sequence[str],
    ) -> list[Sequence[float]]:
        """Embed different texts as slices are, in their order; raises what models raise."""
        context = CallContext(
            scope=scope,
            space_id=dataset.space_id,
            connector_id=CONNECTOR_API,
            account=_account(scope, dataset),
        )
        known: dict[str, Sequence[float]] = {}
        if self._cache is not None:
            known.update(await self._cache.get(context, model.identity, texts))
        fresh = [text for text in texts if text not in known]
        if fresh:
            made = await self._models.embed(context, fresh, purpose="document", model=model.id)
            known.update(zip(fresh, made.vectors, strict=True))
        return [known[text] for text in texts]

    async def _tokens(self, slices: Sequence[Slice]) -> list[list[str]]:
        texts = [item.searched_text for item in slices]
        return await aside(
            sum(map(len, texts)),
            lambda: [self._analyzer.index_tokens(text) for text in in_turn(texts)],
            most=_AT_ONCE_CHARS,
        )


async def collections_of(indexes: VectorIndexes | TextIndexes, dataset_id: DatasetId) -> list[str]:
    """Return the collections of a base, whatever their version."""
    first = f"kb_{dataset_id:d}"
    found = await indexes.names(first)
    # By prefix stores also return the base 12 for 1.
    return [name for name in found if name == first or name.startswith(f"{first}_v")]


def _account(scope: TenantScope, dataset: Dataset) -> Account:
    return Account(origin=INGEST, dataset_id=dataset.id, member_id=scope.principal_id)


def _is_text_at_fault(error: AppError) -> bool:
    return not isinstance(error, ModelCallFailed) or error.failure in _TEXT_AT_FAULT


def _key(item: Slice, dataset: Dataset) -> EntryKey:
    return EntryKey(
        id=item.id,
        document_id=item.document_id,
        slice_id=item.id,
        generation=item.generation,
        creator_id=dataset.creator_id,
    )
