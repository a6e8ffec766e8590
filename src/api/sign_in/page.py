"""Pages of sign-in: screens of the console, or where it is off or not built yet, made here.

Those made here have one script and one style sheet.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from litestar import Request, get
from litestar.di import NamedDependency
from litestar.response import Response
from litestar.types import ControllerRouterHandler

from api.console import built_page
from api.console.bundle import ConsoleBundle
from api.console.header import page_headers
from api.console.preference import Preference, preference
from api.entry.auth import peer_of
from api.entry.session import BrowserSessions
from api.sign_in.auth import SessionAnswers
from api.sign_in.oidc import OIDC_PATH
from api.sign_in.shape import AuthWays
from api.sign_in.url import ACCOUNT_PATH, SIGN_IN_PATH, WELCOME_PATH, SignInPages
from api.sign_in.words import SAID, WORDS
from application.identity.authentication import AuthService
from application.identity.invitation import InvitationService
from application.identity.sign_in import SignUp
from domain.shared.error import AppError, NotFound
from domain.shared.secret import Secret

AnyRequest = Request[Any, Any, Any]

_STATIC: Final = Path(__file__).parent / "static"
_SCRIPT_PATH: Final = "/console/sign-in.js"
_STYLE_PATH: Final = "/console/sign-in.css"
_MARK: Final = (
    '<svg viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.5" '
    'aria-hidden="true"><circle cx="7" cy="8" r="3.5"/><circle cx="13" cy="8" r="3.5"/>'
    '<circle cx="10" cy="13" r="3.5"/></svg>'
)


@get(SIGN_IN_PATH, include_in_schema=False)
async def sign_in_page(
    *,
    request: AnyRequest,
    answers: NamedDependency[SessionAnswers],
    browsers: NamedDependency[BrowserSessions],
    pages: NamedDependency[SignInPages],
    authentication: NamedDependency[AuthService],
    bundle: NamedDependency[ConsoleBundle],
) -> Response[str]:
    """Answer the page that signs somebody in, or say why that is refused here."""
    if await _is_signed_in(request, browsers, authentication):
        return _redirect(pages.home)
    if screen := await _screen(request, pages, bundle):
        return screen
    if browsers.is_refused(request.scope):
        return _page(request, pages, "refused", _refusal(_words(request)))
    ways = await answers.ways(request.scope)
    return _page(request, pages, "sign-in", _sign_in(_words(request), ways))


@get(WELCOME_PATH, include_in_schema=False)
async def welcome_page(
    *,
    request: AnyRequest,
    answers: NamedDependency[SessionAnswers],
    browsers: NamedDependency[BrowserSessions],
    pages: NamedDependency[SignInPages],
    authentication: NamedDependency[AuthService],
    invitations: NamedDependency[InvitationService],
    bundle: NamedDependency[ConsoleBundle],
) -> Response[str]:
    """Answer the page that a one-time link or an invitation opens; its form alone uses it."""
    if screen := await _screen(request, pages, bundle):
        return screen
    if browsers.is_refused(request.scope):
        return _page(request, pages, "refused", _refusal(_words(request)))
    ways = await answers.ways(request.scope)
    if code := request.query_params.get("invite", ""):
        is_signed_in = await _is_signed_in(request, browsers, authentication)
        body = await _invitation(
            _words(request), ways, invitations, code, is_signed_in=is_signed_in
        )
        return _page(request, pages, "invitation", body)
    return _page(request, pages, "welcome", _welcome(_words(request), ways))


@get(ACCOUNT_PATH, include_in_schema=False)
async def account_page(
    *,
    request: AnyRequest,
    answers: NamedDependency[SessionAnswers],
    browsers: NamedDependency[BrowserSessions],
    pages: NamedDependency[SignInPages],
    authentication: NamedDependency[AuthService],
    bundle: NamedDependency[ConsoleBundle],
) -> Response[str]:
    """Answer the page of one's own sessions and password; whoever is not signed in signs in."""
    if not await _is_signed_in(request, browsers, authentication):
        return _redirect(f"{SIGN_IN_PATH}?return_to={ACCOUNT_PATH}")
    if screen := await _screen(request, pages, bundle):
        return screen
    ways = await answers.ways(request.scope)
    return _page(request, pages, "account", _account(_words(request), ways, pages), is_wide=True)


@get(_SCRIPT_PATH, include_in_schema=False)
async def script(request: AnyRequest) -> Response[bytes]:
    """Answer the script of the pages."""
    return _file(request, "sign-in.js", "text/javascript; charset=utf-8")


@get(_STYLE_PATH, include_in_schema=False)
async def style(request: AnyRequest) -> Response[bytes]:
    """Answer the style sheet of the pages."""
    return _file(request, "sign-in.css", "text/css; charset=utf-8")


SIGN_IN_PAGES: Final[Sequence[ControllerRouterHandler]] = (
    sign_in_page,
    welcome_page,
    account_page,
    script,
    style,
)


async def _screen(
    request: AnyRequest, pages: SignInPages, bundle: ConsoleBundle
) -> Response[str] | None:
    found = await bundle.get() if pages.has_console else None
    return built_page(request, found) if found else None


