"""The official client's four ways to sign in, unchanged, against a real server."""

import warnings
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from cozepy import (
    Coze,
    CozeAPIError,
    CozePKCEAuthError,
    CozePKCEAuthErrorType,
    Message,
    OAuthToken,
    SyncHTTPClient,
    TokenAuth,
)
from cozepy.auth import (
    DeviceOAuthApp,
    JWTOAuthApp,
    OAuthApp,
    PKCEOAuthApp,
    Scope,
    WebOAuthApp,
)
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer
from tests.support.process.variant import PROCESSES
from tests.support.wait import until

pytestmark = pytest.mark.parametrize("server", PROCESSES, indirect=True)

App = TypeVar("App", bound=OAuthApp)

BACK: Final = "http://127.0.0.1:9/callback"
SCOPES: Final = [
    "chat", "conversation.read", "conversation.write", "message.read", "message.write",
    "bot.read", "workspace.read",
]  # fmt: skip
VERIFIER: Final = "a-verifier-of-43-characters-at-the-very-least"
PATIENCE_S: Final = 60.0
HELLO: Final = Message.build_user_question_text("Hello")


@dataclass
class Person:
    """Somebody at a browser who answers applications, and registers them."""

    server: RunningServer
    seed: Seed
    browser: httpx.Client
    csrf: str
    opened: ExitStack

    def coze(self, token: OAuthToken) -> Coze:
        """Make a client whose connections are closed in the end."""
        transport = self.opened.enter_context(closing(SyncHTTPClient()))  # type: ignore[no-untyped-call]
        auth = TokenAuth(token.access_token)
        return Coze(auth=auth, base_url=self.server.url, http_client=transport)

    def app(self, app: App) -> App:
        """Have the connections of an application closed in the end."""
        self.opened.callback(app._requester.sync_client.close)
        return app

    def register(self, kind: str, **more: Any) -> Any:
        path = f"/admin/v1/workspaces/{self.seed.workspace_id}/oauth-apps"
        document = {"name": kind, "type": kind, "permissions": SCOPES, **more}
        answer = httpx.post(
            self.server.url + path,
            json=document,
            headers=self.server.headers,
            timeout=PATIENCE_S,
        )
        assert answer.status_code == 201, answer.text
        return answer.json()

    def approve(self, name: str) -> str | None:
        path = f"/admin/v1/oauth-requests/{name}"
        asked = self.browser.get(path)
        assert asked.status_code == 200, asked.text
        body = {"decision": "approve", "workspace_id": asked.json()["workspaces"][0]["id"]}
        answer = self.browser.post(path, json=body, headers={"coterie-csrf": self.csrf})
        assert answer.status_code == 200, answer.text
        url: str | None = answer.json()["url"]
        return url

    def visit(self, url: str) -> str:
        """Follow an application to the page that asks, and allow it; return the code."""
        led = httpx.get(url, follow_redirects=False, timeout=PATIENCE_S)
        assert led.status_code == 303, led.text
        page = urlsplit(led.headers["location"])
        assert page.path == "/console/consent"
        shown = self.browser.get(led.headers["location"])
        assert shown.status_code == 200
        assert "script-src 'self'" in shown.headers["content-security-policy"]
        back = self.approve(parse_qs(page.query)["request"][0])
        assert back is not None
        assert back.startswith(BACK)
        answer = parse_qs(urlsplit(back).query)
        assert answer["state"] == ["seen again"]
        return answer["code"][0]


@pytest.fixture
def person(server: RunningServer, seed: Seed) -> Iterator[Person]:
    headers = {"sec-fetch-site": "same-origin"}
    browser = httpx.Client(base_url=server.url, headers=headers, timeout=PATIENCE_S)
    with browser, ExitStack() as opened_here:
        opened = browser.post("/admin/v1/auth/token", json={"token": server.token})
        assert opened.status_code == 200, opened.text
        yield Person(server, seed, browser, opened.json()["csrf"], opened_here)


def use(person: Person, token: OAuthToken) -> Coze:
    """Chat and list workspaces with a token; it reaches one of them."""
    assert token.access_token.startswith("cztei_")
    coze = person.coze(token)
    polled = coze.chat.create_and_poll(
        bot_id=person.server.agent_id, user_id="me", additional_messages=[HELLO]
    )
    assert polled.messages
    assert [each.id for each in coze.workspaces.list()] == [person.seed.workspace_id]
    with pytest.raises(CozeAPIError) as refused:
        coze.bots.create(space_id=person.seed.workspace_id, name="Too much")
    assert refused.value.code == 4101
    return coze


def refreshed(app: Any, token: OAuthToken) -> OAuthToken:
    """Refresh a token; the refresh token before ends all once it comes back."""
    again: OAuthToken = app.refresh_access_token(token.refresh_token)
    assert again.refresh_token.startswith("czr_")
    assert again.refresh_token != token.refresh_token
    return again


