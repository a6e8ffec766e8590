"""Every credential that is sealed or opened becomes known to the log."""

from domain.shared.secret import Secret
from infra.impl.logging.redaction import Redactor
from infra.impl.secret_box.aes_gcm import AesGcmSecretBox
from infra.impl.secret_box.noting import NotingSecretBox

KEY = bytes(range(32))


def test_sealing_and_opening_make_a_secret_known() -> None:
    noted: list[Secret] = []
    box = NotingSecretBox(AesGcmSecretBox(KEY), note=noted.append)

    sealed = box.seal(b"sealed-secret", aad=b"place")
    assert box.open(sealed, aad=b"place") == b"sealed-secret"

    assert [secret.reveal() for secret in noted] == ["sealed-secret", "sealed-secret"]


def test_the_log_masks_what_was_stored_before_this_process_began() -> None:
    sealed = AesGcmSecretBox(KEY).seal(b"a-stored-model-key", aad=b"model")
    redactor = Redactor()
    box = NotingSecretBox(AesGcmSecretBox(KEY), note=redactor.register)

    box.open(sealed, aad=b"model")

    assert "a-stored-model-key" not in redactor.clean("provider said: a-stored-model-key")
