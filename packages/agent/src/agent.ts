import type { AnyTool, Approval, Caller, ContentBlock, Registry } from "@toolrack/core";
import type { Clock } from "@toolrack/core/node";
import type { Budget } from "./budget/budget.ts";
import type { Settle } from "./calls/settle.ts";
import type { ContextHook } from "./context/fit-context.ts";
import type { Criteria } from "./criteria/criteria.ts";
import type { Phase } from "./criteria/phases.ts";
import type { MessageOrigin } from "./message.ts";
import type { Model } from "./model.ts";
import type { AgentRun } from "./running/agent-run.ts";
import type { SessionStore } from "./sessions.ts";

/** A model with instructions, tools and limits, which can be given work. It holds no state of its own: that is in its sessions. */
export interface Agent {
  readonly name: string;
  readonly description: string | undefined;
  readonly sessions: SessionStore;
  /** Gives the agent something to do, in a new session or in one that exists. Begins at once, and never rejects. Throws for a wrong option. */
  run(input: AgentInput, options?: RunOptions): AgentRun;
  /** Goes on with a session whose run was cut off, stopped, waits for a person, or has something in its inbox. */
  resume(session: string, options?: ResumeOptions): AgentRun;
}

/** Who says it is no part of the input: that is `from` of the options. */
export type AgentInput = string | { readonly content: string; readonly blocks?: readonly ContentBlock[] };

export interface ResumeOptions {
  readonly signal?: AbortSignal;
  /** In place of single limits of the agent's budget. */
  readonly budget?: Budget;
  /** The answers of people to calls that wait: `{ digest, answer }` of each of them. */
  readonly approvals?: readonly Approval[];
  /** The id of the session whose run this one is a part of: it draws from the budget of that run. */
  readonly parent?: string;
}

export interface RunOptions extends ResumeOptions {
  /** The id, the key, or a name of your own: "notes" is "agent:<name>:notes". @default a new session */
  readonly session?: string;
  /** Who says it. @default a person */
  readonly from?: MessageOrigin;
  readonly label?: string;
}

export interface AgentOptions {
  readonly name: string;
  /** What the agent is good for: how it is offered as a tool. */
  readonly description?: string;
  readonly instructions: string;
  readonly model: Model;
  /** Where its tools are, and through which they are called; or the tools themselves. */
  readonly registry: Registry | readonly AnyTool[];
  /** @default in memory */
  readonly sessions?: SessionStore;
  /** For whom it works: what a policy decides by. `agent`, `model`, `session`, `phase` and `subagentDepth` are filled in. */
  readonly caller?: Caller;
  readonly budget?: Budget;
  /** When a run is done. @default when the model answers without a call */
  readonly until?: Criteria;
  /** Parts of a run, one after the other, each with its own tools. */
  readonly phases?: readonly Phase[];
  /** Artifacts that exist from the beginning, for tools that consume them. */
  readonly artifacts?: readonly string[];
  /** Chooses what the model is shown. @default over 80 % of its window, old results in short, then summaries */
  readonly context?: ContextHook;
  /** Finds out what became of a call whose process ended. @default what this process remembers */
  readonly settle?: Settle;
  /** What the declarations of tools may cost in tokens. @default no limit */
  readonly maxToolTokens?: number;
  /** With more tools than this, the model searches for them. @default 100 */
  readonly searchAbove?: number;
  /** @default the machine's clock */
  readonly clock?: Clock;
}
