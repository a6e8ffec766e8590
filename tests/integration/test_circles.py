"""What a request leaves behind is freed at once: nothing of ours refers to itself in a circle.

Circles are found by a search that stops everything, the more often the more of them there are: for
others that is a pause of 5 to 400 ms.
"""

import base64
import gc
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.client.workflow import example
from tests.support.process.in_process import ADMIN, Deployment, running
from tests.upstream.fixture import RunningUpstream, running_upstream

TIMES: Final = 12
OURS: Final = ("api", "application", "bootstrap", "crossdomain", "domain", "infra")

Act = Callable[[], Awaitable[object]]


@contextmanager
def garbage() -> Iterator[list[object]]:
    """Gather what inside only the search for garbage would free, of what is made inside."""
    gc.collect()
    gc.freeze()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    found: list[object] = []
    try:
        yield found
        gc.collect()
        found += gc.garbage
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.unfreeze()
        gc.enable()


class Asked:
    """A deployment with one of each, and how to ask it."""

    def __init__(self, deployment: Deployment, space: str) -> None:
        self.deployment = deployment
        self.space = space

    async def call(self, method: str, path: str, document: object, status: int = 200) -> Any:
        return await self.deployment.call(
            method, path, token=ADMIN, document=document, status=status
        )

    async def chat(self) -> Act:
        path = f"/admin/v1/workspaces/{self.space}/agents"
        agent = (await self.call("POST", path, {"name": "Round"}, 201))["id"]
        question = {"role": "user", "content": "Hi", "content_type": "text"}
        body = {"bot_id": agent, "user_id": "u", "publish_status": "unpublished_draft"}
        body |= {"stream": True, "additional_messages": [question]}

        async def ask() -> None:
            answer = await self.deployment.send("POST", "/v3/chat", token=ADMIN, document=body)
            assert "conversation.chat.completed" in answer.text

        return ask

    async def workflow(self) -> Act:
        path = f"/admin/v1/workspaces/{self.space}/workflows"
        made = await self.call("POST", path, {"name": "round", "description": "A flow."}, 201)
        schema = {"schema": example("ex02_selector_merge")}
        await self.call("PUT", f"/admin/v1/workflows/{made['id']}/canvas", schema)
        release = {"version": "v0.0.1", "description": "first", "force": True}
        await self.call("POST", f"/admin/v1/workflows/{made['id']}/publish", release)
        body = {"workflow_id": made["id"], "parameters": {"mark": 70}}
        return lambda: self.call("POST", "/v1/workflow/run", body)

    async def document(self) -> Act:
        body = {"name": "base", "space_id": self.space, "format_type": 0}
        base = (await self.call("POST", "/v1/datasets", body))["data"]["dataset_id"]
        text = base64.b64encode(b"The oil of pump 7 is changed every 500 hours.").decode()
        source = {"file_base64": text, "file_type": "txt"}
        wanted = {"dataset_id": base, "document_bases": [{"name": "a.txt", "source_info": source}]}

        async def add() -> None:
            await self.call("POST", "/open_api/knowledge/document/create", wanted)
            await self.deployment.idle()

        return add


@pytest.fixture(scope="module")
def upstream() -> Iterator[RunningUpstream]:
    with running_upstream() as upstream:
        yield upstream


@pytest.mark.parametrize("what", ["chat", "workflow", "document"])
async def test_no_object_of_ours_waits_for_the_collector(
    what: str, tmp_path: Path, upstream: RunningUpstream
) -> None:
    environ = {"OPENAI_BASE_URL": upstream.base_url, "OPENAI_API_KEY": "sk-x"}
    environ["OPENAI_MODEL"] = "tokens-5-0"
    async with running(tmp_path, environ) as deployment:
        spaces = await deployment.call("GET", "/v1/workspaces", token=ADMIN)
        asked = Asked(deployment, spaces["data"]["workspaces"][0]["id"])
        act: Act = await getattr(asked, what)()
        await act()
        await deployment.idle()
        with garbage() as found:
            for _ in range(TIMES):
                await act()
            await deployment.idle()
        kinds = Counter(f"{type(each).__module__}.{type(each).__qualname__}" for each in found)
        del found[:]
    each_time = [
        kind for kind, count in kinds.items() if count >= TIMES and kind.split(".")[0] in OURS
    ]
    assert not each_time
