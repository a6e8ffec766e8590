"""Generated from the OpenAPI document by `make sdk`: do not edit."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, convert, field


class AcceptTools(Struct, kw_only=True):
    digest: str
    names: list[str] | None | UnsetType = UNSET


class AddSliceBody(Struct, kw_only=True):
    content: str | list[dict[str, str | int | float | bool | None]]
    sequence: int | None | UnsetType = UNSET


class AddedMembers(Struct, kw_only=True):
    added_success_user_ids: list[str]
    invited_success_user_ids: list[str]
    not_exist_user_ids: list[str]
    already_joined_user_ids: list[str]
    already_invited_user_ids: list[str]


class AdminAppConversation(Struct, kw_only=True):
    name: str
    env: str


class AdminAppConversationList(Struct, kw_only=True):
    items: list[AdminAppConversation]
    total: int
    next_cursor: str | None


class AdminAppRecord(Struct, kw_only=True):
    id: str
    version: str
    description: str
    creator_id: str
    connector_ids: list[str]
    status: str
    created_at: int


class AdminAppRecordList(Struct, kw_only=True):
    items: list[AdminAppRecord]
    total: int
    next_cursor: str | None


class AdminBoundDataset(Struct, kw_only=True):
    id: str
    name: str


class AdminCanvas(Struct, kw_only=True):
    workflow_id: str
    version: str
    dialect: str
    submit_commit_id: str
    revision: int
    test_run_passed: bool
    schema: Any


class AdminCaption(Struct, kw_only=True):
    caption: str


class AdminCell(Struct, kw_only=True):
    sheet: str
    row: int
    column: str
    value: str
    reason: str


class AdminChunk(Struct, kw_only=True):
    id: int
    text: str
    type: int
    heading_path: list[str]


class AdminColumn(Struct, kw_only=True):
    column_name: str
    column_type: int
    is_semantic: bool
    sequence: int


class AdminConnector(Struct, kw_only=True):
    id: str
    name: str
    bound: bool
    version: str
    last_publish_time: int | None
    reason: Annotated[str, Meta(description="Why it was taken off, if somebody said so.")]
    """
    Why it was taken off, if somebody said so.
    """
    allowed: bool


class AdminConnectorList(Struct, kw_only=True):
    items: list[AdminConnector]
    total: int
    next_cursor: str | None


class AdminConversation(Struct, kw_only=True):
    id: str
    workspace_id: str
    agent_id: str | None
    name: str
    metadata: dict[str, str]
    section_id: str
    creator_id: str
    connector_id: str
    end_user_id: str
    created_at: int
    updated_at: int


class AdminConversationList(Struct, kw_only=True):
    items: list[AdminConversation]
    total: int
    next_cursor: str | None


class AdminCopy(Struct, kw_only=True):
    dataset_id: str
    status: int
    error: str


class AdminDatasetReference(Struct, kw_only=True):
    agent_id: str
    name: str


class AdminDatasetReferenceList(Struct, kw_only=True):
    items: list[AdminDatasetReference]
    total: int
    next_cursor: None


class AdminField(Struct, kw_only=True):
    id: int
    name: str
    desc: str
    type: int
    must_required: bool
    is_system: bool


class AdminFile(Struct, kw_only=True):
    id: str
    space_id: str
    creator_id: str
    name: str
    media_type: str
    size: int
    sha256: str
    url: str
    created_at: int
    purpose: str
    expires_at: int | None


class AdminImport(Struct, kw_only=True):
    id: str
    database_id: str
    file_id: str
    file_name: str
    status: str
    total: int
    rows: int
    problem: str
    created_at: int
    updated_at: int


class AdminInterrupt(Struct, kw_only=True):
    id: str
    type: int
    node_id: str
    schema_node_id: str
    node_title: str
    node_icon: str
    data: str


class AdminKnowledge(Struct, kw_only=True):
    datasets: list[str]
    dataset_infos: list[AdminBoundDataset]
    auto: bool
    search_strategy: int
    top_k: int
    min_score: float
    show_source: bool
    show_source_mode: int
    no_recall_reply_mode: int
    no_recall_reply_customize_prompt: str
    use_rerank: bool
    use_rewrite: Annotated[
        bool, Meta(description="The question is made self-contained by the history.")
    ]
    """
    The question is made self-contained by the history.
    """
    use_nl2sql: bool
    max_tokens: (
        Annotated[
            int,
            Meta(
                description="Tokens of all results together; None is what the caller has room for."
            ),
        ]
        | None
    )
    """
    Tokens of all results together; None is what the caller has room for.
    """
    embedding_weight: (
        Annotated[
            float,
            Meta(
                description="What vectors count beside words; None depends on the embedding model."
            ),
        ]
        | None
    )
    """
    What vectors count beside words; None depends on the embedding model.
    """
    expansion: Annotated[
        int,
        Meta(description="Further wordings that are searched, too; a rewrite is not needed then."),
    ]
    """
    Further wordings that are searched, too; a rewrite is not needed then.
    """
    expansion_model: Annotated[
        str, Meta(description="Writes questions anew; empty for the default model.")
    ]
    """
    Writes questions anew; empty for the default model.
    """
    expansion_background: Annotated[
        str,
        Meta(description="What the model should know of the subject before it writes."),
    ]
    """
    What the model should know of the subject before it writes.
    """
    rerank_model: str
    rerank_weight: Annotated[
        float,
        Meta(description="What the order of the reranking model counts beside the one before."),
    ]
    """
    What the order of the reranking model counts beside the one before.
    """
    is_personal_only: Annotated[bool, Meta(description="Only documents of the calling end user.")]
    """
    Only documents of the calling end user.
    """
    expand: Annotated[
        str,
        Meta(
            description="Slices joined to what was found; None shows sections whole that were cut into parts."
        ),
    ]
    """
    Slices joined to what was found; None shows sections whole that were cut into parts.
    """
    threshold_mode: Annotated[
        str,
        Meta(
            description="``fastgpt`` ignores the minimum in full-text and mixed mode without a reranking model."
        ),
    ]
    """
    ``fastgpt`` ignores the minimum in full-text and mixed mode without a reranking model.
    """
    filter: (
        Annotated[dict[str, Any], Meta(description="A metadata filter as JSON, tags included.")]
        | None
    )
    """
    A metadata filter as JSON, tags included.
    """


class AdminLibraryPrompt(Struct, kw_only=True):
    id: str
    workspace_id: str | None
    creator_id: str | None
    name: str
    description: str
    prompt_text: str
    created_at: int | None
    updated_at: int | None


class AdminMemory(Struct, kw_only=True):
    summary: bool
    long_term: bool
    model_id: str


class AdminModel(Struct, kw_only=True):
    model_id: str
    model_name: str
    temperature: float | None
    top_p: float | None
    top_k: int | None
    presence_penalty: float | None
    frequency_penalty: float | None
    max_tokens: int | None
    response_format: int | None
    style: int
    history_rounds: int | None
    cache_type: str | None
    sp_current_time: bool
    sp_anti_leak: bool
    parameters: dict[str, str]
    lock_model_params: Annotated[
        bool, Meta(description="Requests may not change sampling, length or format.")
    ]
    """
    Requests may not change sampling, length or format.
    """
    tool_choice: Annotated[
        str,
        Meta(
            description="What the first step does: ``auto``, ``required`` (calls some tool) or the name of a tool; later steps are free. ``none``: the model gets no tools at all."
        ),
    ]
    """
    What the first step does: ``auto``, ``required`` (calls some tool) or the name of a tool; later steps are free. ``none``: the model gets no tools at all.
    """


class AdminNeed(Struct, kw_only=True):
    kind: str
    id: str
    name: str
    detail: str
    node_ids: list[str]
    exists: bool
    mapped_from: list[str]


class AdminOnboarding(Struct, kw_only=True):
    prologue: str
    suggested_questions: list[str]


class AdminPreview(Struct, kw_only=True):
    id: str
    dataset_id: str
    name: str
    type: str
    size: int
    status: int
    fail_code: int
    fail_reason: str
    chunk_count: int
    chunks: list[AdminChunk]
    created_at: int
    expires_at: int


class AdminPreviewList(Struct, kw_only=True):
    items: list[AdminPreview]
    total: int
    next_cursor: None


class AdminPrompt(Struct, kw_only=True):
    text: str


class AdminPromptList(Struct, kw_only=True):
    items: list[AdminLibraryPrompt]
    total: int
    next_cursor: str | None


class AdminRebuild(Struct, kw_only=True):
    state: str
    embedding_model: str
    index_version: int
    percent: int
    done: int
    total: int
    error: str


class AdminReconciliation(Struct, kw_only=True):
    skipped: bool
    findings: dict[str, int]


class AdminRunError(Struct, kw_only=True):
    code: int
    message: str
    reason: str


class AdminRunFault(Struct, kw_only=True):
    code: int
    message: str
    node_id: str


class AdminRunUsage(Struct, kw_only=True):
    input_tokens: int
    output_tokens: int
    total_tokens: int
    estimated: bool


class AdminSheet(Struct, kw_only=True):
    sheet_id: int
    name: str
    rows: int
    is_hidden: bool


class AdminSlice(Struct, kw_only=True):
    id: str
    document_id: str
    dataset_id: str
    sequence: float
    content: str
    char_count: int
    hit_count: int
    status: int
    fail_reason: str
    heading_path: list[str]
    created_at: int
    updated_at: int


class AdminSliceList(Struct, kw_only=True):
    items: list[AdminSlice]
    total: int
    next_cursor: str | None


class AdminSuggest(Struct, kw_only=True):
    mode: int
    customized_prompt: str


class AdminTableCheck(Struct, kw_only=True):
    valid: bool
    missing_columns: list[str]
    unknown_columns: list[str]
    cells: list[AdminCell]


class AdminTableSchema(Struct, kw_only=True):
    table_meta: list[AdminColumn]
    sheets: list[AdminSheet]
    rows: list[list[str | None]]
    total: int


class AdminVersion(Struct, kw_only=True):
    version: str
    description: str
    creator_id: str
    created_at: int


class AdminVersionList(Struct, kw_only=True):
    items: list[AdminVersion]
    total: int
    next_cursor: str | None


class AdminWorkflowReference(Struct, kw_only=True):
    workflow_id: str
    name: str
    source: str
    version: str


class AdminWorkflowReferenceList(Struct, kw_only=True):
    items: list[AdminWorkflowReference]
    total: int


class AffectedRecords(Struct, kw_only=True):
    affected: int


class AgentSwitchedEvent(Struct, kw_only=True, tag_field="type", tag="agent.switched"):
    """
    Another agent answers from here on; ``brief`` is what it was told by the one before.
    """

    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    name: str
    from_agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    from_name: str
    brief: str
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


AppVariableChannel: TypeAlias = Annotated[
    Literal["custom", "app", "system"],
    Meta(
        description="Who holds the value of a variable: every end user one of his own, or the app one for all.",
        title="AppVariableChannel",
    ),
]
"""
Who holds the value of a variable: every end user one of his own, or the app one for all.
"""


AppVariableType: TypeAlias = Annotated[
    Literal["any", "string", "integer", "float", "boolean", "object", "list"],
    Meta(
        description="What a variable holds; the checks of workflows look at it. ``any``: nobody said.",
        title="AppVariableType",
    ),
]
"""
What a variable holds; the checks of workflows look at it. ``any``: nobody said.
"""


class AudioItem(Struct, kw_only=True, tag_field="type", tag="audio"):
    """
    A recording, by the id of an upload or by address.
    """

    file_id: (
        Annotated[str, Meta(description="Id of an upload.", pattern="^\\d{1,19}$")] | UnsetType
    ) = UNSET
    """
    Id of an upload.
    """
    file_url: (
        Annotated[str, Meta(description="Address (http, https), instead of an id.")] | UnsetType
    ) = UNSET
    """
    Address (http, https), instead of an id.
    """
    name: Annotated[str, Meta(description="Name to show.")] | UnsetType = UNSET
    """
    Name to show.
    """


class AuditItem(Struct, kw_only=True):
    id: str
    workspace_id: str
    actor_id: str
    action: str
    resource: str
    result: str
    detail: Annotated[
        dict[str, Any], Meta(description="JSON object with what else the event tells.")
    ]
    """
    JSON object with what else the event tells.
    """
    log_id: str
    at: int


class AuditItems(Struct, kw_only=True):
    items: list[AuditItem]
    total: int
    next_cursor: str | None


AuthType: TypeAlias = Annotated[
    Literal["none", "service", "oauth_client_credentials", "oauth_authorization_code"],
    Meta(description="How calls prove who they are.", title="AuthType"),
]
"""
How calls prove who they are.
"""


BodyMedia: TypeAlias = Annotated[
    Literal[
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/octet-stream",
    ],
    Meta(description="How the body is written.", title="BodyMedia"),
]
"""
How the body is written.
"""


DatasetId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class BotKnowledgeFields(Struct, kw_only=True):
    dataset_ids: list[DatasetId] | None | UnsetType = UNSET
    auto_call: bool | None | UnsetType = UNSET
    search_strategy: int | None | UnsetType = UNSET


class BotKnowledgeInfo(Struct, kw_only=True):
    id: str
    name: str


class BotModel(Struct, kw_only=True):
    model_id: str
    model_name: str
    sp_anti_leak: bool
    sp_current_time: bool
    temperature: float | None | UnsetType = UNSET
    top_p: float | None | UnsetType = UNSET
    top_k: int | None | UnsetType = UNSET
    presence_penalty: float | None | UnsetType = UNSET
    frequency_penalty: float | None | UnsetType = UNSET
    max_tokens: int | None | UnsetType = UNSET
    context_round: int | None | UnsetType = UNSET
    response_format: str | None | UnsetType = UNSET
    cache_type: str | None | UnsetType = UNSET
    parameters: dict[str, str] | None | UnsetType = UNSET


class BotOnboarding(Struct, kw_only=True):
    prologue: str
    suggested_questions: list[str]


class BotOnboardingFields(Struct, kw_only=True):
    prologue: str | None | UnsetType = UNSET
    suggested_questions: list[str] | None | UnsetType = UNSET


class BotPrompt(Struct, kw_only=True):
    prompt: str


class BotPromptFields(Struct, kw_only=True):
    prompt: str | None | UnsetType = UNSET


class BotReference(Struct, kw_only=True):
    bot_id: str
    version: str | UnsetType = ""


class BotShortcutComponent(Struct, kw_only=True):
    name: str
    description: str
    type: str
    tool_parameter: str
    default_value: str
    is_hide: bool
    options: list[str]


class BotShortcutParameter(Struct, kw_only=True):
    name: str
    is_required: bool
    description: str
    type: str
    default_value: str
    is_refer_component: bool


class BotTool(Struct, kw_only=True):
    api_id: str
    name: str
    description: str


class BotToolId(Struct, kw_only=True):
    plugin_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    api_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class BotToolIds(Struct, kw_only=True):
    id_list: list[BotToolId] | None | UnsetType = UNSET


class BotVersionCreator(Struct, kw_only=True):
    id: str
    name: str


class BotWorkflow(Struct, kw_only=True):
    id: str
    name: str
    description: str
    icon_url: str


class BotWorkflowId(Struct, kw_only=True):
    id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class BotWorkflowIds(Struct, kw_only=True):
    ids: list[BotWorkflowId] | None | UnsetType = UNSET


CacheType: TypeAlias = Annotated[
    Literal["closed", "prefix"],
    Meta(
        description="Whether the provider may keep the common prefix of prompts.",
        title="CacheType",
    ),
]
"""
Whether the provider may keep the common prefix of prompts.
"""


class CalledFunction(Struct, kw_only=True):
    name: str
    arguments: str


class CancelRequest(Struct, kw_only=True):
    conversation_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    chat_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]


class Capabilities(Struct, kw_only=True):
    tools: Literal["native", "prompt_prefix", "prompt_tags", "prompt_jsonrpc", "none"]
    parallel_tools: bool
    vision: bool
    audio: bool
    json_object: bool
    json_schema: bool
    reasoning: bool
    reasoning_effort: Annotated[bool, Meta(description="It can be told how much to think.")]
    """
    It can be told how much to think.
    """
    verbosity: Annotated[bool, Meta(description="It can be told how long answers are to be.")]
    """
    It can be told how long answers are to be.
    """
    implied_open_tag: Annotated[
        bool,
        Meta(
            description="The model's template already opens the think tag, so only the closing one is emitted."
        ),
    ]
    """
    The model's template already opens the think tag, so only the closing one is emitted.
    """
    system_messages: Literal["many", "first", "none"]
    stream_usage: bool


class CaptionBody(Struct, kw_only=True):
    caption: str


class ChangePromptBody(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    prompt_text: str | UnsetType = UNSET


class ChatDelta(Struct, kw_only=True):
    """
    A piece of an answer.
    """

    id: str
    conversation_id: str
    bot_id: str
    chat_id: str
    section_id: str
    role: Literal["assistant"]
    type: Literal["answer"]
    content: str
    content_type: Literal["text"]
    reasoning_content: str | UnsetType = UNSET


class ChatMessageDeltaFrame(
    Struct, kw_only=True, tag_field="event", tag="conversation.message.delta"
):
    """
    The event ``conversation.message.delta``.
    """

    data: ChatDelta


class ChatUsage(Struct, kw_only=True):
    token_count: int
    output_count: int
    input_count: int


class ChatflowSuggestFields(Struct, kw_only=True):
    mode: Literal["default", "custom", "off"] | UnsetType = "default"
    prompt: str | UnsetType = ""


class ChunkBody(Struct, kw_only=True):
    id: int
    text: str


class ChunkFunction(Struct, kw_only=True):
    """
    A piece of a call; only the first has the name.
    """

    name: str | UnsetType = ""
    arguments: str | UnsetType = ""


class ChunkStrategyBody(Struct, kw_only=True):
    chunk_type: int | None | UnsetType = UNSET
    separator: str | None | UnsetType = UNSET
    max_tokens: int | None | UnsetType = UNSET
    remove_extra_spaces: bool | None | UnsetType = UNSET
    remove_urls_emails: bool | None | UnsetType = UNSET
    caption_type: int | None | UnsetType = UNSET
    overlap: int | None | UnsetType = UNSET
    max_level: int | None | UnsetType = UNSET
    save_title: bool | None | UnsetType = UNSET


class ChunkToolCall(Struct, kw_only=True):
    """
    A piece of the call with this number; only the first has id and type.
    """

    index: int
    id: str | UnsetType = ""
    type: str | UnsetType = ""
    function: ChunkFunction | UnsetType = field(
        default_factory=lambda: convert({}, type=ChunkFunction)
    )


class ClientToolFields(Struct, kw_only=True):
    name: str
    description: str | UnsetType = ""
    parameters: dict[str, Any] | UnsetType = UNSET


class ColumnBody(Struct, kw_only=True):
    id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    column_name: str | None | UnsetType = UNSET
    is_semantic: bool | None | UnsetType = UNSET
    sequence: str | int | None | UnsetType = UNSET
    column_type: int | None | UnsetType = UNSET
    desc: str | None | UnsetType = UNSET


class CommonValue(Struct, kw_only=True):
    name: str
    value: str | UnsetType = ""
    secret: bool | UnsetType = False


class CommonValues(Struct, kw_only=True):
    query: list[CommonValue] | UnsetType = field(default_factory=list)
    header: list[CommonValue] | UnsetType = field(default_factory=list)
    body: list[CommonValue] | UnsetType = field(default_factory=list)


class CompletionUsage(Struct, kw_only=True):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ConditionInput(Struct, kw_only=True):
    field_: str | None | UnsetType = field(name="field", default=UNSET)
    operator: str | UnsetType = "eq"
    value: Any | UnsetType = UNSET
    logic: str | UnsetType = "and"
    conditions: list[ConditionInput] | None | UnsetType = UNSET


class ConnectionInput(Struct, kw_only=True):
    base_url: str | None | UnsetType = UNSET
    api_key: str | None | UnsetType = UNSET
    model: (
        Annotated[
            str,
            Meta(description="Name at the provider; absent, the display name."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    Name at the provider; absent, the display name.
    """
    headers: dict[str, str | None] | None | UnsetType = UNSET


