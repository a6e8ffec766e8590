"""Texts that callers keep for us: nobody else reads them, and nothing of them is stored."""

import base64
import binascii

from domain.shared.access import Permission, Principal
from domain.shared.error import InvalidRequest
from domain.shared.ids import SpaceId
from infra.contract.security.secret_box import SecretBox, SecretUnreadable


class SealedTextUnreadable(InvalidRequest):
    """Not one of ours, of another kind, workspace or deployment, or damaged."""


class SealedTexts:
    """Texts of one ``kind``, bound to the workspaces that they are sealed for."""

    def __init__(self, box: SecretBox, *, kind: str) -> None:
        self._box = box
        self._kind = kind

    def seal(self, space_id: SpaceId, text: str) -> str:
        """Return what is handed out."""
        sealed = self._box.seal(text.encode(), aad=self._place(space_id))
        return f"{space_id}.{base64.urlsafe_b64encode(sealed).decode()}"

    def open(self, principal: Principal, content: str) -> str:
        """Return the text again.

        Raises:
            SealedTextUnreadable: it is none of a workspace in which the caller may chat.
        """
        space, _, sealed = content.partition(".")
        refusal = SealedTextUnreadable("It is not from here, or of another workspace.")
        if not (space.isascii() and space.isdigit()):
            raise refusal
        space_id = SpaceId(int(space))
        wanted = (Permission.CHAT, Permission.MODEL_USE)
        if not any(principal.may(permission, space_id) for permission in wanted):
            raise refusal
        try:
            data = base64.b64decode(sealed, altchars=b"-_", validate=True)
            return self._box.open(data, aad=self._place(space_id)).decode()
        except (SecretUnreadable, binascii.Error, ValueError) as exc:
            raise refusal from exc

    def _place(self, space_id: SpaceId) -> bytes:
        return f"{self._kind}:{space_id}".encode()
