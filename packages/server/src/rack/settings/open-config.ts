import { existsSync } from "node:fs";
import path from "node:path";
import { type Logger, ToolError } from "@toolrack/core";
import type { Clock } from "@toolrack/core/node";
import type { RackConfig } from "../../config/config.ts";
import type { ReadConfig } from "../../config/read.ts";

/** The configuration that a rack starts from, and the file behind it, where there is one. */
export interface OpenedConfig {
  readonly start: ReadConfig;
  /** From now on changes of the file are handed over; `onUnusable` is told where the file is wrong or gone. */
  follow(use: (next: ReadConfig) => boolean, onUnusable: () => void): void;
  /** What is wrong with the file as it is now. */
  problems(): readonly string[];
  reload(): Promise<void>;
  close(): void;
}

/** The file that is looked for. */
export const configFileName = "toolrack.config.yaml";

export interface OpenConfigOptions {
  readonly config: string | RackConfig | undefined;
  readonly folder: string;
  readonly log: Logger;
  /** @default the machine's clock */
  readonly clock?: Clock | undefined;
}

/** Where the configuration file is, or would be. */
export function locateConfig(config: string | undefined, folder: string): string {
  return path.resolve(folder, config ?? configFileName);
}

/** What reads YAML is loaded where there is something to read. */
export async function openConfig({ config, folder, log, clock }: OpenConfigOptions): Promise<OpenedConfig> {
  const file = locateConfig(typeof config === "string" ? config : undefined, folder);
  if (typeof config === "string" || (config === undefined && existsSync(file))) {
    const { openConfigFile } = await import("../../config/file/file.ts");
    const opened = await openConfigFile(file, { log, ...(clock && { clock }) });
    const { start, follow, reload, close } = opened;
    return { start, follow, problems: () => opened.problems, reload, close };
  }
  const start = config === undefined ? noConfig(folder) : await readOptions(config, folder);
  const nothing = (): void => undefined;
  return { start, follow: nothing, problems: () => [], reload: () => Promise.resolve(), close: nothing };
}

function noConfig(folder: string): ReadConfig {
  return { config: {}, file: path.join(folder, "default"), text: "", originOf: () => "default", warnings: [] };
}

async function readOptions(config: RackConfig, folder: string): Promise<ReadConfig> {
  const { readConfig } = await import("../../config/read.ts");
  const read = readConfig(JSON.stringify(config), path.join(folder, "options"));
  if (!read.ok) throw new ToolError("CONFIG_INVALID", read.issues.map(({ message }) => message).join("\n"));
  return { ...read, originOf: () => "options" };
}
