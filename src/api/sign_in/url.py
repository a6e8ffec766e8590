"""Addresses of the pages of sign-in."""

from typing import Final

SIGN_IN_PATH: Final = "/console/sign-in"
WELCOME_PATH: Final = "/console/welcome"
ACCOUNT_PATH: Final = "/console/account"


class SignInPages:
    """Links to pages of sign-in, from the address that clients use."""

    def __init__(self, external_url: str, *, has_console: bool = True) -> None:
        self._external_url = external_url
        self.has_console: Final = has_console
        self.home: Final = "/console/" if has_console else ACCOUNT_PATH
        """Where somebody goes who has signed in."""

    def welcome_url(self, ticket: str) -> str:
        """Return where a one-time link leads."""
        return f"{self._external_url}{WELCOME_PATH}?ticket={ticket}"

    def invitation_url(self, code: str) -> str:
        """Return where an invitation leads."""
        return f"{self._external_url}{WELCOME_PATH}?invite={code}"
