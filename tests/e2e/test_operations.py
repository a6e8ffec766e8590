"""Operational pages, start and stop of a real process."""

import json
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.client import HTTPConnection
from pathlib import Path

import httpx
import psutil
import pytest

from tests.support.client.chat import Talk, skip_to
from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer, run_command, running_server
from tests.support.wait import until
from tests.upstream.fixture import RunningUpstream


def test_health_version_and_metrics_need_no_token(server: RunningServer) -> None:
    assert httpx.get(f"{server.url}/healthz", timeout=60).json() == {"status": "ok"}
    assert httpx.get(f"{server.url}/version", timeout=60).json()["name"] == "coterie"
    assert httpx.get(f"{server.url}/livez", timeout=60).json() == {"status": "ok"}
    assert httpx.get(f"{server.url}/startupz", timeout=60).json() == {"status": "ok"}
    ready = httpx.get(f"{server.url}/readyz", timeout=60).json()
    assert ready["parts"].pop("disk")  # of the machine that runs the tests
    assert ready["status"] in {"ok", "degraded"}
    assert set(ready["parts"].values()) == {"ok"}
    metrics = httpx.get(f"{server.url}/metrics", timeout=60)
    assert metrics.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    for name in ("http_requests_total", "outbox_lag_seconds", "db_pool_in_use"):
        assert f"coterie_{name}" in metrics.text


def test_the_documentation_loads_nothing_from_elsewhere(server: RunningServer) -> None:
    page = httpx.get(f"{server.url}/docs", timeout=60)
    document = httpx.get(f"{server.url}/schema/openapi.json", timeout=60).json()

    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "http://" not in page.text
    assert "https://" not in page.text
    assert "/v3/chat" in document["paths"]


def test_everything_else_needs_a_token(server: RunningServer) -> None:
    response = httpx.get(f"{server.url}/v1/workspaces", timeout=60)

    assert response.status_code == 401
    assert response.json()["code"] == 4100


DOCUMENT = "/schema/openapi.json"
OPERATIONAL = ("/docs", "/metrics", DOCUMENT, "/readyz")
_SPELLINGS = (
    "{path}",
    "{path}/",
    "{path}//",
    "{path}%2f",
    "{path}%2F%2f",
    "/{path}",
    "{path}?x=1",
    "{path};x",
    "{path}%20",
    "/.{path}",
    "/x/..{path}",
    "{first}%{hex}{rest}",
    "{upper}",
)
_FORWARDING = (
    "Forwarded",
    "Via",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Real-IP",
)
_OWN_NAMES = (
    "agents.example.org",
    "Agents.Example.Org:443",
    "coterie:8000",
    "other.example.",
    "localhost:1",
    "a.localhost",
    "127.0.0.1",
    "[::1]:80",
    "192.168.1.7",
)
_FOREIGN_NAMES = (
    "evil.example",
    "agents.example.org.evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "coterie:8000:x",
    "",
    "[::1",
    "agents.example.org@evil.example",
)


def _spelt(path: str, spelling: str) -> str:
    return spelling.format(
        path=path, first=path[:1], hex=f"{ord(path[1]):x}", rest=path[2:], upper=path.upper()
    )


def _sees(base: str, target: str, headers: dict[str, str] | None = None) -> bool:
    """Ask for a path exactly as it is written; tell whether the answer is for operators."""
    url = httpx.URL(base)
    connection = HTTPConnection(url.host, url.port or 80, timeout=60)
    connection.request("GET", target, headers=headers or {})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    is_shown = answer.status in {200, 503} and b'"status"' not in body
    return is_shown or b'"parts"' in body


@pytest.mark.parametrize("path", OPERATIONAL)
def test_operators_have_a_listener_of_their_own(server: RunningServer, path: str) -> None:
    assert _sees(server.operations_url, path)
    assert not _sees(server.operations_url, "/v1/workspaces", server.headers)
    assert httpx.get(f"{server.operations_url}/livez", timeout=60).json() == {"status": "ok"}


@pytest.mark.parametrize("path", OPERATIONAL)
def test_this_machine_sees_operational_pages_without_a_proxy_by_one_spelling(
    server: RunningServer, path: str
) -> None:
    for spelling in _SPELLINGS:
        target = _spelt(path, spelling)
        assert _sees(server.url, target) == (target.partition("?")[0] == path), target
    for header in _FORWARDING:
        assert not _sees(server.url, path, {header: "203.0.113.7"}), header


