"""Every limit of the product, in one place; the settings section ``limits`` overrides them."""

import msgspec

KIB = 1024
MIB = 1024 * KIB


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Defaults from the security specification, raised where a client contract needs more."""

    json_body_bytes: int = 1 * MIB
    """Body of a request, unless its route is one of the larger ones in ``api/body/limit.py``."""
    large_body_bytes: int = 20 * MIB
    """Body of requests that may carry images, long histories or canvases."""
    document_body_bytes: int = 140 * MIB
    """Body of requests that may carry files as base64; beside them ``large_body_bytes``."""
    json_depth: int = 64
    json_values: int = 15_000
    """Values in a body, unless its route is one of the larger ones; in parameters of workflows."""
    large_json_values: int = 50_000
    """Values in a body of the larger routes."""
    bodies_bytes: int = 256 * MIB
    """Bodies that are being read, of all requests of a process; workspaces have them in turn."""
    bodies_waiting: int = 64
    """Requests of one workspace that wait for room for their bodies."""
    body_wait_s: float = 10.0
    """For how long they wait before they are refused."""
    body_bytes_per_s: int = 16 * KIB
    """Whoever sends a body more slowly than this, on average, is given up."""
    upload_bytes: int = 512 * MIB
    multipart_parts: int = 100
    multipart_header_bytes: int = 4 * KIB
    """One header line of one part."""
    multipart_headers: int = 8
    multipart_overhead_bytes: int = 1 * MIB
    """Everything of an upload's body that is not the file."""
    upload_idle_s: float = 30.0
    """Longest pause in a body, of an upload or any other; the average rate counts from here."""
    object_store_s: float = 30.0
    """One step of the object store: a chunk, an object held in memory, a deletion."""
    upload_total_s: float = 3600.0
    upload_abandoned_s: int = 2 * 3600
    """An upload that began this long ago and did not complete never will."""
    avatar_bytes: int = 1 * MIB
    """Picture of an account."""
    file_purge_delay_s: int = 24 * 3600
    file_purge_interval_s: float = 600.0
    file_purge_batch: int = 100
    space_purge_interval_s: float = 600.0
    """How often somebody looks for workspaces for whose return it is too late."""
    header_bytes: int = 16 * KIB
    url_bytes: int = 8 * KIB
    string_bytes: int = 64 * KIB
    message_bytes: int = 1 * MIB
    """Longest content of one chat message."""
    tool_output_bytes: int = 1 * MIB
    """Longest output of a tool that a client executes."""

    additional_messages: int = 100
    completion_messages: int = 2000
    """Messages of one request on the OpenAI surface, whose clients send the whole history."""

    conversation_create_messages: int = 16
    meta_pairs: int = 16
    meta_key_chars: int = 64
    meta_value_chars: int = 512
    end_user_chars: int = 256
    conversation_name_chars: int = 100
    feedback_comment_chars: int = 500
    idempotency_key_chars: int = 255
    idempotency_ttl_s: int = 24 * 3600

    agent_name_chars: int = 50
    agent_description_chars: int = 2000
    persona_bytes: int = 64 * KIB
    persona_output_bytes: int = 256 * KIB
    suggested_questions: int = 10
    suggested_question_chars: int = 500
    agent_alias_chars: int = 64
    agent_datasets: int = 100
    agent_variables: int = 100
    agent_history_rounds_new: int = 10
    """Rounds of agents made here; an agent without the setting uses ``history_rounds``."""
    agent_shortcuts: int = 20
    agent_max_tokens: int = 1_000_000
    agent_top_k: int = 1000
    publish_note_chars: int = 1024
    placeholder_chars: int = 256
    chattable_agents: int = 1000
    definition_cache_s: float = 5.0
    agent_restore_s: int = 7 * 24 * 3600
    """How long a deleted agent can be brought back."""
    workflow_restore_s: int = 7 * 24 * 3600
    """How long a deleted workflow can be brought back."""
    workflow_saved_inputs: int = 50
    """What one person keeps of one workflow to try it with."""
    saved_input_bytes: int = 256 * KIB
    definition_cache_entries: int = 1024
    persona_deadline_s: float = 1.0
    variables_deadline_s: float = 2.0
    knowledge_deadline_s: float = 10.0
    tools_deadline_s: float = 5.0
    """For finding out which tools an agent has."""
    agent_recall_slices: int = 20
    """Most slices that an agent may ask a search for."""
    agent_recall_tokens: int = 3000
    summary_min_tokens: int = 2000
    """What has to fall out of the context before it is summarised."""
    summary_tokens: int = 1024
    memory_items: int = 300
    """What an agent remembers of one end user; what counts least makes room."""
    memory_item_chars: int = 2000
    memory_tokens: int = 800
    """Memories in one prompt; never more than a tenth of the input."""
    memory_deadline_s: float = 3.0
    agent_steps: int = 10
    """Model calls of one run that may use tools; one without tools may follow."""
    agent_tool_calls: int = 64
    agent_parallel_tools: int = 4
    agent_run_tokens: int = 0
    """Tokens of one run, all its agents together, after which it has to answer; 0: no limit."""
    agent_members: int = 20
    agent_depth: int = 3
    """Agents below the one that answers, each called by the one before."""
    agent_hand_offs: int = 5
    """How often a run may pass from one agent to another."""
    agent_router_s: float = 10.0
    agent_tool_result_chars: int = 64 * KIB
    """What is kept of the result of a tool; the model may get less."""

    app_conversations: int = 100
    """Named conversations that an app defines."""
    follow_ups: int = 3
    follow_up_chars: int = 60
    follow_up_deadline_s: float = 5.0
    """After it the run ends without follow-up questions."""

    history_rounds: int = 100
    run_wall_s: float = 1800.0
    """The Coze contract lets a chat run for 30 minutes."""
    runs_per_space: int = 2000
    runs_per_process: int = 2000
    run_starts: int = 24
    """Runs that are being stored at the same time; the others wait in line."""
    run_wait_s: float = 5.0
    """A new run waits so long for room; once the line is so slow, whoever comes is refused."""
    run_wait_max_s: float = 20.0
    """Longest wait of a run that is in the line."""
    overload_lag_s: float = 0.25
    """A loop that is later than this counts as overloaded; 0 switches the limit off."""
    overload_memory_share: float = 0.85
    """Of the control group's memory, beyond which work is refused; 0 switches it off."""
    overload_after_s: float = 1.0
    """Overload has to last so long before anything is refused, and again for each next step."""
    overload_requests: int = 64
    """With no more requests in progress than these a late loop is nobody's fault."""
    run_lease_s: float = 30.0
    action_wait_s: float = 86_400.0
    run_heartbeat_s: float = 10.0
    run_finalise_s: float = 5.0
    """For storing the end of a run that failed or was stopped."""
    cancel_poll_s: float = 1.0
    """How often a process looks for runs that another one was asked to cancel."""
    sweep_interval_s: float = 15.0
    sweep_batch: int = 100
    checkpoint_interval_s: float = 0.1
    conversation_purge_delay_s: int = 24 * 3600
    """Content of a deleted conversation is removed after this."""
    cancel_wait_s: float = 3.0
    disconnect_grace_s: float = 10.0
    """How long a run that nobody could fetch goes on without a reader."""
    shutdown_grace_s: float = 25.0

    channel_events: int = 2048
    channel_bytes: int = 4 * MIB
    subscriber_merge_events: int = 256
    follower_bytes: int = 64 * KIB
    """What one reader of a run gets at a time, about; the rest waits where all read it."""
    stream_gather_s: float = 0.04
    """While the loop is late, tokens of a model gather so long at most before they go on."""
    event_log_ttl_s: int = 3600
    response_ttl_days: int = 30
    """How long a response of the OpenAI surface is kept that says nothing else."""
    stream_keepalive_s: float = 15.0
    stream_write_stall_s: float = 30.0
    partial_interval_s: float = 1.0
    partial_bytes: int = 2 * KIB

    images_per_request: int = 10
    image_bytes: int = 20 * MIB
    image_pixels: int = 50_000_000
    image_side: int = 10_000
    signed_url_ttl_s: int = 3600

    model_connect_s: float = 5.0
    model_first_token_s: float = 60.0
    model_reasoning_first_token_s: float = 180.0
    model_idle_s: float = 60.0
    model_total_s: float = 600.0
    model_attempts: int = 3
    model_concurrency: int = 1024
    model_queue: int = 100
    model_queue_wait_s: float = 30.0
    model_event_bytes: int = 8 * MIB
    """Longest event of a provider's stream; longer ones are skipped."""
    model_reply_bytes: int = 32 * MIB
    """Longest answer of a provider that comes in one piece."""
    model_error_bytes: int = 64 * KIB
    """How much of a provider's error is read."""
    embedding_timeout_s: float = 30.0
    embedding_batch: int = 50
    rerank_timeout_s: float = 3.0

    egress_connect_s: float = 5.0
    egress_connections: int = 256
    """Open connections of one guarded profile."""
    egress_redirects: int = 3
    egress_total_s: float = 30.0
    egress_first_byte_s: float = 15.0
    egress_idle_s: float = 10.0
    egress_body_bytes: int = 10 * MIB
    egress_header_bytes: int = 64 * KIB
    egress_header_fields: int = 100
    egress_resolve_s: float = 3.0

    mcp_connect_s: float = 10.0
    """For getting to terms with an MCP server, per attempt; programs start within this."""
    mcp_call_s: float = 60.0
    """Longest silence of a call of an MCP tool; progress begins it anew."""
    mcp_call_max_s: float = 600.0
    """Longest call of an MCP tool, whatever progress it makes."""
    mcp_pages: int = 20
    mcp_tools: int = 500
    """Tools that one MCP server may offer."""
    mcp_message_bytes: int = 4 * MIB
    """Longest answer of an MCP server."""
    mcp_calls_per_server: int = 8
    mcp_servers: int = 1024
    """Servers and callers that are remembered at the same time."""
    mcp_list_cache_s: float = 300.0
    mcp_programs: int = 32
    """Processes of MCP servers that run at the same time."""
    mcp_program_idle_s: float = 600.0
    mcp_streams: int = 256
    """Clients connected to our MCP server by the older transport with an open stream."""

    workspace_bytes: int = 0
    """Files and documents of a workspace together, deleted files until they are purged; 0: any."""
    workspace_files: int = 0
    workspace_documents: int = 0
    """Documents of all knowledge bases of a workspace."""
    workspace_rows: int = 0
    """Rows of all tables of a workspace, in knowledge bases and databases."""

    token_max_days: int = 365
    spaces_per_user: int = 100
    audit_days: int = 0
    """For how long the audit log is kept; 0 keeps all of it."""
    groups_per_space: int = 500
    """Groups of one workspace, or of the deployment."""
    group_members: int = 5000
    grants_per_resource: int = 500
    requests_per_token_per_min: int = 0
    """0 switches the limit off (the contract's default)."""
    rate_class_low_per_min: int = 60
    """Requests of a service token of the rate class `low`; 0: any number."""
    rate_class_standard_per_min: int = 600
    rate_class_high_per_min: int = 6000
    requests_per_visitor_per_min: int = 120
    """Of a token that is fixed to an end user, as those for browsers are; 0 switches it off."""
    requests_per_stranger_per_min: int = 60
    """Of an address without a token, on public routes that have no own limit; 0: any number."""
    end_user_runs_per_min: int = 30
    """Chats that such an end user may begin, whatever token it is; 0 switches the limit off."""
    end_user_runs: int = 3
    """Chats of such an end user that are answered at once, in one process; 0: any number."""
    auth_cache_s: float = 30.0
    auth_cache_entries: int = 10_000
    """Bound of each table that authentication keeps in memory: tokens, failures, peers."""
    auth_unknown_s: float = 5.0
    """How long an unknown token is remembered as such."""
    token_use_interval_s: float = 60.0
    short_token_s: int = 86_400
    auth_failures_per_min: int = 60
    oauth_requests_per_min: int = 60
    """Requests for consent that applications begin from one address, and their wrong secrets and
    codes; 0 switches the limit off."""
    page_size: int = 100

    plugin_document_bytes: int = 4 * MIB
    """Largest document that becomes a plugin."""
    plugin_tools: int = 500
    plugin_hosts: int = 200
    plugin_call_s: float = 30.0
    plugin_body_bytes: int = 10 * MIB
    """Largest answer of a service."""
    plugin_file_bytes: int = 20 * MIB
    """All files that one call sends to a service."""
    plugin_parallel: int = 16
    """Calls of one plugin at the same time, in one process."""
    plugin_queue: int = 64
    """Calls of one plugin that wait for their turn."""
    plugin_text_chars: int = 24_000
    """What a model reads of one result."""

    table_query_s: float = 3.0
    """One statement of a model on tables of tenants."""
    table_query_rows: int = 100
    table_query_repairs: int = 0
    """How often a model may correct a query that was refused or failed."""
    table_cell_chars: int = 2000
    table_result_bytes: int = 64 * KIB

    document_bytes: int = 100 * MIB
    document_text_bytes: int = 50 * MIB
    document_output_bytes: int = 200 * MIB
    """All that a parser may say about one document, images included."""
    document_pages: int = 5000
    document_page_glyphs: int = 200_000
    document_page_cpu_s: float = 10.0
    document_wall_s: float = 120.0
    """For reading a document, and more for each of its pages up to a maximum."""
    document_page_wall_s: float = 2.0
    document_wall_max_s: float = 1800.0
    document_stall_s: float = 60.0
    """A parser that says nothing for so long is stuck."""
    document_rows: int = 200_000
    document_columns: int = 256
    document_field_bytes: int = 1 * MIB
    document_nesting: int = 512
    archive_members: int = 10_000
    archive_bytes: int = 512 * MIB
    archive_member_bytes: int = 256 * MIB
    archive_ratio: int = 200
    parser_workers: int = 4
    """Processes that read documents; one workspace never has more than half, rounded up."""
    parser_queue: int = 1000
    parser_files: int = 50
    """Documents of one owner that a parser process reads before it is replaced."""
    parser_memory_bytes: int = 1536 * MIB
    ocr_image_s: float = 60.0
    """Time to read one image; longer ones count as having no text."""
    ocr_idle_s: float = 30.0
    """How long the reader of images keeps its memory without work."""
