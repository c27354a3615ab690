import { messageOf } from "../errors.ts";
import type { Progress } from "./progress.ts";

/** When a run is done. Without criteria it is done when the model answers without a call. */
export interface Criteria {
  /** Tools that have to be called with success. */
  readonly requiredTools?: readonly string[];
  /** Artifacts that have to exist: `metadata.produces` of tools that were called with success. */
  readonly artifacts?: readonly string[];
  /** The model says that it is done by calling the tool `finish`, and not by a word in its text. */
  readonly signal?: boolean;
  /** What is missing, as a sentence for the model; undefined if nothing is. */
  readonly check?: (progress: CheckedProgress) => string | undefined | Promise<string | undefined>;
}

export interface CheckedProgress extends Progress {
  /** What the model said last. */
  readonly text: string;
}

/** What is missing, as one sentence for the model; undefined if the criteria are met. */
export async function whatIsMissing(criteria: Criteria, progress: CheckedProgress, isFinished: boolean): Promise<string | undefined> {
  const { requiredTools = [], artifacts = [], signal = false, check } = criteria;
  const tools = requiredTools.filter((name) => !progress.called.has(name));
  if (tools.length > 0) return `You are not done: call ${listed(tools)} with success first.`;
  const absent = artifacts.filter((name) => !progress.artifacts.has(name));
  if (absent.length > 0) return `You are not done: ${listed(absent)} ${absent.length === 1 ? "does" : "do"} not exist yet.`;
  const told = await checked(check, progress);
  if (told !== undefined) return told;
  return signal && !isFinished ? `You are not done: call the tool "finish" when you are.` : undefined;
}

async function checked(check: Criteria["check"], progress: CheckedProgress): Promise<string | undefined> {
  try {
    return await check?.(progress);
  } catch (error) {
    return `You are not done: the check of this run failed with "${messageOf(error)}".`;
  }
}

function listed(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
