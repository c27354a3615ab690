import type { Rack } from "../rack/rack.ts";
import { createHistogram, type Histogram } from "./histogram.ts";
import { escapeLabel, heading, sample } from "./prometheus.ts";

/** The numbers of one server, in the text format of Prometheus. */
export interface Metrics {
  countRequest(route: string, status: number, seconds: number): void;
  /** Counts of calls come from the log, so they match the statistics and are the same on every server of one store. */
  write(): Promise<string>;
  close(): void;
}

export interface MetricsOptions {
  readonly rack: Rack;
  /** Event streams that are open. */
  readonly streams: () => number;
}

export function createMetrics({ rack, streams }: MetricsOptions): Metrics {
  const { registry, calls, running, callEnds, recording, version } = rack;
  const requests = new Map<string, Map<number, number>>();
  const requestSeconds = createHistogram();
  const callSeconds = new Map<string, Histogram>();
  const close = callEnds.subscribe(({ tool, result }) => {
    let histogram = callSeconds.get(tool);
    if (histogram === undefined) {
      if (!registry.has(tool)) return; // Names that somebody made up must not fill the memory.
      callSeconds.set(tool, (histogram = createHistogram()));
    }
    histogram.add(result.meta.durationMs / 1_000);
  });

  return {
    countRequest(route, status, seconds) {
      let byStatus = requests.get(route);
      if (byStatus === undefined) requests.set(route, (byStatus = new Map()));
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      requestSeconds.add(seconds);
    },
    async write() {
      const statistics = await calls.statistics();
      const states = new Map<string, number>();
      for (const { state } of registry.entries()) states.set(state, (states.get(state) ?? 0) + 1);
      return [
        heading("toolrack_calls_total", "counter", "Calls in the log, by tool and outcome; the same on every server of one store."),
        ...statistics.flatMap(({ tool, calls: total, errors }) => [
          sample("toolrack_calls_total", `tool="${escapeLabel(tool)}",outcome="ok"`, total - errors),
          sample("toolrack_calls_total", `tool="${escapeLabel(tool)}",outcome="error"`, errors),
        ]),
        heading("toolrack_call_duration_seconds", "histogram", "How long calls took on this server."),
        ...[...callSeconds].flatMap(([tool, histogram]) =>
          histogram.lines("toolrack_call_duration_seconds", `tool="${escapeLabel(tool)}"`),
        ),
        heading("toolrack_calls_running", "gauge", "Calls that run on this server now."),
        sample("toolrack_calls_running", "", running.list().length),
        heading(
          "toolrack_unrecorded_calls_total",
          "counter",
          "Calls that ran on this server although their start could not be recorded (audit.onFailure: warn), and calls whose end was lost.",
        ),
        sample("toolrack_unrecorded_calls_total", "", recording.counts.unrecorded + recording.counts.dropped),
        heading("toolrack_call_ends_kept", "gauge", "Ends of calls of this server that wait until the store takes them."),
        sample("toolrack_call_ends_kept", "", recording.counts.kept),
        heading("toolrack_tools", "gauge", "Tools in the registry, by state."),
        ...[...states].map(([state, count]) => sample("toolrack_tools", `state="${state}"`, count)),
        heading("toolrack_sources", "gauge", "Sources of tools: 1 while it is ready, 0 while it fails."),
        ...registry.sources().map(({ id, state }) => sample("toolrack_sources", `source="${escapeLabel(id)}"`, state === "ready" ? 1 : 0)),
        heading("toolrack_http_requests_total", "counter", "Requests to this server, by route and status."),
        ...[...requests].flatMap(([route, byStatus]) =>
          [...byStatus].map(([status, count]) =>
            sample("toolrack_http_requests_total", `route="${escapeLabel(route)}",status="${status}"`, count),
          ),
        ),
        heading("toolrack_http_request_duration_seconds", "histogram", "How long requests took until their answer began."),
        ...requestSeconds.lines("toolrack_http_request_duration_seconds", ""),
        heading("toolrack_event_streams", "gauge", "Event streams that are open on this server."),
        sample("toolrack_event_streams", "", streams()),
        heading("toolrack_info", "gauge", "The version of this server."),
        sample("toolrack_info", `version="${escapeLabel(version)}"`, 1),
        ...processLines(),
        "",
      ].join("\n");
    },
    close,
  };
}

function processLines(): readonly string[] {
  const memory = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    heading("process_resident_memory_bytes", "gauge", "Memory of the process."),
    sample("process_resident_memory_bytes", "", memory.rss),
    heading("nodejs_heap_used_bytes", "gauge", "Memory in use on the heap of the process."),
    sample("nodejs_heap_used_bytes", "", memory.heapUsed),
    heading("process_cpu_seconds_total", "counter", "Processor time of the process."),
    sample("process_cpu_seconds_total", "", (user + system) / 1_000_000),
    heading("process_start_time_seconds", "gauge", "When the process began, in seconds since 1970."),
    sample("process_start_time_seconds", "", Math.round(Date.now() / 1_000 - process.uptime())),
  ];
}
