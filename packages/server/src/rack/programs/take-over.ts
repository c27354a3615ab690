import type { Caller, InvokeOptions, Logger } from "@toolrack/core";
import type { CallLog } from "@toolrack/store";
import { newCallId } from "../calls/call-id.ts";
import { settleUnfinished, type UnfinishedOptions } from "../calls/unfinished.ts";
import { hasEnded } from "../cluster/server-name.ts";
import type { RunningCall } from "../rack.ts";
import type { Records } from "../store/records.ts";
import type { Settle } from "./live-parts.ts";
import { labelsFromLog } from "./log-labels.ts";
import { markerIdOf } from "./marker-id.ts";
import { toAnswer } from "./outcome.ts";
import { definitionOf, type ReachRegistry } from "./reach.ts";
import { changedText, type PendingRecord, runIdOf, type RunRecords, type StoredRun, withoutState } from "./run-record.ts";

/** Goes on with programs whose server ended. */
export interface TakeOver {
  /** Unless it waits for a person, or another server goes on with it. */
  take(id: string): Promise<"taken" | "waits" | "no">;
  /** All programs of a server. Returns how many go on. */
  abandon(server: string): Promise<number>;
  /** How a call of a server that ended went on. */
  readonly settle: Settle;
  isOver(server: string): Promise<boolean>;
}

export interface TakeOverOptions {
  readonly registry: ReachRegistry;
  readonly records: RunRecords;
  readonly markers: Records;
  readonly unfinished: UnfinishedOptions;
  readonly calls: Pick<CallLog, "show" | "list">;
  /** What the results of a tool carry. */
  labelsOf(tool: string): readonly string[];
  readonly server: { readonly name: string };
  readonly log: Logger;
  /** Programs that go on, by the call that is made for it. */
  readonly resuming: Map<string, StoredRun>;
  /** Calls that are approved. */
  readonly carried: Map<string, string | true>;
  announce(): Promise<void>;
  callerNow(caller: Caller): Promise<Caller | string>;
  start(tool: string, input: unknown, options: InvokeOptions): RunningCall;
  isAsking(approval: string): Promise<boolean>;
  knownServers(): Promise<readonly string[]>;
  now(): number;
}

