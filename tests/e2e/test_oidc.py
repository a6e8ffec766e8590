"""Sign-in by a certified provider of OpenID Connect: over sockets, and in a browser."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tests.support.lateness import lateness
from tests.support.missing import missing
from tests.support.process.cluster import running_in_turn
from tests.support.process.port import free_port
from tests.support.process.server import RunningServer, running_server
from tests.support.process.variant import PROCESSES, TWO, processes_of, stored_for
from tests.support.web_browser import chromium

pytestmark = [pytest.mark.long, pytest.mark.parametrize("world", PROCESSES, indirect=True)]

ROOT: Final = Path(__file__).parents[2]
NODE: Final = (sys.executable, str(ROOT / "sdk/node.py"))
PROGRAMS: Final = Path(__file__).parent / "foreign/oidc"
CLIENT: Final = {"CLIENT_ID": "coterie", "CLIENT_SECRET": "a secret: of both + 100 %"}
WITHIN_S: Final = 300.0
_FORM: Final = re.compile(r'<form[^>]*action="([^"]+)"')
_HIDDEN: Final = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The provider and the browser's program, with what they need."""
    folder = tmp_path_factory.mktemp("openid") / "oidc"
    shutil.copytree(PROGRAMS, folder, ignore=shutil.ignore_patterns("node_modules"))
    command = [*NODE, "npm", "ci", "--silent", "--ignore-scripts"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        missing(f"The provider could not be installed: {(done.stdout + done.stderr)[-500:]}")
    return folder


@dataclass
class World:
    """A server whose people a provider knows."""

    server: RunningServer
    issuer: str
    space_id: str

    def person(self) -> httpx.Client:
        """Open a browser without script."""
        headers = {"sec-fetch-site": "same-origin"}
        return httpx.Client(headers=headers, timeout=60, follow_redirects=True)

    def enter(self, browser: httpx.Client, name: str) -> httpx.Response:
        """Sign somebody in, and consent."""
        page = browser.get(f"{self.server.url}/admin/v1/auth/oidc/corp/start")
        while str(page.url).startswith(self.issuer):
            assert page.status_code == 200, page.text
            form = dict(_HIDDEN.findall(page.text))
            action = _FORM.search(page.text)
            assert action, page.text
            page = browser.post(action[1], data={**form, "login": name, "password": "any"})
        return page

    def session(self, browser: httpx.Client) -> httpx.Response:
        return browser.get(f"{self.server.url}/admin/v1/auth/session")

    def role(self, browser: httpx.Client) -> str | None:
        spaces = self.session(browser).json()["workspaces"]
        return next((each["role"] for each in spaces if each["id"] == self.space_id), None)


@pytest.fixture(scope="module")
def world(
    request: pytest.FixtureRequest, programs: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    with stored_for(request) as stored:
        started = running_server if processes_of(request) == 1 else running_in_turn
        yield from _people(programs, tmp_path_factory.mktemp("openid-server"), stored, started)


def _people(
    programs: Path,
    data: Path,
    stored: Mapping[str, str],
    started: Callable[..., AbstractContextManager[RunningServer]],
) -> Iterator[World]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with running_server(data, stored) as server:
        made = httpx.post(
            f"{server.url}/admin/v1/workspaces", headers=server.headers, json={"name": "Team"}
        ).json()
    provider = subprocess.Popen(
        [*NODE, "node", "provider.mjs"],
        cwd=programs,
        env={**os.environ, **CLIENT, "COTERIE_URL": url},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        assert provider.stdout is not None
        issuer = json.loads(provider.stdout.readline())["issuer"]
        corp: dict[str, Any] = {
            "id": "corp",
            "name": "Corp",
            "issuer": issuer,
            "client_id": CLIENT["CLIENT_ID"],
            "client_secret": CLIENT["CLIENT_SECRET"],
            "trust_email": True,
            "groups_claim": "groups",
            "roles": [
                {"group": "engineers", "workspace": made["id"], "role": "editor"},
                {"group": "leads", "workspace": made["id"], "role": "admin"},
            ],
        }
        # Its pages are the same whether or not the console is built.
        environ = {"COTERIE_AUTH__OIDC": json.dumps([corp]), "COTERIE_CONSOLE__ENABLED": "false"}
        with started(data, {**stored, **environ}, port=port) as server:
            yield World(server, issuer, made["id"])
    finally:
        os.killpg(provider.pid, signal.SIGTERM)  # what starts node waits for it
        provider.wait(WITHIN_S)
        if provider.stdout is not None:
            provider.stdout.close()


@pytest.mark.parametrize(("name", "role"), [("ann", "editor"), ("bob", "admin"), ("cy", None)])
def test_the_provider_signs_people_in_with_the_roles_of_their_groups(
    world: World, name: str, role: str | None
) -> None:
    with world.person() as browser:
        page = world.enter(browser, name)

        assert str(page.url) == f"{world.server.url}/console/account"
        shown = world.session(browser).json()
        assert shown["user"]["name"] == f"{name}.corp"
        assert shown["user"]["nickname"] == f"{name.capitalize()} of Corp"
        assert world.role(browser) == role


def test_signing_out_here_signs_out_there_which_tells_every_other_browser(world: World) -> None:
    with world.person() as one:
        world.enter(one, "ann")
        csrf = world.session(one).json()["csrf"]

        done = one.post(f"{world.server.url}/admin/v1/auth/logout", headers={"coterie-csrf": csrf})

        assert done.status_code == 204
        assert done.headers["location"].startswith(f"{world.issuer}/session/end?")
        page = one.get(done.headers["location"])
        action = _FORM.search(page.text)
        assert action, page.text
        form = {**dict(_HIDDEN.findall(page.text)), "logout": "yes"}
        back = one.post(action[1], data=form)
        assert str(back.url) == f"{world.server.url}/console/sign-in"
        again = one.get(f"{world.server.url}/admin/v1/auth/oidc/corp/start")
        assert str(again.url).startswith(world.issuer)  # it asks who it is


def test_the_provider_tells_of_a_sign_out_elsewhere(world: World) -> None:
    with world.person() as browser:
        world.enter(browser, "bob")
        kept = {
            each.name: each.value or ""
            for each in browser.cookies.jar
            if each.name.startswith("coterie-")
        }
        elsewhere = httpx.Client(cookies=kept, timeout=60)
        with elsewhere:
            assert world.session(elsewhere).status_code == 200
            page = browser.get(f"{world.issuer}/session/end")
            action = _FORM.search(page.text)
            assert action, page.text
            form = {**dict(_HIDDEN.findall(page.text)), "logout": "yes"}
            browser.post(action[1], data=form)

            until = time.monotonic() + 60
            while world.session(elsewhere).status_code == 200:
                assert time.monotonic() < until, "The provider has told nobody."
                time.sleep(0.05)


def test_a_disabled_account_is_out_of_every_process_within_a_second(world: World) -> None:
    """Its streams end, one in each process, and neither process knows the session any more."""
    with world.person() as browser, ExitStack() as stack:
        world.enter(browser, "dee")
        late = stack.enter_context(lateness())
        user = world.session(browser).json()["user"]["id"]
        path = f"{world.server.url}/admin/v1/live"
        streams = [stack.enter_context(browser.stream("GET", path)) for _ in range(TWO)]
        told = [each.iter_lines() for each in streams]
        for lines in told:
            assert next(lines), "It is open."

        def end_of(lines: Iterator[str]) -> float:
            for _ in lines:
                pass
            return time.monotonic()

        with ThreadPoolExecutor(TWO) as pool:
            ends = [pool.submit(end_of, lines) for lines in told]
            httpx.patch(
                f"{world.server.url}/admin/v1/users/{user}",
                headers=world.server.headers,
                json={"is_disabled": True},
            ).raise_for_status()
            disabled_at = time.monotonic()
            took_s = [each.result(WITHIN_S) - disabled_at for each in ends]

        assert max(took_s) <= 1.0 + late()
        assert [world.session(browser).status_code for _ in range(TWO)] == [401, 401]
        page = world.enter(browser, "dee")
        assert "/console/sign-in" in str(page.url), "Nor does the provider bring it back."


def test_a_person_signs_in_and_out_in_a_browser(world: World, programs: Path) -> None:
    environ = {"COTERIE_URL": world.server.url, "CHROMIUM": chromium(), "PERSON": "ann"}

    done = subprocess.run(
        [*NODE, "node", "browser.mjs"],
        cwd=programs,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    seen = json.loads(done.stdout)
    assert seen["who"] == "Ann of Corp (ann.corp)"
    assert seen["cookies"] == [{"httpOnly": True, "sameSite": "Lax"}]
    assert (seen["status"], seen["problems"]) == (401, [])