class ConversationBody(Struct, kw_only=True):
    name: str


class ConversationRef(Struct, kw_only=True):
    id: Annotated[str, Meta(pattern="^\\d{1,19}$")]


class CopyAppBody(Struct, kw_only=True):
    name: str | None | UnsetType = UNSET


class CopyBody(Struct, kw_only=True):
    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    name: str | UnsetType = ""


class CopyWorkflowBody(Struct, kw_only=True):
    name: str | None | UnsetType = UNSET
    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class CozeErrorInfo(Struct, kw_only=True):
    """
    Part of the error body that older JavaScript clients read.
    """

    logid: str
    detail: str
    help_doc: str
    subcode: (
        Annotated[
            int,
            Meta(
                description="The number that Coze Studio gives this failure inside its own contexts."
            ),
        ]
        | UnsetType
    ) = UNSET
    """
    The number that Coze Studio gives this failure inside its own contexts.
    """


class CreateDatasetBody(Struct, kw_only=True):
    name: str
    space_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    format_type: int
    description: str | None | UnsetType = UNSET
    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class CreatePromptBody(Struct, kw_only=True):
    name: str
    prompt_text: str
    description: str | UnsetType = ""


class CreateSliceBody(Struct, kw_only=True):
    document_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    raw_text: str
    sequence: int | None | UnsetType = UNSET


WorkspaceId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class CreateUserBody(Struct, kw_only=True):
    name: str
    nickname: str | None | UnsetType = UNSET
    is_admin: bool | UnsetType = False


class CreateWorkflowBody(Struct, kw_only=True):
    name: str
    description: str | UnsetType = ""
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    mode: Literal[0, 3] | UnsetType = 0
    app_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class CreateWorkspaceBody(Struct, kw_only=True):
    name: str
    description: str | None | UnsetType = UNSET
    icon_url: str | None | UnsetType = UNSET


class DatasetReference(Struct, kw_only=True):
    dataset_id: str


class DebugAddress(Struct, kw_only=True):
    """
    Where a console shows the run of a workflow.
    """

    debug_url: str


class DebugBody(Struct, kw_only=True):
    arguments: dict[str, Any] | UnsetType = UNSET


class DebugReport(Struct, kw_only=True):
    success: bool
    reason: str
    status: int
    duration_ms: int
    response: dict[str, Any] | None
    raw_request: dict[str, Any]
    raw_response: str
    inferred_response_schema: dict[str, Any] | None
    authorize_url: str


DocumentId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class DeleteDocumentsBody(Struct, kw_only=True):
    document_ids: list[DocumentId]


class DeleteRecordsBody(Struct, kw_only=True):
    filter: ConditionInput
    env: str | UnsetType = "online"
    connector_uid: str | None | UnsetType = UNSET


WorkflowId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class DeleteWorkflowsBody(Struct, kw_only=True):
    workflow_ids: list[WorkflowId]
    force: bool | UnsetType = False


class Detail(Struct, kw_only=True):
    """
    What identifies the request; equals the header ``X-Tt-Logid``.
    """

    logid: str


class DisplayInput(Struct, kw_only=True):
    name: str | None | UnsetType = UNSET
    description: str | None | UnsetType = UNSET
    max_tokens: int | None | UnsetType = UNSET
    output_tokens: int | None | UnsetType = UNSET


class DisplayView(Struct, kw_only=True):
    name: str
    description: str
    max_tokens: int
    output_tokens: int


class DuplicateAgentBody(Struct, kw_only=True):
    name: str | None | UnsetType = UNSET
    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class DuplicateTemplateBody(Struct, kw_only=True):
    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    name: str | None | UnsetType = UNSET


class DuplicatedTemplate(Struct, kw_only=True):
    entity_id: str
    entity_type: str


class EdgeName(Struct, kw_only=True):
    source: str
    target: str
    port: str


Effect: TypeAlias = Annotated[
    Literal["read", "external_write", "irreversible"],
    Meta(description="What a call changes outside.", title="Effect"),
]
"""
What a call changes outside.
"""


class EmbeddingObject(Struct, kw_only=True):
    object: str
    index: int
    embedding: list[float] | str


