"""T15: credentials of every kind, against services that repeat them, are told to nobody."""

import asyncio
import io
import json
import logging
import zipfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import tests.upstream.obedient
from bootstrap.compose.observe import log_context
from infra.impl.logging.setup import install
from tests.support.process.in_process import ADMIN, MASTER_KEY, Deployment, running
from tests.support.process.server import run_command
from tests.support.web.harbour import PluginService
from tests.upstream.fixture import running_upstream

assert tests.upstream.obedient.__doc__, "imported for the behaviour that it registers"

HEADER: Final = "zq-canary-plugin-header-3Ys6Hd1Fg5Jc"
QUERY: Final = "zq-canary-plugin-query-8rLw3Ys6Hd1F"
CLIENT_SECRET: Final = "zq-canary-client-secret-9xT4bN8rLw3Y"
ACCESS: Final = "zq-canary-access-token-2mV9xT4bN8rL"
REFRESH: Final = "zq-canary-refresh-token-7Zk2mV9xT4bN"
MCP_HEADER: Final = "zq-canary-mcp-header-6Hd1Fg5Jc0Kp"
MODEL_KEY: Final = "zq-canary-model-key-4bN8rLw3Ys6H"
URL_PASSWORD: Final = "zq-canary-url-password-1Fg5Jc0Kp7Zk"
STORE_SECRET: Final = "zq-canary-object-store-5Jc0Kp7Zk2mV"
INDEX_SECRET: Final = "zq-canary-text-index-0Kp7Zk2mV9xT"
VECTOR_SECRET: Final = "zq-canary-vector-index-Zk2mV9xT4bN8"
SECRETS: Final = (HEADER, QUERY, CLIENT_SECRET, ACCESS, REFRESH, MCP_HEADER, MODEL_KEY)
SECRETS_OF_SETTINGS: Final = (URL_PASSWORD, STORE_SECRET, INDEX_SECRET, VECTOR_SECRET, MASTER_KEY)
MODES: Final = {
    "ok": "get",
    "redirect": "get",
    "loop": "get",
    "fail": "post",  # these are not repeated
    "drop": "post",
    "html": "post",
}


@dataclass
class Leaky(PluginService):
    """Repeats whatever it is sent, in every way there is."""

    heard: list[str] = field(default_factory=list)

    async def _serve(self, reader: Any, writer: Any) -> None:
        asked = await self._read(reader)
        told = {"url": asked.target, "headers": asked.headers, "body": asked.body.decode()}
        echo = json.dumps(told)
        self.heard.append(echo)
        if "/drop" in asked.path:
            writer.close()
            return
        query = urlsplit(asked.target).query
        status, more, answer = self._leak(asked.path, query, asked.headers, echo)
        head = f"HTTP/1.1 {status} X\r\ncontent-length: {len(answer)}\r\nconnection: close\r\n"
        writer.write(f"{head}{more}\r\n{answer}".encode())
        await writer.drain()
        writer.close()

    def _leak(
        self, path: str, query: str, headers: dict[str, str], echo: str
    ) -> tuple[int, str, str]:
        json_type = "content-type: application/json\r\n"
        given = {"access_token": ACCESS, "refresh_token": REFRESH, "expires_in": 3600}
        key = headers.get("x-key", "") + headers.get("authorization", "") + query
        leaks = {
            "token-refused": (401, json_type, echo),
            "token": (200, json_type, json.dumps(given)),
            "mcp": (400, json_type, echo),
            "fail": (500, json_type, echo),
            "redirect": (302, f"location: http://{self.host}/gone?leak={key}\r\n", ""),
            "loop": (307, f"location: http://{key}@[/\r\n", ""),
            "html": (200, "content-type: text/html\r\n", f"<p>{echo}</p>"),
        }
        plain = (200, json_type, json.dumps({"text": echo, key[:60]: key}))
        return leaks.get(path.rpartition("/")[2], plain)


@asynccontextmanager
async def leaking(tmp_path: Path) -> AsyncGenerator[tuple[Deployment, Leaky], None]:
    service = Leaky()
    async with service.listening():
        with running_upstream() as upstream:
            environ = {
                "OPENAI_BASE_URL": upstream.base_url,
                "OPENAI_API_KEY": MODEL_KEY,
                "OPENAI_MODEL": "obedient",
                "COTERIE_EGRESS__ALLOW_PRIVATE": service.host,
                "COTERIE_OBJECTS__SECRET_KEY": STORE_SECRET,
                "COTERIE_TEXT_INDEX__PASSWORD": INDEX_SECRET,
                "COTERIE_VECTOR_INDEX__TOKEN": VECTOR_SECRET,
            }
            async with running(tmp_path, environ) as deployment:
                yield deployment, service


