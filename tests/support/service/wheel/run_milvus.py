"""Runs the Milvus server of the ``milvus`` wheel; started by the interpreter that has the wheel.

Prints a line when the server answers, and stops it when the input ends: also if the tests are
killed. Every port is one that was free, so that several servers run on one machine.
"""

import os
import sys
import time
import urllib.request
from pathlib import Path

from milvus import MilvusServer

TICK_MS = 20
"""How often the server makes writes visible; reads that must see everything wait for it."""
START_TIMEOUT_S = 600.0
ETCD = """\
name: default
listen-client-urls: http://127.0.0.1:{client}
advertise-client-urls: http://127.0.0.1:{client}
listen-peer-urls: http://127.0.0.1:{peer}
initial-advertise-peer-urls: http://127.0.0.1:{peer}
initial-cluster: default=http://127.0.0.1:{peer}
"""


def main(base: Path, *free: int) -> None:
    """Serve from a folder, on these ports, until the input ends."""
    server = MilvusServer(wait_for_started=False)
    server.set_base_dir(str(base))
    keys = [key for key in server.config_keys if key.endswith("_port")]
    peer, web, *ports = free
    chosen = dict(zip(keys, ports, strict=False))
    server.config.update(**chosen)
    server.config.set("proxy.timeTickInterval", TICK_MS)
    server.webservice_port = web
    etcd = base / "etcd.yaml"
    etcd.write_text(ETCD.format(client=chosen["etcd_port"], peer=peer))
    os.environ["ETCD_CONFIG_PATH"] = str(etcd)
    try:
        server.start()
        wait(server)
        sys.stdout.write(f"{chosen['proxy_port']}\n")
        sys.stdout.flush()
        sys.stdin.read()
    finally:
        server.stop()


def wait(server: MilvusServer) -> None:
    """Return when every part of the server is ready."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline and server.server_proc.poll() is None:
        try:
            url = f"http://127.0.0.1:{server.webservice_port}/healthz"
            with urllib.request.urlopen(url, timeout=5) as answer:
                if b"OK" in answer.read():
                    return
        except OSError:
            pass
        time.sleep(0.05)
    log = Path(server.config.base_data_dir) / "logs" / "milvus-stdout.log"
    raise SystemExit(f"Milvus did not start: {log.read_text()[-4000:]}")


main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
