import type { Caller } from "../tool/context.ts";
import { type Clock, systemClock } from "../util/clock.ts";

/** How long a person's approval lasts: for one call, for the caller's session, or until it is removed. */
export type ApprovalScope = "once" | "session" | "always";

/** A call that a person decides about. */
export interface ApprovedCall {
  readonly tool: string;
  /** Binds the approval to exactly these arguments. */
  readonly digest: string;
  /** The hash of the tool's definition and its source: a tool that changed needs a new approval. */
  readonly definition?: string;
  readonly caller: Caller;
}

export interface RememberedApproval extends ApprovedCall {
  readonly scope: ApprovalScope;
  /** "tool": approved for any arguments of the tool. @default "call" */
  readonly covers?: "call" | "tool";
}

/**
 * What people have approved.
 * Contract: an approval applies to the tenant, the agent and the principal it was given for, never to another; "once" is used up by the first
 * `take` and expires; "session" without a session is "once"; what is dropped for lack of space needs a new approval.
 */
export interface ApprovalMemory {
  remember(approval: RememberedApproval): void;
  /** The scope under which the call was approved before; an approval for one call is used up by this. */
  take(call: ApprovedCall): ApprovalScope | undefined;
  /** The approvals in effect, oldest first. */
  list(): readonly RememberedApproval[];
  /** Removes an approval; false if there was none. */
  forget(approval: RememberedApproval): boolean;
}

export interface ApprovalMemoryOptions {
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** How long an approval for one call can be used. @default 600_000 */
  readonly onceForMs?: number;
  /** @default 10_000 */
  readonly maxEntries?: number;
}

export function createApprovalMemory(options: ApprovalMemoryOptions = {}): ApprovalMemory {
  const { clock = systemClock, onceForMs = 600_000, maxEntries = 10_000 } = options;
  const kept = new Map<string, { readonly approval: RememberedApproval; uses: number; readonly until: number }>();

  function remember(given: RememberedApproval): void {
    const approval = settle(given);
    const key = keyOf(approval);
    const uses = approval.scope === "once" ? (holding(key)?.uses ?? 0) + 1 : Number.POSITIVE_INFINITY;
    const until = approval.scope === "once" ? clock.now() + onceForMs : Number.POSITIVE_INFINITY;
    kept.delete(key);
    kept.set(key, { approval, uses, until });
    if (kept.size > maxEntries) kept.delete(kept.keys().next().value!);
  }

  function holding(key: string): { uses: number } | undefined {
    const found = kept.get(key);
    return found === undefined || found.until <= clock.now() ? undefined : found;
  }

  function take(call: ApprovedCall): ApprovalScope | undefined {
    for (const scope of ["always", "session", "once"] as const) {
      if (scope === "session" && call.caller.session === undefined) continue;
      for (const covers of ["call", "tool"] as const) {
        const key = keyOf({ ...call, scope, covers });
        const found = holding(key);
        if (found === undefined) continue;
        if (--found.uses <= 0) kept.delete(key);
        return scope;
      }
    }
    return undefined;
  }

  return {
    remember,
    take,
    list: () => [...kept.values()].filter(({ until }) => until > clock.now()).map(({ approval }) => approval),
    forget: (approval) => kept.delete(keyOf(settle(approval))),
  };
}

/** An approval for one call never covers more than that call; without a session, "session" becomes "once". */
function settle(approval: RememberedApproval): RememberedApproval {
  const scope = approval.scope === "session" && approval.caller.session === undefined ? "once" : approval.scope;
  return Object.freeze({ ...approval, scope, covers: scope === "once" ? "call" : (approval.covers ?? "call") });
}

function keyOf({ tool, digest, definition, caller, scope, covers }: RememberedApproval): string {
  const session = scope === "always" ? undefined : caller.session;
  const about = [tool, definition, covers === "tool" ? undefined : digest];
  return JSON.stringify([scope, caller.tenant, caller.principal, caller.agent, session, ...about]);
}
