import { type ClusterReading, jobKinds } from "../../rack/cluster/cluster-facts.ts";
import type { Rack } from "../../rack/rack.ts";
import { createRedaction } from "@toolrack/store";
import { createCallCounters } from "./call-counters.ts";
import { writeCluster, writeDependencies } from "./cluster-metrics.ts";
import { createHistogram, durationsText } from "./histogram.ts";
import type { ServerLog } from "../log/log.ts";
import { toolType } from "../trace/conventions.ts";
import { createOperationDurations, type OperationDurations } from "./operation-durations.ts";
import { createProcessMetrics } from "./process-metrics.ts";
import { createMetricsText, labels, type MetricsText } from "./prometheus.ts";

/** The metrics of one server, in the text format of Prometheus. */
export interface Metrics {
  /** Requests of MCP clients, and requests to MCP servers. */
  readonly operations: OperationDurations;
  countRequest(route: string, status: number, seconds: number): void;
  /** From memory, so it works during an outage of the store; with what was read of all servers, if anything was. */
  write(cluster?: ClusterReading): string;
  close(): void;
}

/** Numbers of other parts of the server; absent ones are not written. Read at every scrape, synchronously. */
export interface MetricsSources {
  /** Calls that are missing in the audit log. */
  recording?(): RecordingNumbers;
  /** Statistics of the store engine; undefined if it has none. */
  engine?(): EngineNumbers | undefined;
}

/** All but `kept` since the start of the process; they only increase. */
export interface RecordingNumbers {
  /** Calls that ran although their start could not be recorded. */
  readonly unrecorded: number;
  /** Ends of calls that wait until the store accepts them. */
  readonly kept: number;
  /** Ends of calls that were lost because the buffer was full. */
  readonly dropped: number;
}

export interface EngineNumbers {
  /** Database connections; absent without a pool. */
  readonly pool?: { readonly max: number; readonly inUse: number; readonly idle: number; readonly waiting: number };
  readonly queries: {
    readonly failed: number;
    /** The sum of all durations. */
    readonly seconds: number;
    /** How many took at most `bounds[index]` and longer than the bound before; one more than there are bounds. */
    readonly buckets: readonly number[];
    /** In seconds. */
    readonly bounds: readonly number[];
  };
}

export interface MetricsOptions {
  readonly rack: Rack;
  /** Event streams that are open. */
  readonly streams: () => number;
  readonly mcp?: () => { readonly sessions: number; readonly streams: number };
  readonly sources?: MetricsSources;
}

