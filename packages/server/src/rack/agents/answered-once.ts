import { type InvokeOptions, type Registry, ToolError, type ToolResult } from "@toolrack/core";
import { toFailure } from "@toolrack/core/internal";
import { settleUnfinished, type UnfinishedOptions } from "../calls/unfinished.ts";
import type { RunningCall } from "../rack.ts";
import type { TakenRun } from "./hosted-sessions.ts";

export interface AnsweredOnceOptions {
  readonly registry: Registry;
  readonly unfinished: UnfinishedOptions;
  /** The session, once it is taken. */
  taken(): TakenRun | undefined;
  ownName(): string;
  running(callId: string): RunningCall | undefined;
  /** A tool that goes on with what the same call had begun. */
  goesOn(tool: string): boolean;
}

/**
 * The registry as one run of a session sees it. Each run gives its calls ids of their own, so that the log tells the attempts apart; a call that an
 * earlier run may have made is looked up there before it is made.
 */
export function createAnsweredOnce(options: AnsweredOnceOptions): Registry {
  const { registry } = options;
  const invoke: Registry["invoke"] = async (tool, input, given = {}) => {
    const taken = options.taken();
    const { callId } = given;
    if (taken === undefined || callId === undefined) return registry.invoke(tool, input, given);
    const known = await earlierAnswer(callId, tool, taken, options);
    return known ?? registry.invoke(tool, input, numbered(given, callIdOf(callId, taken.run)));
  };
  return Object.create(registry, { invoke: { value: invoke } }) as Registry;
}

function numbered(given: InvokeOptions, callId: string): InvokeOptions {
  return { ...given, callId };
}

/** "<session>.<message>/<call>" → "<session>.<message>-<call>-r<run>" */
export function callIdOf(callId: string, run: number): string {
  return `${callId.replace("/", "-")}-r${run}`;
}

/** The same for every run: "<session>.<message>-<call>" */
export function withoutRun(callId: string): string {
  return callId.replace(/-r\d+$/, "");
}

/** Undefined: it is to be made. */
async function earlierAnswer(
  callId: string,
  tool: string,
  { before, session }: TakenRun,
  options: AnsweredOnceOptions,
): Promise<ToolResult | undefined> {
  const message = Number(/\.(\d+)\/\d+$/.exec(callId)?.[1]);
  if (!(message <= session.last) || options.goesOn(tool)) return undefined;
  for (const { run, server } of before.toReversed()) {
    const outcome = await outcomeOf(callIdOf(callId, run), tool, server, options);
    if (outcome === "again") continue;
    if (outcome !== "unknown") return outcome.result;
    const fact = `The call of tool "${tool}" was cut off, and nobody knows whether it did its work. It may have happened: look before you repeat it.`;
    return toFailure(new ToolError("OUTCOME_UNKNOWN", fact), { callId, tool, durationMs: 0 });
  }
  return undefined;
}

async function outcomeOf(
  callId: string,
  tool: string,
  server: string,
  { unfinished, ownName, running }: AnsweredOnceOptions,
): ReturnType<typeof settleUnfinished> {
  // A run of this very server was cut off, such as by another one that took the session: its calls go on.
  const isOwn = server === ownName();
  if (isOwn) await running(callId)?.result;
  const calls = isOwn ? { ...unfinished.calls, abandon: async () => 0 } : unfinished.calls;
  return settleUnfinished({ callId, tool, server }, { ...unfinished, calls });
}