class EmbeddingRequest(Struct, kw_only=True):
    model: Annotated[
        str,
        Meta(
            description="Name of an embedding model, with ``embedding/`` before it if an agent has the same alias."
        ),
    ]
    """
    Name of an embedding model, with ``embedding/`` before it if an agent has the same alias.
    """
    input: Annotated[
        str | list[str | int | list[int]],
        Meta(description="A text, or up to 2,048 of them with 300,000 tokens together."),
    ]
    """
    A text, or up to 2,048 of them with 300,000 tokens together.
    """
    encoding_format: (
        Annotated[
            Literal["float", "base64"],
            Meta(description="Numbers, or their bytes as base64: 32 bits each, little-endian."),
        ]
        | UnsetType
    ) = "float"
    """
    Numbers, or their bytes as base64: 32 bits each, little-endian.
    """
    dimensions: (
        Annotated[
            int,
            Meta(description="Length of the vectors, only of models that can be shortened."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    Length of the vectors, only of models that can be shortened.
    """
    input_type: (
        Annotated[
            Literal["query", "document"],
            Meta(description="What the texts are, for models that embed questions in another way."),
        ]
        | UnsetType
    ) = "document"
    """
    What the texts are, for models that embed questions in another way.
    """
    user: str | None | UnsetType = UNSET


class EmbeddingSettings(Struct, kw_only=True):
    dimensions: Annotated[int, Meta(description="Vector length; 0 learns it from the first reply.")]
    """
    Vector length; 0 learns it from the first reply.
    """
    send_dimensions: bool
    batch_size: int
    batch_tokens: int
    max_input_tokens: int
    normalise: bool
    query_prefix: str
    document_prefix: str


class EmbeddingUsage(Struct, kw_only=True):
    prompt_tokens: int
    total_tokens: int


class EnvelopeOfAddedMembers(Struct, kw_only=True):
    code: int
    msg: str
    data: AddedMembers
    detail: Detail


class EnvelopeOfBotReference(Struct, kw_only=True):
    code: int
    msg: str
    data: BotReference
    detail: Detail


class EnvelopeOfDatasetReference(Struct, kw_only=True):
    code: int
    msg: str
    data: DatasetReference
    detail: Detail


class EnvelopeOfDuplicatedTemplate(Struct, kw_only=True):
    code: int
    msg: str
    data: DuplicatedTemplate
    detail: Detail


class EnvelopeOfNoneType(Struct, kw_only=True):
    code: int
    msg: str
    data: None
    detail: Detail


class ErrorEvent(Struct, kw_only=True, tag_field="type", tag="error"):
    """
    The stream broke; the run may go on. Has no number.
    """

    code: int
    msg: str
    detail: Detail
    error: CozeErrorInfo


class EventAudioPart(Struct, kw_only=True, tag_field="type", tag="audio"):
    """
    A recording by file id or URL.
    """

    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | UnsetType = UNSET
    url: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    media_type: str | UnsetType = UNSET
    size: int | UnsetType = UNSET


class EventCard(Struct, kw_only=True):
    """
    A source that an answer cites, for showing it beside the answer.
    """

    n: int
    slice_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    document_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    document_name: str
    url: str
    page: int | None
    quote: str


class EventFilePart(Struct, kw_only=True, tag_field="type", tag="file"):
    """
    A document by file id or URL.
    """

    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | UnsetType = UNSET
    url: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    media_type: str | UnsetType = UNSET
    size: int | UnsetType = UNSET


class EventImagePart(Struct, kw_only=True, tag_field="type", tag="image"):
    """
    An image by file id, by URL (http, https or data) or, once loaded, by bytes.
    """

    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | UnsetType = UNSET
    url: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    media_type: str | UnsetType = UNSET
    size: int | UnsetType = UNSET
    data: str | UnsetType = UNSET
    detail: str | UnsetType = UNSET


EventInterruptKind: TypeAlias = Annotated[
    Literal[2, 5, 7, 100], Meta(description="Numbers of the wire.")
]
"""
Numbers of the wire.
"""


class EventKeptVariables(Struct, kw_only=True):
    """
    Variables as a run left them; ``dropped`` are the names of those that cannot be kept.
    """

    values: dict[str, Any]
    dropped: list[str]


class EventMark(Struct, kw_only=True):
    """
    Where an answer cites: before character ``at`` of the text without any citations. ``is_spaced``: a blank stands before the mark and belongs to it.
    """

    at: int
    n: int
    is_spaced: bool | UnsetType = UNSET


class EventMemberCall(Struct, kw_only=True):
    """
    One call of another agent; ``call_id`` is that of the caller's tool call.
    """

    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    name: str
    call_id: str


EventMessageKind: TypeAlias = Annotated[
    Literal["answer", "follow_up", "question", "tool_calls", "tool_result", "verbose"],
    Meta(description="Kind of a stored message."),
]
"""
Kind of a stored message.
"""


class EventNodeError(Struct, kw_only=True):
    """
    Why a node failed; ``code`` is the internal number, ``message`` the bare cause.
    """

    code: int
    message: str
    path: list[str]
    node_id: str
    node_title: str
    workflows: Annotated[
        list[str],
        Meta(
            description="Names of the workflows that lead to the node, without the one that is run."
        ),
    ]
    """
    Names of the workflows that lead to the node, without the one that is run.
    """
    is_callers: Annotated[bool, Meta(description="What the caller of the run sent is to blame.")]
    """
    What the caller of the run sent is to blame.
    """


class EventRecalledChunk(Struct, kw_only=True):
    """
    A piece of knowledge as the model and the end user get it; ``n`` is the number to cite. ``scores`` are those of the channels that found it, as in ``crossdomain.knowledge.contract``.
    """

    n: int
    slice_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    content: str
    score: float
    scores: dict[str, float]
    dataset_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    dataset_name: str
    document_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    document_name: str
    format_type: int
    source_type: int
    url: str
    page: int | None


InsertedMessageId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class EventRunError(Struct, kw_only=True):
    """
    Why a run failed: wire code and a sentence for the user; code 0 means no error.
    """

    code: int
    message: str
    slug: str


class EventRunFault(Struct, kw_only=True):
    """
    Why a run failed: ``code`` for clients, ``internal_code`` for records.
    """

    code: int
    internal_code: int
    message: str
    node_id: str | UnsetType = UNSET
    node_title: str | UnsetType = UNSET


EventRunPhase: TypeAlias = Annotated[
    Literal["cancelled", "created", "failed", "interrupted", "running", "success"],
    Meta(description="States of a run; the last three are final."),
]
"""
States of a run; the last three are final.
"""


EventRunStatus: TypeAlias = Annotated[
    Literal["canceled", "completed", "created", "failed", "in_progress", "requires_action"],
    Meta(description="State of a run, in the spelling of the Coze wire."),
]
"""
State of a run, in the spelling of the Coze wire.
"""


class EventTextPart(Struct, kw_only=True, tag_field="type", tag="text"):
    """
    Plain text.
    """

    text: str


class EventToolCall(Struct, kw_only=True):
    """
    One call the model asks for; ``arguments`` is JSON text as the model wrote it. ``upstream_id`` is the model's own id of a call whose ``id`` is ours, which never repeats.
    """

    id: str
    name: str
    arguments: str
    upstream_id: str | UnsetType = UNSET


class EventUsage(Struct, kw_only=True):
    """
    Tokens of one or several model calls; ``estimated`` if the provider did not report them.
    """

    input_tokens: int
    output_tokens: int
    cached_tokens: int
    reasoning_tokens: int
    estimated: bool


class EventWaiting(Struct, kw_only=True):
    """
    What a run waits for, without what only the agent goes on with: its prompts are its own. Outputs of the client are submitted under ``output_ids``, each exactly once.
    """

    workflow_run_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    question_id: str
    kind: int
    workflow_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    calls: list[EventToolCall]
    output_ids: list[str]


class ExecutedNodeOutput(Struct, kw_only=True):
    is_finish: bool
    node_output: str


class FeedbackRequest(Struct, kw_only=True):
    feedback_type: str
    reason_types: list[str] | None | UnsetType = UNSET
    comment: str | None | UnsetType = UNSET


class FieldBody(Struct, kw_only=True):
    name: str
    desc: str | UnsetType = ""
    type: int | UnsetType = 1
    must_required: bool | UnsetType = False
    id: int | None | UnsetType = UNSET


class FieldCreate(Struct, kw_only=True):
    name: str
    desc: str | UnsetType = ""
    type: int | UnsetType = 1
    must_required: bool | UnsetType = False


class FileGone(Struct, kw_only=True):
    id: str
    object: str
    deleted: bool


class FileItem(Struct, kw_only=True, tag_field="type", tag="file"):
    """
    A document, by the id of an upload or by address.
    """

    file_id: (
        Annotated[str, Meta(description="Id of an upload.", pattern="^\\d{1,19}$")] | UnsetType
    ) = UNSET
    """
    Id of an upload.
    """
    file_url: (
        Annotated[str, Meta(description="Address (http, https), instead of an id.")] | UnsetType
    ) = UNSET
    """
    Address (http, https), instead of an id.
    """
    name: Annotated[str, Meta(description="Name to show.")] | UnsetType = UNSET
    """
    Name to show.
    """


class FileLink(Struct, kw_only=True):
    url: str
    expires_at: int


class FileObject(Struct, kw_only=True):
    id: str
    object: str
    bytes: int
    created_at: int
    expires_at: int | None
    filename: str
    purpose: str
    status: str
    status_details: str | None


class FileRef(Struct, kw_only=True):
    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    file_data: str | None | UnsetType = UNSET
    filename: str | None | UnsetType = UNSET


class FileUrlContentPart(Struct, kw_only=True, tag_field="type", tag="file_url"):
    """
    A document by its address, as clients of FastGPT send it.
    """

    url: str
    name: Annotated[str, Meta(description="Name to show.")] | UnsetType = UNSET
    """
    Name to show.
    """


class FilterBody(Struct, kw_only=True):
    filter_page: list[int] | None | UnsetType = UNSET


class Finding(Struct, kw_only=True):
    severity: Literal["error", "warning"]
    field_: str = field(name="field")
    message: str


class FindingList(Struct, kw_only=True):
    items: list[Finding]
    total: int
    next_cursor: str | None


class FlowNodeEndedEvent(Struct, kw_only=True, tag_field="type", tag="flow_node.ended"):
    """
    A node of the workflow that answers is over; ``type_name`` is what its canvas calls it.
    """

    node_id: str
    name: str
    type_name: str
    usage: EventUsage
    duration_ms: int
    error: str
    model: str
    quotes: list[EventRecalledChunk]
    remark: str
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class FlowNodeStartedEvent(Struct, kw_only=True, tag_field="type", tag="flow_node.started"):
    """
    A node of the workflow that answers starts.
    """

    node_id: str
    name: str
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class FunctionCallIn(Struct, kw_only=True):
    name: str
    arguments: str | None | UnsetType = UNSET


class FunctionCalled(Struct, kw_only=True):
    name: str
    arguments: str


class FunctionIn(Struct, kw_only=True):
    name: str
    description: str | None | UnsetType = UNSET
    parameters: dict[str, Any] | None | UnsetType = UNSET
    strict: bool | None | UnsetType = UNSET


class GrantView(Struct, kw_only=True):
    authorized: bool
    authorize_url: str


class Health(Struct, kw_only=True):
    status: str
    parts: dict[str, str] | UnsetType = UNSET


class HostList(Struct, kw_only=True):
    hosts: list[str]


class IconView(Struct, kw_only=True):
    kind: str
    url: str


class ImageItem(Struct, kw_only=True, tag_field="type", tag="image"):
    """
    An image, by the id of an upload or by address.
    """

    file_id: (
        Annotated[str, Meta(description="Id of an upload.", pattern="^\\d{1,19}$")] | UnsetType
    ) = UNSET
    """
    Id of an upload.
    """
    file_url: (
        Annotated[str, Meta(description="Address (http, https), instead of an id.")] | UnsetType
    ) = UNSET
    """
    Address (http, https), instead of an id.
    """
    name: Annotated[str, Meta(description="Name to show.")] | UnsetType = UNSET
    """
    Name to show.
    """


class ImageUrl(Struct, kw_only=True):
    url: str
    detail: str | None | UnsetType = UNSET


class ImportBody(Struct, kw_only=True):
    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    env: str | UnsetType = "online"
    connector_uid: str | None | UnsetType = UNSET
    sheet: int | None | UnsetType = UNSET
    header_row: int | UnsetType = 0


class ImportManifest(Struct, kw_only=True):
    name: str | UnsetType = ""
    description: str | UnsetType = ""
    server_url: str | UnsetType = ""


class ImportPlugin(Struct, kw_only=True):
    openapi: str | dict[str, Any] | None | UnsetType = UNSET
    data: str | dict[str, Any] | None | UnsetType = UNSET
    format: Literal["openapi", "swagger2", "postman", "curl"] | UnsetType = "openapi"
    manifest: ImportManifest | UnsetType = UNSET
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class ImportProblem(Struct, kw_only=True):
    path: str
    message: str


class IncompleteDetails(Struct, kw_only=True):
    reason: str


class InputPart(Struct, kw_only=True):
    type: str
    text: str | None | UnsetType = UNSET
    refusal: str | None | UnsetType = UNSET
    image_url: str | None | UnsetType = UNSET
    detail: str | None | UnsetType = UNSET
    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    file_url: str | None | UnsetType = UNSET
    file_data: str | None | UnsetType = UNSET
    filename: str | None | UnsetType = UNSET


InputType: TypeAlias = Annotated[
    Literal[
        "text",
        "select",
        "upload_image",
        "upload_doc",
        "upload_table",
        "upload_audio",
        "upload_video",
        "upload_archive",
        "upload_code",
        "upload_txt",
        "upload_ppt",
        "mixed",
    ],
    Meta(description="How a component of the form is filled in.", title="InputType"),
]
"""
How a component of the form is filled in.
"""


class InsertRecordsBody(Struct, kw_only=True):
    records: list[dict[str, Any]]
    env: str | UnsetType = "online"
    connector_uid: str | None | UnsetType = UNSET


class InsertedMessage(Struct, kw_only=True):
    id: str


class InsertedRecords(Struct, kw_only=True):
    ids: list[str]


BotId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class IssueTokenBody(Struct, kw_only=True):
    bot_ids: list[BotId]
    duration_seconds: int | UnsetType = 900
    user_id: str | None | UnsetType = UNSET


class IssuedToken(Struct, kw_only=True):
    token: str
    expires_at: int
    bot_ids: list[str]
    user_id: str


class JsonSchema(Struct, kw_only=True):
    name: str | None | UnsetType = UNSET
    description: str | None | UnsetType = UNSET
    schema: dict[str, Any] | None | UnsetType = UNSET
    strict: bool | None | UnsetType = UNSET


class KeyView(Struct, kw_only=True):
    set: bool
    hint: str
    readable: bool


class KnowledgeFields(Struct, kw_only=True):
    top_k: int | None | UnsetType = UNSET
    min_score: float | None | UnsetType = UNSET
    max_tokens: (
        Annotated[
            int,
            Meta(
                description="Tokens of all results together; None is what the caller has room for."
            ),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    Tokens of all results together; None is what the caller has room for.
    """
    embedding_weight: (
        Annotated[
            float,
            Meta(
                description="What vectors count beside words; None depends on the embedding model."
            ),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    What vectors count beside words; None depends on the embedding model.
    """
    expansion: (
        Annotated[
            int,
            Meta(
                description="Further wordings that are searched, too; a rewrite is not needed then."
            ),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    Further wordings that are searched, too; a rewrite is not needed then.
    """
    expansion_model: (
        Annotated[
            str,
            Meta(description="Writes questions anew; empty for the default model."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    Writes questions anew; empty for the default model.
    """
    expansion_background: (
        Annotated[
            str,
            Meta(description="What the model should know of the subject before it writes."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    What the model should know of the subject before it writes.
    """
    rerank_model: str | None | UnsetType = UNSET
    rerank_weight: (
        Annotated[
            float,
            Meta(description="What the order of the reranking model counts beside the one before."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    What the order of the reranking model counts beside the one before.
    """
    is_personal_only: (
        Annotated[bool, Meta(description="Only documents of the calling end user.")]
        | None
        | UnsetType
    ) = UNSET
    """
    Only documents of the calling end user.
    """
    expand: str | int | None | UnsetType = UNSET
    threshold_mode: str | None | UnsetType = UNSET
    filter: (
        Annotated[
            dict[str, Any],
            Meta(description="A metadata filter as JSON, tags included."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    A metadata filter as JSON, tags included.
    """
    datasets: list[str | int] | None | UnsetType = UNSET
    auto: bool | None | UnsetType = UNSET
    search_strategy: int | str | None | UnsetType = UNSET
    show_source: bool | None | UnsetType = UNSET
    show_source_mode: int | str | None | UnsetType = UNSET
    no_recall_reply_mode: int | str | None | UnsetType = UNSET
    no_recall_reply_customize_prompt: str | None | UnsetType = UNSET
    use_rerank: bool | None | UnsetType = UNSET
    use_rewrite: (
        Annotated[
            bool,
            Meta(description="The question is made self-contained by the history."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    The question is made self-contained by the history.
    """
    use_nl2sql: bool | None | UnsetType = UNSET


class KnowledgeRecalledEvent(Struct, kw_only=True, tag_field="type", tag="knowledge.recalled"):
    """
    Knowledge was searched; ``chunks`` carry the numbers that answers cite.
    """

    query: str
    chunks: list[EventRecalledChunk]
    is_failed: bool
    duration_ms: int
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """
    agent_path: (
        Annotated[
            list[EventMemberCall],
            Meta(description="The agent that it is of, where another one called it."),
        ]
        | UnsetType
    ) = UNSET
    """
    The agent that it is of, where another one called it.
    """


class KnowledgeSetting(Struct, kw_only=True):
    dataset_ids: list[str]
    missing: list[str]
    strategy: str
    top_k: int
    min_score: float


class LastError(Struct, kw_only=True):
    code: int
    msg: str


class ListDocumentsBody(Struct, kw_only=True):
    dataset_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    document_ids: list[DocumentId] | None | UnsetType = UNSET
    keyword: str | None | UnsetType = UNSET
    status: int | None | UnsetType = UNSET
    page: str | int | None | UnsetType = UNSET
    page_num: str | int | None | UnsetType = UNSET
    size: str | int | None | UnsetType = UNSET
    page_size: str | int | None | UnsetType = UNSET


class ListMessagesRequest(Struct, kw_only=True):
    order: str | None | UnsetType = UNSET
    chat_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    before_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    after_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    limit: int | str | None | UnsetType = UNSET
    types: list[str] | None | UnsetType = UNSET


Location: TypeAlias = Annotated[
    Literal["path", "query", "header", "cookie", "body"],
    Meta(description="Where a parameter travels.", title="Location"),
]
"""
Where a parameter travels.
"""


McpTransport: TypeAlias = Annotated[
    Literal["auto", "streamable_http", "sse"],
    Meta(description="How the server at an address is talked to.", title="McpTransport"),
]
"""
How the server at an address is talked to.
"""


class Me(Struct, kw_only=True):
    user_id: str
    user_name: str
    nick_name: str
    avatar_url: str


class MemberCreate(Struct, kw_only=True):
    user_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    role_type: str | None | UnsetType = UNSET


MemberKind: TypeAlias = Annotated[
    Literal["delegate", "hand_off", "route"],
    Meta(description="How an agent works with another one.", title="MemberKind"),
]
"""
How an agent works with another one.
"""


class MemoryConsent(Struct, kw_only=True):
    enabled: bool


class MemoryFields(Struct, kw_only=True):
    summary: bool | None | UnsetType = UNSET
    long_term: bool | None | UnsetType = UNSET
    model_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class MemoryItem(Struct, kw_only=True):
    id: str
    kind: str
    text: str
    importance: float
    origin: str
    conversation_id: str
    run_id: str
    message_ids: list[str]
    created_at: int
    updated_at: int
    last_used_at: int


class MemoryItemList(Struct, kw_only=True):
    items: list[MemoryItem]
    total: int


class MessageDeltaEvent(Struct, kw_only=True, tag_field="type", tag="message.delta"):
    """
    The next piece of an answer; either text may be empty.
    """

    message_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    text: str
    reasoning: str
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class MessageReplacedEvent(Struct, kw_only=True, tag_field="type", tag="message.replaced"):
    """
    The answer's text and reasoning so far are these instead.
    """

    message_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    text: str
    reasoning: str
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class MessageStartedEvent(Struct, kw_only=True, tag_field="type", tag="message.started"):
    """
    An answer begins under this id; ``is_written``: a model of a workflow writes it.
    """

    message_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    is_written: bool
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


Mode: TypeAlias = Annotated[
    Literal["single", "multi", "workflow"],
    Meta(
        description="What answers: one model, several agents, or a workflow.",
        title="Mode",
    ),
]
"""
What answers: one model, several agents, or a workflow.
"""


class ModelCheck(Struct, kw_only=True):
    name: Literal["chat", "stream", "usage", "json", "tools", "vision", "embedding", "rerank"]
    ok: bool
    latency_ms: int
    first_token_ms: int | None
    detail: str


class ModelChoice(Struct, kw_only=True):
    model_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class ModelFields(Struct, kw_only=True):
    model_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    temperature: float | None | UnsetType = UNSET
    top_p: float | None | UnsetType = UNSET
    top_k: int | None | UnsetType = UNSET
    presence_penalty: float | None | UnsetType = UNSET
    frequency_penalty: float | None | UnsetType = UNSET
    max_tokens: int | None | UnsetType = UNSET
    response_format: int | str | None | UnsetType = UNSET
    style: int | str | None | UnsetType = UNSET
    history_rounds: int | None | UnsetType = UNSET
    cache_type: CacheType | None | UnsetType = UNSET
    sp_current_time: bool | None | UnsetType = UNSET
    sp_anti_leak: bool | None | UnsetType = UNSET
    parameters: dict[str, str | None] | None | UnsetType = UNSET
    lock_model_params: (
        Annotated[
            bool,
            Meta(description="Requests may not change sampling, length or format."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    Requests may not change sampling, length or format.
    """
    tool_choice: (
        Annotated[
            str,
            Meta(
                description="What the first step does: ``auto``, ``required`` (calls some tool) or the name of a tool; later steps are free. ``none``: the model gets no tools at all."
            ),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    What the first step does: ``auto``, ``required`` (calls some tool) or the name of a tool; later steps are free. ``none``: the model gets no tools at all.
    """


class ModelInput(Struct, kw_only=True):
    type: Literal["llm", "embedding", "rerank"] | None | UnsetType = UNSET
    provider: str | None | UnsetType = UNSET
    display: DisplayInput | None | UnsetType = UNSET
    connection: ConnectionInput | None | UnsetType = UNSET
    aliases: list[str] | None | UnsetType = UNSET
    fallbacks: list[str] | None | UnsetType = UNSET
    concurrency: int | None | UnsetType = UNSET
    enabled: bool | None | UnsetType = UNSET
    is_default: bool | None | UnsetType = UNSET
    is_vision_default: bool | None | UnsetType = UNSET
    capabilities: dict[str, Any] | None | UnsetType = UNSET
    parameter_mapping: dict[str, Any] | None | UnsetType = UNSET
    timeouts: dict[str, Any] | None | UnsetType = UNSET
    reasoning: dict[str, Any] | None | UnsetType = UNSET
    embedding: dict[str, Any] | None | UnsetType = UNSET
    rerank: dict[str, Any] | None | UnsetType = UNSET
    prices: dict[str, Any] | None | UnsetType = UNSET


class ModelReport(Struct, kw_only=True):
    id: str
    ok: bool
    checks: list[ModelCheck]


ModelSource: TypeAlias = Annotated[
    Literal["packaged", "config", "environment", "database"],
    Meta(
        description="Where an entry comes from, weakest first: a later source wins over an earlier one.",
        title="ModelSource",
    ),
]
"""
Where an entry comes from, weakest first: a later source wins over an earlier one.
"""


class ModelTimeouts(Struct, kw_only=True):
    connect_s: float | UnsetType = 5.0
    first_token_s: float | UnsetType = 60.0
    idle_s: float | UnsetType = 60.0
    total_s: float | UnsetType = 600.0


class ModelTraits(Struct, kw_only=True):
    kind: str
    capabilities: list[str]


class NamedFunction(Struct, kw_only=True):
    name: str


class NamedTool(Struct, kw_only=True):
    type: str | UnsetType = "function"
    function: NamedFunction | None | UnsetType = UNSET


class NodeOutput(Struct, kw_only=True):
    name: str
    type: str
    description: str


class OnboardingFields(Struct, kw_only=True):
    prologue: str | UnsetType = ""
    suggested_questions: list[str] | UnsetType = field(default_factory=list)
    display_all_suggestions: bool | UnsetType = False


class OnboardingPatch(Struct, kw_only=True):
    prologue: str | None | UnsetType = UNSET
    suggested_questions: list[str] | None | UnsetType = UNSET


class OpenAIErrorInfo(Struct, kw_only=True):
    """
    What went wrong, in the vocabulary of the OpenAI clients.
    """

    message: str
    type: str
    param: Annotated[
        str,
        Meta(description="The field that is wrong; never null, which not all clients can read."),
    ]
    """
    The field that is wrong; never null, which not all clients can read.
    """
    code: str


class OrderBody(Struct, kw_only=True):
    field_: str = field(name="field")
    ascending: bool | UnsetType = True


OutputFormat: TypeAlias = Annotated[
    Literal["text", "markdown", "json"],
    Meta(description="Shape the answer must have.", title="OutputFormat"),
]
"""
Shape the answer must have.
"""


class ParameterMapping(Struct, kw_only=True):
    rename: dict[str, str] | UnsetType = UNSET
    drop: list[str] | UnsetType = field(default_factory=list)
    defaults: dict[str, Any] | UnsetType = UNSET
    force: dict[str, Any] | UnsetType = UNSET
    temperature_max: float | None | UnsetType = UNSET


class ParsingStrategyBody(Struct, kw_only=True):
    parsing_type: int | str | None | UnsetType = UNSET
    image_extraction: bool | None | UnsetType = UNSET
    table_extraction: bool | None | UnsetType = UNSET
    image_ocr: bool | None | UnsetType = UNSET


class PatchDatabaseBody(Struct, kw_only=True):
    table_name: str | UnsetType = UNSET
    table_desc: str | UnsetType = UNSET
    fields: list[FieldBody] | UnsetType = UNSET
    rw_mode: int | UnsetType = UNSET
    prompt_disabled: bool | UnsetType = UNSET
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class PatchDatasetBody(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    description: str | None | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET


class PatchMemoryBody(Struct, kw_only=True):
    text: str | None | UnsetType = UNSET
    importance: float | None | UnsetType = UNSET


class PatchSliceBody(Struct, kw_only=True):
    content: str | list[dict[str, str | int | float | bool | None]]


Permission: TypeAlias = Annotated[
    Literal[
        "bot.read",
        "bot.write",
        "bot.publish",
        "chat",
        "conversation.read",
        "conversation.write",
        "message.read",
        "message.write",
        "file",
        "workflow.read",
        "workflow.run",
        "workflow.write",
        "dataset.read",
        "dataset.write",
        "variable",
        "plugin.read",
        "plugin.write",
        "model.use",
        "workspace.read",
        "workspace.write",
        "admin",
    ],
    Meta(
        description="Scope names of a personal access token (``spec`` names of the Coze wire).",
        title="Permission",
    ),
]
"""
Scope names of a personal access token (``spec`` names of the Coze wire).
"""


class Person(Struct, kw_only=True):
    id: str
    name: str


class PersonaChoice(Struct, kw_only=True):
    character_name: str | None | UnsetType = UNSET
    prompt: str | None | UnsetType = UNSET


PluginKind: TypeAlias = Annotated[
    Literal["http", "mcp", "local", "workflow"],
    Meta(description="What stands behind the tools of a plugin.", title="PluginKind"),
]
"""
What stands behind the tools of a plugin.
"""


class PluginToolFields(Struct, kw_only=True):
    plugin_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    tool_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    version: str | UnsetType = ""
    defaults: dict[str, Any] | UnsetType = UNSET
    secrets: list[str] | UnsetType = UNSET
    approval: Literal["auto", "always", "exempt"] | UnsetType = "auto"


class PluginVersionView(Struct, kw_only=True):
    version_name: str
    version_desc: str
    creator_id: str
    tool_count: int
    created_at: int


class PriceTier(Struct, kw_only=True):
    upto_input: int | None
    input: str
    output: str
    cached_input: (
        Annotated[str, Meta(description="None charges cached input like any other.")] | None
    )
    """
    None charges cached input like any other.
    """


class ProcessBody(Struct, kw_only=True):
    document_ids: list[DocumentId]


class PromptFields(Struct, kw_only=True):
    text: str | None | UnsetType = UNSET


class ProviderView(Struct, kw_only=True):
    class_: str = field(name="class")
    name: str
    types: list[Literal["llm", "embedding", "rerank"]]
    connection_schema: dict[str, Any]


ConnectorId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class PublishAgentBody(Struct, kw_only=True):
    connector_ids: list[ConnectorId] | None | UnsetType = UNSET
    description: str | None | UnsetType = UNSET
    version: str | None | UnsetType = UNSET


class PublishAppBody(Struct, kw_only=True):
    version: str | None | UnsetType = UNSET
    description: str | None | UnsetType = UNSET
    connectors: list[str | int] | None | UnsetType = UNSET


class PublishBotBody(Struct, kw_only=True):
    bot_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    connector_ids: list[ConnectorId] | None | UnsetType = UNSET


class PublishPluginBody(Struct, kw_only=True):
    version_name: str | UnsetType = ""
    version_desc: str | UnsetType = ""
    force: bool | UnsetType = False


class PublishWorkflowBody(Struct, kw_only=True):
    version: str | None | UnsetType = UNSET
    description: str | None | UnsetType = UNSET
    force: bool | UnsetType = False
    commit_id: str | None | UnsetType = UNSET


class PublishedVersion(Struct, kw_only=True):
    version: str


class QueryRecordsBody(Struct, kw_only=True):
    env: str | UnsetType = "online"
    connector_uid: str | None | UnsetType = UNSET
    fields: list[str] | UnsetType = UNSET
    filter: ConditionInput | None | UnsetType = UNSET
    order_by: list[OrderBody] | UnsetType = UNSET
    limit: int | UnsetType = 50
    offset: int | UnsetType = 0


class QuoteScore(Struct, kw_only=True):
    type: str
    value: float
    index: int


class ReasoningOptions(Struct, kw_only=True):
    effort: str | None | UnsetType = UNSET
    summary: str | None | UnsetType = UNSET


class ReasoningSettings(Struct, kw_only=True):
    tags: Annotated[list[str], Meta(description="Element names; none switches the extraction off.")]
    """
    Element names; none switches the extraction off.
    """
    interleaved: Annotated[
        bool,
        Meta(
            description="Thoughts may begin again at the start of any line, not only of the reply."
        ),
    ]
    """
    Thoughts may begin again at the start of any line, not only of the reply.
    """
    promote: Annotated[
        bool,
        Meta(
            description="A reply that is nothing but thoughts becomes the answer instead of an error."
        ),
    ]
    """
    A reply that is nothing but thoughts becomes the answer instead of an error.
    """


class RecordList(Struct, kw_only=True):
    items: list[dict[str, Any]]
    total: int
    has_more: bool


class RefusalContentPart(Struct, kw_only=True, tag_field="type", tag="refusal"):
    """
    What the assistant refused with.
    """

    refusal: str


class ReindexBody(Struct, kw_only=True):
    embedding_model: str | None | UnsetType = UNSET


UserId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class RemoveMembersBody(Struct, kw_only=True):
    user_ids: list[UserId] | str


class RemovedMembers(Struct, kw_only=True):
    removed_success_user_ids: list[str]
    not_in_workspace_user_ids: list[str]
    owner_not_support_remove_user_ids: list[str]


class RenameConversationRequest(Struct, kw_only=True):
    name: str


class RenameTokenBody(Struct, kw_only=True):
    name: str


class RepeatRunBody(Struct, kw_only=True):
    node_id: str
    inputs: dict[str, Any] | None | UnsetType = UNSET
    outputs: dict[str, dict[str, Any]] | None | UnsetType = UNSET


class RerankDocument(Struct, kw_only=True):
    text: str


class RerankRequest(Struct, kw_only=True):
    query: str
    documents: Annotated[list[str | RerankDocument], Meta(description="Up to 2,048 texts.")]
    """
    Up to 2,048 texts.
    """
    model: (
        Annotated[
            str,
            Meta(description="Name of a ranking model; the default one without it."),
        ]
        | UnsetType
    ) = ""
    """
    Name of a ranking model; the default one without it.
    """
    top_n: (
        Annotated[
            int,
            Meta(description="How many to return, the best ones; all without it."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    How many to return, the best ones; all without it.
    """
    return_documents: (
        Annotated[bool, Meta(description="Give the texts back with their places.")] | UnsetType
    ) = False
    """
    Give the texts back with their places.
    """


class RerankResult(Struct, kw_only=True):
    index: int
    relevance_score: float
    document: RerankDocument | None | UnsetType = UNSET


class RerankSettings(Struct, kw_only=True):
    scale: Annotated[Literal["unit", "logit"], Meta(description="Logits go through a sigmoid.")]
    """
    Logits go through a sigmoid.
    """
    max_documents: Annotated[int, Meta(description="Of one call; more are sent in several.")]
    """
    Of one call; more are sent in several.
    """
    max_document_chars: int


class RerankUsage(Struct, kw_only=True):
    total_tokens: int


class ResponseContentPartAddedEvent(
    Struct, kw_only=True, tag_field="type", tag="response.content_part.added"
):
    """
    The event ``response.content_part.added``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    item_id: str
    output_index: int
    content_index: int
    part: dict[str, Any]


class ResponseContentPartDoneEvent(
    Struct, kw_only=True, tag_field="type", tag="response.content_part.done"
):
    """
    The event ``response.content_part.done``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    item_id: str
    output_index: int
    content_index: int
    part: dict[str, Any]


class ResponseErrorEvent(Struct, kw_only=True, tag_field="type", tag="error"):
    """
    The event ``error``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    code: str
    message: str


class ResponseFormat(Struct, kw_only=True):
    type: str
    json_schema: JsonSchema | None | UnsetType = UNSET


class ResponseFunctionCallArgumentsDeltaEvent(
    Struct, kw_only=True, tag_field="type", tag="response.function_call_arguments.delta"
):
    """
    The event ``response.function_call_arguments.delta``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    item_id: str
    output_index: int
    delta: str


class ResponseFunctionCallArgumentsDoneEvent(
    Struct, kw_only=True, tag_field="type", tag="response.function_call_arguments.done"
):
    """
    The event ``response.function_call_arguments.done``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    item_id: str
    output_index: int
    arguments: str


class ResponseGone(Struct, kw_only=True):
    id: str
    object: str
    deleted: bool


class ResponseItems(Struct, kw_only=True):
    object: str
    data: list[dict[str, Any]]
    first_id: str | None
    last_id: str | None
    has_more: bool


ResponseKind: TypeAlias = Annotated[
    Literal["object", "value", "text"],
    Meta(
        description="What a successful answer is; texts and lists become ``data`` of the output.",
        title="ResponseKind",
    ),
]
"""
What a successful answer is; texts and lists become ``data`` of the output.
"""


class ResponseOutputItemAddedEvent(
    Struct, kw_only=True, tag_field="type", tag="response.output_item.added"
):
    """
    The event ``response.output_item.added``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    output_index: int
    item: dict[str, Any]


class ResponseOutputItemDoneEvent(
    Struct, kw_only=True, tag_field="type", tag="response.output_item.done"
):
    """
    The event ``response.output_item.done``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    output_index: int
    item: dict[str, Any]


class ResponseOutputTextAnnotationAddedEvent(
    Struct, kw_only=True, tag_field="type", tag="response.output_text.annotation.added"
):
    """
    The event ``response.output_text.annotation.added``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    item_id: str
    output_index: int
    content_index: int
    annotation_index: int
    annotation: dict[str, Any]


class ResponseOutputTextDeltaEvent(
    Struct, kw_only=True, tag_field="type", tag="response.output_text.delta"
):
    """
    The event ``response.output_text.delta``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    item_id: str
    output_index: int
    content_index: int
    delta: str


class ResponseOutputTextDoneEvent(
    Struct, kw_only=True, tag_field="type", tag="response.output_text.done"
):
    """
    The event ``response.output_text.done``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    item_id: str
    output_index: int
    content_index: int
    text: str


ResponsePolicy: TypeAlias = Annotated[
    Literal["declared", "raw", "strict"],
    Meta(description="What becomes of an answer.", title="ResponsePolicy"),
]
"""
What becomes of an answer.
"""


class ResponseReasoningSummaryPartAddedEvent(
    Struct, kw_only=True, tag_field="type", tag="response.reasoning_summary_part.added"
):
    """
    The event ``response.reasoning_summary_part.added``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    item_id: str
    output_index: int
    summary_index: int
    part: dict[str, Any]


class ResponseReasoningSummaryPartDoneEvent(
    Struct, kw_only=True, tag_field="type", tag="response.reasoning_summary_part.done"
):
    """
    The event ``response.reasoning_summary_part.done``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    item_id: str
    output_index: int
    summary_index: int
    part: dict[str, Any]


class ResponseReasoningSummaryTextDeltaEvent(
    Struct, kw_only=True, tag_field="type", tag="response.reasoning_summary_text.delta"
):
    """
    The event ``response.reasoning_summary_text.delta``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    item_id: str
    output_index: int
    summary_index: int
    delta: str


class ResponseReasoningSummaryTextDoneEvent(
    Struct, kw_only=True, tag_field="type", tag="response.reasoning_summary_text.done"
):
    """
    The event ``response.reasoning_summary_text.done``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    item_id: str
    output_index: int
    summary_index: int
    text: str


class ResponseTool(Struct, kw_only=True):
    type: str
    name: str | None | UnsetType = UNSET
    description: str | None | UnsetType = UNSET
    parameters: dict[str, Any] | None | UnsetType = UNSET
    strict: bool | None | UnsetType = UNSET


class ResponseToolChoice(Struct, kw_only=True):
    type: str
    name: str | None | UnsetType = UNSET
    mode: str | None | UnsetType = UNSET
    tools: list[ResponseTool] | None | UnsetType = UNSET


class ResponseUsage(Struct, kw_only=True):
    input_tokens: int
    input_tokens_details: dict[str, int]
    output_tokens: int
    output_tokens_details: dict[str, int]
    total_tokens: int


class ResumeRunBody(Struct, kw_only=True):
    event_id: str
    data: str


class ResumeWorkflowRequest(Struct, kw_only=True):
    workflow_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    event_id: str
    resume_data: str
    interrupt_type: int
    ext: dict[str, str | None] | None | UnsetType = UNSET
    connector_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class ReviewBotBody(Struct, kw_only=True):
    audit_status: int
    reason: str | None | UnsetType = UNSET


Role: TypeAlias = Annotated[
    Literal["owner", "admin", "editor", "operator", "viewer"],
    Meta(description="Role of a member in a space, strongest first.", title="Role"),
]
"""
Role of a member in a space, strongest first.
"""


class RoleBody(Struct, kw_only=True):
    name: str | UnsetType = ""
    description: str | UnsetType = ""
    avatar_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    onboarding: OnboardingFields | UnsetType = UNSET
    suggest_reply: ChatflowSuggestFields | UnsetType = UNSET
    background: dict[str, Any] | UnsetType = UNSET
    user_input: dict[str, Any] | UnsetType = UNSET
    audio: dict[str, Any] | UnsetType = UNSET


RouterMode: TypeAlias = Annotated[
    Literal["off", "rules", "model"],
    Meta(description="Who decides which agent takes a question.", title="RouterMode"),
]
"""
Who decides which agent takes a question.
"""


class RouterRuleFields(Struct, kw_only=True):
    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    words: list[str]


class RunTokens(Struct, kw_only=True):
    input: int
    output: int
    total: int


class RunWorkflowRequest(Struct, kw_only=True):
    workflow_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    parameters: dict[str, Any] | str | None | UnsetType = UNSET
    bot_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    app_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    project_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    ext: dict[str, str | None] | None | UnsetType = UNSET
    is_async: bool | None | UnsetType = UNSET
    version: str | None | UnsetType = UNSET
    workflow_version: str | None | UnsetType = UNSET
    execute_mode: str | None | UnsetType = UNSET
    connector_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class SavePreviewBody(Struct, kw_only=True):
    chunks: list[ChunkBody]


class ScoreScale(Struct, kw_only=True):
    low: float
    high: float
    slices: int


SendType: TypeAlias = Annotated[
    Literal["query", "panel"],
    Meta(
        description="What choosing a shortcut does: send its text, or open a form first.",
        title="SendType",
    ),
]
"""
What choosing a shortcut does: send its text, or open a form first.
"""


class ServerToolText(Struct, kw_only=True):
    title: str
    description: str
    input_schema: dict[str, Any]


class SetAuth(Struct, kw_only=True):
    type: AuthType
    location: Location | UnsetType = "header"
    key: str | UnsetType = "Authorization"
    token: str | UnsetType = ""
    client_id: str | UnsetType = ""
    client_secret: str | UnsetType = ""
    client_url: str | UnsetType = ""
    authorization_url: str | UnsetType = ""
    authorization_content_type: str | UnsetType = "application/x-www-form-urlencoded"
    scope: str | UnsetType = ""
    shared: bool | UnsetType = False


class SetRoleBody(Struct, kw_only=True):
    role: Role


Severity: TypeAlias = Annotated[
    Literal["error", "warning", "info"],
    Meta(
        description="Errors block publishing; warnings and hints never block anything.",
        title="Severity",
    ),
]
"""
Errors block publishing; warnings and hints never block anything.
"""


class ShortcutCommand(Struct, kw_only=True):
    command_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    parameters: dict[str, Any] | None | UnsetType = UNSET


class ShortcutComponent(Struct, kw_only=True):
    name: str
    description: str | UnsetType = ""
    input_type: InputType | UnsetType = "text"
    parameter: str | UnsetType = ""
    options: list[str] | UnsetType = field(default_factory=list)
    default_value: str | UnsetType = ""
    hide: bool | UnsetType = False
    upload_options: list[InputType] | UnsetType = field(default_factory=list)


ShortcutId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class ShortcutOrderBody(Struct, kw_only=True):
    shortcut_ids: list[ShortcutId]


class ShortcutParameter(Struct, kw_only=True):
    name: str
    type: str | UnsetType = "string"
    description: str | UnsetType = ""
    required: bool | UnsetType = False
    default_value: str | UnsetType = ""
    refer_component: bool | UnsetType = False


ShortcutToolType: TypeAlias = Annotated[
    Literal["workflow", "plugin"],
    Meta(description="What a shortcut may call.", title="ShortcutToolType"),
]
"""
What a shortcut may call.
"""


class SimpleApp(Struct, kw_only=True):
    id: str
    name: str
    description: str
    icon_url: str
    is_published: bool
    owner_user_id: str
    updated_at: int
    published_at: int | UnsetType = UNSET


class SimpleAppList(Struct, kw_only=True):
    items: list[SimpleApp]
    total: int


class SimpleBot(Struct, kw_only=True):
    id: str
    name: str
    description: str
    icon_url: str
    is_published: bool
    updated_at: int
    owner_user_id: str
    published_at: int | None | UnsetType = UNSET


class SimpleBotList(Struct, kw_only=True):
    total: int
    items: list[SimpleBot]


class SourceBody(Struct, kw_only=True):
    file_base64: str | None | UnsetType = UNSET
    file_type: str | None | UnsetType = UNSET
    web_url: str | None | UnsetType = UNSET
    source_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    custom_content: str | list[dict[str, str | int | float | bool | None]] | None | UnsetType = (
        UNSET
    )
    tos_uri: str | None | UnsetType = UNSET
    document_source: int | None | UnsetType = UNSET


class SpaceBot(Struct, kw_only=True):
    bot_id: str
    bot_name: str
    description: str
    icon_url: str
    publish_time: str


class SpaceBotList(Struct, kw_only=True):
    total: int
    space_bots: list[SpaceBot]


class Span(Struct, kw_only=True):
    span_id: str
    parent_span_id: str
    name: str
    kind: str
    status: str
    start_ms: int
    duration_ms: float
    attributes: dict[str, Any]


class SqlBody(Struct, kw_only=True):
    sql: str
    env: str | UnsetType = "online"
    connector_uid: str | None | UnsetType = UNSET


class SqlResult(Struct, kw_only=True):
    columns: list[str]
    rows: list[dict[str, Any]]
    affected: int
    is_truncated: bool


class StartedRun(Struct, kw_only=True):
    execute_id: str


class StepEndedEvent(Struct, kw_only=True, tag_field="type", tag="step.ended"):
    """
    A model call ended.
    """

    step: int
    model: str
    finish_reason: str
    usage: EventUsage
    duration_ms: int
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """
    agent_path: (
        Annotated[
            list[EventMemberCall],
            Meta(description="The agent that it is of, where another one called it."),
        ]
        | UnsetType
    ) = UNSET
    """
    The agent that it is of, where another one called it.
    """


class StepOut(Struct, kw_only=True):
    kind: str
    name: str
    arguments: str
    result: str
    is_error: bool
    duration_ms: int


class StepStartedEvent(Struct, kw_only=True, tag_field="type", tag="step.started"):
    """
    A model call begins; with ``may_call`` tools are offered to the model.
    """

    step: int
    model: str
    may_call: bool
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """
    agent_path: (
        Annotated[
            list[EventMemberCall],
            Meta(description="The agent that it is of, where another one called it."),
        ]
        | UnsetType
    ) = UNSET
    """
    The agent that it is of, where another one called it.
    """


class StoredVariableInput(Struct, kw_only=True):
    keyword: str
    value: str


class StreamOptions(Struct, kw_only=True):
    include_usage: bool | None | UnsetType = UNSET


class SuggestFields(Struct, kw_only=True):
    mode: int | str | None | UnsetType = UNSET
    customized_prompt: str | None | UnsetType = UNSET


SuggestMode: TypeAlias = Annotated[
    Literal["disable", "enable", "customized"],
    Meta(
        description="Whether follow-up questions are offered after an answer.",
        title="SuggestMode",
    ),
]
"""
Whether follow-up questions are offered after an answer.
"""


class SystemVariable(Struct, kw_only=True):
    keyword: str
    description: str


class SystemVariableList(Struct, kw_only=True):
    items: list[SystemVariable]
    total: int


class TableSheetBody(Struct, kw_only=True):
    sheet_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    header_line_idx: str | int | None | UnsetType = UNSET
    start_line_idx: str | int | None | UnsetType = UNSET


class TagsBody(Struct, kw_only=True):
    tags: dict[str, str | bool | int | float | list[str]]


class TemplateBody(Struct, kw_only=True):
    enabled: bool
    category: str | None | UnsetType = UNSET


class TestNodeBody(Struct, kw_only=True):
    input: dict[str, Any] | UnsetType = UNSET
    batch: dict[str, Any] | UnsetType = UNSET
    settings: dict[str, Any] | UnsetType = UNSET


class TestRunBody(Struct, kw_only=True):
    inputs: dict[str, Any] | UnsetType = UNSET
    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    app_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class TextContentPart(Struct, kw_only=True, tag_field="type", tag="text"):
    """
    Plain text.
    """

    text: str


class TextFormat(Struct, kw_only=True):
    type: str | UnsetType = "text"
    name: str | None | UnsetType = UNSET
    schema: dict[str, Any] | None | UnsetType = UNSET
    strict: bool | None | UnsetType = UNSET
    description: str | None | UnsetType = UNSET


class TextItem(Struct, kw_only=True, tag_field="type", tag="text"):
    """
    Plain text.
    """

    text: str


class TextOptions(Struct, kw_only=True):
    format: TextFormat | None | UnsetType = UNSET
    verbosity: str | None | UnsetType = UNSET


class TokenCreated(Struct, kw_only=True):
    id: str
    name: str
    last4: str
    permissions: list[Permission] | None
    workspace_ids: list[str] | None
    bot_ids: list[str] | None
    user_id: str
    created_at: int
    updated_at: int
    expires_at: int | None
    last_used_at: int | None
    token: str


class TokenItem(Struct, kw_only=True):
    id: str
    name: str
    last4: str
    permissions: list[Permission] | None
    workspace_ids: list[str] | None
    bot_ids: list[str] | None
    user_id: str
    created_at: int
    updated_at: int
    expires_at: int | None
    last_used_at: int | None


class TokenItems(Struct, kw_only=True):
    items: list[TokenItem]
    total: int
    next_cursor: str | None


class ToolCallIn(Struct, kw_only=True):
    id: str
    function: FunctionCallIn
    type: str | UnsetType = "function"


class ToolCallOut(Struct, kw_only=True):
    id: str
    type: str
    function: FunctionCalled


class ToolChange(Struct, kw_only=True):
    tool_id: str
    name: str
    change: str


class ToolCompletedEvent(Struct, kw_only=True, tag_field="type", tag="tool.completed"):
    """
    A call has its result.
    """

    call_id: str
    name: str
    result: str
    is_error: bool
    duration_ms: int
    workflow_run_id: Annotated[
        str,
        Meta(
            description="The run of the workflow that was called, if one was.",
            pattern="^\\d{1,19}$",
        ),
    ]
    """
    The run of the workflow that was called, if one was.
    """
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """
    agent_path: (
        Annotated[
            list[EventMemberCall],
            Meta(description="The agent that it is of, where another one called it."),
        ]
        | UnsetType
    ) = UNSET
    """
    The agent that it is of, where another one called it.
    """


class ToolFields(Struct, kw_only=True):
    type: ShortcutToolType
    workflow_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    plugin_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    plugin_tool_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    name: str | UnsetType = ""
    params: list[ShortcutParameter] | UnsetType = field(default_factory=list)


class ToolIn(Struct, kw_only=True):
    type: str | UnsetType = "function"
    function: FunctionIn | None | UnsetType = UNSET


class ToolOutput(Struct, kw_only=True):
    tool_call_id: str
    output: str


class ToolOutputsRequest(Struct, kw_only=True):
    tool_outputs: list[ToolOutput]
    stream: bool | None | UnsetType = UNSET
    auto_save_history: bool | None | UnsetType = UNSET


class ToolParameter(Struct, kw_only=True):
    name: str
    type: str
    description: str
    is_required: bool
    is_hidden: bool
    default: Any


class ToolSetting(Struct, kw_only=True):
    id: str
    tool_id: Annotated[str, Meta(description="Of a plugin; empty for all of its tools.")]
    """
    Of a plugin; empty for all of its tools.
    """
    version: str
    name: str
    description: str
    exists: bool
    parameters: list[ToolParameter]


class ToolStartedEvent(Struct, kw_only=True, tag_field="type", tag="tool.started"):
    """
    A call is being executed; ``arguments`` is JSON text as the model wrote it.
    """

    call_id: str
    name: str
    arguments: str
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """
    agent_path: (
        Annotated[
            list[EventMemberCall],
            Meta(description="The agent that it is of, where another one called it."),
        ]
        | UnsetType
    ) = UNSET
    """
    The agent that it is of, where another one called it.
    """


class UnknownNode(Struct, kw_only=True):
    node_id: str
    message: str


class UnpublishBotBody(Struct, kw_only=True):
    connector_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    unpublish_reason: str | None | UnsetType = UNSET


class UpdateDatasetBody(Struct, kw_only=True):
    name: str
    description: str | None | UnsetType = UNSET
    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class UpdateRecordsBody(Struct, kw_only=True):
    values: dict[str, Any]
    filter: ConditionInput
    env: str | UnsetType = "online"
    connector_uid: str | None | UnsetType = UNSET


class UpdateRuleBody(Struct, kw_only=True):
    update_type: int | None | UnsetType = UNSET
    update_interval: int | None | UnsetType = UNSET


class UpdateSliceBody(Struct, kw_only=True):
    raw_text: str


class UpdateUserBody(Struct, kw_only=True):
    is_disabled: bool


class UpdateWorkflowBody(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    description: str | None | UnsetType = UNSET
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class UpdateWorkspaceBody(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    description: str | None | UnsetType = UNSET
    icon_url: str | None | UnsetType = UNSET


class UrlCitation(Struct, kw_only=True):
    start_index: int
    end_index: int
    title: str
    url: str


class UserItem(Struct, kw_only=True):
    id: str
    name: str
    nickname: str
    avatar_url: str
    is_admin: bool
    is_disabled: bool
    personal_workspace_id: str
    created_at: int


class UserItems(Struct, kw_only=True):
    items: list[UserItem]
    total: int
    next_cursor: str | None


ValueType: TypeAlias = Annotated[
    Literal[1, 2, 3, 4, 5, 6],
    Meta(
        description="Types of parameters; the numbers are those of the wire.",
        title="ValueType",
    ),
]
"""
Types of parameters; the numbers are those of the wire.
"""


VariableChannel: TypeAlias = Annotated[
    Literal["custom", "system", "location", "feishu", "app"],
    Meta(description="Where a variable's value comes from.", title="VariableChannel"),
]
"""
Where a variable's value comes from.
"""


class VariableItem(Struct, kw_only=True):
    keyword: str
    value: str


VariableType: TypeAlias = Annotated[
    Literal["KVVariable", "ListVariable"],
    Meta(
        description="Shape of a variable, in the spelling of the Coze wire.",
        title="VariableType",
    ),
]
"""
Shape of a variable, in the spelling of the Coze wire.
"""


class VariableView(Struct, kw_only=True):
    keyword: str
    value: str
    create_time: int
    update_time: int


class VariablesUpdatedEvent(Struct, kw_only=True, tag_field="type", tag="variables.updated"):
    """
    Variables of the conversation after the run: texts, or what a workflow declares.
    """

    values: dict[str, Any]
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class Version(Struct, kw_only=True):
    name: str
    version: str


class WarningEvent(Struct, kw_only=True, tag_field="type", tag="warning"):
    """
    Something degraded without failing the run.
    """

    warning: str
    text: str
    subject: str
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """
    agent_path: (
        Annotated[
            list[EventMemberCall],
            Meta(description="The agent that it is of, where another one called it."),
        ]
        | UnsetType
    ) = UNSET
    """
    The agent that it is of, where another one called it.
    """


class WireAppVariable(Struct, kw_only=True):
    keyword: str
    default_value: str
    description: str
    channel: str
    enable: bool


class WireCandidate(Struct, kw_only=True):
    slice_id: str
    document_id: str
    dataset_id: str
    content: str
    source: str
    score: float
    scores: dict[str, float]
    embedding_rank: int
    full_text_rank: int
    sql_rank: int
    rerank_rank: int
    cut: str
    sql: str


class WireCard(Struct, kw_only=True):
    n: int
    slice_id: str
    document_id: str
    document_name: str
    url: str
    page: int | None
    quote: str


class WireChunkStrategy(Struct, kw_only=True):
    chunk_type: int | UnsetType = UNSET
    separator: str | UnsetType = UNSET
    max_tokens: int | UnsetType = UNSET
    remove_extra_spaces: bool | UnsetType = UNSET
    remove_urls_emails: bool | UnsetType = UNSET
    overlap: int | UnsetType = UNSET
    max_level: int | UnsetType = UNSET
    save_title: bool | UnsetType = UNSET
    caption_type: int | UnsetType = UNSET


class WireColumn(Struct, kw_only=True):
    id: str
    column_name: str
    column_type: int
    is_semantic: bool
    sequence: int
    desc: str


class WireConversation(Struct, kw_only=True):
    id: str
    created_at: int
    updated_at: int
    meta_data: dict[str, str]
    last_section_id: str
    name: str
    creator_id: str
    connector_id: str
    bot_id: str | UnsetType = UNSET
    user_id: str | UnsetType = UNSET


class WireDataset(Struct, kw_only=True):
    dataset_id: str
    name: str
    description: str
    space_id: str
    status: int
    format_type: int
    can_edit: bool
    icon_url: str
    icon_uri: str
    doc_count: int
    file_list: list[str]
    hit_count: int
    bot_used_count: Annotated[int, Meta(description="Agents that search it.")]
    """
    Agents that search it.
    """
    slice_count: int
    all_file_size: str
    chunk_strategy: WireChunkStrategy
    failed_file_list: list[str]
    processing_file_list: list[str]
    processing_file_id_list: list[str]
    avatar_url: str
    creator_id: str
    creator_name: str
    create_time: int
    update_time: int


class WireDocument(Struct, kw_only=True):
    document_id: str
    name: str
    type: str
    char_count: int
    hit_count: int
    size: int
    slice_count: int
    format_type: int
    source_type: int
    status: int
    update_type: int
    update_interval: int
    create_time: int
    update_time: int
    chunk_strategy: WireChunkStrategy
    creator_id: str
    space_id: str
    dataset_id: str
    enabled: bool
    tags: dict[str, str | bool | int | float | list[str]]
    web_url: str | UnsetType = UNSET
    status_descript: str | UnsetType = UNSET
    table_meta: list[WireColumn] | UnsetType = UNSET


class WireFile(Struct, kw_only=True):
    id: str
    bytes: int
    created_at: int
    file_name: str
    url: str
    uri: str
    content_type: str


class WireHistory(Struct, kw_only=True):
    role: str
    content: str | UnsetType = ""


class WireHit(Struct, kw_only=True):
    slice_id: str
    document_id: str
    dataset_id: str
    document_name: str
    dataset_name: str
    content: str
    score: float
    scores: dict[str, float]
    source: str
    page: int
    sheet: str
    row: int
    position: float
    tags: dict[str, Any]
    url: str
    also_in: list[str]


class WireInterrupt(Struct, kw_only=True):
    event_id: str
    type: int
    data: str


class WireMessage(Struct, kw_only=True):
    id: str
    conversation_id: str
    bot_id: str
    chat_id: str
    section_id: str
    role: str
    type: str
    content: str
    content_type: str
    meta_data: dict[str, str]
    created_at: int
    updated_at: int
    reasoning_content: str | UnsetType = UNSET


class WireNodeStatus(Struct, kw_only=True):
    node_id: str
    is_finish: bool
    update_time: int
    node_execute_uuid: str
    loop_index: int | None | UnsetType = UNSET
    batch_index: int | None | UnsetType = UNSET
    sub_execute_id: str | None | UnsetType = UNSET


class WirePhoto(Struct, kw_only=True):
    document_id: str
    url: str
    name: str
    size: int
    type: str
    status: int
    caption: str
    creator_id: str
    source_type: int
    create_time: int
    update_time: int


class WireProgress(Struct, kw_only=True):
    document_id: str
    document_name: str
    url: str
    size: int
    type: str
    status: int
    progress: int
    update_type: int
    update_interval: int
    remaining_time: int
    status_descript: str


class WireRole(Struct, kw_only=True):
    id: str
    workflow_id: str
    connector_id: str
    name: str
    description: str
    avatar: dict[str, str]
    onboarding_info: dict[str, Any]
    suggest_reply_info: dict[str, Any]
    background_image_info: dict[str, Any]
    audio_config: dict[str, Any]
    user_input_config: dict[str, Any]


class WireSearchUsage(Struct, kw_only=True):
    input_tokens: int
    output_tokens: int


class WireSection(Struct, kw_only=True):
    id: str
    conversation_id: str


class WireSlice(Struct, kw_only=True):
    slice_id: str
    document_id: str
    dataset_id: str
    content: str
    sequence: float
    char_count: int
    hit_count: int
    status: int
    status_descript: str
    heading_path: list[str]
    create_time: int
    update_time: int


class WireStage(Struct, kw_only=True):
    name: str
    duration_ms: float
    count: int
    degraded: str


class WorkflowAgentFields(Struct, kw_only=True):
    workflow_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    version: str | UnsetType = ""


class WorkflowCreator(Struct, kw_only=True):
    id: str
    name: str


class WorkflowError(Struct, kw_only=True):
    """
    The run failed.
    """

    error_code: int
    error_message: str
    debug_url: str


class WorkflowErrorFrame(Struct, kw_only=True, tag_field="event", tag="Error"):
    """
    The event ``Error``.
    """

    data: WorkflowError


class WorkflowFields(Struct, kw_only=True):
    workflow_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    tool_name: str | UnsetType = ""
    version: str | UnsetType = ""
    effect: Literal["read", "external_write", "irreversible"] | UnsetType = "read"
    approval: Literal["auto", "always", "exempt"] | UnsetType = "auto"
    applied_effect: str | UnsetType = ""


class WorkflowMessageEvent(Struct, kw_only=True, tag_field="type", tag="message"):
    """
    A piece of a message of a node that speaks; ``number`` counts within the message.
    """

    path: list[str]
    node_id: str
    node_title: str
    kind: str
    text: str
    number: int
    is_last: bool
    writes_history: bool
    is_reasoning: Annotated[
        bool,
        Meta(description="What a model thought before it answered; no part of the message itself."),
    ]
    """
    What a model thought before it answered; no part of the message itself.
    """
    tool_path: Annotated[
        list[str],
        Meta(description="Model node that runs the sender as its tool; empty for everything else."),
    ]
    """
    Model node that runs the sender as its tool; empty for everything else.
    """
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class WorkflowNodeBeganEvent(Struct, kw_only=True, tag_field="type", tag="node_began"):
    """
    A node instance starts; ``index`` is the iteration of the nearest composite.
    """

    path: list[str]
    node_id: str
    node_title: str
    kind: str
    inputs: dict[str, Any]
    index: int | None
    type_name: Annotated[
        str,
        Meta(description="What the canvas calls the type of the node, if not as its kind does."),
    ]
    """
    What the canvas calls the type of the node, if not as its kind does.
    """
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class WorkflowNodeEndedEvent(Struct, kw_only=True, tag_field="type", tag="node_ended"):
    """
    A node instance is over; skipped ones are not told.
    """

    path: list[str]
    node_id: str
    node_title: str
    kind: str
    status: Literal["cancelled", "failed", "interrupted", "success"]
    output: dict[str, Any] | None
    raw_output: str
    port: str
    error: EventNodeError | None
    warnings: list[str]
    duration_ms: float
    input_tokens: int
    output_tokens: int
    is_estimated: bool
    extra: dict[str, Any]
    index: int | None
    type_name: str
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class WorkflowQuestion(Struct, kw_only=True):
    """
    What a run asks; ``event_id`` goes back with the answer.
    """

    event_id: str
    type: int
    data: str


class WorkflowRunBeganEvent(Struct, kw_only=True, tag_field="type", tag="run_began"):
    """
    A worker begins or goes on; ``attempt`` counts them since the last question.
    """

    attempt: int
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class WorkflowRunEndedEvent(Struct, kw_only=True, tag_field="type", tag="run_ended"):
    """
    The run is over.
    """

    phase: EventRunPhase
    output: str
    answers: bool
    fault: EventRunFault | None
    input_tokens: int
    output_tokens: int
    variables: (
        Annotated[
            EventKeptVariables,
            Meta(description="What the next run of the conversation begins with."),
        ]
        | None
    )
    """
    What the next run of the conversation begins with.
    """
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class WorkflowUsage(Struct, kw_only=True):
    token_count: int
    output_count: int
    input_count: int


class Workspace(Struct, kw_only=True):
    id: str
    name: str
    icon_url: str
    role_type: str
    workspace_type: str
    enterprise_id: str


class WorkspaceItem(Struct, kw_only=True):
    id: str
    type: str
    name: str
    description: str
    icon_url: str
    role: Role
    created_at: int
    updated_at: int


class WorkspaceItems(Struct, kw_only=True):
    items: list[WorkspaceItem]
    total: int
    next_cursor: str | None


class WorkspaceList(Struct, kw_only=True):
    total_count: int
    workspaces: list[Workspace]


class WorkspaceMember(Struct, kw_only=True):
    user_id: str
    role_type: str
    user_nickname: str
    user_unique_name: str
    avatar_url: str


class WorkspaceMemberList(Struct, kw_only=True):
    items: list[WorkspaceMember]
    total_count: int


class WriteVariablesBody(Struct, kw_only=True):
    data: list[VariableItem]
    connector_uid: str
    bot_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    app_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    connector_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class AddMemberBody(Struct, kw_only=True):
    user_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    role: Role | UnsetType = "editor"


class AddMembersBody(Struct, kw_only=True):
    users: list[MemberCreate]


class AdminAgentSummary(Struct, kw_only=True):
    id: str
    workspace_id: str
    creator_id: str
    name: str
    description: str
    icon_url: str
    mode: Mode
    alias: str | None
    revision: int
    is_published: bool
    version: str
    published_at: int | None
    has_unpublished_changes: bool
    template_category: str | None
    created_at: int
    updated_at: int


class AdminDatabase(Struct, kw_only=True):
    id: str
    workspace_id: str
    creator_id: str
    table_name: str
    table_desc: str
    fields: list[AdminField]
    rw_mode: int
    prompt_disabled: bool
    icon_file_id: str | None
    agent_ids: list[str]
    revision: Annotated[
        int,
        Meta(description="Optimistic lock; 0 means never saved. Only repositories change it."),
    ]
    """
    Optimistic lock; 0 means never saved. Only repositories change it.
    """
    created_at: int
    updated_at: int


class AdminDatabaseList(Struct, kw_only=True):
    items: list[AdminDatabase]
    total: int
    next_cursor: str | None


class AdminDataset(Struct, kw_only=True):
    id: str
    workspace_id: str
    creator_id: str
    name: str
    description: str
    enabled: bool
    format_type: int
    document_count: int
    failed_count: int
    processing_count: int
    slice_count: int
    hit_count: int
    size: int
    processing_document_ids: list[str]
    embedding_model: Annotated[
        str,
        Meta(description="What the index was made with; empty until something was indexed."),
    ]
    """
    What the index was made with; empty until something was indexed.
    """
    embedding_dimensions: int
    score_scale: (
        Annotated[
            ScoreScale, Meta(description="What cosines mean in the index, where that was learnt.")
        ]
        | None
    )
    """
    What cosines mean in the index, where that was learnt.
    """
    rebuild: AdminRebuild | None
    created_at: int
    updated_at: int


class AdminDatasetList(Struct, kw_only=True):
    items: list[AdminDataset]
    total: int
    next_cursor: str | None


class AdminDocument(Struct, kw_only=True):
    id: str
    dataset_id: str
    name: str
    type: str
    format_type: int
    source_type: int
    url: str
    size: int
    char_count: int
    slice_count: int
    hit_count: int
    status: int
    enabled: bool
    fail_code: int
    fail_reason: str
    update_type: int
    update_interval: int
    table_meta: Annotated[
        list[WireColumn], Meta(description="Schema of a table once it can be searched.")
    ]
    """
    Schema of a table once it can be searched.
    """
    created_at: int
    updated_at: int


class AdminDocumentList(Struct, kw_only=True):
    items: list[AdminDocument]
    total: int
    next_cursor: None


class AdminMessageList(Struct, kw_only=True):
    items: list[WireMessage]
    next_cursor: str | None


class AdminNodeRun(Struct, kw_only=True):
    id: str
    node_id: str
    type: str
    name: str
    status: int
    input: dict[str, Any]
    output: dict[str, Any] | None
    raw_output: str
    port: str
    error: AdminRunFault | None
    error_level: str
    warnings: list[str]
    cost: str
    tokens: RunTokens
    index: int | None
    parent_node_id: str
    sub_execute_id: str
    extra: dict[str, Any]
    started_at_ms: int
    duration_ms: float
    batch: list[AdminNodeRun]


class AdminNodeRunList(Struct, kw_only=True):
    items: list[AdminNodeRun]


class AdminProcess(Struct, kw_only=True):
    execute_id: str
    workflow_id: str
    status: int
    nodes: list[AdminNodeRun]
    rate: str
    cost: str
    tokens: RunTokens
    reason: str
    error: AdminRunFault | None
    last_node_id: str
    logid: str
    output: str
    interrupts: list[AdminInterrupt]


class AdminRole(Struct, kw_only=True):
    name: str
    description: str
    avatar_file_id: str | None
    avatar_url: str
    onboarding: OnboardingFields
    suggest_reply: ChatflowSuggestFields
    background: dict[str, Any]
    user_input: dict[str, Any]
    audio: dict[str, Any]


class AdminRun(Struct, kw_only=True):
    id: str
    workspace_id: str
    conversation_id: str
    section_id: str
    agent_id: str | None
    status: str
    finish_reason: str
    error: AdminRunError | None
    usage: AdminRunUsage
    created_at: int
    completed_at: int | None
    failed_at: int | None
    canceled_at: int | None


class AdminRunList(Struct, kw_only=True):
    items: list[AdminRun]
    next_cursor: str | None


class AdminShortcutComponent(Struct, kw_only=True):
    name: str
    description: str
    input_type: InputType
    parameter: str
    options: list[str]
    default_value: str
    hide: bool
    upload_options: list[InputType]


class AdminTrace(Struct, kw_only=True):
    trace_id: str
    spans: list[Span]


class AdminWorkflow(Struct, kw_only=True):
    id: str
    workspace_id: str
    creator: Person
    name: str
    description: str
    icon_file_id: str | None
    icon_url: str
    mode: int
    app_id: str
    dialect: str
    revision: int
    submit_commit_id: str
    latest_version: str
    is_published: bool
    is_draft_changed: bool
    test_run_passed: bool
    created_at: int
    updated_at: int
    published_at: int | None


class AdminWorkflowList(Struct, kw_only=True):
    items: list[AdminWorkflow]
    total: int
    next_cursor: str | None


class AdminWorkflowRun(Struct, kw_only=True):
    execute_id: str
    workflow_id: str
    workspace_id: str
    version: str
    kind: str
    run_mode: int
    status: int
    phase: str
    node_id: str
    input: dict[str, Any]
    output: str
    error: AdminRunFault | None
    tokens: RunTokens
    node_count: int
    logid: str
    created_at: int
    updated_at: int
    finished_at: int | None
    duration_ms: int


class AdminWorkflowRunList(Struct, kw_only=True):
    items: list[AdminWorkflowRun]
    next_cursor: str | None


class AdminWorkflowVersion(Struct, kw_only=True):
    workflow_id: str
    version: str
    description: str
    commit_id: str
    creator: Person
    created_at: int


class AdminWorkflowVersionList(Struct, kw_only=True):
    items: list[AdminWorkflowVersion]
    total: int
    next_cursor: str | None


class AgentDeltaEvent(Struct, kw_only=True, tag_field="type", tag="agent.delta"):
    """
    What a called agent writes to its caller, in larger pieces.
    """

    agent_path: list[EventMemberCall]
    text: str
    reasoning: str
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class AgentEndedEvent(Struct, kw_only=True, tag_field="type", tag="agent.ended"):
    """
    A called agent is done; ``usage`` counts its model calls.
    """

    agent_path: list[EventMemberCall]
    text: str
    is_error: bool
    usage: EventUsage
    duration_ms: int
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class AgentStartedEvent(Struct, kw_only=True, tag_field="type", tag="agent.started"):
    """
    An agent was called. The innermost call comes last in ``agent_path``.
    """

    agent_path: list[EventMemberCall]
    task: str
    version: str
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class AllowedTools(Struct, kw_only=True):
    mode: str | UnsetType = "auto"
    tools: list[NamedTool] | UnsetType = UNSET


class Annotation(Struct, kw_only=True):
    type: str
    url_citation: UrlCitation


class AppVariableFields(Struct, kw_only=True):
    key: str
    description: str | UnsetType = ""
    default_value: str | UnsetType = ""
    type: AppVariableType | UnsetType = "any"
    channel: AppVariableChannel | UnsetType = "custom"
    is_disabled: bool | UnsetType = False


class AuthView(Struct, kw_only=True):
    type: AuthType
    location: Location
    key: str
    client_id: str
    client_url: str
    authorization_url: str
    authorization_content_type: str
    scope: str
    shared: bool
    credential: str


class AwaitedCall(Struct, kw_only=True):
    id: str
    type: str
    function: CalledFunction | UnsetType = UNSET


class AwaitedOutputs(Struct, kw_only=True):
    tool_calls: list[AwaitedCall]


class BotKnowledge(Struct, kw_only=True):
    dataset_ids: list[str]
    auto_call: bool
    search_strategy: int
    knowledge_infos: list[BotKnowledgeInfo]


class BotModelFields(Struct, kw_only=True):
    model_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    temperature: float | None | UnsetType = UNSET
    top_p: float | None | UnsetType = UNSET
    top_k: int | None | UnsetType = UNSET
    presence_penalty: float | None | UnsetType = UNSET
    frequency_penalty: float | None | UnsetType = UNSET
    max_tokens: int | None | UnsetType = UNSET
    context_round: int | None | UnsetType = UNSET
    response_format: OutputFormat | None | UnsetType = UNSET
    cache_type: CacheType | None | UnsetType = UNSET
    parameters: dict[str, str | None] | None | UnsetType = UNSET
    sp_anti_leak: bool | None | UnsetType = UNSET
    sp_current_time: bool | None | UnsetType = UNSET


class BotPlugin(Struct, kw_only=True):
    plugin_id: str
    name: str
    description: str
    icon_url: str
    api_info_list: list[BotTool]


class BotShortcutTool(Struct, kw_only=True):
    name: str
    type: ShortcutToolType
    plugin_id: str
    plugin_api_name: str
    workflow_id: str
    params: list[BotShortcutParameter]


class BotSuggest(Struct, kw_only=True):
    reply_mode: SuggestMode
    customized_prompt: str


class BotSuggestFields(Struct, kw_only=True):
    reply_mode: SuggestMode | None | UnsetType = UNSET
    customized_prompt: str | None | UnsetType = UNSET


class BotVariable(Struct, kw_only=True):
    keyword: str
    default_value: str
    variable_type: VariableType
    channel: VariableChannel
    description: str
    enable: bool
    prompt_enable: bool


class BotVersion(Struct, kw_only=True):
    version: str
    description: str
    created_at: str
    updated_at: str
    creator: BotVersionCreator


class BotVersionList(Struct, kw_only=True):
    total: int
    items: list[BotVersion]


class ChangeList(Struct, kw_only=True):
    items: list[ToolChange]
    total: int


class ChatDoneFrame(Struct, kw_only=True, tag_field="event", tag="done"):
    """
    The event ``done``.
    """

    data: str | DebugAddress


class ChatErrorFrame(Struct, kw_only=True, tag_field="event", tag="error"):
    """
    The event ``error``.
    """

    data: LastError


class ChatMessageCompletedFrame(
    Struct, kw_only=True, tag_field="event", tag="conversation.message.completed"
):
    """
    The event ``conversation.message.completed``.
    """

    data: WireMessage


class ChunkDelta(Struct, kw_only=True):
    """
    What is new of an answer.
    """

    role: str | UnsetType = ""
    content: str | None | UnsetType = ""
    reasoning_content: str | UnsetType = ""
    tool_calls: list[ChunkToolCall] | UnsetType = field(default_factory=list)
    citations: list[WireCard] | UnsetType = field(default_factory=list)


class CompletionMessage(Struct, kw_only=True):
    role: str
    content: str | None
    refusal: str | None
    reasoning_content: str | UnsetType = UNSET
    citations: (
        Annotated[
            list[WireCard],
            Meta(
                description="Sources by the number of their marks, where the text does not list them itself."
            ),
        ]
        | UnsetType
    ) = UNSET
    """
    Sources by the number of their marks, where the text does not list them itself.
    """
    tool_calls: list[ToolCallOut] | UnsetType = UNSET
    annotations: (
        Annotated[list[Annotation], Meta(description="Where the content cites which source.")]
        | UnsetType
    ) = UNSET
    """
    Where the content cites which source.
    """
    coterie_steps: (
        Annotated[
            list[StepOut],
            Meta(description="What the agent did by itself, if the request asks for it."),
        ]
        | UnsetType
    ) = UNSET
    """
    What the agent did by itself, if the request asks for it.
    """


class ConnectionView(Struct, kw_only=True):
    base_url: str
    api_key: KeyView
    model: str
    headers: list[str]


ContentItem: TypeAlias = Annotated[
    TextItem | ImageItem | FileItem | AudioItem,
    Meta(description="One item of a multi-part content."),
]
"""
One item of a multi-part content.
"""


class ConversationList(Struct, kw_only=True):
    conversations: list[WireConversation]
    has_more: bool


class CozeError(Struct, kw_only=True):
    """
    Body of every failed request on the Coze and admin surfaces.
    """

    code: int
    msg: str
    detail: Detail
    error: CozeErrorInfo


class CreateAppBody(Struct, kw_only=True):
    name: str
    description: str | UnsetType = ""
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    variables: list[AppVariableFields] | UnsetType = UNSET


class CreateBotBody(Struct, kw_only=True):
    name: str
    space_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    description: str | None | UnsetType = UNSET
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    prompt_info: BotPromptFields | None | UnsetType = UNSET
    onboarding_info: BotOnboardingFields | None | UnsetType = UNSET
    suggest_reply_info: BotSuggestFields | None | UnsetType = UNSET
    model_info_config: BotModelFields | None | UnsetType = UNSET
    knowledge: BotKnowledgeFields | None | UnsetType = UNSET
    plugin_id_list: BotToolIds | None | UnsetType = UNSET
    workflow_id_list: BotWorkflowIds | None | UnsetType = UNSET


class CreateDatabaseBody(Struct, kw_only=True):
    table_name: str
    fields: list[FieldCreate]
    table_desc: str | UnsetType = ""
    rw_mode: int | UnsetType = 1
    prompt_disabled: bool | UnsetType = False
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class CreateTokenBody(Struct, kw_only=True):
    name: str
    duration_days: Literal[1, 30, 60, 90, 180, 365] | None | UnsetType = UNSET
    expires_at: int | None | UnsetType = UNSET
    permissions: list[Permission] | None | UnsetType = UNSET
    workspace_ids: list[WorkspaceId] | None | UnsetType = UNSET


class CreatedDocuments(Struct, kw_only=True):
    code: int
    msg: str
    document_infos: list[WireDocument]
    detail: Detail


class CursorEnvelopeOfWireMessage(Struct, kw_only=True):
    code: int
    msg: str
    data: list[WireMessage]
    first_id: str
    last_id: str
    has_more: bool
    detail: Detail


class CustomConfig(Struct, kw_only=True):
    model_config: ModelChoice | None | UnsetType = UNSET
    bot_config: PersonaChoice | None | UnsetType = UNSET


class DatasetList(Struct, kw_only=True):
    total_count: int
    dataset_list: list[WireDataset]


class Diagnostic(Struct, kw_only=True):
    code: str
    severity: Severity
    message: str
    node_id: str
    node_title: str
    json_pointer: str
    hint: str
    port: str
    edge: EdgeName | None
    related: Annotated[list[str], Meta(description="Ids of other nodes involved.")]
    """
    Ids of other nodes involved.
    """
    blocks_run: Annotated[
        bool,
        Meta(description="The engine could not run this; other errors only block publishing."),
    ]
    """
    The engine could not run this; other errors only block publishing.
    """


class DocumentBody(Struct, kw_only=True):
    name: str | None | UnsetType = UNSET
    source_info: SourceBody | None | UnsetType = UNSET
    update_rule: UpdateRuleBody | None | UnsetType = UNSET
    caption: str | None | UnsetType = UNSET
    table_meta: list[ColumnBody] | None | UnsetType = UNSET
    table_sheet: TableSheetBody | None | UnsetType = UNSET
    filter_strategy: FilterBody | None | UnsetType = UNSET


class DocumentList(Struct, kw_only=True):
    code: int
    msg: str
    document_infos: list[WireDocument]
    total: int
    detail: Detail


class EmbeddingList(Struct, kw_only=True):
    object: str
    data: list[EmbeddingObject]
    model: str
    usage: EmbeddingUsage


class EnterMessage(Struct, kw_only=True):
    role: str
    content: str | list[ContentItem]
    content_type: str | None | UnsetType = UNSET
    type: str | None | UnsetType = UNSET
    meta_data: dict[str, str | None] | None | UnsetType = UNSET


class EnvelopeOfBotVersionList(Struct, kw_only=True):
    code: int
    msg: str
    data: BotVersionList
    detail: Detail


class EnvelopeOfConversationList(Struct, kw_only=True):
    code: int
    msg: str
    data: ConversationList
    detail: Detail


class EnvelopeOfDatasetList(Struct, kw_only=True):
    code: int
    msg: str
    data: DatasetList
    detail: Detail


class EnvelopeOfExecutedNodeOutput(Struct, kw_only=True):
    code: int
    msg: str
    data: ExecutedNodeOutput
    detail: Detail


class EnvelopeOfListOfWireMessage(Struct, kw_only=True):
    code: int
    msg: str
    data: list[WireMessage]
    detail: Detail


class EnvelopeOfMe(Struct, kw_only=True):
    code: int
    msg: str
    data: Me
    detail: Detail


class EnvelopeOfRemovedMembers(Struct, kw_only=True):
    code: int
    msg: str
    data: RemovedMembers
    detail: Detail


class EnvelopeOfSimpleAppList(Struct, kw_only=True):
    code: int
    msg: str
    data: SimpleAppList
    detail: Detail


class EnvelopeOfSimpleBotList(Struct, kw_only=True):
    code: int
    msg: str
    data: SimpleBotList
    detail: Detail


class EnvelopeOfSpaceBotList(Struct, kw_only=True):
    code: int
    msg: str
    data: SpaceBotList
    detail: Detail


class EnvelopeOfWireConversation(Struct, kw_only=True):
    code: int
    msg: str
    data: WireConversation
    detail: Detail


class EnvelopeOfWireFile(Struct, kw_only=True):
    code: int
    msg: str
    data: WireFile
    detail: Detail


class EnvelopeOfWireMessage(Struct, kw_only=True):
    code: int
    msg: str
    data: WireMessage
    detail: Detail


class EnvelopeOfWireSection(Struct, kw_only=True):
    code: int
    msg: str
    data: WireSection
    detail: Detail


class EnvelopeOfWireSlice(Struct, kw_only=True):
    code: int
    msg: str
    data: WireSlice
    detail: Detail


class EnvelopeOfWorkspaceList(Struct, kw_only=True):
    code: int
    msg: str
    data: WorkspaceList
    detail: Detail


class EnvelopeOfWorkspaceMemberList(Struct, kw_only=True):
    code: int
    msg: str
    data: WorkspaceMemberList
    detail: Detail


class EventCitations(Struct, kw_only=True):
    """
    What an answer cites and where, kept apart from its text. ``shown`` puts both together as end users see them, ``plain`` takes them apart again. The cards are sorted by number; ``is_listed`` says that they follow the answer as a list.
    """

    marks: list[EventMark]
    cards: list[EventCard]
    is_listed: bool


class EventInterrupt(Struct, kw_only=True):
    """
    A question that is open. ``path`` leads to the node that asks. ``tool_path``: the asker runs as a tool of this model node; clients see that node with kind ``TOOL``.
    """

    id: str
    kind: EventInterruptKind
    path: list[str]
    node_id: str
    node_title: str
    data: str
    tool_path: list[str] | UnsetType = UNSET


Parts: TypeAlias = EventTextPart | EventImagePart | EventFilePart | EventAudioPart


class EventMessage(Struct, kw_only=True):
    """
    A message as shown to its owner; file parts carry signed URLs. ``parts`` is authoritative for ``is_text`` False; else ``text`` is the content, with the marks of ``citations``. ``tool_calls`` belong to kind ``tool_calls``, ``tool_call_id`` to kind ``tool_result``.
    """

    id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    conversation_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    section_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    run_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None
    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None
    role: Literal["assistant", "tool", "user"]
    kind: EventMessageKind
    text: str
    parts: list[Parts]
    is_text: bool
    reasoning: str
    finish_reason: str
    is_broken: Annotated[
        bool,
        Meta(description="The answer is partial: its run failed or was cancelled."),
    ]
    """
    The answer is partial: its run failed or was cancelled.
    """
    citations: EventCitations | None
    tool_calls: list[EventToolCall]
    tool_call_id: str
    meta: dict[str, str]
    created_at: Annotated[int, Meta(description="Unix seconds.")]
    """
    Unix seconds.
    """
    updated_at: Annotated[int, Meta(description="Unix seconds.")]
    """
    Unix seconds.
    """


class EventRun(Struct, kw_only=True):
    """
    A run as shown to its owner.
    """

    id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    conversation_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    section_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None
    space_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    status: EventRunStatus
    meta: dict[str, str]
    error: EventRunError
    usage: EventUsage
    finish_reason: str
    inserted_message_ids: list[InsertedMessageId]
    workflow_run_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    waits_for: EventWaiting | None
    created_at: Annotated[int, Meta(description="Unix seconds.")]
    """
    Unix seconds.
    """
    completed_at: Annotated[int, Meta(description="Unix seconds.")] | None
    """
    Unix seconds.
    """
    failed_at: Annotated[int, Meta(description="Unix seconds.")] | None
    """
    Unix seconds.
    """
    canceled_at: Annotated[int, Meta(description="Unix seconds.")] | None
    """
    Unix seconds.
    """


class FileContentPart(Struct, kw_only=True, tag_field="type", tag="file"):
    """
    A document.
    """

    file: FileRef


class FileList(Struct, kw_only=True):
    object: str
    data: list[FileObject]
    has_more: bool
    first_id: str | None
    last_id: str | None


class IconList(Struct, kw_only=True):
    items: list[IconView]
    total: int
    next_cursor: str | None


class ImageContentPart(Struct, kw_only=True, tag_field="type", tag="image_url"):
    """
    An image.
    """

    image_url: ImageUrl


class InputItem(Struct, kw_only=True):
    type: str | None | UnsetType = UNSET
    id: str | None | UnsetType = UNSET
    role: str | None | UnsetType = UNSET
    content: str | list[InputPart] | None | UnsetType = UNSET
    call_id: str | None | UnsetType = UNSET
    name: str | None | UnsetType = UNSET
    arguments: str | None | UnsetType = UNSET
    output: str | list[InputPart] | None | UnsetType = UNSET
    summary: list[Any] | None | UnsetType = UNSET
    encrypted_content: str | None | UnsetType = UNSET
    status: str | None | UnsetType = UNSET
    phase: str | None | UnsetType = UNSET


class McpForm(Struct, kw_only=True):
    program: str | UnsetType = ""
    transport: McpTransport | UnsetType = "auto"
    call_timeout_s: float | UnsetType = 0.0


class MemberFields(Struct, kw_only=True):
    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    kind: MemberKind | UnsetType = "delegate"
    name: str | UnsetType = ""
    description: str | UnsetType = ""
    version: str | UnsetType = ""
    parameters: dict[str, Any] | UnsetType = UNSET
    agent_name: str | UnsetType = ""


class MemberItem(Struct, kw_only=True):
    user_id: str
    name: str
    nickname: str
    avatar_url: str
    role: Role
    joined_at: int


class MemberItems(Struct, kw_only=True):
    items: list[MemberItem]
    total: int
    next_cursor: str | None


class MessageCompletedEvent(Struct, kw_only=True, tag_field="type", tag="message.completed"):
    """
    A message is final and stored: answers, tool sets, verbose messages, follow-ups.
    """

    message: EventMessage
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class ModelObject(Struct, kw_only=True):
    id: str
    object: str
    created: int
    owned_by: str
    name: str
    coterie: ModelTraits


class ModifiedEnvelopeOfWireMessage(Struct, kw_only=True):
    code: int
    msg: str
    message: WireMessage
    detail: Detail


class ModifyMessageRequest(Struct, kw_only=True):
    content: str | list[ContentItem] | None | UnsetType = UNSET
    content_type: str | None | UnsetType = UNSET
    meta_data: dict[str, str | None] | None | UnsetType = UNSET


class NodeKind(Struct, kw_only=True):
    type_id: str
    key: str
    kind: str
    name: str
    category: str
    outputs: list[NodeOutput]
    required_inputs: list[str]
    is_supported: bool
    is_composite: bool
    has_batch_mode: bool
    streams: bool
    interrupts: bool
    effects: str
    time_limit: str


class NodeKindList(Struct, kw_only=True):
    items: list[NodeKind]
    total: int


class NodeTools(Struct, kw_only=True):
    workflows: list[ToolSetting]
    plugins: list[ToolSetting]
    knowledge: KnowledgeSetting | None


class OpenAIError(Struct, kw_only=True):
    """
    Body of every failed request on the OpenAI surface, and of the last frame of a stream.
    """

    error: OpenAIErrorInfo


class ParameterForm(Struct, kw_only=True):
    name: str
    description: str | UnsetType = ""
    type: ValueType | UnsetType = 1
    location: Location | UnsetType = "header"
    required: bool | UnsetType = False
    default: Any | UnsetType = UNSET
    local_default: Any | UnsetType = UNSET
    visible: bool | UnsetType = True
    sub_parameters: list[ParameterForm] | UnsetType = field(default_factory=list)
    enum: list[Any] | UnsetType = field(default_factory=list)
    assist_type: (
        Annotated[
            str,
            Meta(description="What kind of file a text names: image, doc, code and so on."),
        ]
        | UnsetType
    ) = ""
    """
    What kind of file a text names: image, doc, code and so on.
    """
    style: str | UnsetType = ""
    explode: bool | None | UnsetType = UNSET
    alias: str | UnsetType = ""


class PatchDocumentBody(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET
    update_rule: UpdateRuleBody | UnsetType = UNSET


class PhotoList(Struct, kw_only=True):
    total_count: int
    photo_infos: list[WirePhoto]


class PluginVersionPage(Struct, kw_only=True):
    items: list[PluginVersionView]
    total: int
    next_cursor: str | None


class PluginView(Struct, kw_only=True):
    id: str
    workspace_id: str
    creator_id: str
    name: str
    description: str
    type: str
    icon_file_id: str | None
    app_id: str
    server_url: str
    mcp: McpForm | None
    common_params: CommonValues
    sends_identity: bool
    auth: AuthView
    status: Literal["draft", "published"]
    published_version: str
    is_draft_changed: bool
    tool_count: int
    revision: int
    created_at: int
    updated_at: int


class PriceTable(Struct, kw_only=True):
    unit: Annotated[int, Meta(description="Tokens that one price buys.")]
    """
    Tokens that one price buys.
    """
    tiers: list[PriceTier]


class ProgressList(Struct, kw_only=True):
    data: list[WireProgress]


class ProviderPage(Struct, kw_only=True):
    items: list[ProviderView]
    total: int
    next_cursor: str | None


class PublishedWorkflow(Struct, kw_only=True):
    workflow: AdminWorkflow
    version: AdminWorkflowVersion


class PutVariablesBody(Struct, kw_only=True):
    items: list[StoredVariableInput]


class Quote(Struct, kw_only=True):
    id: str
    datasetId: str
    collectionId: str
    sourceName: str
    q: str
    a: str
    score: list[QuoteScore]


class RequiredAction(Struct, kw_only=True):
    type: str
    submit_tool_outputs: AwaitedOutputs


class RerankResults(Struct, kw_only=True):
    model: str
    results: list[RerankResult]
    usage: RerankUsage


class ResegmentBody(Struct, kw_only=True):
    document_ids: list[DocumentId]
    chunk_strategy: ChunkStrategyBody | None | UnsetType = UNSET
    parsing_strategy: ParsingStrategyBody | None | UnsetType = UNSET
    filter_strategy: FilterBody | None | UnsetType = UNSET
    table_sheet: (
        Annotated[
            TableSheetBody,
            Meta(
                description="Makes a table of its file once more; rows that were added since are gone then."
            ),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    Makes a table of its file once more; rows that were added since are gone then.
    """
    force: Annotated[bool, Meta(description="Gives up what is being indexed.")] | UnsetType = False
    """
    Gives up what is being indexed.
    """


class ResponseObject(Struct, kw_only=True):
    background: bool
    instructions: str | None
    max_output_tokens: int | None
    max_tool_calls: int | None
    metadata: dict[str, str]
    model: str
    parallel_tool_calls: bool
    presence_penalty: float
    frequency_penalty: float
    previous_response_id: str | None
    prompt_cache_key: str | None
    reasoning: dict[str, Any]
    safety_identifier: str | None
    service_tier: str
    store: bool
    temperature: float
    text: dict[str, Any]
    tool_choice: Any
    tools: list[dict[str, Any]]
    top_logprobs: int
    top_p: float
    truncation: str
    user: str | None
    id: str
    object: str
    created_at: int
    completed_at: int | None
    status: Literal["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"]
    conversation: ConversationRef | None
    error: OpenAIErrorInfo | None
    incomplete_details: IncompleteDetails | None
    output: list[dict[str, Any]]
    usage: ResponseUsage | None


class ResponseRequest(Struct, kw_only=True):
    model: str
    input: str | list[InputItem] | None | UnsetType = UNSET
    instructions: str | None | UnsetType = UNSET
    previous_response_id: str | None | UnsetType = UNSET
    conversation: str | int | ConversationRef | None | UnsetType = UNSET
    tools: list[ResponseTool] | None | UnsetType = UNSET
    tool_choice: str | ResponseToolChoice | None | UnsetType = UNSET
    parallel_tool_calls: bool | None | UnsetType = UNSET
    max_tool_calls: int | None | UnsetType = UNSET
    max_output_tokens: int | None | UnsetType = UNSET
    temperature: float | None | UnsetType = UNSET
    top_p: float | None | UnsetType = UNSET
    presence_penalty: float | None | UnsetType = UNSET
    frequency_penalty: float | None | UnsetType = UNSET
    text: TextOptions | None | UnsetType = UNSET
    reasoning: ReasoningOptions | None | UnsetType = UNSET
    truncation: str | None | UnsetType = UNSET
    store: bool | None | UnsetType = UNSET
    background: bool | None | UnsetType = UNSET
    stream: bool | None | UnsetType = UNSET
    include: list[str] | None | UnsetType = UNSET
    metadata: dict[str, str | None] | None | UnsetType = UNSET
    user: str | None | UnsetType = UNSET
    safety_identifier: str | None | UnsetType = UNSET
    prompt_cache_key: str | None | UnsetType = UNSET
    prompt: Any | UnsetType = UNSET


class RouterFields(Struct, kw_only=True):
    mode: RouterMode | UnsetType = "off"
    rules: list[RouterRuleFields] | UnsetType = UNSET
    default_agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    model_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class RunCanceledEvent(Struct, kw_only=True, tag_field="type", tag="run.canceled"):
    """
    The run was cancelled.
    """

    run: EventRun
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class RunCompletedEvent(Struct, kw_only=True, tag_field="type", tag="run.completed"):
    """
    The run ended well.
    """

    run: EventRun
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class RunCreatedEvent(Struct, kw_only=True, tag_field="type", tag="run.created"):
    """
    The run and its question are stored.
    """

    run: EventRun
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class RunFailedEvent(Struct, kw_only=True, tag_field="type", tag="run.failed"):
    """
    The run ended with an error.
    """

    run: EventRun
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class RunHistory(Struct, kw_only=True):
    execute_id: str
    execute_status: str
    bot_id: str
    connector_id: str
    connector_uid: str
    run_mode: int
    logid: str
    log_id: str
    create_time: int
    update_time: int
    debug_url: str
    input: str
    output: str
    token: str
    cost: str
    usage: WorkflowUsage
    error_code: Annotated[
        str,
        Meta(
            description="In decimal: the Go and Java clients declare a text, the others take both."
        ),
    ]
    """
    In decimal: the Go and Java clients declare a text, the others take both.
    """
    error_message: str
    error_msg: str
    is_output_trimmed: bool
    node_execute_status: dict[str, WireNodeStatus]
    interrupt_data: WireInterrupt | UnsetType = UNSET


class RunRequiresActionEvent(Struct, kw_only=True, tag_field="type", tag="run.requires_action"):
    """
    The run waits for the user or the client; what follows has numbers after this one.
    """

    run: EventRun
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class RunStartedEvent(Struct, kw_only=True, tag_field="type", tag="run.started"):
    """
    An executor took the run.
    """

    run: EventRun
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class SearchDatasetsBody(Struct, kw_only=True):
    query: str
    dataset_ids: list[DatasetId]
    top_k: int | None | UnsetType = UNSET
    min_score: float | None | UnsetType = UNSET
    max_tokens: int | None | UnsetType = UNSET
    embedding_weight: float | None | UnsetType = UNSET
    expansion: int | None | UnsetType = UNSET
    expansion_model: str | None | UnsetType = UNSET
    expansion_background: str | None | UnsetType = UNSET
    rerank_model: str | None | UnsetType = UNSET
    rerank_weight: float | None | UnsetType = UNSET
    is_personal_only: bool | None | UnsetType = UNSET
    expand: str | int | None | UnsetType = UNSET
    threshold_mode: str | None | UnsetType = UNSET
    filter: dict[str, Any] | None | UnsetType = UNSET
    document_ids: list[DocumentId] | None | UnsetType = UNSET
    history: list[WireHistory] | None | UnsetType = UNSET
    search_type: str | int | None | UnsetType = UNSET
    strategy: str | int | None | UnsetType = UNSET
    enable_query_rewrite: bool | None | UnsetType = UNSET
    enable_rerank: bool | None | UnsetType = UNSET
    enable_nl2sql: bool | None | UnsetType = UNSET
    explain: bool | None | UnsetType = UNSET


class SearchTestInput(Struct, kw_only=True):
    query: str
    dataset_ids: list[DatasetId]
    top_k: int | None | UnsetType = UNSET
    min_score: float | None | UnsetType = UNSET
    max_tokens: int | None | UnsetType = UNSET
    embedding_weight: float | None | UnsetType = UNSET
    expansion: int | None | UnsetType = UNSET
    expansion_model: str | None | UnsetType = UNSET
    expansion_background: str | None | UnsetType = UNSET
    rerank_model: str | None | UnsetType = UNSET
    rerank_weight: float | None | UnsetType = UNSET
    is_personal_only: bool | None | UnsetType = UNSET
    expand: str | int | None | UnsetType = UNSET
    threshold_mode: str | None | UnsetType = UNSET
    filter: dict[str, Any] | None | UnsetType = UNSET
    document_ids: list[DocumentId] | None | UnsetType = UNSET
    history: list[WireHistory] | None | UnsetType = UNSET
    strategy: str | int | None | UnsetType = UNSET
    rerank: bool | None | UnsetType = UNSET
    rewrite: bool | None | UnsetType = UNSET
    nl2sql: bool | None | UnsetType = UNSET
    explain: bool | None | UnsetType = UNSET


class ServerTool(Struct, kw_only=True):
    name: str
    change: str
    tool_id: str
    before: ServerToolText | None
    now: ServerToolText | None
    read_only: bool
    destructive: bool
    problem: str


class ServerToolList(Struct, kw_only=True):
    digest: str
    items: list[ServerTool]
    total: int
    is_changed: Annotated[bool, Meta(description="Something differs from what was accepted.")]
    """
    Something differs from what was accepted.
    """


class ShortcutFields(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    command: Annotated[str, Meta(description="What users type after the slash.")] | UnsetType = (
        UNSET
    )
    """
    What users type after the slash.
    """
    description: str | UnsetType = UNSET
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    send_type: SendType | UnsetType = UNSET
    template_query: str | UnsetType = UNSET
    tool: ToolFields | None | UnsetType = UNSET
    components: list[ShortcutComponent] | UnsetType = UNSET
    card_schema: str | UnsetType = UNSET
    agent_node_id: str | UnsetType = UNSET


class SliceList(Struct, kw_only=True):
    total_count: int
    slices: list[WireSlice]


class StoredVariableList(Struct, kw_only=True):
    items: list[VariableView]
    total: int


class TableFileBody(Struct, kw_only=True):
    source_info: SourceBody
    table_sheet: TableSheetBody | None | UnsetType = UNSET
    table_meta: list[ColumnBody] | None | UnsetType = UNSET


class ToolChoiceIn(Struct, kw_only=True):
    type: str | UnsetType = "function"
    function: NamedFunction | None | UnsetType = UNSET
    allowed_tools: AllowedTools | None | UnsetType = UNSET


class ToolForm(Struct, kw_only=True):
    name: str
    description: str | UnsetType = ""
    method: str | UnsetType = "GET"
    path: str | UnsetType = "/"
    parameters: list[ParameterForm] | UnsetType = field(default_factory=list)
    responses: list[ParameterForm] | UnsetType = field(default_factory=list)
    response_kind: ResponseKind | UnsetType = "object"
    response_policy: ResponsePolicy | UnsetType = "declared"
    body_media: BodyMedia | UnsetType = "application/json"
    body_is_whole: (
        Annotated[bool, Meta(description="The argument ``body`` is the body itself.")] | UnsetType
    ) = False
    """
    The argument ``body`` is the body itself.
    """
    disabled: bool | UnsetType = False
    effect: Effect | UnsetType = "read"
    needs_approval: bool | UnsetType = False
    returns_directly: bool | UnsetType = False
    workflow_id: str | UnsetType = ""
    example: Any | UnsetType = UNSET


class ToolPatch(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    method: str | UnsetType = UNSET
    path: str | UnsetType = UNSET
    parameters: list[ParameterForm] | UnsetType = UNSET
    responses: list[ParameterForm] | UnsetType = UNSET
    response_kind: ResponseKind | UnsetType = "object"
    response_policy: ResponsePolicy | UnsetType = "declared"
    body_media: BodyMedia | UnsetType = "application/json"
    body_is_whole: (
        Annotated[bool, Meta(description="The argument ``body`` is the body itself.")] | UnsetType
    ) = UNSET
    """
    The argument ``body`` is the body itself.
    """
    disabled: bool | UnsetType = UNSET
    effect: Effect | UnsetType = "read"
    needs_approval: bool | UnsetType = UNSET
    returns_directly: bool | UnsetType = UNSET
    workflow_id: str | UnsetType = UNSET


class ToolView(Struct, kw_only=True):
    name: str
    description: str
    method: str
    path: str
    parameters: list[ParameterForm]
    responses: list[ParameterForm]
    response_kind: ResponseKind
    response_policy: ResponsePolicy
    body_media: BodyMedia
    body_is_whole: Annotated[bool, Meta(description="The argument ``body`` is the body itself.")]
    """
    The argument ``body`` is the body itself.
    """
    disabled: bool
    effect: Effect
    needs_approval: bool
    returns_directly: bool
    workflow_id: str
    example: Any
    id: str
    plugin_id: str
    debugged: bool
    input_schema: Annotated[
        dict[str, Any], Meta(description="What a model sees of the parameters.")
    ]
    """
    What a model sees of the parameters.
    """
    server_tool: Annotated[str, Meta(description="Name of the tool at its MCP server.")]
    """
    Name of the tool at its MCP server.
    """


class UpdateAppBody(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    variables: list[AppVariableFields] | UnsetType = UNSET


class UpdateBotBody(Struct, kw_only=True):
    bot_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    name: str | None | UnsetType = UNSET
    description: str | None | UnsetType = UNSET
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    prompt_info: BotPromptFields | None | UnsetType = UNSET
    onboarding_info: BotOnboardingFields | None | UnsetType = UNSET
    suggest_reply_info: BotSuggestFields | None | UnsetType = UNSET
    model_info_config: BotModelFields | None | UnsetType = UNSET
    knowledge: BotKnowledgeFields | None | UnsetType = UNSET
    plugin_id_list: BotToolIds | None | UnsetType = UNSET
    workflow_id_list: BotWorkflowIds | None | UnsetType = UNSET


class UpdateDocumentBody(Struct, kw_only=True):
    document_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    document_name: str | None | UnsetType = UNSET
    update_rule: UpdateRuleBody | None | UnsetType = UNSET
    table_meta: list[ColumnBody] | None | UnsetType = UNSET


class UpdatePlugin(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    description: str | None | UnsetType = UNSET
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    server_url: str | UnsetType = UNSET
    mcp: McpForm | UnsetType = UNSET
    common_params: CommonValues | None | UnsetType = UNSET
    sends_identity: bool | UnsetType = UNSET


class UserCreated(Struct, kw_only=True):
    user: UserItem
    token: str


class VariableFields(Struct, kw_only=True):
    key: str
    description: str | UnsetType = ""
    default_value: str | UnsetType = ""
    is_system: bool | UnsetType = False
    prompt_disabled: bool | UnsetType = False
    is_disabled: bool | UnsetType = False
    type: VariableType | UnsetType = "KVVariable"


class VariableList(Struct, kw_only=True):
    items: list[VariableView]


class WireApp(Struct, kw_only=True):
    app_id: str
    version: str
    name: str
    description: str
    icon_url: str
    variables: list[WireAppVariable]


class WireChat(Struct, kw_only=True):
    id: str
    conversation_id: str
    bot_id: str
    section_id: str
    created_at: int
    status: str
    meta_data: dict[str, str]
    last_error: LastError
    usage: ChatUsage
    completed_at: int | UnsetType = UNSET
    failed_at: int | UnsetType = UNSET
    inserted_additional_messages: list[InsertedMessage] | UnsetType = UNSET
    execute_id: str | UnsetType = UNSET
    required_action: RequiredAction | UnsetType = UNSET


class WireSearch(Struct, kw_only=True):
    items: list[WireHit]
    queries: list[str]
    skipped: list[str]
    stages: list[WireStage]
    usage: WireSearchUsage
    candidates: list[WireCandidate] | None


class WireWorkflow(Struct, kw_only=True):
    workflow_id: str
    workflow_name: str
    description: str
    icon_url: str
    app_id: str
    created_at: int
    updated_at: int
    creator: WorkflowCreator


class WireWorkflowDetail(Struct, kw_only=True):
    workflow_detail: WireWorkflow
    role: WireRole | UnsetType = UNSET


class WireWorkflowList(Struct, kw_only=True):
    items: list[WireWorkflow]
    has_more: bool


class WireWorkflowVersion(Struct, kw_only=True):
    version: str
    description: str
    workflow_id: str
    created_at: str
    updated_at: str
    creator: WorkflowCreator


class WireWorkflowVersionList(Struct, kw_only=True):
    items: list[WireWorkflowVersion]
    has_more: bool
    next_page_token: str


class WorkflowAskedEvent(Struct, kw_only=True, tag_field="type", tag="asked"):
    """
    A node waits for an answer.
    """

    interrupt: EventInterrupt
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class WorkflowChatRequest(Struct, kw_only=True):
    workflow_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    additional_messages: list[EnterMessage]
    parameters: dict[str, Any] | str | None | UnsetType = UNSET
    app_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    project_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    bot_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    conversation_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    ext: dict[str, str | None] | None | UnsetType = UNSET
    version: str | None | UnsetType = UNSET
    workflow_version: str | None | UnsetType = UNSET
    execute_mode: str | None | UnsetType = UNSET
    connector_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class WorkflowDone(Struct, kw_only=True):
    """
    The run ended well.
    """

    debug_url: str
    token: int
    usage: WorkflowUsage


class WorkflowDoneFrame(Struct, kw_only=True, tag_field="event", tag="Done"):
    """
    The event ``Done``.
    """

    data: WorkflowDone


class WorkflowInterrupt(Struct, kw_only=True):
    """
    The run waits for an answer.
    """

    interrupt_data: WorkflowQuestion
    node_id: str
    node_type: str
    node_title: str
    debug_url: str


class WorkflowInterruptFrame(Struct, kw_only=True, tag_field="event", tag="Interrupt"):
    """
    The event ``Interrupt``.
    """

    data: WorkflowInterrupt


class WorkflowMessage(Struct, kw_only=True):
    """
    A piece of what a node says; ``node_seq_id`` counts within the message, from 0.
    """

    content: str
    content_type: Literal["text"]
    node_id: str
    node_type: str
    node_title: str
    node_seq_id: str
    node_is_finish: bool
    token: int | UnsetType = UNSET
    usage: WorkflowUsage | UnsetType = UNSET


class WorkflowMessageFrame(Struct, kw_only=True, tag_field="event", tag="Message"):
    """
    The event ``Message``.
    """

    data: WorkflowMessage


class WorkflowRunAnswer(Struct, kw_only=True):
    code: int
    msg: str
    data: str
    execute_id: str
    debug_url: str
    detail: Detail
    usage: WorkflowUsage | UnsetType = UNSET
    token: int | UnsetType = UNSET
    cost: str | UnsetType = UNSET


class WorkflowRunInterruptedEvent(Struct, kw_only=True, tag_field="type", tag="run_interrupted"):
    """
    The run waits for answers; the first question is asked first.
    """

    pending: list[EventInterrupt]
    variables: EventKeptVariables | None
    at_ms: Annotated[int, Meta(description="When it happened, in Unix milliseconds.")]
    """
    When it happened, in Unix milliseconds.
    """


class AcceptReport(Struct, kw_only=True):
    plugin: PluginView
    tools: list[ToolView]
    problems: list[ServerTool]


class AdminAgent(Struct, kw_only=True):
    id: str
    workspace_id: str
    creator_id: str
    name: str
    description: str
    icon_file_id: str | None
    icon_url: str
    mode: Mode
    version: str
    revision: int
    alias: str | None
    template_category: str | None
    has_unpublished_changes: bool
    created_at: int
    updated_at: int
    prompt: AdminPrompt
    model: AdminModel
    knowledge: AdminKnowledge
    variables: list[VariableFields]
    memory: AdminMemory
    plugins: list[PluginToolFields]
    client_tools: list[ClientToolFields]
    onboarding: AdminOnboarding
    suggest_reply: AdminSuggest
    shortcuts: list[str]
    workflow_agent: WorkflowAgentFields | None
    workflows: list[WorkflowFields]
    agents: list[MemberFields]
    router: RouterFields
    link_hosts: list[str]
    egress_hosts: list[str]
    openai_system: str
    openai_tools: str


class AdminAgentList(Struct, kw_only=True):
    items: list[AdminAgentSummary]
    total: int
    next_cursor: str | None


class AdminApp(Struct, kw_only=True):
    id: str
    workspace_id: str
    creator_id: str
    name: str
    description: str
    icon_file_id: str | None
    icon_url: str
    version: str
    latest_version: Annotated[
        str,
        Meta(description="Label of the newest version, empty before the first one."),
    ]
    """
    Label of the newest version, empty before the first one.
    """
    connector_ids: Annotated[list[str], Meta(description="Where the newest version was published.")]
    """
    Where the newest version was published.
    """
    variables: list[AppVariableFields]
    conversations: list[str]
    revision: Annotated[
        int,
        Meta(description="Optimistic lock; 0 means never saved. Only repositories change it."),
    ]
    """
    Optimistic lock; 0 means never saved. Only repositories change it.
    """
    created_at: int
    updated_at: int
    published_at: int | None


class AdminAppList(Struct, kw_only=True):
    items: list[AdminApp]
    total: int
    next_cursor: str | None


class AdminFindings(Struct, kw_only=True):
    workflow_id: str
    name: str
    version: str
    can_run: bool
    can_be_published: bool
    omitted: int
    diagnostics: list[Diagnostic]


class AdminFindingsList(Struct, kw_only=True):
    items: list[AdminFindings]
    total: int


class AdminImportReport(Struct, kw_only=True):
    workflow: AdminWorkflow
    findings: AdminFindings
    unknown_nodes: list[UnknownNode]
    resources: list[AdminNeed]
    missing: list[AdminNeed]
    unused_mappings: list[str]


class AdminShortcut(Struct, kw_only=True):
    id: str
    name: str
    command: Annotated[str, Meta(description="What users type after the slash.")]
    """
    What users type after the slash.
    """
    description: str
    icon_file_id: str | None
    send_type: SendType
    template_query: str
    tool: ToolFields | None
    components: list[AdminShortcutComponent]
    card_schema: str
    agent_node_id: str


class AdminShortcutList(Struct, kw_only=True):
    items: list[AdminShortcut]
    total: int
    next_cursor: str | None


class AdminVersionDetail(Struct, kw_only=True):
    version: AdminVersion
    agent: AdminAgent


class BotShortcut(Struct, kw_only=True):
    id: str
    name: str
    command: Annotated[str, Meta(description="What users type after the slash.")]
    """
    What users type after the slash.
    """
    description: str
    query_template: str
    icon_url: str
    components: list[BotShortcutComponent]
    agent_id: str
    send_type: SendType
    card_schema: str
    tool: BotShortcutTool | UnsetType = UNSET


class ChatCanceledFrame(Struct, kw_only=True, tag_field="event", tag="conversation.chat.canceled"):
    """
    The event ``conversation.chat.canceled``.
    """

    data: WireChat


class ChatCompletedFrame(
    Struct, kw_only=True, tag_field="event", tag="conversation.chat.completed"
):
    """
    The event ``conversation.chat.completed``.
    """

    data: WireChat


class ChatCreatedFrame(Struct, kw_only=True, tag_field="event", tag="conversation.chat.created"):
    """
    The event ``conversation.chat.created``.
    """

    data: WireChat


class ChatFailedFrame(Struct, kw_only=True, tag_field="event", tag="conversation.chat.failed"):
    """
    The event ``conversation.chat.failed``.
    """

    data: WireChat


class ChatInProgressFrame(
    Struct, kw_only=True, tag_field="event", tag="conversation.chat.in_progress"
):
    """
    The event ``conversation.chat.in_progress``.
    """

    data: WireChat


class ChatRequest(Struct, kw_only=True):
    bot_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    user_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    stream: bool | None | UnsetType = UNSET
    additional_messages: list[EnterMessage] | None | UnsetType = UNSET
    custom_variables: dict[str, str | None] | None | UnsetType = UNSET
    parameters: dict[str, Any] | str | None | UnsetType = UNSET
    auto_save_history: bool | None | UnsetType = UNSET
    meta_data: dict[str, str | None] | None | UnsetType = UNSET
    extra_params: dict[str, str | None] | None | UnsetType = UNSET
    enable_card: bool | None | UnsetType = UNSET
    shortcut_command: ShortcutCommand | None | UnsetType = UNSET
    connector_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    custom_config: CustomConfig | None | UnsetType = UNSET
    publish_status: str | None | UnsetType = UNSET
    tools: list[Any] | None | UnsetType = UNSET
    regenerate: str | int | None | UnsetType = UNSET


class ChatRequiresActionFrame(
    Struct, kw_only=True, tag_field="event", tag="conversation.chat.requires_action"
):
    """
    The event ``conversation.chat.requires_action``.
    """

    data: WireChat


class ChunkChoice(Struct, kw_only=True):
    """
    The only choice.
    """

    index: int
    delta: ChunkDelta
    logprobs: None
    finish_reason: str | None


class CompletionChoice(Struct, kw_only=True):
    index: int
    message: CompletionMessage
    logprobs: None
    finish_reason: str


class CompletionChunk(Struct, kw_only=True):
    """
    A piece of a completion; the last one before ``[DONE]`` has usage and no choice.
    """

    id: str
    object: Literal["chat.completion.chunk"]
    created: int
    model: str
    choices: list[ChunkChoice]
    usage: CompletionUsage | None | UnsetType = UNSET


CompletionEvent: TypeAlias = Annotated[
    CompletionChunk | OpenAIError,
    Meta(description="A piece of a completion, or why there are no more."),
]
"""
A piece of a completion, or why there are no more.
"""


ContentPart: TypeAlias = Annotated[
    TextContentPart | RefusalContentPart | ImageContentPart | FileContentPart | FileUrlContentPart,
    Meta(description="One part of a message."),
]
"""
One part of a message.
"""


class CreateAgentBody(Struct, kw_only=True):
    name: str
    prompt: PromptFields | None | UnsetType = UNSET
    model: ModelFields | None | UnsetType = UNSET
    knowledge: KnowledgeFields | None | UnsetType = UNSET
    variables: list[VariableFields] | None | UnsetType = UNSET
    memory: MemoryFields | None | UnsetType = UNSET
    plugins: list[PluginToolFields] | None | UnsetType = UNSET
    client_tools: (
        Annotated[
            list[ClientToolFields],
            Meta(description="Tools that run at the client, which submits their outputs."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    Tools that run at the client, which submits their outputs.
    """
    onboarding: OnboardingPatch | None | UnsetType = UNSET
    suggest_reply: SuggestFields | None | UnsetType = UNSET
    workflow_agent: WorkflowAgentFields | None | UnsetType = UNSET
    workflows: list[WorkflowFields] | None | UnsetType = UNSET
    agents: (
        Annotated[
            list[MemberFields],
            Meta(description="Other agents that this one works with."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    Other agents that this one works with.
    """
    router: RouterFields | None | UnsetType = UNSET
    link_hosts: (
        Annotated[
            list[str],
            Meta(description="Hosts that images in answers may come from; ``*`` for any."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    Hosts that images in answers may come from; ``*`` for any.
    """
    egress_hosts: (
        Annotated[
            list[str],
            Meta(
                description="The only hosts that tools and workflows of the agent may call; none named: no limit."
            ),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    The only hosts that tools and workflows of the agent may call; none named: no limit.
    """
    openai_system: (
        Annotated[
            Literal["append", "replace", "ignore"],
            Meta(description="What becomes of system messages in OpenAI requests."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    What becomes of system messages in OpenAI requests.
    """
    openai_tools: (
        Annotated[
            Literal["allow", "deny"],
            Meta(description="``deny``: OpenAI requests may bring no tools of their own."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    ``deny``: OpenAI requests may bring no tools of their own.
    """
    description: str | UnsetType = ""
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    mode: Mode | UnsetType = "single"


class CreateConversationRequest(Struct, kw_only=True):
    bot_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    messages: list[EnterMessage] | None | UnsetType = UNSET
    meta_data: dict[str, str | None] | None | UnsetType = UNSET
    name: str | None | UnsetType = UNSET
    connector_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    user_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class CreateDocumentsBody(Struct, kw_only=True):
    dataset_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    document_bases: list[DocumentBody]
    chunk_strategy: ChunkStrategyBody | None | UnsetType = UNSET
    parsing_strategy: ParsingStrategyBody | None | UnsetType = UNSET
    format_type: int | None | UnsetType = UNSET
    is_append: bool | None | UnsetType = UNSET
    on_duplicate: str | None | UnsetType = UNSET


class CreatePlugin(Struct, kw_only=True):
    name: str
    description: str | UnsetType = ""
    type: PluginKind | UnsetType = "http"
    server_url: str | UnsetType = ""
    mcp: McpForm | UnsetType = UNSET
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    app_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    common_params: CommonValues | UnsetType = UNSET


class CreatePreviewsBody(Struct, kw_only=True):
    document_bases: list[DocumentBody]
    chunk_strategy: ChunkStrategyBody | None | UnsetType = UNSET
    parsing_strategy: ParsingStrategyBody | None | UnsetType = UNSET
    filter_strategy: FilterBody | None | UnsetType = UNSET


class EnvelopeOfListOfRunHistory(Struct, kw_only=True):
    code: int
    msg: str
    data: list[RunHistory]
    detail: Detail


class EnvelopeOfPhotoList(Struct, kw_only=True):
    code: int
    msg: str
    data: PhotoList
    detail: Detail


class EnvelopeOfProgressList(Struct, kw_only=True):
    code: int
    msg: str
    data: ProgressList
    detail: Detail


class EnvelopeOfSliceList(Struct, kw_only=True):
    code: int
    msg: str
    data: SliceList
    detail: Detail


class EnvelopeOfVariableList(Struct, kw_only=True):
    code: int
    msg: str
    data: VariableList
    detail: Detail


class EnvelopeOfWireApp(Struct, kw_only=True):
    code: int
    msg: str
    data: WireApp
    detail: Detail


class EnvelopeOfWireChat(Struct, kw_only=True):
    code: int
    msg: str
    data: WireChat
    detail: Detail


class EnvelopeOfWireSearch(Struct, kw_only=True):
    code: int
    msg: str
    data: WireSearch
    detail: Detail


class EnvelopeOfWireWorkflowDetail(Struct, kw_only=True):
    code: int
    msg: str
    data: WireWorkflowDetail
    detail: Detail


class EnvelopeOfWireWorkflowList(Struct, kw_only=True):
    code: int
    msg: str
    data: WireWorkflowList
    detail: Detail


class EnvelopeOfWireWorkflowVersionList(Struct, kw_only=True):
    code: int
    msg: str
    data: WireWorkflowVersionList
    detail: Detail


class ImportReport(Struct, kw_only=True):
    plugin: PluginView
    tools: list[ToolView]
    problems: list[ImportProblem]
    auth_hint: str


class ModelList(Struct, kw_only=True):
    object: str
    data: list[ModelObject]


class ModelSettingsView(Struct, kw_only=True):
    connection: ConnectionView
    fallbacks: list[str]
    concurrency: int
    parameter_mapping: ParameterMapping
    timeouts: ModelTimeouts
    reasoning: ReasoningSettings
    embedding: EmbeddingSettings
    rerank: RerankSettings
    prices: PriceTable
    health: Literal["unused", "ok", "failing"]
    health_detail: str


class ModelView(Struct, kw_only=True):
    id: str
    type: Literal["llm", "embedding", "rerank"]
    provider: str
    source: ModelSource
    display: DisplayView
    aliases: list[str]
    capabilities: Capabilities
    enabled: bool
    is_read_only: bool
    is_default: bool
    is_vision_default: bool
    revision: int
    updated_at: int | None | UnsetType = UNSET
    settings: ModelSettingsView | None | UnsetType = UNSET


class NodeResult(Struct, kw_only=True):
    nodeId: str
    moduleName: str
    moduleType: str
    runningTime: float
    model: str
    inputTokens: int
    outputTokens: int
    error: str | UnsetType = ""
    query: str | UnsetType = ""
    quoteList: list[Quote] | UnsetType = UNSET
    toolRes: Annotated[str, Meta(description="What a tool returned.")] | UnsetType = ""
    """
    What a tool returned.
    """
    textOutput: (
        Annotated[str, Meta(description="What a workflow says about its own answer.")] | UnsetType
    ) = ""
    """
    What a workflow says about its own answer.
    """


class PluginPage(Struct, kw_only=True):
    items: list[PluginView]
    total: int
    next_cursor: str | None


class PutDeclarationsBody(Struct, kw_only=True):
    items: list[VariableFields]


class ResponseCancelledEvent(Struct, kw_only=True, tag_field="type", tag="response.cancelled"):
    """
    The event ``response.cancelled``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    response: ResponseObject


class ResponseCompletedEvent(Struct, kw_only=True, tag_field="type", tag="response.completed"):
    """
    The event ``response.completed``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    response: ResponseObject


class ResponseCreatedEvent(Struct, kw_only=True, tag_field="type", tag="response.created"):
    """
    The event ``response.created``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    response: ResponseObject


class ResponseFailedEvent(Struct, kw_only=True, tag_field="type", tag="response.failed"):
    """
    The event ``response.failed``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    response: ResponseObject


class ResponseInProgressEvent(Struct, kw_only=True, tag_field="type", tag="response.in_progress"):
    """
    The event ``response.in_progress``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    response: ResponseObject


class ResponseIncompleteEvent(Struct, kw_only=True, tag_field="type", tag="response.incomplete"):
    """
    The event ``response.incomplete``.
    """

    sequence_number: Annotated[int, Meta(description="Grows from event to event, with gaps.")]
    """
    Grows from event to event, with gaps.
    """
    response: ResponseObject


RunEvent: TypeAlias = Annotated[
    RunCreatedEvent
    | RunStartedEvent
    | MessageStartedEvent
    | MessageDeltaEvent
    | MessageReplacedEvent
    | MessageCompletedEvent
    | StepStartedEvent
    | StepEndedEvent
    | KnowledgeRecalledEvent
    | ToolStartedEvent
    | ToolCompletedEvent
    | WarningEvent
    | AgentSwitchedEvent
    | AgentStartedEvent
    | AgentDeltaEvent
    | AgentEndedEvent
    | FlowNodeStartedEvent
    | FlowNodeEndedEvent
    | VariablesUpdatedEvent
    | RunRequiresActionEvent
    | RunCompletedEvent
    | RunFailedEvent
    | RunCanceledEvent
    | ErrorEvent,
    Meta(description="One event of a run."),
]
"""
One event of a run.
"""


class SavedAdminCanvas(Struct, kw_only=True):
    workflow: AdminWorkflow
    findings: AdminFindings


class ToolPage(Struct, kw_only=True):
    items: list[ToolView]
    total: int


class UpdateAgentBody(Struct, kw_only=True):
    prompt: PromptFields | None | UnsetType = UNSET
    model: ModelFields | None | UnsetType = UNSET
    knowledge: KnowledgeFields | None | UnsetType = UNSET
    variables: list[VariableFields] | None | UnsetType = UNSET
    memory: MemoryFields | None | UnsetType = UNSET
    plugins: list[PluginToolFields] | None | UnsetType = UNSET
    client_tools: (
        Annotated[
            list[ClientToolFields],
            Meta(description="Tools that run at the client, which submits their outputs."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    Tools that run at the client, which submits their outputs.
    """
    onboarding: OnboardingPatch | None | UnsetType = UNSET
    suggest_reply: SuggestFields | None | UnsetType = UNSET
    workflow_agent: WorkflowAgentFields | None | UnsetType = UNSET
    workflows: list[WorkflowFields] | None | UnsetType = UNSET
    agents: (
        Annotated[
            list[MemberFields],
            Meta(description="Other agents that this one works with."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    Other agents that this one works with.
    """
    router: RouterFields | None | UnsetType = UNSET
    link_hosts: (
        Annotated[
            list[str],
            Meta(description="Hosts that images in answers may come from; ``*`` for any."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    Hosts that images in answers may come from; ``*`` for any.
    """
    egress_hosts: (
        Annotated[
            list[str],
            Meta(
                description="The only hosts that tools and workflows of the agent may call; none named: no limit."
            ),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    The only hosts that tools and workflows of the agent may call; none named: no limit.
    """
    openai_system: (
        Annotated[
            Literal["append", "replace", "ignore"],
            Meta(description="What becomes of system messages in OpenAI requests."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    What becomes of system messages in OpenAI requests.
    """
    openai_tools: (
        Annotated[
            Literal["allow", "deny"],
            Meta(description="``deny``: OpenAI requests may bring no tools of their own."),
        ]
        | None
        | UnsetType
    ) = UNSET
    """
    ``deny``: OpenAI requests may bring no tools of their own.
    """
    name: str | UnsetType = UNSET
    description: str | None | UnsetType = UNSET
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    alias: str | None | UnsetType = UNSET


class VariableDeclarations(Struct, kw_only=True):
    items: list[VariableFields]
    revision: int


WorkflowEvent: TypeAlias = Annotated[
    WorkflowRunBeganEvent
    | WorkflowMessageEvent
    | WorkflowNodeBeganEvent
    | WorkflowNodeEndedEvent
    | WorkflowAskedEvent
    | WorkflowRunInterruptedEvent
    | WorkflowRunEndedEvent
    | ErrorEvent,
    Meta(description="One event of a run."),
]
"""
One event of a run.
"""


WorkflowFrame: TypeAlias = Annotated[
    WorkflowMessageFrame | WorkflowInterruptFrame | WorkflowErrorFrame | WorkflowDoneFrame,
    Meta(description="One frame of a stream."),
]
"""
One frame of a stream.
"""


class Bot(Struct, kw_only=True):
    bot_id: str
    name: str
    description: str
    icon_url: str
    create_time: int
    update_time: int
    prompt_info: BotPrompt
    onboarding_info: BotOnboarding
    bot_mode: int
    plugin_info_list: list[BotPlugin]
    knowledge: BotKnowledge
    workflow_info_list: list[BotWorkflow]
    suggest_reply_info: BotSuggest
    shortcut_commands: list[BotShortcut]
    variables: list[BotVariable]
    owner_user_id: str
    default_user_input_type: str
    version: str | UnsetType = ""
    model_info: BotModel | None | UnsetType = UNSET


ChatFrame: TypeAlias = Annotated[
    ChatCreatedFrame
    | ChatInProgressFrame
    | ChatMessageDeltaFrame
    | ChatMessageCompletedFrame
    | ChatRequiresActionFrame
    | ChatCompletedFrame
    | ChatFailedFrame
    | ChatCanceledFrame
    | ChatErrorFrame
    | ChatDoneFrame,
    Meta(description="One frame of a stream."),
]
"""
One frame of a stream.
"""


class Completion(Struct, kw_only=True):
    id: str
    object: str
    created: int
    model: str
    choices: list[CompletionChoice]
    usage: CompletionUsage
    system_fingerprint: None
    responseData: list[NodeResult] | UnsetType = UNSET
    newVariables: dict[str, Any] | UnsetType = UNSET


class CompletionMessageIn(Struct, kw_only=True):
    role: str
    content: str | list[ContentPart] | None | UnsetType = UNSET
    tool_calls: list[ToolCallIn] | None | UnsetType = UNSET
    tool_call_id: str | None | UnsetType = UNSET


class CompletionRequest(Struct, kw_only=True):
    model: str
    messages: list[CompletionMessageIn]
    stream: bool | None | UnsetType = UNSET
    stream_options: StreamOptions | None | UnsetType = UNSET
    temperature: float | None | UnsetType = UNSET
    top_p: float | None | UnsetType = UNSET
    presence_penalty: float | None | UnsetType = UNSET
    frequency_penalty: float | None | UnsetType = UNSET
    seed: int | None | UnsetType = UNSET
    max_tokens: int | None | UnsetType = UNSET
    max_completion_tokens: int | None | UnsetType = UNSET
    stop: str | list[str] | None | UnsetType = UNSET
    response_format: ResponseFormat | None | UnsetType = UNSET
    tools: list[ToolIn] | None | UnsetType = UNSET
    tool_choice: str | ToolChoiceIn | None | UnsetType = UNSET
    parallel_tool_calls: bool | None | UnsetType = UNSET
    functions: list[Any] | None | UnsetType = UNSET
    function_call: Any | UnsetType = UNSET
    n: int | None | UnsetType = UNSET
    logprobs: bool | None | UnsetType = UNSET
    top_logprobs: int | None | UnsetType = UNSET
    modalities: list[str] | None | UnsetType = UNSET
    audio: Any | UnsetType = UNSET
    reasoning_effort: str | None | UnsetType = UNSET
    verbosity: str | None | UnsetType = UNSET
    store: bool | None | UnsetType = UNSET
    service_tier: str | None | UnsetType = UNSET
    prediction: Any | UnsetType = UNSET
    logit_bias: dict[str, Any] | None | UnsetType = UNSET
    moderation: Any | UnsetType = UNSET
    web_search_options: Any | UnsetType = UNSET
    user: str | None | UnsetType = UNSET
    safety_identifier: str | None | UnsetType = UNSET
    metadata: dict[str, str | None] | None | UnsetType = UNSET
    conversation_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    chatId: str | None | UnsetType = UNSET
    responseChatItemId: str | None | UnsetType = UNSET
    variables: dict[str, Any] | None | UnsetType = UNSET
    detail: bool | None | UnsetType = UNSET
    retainDatasetCite: bool | None | UnsetType = UNSET
    appId: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET


class EnvelopeOfBot(Struct, kw_only=True):
    code: int
    msg: str
    data: Bot
    detail: Detail


class ModelPage(Struct, kw_only=True):
    items: list[ModelView]
    total: int
    next_cursor: str | None


ResponseEvent: TypeAlias = Annotated[
    ResponseCreatedEvent
    | ResponseInProgressEvent
    | ResponseOutputItemAddedEvent
    | ResponseOutputItemDoneEvent
    | ResponseContentPartAddedEvent
    | ResponseContentPartDoneEvent
    | ResponseOutputTextDeltaEvent
    | ResponseOutputTextDoneEvent
    | ResponseOutputTextAnnotationAddedEvent
    | ResponseFunctionCallArgumentsDeltaEvent
    | ResponseFunctionCallArgumentsDoneEvent
    | ResponseReasoningSummaryPartAddedEvent
    | ResponseReasoningSummaryPartDoneEvent
    | ResponseReasoningSummaryTextDeltaEvent
    | ResponseReasoningSummaryTextDoneEvent
    | ResponseCompletedEvent
    | ResponseIncompleteEvent
    | ResponseFailedEvent
    | ResponseCancelledEvent
    | ResponseErrorEvent,
    Meta(description="One event of a response."),
]
"""
One event of a response.
"""
