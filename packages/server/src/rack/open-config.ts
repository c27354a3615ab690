import { existsSync } from "node:fs";
import path from "node:path";
import { type Logger, ToolError } from "@toolrack/core";
import type { RackConfig } from "../config/config.ts";
import { changedFixedKeys } from "../config/fixed-keys.ts";
import type { ReadConfig } from "../config/read.ts";

/** The configuration that a rack starts from, and the file behind it, where there is one. */
export interface OpenedConfig {
  readonly start: ReadConfig;
  /** From now on changes of the file are handed over. What `use` throws is a problem of the file, and the old one stays. */
  follow(use: (next: ReadConfig) => void): void;
  /** What is wrong with the file as it is now. */
  problems(): readonly string[];
  reload(): void;
  close(): void;
}

/** The file that is looked for. */
export const configFileName = "toolrack.config.yaml";

/** What reads YAML is loaded where there is something to read. */
export async function openConfig(config: string | RackConfig | undefined, folder: string, log: Logger): Promise<OpenedConfig> {
  const file = path.resolve(folder, typeof config === "string" ? config : configFileName);
  if (typeof config === "string" || (config === undefined && existsSync(file))) {
    const { openConfigFile } = await import("../config/file.ts");
    const opened = openConfigFile(file, log);
    return {
      start: opened.current,
      follow(use) {
        opened.follow((next) => {
          use(next);
          const keys = changedFixedKeys(opened.current.config, next.config);
          if (keys.length > 0) log.warn("Some of what was changed in the configuration holds after a restart.", { keys });
        });
      },
      problems: () => opened.problems,
      reload: opened.reload,
      close: opened.close,
    };
  }
  const start = config === undefined ? noConfig(folder) : await readOptions(config, folder);
  const nothing = (): void => undefined;
  return { start, follow: nothing, problems: () => [], reload: nothing, close: nothing };
}

function noConfig(folder: string): ReadConfig {
  return { config: {}, file: path.join(folder, "default"), originOf: () => "default", warnings: [] };
}

async function readOptions(config: RackConfig, folder: string): Promise<ReadConfig> {
  const { readConfig } = await import("../config/read.ts");
  const read = readConfig(JSON.stringify(config), path.join(folder, "options"));
  if (!read.ok) throw new ToolError("CONFIG_INVALID", read.issues.map(({ message }) => message).join("\n"));
  return { ...read, originOf: () => "options" };
}
