"""Random loops of clients with tools, against what the table of situations says of each request."""

import random
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from tests.support.client.tool_world import QUESTION, World, said, tool_world
from tests.support.process.in_process import Answer
from tests.upstream.fixture import RunningUpstream, running_upstream

AGENTS: Final = ("one", "mixed", "both", "chain")
SURFACES: Final = ("completions", "stored", "unstored")
ACTIONS: Final = ("answer", "answer", "part", "repeat", "again", "branch", "edit")
STEPS: Final = 7


@pytest.fixture(scope="module")
def upstream() -> Any:
    with running_upstream() as found:
        yield found


@pytest.fixture(scope="module", params=["one", "two"])
async def world(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    upstream: RunningUpstream,
) -> AsyncGenerator[World]:
    async with tool_world(request, tmp_path_factory, upstream) as found:
        yield found


@pytest.fixture(scope="module", params=["one"])
async def forgetful(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    upstream: RunningUpstream,
) -> AsyncGenerator[World]:
    """A deployment where no run waits for more than a moment."""
    environ = {"COTERIE_LIMITS__ACTION_WAIT_S": "0.001"}
    async with tool_world(request, tmp_path_factory, upstream, environ) as found:
        yield found


@dataclass(frozen=True, kw_only=True)
class Held:
    """What a client holds at a moment: everything said, and the calls that it is to answer."""

    items: tuple[dict[str, Any], ...]
    calls: tuple[str, ...]
    texts: tuple[str, ...] = ()
    """The outputs among the items."""


