"""What other contexts may ask of apps, in plain types only."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from domain.shared.access import TenantScope


@dataclass(frozen=True, slots=True, kw_only=True)
class AppVariableDescription:
    """A variable that an app defines; ``channel`` is ``custom``, ``app`` or ``system``.

    ``type``: ``string``, ``integer``, ``float``, ``boolean``, ``object``, ``list`` or ``any``.
    """

    keyword: str
    description: str
    default_value: str
    channel: str
    is_enabled: bool
    type: str = "any"


class Apps(Protocol):
    """Definitions of apps: of the draft, or of what was published last."""

    async def conversations(
        self, scope: TenantScope, app_id: int, *, is_draft: bool
    ) -> Sequence[str]:
        """Return the names of the conversations that the app defines.

        Raises:
            AppNotFound: no such app in the scope (4200).
            AppVersionNotFound: the app was never published (4200).
        """
        ...

    async def variables(
        self, scope: TenantScope, app_id: int, *, is_draft: bool
    ) -> Sequence[AppVariableDescription]:
        """Return the variables that the app defines; raises the same."""
        ...
