"""Hooks of share links: a server of the owner's says who visitors are and what they may ask.

Paths and bodies are those of FastGPT's share links, so that servers written for them work here:
``/shareAuth/init``, ``/shareAuth/start`` and ``/shareAuth/finish`` below the address of the hook.
"""

import asyncio
import json
import logging
from collections.abc import Mapping
from typing import Any, Final, Protocol

from application.conversation.dto import RunView
from crossdomain.usage.contract import ModelCost, RunCosts
from domain.share.error import HookRefused
from domain.share.hook import HookNotice
from domain.share.link import ShareLink
from domain.share.repository import ShareStore
from domain.share.visitor import END_USER_BYTES, is_foreign_name
from domain.shared.access import Principal
from domain.shared.error import AppError, NotFound
from domain.shared.ids import RunId
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.egress import (
    EgressClient,
    EgressDenied,
    EgressFailed,
    EgressPolicy,
    EgressRequest,
    EgressResponse,
)

_SECONDS: Final = 5.0
_ANSWER_BYTES: Final = 64 * 1024
_MESSAGE_CHARS: Final = 500
_OK: Final = range(200, 300)
_AT_ONCE: Final = 16
_PER_STEP: Final = 200
_SILENT: Final = "The server that knows its users does not answer. Try again in a moment."
_logger: Final = logging.getLogger(__name__)


class Runs(Protocol):
    """Runs of agents and chat flows."""

    async def get(self, principal: Principal, run_id: int) -> RunView: ...


