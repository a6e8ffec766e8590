"""The chat of a share link in Chromium: its page, and the widget on a site of another origin."""

import gzip
import json
import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from joserfc import jwt
from joserfc.jwk import OctKey
from playwright.sync_api import Browser, Page, expect

from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer
from tests.support.process.variant import PROCESSES
from tests.support.web_browser import Visit, running_chromium

pytestmark = pytest.mark.parametrize("server", PROCESSES, indirect=True)

expect.set_options(timeout=60_000)
STRICT: Final = "default-src 'none'; script-src 'self' {url}; frame-src {url}; style-src 'self'"
WIDGET: Final = "coterie-chat"
MARKUP: Final = re.compile(rb"(inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_chromium() as browser:
        yield browser


class Site:
    """A site of somebody else, on a port of its own."""

    def __init__(self, port: int, policy: str) -> None:
        self.port = port
        self.policy = policy
        self.pages: dict[str, str] = {}
        self.scripts: dict[str, str] = {}

    @property
    def origin(self) -> str:
        return f"http://localhost:{self.port}"

    def put(self, server: RunningServer, *codes: str, script: str = "", **attributes: str) -> str:
        """Make a page with these widgets; return its address."""
        name = f"/{len(self.pages)}"
        told = " ".join(f'data-{key}="{value}"' for key, value in attributes.items())
        tags = [
            f'<script src="{server.url}/embed.js" data-link="{code}" {told} async></script>'
            for code in codes
        ]
        self.scripts[f"{name}.js"] = script
        self.pages[name] = (
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>'
            '<link rel="icon" href="data:,">'
            '<meta name="viewport" content="width=device-width"></head><body><main><h1>Shop</h1>'
            '<label>Search <input id="search"></label><div id="place"></div></main>'
            f'{"".join(tags)}<script src="{name}.js"></script></body></html>'
        )
        return self.origin + name


@contextmanager
def running_site(policy: str) -> Iterator[Site]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page, script = served.pages.get(self.path), served.scripts.get(self.path)
            body = (page if page is not None else script or "").encode()
            kind = "text/html" if page is not None else "text/javascript"
            self.send_response(200)
            self.send_header("content-type", f"{kind}; charset=utf-8")
            self.send_header("content-security-policy", served.policy)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        served = Site(listener.server_port, policy)
        thread = threading.Thread(target=listener.serve_forever)
        thread.start()
        try:
            yield served
        finally:
            listener.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def site(server: RunningServer) -> Iterator[Site]:
    with running_site(STRICT.format(url=server.url) + "; img-src data:") as site:
        yield site


def link(seed: Seed, behaviour: str = "echo", **more: Any) -> Any:
    document = {
        "target_type": "agent",
        "target_id": seed.agent(behaviour),
        **more,
        "settings": {"name": "Help desk", **more.get("settings", {})},
    }
    return seed.call("POST", f"/workspaces/{seed.workspace_id}/share-links", document)


def ask(page: Any, text: str) -> None:
    page.get_by_label("Message").fill(text)
    page.get_by_role("button", name="Send").click()


def answered(page: Any, count: int = 1) -> None:
    expect(page.get_by_role("button", name="Copy answer")).to_have_count(count)


def question(page: Any) -> Any:
    return page.get_by_role("article", name="You asked")


def said(page: Any) -> Any:
    return page.get_by_role("article", name="Answer").locator("p").first


def until_seen(page: Page, name: str) -> None:
    """Wait until the page around has heard an event of its widget."""
    page.wait_for_function("name => window.seen?.some(([each]) => each === name)", arg=name)


LISTENING: Final = """
window.seen = [];
const listen = () => {
  if (!window.Coterie?.widgets.size) return setTimeout(listen, 10);
  for (const name of ["ready", "open", "close", "message", "unread", "error"]) {
    Coterie.on(name, (detail, code) => seen.push([name, detail, code]));
  }
};
listen();
"""


def test_a_visitor_chats_and_finds_the_conversation_again(
    browser: Browser, server: RunningServer, seed: Seed
) -> None:
    made = link(seed, settings={"welcome": "Ask **anything**.", "suggestions": ["And you?"]})
    visit = Visit(browser, viewport={"width": 320, "height": 640})
    page = visit.page
    page.goto(f"{server.url}/s/{made['code']}")
    expect(page.locator("main strong")).to_have_text("anything")

    page.get_by_role("button", name="And you?").click()
    answered(page)
    expect(question(page)).to_have_text("And you?")
    before = said(page).inner_text()
    page.reload()
    answered(page)

    expect(question(page)).to_have_text("And you?")
    expect(said(page)).to_have_text(before)
    ask(page, "Once more")
    answered(page, 2)
    page.get_by_role("button", name="Good answer").first.click()
    expect(page.get_by_role("button", name="Good answer").first).to_have_attribute(
        "aria-pressed", "true"
    )
    page.get_by_role("button", name="Earlier chats").click()
    expect(page.locator("dialog li")).to_have_count(1)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="New chat").click()
    expect(page.get_by_role("heading", level=2)).to_have_text("Help desk")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    visit.close()


