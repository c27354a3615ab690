import { readFileSync, watch } from "node:fs";
import path from "node:path";
import { type Logger, ToolError } from "@toolrack/core";
import { type ReadConfig, readConfig } from "./read.ts";

/** The configuration file in force: the last one that was sound. */
export interface ConfigFile {
  readonly current: ReadConfig;
  /** What is wrong with the file as it is now; empty while it is the one in force. */
  readonly problems: readonly string[];
  /** Watches the file from now on. What `use` throws is a problem of the file, and the old one stays. */
  follow(use: (next: ReadConfig) => void): void;
  /** Reads the file again, now. */
  reload(): void;
  close(): void;
}

/** Opens a configuration file. Throws CONFIG_INVALID with everything that is wrong with it now. */
export function openConfigFile(file: string, log: Logger): ConfigFile {
  const absolute = path.resolve(file);
  let text = readFileSync(absolute, "utf8");
  let current = mustBeSound(text, absolute);
  let problems: readonly string[] = [];
  let use: (next: ReadConfig) => void = () => undefined;
  let stop = (): void => undefined;
  for (const warning of current.warnings) log.warn(warning);

  function reload(): void {
    let now: string;
    try {
      now = readFileSync(absolute, "utf8");
    } catch (error) {
      // Between the two halves of a replacement there is no file for a moment; the next change is read again.
      problems = [`${absolute} cannot be read: ${(error as Error).message}`];
      return;
    }
    if (now === text && problems.length === 0) return;
    text = now;
    try {
      const next = mustBeSound(now, absolute);
      use(next);
      current = next;
      problems = [];
      for (const warning of next.warnings) log.warn(warning);
      log.info("The configuration was read again.", { file: absolute });
    } catch (error) {
      problems = (error as Error).message.split("\n");
      log.error("The configuration was not taken over; the one before it stays in force.", { file: absolute, problems });
    }
  }

  return {
    get current() {
      return current;
    },
    get problems() {
      return problems;
    },
    follow(next) {
      use = next;
      try {
        stop = watchFolder(path.dirname(absolute), reload);
      } catch (error) {
        log.warn("The configuration cannot be watched; changes hold after a restart.", { file: absolute, error: String(error) });
      }
      // It may have changed since it was opened.
      reload();
    },
    reload,
    close: () => stop(),
  };
}

function mustBeSound(text: string, file: string): ReadConfig {
  const read = readConfig(text, file);
  if (read.ok) return read;
  throw new ToolError("CONFIG_INVALID", read.issues.map(({ message }) => message).join("\n"));
}

/** The folder, since editors and mounted volumes replace a file instead of writing into it. */
function watchFolder(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { persistent: false }, () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, settleMs).unref();
  });
  watcher.on("error", () => watcher.close());
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

/** Several writes of one save become one reading. */
const settleMs = 50;
