"""What every route of the application has in common, as one Litestar plugin."""

from litestar.config.app import AppConfig
from litestar.di import Provide
from litestar.plugins import InitPlugin

from api.auth import Authenticator, Guard, principal_of
from api.error import EXCEPTION_HANDLERS
from api.request import ApiRequest
from domain.shared.limits import Limits


class ApiRules(InitPlugin):
    """Authentication, strict JSON, body limit, error bodies; provides ``principal`` and ``limits``.

    Litestar's own exception logging is switched off: ``api.error`` logs each failure once.
    """

    def __init__(self, *, authenticator: Authenticator, limits: Limits) -> None:
        self._guard = Guard(authenticator)
        self._limits = limits

    def on_app_init(self, app_config: AppConfig) -> AppConfig:
        app_config.request_class = ApiRequest
        app_config.request_max_body_size = self._limits.json_body_bytes
        app_config.multipart_form_part_limit = self._limits.multipart_parts
        app_config.exception_handlers.update(EXCEPTION_HANDLERS)
        app_config.guards.append(self._guard)
        app_config.logging_config = None
        app_config.state["limits"] = self._limits
        app_config.dependencies = {
            **app_config.dependencies,
            "principal": Provide(principal_of, sync_to_thread=False),
            "limits": Provide(lambda: self._limits, sync_to_thread=False, use_cache=True),
        }
        return app_config