def test_an_answer_is_the_same_for_who_reloads_amid(
    browser: Browser, server: RunningServer, seed: Seed
) -> None:
    code = link(seed, "slow-700ms")["code"]
    visit = Visit(browser)
    page = visit.page
    page.goto(f"{server.url}/s/{code}")
    ask(page, "A slow question")
    expect(question(page)).to_be_visible()
    page.wait_for_function(
        "name => JSON.parse(localStorage.getItem(name) ?? '{}').conversation",
        arg=f"coterie:{code}",
    )
    page.reload()
    answered(page)
    expect(question(page)).to_have_text("A slow question")
    expect(page.get_by_role("alert")).to_have_count(0)
    visit.close()


def test_the_page_is_clean_and_strict(browser: Browser, server: RunningServer, seed: Seed) -> None:
    looks: list[Mapping[str, str]] = [
        {"theme": "light", "language": "en"},
        {"theme": "dark", "language": "zh", "accent": "#ffe000"},
    ]
    for look in looks:
        code = link(seed, settings={"allows_files": True, "footer": "A footer", **look})["code"]
        visit = Visit(browser)
        page = visit.page
        response = page.goto(f"{server.url}/s/{code}")
        assert response is not None
        policy = response.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "require-trusted-types-for 'script'; trusted-types 'none'" in policy
        assert "frame-ancestors 'self';" in policy
        page.locator("textarea").fill("Hello")
        page.keyboard.press("Enter")
        expect(page.locator("article")).to_have_count(2)
        expect(page.locator("article[aria-busy=true]")).to_have_count(0)
        found = Axe().run(page)
        wrong = [each["id"] for each in found.response["violations"]]
        assert not wrong, f"{look}: {found.generate_report()}"
        visit.close()


def test_nothing_that_is_said_becomes_markup(
    browser: Browser, server: RunningServer, seed: Seed
) -> None:
    hostile = [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt:alert(1))",
        "[a](data:text/html,<script>alert(1)</script>)",
        "![a](https://evil.example/x.png)",
        "<svg onload=alert(1)>",
        "[a]( javascript:alert(1))",
        "```html\n<script>alert(1)</script>\n```",
        "| <b>a</b> |\n|---|\n| <i>b</i> |",
    ]
    code = link(seed, settings={"welcome": "\n\n".join(hostile)[:2000]})["code"]
    visit = Visit(browser)
    page = visit.page
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("dialog", lambda dialog: visit.complaints.append(dialog.message))
    page.goto(f"{server.url}/s/{code}")
    expect(page.locator("main pre")).to_have_count(1)
    ask(page, "\n\n".join(hostile))
    answered(page)
    targets = page.eval_on_selector_all("main a", "all => all.map(each => each.protocol)")
    assert set(targets) <= {"http:", "https:"}
    made = page.eval_on_selector_all(
        "[aria-label=Answer] :is(script, img, b, i, svg[onload], iframe)", "all => all.length"
    )
    assert made == 0
    assert {urlsplit(each).netloc for each in requests} == {urlsplit(server.url).netloc}
    visit.close()


def test_a_password_is_asked_for(browser: Browser, server: RunningServer, seed: Seed) -> None:
    code = link(seed, auth="password", password="open sesame")["code"]
    visit = Visit(browser, expects=("401",))
    page = visit.page
    page.goto(f"{server.url}/s/{code}")
    page.get_by_label("Password").fill("closed")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This is not the password.")).to_be_visible()
    page.get_by_label("Password").fill("open sesame")
    page.keyboard.press("Enter")
    ask(page, "Hello")
    answered(page)
    page.reload()
    answered(page)
    visit.close()