@pytest.mark.parametrize(
    "environ",
    [
        {"COTERIE_HOST": "0.0.0.0"},  # noqa: S104
        {"COTERIE_PUBLIC_URL": "https://agents.example.org"},
        {"COTERIE_TRUSTED_PROXIES": "127.0.0.1"},
        {"COTERIE_HOST": "0.0.0.0", "COTERIE_DOCS": "on", "COTERIE_METRICS": "on"},  # noqa: S104
    ],
)
def test_a_public_listener_shows_no_operational_page_by_any_spelling(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    with running_server(tmp_path, environ) as server:
        for path in OPERATIONAL:
            for spelling in _SPELLINGS:
                target = _spelt(path, spelling)
                assert not _sees(server.url, target, server.headers), target
            # Making it takes seconds; one server that does is enough.
            assert path == DOCUMENT or _sees(server.operations_url, path)
        for path in ("/livez", "/healthz", "/readyz", "/startupz"):
            # After so many requests at once a slow machine may first say that it is overloaded.
            answer = until(partial(_well, server.url + path), path)
            assert set(answer.json()) == {"status"}
        assert httpx.get(f"{server.url}/version", timeout=60).json()["name"] == "coterie"


def test_only_names_of_the_server_are_answered(tmp_path: Path) -> None:
    environ = {
        "COTERIE_PUBLIC_URL": "https://agents.example.org",
        "COTERIE_SERVE__HOSTS": "coterie,other.example",
    }
    with running_server(tmp_path, environ) as server:
        for url in (f"{server.url}/version", f"{server.operations_url}/readyz"):
            for name in _OWN_NAMES:
                assert httpx.get(url, headers={"Host": name}, timeout=60).is_success, name
            for name in _FOREIGN_NAMES:
                answer = httpx.get(url, headers={"Host": name}, timeout=60)
                assert (answer.status_code, answer.json().get("code")) == (400, 4000), (
                    name,
                    answer.text,
                )


@pytest.mark.parametrize("mode", [0o755, 0o701, 0o777])
def test_a_data_directory_that_everybody_may_enter_is_refused(tmp_path: Path, mode: int) -> None:
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(mode)

    for command in (("agent", "list"), ("serve", "--port", "0"), ("worker",)):
        refused = run_command(data, *command)

        assert refused.returncode == 1
        assert f"chmod 700 {data}" in refused.stderr
        assert "Traceback" not in refused.stderr
        assert not list(data.iterdir())


def test_what_is_written_is_for_its_owner_alone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o750)  # it was there before, and a group may look into it
    with running_server(data):
        pass

    written = [path for path in data.rglob("*") if not path.is_symlink()]
    assert {"coterie.db", "master.key"} <= {path.name for path in written}
    assert not [path for path in written if path.stat().st_mode & 0o077]