async def _is_signed_in(
    request: AnyRequest, browsers: BrowserSessions, authentication: AuthService
) -> bool:
    try:
        text = browsers.text(request.scope)
        if text is None:
            return False
        await authentication.authenticate_session(text, peer=peer_of(request.scope))
    except AppError:
        return False
    return True


def _words(request: AnyRequest) -> Mapping[str, str]:
    return WORDS[_language(_preference(request))]


def _preference(request: AnyRequest) -> Preference:
    return preference(request.cookies, request.headers.get("accept-language", ""))


def _language(wanted: Preference) -> str:
    return wanted.language if wanted.language in WORDS else "en"


def _redirect(target: str) -> Response[str]:
    headers = {**page_headers(), "location": target, "cache-control": "no-store"}
    return Response("", status_code=302, headers=headers, media_type="text/html")


def _file(request: AnyRequest, name: str, media_type: str) -> Response[bytes]:
    content, etag = _read(name)
    headers = {**page_headers(), "cache-control": "no-cache", "etag": etag}
    if request.headers.get("if-none-match") == etag:
        return Response(b"", status_code=304, headers=headers)
    return Response(content, media_type=media_type, headers=headers)


@cache
def _read(name: str) -> tuple[bytes, str]:
    content = (_STATIC / name).read_bytes()
    return content, f'"{sha256(content).hexdigest()[:16]}"'


def _page(
    request: AnyRequest, pages: SignInPages, name: str, body: str, *, is_wide: bool = False
) -> Response[str]:
    wanted = _preference(request)
    language = _language(wanted)
    words, said = WORDS[language], SAID[language]
    titles = dict.fromkeys(("invitation", "welcome"), words["welcome"])
    title = (titles | {"account": words["account"]}).get(name, words["sign_in"])
    texts = " ".join(f'data-{key}="{escape(text)}"' for key, text in said.items())
    themes = "".join(
        f'<button class="text" type="button" data-theme="{each}">{words[each]}</button>'
        for each in ("system", "light", "dark")
        if each != wanted.theme
    )
    page = f"""<!doctype html>
<html lang="{language}" class="{wanted.theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Coterie</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{_STYLE_PATH}">
<script src="{_SCRIPT_PATH}" defer></script>
</head>
<body data-page="{name}" data-home="{escape(pages.home)}">
<main{' class="wide"' if is_wide else ""}>
<p class="brand">{_MARK}<span>Coterie</span></p>
<noscript><p class="note bad">{words["no_script"]}</p></noscript>
{body}
<div id="texts" hidden {texts}></div>
</main>
<footer>
<button class="text" type="button" data-language="en" lang="en">English</button>
<button class="text" type="button" data-language="zh" lang="zh">中文</button>
{themes}
</footer>
</body>
</html>
"""
    headers = {
        **page_headers(),
        "cache-control": "no-store",
        "vary": "Cookie, Accept-Language",
    }
    return Response(page, media_type="text/html", headers=headers)


_MESSAGE: Final = '<p id="message" class="note" role="alert" hidden></p>'


def _refusal(words: Mapping[str, str]) -> str:
    return f"""<h1>{words["insecure"]}</h1>
<p>{words["insecure_why"]}</p>
<p class="note">{words["insecure_tls"]}</p>
<p class="note warn">{words["insecure_allow"]}</p>"""


def _sign_in(words: Mapping[str, str], ways: AuthWays) -> str:
    deployment = escape(ways.deployment)
    remember = _remember(words)
    token_form = f"""<form id="token-form">
<label>{words["token"]}
<input name="token" type="password" required autocomplete="off" spellcheck="false"></label>
<p class="hint">{words["token_hint"]}</p>
{remember}
<button type="submit"{"" if ways.password else ' class="primary"'}>{words["sign_in"]}</button>
</form>"""
    parts = [
        f"<h1>{words['sign_in_to'].format(deployment=deployment)}</h1>",
        _insecure(words, ways),
    ]
    if ways.is_first_run and ways.password:
        parts.append(f"<p>{words['first_run']} <code>coterie console link</code></p>")
    parts += [_MESSAGE, _providers(words, ways)]
    if not ways.password and not ways.providers:
        return "\n".join([*parts, token_form])
    if not ways.password:
        return "\n".join([*parts, _folded(words, token_form)])
    parts.append(f"""<form id="password-form">
<label>{words["name"]}
<input name="name" required autocomplete="username" autocapitalize="none" spellcheck="false"
 maxlength="254" autofocus></label>
<label>{words["password"]}
<input name="password" type="password" required autocomplete="current-password"></label>
{remember}
<button type="submit" class="primary">{words["sign_in"]}</button>
</form>
{_folded(words, token_form)}""")
    return "\n".join(parts)


def _folded(words: Mapping[str, str], form: str) -> str:
    return f"<section><details><summary>{words['use_token']}</summary>{form}</details></section>"