def test_a_visitor_whom_the_hook_does_not_let_in_reads_why(
    browser: Browser, server: RunningServer, seed: Seed
) -> None:
    code = link(seed, auth="hook", hook_url="http://127.0.0.1:9")["code"]  # where nobody listens
    visit = Visit(browser, expects=("401", "403"))
    page = visit.page
    page.goto(f"{server.url}/s/{code}#token=customer-42")
    expect(page.get_by_text("The server that knows its users does not answer.")).to_be_visible()
    expect(page.get_by_label("Message")).to_have_count(0)
    visit.close()


def test_a_link_that_has_expired_says_so(
    browser: Browser, server: RunningServer, seed: Seed
) -> None:
    made = link(seed, settings={"closed_text": "Back in spring."})
    visit = Visit(browser, expects=("403", "404"))
    page = visit.page
    page.goto(f"{server.url}/s/{made['code']}")
    expect(page.get_by_role("heading", level=2)).to_have_text("Help desk")
    seed.call("PATCH", f"/share-links/{made['id']}", {"expires_at": 1})
    ask(page, "Hello")
    expect(page.get_by_text("Back in spring.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Back in spring.")).to_be_visible()
    page.goto(f"{server.url}/s/{'x' * 22}")
    expect(page.get_by_role("heading")).to_have_text("There is no such chat")
    visit.close()


def test_a_link_whose_budget_is_used_up_says_until_when(
    browser: Browser, server: RunningServer, seed: Seed
) -> None:
    made = link(seed)
    budget = {"subject_type": "share_link", "subject_id": made["id"], "name": "Secret campaign"}
    limit = {"unit": "tokens", "amount": 1, "period": "month"}
    visit = Visit(browser, expects=("402",))
    page = visit.page
    page.goto(f"{server.url}/s/{made['code']}")
    ask(page, "Hello")
    answered(page)
    seed.call("POST", f"/workspaces/{seed.workspace_id}/budgets", budget | limit)
    used_up = page.get_by_text("The budget for this chat is used up. It answers again")
    # Another process hears of it within a second: until then it answers, or breaks off.
    for asked in range(1, 100):
        ask(page, "And now?")
        answer = page.get_by_role("article", name="Answer").nth(asked)
        end = answer.get_by_role("button", name="Copy answer").or_(answer.get_by_role("alert"))
        expect(used_up.or_(end).first).to_be_visible()
        if used_up.is_visible():
            break
    expect(used_up).to_be_visible()
    expect(page.get_by_text("Secret campaign")).to_have_count(0)
    visit.close()


def test_a_site_shows_the_chat_under_a_strict_policy(
    browser: Browser, server: RunningServer, seed: Seed, site: Site
) -> None:
    code = link(seed, settings={"allowed_origins": [site.origin]})["code"]
    visit = Visit(browser)
    page = visit.page
    page.goto(site.put(server, code, code, script=LISTENING))
    expect(page.locator(WIDGET)).to_have_count(1)
    page.wait_for_function("() => window.seen && window.Coterie?.widgets.size === 1")
    page.focus("#search")
    before = page.evaluate("[scrollX, scrollY, Object.keys(document.body.dataset).length]")

    page.evaluate("Coterie.open()")
    until_seen(page, "ready")
    frame = page.frames[1]
    ask(frame, "Hello")
    until_seen(page, "message")
    assert page.evaluate("document.querySelector('coterie-chat').shadowRoot") is None
    frame.get_by_label("Message").press("Escape")
    until_seen(page, "close")
    expect(page.locator("#search")).to_be_focused()
    after = page.evaluate("[scrollX, scrollY, Object.keys(document.body.dataset).length]")
    assert after == before
    assert page.evaluate("document.cookie") == ""

    page.reload()
    page.wait_for_function("() => window.seen && window.Coterie?.widgets.size === 1")
    page.evaluate("Coterie.open()")
    until_seen(page, "ready")
    expect(question(page.frames[1])).to_have_text("Hello")
    visit.close()


