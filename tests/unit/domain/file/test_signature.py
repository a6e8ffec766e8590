"""A link grants one file for a while, and nothing else."""

from datetime import timedelta

import pytest

from domain.file.error import LinkRefused
from domain.file.signature import MAX_TTL_S, Disposition, FileLinks, LinkSigner
from domain.shared.ids import FileId, SpaceId
from domain.shared.secret import Secret
from tests.support.clock import FrozenClock

SPACE, FILE = SpaceId(2**62 + 1), FileId(2**63 - 1)


@pytest.fixture
def signer() -> LinkSigner:
    return LinkSigner([Secret("a" * 32)])


def test_a_link_grants_what_was_signed(signer: LinkSigner, clock: FrozenClock) -> None:
    token = signer.sign(SPACE, FILE, now=clock.now(), disposition=Disposition.ATTACHMENT)

    link = signer.verify(token, now=clock.now())

    assert (link.space_id, link.file_id) == (SPACE, FILE)
    assert link.disposition is Disposition.ATTACHMENT
    assert link.scope.space_ids == {SPACE}


def test_a_link_ends_with_its_last_second(signer: LinkSigner, clock: FrozenClock) -> None:
    token = signer.sign(SPACE, FILE, now=clock.now(), ttl_s=10)

    clock.advance(seconds=9)
    signer.verify(token, now=clock.now())
    clock.advance(seconds=1)
    with pytest.raises(LinkRefused, match="expired"):
        signer.verify(token, now=clock.now())


@pytest.mark.parametrize("ttl_s", [0, -1, MAX_TTL_S + 1])
def test_no_link_lasts_longer_than_an_hour(
    signer: LinkSigner, clock: FrozenClock, ttl_s: int
) -> None:
    with pytest.raises(ValueError, match="lasts"):
        signer.sign(SPACE, FILE, now=clock.now(), ttl_s=ttl_s)


def test_every_changed_character_breaks_a_link(signer: LinkSigner, clock: FrozenClock) -> None:
    token = signer.sign(SPACE, FILE, now=clock.now())
    for position, character in enumerate(token):
        for other in {"A", "B", "_", "-", "0"} - {character}:
            forged = token[:position] + other + token[position + 1 :]
            with pytest.raises(LinkRefused):
                signer.verify(forged, now=clock.now())


@pytest.mark.parametrize("token", ["", "a", "=", "ä" * 20, "a" * 10_000, "../../etc/passwd", "%00"])
def test_damaged_links_are_refused(signer: LinkSigner, clock: FrozenClock, token: str) -> None:
    with pytest.raises(LinkRefused):
        signer.verify(token, now=clock.now())


def test_spellings_that_decode_alike_are_refused(signer: LinkSigner, clock: FrozenClock) -> None:
    token = signer.sign(SPACE, FILE, now=clock.now())

    for spelling in (token + "=", token + "\n", " " + token, token + "A"):
        with pytest.raises(LinkRefused):
            signer.verify(spelling, now=clock.now())


def test_another_key_signs_other_links(signer: LinkSigner, clock: FrozenClock) -> None:
    token = LinkSigner([Secret("b" * 32)]).sign(SPACE, FILE, now=clock.now())

    with pytest.raises(LinkRefused):
        signer.verify(token, now=clock.now())


def test_links_of_a_retired_key_stay_valid(clock: FrozenClock) -> None:
    old, new = Secret("a" * 32), Secret("b" * 32)
    token = LinkSigner([old]).sign(SPACE, FILE, now=clock.now())

    assert LinkSigner([new, old]).verify(token, now=clock.now()).file_id == FILE


def test_there_must_be_a_key() -> None:
    for keys in ([], [Secret("")]):
        with pytest.raises(ValueError, match="key"):
            LinkSigner(keys)


def test_own_addresses_are_told_from_others(signer: LinkSigner, clock: FrozenClock) -> None:
    links = FileLinks(signer=signer, public_url="https://files.example/")
    url = links.url(SPACE, FILE, now=clock.now())

    own = links.own(url, now=clock.now())

    assert url.startswith("https://files.example/files/")
    assert own is not None
    assert own.file_id == FILE
    assert links.own("https://other.example/files/x", now=clock.now()) is None
    with pytest.raises(LinkRefused):
        links.own(url, now=clock.now() + timedelta(hours=1))
