import { readdirSync } from "node:fs";
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { MetricsText } from "./prometheus.ts";

/** What every process tells about itself, under the names that dashboards know. */
export interface ProcessMetrics {
  write(text: MetricsText): void;
  close(): void;
}

export function createProcessMetrics(): ProcessMetrics {
  // From the first scrape on: where nobody asks, nothing is measured.
  let delay: IntervalHistogram | undefined;
  return {
    write(text) {
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      text.one("process_cpu_seconds_total", (user + system) / 1_000_000);
      text.one("process_resident_memory_bytes", rss);
      text.one("process_start_time_seconds", Math.round(Date.now() / 1_000 - process.uptime()));
      text.one("process_open_fds", openFiles());
      text.one("nodejs_heap_size_used_bytes", heapUsed);
      text.one("nodejs_heap_size_total_bytes", heapTotal);
      text.one("nodejs_external_memory_bytes", external);
      if (delay === undefined) {
        delay = monitorEventLoopDelay({ resolution: resolutionMs });
        delay.enable();
      }
      text.one("nodejs_eventloop_lag_p50_seconds", beyondResolution(delay.percentile(50)));
      text.one("nodejs_eventloop_lag_p99_seconds", beyondResolution(delay.percentile(99)));
      text.one("nodejs_eventloop_lag_max_seconds", beyondResolution(delay.max));
      delay.reset();
      text.one("nodejs_active_resources", process.getActiveResourcesInfo().length);
    },
    close: () => void delay?.disable(),
  };
}

const resolutionMs = 20;

/** What is measured, in nanoseconds, is the time between two timers; what lies beyond the time between them is the delay. */
function beyondResolution(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - resolutionMs / 1_000) || 0;
}

function openFiles(): number | undefined {
  try {
    // The folder itself is one of them while it is read.
    return readdirSync("/proc/self/fd").length - 1;
  } catch {
    return undefined;
  }
}