export function createMetrics({ rack, streams, mcp = noMcp, sources = {} }: MetricsOptions): Metrics {
  const { registry, running, callEnds, version } = rack;
  const requests = new Map<string, Map<number, { readonly labels: string; count: number }>>();
  const requestSeconds = createHistogram("toolrack_http_request_duration_seconds", "");
  const calls = createCallCounters(
    (name) => (registry.has(name) ? toolType(registry.get(name)!) : undefined),
    rack.config.server?.metrics?.oldNames ?? false,
  );
  const operations = createOperationDurations((name) => registry.has(name));
  const own = createProcessMetrics();
  const redact = createRedaction({ values: () => rack.secrets.seenValues() });
  const close = callEnds.subscribe(calls.add);
  const jobEnds = new Map<string, number>(
    jobKinds.flatMap((kind) => jobOutcomes.map((outcome) => [labels({ kind, outcome }), 0] as const)),
  );
  const jobDelay = createHistogram("toolrack_job_delay_seconds", "");
  const leaveJobs = rack.jobs.subscribe(({ type, job: { kind, startedAt, dueAt } }) => {
    if (type === "started" && startedAt !== undefined) jobDelay.add(Math.max(0, startedAt - dueAt) / 1_000);
    const ended = labels({ kind, outcome: type });
    if (jobEnds.has(ended)) jobEnds.set(ended, jobEnds.get(ended)! + 1);
  });

  function writeCalls(text: MetricsText): void {
    text.each("toolrack_calls_total", calls.counts());
    text.lines("gen_ai_execute_tool_duration_seconds", calls.durations());
    const old = calls.oldDurations();
    if (old !== undefined) text.lines("toolrack_call_duration_seconds", old);
    text.lines("mcp_server_operation_duration_seconds", operations.serverText());
    text.lines("mcp_client_operation_duration_seconds", operations.clientText());
    text.one("toolrack_calls_running", running.list().length);
    text.one("toolrack_approvals_waiting", rack.approvals.waiting());
    const recording = sources.recording?.();
    text.one("toolrack_unrecorded_calls_total", recording?.unrecorded);
    text.one("toolrack_kept_ends", recording?.kept);
    text.one("toolrack_lost_ends_total", recording?.dropped);
  }

  function writeJobs(text: MetricsText): void {
    text.each("toolrack_jobs_total", [...jobEnds]);
    text.one("toolrack_jobs_running", rack.jobs.state().running);
    text.lines("toolrack_job_delay_seconds", [jobDelay.text()]);
  }

  function writeTools(text: MetricsText): void {
    const states = new Map<string, number>();
    for (const { state } of registry.entries()) states.set(state, (states.get(state) ?? 0) + 1);
    text.each(
      "toolrack_tools",
      [...states].map(([state, count]) => [labels({ state }), count] as const),
    );
    const redacted = redact();
    writeDependencies(text, rack, (reason) => String(redacted(reason)));
  }

  function writeStore(text: MetricsText): void {
    const { storeWatch } = rack;
    text.one("toolrack_store_up", storeWatch.isUp ? 1 : 0);
    text.one("toolrack_store_outages_total", storeWatch.outages);
    const { pool, queries } = sources.engine?.() ?? {};
    if (pool !== undefined) {
      const states = [
        [labels({ state: "used" }), pool.inUse],
        [labels({ state: "idle" }), pool.idle],
      ] as const;
      text.each("toolrack_store_connections", states);
      text.one("toolrack_store_connections_max", pool.max);
      text.one("toolrack_store_queue", pool.waiting);
    }
    if (queries !== undefined) {
      text.lines("toolrack_store_query_duration_seconds", [durationsText("toolrack_store_query_duration_seconds", queries)]);
      text.one("toolrack_store_query_failures_total", queries.failed);
    }
    text.one("toolrack_feed_lag_seconds", rack.feedLagMs() / 1_000);
  }

  function writeRequests(text: MetricsText): void {
    const counted = [...requests.values()].flatMap((byStatus) => [...byStatus.values()]);
    text.each(
      "toolrack_http_requests_total",
      counted.map((one) => [one.labels, one.count] as const),
    );
    text.lines("toolrack_http_request_duration_seconds", [requestSeconds.text()]);
    const { sessions, streams: mcpStreams } = mcp();
    text.one("toolrack_event_streams", streams());
    text.one("toolrack_mcp_streams", mcpStreams);
    text.one("toolrack_mcp_sessions", sessions);
  }

  return {
    operations,
    countRequest(route, status, seconds) {
      let byStatus = requests.get(route);
      if (byStatus === undefined) requests.set(route, (byStatus = new Map()));
      let counted = byStatus.get(status);
      if (counted === undefined) byStatus.set(status, (counted = { labels: labels({ route, status }), count: 0 }));
      counted.count += 1;
      requestSeconds.add(seconds);
    },
    write(cluster) {
      const text = createMetricsText();
      writeCalls(text);
      writeJobs(text);
      writeTools(text);
      writeStore(text);
      writeRequests(text);
      if (cluster !== undefined) writeCluster(text, cluster);
      text.one("toolrack_log_lines_dropped_total", (rack.log as Partial<ServerLog>).dropped);
      text.each("toolrack_build_info", [[labels({ version, node: process.version }), 1]]);
      own.write(text);
      return text.toString();
    },
    close() {
      close();
      leaveJobs();
      own.close();
    },
  };
}

const jobOutcomes = ["done", "retry", "dead", "cancelled"] as const;

const noMcp = (): { sessions: number; streams: number } => ({ sessions: 0, streams: 0 });