export function createTakeOver(options: TakeOverOptions): TakeOver {
  const { registry, records, markers, server, log, resuming, carried, now } = options;
  const taking = new Set<string>();
  /** Servers whose programs all wait for people, and until when nobody looks at them again: an answer is told at once. */
  const quietUntil = new Map<string, number>();

  const settle: Settle = async (pending) => {
    const { number: callId, tool } = pending;
    const inner = await records.get(runIdOf(pending.callId)).catch(() => undefined);
    const outcome = await settleUnfinished(
      { callId: inner?.callId ?? pending.callId, tool, server: inner?.server ?? pending.server },
      options.unfinished,
    );
    if (outcome === "unknown" || (outcome === "again" && inner !== undefined))
      return failed(
        callId,
        "OUTCOME_UNKNOWN",
        `The server ended while "${tool}" ran; whether the tool did its work is not known. Check before you call it again.`,
      );
    if (outcome !== "again") {
      if (isTruncated(outcome.result))
        return failed(callId, "RESULT_TOO_LARGE", `"${tool}" ended, and its result was too large to be kept over the restart.`);
      const labels =
        inner?.content.outcome?.labels ?? (await labelsFromLog(inner?.callId ?? pending.callId, options.calls, options.labelsOf));
      return { answer: toAnswer(callId, outcome.result, () => undefined), labels };
    }
    if (pending.definition === undefined || definitionOf(registry, tool) === pending.definition) return "again";
    return failed(
      callId,
      "APPROVAL_DENIED",
      `Tool "${tool}" changed or was removed while the program waited, so the call was not made. Call it again.`,
    );
  };

  async function take(id: string): ReturnType<TakeOver["take"]> {
    if (taking.has(id)) return "no";
    taking.add(id);
    try {
      const stored = await records.get(id);
      if (stored === undefined || stored.status !== "waiting" || !(await isOver(stored.server))) return "no";
      for (const pending of stored.content.pending) if (await isWaiting(pending)) return "waits";
      return (await resume(stored)) ? "taken" : "no";
    } catch (error) {
      log.error("A stored program could not go on.", { program: id, error: error instanceof Error ? error.message : String(error) });
      return "no";
    } finally {
      taking.delete(id);
    }
  }

  /** For a person, or for a program that does. */
  async function isWaiting({ approval, callId }: PendingRecord): Promise<boolean> {
    if (approval !== undefined && (await options.isAsking(approval))) return true;
    const inner = await records.get(runIdOf(callId)).catch(() => undefined);
    return inner?.status === "waiting";
  }

  async function isOver(name: string): Promise<boolean> {
    if (name === server.name) return false;
    return hasEnded(name) || !(await options.knownServers()).includes(name);
  }

  /** Of several servers that try, the one whose write comes first. */
  async function resume(stored: StoredRun): Promise<boolean> {
    const { id, content, version, startedAt } = stored;
    await options.announce();
    const callId = newCallId();
    const taken = { id, startedAt, content, callId, status: "waiting" as const, server: server.name, updatedAt: now() };
    const next = await records.write(taken, version);
    if (next === undefined) return false;
    log.info("A stored program goes on.", { program: id, callId, tool: content.tool });
    const caller = await options.callerNow(content.caller);
    const fault = changedTool(stored);
    if (typeof caller === "string" || fault !== undefined) {
      const why = typeof caller === "string" ? `${caller} The program did not go on.` : fault!;
      await fail({ ...taken, version: next }, "TOOL_NOT_ALLOWED", why);
      return true;
    }
    resuming.set(callId, { ...taken, version: next });
    carried.set(callId, true);
    const { parent, tool, input, labels } = content;
    const how = { caller, callId, ...(parent && { parent }), ...(labels && { labels }) };
    void options.start(tool, input, how).result.then(async (result) => {
      carried.delete(callId);
      // The caller may no longer make the call that runs it.
      if (!resuming.delete(callId) || result.ok) return;
      await fail({ ...taken, version: next }, result.code, result.error).catch((error: unknown) =>
        log.error("The end of a program could not be stored.", { program: id, error: String(error) }),
      );
    });
    return true;
  }

  function changedTool({ content: { tool, definition } }: StoredRun): string | undefined {
    if (definition === undefined || definitionOf(registry, tool) === definition) return undefined;
    return `Tool "${tool}", which ran the program, changed or was removed while the program waited. Run it again.`;
  }

  async function fail(run: StoredRun, code: string, message: string): Promise<void> {
    const content = { ...withoutState(run.content), pending: [], error: { code, message } };
    await records.write({ ...run, status: "failed", updatedAt: now(), content }, run.version);
  }

  async function abandon(ended: string): Promise<number> {
    if ((quietUntil.get(ended) ?? 0) > now()) return 0;
    let count = 0;
    let isQuiet = true;
    for (const { content, ...run } of await records.list({ server: ended, isOpen: true })) {
      const outcome = content === undefined ? await refuseChanged(run) : await take(run.id);
      if (outcome === "taken") count++;
      if (outcome !== "waits") isQuiet = false;
    }
    if (isQuiet) quietUntil.set(ended, now() + quietMs);
    if ((await records.list({ server: ended, isOpen: true })).length > 0) return count;
    quietUntil.delete(ended);
    await markers.remove(markerIdOf(ended));
    return count;
  }

  /** Nothing is known of it that could be trusted. */
  async function refuseChanged({ version, ...run }: Omit<StoredRun, "content">): Promise<"no"> {
    const message = changedText(run.id);
    log.error(message, { program: run.id });
    const content = { tool: "", input: null, caller: {}, source: "", pending: [], error: { code: "OUTCOME_UNKNOWN", message } };
    await records.write({ ...run, status: "failed", updatedAt: now(), content }, version);
    return "no";
  }

  return { take, abandon, settle, isOver };
}

/** A question that nobody answered in time is noticed by then. */
const quietMs = 30_000;

function failed(callId: string, code: string, message: string): Exclude<Awaited<ReturnType<Settle>>, "again"> {
  return { answer: { callId, error: { code, message } }, labels: [] };
}

/** What the log kept of a result that was too large. */
function isTruncated(result: { readonly ok: boolean; readonly data?: unknown }): boolean {
  const data = result.data as { readonly truncated?: unknown; readonly beginning?: unknown } | null | undefined;
  return typeof data === "object" && data !== null && data.truncated === true && typeof data.beginning === "string";
}