class Told:
    """Calls the deployment and keeps everything it says."""

    def __init__(self, deployment: Deployment) -> None:
        self.deployment = deployment
        self.bodies: list[bytes] = []

    async def __call__(self, method: str, path: str, document: object = None) -> Any:
        answer = await self.deployment.send(method, path, token=ADMIN, document=document)
        headers = b"\n".join(name + value for name, value in answer.header_lines)
        self.bodies += [headers, answer.body]
        assert answer.status != 500, str(answer)
        try:
            return answer.json
        except ValueError:
            return {}


async def test_no_credential_is_told_anywhere(tmp_path: Path, written: io.StringIO) -> None:
    async with leaking(tmp_path) as (deployment, service):
        handler = install(
            level="debug",
            style="json",
            redactor=deployment.container.redactor(),
            context=log_context,
            stream=written,
        )
        told = Told(deployment)
        found = await told("GET", "/admin/v1/workspaces")
        space = found["items"][0]["id"]
        plugins = await _plugins(told, service, space)
        for number, (plugin, tools) in enumerate(plugins):
            forms = ("coze", "events", "tags", "playground") if number == 0 else ("events",)
            await _exercise(told, space, plugin, tools, forms=forms)
        await _mcp(told, service, space)
        await _addresses(told, service, space)
        await _survey(told, space)
        listed = await told("GET", f"/admin/v1/workspaces/{space}/agents")
        agents = [each["id"] for each in listed["items"]]
        for secret in (*SECRETS, *SECRETS_OF_SETTINGS):
            logging.getLogger("elsewhere").error("A driver failed at http://x:%s@y/", secret)
        handler.close()
        log = written.getvalue().encode()
        places = {"log": log, "answers": b"\n".join(told.bodies), "database": deployment.dump()}

    places |= await asyncio.to_thread(_commands, tmp_path, agents[:2])
    heard = "\n".join(service.heard)
    for secret in (HEADER, QUERY, CLIENT_SECRET, ACCESS, MCP_HEADER):
        assert secret in heard, f"{secret} was never used, so this test proves nothing"
    leaks = [
        f"{secret[:24]} in {place}: …{_around(content, secret)}…"
        for place, content in places.items()
        for secret in (*SECRETS, *SECRETS_OF_SETTINGS)
        if secret.encode() in content
    ]
    assert not leaks, "\n".join(leaks)


async def _plugins(told: Told, service: Leaky, space: str) -> Sequence[tuple[str, dict[str, str]]]:
    """Make a plugin for each kind of credential."""
    url = f"http://{service.host}"
    oauth = {
        "type": "oauth_client_credentials",
        "client_id": "client",
        "client_secret": CLIENT_SECRET,
    }
    kinds: list[dict[str, Any]] = [
        {"type": "service", "key": "X-Key", "token": HEADER},
        {"type": "service", "location": "query", "key": "key", "token": QUERY},
        {**oauth, "client_url": f"{url}/token"},
        {**oauth, "client_url": f"{url}/token-refused"},
    ]
    made = []
    for auth in kinds:
        document = {
            "openapi": "3.0.3",
            "info": {"title": "Leaky", "description": "Repeats."},
            "servers": [{"url": url}],
            "paths": {
                f"/call/{mode}": {
                    method: {
                        "operationId": mode,
                        "summary": mode,
                        "responses": {"200": {"description": "ok"}},
                    }
                }
                for mode, method in MODES.items()
            },
        }
        path = f"/admin/v1/workspaces/{space}/plugins:import"
        brought = await told("POST", path, {"openapi": document})
        plugin = brought["plugin"]["id"]
        await told("PUT", f"/admin/v1/plugins/{plugin}/auth", auth)
        made.append((plugin, {each["name"]: each["id"] for each in brought["tools"]}))
    return made


