"""Reading addresses: one parse, and nothing that two parsers could read differently."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.contract.egress import EgressDenied
from infra.impl.http.url import host_of, parse_url, port_of

LIMIT = 8192


@pytest.mark.parametrize(
    "text",
    [
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "dict://example.com/",
        "//127.0.0.1/",
        "/relative",
        "example.com",
        "",
        "http:///127.0.0.1",
        "http://",
        "http://user@127.0.0.1/",
        "http://good@127.0.0.1/",
        "http://user:pw@example.com/",
        "http://good\\@127.0.0.1/",
        "http://127.0.0.1%00.good/",
        "http://127.0.0.1\x00.good/",
        "http://exa mple.com/",
        "http://example.com/a b",
        "http://example.com/\r\nX: y",
        "http://example.com\t/",
        "http://\u2460\u2461.example/",
        "http://[fe80::1%25eth0]/",
        "http://[::1",
        "http://example.com:0/",
        "http://example.com:65536/",
        "http://example.com:port/",
        "http://-bad-.example/",
        "http://a..b/",
        "http://example.com/\u200bzero",
        "https://example.com/" + "a" * LIMIT,
    ],
)
def test_ambiguous_and_foreign_addresses_are_denied(text: str) -> None:
    with pytest.raises(EgressDenied):
        parse_url(text, limit_bytes=LIMIT)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("http://example.com", "example.com", 80),
        ("HTTPS://Example.COM/Path?q=1#part", "example.com", 443),
        ("https://example.com.:8443/", "example.com.", 8443),
        ("https://b\u00fccher.example/", "xn--bcher-kva.example", 443),
        ("http://[2606:4700::1111]:8080/", "2606:4700::1111", 8080),
        ("http://127.0.0.1#@good/", "127.0.0.1", 80),
        ("http://1.1.1.1/", "1.1.1.1", 80),
    ],
)
def test_proper_addresses_keep_their_parts(text: str, host: str, port: int) -> None:
    url = parse_url(text, limit_bytes=LIMIT)

    assert host_of(url) == host
    assert port_of(url) == port
    assert not url.fragment


def test_a_redirect_target_is_read_relative_to_its_source() -> None:
    base = parse_url("https://example.com/a/b?c", limit_bytes=LIMIT)

    assert str(parse_url("../d", limit_bytes=LIMIT, base=base)) == "https://example.com/d"
    with pytest.raises(EgressDenied):
        parse_url("file:///etc/passwd", limit_bytes=LIMIT, base=base)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_read_or_denied(text: str) -> None:
    for candidate in (text, f"http://{text}", f"http://example.com/{text}"):
        try:
            url = parse_url(candidate, limit_bytes=LIMIT)
        except EgressDenied:
            continue
        assert url.scheme in {"http", "https"}
        assert host_of(url)
