"""Everything configurable, read once: the shapes, their defaults and what they mean."""

import re
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

import msgspec

from application.knowledge.ingest_worker import IngestSettings
from application.knowledge.retrieval_settings import RetrievalSettings
from bootstrap.role import ALL_ROLES, Role
from domain.model.price import PriceTable
from domain.model.reasoning import ReasoningSettings
from domain.model.value import EmbeddingSettings, ModelType, RerankSettings
from domain.shared.chat import Capabilities
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from domain.workflow.limit import WorkflowLimits
from infra.contract.chat_model import ModelTimeouts, ParameterMapping
from infra.contract.database import PoolLimits

_HOST_AND_PORT: Final = re.compile(r"(\[[^\]]+\]|[^\s:]+):\d{1,5}", re.ASCII)
Switch = Literal["auto", "on", "off"]


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the configuration file; unknown keys are refused."""


class DatabaseSettings(PoolLimits, frozen=True, kw_only=True):
    """Where the data lives; empty means SQLite in the data directory."""

    url: str = ""


class ServeSettings(Section, frozen=True, kw_only=True):
    """How a server leaves, and what it does besides answering; nothing where workers do it."""

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


class ObjectSettings(Section, frozen=True, kw_only=True):
    """Where files are kept: in the data directory, or in a bucket of an S3-compatible store."""

    kind: Literal["local", "s3"] = "local"
    bucket: str = ""
    endpoint: str = ""
    """Address of the store; empty means Amazon's."""
    region: str = "us-east-1"
    access_key: str = ""
    secret_key: Secret = Secret("")
    prefix: str = ""
    """Start of all keys, so that deployments can share a bucket."""
    links_endpoint: Annotated[str, msgspec.Meta(pattern=r"^(https?://[^/?#@]+/?)?$")] = ""
    """Where clients reach the store: signed links then lead there; empty serves them here."""


class TextIndexSettings(Section, frozen=True, kw_only=True):
    """Where words are searched: in files here, on an Elasticsearch cluster, or beside vectors.

    ``milvus`` is the server of ``VectorIndexSettings``, or a folder of milvus-lite beside its own.
    """

    kind: Literal["embedded", "elasticsearch", "milvus"] = "embedded"
    url: str = ""
    prefix: str = "coterie_"
    """Of all index names, so that deployments can share a cluster."""
    user: str = ""
    password: Secret = Secret("")
    api_key: Secret = Secret("")
    ca_certs: str = ""
    """File with the authority that signed the server's certificate."""
    replicas: int = 1


class VectorIndexSettings(Section, frozen=True, kw_only=True):
    """Where vectors are searched: in files here, on a Milvus server, or by milvus-lite."""

    kind: Literal["embedded", "milvus"] = "embedded"
    uri: Annotated[str, msgspec.Meta(pattern=r"^https?://|\.db$")] = "milvus.db"
    """Address of the server; a name that ends with ``.db`` is a folder that milvus-lite keeps."""
    prefix: str = "coterie_"
    """Of all collection names, so that deployments can share a server."""
    token: Secret = Secret("")
    database: str = ""
    ca_certs: str = ""
    """File with the authority that signed the server's certificate."""
    consistency: Literal["strong", "bounded"] = "strong"
    """Whether searches wait until they see every earlier write."""
    idle_s: Annotated[float, msgspec.Meta(ge=0)] = 3600.0
    """After how long without use a collection leaves the server's memory; 0 keeps all there."""


class BusSettings(Section, frozen=True, kw_only=True):
    """How processes tell each other of work: through the database alone, or over NATS."""

    kind: Literal["embedded", "nats"] = "embedded"
    urls: tuple[Annotated[str, msgspec.Meta(pattern=r"^(nats|tls)://[^/@]+$")], ...] = (
        "nats://127.0.0.1:4222",
    )
    """Addresses of the servers of one cluster; credentials have settings of their own."""
    user: str = ""
    password: Secret = Secret("")
    token: Secret = Secret("")
    credentials: str = ""
    """File with the JWT and the seed of a user (``.creds``)."""
    ca_certs: str = ""
    """File with the authority that signed the servers' certificates."""
    certificate: str = ""
    certificate_key: str = ""
    stream: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")] = "coterie_events"
    prefix: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")] = "coterie"
    """Start of all subjects, so that deployments can share an account."""
    replicas: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1
    max_age_s: Annotated[float, msgspec.Meta(ge=900)] = 3 * 86_400.0
    max_bytes: Annotated[int, msgspec.Meta(ge=1024 * 1024)] = 256 * 1024 * 1024


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

    database: DatabaseSettings = DatabaseSettings()
    serve: ServeSettings = ServeSettings()
    operations: OperationsSettings = OperationsSettings()
    worker: WorkerSettings = WorkerSettings()
    objects: ObjectSettings = ObjectSettings()
    text_index: TextIndexSettings = TextIndexSettings()
    vector_index: VectorIndexSettings = VectorIndexSettings()
    bus: BusSettings = BusSettings()
    log: LogSettings = LogSettings()
    cors: CorsSettings = CorsSettings()
    egress: EgressSettings = EgressSettings()
    openai: OpenAiSettings = OpenAiSettings()
    limits: Limits = Limits()
    ingest: IngestSettings = IngestSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    workflow: WorkflowLimits = WorkflowLimits()
    code: CodeSettings = CodeSettings()
    providers: tuple[ProviderSettings, ...] = ()
    models: tuple[ModelSettings, ...] = ()
    mcp_programs: tuple[McpProgramSettings, ...] = ()
    defaults: DefaultModels = DefaultModels()

    @property
    def data_path(self) -> Path:
        """The data directory, absolute."""
        return Path(self.data_dir).expanduser().absolute()

    @property
    def database_url(self) -> str:
        return self.database.url or f"sqlite+aiosqlite:///{self.data_path / 'coterie.db'}"

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
    def has_local_operations(self) -> bool:
        """Tell whether the public listener may show operational pages: it is not public at all."""
        return self.is_loopback and not self.public_url and not self.trusted_proxies

    @property
    def host_names(self) -> frozenset[str]:
        """Names under which the server may be asked, beside those of loopback and addresses."""
        own = urlsplit(self.external_url).hostname or ""
        return frozenset(name.lower() for name in (own, self.host, *self.serve.hosts) if name)


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
    return (
        settings.bootstrap_token,
        settings.master_key,
        settings.openai.api_key,
        settings.objects.secret_key,
        settings.text_index.password,
        settings.text_index.api_key,
        settings.vector_index.token,
        settings.bus.password,
        settings.bus.token,
        *(provider.api_key for provider in settings.providers),
        *(model.api_key for model in settings.models),
        *map(Secret, headers),
        *map(Secret, variables),
    )


def with_port(settings: Settings, port: int) -> Settings:
    """Return the settings with the port the system gave for port 0."""
    changes: dict[str, Any] = {"port": port}
    return msgspec.structs.replace(settings, **changes)
