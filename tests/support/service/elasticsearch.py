"""A real Elasticsearch node for tests, put together from its artifacts by Maven."""

import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.process.port import free_port
from tests.support.service.java import SHORT_LIVED, fetch, java_home, why_not
from tests.support.wait import START_S

PROJECT = Path(__file__).parent / "maven" / "elasticsearch"
MODULE = "transport-netty4"
DESCRIPTOR = """\
name={module}
description=HTTP
classname=org.elasticsearch.transport.netty4.Netty4Plugin
version={version}
elasticsearch.version={version}
java.version=21
has.native.controller=false
extended.plugins=
"""
LOGGING = """\
status=error
appender.console.type=Console
appender.console.name=console
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=[%d][%p][%c{1.}] %m%n%throwable{12}
rootLogger.level=warn
rootLogger.appenderRef.console.ref=console
"""


@dataclass(frozen=True)
class ElasticsearchNode:
    """A running node."""

    url: str
    version: str


@contextmanager
def running_elasticsearch() -> Iterator[ElasticsearchNode]:
    """Fetch the artifacts, start a node on a free port, stop it and remove everything."""
    java = java_home()
    assert java is not None, why_not()
    home = Path(tempfile.mkdtemp(prefix="coterie-elasticsearch-"))
    try:
        version = _lay_out(home, java)
        port = free_port()
        with (home / "output").open("w+") as output:
            process = subprocess.Popen(
                [
                    java / "bin" / "java",
                    "-Xmx512m",
                    *SHORT_LIVED,
                    "-cp",
                    f"{home / 'lib'}/*",
                    PROJECT / "ElasticsearchNode.java",
                    home,
                    str(port),
                ],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
            try:
                url = f"http://127.0.0.1:{port}"
                _wait(url, process, home / "output")
                yield ElasticsearchNode(url=url, version=version)
            finally:
                process.kill()
                process.wait()
                assert process.stdin is not None
                process.stdin.close()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _lay_out(home: Path, java: Path) -> str:
    """Make the folders of a distribution; the module for HTTP has one of its own."""
    fetch(PROJECT, home / "lib", java)
    module = home / "modules" / MODULE
    module.mkdir(parents=True)
    for jar in (home / "lib").glob("*.jar"):
        if jar.name.startswith(("netty-", MODULE)):
            jar.rename(module / jar.name)
    (own,) = module.glob(f"{MODULE}-*.jar")
    version = own.stem.removeprefix(f"{MODULE}-")
    (module / "plugin-descriptor.properties").write_text(
        DESCRIPTOR.format(module=MODULE, version=version)
    )
    (home / "config").mkdir()
    (home / "config" / "log4j2.properties").write_text(LOGGING)
    return version


def _wait(url: str, process: "subprocess.Popen[bytes]", output: Path) -> None:
    """Return when the node answers."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        assert process.poll() is None, output.read_text()[-4000:]
        try:
            with urllib.request.urlopen(f"{url}/_cluster/health", timeout=2):  # noqa: S310
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"Elasticsearch did not start: {output.read_text()[-4000:]}")
