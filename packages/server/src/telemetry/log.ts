import type { Logger } from "@toolrack/core";
import { type DestinationStream, pino } from "pino";
import { createLogRedaction } from "./redact.ts";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

export interface LogOptions {
  /** What is told; what is less important is not. @default "info" */
  readonly level?: LogLevel;
  /** Where the lines go, each one JSON. @default standard error */
  readonly destination?: DestinationStream;
  /** Fields beyond the usual ones whose values are taken out. */
  readonly hiddenFields?: readonly string[];
  /** More lines are counted instead of written, so that nobody can fill the disk. @default 2_000 */
  readonly linesPerSecond?: number;
}

/** A structured log that takes secrets out of every line. */
export interface ServerLog extends Logger {
  /** Says which values must not be seen from now on; asked for each line. */
  hide(values: () => Iterable<string>): void;
}

export function createLog(options: LogOptions = {}): ServerLog {
  const { level = "info", destination = pino.destination({ dest: 2, sync: false }), linesPerSecond = 2_000 } = options;
  const sources: (() => Iterable<string>)[] = [];
  const base = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: "message" };
  const logger = pino({ ...base, formatters: { level: (label) => ({ level: label }) } }, destination);
  const budget = { second: 0, left: linesPerSecond, dropped: 0 };

  function* secrets(): Generator<string> {
    for (const values of sources) yield* values();
  }
  const redact = createLogRedaction({ fields: options.hiddenFields ?? [], values: secrets });

  function hasRoom(): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== budget.second) {
      if (budget.dropped > 0) logger.warn({ lines: budget.dropped }, "Lines were left out: there were too many.");
      Object.assign(budget, { second, left: linesPerSecond, dropped: 0 });
    }
    if (budget.left > 0) budget.left -= 1;
    else budget.dropped += 1;
    return budget.dropped === 0;
  }

  function write(at: "debug" | "info" | "warn" | "error"): Logger["info"] {
    return (message, fields = {}) => {
      if (!logger.isLevelEnabled(at) || !hasRoom()) return;
      const line = redact({ message, fields }) as { message: string; fields: object };
      logger[at](line.fields, line.message);
    };
  }

  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    hide: (values) => void sources.push(values),
  };
}
