"""Answering one message: the run of its target, and the way of the answer to its reader."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from application.channel.reply_context import ReplyContext
from application.conversation.dto import (
    FlowTarget,
    IncomingMessage,
    MessageView,
    RunView,
    StartRun,
)
from application.conversation.run.event import (
    TERMINAL,
    MessageCompleted,
    MessageDelta,
    MessageReplaced,
    RunEvent,
)
from application.run.log import Record
from application.shared.target import Targets
from crossdomain.file.contract import UploadFile, Uploads
from domain.channel.message import Command
from domain.channel.text import joined
from domain.conversation.value import MessageKind, RunStatus
from domain.shared.access import Principal
from domain.shared.chat import FilePart, ImagePart, Part, TextPart
from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError, ErrorKind, NotFound, StaleRevision
from domain.shared.ids import FileId
from domain.shared.target import TargetKind
from infra.contract.channel import Outgoing, PlatformBusy, PlatformFile, PlatformRefused
from infra.contract.clock import Clock

_PENDING: Final = " …"
_BUSY_S: Final = 5.0
_logger: Final = logging.getLogger(__name__)


class Draft:
    """What the agent wrote so far, and what the reader sees of it.

    ``present`` runs beside the run and ends after ``close``, never in the middle of a call: what
    it sent is known when the answer follows.
    """

    def __init__(self, context: ReplyContext, *, clock: Clock) -> None:
        self._context = context
        self._clock = clock
        self._texts: dict[int, str] = {}
        self._over = asyncio.Event()
        self._shown = ""
        self._edits = 0

    def add(self, message_id: int, text: str) -> None:
        """Take the next piece of an answer."""
        self._texts[message_id] = self._texts.get(message_id, "") + text

    def replace(self, message_id: int, text: str) -> None:
        """Take an answer instead of what it was so far."""
        self._texts[message_id] = text

    @property
    def text(self) -> str:
        """What was written so far, as one text."""
        return joined(list(self._texts.values()))

    def close(self) -> None:
        """Stop presenting: the answer is whole."""
        self._over.set()

    async def present(self) -> None:
        """Show drafts by and by, and ask for patience once, until ``close``."""
        context, offered = self._context, self._context.adapter.capabilities
        settings = context.channel.settings
        by_edits = bool(offered.edits) and settings.edits
        pause_s = offered.edit_interval_s if by_edits else 1.0
        while not await self._is_over(pause_s):
            pause_s = offered.edit_interval_s if by_edits else 1.0
            try:
                if by_edits and self._edits < offered.edits and (text := self._first_piece()):
                    await self._show(text)
                elif self._is_slow(self._clock.now()):
                    context.message.tell_slow()
                    await context.say("slow")
                    await context.save()
            except PlatformBusy as exc:
                pause_s = exc.retry_after_s or _BUSY_S
            except (PlatformRefused, StaleRevision) as exc:
                _logger.info("A draft could not be shown: %s", exc.message)
                return

    def _is_slow(self, now: datetime) -> bool:
        message, after_s = self._context.message, self._context.channel.settings.slow_after_s
        is_waiting = not (message.is_told or message.live_id or message.sent)
        return (
            bool(after_s) and is_waiting and (now - message.created_at).total_seconds() >= after_s
        )

    def _first_piece(self) -> str:
        if not (written := self.text):
            return ""
        first, *more = self._context.in_pieces(written + _PENDING) or ("",)
        return first if not more or not self._shown else self._shown

    async def _show(self, text: str) -> None:
        if text == self._shown:
            return
        message = self._context.message
        sent = await self._context.send(
            Outgoing(
                key=message.piece_key(0),
                text=text,
                replaces=message.live_id,
                is_repeat=message.attempt > 1,
            )
        )
        self._shown, self._edits = text, self._edits + 1
        if not message.live_id and sent:
            message.show(sent)
            await self._context.save()

    async def _is_over(self, within_s: float) -> bool:
        try:
            async with asyncio.timeout(within_s):
                await self._over.wait()
        except TimeoutError:
            return False
        return True


_LOST: Final = frozenset({"run_interrupted", "server_shutdown", "unavailable"})
"""How runs end that did nothing wrong; they are begun anew."""
_FILES: Final = 10
_FILE_BYTES: Final = 20 * 1024 * 1024
_STOP_AGAIN_S: Final = 0.5
_TRANSIENT: Final = frozenset({ErrorKind.RATE_LIMITED, ErrorKind.UNAVAILABLE, ErrorKind.TIMEOUT})


class Chats(Protocol):
    """Runs of agents and chat flows."""

    async def start(self, principal: Principal, command: StartRun) -> RunView: ...

    def follow(
        self, principal: Principal, run_id: int, *, after: int = 0
    ) -> AsyncGenerator[list[Record[RunEvent]], None]: ...

    async def cancel(self, principal: Principal, run_id: int) -> RunView: ...


class NotYet(AppError):
    """Something else has to end first; try again in a moment."""

    code, kind = 4016, ErrorKind.CONFLICT


@dataclass(frozen=True, slots=True)
class _Result:
    """A run that ended: what it wrote, also if it was stopped, and its whole answers."""

    run: RunView
    text: str
    answers: tuple[MessageView, ...]


class Answering:
    """Carries a message to its end; raises what another try may mend."""

    def __init__(self, *, chats: Chats, files: Uploads, targets: Targets, clock: Clock) -> None:
        self._chats = chats
        self._files = files
        self._targets = targets
        self._clock = clock

    async def answer(self, context: ReplyContext) -> None:
        """Do what a message asks for, and note its end.

        Raises:
            PlatformBusy, PlatformRefused: the platform did not take the answer.
            StaleRevision: another process has the message.
            AppError: of the kinds that may pass.
        """
        match context.message.command:
            case Command.NEW:
                await self._begin_anew(context)
            case Command.STOP:
                await self._stop(context)
            case Command.NONE:
                await self._reply(context)

    async def _begin_anew(self, context: ReplyContext) -> None:
        async with context.store.transaction() as uow:
            await uow.queue.begin_anew(context.message)
            await uow.commit()
        await context.say("fresh")
        await self._end(context)

    async def _stop(self, context: ReplyContext) -> None:
        """Stop what is being answered in the thread, and drop what waits before this."""
        async with context.store.snapshot() as uow:
            earlier = await uow.queue.before(context.message)
        now, is_working = self._clock.now(), False
        for each in earlier:
            is_working = is_working or each.command is Command.NONE
            if each.run_id:
                try:
                    await self._chats.cancel(context.principal, each.run_id)
                except AppError:
                    _logger.debug("Run %d ended by itself.", each.run_id)
            elif each.is_free(now=now):
                each.drop("Stopped by its author.", now=now)
                try:
                    async with context.store.transaction() as uow:
                        await uow.queue.save(each)
                        await uow.commit()
                except StaleRevision as exc:
                    raise NotYet("A message is just being begun.", retry_after_s=0.5) from exc
            else:
                raise NotYet("A message is just being begun.", retry_after_s=_STOP_AGAIN_S)
        await context.say("stopped" if is_working else "idle")
        await self._end(context)

    async def _reply(self, context: ReplyContext) -> None:
        if not await self._is_meant(context):
            await self._drop(context, "The app was not addressed.")
            return
        result = await self._result(context)
        if result is None:
            return
        run, text = result.run, result.text
        if run.status is RunStatus.CANCELED and not text:
            await self._drop(context, "Stopped by its author.")
            return
        if run.status is RunStatus.FAILED:
            text = joined([text, context.channel.settings.says("failed")])
        await self._deliver(context, text, self._attachments(context, result.answers))
        if run.status is RunStatus.FAILED:
            context.message.fail(run.error.message, now=self._clock.now())
            await context.save()
        else:
            await self._end(context)

    async def _is_meant(self, context: ReplyContext) -> bool:
        """Ask the platform who the app is there, if nobody knows and it matters."""
        channel, incoming = context.channel, context.incoming
        if incoming.mentions and not (incoming.self_id or channel.bot_id):
            channel.bot_id = (await context.adapter.identify(channel.access)).bot_id
            async with context.store.transaction() as uow:
                await uow.channels.save(context.principal.scope, channel)
                await uow.commit()
        return channel.may_hear(incoming)

    async def _result(self, context: ReplyContext) -> _Result | None:
        """Return what a run answered; None if the message came to its end without one."""
        while True:
            if not context.message.run_id and not await self._begun(context):
                return None
            result = await self._followed(context)
            is_lost = result.run.status is RunStatus.FAILED and result.run.error.slug in _LOST
            if not is_lost or not context.message.may_run_again:
                return result
            context.message.begin_run()
            await context.save()

    async def _begun(self, context: ReplyContext) -> bool:
        """Begin the run of a message, once for each key; False if nothing is to be answered."""
        message, channel = context.message, context.channel
        scope = context.principal.scope
        try:
            target = await self._targets.find(scope, channel.target_kind, channel.target_id)
        except NotFound:
            await context.say("closed")
            await self._drop(context, "The target is not published.")
            return False
        parts = await self._parts(context)
        if not parts:
            await self._drop(context, "There is nothing to answer.")
            return False
        if not message.runs:
            message.begin_run()
            await context.save()
        async with context.store.snapshot() as uow:
            begun_by = await uow.queue.conversation(message)
        is_agent = channel.target_kind is TargetKind.AGENT
        try:
            run = await self._chats.start(
                context.principal,
                StartRun(
                    agent_id=channel.target_id if is_agent else 0,
                    flow=None if is_agent else FlowTarget(workflow_id=channel.target_id),
                    end_user_id=message.end_user_id,
                    messages=(
                        IncomingMessage(
                            role="user",
                            parts=parts,
                            is_text=all(isinstance(part, TextPart) for part in parts),
                        ),
                    ),
                    conversation_key=f"channel-{channel.id}-{message.thread}-{begun_by}",
                    connector_id=target.connector_id,
                    stream=True,
                    idempotency_key=message.run_key,
                ),
            )
        except AppError as exc:
            if exc.kind in _TRANSIENT or exc.code == NotYet.code:
                raise
            await context.say("failed")
            message.fail(exc.message, now=self._clock.now())
            await context.save()
            return False
        crashpoint("channel.begun")
        message.follow_run(run.id)
        await context.save()
        return True

    async def _parts(self, context: ReplyContext) -> tuple[Part, ...]:
        text = context.channel.heard(context.incoming)
        parts: list[Part] = [TextPart(text=text)] if text else []
        if not context.channel.settings.takes_files:
            return tuple(parts)
        for number, file in enumerate(context.incoming.files[:_FILES]):
            try:
                parts.append(await self._part(context, number, file))
            except AppError as exc:
                if exc.kind in _TRANSIENT:
                    raise
                _logger.info("A file of a channel was not taken: %s", exc.message)
                await context.say("files")
        return tuple(parts)

    async def _part(self, context: ReplyContext, number: int, file: PlatformFile) -> Part:
        content = await context.adapter.fetch(
            context.channel.access, context.incoming, file, max_bytes=_FILE_BYTES
        )
        stored = await self._files.upload(
            context.principal,
            UploadFile(
                name=file.name,
                space_id=context.channel.space_id,
                idempotency_key=f"channel-{context.message.id}-{number}",
            ),
            _chunks(content),
        )
        kind = ImagePart if stored.media_type.startswith("image/") else FilePart
        return kind(file_id=stored.id, name=stored.name)

    async def _followed(self, context: ReplyContext) -> _Result:
        """Follow a run to its end, and show meanwhile how far it is."""
        draft = Draft(context, clock=self._clock)
        async with asyncio.TaskGroup() as group:
            group.create_task(draft.present())
            try:
                outcome: _Result | AppError = await self._collected(context, draft)
            except AppError as exc:
                outcome = exc  # raised below, not as one of a group
            draft.close()
        if isinstance(outcome, AppError):
            raise outcome
        return outcome

    async def _collected(self, context: ReplyContext, draft: Draft) -> _Result:
        answers: list[MessageView] = []
        events = self._chats.follow(context.principal, context.message.run_id)
        async with aclosing(events) as batches:
            async for batch in batches:
                for record in batch:
                    event = record.event
                    match event:
                        case MessageDelta(message_id=message_id, text=text):
                            draft.add(message_id, text)
                        case MessageReplaced(message_id=message_id, text=text):
                            draft.replace(message_id, text)
                        case MessageCompleted(message=message):
                            if message.kind is MessageKind.ANSWER:
                                draft.replace(message.id, message.text)
                                answers.append(message)
                        case _:
                            if isinstance(event, TERMINAL):
                                return _Result(event.run, draft.text, tuple(answers))
        raise NotYet("The run is not over.", retry_after_s=1.0)

    def _attachments(
        self, context: ReplyContext, answers: Sequence[MessageView]
    ) -> list[ImagePart | FilePart]:
        if not context.adapter.capabilities.sends_files:
            return []
        return [
            part
            for answer in answers
            for part in answer.parts
            if isinstance(part, ImagePart | FilePart) and part.file_id
        ]

    async def _deliver(
        self, context: ReplyContext, text: str, attachments: Sequence[ImagePart | FilePart]
    ) -> None:
        """Send what did not arrive yet, piece after piece; each that arrived is noted."""
        message = context.message
        texts = context.in_pieces(text)
        while message.sent < len(texts) + len(attachments):
            number, is_repeat = message.sent, message.attempt > 1
            if number >= len(texts):
                outgoing = await self._file(context, attachments[number - len(texts)], number)
            else:
                outgoing = Outgoing(
                    key=message.piece_key(number),
                    text=texts[number],
                    replaces=message.live_id if number == 0 else "",
                    is_repeat=is_repeat,
                )
            try:
                await context.send(outgoing)
            except PlatformRefused:
                if not outgoing.replaces:
                    raise
                message.show("")  # what was shown is gone, or too old: say it anew
                again = Outgoing(key=f"{outgoing.key}-anew", text=outgoing.text)
                await context.send(again)
            crashpoint("channel.sent")
            message.arrived()
            await context.save()

    async def _file(
        self, context: ReplyContext, part: ImagePart | FilePart, number: int
    ) -> Outgoing:
        content = await self._files.open(context.principal, FileId(part.file_id))
        if content.size > _FILE_BYTES:
            raise PlatformRefused("A file of the answer is too large for a message.")
        data = bytearray()
        async with aclosing(content.read(0, content.size)) as chunks:
            async for chunk in chunks:
                data += chunk
        return Outgoing(
            key=context.message.piece_key(number),
            file_name=part.name or content.name,
            media_type=content.media_type,
            content=bytes(data),
            is_repeat=context.message.attempt > 1,
        )

    async def _end(self, context: ReplyContext) -> None:
        context.message.answer(now=self._clock.now())
        await context.save()

    async def _drop(self, context: ReplyContext, reason: str) -> None:
        context.message.drop(reason, now=self._clock.now())
        await context.save()


async def _chunks(content: bytes) -> AsyncGenerator[bytes, None]:
    yield content
