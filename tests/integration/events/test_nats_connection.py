"""Getting to a NATS server: over TLS, with credentials, and what is said when it fails."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from domain.shared.error import Unavailable
from domain.shared.secret import Secret
from infra.impl.nats.connection import NatsConnection, NatsOptions
from tests.support.service.nats import NatsServer, running_nats
from tests.support.service.nats_operator import Operator

PASSWORD = "s3cr3t-of-the-bus"


@dataclass(frozen=True)
class Identity:
    """A certificate that signs itself, and its key."""

    certificate: Path
    key: Path


def identity(directory: Path, name: str) -> Identity:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    found = Identity(directory / f"{name}.pem", directory / f"{name}.key")
    found.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    found.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return found


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    return identity(tmp_path_factory.mktemp("mine"), "server")


@pytest.fixture(scope="module")
def secured(mine: Identity) -> Iterator[NatsServer]:
    """A server with TLS that asks for a certificate and a password."""
    files = f'cert_file: "{mine.certificate}", key_file: "{mine.key}"'
    tls = f'tls {{ {files}, ca_file: "{mine.certificate}", verify: true }}'
    with running_nats(options=f"{tls}\nauthorization {{ user: u, password: {PASSWORD} }}") as nats:
        yield nats


def options(server: NatsServer, mine: Identity, *, password: str = PASSWORD) -> NatsOptions:
    return NatsOptions(
        servers=(server.url.replace("nats:", "tls:"),),
        user="u",
        password=Secret(password),
        ca_certs=str(mine.certificate),
        certificate=str(mine.certificate),
        certificate_key=str(mine.key),
    )


async def refusal(options: NatsOptions, cause: str) -> str:
    """Return what the start says when it fails, once it names this cause.

    The server closes so fast that its last word may get lost, and may need more time than it has.
    """
    message, patience_s = "", 0.5
    while cause not in message and patience_s < 60:
        connection = NatsConnection(options, first_connect_s=patience_s)
        with pytest.raises(Unavailable) as caught:
            await connection.start()
        await connection.aclose()
        message = caught.value.message
        patience_s *= 2
    return message


async def test_a_certificate_and_a_password_open_the_door(
    secured: NatsServer, mine: Identity
) -> None:
    connection = NatsConnection(options(secured, mine))
    await connection.start()
    connection.check()
    await connection.aclose()


async def test_the_message_says_what_is_wrong_and_no_secret(
    secured: NatsServer, mine: Identity, tmp_path: Path
) -> None:
    stranger = identity(tmp_path, "stranger")
    right = options(secured, mine, password="wrong-and-secret")
    refused = await refusal(right, "Authorization Violation")
    untrusted = await refusal(options(secured, stranger), "certificate")
    nowhere = options(secured, Identity(tmp_path / "none.pem", tmp_path / "none"))
    missing = await refusal(nowhere, "No such file")
    unnamed = replace(options(secured, mine), user="", credentials=str(tmp_path / "none.creds"))
    no_credentials = await refusal(unnamed, "No such file")

    place = secured.url.removeprefix("nats://")
    assert place in refused
    assert "Authorization Violation" in refused
    assert "secret" not in refused
    assert "certificate" in untrusted.lower()
    assert "No such file" in missing
    assert "No such file" in no_credentials


async def test_a_file_with_credentials_opens_the_door(tmp_path: Path) -> None:
    operator = Operator()
    right, wrong = tmp_path / "right.creds", tmp_path / "wrong.creds"
    right.write_text(operator.credentials())
    wrong.write_text(Operator().credentials())
    with running_nats(options=operator.options, jetstream=False) as server:
        known = NatsOptions(servers=(server.url,), credentials=str(right))
        connection = NatsConnection(known)
        await connection.start()
        connection.check()
        await connection.aclose()

        refused = await refusal(replace(known, credentials=str(wrong)), "Authorization Violation")
    assert "Authorization Violation" in refused
