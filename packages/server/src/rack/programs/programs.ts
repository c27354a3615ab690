import type { ChainPlan } from "@toolrack/code";
import type { CallContext, Caller } from "@toolrack/core";
import type { Author } from "../audit/author.ts";

/** Programs over the tools of this server: every call inside is an ordinary call of the registry. */
export interface Programs {
  /**
   * Runs a program as the caller of `context`. Throws a ToolError whose message has line, column, source line and fix; INPUT_INVALID if
   * nothing ran.
   */
  run(request: ProgramRequest, context: CallContext): Promise<ProgramOutcome>;
  /** Programs that waited for a person at least once, of all servers, the newest first. */
  list(): Promise<readonly ProgramSummary[]>;
  /** Undefined: there is none, or it ended long ago. */
  show(id: string): Promise<ProgramDetails | undefined>;
  /** Ends a program that waits or runs, on any server. False: there is none that has not ended. */
  cancel(id: string, by: Author): Promise<boolean>;
}

export interface ProgramRequest {
  /** The program. */
  readonly source: string;
  /** Plain data, visible in the program as `input`. */
  readonly input?: unknown;
  /** Where that stands in the input of the call, as a JSON Pointer. @default "", all of it */
  readonly inputAt?: string;
  /** The only tools that it may call; absent: every tool that its caller may call. */
  readonly tools?: readonly string[];
  /** The chain that it was made of. */
  readonly chain?: ChainPlan;
}

/** How a program ended. */
export interface ProgramOutcome {
  /** What it returned, as plain data; `null` without a `return`. */
  readonly value: unknown;
  /** What it wrote with `console.log`. */
  readonly logs?: readonly string[];
  /** What is known of the value and the logs: "untrusted", "private", "secret". */
  readonly labels?: readonly string[];
  /** What its author may want to know: a failed call that nobody awaited. */
  readonly warnings?: readonly string[];
}

/** "waiting" until it ended: for a person, or for a call that runs. */
export type ProgramStatus = "waiting" | "ended" | "failed" | "cancelled";

export interface ProgramSummary {
  readonly id: string;
  readonly status: ProgramStatus;
  /** The tool whose call runs it: "run_code", or one that is stored as code. */
  readonly tool: string;
  readonly caller: Caller;
  /** The call that runs it, or ran it last. */
  readonly callId: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly updatedAt: number;
  /** The line that it stands on, while it waits. */
  readonly line?: number;
}

export interface ProgramDetails extends ProgramSummary {
  readonly source: string;
  /** The steps of the chain that it was made of. */
  readonly chain?: ProgramChain;
  /** The calls that it waits for. */
  readonly pending: readonly ProgramCallDetails[];
  /** How it ended. */
  readonly outcome?: ProgramOutcome;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface ProgramCallDetails {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  /** What is known of the input, by JSON Pointer; "" holds for all of it, and is what decided that the call is made. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
  /** Where these labels come from, by JSON Pointer: `{ "/text": ["read_mail (line 2)"] }`. */
  readonly origins?: Readonly<Record<string, readonly string[]>>;
  readonly line: number;
  /** The question to a person, if it waits for one. */
  readonly approval?: string;
}

/** The steps of a chain, in the order in which they run, and how far they are. */
export interface ProgramChain {
  /** Ids of steps: those of one level run at the same time. */
  readonly levels: readonly (readonly string[])[];
  /** Which step waits for which: the earlier one, the later one. */
  readonly edges: readonly (readonly string[])[];
  readonly steps: readonly ProgramStep[];
  /** The step whose result counts. */
  readonly returned: string;
}

export interface ProgramStep {
  readonly id: string;
  readonly tool: string;
  /** "waiting" for a person; "unknown" where the chain failed or was cancelled. */
  readonly status: "not begun" | "running" | "waiting" | "ended" | "unknown";
}
