/**
 * All metrics. Counters start at 0 with the process and only increase. No label contains text of a caller: names of tools are those of the
 * registry, at most `maxTools` of them.
 */
export const metricList = {
  toolrack_calls_total: {
    type: "counter",
    labels: ["tool", "outcome", "code"],
    help: "Calls that ended, by tool, outcome (ok, error, refused) and code. Unknown tools are counted as (unknown), tools beyond the first 2000 as (other).",
  },
  toolrack_call_duration_seconds: {
    type: "histogram",
    labels: ["tool"],
    help: "The same as gen_ai_execute_tool_duration_seconds, by tool alone; only with server.metrics.oldNames.",
  },
  gen_ai_execute_tool_duration_seconds: {
    type: "histogram",
    labels: ["gen_ai_tool_name", "gen_ai_tool_type", "error_type"],
    help: "Duration of calls, without the time that they waited for people, as OpenTelemetry names it (gen_ai.execute_tool.duration). error_type is the code of a call that failed or was refused.",
  },
  mcp_server_operation_duration_seconds: {
    type: "histogram",
    labels: ["mcp_method_name", "gen_ai_tool_name", "error_type", "mcp_protocol_version", "network_transport"],
    help: "Duration of requests and notifications of MCP clients until their result (mcp.server.operation.duration). Unknown methods and versions are counted as (other), as is everything beyond 2500 series.",
  },
  mcp_client_operation_duration_seconds: {
    type: "histogram",
    labels: ["mcp_method_name", "gen_ai_tool_name", "error_type", "network_transport", "server_address", "server_port", "toolrack_source"],
    help: "Duration of requests to MCP servers (mcp.client.operation.duration). Everything beyond 2500 series is counted as (other).",
  },
  toolrack_calls_running: { type: "gauge", labels: [], help: "Calls that run now." },
  toolrack_approvals_waiting: { type: "gauge", labels: [], help: "Calls that wait for approval, on all servers of the store." },
  toolrack_jobs_total: {
    type: "counter",
    labels: ["kind", "outcome"],
    help: "Attempts of jobs that this server ended, by kind (call, startup, delivery) and outcome (done, retry, dead, cancelled).",
  },
  toolrack_jobs_running: { type: "gauge", labels: [], help: "Jobs that run on this server." },
  toolrack_job_delay_seconds: { type: "histogram", labels: [], help: "Time from when a job was due to its start." },
  toolrack_unrecorded_calls_total: {
    type: "counter",
    labels: [],
    help: "Calls that ran although their start could not be recorded in the audit log.",
  },
  toolrack_kept_ends: { type: "gauge", labels: [], help: "Ends of calls that wait to be written to the audit log." },
  toolrack_lost_ends_total: {
    type: "counter",
    labels: [],
    help: "Ends of calls that were lost because the buffer was full.",
  },
  toolrack_tools: { type: "gauge", labels: ["state"], help: "Tools in the registry, by state." },
  toolrack_source_up: {
    type: "gauge",
    labels: ["source"],
    help: "1 while a source of tools works, 0 while it fails, starts or waits for approval.",
  },
  toolrack_source_down_info: {
    type: "gauge",
    labels: ["source", "state", "reason"],
    help: "1 for each source whose toolrack_source_up is 0: its state, and why in at most 160 characters.",
  },
  toolrack_broker_up: {
    type: "gauge",
    labels: ["pool"],
    help: "1 while this server reaches the broker of a pool of workers, 0 while it does not.",
  },
  toolrack_workers: { type: "gauge", labels: ["pool"], help: "Workers of a pool that this server sees." },
  toolrack_worker_slots: { type: "gauge", labels: ["pool"], help: "How many calls they run at the same time." },
  toolrack_worker_calls: { type: "gauge", labels: ["pool"], help: "How many calls they run now, of all servers." },
  toolrack_leases_lost_total: {
    type: "counter",
    labels: [],
    help: "How often this server lost its lease, and its calls with it: it was paused, or cut off from the store.",
  },
  toolrack_leases_taken_total: { type: "counter", labels: [], help: "Servers that ended without a word, whose lease this server took." },
  toolrack_servers: {
    type: "gauge",
    labels: ["status"],
    help: "Servers of the store, by status (active, inactive). The same on every server.",
  },
  toolrack_server_info: {
    type: "gauge",
    labels: ["server", "host", "version", "config"],
    help: "1 for each active server of the store; config is a digest of its whole configuration in force. The same on every server.",
  },
  toolrack_servers_differing: {
    type: "gauge",
    labels: ["in"],
    help: "Active servers that differ from this one, in config, master_key, log (of definitions) or version.",
  },
  toolrack_sources_down: {
    type: "gauge",
    labels: ["server"],
    help: "Sources of each active server that are not ready. The same on every server.",
  },
  toolrack_jobs: { type: "gauge", labels: ["state"], help: "Stored jobs of all servers, by state (waiting, running, dead)." },
  toolrack_job_oldest_seconds: {
    type: "gauge",
    labels: [],
    help: "How long the job of any server has been due that waits longest; 0 if none is due.",
  },
  toolrack_store_size_bytes: {
    type: "gauge",
    labels: [],
    help: "What the store takes on its disk, or its tables and indexes in the database.",
  },
  toolrack_store_up: { type: "gauge", labels: [], help: "1 while the store works, 0 while it fails." },
  toolrack_store_outages_total: { type: "counter", labels: [], help: "Outages of the store." },
  toolrack_store_connections: { type: "gauge", labels: ["state"], help: "Connections to the database: in use, idle." },
  toolrack_store_connections_max: { type: "gauge", labels: [], help: "Maximum number of connections of the pool." },
  toolrack_store_queue: { type: "gauge", labels: [], help: "Queries that wait for a connection." },
  toolrack_store_query_duration_seconds: { type: "histogram", labels: [], help: "Duration of database queries." },
  toolrack_store_query_failures_total: { type: "counter", labels: [], help: "Failed database queries." },
  toolrack_feed_lag_seconds: {
    type: "gauge",
    labels: [],
    help: "Delay of the last change from the store; while the feed fails, how long it has been failing.",
  },
  toolrack_http_requests_total: {
    type: "counter",
    labels: ["route", "status"],
    help: "Answered requests, by route and status. Unknown paths are counted as (none).",
  },
  toolrack_http_request_duration_seconds: { type: "histogram", labels: [], help: "Duration of requests until the answer started." },
  toolrack_event_streams: { type: "gauge", labels: [], help: "Open event streams of the HTTP API." },
  toolrack_mcp_streams: { type: "gauge", labels: [], help: "Open streams of MCP clients." },
  toolrack_mcp_sessions: { type: "gauge", labels: [], help: "MCP sessions with stored settings." },
  toolrack_log_lines_dropped_total: {
    type: "counter",
    labels: [],
    help: "Log lines that were dropped because of the limit.",
  },
  toolrack_build_info: { type: "gauge", labels: ["version", "node"], help: "Always 1: the versions of this server and of Node.js." },
  process_cpu_seconds_total: { type: "counter", labels: [], help: "Processor time of the process." },
  process_resident_memory_bytes: { type: "gauge", labels: [], help: "Memory of the process." },
  process_start_time_seconds: { type: "gauge", labels: [], help: "Start time of the process, in seconds since 1970." },
  process_open_fds: { type: "gauge", labels: [], help: "Open file descriptors, if the system reports them." },
  nodejs_heap_size_used_bytes: { type: "gauge", labels: [], help: "Memory in use on the heap." },
  nodejs_heap_size_total_bytes: { type: "gauge", labels: [], help: "Memory of the heap." },
  nodejs_external_memory_bytes: { type: "gauge", labels: [], help: "Memory of buffers and other objects outside the heap." },
  nodejs_eventloop_lag_p50_seconds: { type: "gauge", labels: [], help: "Delay of the event loop since the last scrape, median." },
  nodejs_eventloop_lag_p99_seconds: { type: "gauge", labels: [], help: "Delay of the event loop since the last scrape, 99th percentile." },
  nodejs_eventloop_lag_max_seconds: { type: "gauge", labels: [], help: "Delay of the event loop since the last scrape, longest." },
  nodejs_active_resources: { type: "gauge", labels: [], help: "Sockets, timers and other resources that keep the event loop alive." },
} as const;

export type MetricName = keyof typeof metricList;

/** How many tools are counted by name: the first ones that are called. */
export const maxTools = 2_000;

/** How many series a metric of MCP operations has, and one more for all that come later. */
export const maxSeries = 2_500;
