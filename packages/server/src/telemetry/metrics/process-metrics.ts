import { readdirSync } from "node:fs";
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { MetricsText } from "./prometheus.ts";

/** The standard metrics of a process, under the usual names. */
export interface ProcessMetrics {
  write(text: MetricsText): void;
  close(): void;
}

export function createProcessMetrics(): ProcessMetrics {
  // From the first scrape on: without scrapes nothing is measured.
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

/** The measured time between two timers, in nanoseconds, minus their interval is the delay. */
function beyondResolution(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - resolutionMs / 1_000) || 0;
}

function openFiles(): number | undefined {
  try {
    // Reading the folder opens one more.
    return readdirSync("/proc/self/fd").length - 1;
  } catch {
    return undefined;
  }
}
