"""A browser's side of a session: cookie, csrf value, and the headers of its pages."""

from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any, Final
from urllib.parse import urlsplit

from tests.support.process.in_process import ADMIN, Answer, Deployment, Headers

PASSWORD: Final = "a quiet Harbour 7"
HOST: Final = "127.0.0.1:8000"
COOKIE: Final = "coterie-8000"
OWN_PAGE: Final[Headers] = (("sec-fetch-site", "same-origin"),)


@dataclass
class Browser:
    """One browser at a deployment; it has a cookie once somebody signed in."""

    deployment: Deployment
    host: str = HOST
    cookies: dict[str, str] = field(default_factory=dict)
    csrf: str = ""
    peer: str = "192.0.2.9"

    async def send(
        self,
        method: str,
        path: str,
        document: object = None,
        *,
        headers: Headers | None = None,
        **options: Any,
    ) -> Answer:
        """Send what a page of the server would; ``headers`` replace those of a page."""
        given = [*OWN_PAGE, ("coterie-csrf", self.csrf)] if headers is None else list(headers)
        lines = [("host", self.host), *given]
        if self.cookies:
            jar = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            lines.append(("cookie", jar))
        answer = await self.deployment.send(
            method, path, document=document, headers=lines, peer=self.peer, **options
        )
        self._keep(answer)
        return answer

    async def call(self, method: str, path: str, document: object = None, status: int = 200) -> Any:
        """Send what must succeed; return what its JSON says."""
        answer = await self.send(method, path, document)
        assert answer.status == status, f"{method} {path}: {answer}"
        return answer.json if answer.body else None

    async def sign_in(self, name: str, password: str = PASSWORD, *, remember: bool = False) -> Any:
        """Sign in with a password."""
        body = {"name": name, "password": password, "remember": remember}
        return self._signed_in(await self.send("POST", "/admin/v1/auth/login", body))

    async def exchange(self, token: str) -> Any:
        """Sign in with an access token, which is exchanged for a session."""
        body = {"token": token}
        return self._signed_in(await self.send("POST", "/admin/v1/auth/token", body))

    async def enter(self, url: str, *, password: str | None = PASSWORD) -> Any:
        """Open a one-time link, and set a password with it."""
        ticket = urlsplit(url).query.removeprefix("ticket=")
        body = {"ticket": ticket, **({"password": password} if password else {})}
        return self._signed_in(await self.send("POST", "/admin/v1/auth/ticket", body))

    def _signed_in(self, answer: Answer) -> Any:
        assert answer.status == 200, str(answer)
        self.csrf = answer.json["csrf"]
        return answer.json

    def _keep(self, answer: Answer) -> None:
        for name, value in answer.header_lines:
            if name == b"set-cookie":
                jar = SimpleCookie(value.decode())
                for key, morsel in jar.items():
                    if morsel["max-age"] == "0":
                        self.cookies.pop(key, None)
                    else:
                        self.cookies[key] = morsel.value


async def link_for(deployment: Deployment, user_id: str) -> str:
    """Have the administrator's token make a one-time link."""
    made = await deployment.call("POST", f"/admin/v1/users/{user_id}/link", token=ADMIN, status=201)
    url: str = made["url"]
    return url


async def signed_in(deployment: Deployment, name: str, *, is_admin: bool = False) -> Browser:
    """Open an account and sign it in."""
    made = await deployment.call(
        "POST",
        "/admin/v1/users",
        token=ADMIN,
        document={"name": name, "is_admin": is_admin},
        status=201,
    )
    browser = Browser(deployment)
    await browser.enter(await link_for(deployment, made["user"]["id"]))
    return browser