def _cost_of_libraries_s() -> float:
    """Processor time of an interpreter that imports the largest libraries and nothing else."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import time, aiohttp, alembic.command, litestar, sqlalchemy.ext.asyncio, uvicorn\n"
            "print(time.process_time())",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def test_the_second_start_is_quick_and_small_and_keeps_token_and_agent(tmp_path: Path) -> None:
    with running_server(tmp_path) as first:
        agent_id = first.agent_id
        assert first.stop() == 0
    with running_server(tmp_path, is_forked=False) as second:
        process = psutil.Process(second.process.pid)
        spent, memory = process.cpu_times(), process.memory_info().rss
        known = httpx.get(f"{second.url}/v1/workspaces", headers=second.headers, timeout=60)

    # Seconds would measure the machine; the target is 1.5 of them on an idle one.
    assert spent.user + spent.system < 3 * _cost_of_libraries_s()
    assert memory < 200 * 1024 * 1024
    assert second.agent_id == agent_id
    assert known.status_code == 200


def test_an_unknown_setting_is_refused_with_a_suggestion(tmp_path: Path) -> None:
    (tmp_path / "coterie.toml").write_text("prot = 1\n")

    refused = run_command(tmp_path, "serve", is_forked=False)

    assert refused.returncode == 1
    assert "Did you mean port?" in refused.stderr


def test_an_address_in_use_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused = run_command(tmp_path, "serve", "--port", str(taken.getsockname()[1]))

    assert refused.returncode == 1
    assert "--port" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_lets_the_open_stream_end(
    tmp_path: Path, upstream: RunningUpstream, number: signal.Signals
) -> None:
    environ = {"OPENAI_BASE_URL": upstream.base_url, "OPENAI_MODEL": "tokens-40-50"}
    with running_server(tmp_path, environ) as server, httpx.Client(timeout=60) as client:
        body = {
            "bot_id": server.agent_id,
            "user_id": "me",
            "stream": True,
            "additional_messages": [{"role": "user", "content": "go", "content_type": "text"}],
        }
        with client.stream(
            "POST", f"{server.url}/v3/chat", json=body, headers=server.headers
        ) as stream:
            lines = stream.iter_lines()
            _skip_to(lines, "event: conversation.message.delta")
            server.process.send_signal(number)
            _wait_until_draining(server)
            refused = httpx.post(
                f"{server.url}/v3/chat", json=body, headers=server.headers, timeout=60
            )
            rest = list(lines)

        assert refused.status_code == 503
        assert refused.headers["retry-after"]
        assert "event: conversation.chat.completed" in rest
        assert server.process.wait(60) == 0


def test_silent_streams_end_as_their_process_leaves(tmp_path: Path) -> None:
    with (
        running_server(tmp_path) as server,
        httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as client,
    ):
        (workspace,) = client.get("/v1/workspaces").json()["data"]["workspaces"]
        with client.stream("GET", f"/mcp/{workspace['id']}/sse") as stream:
            lines = stream.iter_lines()
            _skip_to(lines, "event: endpoint")
            server.process.terminate()
            rest = [each for each in lines if each]

        assert len(rest) == 1, "the address, and nothing that says it is still there"
        assert server.process.wait(60) == 0


def test_chats_nobody_follows_get_a_grace_to_end(tmp_path: Path, upstream: RunningUpstream) -> None:
    environ = {
        "OPENAI_BASE_URL": upstream.base_url,
        "OPENAI_MODEL": "tokens-30-50",
        "COTERIE_LIMITS__SHUTDOWN_GRACE_S": "3",
    }
    with running_server(tmp_path, environ) as server:
        seed = Seed(server, upstream)
        with httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http:
            talk = Talk(http)
            quick = talk.start(server.agent_id, "quick")
            with talk.streaming(seed.agent("stall-after-3"), "endless") as events:
                endless = skip_to(events, "conversation.message.delta")
        seed.close()
        assert server.stop() == 0

    with (
        running_server(tmp_path, environ) as server,
        httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http,
    ):
        talk = Talk(http)
        assert talk.get(quick)["status"] == "completed"
        failed = talk.get({**endless, "id": endless["chat_id"]})
        assert failed["status"] == "failed"
        assert "shut down" in failed["last_error"]["msg"]
        assert talk.history(endless["conversation_id"])[-1] == ("answer", "t0 t1 t2 ")


def test_a_second_signal_stops_at_once(tmp_path: Path, upstream: RunningUpstream) -> None:
    environ = {"OPENAI_BASE_URL": upstream.base_url, "OPENAI_MODEL": "stall"}
    before = len(upstream.requests(model="stall"))
    with running_server(tmp_path, environ) as server:
        body = {"model": server.agent_id, "messages": [{"role": "user", "content": "x"}]}

        def ask() -> None:
            with pytest.raises(httpx.HTTPError):
                httpx.post(
                    f"{server.url}/v1/chat/completions",
                    json=body,
                    headers=server.headers,
                    timeout=30,
                )

        asking = threading.Thread(target=ask)
        asking.start()
        until(lambda: len(upstream.requests(model="stall")) > before)
        server.process.terminate()
        _wait_until_draining(server)
        server.process.terminate()

        assert server.process.wait(60) == 130
        asking.join(10)


def test_commands_work_beside_a_running_server(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        made = run_command(tmp_path, "token", "create", "--json")
        assert made.returncode == 0, made.stderr
        token = json.loads(made.stdout)
        headers = {"Authorization": f"Bearer {token['token']}"}
        assert (
            httpx.get(f"{server.url}/v1/users/me", headers=headers, timeout=60).status_code == 200
        )

        revoked = run_command(tmp_path, "token", "revoke", token["id"])
        assert revoked.returncode == 0, revoked.stderr
        listed = json.loads(run_command(tmp_path, "agent", "list", "--json").stdout)
        assert [agent["id"] for agent in listed] == [server.agent_id]
        spaces = f"{server.url}/admin/v1/workspaces"
        made_there = httpx.post(spaces, json={"name": "Spare"}, headers=server.headers, timeout=60)
        space_id = made_there.json()["id"]
        for act in ("delete", "restore"):
            done = run_command(tmp_path, "workspace", act, space_id)
            assert done.returncode == 0, done.stderr
        twice = run_command(tmp_path, "workspace", "restore", space_id)
        assert twice.returncode != 0, twice.stdout
        shown = run_command(tmp_path, "console", "link").stdout
        assert shown.startswith(f"{server.url}/console/welcome?ticket="), shown


def _skip_to(lines: Iterator[str], wanted: str) -> None:
    for line in lines:
        if line == wanted:
            return
    raise AssertionError(f"The stream ended without {wanted!r}.")


def _well(url: str) -> httpx.Response | None:
    answer = httpx.get(url, timeout=60)
    return answer if answer.status_code == 200 else None


def _wait_until_draining(server: RunningServer) -> None:
    until(lambda: httpx.get(f"{server.url}/readyz", timeout=60).status_code == 503)
