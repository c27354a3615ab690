import type { Logger } from "@toolrack/core";
import { applyRetention, type BreadcrumbStore, createLeases, pruneAudit } from "@toolrack/store";
import type { RetentionLimits } from "../../config/retention.ts";
import { approvalSchema } from "../approvals/approvals.ts";
import type { Retention, RetentionCounts, RetentionRun } from "../rack.ts";
import { createDuty } from "../cluster/duty.ts";
import { endOldSessions } from "./end-old-sessions.ts";
import { taskSchema } from "../mcp/older-tasks.ts";

export interface RetentionOptions {
  readonly store: BreadcrumbStore;
  /** The server's own records. */
  readonly inner: BreadcrumbStore;
  /** This server, which may hold the lease for it. */
  readonly server: { readonly name: string };
  readonly limits: RetentionLimits;
  readonly log: Logger;
  now(): number;
}

/** Runs some time after the start, then periodically, on one server of the store; a short-lived program never runs it. */
export function startRetention({ store, inner, server, limits, log, now }: RetentionOptions): Retention {
  const closed = new AbortController();
  let last: RetentionRun | undefined;
  let running: Promise<unknown> = Promise.resolve();
  // Held from one run to the next; the server that has it asks again before it ends.
  const duty = createDuty({ leases: createLeases(inner), name: "retention", holder: () => server.name, ttlMs: 1.5 * everyMs });

  async function remove(): Promise<RetentionCounts> {
    const { revisionsPerRecord, deletedDays, approvalsDays, tasksHours, sessionsDays, eventsDays, auditDays, auditRows } = limits;
    const plan = {
      revisionsPerRecord,
      changesMs: eventsDays * dayMs,
      deletedMs: deletedDays * dayMs,
      endedMs: { [approvalSchema]: approvalsDays * dayMs, [taskSchema]: tasksHours * hourMs },
      endedTasksMs: tasksHours * hourMs,
      answersOf: [store.actor.owner, inner.actor.owner],
    };
    const { revisions, records, answers, tasks } = await applyRetention(store, plan, closed.signal);
    const { [approvalSchema]: approvals = 0, [taskSchema]: older = 0, ...others } = records;
    const deleted = Object.values(others).reduce((sum, count) => sum + count, 0);
    const isBounded = Number.isFinite(auditDays) || Number.isFinite(auditRows);
    const auditLines =
      isBounded && !closed.signal.aborted ? await pruneAudit(store, { maxAgeMs: auditDays * dayMs, maxRows: auditRows }) : 0;
    const sessions = Number.isFinite(sessionsDays) ? await endOldSessions(inner, now() - sessionsDays * dayMs, closed.signal) : 0;
    return { revisions, deleted, approvals, tasks: tasks + older, sessions, answers, auditLines };
  }

  async function runOnce(): Promise<RetentionRun> {
    try {
      const removed = await remove();
      last = { at: now(), removed };
      if (Object.values(removed).some((count) => count > 0)) log.info("Old data was removed.", { ...removed });
    } catch (error) {
      last = { at: now(), removed: nothing, error: error instanceof Error ? error.message : String(error) };
      log.warn("Old data could not be removed; the server will try again later.", { error: String(error) });
    }
    return last;
  }

  function run(): Promise<RetentionRun> {
    const next = running.then(runOnce);
    running = next;
    return next;
  }

  let timer = setTimeout(function again() {
    duty
      .run(run)
      .catch((error: unknown) => log.warn("Old data could not be removed; the server will try again later.", { error: String(error) }));
    timer = setTimeout(again, everyMs).unref();
  }, firstMs).unref();
  return {
    limits,
    last: () => last,
    run,
    async close() {
      clearTimeout(timer);
      closed.abort();
      await running;
      await duty.close().catch(() => undefined); // it ends by itself
    },
  };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const firstMs = 30_000;
const everyMs = 600_000;
const nothing: RetentionCounts = { revisions: 0, deleted: 0, approvals: 0, tasks: 0, sessions: 0, answers: 0, auditLines: 0 };
