import { existsSync } from "node:fs";
import path from "node:path";
import { type Logger, ToolError } from "@toolrack/core";
import { changedFixedKeys } from "../config/fixed-keys.ts";
import type { RackConfig } from "../config/config.ts";
import { openConfigFile } from "../config/file.ts";
import { type ReadConfig, readConfig } from "../config/read.ts";

/** The configuration that a rack starts from, and the file behind it, where there is one. */
export interface OpenedConfig {
  readonly start: ReadConfig;
  /** What is wrong with the file as it is now. */
  problems(): readonly string[];
  reload(): void;
  close(): void;
}

/** The file that is looked for. */
export const configFileName = "toolrack.config.yaml";

export function openConfig(
  config: string | RackConfig | undefined,
  folder: string,
  log: Logger,
  onChange: (next: ReadConfig) => void,
): OpenedConfig {
  const file = typeof config === "string" ? path.resolve(folder, config) : path.resolve(folder, configFileName);
  if (typeof config === "string" || (config === undefined && existsSync(file))) {
    const opened = openConfigFile(file, {
      log,
      onChange(next) {
        onChange(next);
        const keys = changedFixedKeys(opened.current.config, next.config);
        if (keys.length > 0) log.warn("Some of what was changed in the configuration holds after a restart.", { keys });
      },
    });
    return { start: opened.current, problems: () => opened.problems, reload: opened.reload, close: opened.close };
  }
  const read = readConfig(JSON.stringify(config ?? {}), path.join(folder, "options"));
  if (!read.ok) throw new ToolError("CONFIG_INVALID", read.issues.map(({ message }) => message).join("\n"));
  const start = { ...read, originOf: () => (config === undefined ? "default" : "options") };
  return { start, problems: () => [], reload: () => undefined, close: () => undefined };
}