def until_ended(coze: Coze) -> None:
    """Wait until a token counts nowhere: a server that was not told looks once a second."""

    def is_refused() -> bool:
        try:
            coze.users.me()
        except CozeAPIError as error:
            return error.code == 4100
        return False

    until(lambda: is_refused() and is_refused(), pause_s=0.5)  # an address may not be refused often


def ends_after_reuse(person: Person, app: Any, old: OAuthToken, new: OAuthToken) -> None:
    for each in (old, new):
        with pytest.raises(CozeAPIError) as refused:
            app.refresh_access_token(each.refresh_token)
        assert refused.value.code == 4000
    until_ended(person.coze(new))


def test_a_web_application(person: Person) -> None:
    made = person.register("web", redirect_uris=[BACK])
    app = person.app(WebOAuthApp(made["client_id"], made["secret"], base_url=person.server.url))
    code = person.visit(app.get_oauth_url(BACK, state="seen again"))

    token = app.get_access_token(BACK, code)
    use(person, token)
    again = refreshed(app, token)
    use(person, again)
    ends_after_reuse(person, app, token, again)
    with pytest.raises(CozeAPIError):
        app.get_access_token(BACK, code)


def test_an_application_with_a_verifier_in_a_named_workspace(person: Person) -> None:
    made = person.register("pkce", redirect_uris=[BACK])
    app = person.app(PKCEOAuthApp(made["client_id"], base_url=person.server.url))
    url = app.get_oauth_url(
        BACK,
        code_verifier=VERIFIER,
        code_challenge_method="S256",
        state="seen again",
        workspace_id=person.seed.workspace_id,
    )
    code = person.visit(url)
    with pytest.raises(CozeAPIError):
        app.get_access_token(BACK, code, code_verifier=VERIFIER[::-1])

    token = app.get_access_token(BACK, code, code_verifier=VERIFIER)
    use(person, token)
    ends_after_reuse(person, app, token, refreshed(app, token))


@pytest.mark.parametrize("has_workspace", [False, True])
def test_a_device(person: Person, *, has_workspace: bool) -> None:
    made = person.register("device")
    app = person.app(DeviceOAuthApp(made["client_id"], base_url=person.server.url))
    code = app.get_device_code(workspace_id=person.seed.workspace_id if has_workspace else None)
    assert (code.interval, code.expires_in) == (5, 900)
    assert code.verification_uri.endswith("/console/device")
    assert person.browser.get(f"/console/device?user_code={code.user_code}").status_code == 200
    with pytest.raises(CozePKCEAuthError) as pending:
        app.get_access_token(code.device_code)
    assert pending.value.error == CozePKCEAuthErrorType.AUTHORIZATION_PENDING

    assert person.approve(code.user_code) is None
    token = app.get_access_token(code.device_code, poll=True)
    use(person, token)
    ends_after_reuse(person, app, token, refreshed(app, token))


def test_an_application_with_a_key(person: Person) -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    made = person.register("jwt", public_key=public.decode())
    app = person.app(
        JWTOAuthApp(made["client_id"], private.decode(), made["key_id"], person.server.url)
    )
    with warnings.catch_warnings():  # of what the client's own library will drop
        warnings.simplefilter("ignore")
        token = app.get_access_token(ttl=600)
        limited = app.get_access_token(
            scope=Scope.build_bot_chat([person.server.agent_id]), session_name="visitor 42"
        )
    use(person, token)
    coze = person.coze(limited)
    polled = coze.chat.create_and_poll(
        bot_id=person.server.agent_id, user_id="somebody else", additional_messages=[HELLO]
    )
    assert polled.messages
    with pytest.raises(CozeAPIError) as refused:
        coze.workspaces.list()
    assert refused.value.code == 4101


def test_what_was_granted_is_listed_and_taken_back(person: Person) -> None:
    made = person.register("web", redirect_uris=[BACK], name="To be taken back")
    app = person.app(WebOAuthApp(made["client_id"], made["secret"], base_url=person.server.url))
    token = app.get_access_token(BACK, person.visit(app.get_oauth_url(BACK, state="seen again")))
    coze = person.coze(token)
    assert coze.users.me().user_id

    listed = person.browser.get("/admin/v1/oauth-grants").json()["items"]
    [grant] = [each for each in listed if each["app_id"] == made["id"]]
    gone = person.browser.delete(
        f"/admin/v1/oauth-grants/{grant['id']}", headers={"coterie-csrf": person.csrf}
    )
    assert gone.status_code == 204

    until_ended(coze)
    with pytest.raises(CozeAPIError):
        app.refresh_access_token(token.refresh_token)


def test_no_text_of_a_token_is_logged(person: Person) -> None:
    made = person.register("web", redirect_uris=[BACK], name="Not to be logged")
    app = person.app(WebOAuthApp(made["client_id"], made["secret"], base_url=person.server.url))
    code = person.visit(app.get_oauth_url(BACK, state="seen again"))
    token = app.get_access_token(BACK, code)
    use(person, token)
    with pytest.raises(CozeAPIError):
        app.refresh_access_token("czr_" + "0" * 49)

    log = "\n".join(person.server.log)
    for secret in (made["secret"], code, token.access_token, token.refresh_token):
        assert secret not in log
