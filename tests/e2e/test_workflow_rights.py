"""Who may do what with workflows: viewers read, editors write, others find nothing."""

import httpx

from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer

REFUSED, HIDDEN = (403, 4101), (404, 4200)


def test_viewers_read_and_strangers_find_nothing(server: RunningServer, seed: Seed) -> None:
    space = seed.workspace("workflow rights")
    workflow = seed.call("POST", f"/workspaces/{space}/workflows", {"name": "Shared"})
    own = f"/admin/v1/workflows/{workflow['id']}"
    viewer_id, viewer_token = seed.user("workflow.viewer")
    _, stranger_token = seed.user("workflow.stranger")
    seed.call(
        "POST",
        f"/workspaces/{space}/members",
        {"user_id": viewer_id, "role": "viewer"},
    )
    reads = [own, f"{own}/canvas", f"{own}/export", f"{own}/versions", f"{own}/references"]
    writes = [
        ("PATCH", own, {"name": "Mine"}),
        ("PUT", f"{own}/canvas", {"nodes": [], "edges": []}),
        ("POST", f"{own}/publish", {"force": True}),
        ("POST", f"{own}/copy", {}),
        ("PUT", f"{own}/role", {}),
        ("POST", "/admin/v1/workflows:batch-delete", {"workflow_ids": [workflow["id"]]}),
        ("DELETE", own, None),
    ]

    for token, read, written in (
        (viewer_token, (200, 0), REFUSED),
        (stranger_token, HIDDEN, HIDDEN),
    ):
        headers = {"authorization": f"Bearer {token}"}
        with httpx.Client(base_url=server.url, headers=headers, timeout=60) as client:
            for path in reads:
                assert _outcome(client.get(path)) == read, path
            for method, path, body in writes:
                assert _outcome(client.request(method, path, json=body)) == written, path
            listed = client.get("/v1/workflows", params={"workspace_id": space})
            assert _outcome(listed) == read
    assert seed.call("GET", own.removeprefix("/admin/v1"))["name"] == "Shared"


def _outcome(answer: httpx.Response) -> tuple[int, int]:
    found = answer.json()
    return answer.status_code, found.get("code", 0) if isinstance(found, dict) else 0
