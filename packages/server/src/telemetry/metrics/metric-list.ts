/**
 * Every metric once. Counters begin at 0 with the process and only rise. No label takes a text of a caller: names of tools are those of
 * the registry, at most `maxTools` of them.
 */
export const metricList = {
  toolrack_calls_total: {
    type: "counter",
    labels: ["tool", "outcome", "code"],
    help: "Calls that ended, by tool, outcome (ok, error, refused) and code. Tools that nobody has are counted as (unknown), those beyond the first 2000 as (other).",
  },
  toolrack_call_duration_seconds: { type: "histogram", labels: ["tool"], help: "How long calls took, with their waiting for a person." },
  toolrack_calls_running: { type: "gauge", labels: [], help: "Calls that run now." },
  toolrack_approvals_waiting: { type: "gauge", labels: [], help: "Calls that wait for a person, on all servers of the store." },
  toolrack_unrecorded_calls_total: { type: "counter", labels: [], help: "Calls that ran although the audit could not be written." },
  toolrack_kept_ends: { type: "gauge", labels: [], help: "Ends of calls that wait to be written to the audit." },
  toolrack_lost_ends_total: {
    type: "counter",
    labels: [],
    help: "Ends of calls that are in no audit, because there was no room to keep them.",
  },
  toolrack_tools: { type: "gauge", labels: ["state"], help: "Tools in the registry, by state." },
  toolrack_source_up: { type: "gauge", labels: ["source"], help: "1 while a source of tools works, 0 while it fails." },
  toolrack_store_up: { type: "gauge", labels: [], help: "1 while the store works, 0 while it fails." },
  toolrack_store_outages_total: { type: "counter", labels: [], help: "How often the store began to fail." },
  toolrack_store_connections: { type: "gauge", labels: ["state"], help: "Connections to the database: in use, idle." },
  toolrack_store_connections_max: { type: "gauge", labels: [], help: "Connections that the pool may open." },
  toolrack_store_queue: { type: "gauge", labels: [], help: "Queries that wait for a connection." },
  toolrack_store_query_duration_seconds: { type: "histogram", labels: [], help: "How long queries to the database took." },
  toolrack_store_query_failures_total: { type: "counter", labels: [], help: "Queries to the database that failed." },
  toolrack_feed_lag_seconds: {
    type: "gauge",
    labels: [],
    help: "How long the last change took to come in from the store; while the feed fails, how long it has been failing.",
  },
  toolrack_http_requests_total: {
    type: "counter",
    labels: ["route", "status"],
    help: "Requests that were answered, by route and status. Addresses that lead nowhere are counted as (none).",
  },
  toolrack_http_request_duration_seconds: { type: "histogram", labels: [], help: "How long requests took until their answer began." },
  toolrack_event_streams: { type: "gauge", labels: [], help: "Event streams of the HTTP API that are open." },
  toolrack_mcp_streams: { type: "gauge", labels: [], help: "Streams of MCP clients that are open." },
  toolrack_mcp_sessions: { type: "gauge", labels: [], help: "MCP sessions that something is kept for." },
  toolrack_log_lines_dropped_total: {
    type: "counter",
    labels: [],
    help: "Lines that were left out of the log, because there were too many.",
  },
  toolrack_build_info: { type: "gauge", labels: ["version", "node"], help: "Always 1: the versions of this server and of Node.js." },
  process_cpu_seconds_total: { type: "counter", labels: [], help: "Processor time of the process." },
  process_resident_memory_bytes: { type: "gauge", labels: [], help: "Memory of the process." },
  process_start_time_seconds: { type: "gauge", labels: [], help: "When the process began, in seconds since 1970." },
  process_open_fds: { type: "gauge", labels: [], help: "Open file descriptors, where the system tells." },
  nodejs_heap_size_used_bytes: { type: "gauge", labels: [], help: "Memory in use on the heap." },
  nodejs_heap_size_total_bytes: { type: "gauge", labels: [], help: "Memory of the heap." },
  nodejs_external_memory_bytes: { type: "gauge", labels: [], help: "Memory of buffers and other things outside of the heap." },
  nodejs_eventloop_lag_p50_seconds: { type: "gauge", labels: [], help: "Delay of the event loop since the last scrape, median." },
  nodejs_eventloop_lag_p99_seconds: { type: "gauge", labels: [], help: "Delay of the event loop since the last scrape, 99th percentile." },
  nodejs_eventloop_lag_max_seconds: { type: "gauge", labels: [], help: "Delay of the event loop since the last scrape, longest." },
  nodejs_active_resources: { type: "gauge", labels: [], help: "Sockets, timers and other things that keep the event loop busy." },
} as const;

export type MetricName = keyof typeof metricList;

/** So many tools are counted by name, the first ones that are called. */
export const maxTools = 2_000;
