import type { Caller } from "@toolrack/core";
import type { InputRequests } from "../client/client.ts";

/** A call that continues after its request was answered, as stored. */
export interface StoredTask {
  readonly taskId: string;
  /** The principal that made the call; no other principal learns that the task exists. */
  readonly owner: string;
  readonly tool: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** How long the task is stored after its creation. */
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  /** Questions that wait for an answer. */
  readonly inputRequests: InputRequests;
  /** Answers that came in, for the server that runs the call. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
  /** What the tool answered, once it did; a tool that failed completes with `isError`. */
  readonly result?: Readonly<Record<string, unknown>>;
  /** What went wrong outside of the tool. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  /** Counts the changes. */
  readonly revision: number;
  /** How often the work began: above 1 where something else goes on with it, and whoever began it changes the task no more. @default 1 */
  readonly runs?: number;
}

/** The call behind a task, for a store that lets another server go on with it. */
export interface TaskCall {
  readonly callId: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
}

export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/**
 * Keeps tasks, so that any server of a deployment can answer for them.
 * Contract: a task is there for `get` as soon as `create` has returned, until it expires; `replace` changes nothing and answers
 * false if the stored revision is not `revision`; tasks are plain JSON.
 */
export interface TaskStore {
  create(task: StoredTask, call: TaskCall): void | Promise<void>;
  get(taskId: string): StoredTask | undefined | Promise<StoredTask | undefined>;
  replace(task: StoredTask, revision: number): boolean | Promise<boolean>;
  /** Calls `listener` after each change, until the function that it returns is called. Without it servers look every so often. */
  watch?(taskId: string, listener: () => void): () => void;
}

export function isOver({ status }: Pick<StoredTask, "status">): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}
