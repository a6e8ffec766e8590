"""Which kind of traffic each operation is."""

import pytest

from api.entry.traffic import traffic_of
from application.shared.traffic import Traffic


@pytest.mark.parametrize(
    ("method", "path", "traffic"),
    [
        ("GET", "/readyz", Traffic.HEALTH),
        ("GET", "/metrics", Traffic.HEALTH),
        ("POST", "/v3/chat/cancel", Traffic.CANCEL),
        ("POST", "/admin/v1/workflow-runs/1/cancel", Traffic.CANCEL),
        ("GET", "/v1/runs/1/events", Traffic.READ),
        ("HEAD", "/v1/models", Traffic.READ),
        ("POST", "/v3/chat/retrieve", Traffic.READ),
        ("POST", "/v1/conversation/message/list", Traffic.READ),
        ("POST", "/v1/conversation/message/retrieve", Traffic.READ),
        ("POST", "/open_api/knowledge/document/list", Traffic.READ),
        ("POST", "/v1/datasets/1/process", Traffic.READ),
        ("POST", "/v1/datasets/search", Traffic.READ),
        ("POST", "/admin/v1/datasets:search", Traffic.READ),
        ("POST", "/v3/chat", Traffic.CHAT),
        ("POST", "/v1/chat/completions", Traffic.CHAT),
        ("POST", "/v1/workflow/run", Traffic.CHAT),
        ("DELETE", "/admin/v1/files/1", Traffic.CHAT),
        ("POST", "/v1/conversation/create", Traffic.CHAT),
        ("POST", "/v1/files/upload", Traffic.INGEST),
        ("POST", "/admin/v1/files", Traffic.INGEST),
        ("POST", "/open_api/knowledge/document/create", Traffic.INGEST),
        ("POST", "/admin/v1/datasets/1/reindex", Traffic.INGEST),
        ("POST", "/admin/v1/databases/1/imports", Traffic.INGEST),
    ],
)
def test_every_request_has_its_place(method: str, path: str, traffic: Traffic) -> None:
    assert traffic_of(method, path) is traffic
