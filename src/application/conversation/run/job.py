"""Everything one run needs, fixed once it is accepted, and what its model calls cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from crossdomain.agent.contract import AgentDefinition, ShortcutCall, TurnOverrides
from domain.conversation.message import Message
from domain.conversation.run import Run
from domain.conversation.value import Surface, WaitingFor
from domain.shared.access import TenantScope
from domain.shared.account import Account, Origin, current_origin
from domain.shared.chat import ChatMessage, ModelCall, Part, Usage
from domain.shared.ids import AgentId, SpaceId


@dataclass(slots=True, kw_only=True)
class RunJob:
    """An accepted run. ``run`` is replaced by its newer states; most of the rest stays.

    Messages belong to ``message_space_id``, the conversation's space, which need not be the
    agent's. ``context`` are messages of the request itself; ``has_past`` says whether the
    conversation may hold earlier ones, with sequence numbers below ``first_seq``. Numbers from
    ``next_seq`` up to ``end_seq`` (exclusive) are reserved for what the run produces.
    ``variables`` persist with the conversation; None if it keeps none. ``parameters`` are the input
    of a workflow that answers. ``answers`` is what an earlier run waited for, or this one, if there
    are ``outputs`` of the client. ``takes_outputs``: the client can be asked for such.
    """

    run: Run
    scope: TenantScope
    definition: AgentDefinition
    message_space_id: SpaceId
    question: tuple[Part, ...]
    context: tuple[Message, ...]
    has_past: bool
    first_seq: int
    next_seq: int
    end_seq: int
    overrides: TurnOverrides
    extra_system: tuple[str, ...]
    variables: Mapping[str, str] | None
    log_id: str
    shortcut: ShortcutCall | None = None
    wants_follow_ups: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)
    answers: WaitingFor | None = None
    outputs: Mapping[str, str] = field(default_factory=dict)
    takes_outputs: bool = False
    takes_calls: bool = False
    steps: tuple[ChatMessage, ...] = ()
    """Calls and results that the request tells of, after its question."""

    history: str = ""
    """Digest of what the client holds, if it gives outputs with its next request."""

    waited: int = 0
    """How often the run has waited for the client."""

    surface: Surface = "coze"
    """Where the run was asked for."""

    origin: Origin = field(default_factory=current_origin)
    """Through what."""

    is_lost: bool = False
    """Somebody else brought the run to its end."""
    is_settling: bool = False
    """Its end is being stored; if the row has one by now, it may be this one."""
    is_unsettled: bool = False
    """Nobody knows whether its end was stored, so that the end that was told may not be its end."""
    flow_variables: Mapping[str, Any] | None = None
    """What the workflow that answers leaves for its next turn; None if it keeps nothing."""
    answer_meta: Mapping[str, str] = field(default_factory=dict)
    """What clients of several agents read on an answer: which of them gave it."""

    def __post_init__(self) -> None:
        """The agent that was asked begins, where others may answer in its place."""
        if self.definition.hands_over:
            self.speaks(self.definition.agent_id, self.definition.name)

    def speaks(self, agent_id: int, name: str) -> None:
        """Note which agent of several answers from now on."""
        state = {
            "bot_id": str(self.run.agent_id),
            "agent_id": str(agent_id),
            "agent_name": name,
            "awaiting": "",
        }
        self.answer_meta = {"bot_state": msgspec.json.encode(state).decode()}

    @property
    def account(self) -> Account:
        """Whom and what its calls are counted for."""
        return replace(self.run.account(self.origin), workflow_id=self.definition.workflow_id)

    @property
    def resumed_from(self) -> WaitingFor | None:
        """What this run itself waited for before it went on."""
        return self.answers if self.outputs else None

    @property
    def is_logged(self) -> bool:
        """Its events are kept: clients come back for what follows their outputs."""
        return self.run.is_saved or bool(self.outputs)

    @property
    def agent_id(self) -> AgentId | None:
        """The agent of the messages; None if a workflow answers for itself."""
        return self.run.agent_id or None

    def take_seq(self) -> int:
        seq = self.next_seq
        self.next_seq += 1
        return seq


NumberedCalls = tuple[tuple[int, ModelCall], ...]


class CallLedger:
    """Numbers the calls and sums them up; each is handed out for writing once.

    A run that goes on after it waited has had ``count`` calls before, which cost ``usage``.
    """

    def __init__(self, *, count: int = 0, usage: Usage | None = None) -> None:
        self.usage = usage or Usage()
        self.count = self._before = count
        self._unwritten: dict[int, ModelCall] = {}

    @property
    def is_written(self) -> bool:
        return not self._unwritten

    @property
    def has_recorded(self) -> bool:
        """Tell whether calls were counted here, besides those of before."""
        return self.count > self._before

    def record(self, call: ModelCall) -> None:
        self.count += 1
        self._unwritten[self.count] = call
        self.usage += call.usage

    def take(self) -> NumberedCalls:
        """Hand over the calls that nobody has begun to write."""
        taken, self._unwritten = tuple(self._unwritten.items()), {}
        return taken

    def give_back(self, calls: Sequence[tuple[int, ModelCall]]) -> None:
        """Take back calls whose transaction failed."""
        self._unwritten |= dict(calls)
