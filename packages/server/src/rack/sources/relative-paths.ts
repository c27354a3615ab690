import { existsSync } from "node:fs";
import path from "node:path";
import type { SourceConfig } from "../../config/config.ts";

/**
 * A program of somebody's file, started where its relative paths lead to what that file means: below the folder of the file. One without
 * relative paths is left as it is.
 */
export function startedBelow(folder: string, config: SourceConfig): SourceConfig {
  const { command, args = [], cwd } = config;
  if (command === undefined || (cwd !== undefined && path.isAbsolute(cwd))) return config;
  const place = path.resolve(folder, cwd ?? ".");
  const isBelow = (text: string): boolean =>
    /^\.\.?[\\/]/.test(text) || (/^[\w-][\w./-]*\.\w+$/.test(text) && existsSync(path.join(place, text)));
  const isRelative = /^\.\.?[\\/]/.test(command);
  if (!isRelative && cwd === undefined && !args.some(isBelow)) return config;
  return { ...config, ...(isRelative && { command: path.resolve(place, command) }), cwd: place };
}
