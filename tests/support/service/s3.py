"""A real S3-speaking server for tests, put together from its artifacts by Maven."""

import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.process.port import free_port
from tests.support.service.java import SHORT_LIVED, fetch, java_home, why_not
from tests.support.wait import START_S

PROJECT = Path(__file__).parent / "maven" / "s3"
ACCESS_KEY = "test-identity"
SECRET_KEY = "test-credential"


@dataclass(frozen=True)
class S3Server:
    """A running server; a folder below ``root`` is a bucket."""

    url: str
    root: Path

    def create_bucket(self, name: str) -> None:
        (self.root / name).mkdir()


@contextmanager
def running_s3() -> Iterator[S3Server]:
    """Fetch the artifacts, start a server on a free port, stop it and remove everything."""
    java = java_home()
    assert java is not None, why_not()
    home = Path(tempfile.mkdtemp(prefix="coterie-s3-"))
    try:
        fetch(PROJECT, home / "lib", java)
        root = home / "buckets"
        root.mkdir()
        url = f"http://127.0.0.1:{free_port()}"
        (home / "server.conf").write_text(
            f"s3proxy.endpoint={url}\n"
            "s3proxy.authorization=aws-v4\n"
            f"s3proxy.identity={ACCESS_KEY}\n"
            f"s3proxy.credential={SECRET_KEY}\n"
            "jclouds.provider=filesystem-nio2\n"
            "jclouds.identity=local\n"
            "jclouds.credential=local\n"
            f"jclouds.filesystem.basedir={root}\n"
        )
        command: list[str | Path] = [java / "bin" / "java", "-Xmx256m", *SHORT_LIVED]
        command += ["-cp", f"{home / 'lib'}/*", "org.gaul.s3proxy.Main"]
        command += ["--properties", home / "server.conf"]
        with (home / "output").open("w+") as output:
            process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
            try:
                _wait(url, process, home / "output")
                yield S3Server(url=url, root=root)
            finally:
                process.kill()
                process.wait()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _wait(url: str, process: "subprocess.Popen[bytes]", output: Path) -> None:
    """Return when the server answers, if only that it knows nobody."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        assert process.poll() is None, output.read_text()[-4000:]
        try:
            urllib.request.urlopen(url, timeout=2).close()  # noqa: S310
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"The S3 server did not start: {output.read_text()[-4000:]}")