async def _exercise(
    told: Told, space: str, plugin: str, tools: dict[str, str], *, forms: Sequence[str]
) -> None:
    """Call every tool by hand and by a model, over each chat surface."""
    for tool in tools.values():
        await told("POST", f"/admin/v1/plugins/{plugin}/tools/{tool}/debug", {"arguments": {}})
        await told("GET", f"/admin/v1/plugins/{plugin}/tools/{tool}")
    await told("POST", f"/admin/v1/plugins/{plugin}/publish", {"force": True})
    bound = [
        {"plugin_id": plugin, "tool_id": tool, "approval": "exempt"} for tool in tools.values()
    ]
    made = await told(
        "POST", f"/admin/v1/workspaces/{space}/agents", {"name": "Leaky", "plugins": bound}
    )
    agent = made["id"]
    await told("POST", f"/admin/v1/agents/{agent}/publish", {})
    orders = " ".join(f"@@call {name} x=1@@" for name in tools)
    question = {"role": "user", "content": orders}
    body = {
        "bot_id": agent,
        "user_id": "u",
        "stream": True,
        "additional_messages": [question | {"content_type": "text"}],
    }
    for form in forms:
        await told("POST", f"/v3/chat?format={form}", body)
    for stream in (False, True) if len(forms) > 1 else ():
        request = {"model": agent, "messages": [question], "detail": True, "stream": stream}
        await told("POST", "/v1/chat/completions", request)


async def _mcp(told: Told, service: Leaky, space: str) -> None:
    """Let a server refuse the header that it is sent."""
    made = await told(
        "POST",
        f"/admin/v1/workspaces/{space}/plugins",
        {"name": "Mcp", "type": "mcp", "server_url": f"http://{service.host}/mcp"},
    )
    auth = {"type": "service", "key": "X-Key", "token": MCP_HEADER}
    await told("PUT", f"/admin/v1/plugins/{made['id']}/auth", auth)
    await told("POST", f"/admin/v1/plugins/{made['id']}/server-tools:inspect", {})


async def _addresses(told: Told, service: Leaky, space: str) -> None:
    """Give addresses with a password wherever an address is taken; none is repeated."""
    url = f"http://admin:{URL_PASSWORD}@{service.host}/x"
    manifest = {"openapi": {"openapi": "3.0.3"}, "manifest": {"server_url": url}}
    connection = {"base_url": url, "model": "m", "api_key": MODEL_KEY}
    for path, document in (
        (f"workspaces/{space}/plugins", {"name": "Url", "server_url": url}),
        (f"workspaces/{space}/plugins:import", manifest),
        ("models", {"display": {"name": "Url"}, "connection": connection}),
    ):
        await told("POST", f"/admin/v1/{path}", document)


async def _survey(told: Told, space: str) -> None:
    """Read everything there is to read, exports included."""
    await told.deployment.idle()
    for path in (
        f"/admin/v1/workspaces/{space}/plugins",
        f"/admin/v1/workspaces/{space}/agents",
        "/admin/v1/models",
        "/admin/v1/audit-log?limit=100",
        f"/admin/v1/chats?limit=50&workspace_id={space}",
        "/metrics",
        "/readyz",
        "/version",
    ):
        await told("GET", path)
    chats = await told("GET", f"/admin/v1/chats?limit=50&workspace_id={space}")
    for chat in chats["items"]:
        await told("GET", f"/v1/runs/{chat['id']}/events")


def _commands(data: Path, agents: Sequence[str]) -> dict[str, bytes]:
    """What the command line writes and prints about the deployment, which is stopped."""
    environ = {
        "COTERIE_CONFIG": str(data / "coterie.toml"),
        "COTERIE_MASTER_KEY": MASTER_KEY,
        "COTERIE_CODE__KIND": "off",
        "COTERIE_OBJECTS__SECRET_KEY": STORE_SECRET,
    }
    backup = data / "saved.zip"
    told: dict[str, bytes] = {}
    for command in (
        ("backup", str(backup)),
        ("doctor", "--json"),
        ("dlq", "list", "--json"),
        ("model", "list", "--json"),
        *(("agent", "export", each) for each in agents),
    ):
        done = run_command(data, *command, environ=environ)
        assert done.returncode == 0 or command[0] == "doctor", done.stderr
        told[" ".join(command)] = (done.stdout + done.stderr).encode()
    with zipfile.ZipFile(backup) as saved:
        members = saved.namelist()
        told["backup file"] = b"\n".join(map(saved.read, members))
    assert HEADER[:9] not in "".join(members)
    assert b"X-Key" in told["backup file"], "credentials are in it, sealed"
    return told


def _around(content: bytes, secret: str) -> str:
    at = content.index(secret.encode())
    return repr(content[max(0, at - 150) : at + 60])
