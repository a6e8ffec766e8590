"""A message of somebody on a platform: taken once, answered in order, ended with its cause."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NewType, Self

from domain.channel.channel import Channel, ChannelId
from domain.shared.error import StaleRevision
from domain.shared.ids import SpaceId
from domain.shared.lease import Leased
from infra.contract.channel import Incoming

ChannelMessageId = NewType("ChannelMessageId", int)

MAX_TRIES: Final = 6
MAX_RUNS: Final = 3
REASON_CHARS: Final = 500
LONGEST_DELAY_S: Final = 300.0


class MessageState(StrEnum):
    """Where a message is on its way."""

    OPEN = "open"
    ANSWERED = "answered"
    DROPPED = "dropped"
    """Nobody is to answer it: it was stopped, or the channel is closed."""
    FAILED = "failed"


class Command(StrEnum):
    """What a message asks of the app itself."""

    NONE = ""
    NEW = "new"
    STOP = "stop"


def command_of(text: str) -> Command:
    """Return what a text asks of the app; whatever is not a command is for the agent."""
    match text.strip().lower():
        case "/new":
            return Command.NEW
        case "/stop":
            return Command.STOP
        case _:
            return Command.NONE


class ThreadLost(StaleRevision):
    """Another process has this message."""


@dataclass(kw_only=True, eq=False)
class ChannelMessage(Leased):
    """The truth about one message. Its text is forgotten with its end; its id stays for a while.

    ``platform_id`` is unique within the channel, so that a platform that delivers again is
    answered once. Messages of a thread are answered one after the other; ``/stop`` overtakes.
    """

    id: ChannelMessageId
    space_id: SpaceId
    channel_id: ChannelId
    platform_id: str
    thread: str
    end_user_id: str
    command: Command
    incoming: Incoming
    state: MessageState = MessageState.OPEN
    run_id: int = 0
    runs: int = 0
    """How many runs were begun; more than one if a process died with its run."""
    is_told: bool = False
    """The author knows that it takes a while."""
    live_id: str = ""
    """What is shown while the answer is written, by its id on the platform."""
    sent: int = 0
    """Pieces of the answer that arrived; the next one may have, too, if ``attempt`` is above 1."""
    next_run_at: datetime
    last_error: str = ""
    created_at: datetime
    finished_at: datetime | None = None

    @classmethod
    def take(
        cls, message_id: ChannelMessageId, channel: Channel, incoming: Incoming, *, now: datetime
    ) -> Self:
        """Take a message that is to be answered."""
        return cls(
            id=message_id,
            space_id=channel.space_id,
            channel_id=channel.id,
            platform_id=incoming.message_id,
            thread=channel.thread(incoming),
            end_user_id=channel.end_user(incoming),
            command=command_of(channel.heard(incoming)),
            incoming=incoming,
            next_run_at=now,
            created_at=now,
        )

    @property
    def is_open(self) -> bool:
        return self.state is MessageState.OPEN

    @property
    def is_worn_out(self) -> bool:
        """So many tries failed that the next one is the last."""
        return self.attempt >= MAX_TRIES

    def claim(self, owner: str, *, now: datetime, until: datetime) -> None:
        """Take it over; raise ``ThreadLost`` unless it is due."""
        if not (self.is_open and self.next_run_at <= now and self.is_free(now=now)):
            raise ThreadLost("Another process has this message.", message_id=self.id)
        self._lend(owner, until=until)

    def begin_run(self) -> str:
        """Return the key of the next run; equal keys begin one run, whoever asks."""
        self.runs += 1
        self.run_id = 0
        return self.run_key

    @property
    def run_key(self) -> str:
        return f"channel-{self.id}-{self.runs}"

    @property
    def may_run_again(self) -> bool:
        """Tell whether a run that ended with its process is to be begun anew."""
        return self.runs < MAX_RUNS

    def follow_run(self, run_id: int) -> None:
        """Note which run answers."""
        self.run_id = run_id

    def piece_key(self, number: int) -> str:
        """Return the key by which a platform knows a piece again."""
        return f"{self.id}-{number}"

    def arrived(self, *, live_id: str | None = None) -> None:
        """Note that the next piece is with its reader."""
        self.sent += 1
        self.attempt = 1
        if live_id is not None:
            self.live_id = live_id

    def show(self, live_id: str) -> None:
        """Note what stands there until the answer does."""
        self.live_id = live_id

    def tell_slow(self) -> None:
        """Note that the author was told to wait."""
        self.is_told = True

    def postpone(self, reason: str, *, delay_s: float, now: datetime) -> None:
        """Give it back, to be tried again later."""
        self.last_error = reason[:REASON_CHARS]
        self.next_run_at = now + timedelta(seconds=min(delay_s, LONGEST_DELAY_S))
        self._let_go()

    def release(self, *, now: datetime) -> None:
        """Give it back without blame: the process stops."""
        self.attempt = max(self.attempt - 1, 0)
        self.next_run_at = now
        self._let_go()

    def answer(self, *, now: datetime) -> None:
        """Note that the whole answer arrived."""
        self._end(MessageState.ANSWERED, now)

    def drop(self, reason: str, *, now: datetime) -> None:
        """Note that it is not answered, and need not be."""
        self.last_error = reason[:REASON_CHARS]
        self._end(MessageState.DROPPED, now)

    def fail(self, reason: str, *, now: datetime) -> None:
        """Give up."""
        self.last_error = reason[:REASON_CHARS]
        self._end(MessageState.FAILED, now)

    def _end(self, state: MessageState, now: datetime) -> None:
        self.state, self.finished_at = state, now
        self.incoming = Incoming(message_id=self.platform_id, chat_id="", sender_id="")
        self._let_go()


def retry_delay_s(attempt: int, *, wish_s: float | None) -> float:
    """Return 1, 2, 4 … seconds after try 1, 2, 3 …; a platform that wishes more gets it."""
    return min(max(2.0 ** max(attempt - 1, 0), wish_s or 0.0), LONGEST_DELAY_S)
