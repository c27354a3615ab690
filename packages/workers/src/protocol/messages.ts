import type { Answer, AskRequest, Caller, Progress, ToolResult } from "@toolrack/core";

/** A tool as a worker announces it: the definition without its handler. */
export interface ToolCard {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** From a worker to all servers, signed: what it has. */
export interface Hello {
  readonly kind: "hello";
  readonly slots: number;
  readonly startedAt: number;
  readonly version?: string;
  readonly tools: readonly ToolCard[];
  /** The public half of an agreement with each server; its private half exists in this process alone. */
  readonly exchange: string;
  /** The name of its link, by which a broker tells that it is gone. */
  readonly link: string;
}

/** From a worker to all servers, signed: it is alive, and whether it takes calls. */
export interface Beat {
  readonly kind: "beat";
  readonly state: WorkerState;
  readonly running: number;
}

/** "open" takes calls, "full" has no free slot, "draining" ends what it has, "gone" has closed. */
export type WorkerState = "open" | "full" | "draining" | "gone";

/** From a server, signed: to all workers a question who is there, to one the other half of their agreement. */
export type Roll = { readonly kind: "roll" };
export type Greeting = { readonly kind: "greeting"; readonly exchange: string };
/** From a server to one worker, signed: take no more calls, and end when those that you have have ended. */
export type Drain = { readonly kind: "drain" };

/** From a server to a worker, encrypted. */
export type ToWorker =
  /** May this be run? Nothing runs before `run`. `exchange` is the server's half of an agreement for this call alone. */
  | { readonly kind: "offer"; readonly call: string; readonly tool: string; readonly hash: string; readonly exchange: string }
  | { readonly kind: "run"; readonly call: string; readonly task: Task }
  | { readonly kind: "cancel"; readonly call: string }
  /** The answer to something that the handler asked for. */
  | { readonly kind: "answer"; readonly call: string; readonly question: number; readonly value?: unknown; readonly fault?: Fault };

export interface Task {
  readonly callId: string;
  readonly input: unknown;
  readonly caller: Caller;
  readonly config?: unknown;
  readonly trace?: unknown;
  /** How long it may run, counted from the arrival of this message. */
  readonly timeoutMs?: number;
}

/** From a worker to a server, encrypted. */
export type ToServer =
  /** With the worker's half of the agreement for this call. */
  | { readonly kind: "accept"; readonly call: string; readonly exchange: string }
  | { readonly kind: "refuse"; readonly call: string; readonly why: "full" | "draining" | "definition" }
  | { readonly kind: "progress"; readonly call: string; readonly update: Progress }
  | {
      readonly kind: "log";
      readonly call: string;
      readonly level: LogLevel;
      readonly message: string;
      readonly fields?: Readonly<Record<string, unknown>>;
    }
  /** A part of a stream. */
  | { readonly kind: "item"; readonly call: string; readonly value: unknown }
  | { readonly kind: "question"; readonly call: string; readonly question: number; readonly about: Question }
  | { readonly kind: "end"; readonly call: string; readonly value?: unknown; readonly streamed?: true; readonly fault?: Fault };

/** What is said of a call before it has keys, and after it may have lost them: with keys of the two processes. All else needs those of the call. */
const kindsOfPairs: ReadonlySet<unknown> = new Set<(ToWorker | ToServer)["kind"]>(["offer", "accept", "refuse", "cancel"]);

export function isOfPair(kind: unknown): boolean {
  return kindsOfPairs.has(kind);
}

export type LogLevel = "debug" | "info" | "warn" | "error";

/** What a handler asks its server for. */
export type Question =
  | { readonly of: "secret"; readonly name: string }
  | { readonly of: "call"; readonly tool: string; readonly input: unknown }
  | { readonly of: "ask"; readonly request: AskRequest };
export type QuestionAnswer = string | ToolResult | Answer;

/** An error as it travels: the code only if it is one of ours. */
export interface Fault {
  readonly message: string;
  readonly code?: string;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
}
