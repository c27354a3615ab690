import type { ApprovalRequest, CallContext, Caller, InvokeOptions, Logger } from "@toolrack/core";
import { heavyTurn } from "@toolrack/core/node";
import type { Reranker } from "@toolrack/core/search";
import type { BreadcrumbStore, CallLog } from "@toolrack/store";
import type { ProgramQuestions, QuestionCompanion } from "../approvals/approvals.ts";
import type { WriteAudit } from "../audit/audit.ts";
import type { CallEnds } from "../calls/call-ends.ts";
import type { UnfinishedOptions } from "../calls/unfinished.ts";
import type { RunningCall } from "../rack.ts";
import type { RecordFeed, Records } from "../store/records.ts";
import { createBudget } from "./budget.ts";
import { callIdsAbove } from "./call-facts.ts";
import { createProgramCallIds } from "./call-ids.ts";
import { everything } from "./log-labels.ts";
import { markerIdOf } from "./marker-id.ts";
import type { LiveParts } from "./live-parts.ts";
import { LiveRun, turnOf } from "./live-run.ts";
import { createPassedLabels } from "./passed-labels.ts";
import type { ProgramRequest, Programs } from "./programs.ts";
import { labelsOfName, type ReachRegistry } from "./reach.ts";
import { createRunRecords, runIdOf, type StoredRun } from "./run-record.ts";
import { createSeenShapes } from "./seen-shapes.ts";
import { showPrograms } from "./show-programs.ts";
import { createTakeOver } from "./take-over.ts";

export interface ProgramsOptions {
  readonly registry: ReachRegistry;
  readonly reranker: Reranker | undefined;
  readonly store: BreadcrumbStore;
  readonly feed: RecordFeed;
  readonly sharedKey: Uint8Array;
  readonly keepMs: number;
  readonly calls: CallLog;
  readonly callEnds: CallEnds;
  /** How calls of servers that ended are settled. */
  readonly unfinished: UnfinishedOptions;
  readonly server: { readonly name: string };
  readonly log: Logger;
  readonly audit: WriteAudit;
  redact(value: unknown): unknown;
  /** A caller of earlier, with the rights that are left; a sentence if it has none. */
  callerNow(caller: Caller): Promise<Caller | string>;
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

/** Runs the programs of a server, and goes on with those of servers that ended. */
export interface ProgramRunner extends Programs, ProgramQuestions {
  isWithin(request: Pick<ApprovalRequest, "parentCallIds">): boolean;
  /** Goes on with a program whose server ended, unless it waits for a person or another server does. */
  take(id: string): Promise<unknown>;
  abandon(server: string): Promise<number>;
}

export function createProgramRunner(options: ProgramsOptions, markers: Records): ProgramRunner {
  const { registry, calls, server, sharedKey } = options;
  const records = createRunRecords(options);
  /** By the call that runs it. */
  const live = new Map<string, LiveRun>();
  /** Programs that go on, by the call that was made for it. */
  const resuming = new Map<string, StoredRun>();
  /** Calls whose questions were answered before they were made again; true for the call of the program itself. */
  const carried = new Map<string, string | true>();
  // A call of what is no tool answers what this server says.
  const passed = createPassedLabels((tool) => labelsOfName(registry, tool) ?? []);
  options.callEnds.subscribe((call) => {
    if (live.size > 0) passed.ended(call);
  });

  async function announce(): Promise<void> {
    const id = markerIdOf(server.name);
    if (markers.get(id) === undefined)
      await markers.write({ id, title: "A server with stored programs", context: { server: server.name } });
  }

  const parts: LiveParts = {
    ...options,
    records,
    callIds: createProgramCallIds(sharedKey),
    passed,
    budget: createBudget(),
    seen: createSeenShapes(),
    announce,
    carry: (callId, approval) => void carried.set(callId, approval),
  };
  const takeOver = createTakeOver({
    ...options,
    labelsOf: (tool) => labelsOfName(registry, tool) ?? everything,
    records,
    markers,
    announce,
    resuming,
    carried,
  });

  async function run(request: ProgramRequest, context: CallContext): ReturnType<Programs["run"]> {
    const stored = resuming.get(context.callId);
    resuming.delete(context.callId);
    const given = stored === undefined ? request : { ...request, source: stored.content.source };
    const above = callIdsAbove(context).flatMap((callId) => live.get(callId) ?? [])[0];
    await heavyTurn(turnOf(context.caller)); // reading a long program takes time, too
    const one = new LiveRun(parts, given, context, { stored, above });
    live.set(context.callId, one);
    try {
      return await one.run(stored === undefined ? undefined : takeOver.settle);
    } finally {
      live.delete(context.callId);
      if (live.size === 0) passed.clear();
      const parent = stored?.content.parent;
      if (parent !== undefined) setImmediate(() => void takeOver.take(runIdOf(parent.callId)));
    }
  }

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
    const { id, line, text, origins } = waits[0]!;
    return {
      program: { id, line, text, isKept, ...(origins && { origins }) },
      async write(tx) {
        for (const wait of waits) await wait.write(tx);
      },
      done,
    };
  }

  return {
    run,
    beside,
    carried(callId) {
      const given = carried.get(callId);
      carried.delete(callId);
      return given;
    },
    isWithin: ({ parentCallIds = [] }) => parentCallIds.some((callId) => live.has(callId)),
    take: takeOver.take,
    abandon: takeOver.abandon,
    ...showPrograms({ ...options, records, isOver: takeOver.isOver }),
  };
}
