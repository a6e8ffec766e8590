"""Another master key: what is sealed opens, is sealed anew, and needs the former key no more."""

import base64
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from bootstrap.compose.archive import archive_of
from infra.impl.repository.sql.operation.sealed_secrets import SqlSealedSecrets
from tests.support.process.in_process import ADMIN, MASTER_KEY, Deployment, running
from tests.upstream.fixture import running_upstream

NEW: Final = base64.b64encode(bytes(range(7, 39))).decode()
SHORT: Final = "short question"
LONG: Final = "".join(f"word{number} " for number in range(1000))
"""The trace of its answer is in the object store."""


async def _traces(deployment: Deployment) -> list[Any]:
    listed = await deployment.call("GET", "/admin/v1/traces", token=ADMIN)
    return [
        await deployment.call("GET", f"/admin/v1/traces/{each['run_id']}?content=true", token=ADMIN)
        for each in listed["items"]
    ]


async def _ask(deployment: Deployment, text: str) -> None:
    listed = await deployment.call("GET", "/v1/workspaces", token=ADMIN)
    space = listed["data"]["workspaces"][0]["id"]
    agents = await deployment.call("GET", f"/admin/v1/workspaces/{space}/agents", token=ADMIN)
    await deployment.call(
        "POST",
        "/v1/chat/completions",
        token=ADMIN,
        document={
            "model": agents["items"][0]["id"],
            "messages": [{"role": "user", "content": text}],
        },
    )


def _objects(data: Path) -> int:
    """Count the traces that are in the object store."""
    with closing(sqlite3.connect(data / "coterie.db")) as database:
        query = "SELECT count(*) FROM trace_body WHERE object_key <> ''"
        (count,) = database.execute(query).fetchone()
    return int(count)


async def test_credentials_and_traces_move_to_another_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("application.trace.body.INLINE_BYTES", 1200)
    with running_upstream() as upstream:
        environ = {
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_API_KEY": "sk-none",
            "OPENAI_MODEL": "echo",
            "COTERIE_TRACE__CAPTURE": "content",
        }
        model = {
            "display": {"name": "stored"},
            "connection": {"base_url": upstream.base_url, "model": "echo", "api_key": "sk-stored"},
        }
        async with running(tmp_path, environ) as deployment:
            await deployment.call(
                "POST", "/admin/v1/models", token=ADMIN, document=model, status=201
            )
            for question in (SHORT, LONG):
                await _ask(deployment, question)
            before = await _traces(deployment)
            assert 0 < _objects(tmp_path) < len(before), "in rows, and in objects"
        assert any(SHORT in str(trace) for trace in before)
        assert any("word999" in str(trace) for trace in before)

        both = {"COTERIE_MASTER_KEY": NEW, "COTERIE_FORMER_MASTER_KEYS": MASTER_KEY}
        async with running(tmp_path, environ | both) as deployment:
            assert await _traces(deployment) == before
            container = deployment.container
            secrets, resealing = (
                SqlSealedSecrets(container.database()),
                archive_of(container).resealing,
            )
            assert await secrets.reseal(container.secret_box()) == (1, [])
            done = await resealing.run()
            assert (done.count, done.unreadable) == (len(before), 0)
            assert await secrets.reseal(container.secret_box()) == (0, [])
            assert (await resealing.run()).count == 0

        async with running(tmp_path, environ | {"COTERIE_MASTER_KEY": NEW}) as deployment:
            assert await _traces(deployment) == before
            container = deployment.container
            secrets = SqlSealedSecrets(container.database())
            assert await secrets.unreadable(container.secret_box()) == (1, [])
