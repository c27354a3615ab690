import { type FSWatcher, statSync, watch } from "node:fs";
import path from "node:path";
import { stepsTo } from "../checks/path-steps.ts";

/**
 * Watches every folder that affects a path: the real folder of the file, and that of each link on the way. Folders, since editors and
 * mounted volumes replace a file instead of writing into it. Throws if none can be watched.
 */
export function watchFile(file: string, onChange: () => void): () => void {
  const watchers: FSWatcher[] = [];
  let fault: unknown;
  for (const folder of foldersOf(file)) {
    try {
      const watcher = watch(folder, { persistent: false }, onChange);
      watcher.on("error", () => watcher.close());
      watchers.push(watcher);
    } catch (error) {
      fault = error;
    }
  }
  if (watchers.length === 0) throw fault;
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}

/** The current folders as text. A different text means that a link or a folder was replaced, so that watching has to start again. */
export function watchedPaths(file: string): string {
  return foldersOf(file)
    .map((folder) => {
      try {
        const { dev, ino } = statSync(folder, { bigint: true });
        return `${folder} ${dev}:${ino}`;
      } catch {
        return folder;
      }
    })
    .join("\n");
}

function foldersOf(file: string): readonly string[] {
  const folders = new Set<string>();
  let last = path.dirname(file);
  for (const { folder, isLink } of stepsTo(file)) {
    if (isLink) folders.add(folder);
    last = folder;
  }
  return [...folders.add(last)];
}
