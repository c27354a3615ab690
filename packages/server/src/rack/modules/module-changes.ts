import { statSync, watch } from "node:fs";
import path from "node:path";
import type { Logger } from "@toolrack/core";
import { findModule } from "./find-module.ts";

/** Warns when the file of a module changes, since a loaded module does not change until a restart. Returns a function that stops it. */
export function warnOfChangedModules(specifiers: readonly string[], folder: string, log: Logger): () => void {
  const ends = specifiers.map((specifier) => {
    try {
      return warnOfChange(specifier, findModule(specifier, folder), log);
    } catch {
      // A missing module is a source that failed, with the reason.
      return () => undefined;
    }
  });
  return () => ends.forEach((end) => end());
}

/** The folder is watched, since editors replace a file instead of writing into it. */
function warnOfChange(specifier: string, file: string, log: Logger): () => void {
  let known = changedAt(file);
  const watcher = watch(path.dirname(file), { persistent: false }, () => {
    const now = changedAt(file);
    if (now === undefined || now === known) return;
    known = now;
    log.warn(`${path.basename(file)} changed. Restart the server to use it.`, { module: specifier });
  });
  watcher.on("error", () => watcher.close());
  return () => watcher.close();
}

/** Undefined where it is gone, or cannot be reached now. */
function changedAt(file: string): number | undefined {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return undefined;
  }
}
