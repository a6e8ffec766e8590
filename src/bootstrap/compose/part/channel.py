"""Composition of channels: platforms on which agents answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from application.channel.answering import Answering
from application.channel.intake import ChannelIntake
from application.channel.service import ChannelService
from application.channel.worker import ChannelWorker
from application.conversation.run.service import RunService
from application.shared.background import Background
from application.shared.leader import scheduled
from application.shared.target import Targets
from crossdomain.agent.contract import Agents
from crossdomain.file.contract import Uploads
from domain.shared.id_generator import IdGenerator
from infra.contract.clock import Clock
from infra.contract.egress import EgressClient
from infra.contract.messaging.leader_election import LeaderElection
from infra.contract.messaging.signal import Signals
from infra.contract.security.secret_box import SecretBox
from infra.impl.channel import AdapterParts
from infra.impl.channel.factory import RegisteredAdapters
from infra.impl.repository.sql.channel import SqlChannelStore
from infra.impl.repository.sql.engine.database import Database

_FORGETTING_S: Final = 3600.0


@dataclass(frozen=True, kw_only=True)
class ChannelParts:
    """Channels for those who manage a workspace, the door of platforms, and who answers."""

    channels: ChannelService
    intake: ChannelIntake
    worker: ChannelWorker
    forgetting: Background
    """Removes messages that ended long ago, in one process for all."""


def compose_channel(
    *,
    database: Database,
    secret_box: SecretBox,
    egress: EgressClient,
    addresses: Mapping[str, str],
    agents: Agents,
    runs: RunService,
    files: Uploads,
    signals: Signals,
    election: LeaderElection,
    clock: Clock,
    ids: IdGenerator,
    begins_alone: bool,
) -> ChannelParts:
    """Needs runs, which answer, and files, which come and go with messages."""
    store, targets = SqlChannelStore(database, secret_box), Targets(agents)
    adapters = RegisteredAdapters(AdapterParts(egress=egress, clock=clock, addresses=addresses))
    worker = ChannelWorker(
        store=store,
        adapters=adapters,
        answering=Answering(chats=runs, files=files, targets=targets, clock=clock),
        signals=signals,
        clock=clock,
        begins_alone=begins_alone,
    )
    return ChannelParts(
        channels=ChannelService(
            store=store, adapters=adapters, targets=targets, ids=ids, clock=clock
        ),
        intake=ChannelIntake(store=store, adapters=adapters, signals=signals, ids=ids, clock=clock),
        worker=worker,
        forgetting=scheduled(
            worker.forget, name="channel messages", interval_s=_FORGETTING_S, election=election
        ),
    )
