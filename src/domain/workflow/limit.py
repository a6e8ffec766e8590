"""Limits of workflows; zero means no limit everywhere."""

from typing import Literal

import msgspec

MIB = 1024 * 1024


class WorkflowLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Defaults of the workflow specification, to be lowered by deployment or workflow."""

    canvas_bytes: int = 20 * MIB
    json_depth: int = 128
    """Of a canvas; a composite inside a composite takes two levels."""
    nodes: int = 1000
    diagnostics: int = 1000
    """A canvas with more problems is reported up to here."""
    nesting: int = 20
    """Composites, children and tools inside each other."""

    node_executions: int = 100_000
    run_foreground_s: float = 600.0
    run_background_s: float = 24 * 3600.0
    model_node_s: float = 180.0
    remote_node_s: float = 120.0
    """Plugin and HTTP nodes."""
    code_node_s: float = 60.0
    concurrent_nodes: int = 64
    fastgpt_concurrent_nodes: int = 10

    batch_size: int = 100
    """When the canvas gives none."""
    batch_concurrency: int = 10
    batch_size_max: int = 10_000
    batch_concurrency_max: int = 50
    loop_iterations: int = 10_000
    """Of an infinite loop."""
    options: int = 26
    message_page: int = 50
    http_file_bytes: int = 20 * MIB
    http_file_s: float = 20.0
    http_response_bytes: int = 20 * MIB
    http_redirects: int = 10
    value_bytes: int = 10 * MIB
    state_bytes: int = 100 * MIB
    stream_buffer_bytes: int = 1 * MIB
    error_chars: int = 1000
    record_field_bytes: int = 1 * MIB
    kept_variables_bytes: int = MIB // 4
    """Variables of a flow that last as long as its conversation, as JSON."""

    tool_rounds: int = 10
    fastgpt_tool_rounds: int = 5
    interrupt_ttl_s: float = 30 * 24 * 3600.0
    background_runs: int = 200
    """Runs of one process that nobody waits for; more of them queue in the database."""
    run_attempts: int = 5
    """A run whose worker dies this often is given up."""
    run_log_ttl_s: float = 30 * 24 * 3600.0
    """How long events and states of ended runs are kept."""
    durability: Literal["sync", "batched", "off"] = "batched"
    """``sync``: every node is durable before the next one starts. ``batched``: those before a node
    that changes something outside. ``off``: runs end with their process."""
    plan_cache_entries: int = 256
    plan_cache_bytes: int = 64 * MIB
    """Length of the canvases whose plans are kept."""