def test_the_open_widget_is_clean(
    browser: Browser, server: RunningServer, seed: Seed, site: Site
) -> None:
    code = link(seed, settings={"allowed_origins": [site.origin]})["code"]
    visit = Visit(browser)
    page = visit.page
    # What is closed to the site is closed to who looks for faults, too.
    page.add_init_script(
        "const attach = Element.prototype.attachShadow;"
        "Element.prototype.attachShadow = function () { return attach.call(this, {mode: 'open'}); }"
    )
    page.goto(site.put(server, code, code, script=LISTENING))
    page.wait_for_function("() => window.seen && window.Coterie?.widgets.size === 1")
    page.evaluate("Coterie.open()")
    until_seen(page, "ready")
    for found in (
        Axe().run(page, context=WIDGET, options={"iframes": False}),
        Axe().run(page.frames[1]),
    ):
        wrong = [each["id"] for each in found.response["violations"]]
        assert not wrong, found.generate_report()
    visit.close()


def test_a_site_that_is_not_allowed_shows_nothing(
    browser: Browser, server: RunningServer, seed: Seed, site: Site
) -> None:
    code = link(seed, settings={"allowed_origins": ["https://shop.example"]})["code"]
    visit = Visit(browser)
    page = visit.page
    with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
        page.goto(site.put(server, code, open="true", script=LISTENING))
    expect(page.locator(WIDGET)).to_have_count(1)
    assert not page.evaluate("() => seen.some(([name]) => name === 'ready')")
    visit.context.close()


def test_a_site_says_who_its_user_is(
    browser: Browser, server: RunningServer, seed: Seed, site: Site
) -> None:
    made = link(seed, auth="user_token", settings={"allowed_origins": [site.origin]})
    key = seed.call("POST", f"/share-links/{made['id']}/key")["key"]
    visit = Visit(browser, expects=("401",))
    page = visit.page
    page.goto(site.put(server, made["code"], open="true", script=LISTENING))
    until_seen(page, "error")
    seen = page.evaluate("seen.find(([name]) => name === 'error')")
    assert seen[1]["reason"] == "user_token"
    page.evaluate("token => Coterie.setUser(token)", "not.a.token")
    expect(page.frames[1].get_by_text("has to say who you are")).to_be_visible()
    token = jwt.encode(
        {"alg": "HS256"},
        {"sub": "customer-42", "exp": int(time.time()) + 3600},
        OctKey.import_key(key),
    )
    page.evaluate("token => Coterie.setUser(token)", token)
    ask(page.frames[1], "Hello")
    until_seen(page, "message")
    visit.close()


def test_two_widgets_stand_beside_each_other_and_go_without_a_trace(
    browser: Browser, server: RunningServer, seed: Seed, site: Site
) -> None:
    codes = [link(seed, settings={"allowed_origins": [site.origin]})["code"] for _ in range(2)]
    visit = Visit(browser, viewport={"width": 390, "height": 700})
    page = visit.page
    page.goto(site.put(server, *codes, open="true", script=LISTENING))
    expect(page.locator(WIDGET)).to_have_count(2)
    page.wait_for_function(
        "() => seen.filter(([name]) => name === 'ready').length === 2 "
        "&& new Set(seen.map(([, , code]) => code)).size === 2"
    )
    globals_before = page.evaluate("Object.keys(window).length")
    page.evaluate("Coterie.destroy()")
    expect(page.locator(WIDGET)).to_have_count(0)
    count = page.evaluate("seen.length")
    page.evaluate("window.postMessage({coterie: 1, code: 'x', type: 'hello'}, '*')")
    assert page.evaluate("[Coterie.widgets.size, seen.length]") == [0, count]
    assert page.evaluate("Object.keys(window).length") <= globals_before
    assert len(page.frames) == 1
    visit.close()


def test_the_scripts_are_small_and_served_to_all(server: RunningServer, seed: Seed) -> None:
    embed = httpx.get(f"{server.url}/embed.js")
    assert embed.headers["access-control-allow-origin"] == "*"
    assert embed.headers["cache-control"] == "public, max-age=300"
    assert embed.headers["content-type"].startswith("text/javascript")
    assert len(gzip.compress(embed.content)) <= 12 * 1024
    assert embed.headers["cross-origin-resource-policy"] == "cross-origin"
    assert not MARKUP.search(embed.content)
    code = link(seed)["code"]
    shown = httpx.get(f"{server.url}/s/{code}").text
    scripts = set(re.findall(r'(?:src|href)="(/console/assets/[^"]+\.js)"', shown))
    loaded = [httpx.get(f"{server.url}{name}").content for name in scripts]
    assert sum(len(gzip.compress(each)) for each in loaded) <= 100_000
    told = json.loads(shown.split('id="page">')[1].split("</script>")[0])
    assert told["link"]["name"] == "Help desk"
