import type { ToolResult } from "./result.ts";
import type { AbortSignal } from "../util/abort-signal.ts";

/** Who calls. Every field is optional, and absent means unknown (never "owner"). */
export interface Caller {
  readonly agent?: string;
  /**
   * The authenticated identity behind the call: "key support", "token https://login.example.com/ 42". A server sets it, a request never
   * does. Policies use `agent`; counters, records and ownership use this.
   */
  readonly principal?: string;
  /** An admin acts as this caller, and has to be one for as long as anything is done for it. A server sets it, a request never does. */
  readonly acting?: boolean;
  readonly provider?: string;
  readonly model?: string;
  readonly channel?: string;
  readonly group?: string;
  readonly sender?: string;
  readonly owner?: boolean;
  readonly tenant?: string;
  readonly session?: string;
  readonly run?: string;
  readonly subagentDepth?: number;
  readonly sandboxed?: boolean;
  readonly phase?: string;
  readonly roles?: readonly string[];
  /**
   * Names and globs of the tools that the session which spawned this one had: no others are offered, whatever the policy permits. Whoever
   * spawns sets it, a request never does. `inheritTools` makes it, frozen, so that it is read once; in it, a renamed tool is "source/registered name".
   */
  readonly inherited?: readonly string[];
}

/** What a handler gets in addition to its input. */
export interface CallContext<Services = unknown> {
  readonly callId: string;
  readonly caller: Caller;
  /** Aborted when the caller cancels or the deadline passes; created when first read. */
  readonly signal: AbortSignal;
  /** Typed injection: a database session, a clock … */
  readonly services: Services;
  /** The tool's saved configuration. */
  readonly config: unknown;
  /**
   * Checks a file against the path rules of the policy; absent if none applies to this call. The parameters of a call are checked
   * before its handler runs: a tool that opens other files than those asks here for each of them.
   */
  readonly pathRules?: PathCheck | undefined;
  /**
   * The trace context of this call, if it has one: `{ traceparent, tracestate }` in the form of the HTTP headers. A handler that calls
   * other services passes it on.
   */
  readonly trace?: unknown;
  /** A secret that the tool declares in `metadata.secrets`; rejects with SECRET_MISSING otherwise. */
  secret(name: string): Promise<string>;
  /** Calls another tool through the registry, under the same policy, to a limited depth. */
  call(tool: string, input: unknown, options?: InnerCallOptions): Promise<ToolResult>;
  /** Asks the person behind the call; rejects if there is no one to answer. */
  ask(request: AskRequest): Promise<Answer>;
  progress(update: Progress): void;
  readonly log: Logger;
}

/** Options of a call that a handler makes. */
export interface InnerCallOptions {
  /** The id of the call. @default a new id */
  readonly callId?: string;
  /** What is known of its arguments, by JSON Pointer: { "/to": ["untrusted"] }. Recorded with the call. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Why a file is refused, as a whole sentence; undefined if it is allowed. Both paths are absolute: the one that was used, and the
 * real one that it leads to. `shown` is how the sentence names it.
 */
export type PathCheck = (spelled: string, real: string, shown?: string) => string | undefined;

export interface AskRequest {
  readonly message: string;
  /** The schema of the answer; absent means yes or no. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

export type Answer =
  | { readonly action: "accept"; readonly value?: unknown }
  /** `reason` is told to the caller. */
  | { readonly action: "decline" | "cancel"; readonly reason?: string };

export interface Progress {
  readonly progress?: number;
  readonly total?: number;
  readonly message?: string;
}

export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
