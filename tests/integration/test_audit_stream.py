"""Each row of the audit log reaches a syslog receiver, refused sign-ins among them."""

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.contract.test_syslog import receiving
from tests.support.process.in_process import ADMIN, Deployment, running
from tests.support.wait import until_so

PAGE = [("host", "127.0.0.1:8000"), ("sec-fetch-site", "same-origin")]


async def refuse(deployment: Deployment, name: str) -> None:
    answer = await deployment.send(
        "POST",
        "/admin/v1/auth/login",
        document={"name": name, "password": "it is not this one"},
        headers=PAGE,
        peer="203.0.113.9",
    )
    assert answer.status == 401, str(answer)


def event_of(row: dict[str, Any]) -> str:
    """Return what happened: rows of a request have the operation for their action."""
    return str(row["detail"].get("event", row["action"]))


async def test_rows_are_streamed_in_order_with_refused_sign_ins(tmp_path: Path) -> None:
    async with receiving() as receiver:
        environ = {"COTERIE_AUDIT__SYSLOG": f"tcp://127.0.0.1:{receiver.port}"}
        async with running(tmp_path, environ) as deployment:
            stream = deployment.container.audit_stream()
            assert stream is not None
            await deployment.container.identity().audit.chain()
            await stream.stream()  # from now on

            await refuse(deployment, "admin")
            await refuse(deployment, "my password, by mistake")
            await deployment.call(
                "POST", "/admin/v1/workspaces", token=ADMIN, document={"name": "T"}, status=201
            )
            await deployment.container.identity().audit.chain()
            await stream.stream()
            await until_so(lambda: len(receiver.messages) >= 3)
            await asyncio.sleep(0)

            listed = await deployment.call(
                "GET", "/admin/v1/audit-log?action=sign_in.refused", token=ADMIN
            )

    rows = [json.loads(said.partition(b"\xef\xbb\xbf")[2]) for said in receiver.messages]
    positions = [int(row["position"]) for row in rows]
    assert positions == list(range(positions[0], positions[0] + len(rows)))
    refused = [row for row in rows if event_of(row) == "sign_in.refused"]
    assert len(refused) == 2
    assert {row["detail"]["address"] for row in refused} == {"203.0.113.9"}
    assert [row["detail"]["user_id"] != 0 for row in refused] == [True, False]
    assert b"by mistake" not in b"".join(receiver.messages)
    assert any(row["action"] == "admin.workspaces.create" for row in rows)
    assert listed["total"] in {0, 2}
