"""T15: no credential appears in any answer, log, row or metric, whatever goes wrong."""

import io
import logging
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, Final

import pytest

from bootstrap.compose.observe import log_context
from infra.impl.logging.setup import install
from tests.integration.security.operations import CALLS, filled, perform
from tests.integration.security.tenants import Tenant, make_tenant
from tests.support.process.in_process import ADMIN, MASTER_KEY, Deployment, running
from tests.upstream.fixture import RunningUpstream

ENVIRONMENT_KEY: Final = "zq-canary-environment-6Hd1Fg5Jc0Kp"
CONFIGURED_KEY: Final = "zq-canary-configured-8rLw3Ys6Hd1F"
HEADER_KEY: Final = "zq-canary-header-9xT4bN8rLw3Ys6Hd"
STORED_KEY: Final = "zq-canary-stored-2mV9xT4bN8rLw3Ys"
CHANGED_KEY: Final = "zq-canary-changed-7Zk2mV9xT4bN8rLw"
MULTILINE_KEY: Final = "zq-canary-lines%0d%0a" + "x" * 3000 + "zq-canary-end"
SECRETS: Final = (
    ENVIRONMENT_KEY,
    CONFIGURED_KEY,
    HEADER_KEY,
    STORED_KEY,
    CHANGED_KEY,
    MULTILINE_KEY,
    MASTER_KEY,
    ADMIN,
)
CONFIGURATION: Final = """
[[models]]
id = "configured"
base_url = "{base_url}"
name = "error-key"
api_key = "{key}"
[models.headers]
x-extra-key = "{header}"
"""


@pytest.fixture
async def leaky(tmp_path: Path, upstream: RunningUpstream) -> AsyncGenerator[Deployment, None]:
    """A deployment whose provider repeats the credential in its refusals."""
    (tmp_path / "coterie.toml").write_text(
        CONFIGURATION.format(base_url=upstream.base_url, key=CONFIGURED_KEY, header=HEADER_KEY)
    )
    environ = {
        "OPENAI_BASE_URL": upstream.base_url,
        "OPENAI_API_KEY": ENVIRONMENT_KEY,
        "OPENAI_MODEL": "error-key",
    }
    async with running(tmp_path, environ) as deployment:
        yield deployment


async def test_no_secret_is_told(
    leaky: Deployment, written: io.StringIO, upstream: RunningUpstream
) -> None:
    handler = install(
        level="debug",
        style="json",
        redactor=leaky.container.redactor(),
        context=log_context,
        stream=written,
    )
    told: list[bytes] = []
    tenant = await make_tenant(leaky, "heidi")
    model_id = ""
    for key in (STORED_KEY, MULTILINE_KEY):
        model_id = await _model(leaky, key, told, upstream=leaky)
        await _chat(leaky, tenant, model_id, told)
    await _change_key(leaky, model_id, told)
    await _chat(leaky, tenant, model_id, told)
    for other in ("", "configured"):
        await _chat(leaky, tenant, other, told)
    await _everything(leaky, tenant, told)
    for number in range(3):
        logging.getLogger("elsewhere").error("Call %d failed: %s", number, list(SECRETS))
        cause = RuntimeError(f"Bearer {SECRETS[number]} was refused")
        logging.getLogger("elsewhere").error("A driver said", exc_info=cause, extra={"url": ADMIN})
    metrics = await leaky.send("GET", "/metrics")
    told.append(metrics.body)
    handler.close()

    places = {
        "answers": b"\n".join(told),
        "log": written.getvalue().encode(),
        "database": leaky.dump(),
    }
    used = " ".join(str(each.headers) for each in upstream.requests(model="error-key"))
    assert all(key in used for key in (ENVIRONMENT_KEY, CONFIGURED_KEY, HEADER_KEY, STORED_KEY))
    leaks = [
        f"{secret[:20]} in {place}"
        for place, content in places.items()
        for secret in (*SECRETS, tenant.token)
        if secret.encode() in content
    ]
    assert not leaks
    assert b"zq-canary" not in b"".join(places.values())
    assert "error-key" in written.getvalue() or "Call 0 failed" in written.getvalue()


async def _model(
    deployment: Deployment, key: str, told: list[bytes], *, upstream: Deployment
) -> str:
    settings = upstream.container.settings()
    answer = await deployment.send(
        "POST",
        "/admin/v1/models",
        token=ADMIN,
        document={
            "display": {"name": f"stored-{len(told)}"},
            "connection": {
                "base_url": settings.openai.base_url,
                "model": "error-key",
                "api_key": key,
                "headers": {"x-team": "blue"},
            },
        },
    )
    assert answer.status == 201, str(answer)
    told.append(answer.body)
    model_id: str = answer.json["id"]
    for method, path in (
        ("GET", f"/admin/v1/models/{model_id}"),
        ("GET", "/admin/v1/models"),
        ("POST", f"/admin/v1/models/{model_id}/test"),
        ("GET", "/admin/v1/model-providers"),
        ("GET", "/admin/v1/audit-log?limit=100"),
    ):
        answer = await deployment.send(method, path, token=ADMIN)
        assert answer.status == 200, str(answer)
        told.append(answer.body)
    return model_id


async def _change_key(deployment: Deployment, model_id: str, told: list[bytes]) -> None:
    for document in (
        {"connection": {"api_key": CHANGED_KEY}},
        {"connection": {"api_key": {"value": CHANGED_KEY}}},
        {"display": {"name": 5}, "connection": {"api_key": CHANGED_KEY}},
        {"connection": {"api_key": CHANGED_KEY, "base_url": f"http://{CHANGED_KEY}@["}},
    ):
        answer = await deployment.send(
            "PATCH", f"/admin/v1/models/{model_id}", token=ADMIN, document=document
        )
        assert answer.status in {200, 400}, str(answer)
        told.append(answer.body)


async def _chat(deployment: Deployment, tenant: Tenant, model_id: str, told: list[bytes]) -> None:
    agent = tenant.ids["agent"]
    await deployment.call(
        "PATCH",
        f"/admin/v1/agents/{agent}",
        token=tenant.token,
        document={"model": {"model_id": model_id or None}},
    )
    await deployment.call(
        "POST", f"/admin/v1/agents/{agent}/publish", token=tenant.token, document={}
    )
    message: dict[str, Any] = {"role": "user", "content": "Hello"}
    requests: list[tuple[str, dict[str, Any]]] = [
        (
            "/v3/chat",
            {
                "bot_id": agent,
                "user_id": "u",
                "stream": True,
                "additional_messages": [message | {"content_type": "text"}],
            },
        ),
        ("/v1/chat/completions", {"model": agent, "messages": [message]}),
        ("/v1/chat/completions", {"model": agent, "messages": [message], "stream": True}),
        ("/api/v1/chat/completions", {"model": agent, "messages": [message], "detail": True}),
    ]
    for path, document in requests:
        answer = await deployment.send("POST", path, token=tenant.token, document=document)
        assert b"refused" in answer.body or answer.status >= 400 or b"failed" in answer.body
        told.append(answer.body)
    listed = await deployment.send("GET", "/admin/v1/chats?limit=50", token=tenant.token)
    told.append(listed.body)


async def _everything(deployment: Deployment, tenant: Tenant, told: list[bytes]) -> None:
    for name, calls in CALLS.items():
        for call in calls:
            if call.is_last or name == "admin.tokens.create":
                continue
            for token in (tenant.token, ADMIN, None):
                answer = await perform(deployment, filled(call, tenant.ids), token=token)
                told.append(answer.body)
    await deployment.idle()
