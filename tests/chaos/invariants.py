"""What must hold after any fault: nothing acknowledged is lost, and everything has ended."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx

from tests.chaos.workload import LINES, WORDS, Effects, Promise, Refused, Workload, call
from tests.support.process.server import RunningServer, run_command
from tests.support.wait import until

HEALED_S = 60.0
"""After the end of a fault, everything is as before within this time, without a restart."""
WORKFLOW_SUCCESS, WORKFLOW_FAILED = 2, 3
ENABLED, FAILED = 1, 9
NO_SANDBOX = {"COTERIE_CODE__KIND": "off"}
"""To make one takes long, and nothing here runs code."""
RUN_ENDS = frozenset({"run.completed", "run.failed", "run.canceled"})
CHAT_ENDS = frozenset({"completed", "failed"})


def until_healed(condition: Callable[[], bool], what: object, *, wait_s: float = HEALED_S) -> None:
    """Wait for something that must come, of servers that may not answer yet."""
    until(condition, what, wait_s=wait_s, pause_s=0.1, despite=(Refused, httpx.TransportError))


def readiness(server: RunningServer) -> tuple[str, dict[str, str]]:
    """What a server says of itself, and of its parts."""
    answer = httpx.get(f"{server.url}/readyz", timeout=20)
    body = answer.json()
    assert answer.status_code == (503 if body["status"] == "unavailable" else 200), body
    return body["status"], body["parts"]


def until_ready(server: RunningServer, status: str, *, part: str = "") -> None:
    """Wait until a server says of itself that it is ``ok``, ``degraded`` or ``unavailable``.

    ``part`` must then be named as the one that does not work.
    """

    last: object = "no answer"

    def is_so() -> bool:
        nonlocal last
        found, parts = last = readiness(server)
        return found == status and (not part or parts.get(part, "ok") != "ok")

    until_healed(is_so, lambda: f"{server.url} is {status}, {part}: {last}")


def story_of(http: httpx.Client, run_id: str, status: str) -> list[str]:
    """Return the names of a run's events: numbered without gaps, and the last one is its end."""
    lines = http.get(f"/v1/runs/{run_id}/events").text.splitlines()
    numbers = [int(line[4:]) for line in lines if line.startswith("id: ")]
    names = [line[7:] for line in lines if line.startswith("event: ")]
    assert numbers == list(range(1, len(numbers) + 1)), (run_id, numbers)
    ends = [name for name in names if name in RUN_ENDS]
    assert ends == [f"run.{status}"], (run_id, names)
    assert names[-1] == ends[0], (run_id, names)
    return names


class Invariants:
    """Looks at everything that a workload was promised."""

    def __init__(self, workload: Workload, effects: Effects, http: httpx.Client) -> None:
        self._workload = workload
        self._effects = effects
        self._http = http

    def hold(self) -> None:
        """Fail with the first promise that was not kept."""
        checks = {"chat": self._chat, "workflow": self._workflow, "document": self._document}
        for promise in self._workload.promises:
            until_healed(lambda p=promise: self._has_ended(p), f"the end of {promise}")  # type: ignore[misc]
            checks[promise.kind](promise)

    def _has_ended(self, promise: Promise) -> bool:
        found = self._state(promise)
        if promise.kind == "chat":
            return found["status"] in CHAT_ENDS
        return bool(found["status"] not in ({1} if promise.kind == "workflow" else {0}))

    def _state(self, promise: Promise) -> Mapping[str, Any]:
        ids = promise.ids
        match promise.kind:
            case "chat":
                path = f"/v3/chat/retrieve?{_query(ids)}"
                return dict(call(self._http, "GET", path)["data"])
            case "workflow":
                return dict(call(self._http, "GET", f"/admin/v1/workflow-runs/{ids['id']}"))
            case _:
                path = f"/v1/datasets/{self._workload.dataset_id}/process"
                found = call(self._http, "POST", path, {"document_ids": [ids["id"]]})
                return dict(found["data"]["data"][0])

    def _chat(self, promise: Promise) -> None:
        """One terminal state, at most one answer, and a gapless story that ends with it."""
        state = self._state(promise)
        path = f"/v3/chat/message/list?{_query(promise.ids)}"
        found = call(self._http, "GET", path)["data"]
        answers = [message["content"] for message in found if message["type"] == "answer"]
        assert len(answers) <= 1, (promise, answers)
        if state["status"] == "failed":
            assert state["last_error"]["code"] > 0, state
            assert state["last_error"]["msg"], state
            assert not promise.heard, "What was told to the end has not failed."
            assert all(WORDS.startswith(answer) for answer in answers), (promise, answers)
        else:
            assert answers == [WORDS], (promise, answers)
        story_of(self._http, promise.ids["id"], state["status"])

    def _workflow(self, promise: Promise) -> None:
        """The effect happened once, and the output tells of it."""
        state, number = self._state(promise), promise.ids["number"]
        assert state["status"] in {WORKFLOW_SUCCESS, WORKFLOW_FAILED}, state
        keys = self._effects.keys.get(number, set())
        if state["status"] == WORKFLOW_SUCCESS:
            assert json.loads(state["output"]) == {"said": f"done {number}"}, state
            assert len(keys) == 1, (promise, keys)
        else:
            assert state["reason"], state
            assert len(keys) <= 1, (promise, keys)

    def _document(self, promise: Promise) -> None:
        """Enabled with all of its slices, each once, or failed with a cause."""
        state = self._state(promise)
        assert state["status"] in {ENABLED, FAILED}, state
        if state["status"] == FAILED:
            assert state["status_descript"], state
            return
        path = f"/admin/v1/documents/{promise.ids['id']}/slices?limit=100"
        contents = [each["content"] for each in call(self._http, "GET", path)["items"]]
        assert contents == list(LINES), (promise, contents)


def examined(data: Path, environ: Mapping[str, str]) -> None:
    """Compare the stores with the database: after some quiet, nothing differs."""
    found: dict[str, Any] = {}

    def is_healthy() -> bool:
        done = run_command(data, "doctor", "--json", environ={**environ, **NO_SANDBOX})
        found.update(json.loads(done.stdout) if done.stdout else {"said": done.stderr})
        return done.returncode == 0

    until_healed(is_healthy, f"a healthy deployment: {found}")


def _query(ids: Mapping[str, str]) -> str:
    return f"conversation_id={ids['conversation_id']}&chat_id={ids['id']}"
