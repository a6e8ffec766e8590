"""Share links: what owners may set, whom keys and tokens stand for, colours that can be read."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.share.colour import accents, contrast
from domain.share.error import ProofNeeded, ShareLinkClosed, ShareLinkInvalid
from domain.share.link import ShareLink, ShareLinkId
from domain.share.value import LinkAuth, LinkSettings, origin_of
from domain.share.visitor import VisitorKeys, named_visitor
from domain.shared.access import Permission
from domain.shared.ids import SpaceId, UserId
from domain.shared.secret import Secret
from domain.shared.target import TargetKind, is_code, new_code

NOW = datetime(2026, 1, 5, 10, tzinfo=UTC)
MAKER = UserId(7)
KEYS = VisitorKeys(Secret("a master key"))


def make(number: int = 1, *, kind: TargetKind = TargetKind.AGENT) -> ShareLink:
    return ShareLink.create(
        ShareLinkId(number),
        space_id=SpaceId(3),
        actor_id=MAKER,
        target_kind=kind,
        target_id=5,
        settings=LinkSettings(name=" Help "),
        now=NOW,
    )


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("name", ""),
        ("name", "x" * 51),
        ("name", "two\nlines"),
        ("welcome", "x" * 2001),
        ("footer", "x" * 201),
        ("closed_text", "x" * 2001),
        ("suggestions", ("x",) * 9),
        ("suggestions", ("x" * 201,)),
        ("accent", "red"),
        ("accent", "#12345g"),
        ("runs_per_min", -1),
        ("runs_per_min", 6001),
        ("allowed_origins", ("https://a.example",) * 51),
        ("allowed_origins", ("*",)),
    ],
)
def test_settings_that_break_a_rule_are_refused_by_name(field: str, bad: object) -> None:
    given_settings = {"name": "Help", field: bad}
    with pytest.raises(ShareLinkInvalid) as refused:
        LinkSettings(**given_settings).checked()  # type: ignore[arg-type]
    assert refused.value.message.startswith(f"{field}:")


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://Shop.Example", "https://shop.example"),
        ("https://shop.example/", "https://shop.example"),
        ("https://shop.example:443", "https://shop.example"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_origins_are_spelled_as_browsers_do(text: str, origin: str) -> None:
    assert origin_of(text) == origin


@pytest.mark.parametrize(
    "text",
    [
        "",
        "*",
        "shop.example",
        "https://*.example",
        "https://a.example/path",
        "ftp://a.example",
        "https://a.example?x",
        "https://u@a.example",
        "https://a.example; script-src *",
        "https://a.example 'unsafe-inline'",
        "https://a.example:99999",
        "javascript:alert(1)",
        "null",
    ],
)
def test_what_is_no_origin_is_refused(text: str) -> None:
    with pytest.raises(ShareLinkInvalid):
        origin_of(text)


def test_equal_settings_change_nothing() -> None:
    link = make()
    link.pull_events()
    link.change(LinkSettings(name="Help"), actor_id=MAKER, now=NOW)
    link.admit(LinkAuth.NONE, actor_id=MAKER, now=NOW)
    assert (link.pull_events(), link.epoch) == ([], 1)


def test_who_is_in_shows_anew_after_each_change_of_the_way_in() -> None:
    link = make()
    epochs = [link.epoch]
    for change in (
        {"auth": LinkAuth.PASSWORD, "password_hash": b"1"},
        {"auth": LinkAuth.PASSWORD, "password_hash": b"2"},
        {"auth": LinkAuth.USER_TOKEN},
        {"auth": LinkAuth.USER_TOKEN, "public_key": "pem"},
    ):
        key = KEYS.sign(link, "visitor-1", now=NOW)
        link.admit(**change, actor_id=MAKER, now=NOW)
        assert KEYS.visitor(link, key, now=NOW) is None
        epochs.append(link.epoch)
    link.take_key(Secret("k"), actor_id=MAKER, now=NOW)
    epochs.append(link.epoch)
    assert epochs == sorted(set(epochs))


def test_a_password_is_needed_to_ask_for_one() -> None:
    with pytest.raises(ShareLinkInvalid, match="password"):
        make().admit(LinkAuth.PASSWORD, actor_id=MAKER, now=NOW)


def test_a_link_closes_at_its_end() -> None:
    link = make()
    end = NOW + timedelta(days=1)
    link.change(LinkSettings(name="Help", expires_at=end), actor_id=MAKER, now=NOW)
    link.require_open(end - timedelta(microseconds=1))
    with pytest.raises(ShareLinkClosed):
        link.require_open(end)


@pytest.mark.parametrize("kind", TargetKind)
def test_a_visitor_may_talk_to_the_target_and_nothing_else(kind: TargetKind) -> None:
    visitor = make(kind=kind).principal("visitor-1")
    may = {each for each in Permission if visitor.may(each, SpaceId(3))}
    assert Permission.CHAT in may
    assert not may & {
        each for each in Permission if each.value.endswith((".write", ".publish"))
    } - {Permission.CONVERSATION_WRITE, Permission.MESSAGE_WRITE}
    assert (Permission.WORKFLOW_RUN in may) == (kind is TargetKind.WORKFLOW)
    assert not visitor.may(Permission.CHAT, SpaceId(4))
    assert visitor.scope.end_user_id == "visitor-1"


@given(st.text(min_size=1, max_size=60), st.integers(0, 200), st.integers(1, 255))
def test_a_key_stands_for_its_visitor_alone(name: str, place: int, turn: int) -> None:
    link, other = make(), make(2)
    name = name.encode(errors="replace").decode()
    key = KEYS.sign(link, name, now=NOW)
    assert KEYS.visitor(link, key, now=NOW) == name
    assert KEYS.visitor(other, key, now=NOW) is None
    assert KEYS.visitor(link, key, now=NOW + timedelta(days=30)) is None
    assert VisitorKeys(Secret("another")).visitor(link, key, now=NOW) is None
    at = place % len(key)
    forged = key[:at] + chr((ord(key[at]) + turn) % 128) + key[at + 1 :]
    assert KEYS.visitor(link, forged, now=NOW) in {None, name}  # spare bits say nothing
    assert KEYS.visitor(link, key[:at], now=NOW) is None


@pytest.mark.parametrize(
    ("claims", "wrong"),
    [
        ({}, "sub"),
        ({"sub": ""}, "sub"),
        ({"sub": "a" * 256}, "sub"),
        ({"sub": "é" * 128}, "sub"),
        ({"sub": "a|b"}, "sub"),
        ({"sub": "a\nb"}, "sub"),
        ({"sub": "visitor-1"}, "sub"),
        ({"sub": True}, "sub"),
        ({"sub": "a"}, "exp"),
        ({"sub": "a", "exp": True}, "exp"),
        ({"sub": "a", "exp": "soon"}, "exp"),
        ({"sub": "a", "exp": float("nan")}, "exp"),
        ({"sub": "a", "exp": float("inf")}, "exp"),
        ({"sub": "a", "exp": 100, "aud": "other"}, "aud"),
        ({"sub": "a", "exp": -61}, "exp"),
        ({"sub": "a", "exp": 86400 + 61}, "exp"),
        ({"sub": "a", "exp": 100, "nbf": 61}, "nbf"),
        ({"sub": "a", "exp": 100, "iat": 61}, "nbf"),
        ({"sub": "a", "exp": 100, "iat": []}, "iat"),
    ],
)
def test_a_token_of_a_user_that_says_too_little_is_refused(
    claims: dict[str, Any], wrong: str
) -> None:
    base = NOW.timestamp()
    moved = {
        name: base + value
        if name in {"exp", "nbf", "iat"} and type(value) in {int, float}
        else value
        for name, value in claims.items()
    }
    with pytest.raises(ProofNeeded, match=f"^{wrong}:"):
        named_visitor(moved, link=make(), now=NOW)


def test_a_token_of_a_user_names_the_visitor() -> None:
    link, base = make(), NOW.timestamp()
    for more in ({}, {"aud": link.code}, {"aud": ["x", link.code]}, {"nbf": base + 59}):
        claims = {"sub": "用户 7", "exp": base + 60, **more}
        assert named_visitor(claims, link=link, now=NOW) == "用户 7"


@given(st.integers(0, 0xFFFFFF))
def test_every_colour_can_be_read(number: int) -> None:
    ground, on_light, on_dark = accents(f"#{number:06x}")
    assert contrast(ground, "#ffffff") >= 4.5
    assert contrast(on_light, "#ffffff") >= 4.5
    assert contrast(on_dark, "#121418") >= 4.5


def test_a_readable_colour_stays_as_it_is() -> None:
    assert accents("#0a5f3a")[0] == "#0a5f3a"


def test_codes_are_drawn_and_told() -> None:
    drawn = {new_code() for _ in range(100)}
    assert len(drawn) == 100
    assert all(map(is_code, drawn))
    assert not any(map(is_code, ("", "chat.css", "x" * 21, "é" * 22, "a/" * 11)))
