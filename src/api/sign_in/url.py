"""Addresses of the pages of sign-in."""

from typing import Final

WELCOME_PATH: Final = "/console/welcome"


class SignInPages:
    """Links to pages of sign-in, from the address that clients use."""

    def __init__(self, external_url: str) -> None:
        self._external_url = external_url

    def welcome_url(self, ticket: str) -> str:
        """Return where a one-time link leads."""
        return f"{self._external_url}{WELCOME_PATH}?ticket={ticket}"
