"""The box is made with the first secret, once."""

from infra.contract.security.secret_box import SecretBox
from infra.impl.secret_box.aes_gcm import AesGcmSecretBox
from infra.impl.secret_box.on_demand import SecretBoxOnDemand

KEY = bytes(range(32))


def test_the_box_is_made_once_and_not_before_it_is_needed() -> None:
    made: list[SecretBox] = []

    def make() -> SecretBox:
        made.append(AesGcmSecretBox(KEY))
        return made[-1]

    box = SecretBoxOnDemand(make)
    assert not made

    sealed = box.seal(b"secret", aad=b"place")

    assert box.open(sealed, aad=b"place") == b"secret"
    assert len(made) == 1
    assert AesGcmSecretBox(KEY).open(sealed, aad=b"place") == b"secret"
