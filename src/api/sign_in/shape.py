"""Bodies of sign-in, and what it answers."""

from typing import Annotated

import msgspec

from api.shape import Fields, Shape
from application.identity.account import (
    AccountView,
    SessionPage,
    SessionSpace,
    SessionView,
)
from application.identity.sign_in import SignUp
from application.shared.page import Whole
from application.shared.projection import By
from domain.identity.value import Preferences, SavedView
from domain.shared.access import Permission


class AuthProvider(msgspec.Struct, frozen=True, kw_only=True):
    """A provider of OpenID Connect."""

    id: str
    """Name of the provider in addresses."""
    name: str
    """What its button says."""


class AuthWays(msgspec.Struct, frozen=True, kw_only=True):
    """How somebody can sign in; no way at all where the connection is refused."""

    deployment: str
    """Name of the deployment, as people know it."""
    version: str
    """Version of the server."""
    is_first_run: bool
    """Nobody has a password yet: a one-time link leads in."""
    password: bool
    """With a name and a password."""
    token: bool
    """With a personal access token."""
    providers: list[AuthProvider]
    """By which people sign in, besides: `GET /admin/v1/auth/oidc/{id}/start?return_to=` leads
    there."""
    sign_up: SignUp
    """Who may open an account: nobody, whoever is invited, or besides whoever has an address of
    certain domains."""
    is_insecure: bool
    """By plain HTTP over a network, where everybody on the way reads along."""


class LoginBody(msgspec.Struct, frozen=True, kw_only=True):
    """A name and a password."""

    name: str
    """Name or e-mail address of the account."""
    password: str
    """Its password."""
    remember: bool = False
    """`true`: for 30 days on this device; `false`: until the browser closes."""


class ExchangeTokenBody(msgspec.Struct, frozen=True, kw_only=True):
    """A personal access token, which is exchanged for a session."""

    token: str
    """Text of a personal token without limits."""
    remember: bool = False
    """`true`: for 30 days on this device; `false`: until the browser closes."""


class SpendTicketBody(msgspec.Struct, frozen=True, kw_only=True):
    """A one-time link, and what is set with it."""

    ticket: str
    """What stands behind `ticket=` in the link."""
    name: str | None = None
    """Name shown to others."""
    password: str | None = None
    """Password from now on; everywhere else the account is signed out."""
    remember: bool = False
    """`true`: for 30 days on this device; `false`: until the browser closes."""


class RegisterBody(msgspec.Struct, frozen=True, kw_only=True):
    """An account to open for oneself."""

    name: str
    """Unique name of the account: 4 to 20 letters, digits, `.`, `_`, `-`."""
    password: str
    """Password: at least 12 characters, and none that is guessed first."""
    nickname: str | None = None
    """Name shown to others; absent: that of the account."""
    email: str | None = None
    """E-mail address, where its domain is what lets somebody in."""
    code: str | None = None
    """What stands behind `invite=` in an invitation."""
    remember: bool = False
    """`true`: for 30 days on this device; `false`: until the browser closes."""


class ConfirmBody(msgspec.Struct, frozen=True, kw_only=True):
    """What shows once more who asks."""

    password: str
    """Password of the account."""


class SetPasswordBody(msgspec.Struct, frozen=True, kw_only=True):
    """Another password."""

    password: str
    """Password from now on: at least 12 characters, and none that is guessed first."""
    current: str | None = None
    """Password so far, where there is one."""


class UpdateMeBody(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of one's own account."""

    nickname: str | msgspec.UnsetType = msgspec.UNSET
    """Name shown to others."""


class SessionUser(msgspec.Struct, frozen=True, kw_only=True):
    """Who is signed in."""

    id: str
    """Id of the account."""
    name: str
    """Unique name of the account."""
    nickname: str
    """Name shown to others."""
    avatar_url: str
    """Address of a picture; empty: none."""
    is_admin: bool
    """Administers the deployment."""
    language: str
    """`en` or `zh`; empty: the browser's."""
    zone: str
    """Time zone; empty: the browser's."""


class SessionWorkspace(Shape, of=SessionSpace, rename={"kind": "type"}):
    """A workspace of the account, and what it may do there."""

    permissions: Annotated[list[Permission], By(list)]


class SessionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A session: who, until when, and what they may do where."""

    user: SessionUser
    """Who is signed in."""
    csrf: str
    """Value for the header `Coterie-CSRF` of every change."""
    signed_in_at: int
    """When the person last showed who they are."""
    expires_at: int
    """When the session ends if nobody uses it."""
    workspaces: list[SessionWorkspace]
    """Where the account is a member."""
    features: dict[str, bool]
    """What this deployment offers: `password`, and `is_insecure` as of the ways to sign in."""
    version: str
    """Version of the server."""


class SessionItem(Shape, of=SessionView):
    """A browser in which the account is signed in."""


class SessionItems(Whole[SessionItem]):
    """All open sessions, the latest first."""

    @classmethod
    def of_page(cls, page: SessionPage) -> "SessionItems":
        """Spell a page."""
        return cls(items=[SessionItem.of(each) for each in page.items], total=page.total)


class AccountItem(Shape, of=AccountView, rename={"personal_space_id": "personal_workspace_id"}):
    """One's own account."""


ColumnName = Annotated[str, msgspec.Meta(pattern="^[A-Za-z_]{1,32}$")]


class SavedViewBody(Fields, of=SavedView):
    """Filters of the list of runs that somebody keeps under a name."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    search: Annotated[str, msgspec.Meta(max_length=1000)]


class PreferencesBody(Fields, of=Preferences):
    """How somebody wants to be shown things."""

    run_columns: Annotated[list[ColumnName], msgspec.Meta(max_length=32)] = msgspec.field(
        default_factory=list
    )
    run_views: Annotated[list[SavedViewBody], msgspec.Meta(max_length=50)] = msgspec.field(
        default_factory=list
    )


class SignInLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link to hand over: it signs its account in once, within 30 minutes."""

    url: str
    """Address of the page that it opens."""
