"""Generated from the OpenAPI document by `make sdk`: do not edit."""

from __future__ import annotations
from typing import Annotated, Any, Literal, TypeAlias
from msgspec import UNSET, Meta, Struct, UnsetType, convert, field


class AcceptInvitationBody(Struct, kw_only=True):
    """The invitation to follow."""

    code: str
    "What stands behind `invite=` in the link."


class AcceptTools(Struct, kw_only=True):
    """Consent to a list that was looked at; ``names`` takes some of its tools only."""

    digest: str
    "Name of exactly this list of tools."
    names: list[str] | None | UnsetType = UNSET
    "Tools to take; null: all."


class AccountItem(Struct, kw_only=True):
    """One's own account."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    nickname: str
    "Name that people read; null for the login name."
    avatar_url: str
    "Address of the picture, signed for an hour; empty for none."
    email: str
    "E-mail address; empty: none."
    is_admin: bool
    "Whether the account administers the deployment."
    is_disabled: bool
    "Whether it is switched off."
    personal_workspace_id: str
    "Id of the account's own workspace."
    created_at: int
    "When it was made, in Unix seconds."
    has_password: bool
    "Whether the account can sign in with a password."


class AddSliceBody(Struct, kw_only=True):
    """A slice to be: text, or the cells of a row; ``sequence`` 1 is the first position."""

    content: str | list[dict[str, Any]]
    "Text, or the cells of a row by the ids of their columns."
    sequence: int | None | UnsetType = UNSET
    "Position, from 1; absent: at the end."


class AddedMembers(Struct, kw_only=True):
    """What became of each account; there are no invitations yet."""

    added_success_user_ids: list[str]
    "Accounts that are members now."
    invited_success_user_ids: list[str]
    "Accounts that were invited; always empty, nobody has to accept."
    not_exist_user_ids: list[str]
    "Accounts that do not exist."
    already_joined_user_ids: list[str]
    "Accounts that were members before."
    already_invited_user_ids: list[str]
    "Accounts that were invited before; always empty, nobody has to accept."


class AdminAppConversation(Struct, kw_only=True):
    """A conversation that the app defines; ``env`` is ``draft`` or ``release``."""

    name: str
    "Name that people read."
    env: str
    "`draft` or `online`: what tests or published use read and write."


class AdminAppConversationList(Struct, kw_only=True):
    """The conversations of an app."""

    items: list[AdminAppConversation]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminAppRecord(Struct, kw_only=True):
    """One publication of an app."""

    id: str
    "Its id."
    version: str
    "Version as publishing named it; empty for the draft or for none."
    description: str
    "What it is for; models and people read it."
    creator_id: str
    "Id of the account that made it."
    connector_ids: list[str]
    "Connectors (publishing channels); default: the API (1024)."
    status: str
    "How publishing went: published or failed."
    created_at: int
    "When it was made, in Unix seconds."


class AdminAppRecordList(Struct, kw_only=True):
    """One page of publications, newest first."""

    items: list[AdminAppRecord]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminBegunChat(Struct, kw_only=True):
    """A run that has begun; its events are at ``/admin/v1/runs/{run_id}/events``."""

    run_id: str
    "Id of the run (chat)."
    conversation_id: str
    "Id of the conversation."
    message_id: str | None
    "Id of the message."


class AdminBegunReplay(Struct, kw_only=True):
    """A run that has begun, and the conversation that a chat has for it."""

    run_id: str
    "Id of the run (chat)."
    conversation_id: str | None
    "Id of the conversation."


class AdminBlock(Struct, kw_only=True):
    """A part of a document as it was read. ``kind`` heading, paragraph, list_item, code, table, image, formula or page_break."""

    kind: str
    "heading, paragraph, list_item, code, table, image, formula or page_break."
    text: str
    "What it says; of an image its caption and the text in it."
    level: int
    "Level of a heading (0: title of the document) or of an item of a list."
    page: int | None
    "Page that it stands on, from 1; null where there are none."
    rows: list[list[str | None]]
    "Rows of a table."
    url: str
    "Signed address of an image, for about an hour; empty for all else."


class AdminBoundDataset(Struct, kw_only=True):
    """A dataset by id and name."""

    id: str
    "Id of the knowledge base."
    name: str
    "Name of the knowledge base."


class AdminCanvas(Struct, kw_only=True):
    """A canvas as it was stored; ``version`` is empty for the draft."""

    workflow_id: str
    "Id of the workflow."
    version: str
    "Version as publishing named it; empty for the draft."
    dialect: str
    "Language of expressions in the canvas."
    submit_commit_id: str
    "Id of the stored draft, by its content."
    revision: int
    "Number that grows with every change of the draft; goes into `If-Match`."
    test_run_passed: bool
    "Whether a test run of this content went well."
    schema: Any
    "The canvas as it was stored."


class AdminCaption(Struct, kw_only=True):
    """What a model sees in an image."""

    caption: str
    "Text that describes the image; searches find the image by it."


class AdminCell(Struct, kw_only=True):
    """A cell that the table cannot take; rows count from 1, the header included."""

    sheet: str
    "Name of the sheet of a table."
    row: int
    "Row of the table or file, from 1."
    column: str
    "Name of the column."
    value: str
    "What the cell holds, as text."
    reason: str
    "Why it does not fit."


class AdminChunk(Struct, kw_only=True):
    """A slice to be; ``type`` 0 text, 1 image, 2 table."""

    id: int
    "Number of the piece, unique in the preview."
    text: str
    "Text."
    type: int
    "0 text, 1 image, 2 table."
    heading_path: list[str]
    "Headings above the piece, outermost first."
    page: int | None
    "Page of the document, from 1; null or 0: unknown."
    boxes: list[list[float]]
    "Where it stands: page, left, top, right and bottom as parts of the page, 0 to 1."


class AdminColumn(Struct, kw_only=True):
    """A guessed column: type 1 text, 2 number, 3 date, 4 float, 5 boolean, 6 image."""

    column_name: str
    "Name of the column, as the first row has it."
    column_type: int
    "Type of the column: 1 text, 2 number, 3 date, 4 float, 5 boolean, 6 image."
    is_semantic: bool
    "Whether rows are found by this column."
    sequence: int
    "Position of the column, from 0."


class AdminConnector(Struct, kw_only=True):
    """A connector and what it has of the agent; ``reason`` is why it was taken off."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    bound: bool
    "Whether the agent is published to it."
    version: str
    "Version as publishing named it; empty for the draft or for none."
    last_publish_time: int | None
    "When the agent was published to it last, in Unix seconds; null: never."
    reason: str
    "Why it was taken off, if somebody said so."
    allowed: bool
    "Whether the workspace may publish to it."


class AdminConnectorList(Struct, kw_only=True):
    """All installed connectors."""

    items: list[AdminConnector]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminConversation(Struct, kw_only=True):
    """A conversation; times in Unix seconds."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    agent_id: str | None
    "Id of the agent."
    name: str
    "Name that people read."
    metadata: dict[str, str]
    "Keys and texts of the caller; keys to 64, texts to 512 characters, at most 16."
    section_id: str
    "Section of the conversation; clearing the context begins a new one."
    creator_id: str
    "Id of the account that made it."
    connector_id: str
    "Connector (publishing channel) that it belongs to. In requests default 1024: the API."
    end_user_id: str
    "Id of the end user, as the caller names it."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."


class AdminConversationList(Struct, kw_only=True):
    """One page of conversations."""

    items: list[AdminConversation]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminCopy(Struct, kw_only=True):
    """A copy; ``status`` 1 done, 2 under way, 3 failed. Its documents are indexed after that."""

    dataset_id: str
    "Id of the knowledge base."
    status: int
    "State: 1 done, 2 under way, 3 failed."
    error: str
    "Why it failed; empty or null if it did not."


class AdminCounts(Struct, kw_only=True):
    """How much of each there is; of runs only whether there is one."""

    agents: int
    "Agents."
    workflows: int
    "Workflows."
    datasets: int
    "Knowledge bases."
    documents: int
    "Documents of all bases."
    plugins: int
    "Plugins."
    databases: int
    "Database tables."
    prompts: int
    "Prompts of the library."
    runs: int
    "At most one is counted: whether anything has run yet."


class AdminDatabaseReference(Struct, kw_only=True):
    """An agent that has a table as a tool."""

    agent_id: str
    "Id of the agent."
    name: str
    "Name that people read."


class AdminDatabaseReferenceList(Struct, kw_only=True):
    """All agents that have a table as a tool."""

    items: list[AdminDatabaseReference]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminDatasetReference(Struct, kw_only=True):
    """An agent whose draft searches the base."""

    agent_id: str
    "Id of the agent."
    name: str
    "Name that people read."


class AdminDatasetReferenceList(Struct, kw_only=True):
    """All agents bound to a base."""

    items: list[AdminDatasetReference]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminExaminedSlice(Struct, kw_only=True):
    """A slice to look at, with the beginning of what it says."""

    id: str
    "Its id."
    document_id: str
    "Id of the document."
    document_name: str
    "Name of the document that it is of."
    excerpt: str
    "The beginning of its content."
    char_count: int
    "Characters of the whole content."
    hit_count: int
    "How often searches found it."
    copies: int
    "How many of the examined slices say the same, this one included."


class AdminExaminedSlices(Struct, kw_only=True):
    """One page of slices behind a figure."""

    items: list[AdminExaminedSlice]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminExportedAgent(Struct, kw_only=True):
    """A draft as a document, and the names of the secrets that its import asks for."""

    document: dict[str, Any]
    "Begins with ``kind`` and ``format``; holds no secret."
    secrets: list[str]
    "Values that whoever imports it has to give, by name."


class AdminField(Struct, kw_only=True):
    """A field."""

    id: int
    "Number of the field, unique in the table."
    name: str
    "Name that people read."
    desc: str
    "What it is for, read by models."
    type: int
    "1 text, 2 integer, 3 date, 4 number, 5 boolean."
    must_required: bool
    "Whether every row must have a value."
    is_system: bool
    "Whether the system fills it."


class AdminFile(Struct, kw_only=True):
    """A file with everything known about it; ``url`` is signed and lasts an hour."""

    id: str
    "Its id."
    space_id: str
    "Id of the workspace (space)."
    creator_id: str
    "Id of the account that made it."
    name: str
    "Name that people read."
    media_type: str
    "Media type, for instance image/png."
    size: int
    "Size in bytes."
    sha256: str
    "SHA-256 of the content, hexadecimal."
    url: str
    "Address; of files signed for an hour."
    created_at: int
    "When it was made, in Unix seconds."
    purpose: str
    "What the file was uploaded for."
    expires_at: int | None
    "When it expires, in Unix seconds; null: never."


class AdminFlawCount(Struct, kw_only=True):
    """How many slices have a flaw."""

    flaw: str
    "`empty`, `duplicate`, `never_found` or `over_long`."
    count: int
    "Slices; of those that say the same, each counts."


class AdminImport(Struct, kw_only=True):
    """How far an import is: ``waiting``, ``running``, ``done`` or ``failed``."""

    id: str
    "Its id."
    database_id: str
    "Id of the database table."
    file_id: str
    "Id of an upload."
    file_name: str
    "Name of the file."
    status: str
    "State: waiting, running, done or failed."
    total: int
    "Items of all pages."
    rows: int
    "Rows that were read so far."
    problem: str
    "Why it cannot be taken; empty otherwise."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."


class AdminInterrupt(Struct, kw_only=True):
    """A question that is open; ``id`` goes into the answer as ``event_id``."""

    id: str
    "Id of the question; it goes back as `event_id`."
    type: int
    "Kind of the question: 2 question, 5 form, 7 access, 100 tool."
    node_id: str
    "Id of the node in the canvas."
    schema_node_id: str
    "Id of the node in the outer canvas."
    node_title: str
    "Title of the node in the canvas."
    node_icon: str
    "Address of the icon of the node."
    data: str
    "What is asked, as text or JSON text."


class AdminKnowledge(Struct, kw_only=True):
    """Datasets and how they are searched; ``dataset_infos`` names them."""

    datasets: list[str]
    "Ids of the knowledge bases to search."
    dataset_infos: list[AdminBoundDataset]
    "Ids and names of the knowledge bases."
    auto: bool
    "Search before every answer; false leaves it to the model when to search."
    search_strategy: int
    "0 semantic, 1 hybrid, 20 full text."
    top_k: int
    "Results, at most."
    min_score: float
    "Score that results need, 0 to 1; default 0.5."
    show_source: bool
    "Whether answers name their sources."
    show_source_mode: int
    "How sources are shown: 0 as a list, 1 as cards."
    no_recall_reply_mode: int
    "When nothing was found: 0 the model answers anyway, 1 it follows a text, 2 the text is the answer."
    no_recall_reply_customize_prompt: str
    "Text that is answered when nothing was found, in mode 1."
    use_rerank: bool
    "Order results by a reranking model."
    use_rewrite: bool
    "The question is made self-contained by the history."
    use_nl2sql: bool
    "Ask tables by SQL that a model writes."
    max_tokens: int | None
    "Tokens of all results together; None is what the caller has room for."
    embedding_weight: float | None
    "What vectors count beside words; None depends on the embedding model."
    expansion: int
    "Further wordings that are searched, too; a rewrite is not needed then."
    expansion_model: str
    "Writes questions anew; empty for the default model."
    expansion_background: str
    "What the model should know of the subject before it writes."
    rerank_model: str
    "Reranking model; empty for the default."
    rerank_weight: float
    "What the order of the reranking model counts beside the one before."
    is_personal_only: bool
    "Only documents of the calling end user."
    expand: str
    "Slices joined to what was found; None shows sections whole that were cut into parts."
    threshold_mode: str
    "``fastgpt`` ignores the minimum in full-text and mixed mode without a reranking model."
    filter: dict[str, Any] | None
    "A metadata filter as JSON, tags included."


class AdminLastRun(Struct, kw_only=True):
    """The newest run of a workflow."""

    id: str
    "Its id."
    phase: str
    "`created`, `running`, `success`, `failed`, `cancelled` or `interrupted`."
    created_at: int
    "When it was made, in Unix seconds."


class AdminLengthBin(Struct, kw_only=True):
    """How many slices have at least so many characters, and fewer than the next bin's."""

    at_least: int
    "Characters."
    count: int
    "Slices."


class AdminLibraryPrompt(Struct, kw_only=True):
    """A prompt; those that come with the product have no workspace and no times."""

    id: str
    "Its id."
    workspace_id: str | None
    "Id of the workspace."
    creator_id: str | None
    "Id of the account that made it."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    prompt_text: str
    "Text of the prompt."
    tags: list[str]
    "Tags, for filters of searches: texts, numbers or lists of texts, by name."
    created_at: int | None
    "When it was made, in Unix seconds."
    updated_at: int | None
    "When it was changed last, in Unix seconds."


class AdminMemory(Struct, kw_only=True):
    """What is remembered of conversations and end users."""

    summary: bool
    "Whether older messages are summarised."
    long_term: bool
    "Whether facts about end users are remembered beyond conversations."
    model_id: str
    "Id of the model; empty or null for the default."


class AdminModel(Struct, kw_only=True):
    """Settings of the model; ``model_name`` is what ``model_id`` resolves to."""

    model_id: str
    "Id of the model; empty or null for the default."
    model_name: str
    "Name of the model."
    temperature: float | None
    "How varied answers are, 0 to 2; null for the default of the model."
    top_p: float | None
    "Share of the likeliest tokens that count, 0 to 1; null for the default of the model."
    top_k: int | None
    "Results, at most."
    presence_penalty: float | None
    "How much words that occurred are avoided, -2 to 2."
    frequency_penalty: float | None
    "How much repeated words are avoided, -2 to 2."
    max_tokens: int | None
    "Tokens of the answer, at most; null for the default of the model."
    response_format: int | None
    "Form of the answer."
    style: int
    "Preset of the sampling: 0 custom, 1 creative, 2 balanced, 3 precise."
    history_rounds: int | None
    "Rounds (question and answer) of history that the model sees; null for the default."
    cache_type: str | None
    "Cache of the provider that requests may use."
    sp_current_time: bool
    "Whether the model is told the time."
    sp_anti_leak: bool
    "Whether the model is told to keep its instructions to itself."
    parameters: dict[str, str]
    "Further parameters of the model, as texts by name."
    lock_model_params: bool
    "Requests may not change sampling, length or format."
    tool_choice: str
    "What the first step does: ``auto``, ``required`` (calls some tool) or the name of a tool; later steps are free. ``none``: the model gets no tools at all."


class AdminNeed(Struct, kw_only=True):
    """Something a canvas names: ``kind`` is workflow, model, dataset, plugin or database. ``detail`` is the version of a workflow or the tool of a plugin; ``mapped_from`` all ids of the export that it replaced."""

    kind: str
    "workflow, model, dataset, plugin or database."
    id: str
    "Its id."
    name: str
    "Name that people read."
    detail: str
    "Version of a workflow, or tool of a plugin."
    node_ids: list[str]
    "Ids of the nodes that name it."
    exists: bool
    "Whether it exists here."
    mapped_from: list[str]
    "Ids in the export that were replaced by this one."


class AdminOnboarding(Struct, kw_only=True):
    """What an end user sees first."""

    prologue: str
    "Greeting before the first question."
    suggested_questions: list[str]
    "Questions that are suggested before the first one; at most 10."


class AdminPage(Struct, kw_only=True):
    """A page; its sides are in points."""

    number: int
    "Number of the page, from 1."
    width: float
    "Width in points."
    height: float
    "Height in points."
    has_text: bool
    "Whether something of the page was read as text."


class AdminPages(Struct, kw_only=True):
    """The pages of a document, none for formats without; ``generation`` names this reading."""

    generation: int
    "Number of the reading that searches see."
    pages: list[AdminPage]
    "Pages in order; none for formats without."


class AdminPresent(Struct, kw_only=True):
    """Somebody else who has it open; ``since`` is when they opened it."""

    user_id: str
    "Who it is."
    since: int
    "When they opened it, in Unix seconds."


class AdminPreview(Struct, kw_only=True):
    """A preview; ``status`` 0 being read, 1 ready, 2 failed. ``chunks`` once it is ready."""

    id: str
    "Its id."
    dataset_id: str
    "Id of the knowledge base."
    name: str
    "Name that people read."
    type: str
    "Extension of the file, for instance pdf."
    size: int
    "Size in bytes."
    status: int
    "State: 0 being read, 1 ready, 2 failed."
    fail_code: int
    "Stable number of the error; 0 if it did not fail."
    fail_reason: str
    "Why it failed, in a sentence; empty if it did not."
    chunk_count: int
    "Pieces that the document was cut into."
    chunks: list[AdminChunk]
    "Pieces in their order."
    created_at: int
    "When it was made, in Unix seconds."
    expires_at: int
    "When it expires, in Unix seconds; null: never."


class AdminPreviewList(Struct, kw_only=True):
    """Previews of one request, in its order."""

    items: list[AdminPreview]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminProgress(Struct, kw_only=True):
    """How far the indexing of a document is; ``status`` as of a document."""

    percent: int
    "Progress, 0 to 100."
    remaining_s: int
    "Seconds until it is done, estimated; 0 where nobody can say."
    document_id: str
    "Id of the document."
    status: int
    "State: -1 waiting, 4 being indexed."
    slice_count: int
    "Slices that it has."
    fail_code: int
    "Stable number of the error; 0 if it did not fail."
    fail_reason: str
    "Why it failed, in a sentence; empty if it did not."


class AdminProgressList(Struct, kw_only=True):
    """Progress of documents; ``total`` counts all that are in work."""

    items: list[AdminProgress]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminPrompt(Struct, kw_only=True):
    """The persona."""

    text: str
    "Text."


class AdminPromptList(Struct, kw_only=True):
    """One page of prompts, newest first."""

    items: list[AdminLibraryPrompt]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminPromptUse(Struct, kw_only=True):
    """An agent or workflow whose draft has the text of a prompt."""

    type: Literal["agent", "workflow"]
    "What it is: `agent` or `workflow`."
    id: str
    "Its id."
    name: str
    "Name that people read."


class AdminPromptUses(Struct, kw_only=True):
    """What has the text of a prompt: agents, then workflows, by name."""

    items: list[AdminPromptUse]
    "Items of the page, in order."
    total: int
    "Items of all pages."


class AdminReading(Struct, kw_only=True):
    """Blocks in reading order, up to 200 at a time."""

    items: list[AdminBlock]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminRebuild(Struct, kw_only=True):
    """The youngest rebuild of an index: ``building``, ``switched``, ``done`` or ``failed``. Searches use the new index from ``switched`` on."""

    state: str
    "State: building, switched, done or failed."
    embedding_model: str
    "Embedding model of the index; empty for the default."
    index_version: int
    "Number of the index that is built."
    percent: int
    "Progress, 0 to 100."
    done: int
    "Slices that are indexed."
    total: int
    "Items of all pages."
    error: str
    "Why it failed; empty or null if it did not."


class AdminReconciliation(Struct, kw_only=True):
    """What was found and repaired, by kind; ``skipped`` while the index is built anew."""

    skipped: bool
    "Whether nothing was done, because the index is built anew."
    findings: dict[str, int]
    "What was found and repaired, by kind."


class AdminReviewedNeed(Struct, kw_only=True):
    """Something a canvas names that is to be imported."""

    exists: bool
    "Whether it exists here."
    brought_by: int | None
    "The file of the same review that holds this workflow, counted from 0."
    kind: str
    "workflow, model, dataset, plugin or database."
    id: str
    "Its id."
    name: str
    "Name that people read."
    detail: str
    "More about it, for people who look for the cause."
    node_ids: list[str]
    "Ids of the nodes that name it."


class AdminReviewedNode(Struct, kw_only=True):
    """A node of a canvas that is to be imported."""

    id: str
    "Its id."
    title: str
    "What people call it."


class AdminRunError(Struct, kw_only=True):
    """Why a run failed; ``reason`` is a stable name."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    message: str
    "What happened, in a sentence."
    reason: str
    "Stable name of the error."


class AdminRunFault(Struct, kw_only=True):
    """Why a run or a node failed; ``code`` is the number in records."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    message: str
    "What happened, in a sentence."
    node_id: str
    "Id of the node in the canvas."


class AdminRunUsage(Struct, kw_only=True):
    """Tokens over all model calls; ``estimated`` where the provider told none."""

    input_tokens: int
    "Tokens of the input."
    output_tokens: int
    "Tokens of the answer."
    total_tokens: int
    "Tokens of input and answer together."
    estimated: bool
    "Whether the provider told no figures, so that they were counted here."


class AdminScriptCount(Struct, kw_only=True):
    """How many of the sampled slices are mostly in a script."""

    script: str
    "`zh`, `ja`, `ko`, `cyrillic`, `arabic`, `latin` or `other`."
    count: int
    "Slices of the sample."


class AdminSheet(Struct, kw_only=True):
    """A sheet of a workbook; its rows include the header."""

    sheet_id: int
    "Number of the sheet, from 0."
    name: str
    "Name that people read."
    rows: int
    "Rows of the sheet, with the one of the names."
    is_hidden: bool
    "Whether it is kept from sight."


class AdminSlice(Struct, kw_only=True):
    """A slice; ``status`` 0 pending, 1 indexed, 9 failed. ``sequence`` need not be whole."""

    id: str
    "Its id."
    document_id: str
    "Id of the document."
    dataset_id: str
    "Id of the knowledge base."
    sequence: float
    "Place among the slices of the document; need not be whole."
    content: str
    "Text; in requests also a list of parts where the schema says so."
    char_count: int
    "Characters of the text."
    hit_count: int
    "How often searches found it."
    status: int
    "State: 0 pending, 1 indexed, 9 failed."
    fail_reason: str
    "Why it failed, in a sentence; empty if it did not."
    enabled: bool
    "Whether searches see it."
    heading_path: list[str]
    "Headings above the piece, outermost first."
    page: int | None
    "First page it stands on, from 1; null where there are none."
    sheet: str
    "Sheet of a table; empty where there is only one, or none."
    row: int | None
    "Row of the sheet, from 1; null where there are none."
    boxes: list[list[float]]
    "Where it stands: page, left, top, right and bottom as parts of the page, 0 to 1."
    tokens: int
    "Tokens that it takes, estimated."
    is_edited: bool
    "Whether somebody changed what was read."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."


class AdminSliceList(Struct, kw_only=True):
    """One page of slices, in order."""

    items: list[AdminSlice]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminSpanUsage(Struct, kw_only=True):
    """Tokens of a call; ``estimated`` where the provider told none."""

    input_tokens: int
    "Tokens of the input."
    output_tokens: int
    "Tokens of the answer."
    cached_tokens: int
    "Of the input: tokens that the provider's cache had."
    reasoning_tokens: int
    "Of the answer: tokens of reasoning."
    estimated: bool
    "Whether the provider told no figures, so that they were counted here."


class AdminSuggest(Struct, kw_only=True):
    """Follow-up questions."""

    mode: int
    "0 written by a model, 1 by rules of its own (`customized_prompt`), 2 none."
    customized_prompt: str
    "Rules by which follow-up questions are written, in the mode `customized`."


class AdminTableCheck(Struct, kw_only=True):
    """Whether a file fits a table, and if not, why."""

    valid: bool
    "Whether the file fits the table."
    missing_columns: list[str]
    "Columns of the table that the file lacks."
    unknown_columns: list[str]
    "Columns of the file that the table lacks."
    cells: list[AdminCell]
    "Cells that do not fit their columns; the first of them."


class AdminTableSchema(Struct, kw_only=True):
    """What a file looks like as a table, with its first rows."""

    table_meta: list[AdminColumn]
    "Columns of the table."
    sheets: list[AdminSheet]
    "Sheets of the file."
    rows: list[list[str | None]]
    "The first rows, as texts."
    total: int
    "Items of all pages."


class AdminTaggedPromptList(Struct, kw_only=True):
    """One page of prompts of a workspace, newest first, and what they can be found by."""

    items: list[AdminLibraryPrompt]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."
    tags: list[str]
    "Tags of all prompts of the workspace, in order."


class AdminTeamMember(Struct, kw_only=True):
    """Another agent of a team by id and name."""

    id: str
    "Its id."
    name: str
    "Name that people read."


class AdminTraceFigures(Struct, kw_only=True):
    """Figures of some runs; percentiles are times that some run really took."""

    runs: int
    "Runs that nobody else called."
    errors: int
    "Those that failed."
    duration_p50_us: int
    "Microseconds that half of the runs did not exceed."
    duration_p95_us: int
    "Microseconds that 95 of 100 runs did not exceed."
    first_token_p50_ms: int | None
    "Milliseconds to the first token that half of the runs did not exceed; null without any."
    first_token_p95_ms: int | None
    "Milliseconds to the first token that 95 of 100 runs did not exceed."
    input_tokens: int
    "Tokens that models were sent."
    output_tokens: int
    "Tokens that models answered."
    cost: str
    "Points as a decimal number."


class AdminTracePoint(Struct, kw_only=True):
    """Figures of the runs that began in one interval."""

    at: int
    "Begin of the interval in Unix seconds; days are those of UTC."
    figures: AdminTraceFigures


class AdminTraceSeries(Struct, kw_only=True):
    """Runs that have something in common."""

    key: str
    "Id of the agent or workflow, version, name of the model or tool, tag, state; or empty."
    total: AdminTraceFigures
    points: list[AdminTracePoint]
    "One for each interval that has runs, in order; empty without `interval`."


class AdminTraceSettings(Struct, kw_only=True):
    """How much of runs of a workspace is kept; for how long stands in its retention."""

    capture: str | None
    "`off`, `metadata` or `content`; null: as the deployment says."
    redaction: list[str]
    "Regular expressions (RE2): what they match is masked before anything is stored."
    updated_at: int | None
    "When they were changed last, in Unix seconds; null if never."
    updated_by: str | None
    "Who changed them last."


class AdminTraceSettingsBody(Struct, kw_only=True):
    """All that a workspace says about its traces."""

    capture: str | None
    "`off`, `metadata` or `content`; null: as the deployment says. An agent or workflow may say otherwise for itself."
    redaction: list[str]
    "At most 20 regular expressions in the notation of RE2, each of at most 500 characters. What is no text is masked as JSON. None may match where there is nothing."


class AdminTraceStatistics(Struct, kw_only=True):
    """Statistics of runs from one time to another."""

    since: int
    "Begin in Unix seconds."
    until: int
    "End in Unix seconds."
    items: list[AdminTraceSeries]
    "The groups with most runs, those with most first."


class AdminTraceSummary(Struct, kw_only=True):
    """What a list shows of a run: where, how it ended, how long it took and what it cost."""

    run_id: str
    "Id of the run (chat)."
    workspace_id: str
    "Id of the workspace."
    kind: str
    "`chat` or `workflow`."
    trace_id: str
    "By which tools of OpenTelemetry know it: that of the caller, where one was told."
    parent_run_id: str | None
    "The run that this one is a part of; such runs are not listed."
    name: str
    "Name of the agent or workflow."
    agent_id: str | None
    "The agent that was asked; null if none was."
    workflow_id: str | None
    "The workflow that ran, or answered; null if none did."
    version: str
    "Version as publishing named it; empty for a draft."
    source: str
    "From where it was asked for: playground, api, openai, mcp, share_link, embed, channel, trigger, evaluation or ingest."
    connector_id: str
    "Connector (publishing channel) that it belongs to. In requests default 1024: the API."
    creator_id: str
    "Id of the account that made it."
    end_user_id: str
    "Id of the end user, as the caller names it."
    conversation_id: str | None
    "The conversation that it belongs to; null for workflows outside of one."
    capture: str
    "How much of it was kept: metadata, or content as well."
    status: str
    "completed, failed, cancelled or interrupted: it waits for somebody."
    error_code: int
    "Why it failed, as a code; 0 if it did not."
    error: str
    "Why it failed, in words; empty if it did not."
    started_at: int
    "When it began, in Unix seconds."
    ended_at: int
    "When it ended, or began to wait, in Unix seconds."
    waited_ms: int
    "From the request to the start, if the run had to wait for its turn."
    duration_us: int
    "From the start on, over all stretches."
    first_token_ms: int | None
    "From the start of its stretch on."
    steps: int
    "Rounds of its agents, or nodes of its workflow."
    tool_calls: int
    "Calls of tools."
    spans: int
    "How many steps are told of it, without those of runs that it called."
    input_tokens: int
    "Tokens of the input."
    output_tokens: int
    "Tokens of the answer."
    cached_tokens: int
    "Of the input: tokens that the provider's cache had."
    reasoning_tokens: int
    "Of the answer: tokens of reasoning."
    cost: str
    "Points of all model calls, as a decimal number."
    models: list[str]
    "Names of the models that were asked."
    tools: list[str]
    "Names of the tools that were called."
    tags: list[str]
    "Words that the request gave it, by which it is found."
    is_rebuilt: bool
    "Some of it is only what the events of a lost run tell."
    pinned_at: int | None
    "Since when it is kept beyond its time, in Unix seconds; null if it is not."
    pinned_by: str | None
    "Account that keeps it; null if none does."


class AdminVerdicts(Struct, kw_only=True):
    """How many liked answers of a run, and how many did not."""

    up: int
    "People who liked an answer, once for each answer."
    down: int
    "People who did not."


class AdminVersion(Struct, kw_only=True):
    """A version in a list."""

    version: str
    "Version as publishing named it; empty for the draft or for none."
    description: str
    "What it is for; models and people read it."
    creator_id: str
    "Id of the account that made it."
    created_at: int
    "When it was made, in Unix seconds."


class AdminVersionList(Struct, kw_only=True):
    """One page of versions, newest first."""

    items: list[AdminVersion]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminWaitingCall(Struct, kw_only=True):
    """A call that a run stands still for; ``arguments`` are JSON."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    arguments: str
    "Arguments of the call, as JSON text."


class AdminWord(Struct, kw_only=True):
    """A word; ``box`` is left, top, right and bottom as parts of the page, 0 to 1."""

    text: str
    "The word."
    box: list[float]
    "Left, top, right and bottom as parts of the page, 0 to 1."


class AdminWords(Struct, kw_only=True):
    """The words of a page, in the order of the file."""

    items: list[AdminWord]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminWorkflowFacts(Struct, kw_only=True):
    """What is around a workflow."""

    callers: int
    "How many workflows call it."
    last_run: AdminLastRun | None
    "The newest run, test runs included; null if there was none."


class AdminWorkflowReference(Struct, kw_only=True):
    """A workflow that calls this one, from its ``draft`` or its ``published`` version."""

    workflow_id: str
    "Id of the workflow."
    name: str
    "Name that people read."
    source: str
    "Where it calls: `draft` or `published`."
    version: str
    "Version as publishing named it; empty for the draft or for none."


class AdminWorkflowReferenceList(Struct, kw_only=True):
    """Everything that calls a workflow."""

    items: list[AdminWorkflowReference]
    "Items of the page, in order."
    total: int
    "Items of all pages."


class AffectedRecords(Struct, kw_only=True):
    """How many rows were touched."""

    affected: int
    "Rows that were changed."


class AgentSwitchedEvent(Struct, kw_only=True, tag_field="type", tag="agent.switched"):
    """Another agent answers from here on; ``brief`` is what it was told by the one before."""

    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the agent."
    name: str
    "Name that people read."
    from_agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the agent that answered before."
    from_name: str
    "Name of the agent that answered before."
    brief: str
    "What the agent was told by the one before."
    at_ms: int
    "When it happened, in Unix milliseconds."


class AnswerOAuthRequestBody(Struct, kw_only=True):
    """A person's answer to an application."""

    decision: Literal["approve", "deny"]
    "`approve` or `deny`."
    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Where the application may act; needed to approve."


AppVariableChannel: TypeAlias = Annotated[
    Literal["custom", "app", "system"], Meta(title="AppVariableChannel")
]
"Who holds the value of a variable: every end user one of his own, or the app one for all."
AppVariableType: TypeAlias = Annotated[
    Literal["any", "string", "integer", "float", "boolean", "object", "list"],
    Meta(title="AppVariableType"),
]
"What a variable holds; the checks of workflows look at it. ``any``: nobody said."


class AudioItem(Struct, kw_only=True, tag_field="type", tag="audio"):
    """A recording, by the id of an upload or by address."""

    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | UnsetType = UNSET
    "Id of an upload."
    file_url: str | UnsetType = UNSET
    "Address (http, https), instead of an id."
    name: str | UnsetType = UNSET
    "Name to show."


class AuditItem(Struct, kw_only=True):
    """A line of the audit log; workspace ``0`` is the deployment, actor ``0`` the system."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace; 0: the deployment."
    actor_id: str
    "Id of the account that did it; 0: the system."
    action: str
    "Operation by which it was done, as the table of routes names it; without a request the event."
    resource: str
    "Type and id, as ``agent:7``."
    result: str
    "ok, or how it failed."
    detail: dict[str, Any]
    "JSON object with what else there is to tell."
    log_id: str
    "Id of the request in the log; support asks for it."
    at: int
    "When it happened, in Unix seconds."
    token_id: str | None
    "Token of the request."
    session_id: str | None
    "Browser session of the request."
    address: str | None
    "Address that the request came from; null for what came from none."
    resource_name: str | None
    "Name of that, at the time."
    changes: dict[str, Any]
    "JSON object: field by field, what it was and what it is; without secrets."
    position: int | None
    "Place in the chain, from 1; None until it is chained, moments after the commit."
    digest: str | None
    "Digest that chains the row to the one before; null for the moment until it is chained."


class AuditItems(Struct, kw_only=True):
    """One page of the audit log."""

    items: list[AuditItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AuthProvider(Struct, kw_only=True):
    """A provider of OpenID Connect."""

    id: str
    "Name of the provider in addresses."
    name: str
    "What its button says."


AuthType: TypeAlias = Annotated[
    Literal["none", "service", "oauth_client_credentials", "oauth_authorization_code"],
    Meta(title="AuthType"),
]
"How calls prove who they are."
Id: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class BatchBody(Struct, kw_only=True):
    """Documents, and what is done with all: enable, disable, tag, refetch, resegment or delete. ``tags`` for ``tag``: added to those that each has; null takes one away."""

    ids: list[Id]
    "Ids of documents of the base, 1 to 100."
    action: str
    "enable, disable, tag, refetch, resegment or delete."
    tags: dict[str, str | bool | int | float | list[str] | None] | None | UnsetType = UNSET
    "Tags, for filters of searches: texts, numbers or lists of texts, by name."


BodyMedia: TypeAlias = Annotated[
    Literal[
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/octet-stream",
    ],
    Meta(title="BodyMedia"),
]
"How the body is written."
DatasetId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class BotKnowledgeFields(Struct, kw_only=True):
    """Datasets of a bot."""

    dataset_ids: list[DatasetId] | None | UnsetType = UNSET
    "Ids of knowledge bases."
    auto_call: bool | None | UnsetType = UNSET
    "Search before every answer; false leaves it to the model when to search."
    search_strategy: int | None | UnsetType = UNSET
    "0 semantic, 1 hybrid, 20 full text."


class BotKnowledgeInfo(Struct, kw_only=True):
    """A dataset by id and name."""

    id: str
    "Its id."
    name: str
    "Name that people read."


class BotModel(Struct, kw_only=True):
    """Model settings of a bot."""

    model_id: str
    "Id of the model; empty or null for the default."
    model_name: str
    "Name of the model."
    sp_anti_leak: bool
    "Whether the model is told to keep its instructions to itself."
    sp_current_time: bool
    "Whether the model is told the time."
    temperature: float | None | UnsetType = UNSET
    "How varied answers are, 0 to 2; null for the default of the model."
    top_p: float | None | UnsetType = UNSET
    "Share of the likeliest tokens that count, 0 to 1; null for the default of the model."
    top_k: int | None | UnsetType = UNSET
    "Results, at most."
    presence_penalty: float | None | UnsetType = UNSET
    "How much words that occurred are avoided, -2 to 2."
    frequency_penalty: float | None | UnsetType = UNSET
    "How much repeated words are avoided, -2 to 2."
    max_tokens: int | None | UnsetType = UNSET
    "Tokens of the answer, at most; null for the default of the model."
    context_round: int | None | UnsetType = UNSET
    "Rounds (question and answer) of history that the model sees; null for the default."
    response_format: str | None | UnsetType = UNSET
    "Form of the answer."
    cache_type: str | None | UnsetType = UNSET
    "Cache of the provider that requests may use."
    parameters: dict[str, str] | None | UnsetType = UNSET
    "Further parameters of the model, as texts by name."


class BotOnboarding(Struct, kw_only=True):
    """Opening of a bot."""

    prologue: str
    "Greeting before the first question."
    suggested_questions: list[str]
    "Questions that are suggested before the first one; at most 10."


class BotOnboardingFields(Struct, kw_only=True):
    """Opening of a bot."""

    prologue: str | None | UnsetType = UNSET
    "Greeting before the first question."
    suggested_questions: list[str] | None | UnsetType = UNSET
    "Questions that are suggested before the first one; at most 10."


class BotPrompt(Struct, kw_only=True):
    """Persona of a bot."""

    prompt: str
    "Text that tells the model who it is and what to do."


class BotPromptFields(Struct, kw_only=True):
    """Persona of a bot."""

    prompt: str | None | UnsetType = UNSET
    "Text that tells the model who it is and what to do."


class BotReference(Struct, kw_only=True):
    """A bot by its id, with the version that publishing made."""

    bot_id: str
    "Id of the agent (bot)."
    version: str | UnsetType = ""
    "Version as publishing named it; empty for the draft or for none."


class BotShortcutComponent(Struct, kw_only=True):
    """A field of the form."""

    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    type: str
    "What people enter: text, a choice or a file."
    tool_parameter: str
    "Parameter of the tool that the field fills."
    default_value: str
    "Value where nothing was set, as text."
    is_hide: bool
    "Whether the field is hidden from people."
    options: list[str]
    "Values to choose from."


class BotShortcutParameter(Struct, kw_only=True):
    """A parameter of the tool."""

    name: str
    "Name that people read."
    is_required: bool
    "Whether it must be given."
    description: str
    "What it is for; models and people read it."
    type: str
    "Type of the value."
    default_value: str
    "Value where nothing was set, as text."
    is_refer_component: bool
    "Whether the form fills it."


class BotTool(Struct, kw_only=True):
    """A tool of a plugin."""

    api_id: str
    "Id of the tool."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."


class BotToolId(Struct, kw_only=True):
    """A tool of a plugin."""

    plugin_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the plugin."
    api_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the tool."


class BotToolIds(Struct, kw_only=True):
    """Tools of a bot."""

    id_list: list[BotToolId] | None | UnsetType = UNSET
    "Tools of plugins."


class BotVersionCreator(Struct, kw_only=True):
    """Who published a version."""

    id: str
    "Its id."
    name: str
    "Name that people read."


class BotWorkflow(Struct, kw_only=True):
    """A workflow that a bot uses."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    icon_url: str
    "Address of the icon, signed for an hour; empty for none."


class BotWorkflowId(Struct, kw_only=True):
    """A workflow."""

    id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Its id."


class BotWorkflowIds(Struct, kw_only=True):
    """Workflows of a bot."""

    ids: list[BotWorkflowId] | None | UnsetType = UNSET
    "Ids, in the order of the request."


class BreakerView(Struct, kw_only=True):
    """Whether a model is called by this process, after how its calls went."""

    model: str
    "Name of the model or agent."
    state: str
    "State: building, switched, done or failed."


BudgetPeriod: TypeAlias = Annotated[
    Literal["day", "week", "month", "forever"], Meta(title="BudgetPeriod")
]
"When a budget begins anew."
BudgetSubject: TypeAlias = Annotated[
    Literal["workspace", "agent", "app", "token", "share_link", "member", "end_user"],
    Meta(title="BudgetSubject"),
]
"Whose calls a budget counts."
BudgetUnit: TypeAlias = Annotated[Literal["money", "points", "tokens"], Meta(title="BudgetUnit")]
"What a budget counts; money is that of the deployment."
CacheType: TypeAlias = Annotated[Literal["closed", "prefix"], Meta(title="CacheType")]
"Whether the provider may keep the common prefix of prompts."


class CalledFunction(Struct, kw_only=True):
    """What the client is to call; ``arguments`` is JSON text."""

    name: str
    "Name that people read."
    arguments: str
    "Arguments of the call, as JSON text."


class CancelRequest(Struct, kw_only=True):
    """Body of ``POST /v3/chat/cancel``."""

    conversation_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the conversation."
    chat_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the chat."


class Capabilities(Struct, kw_only=True):
    """What a model can do; decides which shims a request passes through."""

    tools: Literal["native", "prompt_prefix", "prompt_tags", "prompt_jsonrpc", "none"]
    "How tools are offered: natively, in the prompt (`prompt_...`), or none."
    parallel_tools: bool
    "Whether the model may call several tools at once."
    vision: bool
    "Whether the model sees images."
    audio: bool
    "Whether the model hears sound."
    json_object: bool
    "Whether the model can be held to JSON."
    json_schema: bool
    "Whether the model can be held to a schema."
    reasoning: bool
    "Whether the model thinks before it answers."
    reasoning_effort: bool
    "It can be told how much to think."
    verbosity: bool
    "It can be told how long answers are to be."
    implied_open_tag: bool
    "The model's template already opens the think tag, so only the closing one is emitted."
    system_messages: Literal["many", "first", "none"]
    "How many system messages the model takes: many, first or none."
    stream_usage: bool
    "Whether the provider tells tokens at the end of a stream."


class CaptionBody(Struct, kw_only=True):
    """What an image shows; an empty text keeps it out of searches."""

    caption: str
    "Text that describes the image; searches find the image by it."


class CaptionOfImageBody(Struct, kw_only=True):
    """What an image shows; an empty text keeps it out of searches."""

    caption: str
    "Text that describes the image; searches find the image by it."


class CellProblem(Struct, kw_only=True):
    """A cell that does not fit its field."""

    row: int
    "Of the file, from 1; the header does not count."
    column: str
    "Name of the field."
    message: str
    "What is wrong with it."


class ChainReport(Struct, kw_only=True):
    """Whether the chain of the audit log holds."""

    is_intact: bool
    "Whether nothing was changed, added or taken away."
    checked: int
    "Rows that were followed."
    unchained: int
    "Rows that are not chained yet, which takes a second."
    broken_at: str | None
    "Id of the first entry that is not what was chained, or of the one after a missing one."
    is_complete: bool
    "Whether the newest link is the one that the chain ends with."


class ChangeBudgetBody(Struct, kw_only=True):
    """Changes of a budget; what is absent stays, and so does what was used."""

    name: str | UnsetType = UNSET
    "Name that people read."
    amount: str | UnsetType = UNSET
    "How much may be used per period: above 0."
    soft_limits: list[int] | UnsetType = UNSET
    "Percentages, each from 1 to 99, at which an event tells the owners."
    is_hard: bool | UnsetType = UNSET
    "Whether nothing new begins once all of it is used."


class ChangePromptBody(Struct, kw_only=True):
    """Changes of a prompt."""

    name: str | UnsetType = UNSET
    "Name that people read."
    description: str | UnsetType = UNSET
    "What it is for; models and people read it."
    prompt_text: str | UnsetType = UNSET
    "Text of the prompt."
    tags: list[str] | UnsetType = UNSET
    "Tags, for filters of searches: texts, numbers or lists of texts, by name."


BotId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class ChannelBehaviour(Struct, kw_only=True):
    """How a channel behaves."""

    name: str
    "What the channel is called, 1 to 50 characters."
    is_enabled: bool | UnsetType = True
    "Off: the platform is still answered, and nobody else."
    language: Literal["en", "zh"] | UnsetType = "en"
    "Of what the app says of its own."
    only_when_mentioned: bool | UnsetType = True
    "In groups: answer those who address the app, and nobody else."
    takes_files: bool | UnsetType = True
    "Whether files that come with messages are read."
    edits: bool | UnsetType = True
    "Show answers while they are written, where the platform lets messages be replaced."
    slow_after_s: int | UnsetType = 10
    "After how long without an answer ``slow_text`` is sent; 0: never."
    slow_text: str | UnsetType = ""
    "Empty: the usual words."
    failed_text: str | UnsetType = ""
    "What is said instead of an answer that failed; empty: the usual words."
    closed_text: str | UnsetType = ""
    "What is said when the target is not published any more; empty: the usual words."


class ChannelBehaviourChanges(Struct, kw_only=True):
    """Changes of how a channel behaves; what is absent stays, null resets it."""

    name: str | None | UnsetType = UNSET
    "What the channel is called, 1 to 50 characters."
    is_enabled: bool | None | UnsetType = UNSET
    "Off: the platform is still answered, and nobody else."
    language: Literal["en", "zh"] | None | UnsetType = UNSET
    "Of what the app says of its own."
    only_when_mentioned: bool | None | UnsetType = UNSET
    "In groups: answer those who address the app, and nobody else."
    takes_files: bool | None | UnsetType = UNSET
    "Whether files that come with messages are read."
    edits: bool | None | UnsetType = UNSET
    "Show answers while they are written, where the platform lets messages be replaced."
    slow_after_s: int | None | UnsetType = UNSET
    "After how long without an answer ``slow_text`` is sent; 0: never."
    slow_text: str | None | UnsetType = UNSET
    "Empty: the usual words."
    failed_text: str | None | UnsetType = UNSET
    "What is said instead of an answer that failed; empty: the usual words."
    closed_text: str | None | UnsetType = UNSET
    "What is said when the target is not published any more; empty: the usual words."


class ChannelCredential(Struct, kw_only=True):
    """A credential: whether it is there; its text only where it is no secret."""

    name: str
    "Its name on the platform."
    is_secret: bool
    "Whether its text is never told."
    is_required: bool
    "Whether the platform needs it."
    is_set: bool
    "Whether it is there."
    value: str
    "Its text; empty for secrets."
    choices: list[str]
    "Not empty: what it may be, the usual one first."


class ChannelPlatform(Struct, kw_only=True):
    """A platform on which channels can be, and what it asks for."""

    name: str
    "`feishu`, `slack` or `wecom`."
    credentials: list[ChannelCredential]
    "What it asks for."
    has_groups: bool
    "Whether the app can be in groups."
    takes_files: bool
    "Whether files can come with messages."
    edits: bool
    "Answers are shown there while they are written."


class ChannelTestResult(Struct, kw_only=True):
    """Who the app is on its platform, and what answers there; else the problem."""

    is_ok: bool
    "Whether the platform knows the app, and somebody would answer."
    bot_id: str
    "Who the app is on its platform."
    bot_name: str
    "What it is called there."
    target_name: str
    "What answers."
    problem: str
    "What is wrong; empty if nothing is."


class ChatDelta(Struct, kw_only=True):
    """A piece of an answer."""

    id: str
    "Its id."
    conversation_id: str
    "Id of the conversation."
    bot_id: str
    "Id of the agent (bot)."
    chat_id: str
    "Id of the chat."
    section_id: str
    "Section of the conversation; clearing the context begins a new one."
    role: Literal["assistant"]
    "Always ``assistant``."
    type: Literal["answer"]
    "Always ``answer``."
    content: str
    "Text; in requests also a list of parts where the schema says so."
    content_type: Literal["text"]
    "Always ``text``."
    reasoning_content: str | UnsetType = UNSET
    "What the model thought before it answered."


class ChatMessageDeltaFrame(
    Struct, kw_only=True, tag_field="event", tag="conversation.message.delta"
):
    """The event ``conversation.message.delta``."""

    data: ChatDelta


class ChatUsage(Struct, kw_only=True):
    """Tokens over all model calls of a chat."""

    token_count: int
    "Tokens of input and answer together."
    output_count: int
    "Tokens of the answer."
    input_count: int
    "Tokens of the input."


class ChatflowSuggestFields(Struct, kw_only=True):
    """Whether questions are suggested after an answer, and by which instruction."""

    mode: Literal["default", "custom", "off"] | UnsetType = "default"
    "default, custom (`prompt`) or off."
    prompt: str | UnsetType = ""
    "Rules by which follow-up questions are written."


class ChunkBody(Struct, kw_only=True):
    """A chunk of the preview by its id, with its text as it is to be."""

    id: int
    "Its id."
    text: str
    "Text."


class ChunkFunction(Struct, kw_only=True):
    """A piece of a call; only the first has the name."""

    name: str | UnsetType = ""
    "Name that people read."
    arguments: str | UnsetType = ""
    "Arguments of the call, as JSON text."


class ChunkStrategyBody(Struct, kw_only=True):
    """How documents are cut: 0 automatically, 1 by these settings, 2 by headings."""

    chunk_type: int | None | UnsetType = UNSET
    "0 automatically, 1 by separator and length, 2 by headings."
    separator: str | None | UnsetType = UNSET
    "Text at which pieces end; default a line break."
    max_tokens: int | None | UnsetType = UNSET
    "Tokens of a piece, 100 to 2000; needed with `chunk_type` 1."
    remove_extra_spaces: bool | None | UnsetType = UNSET
    "Join blanks and empty lines."
    remove_urls_emails: bool | None | UnsetType = UNSET
    "Leave out addresses of pages and of mail."
    caption_type: int | None | UnsetType = UNSET
    "Who describes images: 0 a model, 1 a person."
    overlap: int | None | UnsetType = UNSET
    "Share of a piece that the next one repeats, 0 to 90 percent."
    max_level: int | None | UnsetType = UNSET
    "Depth of headings at which pieces begin, 1 to 6; default 3."
    save_title: bool | None | UnsetType = UNSET
    "Put the headings above a piece before its text."


class ChunkToolCall(Struct, kw_only=True):
    """A piece of the call with this number; only the first has id and type."""

    index: int
    "Position, from 0."
    id: str | UnsetType = ""
    "Its id."
    type: str | UnsetType = ""
    "Always function; only in the first piece."
    function: ChunkFunction | UnsetType = field(
        default_factory=lambda: convert({}, type=ChunkFunction)
    )


class ClientOutput(Struct, kw_only=True):
    """The result of one call that the run waits for, under the id that it gave."""

    id: str
    "Its id."
    output: str
    "What the tool returned, as text."


class ClientOutputsBody(Struct, kw_only=True):
    """What a waiting run asked for: all of it, each exactly once."""

    outputs: list[ClientOutput]
    "Values of the outputs, by name."


class ClientToolFields(Struct, kw_only=True):
    """A tool that runs at the client; ``parameters`` is a JSON Schema of type object."""

    name: str
    "Name that people read."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    parameters: dict[str, Any] | UnsetType = UNSET
    "JSON Schema of the arguments, of type object."


ClientType: TypeAlias = Annotated[Literal["web", "pkce", "device", "jwt"], Meta(title="ClientType")]
"How an application gets its tokens."


class ColumnBody(Struct, kw_only=True):
    """A column of a table."""

    id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Its id."
    column_name: str | None | UnsetType = UNSET
    "Name of the column, as the first row has it."
    is_semantic: bool | None | UnsetType = UNSET
    "Whether rows are found by this column."
    sequence: str | int | None | UnsetType = UNSET
    "Position of the column, from 0."
    column_type: int | None | UnsetType = UNSET
    "Type of the column: 1 text, 2 number, 3 date, 4 float, 5 boolean, 6 image."
    desc: str | None | UnsetType = UNSET
    "What it is for, read by models."


class CommonValue(Struct, kw_only=True):
    """A constant sent with every call; the value of a secret one is never shown."""

    name: str
    "Name that people read."
    value: str | UnsetType = ""
    "Text that is sent; empty in answers if it is secret."
    secret: bool | UnsetType = False
    "Whether the value is never shown."


class CommonValues(Struct, kw_only=True):
    """Constants by where they travel."""

    query: list[CommonValue] | UnsetType = field(default_factory=list)
    "What is asked."
    header: list[CommonValue] | UnsetType = field(default_factory=list)
    "Constants that travel as headers."
    body: list[CommonValue] | UnsetType = field(default_factory=list)
    "Constants that travel in the body."


class CompletionUsage(Struct, kw_only=True):
    """Tokens of one completion."""

    prompt_tokens: int
    "Tokens of the input."
    completion_tokens: int
    "Tokens of the answer."
    total_tokens: int
    "Tokens of input and answer together."


class ConditionInput(Struct, kw_only=True):
    """A condition (``field``, ``operator``, ``value``), or a group (``logic``, ``conditions``)."""

    field_: str | None | UnsetType = field(name="field", default=UNSET)
    "Name of the field."
    operator: str | UnsetType = "eq"
    "How field and value are compared: eq, ne, gt, ge, lt, le, in, not_in, is_null, is_not_null, like or not_like."
    value: Any | UnsetType = UNSET
    "What the field is compared with."
    logic: str | UnsetType = "and"
    "How conditions are joined: and, or."
    conditions: list[ConditionInput] | None | UnsetType = UNSET
    "Conditions of a group."


class ConfirmBody(Struct, kw_only=True):
    """What shows once more who asks."""

    password: str
    "Password of the account."


class ConnectionInput(Struct, kw_only=True):
    """Where a model is reached; ``api_key`` is write-only, null or empty removes it."""

    base_url: str | None | UnsetType = UNSET
    "Address of the provider's API (http, https)."
    api_key: str | None | UnsetType = UNSET
    "Key of the provider. Write-only; null or empty removes it."
    model: str | None | UnsetType = UNSET
    "Name at the provider; absent, the display name."
    headers: dict[str, str | None] | None | UnsetType = UNSET
    "Further headers of calls; only names are shown."


class ConsentSpaceItem(Struct, kw_only=True):
    """A workspace that the person may choose."""

    id: str
    "Its id."
    name: str
    "Name that people read."


class ConversationBody(Struct, kw_only=True):
    """A conversation of the app."""

    name: str
    "Name that people read."


class ConversationRef(Struct, kw_only=True):
    """A conversation by its id."""

    id: Annotated[str, Meta(pattern="^(conv_)?\\d{1,19}$")]
    "Id of a conversation, with ``conv_`` before it or without."


class CopyAppBody(Struct, kw_only=True):
    """What the copy is called."""

    name: str | None | UnsetType = UNSET
    "Name that people read."


class CopyBody(Struct, kw_only=True):
    """Where to, by default the same workspace, and how the copy is called."""

    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the workspace."
    name: str | UnsetType = ""
    "Name that people read."


class CopyTemplateBody(Struct, kw_only=True):
    """Where the agent is made and what it is called."""

    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the workspace."
    name: str | None | UnsetType = UNSET
    "Name that people read."


class CopyWorkflowBody(Struct, kw_only=True):
    """Name and workspace of the copy; both may be left to the original."""

    name: str | None | UnsetType = UNSET
    "Name that people read."
    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the workspace."


class CountedTexts(Struct, kw_only=True):
    """Tokens of texts, in their order, as one model is expected to count them. They are estimates: by kinds of characters, corrected by what the model reported before."""

    model: str
    "Name of the model or agent."
    tokens: list[int]
    "Tokens that models took."
    total: int
    "Items of all pages."


class CozeErrorInfo(Struct, kw_only=True):
    """Part of the error body that older JavaScript clients read."""

    logid: str
    "Id of the request in the log; support asks for it."
    detail: str
    "What else is known about it; often empty."
    help_doc: str
    "Always empty."
    subcode: int | UnsetType = UNSET
    "The number that Coze Studio gives this failure inside its own contexts."
    reason: str | UnsetType = UNSET
    "What the budget is for that is used up, like `agent`."
    resets_at: int | None | UnsetType = UNSET
    "When it begins anew, in Unix seconds; null for never."


class CreateBudgetBody(Struct, kw_only=True):
    """A budget to set."""

    subject_type: BudgetSubject
    unit: BudgetUnit
    amount: str
    "How much of it may be used per period: above 0."
    period: BudgetPeriod
    name: str | UnsetType = ""
    "At most 100 characters; empty: what the budget is for."
    subject_id: str | UnsetType = ""
    "Which one: an id, or the name of the end user. Of a workspace none is needed."
    zone: str | UnsetType = "UTC"
    "Time zone in which days begin, like `Europe/Zurich`."
    soft_limits: list[int] | None | UnsetType = UNSET
    "Percentages, each from 1 to 99, at which an event tells the owners; null: 80. The whole is always told."
    is_hard: bool | UnsetType = True
    "Whether nothing new begins once all of it is used; else it is only told."


class CreateDatasetBody(Struct, kw_only=True):
    """A knowledge base to be; ``format_type`` 0 text, 1 table, 2 image; ``file_id`` an icon."""

    name: str
    "Name that people read."
    space_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the workspace (space)."
    format_type: int
    "Kind of the base: 0 text, 1 table, 2 image."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon."


class CreatePromptBody(Struct, kw_only=True):
    """A new prompt."""

    name: str
    "Name that people read."
    prompt_text: str
    "Text of the prompt."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    tags: list[str] | UnsetType = UNSET
    "Tags, for filters of searches: texts, numbers or lists of texts, by name."


class CreateSliceBody(Struct, kw_only=True):
    """A slice to be; ``sequence`` is its position from 1, without one it comes last."""

    document_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the document."
    raw_text: str
    "Text of the slice; at tables the JSON text of its cells."
    sequence: int | None | UnsetType = UNSET
    "Position, from 1; without one it comes last."


WorkspaceId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class CreateUserBody(Struct, kw_only=True):
    """An account to open."""

    name: str
    "Login name, unique in the deployment."
    nickname: str | None | UnsetType = UNSET
    "Name that people read; null for the login name."
    is_admin: bool | UnsetType = False
    "Whether the account administers the deployment."
    email: str | None | UnsetType = UNSET
    "E-mail address, by which a trusted provider's sign-in finds the account."


class CreateWorkflowBody(Struct, kw_only=True):
    """A new draft; ``mode`` 0 is a workflow, 3 a chat flow."""

    name: str
    "Name that people read."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon; empty or null for none."
    mode: Literal[0, 3] | UnsetType = 0
    "0 (default) workflow, 3 chat flow."
    app_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the app that it belongs to; empty for the library of the workspace."


class CreateWorkspaceBody(Struct, kw_only=True):
    """A team workspace to open."""

    name: str
    "Name that people read."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    icon_url: str | None | UnsetType = UNSET
    "Address of the icon, signed for an hour; empty for none."


DataRequestKind: TypeAlias = Annotated[Literal["export", "delete"], Meta(title="DataRequestKind")]
"What is done with the data of somebody."
DataRequestState: TypeAlias = Annotated[
    Literal["pending", "running", "done", "failed"], Meta(title="DataRequestState")
]
"How far it is."


class DatasetReference(Struct, kw_only=True):
    """A new knowledge base."""

    dataset_id: str
    "Id of the knowledge base."


class DeadLetterItem(Struct, kw_only=True):
    """An event that one consumer could not handle."""

    event_id: str
    "Id of the event; each consumer has its own letter of it."
    consumer: str
    "Who could not handle the event."
    topic: str
    "What kind of event it is."
    key: str
    "What the events of one row of deliveries have in common."
    attempts: int
    "How often it was tried."
    error: str
    "Of the last attempt."
    died_at: int
    "When it was given up, in Unix seconds."
    payload: Any
    "What the event says, without secrets; null in lists."


class DeadLetterItems(Struct, kw_only=True):
    """Letters, the oldest first, and how many match."""

    items: list[DeadLetterItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class DebugAddress(Struct, kw_only=True):
    """Where a console shows the run of a workflow."""

    debug_url: str
    "Address of the console that shows the run; empty without a console."


class DebugBody(Struct, kw_only=True):
    """Arguments of a test call."""

    arguments: dict[str, Any] | UnsetType = UNSET
    "Values of the parameters, by name."


class DebugReport(Struct, kw_only=True):
    """How a test call went; credentials are masked."""

    success: bool
    "Whether the call worked."
    reason: str
    "Why the call failed; empty if it did not."
    status: int
    "Status that the service answered with; 0 without an answer."
    duration_ms: int
    "Duration in milliseconds."
    response: dict[str, Any] | None
    "The answer as models get it; null if it failed."
    text: str
    "The answer as a model reads it, cut where it is too long."
    raw_request: dict[str, Any]
    "The request as it was sent, with masked credentials."
    raw_response: str
    "The answer as it came, cut if it is long."
    inferred_response_schema: dict[str, Any] | None
    "JSON Schema of the answer that came; null without one."
    authorize_url: str
    "Address where the user gives access; empty if that is done or not needed."


DocumentId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class DeleteDocumentsBody(Struct, kw_only=True):
    """Documents to delete; unknown ones are ignored."""

    document_ids: list[DocumentId]
    "Ids of documents; where it may be left out: all of them."


class DeleteRecordsBody(Struct, kw_only=True):
    """Which rows to remove."""

    filter: ConditionInput
    env: str | UnsetType = "online"
    "`draft` or `online`: what tests or published use read and write."
    connector_uid: str | None | UnsetType = UNSET
    "Id of the end user, as the caller names it; empty or absent for the account itself."


WorkflowId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class DeleteWorkflowsBody(Struct, kw_only=True):
    """Workflows to delete, all or none; ``force`` also those that others call."""

    workflow_ids: list[WorkflowId]
    "Ids of workflows."
    force: bool | UnsetType = False
    "Delete also those that others call. Default false."


class DeletedWorkspace(Struct, kw_only=True):
    """A workspace that was deleted; times in Unix seconds."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    deleted_at: int | None
    "When it was deleted, in Unix seconds."
    restorable_until: int | None
    "Until when it can be restored, in Unix seconds; then it is removed for good."


class DeletedWorkspaces(Struct, kw_only=True):
    """One page of what can be restored."""

    items: list[DeletedWorkspace]
    "Items of the page, in order."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."
    total: int | None
    "Always null: they are not counted."


class Detail(Struct, kw_only=True):
    """What identifies the request; equals the header ``X-Tt-Logid``."""

    logid: str
    "Id of the request in the log; support asks for it."


class DisplayInput(Struct, kw_only=True):
    """How a model shows itself: its window (``max_tokens``) and its longest reply."""

    name: str | None | UnsetType = UNSET
    "Name that people read."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    max_tokens: int | None | UnsetType = UNSET
    "Tokens of the context window: input and answer together."
    output_tokens: int | None | UnsetType = UNSET
    "Tokens of the longest answer."


class DisplayView(Struct, kw_only=True):
    """How a model shows itself; tokens."""

    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    max_tokens: int
    "Tokens of the context window: input and answer together."
    output_tokens: int
    "Tokens of the longest answer."


class DropLettersBody(Struct, kw_only=True):
    """Which letters to forget, and why."""

    reason: str
    "For the audit log; at most 500 characters."
    event_id: str | UnsetType = ""
    "Letters of this event."
    consumer: str | UnsetType = ""
    "Letters of this consumer."
    topic: str | UnsetType = ""
    "Letters of events of this topic."
    q: str | UnsetType = ""
    "A part of the error, the key or the topic."
    is_all: bool | UnsetType = False
    "Every letter; then nothing else is named."


class DuplicateAgentBody(Struct, kw_only=True):
    """Where a copy goes and what it is called."""

    name: str | None | UnsetType = UNSET
    "Name that people read."
    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the workspace."


class DuplicateTemplateBody(Struct, kw_only=True):
    """Where the copy goes and what it is called."""

    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the workspace."
    name: str | None | UnsetType = UNSET
    "Name that people read."


class DuplicatedTemplate(Struct, kw_only=True):
    """What was made."""

    entity_id: str
    "Id of the copy."
    entity_type: str
    "What was copied."


class EdgeName(Struct, kw_only=True):
    """An edge as the canvas names it."""

    source: str
    "Id of the node where the connection begins."
    target: str
    "Id of the node where the connection ends."
    port: str
    "Port of the source, for instance a branch."


Effect: TypeAlias = Annotated[
    Literal["read", "external_write", "irreversible"], Meta(title="Effect")
]
"What a call changes outside."


class EmbeddingObject(Struct, kw_only=True):
    """A vector: numbers, or their bytes as base64 (32 bits each, little-endian)."""

    object: str
    "Kind of the object."
    index: int
    "Position, from 0."
    embedding: list[float] | str
    "The vector: numbers, or base64 of 32-bit floats."


class EmbeddingRequest(Struct, kw_only=True):
    """Texts to embed."""

    model: str
    "Name of an embedding model, with ``embedding/`` before it if an agent has the same alias."
    input: str | list[str | int | list[int]]
    "A text, or up to 2,048 of them with 300,000 tokens together."
    encoding_format: Literal["float", "base64"] | UnsetType = "float"
    "Numbers, or their bytes as base64: 32 bits each, little-endian."
    dimensions: int | None | UnsetType = UNSET
    "Length of the vectors, only of models that can be shortened."
    input_type: Literal["query", "document"] | UnsetType = "document"
    "What the texts are, for models that embed questions in another way."
    user: str | None | UnsetType = UNSET
    "Id of the end user, as the caller names it."


class EmbeddingSettings(Struct, kw_only=True):
    """How an embedding model wants its input; zeros mean the default."""

    dimensions: int
    "Vector length; 0 learns it from the first reply."
    send_dimensions: bool
    "Whether the length is sent to the provider."
    batch_size: int
    "Texts per call; 0 is the default of the deployment."
    batch_tokens: int
    "Tokens per call, at most."
    max_input_tokens: int
    "Tokens of one text; 0 is the default of the deployment."
    normalise: bool
    "Whether vectors are brought to length 1."
    query_prefix: str
    "Text before every question, for models that want one."
    document_prefix: str
    "Text before every document, for models that want one."


class EmbeddingUsage(Struct, kw_only=True):
    """Tokens that were read."""

    prompt_tokens: int
    "Tokens of the input."
    total_tokens: int
    "Tokens of input and answer together."


class EndUserItem(Struct, kw_only=True):
    """What an agent or app has of an end user on a connector, counted; times in Unix seconds."""

    end_user_id: str
    "Id of the end user, as the caller names it."
    connector_id: str
    "Connector (publishing channel) that it belongs to. In requests default 1024: the API."
    variables: int
    "Values that were written."
    memories: int
    "What is remembered, without what was replaced since."
    conversations: int
    "Those that are not deleted."
    last_at: int
    "When any of it changed last."


class EndUserList(Struct, kw_only=True):
    """End users, who came last first."""

    items: list[EndUserItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


EntryType: TypeAlias = Annotated[
    Literal[
        "agent",
        "workflow",
        "dataset",
        "document",
        "plugin",
        "database",
        "prompt",
        "member",
        "run",
        "conversation",
        "token",
    ],
    Meta(title="EntryType"),
]
"What is found by its name, or by its id."


class EntryView(Struct, kw_only=True):
    """One call of a model or plugin, or the recognised pages of a document."""

    at: int
    "When it ended."
    workspace_id: str
    "Id of the workspace."
    run_id: str
    "Run, job or request that it belongs to."
    number: int
    "Of the calls of that run."
    source: str | None
    "Through what somebody asked; null for calls of releases before."
    kind: str
    "What for: `chat`, `embedding`, `plugin` and so on."
    model: str
    "Name of the model or agent."
    provider: str
    "Kind of the provider; see the list of model providers."
    outcome: str
    "`ok`, `failed`, `canceled`, or `unsettled`: its process died, the tokens are the most."
    attempt: int
    "Workers that began on the run since its last question, from 1."
    input_tokens: int
    "Tokens of the input."
    output_tokens: int
    "Tokens of the answer."
    cached_tokens: int
    "Of the input: tokens that the provider's cache had."
    reasoning_tokens: int
    "Of the answer: tokens of reasoning."
    pages: int
    "Pages and pictures whose words were recognised."
    is_estimated: bool
    "The provider did not tell the tokens."
    points: str | None
    "Null if nobody priced the model in points."
    cost: str | None
    "Null if nobody priced the model in money."
    currency: str | None
    "Of the cost."
    price_version: str | None
    "Prices that it was counted with, see the prices of the model."
    app_id: str | None
    "Id of the app that it belongs to; empty for the library of the workspace."
    agent_id: str | None
    "Id of the agent."
    version: str | None
    "Of the agent or workflow; null for a draft."
    workflow_id: str | None
    "Id of the workflow."
    dataset_id: str | None
    "Id of the knowledge base."
    member_id: str | None
    "The account that asked."
    end_user_id: str | None
    "Id of the end user, as the caller names it."
    token_id: str | None
    "The access token that was used."
    share_link_id: str | None
    "The share link that was used."
    duration_ms: int
    "Duration in milliseconds."


class EnvelopeOfAddedMembers(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: AddedMembers
    detail: Detail


class EnvelopeOfBotReference(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: BotReference
    detail: Detail


class EnvelopeOfDatasetReference(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: DatasetReference
    detail: Detail


class EnvelopeOfDuplicatedTemplate(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: DuplicatedTemplate
    detail: Detail


class EnvelopeOfNoneType(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: dict[str, Any] | None
    "Always null."
    detail: Detail


class ErrorEvent(Struct, kw_only=True, tag_field="type", tag="error"):
    """The stream broke; the run may go on. Has no number."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    detail: Detail
    error: CozeErrorInfo


class EventAskedField(Struct, kw_only=True):
    """A field of a form."""

    name: str
    "Name of the field."
    type: str
    "`string`, `integer`, `float`, `boolean`, or what else the workflow declares."
    is_required: bool
    "Whether it must be given."
    description: str
    "What is to be filled in."


class EventAudioPart(Struct, kw_only=True, tag_field="type", tag="audio"):
    """A recording by file id or URL."""

    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | UnsetType = UNSET
    "Id of an upload."
    url: str | UnsetType = UNSET
    "Address; of files signed for an hour."
    name: str | UnsetType = UNSET
    "Name that people read."
    media_type: str | UnsetType = UNSET
    "Media type, for instance image/png."
    size: int | UnsetType = UNSET
    "Size in bytes."


class EventCapabilities(Struct, kw_only=True):
    """What a model can do; decides which shims a request passes through."""

    tools: Literal["native", "none", "prompt_jsonrpc", "prompt_prefix", "prompt_tags"]
    "Tools that may be called."
    parallel_tools: bool
    "Whether the model may call several tools at once."
    vision: bool
    "Whether the model sees images."
    audio: bool
    "Voice of the role; stored for front ends."
    json_object: bool
    "Whether the model can be held to JSON."
    json_schema: bool
    "The schema that the answer follows."
    reasoning: bool
    "What the model thought before it answered."
    reasoning_effort: bool
    "It can be told how much to think."
    verbosity: bool
    "It can be told how long answers are to be."
    implied_open_tag: bool
    "The model's template already opens the think tag, so only the closing one is emitted."
    system_messages: Literal["first", "many", "none"]
    "How many system messages the model takes: many, first or none."
    stream_usage: bool
    "Whether the provider tells tokens at the end of a stream."


class EventCard(Struct, kw_only=True):
    """A source that an answer cites, for showing it beside the answer."""

    n: int
    "Number under which answers cite the source, from 1."
    slice_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the slice."
    document_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the document."
    document_name: str
    "Name of the document."
    url: str
    "Address; of files signed for an hour."
    page: int | None
    "Page of the document, from 1; null or 0: unknown."
    quote: str
    "Text of the source that is cited."
    dataset_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "0 in answers that were stored before it was kept."


EventChangeType: TypeAlias = Literal[
    "changed", "created", "deleted", "progress", "published", "state"
]
"What became of something that people open."
EventEntryType: TypeAlias = Literal[
    "agent",
    "conversation",
    "database",
    "dataset",
    "document",
    "member",
    "plugin",
    "prompt",
    "run",
    "token",
    "workflow",
]
"What is found by its name, or by its id."
EventFeedbackKind: TypeAlias = Literal["like", "unlike"]
"Verdict on an answer."


class EventFilePart(Struct, kw_only=True, tag_field="type", tag="file"):
    """A document by file id or URL."""

    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | UnsetType = UNSET
    "Id of an upload."
    url: str | UnsetType = UNSET
    "Address; of files signed for an hour."
    name: str | UnsetType = UNSET
    "Name that people read."
    media_type: str | UnsetType = UNSET
    "Media type, for instance image/png."
    size: int | UnsetType = UNSET
    "Size in bytes."


class EventImagePart(Struct, kw_only=True, tag_field="type", tag="image"):
    """An image by file id, by URL (http, https or data) or, once loaded, by bytes."""

    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | UnsetType = UNSET
    "Id of an upload."
    url: str | UnsetType = UNSET
    "Address; of files signed for an hour."
    name: str | UnsetType = UNSET
    "Name that people read."
    media_type: str | UnsetType = UNSET
    "Media type, for instance image/png."
    size: int | UnsetType = UNSET
    "Size in bytes."
    data: str | UnsetType = UNSET
    "Content, base64; empty where `url` is given."
    detail: str | UnsetType = UNSET
    "How closely models look: auto, low or high."


EventInterruptKind: TypeAlias = Literal[2, 5, 7, 100]
"Numbers of the wire."


class EventKeptVariables(Struct, kw_only=True):
    """Variables as a run left them; ``dropped`` are the names of those that cannot be kept."""

    values: dict[str, Any]
    "Values, by name."
    dropped: list[str]
    "Names of variables that cannot be kept."


class EventMark(Struct, kw_only=True):
    """Where an answer cites: before character ``at`` of the text without any citations. ``is_spaced``: a blank stands before the mark and belongs to it."""

    at: int
    "Position in the text without citations, in characters."
    n: int
    "Number of the source."
    is_spaced: bool | UnsetType = UNSET
    "Whether a blank stands before the mark and belongs to it."


class EventMemberCall(Struct, kw_only=True):
    """One call of another agent; ``call_id`` is that of the caller's tool call."""

    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the agent."
    name: str
    "Name that people read."
    call_id: str
    "Id of the call; outputs name it."


EventMessageKind: TypeAlias = Literal[
    "answer", "follow_up", "question", "tool_calls", "tool_result", "verbose"
]
"Kind of a stored message."


class EventModelCheck(Struct, kw_only=True):
    """Outcome of one test call; ``detail`` is what came back, or why it failed."""

    name: Literal["chat", "embedding", "json", "rerank", "stream", "tools", "usage", "vision"]
    "What was tried."
    ok: bool
    "Whether it worked."
    latency_ms: int
    "Duration of the call in milliseconds."
    first_token_ms: int | None
    "Milliseconds until the first token; null where nothing streams."
    detail: str
    "More about it, for people who look for the cause."
    is_claimed: bool
    "The model's settings say that it can; a test that looks for more tries the rest, too."
    request: str
    "Body of the request, as it was sent; empty for what another check has shown already."
    answer: str
    "What came of it, as JSON: text, reasoning, calls of tools and why it ended."


class EventModelReport(Struct, kw_only=True):
    """What a model's test found; ``ok`` if every check passed."""

    id: str
    "Its id."
    ok: bool
    "Whether it worked."
    checks: list[EventModelCheck]
    "Outcome of each test call."
    capabilities: EventCapabilities | None
    "What the model can do by these checks; null where nobody looked for it."


class EventNodeError(Struct, kw_only=True):
    """Why a node failed; ``code`` is the internal number, ``message`` the bare cause."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    message: str
    "What happened, in a sentence."
    path: list[str]
    "Titles of the nodes from the outermost to this one."
    node_id: str
    "Id of the node in the canvas."
    node_title: str
    "Title of the node in the canvas."
    workflows: list[str]
    "Names of the workflows that lead to the node, without the one that is run."
    is_callers: bool
    "What the caller of the run sent is to blame."


EventNoticeType: TypeAlias = Literal["budget_reached"]
"What those who manage a workspace are told of when it happens."


class EventPresent(Struct, kw_only=True):
    """Somebody who has something open; ``since`` in Unix seconds."""

    user_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Who it is."
    since: int
    "When they opened it, in Unix seconds."


class EventRecalledChunk(Struct, kw_only=True):
    """A piece of knowledge as the model and the end user get it; ``n`` is the number to cite. ``scores`` are those of the channels that found it, as in ``crossdomain.knowledge.contract``."""

    n: int
    "Number under which answers cite the source, from 1."
    slice_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the slice."
    content: str
    "Text; in requests also a list of parts where the schema says so."
    score: float
    "How well it fits, 0 to 1."
    scores: dict[str, float]
    "Scores by channel: embedding, full_text, rerank, rrf."
    dataset_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the knowledge base."
    dataset_name: str
    "Name of the knowledge base."
    document_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the document."
    document_name: str
    "Name of the document."
    format_type: int
    "Kind of the base: 0 text, 1 table, 2 image."
    source_type: int
    "Source: 0 file, 1 web page, 2 text, 5 upload."
    url: str
    "Address; of files signed for an hour."
    page: int | None
    "Page of the document, from 1; null or 0: unknown."


InsertedMessageId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class EventRunError(Struct, kw_only=True):
    """Why a run failed: wire code and a sentence for the user; code 0 means no error."""

    code: int
    "Stable number of the error; 0: none."
    message: str
    "What happened, in a sentence."
    slug: str
    "Stable name of the error."


class EventRunFault(Struct, kw_only=True):
    """Why a run failed: ``code`` for clients, ``internal_code`` for records."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    internal_code: int
    "Number of the error in records of the operator."
    message: str
    "What happened, in a sentence."
    node_id: str | UnsetType = UNSET
    "Id of the node in the canvas."
    node_title: str | UnsetType = UNSET
    "Title of the node in the canvas."


EventRunPhase: TypeAlias = Literal[
    "cancelled", "created", "failed", "interrupted", "running", "success"
]
"States of a run; the last three are final."
EventRunStatus: TypeAlias = Literal[
    "canceled", "completed", "created", "failed", "in_progress", "requires_action"
]
"State of a run, in the spelling of the Coze wire."


class EventShareCall(Struct, kw_only=True):
    """A call that waits for the consent of the visitor; its arguments are steps."""

    id: str
    "Id of the call."
    name: str
    "Name of the tool."
    arguments: str
    "Arguments, as JSON text."


class EventShareFile(Struct, kw_only=True):
    """A file of a message; `url` is signed and lasts an hour."""

    name: str
    "Name that people read."
    media_type: str
    "Media type, for instance image/png."
    size: int
    "Size in bytes."
    url: str
    "Address; of files signed for an hour."


class EventShareSource(Struct, kw_only=True):
    """A source that an answer cites under the number `n`; its text may end with a list of them."""

    n: int
    "Number under which answers cite the source, from 1."
    document_name: str
    "Name of the document."
    page: int | None
    "Page of the document, from 1; null or 0: unknown."
    url: str
    "Address; of files signed for an hour."
    quote: str
    "Text of the source that is cited."


class EventTextPart(Struct, kw_only=True, tag_field="type", tag="text"):
    """Plain text."""

    text: str
    "Text."


class EventToolCall(Struct, kw_only=True):
    """One call the model asks for; ``arguments`` is JSON text as the model wrote it. ``upstream_id`` is the model's own id of a call whose ``id`` is ours, which never repeats."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    arguments: str
    "Arguments of the call, as JSON text."
    upstream_id: str | UnsetType = UNSET
    "Id that the model itself gave the call."


class EventUsage(Struct, kw_only=True):
    """Tokens of one or several model calls; ``estimated`` if the provider did not report them."""

    input_tokens: int
    "Tokens of the input."
    output_tokens: int
    "Tokens of the answer."
    cached_tokens: int
    "Of the input: tokens that the provider's cache had."
    reasoning_tokens: int
    "Of the answer: tokens of reasoning."
    estimated: bool
    "Whether the provider told no figures, so that they were counted here."


class ExchangeTokenBody(Struct, kw_only=True):
    """A personal access token, which is exchanged for a session."""

    token: str
    "Text of a personal token without limits."
    remember: bool | UnsetType = False
    "`true`: for 30 days on this device; `false`: until the browser closes."


class ExecutedNodeOutput(Struct, kw_only=True):
    """What a node put out, as JSON text."""

    is_finish: bool
    "Whether the node is done."
    node_output: str
    "Output of the node, as JSON text."


FeedbackKind: TypeAlias = Annotated[Literal["like", "unlike"], Meta(title="FeedbackKind")]
"Verdict on an answer."


class FeedbackRequest(Struct, kw_only=True):
    """Body of ``POST …/feedback``."""

    feedback_type: str
    "`like`, `unlike` or `default`, which takes it back."
    reason_types: list[str] | None | UnsetType = UNSET
    "Reasons from a list of the front end."
    comment: str | None | UnsetType = UNSET
    "What the person wrote about it; at most 500 characters."


class FieldBody(Struct, kw_only=True):
    """A field as it shall be; ``id`` is that of one that exists."""

    name: str
    "Name that people read."
    desc: str | UnsetType = ""
    "What it is for, read by models."
    type: int | UnsetType = 1
    "1 text, 2 integer, 3 date, 4 number, 5 boolean."
    must_required: bool | UnsetType = False
    "Whether every row must have a value."
    id: int | None | UnsetType = UNSET
    "Number of the field that is changed; absent: a new one."


class FieldCreate(Struct, kw_only=True):
    """A field: type 1 text, 2 number, 3 date, 4 float, 5 boolean."""

    name: str
    "Name that people read."
    desc: str | UnsetType = ""
    "What it is for, read by models."
    type: int | UnsetType = 1
    "1 text, 2 integer, 3 date, 4 number, 5 boolean."
    must_required: bool | UnsetType = False
    "Whether every row must have a value."


class FileGone(Struct, kw_only=True):
    """A file that was deleted."""

    id: str
    "Its id."
    object: str
    "Kind of the object."
    deleted: bool
    "Always true."


class FileItem(Struct, kw_only=True, tag_field="type", tag="file"):
    """A document, by the id of an upload or by address."""

    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | UnsetType = UNSET
    "Id of an upload."
    file_url: str | UnsetType = UNSET
    "Address (http, https), instead of an id."
    name: str | UnsetType = UNSET
    "Name to show."


class FileLink(Struct, kw_only=True):
    """A signed address."""

    url: str
    "Address; of files signed for an hour."
    expires_at: int
    "When it expires, in Unix seconds; null: never."


class FileObject(Struct, kw_only=True):
    """An uploaded file; times in Unix seconds."""

    id: str
    "Its id."
    object: str
    "Kind of the object."
    bytes: int
    "Size in bytes."
    created_at: int
    "When it was made, in Unix seconds."
    expires_at: int | None
    "When it expires, in Unix seconds; null: never."
    filename: str
    "Name of the file."
    purpose: str
    "What the file was uploaded for."
    status: str
    "Always processed: uploads can be used at once."
    status_details: str | None
    "Why the file cannot be used; null otherwise."


class FileRef(Struct, kw_only=True):
    """An uploaded file, or one inline: a data address, or base64 with a ``filename``."""

    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of an upload."
    file_data: str | None | UnsetType = UNSET
    "Content: a data address, or base64."
    filename: str | None | UnsetType = UNSET
    "Name of the file."


class FileUrlContentPart(Struct, kw_only=True, tag_field="type", tag="file_url"):
    """A document by its address, as clients of FastGPT send it."""

    url: str
    "Address (http, https) of the file."
    name: str | UnsetType = UNSET
    "Name to show."


class FilterBody(Struct, kw_only=True):
    """Pages to skip, from 1."""

    filter_page: list[int] | None | UnsetType = UNSET
    "Pages to skip, from 1."


class FindOAuthRequestBody(Struct, kw_only=True):
    """A code that a device shows."""

    user_code: str
    "Code that the device shows."


FindingCode: TypeAlias = Annotated[
    Literal[
        "agent_gone",
        "agent_unpublished",
        "dataset_gone",
        "model_offline",
        "model_unknown",
        "plugin_unpublished",
        "prompt_empty",
        "prompt_leftovers",
        "shortcut_misfit",
        "workflow_gone",
        "workflow_missing",
    ],
    Meta(title="FindingCode"),
]
"What a remark is about; interfaces say it in their own words, by this."


class FindingItem(Struct, kw_only=True):
    """One thing that a check found."""

    id: str
    "Its id."
    message: str
    "What happened, in a sentence."
    severity: str
    "`warning` or `failure`."
    count: int
    "Results that the step left."
    examples: list[str]
    "Some of what is concerned, by name or id."
    advice: str
    "What to do about it."


class FlowNodeEndedEvent(Struct, kw_only=True, tag_field="type", tag="flow_node.ended"):
    """A node of the workflow that answers is over; ``type_name`` is what its canvas calls it."""

    node_id: str
    "Id of the node in the canvas."
    name: str
    "Name that people read."
    type_name: str
    "Name of the kind in a canvas."
    usage: EventUsage
    duration_ms: int
    "Duration in milliseconds."
    error: str
    "Why it failed; empty or null if it did not."
    model: str
    "Model that the node asked; empty for none."
    quotes: list[EventRecalledChunk]
    "What a search of this node found."
    remark: str
    "What the node says about its result."
    at_ms: int
    "When it happened, in Unix milliseconds."


class FlowNodeStartedEvent(Struct, kw_only=True, tag_field="type", tag="flow_node.started"):
    """A node of the workflow that answers starts."""

    node_id: str
    "Id of the node in the canvas."
    name: str
    "Name that people read."
    at_ms: int
    "When it happened, in Unix milliseconds."


class ForkBody(Struct, kw_only=True):
    """The question before which the new conversation goes its own way."""

    before_message_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Question before which the copy ends."


class FunctionCallIn(Struct, kw_only=True):
    """Name and arguments of a call; ``arguments`` is JSON text."""

    name: str
    "Name that people read."
    arguments: str | None | UnsetType = UNSET
    "Arguments of the call, as JSON text."


class FunctionCalled(Struct, kw_only=True):
    """Name and arguments of a call; ``arguments`` is JSON text as the model wrote it."""

    name: str
    "Name that people read."
    arguments: str
    "Arguments of the call, as JSON text."


class FunctionIn(Struct, kw_only=True):
    """A function; ``parameters`` is a JSON Schema object."""

    name: str
    "Name that people read."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    parameters: dict[str, Any] | None | UnsetType = UNSET
    "JSON Schema of the arguments, of type object."
    strict: bool | None | UnsetType = UNSET
    "Whether arguments or answers must follow the schema exactly."


GrantLevel: TypeAlias = Annotated[
    Literal["view", "use", "edit", "publish", "manage"], Meta(title="GrantLevel")
]
"How much a grant gives, weakest first; each holds those before it."


class GrantView(Struct, kw_only=True):
    """Whether a user gave access, else where to do so."""

    authorized: bool
    "Whether access was given."
    authorize_url: str
    "Address where the user gives access; empty if that is done or not needed."


class GroupBody(Struct, kw_only=True):
    """Name of a group."""

    name: str
    "Name that people read."


class GroupItem(Struct, kw_only=True):
    """A group of accounts; workspace ``0`` is the deployment."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    name: str
    "Name that people read."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."


class GroupItems(Struct, kw_only=True):
    """One page of groups."""

    items: list[GroupItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class GroupMemberItem(Struct, kw_only=True):
    """An account in a group."""

    user_id: str
    "Id of the account."
    name: str
    "Name that people read."
    nickname: str
    "Name that people read; null for the login name."


class GroupWithMembers(Struct, kw_only=True):
    """A group with its members, by name."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    name: str
    "Name that people read."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    members: list[GroupMemberItem]
    "Accounts in the group, by name."


class Health(Struct, kw_only=True):
    """``ok``, ``degraded`` or ``unavailable``; for operators with the state of each part."""

    status: str
    "State: ok, degraded or unavailable."
    parts: dict[str, str] | UnsetType = UNSET
    "State of each part, by name; only for operators."


class HostList(Struct, kw_only=True):
    """Hosts that plugins of the workspace may call; none named means all public ones."""

    hosts: list[str]
    "Hosts that may be called, for instance api.example.com."


class IconView(Struct, kw_only=True):
    """A built-in icon; ``kind`` names what it stands for."""

    kind: str
    "What it stands for."
    url: str
    "Address; of files signed for an hour."


class IdMapping(Struct, kw_only=True):
    """Ids of the system a canvas comes from, and what stands for them here."""

    workflows: dict[str, str] | UnsetType = UNSET
    "Of workflows."
    models: dict[str, str] | UnsetType = UNSET
    "Of models."
    datasets: dict[str, str] | UnsetType = UNSET
    "Of datasets."
    plugins: dict[str, str] | UnsetType = UNSET
    "Of plugins and of their tools."
    databases: dict[str, str] | UnsetType = UNSET
    "Of databases."


class ImageItem(Struct, kw_only=True, tag_field="type", tag="image"):
    """An image, by the id of an upload or by address."""

    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | UnsetType = UNSET
    "Id of an upload."
    file_url: str | UnsetType = UNSET
    "Address (http, https), instead of an id."
    name: str | UnsetType = UNSET
    "Name to show."


class ImageUrl(Struct, kw_only=True):
    """Address of an image, http(s) or data."""

    url: str
    "Address (http, https), or a data address."
    detail: str | None | UnsetType = UNSET
    "How closely the model looks: auto, low or high."


class ImportAgentBody(Struct, kw_only=True):
    """An exported document, and the values of the secrets that it names."""

    document: dict[str, Any]
    "As ``export`` answered it."
    name: str | None | UnsetType = UNSET
    "Instead of the name in the document."
    secrets: dict[str, str] | None | UnsetType = UNSET
    "By the names that ``export`` listed."


class ImportBody(Struct, kw_only=True):
    """A file; sheets and lines count from 0."""

    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of an upload."
    env: str | UnsetType = "online"
    "`draft` or `online`: what tests or published use read and write."
    connector_uid: str | None | UnsetType = UNSET
    "Id of the end user, as the caller names it; empty or absent for the account itself."
    sheet: int | None | UnsetType = UNSET
    "Number of the sheet, from 0; null: the first."
    header_row: int | UnsetType = 0
    "Line of the names of columns, from 0."


class ImportManifest(Struct, kw_only=True):
    """What wins over the document."""

    name: str | UnsetType = ""
    "Name that people read."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    server_url: str | UnsetType = ""
    "Address (http, https) of the service."


class ImportPlugin(Struct, kw_only=True):
    """A document that becomes a plugin."""

    openapi: str | dict[str, Any] | None | UnsetType = UNSET
    "The description, as text or object."
    data: str | dict[str, Any] | None | UnsetType = UNSET
    "The description, as text."
    format: Literal["openapi", "swagger2", "postman", "curl"] | UnsetType = "openapi"
    "Format of the description."
    manifest: ImportManifest | UnsetType = UNSET
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon; empty or null for none."


class ImportPreviewBody(Struct, kw_only=True):
    """A file; sheets and lines count from 0."""

    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of an upload."
    sheet: int | None | UnsetType = UNSET
    "Name of the sheet of a table."
    header_row: int | UnsetType = 0
    "Line of the names of columns, from 0."


class ImportProblem(Struct, kw_only=True):
    """A part of a document that was left out."""

    path: str
    "Place in the description that it is about."
    message: str
    "What happened, in a sentence."


class ImportedReport(Struct, kw_only=True):
    """What was read from a report."""

    provider: str
    "Kind of the provider; see the list of model providers."
    lines: int
    "How many there were, those of one day and model added up."
    first_day: str
    "First day that it tells of, like `2026-11-01`."
    last_day: str
    "Last day that it tells of."


class IncompleteDetails(Struct, kw_only=True):
    """Why a response is not complete."""

    reason: str
    "max_output_tokens, content_filter or another cause."


class InputPart(Struct, kw_only=True):
    """One part of a message or of an output."""

    type: str
    "Kind of the part: input_text, input_image, input_file, output_text or refusal."
    text: str | None | UnsetType = UNSET
    "Text."
    refusal: str | None | UnsetType = UNSET
    "Why the model refused; null if it did not."
    image_url: str | None | UnsetType = UNSET
    "The image: an address or a data address."
    detail: str | None | UnsetType = UNSET
    "How closely the model looks: auto, low or high."
    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of an upload."
    file_url: str | None | UnsetType = UNSET
    "Address (http, https) of a file."
    file_data: str | None | UnsetType = UNSET
    "Content: a data address, or base64."
    filename: str | None | UnsetType = UNSET
    "Name of the file."


class InputTokens(Struct, kw_only=True):
    """An estimate; an agent reads its instructions and knowledge beside that."""

    object: Literal["response.input_tokens"]
    "Always ``response.input_tokens``."
    input_tokens: int
    "Tokens of the input."


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
    Meta(title="InputType"),
]
"How a component of the form is filled in."


class InsertRecordsBody(Struct, kw_only=True):
    """Rows to be added, by names of fields."""

    records: list[dict[str, Any]]
    "Rows, by names of fields."
    env: str | UnsetType = "online"
    "`draft` or `online`: what tests or published use read and write."
    connector_uid: str | None | UnsetType = UNSET
    "Id of the end user, as the caller names it; empty or absent for the account itself."


class InsertedMessage(Struct, kw_only=True):
    """A context message of the request that was stored."""

    id: str
    "Its id."


class InsertedRecords(Struct, kw_only=True):
    """Ids of the new rows."""

    ids: list[str]
    "Ids, in the order of the request."


class IssueTokenBody(Struct, kw_only=True):
    """A short-lived token for a browser that chats with these agents."""

    bot_ids: list[BotId]
    "Agents that the token may use."
    duration_seconds: int | UnsetType = 900
    "For how many seconds the token is good. Default 900."
    user_id: str | None | UnsetType = UNSET
    "Id of the end user who gets the token, as the caller names it."


class IssuedToken(Struct, kw_only=True):
    """A short-lived token with its text; ``expires_at`` in Unix seconds."""

    token: str
    "Text of the token, which is shown only now."
    expires_at: int
    "When it expires, in Unix seconds; null: never."
    bot_ids: list[str]
    "Agents that the token may use; null: all that its owner may use."
    user_id: str
    "Id of the account."


JobStage: TypeAlias = Annotated[
    Literal["fetch", "parse", "chunk", "index", "activate", "collect"], Meta(title="JobStage")
]
"Steps of a job, in order."
JobState: TypeAlias = Annotated[
    Literal["waiting", "running", "done", "failed", "superseded"], Meta(title="JobState")
]
"Whether somebody has to work on it."


class JsonSchema(Struct, kw_only=True):
    """A schema that the answer follows; ``strict`` allows no property beside those it names. ``name`` and ``description`` tell the model what the answer is."""

    name: str | None | UnsetType = UNSET
    "Name of the schema; models may read it."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    schema: dict[str, Any] | None | UnsetType = UNSET
    "JSON Schema."
    strict: bool | None | UnsetType = UNSET
    "Whether arguments or answers must follow the schema exactly."


class KeyView(Struct, kw_only=True):
    """Whether there is a credential, never the credential."""

    set: bool
    "Whether a secret is stored."
    hint: str
    "Last characters of the secret; empty for none."
    readable: bool
    "Whether the stored secret can be decrypted."


class KnowledgeFields(Struct, kw_only=True):
    """Datasets and how they are searched; ``auto`` false leaves it to the model when to search."""

    top_k: int | None | UnsetType = UNSET
    "Results, at most."
    min_score: float | None | UnsetType = UNSET
    "Score that results need, 0 to 1; default 0.5."
    max_tokens: int | None | UnsetType = UNSET
    "Tokens of all results together; None is what the caller has room for."
    embedding_weight: float | None | UnsetType = UNSET
    "What vectors count beside words; None depends on the embedding model."
    expansion: int | None | UnsetType = UNSET
    "Further wordings that are searched, too; a rewrite is not needed then."
    expansion_model: str | None | UnsetType = UNSET
    "Writes questions anew; empty for the default model."
    expansion_background: str | None | UnsetType = UNSET
    "What the model should know of the subject before it writes."
    rerank_model: str | None | UnsetType = UNSET
    "Reranking model; empty for the default."
    rerank_weight: float | None | UnsetType = UNSET
    "What the order of the reranking model counts beside the one before."
    is_personal_only: bool | None | UnsetType = UNSET
    "Only documents of the calling end user."
    expand: str | int | None | UnsetType = UNSET
    "Slices beside a hit that are joined to it: auto (default), none, 1 or 2."
    threshold_mode: str | None | UnsetType = UNSET
    "`absolute` (default), or `fastgpt`, which ignores `min_score` in full-text and mixed searches without reranking."
    filter: dict[str, Any] | None | UnsetType = UNSET
    "A metadata filter as JSON, tags included."
    datasets: list[str | int] | None | UnsetType = UNSET
    "Ids of the knowledge bases to search."
    auto: bool | None | UnsetType = UNSET
    "Search before every answer; false leaves it to the model when to search."
    search_strategy: int | str | None | UnsetType = UNSET
    "0 semantic, 1 hybrid, 20 full text."
    show_source: bool | None | UnsetType = UNSET
    "Whether answers name their sources."
    show_source_mode: int | str | None | UnsetType = UNSET
    "How sources are shown: 0 as a list, 1 as cards."
    no_recall_reply_mode: int | str | None | UnsetType = UNSET
    "When nothing was found: 0 the model answers anyway, 1 it follows a text, 2 the text is the answer."
    no_recall_reply_customize_prompt: str | None | UnsetType = UNSET
    "Text that is answered when nothing was found, in mode 1."
    use_rerank: bool | None | UnsetType = UNSET
    "Order results by a reranking model."
    use_rewrite: bool | None | UnsetType = UNSET
    "The question is made self-contained by the history."
    use_nl2sql: bool | None | UnsetType = UNSET
    "Ask tables by SQL that a model writes."


class KnowledgeRecalledEvent(Struct, kw_only=True, tag_field="type", tag="knowledge.recalled"):
    """Knowledge was searched; ``chunks`` carry the numbers that answers cite."""

    query: str
    "What is asked."
    chunks: list[EventRecalledChunk]
    "Pieces in their order."
    is_failed: bool
    "Whether the search failed; the answer then goes without."
    duration_ms: int
    "Duration in milliseconds."
    at_ms: int
    "When it happened, in Unix milliseconds."
    agent_path: list[EventMemberCall] | UnsetType = UNSET
    "The agent that it is of, where another one called it."


class KnowledgeSetting(Struct, kw_only=True):
    """Knowledge bases searched before the model answers; ``missing`` are not here."""

    dataset_ids: list[str]
    "Ids of knowledge bases."
    missing: list[str]
    "What is named and not here."
    strategy: str
    "0 semantic, 1 hybrid (default), 20 full text."
    top_k: int
    "Results, at most."
    min_score: float
    "Score that results need, 0 to 1; default 0.5."


class LastBackup(Struct, kw_only=True):
    """The last backup that was written of the deployment."""

    at: int
    "When it happened, in Unix seconds."
    file: str
    "The file."
    rows: int
    "Rows."


class LastCallView(Struct, kw_only=True):
    """How the newest call went that reached the service, of the draft or of any version."""

    tool: str
    "The tool that is called; null for none."
    duration_ms: int
    "Duration in milliseconds."
    at: int
    "When it happened, in Unix seconds."
    success: bool
    "Whether the call worked."
    status: int
    "Of the service's answer over HTTP; 0 without one."


class LastError(Struct, kw_only=True):
    """Why a chat failed; code 0 while all is well."""

    code: int
    "Stable number of the error; 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."


class LastTestView(Struct, kw_only=True):
    """How the last test ended; outdated if the model was changed since."""

    ok: bool
    "Every check passed that it claims to pass."
    tested_at: int
    "Unix seconds."
    is_outdated: bool
    "The model was changed since."
    failed: list[str]
    "Names of the checks that failed."


LinkAuth: TypeAlias = Annotated[
    Literal["none", "password", "user_token", "hook", "sign_in"], Meta(title="LinkAuth")
]
"How visitors show that they may come in."


class ListDocumentsBody(Struct, kw_only=True):
    """Documents of a knowledge base; ``page_size`` is another name of ``size``. ``status``, one of ours: 0 in work, 1 ready, 9 failed."""

    dataset_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the knowledge base."
    document_ids: list[DocumentId] | None | UnsetType = UNSET
    "Ids of documents; where it may be left out: all of them."
    keyword: str | None | UnsetType = UNSET
    "A part of the name; default: all."
    status: int | None | UnsetType = UNSET
    "Only documents in this state: 0 in work, 1 ready, 9 failed."
    page: str | int | None | UnsetType = UNSET
    "Page, from 1; default 1."
    page_num: str | int | None | UnsetType = UNSET
    "Another name of `page`."
    size: str | int | None | UnsetType = UNSET
    "Items per page, 1 to 100; default 10."
    page_size: str | int | None | UnsetType = UNSET
    "Another name of `size`."


class ListMessagesRequest(Struct, kw_only=True):
    """Body of message list; cursors refer to the order of the list."""

    order: str | None | UnsetType = UNSET
    "By age: asc or desc (default)."
    chat_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the chat."
    before_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Only messages before this one."
    after_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Only messages after this one."
    limit: int | str | None | UnsetType = UNSET
    "Messages per page, 1 to 50; default 50."
    types: list[str] | None | UnsetType = UNSET
    "Only messages of these kinds; absent: all."


class LiveChangedEvent(Struct, kw_only=True, tag_field="type", tag="changed"):
    """Something that the caller may see was changed, by whomever. ``revision`` is the one that it has now. Several changes are told as one, by the weightiest. Progress of a base or table import, and states of runs, have none; one run stands for all of a workspace."""

    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Its workspace."
    resource_type: EventEntryType
    resource_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of what was changed."
    revision: int
    "The revision that it has now; whoever has this one or a later one knows the change."
    what: EventChangeType
    at_ms: int
    "When it happened, in Unix milliseconds."


class LiveLiveBeganEvent(Struct, kw_only=True, tag_field="type", tag="live.began"):
    """The channel is open; what is known at once follows."""

    at_ms: int
    "When it happened, in Unix milliseconds."


class LiveModelsEvent(Struct, kw_only=True, tag_field="type", tag="models"):
    """The models of the deployment are not what they were: read anew what is shown of them. Which of them is not said: not everybody may see each."""

    at_ms: int
    "When it happened, in Unix milliseconds."


class LiveNoticeEvent(Struct, kw_only=True, tag_field="type", tag="notice"):
    """Something that whoever manages a workspace wants to know at once."""

    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the workspace."
    what: EventNoticeType
    resource_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "The budget that it is about."
    percent: int
    "How much of that is used: what its owners wanted to be told at, or 100 for all."
    at_ms: int
    "When it happened, in Unix milliseconds."


class LivePresenceEvent(Struct, kw_only=True, tag_field="type", tag="presence"):
    """Who else has open what the caller has open, whoever came first before the others."""

    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Its workspace."
    resource_type: str
    "agent, workflow, dataset, plugin, database or prompt."
    resource_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of what is open."
    people: list[EventPresent]
    "Who else has it open, whoever came first before the others; at most 50."
    at_ms: int
    "When it happened, in Unix milliseconds."


class LiveResetEvent(Struct, kw_only=True, tag_field="type", tag="reset"):
    """What was changed before this is not told: read anew what is shown."""

    at_ms: int
    "When it happened, in Unix milliseconds."


class LiveSessionEvent(Struct, kw_only=True, tag_field="type", tag="session"):
    """The rights of the caller are not what they were; the stream ends, open it again."""

    at_ms: int
    "When it happened, in Unix milliseconds."


Location: TypeAlias = Annotated[
    Literal["path", "query", "header", "cookie", "body"], Meta(title="Location")
]
"Where a parameter travels."


class LogItem(Struct, kw_only=True):
    """A warning or an error of a process, without secrets."""

    id: str
    "Its id."
    at: int
    "When it happened, in Unix seconds."
    level: str
    "`warning`, `error` or `critical`."
    logger: str
    "Part of the program that says it."
    message: str
    "What happened, in a sentence."
    log_id: str
    "Of the request that it belongs to; empty if to none."
    fields: dict[str, Any]
    "Fields of the table."
    host: str
    "Machine of the process."
    pid: int
    "Id of the process on its machine."


class LogItems(Struct, kw_only=True):
    """Lines that match, newest first."""

    items: list[LogItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class LoginBody(Struct, kw_only=True):
    """A name and a password."""

    name: str
    "Name or e-mail address of the account."
    password: str
    "Its password."
    remember: bool | UnsetType = False
    "`true`: for 30 days on this device; `false`: until the browser closes."


McpTransport: TypeAlias = Annotated[
    Literal["auto", "streamable_http", "sse"], Meta(title="McpTransport")
]
"How the server at an address is talked to."


class Me(Struct, kw_only=True):
    """An account."""

    user_id: str
    "Id of the account."
    user_name: str
    "Login name."
    nick_name: str
    "Name that people read."
    avatar_url: str
    "Address of the picture, signed for an hour; empty for none."


class MemberCreate(Struct, kw_only=True):
    """An account to admit."""

    user_id: str
    "Id of the account."
    role_type: str | None | UnsetType = UNSET
    "Role in the workspace: owner, admin or member."


MemberKind: TypeAlias = Annotated[
    Literal["delegate", "hand_off", "route"], Meta(title="MemberKind")
]
"How an agent works with another one."


class MemoryConsent(Struct, kw_only=True):
    """Whether the end user wants to be remembered."""

    enabled: bool
    "Whether it is switched on."


class MemoryFields(Struct, kw_only=True):
    """What is remembered; ``model_id`` does the work, empty for the agent's own model."""

    summary: bool | None | UnsetType = UNSET
    "Whether older messages are summarised."
    long_term: bool | None | UnsetType = UNSET
    "Whether facts about end users are remembered beyond conversations."
    model_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Model that summarises and remembers; empty for that of the agent."


class MemoryItem(Struct, kw_only=True):
    """One memory; ids are empty where the source is unknown. ``kind`` is fact, preference, event or episode, ``origin`` model or person; times are Unix seconds."""

    id: str
    "Its id."
    kind: str
    "fact, preference, event or episode."
    text: str
    "Text."
    importance: float
    "How much it counts, 0 to 1."
    origin: str
    "Who wrote it: model or person."
    conversation_id: str
    "Id of the conversation."
    run_id: str
    "Id of the run (chat)."
    message_ids: list[str]
    "Messages that the memory comes from."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    last_used_at: int
    "When it was used last, in Unix seconds; null or 0: never."


class MemoryItemList(Struct, kw_only=True):
    """Everything that is remembered of an end user."""

    items: list[MemoryItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."


class MessageDeltaEvent(Struct, kw_only=True, tag_field="type", tag="message.delta"):
    """The next piece of an answer; either text may be empty."""

    message_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the message."
    text: str
    "Text."
    reasoning: str
    "What the model thought before it answered."
    at_ms: int
    "When it happened, in Unix milliseconds."


class MessageReplacedEvent(Struct, kw_only=True, tag_field="type", tag="message.replaced"):
    """The answer's text and reasoning so far are these instead."""

    message_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the message."
    text: str
    "Text."
    reasoning: str
    "What the model thought before it answered."
    at_ms: int
    "When it happened, in Unix milliseconds."


class MessageStartedEvent(Struct, kw_only=True, tag_field="type", tag="message.started"):
    """An answer begins under this id; ``is_written``: a model of a workflow writes it."""

    message_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the message."
    is_written: bool
    "Whether a model of a workflow writes it."
    at_ms: int
    "When it happened, in Unix milliseconds."


Mode: TypeAlias = Annotated[Literal["single", "multi", "workflow"], Meta(title="Mode")]
"What answers: one model, several agents, or a workflow."


class ModelCheck(Struct, kw_only=True):
    """Outcome of one test call; ``detail`` is what came back, or why it failed."""

    name: Literal["chat", "stream", "usage", "json", "tools", "vision", "embedding", "rerank"]
    "What was tried."
    ok: bool
    "Whether it worked."
    latency_ms: int
    "Duration of the call in milliseconds."
    first_token_ms: int | None
    "Milliseconds until the first token; null where nothing streams."
    detail: str
    "What came back, or why it failed."
    is_claimed: bool
    "The model's settings say that it can; a test that looks for more tries the rest, too."
    request: str
    "Body of the request, as it was sent; empty for what another check has shown already."
    answer: str
    "What came of it, as JSON: text, reasoning, calls of tools and why it ended."


class ModelCheckCompletedEvent(Struct, kw_only=True, tag_field="type", tag="check.completed"):
    """A check is done."""

    check: EventModelCheck
    at_ms: int
    "When it happened, in Unix milliseconds."


class ModelCheckStartedEvent(Struct, kw_only=True, tag_field="type", tag="check.started"):
    """A check begins."""

    name: Literal["chat", "embedding", "json", "rerank", "stream", "tools", "usage", "vision"]
    "Name that people read."
    at_ms: int
    "When it happened, in Unix milliseconds."


class ModelChoice(Struct, kw_only=True):
    """Another model for this chat."""

    model_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the model; empty or null for the default."


class ModelFields(Struct, kw_only=True):
    """Settings of the model; absent leaves a value, null resets it."""

    model_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the model; empty or null for the default."
    temperature: float | None | UnsetType = UNSET
    "How varied answers are, 0 to 2; null for the default of the model."
    top_p: float | None | UnsetType = UNSET
    "Share of the likeliest tokens that count, 0 to 1; null for the default of the model."
    top_k: int | None | UnsetType = UNSET
    "Results, at most."
    presence_penalty: float | None | UnsetType = UNSET
    "How much words that occurred are avoided, -2 to 2."
    frequency_penalty: float | None | UnsetType = UNSET
    "How much repeated words are avoided, -2 to 2."
    max_tokens: int | None | UnsetType = UNSET
    "Tokens of the answer, at most; null for the default of the model."
    response_format: int | str | None | UnsetType = UNSET
    "Form of the answer."
    style: int | str | None | UnsetType = UNSET
    "Preset of the sampling: 0 custom, 1 creative, 2 balanced, 3 precise."
    history_rounds: int | None | UnsetType = UNSET
    "Rounds (question and answer) of history that the model sees; null for the default."
    cache_type: CacheType | None | UnsetType = UNSET
    "Cache of the provider that requests may use."
    sp_current_time: bool | None | UnsetType = UNSET
    "Whether the model is told the time."
    sp_anti_leak: bool | None | UnsetType = UNSET
    "Whether the model is told to keep its instructions to itself."
    parameters: dict[str, str | None] | None | UnsetType = UNSET
    "Further parameters of the model, as texts by name."
    lock_model_params: bool | None | UnsetType = UNSET
    "Requests may not change sampling, length or format."
    tool_choice: str | None | UnsetType = UNSET
    "What the first step does: ``auto``, ``required`` (calls some tool) or the name of a tool; later steps are free. ``none``: the model gets no tools at all."


class ModelFiguresView(Struct, kw_only=True):
    """Calls of one model, of all workspaces; ``model`` is its name."""

    model: str
    "Name of the model."
    calls: int
    "Attempts at its provider."
    failed: int
    "Attempts that failed."
    first_token_p50_ms: int | None
    "Median time to the first token; null of none."


class ModelInput(Struct, kw_only=True):
    """A new model, or a JSON merge patch of one: absent leaves alone, null means the default. For the three flags null is the same as absent. The objects at the bottom have the shape of their counterparts in ``ModelView``."""

    type: Literal["llm", "embedding", "rerank"] | None | UnsetType = UNSET
    "llm, embedding or rerank; cannot be changed."
    provider: str | None | UnsetType = UNSET
    "Kind of the provider; see the list of model providers."
    display: DisplayInput | None | UnsetType = UNSET
    "How the model shows itself."
    connection: ConnectionInput | None | UnsetType = UNSET
    "Where and how the model is reached."
    aliases: list[str] | None | UnsetType = UNSET
    "Further names under which clients ask for the model."
    fallbacks: list[str] | None | UnsetType = UNSET
    "Models that are asked when this one fails, in order."
    concurrency: int | None | UnsetType = UNSET
    "Calls at the same time, at most; 0 or null for the default."
    groups: list[str] | None | UnsetType = UNSET
    "Ids of the groups whose members may use it; none opens it to everybody."
    enabled: bool | None | UnsetType = UNSET
    "Whether it is switched on."
    is_default: bool | None | UnsetType = UNSET
    "Whether it is the default model of its kind."
    is_vision_default: bool | None | UnsetType = UNSET
    "Whether it is the model that describes images."
    capabilities: dict[str, Any] | None | UnsetType = UNSET
    "What the model can do."
    parameter_mapping: dict[str, Any] | None | UnsetType = UNSET
    "How parameters become fields of requests to the provider."
    timeouts: dict[str, Any] | None | UnsetType = UNSET
    "How long calls may take."
    reasoning: dict[str, Any] | None | UnsetType = UNSET
    "How the model is told how much to think."
    embedding: dict[str, Any] | None | UnsetType = UNSET
    "Settings of an embedding model."
    rerank: dict[str, Any] | None | UnsetType = UNSET
    "Settings of a reranking model."
    prices: dict[str, Any] | None | UnsetType = UNSET
    "What the model costs."


class ModelReport(Struct, kw_only=True):
    """What a model's test found; ``ok`` if every check passed."""

    id: str
    "Its id."
    ok: bool
    "Whether it worked."
    checks: list[ModelCheck]
    "Outcome of each test call."
    capabilities: Capabilities | None
    "What the model can do by these checks; null where nobody looked for it."


ModelSource: TypeAlias = Annotated[
    Literal["packaged", "config", "environment", "database"], Meta(title="ModelSource")
]
"Where an entry comes from, weakest first: a later source wins over an earlier one."


class ModelTestCompletedEvent(Struct, kw_only=True, tag_field="type", tag="test.completed"):
    """All checks are done."""

    report: EventModelReport
    at_ms: int
    "When it happened, in Unix milliseconds."


ModelTestEvent: TypeAlias = (
    ModelCheckStartedEvent | ModelCheckCompletedEvent | ModelTestCompletedEvent | ErrorEvent
)
"One event of a run."


class ModelTestInput(Struct, kw_only=True):
    """Settings to test before they are stored, or those of a model as they are. ``changes`` lie over the settings of ``model_id``, whose key they keep unless they have their own; without it they are those of a new model. ``detects`` also tries what is not claimed."""

    model_id: str | None | UnsetType = UNSET
    "The model, by id, name or alias; absent for a new one."
    changes: ModelInput | None | UnsetType = UNSET
    "Settings that are not stored."
    detects: bool | UnsetType = False
    "Try what is not claimed, too."


class ModelTimeouts(Struct, kw_only=True):
    """How long a call may take, in seconds."""

    connect_s: float | UnsetType = 5.0
    "Seconds until the connection stands, at most."
    first_token_s: float | UnsetType = 60.0
    "Seconds until the first token, at most."
    idle_s: float | UnsetType = 60.0
    "Seconds between two pieces of an answer, at most."
    total_s: float | UnsetType = 600.0
    "Seconds of the whole call, at most."


class ModelTraits(Struct, kw_only=True):
    """What OpenAI's own list has no place for; ``kind`` is agent, llm or embedding."""

    kind: str
    "agent, llm, embedding or rerank."
    capabilities: list[str]
    "What the model or agent can do, by names."


class NamedFunction(Struct, kw_only=True):
    """A function by its name."""

    name: str
    "Name that people read."


class NamedTool(Struct, kw_only=True):
    """A tool by its name."""

    type: str | UnsetType = "function"
    "Kind of the tool: function."
    function: NamedFunction | None | UnsetType = UNSET
    "The function that is meant."


class NewBaseBody(Struct, kw_only=True):
    """A knowledge base to be; ``format_type`` 0 text, 1 table, 2 image."""

    name: str
    "Name that people read."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    format_type: int | UnsetType = 0
    "Kind of the base: 0 text, 1 table, 2 image."
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon; empty or null for none."


class NodeOutput(Struct, kw_only=True):
    """An output that nodes of a kind have even if the canvas does not declare it."""

    name: str
    "Name that people read."
    type: str
    "Type of the value."
    description: str
    "What it is for; models and people read it."


class OAuthRequestAnswered(Struct, kw_only=True):
    """Where the answer leads."""

    url: str | None
    "Address to go to; null for a device, which asks by itself."


class OidcTrialItem(Struct, kw_only=True):
    """What a provider says of itself at this moment."""

    is_usable: bool
    "Whether people can sign in by it, as far as the provider tells."
    problem: str
    "Why it is not; empty where it is."
    authorization_endpoint: str
    "Where people are sent to."
    token_endpoint: str
    "Where codes are exchanged."
    userinfo_endpoint: str
    "Where the provider says more of a person; empty: nowhere."
    end_session_endpoint: str
    "Where people sign out there; empty: the provider does not say."
    keys: int
    "How many keys the provider publishes."
    tells_of_logout: bool
    "Whether it can tell that somebody signed out there."


class OnboardingFields(Struct, kw_only=True):
    """What a new conversation begins with."""

    prologue: str | UnsetType = ""
    "Greeting before the first question."
    suggested_questions: list[str] | UnsetType = field(default_factory=list)
    "Questions that are suggested before the first one; at most 10."
    display_all_suggestions: bool | UnsetType = False
    "Show all suggested questions at once instead of some by chance."


class OnboardingPatch(Struct, kw_only=True):
    """Changes of what an end user sees first."""

    prologue: str | None | UnsetType = UNSET
    "Greeting before the first question."
    suggested_questions: list[str] | None | UnsetType = UNSET
    "Questions that are suggested before the first one; at most 10."


class OpenAIErrorInfo(Struct, kw_only=True):
    """What went wrong, in the vocabulary of the OpenAI clients."""

    message: str
    "What happened, in a sentence that says what to do."
    type: str
    "Kind of the error, for instance invalid_request_error."
    param: str
    "The field that is wrong; never null, which not all clients can read."
    code: str
    "Stable name or number of the error, as text."
    reason: str | UnsetType = UNSET
    "What the budget is for that is used up, like `agent`."
    resets_at: int | None | UnsetType = UNSET
    "When it begins anew, in Unix seconds; null for never."


class OpenSessionBody(Struct, kw_only=True):
    """What a visitor shows."""

    source: Literal["share_link", "embed"] | UnsetType = "share_link"
    "Whether the page stands alone or in a frame."
    key: str | None | UnsetType = UNSET
    "`key` of an earlier session: the same visitor comes back."
    password: str | None | UnsetType = UNSET
    "The password, where the link asks for one."
    user_token: str | None | UnsetType = UNSET
    "Token (JWT) signed by the site around: HS256 with the key of the link, or RS256. Where the link has a hook, whatever that knows people by."


class OrderBody(Struct, kw_only=True):
    """A field to sort by."""

    field_: str = field(name="field")
    "Name of the field to sort by."
    ascending: bool | UnsetType = True
    "Smallest first; false: largest first."


OutputFormat: TypeAlias = Annotated[Literal["text", "markdown", "json"], Meta(title="OutputFormat")]
"Shape the answer must have."


class OwnVerdict(Struct, kw_only=True):
    """What the caller said of an answer."""

    message_id: str
    "Id of the message."
    feedback_type: FeedbackKind


class ParameterMapping(Struct, kw_only=True):
    """How parameters of requests become fields of requests to the provider."""

    rename: dict[str, str] | UnsetType = UNSET
    "Names of parameters here and at the provider."
    drop: list[str] | UnsetType = field(default_factory=list)
    "Fields of a request that the model refuses."
    defaults: dict[str, Any] | UnsetType = UNSET
    "Fields of requests to the provider, below what the caller gave."
    force: dict[str, Any] | UnsetType = UNSET
    "Fields of requests to the provider, above what the caller gave."
    temperature_max: float | None | UnsetType = UNSET
    "Largest temperature that the model takes; larger ones are lowered."


class ParsingStrategy(Struct, kw_only=True):
    """How a file is read: 0 fast (text only), 1 accurate."""

    parsing_type: int
    "0 fast: text only; 1 accurate: tables and images, too."
    image_extraction: bool
    "Take images out of documents."
    table_extraction: bool
    "Read tables as tables."
    image_ocr: bool | None
    "Whether text in images is read; null: only where a page has no other."


class ParsingStrategyBody(Struct, kw_only=True):
    """How files are read: 0 fast (text only), 1 accurate, which is the default."""

    parsing_type: int | str | None | UnsetType = UNSET
    "0 or fast: text only; 1 or accurate (default): tables and images, too."
    image_extraction: bool | None | UnsetType = UNSET
    "Take images out of documents."
    table_extraction: bool | None | UnsetType = UNSET
    "Read tables as tables."
    image_ocr: bool | None | UnsetType = UNSET
    "Read text in images."


class PartItem(Struct, kw_only=True):
    """A part that this process works with, and since when it is well, or not."""

    name: str
    "Name that people read."
    is_ok: bool
    "Whether it works."
    note: str
    "Why it does not work; empty while it does."
    is_required: bool
    "Whether it must be given."
    since: int
    "Since when it works, or does not, in Unix seconds."


class PatchDatabaseBody(Struct, kw_only=True):
    """A merge patch; ``fields`` lists all fields, those left out are dropped with their cells."""

    table_name: str | UnsetType = UNSET
    "Name of the table in SQL."
    table_desc: str | UnsetType = UNSET
    "What the table holds; models read it."
    fields: list[FieldBody] | UnsetType = UNSET
    "All fields; those left out are dropped with their cells."
    rw_mode: int | UnsetType = UNSET
    "Who sees rows: 1 end users see and change their own, 2 nobody changes them, 3 everybody sees all."
    prompt_disabled: bool | UnsetType = UNSET
    "Whether models are not told of it."
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon; empty or null for none."


class PatchDatasetBody(Struct, kw_only=True):
    """A merge patch; searches skip a base that is not enabled."""

    name: str | UnsetType = UNSET
    "Name that people read."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    enabled: bool | UnsetType = UNSET
    "Whether it is switched on."


class PatchMemoryBody(Struct, kw_only=True):
    """A correction; what is left out stays."""

    text: str | None | UnsetType = UNSET
    "Text."
    importance: float | None | UnsetType = UNSET
    "How much it counts, 0 to 1."


class PatchSliceBody(Struct, kw_only=True):
    """A merge patch: text, or the cells of a row that change; ``sequence`` 1 is the first position. Searches skip a slice that is not enabled."""

    content: str | list[dict[str, Any]] | UnsetType = UNSET
    "Text; in requests also a list of parts where the schema says so."
    enabled: bool | UnsetType = UNSET
    "Whether it is switched on."
    sequence: int | UnsetType = UNSET
    "Position, from 1; without one it comes last."


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
        "trace.read",
        "usage.read",
        "workspace.read",
        "workspace.write",
        "admin",
    ],
    Meta(title="Permission"),
]
"Scope names of a personal access token (``spec`` names of the Coze wire)."


class Person(Struct, kw_only=True):
    """Who made something; ``name`` is empty when the account is gone."""

    id: str
    "Its id."
    name: str
    "Name that people read."


class PersonaChoice(Struct, kw_only=True):
    """Another name and persona for this chat."""

    character_name: str | None | UnsetType = UNSET
    "Another name of the agent, for this chat."
    prompt: str | None | UnsetType = UNSET
    "Text that tells the model who it is and what to do."


PluginKind: TypeAlias = Annotated[
    Literal["http", "mcp", "local", "workflow"], Meta(title="PluginKind")
]
"What stands behind the tools of a plugin."


class PluginToolFields(Struct, kw_only=True):
    """A tool of a plugin; the model neither sees nor overrides the ``defaults``. Those named in ``secrets``, or like one (``api_key``, ``token`` …), are answered as ``******``; sending that back keeps the value. Without a ``version``, publishing binds the newest."""

    plugin_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the plugin."
    tool_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the tool."
    version: str | UnsetType = ""
    "Version of the plugin; empty: publishing binds the newest."
    defaults: dict[str, Any] | UnsetType = UNSET
    "Values of parameters that the model neither sees nor changes."
    secrets: list[str] | UnsetType = UNSET
    "Names among `defaults` whose values are never shown."
    approval: Literal["auto", "always", "exempt"] | UnsetType = "auto"
    "When a person must agree to a call: `auto` by the effect of the tool, `always`, or `exempt` for never."


class PluginVersionView(Struct, kw_only=True):
    """One version."""

    version_name: str
    "Name of the version."
    version_desc: str
    "What is new in the version."
    creator_id: str
    "Id of the account that made it."
    tool_count: int
    "Tools that it has."
    created_at: int
    "When it was made, in Unix seconds."


class PresenceBody(Struct, kw_only=True):
    """What is open before somebody."""

    type: str
    "agent, workflow, dataset, plugin, database or prompt."
    id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Its id."
    is_open: bool | UnsetType = True
    "Whether it is open now; false when it is closed."
    window: str | UnsetType = ""
    "Name of the window that it is open in, where one person has several: made up by the client, at most 40 characters."


class PreviewColumn(Struct, kw_only=True):
    """A column of a file."""

    name: str
    "As the file's header names it."
    is_field: bool
    "Whether the table has a field of this name; no file with another column is imported."


class PriceTier(Struct, kw_only=True):
    """Prices per unit for inputs of at most ``upto_input`` tokens; None has no upper end."""

    upto_input: int | None | UnsetType = UNSET
    "Tokens of the longest input of the tier; null: no end."
    input: str | UnsetType = "0"
    "Points per unit of input tokens, as decimal text."
    output: str | UnsetType = "0"
    "Points per unit of output tokens, as decimal text."
    cached_input: str | None | UnsetType = UNSET
    "None charges cached input like any other."


class PriceView(Struct, kw_only=True):
    """Prices of a model that are in force from ``created_at`` on, until there are later ones."""

    number: int
    "From 1, by time."
    version: str
    "Name that entries of the ledger keep; equal prices have equal names. Empty: no prices."
    currency: str
    "Code (ISO 4217) of the money."
    unit: int
    "Tokens that one price buys."
    tiers: list[PriceTier]
    "Prices in points."
    money: list[PriceTier]
    "Prices in `currency`."
    created_at: int
    "When it was made, in Unix seconds."
    created_by: str | None
    "The account that set them; null for the configuration."


class ProcessBody(Struct, kw_only=True):
    """Documents to look at."""

    document_ids: list[DocumentId]
    "Ids of documents; where it may be left out: all of them."


class ProcessItem(Struct, kw_only=True):
    """A process as it was when it last told of itself."""

    id: str
    "Its id."
    host: str
    "Its machine."
    pid: int
    "Its id on the machine."
    is_server: bool
    "It answers requests; a worker does not."
    roles: list[str]
    "Background work that it does."
    version: str
    "Version as publishing named it; empty for the draft or for none."
    started_at: int
    "When it started, in Unix seconds."
    seen_at: int
    "When it last told of itself, in Unix seconds."
    status: str
    "State of it."
    problems: dict[str, str]
    "What does not work, by part."
    processor: float
    "Share of one core that it uses."
    lag_s: float
    "By how much its event loop was late at worst within a second."
    memory_bytes: int
    "Memory that it holds; 0 where the system does not tell."
    runs: int
    "Chats in progress."
    workflow_runs: int
    "Runs of workflows in progress."
    documents: int
    "Documents that it reads."
    streams: int
    "Whether the node hands out its output piece by piece."
    is_silent: bool
    "It has not told of itself for 50 seconds."
    is_this: bool
    "It gave this answer."
    duties: list[str]
    "Scheduled work that it alone does of all processes, under a lease."


class ProcessItems(Struct, kw_only=True):
    """The processes of the deployment, the one that answers first."""

    items: list[ProcessItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class ProgramItem(Struct, kw_only=True):
    """A program that the operator runs as an MCP server."""

    name: str
    "As `mcp.program` of a plugin names it."


class ProgramList(Struct, kw_only=True):
    """The programs that a workspace may use, by name."""

    items: list[ProgramItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class PromptFields(Struct, kw_only=True):
    """The persona, a template with ``{{ name }}`` placeholders."""

    text: str | None | UnsetType = UNSET
    "Text."


ProposalKind: TypeAlias = Annotated[
    Literal["prompt", "prologue", "questions"], Meta(title="ProposalKind")
]
"What is to be written."


class ProviderReportBody(Struct, kw_only=True):
    """A report of a provider."""

    provider: str
    "Kind of the provider, like `openai`, as entries of the ledger name it."
    csv: str
    "The report, with a head. Columns: `date` (in UTC) and `model`; and, as far as there are, `requests`, `input_tokens`, `output_tokens`, `cost` and `currency`. Lines of one day and model are added up."


class ProviderView(Struct, kw_only=True):
    """A kind of provider; ``connection_schema`` is the JSON Schema of ``connection``."""

    class_: str = field(name="class")
    "Name of the provider, as models give it in `provider`."
    name: str
    "Name that people read."
    types: list[Literal["llm", "embedding", "rerank"]]
    "Kinds of models that it has."
    connection_schema: dict[str, Any]
    "JSON Schema of `connection`."


ConnectorId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class PublishAgentBody(Struct, kw_only=True):
    """What to publish where; ``version`` activates an existing version."""

    connector_ids: list[ConnectorId] | None | UnsetType = UNSET
    "Connectors (publishing channels); default: the API (1024)."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    version: str | None | UnsetType = UNSET
    "Version as publishing named it; empty for the draft or for none."


class PublishAppBody(Struct, kw_only=True):
    """What the version is called, and where it goes: the API unless said otherwise."""

    version: str | None | UnsetType = UNSET
    "Version as publishing named it; empty for the draft or for none."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    connectors: list[str | int] | None | UnsetType = UNSET
    "Connectors (publishing channels) to publish to; default: the API (1024)."


class PublishBotBody(Struct, kw_only=True):
    """Body of ``/v1/bot/publish``."""

    bot_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the agent (bot)."
    connector_ids: list[ConnectorId] | None | UnsetType = UNSET
    "Connectors (publishing channels); default: the API (1024)."


class PublishPluginBody(Struct, kw_only=True):
    """A version; without a name the next number is taken. ``force`` skips the debug calls."""

    version_name: str | UnsetType = ""
    "Name of the version; empty: the next number."
    version_desc: str | UnsetType = ""
    "What is new in the version."
    force: bool | UnsetType = False
    "Publish without a debug call that worked. Default false."


class PublishWorkflowBody(Struct, kw_only=True):
    """A version like ``v1.2.0``, by default the next one; ``force`` needs no test run."""

    version: str | None | UnsetType = UNSET
    "Name of the version, like v1.2.0; absent: the next one."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    force: bool | UnsetType = False
    "Publish without a test run that went well. Default false."
    commit_id: str | None | UnsetType = UNSET
    "Id of the published content."


class PublishedVersion(Struct, kw_only=True):
    """The version that answers now."""

    version: str
    "Version as publishing named it; empty for the draft or for none."


class QueryRecordsBody(Struct, kw_only=True):
    """A page of rows; ``filter`` is a condition or a group of them."""

    env: str | UnsetType = "online"
    "`draft` or `online`: what tests or published use read and write."
    connector_uid: str | None | UnsetType = UNSET
    "Id of the end user, as the caller names it; empty or absent for the account itself."
    fields: list[str] | UnsetType = UNSET
    "Names of the fields to answer; empty: all."
    filter: ConditionInput | None | UnsetType = UNSET
    "Which of them are meant; absent: all."
    order_by: list[OrderBody] | UnsetType = UNSET
    "Fields to sort by, the most important first."
    limit: int | UnsetType = 50
    "Rows per page, at most. Default 50."
    offset: int | UnsetType = 0
    "Rows to leave out at the start."


class QueueItem(Struct, kw_only=True):
    """A queue as it stands."""

    name: str
    "Name that people read."
    waiting: int
    "What nobody works on yet."
    in_work: int
    "What a process works on."
    failed: int
    "What was given up and is still known; of events, the dead letters."
    oldest_at: int | None
    "Since when the oldest waits."
    workers: int
    "Processes that take from it."
    per_minute: float | None
    "What was done in the last five minutes, where that is measured."


class QueueItems(Struct, kw_only=True):
    """All queues."""

    items: list[QueueItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class QuoteScore(Struct, kw_only=True):
    """How well a piece of knowledge fits, in FastGPT's terms."""

    type: str
    "Channel: embedding, fullText, reRank or rrf."
    value: float
    "The score, 0 to 1 for most channels."
    index: int
    "Rank in the channel, from 0."


RateClass: TypeAlias = Annotated[
    Literal["default", "low", "standard", "high"], Meta(title="RateClass")
]
"Which figure of the deployment's counts for a token."


class ReasoningOptions(Struct, kw_only=True):
    """How much a model thinks; its reasoning is sent only if ``summary`` is given."""

    effort: str | None | UnsetType = UNSET
    "How much the model thinks: none, minimal, low, medium, high or xhigh."
    summary: str | None | UnsetType = UNSET
    "Whether reasoning is answered: auto, concise or detailed; absent: it is not."


class ReasoningSettings(Struct, kw_only=True):
    """How a model marks its reasoning inside the text."""

    tags: list[str]
    "Element names; none switches the extraction off."
    interleaved: bool
    "Thoughts may begin again at the start of any line, not only of the reply."
    promote: bool
    "A reply that is nothing but thoughts becomes the answer instead of an error."


class ReconciledSide(Struct, kw_only=True):
    """What one of both says; null: it does not say."""

    calls: int | None
    "Calls of tools that the client carries out."
    input_tokens: int | None
    "Tokens of the input."
    output_tokens: int | None
    "Tokens of the answer."
    cost: str | None
    "Time that it took, as text with unit."


class RecordList(Struct, kw_only=True):
    """A page of rows; their ids are texts."""

    items: list[dict[str, Any]]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    has_more: bool
    "Whether there are further pages."


class RefusalContentPart(Struct, kw_only=True, tag_field="type", tag="refusal"):
    """What the assistant refused with."""

    refusal: str
    "Why the model refused; null if it did not."


class RegisterBody(Struct, kw_only=True):
    """An account to open for oneself."""

    name: str
    "Unique name of the account: 4 to 20 letters, digits, `.`, `_`, `-`."
    password: str
    "Password: at least 12 characters, and none that is guessed first."
    nickname: str | None | UnsetType = UNSET
    "Name shown to others; absent: that of the account."
    email: str | None | UnsetType = UNSET
    "E-mail address, where its domain is what lets somebody in."
    code: str | None | UnsetType = UNSET
    "What stands behind `invite=` in an invitation."
    remember: bool | UnsetType = False
    "`true`: for 30 days on this device; `false`: until the browser closes."


class ReindexBody(Struct, kw_only=True):
    """``embedding_model`` names another model; an empty name means the default one."""

    embedding_model: str | None | UnsetType = UNSET
    "Embedding model of the index; empty for the default."


UserId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class RemoveMembersBody(Struct, kw_only=True):
    """Accounts to dismiss: a list, or ids joined by commas as the Go client may send them."""

    user_ids: list[UserId] | str
    "Ids of accounts."


class RemovedMembers(Struct, kw_only=True):
    """What became of each account."""

    removed_success_user_ids: list[str]
    "Accounts that are no members any more."
    not_in_workspace_user_ids: list[str]
    "Accounts that are no members."
    owner_not_support_remove_user_ids: list[str]
    "Owners, who cannot be removed."


class RenameConversationBody(Struct, kw_only=True):
    """Another name for a conversation."""

    name: str
    "Name that people read."


class RenameConversationRequest(Struct, kw_only=True):
    """Body of ``PUT /v1/conversations/{conversation_id}``."""

    name: str
    "New name; at most 100 characters."


class RenameTokenBody(Struct, kw_only=True):
    """Another name for a token."""

    name: str
    "Name that people read."


class RepeatRunBody(Struct, kw_only=True):
    """Where to begin again: ``inputs`` replace what the node reads, ``outputs`` earlier results."""

    node_id: str
    "Id of the node in the canvas."
    inputs: dict[str, Any] | None | UnsetType = UNSET
    "Values of the inputs, by name."
    outputs: dict[str, dict[str, Any]] | None | UnsetType = UNSET
    "Values of the outputs, by name."


class RerankDocument(Struct, kw_only=True):
    """A text to rank."""

    text: str
    "Text."


class RerankRequest(Struct, kw_only=True):
    """A question and what might answer it."""

    query: str
    "What documents are ordered by."
    documents: list[str | RerankDocument]
    "Up to 2,048 texts."
    model: str | UnsetType = ""
    "Name of a ranking model; the default one without it."
    top_n: int | None | UnsetType = UNSET
    "How many to return, the best ones; all without it."
    return_documents: bool | UnsetType = False
    "Give the texts back with their places."


class RerankResult(Struct, kw_only=True):
    """A document by its position in the request, with its relevance from 0 to 1."""

    index: int
    "Position, from 0."
    relevance_score: float
    "How well the document answers, 0 to 1."
    document: RerankDocument | None | UnsetType = UNSET
    "The document, where `return_documents` asked for it."


class RerankSettings(Struct, kw_only=True):
    """How a reranking model wants its input, and what its scores are."""

    scale: Literal["unit", "logit"]
    "Logits go through a sigmoid."
    max_documents: int
    "Of one call; more are sent in several."
    max_document_chars: int
    "Characters of a document that the model sees."


class RerankUsage(Struct, kw_only=True):
    """Tokens that the model counted; 0 if it does not tell."""

    total_tokens: int
    "Tokens of input and answer together."


ResourceKind: TypeAlias = Annotated[
    Literal["agent", "app", "database", "dataset", "plugin", "prompt", "workflow"],
    Meta(title="ResourceKind"),
]
"What can be shared one by one."


class ResponseContentPartAddedEvent(
    Struct, kw_only=True, tag_field="type", tag="response.content_part.added"
):
    """The event ``response.content_part.added``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    item_id: str
    "Id of the item."
    output_index: int
    "Position of the item in the output, from 0."
    content_index: int
    "Position of the part in its item, from 0."
    part: dict[str, Any]
    "The part as it is now."


class ResponseContentPartDoneEvent(
    Struct, kw_only=True, tag_field="type", tag="response.content_part.done"
):
    """The event ``response.content_part.done``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    item_id: str
    "Id of the item."
    output_index: int
    "Position of the item in the output, from 0."
    content_index: int
    "Position of the part in its item, from 0."
    part: dict[str, Any]
    "The part as it is now."


class ResponseErrorEvent(Struct, kw_only=True, tag_field="type", tag="error"):
    """The event ``error``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    code: str
    "Stable name or number of the error, as text."
    message: str
    "What happened, in a sentence."


class ResponseFormat(Struct, kw_only=True):
    """Shape of the answer: text, json_object or json_schema."""

    type: str
    "text, json_object or json_schema."
    json_schema: JsonSchema | None | UnsetType = UNSET
    "The schema that the answer follows."


class ResponseFunctionCallArgumentsDeltaEvent(
    Struct, kw_only=True, tag_field="type", tag="response.function_call_arguments.delta"
):
    """The event ``response.function_call_arguments.delta``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    item_id: str
    "Id of the item."
    output_index: int
    "Position of the item in the output, from 0."
    delta: str
    "What is new; pieces joined give the whole."


class ResponseFunctionCallArgumentsDoneEvent(
    Struct, kw_only=True, tag_field="type", tag="response.function_call_arguments.done"
):
    """The event ``response.function_call_arguments.done``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    item_id: str
    "Id of the item."
    output_index: int
    "Position of the item in the output, from 0."
    arguments: str
    "Arguments of the call, as JSON text."


class ResponseGone(Struct, kw_only=True):
    """A response that was deleted."""

    id: str
    "Its id."
    object: str
    "Kind of the object."
    deleted: bool
    "Always true."


class ResponseItems(Struct, kw_only=True):
    """A page of input items."""

    object: str
    "Kind of the object."
    data: list[dict[str, Any]]
    "Items of the page or answer."
    first_id: str | None
    "Id of the first item of the page."
    last_id: str | None
    "Id of the last item of the page; the next page begins behind it."
    has_more: bool
    "Whether there are further pages."


ResponseKind: TypeAlias = Annotated[Literal["object", "value", "text"], Meta(title="ResponseKind")]
"What a successful answer is; texts and lists become ``data`` of the output."


class ResponseOutputItemAddedEvent(
    Struct, kw_only=True, tag_field="type", tag="response.output_item.added"
):
    """The event ``response.output_item.added``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    output_index: int
    "Position of the item in the output, from 0."
    item: dict[str, Any]
    "The item as it is now."


class ResponseOutputItemDoneEvent(
    Struct, kw_only=True, tag_field="type", tag="response.output_item.done"
):
    """The event ``response.output_item.done``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    output_index: int
    "Position of the item in the output, from 0."
    item: dict[str, Any]
    "The item as it is now."


class ResponseOutputTextAnnotationAddedEvent(
    Struct, kw_only=True, tag_field="type", tag="response.output_text.annotation.added"
):
    """The event ``response.output_text.annotation.added``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    item_id: str
    "Id of the item."
    output_index: int
    "Position of the item in the output, from 0."
    content_index: int
    "Position of the part in its item, from 0."
    annotation_index: int
    "Position of the annotation in its part, from 0."
    annotation: dict[str, Any]
    "A citation within the text."


class ResponseOutputTextDeltaEvent(
    Struct, kw_only=True, tag_field="type", tag="response.output_text.delta"
):
    """The event ``response.output_text.delta``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    item_id: str
    "Id of the item."
    output_index: int
    "Position of the item in the output, from 0."
    content_index: int
    "Position of the part in its item, from 0."
    delta: str
    "What is new; pieces joined give the whole."


class ResponseOutputTextDoneEvent(
    Struct, kw_only=True, tag_field="type", tag="response.output_text.done"
):
    """The event ``response.output_text.done``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    item_id: str
    "Id of the item."
    output_index: int
    "Position of the item in the output, from 0."
    content_index: int
    "Position of the part in its item, from 0."
    text: str
    "Text."


ResponsePolicy: TypeAlias = Annotated[
    Literal["declared", "raw", "strict"], Meta(title="ResponsePolicy")
]
"What becomes of an answer."


class ResponseReasoningSummaryPartAddedEvent(
    Struct, kw_only=True, tag_field="type", tag="response.reasoning_summary_part.added"
):
    """The event ``response.reasoning_summary_part.added``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    item_id: str
    "Id of the item."
    output_index: int
    "Position of the item in the output, from 0."
    summary_index: int
    "Position of the part in its summary, from 0."
    part: dict[str, Any]
    "The part as it is now."


class ResponseReasoningSummaryPartDoneEvent(
    Struct, kw_only=True, tag_field="type", tag="response.reasoning_summary_part.done"
):
    """The event ``response.reasoning_summary_part.done``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    item_id: str
    "Id of the item."
    output_index: int
    "Position of the item in the output, from 0."
    summary_index: int
    "Position of the part in its summary, from 0."
    part: dict[str, Any]
    "The part as it is now."


class ResponseReasoningSummaryTextDeltaEvent(
    Struct, kw_only=True, tag_field="type", tag="response.reasoning_summary_text.delta"
):
    """The event ``response.reasoning_summary_text.delta``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    item_id: str
    "Id of the item."
    output_index: int
    "Position of the item in the output, from 0."
    summary_index: int
    "Position of the part in its summary, from 0."
    delta: str
    "What is new; pieces joined give the whole."


class ResponseReasoningSummaryTextDoneEvent(
    Struct, kw_only=True, tag_field="type", tag="response.reasoning_summary_text.done"
):
    """The event ``response.reasoning_summary_text.done``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    item_id: str
    "Id of the item."
    output_index: int
    "Position of the item in the output, from 0."
    summary_index: int
    "Position of the part in its summary, from 0."
    text: str
    "Text."


VectorStoreId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class ResponseTool(Struct, kw_only=True):
    """A function that the caller executes, or ``file_search``: knowledge bases to be searched."""

    type: str
    "Kind of the tool: function."
    name: str | None | UnsetType = UNSET
    "Name that people read."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    parameters: dict[str, Any] | None | UnsetType = UNSET
    "JSON Schema of the arguments."
    strict: bool | None | UnsetType = UNSET
    "Whether arguments or answers must follow the schema exactly."
    vector_store_ids: list[VectorStoreId] | None | UnsetType = UNSET
    "Ids of knowledge bases, of a ``file_search``."
    max_num_results: int | None | UnsetType = UNSET
    "Most pieces that a ``file_search`` finds, 1 to 50."


class ResponseToolChoice(Struct, kw_only=True):
    """One function that must be called, or those that may be (``allowed_tools``)."""

    type: str
    "function or allowed_tools."
    name: str | None | UnsetType = UNSET
    "Name that people read."
    mode: str | None | UnsetType = UNSET
    "`auto`: the model chooses; `required`: one must be called."
    tools: list[ResponseTool] | None | UnsetType = UNSET
    "Tools that may be called."


class ResponseUsage(Struct, kw_only=True):
    """Tokens of one response."""

    input_tokens: int
    "Tokens of the input."
    input_tokens_details: dict[str, int]
    "Of the input: tokens that the provider's cache had."
    output_tokens: int
    "Tokens of the answer."
    output_tokens_details: dict[str, int]
    "Of the output: tokens of reasoning."
    total_tokens: int
    "Tokens of input and answer together."


class ResumeRunBody(Struct, kw_only=True):
    """The answer to a question: text, or the JSON text of a form."""

    event_id: str
    "Id of the question; it goes back with the answer."
    data: str
    "The answer to the question."


class ResumeWorkflowRequest(Struct, kw_only=True):
    """Body of ``POST /v1/workflow/stream_resume``."""

    workflow_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the workflow."
    event_id: str
    "Id of the question; it goes back with the answer."
    resume_data: str
    "The answer to the question."
    interrupt_type: int
    "Kind of the question, as it was received: 2 question, 5 form, 7 access, 100 tool."
    ext: dict[str, str | None] | None | UnsetType = UNSET
    "Further values for the run, by name."
    connector_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Connector (publishing channel) that it belongs to. In requests default 1024: the API."


class RetentionBody(Struct, kw_only=True):
    """All that a workspace says of how long it keeps things; each 1 to 3650 days, or null."""

    conversation_days: int | None | UnsetType = UNSET
    "Conversations, since they were last used."
    file_days: int | None | UnsetType = UNSET
    "Uploaded files, except pictures of things and sources of documents."
    log_days: int | None | UnsetType = UNSET
    "Runs of workflows, and messages of channels."
    trace_content_days: int | None | UnsetType = UNSET
    "What was said, in traces."
    trace_days: int | None | UnsetType = UNSET
    "Whole traces."
    legal_hold: bool | UnsetType = False
    "Nothing is removed, neither by its age nor for somebody who asks for it."


class RetentionItem(Struct, kw_only=True):
    """How long a workspace keeps things, in days; null: as long as the deployment does."""

    updated_at: int | None
    "When it was changed last, in Unix seconds."
    updated_by: str | None
    "Who changed it last."
    conversation_days: int | None
    "Conversations, since they were last used."
    file_days: int | None
    "Uploaded files, except pictures of things and sources of documents."
    log_days: int | None
    "Runs of workflows, and messages of channels."
    trace_content_days: int | None
    "What was said, in traces."
    trace_days: int | None
    "Whole traces."
    legal_hold: bool
    "Nothing is removed, neither by its age nor for somebody who asks for it."


class RetryLettersBody(Struct, kw_only=True):
    """Which letters to deliver again: those that match all that is named."""

    event_id: str | UnsetType = ""
    "Letters of this event."
    consumer: str | UnsetType = ""
    "Letters of this consumer."
    topic: str | UnsetType = ""
    "Letters of events of this topic."
    q: str | UnsetType = ""
    "A part of the error, the key or the topic."
    is_all: bool | UnsetType = False
    "Every letter; then nothing else is named."


class ReviewBotBody(Struct, kw_only=True):
    """Outcome of a connector's review: ``audit_status`` 1 pending, 2 approved, 3 rejected."""

    audit_status: int
    "Verdict: 1 pending, 2 approved, 3 rejected."
    reason: str | None | UnsetType = UNSET
    "Why it was rejected, for its makers."


class ReviewPlugin(Struct, kw_only=True):
    """A document to be looked at; ``url`` is where it is fetched, instead of the text itself."""

    openapi: str | dict[str, Any] | None | UnsetType = UNSET
    "The description, as text or object."
    data: str | dict[str, Any] | None | UnsetType = UNSET
    "Items of the page or answer."
    format: Literal["openapi", "swagger2", "postman", "curl"] | UnsetType = "openapi"
    "Form of the text."
    manifest: ImportManifest | UnsetType = UNSET
    url: str | UnsetType = ""
    "Address; of files signed for an hour."


class ReviewedFileBody(Struct, kw_only=True):
    """A file that may be imported: its name, and what is in it."""

    text: str
    "What is in the file, to the character."
    name: str | UnsetType = ""
    "Name of the file; digits in it and the name itself say which workflow it holds."


Role: TypeAlias = Annotated[
    Literal["owner", "admin", "editor", "operator", "viewer"], Meta(title="Role")
]
"Role of a member in a space, strongest first."


class RoleBody(Struct, kw_only=True):
    """The whole role of a chat flow; what is left out becomes empty."""

    name: str | UnsetType = ""
    "Name that people read."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    avatar_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the picture; empty for none."
    onboarding: OnboardingFields | UnsetType = UNSET
    suggest_reply: ChatflowSuggestFields | UnsetType = UNSET
    background: dict[str, Any] | UnsetType = UNSET
    "`true`: the run goes on without the caller, who asks for its state. Default false."
    user_input: dict[str, Any] | UnsetType = UNSET
    "How users write; stored for front ends."
    audio: dict[str, Any] | UnsetType = UNSET
    "Voice of the role; stored for front ends."


class RotateServiceTokenBody(Struct, kw_only=True):
    """How to go over to another text."""

    overlap_s: int
    "Seconds for which the former text goes on, 0 to 604800; 0 ends it at once."


RouterMode: TypeAlias = Annotated[Literal["off", "rules", "model"], Meta(title="RouterMode")]
"Who decides which agent takes a question."


class RouterRuleFields(Struct, kw_only=True):
    """Questions with one of these words go to this agent."""

    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the agent."
    words: list[str]
    "Words in the question that fit the rule."


RunStatus: TypeAlias = Annotated[
    Literal["created", "in_progress", "requires_action", "completed", "failed", "canceled"],
    Meta(title="RunStatus"),
]
"State of a run, in the spelling of the Coze wire."


class RunTokens(Struct, kw_only=True):
    """Tokens that models took and gave."""

    input: int
    "Tokens of the input."
    output: int
    "Tokens of the answer."
    total: int
    "Items of all pages."


class RunWorkflowRequest(Struct, kw_only=True):
    """Body of ``POST /v1/workflow/run`` and ``/stream_run``; the latter has no ``is_async``."""

    workflow_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the workflow."
    parameters: dict[str, Any] | str | None | UnsetType = UNSET
    "Values of the inputs, by name, as an object or its JSON text."
    bot_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the agent (bot)."
    app_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the app that it belongs to; empty for the library of the workspace."
    project_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the app that the workflow belongs to, as clients of Coze name it."
    ext: dict[str, str | None] | None | UnsetType = UNSET
    "Further values for the run, by name."
    is_async: bool | None | UnsetType = UNSET
    "Answer at once with the id of the run; the result is asked for later. Default false."
    version: str | None | UnsetType = UNSET
    "Version as publishing named it; empty for the draft or for none."
    workflow_version: str | None | UnsetType = UNSET
    "Version to run; default: the latest."
    execute_mode: str | None | UnsetType = UNSET
    "`DEBUG` runs the draft; default: the published version."
    connector_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Connector (publishing channel) that it belongs to. In requests default 1024: the API."


class SaveInputBody(Struct, kw_only=True):
    """Inputs under a name, with ``mocks``: outputs of nodes that are not to run, by their ids."""

    name: str
    "Name that people read."
    is_shared: bool | UnsetType = False
    "Whether everybody may use them who reads the workflow."
    inputs: dict[str, Any] | UnsetType = UNSET
    "Values of the inputs, by name."
    mocks: dict[str, dict[str, Any]] | UnsetType = UNSET
    "Outputs of nodes that are not to run, by the node's id."


class SavePreviewBody(Struct, kw_only=True):
    """All chunks to keep, in their order; those left out are dropped."""

    chunks: list[ChunkBody]
    "All pieces to keep, in their order; those left out are dropped."


class SavedViewBody(Struct, kw_only=True):
    """Filters of the list of runs that somebody keeps under a name."""

    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Workspace whose runs it shows."
    name: Annotated[str, Meta(max_length=60, min_length=1)]
    "What it is called; several may have one name."
    search: Annotated[str, Meta(max_length=1000)]
    "The filters, as the address of the list has them behind its question mark."


class ScoreScale(Struct, kw_only=True):
    """The cosines that count as 0 and 1, learnt when the base had so many slices."""

    low: float
    "Cosine that counts as 0."
    high: float
    "Cosine that counts as 1."
    slices: int
    "Slices that the base had when the scale was learnt."


Section: TypeAlias = Annotated[
    Literal[
        "access",
        "conversations",
        "feedback",
        "files",
        "memories",
        "records",
        "runs",
        "traces",
        "usage",
        "variables",
    ],
    Meta(title="Section"),
]
"A folder of an export: what people call the things in it."
SendType: TypeAlias = Annotated[Literal["query", "panel"], Meta(title="SendType")]
"What choosing a shortcut does: send its text, or open a form first."


class SeriesView(Struct, kw_only=True):
    """Points of one line; null where nothing is known."""

    name: str
    "Name that people read."
    unit: str
    "`per_minute`, `seconds`, `number`, `bytes` or `share`."
    limit: float | None
    "From there on the documentation says to look; null without such a limit."
    points: list[float | None]
    "A value for each span; null where nothing is known."


class ServerToolText(Struct, kw_only=True):
    """What models read of a tool: foreign text, written by its server."""

    title: str
    "Title that people read."
    description: str
    "What it is for; models and people read it."
    input_schema: dict[str, Any]
    "JSON Schema of the arguments."


class ServiceTokenCreated(Struct, kw_only=True):
    """A token of a workspace with its text, shown this once."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Id of the account that made it."
    name: str
    "Name that people read."
    last4: str
    "Last four characters of the token."
    permissions: list[Permission]
    "What the token may do, as an administrator of the workspace."
    bot_ids: list[str] | None
    "Agents that the token may use; null: all of the workspace."
    networks: list[str] | None
    "Addresses and networks, such as `192.0.2.0/24`, from which the token may be used; null: from everywhere."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    expires_at: int | None
    "When it expires, in Unix seconds; null: never."
    last_used_at: int | None
    "When it was used last, in Unix seconds; null or 0: never."
    former_until: int | None
    "Until when the former text goes on, in Unix seconds; null where there is none."
    rate_class: RateClass
    token: str
    "Text of the token, which is shown only now."


class ServiceTokenItem(Struct, kw_only=True):
    """A token of a workspace, without its text; null among the limits means no limit."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Id of the account that made it."
    name: str
    "Name that people read."
    last4: str
    "Last four characters of the token."
    permissions: list[Permission]
    "What the token may do, as an administrator of the workspace."
    bot_ids: list[str] | None
    "Agents that the token may use; null: all of the workspace."
    networks: list[str] | None
    "Addresses and networks, such as `192.0.2.0/24`, from which the token may be used; null: from everywhere."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    expires_at: int | None
    "When it expires, in Unix seconds; null: never."
    last_used_at: int | None
    "When it was used last, in Unix seconds; null or 0: never."
    former_until: int | None
    "Until when the former text goes on, in Unix seconds; null where there is none."
    rate_class: RateClass


class ServiceTokenItems(Struct, kw_only=True):
    """All service tokens of a workspace."""

    items: list[ServiceTokenItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class SessionUser(Struct, kw_only=True):
    """Who is signed in."""

    id: str
    "Id of the account."
    name: str
    "Unique name of the account."
    nickname: str
    "Name shown to others."
    avatar_url: str
    "Address of a picture; empty: none."
    is_admin: bool
    "Administers the deployment."
    language: str
    "`en` or `zh`; empty: the browser's."
    zone: str
    "Time zone; empty: the browser's."


class SessionWorkspace(Struct, kw_only=True):
    """A workspace of the account, and what it may do there."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    type: str
    "`personal` or `team`."
    icon_url: str
    "Address of the icon, which is shown without a sign-in; empty for none."
    role: Role
    permissions: list[Permission]
    "What the account may do there."


class SetAuth(Struct, kw_only=True):
    """How calls prove who they are; ``token`` and ``client_secret`` are never shown again."""

    type: AuthType
    location: Location | UnsetType = "header"
    key: str | UnsetType = "Authorization"
    "Name of the parameter or header that carries the secret."
    token: str | UnsetType = ""
    "The secret; write-only."
    client_id: str | UnsetType = ""
    "Client id at the service."
    client_secret: str | UnsetType = ""
    "Client secret at the service; write-only."
    client_url: str | UnsetType = ""
    "Address (https) where users give access."
    authorization_url: str | UnsetType = ""
    "Address (https) where tokens are asked for."
    authorization_content_type: str | UnsetType = "application/x-www-form-urlencoded"
    "Media type of requests for tokens."
    scope: str | UnsetType = ""
    "Scopes that are asked for, separated by blanks."
    shared: bool | UnsetType = False
    "Whether all members use one grant instead of one each."


class SetPasswordBody(Struct, kw_only=True):
    """Another password."""

    password: str
    "Password from now on: at least 12 characters, and none that is guessed first."
    current: str | None | UnsetType = UNSET
    "Password so far, where there is one."


class SetRoleBody(Struct, kw_only=True):
    """Another role for a member."""

    role: Role


class SettingView(Struct, kw_only=True):
    """A setting as it is in effect."""

    name: str
    "Name that people read."
    value: Any
    "As in the configuration; of a secret only whether there is one."
    source: str
    "`default`, `file`, `environment` or `command line`."
    is_secret: bool
    "Its value is not shown."


class SettledLetters(Struct, kw_only=True):
    """How many letters there were."""

    count: int
    "Results that the step left."


Severity: TypeAlias = Annotated[Literal["error", "warning", "info"], Meta(title="Severity")]
"Errors block publishing; warnings and hints never block anything."
FileId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class ShareConversation(Struct, kw_only=True):
    """A conversation that the visitor had here."""

    id: str
    "Id of the conversation."
    name: str
    "How it began."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."


class ShareConversations(Struct, kw_only=True):
    """The newest conversations of the visitor; none where the link keeps no history."""

    items: list[ShareConversation]
    "Items of the page, in order."


class ShareFeedbackBody(Struct, kw_only=True):
    """The verdict of the visitor on an answer; null takes it back."""

    conversation_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the conversation."
    verdict: Literal["like", "unlike"] | None
    "`like`, `unlike`, or null for none."
    reason_types: list[str] | UnsetType = UNSET
    "Words for why, of those that the page offers."
    comment: str | None | UnsetType = UNSET
    "Why, in words; at most 500 characters."


class ShareFile(Struct, kw_only=True):
    """A file of a message; `url` is signed and lasts an hour."""

    name: str
    "Name of the file."
    media_type: str
    "Type of the content."
    size: int
    "Size in bytes."
    url: str
    "Address; of files signed for an hour."


class ShareKnowledgeRecalledEvent(Struct, kw_only=True, tag_field="type", tag="knowledge.recalled"):
    """Knowledge was searched; where the link shows steps."""

    count: int
    "Results that the step left."
    is_failed: bool
    "Whether the search failed; the answer then goes without."
    duration_ms: int
    "Duration in milliseconds."
    at_ms: int
    "When it happened, in Unix milliseconds."


class ShareLinkLook(Struct, kw_only=True):
    """How the page of a link looks, and what visitors may do there."""

    name: str
    "What the page is called, 1 to 50 characters."
    welcome: str | UnsetType = ""
    "Empty: what the agent says first."
    suggestions: list[str] | UnsetType = UNSET
    "Empty: the questions that the agent suggests."
    theme: Literal["system", "light", "dark"] | UnsetType = "system"
    "`system`, `light` or `dark`."
    accent: str | UnsetType = ""
    "Colour of buttons and links as ``#rrggbb``; empty: the usual one."
    language: Literal["", "en", "zh"] | UnsetType = ""
    "Empty: that of the browser."
    footer: str | UnsetType = ""
    "Line below the chat."
    closed_text: str | UnsetType = ""
    "What the page says instead of why it does not answer; empty: the reason."
    allows_files: bool | UnsetType = False
    "Whether visitors may send files."
    keeps_history: bool | UnsetType = True
    "Whether visitors see what they said before."
    takes_feedback: bool | UnsetType = True
    "Whether visitors may say if an answer helped."
    shows_citations: bool | UnsetType = False
    "Whether answers name their sources."
    shows_steps: bool | UnsetType = False
    "Names of tools and searches, and thoughts; never what they were given."
    runs_per_min: int | UnsetType = 0
    "Questions of one visitor; 0: as many as visitors may ask in general."
    allowed_origins: list[str] | UnsetType = UNSET
    "Sites that may show the page in a frame."


class ShareLinkLookChanges(Struct, kw_only=True):
    """Changes of how a page looks; what is absent stays, null resets it."""

    name: str | None | UnsetType = UNSET
    "What the page is called, 1 to 50 characters."
    welcome: str | None | UnsetType = UNSET
    "Empty: what the agent says first."
    suggestions: list[str] | None | UnsetType = UNSET
    "Empty: the questions that the agent suggests."
    theme: Literal["system", "light", "dark"] | None | UnsetType = UNSET
    "`system`, `light` or `dark`."
    accent: str | None | UnsetType = UNSET
    "Colour of buttons and links as ``#rrggbb``; empty: the usual one."
    language: Literal["", "en", "zh"] | None | UnsetType = UNSET
    "Empty: that of the browser."
    footer: str | None | UnsetType = UNSET
    "Line below the chat."
    closed_text: str | None | UnsetType = UNSET
    "What the page says instead of why it does not answer; empty: the reason."
    allows_files: bool | None | UnsetType = UNSET
    "Whether visitors may send files."
    keeps_history: bool | None | UnsetType = UNSET
    "Whether visitors see what they said before."
    takes_feedback: bool | None | UnsetType = UNSET
    "Whether visitors may say if an answer helped."
    shows_citations: bool | None | UnsetType = UNSET
    "Whether answers name their sources."
    shows_steps: bool | None | UnsetType = UNSET
    "Names of tools and searches, and thoughts; never what they were given."
    runs_per_min: int | None | UnsetType = UNSET
    "Questions of one visitor; 0: as many as visitors may ask in general."
    allowed_origins: list[str] | None | UnsetType = UNSET
    "Sites that may show the page in a frame."


class ShareMessageDeltaEvent(Struct, kw_only=True, tag_field="type", tag="message.delta"):
    """The next piece of an answer; thoughts only where the link shows steps."""

    message_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the message."
    text: str
    "Text."
    reasoning: str
    "What the model thought before it answered."
    at_ms: int
    "When it happened, in Unix milliseconds."


class ShareMessageReplacedEvent(Struct, kw_only=True, tag_field="type", tag="message.replaced"):
    """The answer so far is this instead."""

    message_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the message."
    text: str
    "Text."
    reasoning: str
    "What the model thought before it answered."
    at_ms: int
    "When it happened, in Unix milliseconds."


class ShareMessageStartedEvent(Struct, kw_only=True, tag_field="type", tag="message.started"):
    """An answer begins."""

    message_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the message."
    at_ms: int
    "When it happened, in Unix milliseconds."


class ShareOutput(Struct, kw_only=True):
    """What one of the awaited calls gave."""

    id: str
    "Id of the call."
    output: str
    "What it gave, as text."


class ShareOutputsBody(Struct, kw_only=True):
    """Outputs of all calls that a run waits for."""

    outputs: list[ShareOutput]
    "One for each call that is waited for."


class ShareRun(Struct, kw_only=True):
    """A run that was accepted; its events tell the rest."""

    run_id: str
    "Id of the run (chat)."
    conversation_id: str
    "Id of the conversation."
    status: str
    "State of the run."


class ShareRunCanceledEvent(Struct, kw_only=True, tag_field="type", tag="run.canceled"):
    """The run was stopped."""

    run_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the run (chat)."
    at_ms: int
    "When it happened, in Unix milliseconds."


class ShareRunCompletedEvent(Struct, kw_only=True, tag_field="type", tag="run.completed"):
    """The run ended well."""

    run_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the run (chat)."
    at_ms: int
    "When it happened, in Unix milliseconds."


class ShareRunFailedEvent(Struct, kw_only=True, tag_field="type", tag="run.failed"):
    """The run failed."""

    run_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the run (chat)."
    code: int
    "Stable number of the error; see the list of errors. 0: none."
    message: str
    "What happened, in a sentence."
    at_ms: int
    "When it happened, in Unix milliseconds."


class ShareRunStartedEvent(Struct, kw_only=True, tag_field="type", tag="run.started"):
    """The run has begun, or goes on."""

    run_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the run (chat)."
    conversation_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the conversation."
    at_ms: int
    "When it happened, in Unix milliseconds."


class ShareSession(Struct, kw_only=True):
    """A session of a visitor."""

    token: str
    "Opens the other routes of this link, as `Authorization: Bearer`."
    expires_at: int
    "When the token expires, in Unix seconds: fifteen minutes from now."
    key: str | None
    "To come back with within 30 days; null where the site around says who it is."


class ShareShortcutField(Struct, kw_only=True):
    """What a visitor fills in."""

    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    input_type: InputType
    options: list[str]
    "Values to choose from."
    default_value: str
    "Value where nothing was set, as text."


class ShareSource(Struct, kw_only=True):
    """A source that an answer cites under the number `n`; its text may end with a list of them."""

    n: int
    "Number under which answers cite the source, from 1."
    document_name: str
    "Name of the document."
    page: int | None
    "Page, where it has pages."
    url: str
    "Address of the document, where it has one."
    quote: str
    "Beginning of the piece."


class ShareToolCompletedEvent(Struct, kw_only=True, tag_field="type", tag="tool.completed"):
    """A tool has answered; where the link shows steps."""

    call_id: str
    "Id of the call; outputs name it."
    name: str
    "Name that people read."
    is_error: bool
    "Whether it failed; the result then says why."
    duration_ms: int
    "Duration in milliseconds."
    at_ms: int
    "When it happened, in Unix milliseconds."


class ShareToolStartedEvent(Struct, kw_only=True, tag_field="type", tag="tool.started"):
    """A tool is called; where the link shows steps."""

    call_id: str
    "Id of the call; outputs name it."
    name: str
    "Name that people read."
    at_ms: int
    "When it happened, in Unix milliseconds."


class ShareUpload(Struct, kw_only=True):
    """A file that was taken."""

    name: str
    "Name of the file."
    media_type: str
    "Type of the content."
    size: int
    "Size in bytes."
    url: str
    "Address; of files signed for an hour."
    id: str
    "Id of the upload, for `file_ids`."


class ShortcutCommand(Struct, kw_only=True):
    """A shortcut that the user chose; a value is a text, an item of a content, or its JSON."""

    command_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the shortcut."
    parameters: dict[str, Any] | None | UnsetType = UNSET
    "Values of the form, by name."


class ShortcutComponent(Struct, kw_only=True):
    """A field of the form; ``parameter`` is the parameter of the tool that it fills."""

    name: str
    "Name that people read."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    input_type: InputType | UnsetType = "text"
    parameter: str | UnsetType = ""
    "Parameter of the tool that the field fills."
    options: list[str] | UnsetType = field(default_factory=list)
    "Values to choose from."
    default_value: str | UnsetType = ""
    "Value where nothing was set, as text."
    hide: bool | UnsetType = False
    "Whether the field is hidden from people."
    upload_options: list[InputType] | UnsetType = field(default_factory=list)
    "Kinds of files that may be uploaded."


ShortcutId: TypeAlias = Annotated[str, Meta(pattern="^\\d{1,19}$")]


class ShortcutOrderBody(Struct, kw_only=True):
    """All shortcuts of the agent, in their new order."""

    shortcut_ids: list[ShortcutId]
    "Ids of all shortcuts, in their new order."


class ShortcutParameter(Struct, kw_only=True):
    """A parameter of the tool: filled by the form if ``refer_component``, else fixed."""

    name: str
    "Name that people read."
    type: str | UnsetType = "string"
    "Type of the value."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    required: bool | UnsetType = False
    "Whether it must be given."
    default_value: str | UnsetType = ""
    "Value where nothing was set, as text."
    refer_component: bool | UnsetType = False
    "Whether the form fills it; else the value is fixed."


ShortcutToolType: TypeAlias = Annotated[
    Literal["workflow", "plugin"], Meta(title="ShortcutToolType")
]
"What a shortcut may call."


class SignInLink(Struct, kw_only=True):
    """A link to hand over: it signs its account in once, within 30 minutes."""

    url: str
    "Address of the page that it opens."


SignInWay: TypeAlias = Annotated[
    Literal["password", "token", "ticket", "oidc"], Meta(title="SignInWay")
]
"How somebody showed who they are."
SignUp: TypeAlias = Annotated[Literal["closed", "invite", "domains"], Meta(title="SignUp")]
"Who may open an account."


class SimpleApp(Struct, kw_only=True):
    """An app in a list."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    icon_url: str
    "Address of the icon, signed for an hour; empty for none."
    is_published: bool
    "Whether a version is in use."
    owner_user_id: str
    "Id of the account that made it."
    updated_at: int
    "When it was changed last, in Unix seconds."
    published_at: int | UnsetType = UNSET
    "When it was published last, in Unix seconds; null: never."


class SimpleAppList(Struct, kw_only=True):
    """One page of apps, newest change first."""

    items: list[SimpleApp]
    "Items of the page, in order."
    total: int
    "Items of all pages."


class SimpleBot(Struct, kw_only=True):
    """A bot in a list."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    icon_url: str
    "Address of the icon, signed for an hour; empty for none."
    is_published: bool
    "Whether a version is in use."
    updated_at: int
    "When it was changed last, in Unix seconds."
    owner_user_id: str
    "Id of the account that made it."
    published_at: int | None | UnsetType = UNSET
    "When it was published last, in Unix seconds; null: never."


class SimpleBotList(Struct, kw_only=True):
    """One page of bots."""

    total: int
    "Items of all pages."
    items: list[SimpleBot]
    "Items of the page, in order."


class SourceBody(Struct, kw_only=True):
    """Where a document comes from: exactly one source."""

    file_base64: str | None | UnsetType = UNSET
    "Content of the file, base64."
    file_type: str | None | UnsetType = UNSET
    "Extension of the file, for instance pdf."
    web_url: str | None | UnsetType = UNSET
    "Address (http, https) of the page."
    source_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of an upload."
    source_document_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of a document of any base; what it was made of is read once more."
    custom_content: str | list[dict[str, Any]] | None | UnsetType = UNSET
    "Text of the document, or rows of a table."
    tos_uri: str | None | UnsetType = UNSET
    "`uri` of an upload of an image."
    document_source: int | None | UnsetType = UNSET
    "Kind of the source: 0 file, 1 web page, 2 text, 5 upload; default: the one given."


class SpaceBot(Struct, kw_only=True):
    """A published bot in the list of a space."""

    bot_id: str
    "Id of the agent (bot)."
    bot_name: str
    "Name of the agent."
    description: str
    "What it is for; models and people read it."
    icon_url: str
    "Address of the icon, signed for an hour; empty for none."
    publish_time: str
    "When it was published, in Unix seconds as text."


class SpaceBotList(Struct, kw_only=True):
    """One page of published bots, latest publication first."""

    total: int
    "Items of all pages."
    space_bots: list[SpaceBot]
    "Agents of the page."


class Span(Struct, kw_only=True):
    """A stretch of time of a run: the run itself, or one instance of a node."""

    span_id: str
    "Id of the span."
    parent_span_id: str
    "Span that holds it; empty for the outermost."
    name: str
    "Name that people read."
    kind: str
    "run or node."
    status: str
    "State of the run or node."
    start_ms: int
    "Begin in Unix milliseconds."
    duration_ms: float
    "Duration in milliseconds."
    attributes: dict[str, Any]
    "Further facts, by names with dots."


class SpendTicketBody(Struct, kw_only=True):
    """A one-time link, and what is set with it."""

    ticket: str
    "What stands behind `ticket=` in the link."
    name: str | None | UnsetType = UNSET
    "Name shown to others."
    password: str | None | UnsetType = UNSET
    "Password from now on; everywhere else the account is signed out."
    remember: bool | UnsetType = False
    "`true`: for 30 days on this device; `false`: until the browser closes."


class SplitBody(Struct, kw_only=True):
    """Before which character the second slice begins."""

    at: int
    "Number of the character that begins the second slice, from 0."


class SqlBody(Struct, kw_only=True):
    """One statement on the table, in the dialect of MySQL."""

    sql: str
    "SQL statement."
    env: str | UnsetType = "online"
    "`draft` or `online`: what tests or published use read and write."
    connector_uid: str | None | UnsetType = UNSET
    "Id of the end user, as the caller names it; empty or absent for the account itself."


class SqlPlan(Struct, kw_only=True):
    """What would be done for a statement, and has not been."""

    kind: str
    "`select`, `insert`, `update` or `delete`."
    dialect: str
    "Engine that has the rows: `sqlite` or `postgres`; empty for an insertion."
    text: str
    "The reading statement that the engine gets, with numbered parameters; empty for an insertion. A change reads the rows that it is about by it."
    names: dict[str, str]
    "Names of the table and its fields by those that they have in the engine."
    parameters: int
    "Values that are bound to it."
    columns: list[str]
    "Columns that it answers or writes."
    rows: int
    "Rows that it answers or changes at most, or would add."
    is_limited: bool
    "The statement asked for more rows than it gets."


class SqlResult(Struct, kw_only=True):
    """What a statement answered."""

    columns: list[str]
    "Names of the columns, in order."
    rows: list[dict[str, Any]]
    "Rows of the result, by names of columns."
    affected: int
    "Rows that were changed."
    is_truncated: bool
    "Whether there are more rows."


class StartedRun(Struct, kw_only=True):
    """Names a run that goes on in the background."""

    execute_id: str
    "Id of the run."


class StepEndedEvent(Struct, kw_only=True, tag_field="type", tag="step.ended"):
    """A model call ended."""

    step: int
    "Number of the model call, from 1."
    model: str
    "Name of the model that was asked."
    finish_reason: str
    "Why the model stopped: stop, length, tool_calls, content_filter; null or empty before."
    usage: EventUsage
    duration_ms: int
    "Duration in milliseconds."
    at_ms: int
    "When it happened, in Unix milliseconds."
    agent_path: list[EventMemberCall] | UnsetType = UNSET
    "The agent that it is of, where another one called it."


class StepOut(Struct, kw_only=True):
    """Something that the agent did by itself; ``kind`` is tool or knowledge."""

    kind: str
    "tool or knowledge."
    name: str
    "Name that people read."
    arguments: str
    "Arguments of the call, as JSON text."
    result: str
    "What the tool returned, or the search found, as text."
    is_error: bool
    "Whether it failed; the result then says why."
    duration_ms: int
    "Duration in milliseconds."


class StepStartedEvent(Struct, kw_only=True, tag_field="type", tag="step.started"):
    """A model call begins; with ``may_call`` tools are offered to the model."""

    step: int
    "Number of the model call, from 1."
    model: str
    "Name of the model that is asked."
    may_call: bool
    "Whether tools are offered to the model."
    at_ms: int
    "When it happened, in Unix milliseconds."
    agent_path: list[EventMemberCall] | UnsetType = UNSET
    "The agent that it is of, where another one called it."


class StoredVariableInput(Struct, kw_only=True):
    """A value to be written."""

    keyword: str
    "Name of the variable."
    value: str
    "New value, as text."


class StreamOptions(Struct, kw_only=True):
    """Extras of a stream."""

    include_usage: bool | None | UnsetType = UNSET
    "Send tokens in a last piece. Default false."


SubjectKind: TypeAlias = Annotated[Literal["end_user", "member"], Meta(title="SubjectKind")]
"Who somebody is to a workspace."
SubjectType: TypeAlias = Annotated[Literal["user", "group"], Meta(title="SubjectType")]
"Who a grant is for."


class SuggestFields(Struct, kw_only=True):
    """Follow-up questions."""

    mode: int | str | None | UnsetType = UNSET
    "0 or enable, 1 or customized (`customized_prompt`), 2 or disable."
    customized_prompt: str | None | UnsetType = UNSET
    "Rules by which follow-up questions are written, in the mode `customized`."


SuggestMode: TypeAlias = Annotated[
    Literal["disable", "enable", "customized"], Meta(title="SuggestMode")
]
"Whether follow-up questions are offered after an answer."


class SupportConversation(Struct, kw_only=True):
    """A conversation with what a list says of it; times in Unix seconds."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    agent_id: str | None
    "Id of the agent."
    name: str
    "Name that people read."
    creator_id: str
    "Id of the account that made it."
    connector_id: str
    "Connector (publishing channel) that it belongs to. In requests default 1024: the API."
    end_user_id: str
    "Id of the end user, as the caller names it."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    run_id: str
    "The newest run."
    run_status: RunStatus
    run_at: int
    "When the newest run began."
    source: str | None
    "Where the newest run came from; null if no trace of it is kept."
    waits: bool
    "A run waits for a person: for leave, or for an answer."
    likes: int
    "How many answers were liked."
    dislikes: int
    "How many were not."
    is_own: bool
    "Begun by the caller."


class SupportConversationList(Struct, kw_only=True):
    """One page, the conversation with the newest run first."""

    items: list[SupportConversation]
    "Items of the page, in order."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class SupportVerdict(Struct, kw_only=True):
    """What somebody said of an answer."""

    message_id: str
    "Id of the message."
    user_id: str
    "Id of the account."
    comment: str
    "What the person wrote about it; at most 500 characters."
    updated_at: int
    "When it was changed last, in Unix seconds."
    feedback_type: FeedbackKind
    reason_types: list[str]
    "Words for why, of those that the client offers."


class SystemVariable(Struct, kw_only=True):
    """A variable that is computed, never written."""

    keyword: str
    "Name of the variable."
    description: str
    "What it is for; models and people read it."


class SystemVariableList(Struct, kw_only=True):
    """The system variables that agents may declare."""

    items: list[SystemVariable]
    "Items of the page, in order."
    total: int
    "Items of all pages."


class TableSheetBody(Struct, kw_only=True):
    """Where in a workbook a table stands; all count from 0."""

    sheet_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Number of the sheet, from 0."
    header_line_idx: str | int | None | UnsetType = UNSET
    "Line of the names of columns, from 0."
    start_line_idx: str | int | None | UnsetType = UNSET
    "First line of data, from 0."


class TagsBody(Struct, kw_only=True):
    """All tags of a document: texts, numbers, flags or lists of texts by name."""

    tags: dict[str, str | bool | int | float | list[str]]
    "Tags, for filters of searches: texts, numbers or lists of texts, by name."


class TagsOfDocumentBody(Struct, kw_only=True):
    """All tags of a document: texts, numbers, flags or lists of texts by name."""

    tags: dict[str, str | bool | int | float | list[str]]
    "Tags, for filters of searches: texts, numbers or lists of texts, by name."


TargetKind: TypeAlias = Annotated[Literal["agent", "workflow"], Meta(title="TargetKind")]
"What answers."


class TaskItem(Struct, kw_only=True):
    """A document in work, or given up."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    dataset_id: str
    "Id of the knowledge base."
    document_id: str
    "Id of the document."
    state: JobState
    stage: JobStage
    attempt: int
    "Claims so far, or since the last progress where a kind of work can make some."
    last_error: str
    "Why the chat failed; code 0 if it did not."
    created_at: int
    "When it was made, in Unix seconds."
    started_at: int | None
    "When a process first took it, in Unix seconds."
    finished_at: int | None
    "When it ended, in Unix seconds; null before."
    next_run_at: int
    "When it is tried next, in Unix seconds."
    percent: int
    "Progress, 0 to 100."
    name: str
    "Of the document; empty in a workspace that the caller does not belong to."
    can_retry: bool
    "It failed and can be read again."
    can_cancel: bool
    "It has not ended yet."


class TaskItems(Struct, kw_only=True):
    """One page of tasks, what goes on first, then the newest."""

    items: list[TaskItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class TemplateBody(Struct, kw_only=True):
    """Whether the agent is offered as a template."""

    enabled: bool
    "Whether it is switched on."
    category: str | None | UnsetType = UNSET
    "Group under which it is shown."


class TestNodeBody(Struct, kw_only=True):
    """Inputs of one node, by name or by the reference they come from. ``batch`` are those of its batch mode, ``settings`` those of its conditions."""

    input: dict[str, Any] | UnsetType = UNSET
    "Values of the inputs, by name or by the reference they come from."
    batch: dict[str, Any] | UnsetType = UNSET
    "Values of the batch mode, by name."
    settings: dict[str, Any] | UnsetType = UNSET
    "Values of the conditions, by name."


class TestRunBody(Struct, kw_only=True):
    """What a draft is tried with. ``mocks``: outputs of nodes that are not to run, by the node's id. Such a run does not count as the test run that publishing asks for."""

    inputs: dict[str, Any] | UnsetType = UNSET
    "Values of the inputs, by name."
    mocks: dict[str, dict[str, Any]] | UnsetType = UNSET
    "Outputs of nodes that are not to run, by the node's id; other nodes read them as its own."
    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the agent."
    app_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the app that it belongs to; empty for the library of the workspace."


class TextContentPart(Struct, kw_only=True, tag_field="type", tag="text"):
    """Plain text."""

    text: str
    "Text."


class TextFormat(Struct, kw_only=True):
    """Shape of the answer: text, json_object or json_schema."""

    type: str | UnsetType = "text"
    "text, json_object or json_schema."
    name: str | None | UnsetType = UNSET
    "Name of the schema; models may read it."
    schema: dict[str, Any] | None | UnsetType = UNSET
    "JSON Schema."
    strict: bool | None | UnsetType = UNSET
    "Whether arguments or answers must follow the schema exactly."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."


class TextItem(Struct, kw_only=True, tag_field="type", tag="text"):
    """Plain text."""

    text: str
    "Text."


class TextOptions(Struct, kw_only=True):
    """How the answer is written."""

    format: TextFormat | None | UnsetType = UNSET
    "Form of the text."
    verbosity: str | None | UnsetType = UNSET
    "How long answers are: low, medium or high."


class TextsBody(Struct, kw_only=True):
    """Texts whose tokens are wanted."""

    texts: list[str]
    "At most 2,048."


class TokenCreated(Struct, kw_only=True):
    """A new token with its text, shown this once."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    last4: str
    "Last four characters of the token."
    permissions: list[Permission] | None
    "What the token may do; null: what its owner may do."
    workspace_ids: list[str] | None
    "Workspaces that the token may enter; null: all of its owner."
    bot_ids: list[str] | None
    "Agents that the token may use; null: all that its owner may use."
    user_id: str
    "Id of the account."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    expires_at: int | None
    "When it expires, in Unix seconds; null: never."
    last_used_at: int | None
    "When it was used last, in Unix seconds; null or 0: never."
    token: str
    "Text of the token, which is shown only now."


class TokenItem(Struct, kw_only=True):
    """A token without its text; null among the limits means no limit, and expiry never."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    last4: str
    "Last four characters of the token."
    permissions: list[Permission] | None
    "What the token may do; null: what its owner may do."
    workspace_ids: list[str] | None
    "Workspaces that the token may enter; null: all of its owner."
    bot_ids: list[str] | None
    "Agents that the token may use; null: all that its owner may use."
    user_id: str
    "Id of the account."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    expires_at: int | None
    "When it expires, in Unix seconds; null: never."
    last_used_at: int | None
    "When it was used last, in Unix seconds; null or 0: never."


class TokenItems(Struct, kw_only=True):
    """One page of tokens."""

    items: list[TokenItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class ToolCallIn(Struct, kw_only=True):
    """A call that the assistant made in an earlier turn."""

    id: str
    "Its id."
    function: FunctionCallIn
    type: str | UnsetType = "function"
    "Kind of the call: function."


class ToolCallOut(Struct, kw_only=True):
    """A function that the caller is to execute."""

    id: str
    "Its id."
    type: str
    "Kind of the call: function."
    function: FunctionCalled


class ToolChange(Struct, kw_only=True):
    """How a tool of the draft differs from the newest version."""

    tool_id: str
    "Id of the tool."
    name: str
    "Name that people read."
    change: str
    "What became of the tool: added, changed, removed or same."


class ToolCompletedEvent(Struct, kw_only=True, tag_field="type", tag="tool.completed"):
    """A call has its result."""

    call_id: str
    "Id of the call; outputs name it."
    name: str
    "Name that people read."
    result: str
    "What the tool returned, as text; why, if it failed."
    is_error: bool
    "Whether it failed; the result then says why."
    duration_ms: int
    "Duration in milliseconds."
    workflow_run_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "The run of the workflow that was called, if one was."
    kind: str
    "What was called: plugin, mcp, workflow, database, variable, knowledge, agent or other."
    at_ms: int
    "When it happened, in Unix milliseconds."
    agent_path: list[EventMemberCall] | UnsetType = UNSET
    "The agent that it is of, where another one called it."


class ToolFields(Struct, kw_only=True):
    """The tool that is called before the model is asked."""

    type: ShortcutToolType
    workflow_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the workflow."
    plugin_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the plugin."
    plugin_tool_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the tool of the plugin."
    name: str | UnsetType = ""
    "Name that people read."
    params: list[ShortcutParameter] | UnsetType = field(default_factory=list)
    "Values of the parameters of the tool."


class ToolIn(Struct, kw_only=True):
    """A tool; only ``function`` is known."""

    type: str | UnsetType = "function"
    "Kind of the tool: function."
    function: FunctionIn | None | UnsetType = UNSET
    "The function that may be called."


class ToolOutput(Struct, kw_only=True):
    """The result of one tool that runs at the client."""

    tool_call_id: str
    "Id of the call that this is the output of."
    output: str
    "What the tool returned, as text."


class ToolOutputsRequest(Struct, kw_only=True):
    """Body of ``POST /v3/chat/submit_tool_outputs``."""

    tool_outputs: list[ToolOutput]
    "Results, one for every call that is awaited."
    stream: bool | None | UnsetType = UNSET
    "Answer as an event stream. Default false."
    auto_save_history: bool | None | UnsetType = UNSET
    "Keep question and answer in the conversation. Default true; must be true without `stream`."


class ToolParameter(Struct, kw_only=True):
    """A parameter of a tool; the model does not see a hidden one, ``default`` is passed."""

    name: str
    "Name that people read."
    type: str
    "Type of the value."
    description: str
    "What it is for; models and people read it."
    is_required: bool
    "Whether it must be given."
    is_hidden: bool
    "Whether it is kept from sight."
    default: Any
    "Value where the model gives none."


class ToolSetting(Struct, kw_only=True):
    """A workflow or a plugin's tool that the node's model may call."""

    id: str
    "Its id."
    tool_id: str
    "Of a plugin; empty for all of its tools."
    version: str
    "Version as publishing named it; empty for the draft or for none."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    exists: bool
    "Whether it exists here."
    parameters: list[ToolParameter]
    "Parameters of the tool."


class ToolStartedEvent(Struct, kw_only=True, tag_field="type", tag="tool.started"):
    """A call is being executed; ``arguments`` is JSON text as the model wrote it."""

    call_id: str
    "Id of the call; outputs name it."
    name: str
    "Name that people read."
    arguments: str
    "Arguments of the call, as JSON text."
    at_ms: int
    "When it happened, in Unix milliseconds."
    agent_path: list[EventMemberCall] | UnsetType = UNSET
    "The agent that it is of, where another one called it."


class TransferWorkspaceBody(Struct, kw_only=True):
    """Who shall own a workspace."""

    user_id: str
    "Id of a member."


class TrialMessage(Struct, kw_only=True):
    """A message that a model is asked with."""

    role: Literal["system", "user", "assistant"]
    "Who it is from: user, assistant, system, developer or tool."
    content: str
    "Text; in requests also a list of parts where the schema says so."


class TrialParameters(Struct, kw_only=True):
    """Settings of one reply; absent leaves the provider's default."""

    temperature: Annotated[float, Meta(le=2.0)] | None | UnsetType = UNSET
    "How varied answers are, 0 to 2; null for the default of the model."
    top_p: Annotated[float, Meta(le=1.0)] | None | UnsetType = UNSET
    "Share of the likeliest tokens that count, 0 to 1; null for the default of the model."
    top_k: int | None | UnsetType = UNSET
    "Results, at most."
    presence_penalty: Annotated[float, Meta(ge=-2.0, le=2.0)] | None | UnsetType = UNSET
    "How much words that occurred are avoided, -2 to 2."
    frequency_penalty: Annotated[float, Meta(ge=-2.0, le=2.0)] | None | UnsetType = UNSET
    "How much repeated words are avoided, -2 to 2."
    max_tokens: Annotated[int, Meta(ge=1)] | None | UnsetType = UNSET
    "Tokens of the answer, at most; null for the default of the model."


class TrialReplyCompletedEvent(Struct, kw_only=True, tag_field="type", tag="reply.completed"):
    """The reply is complete; ``refusal`` is what a model says that refuses."""

    finish_reason: str
    "Why the model stopped: stop, length, tool_calls, content_filter; null or empty before."
    refusal: str
    "Why the model refused; null if it did not."
    usage: EventUsage
    first_token_ms: int | None
    "Until the first piece of the reply or its reasoning; null for a reply without any."
    duration_ms: int
    "Duration in milliseconds."
    at_ms: int
    "When it happened, in Unix milliseconds."


class TrialReplyDeltaEvent(Struct, kw_only=True, tag_field="type", tag="reply.delta"):
    """The next piece of the reply; ``reasoning`` is never part of the answer."""

    text: str
    "Text."
    reasoning: str
    "What the model thought before it answered."
    at_ms: int
    "When it happened, in Unix milliseconds."


class TrialReplyReplacedEvent(Struct, kw_only=True, tag_field="type", tag="reply.replaced"):
    """The reply so far is this instead."""

    text: str
    "Text."
    reasoning: str
    "What the model thought before it answered."
    at_ms: int
    "When it happened, in Unix milliseconds."


class TrialReplyStartedEvent(Struct, kw_only=True, tag_field="type", tag="reply.started"):
    """The provider answers; ``model`` as the provider calls it."""

    model: str
    "Name of the model or agent."
    at_ms: int
    "When it happened, in Unix milliseconds."


class TriedParameters(Struct, kw_only=True):
    """Settings of the model for one answer; absent leaves those of the agent."""

    temperature: Annotated[float, Meta(le=2.0)] | None | UnsetType = UNSET
    "How varied answers are, 0 to 2; null for the default of the model."
    top_p: Annotated[float, Meta(le=1.0)] | None | UnsetType = UNSET
    "Share of the likeliest tokens that count, 0 to 1; null for the default of the model."
    top_k: int | None | UnsetType = UNSET
    "Results, at most."
    presence_penalty: Annotated[float, Meta(ge=-2.0, le=2.0)] | None | UnsetType = UNSET
    "How much words that occurred are avoided, -2 to 2."
    frequency_penalty: Annotated[float, Meta(ge=-2.0, le=2.0)] | None | UnsetType = UNSET
    "How much repeated words are avoided, -2 to 2."
    max_tokens: Annotated[int, Meta(ge=1)] | None | UnsetType = UNSET
    "Tokens of the answer, at most; null for the default of the model."


class UnknownNode(Struct, kw_only=True):
    """A node that cannot run here; it stays in the canvas."""

    node_id: str
    "Id of the node in the canvas."
    message: str
    "What is not known about it, in a sentence."


class UnpublishBotBody(Struct, kw_only=True):
    """Body of ``/v1/bots/{bot_id}/unpublish``."""

    connector_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Connector (publishing channel) that it belongs to. In requests default 1024: the API."
    unpublish_reason: str | None | UnsetType = UNSET
    "Why it is taken off; at most 1024 characters."


class UnsettledView(Struct, kw_only=True):
    """Calls that were under way when their process died, and what they took at most."""

    calls: int
    "Calls of tools that the client carries out."
    tokens: int
    "Tokens that models took."
    points: str
    "By the prices of their models."
    cost: str
    "Time that it took, as text with unit."


class UpdateDatasetBody(Struct, kw_only=True):
    """Replaces name, description and icon; what is absent goes back to its default."""

    name: str
    "Name that people read."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of an upload."


class UpdateMeBody(Struct, kw_only=True):
    """Changes of one's own account."""

    nickname: str | UnsetType = UNSET
    "Name shown to others."


class UpdateRecordsBody(Struct, kw_only=True):
    """New values for the rows that match."""

    values: dict[str, Any]
    "New values, by names of fields."
    filter: ConditionInput
    env: str | UnsetType = "online"
    "`draft` or `online`: what tests or published use read and write."
    connector_uid: str | None | UnsetType = UNSET
    "Id of the end user, as the caller names it; empty or absent for the account itself."


class UpdateRuleBody(Struct, kw_only=True):
    """Whether a web page is fetched again; ``update_interval`` in hours."""

    update_type: int | None | UnsetType = UNSET
    "0 (default) never, 1 again every `update_interval` hours."
    update_interval: int | None | UnsetType = UNSET
    "Hours between two fetches; needed with `update_type` 1."


class UpdateSliceBody(Struct, kw_only=True):
    """What a slice is to say."""

    raw_text: str
    "Text of the slice; at tables the JSON text of its cells."


class UpdateUserBody(Struct, kw_only=True):
    """Changes of an account; what is absent stays."""

    is_disabled: bool | UnsetType = UNSET
    "Whether it is switched off."
    email: str | None | UnsetType = UNSET
    "E-mail address, by which a trusted provider's sign-in finds the account; null: none."


class UpdateWorkflowBody(Struct, kw_only=True):
    """A JSON merge patch."""

    name: str | UnsetType = UNSET
    "Name that people read."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon; empty or null for none."
    trace_capture: Literal["off", "metadata", "content"] | None | UnsetType = UNSET
    "How much is kept of its runs, of all versions, from now on: `off`, `metadata` or `content`; null: as the workspace says."


class UrlCitation(Struct, kw_only=True):
    """A source that is cited at a place of the content; offsets in characters."""

    start_index: int
    "Position of the citation in the text, in characters."
    end_index: int
    "Position behind the end of the citation in the text, in characters."
    title: str
    "Title of the page."
    url: str
    "Address of the page."


class UsageSums(Struct, kw_only=True):
    """What some calls were altogether."""

    calls: int
    "Calls of tools that the client carries out."
    failed_calls: int
    "Failed and cancelled ones; they are among `calls`."
    estimated_calls: int
    "Calls whose tokens the provider did not tell; they are among `calls`."
    input_tokens: int
    "Tokens of the input."
    output_tokens: int
    "Tokens of the answer."
    cached_tokens: int
    "Those of the input that the provider remembered."
    reasoning_tokens: int
    "Those of the output that were thoughts."
    pages: int
    "Pages and pictures whose words were recognised."
    points: str
    "Of calls of models that are priced in points."
    cost: str | None
    "In the currency of the report; null if none of the calls is priced in it."
    other_costs: dict[str, str]
    "In currencies that the deployment had before, by their codes."
    calls_without_points: int
    "Calls of models whose price in points nobody knows; they are not in `points`."
    calls_without_cost: int
    "Calls of models whose price in money nobody knows; they are not in `cost`."
    unsettled: UnsettledView | None
    "Null if there are none."


class UserItem(Struct, kw_only=True):
    """An account."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    nickname: str
    "Name that people read; null for the login name."
    avatar_url: str
    "Address of the picture, signed for an hour; empty for none."
    email: str
    "E-mail address; empty: none."
    is_admin: bool
    "Whether the account administers the deployment."
    is_disabled: bool
    "Whether it is switched off."
    personal_workspace_id: str
    "Id of the account's own workspace."
    created_at: int
    "When it was made, in Unix seconds."


class UserItems(Struct, kw_only=True):
    """One page of accounts."""

    items: list[UserItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


ValueType: TypeAlias = Annotated[Literal[1, 2, 3, 4, 5, 6], Meta(title="ValueType")]
"Types of parameters; the numbers are those of the wire."
VariableChannel: TypeAlias = Annotated[
    Literal["custom", "system", "location", "feishu", "app"], Meta(title="VariableChannel")
]
"Where a variable's value comes from."


class VariableItem(Struct, kw_only=True):
    """A value to be written."""

    keyword: str
    "Name of the variable."
    value: str
    "New value, as text."


VariableType: TypeAlias = Annotated[
    Literal["KVVariable", "ListVariable"], Meta(title="VariableType")
]
"Shape of a variable, in the spelling of the Coze wire."


class VariableView(Struct, kw_only=True):
    """A variable and its value; times are Unix seconds, 0 as long as nobody wrote it."""

    keyword: str
    "Name of the variable."
    value: str
    "The value, as text; the default where nothing was set."
    create_time: int
    "When it was set first, in Unix seconds; 0 for a default."
    update_time: int
    "When it was set last, in Unix seconds; 0 for a default."


class VariablesUpdatedEvent(Struct, kw_only=True, tag_field="type", tag="variables.updated"):
    """Variables of the conversation after the run: texts, or what a workflow declares."""

    values: dict[str, Any]
    "Values, by name."
    at_ms: int
    "When it happened, in Unix milliseconds."


class Version(Struct, kw_only=True):
    """What is running."""

    name: str
    "Name of the product."
    version: str
    "Version of the product."


WaitingType: TypeAlias = Annotated[
    Literal["consent", "question", "document", "token"], Meta(title="WaitingType")
]
"What waits for a person."


class WarningEvent(Struct, kw_only=True, tag_field="type", tag="warning"):
    """Something degraded without failing the run."""

    warning: str
    "Stable name of what degraded."
    text: str
    "Text."
    subject: str
    "What it is about."
    at_ms: int
    "When it happened, in Unix milliseconds."
    agent_path: list[EventMemberCall] | UnsetType = UNSET
    "The agent that it is of, where another one called it."


class WireAppVariable(Struct, kw_only=True):
    """A variable of an app."""

    keyword: str
    "Name of the variable."
    default_value: str
    "Value where nothing was set, as text."
    description: str
    "What it is for; models and people read it."
    channel: str
    "Where values live and who may write them."
    enable: bool
    "Whether it is switched on."


class WireCandidate(Struct, kw_only=True):
    """Something found; ranks count from 1, 0 is not found there. ``cut`` is empty for what is shown, else guard, filter, threshold, duplicate, top_k, joined or tokens."""

    slice_id: str
    "Id of the slice."
    document_id: str
    "Id of the document."
    dataset_id: str
    "Id of the knowledge base."
    content: str
    "Text; in requests also a list of parts where the schema says so."
    source: str
    "Channel that found it first."
    score: float
    "How well it fits, 0 to 1."
    scores: dict[str, float]
    "Scores by channel: embedding, full_text, rerank, rrf."
    embedding_rank: int
    "Rank among the results by vectors, from 1; 0: not found there."
    full_text_rank: int
    "Rank among the results by words, from 1; 0: not found there."
    sql_rank: int
    "Rank among the rows found by SQL, from 1; 0: not found there."
    rerank_rank: int
    "Rank by the reranking model, from 1; 0: not ranked."
    cut: str
    "Why it is not shown: guard, filter, threshold, duplicate, top_k, joined or tokens; empty if it is."
    sql: str
    "SQL statement."


class WireCard(Struct, kw_only=True):
    """A source that an answer cites under the number ``n``."""

    n: int
    "Number under which answers cite the source, from 1."
    slice_id: str
    "Id of the slice."
    document_id: str
    "Id of the document."
    document_name: str
    "Name of the document."
    url: str
    "Address; of files signed for an hour."
    page: int | None
    "Page of the document, from 1; null or 0: unknown."
    quote: str
    "Text of the source that is cited."
    dataset_id: str
    "0 in answers that were stored before it was kept."


class WireChunkStrategy(Struct, kw_only=True):
    """How documents are cut; only what matters for the type."""

    chunk_type: int | UnsetType = UNSET
    "0 automatically, 1 by separator and length, 2 by headings."
    separator: str | UnsetType = UNSET
    "Text at which pieces end; default a line break."
    max_tokens: int | UnsetType = UNSET
    "Tokens of a piece, at most."
    remove_extra_spaces: bool | UnsetType = UNSET
    "Join blanks and empty lines."
    remove_urls_emails: bool | UnsetType = UNSET
    "Leave out addresses of pages and of mail."
    overlap: int | UnsetType = UNSET
    "Share of a piece that the next one repeats, 0 to 90 percent."
    max_level: int | UnsetType = UNSET
    "Depth of headings at which pieces begin, 1 to 6; default 3."
    save_title: bool | UnsetType = UNSET
    "Put the headings above a piece before its text."
    caption_type: int | UnsetType = UNSET
    "Who describes images: 0 a model, 1 a person."


class WireColumn(Struct, kw_only=True):
    """A column: type 1 text, 2 number, 3 date, 4 float, 5 boolean, 6 image. Rows are found by the columns that are ``is_semantic``."""

    id: str
    "Its id."
    column_name: str
    "Name of the column, as the first row has it."
    column_type: int
    "Type of the column: 1 text, 2 number, 3 date, 4 float, 5 boolean, 6 image."
    is_semantic: bool
    "Whether rows are found by this column."
    sequence: int
    "Position, from 1; without one it comes last."
    desc: str
    "What it is for, read by models."


class WireConversation(Struct, kw_only=True):
    """A conversation; times in Unix seconds."""

    id: str
    "Its id."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    meta_data: dict[str, str]
    "Keys and texts of the caller, at most 16; keys to 64, texts to 512 characters."
    last_section_id: str
    "Section of the latest messages."
    name: str
    "Name that people read."
    creator_id: str
    "Id of the account that made it."
    connector_id: str
    "Connector (publishing channel) that it belongs to. In requests default 1024: the API."
    bot_id: str | UnsetType = UNSET
    "Id of the agent (bot)."
    user_id: str | UnsetType = UNSET
    "Id of the account."


class WireDataset(Struct, kw_only=True):
    """A knowledge base; of its documents' names, the first hundred. Its size is a text in decimal: the Go and Java clients declare one, the others take both."""

    dataset_id: str
    "Id of the knowledge base."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    space_id: str
    "Id of the workspace (space)."
    status: int
    "State: 1 ready, 3 disabled."
    format_type: int
    "Kind of the base: 0 text, 1 table, 2 image."
    can_edit: bool
    "Whether the caller may change it."
    icon_url: str
    "Address of the icon, signed for an hour; empty for none."
    icon_uri: str
    "Id of the upload with the icon."
    doc_count: int
    "Documents of the base."
    file_list: list[str]
    "Names of the documents."
    hit_count: int
    "How often searches found it."
    bot_used_count: int
    "Agents that search it."
    slice_count: int
    "Slices that it has."
    all_file_size: str
    "Bytes of all files, in decimal."
    chunk_strategy: WireChunkStrategy
    failed_file_list: list[str]
    "Names of the documents that failed."
    processing_file_list: list[str]
    "Names of the documents that are being worked on."
    processing_file_id_list: list[str]
    "Ids of the documents that are being worked on."
    avatar_url: str
    "Address of the picture, signed for an hour; empty for none."
    creator_id: str
    "Id of the account that made it."
    creator_name: str
    "Name of the account that made it."
    create_time: int
    "When it was made, in Unix seconds."
    update_time: int
    "When it was changed last, in Unix seconds."


class WireDocument(Struct, kw_only=True):
    """A document; ``status`` 0 while it is worked on, 1 when it can be found, 9 when it failed. ``enabled`` false keeps a finished one out of searches."""

    document_id: str
    "Id of the document."
    name: str
    "Name that people read."
    type: str
    "Extension of the file, for instance pdf."
    char_count: int
    "Characters of the text."
    hit_count: int
    "How often searches found it."
    size: int
    "Size in bytes."
    slice_count: int
    "Slices that it has."
    format_type: int
    "Kind of the base: 0 text, 1 table, 2 image."
    source_type: int
    "Source: 0 file, 1 web page, 2 text, 5 upload."
    status: int
    "State: 0 while it is worked on, 1 when it can be found, 9 when it failed."
    update_type: int
    "0 never, 1 fetched again every `update_interval` hours."
    update_interval: int
    "Hours between two fetches; 0: never again."
    create_time: int
    "When it was made, in Unix seconds."
    update_time: int
    "When it was changed last, in Unix seconds."
    chunk_strategy: WireChunkStrategy
    creator_id: str
    "Id of the account that made it."
    space_id: str
    "Id of the workspace (space)."
    dataset_id: str
    "Id of the knowledge base."
    enabled: bool
    "Whether it is switched on."
    tags: dict[str, str | bool | int | float | list[str]]
    "Tags, for filters of searches: texts, numbers or lists of texts, by name."
    web_url: str | UnsetType = UNSET
    "Address (http, https) of the page."
    status_descript: str | UnsetType = UNSET
    "The state in words."
    table_meta: list[WireColumn] | UnsetType = UNSET
    "Columns of the table."


class WireFile(Struct, kw_only=True):
    """A file as the Coze clients know it; ``url`` is signed and lasts an hour. ``uri`` is what requests call ``tos_uri``."""

    id: str
    "Its id."
    bytes: int
    "Size in bytes."
    created_at: int
    "When it was made, in Unix seconds."
    file_name: str
    "Name of the file."
    url: str
    "Address; of files signed for an hour."
    uri: str
    "Id of the upload, as requests name it in `tos_uri`."
    content_type: str
    "text, or object_string for JSON text of several items."


class WireHistory(Struct, kw_only=True):
    """A message before the question; ``role`` is user or assistant."""

    role: str
    "user or assistant."
    content: str | UnsetType = ""
    "Text; in requests also a list of parts where the schema says so."


class WireHit(Struct, kw_only=True):
    """A piece of a document, or rows found by SQL, then without ``slice_id``."""

    slice_id: str
    "Id of the slice."
    document_id: str
    "Id of the document."
    dataset_id: str
    "Id of the knowledge base."
    document_name: str
    "Name of the document."
    dataset_name: str
    "Name of the knowledge base."
    content: str
    "Text; in requests also a list of parts where the schema says so."
    score: float
    "How well it fits, 0 to 1."
    scores: dict[str, float]
    "Scores by channel: embedding, full_text, rerank, rrf."
    source: str
    "Channel that found it."
    page: int
    "Page of the document, from 1; 0: unknown."
    sheet: str
    "Name of the sheet of a table."
    row: int
    "Row of the table, from 1; 0: none."
    position: float
    "Position of the piece in its document."
    tags: dict[str, Any]
    "Tags, for filters of searches: texts, numbers or lists of texts, by name."
    url: str
    "Address; of files signed for an hour."
    also_in: list[str]
    "Further documents that hold the same text."


class WireInterrupt(Struct, kw_only=True):
    """A question a run waits with."""

    event_id: str
    "Id of the question; it goes back with the answer."
    type: int
    "Kind of the question: 2 question, 5 form, 7 access, 100 tool."
    data: str
    "What is asked, as text or JSON text."


class WireMessage(Struct, kw_only=True):
    """One message; ``content`` is text or the JSON text of object_string items."""

    id: str
    "Its id."
    conversation_id: str
    "Id of the conversation."
    bot_id: str
    "Id of the agent (bot)."
    chat_id: str
    "Id of the chat."
    section_id: str
    "Section of the conversation; clearing the context begins a new one."
    role: str
    "user or assistant."
    type: str
    "question, answer, function_call, tool_response, follow_up, knowledge or verbose."
    content: str
    "Text, or JSON text of parts, as `content_type` says."
    content_type: str
    "text, or object_string for JSON text of several items."
    meta_data: dict[str, str]
    "Keys and texts of the caller, at most 16; keys to 64, texts to 512 characters."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    reasoning_content: str | UnsetType = UNSET
    "What the model thought before it answered."


class WireNodeStatus(Struct, kw_only=True):
    """What became of one instance of a node."""

    node_id: str
    "Id of the node in the canvas."
    is_finish: bool
    "Whether the node is done."
    update_time: int
    "When it was changed last, in Unix seconds."
    node_execute_uuid: str
    "Id of the execution; its output is asked for by it."
    loop_index: int | None | UnsetType = UNSET
    "Iteration of the loop, from 0."
    batch_index: int | None | UnsetType = UNSET
    "Iteration of the batch, from 0."
    sub_execute_id: str | None | UnsetType = UNSET
    "Run of another workflow that this node began; empty for none."


class WirePhoto(Struct, kw_only=True):
    """An image; ``status`` 0 while it is worked on, 1 when done, 9 when it failed."""

    document_id: str
    "Id of the document."
    url: str
    "Address; of files signed for an hour."
    name: str
    "Name that people read."
    size: int
    "Size in bytes."
    type: str
    "Extension of the file, for instance png."
    status: int
    "State: 0 while it is worked on, 1 when done, 9 when it failed."
    caption: str
    "Text that describes the image; searches find the image by it."
    creator_id: str
    "Id of the account that made it."
    source_type: int
    "Source: 0 file, 1 web page, 2 text, 5 upload."
    create_time: int
    "When it was made, in Unix seconds."
    update_time: int
    "When it was changed last, in Unix seconds."


class WireProgress(Struct, kw_only=True):
    """How far a document is: ``status`` 0 while it is worked on, 1 when done, 9 when failed."""

    document_id: str
    "Id of the document."
    document_name: str
    "Name of the document."
    url: str
    "Address; of files signed for an hour."
    size: int
    "Size in bytes."
    type: str
    "Extension of the file, for instance pdf."
    status: int
    "State: 0 while it is worked on, 1 when done, 9 when it failed."
    progress: int
    "Progress, 0 to 100."
    update_type: int
    "0 never, 1 fetched again every `update_interval` hours."
    update_interval: int
    "Hours between two fetches; 0: never again."
    remaining_time: int
    "Seconds until it is done, estimated."
    status_descript: str
    "The state in words."


class WireRole(Struct, kw_only=True):
    """The role of a chat flow."""

    id: str
    "Its id."
    workflow_id: str
    "Id of the workflow."
    connector_id: str
    "Connector (publishing channel) that it belongs to. In requests default 1024: the API."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    avatar: dict[str, str]
    "Picture of the role: `image_uri` and `image_url`."
    onboarding_info: dict[str, Any]
    "What end users see before they ask."
    suggest_reply_info: dict[str, Any]
    "Questions that are suggested after an answer."
    background_image_info: dict[str, Any]
    "Picture behind the chat; stored for front ends."
    audio_config: dict[str, Any]
    "Voice of the role; stored for front ends."
    user_input_config: dict[str, Any]
    "How users write; stored for front ends."


class WireSearchUsage(Struct, kw_only=True):
    """Tokens that models took."""

    input_tokens: int
    "Tokens of the input."
    output_tokens: int
    "Tokens of the answer."


class WireSection(Struct, kw_only=True):
    """The section that a conversation is in after it was cleared."""

    id: str
    "Its id."
    conversation_id: str
    "Id of the conversation."


class WireSlice(Struct, kw_only=True):
    """A slice; ``status`` 0 until searches know it as it is, 1 then, 9 when they never will. ``sequence`` orders slices; it need not be whole. The content of a table's row is JSON."""

    slice_id: str
    "Id of the slice."
    document_id: str
    "Id of the document."
    dataset_id: str
    "Id of the knowledge base."
    content: str
    "Text; of a table, JSON text of the cells."
    sequence: float
    "Place among the slices of the document; need not be whole."
    char_count: int
    "Characters of the text."
    hit_count: int
    "How often searches found it."
    status: int
    "State: 0 until searches know it as it is, 1 then, 9 when they never will."
    status_descript: str
    "The state in words."
    heading_path: list[str]
    "Headings above the piece, outermost first."
    create_time: int
    "When it was made, in Unix seconds."
    update_time: int
    "When it was changed last, in Unix seconds."


class WireStage(Struct, kw_only=True):
    """A step of the search; ``degraded`` says why it gave less."""

    name: str
    "Name of the step."
    duration_ms: float
    "Duration in milliseconds."
    count: int
    "Results that the step left."
    degraded: str
    "Why the step gave less than it could; empty otherwise."


class WorkflowAgentFields(Struct, kw_only=True):
    """The workflow that answers instead of a model; without a version its newest one."""

    workflow_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the workflow."
    version: str | UnsetType = ""
    "Version as publishing named it; empty for the draft or for none."


class WorkflowCreator(Struct, kw_only=True):
    """Who made a workflow or a version."""

    id: str
    "Its id."
    name: str
    "Name that people read."


class WorkflowError(Struct, kw_only=True):
    """The run failed."""

    error_code: int
    "Stable number of the error; see the list of errors."
    error_message: str
    "Why it failed, in a sentence; empty if it did not."
    debug_url: str
    "Address of the console that shows the run; empty without a console."


class WorkflowErrorFrame(Struct, kw_only=True, tag_field="event", tag="Error"):
    """The event ``Error``."""

    data: WorkflowError


class WorkflowFields(Struct, kw_only=True):
    """A workflow that the model may call; without a version its newest one. ``applied_effect`` is shown, and ignored when it is sent: the stronger one of ``effect`` and of what the workflow does, which decides about consent."""

    workflow_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the workflow."
    tool_name: str | UnsetType = ""
    "Name under which models call the workflow; empty for its own."
    version: str | UnsetType = ""
    "Version of the workflow; empty: its newest one."
    effect: Literal["read", "external_write", "irreversible"] | UnsetType = "read"
    "What a call changes outside; decides whether a person is asked."
    approval: Literal["auto", "always", "exempt"] | UnsetType = "auto"
    "When a person must agree to a call: `auto` by the effect of the tool, `always`, or `exempt` for never."
    applied_effect: str | UnsetType = ""
    "Shown, and ignored when it is sent: the stronger one of `effect` and of what the nodes of the workflow do."


class WorkflowMessageEvent(Struct, kw_only=True, tag_field="type", tag="message"):
    """A piece of a message of a node that speaks; ``number`` counts within the message."""

    path: list[str]
    "Titles of the nodes from the outermost to this one."
    node_id: str
    "Id of the node in the canvas."
    node_title: str
    "Title of the node in the canvas."
    kind: str
    "Kind of the node, as records name it."
    text: str
    "Text."
    number: int
    "Number of the piece in its message, from 0."
    is_last: bool
    "Whether the message ends here."
    writes_history: bool
    "Whether the message goes into the history of the conversation."
    is_reasoning: bool
    "What a model thought before it answered; no part of the message itself."
    tool_path: list[str]
    "Model node that runs the sender as its tool; empty for everything else."
    at_ms: int
    "When it happened, in Unix milliseconds."


class WorkflowNodeBeganEvent(Struct, kw_only=True, tag_field="type", tag="node_began"):
    """A node instance starts; ``index`` is the iteration of the nearest composite."""

    path: list[str]
    "Ids of the nodes from the outermost to this one."
    node_id: str
    "Id of the node in the canvas."
    node_title: str
    "Title of the node in the canvas."
    kind: str
    "Kind of the node, as records name it."
    inputs: dict[str, Any]
    "Values of the inputs, by name."
    index: int | None
    "Iteration of the loop or batch, from 0; null outside."
    type_name: str
    "What the canvas calls the type of the node, if not as its kind does."
    at_ms: int
    "When it happened, in Unix milliseconds."


class WorkflowNodeEndedEvent(Struct, kw_only=True, tag_field="type", tag="node_ended"):
    """A node instance is over; skipped ones are not told."""

    path: list[str]
    "Ids of the nodes from the outermost to this one."
    node_id: str
    "Id of the node in the canvas."
    node_title: str
    "Title of the node in the canvas."
    kind: str
    "Kind of the node, as records name it."
    status: Literal["cancelled", "failed", "interrupted", "success"]
    "How it ended: success, failed, cancelled or interrupted."
    output: dict[str, Any] | None
    "Values of the outputs, by name."
    raw_output: str
    "What the model or service answered before it was read."
    port: str
    "Port of the node, for instance a branch."
    error: EventNodeError | None
    "Why it failed; empty or null if it did not."
    warnings: list[str]
    "What went less well without failing."
    duration_ms: float
    "Duration in milliseconds."
    input_tokens: int
    "Tokens of the input."
    output_tokens: int
    "Tokens of the answer."
    is_estimated: bool
    "Whether the provider told no figures, so that they were counted here."
    extra: dict[str, Any]
    "Facts that only this kind of node has."
    index: int | None
    "Iteration of the loop or batch, from 0; null outside."
    type_name: str
    "Name of the kind in a canvas."
    at_ms: int
    "When it happened, in Unix milliseconds."


class WorkflowQuestion(Struct, kw_only=True):
    """What a run asks; ``event_id`` goes back with the answer."""

    event_id: str
    "Id of the question; it goes back with the answer."
    type: int
    "Kind of the question: 2 question, 5 form, 7 access, 100 tool."
    data: str
    "What is asked, as text or JSON text."


class WorkflowRunBeganEvent(Struct, kw_only=True, tag_field="type", tag="run_began"):
    """A worker begins or goes on; ``attempt`` counts them since the last question."""

    attempt: int
    "Workers that began on the run since its last question, from 1."
    at_ms: int
    "When it happened, in Unix milliseconds."


class WorkflowRunEndedEvent(Struct, kw_only=True, tag_field="type", tag="run_ended"):
    """The run is over."""

    phase: EventRunPhase
    output: str
    "What the run returned, as JSON text."
    answers: bool
    "Whether the output of the workflow is the answer of the chat."
    fault: EventRunFault | None
    "Why it failed; null if it did not."
    input_tokens: int
    "Tokens of the input."
    output_tokens: int
    "Tokens of the answer."
    variables: EventKeptVariables | None
    "What the next run of the conversation begins with."
    at_ms: int
    "When it happened, in Unix milliseconds."


class WorkflowUsage(Struct, kw_only=True):
    """Tokens of a run."""

    token_count: int
    "Tokens of input and answer together."
    output_count: int
    "Tokens of the answer."
    input_count: int
    "Tokens of the input."


class Workspace(Struct, kw_only=True):
    """A workspace as the caller sees it."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    icon_url: str
    "Address of the icon, which is shown without a sign-in; empty for none."
    role_type: str
    "Role in the workspace: owner, admin or member."
    workspace_type: str
    "Kind of the workspace: personal or team."
    enterprise_id: str
    "Always empty."


class WorkspaceLimits(Struct, kw_only=True):
    """Limits of one workspace: null is what the deployment allows every one, 0 any number."""

    bytes: int | None | UnsetType = UNSET
    "Bytes of its files and documents together."
    files: int | None | UnsetType = UNSET
    "Files."
    documents: int | None | UnsetType = UNSET
    "Documents of all knowledge bases."
    rows: int | None | UnsetType = UNSET
    "Rows of all its databases together."
    runs: int | None | UnsetType = UNSET
    "Runs of agents, and as many of workflows, that are in progress."
    runs_per_min: int | None | UnsetType = UNSET
    "Runs of both kinds together that begin within a minute."


class WorkspaceList(Struct, kw_only=True):
    """One page of workspaces."""

    total_count: int
    "Items of all pages."
    workspaces: list[Workspace]
    "Workspaces of the page."


class WorkspaceMember(Struct, kw_only=True):
    """A member of a workspace."""

    user_id: str
    "Id of the account."
    role_type: str
    "Role in the workspace: owner, admin or member."
    user_nickname: str
    "Name that people read."
    user_unique_name: str
    "Login name."
    avatar_url: str
    "Address of the picture, signed for an hour; empty for none."


class WorkspaceMemberList(Struct, kw_only=True):
    """One page of members."""

    items: list[WorkspaceMember]
    "Items of the page, in order."
    total_count: int
    "Items of all pages."


class WorkspaceOverview(Struct, kw_only=True):
    """A workspace of the deployment, without its contents."""

    id: str
    "Its id."
    type: str
    "personal or team."
    name: str
    "Name that people read."
    member_count: int
    "Number of members."
    created_at: int
    "When it was made, in Unix seconds."
    suspended_at: int | None
    "Since when it is closed for everyone, in Unix seconds; null: it is open."
    deleted_at: int | None
    "When it was deleted, in Unix seconds; null: it was not. It can be brought back for seven days."
    limits: WorkspaceLimits


class WorkspaceOverviews(Struct, kw_only=True):
    """One page of all workspaces."""

    items: list[WorkspaceOverview]
    "Items of the page, in order."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."
    total: int | None
    "Always null: they are not counted."


class WriteVariablesBody(Struct, kw_only=True):
    """Whose variables, by exactly one of ``bot_id`` and ``app_id``, and their values."""

    data: list[VariableItem]
    "Names and values, written all or none."
    connector_uid: str
    "Id of the end user, as the caller names it; empty or absent for the account itself."
    bot_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the agent (bot)."
    app_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the app that it belongs to; empty for the library of the workspace."
    connector_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Connector of the end user. Default 1024: the API."


class AddMemberBody(Struct, kw_only=True):
    """An account to admit: its id, or the name that it signs in with."""

    user_id: str | None | UnsetType = UNSET
    "Id of the account."
    name: str | None | UnsetType = UNSET
    "Name that the account signs in with, in place of its id; letter case makes no difference."
    role: Role | UnsetType = "editor"


class AddMembersBody(Struct, kw_only=True):
    """Accounts to admit."""

    users: list[MemberCreate]
    "Accounts and their roles."


class AdminAgentSummary(Struct, kw_only=True):
    """An agent in a list; model and members are those of the draft."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Id of the account that made it."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    icon_url: str
    "Address of the icon, signed for an hour; empty for none."
    mode: Mode
    alias: str | None
    "Second name under which it can be called, unique in the deployment."
    revision: int
    "Number that grows with every change of the draft; goes into `If-Match`."
    is_published: bool
    "Whether a version is in use."
    version: str
    "Version as publishing named it; empty for the draft or for none."
    published_at: int | None
    "When it was published last, in Unix seconds; null: never."
    has_unpublished_changes: bool
    "Whether the draft differs from the version in use."
    template_category: str | None
    "Category among the templates; null if it is none."
    model_id: str
    "Id of the model; empty or null for the default."
    model_name: str
    "Name of the model."
    members: list[AdminTeamMember]
    "Other agents that it works with."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."


class AdminDatabase(Struct, kw_only=True):
    """A table with its two sides, draft and online."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Id of the account that made it."
    table_name: str
    "Name of the table in SQL."
    table_desc: str
    "What the table holds; models read it."
    fields: list[AdminField]
    "Fields of the table."
    rw_mode: int
    "Who sees rows: 1 end users see and change their own, 2 nobody changes them, 3 everybody sees all."
    prompt_disabled: bool
    "Whether models are not told of it."
    icon_file_id: str | None
    "Id of the upload with the icon; empty or null for none."
    agent_ids: list[str]
    "Agents that use it."
    revision: int
    "Optimistic lock; 0 means never saved. Only repositories change it."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."


class AdminDatabaseList(Struct, kw_only=True):
    """A page of tables."""

    items: list[AdminDatabase]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminDataset(Struct, kw_only=True):
    """A knowledge base; ``embedding_model`` is empty until something was indexed."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Id of the account that made it."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    enabled: bool
    "Whether it is switched on."
    format_type: int
    "Kind of the base: 0 text, 1 table, 2 image."
    document_count: int
    "Documents of the base."
    failed_count: int
    "Documents that failed."
    processing_count: int
    "Documents that are being worked on."
    slice_count: int
    "Slices that it has."
    hit_count: int
    "How often searches found it."
    size: int
    "Size in bytes."
    processing_document_ids: list[str]
    "Documents that are being worked on."
    agent_count: int
    "Agents that search it."
    embedding_model: str
    "What the index was made with; empty until something was indexed."
    embedding_dimensions: int
    "Length of the vectors; 0 until something was indexed."
    score_scale: ScoreScale | None
    "What cosines mean in the index, where that was learnt."
    rebuild: AdminRebuild | None
    "The youngest rebuild of the index; null if there was none."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."


class AdminDatasetHealth(Struct, kw_only=True):
    """How long the slices of a base are, in which languages, and which of them serve nobody."""

    slices: int
    "Slices that the base has."
    examined: int
    "Of them so many were counted: all, or the youngest of a large base."
    shortest: int
    "Characters below which a text counts as empty."
    longest: int
    "Characters above which a slice counts as over long."
    lengths: list[AdminLengthBin]
    "Slices by their characters, shortest first."
    flaws: list[AdminFlawCount]
    "How many slices have each flaw."
    sampled: int
    "Of so many slices, spread over the examined ones, the language was looked at."
    languages: list[AdminScriptCount]
    "Languages of the sample, as far as letters tell them apart; most frequent first."


class AdminDatasetList(Struct, kw_only=True):
    """One page of knowledge bases."""

    items: list[AdminDataset]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminDocument(Struct, kw_only=True):
    """A document; ``status`` -1 waiting, 1 enabled, 2 disabled, 4 being indexed, 9 failed."""

    id: str
    "Its id."
    dataset_id: str
    "Id of the knowledge base."
    name: str
    "Name that people read."
    type: str
    "Extension of the file, for instance pdf."
    format_type: int
    "Kind of the base: 0 text, 1 table, 2 image."
    source_type: int
    "Source: 0 file, 1 web page, 2 text, 5 upload."
    url: str
    "Address; of files signed for an hour."
    size: int
    "Size in bytes."
    char_count: int
    "Characters of the text."
    slice_count: int
    "Slices that it has."
    hit_count: int
    "How often searches found it."
    status: int
    "State: -1 waiting, 1 enabled, 2 disabled, 4 being indexed, 9 failed."
    enabled: bool
    "Whether it is switched on."
    fail_code: int
    "Stable number of the error; 0 if it did not fail."
    fail_reason: str
    "Why it failed, in a sentence; empty if it did not."
    update_type: int
    "0 never, 1 fetched again every `update_interval` hours."
    update_interval: int
    "Hours between two fetches; 0: never again."
    chunk_strategy: WireChunkStrategy
    parsing_strategy: ParsingStrategy
    tags: dict[str, str | bool | int | float | list[str]]
    "Tags, for filters of searches: texts, numbers or lists of texts, by name."
    table_meta: list[WireColumn]
    "Schema of a table once it can be searched."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."


class AdminDocumentList(Struct, kw_only=True):
    """Documents of one request."""

    items: list[AdminDocument]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminDocumentPage(Struct, kw_only=True):
    """One page of documents."""

    items: list[AdminDocument]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminEntry(Struct, kw_only=True):
    """Something of a workspace; ``at`` is when it was changed, opened or begun."""

    type: EntryType
    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    parent_id: str | None
    "What it is a part of: the base of a document, the agent of a conversation; null for what stands alone."
    version: str
    "Of what is published: the newest; empty before the first."
    has_unpublished_changes: bool
    "Whether the draft differs from the version in use."
    at: int
    "When it was changed, opened by the caller, or begun."


class AdminEntryList(Struct, kw_only=True):
    """What was found, best first."""

    items: list[AdminEntry]
    "Items of the page, in order."


class AdminImage(Struct, kw_only=True):
    """An image with what it shows; its address is signed and lasts about an hour."""

    caption: str
    "Text that describes the image; searches find the image by it."
    text: str
    "Text that was read in it."
    url: str
    "Address; of files signed for an hour."
    document: AdminDocument


class AdminImagePage(Struct, kw_only=True):
    """One page of images."""

    items: list[AdminImage]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminListedTrace(Struct, kw_only=True):
    """A run in a list."""

    run_id: str
    "Id of the run (chat)."
    workspace_id: str
    "Id of the workspace."
    kind: str
    "`chat` or `workflow`."
    trace_id: str
    "By which tools of OpenTelemetry know it: that of the caller, where one was told."
    parent_run_id: str | None
    "The run that this one is a part of; such runs are not listed."
    name: str
    "Name that people read."
    agent_id: str | None
    "Id of the agent."
    workflow_id: str | None
    "Id of the workflow."
    version: str
    "Version as publishing named it; empty for the draft or for none."
    source: str
    "From where it was asked for: playground, api, openai, mcp, share_link, embed, channel, trigger, evaluation or ingest."
    connector_id: str
    "Connector (publishing channel) that it belongs to. In requests default 1024: the API."
    creator_id: str
    "Id of the account that made it."
    end_user_id: str
    "Id of the end user, as the caller names it."
    conversation_id: str | None
    "Id of the conversation."
    capture: str
    "How much of it was kept: metadata, or content as well."
    status: str
    "State of it."
    error_code: int
    "Stable number of the error; see the list of errors."
    error: str
    "Why it failed; empty or null if it did not."
    started_at: int
    "When it began, in Unix seconds."
    ended_at: int
    "When it ended, or began to wait, in Unix seconds."
    waited_ms: int
    "From the request to the start, if the run had to wait for its turn."
    duration_us: int
    "From the start on, over all stretches."
    first_token_ms: int | None
    "From the start of its stretch on."
    steps: int
    "Rounds of its agents, or nodes of its workflow."
    tool_calls: int
    "Calls that the model asks for."
    spans: int
    "Spans, the outermost first."
    input_tokens: int
    "Tokens of the input."
    output_tokens: int
    "Tokens of the answer."
    cached_tokens: int
    "Of the input: tokens that the provider's cache had."
    reasoning_tokens: int
    "Of the answer: tokens of reasoning."
    cost: str
    "Time that it took, as text with unit."
    models: list[str]
    "Names of the models that were asked."
    tools: list[str]
    "Tools that may be called."
    tags: list[str]
    "Words that the request gave it, by which it is found."
    is_rebuilt: bool
    "Some of it is only what the events of a lost run tell."
    pinned_at: int | None
    "Since when it is kept beyond its time, in Unix seconds; null if it is not."
    pinned_by: str | None
    "Account that keeps it; null if none does."
    question: str | None
    "How its question begins, on one line; null where none is kept, or without `questions`."
    feedback: AdminVerdicts


class AdminMessageList(Struct, kw_only=True):
    """One page of messages, newest first unless asked otherwise."""

    items: list[WireMessage]
    "Items of the page, in order."
    feedback: list[OwnVerdict]
    "What the caller said of these answers."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminNodeRun(Struct, kw_only=True):
    """What one instance of a node did; ``status`` 1 waiting, 2 running, 3 success, 4 failed. ``sub_execute_id`` asks for the nodes inside, where the node runs another workflow. ``batch``: the instances of a node inside a loop or batch."""

    id: str
    "Its id."
    node_id: str
    "Id of the node in the canvas."
    type: str
    "Kind of the node."
    name: str
    "Name that people read."
    status: int
    "State: 1 waiting, 2 running, 3 success, 4 failed."
    input: dict[str, Any]
    "Values of the inputs, by name."
    output: dict[str, Any] | None
    "Values of the outputs, by name; null before its end."
    raw_output: str
    "What the model or service answered before it was read."
    port: str
    "Branch that was taken; empty for none."
    error: AdminRunFault | None
    "Why it failed; empty or null if it did not."
    error_level: str
    "Weight of what went wrong: Error, Warn, Pending, Cancel, or empty."
    warnings: list[str]
    "What went less well without failing."
    cost: str
    "Time that it took, as text with unit."
    tokens: RunTokens
    index: int | None
    "Iteration of the loop or batch, from 0; null outside."
    parent_node_id: str
    "Loop or batch that holds the node; empty for none."
    sub_execute_id: str
    "Run of another workflow that this node began; empty for none."
    extra: dict[str, Any]
    "Facts that only this kind of node has."
    started_at_ms: int
    "Begin in Unix milliseconds."
    duration_ms: float
    "Duration in milliseconds."
    batch: list[AdminNodeRun]
    "Instances of a node inside a loop or batch."


class AdminNodeRunList(Struct, kw_only=True):
    """Results of one node, in the order in which they began."""

    items: list[AdminNodeRun]
    "Items of the page, in order."


class AdminPresence(Struct, kw_only=True):
    """Who else has it open, whoever came first before the others."""

    people: list[AdminPresent]
    "Who else has it open, whoever came first before the others."


class AdminProcess(Struct, kw_only=True):
    """A run with its nodes: 1 running, 2 success, 3 failed, 4 cancelled, 5 waits for answers. ``rate`` is the share of the nodes begun that are done, ``cost`` the time."""

    execute_id: str
    "Id of the run."
    workflow_id: str
    "Id of the workflow."
    status: int
    "State: 1 running, 2 success, 3 failed, 4 cancelled, 5 waits for answers."
    nodes: list[AdminNodeRun]
    "What the nodes did, in the order they began."
    rate: str
    "Share of the nodes begun that are done, 0.00 to 1.00."
    cost: str
    "Time that it took, as text with unit."
    tokens: RunTokens
    reason: str
    "Why it failed; empty if it did not."
    error: AdminRunFault | None
    "Why it failed; empty or null if it did not."
    last_node_id: str
    "Node that did something last."
    logid: str
    "Id of the request in the log; support asks for it."
    output: str
    "What the run returned, as JSON text."
    interrupts: list[AdminInterrupt]
    "Questions that are open."


class AdminRole(Struct, kw_only=True):
    """The role of a chat flow; everything is empty if it has none."""

    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    avatar_file_id: str | None
    "Id of the upload with the picture; empty for none."
    avatar_url: str
    "Address of the picture, signed for an hour; empty for none."
    onboarding: OnboardingFields
    suggest_reply: ChatflowSuggestFields
    background: dict[str, Any]
    "`true`: the run goes on without the caller, who asks for its state. Default false."
    user_input: dict[str, Any]
    "How users write; stored for front ends."
    audio: dict[str, Any]
    "Voice of the role; stored for front ends."


class AdminRun(Struct, kw_only=True):
    """A run without its content; times in Unix seconds."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    conversation_id: str
    "Id of the conversation."
    section_id: str
    "Section of the conversation; clearing the context begins a new one."
    agent_id: str | None
    "Id of the agent."
    status: str
    "State: created, queued, in_progress, requires_action, completed, failed or canceled."
    finish_reason: str
    "Why the model stopped: stop, length, tool_calls, content_filter; null or empty before."
    error: AdminRunError | None
    "Why it failed; empty or null if it did not."
    usage: AdminRunUsage
    created_at: int
    "When it was made, in Unix seconds."
    completed_at: int | None
    "When it ended well, in Unix seconds; null if it did not."
    failed_at: int | None
    "When it failed, in Unix seconds; null if it did not."
    canceled_at: int | None
    "When it was stopped, in Unix seconds; null if it was not."


class AdminRunList(Struct, kw_only=True):
    """One page of runs, newest first; pass ``next_cursor`` as ``cursor`` for the next one."""

    items: list[AdminRun]
    "Items of the page, in order."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminShortcutComponent(Struct, kw_only=True):
    """A field of the form."""

    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    input_type: InputType
    parameter: str
    "Parameter of the tool that the field fills."
    options: list[str]
    "Values to choose from."
    default_value: str
    "Value where nothing was set, as text."
    hide: bool
    "Whether the field is hidden from people."
    upload_options: list[InputType]
    "Kinds of files that may be uploaded."


class AdminSpan(Struct, kw_only=True):
    """One step of a run."""

    id: str
    "Id in the trace; it stays the same."
    parent_id: str | None
    "The step that this one is a part of; null for those at the top."
    run_id: str
    "The run that told of it: the one asked for, or one that it called."
    kind: str
    "What it is of: agent, step, prepare, model, embedding, rerank, retrieval, query_rewrite, channel, fusion, tool, workflow, node, memory or http."
    name: str
    "Name that people read."
    start_us: int
    "Microseconds from the start of the trace."
    duration_us: int
    "Microseconds that it took."
    status: str
    "`ok`, `error`, `cancelled`, `interrupted`, or `lost` if nothing tells how it ended."
    error_code: int
    "Code of the error; 0 without one of ours."
    error: str
    "What went wrong; empty if nothing did."
    attributes: dict[str, Any]
    "Facts by name: attempt, finish reason, counts and so on."
    input: str | None
    "What it began with: of a model the body of the request exactly as sent, of a tool its arguments, of a node its inputs as JSON; null if it is not kept."
    output: str | None
    "What came of it, as text or JSON; null if it is not kept."
    usage: AdminSpanUsage | None
    "Tokens; null where none were used."
    cost: str
    "Points as a decimal number."
    links: list[str]
    "Runs that are part of the step."


class AdminSpanPair(Struct, kw_only=True):
    """A step of one run and the same one of another."""

    left: AdminSpan | None
    "The step of the first run; null if only the other one has it."
    right: AdminSpan | None
    "The step of the second run; null if only the first one has it."
    changed: list[str]
    "Fields in which they differ."
    duration_us: int
    "By how many microseconds the second one took longer."
    cost: str
    "By how many points the second one cost more, as a decimal number."


class AdminTestInput(Struct, kw_only=True):
    """Inputs that somebody keeps; ``is_own`` tells whether it is who asks."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    is_shared: bool
    "Whether everybody may use them who reads the workflow."
    is_own: bool
    "Whether it is who asks that made them."
    creator: Person
    inputs: dict[str, Any]
    "Values of the inputs, by name."
    mocks: dict[str, dict[str, Any]]
    "Outputs of nodes that are not to run, by the node's id."
    updated_at: int
    "When it was changed last, in Unix seconds."


class AdminTestInputList(Struct, kw_only=True):
    """One's own and those that are shared, by name."""

    items: list[AdminTestInput]
    "Items of the page, in order."
    total: int
    "Items of all pages."


class AdminTrace(Struct, kw_only=True):
    """Spans of a run, the run first."""

    trace_id: str
    "Id of the trace."
    spans: list[Span]
    "Spans, the outermost first."


class AdminTraceDiff(Struct, kw_only=True):
    """Two runs, aligned from the top down."""

    left: AdminTraceSummary
    right: AdminTraceSummary
    pairs: list[AdminSpanPair]
    "Their steps, in the order of the first one; what only one of them has stands alone."


class AdminTraceList(Struct, kw_only=True):
    """One page of traces; they are not counted."""

    items: list[AdminListedTrace]
    "Items of the page, in order."
    total: int | None
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminTraceTree(Struct, kw_only=True):
    """A run with all its spans, in the order of their starts."""

    trace: AdminTraceSummary
    spans: list[AdminSpan]
    "The steps in the order of their starts."


class AdminWaiting(Struct, kw_only=True):
    """Something that waits for the caller; ``at`` is since when, or when a token ends."""

    type: WaitingType
    id: str
    "Its id."
    name: str
    "Name that people read."
    parent_id: str | None
    "Agent, workflow or base that it belongs to; null for a token."
    parent_type: EntryType | None
    "Kind of what it belongs to."
    conversation_id: str | None
    "Id of the conversation."
    workflow_run_id: str | None
    "Run of the workflow that asks a question."
    calls: list[AdminWaitingCall]
    "Calls that have to be allowed; empty for what is no consent."
    reason: str
    "Why a document could not be read; else empty."
    at: int
    "Since when it waits, or when the token ends, in Unix seconds."


class AdminWorkflow(Struct, kw_only=True):
    """A workflow without its canvas; ``submit_commit_id`` names the draft by its content."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    creator: Person
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    icon_file_id: str | None
    "Id of the upload with the icon; empty or null for none."
    icon_url: str
    "Address of the icon, signed for an hour; empty for none."
    mode: int
    "0 workflow, 3 chat flow."
    app_id: str
    "Id of the app that it belongs to; empty for the library of the workspace."
    dialect: str
    "Language of expressions in the canvas."
    revision: int
    "Number that grows with every change of the draft; goes into `If-Match`."
    submit_commit_id: str
    "Id of the stored draft, by its content."
    latest_version: str
    "Latest published version; empty for none."
    is_published: bool
    "Whether a version is in use."
    is_draft_changed: bool
    "Whether the draft differs from the latest version."
    test_run_passed: bool
    "Whether a test run of this content went well."
    trace_capture: Literal["off", "metadata", "content"] | None
    "How much is kept of its runs, of all versions, from now on: `off`, `metadata` or `content`; null: as the workspace says."
    node_count: int | None
    "Nodes of the draft; null where it cannot be read, or was not saved since they are counted."
    facts: AdminWorkflowFacts | None
    "In lists only."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    published_at: int | None
    "When it was published last, in Unix seconds; null: never."


class AdminWorkflowList(Struct, kw_only=True):
    """A page of workflows."""

    items: list[AdminWorkflow]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminWorkflowRun(Struct, kw_only=True):
    """A run without its nodes; times in Unix seconds."""

    execute_id: str
    "Id of the run."
    workflow_id: str
    "Id of the workflow."
    workspace_id: str
    "Id of the workspace."
    version: str
    "Version as publishing named it; empty for the draft or for none."
    kind: str
    "Why it ran: release, debug or node."
    run_mode: int
    "0 answered in one piece, 1 streamed, 2 asynchronous."
    status: int
    "State: 1 running, 2 success, 3 failed, 4 cancelled, 5 waits for answers."
    phase: str
    "State: created, running, interrupted, success, failed or cancelled."
    node_id: str
    "Id of the node in the canvas."
    input: dict[str, Any]
    "Values of the inputs, by name."
    output: str
    "What the run returned, as JSON text."
    error: AdminRunFault | None
    "Why it failed; empty or null if it did not."
    tokens: RunTokens
    node_count: int
    "Nodes that ran."
    conversation_id: str
    "Id of the conversation."
    logid: str
    "Id of the request in the log; support asks for it."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    finished_at: int | None
    "When it ended, in Unix seconds; null before."
    duration_ms: int
    "Duration in milliseconds."


class AdminWorkflowRunList(Struct, kw_only=True):
    """One page of runs, newest first; pass ``next_cursor`` as ``cursor`` for the next one."""

    items: list[AdminWorkflowRun]
    "Items of the page, in order."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminWorkflowVersion(Struct, kw_only=True):
    """One version."""

    workflow_id: str
    "Id of the workflow."
    version: str
    "Version as publishing named it; empty for the draft or for none."
    description: str
    "What it is for; models and people read it."
    commit_id: str
    "Id of the published content."
    creator: Person
    created_at: int
    "When it was made, in Unix seconds."


class AdminWorkflowVersionList(Struct, kw_only=True):
    """A page of versions, newest first."""

    items: list[AdminWorkflowVersion]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AgentDeltaEvent(Struct, kw_only=True, tag_field="type", tag="agent.delta"):
    """What a called agent writes to its caller, in larger pieces."""

    agent_path: list[EventMemberCall]
    "Calls of agents from the outermost to the innermost; absent for the agent that was asked."
    text: str
    "Text."
    reasoning: str
    "What the model thought before it answered."
    at_ms: int
    "When it happened, in Unix milliseconds."


class AgentEndedEvent(Struct, kw_only=True, tag_field="type", tag="agent.ended"):
    """A called agent is done; ``usage`` counts its model calls."""

    agent_path: list[EventMemberCall]
    "Calls of agents from the outermost to the innermost; absent for the agent that was asked."
    text: str
    "Answer of the agent."
    is_error: bool
    "Whether it failed; the result then says why."
    usage: EventUsage
    duration_ms: int
    "Duration in milliseconds."
    at_ms: int
    "When it happened, in Unix milliseconds."


class AgentStartedEvent(Struct, kw_only=True, tag_field="type", tag="agent.started"):
    """An agent was called. The innermost call comes last in ``agent_path``."""

    agent_path: list[EventMemberCall]
    "Calls of agents from the outermost to the innermost; absent for the agent that was asked."
    task: str
    "What the agent was asked to do."
    version: str
    "Version as publishing named it; empty for the draft or for none."
    at_ms: int
    "When it happened, in Unix milliseconds."


class AllowedTools(Struct, kw_only=True):
    """Some of the tools; ``mode`` is ``auto`` or ``required``."""

    mode: str | UnsetType = "auto"
    "`auto`: the model chooses; `required`: one must be called."
    tools: list[NamedTool] | UnsetType = UNSET
    "Tools that may be called."


class Annotation(Struct, kw_only=True):
    """What belongs to a place of the content."""

    type: str
    "Kind of the annotation: url_citation."
    url_citation: UrlCitation


class AppVariableFields(Struct, kw_only=True):
    """A variable of the app; ``channel`` app: one value for all, else one per end user. Workflows that take it for another ``type`` are told so when they are checked."""

    key: str
    "Name by which it is called."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    default_value: str | UnsetType = ""
    "Value where nothing was set, as text."
    type: AppVariableType | UnsetType = "any"
    channel: AppVariableChannel | UnsetType = "custom"
    is_disabled: bool | UnsetType = False
    "Whether it is switched off."


class AssistBody(Struct, kw_only=True):
    """What a model is to write for an agent."""

    kind: ProposalKind
    instruction: str | UnsetType = ""
    "What is to be different, at most 4,000 characters; only a persona needs one."
    text: str | None | UnsetType = UNSET
    "The text as it is; absent, the draft's own."


class AuthView(Struct, kw_only=True):
    """The authentication without its secrets; ``credential`` is their hint, empty for none."""

    type: AuthType
    location: Location
    key: str
    "Name of the parameter or header that carries the secret."
    client_id: str
    "Client id at the service."
    client_url: str
    "Address (https) where users give access."
    authorization_url: str
    "Address (https) where tokens are asked for."
    authorization_content_type: str
    "Media type of requests for tokens."
    scope: str
    "Scopes that are asked for, separated by blanks."
    shared: bool
    "Whether all members use one grant instead of one each."
    credential: str
    "Hint at the secret; empty for none."


class AuthWays(Struct, kw_only=True):
    """How somebody can sign in; no way at all where the connection is refused."""

    deployment: str
    "Name of the deployment, as people know it."
    version: str
    "Version of the server."
    is_first_run: bool
    "Nobody has a password yet: a one-time link leads in."
    password: bool
    "With a name and a password."
    token: bool
    "With a personal access token."
    providers: list[AuthProvider]
    "By which people sign in, besides: `GET /admin/v1/auth/oidc/{id}/start?return_to=` leads there."
    sign_up: SignUp
    is_insecure: bool
    "By plain HTTP over a network, where everybody on the way reads along."


class AwaitedCall(Struct, kw_only=True):
    """A call of a function, or a question that the user's next message answers as well."""

    id: str
    "Its id."
    type: str
    "function, or reply_message for an answer to a question."
    function: CalledFunction | UnsetType = UNSET


class AwaitedOutputs(Struct, kw_only=True):
    """What a chat waits for."""

    tool_calls: list[AwaitedCall]
    "Calls that the model asks for."


class BotKnowledge(Struct, kw_only=True):
    """Datasets of a bot, by id and once more with their names."""

    dataset_ids: list[str]
    "Ids of knowledge bases."
    auto_call: bool
    "Search before every answer; false leaves it to the model when to search."
    search_strategy: int
    "0 semantic, 1 hybrid, 20 full text."
    knowledge_infos: list[BotKnowledgeInfo]
    "Ids and names of the knowledge bases."


class BotModelFields(Struct, kw_only=True):
    """Model settings of a bot; the model's name is shown, never read."""

    model_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the model; empty or null for the default."
    temperature: float | None | UnsetType = UNSET
    "How varied answers are, 0 to 2; null for the default of the model."
    top_p: float | None | UnsetType = UNSET
    "Share of the likeliest tokens that count, 0 to 1; null for the default of the model."
    top_k: int | None | UnsetType = UNSET
    "Results, at most."
    presence_penalty: float | None | UnsetType = UNSET
    "How much words that occurred are avoided, -2 to 2."
    frequency_penalty: float | None | UnsetType = UNSET
    "How much repeated words are avoided, -2 to 2."
    max_tokens: int | None | UnsetType = UNSET
    "Tokens of the answer, at most; null for the default of the model."
    context_round: int | None | UnsetType = UNSET
    "Rounds (question and answer) of history that the model sees; null for the default."
    response_format: OutputFormat | None | UnsetType = UNSET
    "Form of the answer."
    cache_type: CacheType | None | UnsetType = UNSET
    "Cache of the provider that requests may use."
    parameters: dict[str, str | None] | None | UnsetType = UNSET
    "Further parameters of the model, as texts by name."
    sp_anti_leak: bool | None | UnsetType = UNSET
    "Whether the model is told to keep its instructions to itself."
    sp_current_time: bool | None | UnsetType = UNSET
    "Whether the model is told the time."


class BotPlugin(Struct, kw_only=True):
    """A plugin with the tools that a bot uses."""

    plugin_id: str
    "Id of the plugin."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    icon_url: str
    "Address of the icon, signed for an hour; empty for none."
    api_info_list: list[BotTool]
    "Tools of the plugin that the agent uses."


class BotShortcutTool(Struct, kw_only=True):
    """The tool that is called first."""

    name: str
    "Name that people read."
    type: ShortcutToolType
    plugin_id: str
    "Id of the plugin."
    plugin_api_name: str
    "Name of the tool."
    workflow_id: str
    "Id of the workflow."
    params: list[BotShortcutParameter]
    "Values of the parameters of the tool."


class BotSuggest(Struct, kw_only=True):
    """Follow-up questions of a bot."""

    reply_mode: SuggestMode
    customized_prompt: str
    "Rules by which follow-up questions are written, in the mode `customized`."


class BotSuggestFields(Struct, kw_only=True):
    """Follow-up questions of a bot."""

    reply_mode: SuggestMode | None | UnsetType = UNSET
    "Whether follow-up questions are written, and by which rules."
    customized_prompt: str | None | UnsetType = UNSET
    "Rules by which follow-up questions are written, in the mode `customized`."


class BotVariable(Struct, kw_only=True):
    """A variable of a bot."""

    keyword: str
    "Name of the variable."
    default_value: str
    "Value where nothing was set, as text."
    variable_type: VariableType
    channel: VariableChannel
    description: str
    "What it is for; models and people read it."
    enable: bool
    "Whether it is switched on."
    prompt_enable: bool
    "Whether models are told of it."


class BotVersion(Struct, kw_only=True):
    """A version of a bot; versions never change, so both times are the same."""

    version: str
    "Version as publishing named it; empty for the draft or for none."
    description: str
    "What it is for; models and people read it."
    created_at: str
    "When it was made, in Unix seconds as text."
    updated_at: str
    "When it was made, in Unix seconds as text."
    creator: BotVersionCreator


class BotVersionList(Struct, kw_only=True):
    """One page of versions, newest first."""

    total: int
    "Items of all pages."
    items: list[BotVersion]
    "Items of the page, in order."


class BudgetItem(Struct, kw_only=True):
    """A budget, and how its period stands; amounts are decimal numbers in its unit."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Id of the account that made it."
    name: str
    "Name that people read."
    subject_type: BudgetSubject
    subject_id: str
    "Spelt as ids are; that of the end user as the application gave it."
    unit: BudgetUnit
    amount: str
    "How much may be used per period."
    period: BudgetPeriod
    zone: str
    "Time zone in which days begin."
    soft_limits: list[int]
    "Percentages at which an event tells the owners."
    is_hard: bool
    "Nothing new begins once all of it is used."
    spent: str
    "What calls of this period took."
    reserved: str
    "What is set aside for calls under way, or held by processes for the next ones."
    left: str
    "What is neither."
    state: Literal["ok", "warned", "used_up"]
    "`ok`, `warned` (a soft limit is reached) or `used_up`."
    begins_at: int
    "When the period began."
    resets_at: int | None
    "When the next one begins; null for never."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."


class BudgetItems(Struct, kw_only=True):
    """All budgets of a workspace."""

    items: list[BudgetItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class ChangeChannelBody(Struct, kw_only=True):
    """Changes of a channel; what is absent stays."""

    settings: ChannelBehaviourChanges | UnsetType = UNSET
    credentials: dict[str, str] | UnsetType = UNSET
    "Those to replace; an empty text forgets one."


class ChangeList(Struct, kw_only=True):
    """What publishing would change."""

    items: list[ToolChange]
    "Items of the page, in order."
    total: int
    "Items of all pages."


class ChangeOAuthAppBody(Struct, kw_only=True):
    """Changes of an application; what is absent stays."""

    name: str | UnsetType = UNSET
    "Name that people read."
    permissions: list[Permission] | UnsetType = UNSET
    "What it may get at most; `admin` is never granted."
    redirect_uris: list[str] | UnsetType = UNSET
    "Where browsers may go back to, letter by letter; for `web` and `pkce`."
    allows_plain: bool | UnsetType = UNSET
    "Whether the application may send its verifier in the open (`plain`); for `pkce`."
    public_key: str | UnsetType = UNSET
    "Public key of RSA in PEM, 2048 bits at least; for `jwt`. The former is useless at once."
    key_id: str | None | UnsetType = UNSET
    "What the application calls its key (`kid`); null: the key's thumbprint."
    disabled: bool | UnsetType = UNSET
    "`true` ends what it was granted and lets it in no more; only administrators of the deployment, members or not."


class ChangeServiceTokenBody(Struct, kw_only=True):
    """Changes of a token of a workspace; what is absent stays."""

    name: str | UnsetType = UNSET
    "Name that people read."
    permissions: list[Permission] | UnsetType = UNSET
    "What the token may do, as an administrator of the workspace; `admin` is not for it."
    bot_ids: list[BotId] | None | UnsetType = UNSET
    "Agents that the token may use; null: all of the workspace."
    networks: list[str] | None | UnsetType = UNSET
    "Addresses and networks, such as `192.0.2.0/24`, from which the token may be used; null: from everywhere."
    expires_at: int | None | UnsetType = UNSET
    "When it expires, in Unix seconds; null: never."
    rate_class: RateClass | UnsetType = "default"
    "How often it may ask: `default` as tokens of people, or a figure of the deployment's."


class ChangeShareLinkBody(Struct, kw_only=True):
    """Changes of a link; what is absent stays."""

    settings: ShareLinkLookChanges | UnsetType = UNSET
    auth: LinkAuth | UnsetType = "none"
    "What visitors show: nothing, the password, a token that the site around signs, a token that the hook of the link knows, or that they are signed in as members of the workspace."
    password: str | None | UnsetType = UNSET
    "Another password; null: none."
    public_key: str | None | UnsetType = UNSET
    "Of tokens signed with RS256, in PEM; null: none."
    hook_url: str | None | UnsetType = UNSET
    "Of the server that says who visitors are, for `hook`; null: none."
    expires_at: int | None | UnsetType = UNSET
    "When it stops, in Unix seconds; null: never."


class ChannelItem(Struct, kw_only=True):
    """A channel; secrets are never told."""

    id: str
    "Id of the channel."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Who made it."
    platform: str
    "`feishu`, `slack` or `wecom`."
    target_type: TargetKind
    target_id: str
    "Id of the agent or workflow."
    settings: ChannelBehaviour
    bot_id: str
    "Who the app is on its platform, once that was asked."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    credentials: list[ChannelCredential]
    "What the platform gave: which are there, and the text of those that are no secret."
    code: str
    "The platform calls `/channels/{code}`."


class ChannelItems(Struct, kw_only=True):
    """All channels of a workspace, newest first, and the platforms there are."""

    items: list[ChannelItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."
    platforms: list[ChannelPlatform]
    "Platforms on which channels can be, and what each asks for."


class ChatDoneFrame(Struct, kw_only=True, tag_field="event", tag="done"):
    """The event ``done``."""

    data: str | DebugAddress
    "`[DONE]`, or where a console shows the run."


class ChatErrorFrame(Struct, kw_only=True, tag_field="event", tag="error"):
    """The event ``error``."""

    data: LastError


class ChatMessageCompletedFrame(
    Struct, kw_only=True, tag_field="event", tag="conversation.message.completed"
):
    """The event ``conversation.message.completed``."""

    data: WireMessage


class CheckItem(Struct, kw_only=True):
    """One check of an examination, and what it found."""

    name: str
    "Name that people read."
    severity: str
    "The worst that it found: `ok`, `warning` or `failure`."
    findings: list[FindingItem]
    "What checks found."


class ChunkDelta(Struct, kw_only=True):
    """What is new of an answer."""

    role: str | UnsetType = ""
    "Always assistant; only in the first piece."
    content: str | None | UnsetType = ""
    "Text; in requests also a list of parts where the schema says so."
    reasoning_content: str | UnsetType = ""
    "What the model thought before it answered."
    tool_calls: list[ChunkToolCall] | UnsetType = field(default_factory=list)
    "Calls that the model asks for."
    citations: list[WireCard] | UnsetType = field(default_factory=list)
    "What the text cites."


class CompactedResponse(Struct, kw_only=True):
    """The messages of the user, and an item that stands for all that was said."""

    id: str
    "Its id."
    object: Literal["response.compaction"]
    "Always ``response.compaction``."
    created_at: int
    "When it was made, in Unix seconds."
    output: list[dict[str, Any]]
    "What the tool returned, as text."
    usage: ResponseUsage


class CompletionMessage(Struct, kw_only=True):
    """What the agent said."""

    role: str
    "Always assistant."
    content: str | None
    "Text; in requests also a list of parts where the schema says so."
    refusal: str | None
    "Why the model does not answer; ``content`` is null then."
    reasoning_content: str | UnsetType = UNSET
    "What the model thought before it answered."
    citations: list[WireCard] | UnsetType = UNSET
    "Sources by the number of their marks, where the text does not list them itself."
    tool_calls: list[ToolCallOut] | UnsetType = UNSET
    "Calls that the model asks for."
    annotations: list[Annotation] | UnsetType = UNSET
    "Where the content cites which source."
    coterie_steps: list[StepOut] | UnsetType = UNSET
    "What the agent did by itself, if the request asks for it."


class ConnectionView(Struct, kw_only=True):
    """Where a model is reached; of the headers only their names."""

    base_url: str
    "Address of the provider's API (http, https)."
    api_key: KeyView
    model: str
    "Name of the model at the provider."
    headers: list[str]
    "Further headers of calls; only names are shown."


ContentItem: TypeAlias = TextItem | ImageItem | FileItem | AudioItem
"One item of a multi-part content."


class ConversationList(Struct, kw_only=True):
    """One page of conversations."""

    conversations: list[WireConversation]
    "Conversations of the page or of the app."
    has_more: bool
    "Whether there are further pages."


class CozeError(Struct, kw_only=True):
    """Body of every failed request on the Coze and admin surfaces."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    detail: Detail
    error: CozeErrorInfo


class CreateAppBody(Struct, kw_only=True):
    """A new app."""

    name: str
    "Name that people read."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon; empty or null for none."
    variables: list[AppVariableFields] | UnsetType = UNSET
    "Variables that are declared, with their defaults."


class CreateBotBody(Struct, kw_only=True):
    """Body of ``/v1/bot/create``."""

    name: str
    "Name that people read."
    space_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the workspace (space)."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon; empty or null for none."
    prompt_info: BotPromptFields | None | UnsetType = UNSET
    "Persona of the agent."
    onboarding_info: BotOnboardingFields | None | UnsetType = UNSET
    "What end users see before they ask."
    suggest_reply_info: BotSuggestFields | None | UnsetType = UNSET
    "Questions that are suggested after an answer."
    model_info_config: BotModelFields | None | UnsetType = UNSET
    "Settings of the model."
    knowledge: BotKnowledgeFields | None | UnsetType = UNSET
    "Knowledge bases and how they are searched."
    plugin_id_list: BotToolIds | None | UnsetType = UNSET
    "Tools of plugins that the agent uses."
    workflow_id_list: BotWorkflowIds | None | UnsetType = UNSET
    "Workflows that the agent uses."


class CreateChannelBody(Struct, kw_only=True):
    """A channel to make."""

    platform: str
    "`feishu`, `slack` or `wecom`."
    target_type: TargetKind
    target_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of a published agent or workflow."
    settings: ChannelBehaviour
    credentials: dict[str, str]
    "What the platform gave, by the names it has there."


class CreateDatabaseBody(Struct, kw_only=True):
    """A table: row mode 1 single user, 2 read only, 3 multi user."""

    table_name: str
    "Name of the table in SQL."
    fields: list[FieldCreate]
    "Fields of the table."
    table_desc: str | UnsetType = ""
    "What the table holds; models read it."
    rw_mode: int | UnsetType = 1
    "Who sees rows: 1 (default) end users see and change their own, 2 nobody changes them, 3 everybody sees all."
    prompt_disabled: bool | UnsetType = False
    "Whether models are not told of it."
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon; empty or null for none."


class CreateInvitationBody(Struct, kw_only=True):
    """Whom to let into a workspace."""

    role: Role
    max_uses: int | None | UnsetType = 1
    "How many people come in by it, 1 to 1000; null: any number."
    expires_at: int | None | UnsetType = UNSET
    "Until when, in Unix seconds, within 90 days; null: for a week."


class CreateOAuthAppBody(Struct, kw_only=True):
    """An application to register."""

    name: str
    "Name that people read."
    type: ClientType
    permissions: list[Permission]
    "What it may get at most; `admin` is never granted."
    redirect_uris: list[str] | None | UnsetType = UNSET
    "Where browsers may go back to, letter by letter; for `web` and `pkce`."
    allows_plain: bool | UnsetType = False
    "Whether the application may send its verifier in the open (`plain`); for `pkce`."
    public_key: str | None | UnsetType = UNSET
    "Public key of RSA in PEM, 2048 bits at least; for `jwt`."
    key_id: str | None | UnsetType = UNSET
    "What the application calls its key (`kid`); absent: the key's thumbprint."


class CreateServiceTokenBody(Struct, kw_only=True):
    """A token of a workspace to make."""

    name: str
    "Name that people read."
    permissions: list[Permission]
    "What the token may do, as an administrator of the workspace; `admin` is not for it."
    bot_ids: list[BotId] | None | UnsetType = UNSET
    "Agents that the token may use; absent: all of the workspace."
    networks: list[str] | None | UnsetType = UNSET
    "Addresses and networks, such as `192.0.2.0/24`, from which the token may be used; null: from everywhere."
    expires_at: int | None | UnsetType = UNSET
    "When it expires, in Unix seconds; null: never; absent: in 90 days."
    rate_class: RateClass | UnsetType = "default"


class CreateShareLinkBody(Struct, kw_only=True):
    """A link to make."""

    target_type: TargetKind
    target_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of a published agent or workflow."
    settings: ShareLinkLook
    auth: LinkAuth | UnsetType = "none"
    password: str | None | UnsetType = UNSET
    "4 to 256 characters, for `auth` `password`."
    public_key: str | None | UnsetType = UNSET
    "Of tokens signed with RS256, in PEM."
    hook_url: str | None | UnsetType = UNSET
    "Of the server that says who visitors are, for `hook`: `/shareAuth/init`, `/start` and `/finish` are added."
    expires_at: int | None | UnsetType = UNSET
    "When it stops, in Unix seconds; null: never."


class CreateTokenBody(Struct, kw_only=True):
    """A personal token; at most one of the expiries, neither means never."""

    name: str
    "Name that people read."
    duration_days: Literal[1, 30, 60, 90, 180, 365] | None | UnsetType = UNSET
    "For how many days the token is good; null for ever."
    expires_at: int | None | UnsetType = UNSET
    "When the token expires, in Unix seconds; absent: by `duration_days`."
    permissions: list[Permission] | None | UnsetType = UNSET
    "What the token may do; absent: what its owner may do."
    workspace_ids: list[WorkspaceId] | None | UnsetType = UNSET
    "Workspaces that the token may enter; absent: all of its owner."
    bot_ids: list[BotId] | None | UnsetType = UNSET
    "Agents that the token may use; absent: all that its owner may."


class CreatedDocuments(Struct, kw_only=True):
    """Documents that were taken in, one for each of the request, in its order."""

    code: int
    "Always 0; errors have a body of their own."
    msg: str
    "What happened, in a sentence; empty if all went well."
    document_infos: list[WireDocument]
    "Documents of the page or those that were made."
    detail: Detail


class CursorEnvelopeOfWireMessage(Struct, kw_only=True):
    """One page in Coze's envelope; ``last_id`` leads to the next one."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: list[WireMessage]
    "Items of the page or answer."
    first_id: str
    "Id of the first item of the page."
    last_id: str
    "Id of the last item of the page; the next page begins behind it."
    has_more: bool
    "Whether there are further pages."
    detail: Detail


class CustomConfig(Struct, kw_only=True):
    """What an editor of the agent may try out for one chat; the run ignores it for others."""

    model_config: ModelChoice | None | UnsetType = UNSET
    "Another model for this chat."
    bot_config: PersonaChoice | None | UnsetType = UNSET
    "Name and persona."


class DataRequestStore(Struct, kw_only=True):
    """What was found in one place, and what became of it; `left` is what is there afterwards."""

    store: str
    "Name of the table, or of what is kept beside the tables."
    section: Section
    found: int
    "How much was somebody's."
    removed: int
    "How much of it was removed."
    disowned: int
    "How much of it stays without saying whose it was: what was used has been used."
    left: int
    "How much is there when everything is over."


class DataSubject(Struct, kw_only=True):
    """Whose data."""

    type: SubjectKind
    id: str
    "Name of the end user as clients give it, or id of the account."


class DatasetList(Struct, kw_only=True):
    """One page of knowledge bases."""

    total_count: int
    "Items of all pages."
    dataset_list: list[WireDataset]
    "Knowledge bases of the page."


class Diagnostic(Struct, kw_only=True):
    """One finding. ``json_pointer`` leads into the original canvas."""

    code: str
    "Stable name of the finding."
    severity: Severity
    message: str
    "What happened, in a sentence."
    node_id: str
    "Id of the node in the canvas."
    node_title: str
    "Title of the node in the canvas."
    json_pointer: str
    "Place in the canvas, as a JSON pointer."
    hint: str
    "What to do about it, or the last characters of a secret."
    port: str
    "Port of the node; empty for the whole node."
    edge: EdgeName | None
    "The connection that is meant; null if none."
    related: list[str]
    "Ids of other nodes involved."
    blocks_run: bool
    "The engine could not run this; other errors only block publishing."


class DocumentBody(Struct, kw_only=True):
    """One document to take in."""

    name: str | None | UnsetType = UNSET
    "Name that people read."
    source_info: SourceBody | None | UnsetType = UNSET
    "Where the document comes from."
    update_rule: UpdateRuleBody | None | UnsetType = UNSET
    "Whether the page is fetched again."
    caption: str | None | UnsetType = UNSET
    "Text that describes the image; searches find the image by it."
    table_meta: list[ColumnBody] | None | UnsetType = UNSET
    "Columns of the table."
    table_sheet: TableSheetBody | None | UnsetType = UNSET
    "Where in the file the table stands."
    filter_strategy: FilterBody | None | UnsetType = UNSET
    "What of the document to leave out."


class DocumentList(Struct, kw_only=True):
    """One page of documents."""

    code: int
    "Always 0; errors have a body of their own."
    msg: str
    "What happened, in a sentence; empty if all went well."
    document_infos: list[WireDocument]
    "Documents of the page or those that were made."
    total: int
    "Items of all pages."
    detail: Detail


class EmbeddingList(Struct, kw_only=True):
    """Vectors in the order of the texts."""

    object: str
    "Kind of the object."
    data: list[EmbeddingObject]
    "Vectors, in the order of the texts."
    model: str
    "Name of the model or agent."
    usage: EmbeddingUsage


class EnterMessage(Struct, kw_only=True):
    """A message that enters a conversation."""

    role: str
    "user or assistant."
    content: str | list[ContentItem]
    "Text, or with content_type object_string a list of parts or its JSON text."
    content_type: str | None | UnsetType = UNSET
    "text, or object_string for JSON text of several items."
    type: str | None | UnsetType = UNSET
    "question, answer or another kind of message; default by the role."
    meta_data: dict[str, str | None] | None | UnsetType = UNSET
    "Keys and texts of the caller, at most 16; keys to 64, texts to 512 characters."


class EntryPage(Struct, kw_only=True):
    """Entries, newest first; pass ``next_cursor`` as ``cursor`` for the next ones."""

    items: list[EntryView]
    "Items of the page, in order."
    total: dict[str, Any] | None
    "Counting them would take as long as reading them."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class EnvelopeOfBotVersionList(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: BotVersionList
    detail: Detail


class EnvelopeOfConversationList(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: ConversationList
    detail: Detail


class EnvelopeOfDatasetList(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: DatasetList
    detail: Detail


class EnvelopeOfExecutedNodeOutput(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: ExecutedNodeOutput
    detail: Detail


class EnvelopeOfListOfWireMessage(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: list[WireMessage]
    "Items of the page or answer."
    detail: Detail


class EnvelopeOfMe(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: Me
    detail: Detail


class EnvelopeOfRemovedMembers(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: RemovedMembers
    detail: Detail


class EnvelopeOfSimpleAppList(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: SimpleAppList
    detail: Detail


class EnvelopeOfSimpleBotList(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: SimpleBotList
    detail: Detail


class EnvelopeOfSpaceBotList(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: SpaceBotList
    detail: Detail


class EnvelopeOfWireConversation(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: WireConversation
    detail: Detail


class EnvelopeOfWireFile(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: WireFile
    detail: Detail


class EnvelopeOfWireMessage(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: WireMessage
    detail: Detail


class EnvelopeOfWireSection(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: WireSection
    detail: Detail


class EnvelopeOfWireSlice(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: WireSlice
    detail: Detail


class EnvelopeOfWorkspaceList(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: WorkspaceList
    detail: Detail


class EnvelopeOfWorkspaceMemberList(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: WorkspaceMemberList
    detail: Detail


class EventAsked(Struct, kw_only=True):
    """A question in words, with what answers it besides words. The answer is one of ``options``, or lines ``name: value`` for ``fields``. With ``url`` the person gives access there first, and then says anything."""

    text: str
    "What is asked, in words."
    options: list[str]
    "Answers to choose from."
    fields: list[EventAskedField]
    "Fields of the form that is to be filled in."
    url: str
    "Where access is given."


class EventCitations(Struct, kw_only=True):
    """What an answer cites and where, kept apart from its text. ``shown`` puts both together as end users see them, ``plain`` takes them apart again. The cards are sorted by number; ``is_listed`` says that they follow the answer as a list."""

    marks: list[EventMark]
    "Where the text cites."
    cards: list[EventCard]
    "Sources that are cited, by number."
    is_listed: bool
    "Whether sources are listed below the text."


class EventInterrupt(Struct, kw_only=True):
    """A question that is open. ``path`` leads to the node that asks. ``tool_path``: the asker runs as a tool of this model node; clients see that node with kind ``TOOL``."""

    id: str
    "Id of the question; it goes back with the answer."
    kind: EventInterruptKind
    path: list[str]
    "Titles of the nodes from the outermost to this one."
    node_id: str
    "Id of the node in the canvas."
    node_title: str
    "Title of the node in the canvas."
    data: str
    "What is asked, as text or JSON text."
    tool_path: list[str] | UnsetType = UNSET
    "Model nodes below which the asker runs as a tool; empty for none."


Parts: TypeAlias = EventTextPart | EventImagePart | EventFilePart | EventAudioPart


class EventMessage(Struct, kw_only=True):
    """A message as shown to its owner; file parts carry signed URLs. ``parts`` is authoritative for ``is_text`` False; else ``text`` is the content, with the marks of ``citations``. ``tool_calls`` belong to kind ``tool_calls``, ``tool_call_id`` to kind ``tool_result``."""

    id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Its id."
    conversation_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the conversation."
    section_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Section of the conversation; clearing the context begins a new one."
    run_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None
    "Id of the run (chat)."
    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None
    "Id of the agent."
    role: Literal["assistant", "tool", "user"]
    "Who it is from: user, assistant or tool."
    kind: EventMessageKind
    text: str
    "Text."
    parts: list[Parts]
    "Parts of the content, in order."
    is_text: bool
    "Whether `text` is the whole content."
    reasoning: str
    "What the model thought before it answered."
    finish_reason: str
    "Why the model stopped: stop, length, tool_calls, content_filter; null or empty before."
    is_broken: bool
    "The answer is partial: its run failed or was cancelled."
    citations: EventCitations | None
    "What the text cites."
    tool_calls: list[EventToolCall]
    "Calls that the model asks for."
    tool_call_id: str
    "Id of the call that this is the output of."
    meta: dict[str, str]
    "Keys and texts of the caller."
    created_at: int
    "Unix seconds."
    updated_at: int
    "Unix seconds."


class EventShareMessage(Struct, kw_only=True):
    """A message of the conversation."""

    id: str
    "Its id."
    run_id: str | None
    "Id of the run (chat)."
    type: Literal["answer", "follow_up", "question"]
    "`question`, `answer`, or `follow_up`: a question to go on with."
    text: str
    "Text."
    files: list[EventShareFile]
    "Files of the message."
    sources: list[EventShareSource]
    "Sources that it cites; where the link shows them."
    is_broken: bool
    "The answer is partial: its run failed or was stopped."
    created_at: int
    "When it was made, in Unix seconds."
    verdict: EventFeedbackKind | None
    "What the visitor said of it."


class EventWaiting(Struct, kw_only=True):
    """What a run waits for, without what only the agent goes on with: its prompts are its own. Outputs of the client are submitted under ``output_ids``, each exactly once."""

    workflow_run_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the run of the workflow."
    question_id: str
    "Id of the question of a workflow; answers name it."
    kind: int
    "Kind of what is awaited, as questions have it."
    workflow_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the workflow."
    calls: list[EventToolCall]
    "Calls of tools that the client carries out."
    output_ids: list[str]
    "Ids under which outputs are submitted, each once."
    asked: EventAsked | None
    "What a form shows of the question that the user's next message answers."


class ExaminationAnswer(Struct, kw_only=True):
    """What `coterie doctor` says, and when it was asked."""

    at: int
    "When it happened, in Unix seconds."
    is_healthy: bool
    "No check failed; warnings may be left."
    checks: list[CheckItem]
    "Outcome of each test call."


class FeedbackBody(Struct, kw_only=True):
    """A verdict on an answer, with reasons."""

    feedback_type: FeedbackKind
    reason_types: list[str] | UnsetType = UNSET
    "Reasons from a list of the front end."
    comment: str | UnsetType = ""
    "What the person wrote about it; at most 500 characters."


class Figures(Struct, kw_only=True):
    """Lines over the same spans; a point stands for the span that ends at its place."""

    since: int
    "Begin of the first span, in Unix seconds."
    step_s: int
    "Length of a span in seconds."
    series: list[SeriesView]
    "The figures that were asked for."


class FileContentPart(Struct, kw_only=True, tag_field="type", tag="file"):
    """A document."""

    file: FileRef


class FileList(Struct, kw_only=True):
    """A page of files."""

    object: str
    "Kind of the object."
    data: list[FileObject]
    "Items of the page or answer."
    has_more: bool
    "Whether there are further pages."
    first_id: str | None
    "Id of the first item of the page."
    last_id: str | None
    "Id of the last item of the page; the next page begins behind it."


class Finding(Struct, kw_only=True):
    """One remark of the check before publishing; errors forbid it."""

    code: FindingCode
    severity: Literal["error", "warning"]
    "Weight of the finding."
    field_: str = field(name="field")
    "Name of the field."
    message: str
    "What happened, in a sentence."
    params: dict[str, str]
    "What the message names: `name` of a thing, its `id` instead, `parameters`."


class FindingList(Struct, kw_only=True):
    """What the check before publishing found; errors forbid publishing."""

    items: list[Finding]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class FlowChatBody(Struct, kw_only=True):
    """A message to a chat flow. ``version`` is ``draft``, the name of a version, or absent for the newest one. ``user_id`` names the end user, by default the caller's account. ``parameters`` are inputs of the workflow besides the message. ``agent_id`` or ``app_id`` name what its nodes run for. ``mocks`` are outputs of nodes of the draft that are not to run, by the node's id. ``regenerate`` is the last run of the conversation, to be done again."""

    version: str | None | UnsetType = UNSET
    "Version as publishing named it; empty for the draft or for none."
    conversation_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the conversation."
    user_id: str | None | UnsetType = UNSET
    "Id of the account."
    content: str | list[ContentItem] | None | UnsetType = UNSET
    "Text; in requests also a list of parts where the schema says so."
    parameters: dict[str, Any] | None | UnsetType = UNSET
    "Inputs of the workflow besides the message, by name."
    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the agent."
    app_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the app that it belongs to; empty for the library of the workspace."
    mocks: dict[str, dict[str, Any]] | UnsetType = UNSET
    "Outputs of nodes of the draft that are not to run, by the node's id."
    regenerate: str | int | None | UnsetType = UNSET
    "Id of the last run of the conversation, to be done again."


class GiveGrantBody(Struct, kw_only=True):
    """A right on a resource for an account or a group."""

    resource_type: ResourceKind
    resource_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "What it is on."
    subject_type: SubjectType
    subject_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "The account or group."
    level: GrantLevel


class GrantItem(Struct, kw_only=True):
    """A right of an account or a group on one resource."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    resource_type: ResourceKind
    resource_id: str
    "What it is on."
    subject_type: SubjectType
    subject_id: str
    "The account or group."
    level: GrantLevel
    granted_by: str
    "Account that gave it."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."


class GrantItems(Struct, kw_only=True):
    """All grants on a resource."""

    items: list[GrantItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class GroupRoleBody(Struct, kw_only=True):
    """What a group of the provider is to be in a workspace."""

    group: str
    "The group as the provider's claim names it."
    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of a workspace."
    role: Role


class GroupRoleItem(Struct, kw_only=True):
    """What a group of the provider is in a workspace."""

    group: str
    "The group as the provider's claim names it."
    workspace_id: str
    "Id of a workspace."
    role: Role


class HealthAnswer(Struct, kw_only=True):
    """How the process that answers is, and what it works with."""

    status: str
    "`ok`, `degraded` or `unavailable`."
    is_draining: bool
    "It finishes what it has and takes nothing new."
    version: str
    "Version as publishing named it; empty for the draft or for none."
    schema: str
    "JSON Schema."
    at: int
    "When it happened, in Unix seconds."
    parts: list[PartItem]
    "Parts of the content, in order."
    breakers: list[BreakerView]
    "Of the models that this process has called."
    last_backup: LastBackup | None
    "Null if none was written yet."
    last_examination: ExaminationAnswer | None
    "Null if there was none yet."


class IconList(Struct, kw_only=True):
    """Built-in icons; there are so few that they come at once."""

    items: list[IconView]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class ImageContentPart(Struct, kw_only=True, tag_field="type", tag="image_url"):
    """An image."""

    image_url: ImageUrl


class ImportPreview(Struct, kw_only=True):
    """What a file has, and what of it does not fit a table."""

    columns: list[PreviewColumn]
    "Columns of the file, in its order."
    rows: list[list[str | None]]
    "Its first rows, up to 20, as texts; null for an empty cell."
    total: int
    "Rows of the file."
    missing: list[str]
    "Required fields that the file has no column for."
    wrong_rows: int
    "Rows with at least one cell that does not fit."
    problems: list[CellProblem]
    "The first of those cells, up to 20."


class InputItem(Struct, kw_only=True):
    """One item; without ``type`` it is a message if it has a role, else a reference."""

    type: str | None | UnsetType = UNSET
    "Kind of the item; default: a message if it has a role, else a reference."
    id: str | None | UnsetType = UNSET
    "Its id."
    role: str | None | UnsetType = UNSET
    "user, assistant, system or developer."
    content: str | list[InputPart] | None | UnsetType = UNSET
    "Text; in requests also a list of parts where the schema says so."
    call_id: str | None | UnsetType = UNSET
    "Id of the call; outputs name it."
    name: str | None | UnsetType = UNSET
    "Name that people read."
    arguments: str | None | UnsetType = UNSET
    "Arguments of the call, as JSON text."
    output: str | list[InputPart] | None | UnsetType = UNSET
    "Output of the call: a text, or parts."
    summary: list[Any] | None | UnsetType = UNSET
    "What the reasoning was about, in parts."
    encrypted_content: str | None | UnsetType = UNSET
    "Reasoning that only its provider can read."
    status: str | None | UnsetType = UNSET
    "State: in_progress, completed or incomplete."
    phase: str | None | UnsetType = UNSET
    "Part of the answer that the message belongs to: commentary or final_answer."


class InputTokensRequest(Struct, kw_only=True):
    """A request for a response that is not made."""

    model: str
    "Name of the model or agent."
    input: str | list[InputItem] | None | UnsetType = UNSET
    "Text or items that the response would be asked with."
    previous_response_id: str | None | UnsetType = UNSET
    "Response to go on from; null for none."
    instructions: str | None | UnsetType = UNSET
    "Text before the conversation that tells the model what to do."
    prompt_cache_key: str | None | UnsetType = UNSET
    "Taken for compatibility; not used."
    tools: list[ResponseTool] | None | UnsetType = UNSET
    "Tools that may be called."


class InvitationCreated(Struct, kw_only=True):
    """An invitation with its link, which is shown this once."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Id of the account that made it."
    role: Role
    max_uses: int | None
    "None: as many as come in time."
    uses: int
    "How many came in by it so far."
    created_at: int
    "When it was made, in Unix seconds."
    expires_at: int
    "When it expires, in Unix seconds; null: never."
    url: str
    "Address of the page that lets people in, to hand over."
    code: str
    "What stands in the address."


class InvitationItem(Struct, kw_only=True):
    """A link into a workspace, without what stands in it; null `max_uses`: for any number."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Id of the account that made it."
    role: Role
    max_uses: int | None
    "None: as many as come in time."
    uses: int
    "How many came in by it so far."
    created_at: int
    "When it was made, in Unix seconds."
    expires_at: int
    "When it expires, in Unix seconds; null: never."


class InvitationItems(Struct, kw_only=True):
    """All invitations to a workspace that still let somebody in, newest first."""

    items: list[InvitationItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class InvitationOfferItem(Struct, kw_only=True):
    """What somebody is invited to."""

    workspace_name: str
    "Name of the workspace."
    role: Role
    expires_at: int
    "When it expires, in Unix seconds; null: never."


LiveEvent: TypeAlias = (
    LiveLiveBeganEvent
    | LiveResetEvent
    | LivePresenceEvent
    | LiveChangedEvent
    | LiveModelsEvent
    | LiveNoticeEvent
    | LiveSessionEvent
    | ErrorEvent
)
"One event of a run."


class McpForm(Struct, kw_only=True):
    """How an MCP server is reached, besides the plugin's ``server_url``. ``program`` is the name of a program that the operator lists; commands and arguments cannot be given. ``call_timeout_s``: the longest silence of a call, 0 for the deployment's limit."""

    program: str | UnsetType = ""
    "Name of a program that the operator lists."
    transport: McpTransport | UnsetType = "auto"
    call_timeout_s: float | UnsetType = 0.0
    "Longest silence of a call in seconds; 0 for the limit of the deployment."


class MemberFields(Struct, kw_only=True):
    """Another agent of the workspace; ``parameters`` is a JSON Schema of type object. ``agent_name`` is shown, and ignored when it is sent. Publishing fills in the version."""

    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the agent."
    kind: MemberKind | UnsetType = "delegate"
    name: str | UnsetType = ""
    "Name that people read."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    version: str | UnsetType = ""
    "Version as publishing named it; empty for the draft or for none."
    parameters: dict[str, Any] | UnsetType = UNSET
    "JSON Schema of what it is called with, of type object."
    agent_name: str | UnsetType = ""
    "Name of the agent; ignored when it is sent."


class MemberItem(Struct, kw_only=True):
    """A member with the exact role."""

    user_id: str
    "Id of the account."
    name: str
    "Name that people read."
    nickname: str
    "Name that people read; null for the login name."
    avatar_url: str
    "Address of the picture, signed for an hour; empty for none."
    role: Role
    joined_at: int
    "When the account became a member, in Unix seconds."


class MemberItems(Struct, kw_only=True):
    """One page of members."""

    items: list[MemberItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class MessageCompletedEvent(Struct, kw_only=True, tag_field="type", tag="message.completed"):
    """A message is final and stored: answers, tool sets, verbose messages, follow-ups."""

    message: EventMessage
    at_ms: int
    "When it happened, in Unix milliseconds."


class ModelFiguresPage(Struct, kw_only=True):
    """Figures of the models that were called in the last 24 hours; ``since`` in Unix seconds."""

    items: list[ModelFiguresView]
    "Items of the page, in order."
    since: int
    "Unix seconds."


class ModelObject(Struct, kw_only=True):
    """An agent or a model; ``owned_by`` is the workspace of the one, the provider of the other."""

    id: str
    "Its id."
    object: str
    "Kind of the object."
    created: int
    "When it was made, in Unix seconds."
    owned_by: str
    "Workspace of the agent, or provider of the model."
    name: str
    "Name that people read."
    coterie: ModelTraits


class ModifiedEnvelopeOfWireMessage(Struct, kw_only=True):
    """The message after the change, in Coze's envelope."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    message: WireMessage
    detail: Detail


class ModifyMessageRequest(Struct, kw_only=True):
    """Body of message modify; null leaves a field as it is."""

    content: str | list[ContentItem] | None | UnsetType = UNSET
    "Text; in requests also a list of parts where the schema says so."
    content_type: str | None | UnsetType = UNSET
    "text, or object_string for JSON text of several items."
    meta_data: dict[str, str | None] | None | UnsetType = UNSET
    "Keys and texts of the caller, at most 16; keys to 64, texts to 512 characters."


class NodeKind(Struct, kw_only=True):
    """A kind of node: ``type_id`` is its number in a canvas, ``key`` its name in records."""

    type_id: str
    "Number of the kind in a canvas."
    key: str
    "Name of the kind in records."
    kind: str
    "Group of kinds that behave alike."
    name: str
    "Name that people read."
    names: dict[str, str]
    "Name in each language: `en` and `zh`."
    category: str
    "Group under which it is shown."
    defaults: dict[str, Any]
    "What a new node begins with: its `data` in a canvas, without the title."
    outputs: list[NodeOutput]
    "Outputs that every node of this kind has."
    required_inputs: list[str]
    "Inputs that must be connected."
    is_supported: bool
    "Whether nodes of this kind can run."
    is_composite: bool
    "Whether the node holds other nodes."
    has_batch_mode: bool
    "Whether the node can run once per item of a list."
    streams: bool
    "Whether the node hands out its output piece by piece."
    interrupts: bool
    "Whether the node can wait for an answer."
    effects: str
    "What the node changes outside: none, reads or writes."
    time_limit: str
    "How the time of a node is limited."


class NodeKindList(Struct, kw_only=True):
    """Every kind that a canvas can name."""

    items: list[NodeKind]
    "Items of the page, in order."
    total: int
    "Items of all pages."


class NodeTools(Struct, kw_only=True):
    """What a model node may call and search."""

    workflows: list[ToolSetting]
    "Workflows that the agent may call."
    plugins: list[ToolSetting]
    "Tools of plugins that the agent uses."
    knowledge: KnowledgeSetting | None
    "Knowledge bases and how they are searched."


class OAuthAppCreated(Struct, kw_only=True):
    """An application with its secret, shown this once; only those of type web have one."""

    id: str
    "Its id."
    client_id: str
    "What the application calls itself."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Id of the account that made it."
    name: str
    "Name that people read."
    type: ClientType
    permissions: list[Permission]
    "What the application may get at most."
    redirect_uris: list[str]
    "Where browsers may go back to, letter by letter."
    allows_plain: bool
    "Whether the application may send its verifier in the open (`plain`)."
    key_id: str | None
    "What the application calls its key (`kid`); null where it has none."
    secret_last4: str
    "Last four characters of the secret; empty where there is none."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    last_used_at: int | None
    "When it last acted for its workspace, in Unix seconds; null: never."
    disabled_at: int | None
    "Since when it is disabled, in Unix seconds; null: it is not."
    secret: str | None
    "Secret of the application, shown this once; null where it has none."


class OAuthAppItem(Struct, kw_only=True):
    """An application of a workspace, without its secret."""

    id: str
    "Its id."
    client_id: str
    "What the application calls itself."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Id of the account that made it."
    name: str
    "Name that people read."
    type: ClientType
    permissions: list[Permission]
    "What the application may get at most."
    redirect_uris: list[str]
    "Where browsers may go back to, letter by letter."
    allows_plain: bool
    "Whether the application may send its verifier in the open (`plain`)."
    key_id: str | None
    "What the application calls its key (`kid`); null where it has none."
    secret_last4: str
    "Last four characters of the secret; empty where there is none."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    last_used_at: int | None
    "When it last acted for its workspace, in Unix seconds; null: never."
    disabled_at: int | None
    "Since when it is disabled, in Unix seconds; null: it is not."


class OAuthAppItems(Struct, kw_only=True):
    """All applications of a workspace."""

    items: list[OAuthAppItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class OAuthAppOverviewItem(Struct, kw_only=True):
    """An application of any workspace, without its secret."""

    id: str
    "Its id."
    client_id: str
    "What the application calls itself."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Id of the account that made it."
    name: str
    "Name that people read."
    type: ClientType
    permissions: list[Permission]
    "What the application may get at most."
    redirect_uris: list[str]
    "Where browsers may go back to, letter by letter."
    allows_plain: bool
    "Whether the application may send its verifier in the open (`plain`)."
    key_id: str | None
    "What the application calls its key (`kid`); null where it has none."
    secret_last4: str
    "Last four characters of the secret; empty where there is none."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    last_used_at: int | None
    "When it last acted for its workspace, in Unix seconds; null: never."
    disabled_at: int | None
    "Since when it is disabled, in Unix seconds; null: it is not."
    space_name: str
    "Name of the workspace that registered it."


class OAuthAppOverviews(Struct, kw_only=True):
    """One page of the applications of all workspaces."""

    items: list[OAuthAppOverviewItem]
    "Items of the page, in order."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."
    total: int | None
    "Always null: they are not counted."


class OAuthGrantItem(Struct, kw_only=True):
    """What the caller granted an application, in one workspace."""

    id: str
    "Its id."
    app_id: str
    "Id of the app that it belongs to; empty for the library of the workspace."
    app_name: str
    "Name of the application."
    workspace_id: str
    "Id of the workspace."
    permissions: list[Permission]
    "What the application may do, as far as the person may."
    created_at: int
    "When it was made, in Unix seconds."
    expires_at: int
    "When it expires, in Unix seconds; null: never."
    last_used_at: int | None
    "When it was used last, in Unix seconds; null or 0: never."


class OAuthGrantItems(Struct, kw_only=True):
    """All grants of the caller that are good."""

    items: list[OAuthGrantItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class OAuthRequestItem(Struct, kw_only=True):
    """What an application asks a person for."""

    id: str
    "Name of the request, with which it is answered."
    app_name: str
    "Name of the application."
    app_space: str
    "Name of the workspace that registered the application."
    type: ClientType
    redirect_host: str
    "Where the browser goes afterwards; empty for a device."
    permissions: list[Permission]
    "What the application may then do, as far as the person may."
    workspaces: list[ConsentSpaceItem]
    "Those that may be chosen; none: the person may not answer."
    expires_at: int
    "When it expires, in Unix seconds; null: never."


class OidcProviderItem(Struct, kw_only=True):
    """A provider without its secret, and the addresses that it has to be told."""

    id: str
    "Name of the provider in addresses."
    name: str
    "What its button says."
    issuer: str
    "Address that the provider calls itself, to the letter."
    client_id: str
    "What the provider calls this deployment."
    has_secret: bool
    "Whether the deployment shows the provider a secret."
    scopes: list[str]
    "What is asked for."
    groups_claim: str
    "Claim that names a person's groups, or the way to it with dots; empty: none does."
    trust_email: bool
    "Whether an address that the provider has verified leads to the account of that address."
    create_accounts: bool
    "Whether whoever the provider knows gets an account."
    roles: list[GroupRoleItem]
    "What groups are in workspaces, at each sign-in."
    is_read_only: bool
    "It stands in the configuration file."
    redirect_uri: str
    "Where people come back to who signed in; to be registered there, to the letter."
    backchannel_logout_uri: str
    "Where the provider tells that somebody signed out there; to be registered there."
    post_logout_redirect_uri: str
    "Where people come back to who sign out here and there; to be registered there."
    created_at: int | None
    "When it was added, in Unix seconds; null where it stands in the configuration file."
    updated_at: int | None
    "When it was last changed, in Unix seconds; null where it stands in the configuration file."


class OidcProviderItems(Struct, kw_only=True):
    """All providers, those of the configuration file first."""

    items: list[OidcProviderItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class OpenAIError(Struct, kw_only=True):
    """Body of every failed request on the OpenAI surface, and of the last frame of a stream."""

    error: OpenAIErrorInfo


class ParameterForm(Struct, kw_only=True):
    """A parameter, or a property of one or of an answer; of an array the one type of its items."""

    name: str
    "Name that people read."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    type: ValueType | UnsetType = 1
    location: Location | UnsetType = "header"
    required: bool | UnsetType = False
    "Whether it must be given. Default false."
    default: Any | UnsetType = UNSET
    "Value where the model gives none."
    local_default: Any | UnsetType = UNSET
    "Value that is sent where the model gives none and need not know."
    visible: bool | UnsetType = True
    "Whether the model sees it."
    sub_parameters: list[ParameterForm] | UnsetType = field(default_factory=list)
    "Properties of an object, or the items of a list."
    enum: list[Any] | UnsetType = field(default_factory=list)
    "Values that are allowed; empty: all of the type."
    assist_type: str | UnsetType = ""
    "What kind of file a text names: image, doc, code and so on."
    style: str | UnsetType = ""
    "How lists and objects are written in query strings and paths, as in OpenAPI."
    explode: bool | None | UnsetType = UNSET
    "Whether lists repeat their name in query strings."
    alias: str | UnsetType = ""
    "Name under which models see it; empty for its own."


class PatchDocumentBody(Struct, kw_only=True):
    """A merge patch; searches skip a document that is not enabled."""

    name: str | UnsetType = UNSET
    "Name that people read."
    enabled: bool | UnsetType = UNSET
    "Whether it is switched on."
    update_rule: UpdateRuleBody | UnsetType = UNSET


class PhotoList(Struct, kw_only=True):
    """One page of images."""

    total_count: int
    "Items of all pages."
    photo_infos: list[WirePhoto]
    "Images of the page."


class PluginVersionPage(Struct, kw_only=True):
    """One page of versions, newest first."""

    items: list[PluginVersionView]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class PluginView(Struct, kw_only=True):
    """A plugin without its tools."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Id of the account that made it."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    type: str
    "Where the tools are: at an HTTP service, an MCP server, in code or in workflows."
    icon_file_id: str | None
    "Id of the upload with the icon; empty or null for none."
    app_id: str
    "Id of the app that it belongs to; empty for the library of the workspace."
    server_url: str
    "Address (http, https) of the service."
    mcp: McpForm | None
    "How the MCP server is reached; null for plugins of other types."
    common_params: CommonValues
    sends_identity: bool
    "Whether calls say which account and agent they come from."
    groups: list[str]
    "Ids of the groups whose members may use the tools; none: everybody."
    auth: AuthView
    status: Literal["draft", "published"]
    "State: draft or published."
    published_version: str
    "Latest published version; empty for none."
    is_draft_changed: bool
    "Whether the draft differs from the latest version."
    tool_count: int
    "Tools that it has."
    agent_count: int
    "Agents whose drafts are bound to it; 0 for who may not read agents."
    last_call: LastCallView | None
    "A call of the last seconds may be missing; null before the first one."
    revision: int
    "Number that grows with every change of the draft; goes into `If-Match`."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."


class PreferencesBody(Struct, kw_only=True):
    """How somebody wants to be shown things."""

    language: Literal["", "en", "zh"] | UnsetType = ""
    "Empty: the browser's."
    zone: str | UnsetType = ""
    "Name of a time zone; empty: the browser's."
    theme: Literal["system", "light", "dark"] | UnsetType = "system"
    "`system`, `light` or `dark`."
    density: Literal["comfortable", "compact"] | UnsetType = "comfortable"
    "`comfortable` or `compact`."
    is_motion_reduced: bool | UnsetType = False
    "Nothing moves that need not."
    keyboard: Literal["standard", "none"] | UnsetType = "standard"
    "Whether single keys are commands."
    run_columns: Annotated[list[str], Meta(max_length=32)] | UnsetType = UNSET
    "Columns of the list of runs, in this order; empty: the usual ones."
    run_views: Annotated[list[SavedViewBody], Meta(max_length=50)] | UnsetType = UNSET
    "Filters of the list of runs under names."


class PricePage(Struct, kw_only=True):
    """All versions of a model's prices, newest first."""

    items: list[PriceView]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class PriceTable(Struct, kw_only=True):
    """Tiers in ascending order, open on the left and closed on the right. The tier is chosen by the input tokens of the call and prices the whole call. An input beyond the last tier pays the last tier's price. Without tiers nobody knows what a call costs."""

    unit: int | UnsetType = 1000000
    "Tokens that one price buys."
    tiers: list[PriceTier] | UnsetType = field(default_factory=list)
    "Prices in points."
    money: list[PriceTier] | UnsetType = field(default_factory=list)
    "Prices in the currency of the deployment."


class ProgressList(Struct, kw_only=True):
    """Progress of documents; the clients look for a list inside ``data`` of ``data``."""

    data: list[WireProgress]
    "Items of the page or answer."


class ProviderPage(Struct, kw_only=True):
    """All kinds of providers; there are so few that they come at once."""

    items: list[ProviderView]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class PublishedWorkflow(Struct, kw_only=True):
    """The workflow after publishing, and its new version."""

    workflow: AdminWorkflow
    version: AdminWorkflowVersion


class PutVariablesBody(Struct, kw_only=True):
    """Values to be written, all or none."""

    items: list[StoredVariableInput]
    "Items of the page, in order."


class Quote(Struct, kw_only=True):
    """A piece of knowledge that a search found, in FastGPT's terms."""

    id: str
    "Id of the slice."
    datasetId: str
    "Id of the knowledge base."
    collectionId: str
    "Id of the document."
    sourceName: str
    "Name of the document."
    q: str
    "Text that was found."
    a: str
    "Always empty; the text is in `q`."
    score: list[QuoteScore]
    "How well the piece fits, by channel."


class ReconciledLine(Struct, kw_only=True):
    """One model on one day (UTC): the ledger, the provider, and the ledger less the provider."""

    day: str
    "Like `2026-11-23`."
    model: str
    "As the provider calls it."
    ours: ReconciledSide | None
    "Null: the ledger has no call."
    theirs: ReconciledSide | None
    "Null: the report does not name it."
    difference: ReconciledSide | None
    "Null unless both are there."
    unsettled_calls: int
    "Calls of ours besides that nobody knows the end of."


class RequiredAction(Struct, kw_only=True):
    """What has to happen before a chat goes on."""

    type: str
    "What has to be done: submit_tool_outputs."
    submit_tool_outputs: AwaitedOutputs


class RerankResults(Struct, kw_only=True):
    """Documents, best first."""

    model: str
    "Name of the model or agent."
    results: list[RerankResult]
    "Documents, the best first."
    usage: RerankUsage


class ResegmentBody(Struct, kw_only=True):
    """Documents to cut anew; a strategy that is absent stays as each document has it."""

    document_ids: list[DocumentId]
    "Ids of documents; where it may be left out: all of them."
    chunk_strategy: ChunkStrategyBody | None | UnsetType = UNSET
    "How documents are cut; without it, automatically."
    parsing_strategy: ParsingStrategyBody | None | UnsetType = UNSET
    "How much care is taken in reading."
    filter_strategy: FilterBody | None | UnsetType = UNSET
    "What of the document to leave out."
    table_sheet: TableSheetBody | None | UnsetType = UNSET
    "Makes a table of its file once more; rows that were added since are gone then."
    force: bool | UnsetType = False
    "Gives up what is being indexed."


class ResponseObject(Struct, kw_only=True):
    """A response; all keys are always there, times are Unix seconds."""

    background: bool
    "`true`: the run goes on without the caller, who asks for its state. Default false."
    instructions: str | None
    "Text before the conversation that tells the model what to do."
    max_output_tokens: int | None
    "Tokens of the answer, at most; null for the default of the model."
    max_tool_calls: int | None
    "Calls of tools in one response, at most; null for the limit of the deployment."
    metadata: dict[str, str]
    "Keys and texts of the caller; keys to 64, texts to 512 characters, at most 16."
    model: str
    "Name of the model, or id or alias of the agent."
    parallel_tool_calls: bool
    "Whether the model may call several tools at once. Default true."
    presence_penalty: float
    "How much words that occurred are avoided, -2 to 2."
    frequency_penalty: float
    "How much repeated words are avoided, -2 to 2."
    previous_response_id: str | None
    "Response to go on from; null for none."
    prompt_cache_key: str | None
    "Taken for compatibility; not used."
    reasoning: dict[str, Any]
    "How much the model thought, as asked."
    safety_identifier: str | None
    "Id of the end user; taken for compatibility, not used."
    service_tier: str
    "Taken for compatibility; always `default`."
    store: bool
    "Keep it, so that it can be asked for and gone on from. Default true."
    temperature: float
    "How varied answers are, 0 to 2; null for the default of the model."
    text: dict[str, Any]
    "Form of the answer, as asked."
    tool_choice: Any
    "Whether tools are called: none, auto (default), required, or one that must be."
    tools: list[dict[str, Any]]
    "Tools, as given in the request."
    top_logprobs: int
    "Not supported: any value is refused."
    top_p: float
    "Share of the likeliest tokens that count, 0 to 1; null for the default of the model."
    truncation: str
    "`auto` leaves out old messages that do not fit; `disabled` (default) fails."
    user: str | None
    "Id of the end user, as the caller names it; null for none."
    id: str
    "Its id."
    object: str
    "Kind of the object."
    created_at: int
    "When it was made, in Unix seconds."
    completed_at: int | None
    "When it ended well, in Unix seconds; null if it did not."
    status: Literal["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"]
    "State: queued, in_progress, completed, incomplete, failed or cancelled."
    conversation: ConversationRef | None
    "Conversation that the response belongs to: its id, or an object with the id."
    error: OpenAIErrorInfo | None
    "Why it failed; empty or null if it did not."
    incomplete_details: IncompleteDetails | None
    "Why the response is incomplete; null otherwise."
    output: list[dict[str, Any]]
    "Items that the response produced."
    usage: ResponseUsage | None
    "Tokens that models took."


class ResponseRequest(Struct, kw_only=True):
    """Body of ``POST /v1/responses``."""

    model: str
    "Id or alias of an agent, or name of a model."
    input: str | list[InputItem] | None | UnsetType = UNSET
    "What is asked: a text, or items."
    instructions: str | None | UnsetType = UNSET
    "Text before the conversation that tells the model what to do."
    previous_response_id: str | None | UnsetType = UNSET
    "Response to go on from; null for none."
    conversation: str | int | ConversationRef | None | UnsetType = UNSET
    "Conversation that the response belongs to: its id, or an object with the id."
    tools: list[ResponseTool] | None | UnsetType = UNSET
    "Tools that may be called."
    tool_choice: str | ResponseToolChoice | None | UnsetType = UNSET
    "Whether tools are called: none, auto (default), required, or one that must be."
    parallel_tool_calls: bool | None | UnsetType = UNSET
    "Whether the model may call several tools at once. Default true."
    max_tool_calls: int | None | UnsetType = UNSET
    "Calls of tools in one response, at most; null for the limit of the deployment."
    max_output_tokens: int | None | UnsetType = UNSET
    "Tokens of the answer, at most; null for the default of the model."
    temperature: float | None | UnsetType = UNSET
    "How varied answers are, 0 to 2; null for the default of the model."
    top_p: float | None | UnsetType = UNSET
    "Share of the likeliest tokens that count, 0 to 1; null for the default of the model."
    presence_penalty: float | None | UnsetType = UNSET
    "How much words that occurred are avoided, -2 to 2."
    frequency_penalty: float | None | UnsetType = UNSET
    "How much repeated words are avoided, -2 to 2."
    text: TextOptions | None | UnsetType = UNSET
    "Form of the answer."
    reasoning: ReasoningOptions | None | UnsetType = UNSET
    "How much the model thinks."
    truncation: str | None | UnsetType = UNSET
    "`auto` leaves out old messages that do not fit; `disabled` (default) fails."
    store: bool | None | UnsetType = UNSET
    "Keep it, so that it can be asked for and gone on from. Default true."
    background: bool | None | UnsetType = UNSET
    "`true`: the run goes on without the caller, who asks for its state. Default false."
    stream: bool | None | UnsetType = UNSET
    "Answer as an event stream. Default false."
    include: list[str] | None | UnsetType = UNSET
    "What to add to the answer."
    metadata: dict[str, str | None] | None | UnsetType = UNSET
    "Keys and texts of the caller; keys to 64, texts to 512 characters, at most 16."
    user: str | None | UnsetType = UNSET
    "Id of the end user, as the caller names it."
    safety_identifier: str | None | UnsetType = UNSET
    "Id of the end user; taken for compatibility, not used."
    prompt_cache_key: str | None | UnsetType = UNSET
    "Taken for compatibility; not used."
    prompt: Any | UnsetType = UNSET
    "Not supported: templates are settings of agents."


class ReviewWorkflowsBody(Struct, kw_only=True):
    """Files to look at together, with what is to stand for ids in them."""

    canvases: list[ReviewedFileBody]
    "The files, 1 to 20."
    mapping: IdMapping | None | UnsetType = UNSET
    "What is to stand for ids of the exports."
    app_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the app that it belongs to; empty for the library of the workspace."


class RouterFields(Struct, kw_only=True):
    """Who takes a question; without ``default_agent_id`` the agent itself takes the rest."""

    mode: RouterMode | UnsetType = "off"
    rules: list[RouterRuleFields] | UnsetType = UNSET
    "Rules in order; the first that fits counts."
    default_agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Agent that takes what no rule takes; null: the agent itself."
    model_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Model that chooses; empty for that of the agent."


class RunHistory(Struct, kw_only=True):
    """A run, looked up; runs that wait for an answer count as running."""

    execute_id: str
    "Id of the run."
    execute_status: str
    "State: Running, Success or Fail."
    bot_id: str
    "Id of the agent (bot)."
    connector_id: str
    "Connector (publishing channel) that it belongs to. In requests default 1024: the API."
    connector_uid: str
    "Id of the end user, as the caller names it; empty or absent for the account itself."
    run_mode: int
    "0 answered in one piece, 1 streamed, 2 asynchronous."
    logid: str
    "Id of the request in the log; support asks for it."
    log_id: str
    "Id of the request in the log; support asks for it."
    create_time: int
    "When it was made, in Unix seconds."
    update_time: int
    "When it was changed last, in Unix seconds."
    debug_url: str
    "Address of the console that shows the run; empty without a console."
    input: str
    "What the run was given, as JSON text."
    output: str
    "What the run returned, as JSON text."
    token: str
    "Tokens of the run, as decimal text."
    cost: str
    "Time that it took, as text with unit."
    usage: WorkflowUsage
    error_code: str
    "In decimal: the Go and Java clients declare a text, the others take both."
    error_message: str
    "Why it failed, in a sentence; empty if it did not."
    error_msg: str
    "Why it failed, in a sentence; empty if it did not."
    is_output_trimmed: bool
    "Whether the output was cut."
    node_execute_status: dict[str, WireNodeStatus]
    "State of every node that ran, by its id."
    interrupt_data: WireInterrupt | UnsetType = UNSET


class SearchDatasetsBody(Struct, kw_only=True):
    """A question to knowledge bases. ``search_type`` (or ``strategy``): 0 semantic, 1 hybrid, 20 full text. ``explain`` lists every candidate."""

    query: str
    "What is asked."
    dataset_ids: list[DatasetId]
    "Ids of knowledge bases."
    top_k: int | None | UnsetType = UNSET
    "Results, 1 to 100; default 3."
    min_score: float | None | UnsetType = UNSET
    "Score that results need, 0 to 1; default 0.5."
    max_tokens: int | None | UnsetType = UNSET
    "Tokens of all results together; null: what the caller has room for."
    embedding_weight: float | None | UnsetType = UNSET
    "What vectors count beside words, 0 to 1; null depends on the model."
    expansion: int | None | UnsetType = UNSET
    "Further wordings of the question that are searched, 0 to 5; default 0."
    expansion_model: str | None | UnsetType = UNSET
    "Model that writes wordings; empty for the default."
    expansion_background: str | None | UnsetType = UNSET
    "What the model should know of the subject before it writes wordings; at most 8000 characters."
    rerank_model: str | None | UnsetType = UNSET
    "Reranking model; empty for the default."
    rerank_weight: float | None | UnsetType = UNSET
    "What the reranking model counts beside the order before, 0 to 1; default 1."
    is_personal_only: bool | None | UnsetType = UNSET
    "Find only documents of the calling end user. Default false."
    expand: str | int | None | UnsetType = UNSET
    "Slices beside a hit that are joined to it: auto (default), none, 1 or 2."
    threshold_mode: str | None | UnsetType = UNSET
    "`absolute` (default), or `fastgpt`, which ignores `min_score` in full-text and mixed searches without reranking."
    filter: dict[str, Any] | None | UnsetType = UNSET
    "Conditions on tags and facts of documents, as an object; absent: all."
    document_ids: list[DocumentId] | None | UnsetType = UNSET
    "Ids of documents; where it may be left out: all of them."
    history: list[WireHistory] | None | UnsetType = UNSET
    "Messages before the question, oldest first; they help to rewrite it. At most 100."
    search_type: str | int | None | UnsetType = UNSET
    "0 semantic, 1 hybrid (default), 20 full text."
    strategy: str | int | None | UnsetType = UNSET
    "0 semantic, 1 hybrid (default), 20 full text."
    enable_query_rewrite: bool | None | UnsetType = UNSET
    "Make the question self-contained by the history first."
    enable_rerank: bool | None | UnsetType = UNSET
    "Order results by a reranking model."
    enable_nl2sql: bool | None | UnsetType = UNSET
    "Ask tables by SQL that a model writes."
    explain: bool | None | UnsetType = UNSET
    "List every candidate and every step. Default false."


class SearchTestInput(Struct, kw_only=True):
    """A question to knowledge bases; ``strategy``: 0 semantic, 1 hybrid, 20 full text."""

    query: str
    "What is asked."
    dataset_ids: list[DatasetId]
    "Ids of knowledge bases."
    top_k: int | None | UnsetType = UNSET
    "Results, 1 to 100; default 3."
    min_score: float | None | UnsetType = UNSET
    "Score that results need, 0 to 1; default 0.5."
    max_tokens: int | None | UnsetType = UNSET
    "Tokens of all results together; null: what the caller has room for."
    embedding_weight: float | None | UnsetType = UNSET
    "What vectors count beside words, 0 to 1; null depends on the model."
    expansion: int | None | UnsetType = UNSET
    "Further wordings of the question that are searched, 0 to 5; default 0."
    expansion_model: str | None | UnsetType = UNSET
    "Model that writes wordings; empty for the default."
    expansion_background: str | None | UnsetType = UNSET
    "What the model should know of the subject before it writes wordings; at most 8000 characters."
    rerank_model: str | None | UnsetType = UNSET
    "Reranking model; empty for the default."
    rerank_weight: float | None | UnsetType = UNSET
    "What the reranking model counts beside the order before, 0 to 1; default 1."
    is_personal_only: bool | None | UnsetType = UNSET
    "Find only documents of the calling end user. Default false."
    expand: str | int | None | UnsetType = UNSET
    "Slices beside a hit that are joined to it: auto (default), none, 1 or 2."
    threshold_mode: str | None | UnsetType = UNSET
    "`absolute` (default), or `fastgpt`, which ignores `min_score` in full-text and mixed searches without reranking."
    filter: dict[str, Any] | None | UnsetType = UNSET
    "Conditions on tags and facts of documents, as an object; absent: all."
    document_ids: list[DocumentId] | None | UnsetType = UNSET
    "Ids of documents; where it may be left out: all of them."
    history: list[WireHistory] | None | UnsetType = UNSET
    "Messages before the question, oldest first; they help to rewrite it. At most 100."
    strategy: str | int | None | UnsetType = UNSET
    "0 semantic, 1 hybrid (default), 20 full text."
    rerank: bool | None | UnsetType = UNSET
    "Order results by a reranking model."
    rewrite: bool | None | UnsetType = UNSET
    "Make the question self-contained by the history first."
    nl2sql: bool | None | UnsetType = UNSET
    "Ask tables by SQL that a model writes."
    explain: bool | None | UnsetType = UNSET
    "List every candidate and every step. Default false."


class ServerTool(Struct, kw_only=True):
    """A tool of the server beside the accepted one. ``change``: ``added``, ``changed``, ``removed`` or ``same``. ``before`` is what was accepted, ``now`` what the server offers. ``problem``: why it cannot be taken."""

    name: str
    "Name that people read."
    change: str
    "What became of the tool: added, changed, removed or same."
    tool_id: str
    "Id of the tool."
    before: ServerToolText | None
    "The tool as it was accepted; null if it is new."
    now: ServerToolText | None
    "The tool as the server offers it; null if it is gone."
    read_only: bool
    "Whether the server says that calls change nothing."
    destructive: bool
    "Whether the server says that calls may destroy something."
    problem: str
    "Why it cannot be taken; empty otherwise."


class ServerToolList(Struct, kw_only=True):
    """What a server offers now; ``digest`` names exactly this list."""

    digest: str
    "Name of exactly this list of tools."
    items: list[ServerTool]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    is_changed: bool
    "Something differs from what was accepted."


class SessionAnswer(Struct, kw_only=True):
    """A session: who, until when, and what they may do where."""

    user: SessionUser
    csrf: str
    "Value for the header `Coterie-CSRF` of every change."
    signed_in_at: int
    "When the person last showed who they are."
    expires_at: int
    "When the session ends if nobody uses it."
    workspaces: list[SessionWorkspace]
    "Where the account is a member."
    features: dict[str, bool]
    "What this deployment offers: `password`, and `is_insecure` as of the ways to sign in."
    version: str
    "Version of the server."


class SessionItem(Struct, kw_only=True):
    """A browser in which the account is signed in."""

    id: str
    "Its id."
    way: SignInWay
    device: str
    "What the browser calls itself."
    address: str
    "Network that the sign-in came from."
    is_remembered: bool
    "Kept when the browser closes."
    is_current: bool
    "It is the one that asks."
    created_at: int
    "When it was made, in Unix seconds."
    signed_in_at: int
    "When the person last showed who they are."
    last_used_at: int | None
    "When it was last used, to the minute, in Unix seconds; null: not known."
    expires_at: int
    "When it ends however much it is used: with the token that it was opened with."


class SessionItems(Struct, kw_only=True):
    """All open sessions, the latest first."""

    items: list[SessionItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class SettingList(Struct, kw_only=True):
    """All settings in effect."""

    items: list[SettingView]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class ShareChatBody(Struct, kw_only=True):
    """A question."""

    content: str
    "The question."
    conversation_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Absent: a new conversation."
    file_ids: list[FileId] | None | UnsetType = UNSET
    "Uploads that belong to the question."
    shortcut_command: ShortcutCommand | None | UnsetType = UNSET
    "A shortcut of the agent with what was filled in; its tool is called first."


class ShareLinkItem(Struct, kw_only=True):
    """A link; its password and its key are never told."""

    id: str
    "Id of the link."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Who made it."
    code: str
    "The page is at `/s/` and this code."
    target_type: TargetKind
    target_id: str
    "Id of the agent or workflow."
    auth: LinkAuth
    has_password: bool
    "Whether a password is set."
    key_last4: str
    "Last four characters of the key of users' tokens; empty without one."
    public_key: str
    "Of tokens that are signed with RS256, in PEM; empty without one."
    hook_url: str
    "Of the server that says who visitors are; empty without one."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    expires_at: int | None
    "When it stops, in Unix seconds; null: never."
    settings: ShareLinkLook


class ShareLinkItems(Struct, kw_only=True):
    """All links of a workspace, newest first."""

    items: list[ShareLinkItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class ShareLinkKey(Struct, kw_only=True):
    """A link with the key of its users' tokens, shown this once."""

    id: str
    "Id of the link."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Who made it."
    code: str
    "The page is at `/s/` and this code."
    target_type: TargetKind
    target_id: str
    "Id of the agent or workflow."
    auth: LinkAuth
    has_password: bool
    "Whether a password is set."
    key_last4: str
    "Last four characters of the key."
    public_key: str
    "Of tokens that are signed with RS256, in PEM; empty without one."
    hook_url: str
    "Of the server that says who visitors are; empty without one."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    expires_at: int | None
    "When it stops, in Unix seconds; null: never."
    settings: ShareLinkLook
    key: str
    "Key by which the site around signs tokens (HS256); shown this once."


class ShareMessage(Struct, kw_only=True):
    """A message of the conversation."""

    id: str
    "Id of the message."
    run_id: str | None
    "Run that it belongs to."
    type: Literal["question", "answer", "follow_up"]
    "`question`, `answer`, or `follow_up`: a question to go on with."
    text: str
    "What it says, in Markdown."
    files: list[ShareFile]
    "Files of the message."
    sources: list[ShareSource]
    "Sources that it cites; where the link shows them."
    is_broken: bool
    "The answer is partial: its run failed or was stopped."
    created_at: int
    "When it was made, in Unix seconds."
    verdict: FeedbackKind | None
    "What the visitor said of it."


class ShareMessageCompletedEvent(Struct, kw_only=True, tag_field="type", tag="message.completed"):
    """An answer, or a question to go on with, is complete."""

    message: EventShareMessage
    at_ms: int
    "When it happened, in Unix milliseconds."


class ShareMessages(Struct, kw_only=True):
    """Messages of a conversation, oldest first; `next_cursor` asks for those before."""

    items: list[ShareMessage]
    "Items of the page, in order."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class ShareRunRequiresActionEvent(
    Struct, kw_only=True, tag_field="type", tag="run.requires_action"
):
    """The run waits: for an answer of the visitor, or for outputs of these calls."""

    run_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the run (chat)."
    calls: list[EventShareCall]
    "Calls of tools that the client carries out."
    asked: EventAsked | None
    "What a form shows of a question, which the visitor's next message answers."
    at_ms: int
    "When it happened, in Unix milliseconds."


class ShareShortcut(Struct, kw_only=True):
    """A prepared question of the agent."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    command: str
    "What users type after the slash."
    description: str
    "What it is for; models and people read it."
    send_type: SendType
    template_query: str
    "Text that is sent, with the values of the form."
    components: list[ShareShortcutField]
    "Fields of the form, in order."


class ShortcutFields(Struct, kw_only=True):
    """Changes of a shortcut; what is left out stays, lists are replaced as a whole."""

    name: str | UnsetType = UNSET
    "Name that people read."
    command: str | UnsetType = UNSET
    "What users type after the slash."
    description: str | UnsetType = UNSET
    "What it is for; models and people read it."
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon; empty or null for none."
    send_type: SendType | UnsetType = UNSET
    template_query: str | UnsetType = UNSET
    "Text that is sent, with the values of the form."
    tool: ToolFields | None | UnsetType = UNSET
    "The tool that is called; null for none."
    components: list[ShortcutComponent] | UnsetType = UNSET
    "Fields of the form, in order."
    card_schema: str | UnsetType = UNSET
    "JSON text of a card that front ends show; stored as it is."
    agent_node_id: str | UnsetType = UNSET
    "Node of the agent that the shortcut goes to; empty for the agent itself."


class SliceList(Struct, kw_only=True):
    """One page of slices, in order."""

    total_count: int
    "Items of all pages."
    slices: list[WireSlice]
    "Slices of the page, in order."


class StoredVariableList(Struct, kw_only=True):
    """Values of one end user."""

    items: list[VariableView]
    "Items of the page, in order."
    total: int
    "Items of all pages."


class SupportTranscript(Struct, kw_only=True):
    """A page of what was said, newest first."""

    conversation: AdminConversation
    is_own: bool
    "Begun by the caller; opening one of somebody else is told in the audit log."
    items: list[WireMessage]
    "Items of the page, in order."
    feedback: list[SupportVerdict]
    "What anybody thought of these answers."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class TableFileBody(Struct, kw_only=True):
    """A file and where in it the table stands; ``table_meta`` as for a new document."""

    source_info: SourceBody
    table_sheet: TableSheetBody | None | UnsetType = UNSET
    "Where in the file the table stands."
    table_meta: list[ColumnBody] | None | UnsetType = UNSET
    "Columns of the table."


class ToolChoiceIn(Struct, kw_only=True):
    """One tool that must be called, or those that may be."""

    type: str | UnsetType = "function"
    "function or allowed_tools."
    function: NamedFunction | None | UnsetType = UNSET
    "The function that must be called."
    allowed_tools: AllowedTools | None | UnsetType = UNSET
    "Tools of which the model may choose."


class ToolForm(Struct, kw_only=True):
    """What makes a tool; ``workflow_id`` names the workflow of one that is a workflow."""

    name: str
    "Name that people read."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    method: str | UnsetType = "GET"
    "Method of HTTP. Default GET."
    path: str | UnsetType = "/"
    "Path below the address of the plugin, with parameters in braces. Default `/`."
    parameters: list[ParameterForm] | UnsetType = field(default_factory=list)
    "Parameters of the tool."
    responses: list[ParameterForm] | UnsetType = field(default_factory=list)
    "Properties of the answer."
    response_kind: ResponseKind | UnsetType = "object"
    response_policy: ResponsePolicy | UnsetType = "declared"
    body_media: BodyMedia | UnsetType = "application/json"
    body_is_whole: bool | UnsetType = False
    "The argument ``body`` is the body itself."
    disabled: bool | UnsetType = False
    "Whether it is switched off."
    effect: Effect | UnsetType = "read"
    needs_approval: bool | UnsetType = False
    "Whether a person must agree to every call."
    returns_directly: bool | UnsetType = False
    "Whether the result is the answer, without another call of the model."
    workflow_id: str | UnsetType = ""
    "Id of the workflow."
    example: Any | UnsetType = UNSET
    "A call that worked, as the service described it."


class ToolPatch(Struct, kw_only=True):
    """Changes of a tool; absent fields stay, lists are replaced as a whole."""

    name: str | UnsetType = UNSET
    "Name that people read."
    description: str | UnsetType = UNSET
    "What it is for; models and people read it."
    method: str | UnsetType = UNSET
    "Method of HTTP, for instance GET."
    path: str | UnsetType = UNSET
    "Path below the address of the plugin, with parameters in braces."
    parameters: list[ParameterForm] | UnsetType = UNSET
    "Parameters of the tool."
    responses: list[ParameterForm] | UnsetType = UNSET
    "Properties of the answer."
    response_kind: ResponseKind | UnsetType = "object"
    response_policy: ResponsePolicy | UnsetType = "declared"
    body_media: BodyMedia | UnsetType = "application/json"
    body_is_whole: bool | UnsetType = UNSET
    "The argument ``body`` is the body itself."
    disabled: bool | UnsetType = UNSET
    "Whether it is switched off."
    effect: Effect | UnsetType = "read"
    needs_approval: bool | UnsetType = UNSET
    "Whether a person must agree to every call."
    returns_directly: bool | UnsetType = UNSET
    "Whether the result is the answer, without another call of the model."
    workflow_id: str | UnsetType = UNSET
    "Id of the workflow."
    example: Any | UnsetType = UNSET
    "A call that worked, as the service described it."


class ToolView(Struct, kw_only=True):
    """A tool of the draft; ``debugged``: it worked since its last change."""

    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    method: str
    "Method of HTTP, for instance GET."
    path: str
    "Path below the address of the plugin, with parameters in braces."
    parameters: list[ParameterForm]
    "Parameters of the tool."
    responses: list[ParameterForm]
    "Properties of the answer."
    response_kind: ResponseKind
    response_policy: ResponsePolicy
    body_media: BodyMedia
    body_is_whole: bool
    "The argument ``body`` is the body itself."
    disabled: bool
    "Whether it is switched off."
    effect: Effect
    needs_approval: bool
    "Whether a person must agree to every call."
    returns_directly: bool
    "Whether the result is the answer, without another call of the model."
    workflow_id: str
    "Id of the workflow."
    example: Any
    "A call that worked, as the service described it."
    id: str
    "Its id."
    plugin_id: str
    "Id of the plugin."
    debugged: bool
    "Whether a call worked since the last change."
    input_schema: dict[str, Any]
    "What a model sees of the parameters."
    server_tool: str
    "Name of the tool at its MCP server."


class TrialBody(Struct, kw_only=True):
    """What a model is asked without an agent: at most 20 messages, and no tools. ``workspace_id`` is the workspace that the call is counted for; absent, it is the token's only one, or the caller's own."""

    messages: list[TrialMessage]
    "Messages, oldest first."
    parameters: TrialParameters | None | UnsetType = UNSET
    "Values of parameters, by name."
    workspace_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the workspace."


TrialEvent: TypeAlias = (
    TrialReplyStartedEvent
    | TrialReplyDeltaEvent
    | TrialReplyReplacedEvent
    | TrialReplyCompletedEvent
    | ErrorEvent
)
"One event of a run."


class TriedOverrides(Struct, kw_only=True):
    """What an editor of the agent tries instead of its own settings."""

    model_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the model; empty or null for the default."
    prompt: str | None | UnsetType = UNSET
    "Text that tells the model who it is and what to do."
    parameters: TriedParameters | None | UnsetType = UNSET
    "Values of parameters, by name."


class UpdateAppBody(Struct, kw_only=True):
    """Changes of a draft; the list of variables is replaced as a whole."""

    name: str | UnsetType = UNSET
    "Name that people read."
    description: str | UnsetType = UNSET
    "What it is for; models and people read it."
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon; empty or null for none."
    variables: list[AppVariableFields] | UnsetType = UNSET
    "Variables that are declared, with their defaults."


class UpdateBotBody(Struct, kw_only=True):
    """Body of ``/v1/bot/update``."""

    bot_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the agent (bot)."
    name: str | None | UnsetType = UNSET
    "Name that people read."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon; empty or null for none."
    prompt_info: BotPromptFields | None | UnsetType = UNSET
    "Persona of the agent."
    onboarding_info: BotOnboardingFields | None | UnsetType = UNSET
    "What end users see before they ask."
    suggest_reply_info: BotSuggestFields | None | UnsetType = UNSET
    "Questions that are suggested after an answer."
    model_info_config: BotModelFields | None | UnsetType = UNSET
    "Settings of the model."
    knowledge: BotKnowledgeFields | None | UnsetType = UNSET
    "Knowledge bases and how they are searched."
    plugin_id_list: BotToolIds | None | UnsetType = UNSET
    "Tools of plugins that the agent uses."
    workflow_id_list: BotWorkflowIds | None | UnsetType = UNSET
    "Workflows that the agent uses."


class UpdateDocumentBody(Struct, kw_only=True):
    """What is absent stays."""

    document_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the document."
    document_name: str | None | UnsetType = UNSET
    "Name of the document."
    update_rule: UpdateRuleBody | None | UnsetType = UNSET
    "Whether the page is fetched again."
    table_meta: list[ColumnBody] | None | UnsetType = UNSET
    "Columns of the table."


class UpdatePlugin(Struct, kw_only=True):
    """Changes of a draft; a new ``server_url`` takes the credentials away."""

    name: str | UnsetType = UNSET
    "Name that people read."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon; empty or null for none."
    server_url: str | UnsetType = UNSET
    "Address (http, https) of the service."
    mcp: McpForm | UnsetType = UNSET
    common_params: CommonValues | None | UnsetType = UNSET
    "Constants that every call sends."
    sends_identity: bool | UnsetType = UNSET
    "Whether calls say which account and agent they come from."
    groups: list[str] | UnsetType = UNSET
    "Ids of the groups whose members may use the tools; none opens them to everybody."


class UpdateWorkspaceBody(Struct, kw_only=True):
    """Changes; null resets what it is given for to nothing."""

    name: str | UnsetType = UNSET
    "Name that people read."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    icon_url: str | None | UnsetType = UNSET
    "Address of the icon, signed for an hour; empty for none."
    default_model: str | None | UnsetType = UNSET
    "Id, name or alias of the model that answers where an agent or a node names none; null leaves that to the deployment."
    language: Literal["en", "zh"] | None | UnsetType = UNSET
    "In which the texts of new agents are proposed; null is that of whoever writes."
    suspended: bool | UnsetType = UNSET
    "`true` closes it for everyone; only administrators of the deployment, members or not."
    limits: WorkspaceLimits | UnsetType = UNSET
    "Limits of its own, replaced as a whole; only administrators of the deployment."


class UsageStep(Struct, kw_only=True):
    """One step of a series; steps without calls are left out."""

    at: int
    "When it began."
    total: UsageSums


class UserCreated(Struct, kw_only=True):
    """A new account with its first token, shown this once."""

    user: UserItem
    token: str
    "Text of the token, which is shown only now."


class VariableFields(Struct, kw_only=True):
    """A variable of the agent."""

    key: str
    "Name by which it is called."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    default_value: str | UnsetType = ""
    "Value where nothing was set, as text."
    is_system: bool | UnsetType = False
    "Whether the system fills it."
    prompt_disabled: bool | UnsetType = False
    "Whether models are not told of it."
    is_disabled: bool | UnsetType = False
    "Whether it is switched off."
    type: VariableType | UnsetType = "KVVariable"


class VariableList(Struct, kw_only=True):
    """Values of an end user."""

    items: list[VariableView]
    "Items of the page, in order."


class WireApp(Struct, kw_only=True):
    """An app as published last; ``version`` is empty for one that never was."""

    app_id: str
    "Id of the app that it belongs to; empty for the library of the workspace."
    version: str
    "Version as publishing named it; empty for the draft or for none."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    icon_url: str
    "Address of the icon, signed for an hour; empty for none."
    variables: list[WireAppVariable]
    "Variables that are declared, with their defaults."


class WireChat(Struct, kw_only=True):
    """One run of an agent; times in Unix seconds."""

    id: str
    "Its id."
    conversation_id: str
    "Id of the conversation."
    bot_id: str
    "Id of the agent (bot)."
    section_id: str
    "Section of the conversation; clearing the context begins a new one."
    created_at: int
    "When it was made, in Unix seconds."
    status: str
    "State: created, in_progress, requires_action, completed, failed or canceled."
    meta_data: dict[str, str]
    "Keys and texts of the caller, at most 16; keys to 64, texts to 512 characters."
    last_error: LastError
    usage: ChatUsage
    completed_at: int | UnsetType = UNSET
    "When it ended well, in Unix seconds; absent if it did not."
    failed_at: int | UnsetType = UNSET
    "When it failed, in Unix seconds; absent if it did not."
    inserted_additional_messages: list[InsertedMessage] | UnsetType = UNSET
    "Messages of the request that were stored."
    execute_id: str | UnsetType = UNSET
    "Id of the run."
    required_action: RequiredAction | UnsetType = UNSET


class WireSearch(Struct, kw_only=True):
    """Results in final order; ``candidates`` only with ``explain``."""

    items: list[WireHit]
    "Items of the page, in order."
    tokens: int
    "Tokens that the contents of all items take together, estimated."
    queries: list[str]
    "Wordings that were searched."
    skipped: list[str]
    "Bases that could not be searched, and why."
    stages: list[WireStage]
    "Steps of the search."
    usage: WireSearchUsage
    candidates: list[WireCandidate] | None
    "Everything that was found, with its ranks; null without `explain`."


class WireWorkflow(Struct, kw_only=True):
    """A workflow as the Coze clients know it; ``app_id`` is empty for the library."""

    workflow_id: str
    "Id of the workflow."
    workflow_name: str
    "Name of the workflow."
    description: str
    "What it is for; models and people read it."
    icon_url: str
    "Address of the icon, signed for an hour; empty for none."
    app_id: str
    "Id of the app that it belongs to; empty for the library of the workspace."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    creator: WorkflowCreator


class WireWorkflowDetail(Struct, kw_only=True):
    """A workflow in full; chat flows have a role."""

    workflow_detail: WireWorkflow
    role: WireRole | UnsetType = UNSET


class WireWorkflowList(Struct, kw_only=True):
    """A page of workflows."""

    items: list[WireWorkflow]
    "Items of the page, in order."
    has_more: bool
    "Whether there are further pages."


class WireWorkflowVersion(Struct, kw_only=True):
    """One version; its times are texts."""

    version: str
    "Version as publishing named it; empty for the draft or for none."
    description: str
    "What it is for; models and people read it."
    workflow_id: str
    "Id of the workflow."
    created_at: str
    "When it was made, in Unix seconds as text."
    updated_at: str
    "When it was made, in Unix seconds as text."
    creator: WorkflowCreator


class WireWorkflowVersionList(Struct, kw_only=True):
    """A page of versions; the token of the next page is empty on the last one."""

    items: list[WireWorkflowVersion]
    "Items of the page, in order."
    has_more: bool
    "Whether there are further pages."
    next_page_token: str
    "Goes into `page_token` for the next page; empty on the last one."


class WorkflowAskedEvent(Struct, kw_only=True, tag_field="type", tag="asked"):
    """A node waits for an answer."""

    interrupt: EventInterrupt
    at_ms: int
    "When it happened, in Unix milliseconds."


class WorkflowChatRequest(Struct, kw_only=True):
    """Body of ``POST /v1/workflows/chat``."""

    workflow_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the workflow."
    additional_messages: list[EnterMessage]
    "Messages of this request, oldest first; the last one is usually the question. At most 100."
    parameters: dict[str, Any] | str | None | UnsetType = UNSET
    "Values of the inputs, by name, as an object or its JSON text."
    app_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the app that it belongs to; empty for the library of the workspace."
    project_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the app that the workflow belongs to, as clients of Coze name it."
    bot_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the agent (bot)."
    conversation_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the conversation."
    ext: dict[str, str | None] | None | UnsetType = UNSET
    "Further values for the run, by name."
    version: str | None | UnsetType = UNSET
    "Version as publishing named it; empty for the draft or for none."
    workflow_version: str | None | UnsetType = UNSET
    "Version to run; default: the latest."
    execute_mode: str | None | UnsetType = UNSET
    "`DEBUG` runs the draft; default: the published version."
    connector_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Connector (publishing channel) that it belongs to. In requests default 1024: the API."


class WorkflowDone(Struct, kw_only=True):
    """The run ended well."""

    debug_url: str
    "Address of the console that shows the run; empty without a console."
    token: int
    "Tokens of the run."
    usage: WorkflowUsage


class WorkflowDoneFrame(Struct, kw_only=True, tag_field="event", tag="Done"):
    """The event ``Done``."""

    data: WorkflowDone


class WorkflowInterrupt(Struct, kw_only=True):
    """The run waits for an answer."""

    interrupt_data: WorkflowQuestion
    node_id: str
    "Id of the node in the canvas."
    node_type: str
    "Kind of the node."
    node_title: str
    "Title of the node in the canvas."
    debug_url: str
    "Address of the console that shows the run; empty without a console."


class WorkflowInterruptFrame(Struct, kw_only=True, tag_field="event", tag="Interrupt"):
    """The event ``Interrupt``."""

    data: WorkflowInterrupt


class WorkflowMessage(Struct, kw_only=True):
    """A piece of what a node says; ``node_seq_id`` counts within the message, from 0."""

    content: str
    "Text; in requests also a list of parts where the schema says so."
    content_type: Literal["text"]
    "Always ``text``."
    node_id: str
    "Id of the node in the canvas."
    node_type: str
    "Kind of the node."
    node_title: str
    "Title of the node in the canvas."
    node_seq_id: str
    "Number of the piece in its message, from 0."
    node_is_finish: bool
    "Whether the message ends here."
    token: int | UnsetType = UNSET
    "Tokens of the run; only in the last piece."
    usage: WorkflowUsage | UnsetType = UNSET


class WorkflowMessageFrame(Struct, kw_only=True, tag_field="event", tag="Message"):
    """The event ``Message``."""

    data: WorkflowMessage


class WorkflowRunAnswer(Struct, kw_only=True):
    """Answer of a run: ``data`` is the JSON text of what it returned, empty if asynchronous."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: str
    "What the run returned, as JSON text; empty if it is asynchronous."
    execute_id: str
    "Id of the run."
    debug_url: str
    "Address of the console that shows the run; empty without a console."
    detail: Detail
    usage: WorkflowUsage | UnsetType = UNSET
    token: int | UnsetType = UNSET
    "Tokens of the run."
    cost: str | UnsetType = UNSET
    "Time that it took, as text with unit."


class WorkflowRunInterruptedEvent(Struct, kw_only=True, tag_field="type", tag="run_interrupted"):
    """The run waits for answers; the first question is asked first."""

    pending: list[EventInterrupt]
    "Questions that are open; the first one is asked first."
    variables: EventKeptVariables | None
    "Variables as the run left them; null if it kept none."
    at_ms: int
    "When it happened, in Unix milliseconds."


class WorkspaceItem(Struct, kw_only=True):
    """A workspace; ``role`` is the caller's own, null where they have none."""

    id: str
    "Its id."
    type: str
    "personal or team."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    icon_url: str
    "Address of the icon, which is shown without a sign-in; empty for none."
    role: Role | None
    "What the caller may do there."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    suspended_at: int | None
    "Since when it is closed for everyone, in Unix seconds; null: it is open."
    default_model: str
    "Id of the model that answers where an agent or a node names none; empty: the deployment's."
    language: Literal["", "en", "zh"]
    "In which new agents begin; empty: in that of whoever writes."
    limits: WorkspaceLimits


class WorkspaceItems(Struct, kw_only=True):
    """One page of workspaces."""

    items: list[WorkspaceItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AcceptReport(Struct, kw_only=True):
    """The plugin with the tools it has now; what was left out, and why."""

    plugin: PluginView
    tools: list[ToolView]
    "Tools of the plugin now."
    problems: list[ServerTool]
    "What could not be taken, and why."


class AddDocumentsBody(Struct, kw_only=True):
    """Up to ten documents, all or none; ``on_duplicate`` keep, skip or replace."""

    document_bases: list[DocumentBody]
    "Documents to be; at most ten."
    chunk_strategy: ChunkStrategyBody | None | UnsetType = UNSET
    "How documents are cut; without it, automatically."
    parsing_strategy: ParsingStrategyBody | None | UnsetType = UNSET
    "How much care is taken in reading."
    format_type: int | None | UnsetType = UNSET
    "Kind of the base: 0 text, 1 table, 2 image."
    is_append: bool | None | UnsetType = UNSET
    "Add rows to an existing table. Default false."
    on_duplicate: str | None | UnsetType = UNSET
    "A document with the same content: keep (default) both, skip the new one or replace the old one."


class AdminAgent(Struct, kw_only=True):
    """An agent in full; ``version`` is empty for the draft."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Id of the account that made it."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    icon_file_id: str | None
    "Id of the upload with the icon; empty or null for none."
    icon_url: str
    "Address of the icon, signed for an hour; empty for none."
    mode: Mode
    version: str
    "Version as publishing named it; empty for the draft."
    live_version: str
    "Version that answers now, the latest published of several; empty if it answers nowhere."
    revision: int
    "Number that grows with every change of the draft; goes into `If-Match`."
    alias: str | None
    "Second name under which it can be called, unique in the deployment."
    template_category: str | None
    "Category among the templates; null if it is none."
    trace_capture: Literal["off", "metadata", "content"] | None
    "How much is kept of its runs, of all versions, from now on: `off`, `metadata` or `content`; null: as the workspace says."
    has_unpublished_changes: bool
    "Whether the draft differs from the version in use."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    prompt: AdminPrompt
    model: AdminModel
    knowledge: AdminKnowledge
    variables: list[VariableFields]
    "Variables that are declared, with their defaults."
    memory: AdminMemory
    plugins: list[PluginToolFields]
    "Tools of plugins that the agent uses."
    client_tools: list[ClientToolFields]
    "Tools that clients carry out."
    onboarding: AdminOnboarding
    suggest_reply: AdminSuggest
    shortcuts: list[str]
    "Ids of the buttons below the input of a chat."
    workflow_agent: WorkflowAgentFields | None
    "The workflow that answers instead of a model; null for none."
    workflows: list[WorkflowFields]
    "Workflows that the agent may call."
    agents: list[MemberFields]
    "Other agents that this one may call or hand over to."
    router: RouterFields
    link_hosts: list[str]
    "Hosts that images in answers may come from, besides those of the deployment; `*` for any."
    egress_hosts: list[str]
    "The only hosts that tools and workflows of the agent may call; empty: those of the workspace."
    openai_system: str
    "What becomes of system messages of OpenAI requests: append, replace or ignore."
    openai_tools: str
    "Whether OpenAI requests may bring tools of their own: allow or deny."


class AdminAgentList(Struct, kw_only=True):
    """One page of agents."""

    items: list[AdminAgentSummary]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminApp(Struct, kw_only=True):
    """An app in full; ``version`` is empty for the draft."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Id of the account that made it."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    icon_file_id: str | None
    "Id of the upload with the icon; empty or null for none."
    icon_url: str
    "Address of the icon, signed for an hour; empty for none."
    version: str
    "Version as publishing named it; empty for the draft or for none."
    latest_version: str
    "Label of the newest version, empty before the first one."
    connector_ids: list[str]
    "Where the newest version was published."
    variables: list[AppVariableFields]
    "Variables that are declared, with their defaults."
    conversations: list[str]
    "Names of the conversations that the app defines."
    revision: int
    "Optimistic lock; 0 means never saved. Only repositories change it."
    created_at: int
    "When it was made, in Unix seconds."
    updated_at: int
    "When it was changed last, in Unix seconds."
    published_at: int | None
    "When it was published last, in Unix seconds; null: never."


class AdminAppList(Struct, kw_only=True):
    """One page of apps, newest change first."""

    items: list[AdminApp]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminFindings(Struct, kw_only=True):
    """What the check says about one workflow; ``version`` is empty for a draft. ``omitted`` counts findings beyond the limit. Errors forbid publishing; those with ``blocks_run`` forbid running too."""

    workflow_id: str
    "Id of the workflow."
    name: str
    "Name that people read."
    version: str
    "Version as publishing named it; empty for the draft or for none."
    can_run: bool
    "Whether nothing found forbids running."
    can_be_published: bool
    "Whether nothing found forbids publishing."
    omitted: int
    "Findings beyond the limit."
    diagnostics: list[Diagnostic]
    "Findings, errors first."


class AdminFindingsList(Struct, kw_only=True):
    """The workflow itself first, then every workflow called from there."""

    items: list[AdminFindings]
    "Items of the page, in order."
    total: int
    "Items of all pages."


class AdminHome(Struct, kw_only=True):
    """Where the caller goes on in a workspace, what waits, and how much there is."""

    recent: list[AdminEntry]
    "What the caller opened or made last, newest first."
    waiting: list[AdminWaiting]
    "What waits for the caller."
    counts: AdminCounts


class AdminImportReport(Struct, kw_only=True):
    """The imported workflow, what of it is not here, and what was replaced."""

    workflow: AdminWorkflow
    findings: AdminFindings
    unknown_nodes: list[UnknownNode]
    "Nodes of kinds that are not known here."
    resources: list[AdminNeed]
    "Everything that the canvas names."
    missing: list[AdminNeed]
    "What is named and not here."
    unused_mappings: list[str]
    "Mappings of the request that fit nothing."


class AdminImportedAgent(Struct, kw_only=True):
    """A new draft, and what did not come along."""

    agent: AdminAgent
    warnings: list[str]
    "What the workspace does not have, in words."


class AdminReviewedCanvas(Struct, kw_only=True):
    """What one file would become; ``problem`` says why nothing can be made of it."""

    file_name: str
    "Name of the file, as it was given."
    name: str
    "What the workflow would be called."
    mode: int
    "0 workflow, 3 chat flow."
    dialect: str
    "`coze` or `fastgpt`."
    problem: str
    "Why nothing can be made of it; empty if something can."
    nodes: list[AdminReviewedNode]
    "Nodes with what people call them."
    can_run: bool
    "Whether nothing found forbids running."
    can_be_published: bool
    "Whether nothing found forbids publishing."
    omitted: int
    "Findings beyond the limit."
    diagnostics: list[Diagnostic]
    "Findings, errors first."
    unknown_nodes: list[UnknownNode]
    "Nodes of kinds that are not known here."
    resources: list[AdminReviewedNeed]
    "What it names and does not contain."


class AdminShortcut(Struct, kw_only=True):
    """A shortcut in full."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    command: str
    "What users type after the slash."
    description: str
    "What it is for; models and people read it."
    icon_file_id: str | None
    "Id of the upload with the icon; empty or null for none."
    send_type: SendType
    template_query: str
    "Text that is sent, with the values of the form."
    tool: ToolFields | None
    "The tool that is called; null for none."
    components: list[AdminShortcutComponent]
    "Fields of the form, in order."
    card_schema: str
    "JSON text of a card that front ends show; stored as it is."
    agent_node_id: str
    "Node of the agent that the shortcut goes to; empty for the agent itself."


class AdminShortcutList(Struct, kw_only=True):
    """The shortcuts of an agent, in their order."""

    items: list[AdminShortcut]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class AdminVersionDetail(Struct, kw_only=True):
    """A version and the agent as it was in it."""

    version: AdminVersion
    agent: AdminAgent


class AdminWorkflowReview(Struct, kw_only=True):
    """What files would become, in the order of the request. ``order`` is the one to import them in: whatever is called comes before what calls it."""

    items: list[AdminReviewedCanvas]
    "Items of the page, in order."
    order: list[int]
    "Positions of the files, in the order to import them in."


class AgentChatBody(Struct, kw_only=True):
    """A question to an agent. ``version`` is ``draft``, the name of a version, or absent for the one that is active on the API. ``user_id`` names the end user, whose variables and memories count; without it, it is the caller's account. ``shortcut_command`` is a shortcut of the agent with what was filled in: its tool is called first, and without ``content`` its own text is asked. ``regenerate`` is the last run of the conversation, to be done again."""

    version: str | None | UnsetType = UNSET
    "Version as publishing named it; empty for the draft or for none."
    conversation_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the conversation."
    user_id: str | None | UnsetType = UNSET
    "Id of the account."
    content: str | list[ContentItem] | None | UnsetType = UNSET
    "Text; in requests also a list of parts where the schema says so."
    shortcut_command: ShortcutCommand | None | UnsetType = UNSET
    "Shortcut by which the question came."
    custom_variables: dict[str, str | None] | None | UnsetType = UNSET
    "Values of variables of the agent for this chat, by name."
    overrides: TriedOverrides | None | UnsetType = UNSET
    "What is tried instead of the settings of the agent."
    regenerate: str | int | None | UnsetType = UNSET
    "Id of the question or answer of the last chat to do again."


class BotShortcut(Struct, kw_only=True):
    """A shortcut of a bot."""

    id: str
    "Its id."
    name: str
    "Name that people read."
    command: str
    "What users type after the slash."
    description: str
    "What it is for; models and people read it."
    query_template: str
    "Text that is sent, with the values of the form."
    icon_url: str
    "Address of the icon, signed for an hour; empty for none."
    components: list[BotShortcutComponent]
    "Fields of the form, in order."
    agent_id: str
    "Id of the agent."
    send_type: SendType
    card_schema: str
    "JSON text of a card that front ends show; stored as it is."
    tool: BotShortcutTool | UnsetType = UNSET


class ChangeOidcProviderBody(Struct, kw_only=True):
    """Changes of a provider; what is absent stays."""

    name: str | UnsetType = UNSET
    "What its button says."
    issuer: str | UnsetType = UNSET
    "Address that the provider calls itself, to the letter; another one needs `client_secret`."
    client_id: str | UnsetType = UNSET
    "What the provider calls this deployment."
    client_secret: str | None | UnsetType = UNSET
    "Secret of the client; null: it has none."
    scopes: list[str] | UnsetType = UNSET
    "What is asked for."
    groups_claim: str | UnsetType = UNSET
    "Claim that names a person's groups, or the way to it with dots; empty: none does."
    trust_email: bool | UnsetType = UNSET
    "Whether an address that the provider has verified leads to the account of that address."
    create_accounts: bool | UnsetType = UNSET
    "Whether whoever the provider knows gets an account."
    roles: list[GroupRoleBody] | UnsetType = UNSET
    "What groups are in workspaces, at each sign-in."


class ChatCanceledFrame(Struct, kw_only=True, tag_field="event", tag="conversation.chat.canceled"):
    """The event ``conversation.chat.canceled``."""

    data: WireChat


class ChatCompletedFrame(
    Struct, kw_only=True, tag_field="event", tag="conversation.chat.completed"
):
    """The event ``conversation.chat.completed``."""

    data: WireChat


class ChatCreatedFrame(Struct, kw_only=True, tag_field="event", tag="conversation.chat.created"):
    """The event ``conversation.chat.created``."""

    data: WireChat


class ChatFailedFrame(Struct, kw_only=True, tag_field="event", tag="conversation.chat.failed"):
    """The event ``conversation.chat.failed``."""

    data: WireChat


class ChatInProgressFrame(
    Struct, kw_only=True, tag_field="event", tag="conversation.chat.in_progress"
):
    """The event ``conversation.chat.in_progress``."""

    data: WireChat


class ChatRequest(Struct, kw_only=True):
    """Body of ``POST /v3/chat``. ``parameters``, ``extra_params`` and ``enable_card`` serve chatflow agents; others ignore them. ``regenerate`` is ours: the id of the question or answer of the last chat to do again, with its old messages or, to edit the question, with ``additional_messages``."""

    bot_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id or alias of the agent (bot)."
    user_id: str
    "Id of the end user, as the caller names it; at most 256 characters."
    stream: bool | None | UnsetType = UNSET
    "Answer as an event stream. Default false."
    additional_messages: list[EnterMessage] | None | UnsetType = UNSET
    "Messages of this request, oldest first; the last one is usually the question. At most 100."
    custom_variables: dict[str, str | None] | None | UnsetType = UNSET
    "Values of variables of the agent for this chat, by name."
    parameters: dict[str, Any] | str | None | UnsetType = UNSET
    "Values of the start node of a chat flow; other agents ignore them."
    auto_save_history: bool | None | UnsetType = UNSET
    "Keep question and answer in the conversation. Default true; must be true without `stream`."
    meta_data: dict[str, str | None] | None | UnsetType = UNSET
    "Keys and texts of the caller, at most 16; keys to 64, texts to 512 characters."
    extra_params: dict[str, str | None] | None | UnsetType = UNSET
    "Values for the start node of a chat flow."
    enable_card: bool | None | UnsetType = UNSET
    "Let chat flows answer with cards."
    shortcut_command: ShortcutCommand | None | UnsetType = UNSET
    "Shortcut by which the question came."
    connector_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Connector (publishing channel) that it belongs to. In requests default 1024: the API."
    custom_config: CustomConfig | None | UnsetType = UNSET
    "Other settings to try out for this chat; only for editors of the agent."
    publish_status: str | None | UnsetType = UNSET
    "`unpublished_draft` asks the draft, for its editors; default: the published version."
    tools: list[Any] | None | UnsetType = UNSET
    "Taken for compatibility; tools of the client are declared at the agent."
    regenerate: str | int | None | UnsetType = UNSET
    "Id of the question or answer of the last chat to do again."


class ChatRequiresActionFrame(
    Struct, kw_only=True, tag_field="event", tag="conversation.chat.requires_action"
):
    """The event ``conversation.chat.requires_action``."""

    data: WireChat


class ChunkChoice(Struct, kw_only=True):
    """The only choice."""

    index: int
    "Position, from 0."
    delta: ChunkDelta
    logprobs: dict[str, Any] | None
    "Null: probabilities of tokens are not answered; asking for them is refused."
    finish_reason: str | None
    "Why the model stopped: stop, length, tool_calls, content_filter; null or empty before."


class CompactRequest(Struct, kw_only=True):
    """What is to be compacted: the input after what led to an earlier response."""

    model: str
    "Name of the model or agent."
    input: str | list[InputItem] | None | UnsetType = UNSET
    "Text or items, `compaction` items of before among them; or nothing after `previous_response_id`."
    previous_response_id: str | None | UnsetType = UNSET
    "Response to go on from; null for none."
    instructions: str | None | UnsetType = UNSET
    "Text before the conversation that tells the model what to do."
    prompt_cache_key: str | None | UnsetType = UNSET
    "Taken for compatibility; not used."


class CompletionChoice(Struct, kw_only=True):
    """The only choice."""

    index: int
    "Position, from 0."
    message: CompletionMessage
    logprobs: dict[str, Any] | None
    "Null: probabilities of tokens are not answered; asking for them is refused."
    finish_reason: str
    "Why the model stopped: stop, length, tool_calls, content_filter; null or empty before."


class CompletionChunk(Struct, kw_only=True):
    """A piece of a completion; the last one before ``[DONE]`` has usage and no choice."""

    id: str
    "Its id."
    object: Literal["chat.completion.chunk"]
    "Always ``chat.completion.chunk``."
    created: int
    "When it was made, in Unix seconds."
    model: str
    "Name of the model or agent."
    choices: list[ChunkChoice]
    "Answers; there is always one."
    usage: CompletionUsage | None | UnsetType = UNSET
    "Tokens that models took."


CompletionEvent: TypeAlias = CompletionChunk | OpenAIError
"A piece of a completion, or why there are no more."
ContentPart: TypeAlias = (
    TextContentPart | RefusalContentPart | ImageContentPart | FileContentPart | FileUrlContentPart
)
"One part of a message."


class CreateAgentBody(Struct, kw_only=True):
    """A new agent."""

    name: str
    "Name that people read."
    prompt: PromptFields | None | UnsetType = UNSET
    "Persona of the agent."
    model: ModelFields | None | UnsetType = UNSET
    "Settings of the model."
    knowledge: KnowledgeFields | None | UnsetType = UNSET
    "Knowledge bases and how they are searched."
    variables: list[VariableFields] | None | UnsetType = UNSET
    "Variables that are declared, with their defaults."
    memory: MemoryFields | None | UnsetType = UNSET
    "What the agent remembers."
    plugins: list[PluginToolFields] | None | UnsetType = UNSET
    "Tools of plugins that the agent uses."
    client_tools: list[ClientToolFields] | None | UnsetType = UNSET
    "Tools that run at the client, which submits their outputs."
    onboarding: OnboardingPatch | None | UnsetType = UNSET
    "What end users see before they ask."
    suggest_reply: SuggestFields | None | UnsetType = UNSET
    "Questions that are suggested after an answer."
    workflow_agent: WorkflowAgentFields | None | UnsetType = UNSET
    "The workflow that answers instead of a model; null for none."
    workflows: list[WorkflowFields] | None | UnsetType = UNSET
    "Workflows that the agent may call."
    agents: list[MemberFields] | None | UnsetType = UNSET
    "Other agents that this one works with."
    router: RouterFields | None | UnsetType = UNSET
    "Which agent takes a question."
    link_hosts: list[str] | None | UnsetType = UNSET
    "Hosts that images in answers may come from; ``*`` for any."
    egress_hosts: list[str] | None | UnsetType = UNSET
    "The only hosts that tools and workflows of the agent may call; none named: no limit."
    openai_system: Literal["append", "replace", "ignore"] | None | UnsetType = UNSET
    "What becomes of system messages in OpenAI requests."
    openai_tools: Literal["allow", "deny"] | None | UnsetType = UNSET
    "``deny``: OpenAI requests may bring no tools of their own."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon; empty or null for none."
    mode: Mode | UnsetType = "single"


class CreateConversationBody(Struct, kw_only=True):
    """A new conversation, perhaps with what was said before."""

    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the agent."
    name: str | None | UnsetType = UNSET
    "Name that people read."
    metadata: dict[str, str | None] | None | UnsetType = UNSET
    "Keys and texts of the caller; keys to 64, texts to 512 characters, at most 16."
    messages: list[EnterMessage] | None | UnsetType = UNSET
    "Messages, oldest first."
    user_id: str | None | UnsetType = UNSET
    "Id of the account."


class CreateConversationRequest(Struct, kw_only=True):
    """Body of ``POST /v1/conversation/create``; may be empty."""

    bot_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the agent (bot)."
    messages: list[EnterMessage] | None | UnsetType = UNSET
    "Messages, oldest first."
    meta_data: dict[str, str | None] | None | UnsetType = UNSET
    "Keys and texts of the caller, at most 16; keys to 64, texts to 512 characters."
    name: str | None | UnsetType = UNSET
    "Name that people read."
    connector_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Connector (publishing channel) that it belongs to. In requests default 1024: the API."
    user_id: str | None | UnsetType = UNSET
    "Id of the account."


class CreateDataRequestBody(Struct, kw_only=True):
    """Whose data, and what is done with it."""

    kind: DataRequestKind
    subject: DataSubject


class CreateDocumentsBody(Struct, kw_only=True):
    """Up to ten documents, all or none; ``on_duplicate`` keep, skip or replace."""

    document_bases: list[DocumentBody]
    "Documents to be; at most ten."
    dataset_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the knowledge base."
    chunk_strategy: ChunkStrategyBody | None | UnsetType = UNSET
    "How documents are cut; without it, automatically."
    parsing_strategy: ParsingStrategyBody | None | UnsetType = UNSET
    "How much care is taken in reading."
    format_type: int | None | UnsetType = UNSET
    "Kind of the base: 0 text, 1 table, 2 image."
    is_append: bool | None | UnsetType = UNSET
    "Add rows to an existing table. Default false."
    on_duplicate: str | None | UnsetType = UNSET
    "A document with the same content: keep (default) both, skip the new one or replace the old one."


class CreateOidcProviderBody(Struct, kw_only=True):
    """A provider to add."""

    name: str
    "What its button says."
    issuer: str
    "Address that the provider calls itself, to the letter."
    client_id: str
    "What the provider calls this deployment."
    client_secret: str | None | UnsetType = UNSET
    "Secret of the client; absent for one without."
    scopes: list[str] | None | UnsetType = UNSET
    "What is asked for; absent: `openid`, `profile`, `email`."
    groups_claim: str | UnsetType = ""
    "Claim that names a person's groups, or the way to it with dots; empty: none does."
    trust_email: bool | UnsetType = False
    "Whether an address that the provider has verified leads to the account of that address."
    create_accounts: bool | UnsetType = True
    "Whether whoever the provider knows gets an account."
    roles: list[GroupRoleBody] | None | UnsetType = UNSET
    "What groups are in workspaces, at each sign-in."


class CreatePlugin(Struct, kw_only=True):
    """A plugin; ``mcp`` counts for the type of that name only. ``tools`` are those it begins with, as a review gave them or as they were changed after it."""

    name: str
    "Name that people read."
    description: str | UnsetType = ""
    "What it is for; models and people read it."
    type: PluginKind | UnsetType = "http"
    server_url: str | UnsetType = ""
    "Address (http, https) of the service."
    mcp: McpForm | UnsetType = UNSET
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon; empty or null for none."
    app_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the app that it belongs to; empty for the library of the workspace."
    common_params: CommonValues | UnsetType = UNSET
    tools: list[ToolForm] | UnsetType = field(default_factory=list)
    "Tools that may be called."


class CreatePreviewsBody(Struct, kw_only=True):
    """Up to ten files, and how they are read and cut."""

    document_bases: list[DocumentBody]
    "Documents to read; at most ten."
    chunk_strategy: ChunkStrategyBody | None | UnsetType = UNSET
    "How documents are cut; without it, automatically."
    parsing_strategy: ParsingStrategyBody | None | UnsetType = UNSET
    "How much care is taken in reading."
    filter_strategy: FilterBody | None | UnsetType = UNSET
    "What of the document to leave out."


class DataRequestItem(Struct, kw_only=True):
    """A request for somebody's data; `subject_id` is forgotten when it is over. Backups that were made before are not touched: whoever restores one asks again."""

    id: str
    "Its id."
    workspace_id: str
    "Id of the workspace."
    creator_id: str
    "Id of the account that made it."
    kind: DataRequestKind
    subject_id: str | None
    "Name of the end user, or id of the account; null when it is over."
    subject_digest: str
    "SHA-256 of `{workspace}:{type}:{id}`, by which whoever knows the name finds the proof."
    state: DataRequestState
    problem: str
    "Why it failed, or is tried again; else empty."
    has_archive: bool
    "There is a file to fetch."
    archive_bytes: int
    "Size of the file."
    created_at: int
    "When it was made, in Unix seconds."
    finished_at: int | None
    "When it was done, or given up."
    expires_at: int | None
    "Until when the file can be fetched."
    subject_type: SubjectKind
    proof: list[DataRequestStore]
    "What was found where, and what became of it; empty until it is done."


class DataRequestItems(Struct, kw_only=True):
    """Requests of a workspace, newest first; members see their own."""

    items: list[DataRequestItem]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class EnvelopeOfListOfRunHistory(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: list[RunHistory]
    "Items of the page or answer."
    detail: Detail


class EnvelopeOfPhotoList(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: PhotoList
    detail: Detail


class EnvelopeOfProgressList(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: ProgressList
    detail: Detail


class EnvelopeOfSliceList(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: SliceList
    detail: Detail


class EnvelopeOfVariableList(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: VariableList
    detail: Detail


class EnvelopeOfWireApp(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: WireApp
    detail: Detail


class EnvelopeOfWireChat(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: WireChat
    detail: Detail


class EnvelopeOfWireSearch(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: WireSearch
    detail: Detail


class EnvelopeOfWireWorkflowDetail(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: WireWorkflowDetail
    detail: Detail


class EnvelopeOfWireWorkflowList(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: WireWorkflowList
    detail: Detail


class EnvelopeOfWireWorkflowVersionList(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: WireWorkflowVersionList
    detail: Detail


class EventRun(Struct, kw_only=True):
    """A run as shown to its owner."""

    id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Its id."
    conversation_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the conversation."
    section_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Section of the conversation; clearing the context begins a new one."
    agent_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None
    "Id of the agent."
    space_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the workspace (space)."
    status: EventRunStatus
    meta: dict[str, str]
    "Keys and texts of the caller."
    error: EventRunError
    usage: EventUsage
    finish_reason: str
    "Why the model stopped: stop, length, tool_calls, content_filter; null or empty before."
    question_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None
    "The stored message that the run answers, an old one where a round is repeated."
    inserted_message_ids: list[InsertedMessageId]
    "Ids of the messages of the request that were stored, in order."
    workflow_run_id: Annotated[str, Meta(pattern="^\\d{1,19}$")]
    "Id of the run of the workflow."
    waits_for: EventWaiting | None
    "What the run waits for; null if it does not."
    created_at: int
    "Unix seconds."
    completed_at: int | None
    "Unix seconds."
    failed_at: int | None
    "Unix seconds."
    canceled_at: int | None
    "Unix seconds."


class ImportReport(Struct, kw_only=True):
    """The plugin that came of a document; ``auth_hint`` is what the document says of keys."""

    plugin: PluginView
    tools: list[ToolView]
    "Tools that were made."
    problems: list[ImportProblem]
    "Parts of the description that could not be taken, and why."
    auth_hint: str
    "How the service says that calls prove who they are."


class ModelList(Struct, kw_only=True):
    """Everything the token can name as ``model``."""

    object: str
    "Kind of the object."
    data: list[ModelObject]
    "Items of the page or answer."


class ModelSettingsView(Struct, kw_only=True):
    """What only administrators see."""

    connection: ConnectionView
    fallbacks: list[str]
    "Models that are asked when this one fails, in order."
    concurrency: int
    "Calls at the same time, at most; 0 or null for the default."
    groups: list[str]
    "Ids of the groups whose members may use it; none: everybody."
    parameter_mapping: ParameterMapping
    timeouts: ModelTimeouts
    reasoning: ReasoningSettings
    embedding: EmbeddingSettings
    rerank: RerankSettings
    prices: PriceTable
    has_own_capabilities: bool
    "They were set, not taken from what is known of models of this name."
    health: Literal["unused", "ok", "failing"]
    "State by the latest calls: unused, ok or failing."
    health_detail: str
    "Why calls fail; empty otherwise."
    last_test: LastTestView | None
    "How the last test ended; null if there was none."


class ModelView(Struct, kw_only=True):
    """A model of the registry; ``settings`` only for administrators. ``id`` is what agents store: the decimal id of a stored model, the name of a configured one. ``revision`` is 0 for configured models. Times are Unix seconds."""

    id: str
    "What agents store: the id of a stored model, the name of a configured one."
    type: Literal["llm", "embedding", "rerank"]
    "llm, embedding or rerank."
    provider: str
    "Kind of the provider; see the list of model providers."
    source: ModelSource
    display: DisplayView
    aliases: list[str]
    "Further names under which clients ask for the model."
    capabilities: Capabilities
    ignored_parameters: list[str]
    "Settings that its provider is not told."
    enabled: bool
    "Whether it is switched on."
    is_read_only: bool
    "Whether it comes from the configuration, so that the API cannot change it."
    is_default: bool
    "Whether it is the default model of its kind."
    is_vision_default: bool
    "Whether it is the model that describes images."
    revision: int
    "Number that grows with every change; 0 for configured models."
    updated_at: int | None | UnsetType = UNSET
    "When it was changed last, in Unix seconds."
    settings: ModelSettingsView | None | UnsetType = UNSET
    "Settings; null for callers who do not administer."


class NodeResult(Struct, kw_only=True):
    """One executed step, in FastGPT's terms; ``running_time`` in seconds."""

    nodeId: str
    "Id of the step."
    moduleName: str
    "Name of the step."
    moduleType: str
    "Kind of the step, in terms of FastGPT."
    runningTime: float
    "Duration in seconds."
    model: str
    "Model that was asked; empty for none."
    inputTokens: int
    "Tokens of the input."
    outputTokens: int
    "Tokens of the answer."
    error: str | UnsetType = ""
    "Why it failed; empty or null if it did not."
    query: str | UnsetType = ""
    "What was asked of the step."
    quoteList: list[Quote] | UnsetType = UNSET
    "What the search found."
    toolRes: str | UnsetType = ""
    "What a tool returned."
    textOutput: str | UnsetType = ""
    "What a workflow says about its own answer."


class PluginPage(Struct, kw_only=True):
    """One page of plugins, newest first."""

    items: list[PluginView]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


class PluginReview(Struct, kw_only=True):
    """What would come of a document; nothing of it is stored. ``auth_hint`` is what the document says of keys."""

    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    server_url: str
    "Address (http, https) of the service."
    tools: list[ToolForm]
    "Tools that may be called."
    problems: list[ImportProblem]
    "What could not be taken, and why."
    auth_hint: str
    "How the service says that calls prove who they are."


class PutDeclarationsBody(Struct, kw_only=True):
    """All variables of an agent, in order."""

    items: list[VariableFields]
    "Items of the page, in order."


class Reconciled(Struct, kw_only=True):
    """Each model on each day that either side knows, by day and model."""

    items: list[ReconciledLine]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."
    currency: str
    "Code (ISO 4217) of all costs."


class ReplayBody(Struct, kw_only=True):
    """What a new run does like another one, and what differs. ``span_id``: it goes on from the step that this span belongs to, with what the other run had done before; for workflows, from the node at the top. ``version`` is `draft` or the name of a version; absent, that of the other run. ``effects``: tools and nodes that change something outside are called again; without it their results are taken from the other run."""

    span_id: str | None | UnsetType = UNSET
    "Id of the span."
    version: str | None | UnsetType = UNSET
    "Version as publishing named it; empty for the draft or for none."
    overrides: TriedOverrides | None | UnsetType = UNSET
    "What is tried instead of the settings of the agent."
    effects: bool | UnsetType = False
    "What the node changes outside: none, reads or writes."


class ResponseCancelledEvent(Struct, kw_only=True, tag_field="type", tag="response.cancelled"):
    """The event ``response.cancelled``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    response: ResponseObject


class ResponseCompletedEvent(Struct, kw_only=True, tag_field="type", tag="response.completed"):
    """The event ``response.completed``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    response: ResponseObject


class ResponseCreatedEvent(Struct, kw_only=True, tag_field="type", tag="response.created"):
    """The event ``response.created``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    response: ResponseObject


class ResponseFailedEvent(Struct, kw_only=True, tag_field="type", tag="response.failed"):
    """The event ``response.failed``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    response: ResponseObject


class ResponseInProgressEvent(Struct, kw_only=True, tag_field="type", tag="response.in_progress"):
    """The event ``response.in_progress``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    response: ResponseObject


class ResponseIncompleteEvent(Struct, kw_only=True, tag_field="type", tag="response.incomplete"):
    """The event ``response.incomplete``."""

    sequence_number: int
    "Grows from event to event, with gaps."
    response: ResponseObject


class RunCanceledEvent(Struct, kw_only=True, tag_field="type", tag="run.canceled"):
    """The run was cancelled."""

    run: EventRun
    at_ms: int
    "When it happened, in Unix milliseconds."


class RunCompletedEvent(Struct, kw_only=True, tag_field="type", tag="run.completed"):
    """The run ended well."""

    run: EventRun
    at_ms: int
    "When it happened, in Unix milliseconds."


class RunCreatedEvent(Struct, kw_only=True, tag_field="type", tag="run.created"):
    """The run and its question are stored."""

    run: EventRun
    at_ms: int
    "When it happened, in Unix milliseconds."


class RunFailedEvent(Struct, kw_only=True, tag_field="type", tag="run.failed"):
    """The run ended with an error."""

    run: EventRun
    at_ms: int
    "When it happened, in Unix milliseconds."


class RunRequiresActionEvent(Struct, kw_only=True, tag_field="type", tag="run.requires_action"):
    """The run waits for the user or the client; what follows has numbers after this one."""

    run: EventRun
    at_ms: int
    "When it happened, in Unix milliseconds."


class RunStartedEvent(Struct, kw_only=True, tag_field="type", tag="run.started"):
    """An executor took the run."""

    run: EventRun
    at_ms: int
    "When it happened, in Unix milliseconds."


class SavedAdminCanvas(Struct, kw_only=True):
    """The workflow after its canvas was saved, and what the check says."""

    workflow: AdminWorkflow
    findings: AdminFindings


ShareEvent: TypeAlias = (
    ShareRunStartedEvent
    | ShareMessageStartedEvent
    | ShareMessageDeltaEvent
    | ShareMessageReplacedEvent
    | ShareMessageCompletedEvent
    | ShareToolStartedEvent
    | ShareToolCompletedEvent
    | ShareKnowledgeRecalledEvent
    | ShareRunRequiresActionEvent
    | ShareRunCompletedEvent
    | ShareRunFailedEvent
    | ShareRunCanceledEvent
    | ErrorEvent
)
"One event of a run."


class ShareLinkCard(Struct, kw_only=True):
    """How the page of a link looks; nothing of what it leads to but what everybody may see."""

    target_type: TargetKind
    auth: LinkAuth
    name: str
    "What the page is called."
    icon_url: str
    "Picture of the agent; empty for a chat flow."
    welcome: str
    "What is said first."
    suggestions: list[str]
    "Questions to begin with."
    shortcuts: list[ShareShortcut]
    "Prepared questions of the agent, with what visitors fill in."
    theme: str
    "`system`, `light` or `dark`."
    accent: str
    "Colour of buttons and links as `#rrggbb`; empty: the usual one."
    language: str
    "`en`, `zh`, or empty for that of the browser."
    footer: str
    "Line below the chat."
    allows_files: bool
    "Whether visitors may send files."
    keeps_history: bool
    "Whether visitors see what they said before."
    takes_feedback: bool
    "Whether visitors may say if an answer helped."
    shows_citations: bool
    "Whether answers name their sources."
    shows_steps: bool
    "Whether names of tools and searches are shown, and thoughts."


class ToolPage(Struct, kw_only=True):
    """All tools of a draft."""

    items: list[ToolView]
    "Items of the page, in order."
    total: int
    "Items of all pages."


class UpdateAgentBody(Struct, kw_only=True):
    """Changes of a draft."""

    prompt: PromptFields | None | UnsetType = UNSET
    "Persona of the agent."
    model: ModelFields | None | UnsetType = UNSET
    "Settings of the model."
    knowledge: KnowledgeFields | None | UnsetType = UNSET
    "Knowledge bases and how they are searched."
    variables: list[VariableFields] | None | UnsetType = UNSET
    "Variables that are declared, with their defaults."
    memory: MemoryFields | None | UnsetType = UNSET
    "What the agent remembers."
    plugins: list[PluginToolFields] | None | UnsetType = UNSET
    "Tools of plugins that the agent uses."
    client_tools: list[ClientToolFields] | None | UnsetType = UNSET
    "Tools that run at the client, which submits their outputs."
    onboarding: OnboardingPatch | None | UnsetType = UNSET
    "What end users see before they ask."
    suggest_reply: SuggestFields | None | UnsetType = UNSET
    "Questions that are suggested after an answer."
    workflow_agent: WorkflowAgentFields | None | UnsetType = UNSET
    "The workflow that answers instead of a model; null for none."
    workflows: list[WorkflowFields] | None | UnsetType = UNSET
    "Workflows that the agent may call."
    agents: list[MemberFields] | None | UnsetType = UNSET
    "Other agents that this one works with."
    router: RouterFields | None | UnsetType = UNSET
    "Which agent takes a question."
    link_hosts: list[str] | None | UnsetType = UNSET
    "Hosts that images in answers may come from; ``*`` for any."
    egress_hosts: list[str] | None | UnsetType = UNSET
    "The only hosts that tools and workflows of the agent may call; none named: no limit."
    openai_system: Literal["append", "replace", "ignore"] | None | UnsetType = UNSET
    "What becomes of system messages in OpenAI requests."
    openai_tools: Literal["allow", "deny"] | None | UnsetType = UNSET
    "``deny``: OpenAI requests may bring no tools of their own."
    name: str | UnsetType = UNSET
    "Name that people read."
    description: str | None | UnsetType = UNSET
    "What it is for; models and people read it."
    icon_file_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Id of the upload with the icon; empty or null for none."
    alias: str | None | UnsetType = UNSET
    "Second name under which it can be called, unique in the deployment."
    trace_capture: Literal["off", "metadata", "content"] | None | UnsetType = UNSET
    "How much is kept of its runs, of all versions, from now on: `off`, `metadata` or `content`; null: as the workspace says."


class UsageGroup(Struct, kw_only=True):
    """What the calls with the same values amount to."""

    values: dict[str, str]
    "By the names of `group_by`; an empty text stands for none."
    total: UsageSums
    series: list[UsageStep]
    "Empty without `interval`."


class UsageReport(Struct, kw_only=True):
    """Sums of everything, and of the groups that cost most."""

    since: int
    "Begin of the time, in Unix seconds."
    until: int
    "End of the time, in Unix seconds."
    zone: str
    "Time zone of the steps."
    currency: str
    "Code (ISO 4217) of the money that costs are in."
    total: UsageSums
    series: list[UsageStep]
    "Empty without `interval`."
    groups: list[UsageGroup]
    "Those that cost most first; empty without `group_by`."
    group_count: int
    "How many there are; those beyond `limit` are in `rest`."
    rest: UsageSums | None
    "Sums of the groups that are left out; null if none is."


class VariableDeclarations(Struct, kw_only=True):
    """What an agent declares; ``revision`` is that of its draft."""

    items: list[VariableFields]
    "Items of the page, in order."
    revision: int
    "Revision of the draft of the agent; goes into `If-Match`."


WorkflowEvent: TypeAlias = (
    WorkflowRunBeganEvent
    | WorkflowMessageEvent
    | WorkflowNodeBeganEvent
    | WorkflowNodeEndedEvent
    | WorkflowAskedEvent
    | WorkflowRunInterruptedEvent
    | WorkflowRunEndedEvent
    | ErrorEvent
)
"One event of a run."
WorkflowFrame: TypeAlias = (
    WorkflowMessageFrame | WorkflowInterruptFrame | WorkflowErrorFrame | WorkflowDoneFrame
)
"One frame of a stream."


class Bot(Struct, kw_only=True):
    """A bot in full; optional objects are complete or absent."""

    bot_id: str
    "Id of the agent (bot)."
    name: str
    "Name that people read."
    description: str
    "What it is for; models and people read it."
    icon_url: str
    "Address of the icon, signed for an hour; empty for none."
    create_time: int
    "When it was made, in Unix seconds."
    update_time: int
    "When it was changed last, in Unix seconds."
    prompt_info: BotPrompt
    onboarding_info: BotOnboarding
    bot_mode: int
    "0 a single agent, 1 several agents, 2 a workflow that answers."
    plugin_info_list: list[BotPlugin]
    "Plugins that the agent uses."
    knowledge: BotKnowledge
    workflow_info_list: list[BotWorkflow]
    "Workflows that the agent uses."
    suggest_reply_info: BotSuggest
    shortcut_commands: list[BotShortcut]
    "Buttons below the input of a chat."
    variables: list[BotVariable]
    "Variables that the agent declares."
    owner_user_id: str
    "Id of the account that made it."
    default_user_input_type: str
    "How users write first: text or voice."
    version: str | UnsetType = ""
    "Version as publishing named it; empty for the draft or for none."
    model_info: BotModel | None | UnsetType = UNSET
    "Settings of the model."


ChatFrame: TypeAlias = (
    ChatCreatedFrame
    | ChatInProgressFrame
    | ChatMessageDeltaFrame
    | ChatMessageCompletedFrame
    | ChatRequiresActionFrame
    | ChatCompletedFrame
    | ChatFailedFrame
    | ChatCanceledFrame
    | ChatErrorFrame
    | ChatDoneFrame
)
"One frame of a stream."


class Completion(Struct, kw_only=True):
    """Answer of a call without ``stream``; the last two fields only with FastGPT's ``detail``."""

    id: str
    "Its id."
    object: str
    "Kind of the object."
    created: int
    "When it was made, in Unix seconds."
    model: str
    "Name of the model or agent."
    choices: list[CompletionChoice]
    "Answers; there is always one."
    usage: CompletionUsage
    system_fingerprint: str | None
    "Always null."
    responseData: list[NodeResult] | UnsetType = UNSET
    "Steps that led to the answer; only with `detail`."
    newVariables: dict[str, Any] | UnsetType = UNSET
    "Variables as the answer left them."


class CompletionMessageIn(Struct, kw_only=True):
    """One message of the request; ``tool_call_id`` only with the role ``tool``."""

    role: str
    "Who it is from: user, assistant, system, developer or tool."
    content: str | list[ContentPart] | None | UnsetType = UNSET
    "Text; in requests also a list of parts where the schema says so."
    tool_calls: list[ToolCallIn] | None | UnsetType = UNSET
    "Calls that the model asks for."
    tool_call_id: str | None | UnsetType = UNSET
    "Id of the call that this is the output of."


class CompletionRequest(Struct, kw_only=True):
    """Body of ``POST /v1/chat/completions``; the last six fields are FastGPT's."""

    model: str
    "Id or alias of an agent, or name of a model."
    messages: list[CompletionMessageIn]
    "Messages, oldest first; the last one is usually the question. At most 2000."
    stream: bool | None | UnsetType = UNSET
    "Answer as an event stream. Default false."
    stream_options: StreamOptions | None | UnsetType = UNSET
    "What the stream tells."
    temperature: float | None | UnsetType = UNSET
    "How varied answers are, 0 to 2; null for the default of the model."
    top_p: float | None | UnsetType = UNSET
    "Share of the likeliest tokens that count, 0 to 1; null for the default of the model."
    presence_penalty: float | None | UnsetType = UNSET
    "How much words that occurred are avoided, -2 to 2."
    frequency_penalty: float | None | UnsetType = UNSET
    "How much repeated words are avoided, -2 to 2."
    seed: int | None | UnsetType = UNSET
    "Number that makes answers repeatable, where the model can do that."
    max_tokens: int | None | UnsetType = UNSET
    "Tokens of the answer, at most; null for the default of the model."
    max_completion_tokens: int | None | UnsetType = UNSET
    "Tokens of the answer, at most."
    stop: str | list[str] | None | UnsetType = UNSET
    "Texts at which the answer ends, at most four."
    response_format: ResponseFormat | None | UnsetType = UNSET
    "Form of the answer."
    tools: list[ToolIn] | None | UnsetType = UNSET
    "Tools that may be called."
    tool_choice: str | ToolChoiceIn | None | UnsetType = UNSET
    "Whether tools are called: none, auto (default), required, or one that must be."
    parallel_tool_calls: bool | None | UnsetType = UNSET
    "Whether the model may call several tools at once. Default true."
    functions: list[Any] | None | UnsetType = UNSET
    "Predecessor of `tools`; refused."
    function_call: Any | UnsetType = UNSET
    "Predecessor of `tool_choice`; refused."
    n: int | None | UnsetType = UNSET
    "Answers; only 1 is made."
    logprobs: bool | None | UnsetType = UNSET
    "Not supported: any value is refused."
    top_logprobs: int | None | UnsetType = UNSET
    "Not supported: any value is refused."
    modalities: list[str] | None | UnsetType = UNSET
    "Kinds of answers; only text is made."
    audio: Any | UnsetType = UNSET
    "Not supported: any value is refused."
    reasoning_effort: str | None | UnsetType = UNSET
    "How much the model thinks: none, minimal, low, medium, high or xhigh."
    verbosity: str | None | UnsetType = UNSET
    "How long answers are: low, medium or high."
    store: bool | None | UnsetType = UNSET
    "Keep it, so that it can be asked for and gone on from. Default true."
    service_tier: str | None | UnsetType = UNSET
    "Taken for compatibility; always `default`."
    prediction: Any | UnsetType = UNSET
    "Taken for compatibility; not used."
    logit_bias: dict[str, Any] | None | UnsetType = UNSET
    "Taken for compatibility; not used."
    moderation: Any | UnsetType = UNSET
    "Taken for compatibility; not used."
    web_search_options: Any | UnsetType = UNSET
    "Taken for compatibility; not used."
    user: str | None | UnsetType = UNSET
    "Id of the end user, as the caller names it."
    safety_identifier: str | None | UnsetType = UNSET
    "Id of the end user; taken for compatibility, not used."
    metadata: dict[str, str | None] | None | UnsetType = UNSET
    "Keys and texts of the caller; keys to 64, texts to 512 characters, at most 16."
    conversation_id: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Conversation to go on with and to keep the answer in; without it, nothing is kept."
    chatId: str | None | UnsetType = UNSET
    "Conversation of the end user, as clients of FastGPT name it."
    responseChatItemId: str | None | UnsetType = UNSET
    "Id that the answer shall have, as clients of FastGPT give it."
    variables: dict[str, Any] | None | UnsetType = UNSET
    "Values of variables of the agent for this answer, by name."
    detail: bool | None | UnsetType = UNSET
    "Answer also the steps that led to the answer, as FastGPT does."
    retainDatasetCite: bool | None | UnsetType = UNSET
    "Keep marks of citations in the text."
    appId: Annotated[str, Meta(pattern="^\\d{1,19}$")] | None | UnsetType = UNSET
    "Agent to ask, as clients of FastGPT name it."


class EnvelopeOfBot(Struct, kw_only=True):
    """An answer in Coze's envelope: ``code`` 0 and what was asked for."""

    code: int
    "Stable number of the error; see the list of errors. 0: none."
    msg: str
    "What happened, in a sentence; empty if all went well."
    data: Bot
    detail: Detail


class ModelPage(Struct, kw_only=True):
    """One page of models by name; no ``next_cursor`` on the last one."""

    items: list[ModelView]
    "Items of the page, in order."
    total: int
    "Items of all pages."
    next_cursor: str | None
    "Goes into `cursor` for the next page; null on the last one."


ResponseEvent: TypeAlias = (
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
    | ResponseErrorEvent
)
"One event of a response."
RunEvent: TypeAlias = (
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
    | ErrorEvent
)
"One event of a run."
