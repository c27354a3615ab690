import { readdirSync } from "node:fs";
import path from "node:path";
import { type Logger, ToolError } from "@toolrack/core";
import { type Clock, systemClock } from "@toolrack/core/node";
import { pause } from "@toolrack/core/internal";
import { shellWord } from "@toolrack/core/internal/shell-word";
import { nearestNames } from "@toolrack/json-schema/internal";
import { losesRules } from "../checks/lost-rules.ts";
import { type ReadConfig, readConfig } from "../read.ts";
import { watchedPaths, watchFile } from "./watch-file.ts";
import { type FileReading, isSameReading, readWholeFile } from "./whole-file.ts";

/** The configuration file in force: the last one that was read completely and is valid. */
export interface ConfigFile {
  /** The configuration when the file was opened. */
  readonly start: ReadConfig;
  /** The problems of the current file; empty while it is in force. */
  readonly problems: readonly string[];
  /** Watches the file from now on; calls `onUnusable` when it is invalid or missing. */
  follow(use: UseConfig, onUnusable?: () => void): void;
  /** Reads the file again; resolves when it was used or refused. */
  reload(): Promise<void>;
  close(): void;
}

/** Puts a valid file into force; returns false if the previous one stays. What it throws is a problem of the file. */
export type UseConfig = (next: ReadConfig) => boolean;

export interface ConfigFileOptions {
  readonly log: Logger;
  /** Called with the first valid reading, before anything is logged about it. */
  onRead?(read: ReadConfig): void;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** @default the disk */
  readonly read?: (file: string) => FileReading;
  /** Calls back when something changes around the file; returns a function that stops it. @default the file system */
  readonly watch?: (file: string, onChange: () => void) => () => void;
}

/** The interval between two reads. */
const settledMs = 200;
/**
 * A save counts as finished when this many consecutive reads are equal. A file that got shorter may be half-written, and needs more reads;
 * one that lost a deny or ask rule needs 10 seconds.
 */
const readingsOf = { whole: 2, shorter: 11, looser: 51 } as const;
const eventsMs = 50;
/** How often the file is polled without an event: watching misses changes on some file systems, and of replaced folders. */
const pollMs = 2_000;
/** At the start, a file that has not changed for this long is finished. The margin is for clock differences. */
const oldMs = 1_000;
/** After this time a file that keeps changing is reported; reading continues. */
const maxReadings = 25;

/**
 * Opens a configuration file. Throws CONFIG_INVALID with all its problems.
 * Contract: a file is used if it is valid and several reads found the same bytes of the same save; until then the last one stays in force.
 */
