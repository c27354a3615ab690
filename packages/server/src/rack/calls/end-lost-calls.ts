import { type Caller, type Logger, ToolError } from "@toolrack/core";
import { presentCaller } from "../jobs/present-caller.ts";
import { isOfKey } from "../keys-and-tokens/held-roles.ts";
import { onEnds } from "../keys-and-tokens/on-ends.ts";
import type { ApiKeys } from "../rack.ts";
import type { LocalCalls } from "./local-calls.ts";

export interface EndLostCallsOptions {
  readonly keys: Pick<ApiKeys, "list" | "wereMade" | "onEnd">;
  readonly calls: Pick<LocalCalls, "list">;
  /** Whether a tool looks by itself whether it may go on. */
  looksItself(tool: string): boolean;
  readonly log: Logger;
  now(): number;
}

/**
 * When a key is revoked or expires, ends the calls of this server whose callers lost rights with it, whoever makes them: no request holds the calls of jobs and of
 * agents, and what waits for a person may wait for long. Returns a function that stops it.
 */
export function endLostCalls({ keys, calls, looksItself, log, now }: EndLostCallsOptions): () => void {
  return onEnds(keys, (ended, left) => {
    const known = { list: async () => left, wereMade: () => keys.wereMade() };
    for (const call of calls.list()) {
      if (looksItself(call.tool) || ![...ended].some((agent) => isOfKey(call.caller.principal, agent))) continue;
      whatWasLost(call.caller, known, now()).then(
        (lost) => lost !== undefined && call.cancel(new ToolError("ABORTED", lost)),
        (error: unknown) =>
          log.error("The rights of a running call could not be looked at.", { callId: call.callId, error: String(error) }),
      );
    }
  });
}

/** As a sentence; undefined: it has all that it had. */
async function whatWasLost(caller: Caller, keys: Pick<ApiKeys, "list" | "wereMade">, now: number): Promise<string | undefined> {
  const present = await presentCaller(caller, keys, now);
  if (typeof present === "string") return present;
  const had = [...(caller.roles ?? []), ...(caller.owner === true ? ["owner"] : [])];
  const has = [...(present.roles ?? []), ...(present.owner === true ? ["owner"] : [])];
  const lost = had.find((role) => !has.includes(role));
  return lost && `"${caller.principal!.slice("key ".length)}" does not have the role "${lost}" any more.`;
}
