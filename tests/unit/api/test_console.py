"""The console's page and files as browsers get them, from a small bundle made here."""

import gzip
import json
import os
import re
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest
from litestar import Litestar
from litestar.datastructures import State

from api.body.request import RequestBodies
from api.console import ConsoleAddress, console_routes
from api.console.bundle import ConsoleBundle, screen_at
from api.console.header import page_headers
from api.console.preference import Preference, preference, prefers_html
from api.console.waiting import Progress, progress, waiting_page
from api.error import EXCEPTION_HANDLERS
from application.identity.following import Followers
from application.operation.http_metrics import HttpMetrics
from bootstrap.server.on_demand import OnDemandLitestar
from bootstrap.server.service import with_services
from domain.shared.limits import Limits
from infra.contract.observability.metrics import Metrics

SCRIPT = b"export const answer = 42;\n" * 80
PAGE = """<!doctype html>
<html lang="{{language}}" class="{{theme}}"><head>
<meta name="csp-nonce" content="{{nonce}}"><!--ahead--></head></html>"""
MANIFEST = {
    "index.html": {"file": "assets/index-1.js", "imports": ["_base.js"], "css": ["assets/i.css"]},
    "_base.js": {"file": "assets/base-1.js"},
    "src/shell/text.en.ts": {"file": "assets/shell-en.js"},
    "src/shell/text.zh.ts": {"file": "assets/shell-zh.js"},
    "src/features/agents/route.tsx": {
        "file": "assets/agents-1.js",
        "imports": ["_base.js", "index.html"],
        "css": ["assets/agents.css"],
    },
    "src/features/agents/text.en.ts": {"file": "assets/agents-en.js"},
    "src/features/agents/text.zh.ts": {"file": "assets/agents-zh.js"},
    "src/features/workbench/route.tsx": {"file": "assets/bench-1.js"},
    "src/chat/text.zh.ts": {"file": "assets/chat-zh.js"},
}


SHARE_PAGE = """<!doctype html><html lang="{{language}}" class="{{theme}}"><head>
<title>{{title}}</title><!--ahead--></head><body><div id="root"><!--shell--></div><!--link--></body>
</html>"""


def write_bundle(folder: Path) -> None:
    """What the build leaves behind, in small."""
    assets = folder / "assets"
    assets.mkdir(parents=True)
    (folder / ".vite").mkdir()
    (folder / ".vite/manifest.json").write_text(json.dumps(MANIFEST))
    (folder / ".vite/share.json").write_text("{}")
    (folder / "index.html").write_text(PAGE)
    (folder / "share.html").write_text(SHARE_PAGE)
    (folder / "embed.js").write_bytes(SCRIPT)
    (folder / "third-party.txt").write_text("react 19 (MIT)\n")
    (assets / "index-1.js.gz").write_bytes(gzip.compress(SCRIPT))
    (assets / "index-1.js.br").write_bytes(b"pretend brotli")
    (assets / "inter.woff2").write_bytes(b"font")


def application(
    folder: Path, *, with_pages: bool = True, console: str = "http://x/console/"
) -> Litestar:
    limits = Limits()
    address = ConsoleAddress(version="1.2.3", console=console, docs="")
    services = [ConsoleBundle(folder), address]
    return OnDemandLitestar(
        route_handlers=with_services(console_routes(with_pages=with_pages), services),
        exception_handlers=dict(EXCEPTION_HANDLERS),
        state=State(
            {
                "limits": limits,
                "http_metrics": HttpMetrics(Metrics()),
                "bodies": RequestBodies(limits),
                "followers": Followers(),
            }
        ),
        openapi_config=None,
        logging_config=None,
    )


def http(app: Litestar) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app)  # type: ignore[arg-type]  # two spellings of ASGI
    return httpx.AsyncClient(transport=transport, base_url="http://x")


@pytest.fixture
async def console(tmp_path: Path) -> AsyncGenerator[httpx.AsyncClient, None]:
    write_bundle(tmp_path / "bundle")
    async with http(application(tmp_path / "bundle")) as found:
        yield found


async def test_the_page_is_written_for_who_asks(console: httpx.AsyncClient) -> None:
    answers = [
        await console.get("/console/w/1/agents", headers={"cookie": "coterie_ui=zh.dark"})
        for _ in range(2)
    ]

    page = answers[0].text
    nonces = {answer.text.partition('content="')[2].partition('"')[0] for answer in answers}
    assert 'lang="zh" class="dark"' in page
    assert len(nonces) == 2
    assert "{{" not in page
    assert answers[0].headers["cache-control"] == "no-store"
    policy = answers[0].headers["content-security-policy"]
    assert "unsafe" not in policy
    assert any(f"'nonce-{nonce}'" in policy for nonce in nonces)
    assert dict(answers[0].headers).items() >= {"x-frame-options": "DENY"}.items()


