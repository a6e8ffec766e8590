"""Everything configurable, read once: the shapes, their defaults and what they mean."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar, cast
from urllib.parse import urlsplit

import msgspec

from application.identity.sign_in import SignInRules
from application.knowledge.ingest.worker import IngestSettings
from application.knowledge.retrieval.settings import RetrievalSettings
from application.trace.settings import TraceSettings
from bootstrap.role import ALL_ROLES, Role
from domain.model.price import PriceTable
from domain.model.reasoning import ReasoningSettings
from domain.model.value import EmbeddingSettings, ModelType, RerankSettings
from domain.shared.chat import Capabilities
from domain.shared.limits import Limits
from domain.shared.registry import Registry
from domain.shared.secret import Secret
from domain.workflow.limit import WorkflowLimits
from infra.contract.model.chat_model import ModelTimeouts, ParameterMapping
from infra.contract.storage.database import PoolLimits
from infra.impl.messaging import BUSES
from infra.impl.object_store import OBJECT_STORES
from infra.impl.search_index import TEXT_INDEXES, VECTOR_INDEXES

_WEB_ADDRESS: Final = re.compile(r"https?://[^\s/?#@]+/?")
_HOST_AND_PORT: Final = re.compile(r"(\[[^\]]+\]|[^\s:]+):\d{1,5}", re.ASCII)
_Section = TypeVar("_Section", bound=msgspec.Struct)
Field = tuple[str, Any, Any]
"""Name, type and default."""
Switch = Literal["auto", "on", "off"]


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the configuration file; unknown keys are refused."""


class DatabaseSettings(PoolLimits, frozen=True, kw_only=True):
    """Where the data lives; empty means SQLite in the data directory."""

    url: str = ""


class ServeSettings(Section, frozen=True, kw_only=True):
    """How a server leaves, and what it does besides answering; nothing where workers do it."""

    processes: Annotated[int, msgspec.Meta(ge=1, le=64)] = 1
    """Servers on the listener, for as many cores; more than one have a parent that watches them."""
    roles: tuple[Role, ...] = ALL_ROLES
    linger_s: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    """How long to answer everything after a signal, unready, before the listener closes."""
    hosts: tuple[str, ...] = ()
    """Names of the server beside that of ``public_url``; ``*`` is any, and unsafe in browsers."""


class OperationsSettings(Section, frozen=True, kw_only=True):
    """Listener of metrics, the state of each part and the API documentation, without a credential.

    Port 0 lets the system choose.
    """

    host: str = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 0


class WorkerSettings(Section, frozen=True, kw_only=True):
    """What ``coterie worker`` does."""

    roles: tuple[Role, ...] = ALL_ROLES


class Chosen(Section, frozen=True, kw_only=True):
    """Which adapter serves a port; its own keys stand in the same table, see ``settings_type``."""

    kind: str


class LogSettings(Section, frozen=True, kw_only=True):
    """What the process says; ``auto`` writes text on a terminal and JSON lines elsewhere."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["auto", "json", "text"] = "auto"
    access: bool = True


class CorsSettings(Section, frozen=True, kw_only=True):
    """Browser origins that may call the API, exact: ``https://app.example.org``."""

    origins: tuple[str, ...] = ()


class EgressSettings(Section, frozen=True, kw_only=True):
    """What leaves and what is shown from elsewhere.

    ``allow_private``: exact ``host:port`` pairs that tenants' addresses may reach although they are
    private. ``link_hosts``: hosts that images in answers may come from, ``*`` for any.
    """

    allow_private: tuple[str, ...] = ()
    link_hosts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for pair in self.allow_private:
            if not _HOST_AND_PORT.fullmatch(pair.strip()):
                raise ValueError(
                    "egress.allow_private: expected host:port, as in models.internal:8000, "
                    f"got {pair!r}"
                )


class ChannelSettings(Section, frozen=True, kw_only=True):
    """Where messaging platforms are, if not where everybody finds them.

    For private installations: an address may be one that tenants cannot reach. Empty: the usual.
    """

    feishu_url: str = ""
    lark_url: str = ""
    slack_url: str = ""
    wecom_url: str = ""

    def __post_init__(self) -> None:
        for platform, address in self.addresses.items():
            if address and not _WEB_ADDRESS.fullmatch(address):
                raise ValueError(
                    f"channel.{platform}_url: expected an address such as "
                    f"https://{platform}.example.com, got {address!r}"
                )

    @property
    def addresses(self) -> Mapping[str, str]:
        """Addresses by platform."""
        return {
            "feishu": self.feishu_url,
            "lark": self.lark_url,
            "slack": self.slack_url,
            "wecom": self.wecom_url,
        }


class CodeSettings(Section, frozen=True, kw_only=True):
    """The sandbox of code nodes. ``jail`` runs Python natively, and JavaScript as ``wasm`` does."""

    kind: Literal["wasm", "jail", "off"] = "wasm"
    workers: int = 3
    """Sandboxes; one of them is never had by one workspace alone."""
    images: str = ""
    """Folder of compiled interpreters; empty means the service user's cache, or where there is
    none the data directory."""
    packages: tuple[str, ...] = ()
    """Installed packages that code in the jail may import."""
    prepare: bool = True
    """Make the images soon after the start, at the lowest priority, instead of when needed."""


