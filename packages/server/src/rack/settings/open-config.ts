import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { type Logger, ToolError } from "@toolrack/core";
import type { Clock } from "@toolrack/core/node";
import { shellWord } from "@toolrack/core/internal/shell-word";
import type { RackConfig } from "../../config/config.ts";
import type { ReadConfig } from "../../config/read.ts";
import { configureLog } from "./configure-log.ts";

/** The configuration at the start, and the file behind it, if there is one. */
export interface OpenedConfig {
  readonly start: ReadConfig;
  /** Watches the file from now on; calls `onUnusable` when it is invalid or missing. */
  follow(use: (next: ReadConfig) => boolean, onUnusable: () => void): void;
  /** The problems of the current file. */
  problems(): readonly string[];
  reload(): Promise<void>;
  close(): void;
}

/** The default name of the file. */
export const configFileName = "toolrack.config.yaml";

export interface OpenConfigOptions {
  readonly config: string | RackConfig | undefined;
  readonly folder: string;
  readonly log: Logger;
  /** Called when it was read and the log is set up, before anything is logged; with the file, if there is one. */
  readonly onConfigured?: ((file: string | undefined) => void) | undefined;
  /** @default the machine's clock */
  readonly clock?: Clock | undefined;
}

/** Where the configuration file is, or would be. */
export function locateConfig(config: string | undefined, folder: string): string {
  return path.resolve(folder, config ?? configFileName);
}

/** The YAML reader is loaded only if there is a file. */
export async function openConfig({ config, folder, log, onConfigured, clock }: OpenConfigOptions): Promise<OpenedConfig> {
  const onRead = (read: ReadConfig, from?: string): void => {
    configureLog(log, read.config);
    onConfigured?.(from);
  };
  const file = locateConfig(typeof config === "string" ? config : undefined, folder);
  if (typeof config === "string" || (config === undefined && existsSync(file))) {
    const { openConfigFile } = await import("../../config/file/file.ts");
    const opened = await openConfigFile(file, { log, onRead: (read) => onRead(read, file), ...(clock && { clock }) });
    const { start, follow, reload, close } = opened;
    return { start, follow, problems: () => opened.problems, reload, close };
  }
  if (config === undefined) refuseOtherName(folder);
  const start = config === undefined ? noConfig(folder) : await readOptions(config, folder);
  onRead(start);
  const nothing = (): void => undefined;
  return { start, follow: nothing, problems: () => [], reload: () => Promise.resolve(), close: nothing };
}

/** Whoever wrote a file of nearly this name believes that its policy is in force. */
function refuseOtherName(folder: string): void {
  const files = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isDirectory()) : [];
  const other = files.find(({ name }) => otherName.test(name))?.name;
  if (other === undefined) return;
  const file = path.join(folder, other);
  throw new ToolError(
    "CONFIG_INVALID",
    other === configFileName
      ? `${file} is a link to a file that does not exist. Create that file, or remove the link.`
      : `${file} is not read: the configuration file is ${configFileName}. Rename it, or name it with: toolrack --config ${shellWord(other)}`,
  );
}

/** "toolrack.yaml", ".toolrack.json", "toolrack-settings.yml", "toolrack.config.yaml.txt", "toolrack.config". */
const otherName =
  /^\.?tool-?rack(?:[._-]?(?:conf(?:ig(?:uration)?)?|cfg|settings|policy))?\.(?:ya?ml|jsonc?|toml)(?:\.(?:txt|ya?ml))?\s*$|^\.?tool-?rack[._-]?config\s*$/i;

function noConfig(folder: string): ReadConfig {
  return { config: {}, file: path.join(folder, "default"), text: "", originOf: () => "default", warnings: [] };
}

async function readOptions(config: RackConfig, folder: string): Promise<ReadConfig> {
  const { readConfig } = await import("../../config/read.ts");
  const read = readConfig(JSON.stringify(config), path.join(folder, "options"));
  if (!read.ok) throw new ToolError("CONFIG_INVALID", read.issues.map(({ message }) => message).join("\n"));
  return { ...read, originOf: () => "options" };
}
