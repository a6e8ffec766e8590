"""Client of Coterie, a self-hosted backend for AI agents: typed, streaming, resuming.

First answer::

    from coterie_client import Coterie

    client = Coterie.from_env()
    for piece in client.chats.stream("helper", "Hello").text():
        print(piece, end="")
"""

from coterie_client._client import AsyncCoterie
from coterie_client._errors import (
    BadRequest,
    BudgetExceeded,
    Conflict,
    ConnectionFailed,
    ConversationBusy,
    CoterieError,
    DecodeFailed,
    DocumentFailed,
    Forbidden,
    GateRefused,
    NotCancelable,
    NotFound,
    NotImplementedHere,
    NotWaiting,
    ProviderError,
    RateLimited,
    RequiresAction,
    RunCanceled,
    RunFailed,
    ServerError,
    Stale,
    StreamBroken,
    TimedOut,
    TooLarge,
    Unauthorized,
    Unavailable,
    WaitTimeout,
    WorkflowFailed,
)
from coterie_client._generated import models
from coterie_client._generated.sync._client import Coterie
from coterie_client._retry import Timeout
from coterie_client._transport import __version__
from coterie_client.events import RunEvent, UnknownEvent, WorkflowEvent
from coterie_client.parts import Audio, File, Image, Part, Text
from coterie_client.results import Answer, WorkflowRun
from coterie_client.tools import Tool

__all__ = [
    "Answer",
    "AsyncCoterie",
    "Audio",
    "BadRequest",
    "BudgetExceeded",
    "Conflict",
    "ConnectionFailed",
    "ConversationBusy",
    "Coterie",
    "CoterieError",
    "DecodeFailed",
    "DocumentFailed",
    "File",
    "Forbidden",
    "GateRefused",
    "Image",
    "NotCancelable",
    "NotFound",
    "NotImplementedHere",
    "NotWaiting",
    "Part",
    "ProviderError",
    "RateLimited",
    "RequiresAction",
    "RunCanceled",
    "RunEvent",
    "RunFailed",
    "ServerError",
    "Stale",
    "StreamBroken",
    "Text",
    "TimedOut",
    "Timeout",
    "TooLarge",
    "Tool",
    "Unauthorized",
    "Unavailable",
    "UnknownEvent",
    "WaitTimeout",
    "WorkflowEvent",
    "WorkflowFailed",
    "WorkflowRun",
    "__version__",
    "models",
]
