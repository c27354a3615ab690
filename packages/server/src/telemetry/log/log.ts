import { isatty } from "node:tty";
import type { Logger } from "@toolrack/core";
import { type DestinationStream, pino } from "pino";
import { createLineBudget } from "./line-budget.ts";
import { toJsonLine } from "./json-line.ts";
import { toPrettyLine } from "./pretty-line.ts";
import { createLogRedaction } from "./redact.ts";
import { toTextLine } from "./text-line.ts";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";
export type LogFormat = "auto" | "pretty" | "text" | "json";
type LineLevel = Exclude<LogLevel, "silent">;

/** The log settings of the configuration. */
export interface LogSettings {
  /** The lowest level that is logged. @default "info" */
  readonly level?: LogLevel | undefined;
  /**
   * "json": one JSON object a line. "text": every field as key=value. "pretty": what a person looks for, without ids of traces and requests.
   * "auto": pretty on a terminal, JSON elsewhere. @default "auto"
   */
  readonly format?: LogFormat | undefined;
  /** Lines beyond this limit are counted instead of written. Warnings and errors have a limit of their own, of the same size. @default 2_000 */
  readonly linesPerSecond?: number | undefined;
}

export interface LogOptions extends LogSettings {
  /** Where the lines go. @default standard error */
  readonly destination?: DestinationStream;
  /** Whether the destination is a terminal, for the format "auto" and for colours. @default whether standard error is one */
  readonly isTerminal?: boolean;
  /** Whether lines for people are coloured. @default on a terminal, unless NO_COLOR is set */
  readonly hasColors?: boolean;
  /** Further fields whose values are redacted. */
  readonly hiddenFields?: readonly string[];
}

/** A structured log that redacts secrets in every line. */
export interface ServerLog extends Logger {
  /** Sets the secret values; called for each line. */
  hide(values: () => Iterable<string>): void;
  /** Applies the settings of the configuration; options of `createLog` take precedence. */
  configure(settings: LogSettings & { readonly hiddenFields?: readonly string[] }): void;
  /** Whether a line of this level would be written now. Checked before the lines of requests and calls are built. */
  takes(level: LineLevel): boolean;
  /** Puts the name of the server into every line of the formats "text" and "json"; asked for each line, because it may change. */
  identify(name: () => string): void;
  /** Lines dropped so far because of the limit. */
  readonly dropped: number;
}

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error", "silent"];

export function createLog(options: LogOptions = {}): ServerLog {
  const { destination, isTerminal = destination === undefined && isatty(2), hiddenFields = [] } = options;
  const { hasColors = isTerminal && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb" } = options;
  const out = destination ?? pino.destination({ dest: 2, sync: false });
  const sources: (() => Iterable<string>)[] = [];
  let least = 0;
  let format: Exclude<LogFormat, "auto"> = "json";
  let budget = createLineBudget(0, leftOut);
  let redact = redactionOf(hiddenFields);
  let dropped = 0;
  let server = (): string | undefined => undefined;
  configure({});

  function redactionOf(fields: readonly string[]): ReturnType<typeof createLogRedaction> {
    return createLogRedaction({ fields, values: secrets });
  }

  function* secrets(): Generator<string> {
    for (const values of sources) yield* values();
  }

  function configure(settings: Parameters<ServerLog["configure"]>[0]): void {
    const { level = settings.level ?? "info", format: wanted = settings.format ?? "auto" } = options;
    least = levels.indexOf(level);
    format = wanted === "auto" ? (isTerminal ? "pretty" : "json") : wanted;
    budget = createLineBudget(options.linesPerSecond ?? settings.linesPerSecond ?? 2_000, leftOut);
    redact = redactionOf([...hiddenFields, ...(settings.hiddenFields ?? [])]);
  }

  function leftOut(lines: number): void {
    dropped += lines;
    put("warn", "Lines were left out of the log, because there were too many.", { lines });
  }

  function put(level: LineLevel, message: string, fields: object): void {
    if (format === "pretty") return void out.write(toPrettyLine(level, message, fields, hasColors));
    const name = server();
    if (format === "json") out.write(toJsonLine(level, message, fields, name));
    else out.write(toTextLine(level, message, name === undefined ? fields : { ...fields, server: name }, hasColors));
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
    identify: (name) => void (server = name),
    takes: (level) => levels.indexOf(level) >= least && budget.hasRoom(levels.indexOf(level)),
    get dropped() {
      return dropped + budget.dropped;
    },
  };
}
