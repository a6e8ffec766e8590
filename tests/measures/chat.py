"""Files, functions, frames and calls that a chat passes, counted by a profile hook.

A deployment with its defaults (capture and budgets among them) streams the answer of a scripted
provider, token by token, to a client without a socket. One chat warms up. Counted are functions
below ``src`` in tasks that the chat made or that serve it; what runs in the background all the time
is left out. A short and a long answer differ by their tokens alone, which gives the *calls per
token*; a coroutine that goes on is a call, as the interpreter has it.

*Frames* are coroutines and asynchronous generators of ours that stand above each other between a
task and a socket, the provider's or the client's, while tokens flow: the deepest such stack.
"""

import asyncio
import inspect
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

from tests.measures.source import ROOT
from tests.support.process.in_process import ADMIN, Deployment, running
from tests.upstream.fixture import RunningUpstream, running_upstream
from tests.upstream.steps import chunk

MODEL: Final = "measured"
SHORT, LONG = 5, 45
_PAUSE_MS: Final = 50
"""Between two tokens, so that each goes its way alone."""
_ASYNC: Final = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_ITERABLE_COROUTINE
_EACH: Final = 0.8
"""Calls per token of a function that each token passes; some tokens travel together."""
_SRC: Final = str(ROOT / "src")


@dataclass
class Passed:
    """What was called while a chat went on."""

    background: frozenset[asyncio.Task[Any]]
    calls: Counter[CodeType] = field(default_factory=Counter)
    stacks: dict[CodeType, Sequence[str]] = field(default_factory=dict)
    """Of each function the deepest stack of coroutines that it stood on."""

    def see(self, frame: FrameType, event: str, _: object) -> None:
        """Count a call; a profile hook."""
        code = frame.f_code
        if event != "call" or not _is_ours(code):
            return
        task = asyncio.current_task()
        if task is None or task in self.background:
            return
        self.calls[code] += 1
        stack = _coroutines(frame)
        if len(stack) > len(self.stacks.get(code, ())):
            self.stacks[code] = stack


@contextmanager
def profiled() -> Iterator[Passed]:
    """Watch this thread, but for the tasks that there are already."""
    mine = asyncio.current_task()
    passed = Passed(background=frozenset(each for each in asyncio.all_tasks() if each is not mine))
    sys.setprofile(passed.see)
    try:
        yield passed
    finally:
        sys.setprofile(None)


def _is_ours(code: CodeType) -> bool:
    return code.co_filename.startswith(_SRC) and not code.co_name.startswith("<")


def _coroutines(frame: FrameType | None) -> Sequence[str]:
    found: list[str] = []
    while frame is not None:
        if frame.f_code.co_flags & _ASYNC and _is_ours(frame.f_code):
            found.append(frame.f_code.co_qualname)
        frame = frame.f_back
    return found


async def _chat(deployment: Deployment, upstream: RunningUpstream, agent: str, tokens: int) -> None:
    steps: list[dict[str, Any]] = []
    for number in range(tokens):
        steps += [{"event": chunk({"content": f"t{number} "}, model=MODEL)}, {"wait_ms": _PAUSE_MS}]
    upstream.forget()
    upstream.script(MODEL, [*steps, {"event": chunk({}, model=MODEL, finish="stop")}])
    answer = await deployment.send(
        "POST",
        "/v3/chat",
        token=ADMIN,
        document={
            "bot_id": agent,
            "user_id": "u",
            "publish_status": "unpublished_draft",
            "stream": True,
            "additional_messages": [{"role": "user", "content": "Hi", "content_type": "text"}],
        },
    )
    assert answer.status == 200, str(answer)


async def _measure() -> tuple[Passed, Passed]:
    with running_upstream() as upstream, tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        environ = {
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_API_KEY": "sk-x",
            "OPENAI_MODEL": MODEL,
        }
        async with running(data, environ) as deployment:
            found = await deployment.call("GET", "/v1/workspaces", token=ADMIN)
            space = found["data"]["workspaces"][0]["id"]
            made = await deployment.call(
                "POST",
                f"/admin/v1/workspaces/{space}/agents",
                token=ADMIN,
                document={"name": "Measured"},
                status=201,
            )
            await _chat(deployment, upstream, made["id"], SHORT)
            await deployment.idle()
            with profiled() as short:
                await _chat(deployment, upstream, made["id"], SHORT)
            await deployment.idle()
            with profiled() as long:
                await _chat(deployment, upstream, made["id"], LONG)
            await deployment.idle()
    return short, long


def measured() -> Mapping[str, float]:
    """Run the chats and return ``files``, ``functions``, ``frames`` and ``calls``."""
    short, long = asyncio.run(_measure())
    tokens = LONG - SHORT
    more = long.calls - short.calls
    stacks = [long.stacks[code] for code, count in more.items() if count >= _EACH * tokens]
    return {
        "files": len({code.co_filename for code in short.calls}),
        "functions": len(short.calls),
        "frames": max(map(len, stacks)),
        "calls": more.total() / tokens,
    }
