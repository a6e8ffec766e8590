"""Use cases on traces: lists, trees, single spans."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec.structs import replace

from application.trace.body import TraceBodies
from application.trace.dto import ListedTrace, ListTraces, TraceDiff, TracePage, TraceTree
from application.trace.export import as_jsonl, as_otlp_json
from application.trace.text_index import TraceTextIndex, said_in
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.error import Forbidden
from domain.shared.ids import SpaceId
from domain.shared.limits import Limits
from domain.trace.diff import pairs
from domain.trace.error import SpanNotFound, TraceUnreadable
from domain.trace.repository import Readers, TraceStore, TraceUnitOfWork
from domain.trace.tree import Stretch, tree
from domain.trace.value import NO_VERDICTS, Capture, StoredSpan, TraceQuery, TraceSummary, TreeSpan
from infra.contract.clock import Clock

_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_SCANNED: Final = 400
"""So many runs one request looks for a text in; the next page goes on behind them."""
_OPENED: Final = 20
"""So many bodies, of which each may have megabytes, are open at once."""
_READ_CHARS: Final = 2000
_QUESTION_CHARS: Final = 200
_DEPTH: Final = 8
"""So deep runs call runs at most; what is deeper is left out."""


class TraceService:
    """Shows traces to those with ``trace.read``, and to everybody those of own drafts."""

    def __init__(
        self,
        *,
        store: TraceStore,
        bodies: TraceBodies,
        texts: TraceTextIndex,
        clock: Clock,
        limits: Limits,
        version: str,
    ) -> None:
        self._texts = texts
        self._version = version
        self._store = store
        self._bodies = bodies
        self._clock = clock
        self._limits = limits

    async def page(self, principal: Principal, wanted: ListTraces) -> TracePage:
        """List traces; raise ``NotFound`` for foreign workspaces, ``Forbidden`` without a right."""
        for space_id in wanted.space_ids:
            principal.require(Permission.TRACE_READ, SpaceId(space_id))
        readers = readers_of(principal)
        if wanted.space_ids:
            readers = replace(
                readers,
                space_ids=frozenset(map(SpaceId, wanted.space_ids)),
                own_space_ids=frozenset(),
            )
        limit = max(1, min(wanted.query.limit, self._limits.page_size))
        if wanted.text:
            found, after = await self._with_text(principal, wanted, limit=limit, readers=readers)
        else:
            async with self._store.snapshot() as uow:
                found = await uow.traces.page(
                    principal.scope, replace(wanted.query, limit=limit + 1), readers=readers
                )
            after = _place(found[limit - 1], wanted.query) if len(found) > limit else None
            found = found[:limit]
        run_ids = [each.run_id for each in found]
        async with self._store.snapshot() as uow:
            verdicts = await uow.traces.verdicts(principal.scope, run_ids)
        questions = await self._questions(principal, found) if wanted.with_questions else {}
        items = [
            ListedTrace(
                summary=each,
                question=questions.get(each.run_id),
                feedback=verdicts.get(each.run_id, NO_VERDICTS),
            )
            for each in found
        ]
        return TracePage(items=items, after=after)

    async def _questions(
        self, principal: Principal, found: Sequence[TraceSummary]
    ) -> dict[int, str]:
        """Return how the questions of runs begin, of those that keep them."""
        kept = [each.run_id for each in found if each.capture is Capture.CONTENT]
        questions: dict[int, str] = {}
        for at in range(0, len(kept), _OPENED):
            for run_id, spans in await self._spans(principal, kept[at : at + _OPENED]):
                asked = next((each.input for each in spans if not each.parent and each.input), None)
                if asked is not None:
                    line = " ".join(asked[:_READ_CHARS].split())
                    questions.setdefault(run_id, line[:_QUESTION_CHARS])
        return questions

    async def _with_text(
        self, principal: Principal, wanted: ListTraces, *, limit: int, readers: Readers
    ) -> tuple[Sequence[TraceSummary], tuple[int, int] | None]:
        """Look into what runs said, newest first or as sorted, as far as one request may.

        Of those that the text index knows only into those that have the words.
        """
        text, query = wanted.text.casefold(), replace(wanted.query, keeps_content=True)
        known = await self._texts.find(readers.space_ids | readers.own_space_ids, wanted.text)
        async with self._store.snapshot() as uow:
            if known is not None:
                unknown = await uow.traces.unindexed(principal.scope, limit=_SCANNED)
                query = replace(query, run_ids=known | unknown)
            found = await uow.traces.page(
                principal.scope, replace(query, limit=_SCANNED + 1), readers=readers
            )
        scanned, items = found[:_SCANNED], list[TraceSummary]()
        for at in range(0, len(scanned), _OPENED):
            some = scanned[at : at + _OPENED]
            told = await self._said(principal, [each.run_id for each in some])
            for place, each in enumerate(some, at + 1):
                if text not in told.get(each.run_id, ""):
                    continue
                items.append(each)
                if len(items) == limit:
                    is_last = place == len(found)
                    return items, None if is_last else _place(each, query)
        return items, _place(scanned[-1], query) if len(found) > _SCANNED else None

    async def _said(self, principal: Principal, run_ids: Sequence[int]) -> dict[int, str]:
        """Return questions and answers of runs, folded."""
        said: dict[int, str] = {}
        for run_id, spans in await self._spans(principal, run_ids):
            said[run_id] = "\n".join([said.get(run_id, ""), *said_in(spans)]).casefold()
        return said

    async def _spans(
        self, principal: Principal, run_ids: Sequence[int]
    ) -> list[tuple[int, list[StoredSpan]]]:
        """Return the spans of all stretches of runs that can still be read."""
        async with self._store.snapshot() as uow:
            bodies = await uow.traces.bodies(principal.scope, run_ids)
        opened: list[tuple[int, list[StoredSpan]]] = []
        for body in bodies:
            try:
                spans = await self._bodies.open(body)
            except TraceUnreadable:
                continue
            opened.append((body.run_id, spans))
        return opened

    async def of_run(self, principal: Principal, run_id: int, space_id: int) -> TraceTree | None:
        """Return the trace of a run for who may see the run anyway; None if there is none."""
        readers = Readers(
            space_ids=frozenset({SpaceId(space_id)}),
            own_space_ids=frozenset(),
            user_id=principal.user_id,
        )
        async with self._store.snapshot() as uow:
            found = await uow.traces.parts(principal.scope, [run_id], readers=readers)
            if not found:
                return None
            stretches, parents = await self._stretches(uow, principal, found[0], readers)
        return TraceTree(summary=found[0], spans=tree(run_id, stretches, parents))

    async def get(self, principal: Principal, run_id: int) -> TraceTree:
        """Return a run with its spans, and those of the runs that it called.

        Raises:
            TraceNotFound: there is none, or it is not for the caller.
            TraceUnreadable: it was sealed under another key.
        """
        async with self._store.snapshot() as uow:
            readers = readers_of(principal)
            summary = await uow.traces.get(principal.scope, run_id, readers=readers)
            stretches, parents = await self._stretches(uow, principal, summary, readers)
        return TraceTree(summary=summary, spans=tree(run_id, stretches, parents))

    async def span(self, principal: Principal, run_id: int, span_id: str) -> TreeSpan:
        """Return one span; raise ``SpanNotFound``, and as ``get``."""
        found = await self.get(principal, run_id)
        for each in found.spans:
            if each.id == span_id:
                return each
        raise SpanNotFound(f"The trace of run {run_id} has no span {span_id[:64]}.", run_id=run_id)

    async def stretches(self, scope: TenantScope, run_id: int) -> int:
        """Count the stretches of a run that are stored, for who may see the run anyway."""
        async with self._store.snapshot() as uow:
            return await uow.traces.stretches(scope, run_id)

    async def diff(self, principal: Principal, left: int, right: int) -> TraceDiff:
        """Align two traces; errors as ``get``."""
        one, other = await self.get(principal, left), await self.get(principal, right)
        return TraceDiff(left=one.summary, right=other.summary, pairs=pairs(one.spans, other.spans))

    async def export(self, principal: Principal, run_id: int, *, as_otlp: bool) -> bytes:
        """Return a trace for other tools: a request of OTLP as JSON, or a line per span."""
        found = await self.get(principal, run_id)
        return as_otlp_json(found, version=self._version) if as_otlp else as_jsonl(found)

    async def pin(self, principal: Principal, run_id: int, *, is_pinned: bool) -> TraceSummary:
        """Keep a trace beyond its time, or no longer; errors as ``get``."""
        async with self._store.transaction() as uow:
            found = await uow.traces.get(principal.scope, run_id, readers=readers_of(principal))
            if not principal.may(Permission.TRACE_READ, found.space_id):
                raise Forbidden("This needs the permission trace.read.")
            at: datetime | None = self._clock.now() if is_pinned else None
            by = principal.user_id if is_pinned else None
            await uow.traces.pin(principal.scope, run_id, at=at, by=by)
            await uow.commit()
        return replace(found, pinned_at=at, pinned_by=by)

    async def _stretches(
        self,
        uow: TraceUnitOfWork,
        principal: Principal,
        summary: TraceSummary,
        readers: Readers,
    ) -> tuple[list[Stretch], dict[int, int]]:
        """Return what the run and all runs below it told, level by level."""
        scope = principal.scope
        stretches: list[Stretch] = []
        parents: dict[int, int] = {}
        level, seen = [summary.run_id], {summary.run_id}
        for _ in range(_DEPTH):
            told = [
                Stretch(
                    run_id=body.run_id,
                    began_at=body.began_at,
                    spans=await self._bodies.open(body),
                )
                for body in await uow.traces.bodies(scope, level)
            ]
            stretches += told
            links = {link for each in told for span in each.spans for link in span.links}
            called = [*await uow.traces.children(scope, level)]
            called += await uow.traces.parts(scope, links - seen, readers=readers)
            called = [c for c in called if c.space_id == summary.space_id and c.run_id not in seen]
            parents |= {each.run_id: each.parent_run_id for each in called}
            level = list(dict.fromkeys(each.run_id for each in called))
            seen.update(level)
            if not level:
                break
        return stretches, parents


def readers_of(principal: Principal) -> Readers:
    """Return what a caller may read; drafts are run by who may change them."""
    spaces = () if principal.end_user_id else tuple(principal.roles)
    drafts = (Permission.AGENT_WRITE, Permission.WORKFLOW_WRITE)
    return Readers(
        space_ids=frozenset(s for s in spaces if principal.may(Permission.TRACE_READ, s)),
        own_space_ids=frozenset(s for s in spaces if any(principal.may(p, s) for p in drafts)),
        user_id=principal.user_id,
        agent_ids=principal.agent_ids,
    )


def _place(last: TraceSummary, query: TraceQuery) -> tuple[int, int]:
    """Return where a page ends that is sorted as asked for."""
    values = {
        "time": (last.started_at - _EPOCH) // timedelta(microseconds=1),
        "duration": last.duration_us,
        "cost": last.cost,
    }
    return values[query.sort], last.run_id
