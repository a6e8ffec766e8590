"""Signed addresses of objects."""

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

from domain.shared.secret import Secret
from infra.impl.object_store.s3.store import LONGEST_S, LinkSigner

NOW = datetime(2030, 5, 1, 9, 0, tzinfo=UTC)
SIGNER = LinkSigner(
    endpoint="https://store.example.org/",
    bucket="b",
    region="eu-1",
    access_key="AK",
    secret_key=Secret("SK"),
    prefix="p/q",
)


def address(key: str = "files/a", *, ttl_s: int = 60) -> str:
    return SIGNER.address(key, now=NOW, ttl_s=ttl_s, media_type="text/plain", disposition="inline")


def test_the_address_names_the_object_its_type_and_its_end() -> None:
    parts = urlsplit(address())
    query = parse_qs(parts.query)

    assert (parts.netloc, parts.path) == ("store.example.org", "/b/p/q/files/a")
    assert query["X-Amz-Date"] == ["20300501T090000Z"]
    assert query["X-Amz-Expires"] == ["60"]
    assert query["X-Amz-Credential"] == ["AK/20300501/eu-1/s3/aws4_request"]
    assert query["response-content-type"] == ["text/plain"]
    assert "SK" not in address()


def test_each_object_has_a_signature_of_its_own() -> None:
    signatures = {parse_qs(urlsplit(address(key)).query)["X-Amz-Signature"][0] for key in "abc"}

    assert len(signatures) == 3


def test_no_address_lives_longer_than_the_protocol_allows() -> None:
    assert f"X-Amz-Expires={LONGEST_S}&" in address(ttl_s=10 * LONGEST_S)


def test_the_signer_does_not_show_its_key() -> None:
    assert "SK" not in repr(SIGNER)
