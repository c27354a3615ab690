import { type ApprovalRequest, type CallContext, type Caller, type InvokeOptions, type Logger, ToolError } from "@toolrack/core";
import type { Reranker } from "@toolrack/core/search";
import type { BreadcrumbStore, CallLog } from "@toolrack/store";
import type { ProgramQuestions, QuestionCompanion } from "../approvals/approvals.ts";
import { approvalSchema } from "../approvals/approvals.ts";
import type { WriteAudit } from "../audit/audit.ts";
import { settleUnfinished, type UnfinishedOptions } from "../calls/unfinished.ts";
import { newCallId } from "../calls/call-id.ts";
import { hasEnded } from "../cluster/server-name.ts";
import type { RunningCall } from "../rack.ts";
import type { RecordFeed } from "../store/records.ts";
import type { LiveRun, Settle } from "./live-run.ts";
import { toAnswer } from "./outcome.ts";
import type { ProgramDetails, Programs, ProgramSummary } from "./programs.ts";
import { definitionOf, type ReachRegistry } from "./reach.ts";
import { changedText, createRunRecords, type ListedRun, type PendingRecord, runIdOf, type StoredRun } from "./run-record.ts";

/** Programs, and what the rest of the server has to tell them. */
export interface ProgramManager extends Programs {
  /** What questions to people have to do with programs. */
  readonly questions: ProgramQuestions;
  /** Whether a call was made by a program. */
  isWithin(request: Pick<ApprovalRequest, "parentCallIds">): boolean;
  /** From now on this server goes on with programs of others: its tools are there. */
  begin(): void;
  /** The servers that have stored programs. */
  servers(): readonly string[];
  /** Goes on with the programs of a server that ended, as far as nothing waits for a person. Returns how many. */
  abandon(server: string): Promise<number>;
}

export interface ProgramsOptions {
  readonly registry: ReachRegistry;
  readonly reranker: Reranker | undefined;
  readonly store: BreadcrumbStore;
  readonly feed: RecordFeed;
  readonly sharedKey: Uint8Array;
  readonly keepMs: number;
  readonly calls: CallLog;
  /** How calls of servers that ended are settled. */
  readonly unfinished: UnfinishedOptions;
  readonly server: { readonly name: string };
  readonly log: Logger;
  readonly audit: WriteAudit;
  redact(value: unknown): unknown;
  /** Why this caller can make no calls any more. */
  callerFault(caller: Caller): Promise<string | undefined>;
  /** Makes a call that is known to the server. */
  start(tool: string, input: unknown, options: InvokeOptions): RunningCall;
  /** Cancels a call that runs here or elsewhere. */
  cancel(callId: string, reason: string): Promise<void>;
  /** The question with this id is still open. */
  isAsking(approval: string): Promise<boolean>;
  /** Removes questions that nobody needs an answer to. */
  withdraw(approvals: readonly string[]): Promise<void>;
  /** The servers that hold a lease. */
  knownServers(): Promise<readonly string[]>;
  /** Whether the server leaves a call, and not its caller. */
  isLeft(reason: unknown): boolean;
  now(): number;
}