@dataclass(kw_only=True)
class Loop:
    """One client; it keeps the history and checks each answer against the table."""

    world: World
    surface: str
    agent: str
    user: str
    chance: random.Random
    forgets: bool = False
    run: str = ""
    """The run that waits for the calls of ``held``."""
    resumes: int = 0
    held: Held = Held(items=(QUESTION,), calls=())
    earlier: list[Held] = field(default_factory=list)
    """Moments of which the calls have been answered."""
    last: tuple[list[dict[str, Any]], Held, str, str] | None = None
    """The request that was answered last: what was sent, held, its key, and the answer's id."""
    number: int = 0

    async def play(self) -> None:
        await self.begin()
        for _ in range(STEPS):
            action = self.chance.choice(ACTIONS)
            if not self.held.calls and action in {"answer", "part", "edit"}:
                await self.begin()
                continue
            await getattr(self, action)()

    async def begin(self) -> None:
        self.held = Held(items=(QUESTION,), calls=())
        answer = await self.send([QUESTION])
        self.take(answer, self.held, is_new=True)

    async def answer(self) -> None:
        """All outputs: the run goes on, unless it has been given up meanwhile."""
        held, key = self.held, f"{self.user} {self.number}"
        items, given = self.outputs(held)
        answer = await self.send(items, key=key)
        self.take(answer, given, is_new=self.forgets)
        self.earlier.append(held)
        self.last = items, given, key, answer.json["id"]

    async def part(self) -> None:
        """Outputs of some calls only: refused, and nothing changes."""
        if len(self.held.calls) < 2:
            return
        items, _ = self.outputs(self.held)
        answer = await self.send(items[:-1])
        assert answer.status == 400, str(answer)
        assert answer.json["error"]["code"] == "missing_tool_outputs"

    async def repeat(self) -> None:
        """The same with the same key: the same answer, and the model is not asked."""
        if self.last is None or self.forgets:
            return
        items, _, key, answered = self.last
        before = len(self.world.model_calls())
        answer = await self.send(items, key=key)
        assert answer.json["id"] == answered
        assert len(self.world.model_calls()) == before

    async def again(self) -> None:
        """The same without a key, after its answer was read: another run."""
        if self.last is None:
            return
        items, given, _, _ = self.last
        self.take(await self.send(items), given, is_new=True)
        self.last = None

    async def branch(self) -> None:
        """Other outputs of calls that were answered: another run."""
        if not self.earlier:
            return
        items, given = self.outputs(self.chance.choice(self.earlier))
        self.take(await self.send(items), given, is_new=True)
        self.last = None

    async def edit(self) -> None:
        """Another history: another run, and the one that waited is given up."""
        rule = {"role": "system", "content": f"Rule {self.number}."}
        items, given = self.outputs(self.held)
        edited = Held(items=(rule, *given.items), calls=(), texts=given.texts)
        self.take(await self.send([rule, *items]), edited, is_new=True)
        self.last = None

    def outputs(self, held: Held) -> tuple[list[dict[str, Any]], Held]:
        texts: list[str] = []
        items: list[dict[str, Any]] = []
        for call in held.calls:
            self.number += 1
            texts.append(f"output {self.number} of {self.user};")
            items.append(self.output(call, texts[-1]))
        given = (*held.items, *items)
        return [*given], Held(items=given, calls=(), texts=(*held.texts, *texts))

    def output(self, call: str, text: str) -> dict[str, Any]:
        if self.surface == "completions":
            return {"role": "tool", "tool_call_id": call, "content": text}
        return {"type": "function_call_output", "call_id": call, "output": text}

    async def send(self, items: list[dict[str, Any]], *, key: str = "") -> Answer:
        self.number += 1
        more: Mapping[str, Any] = {"headers": (("Idempotency-Key", key),)} if key else {}
        if self.surface == "completions":
            return await self.world.ask(self.agent, items, user=self.user, **more)
        is_stored = self.surface == "stored"
        return await self.world.respond(self.agent, items, user=self.user, store=is_stored, **more)

    def take(self, answer: Answer, held: Held, *, is_new: bool) -> None:
        """Check an answer and what the model was told for it."""
        assert answer.status == 200, str(answer)
        run = answer.headers["x-chat-id"]
        self.resumes = 0 if is_new else self.resumes + 1
        assert (run != self.run) is is_new
        self.run = run
        mark = "-" if self.surface == "completions" else "_"
        suffix = f"{mark}{self.resumes}" if self.resumes else ""
        assert answer.json["id"].endswith(f"{run}{suffix}")
        told = "".join(
            str(message["content"])
            for message in self.world.model_calls()[-1]["messages"]
            if message["role"] == "tool"
        )
        for number in range(self.number + 1):
            text = f"output {number} of {self.user};"
            assert told.count(text) == (text in held.texts), text
        if self.surface == "completions":
            message = said(answer)
            calls = [call["id"] for call in message.get("tool_calls") or ()]
            items = [message]
        else:
            items = answer.json["output"]
            calls = [item["call_id"] for item in items if item["type"] == "function_call"]
        self.held = Held(items=(*held.items, *items), calls=tuple(calls), texts=held.texts)


async def _play(world: World, surface: str, *, seed: int, loops: int, **more: Any) -> None:
    chance = random.Random(seed)  # noqa: S311 - to be repeatable
    for _ in range(loops):
        world.users += 1
        loop = Loop(
            world=world,
            surface=surface,
            agent=chance.choice(AGENTS),
            user=f"looper {world.users}",
            chance=chance,
            **more,
        )
        await loop.play()


@pytest.mark.parametrize("surface", SURFACES)
async def test_no_output_is_lost_or_told_twice(world: World, surface: str) -> None:
    await _play(world, surface, seed=11, loops=2)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("surface", SURFACES)
async def test_no_output_is_lost_or_told_twice_in_many_loops(
    world: World, surface: str, seed: int
) -> None:
    await _play(world, surface, seed=seed, loops=35)


@pytest.mark.parametrize("surface", SURFACES)
async def test_nothing_is_lost_after_a_run_gave_up_waiting(forgetful: World, surface: str) -> None:
    await _play(forgetful, surface, seed=5, loops=1, forgets=True)
