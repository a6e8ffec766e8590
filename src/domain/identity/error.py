"""What can go wrong with accounts, spaces and tokens."""

from domain.shared.error import Conflict, Forbidden, InvalidRequest, NotFound, Unauthenticated


class UserNotFound(NotFound):
    """No account with this id or name."""


class SpaceNotFound(NotFound):
    """No such workspace, or the principal is not a member of it."""


class MemberNotFound(NotFound):
    """The account is not a member of the workspace."""


class TokenNotFound(NotFound):
    """No such token, or it belongs to someone else."""


class UserNameTaken(Conflict):
    """Another account has this name."""


class EmailTaken(Conflict):
    """Another account has this e-mail address."""


class InvalidIdentity(InvalidRequest):
    """A name, nickname or other attribute breaks its rule; the message says which."""


class PersonalSpaceFixed(Conflict):
    """A personal workspace has exactly one member and lives as long as its account."""


class LastOwner(Conflict):
    """A workspace keeps at least one owner."""


class LastAdministrator(Conflict):
    """The deployment keeps at least one administrator."""


class OwnersOnly(Forbidden):
    """Only an owner may change owners."""


class SpaceHeld(Conflict):
    """A legal hold is on the workspace: nothing of it may be removed."""


class TooManySpaces(Conflict):
    """The account owns as many workspaces as allowed."""


class TooManyTokens(Conflict):
    """The workspace has as many service tokens, or applications, as it may."""


class TokenExceedsOwner(Forbidden):
    """A token cannot grant more, nor last longer, than the one that creates it."""


class GroupNotFound(NotFound):
    """No such group, or the principal may not manage it."""


class GrantNotFound(NotFound):
    """No such grant, or the principal may not manage its resource."""


class ResourceNotFound(NotFound):
    """Nothing of this kind has this id, or the principal sees nothing of it."""


class TooManyGrants(Conflict):
    """A workspace, group or resource has as many groups, members or grants as allowed."""


class WrongCredentials(Unauthenticated):
    """Name and password do not belong together, or there is no such account: the same answer."""


class LinkSpent(Unauthenticated):
    """A link signs in once, and only for half an hour."""


class InvitationNotFound(NotFound):
    """No such invitation, or it lets nobody in any more: the same answer."""


class TooManyInvitations(Conflict):
    """The workspace has as many open invitations as allowed."""


class SignUpClosed(Forbidden):
    """Nobody opens an account for themselves here, or not this way."""


class SessionNotFound(NotFound):
    """No such session, or it belongs to someone else."""


class WeakPassword(InvalidRequest):
    """The password is too short, or one that is guessed first."""


class PasswordsOff(Forbidden):
    """This deployment signs nobody in with a password."""
