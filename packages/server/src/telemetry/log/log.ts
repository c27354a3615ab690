import { isatty } from "node:tty";
import type { Logger } from "@toolrack/core";
import { type DestinationStream, pino } from "pino";
import { createLineBudget } from "./line-budget.ts";
import { toJsonLine } from "./json-line.ts";
import { createLogRedaction } from "./redact.ts";
import { toTextLine } from "./text-line.ts";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";
export type LogFormat = "auto" | "json" | "text";
type LineLevel = Exclude<LogLevel, "silent">;

/** What the configuration may say about the log. */
export interface LogSettings {
  /** Lines of a lower level are not written. @default "info" */
  readonly level?: LogLevel | undefined;
  /** "json": one JSON object a line. "text": aligned, for people. "auto": text on a terminal, JSON elsewhere. @default "auto" */
  readonly format?: LogFormat | undefined;
  /** Lines beyond this are counted instead of written. Warnings and errors have the same room again for themselves. @default 2_000 */
  readonly linesPerSecond?: number | undefined;
}

export interface LogOptions extends LogSettings {
  /** Where the lines go. @default standard error */
  readonly destination?: DestinationStream;
  /** Whether the destination is a terminal, for the format "auto" and for colours. @default as it is for standard error */
  readonly isTerminal?: boolean;
  /** Whether lines for people are coloured. @default on a terminal, unless NO_COLOR is set */
  readonly hasColors?: boolean;
  /** Fields beyond the usual ones whose values are taken out. */
  readonly hiddenFields?: readonly string[];
}

/** A structured log that takes secrets out of every line. */
export interface ServerLog extends Logger {
  /** Says which values must not be seen from now on; asked for each line. */
  hide(values: () => Iterable<string>): void;
  /** Takes over what the configuration says; what was given to `createLog` goes before it. */
  configure(settings: LogSettings & { readonly hiddenFields?: readonly string[] }): void;
  /** Whether a line of this level would be written now. Asked before a line is put together that comes with every request. */
  takes(level: LineLevel): boolean;
  /** Lines that were left out so far because there were too many. */
  readonly dropped: number;
}

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error", "silent"];

export function createLog(options: LogOptions = {}): ServerLog {
  const { destination, isTerminal = destination === undefined && isatty(2), hiddenFields = [] } = options;
  const { hasColors = isTerminal && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb" } = options;
  const out = destination ?? pino.destination({ dest: 2, sync: false });
  const sources: (() => Iterable<string>)[] = [];
  let least = 0;
  let isText = false;
  let budget = createLineBudget(0, leftOut);
  let redact = redactionOf(hiddenFields);
  let dropped = 0;
  configure({});

  function redactionOf(fields: readonly string[]): ReturnType<typeof createLogRedaction> {
    return createLogRedaction({ fields, values: secrets });
  }

  function* secrets(): Generator<string> {
    for (const values of sources) yield* values();
  }

  function configure(settings: Parameters<ServerLog["configure"]>[0]): void {
    const { level = settings.level ?? "info", format = settings.format ?? "auto" } = options;
    least = levels.indexOf(level);
    isText = format === "auto" ? isTerminal : format === "text";
    budget = createLineBudget(options.linesPerSecond ?? settings.linesPerSecond ?? 2_000, leftOut);
    redact = redactionOf([...hiddenFields, ...(settings.hiddenFields ?? [])]);
  }

  function leftOut(lines: number): void {
    dropped += lines;
    put("warn", "Lines were left out of the log, because there were too many.", { lines });
  }

  function put(level: LineLevel, message: string, fields: object): void {
    out.write(isText ? toTextLine(level, message, fields, hasColors) : toJsonLine(level, message, fields));
  }

  function write(level: LineLevel): Logger["info"] {
    const rank = levels.indexOf(level);
    return (message, fields = {}) => {
      if (rank < least || !budget.take(rank)) return;
      const line = redact(message, fields);
      put(level, line.message, line.fields);
    };
  }

  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    hide: (values) => void sources.push(values),
    configure,
    takes: (level) => levels.indexOf(level) >= least && budget.hasRoom(levels.indexOf(level)),
    get dropped() {
      return dropped + budget.dropped;
    },
  };
}