class ConsoleSettings(Section, frozen=True, kw_only=True):
    """The console in browsers."""

    enabled: bool = True
    """False takes its pages away; what share links load stays."""
    allow_http: bool = False
    """Signing in by plain HTTP over a network, where everybody on the way reads along."""


class OpenAiSettings(Section, frozen=True, kw_only=True):
    """An OpenAI-compatible endpoint as the default; ``OPENAI_*`` variables land here."""

    base_url: str = ""
    api_key: Secret = Secret("")
    model: str = ""
    embedding_model: str = ""


class ProviderSettings(Section, frozen=True, kw_only=True):
    """An endpoint several models share."""

    id: str
    kind: str = "openai"
    base_url: str = ""
    api_key: Secret = Secret("")
    timeouts: ModelTimeouts | None = None


class ModelSettings(Section, frozen=True, kw_only=True):
    """One chat, embedding or reranking model, on a named provider or with its own address.

    What is left open is filled in from the provider, then from what is known about such models.
    """

    id: str
    """Name clients and agents use."""
    provider: str = ""
    kind: str = ""
    base_url: str = ""
    api_key: Secret = Secret("")
    name: str = ""
    """Name at the provider; empty means ``id``."""
    type: ModelType = ModelType.CHAT
    description: str = ""
    aliases: tuple[str, ...] = ()
    headers: Mapping[str, str] = {}
    window: int = 0
    max_output: int = 0
    capabilities: Capabilities | None = None
    params: ParameterMapping | None = None
    timeouts: ModelTimeouts | None = None
    reasoning: ReasoningSettings = ReasoningSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    rerank: RerankSettings = RerankSettings()
    prices: PriceTable = PriceTable()
    fallbacks: tuple[str, ...] = ()
    concurrency: int = 0
    groups: tuple[str, ...] = ()
    """Ids of the groups whose members may use it; none means everybody."""


class McpProgramSettings(Section, frozen=True, kw_only=True):
    """An MCP server that runs here as a child process; tenants can name it, never change it."""

    name: str
    command: str
    """Absolute path of the program."""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = {}
    """All of its environment besides a minimal ``PATH`` and ``LANG``."""
    workspaces: tuple[str, ...] = ()
    """Ids of those that may use it, ``*`` for all; none: where all are administrators."""
    folders: Mapping[str, Literal["read", "write"]] = {}
    """What it reads or writes besides the system's libraries and its own folder."""
    network: bool = False
    jail: bool = True
    """False lets it do whatever the account of the server may."""


class DefaultModels(Section, frozen=True, kw_only=True):
    """Ids, names or aliases of the models used where nobody names one."""

    chat: str = ""
    embedding: str = ""
    rerank: str = ""
    vision: str = ""


class UsageSettings(Section, frozen=True, kw_only=True):
    """How usage is counted."""

    currency: str = "USD"
    """Code (ISO 4217) of the money that models are priced in."""


class AuditSettings(Section, frozen=True, kw_only=True):
    """Where else the audit log is kept."""

    syslog: str = ""
    """Address of a receiver of RFC 5424: ``tls://host:6514`` or ``tcp://host:601``."""
    syslog_ca: str = ""
    """File with the authorities that its certificate may be of; empty: those of the machine."""


