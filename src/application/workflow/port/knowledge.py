"""Knowledge bases as nodes see them, over the contract of their context."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from crossdomain.knowledge.contract import DocumentToStore, RecallRequest, StoredDocument
from crossdomain.knowledge.contract import Knowledge as Contract
from domain.shared.error import InvalidRequest
from domain.shared.ids import parse_id
from domain.workflow.engine.error import NodeFailed
from domain.workflow.error import InvalidValue
from domain.workflow.port import KnowledgeWriteConfig, Passage, RunContext, Search, WrittenDocument

_POLL_S: Final = 0.2


class ContextKnowledge:
    """Implements ``domain.workflow.port.Knowledge``; errors of the service fail the node."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract

    async def search(self, context: RunContext, query: str, search: Search) -> Sequence[Passage]:
        found = await self._contract.retrieve(
            context.call,
            RecallRequest(
                query=query,
                dataset_ids=_ids(search.dataset_ids),
                history=search.history,
                strategy=search.strategy,
            ),
        )
        return [
            Passage(
                text=each.content,
                document_id=str(each.document_id),
                score=each.score,
                slice_id=str(each.slice_id),
                dataset_id=str(each.dataset_id),
                document_name=each.document_name,
                scores=each.scores,
            )
            for each in found.items
        ]

    async def write(
        self,
        context: RunContext,
        *,
        file_url: str,
        file_name: str,
        config: KnowledgeWriteConfig,
        key: str,
    ) -> WrittenDocument:
        (dataset_id,) = _ids([config.dataset_id])
        stored = await self._contract.store_document(
            context.call,
            DocumentToStore(
                dataset_id=dataset_id, name=file_name, url=file_url, parse_rule=_rule(config)
            ),
            key=key,
        )
        if config.waits:
            await self._indexed(context, stored)
        return WrittenDocument(
            document_id=str(stored.id), file_name=stored.name, file_url=stored.url
        )

    async def _indexed(self, context: RunContext, stored: StoredDocument) -> None:
        """Wait until the document can be found; the time limit of node or run ends it."""
        scope = context.call.scope.within(context.call.space_id)
        while True:
            progress = await self._contract.progress(scope, stored.id)
            if progress.is_over:
                break
            await asyncio.sleep(_POLL_S)
        if progress.failure:
            raise NodeFailed(f"The document {stored.name[:80]} is not indexed: {progress.failure}")

    async def delete(
        self, context: RunContext, dataset_ids: Sequence[str], document_id: str, *, key: str
    ) -> bool:
        try:
            number = parse_id(document_id, field="documentID")
        except InvalidRequest:
            return False
        return await self._contract.delete_document(context.call, _ids(dataset_ids), number)


def _ids(texts: Sequence[str]) -> tuple[int, ...]:
    try:
        return tuple(parse_id(text, field="datasetList") for text in texts)
    except InvalidRequest as exc:
        raise InvalidValue(exc.message) from exc


def _rule(config: KnowledgeWriteConfig) -> Mapping[str, object]:
    """Write a configuration as stored canvases have it; what a base does by itself is left out."""
    rule: dict[str, object] = {
        "parsingStrategy": {
            "parsingType": "fast" if config.is_fast else "accurate",
            "imageExtraction": config.extracts_images,
            "tableExtraction": config.extracts_tables,
            "imageOcr": config.reads_images,
        }
    }
    if config.is_custom_chunking:
        rule["chunkStrategy"] = {
            "chunkType": "custom",
            "separator": config.separator,
            "maxToken": config.max_tokens,
            "overlap": config.overlap,
        }
    return rule