@pytest.mark.parametrize(
    "path", ["/console/%2e/frame/file/7", "/console/x/%2e%2e/y", "/console/a.js"]
)
async def test_no_page_stands_at_other_spellings_and_names_of_files(
    console: httpx.AsyncClient, path: str
) -> None:
    assert (await console.get(path)).status_code == 404


@pytest.mark.parametrize(
    ("path", "language", "ahead"),
    [
        ("/console/w/1/agents", "en", {"index-1", "base-1", "shell-en", "agents-1", "agents-en"}),
        ("/console/w/1/agents/7", "zh", {"index-1", "base-1", "shell-zh", "bench-1", "chat-zh"}),
        ("/console/agents", "en", {"index-1", "base-1", "shell-en", "agents-1", "agents-en"}),
        ("/console", "en", {"index-1", "base-1", "shell-en"}),
        ("/console/w/1", "en", {"index-1", "base-1", "shell-en"}),
        ("/console/w/1/__proto__", "en", {"index-1", "base-1", "shell-en"}),
    ],
)
async def test_what_a_screen_loads_is_fetched_ahead(
    console: httpx.AsyncClient, path: str, language: str, ahead: set[str]
) -> None:
    page = (await console.get(path, headers={"accept-language": language})).text

    found = {part.partition(".js")[0] for part in page.split("/console/assets/")[1:]}
    assert {name for name in found if "css" not in name} == ahead
    assert ("agents.css" in page) == ("agents" in "".join(ahead))


CONSOLE = Path(__file__).parents[3] / "console/src"
ROUTE = re.compile(
    r'createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*path: "([^"]*)"'
    r'(?:(?!createRoute).)*?import\("\./([^"]+)"',  # its own: some are not fetched
    re.DOTALL,
)
ROUTES = [
    (f"/w/1{path}" if parent == "workspace" else path, route)
    for parent, path, route in ROUTE.findall((CONSOLE / "router.tsx").read_text())
]


@pytest.mark.parametrize(("path", "route"), ROUTES)
def test_the_screen_of_a_path_is_that_of_the_router(path: str, route: str) -> None:
    screen = screen_at(re.sub(r"\{-\$\w+\}|\$\w+", "7", path))

    source = (CONSOLE / f"{route}.tsx").read_text()
    waited = re.findall(r'from "(\.[^"]*/(?:\w+-)?text)"', source)
    texts = {os.path.normpath(f"{route}/../{text}") for text in waited}
    assert screen.route == route
    assert set(screen.texts) == texts


def test_the_router_was_read() -> None:
    assert len(ROUTES) > 30


@pytest.mark.parametrize(
    "path", ["/console/x.js", "/console/assets/none.js", "/console/assets/..%2findex.html"]
)
async def test_a_file_that_is_not_there_is_never_the_page(
    console: httpx.AsyncClient, path: str
) -> None:
    assert (await console.get(path)).status_code == 404


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("", None),
        ("identity", None),
    ],
)
async def test_files_go_out_as_they_were_compressed_at_the_build(
    console: httpx.AsyncClient, accepted: str, encoding: str | None
) -> None:
    request = console.build_request(
        "GET", "/console/assets/index-1.js", headers={"accept-encoding": accepted}
    )
    answer = await console.send(request, stream=True)
    body = b"".join([piece async for piece in answer.aiter_raw()])

    plain = {"br": b"pretend brotli", None: SCRIPT}
    assert answer.headers.get("content-encoding") == encoding
    assert (gzip.decompress(body) if encoding == "gzip" else body) == (
        SCRIPT if encoding == "gzip" else plain[encoding]
    )
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["vary"] == "Accept-Encoding"
    assert "immutable" in answer.headers["cache-control"]


async def test_a_file_that_the_browser_has_is_not_sent_again(console: httpx.AsyncClient) -> None:
    first = await console.get("/console/assets/inter.woff2")
    again = await console.get(
        "/console/assets/inter.woff2", headers={"if-none-match": first.headers["etag"]}
    )

    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert first.headers["content-type"] == "font/woff2"


async def test_licences_stand_at_their_address(console: httpx.AsyncClient) -> None:
    answer = await console.get("/console/third-party.txt")

    assert answer.text == "react 19 (MIT)\n"
    assert answer.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("accept", "is_page"),
    [
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", True),
        ("*/*", False),
        ("", False),
        ("application/json", False),
        ("application/json, text/html;q=0.5", False),
        ("text/html;q=x", False),
    ],
)
async def test_the_bare_address_leads_people_and_tells_programs(
    console: httpx.AsyncClient, accept: str, is_page: bool
) -> None:
    answer = await console.get("/", headers={"accept": accept})

    assert prefers_html(accept) == is_page
    if is_page:
        assert (answer.status_code, answer.headers["location"]) == (302, "/console/")
    else:
        assert answer.json() == {
            "name": "coterie",
            "version": "1.2.3",
            "console": "http://x/console/",
            "docs": None,
        }