/** The machine is loaded with the first program. */
export function createPrograms(options: ProgramsOptions): ProgramManager {
  const { registry, feed, calls, server, log, audit, now } = options;
  const records = createRunRecords(options);
  const markers = feed.of("toolrack.program-server.v1");
  const markerOf = (name: string): string => `program-server-${name}`;
  /** By the call that runs it. */
  const live = new Map<string, LiveRun>();
  const resuming = new Map<string, StoredRun>();
  /** Calls whose questions were answered before they were made again; true for the call of the program itself. */
  const carried = new Map<string, string | true>();
  const taking = new Set<string>();
  let hasBegun = false;

  async function announce(): Promise<void> {
    const id = markerOf(server.name);
    if (markers.get(id) === undefined)
      await markers.write({ id, title: "A server with stored programs", context: { server: server.name } });
  }

  const parts = { ...options, records, announce, carry: (callId: string, approval: string) => void carried.set(callId, approval) };

  async function run(request: Parameters<Programs["run"]>[0], context: CallContext): ReturnType<Programs["run"]> {
    const machine = await import("./live-run.ts");
    const stored = resuming.get(context.callId);
    resuming.delete(context.callId);
    const one = new machine.LiveRun(parts, stored === undefined ? request : { ...request, source: stored.content.source }, context, stored);
    live.set(context.callId, one);
    try {
      return await one.run(stored === undefined ? undefined : settle);
    } finally {
      live.delete(context.callId);
      const parent = stored?.content.parent;
      if (parent !== undefined) setImmediate(() => void take(runIdOf(parent.callId)));
    }
  }

  /** How a call of a server that ended went on. */
  async function settle(pending: PendingRecord): ReturnType<Settle> {
    const { number: callId, tool } = pending;
    const inner = await records.get(runIdOf(pending.callId)).catch(() => undefined);
    const outcome = await settleUnfinished(
      { callId: inner?.callId ?? pending.callId, tool, server: inner?.server ?? pending.server },
      options.unfinished,
    );
    if (outcome === "unknown" || (outcome === "again" && inner !== undefined))
      return {
        callId,
        error: {
          code: "OUTCOME_UNKNOWN",
          message: `The server ended while "${tool}" ran; whether the tool did its work is not known. Check before you call it again.`,
        },
      };
    if (outcome !== "again") {
      if (isTruncated(outcome.result))
        return {
          callId,
          error: { code: "RESULT_TOO_LARGE", message: `"${tool}" ended, and its result was too large to be kept over the restart.` },
        };
      return toAnswer(callId, outcome.result, () => undefined);
    }
    if (pending.definition !== undefined && definitionOf(registry, tool) !== pending.definition)
      return {
        callId,
        error: {
          code: "APPROVAL_DENIED",
          message: `Tool "${tool}" changed or was removed while the program waited, so the call was not made. Call it again.`,
        },
      };
    return "again";
  }

  /** Goes on with a program whose server ended, unless it waits for a person or another server does. */
  async function take(id: string): Promise<boolean> {
    if (!hasBegun || taking.has(id)) return false;
    taking.add(id);
    try {
      const stored = await records.get(id);
      if (stored === undefined || stored.status !== "waiting" || !(await isOver(stored.server))) return false;
      for (const { approval, callId } of stored.content.pending) {
        if (approval !== undefined && (await options.isAsking(approval))) return false;
        const inner = await records.get(runIdOf(callId)).catch(() => undefined);
        if (inner?.status === "waiting") return false;
      }
      return await resume(stored);
    } catch (error) {
      log.error("A stored program could not go on.", { program: id, error: error instanceof Error ? error.message : String(error) });
      return false;
    } finally {
      taking.delete(id);
    }
  }

  async function isOver(name: string): Promise<boolean> {
    if (name === server.name) return false;
    return hasEnded(name) || !(await options.knownServers()).includes(name);
  }

  /** Of several servers that try, the one whose write comes first. */
  async function resume(stored: StoredRun): Promise<boolean> {
    const { id, content, version, startedAt } = stored;
    await announce();
    const callId = newCallId();
    const taken = { id, startedAt, content, callId, status: "waiting" as const, server: server.name, updatedAt: now() };
    const next = await records.write(taken, version);
    if (next === undefined) return false;
    log.info("A stored program goes on.", { program: id, callId, tool: content.tool });
    const fault = (await options.callerFault(content.caller)) ?? changedTool(stored);
    if (fault !== undefined) {
      await fail({ ...taken, version: next }, "TOOL_NOT_ALLOWED", fault);
      return true;
    }
    resuming.set(callId, { ...taken, version: next });
    carried.set(callId, true);
    const { caller, parent, tool, input } = content;
    void options.start(tool, input, { caller, callId, ...(parent && { parent }) }).result.then(async (result) => {
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
    const { state: _, ...content } = run.content;
    const ended = { ...run, status: "failed" as const, updatedAt: now(), content: { ...content, pending: [], error: { code, message } } };
    await records.write(ended, run.version);
  }

  // A person answered: whichever server is there goes on.
  feed.of(approvalSchema).subscribe((_id, record) => {
    const program = record?.context["program"] as { readonly id?: unknown } | undefined;
    if (typeof program?.id !== "string" || record?.context["state"] !== "decided") return;
    if (hasEnded(String(record.context["server"]))) void take(program.id);
  });

  async function beside(request: ApprovalRequest, approval: string): Promise<QuestionCompanion | undefined> {
    const above = request.parentCallIds ?? [];
    const runs = above.flatMap((callId, index) => {
      const one = live.get(callId);
      return one === undefined ? [] : [{ one, child: index === 0 ? request.callId : above[index - 1]!, isDirect: index === 0 }];
    });
    if (runs.length === 0) return undefined;
    // A handler that asks has begun, and cannot be continued elsewhere.
    const isRunning = calls.open().some(({ callId }) => callId === request.callId);
    const isKept = runs[0]!.isDirect && !isRunning;
    const waits: Awaited<ReturnType<LiveRun["wait"]>>[] = [];
    for (const { one, child, isDirect } of runs) waits.push(await one.wait(child, isKept && isDirect ? approval : undefined));
    const done = (isWritten: boolean): void => waits.forEach((wait) => wait.done(isWritten));
    try {
      for (const wait of waits) await wait.prepare();
    } catch (error) {
      done(false);
      throw error;
    }
    const { id, line, text } = waits[0]!;
    return {
      program: { id, line, text, isKept },
      async write(tx) {
        for (const wait of waits) await wait.write(tx);
      },
      done,
    };
  }

  async function abandon(ended: string): Promise<number> {
    if (!hasBegun || markers.get(markerOf(ended)) === undefined) return 0;
    let count = 0;
    for (const { id, content, version, ...rest } of await records.list({ server: ended, isOpen: true })) {
      if (content !== undefined) count += (await take(id)) ? 1 : 0;
      else await refuseChanged({ id, version, ...rest });
    }
    if ((await records.list({ server: ended, isOpen: true })).length === 0) await markers.remove(markerOf(ended));
    return count;
  }

  /** Nothing is known of it that could be trusted. */
  async function refuseChanged({ version, ...run }: Omit<StoredRun, "content">): Promise<void> {
    const message = changedText(run.id);
    log.error(message, { program: run.id });
    const content = { tool: "", input: null, caller: {}, source: "", pending: [], error: { code: "OUTCOME_UNKNOWN", message } };
    await records.write({ ...run, status: "failed", updatedAt: now(), content }, version);
  }

  return {
    run,
    begin: () => void (hasBegun = true),
    abandon,
    questions: {
      beside,
      carried(callId) {
        const given = carried.get(callId);
        carried.delete(callId);
        return given;
      },
    },
    isWithin: ({ parentCallIds = [] }) => parentCallIds.some((callId) => live.has(callId)),
    servers: () => [...markers.values()].map(({ context }) => String(context["server"])),
    async list() {
      const [open, ended] = await Promise.all([records.list({ isOpen: true }), records.list({ isOpen: false })]);
      return [...open, ...ended].map(toSummary).sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? -1 : 1));
    },
    async show(id) {
      const found = await records.get(id);
      return found && toDetails(found);
    },
    async cancel(id, by) {
      const found = await records.get(id);
      if (found === undefined || found.status !== "waiting") return false;
      const reason = "The program was cancelled.";
      await audit({ kind: "program-cancelled", subject: id, by, body: { callId: found.callId, tool: found.content.tool } });
      if (!(await isOver(found.server))) {
        await options.cancel(found.callId, reason);
        return true;
      }
      const { state: _, ...content } = found.content;
      const ended = { ...found, status: "cancelled" as const, updatedAt: now() };
      const error = { code: "ABORTED", message: reason };
      if ((await records.write({ ...ended, content: { ...content, pending: [], error } }, found.version)) === undefined)
        throw new ToolError("ABORTED", `The program "${id}" goes on at this moment. Cancel it again.`, { retryable: true });
      await options.withdraw(content.pending.flatMap(({ approval }) => approval ?? []));
      return true;
    },
  };
}

/** What the log kept of a result that was too large. */
function isTruncated(result: { readonly ok: boolean; readonly data?: unknown }): boolean {
  const data = result.data as { readonly truncated?: unknown; readonly beginning?: unknown } | null | undefined;
  return typeof data === "object" && data !== null && data.truncated === true && typeof data.beginning === "string";
}

function toSummary({ id, status, callId, startedAt, updatedAt, content }: ListedRun): ProgramSummary {
  const line = content?.pending[0]?.line;
  const about = { tool: content?.tool ?? "", caller: content?.caller ?? {} };
  return { id, status, ...about, callId, startedAt, updatedAt, ...(line !== undefined && { line }) };
}

function toDetails(run: StoredRun): ProgramDetails {
  const { source, pending, outcome, error } = run.content;
  return {
    ...toSummary(run),
    source,
    pending: pending.map(({ callId, tool, input, labels, line, approval }) => ({
      callId,
      tool,
      input,
      labels,
      line,
      ...(approval !== undefined && { approval }),
    })),
    ...(outcome !== undefined && { outcome }),
    ...(error !== undefined && { error }),
  };
}