export async function openConfigFile(file: string, options: ConfigFileOptions): Promise<ConfigFile> {
  const { log, clock = systemClock, read = readWholeFile, watch: watchChanges = watchFile } = options;
  const absolute = path.resolve(file);
  const closing = new AbortController();
  let problems: readonly string[] = [];
  let reported = "";
  let use: UseConfig = () => true;
  let onUnusable = (): void => undefined;
  let stop = (): void => undefined;
  let watched: string | undefined;
  let cancelPoll: (() => void) | undefined;
  /** The last read that was decided. */
  let decided = await firstReading();
  const start = toConfig(decided, absolute);
  options.onRead?.(start);
  let inForce = start;
  let warned: ReadonlySet<string> = new Set();
  warn(start.warnings);
  let looking: Promise<void> | undefined;
  let isLate = false;
  let cancelLook: (() => void) | undefined;

  async function firstReading(): Promise<FileReading> {
    const first = read(absolute);
    if (first.fault !== undefined || clock.now() - first.changedAt >= oldMs) return first;
    const settled = await settle(first, () => readingsOf.whole);
    if (settled !== undefined) return settled;
    throw new ToolError("CONFIG_INVALID", `${absolute} changed each time it was read. Start again when it is saved.`);
  }

  /** A stable read; undefined if the file kept changing. */
  async function settle(first: FileReading, neededFor: (reading: FileReading) => number): Promise<FileReading | undefined> {
    let last = first;
    let needed = neededFor(first);
    for (let count = 0, same = 1; count < maxReadings + (needed > maxReadings ? needed : 0); count++) {
      await pause(clock, settledMs, closing.signal);
      if (closing.signal.aborted) return undefined;
      const next = read(absolute);
      same = isSameReading(last, next) ? same + 1 : 1;
      if (same === 1) needed = neededFor(next);
      if (same >= needed) return next;
      last = next;
    }
    return undefined;
  }

  function readingsFor({ text = "" }: FileReading): number {
    const next = text === "" ? undefined : readConfig(text, absolute);
    if (next?.ok === true && losesRules(inForce.config, next.config)) return readingsOf.looser;
    return text.length < inForce.text.length ? readingsOf.shorter : readingsOf.whole;
  }

  async function look(): Promise<void> {
    do {
      isLate = false;
      const first = read(absolute);
      if (isSameReading(first, decided)) {
        if (reported === unsettled) decide(first);
        continue;
      }
      const settled = await settle(first, readingsFor);
      if (closing.signal.aborted) return;
      if (settled === undefined) {
        report([`${absolute} ${unsettled}`], unsettled);
        isLate = true;
      } else decide(settled);
    } while (isLate);
  }

  function decide(reading: FileReading): void {
    decided = reading;
    try {
      const next = toConfig(reading, absolute);
      if (use(next)) inForce = next;
      warn(next.warnings);
      report([]);
    } catch (error) {
      onUnusable();
      report((error as Error).message.split("\n"));
    }
  }

  /** Logs each warning once, until it disappears. */
  function warn(warnings: readonly string[]): void {
    for (const warning of warnings) if (!warned.has(warning)) log.warn(warning, { file: absolute });
    warned = new Set(warnings);
  }

  /** Logs each problem once, however often the file is read or saved, and once that it is resolved. */
  function report(next: readonly string[], mark: string = next.join("\n")): void {
    problems = next;
    if (mark !== "" && mark !== reported)
      log.error("The configuration was not used; the previous one stays in force.", { file: absolute, problems });
    if (mark === "" && reported !== "") log.info("The configuration file is valid again.", { file: absolute });
    reported = mark;
  }

  function reload(): Promise<void> {
    isLate = true;
    looking ??= look().finally(() => (looking = undefined));
    return looking;
  }

  /** Several events of one save cause one read. */
  function lookSoon(): void {
    cancelLook ??= clock.after(eventsMs, () => {
      cancelLook = undefined;
      void reload();
    });
  }

  /** Links may have changed. */
  function watchAgain(): void {
    const paths = watchedPaths(absolute);
    if (paths === watched) return;
    watched = paths;
    stop();
    stop = () => undefined;
    try {
      stop = watchChanges(absolute, lookSoon);
    } catch (error) {
      log.warn("The configuration file cannot be watched; it is read every 2 seconds instead.", { file: absolute, error: String(error) });
    }
  }

  function poll(): void {
    const timer = clock.after(pollMs, () => {
      watchAgain();
      void reload();
      poll();
    });
    timer.release?.();
    cancelPoll = timer;
  }

  return {
    start,
    get problems() {
      return problems;
    },
    follow(next, unusable = () => undefined) {
      use = next;
      onUnusable = unusable;
      watchAgain();
      poll();
      // It may have changed since it was opened.
      void reload();
    },
    reload,
    close() {
      closing.abort();
      cancelLook?.();
      cancelPoll?.();
      stop();
    },
  };
}

const unsettled = "changes each time it is read, so it is not used yet. Save it once, and it is read again.";

/** ' Did you mean "toolrack.config.yaml"?', of the files in the same folder. */
function nearestFile(file: string): string {
  try {
    const [near] = nearestNames(
      path.basename(file),
      readdirSync(path.dirname(file)).filter((name) => /\.ya?ml$/.test(name)),
      1,
    );
    return near === undefined ? "" : ` Did you mean "${near}"?`;
  } catch {
    return "";
  }
}

function toConfig({ text, fault }: FileReading, file: string): ReadConfig {
  if (text === undefined)
    throw new ToolError(
      "CONFIG_INVALID",
      fault?.startsWith("ENOENT") === true
        ? `There is no configuration file ${file}.${nearestFile(file)} Check the name, or create the file with: toolrack --config ${shellWord(path.basename(file))} init`
        : `${file} cannot be read: ${fault}`,
    );
  const read = readConfig(text, file);
  if (read.ok) return read;
  throw new ToolError("CONFIG_INVALID", read.issues.map(({ message }) => message).join("\n"));
}