async def test_pages_can_be_switched_off_and_files_stay(tmp_path: Path) -> None:
    write_bundle(tmp_path / "bundle")
    async with http(application(tmp_path / "bundle", with_pages=False, console="")) as found:
        page = await found.get("/console/")
        asset = await found.get("/console/assets/inter.woff2")
        bare = await found.get("/", headers={"accept": "text/html"})

    assert (page.status_code, asset.status_code) == (404, 200)
    assert bare.json()["console"] is None


async def test_a_bundle_is_found_once_it_is_there(tmp_path: Path) -> None:
    async with http(application(tmp_path / "bundle")) as found:
        before = await found.get("/console/")
        write_bundle(tmp_path / "bundle")
        after = await found.get("/console/")

    assert 'http-equiv="refresh"' in before.text
    assert 'name="csp-nonce"' in after.text


LOG = "   0.0 s  console: looking for node\n   1.2 s  console: bundling\n"


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (None, Progress()),
        ("", Progress()),
        (LOG, Progress(step="bundling", seconds="1.2")),
        (f"{LOG}Failed: vite failed.\n", Progress(failure=f"{LOG}Failed: vite failed.".strip())),
    ],
)
def test_the_log_of_a_build_says_how_far_it_is(
    tmp_path: Path, log: str | None, expected: Progress
) -> None:
    file = tmp_path / "log"
    if log is not None:
        file.write_text(log)

    assert progress(file) == expected


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_that_waits_shows_the_log_as_text(language: str) -> None:
    state = Progress(failure="<script>alert(1)</script>")

    page = waiting_page(state, language=language, theme="dark", nonce="n")

    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "make console" in page


@pytest.mark.parametrize(
    ("cookie", "accepted", "expected"),
    [
        ("zh.dark", "en", Preference("zh", "dark")),
        ("en-XA.light", "zh", Preference("en-XA", "light")),
        ("xx.pink", "zh-CN,en;q=0.5", Preference("zh", "system")),
        ("", "en;q=0.3, zh-Hans;q=0.9", Preference("zh", "system")),
        ("", "fr", Preference("en", "system")),
        ("", "zh;q=0", Preference("en", "system")),
        ('"><script>.x', "", Preference("en", "system")),
    ],
)
def test_language_and_theme_are_among_those_there_are(
    cookie: str, accepted: str, expected: Preference
) -> None:
    assert preference({"coterie_ui": cookie}, accepted) == expected


def test_pages_of_others_cannot_frame_or_read_ours() -> None:
    headers = page_headers("abc")

    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["cross-origin-resource-policy"] == "same-origin"


REPORT = {
    "type": "csp-violation",
    "body": {
        "effectiveDirective": "script-src",
        "blockedURL": "https://evil.example/x.js?session=secret",
        "documentURL": "http://x/console/w/1/agents?q=private",
    },
}
OLD_REPORT = {"csp-report": {"effective-directive": "img-src", "blocked-uri": "inline"}}


@pytest.mark.parametrize(
    ("body", "counted"),
    [
        ([REPORT, REPORT], 2),
        (OLD_REPORT, 1),
        ([], 0),
        ([[REPORT], "x", None, {"body": "x"}], 0),
        ([REPORT] * 100, 20),
    ],
)
async def test_what_browsers_report_is_counted_without_what_addresses_hide(
    tmp_path: Path, body: object, counted: int, caplog: pytest.LogCaptureFixture
) -> None:
    metrics = Metrics()
    app = application(tmp_path / "none")
    app.state.http_metrics = HttpMetrics(metrics)
    async with http(app) as client:
        answer = await client.post("/admin/v1/csp-reports", content=json.dumps(body))

    assert answer.status_code == 204
    assert f"console_csp_reports_total {counted}" in metrics.render().decode()
    told = [each for each in caplog.records if each.name == "api.console.header"]
    assert len(told) == counted
    assert "secret" not in caplog.text
    assert "private" not in caplog.text


@pytest.mark.parametrize(
    ("body", "status"), [(b"", 204), (b"no json", 204), (b"[" + b" " * 70_000 + b"]", 413)]
)
async def test_what_is_no_report_changes_nothing(tmp_path: Path, body: bytes, status: int) -> None:
    async with http(application(tmp_path / "none")) as client:
        answer = await client.post("/admin/v1/csp-reports", content=body)

    assert answer.status_code == status
