"""Starts the processes that benchmarks compare: upstream, baseline relay, and the product."""

import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.error import URLError
from urllib.request import Request, urlopen

import psutil

TOKEN: Final = f"pat_{secrets.token_hex(24)}"
START_LIMIT_S: Final = 30.0
SERVER: Final = Path(os.environ.get("BENCH_SERVER", Path(sys.executable).with_name("coterie")))
"""The command to measure: that of another installation, or the one that runs the benchmark."""

COUNT_UNCOMPILED: Final = """
import os, sys
import bootstrap.cli, bootstrap.server.process
cached = [getattr(module, "__cached__", None) for module in list(sys.modules.values())]
print(sum(bool(name) and not os.path.exists(name) for name in cached))
"""


@contextmanager
def spawned(*arguments: str) -> Generator[str, None, None]:
    """Run ``python -m …`` that prints its port; yield its base URL."""
    process = subprocess.Popen([sys.executable, "-m", *arguments], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.terminate()
        process.wait(timeout=10)


@dataclass(frozen=True, slots=True)
class Product:
    """A running ``coterie serve`` with its own data directory."""

    url: str
    process: psutil.Process
    started_in_s: float

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {TOKEN}"}

    @property
    def rss_bytes(self) -> int:
        """Of the process, or of a server where it watches over several, the mean of all."""
        mine = self.process.cmdline()
        servers = [each for each in self.process.children() if each.cmdline() == mine]
        if not servers:
            return int(self.process.memory_info().rss)
        return sum(int(each.memory_full_info().pss) for each in servers) // len(servers)

    @property
    def private_bytes(self) -> int:
        """Resident memory without the pages of files."""
        memory = self.process.memory_info()
        return int(memory.rss - memory.shared)

    @property
    def processor_s(self) -> float:
        """Processor time so far."""
        times = self.process.cpu_times()
        return float(times.user + times.system)

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """One API call; returns the decoded reply."""
        request = Request(  # noqa: S310
            self.url + path,
            method=method,
            headers={**self.headers, "content-type": "application/json"},
            data=None if body is None else json.dumps(body).encode(),
        )
        with urlopen(request, timeout=30) as response:  # noqa: S310
            return json.loads(response.read())

    def agent_on(
        self, model: str, upstream: str, *, persona: str = "Be brief.", rounds: int | None = None
    ) -> str:
        """Register the upstream model, publish an agent on it, return the agent's id."""
        self.call(
            "POST",
            "/admin/v1/models",
            {
                "display": {"name": model},
                "type": "llm",
                "provider": "openai",
                "connection": {"base_url": upstream, "model": model, "api_key": "sk-bench"},
            },
        )
        space = self.call("GET", "/v1/workspaces")["data"]["workspaces"][0]["id"]
        created = self.call(
            "POST",
            "/v1/bot/create",
            {
                "space_id": space,
                "name": model,
                "prompt_info": {"prompt": persona},
                "model_info_config": {"model_id": model}
                | ({} if rounds is None else {"context_round": rounds}),
            },
        )
        agent_id: str = created["data"]["bot_id"]
        self.call("POST", "/v1/bot/publish", {"bot_id": agent_id, "connector_ids": ["1024"]})
        return agent_id


def uncompiled() -> int:
    """Modules of a start for which the installation has no stored bytecode."""
    shown = subprocess.run(
        [str(SERVER.with_name("python")), "-B", "-c", COUNT_UNCOMPILED],
        capture_output=True,
        check=True,
        text=True,
    )
    return int(shown.stdout)


@contextmanager
def product(
    data_dir: Path | None = None, *, command: Sequence[str] = (), **environment: str
) -> Generator[Product, None, None]:
    """Start the product on a free port; without ``data_dir`` on an empty one of its own.

    ``command`` is what to start instead of ``coterie``.
    """
    with TemporaryDirectory() as own_dir:
        directory = data_dir or Path(own_dir)
        started = time.perf_counter()
        process = subprocess.Popen(
            [*(command or [str(SERVER)]), "serve", "--port", "0", "--json"],
            stdout=subprocess.PIPE,
            stderr=(directory / "log").open("ab"),
            env=os.environ
            | {"COTERIE_DATA_DIR": str(directory), "COTERIE_BOOTSTRAP_TOKEN": TOKEN}
            | {"COTERIE_CODE__PREPARE": "false"}  # it would take a processor meanwhile
            | environment,
        )
        try:
            assert process.stdout is not None
            url: str = json.loads(process.stdout.readline())["url"]
            _await_health(url)
            elapsed = time.perf_counter() - started
            yield Product(url, psutil.Process(process.pid), elapsed)
        finally:
            process.terminate()
            process.wait(timeout=40)


def _await_health(url: str) -> None:
    deadline = time.monotonic() + START_LIMIT_S
    while True:
        try:
            with urlopen(f"{url}/healthz", timeout=1):  # noqa: S310
                return
        except URLError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)