class Settings(Section, frozen=True, kw_only=True):
    """Root of the configuration; the defaults need no other server and no key."""

    host: str = "127.0.0.1"
    port: int = 8000
    public_url: str = ""
    """Address clients use, for links; empty means ``http://host:port``."""
    data_dir: str = "data"
    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks of reverse proxies whose ``X-Forwarded-For`` counts."""
    node: int = 0
    """Number of this process among its siblings (0 to 1023); part of every id."""
    debug: bool = False
    docs: Switch = "auto"
    """API documentation for operators; ``auto`` is on."""
    metrics: Switch = "auto"
    """Prometheus endpoint for operators; ``auto`` is on."""
    bootstrap_token: Secret = Secret("")
    master_key: Secret = Secret("")
    former_master_keys: Secret = Secret("")
    """Keys of before, separated by commas: they open what is still sealed under them."""

    database: DatabaseSettings = DatabaseSettings()
    serve: ServeSettings = ServeSettings()
    operations: OperationsSettings = OperationsSettings()
    worker: WorkerSettings = WorkerSettings()
    auth: SignInRules = SignInRules()
    """How people sign in."""
    objects: Chosen = Chosen(kind="local")
    """Where files are kept."""
    text_index: Chosen = Chosen(kind="embedded")
    """Where words are searched."""
    vector_index: Chosen = Chosen(kind="embedded")
    """Where vectors are searched."""
    bus: Chosen = Chosen(kind="embedded")
    """How processes tell each other of work."""
    log: LogSettings = LogSettings()
    cors: CorsSettings = CorsSettings()
    egress: EgressSettings = EgressSettings()
    channel: ChannelSettings = ChannelSettings()
    openai: OpenAiSettings = OpenAiSettings()
    limits: Limits = Limits()
    ingest: IngestSettings = IngestSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    workflow: WorkflowLimits = WorkflowLimits()
    code: CodeSettings = CodeSettings()
    console: ConsoleSettings = ConsoleSettings()
    trace: TraceSettings = TraceSettings()
    providers: tuple[ProviderSettings, ...] = ()
    models: tuple[ModelSettings, ...] = ()
    mcp_programs: tuple[McpProgramSettings, ...] = ()
    defaults: DefaultModels = DefaultModels()
    usage: UsageSettings = UsageSettings()
    audit: AuditSettings = AuditSettings()

    @property
    def data_path(self) -> Path:
        """The data directory, absolute."""
        return Path(self.data_dir).expanduser().absolute()

    @property
    def database_url(self) -> str:
        return self.database.url or f"sqlite+aiosqlite:///{self.data_path / 'coterie.db'}"

    @property
    def chosen(self) -> Mapping[str, Chosen]:
        """The tables of adapters by name."""
        return {
            "bus": self.bus,
            "objects": self.objects,
            "text_index": self.text_index,
            "vector_index": self.vector_index,
        }

    @property
    def is_loopback(self) -> bool:
        """Tell whether only this machine can reach the listener."""
        return is_loopback(self.host)

    @property
    def external_url(self) -> str:
        """Base of every link the server hands out; never taken from a request."""
        if self.public_url:
            return self.public_url.rstrip("/")
        return url_of(self.host, self.port)

    @property
    def console_url(self) -> str:
        """Address of the console; empty where its pages are switched off."""
        return f"{self.external_url}/console/" if self.console.enabled else ""

    @property
    def has_local_operations(self) -> bool:
        """Tell whether the public listener may show operational pages: it is not public at all."""
        return self.is_loopback and not self.public_url and not self.trusted_proxies

    @property
    def host_names(self) -> frozenset[str]:
        """Names under which the server may be asked, beside those of loopback and addresses."""
        own = urlsplit(self.external_url).hostname or ""
        return frozenset(name.lower() for name in (own, self.host, *self.serve.hosts) if name)


PORTS: Final[Mapping[str, Registry[Any]]] = {
    "bus": BUSES,
    "objects": OBJECT_STORES,
    "text_index": TEXT_INDEXES,
    "vector_index": VECTOR_INDEXES,
}
"""Where the adapters of each table register."""


@cache
def settings_type() -> type[Settings]:
    """``Settings`` as they are read: tables of adapters have the keys of all that registered."""
    fields = []
    for name, registry in PORTS.items():
        usual = Settings().chosen[name]
        table = _table(name, registry, usual=usual.kind)
        fields.append((name, table, table(kind=usual.kind)))
    return _struct("Settings", fields, base=Settings)


def _table(name: str, registry: Registry[Any], *, usual: str) -> type[Chosen]:
    """All adapters of a port have their keys in one table; those not chosen are passed over."""
    literal: Any = Literal
    fields: dict[str, Field] = {"kind": ("kind", literal[registry.names()], usual)}
    for kind in registry.names():
        for field in msgspec.structs.fields(registry.get(kind)):
            key = (field.name, field.type, field.default)
            if fields.setdefault(field.name, key) != key:
                raise TypeError(f"{name}.{field.name} means two things, one of them for {kind}.")
    return _struct(name, fields.values(), base=Chosen)


def _struct(name: str, fields: Iterable[Field], *, base: type[_Section]) -> type[_Section]:
    made = msgspec.defstruct(
        name,
        fields,
        bases=(base,),
        module=__name__,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )
    return cast(type[_Section], made)  # the library tells only that it is some struct


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach an address."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def url_of(host: str, port: int) -> str:
    """Return the address at which this machine reaches a listener."""
    near = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104
    return f"http://{f'[{near}]' if ':' in near and near[0] != '[' else near}:{port}"


def configured_secrets(settings: Settings) -> tuple[Secret, ...]:
    """Every credential of the configuration; headers of models may hold some too."""
    headers = [value for model in settings.models for value in model.headers.values()]
    variables = [value for each in settings.mcp_programs for value in each.env.values()]
    adapters = [
        value for each in settings.chosen.values() for value in msgspec.structs.astuple(each)
    ]
    return (
        settings.bootstrap_token,
        settings.master_key,
        *map(Secret, settings.former_master_keys.reveal().split(",")),
        settings.openai.api_key,
        *(provider.client_secret for provider in settings.auth.oidc),
        *(value for value in adapters if isinstance(value, Secret)),
        *(provider.api_key for provider in settings.providers),
        *(model.api_key for model in settings.models),
        *map(Secret, headers),
        *map(Secret, variables),
    )


def with_port(settings: Settings, port: int) -> Settings:
    """Return the settings with the port the system gave for port 0."""
    changes: dict[str, Any] = {"port": port}
    return msgspec.structs.replace(settings, **changes)