class ShareHooks:
    """Asks the hook of a link; whatever is no clear yes is a refusal."""

    def __init__(self, *, egress: EgressClient, costs: RunCosts, clock: Clock) -> None:
        self._egress = egress
        self._costs = costs
        self._clock = clock

    async def visitor(self, link: ShareLink, proof: str) -> str:
        """Return whom the hook names; raise ``HookRefused``, with its reason for the visitor."""
        said = await self._ask(link, "init", {"token": proof})
        data = said.get("data")
        name = data.get("uid") if isinstance(data, dict) else None
        if not isinstance(name, str) or not is_foreign_name(name):
            _logger.warning("The hook of share link %d named nobody.", link.id)
            raise HookRefused(
                f"The hook has to answer a data.uid of 1 to {END_USER_BYTES} bytes on one line, "
                "without | / and \\."
            )
        return name

    async def admit(self, link: ShareLink, proof: Secret, question: str) -> None:
        """Have the hook look at a question; raise ``HookRefused``, with its reason."""
        await self._ask(link, "start", {"token": proof.reveal(), "question": question})

    async def tell_end(self, link: ShareLink, notice: HookNotice, run: RunView) -> None:
        """Say how a run ended and what it took; raise ``HookRefused`` unless it is taken."""
        runs = [each for each in (run.id, run.workflow_run_id) if each]
        costs = await self._costs.of_runs(link.space_id, runs)
        known = {"id": str(run.id), "moduleName": link.settings.name, "moduleType": "chatNode"}
        body = {
            "token": notice.proof.reveal(),
            "responseData": [{**known, **_row(cost)} for cost in costs]
            or [{**known, **_without_calls(run)}],
            "chatId": str(run.conversation_id),
            "status": run.status.value,
        }
        await self._ask(link, "finish", body)

    async def _ask(self, link: ShareLink, step: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        policy = EgressPolicy(
            space_id=link.space_id,
            max_bytes=_ANSWER_BYTES,
            max_seconds=_SECONDS,
            max_redirects=0,
            allow_methods=frozenset({"POST"}),
        )
        request = EgressRequest(
            url=f"{link.hook_url}/shareAuth/{step}",
            method="POST",
            headers={"content-type": "application/json; charset=utf-8"},
            body=json.dumps(body, ensure_ascii=False).encode(),
        )
        try:
            said = _said(await self._egress.request(request, policy))
        except (EgressDenied, EgressFailed, ValueError) as exc:
            _logger.warning("The hook of share link %d failed at %s: %s", link.id, step, exc)
            raise HookRefused(_SILENT) from exc
        if said.get("success") is not True:
            words = said.get("message") or said.get("msg")
            text = words.strip()[:_MESSAGE_CHARS] if isinstance(words, str) else ""
            raise HookRefused(text or "The site does not let you in here.")
        return said


class HookWorker:
    """Tells hooks of runs that ended, in one process for all; at least once."""

    def __init__(self, *, store: ShareStore, hooks: ShareHooks, runs: Runs, clock: Clock) -> None:
        self._store = store
        self._hooks = hooks
        self._runs = runs
        self._clock = clock
        self._places = asyncio.Semaphore(_AT_ONCE)

    async def step(self) -> int:
        """Look after the notices that are due; return how many those were."""
        async with self._store.snapshot() as uow:
            due = await uow.notices.due(now=self._clock.now(), limit=_PER_STEP)
        async with asyncio.TaskGroup() as group:
            for notice in due:
                group.create_task(self._guarded(notice))
        return len(due)

    async def _guarded(self, notice: HookNotice) -> None:
        async with self._places:
            try:
                await self._look_after(notice)
            except AppError as exc:  # a storage that is away: it is due again at the next step
                _logger.warning("The end of run %d stays to be told: %r", notice.run_id, exc)

    async def _look_after(self, notice: HookNotice) -> None:
        now = self._clock.now()
        async with self._store.snapshot() as uow:
            link = await uow.directory.of(notice.link_id)
        if link is None or not link.hook_url:  # nobody is left who wants to know
            await self._remove(notice.run_id)
            return
        try:
            run = await self._runs.get(link.principal(notice.end_user_id), notice.run_id)
        except NotFound:
            if notice.is_awaited(now):  # the run may be about to be stored
                notice.put_off(now=now)
                await self._put_off(notice)
            else:
                await self._remove(notice.run_id)
            return
        if not run.is_terminal:
            notice.put_off(now=now)
        else:
            try:
                await self._hooks.tell_end(link, notice, run)
            except HookRefused:
                notice.failed(now=now)
            else:
                await self._remove(notice.run_id)
                return
        if notice.is_given_up(now):
            _logger.warning("The hook of share link %d was not told of a run.", notice.link_id)
            await self._remove(notice.run_id)
            return
        await self._put_off(notice)

    async def _put_off(self, notice: HookNotice) -> None:
        async with self._store.transaction() as uow:
            await uow.notices.put_off(notice)
            await uow.commit()

    async def _remove(self, run_id: RunId) -> None:
        async with self._store.transaction() as uow:
            await uow.notices.remove(run_id)
            await uow.commit()


def _said(answer: EgressResponse) -> Mapping[str, Any]:
    """Return what a hook answered; raise ``ValueError`` for what is no answer."""
    if answer.status not in _OK:
        raise ValueError(f"status {answer.status}")
    said = json.loads(answer.body)
    return said if isinstance(said, dict) else {}


def _row(cost: ModelCost) -> Mapping[str, Any]:
    """Tell what a model took; of one that nobody priced no points, which is not 0."""
    row = {
        "model": cost.model,
        "runningTime": cost.seconds,
        "inputTokens": cost.input_tokens,
        "outputTokens": cost.output_tokens,
        "tokens": cost.input_tokens + cost.output_tokens,
    }
    return row if cost.points is None else {**row, "totalPoints": float(cost.points)}


def _without_calls(run: RunView) -> Mapping[str, Any]:
    """Tell of a run that asked no model."""
    used = run.usage
    return {
        "runningTime": _seconds(run),
        "inputTokens": used.input_tokens,
        "outputTokens": used.output_tokens,
        "tokens": used.total_tokens,
        "totalPoints": 0,
    }


def _seconds(run: RunView) -> float:
    end = run.completed_at or run.failed_at or run.canceled_at
    return round((end - run.created_at).total_seconds(), 3) if end else 0.0