def _providers(words: Mapping[str, str], ways: AuthWays) -> str:
    """Links to providers; the script adds where to go afterwards."""
    links = "\n".join(
        f'<a class="button" data-provider href="{OIDC_PATH}/{escape(each.id)}/start">'
        f"{words['sign_in_by'].format(provider=escape(each.name))}</a>"
        for each in ways.providers
    )
    if not links:
        return ""
    either = f'<p class="or"><span>{words["or"]}</span></p>' if ways.password else ""
    return f'<div class="providers">{links}</div>{either}'


def _welcome(words: Mapping[str, str], ways: AuthWays) -> str:
    password = f"""<label>{words["new_password"]}
<input name="password" type="password" required minlength="12" maxlength="256"
 autocomplete="new-password" aria-describedby="password-hint"></label>
{_strength(words)}"""
    return f"""<h1>{words["welcome"]}</h1>
<p>{words["welcome_text"] if ways.password else words["welcome_bare"]}</p>
{_insecure(words, ways)}
{_MESSAGE}
<form id="welcome-form">
<label>{words["shown_name"]}
<input name="nickname" maxlength="50" autocomplete="nickname" aria-describedby="name-hint"></label>
<p class="hint" id="name-hint">{words["optional"]}</p>
{password if ways.password else ""}
{_remember(words)}
<button type="submit" class="primary">{words["start"]}</button>
</form>"""


async def _invitation(
    words: Mapping[str, str],
    ways: AuthWays,
    invitations: InvitationService,
    code: str,
    *,
    is_signed_in: bool,
) -> str:
    """Whoever is signed in joins; others sign in, or open an account where they may."""
    try:
        offer = await invitations.look_up(Secret(code))
    except NotFound:
        return f"<h1>{words['invited_nowhere']}</h1><p>{words['invited_nowhere_why']}</p>"
    role = words[f"role_{offer.role.value}"]
    title = words["invited_to"].format(workspace=escape(offer.space_name))
    head = f"""<h1>{title}</h1>
<p>{words["invited_as"].format(role=role)}</p>
{_insecure(words, ways)}
{_MESSAGE}"""
    if is_signed_in:
        return f"""{head}
<form id="join-form"><button type="submit" class="primary">{words["join"]}</button></form>"""
    back = urlencode({"return_to": f"{WELCOME_PATH}?{urlencode({'invite': code})}"})
    sign_in = f"""<section><p>{words["have_account"]}
<a href="{escape(f"{SIGN_IN_PATH}?{back}")}">{words["sign_in"]}</a></p></section>"""
    if not ways.password or ways.sign_up == SignUp.CLOSED:
        return f"{head}{sign_in}"
    return f"""{head}
<form id="register-form">
<label>{words["account_name"]}
<input name="name" required minlength="4" maxlength="20" autocomplete="username"
 autocapitalize="none" spellcheck="false"></label>
<label>{words["new_password"]}
<input name="password" type="password" required minlength="12" maxlength="256"
 autocomplete="new-password" aria-describedby="password-hint"></label>
{_strength(words)}
{_remember(words)}
<button type="submit" class="primary">{words["open_account"]}</button>
</form>
{sign_in}"""


def _account(words: Mapping[str, str], ways: AuthWays, pages: SignInPages) -> str:
    console = (
        ""
        if pages.home == ACCOUNT_PATH
        else f'<a href="{escape(pages.home)}">{words["open_console"]}</a>'
    )
    password = f"""<section>
<h2>{words["change_password"]}</h2>
<form id="password-form">
<input id="username" name="username" autocomplete="username" hidden>
<label id="current-field">{words["current"]}
<input name="current" type="password" autocomplete="current-password"></label>
<label>{words["new_password"]}
<input name="password" type="password" required minlength="12" maxlength="256"
 autocomplete="new-password" aria-describedby="password-hint"></label>
{_strength(words)}
<p class="hint">{words["password_ends"]}</p>
<div><button type="submit" class="primary">{words["change_password"]}</button></div>
</form>
</section>"""
    return f"""<div class="bar"><div><h1>{words["account"]}</h1>
<p>{words["signed_in_as"]} <strong id="who"></strong></p></div>
<div class="bar">{console}
<button id="sign-out" type="button">{words["sign_out"]}</button></div></div>
{_insecure(words, ways)}
{_MESSAGE}
<section>
<h2>{words["sessions"]}</h2>
<ul class="sessions" id="sessions" aria-live="polite"></ul>
<button id="others" type="button" class="small" hidden>{words["others"]}</button>
</section>
{password if ways.password else ""}"""


def _insecure(words: Mapping[str, str], ways: AuthWays) -> str:
    return f'<p class="note warn">{words["insecure_note"]}</p>' if ways.is_insecure else ""


def _remember(words: Mapping[str, str]) -> str:
    return f'<label class="line"><input type="checkbox" name="remember">{words["remember"]}</label>'


def _strength(words: Mapping[str, str]) -> str:
    return (
        f'<meter id="strength" min="0" max="20" low="12" high="16" optimum="20" value="0" '
        f'aria-label="{words["strength"]}"></meter>'
        f'<p class="hint" id="password-hint">{words["password_hint"]}</p>'
    )
