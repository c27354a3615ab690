import { createHash } from "node:crypto";
import { readFileSync, watch } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Logger, SourceStatus } from "@toolrack/core";
import { allowTypeScript } from "../../javascript/allow-typescript.ts";
import { findModule } from "./find-module.ts";
import { withImports } from "./imported-files.ts";
import { type LoadedModules, moduleSourceId } from "./loaded-modules.ts";

/** How often the modules were loaded anew; each module takes the number into its URL, so that all of them share the files that they share. */
export interface Reloads {
  count: number;
}

export interface ReloadModulesOptions {
  readonly specifiers: readonly string[];
  /** The folder of the configuration. */
  readonly folder: string;
  readonly modules: LoadedModules;
  readonly reloads: Reloads;
  /** Reads a source of the registry again; a source that fails keeps its tools. */
  readonly refresh: (sourceId: string) => Promise<SourceStatus>;
  readonly log: Logger;
}

/**
 * Loads all modules anew when the file of one, or a file that one imports by a relative path, changes. A module that cannot be loaded keeps the
 * tools that it had. Returns a function that stops it.
 */
export function reloadChangedModules(options: ReloadModulesOptions): () => void {
  const { specifiers, reloads, refresh, log } = options;
  allowTypeScript();
  const watchers = new Map<string, () => void>();
  let known = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let reloading: Promise<void> | undefined;
  let reloadedAt = -Infinity;
  let isClosed = false;

  /** The files as they are now; their folders are watched, since editors replace a file instead of writing into it. */
  function look(): Map<string, string> {
    const files = filesOf(options);
    for (const folder of new Set(files.map((file) => path.dirname(file)))) {
      if (watchers.has(folder) || isClosed) continue;
      try {
        const watcher = watch(folder, { persistent: false }, onEvent);
        watcher.on("error", () => watcher.close());
        watchers.set(folder, () => watcher.close());
      } catch {
        // A folder that is missing: the module is a source that failed, with the reason.
      }
    }
    return new Map(files.map((file) => [file, stateOf(file)]));
  }

  /** A save is often several events; a file that is written halfway is not loaded. A module that writes its own files must not keep the process busy. */
  function onEvent(): void {
    clearTimeout(timer);
    timer = setTimeout(startReload, Math.max(settleMs, reloadedAt + pauseMs - performance.now()));
    timer.unref();
  }

  function startReload(): void {
    reloading ??= reload()
      .catch((error: unknown) => log.error("The modules could not be loaded again.", { error: String(error) }))
      .finally(() => (reloading = undefined));
  }

  async function reload(): Promise<void> {
    const now = look();
    const changed = [...now].filter(([file, state]) => known.get(file) !== state).map(([file]) => file);
    known = now;
    if (changed.length === 0 || isClosed) return;
    reloadedAt = performance.now();
    reloads.count += 1;
    const { cache } = createRequire(import.meta.url);
    for (const file of now.keys()) delete cache[file];
    const names = changed.map((file) => path.relative(options.folder, file)).join(", ");
    for (const specifier of new Set(specifiers)) {
      const status = await refresh(moduleSourceId(specifier));
      if (isClosed) return;
      tell(names, specifier, status);
    }
    // What was saved while the modules were loaded.
    if (!sameStates(known, look())) onEvent();
  }

  function tell(names: string, specifier: string, { state, error, tools, problems }: SourceStatus): void {
    const about = { module: specifier };
    if (state === "failed") return log.error(`${asSentence(error ?? "It cannot be loaded")} ${keptText(tools)}`, about);
    for (const problem of problems) log.warn(problem, about);
    log.info(`${names} changed: ${specifier} is loaded again, with ${countOf(tools)}.`, about);
    if (options.modules.supplies.has(specifier))
      log.warn(`${specifier} adds more than tools. Changes of its other parts take effect after a restart.`, about);
  }

  known = look();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    watchers.forEach((close) => close());
  };
}

const settleMs = 50;
/** From one reload to the next, at least. */
const pauseMs = 1_000;

function filesOf({ specifiers, folder }: ReloadModulesOptions): readonly string[] {
  const files = specifiers.flatMap((specifier) => {
    try {
      return [...withImports(findModule(specifier, folder))];
    } catch {
      return []; // a package that is not installed
    }
  });
  return [...new Set(files)];
}

/** The hash of its content: a file that is saved unchanged has the same. */
function stateOf(file: string): string {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("base64");
  } catch {
    return ""; // missing, or replaced at this moment
  }
}

function sameStates(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([file, state]) => other.get(file) === state);
}

function asSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

function keptText(tools: readonly string[]): string {
  if (tools.length === 0) return "Mend the file: it is loaded again when you save it.";
  return `${countOf(tools)} of the last version that could be loaded ${tools.length === 1 ? "stays" : "stay"} in use.`;
}

function countOf(tools: readonly string[]): string {
  return tools.length === 1 ? "1 tool" : `${tools.length} tools`;
}
