import type { Logger } from "@toolrack/core";
import { warnOnce } from "../util/warn-once.ts";
import type { SettingsManager } from "./settings.ts";

export interface TellProblemsOptions {
  readonly settings: Pick<SettingsManager, "addProblems" | "subscribe">;
  /** Resolves when sources are read: without them, tools are missing that the settings name. */
  ready(): Promise<unknown>;
  readonly log: Logger;
  /** Problems that only the registry and what runs by itself can tell. */
  find(): readonly string[];
}

/** Adds problems to those of the settings, and logs each once: at the start, and after a change of the settings. Returns how to stop. */
export function tellProblems({ settings, ready, log, find }: TellProblemsOptions): () => void {
  const warn = warnOnce(log);
  const check = (): void => void ready().then(() => warn(find()));
  settings.addProblems(find);
  check();
  return settings.subscribe(check);
}
