import { ToolError } from "@toolrack/core";
import type { WriteAudit } from "../audit/audit.ts";
import { chainSteps } from "./chain-steps.ts";
import type { ProgramDetails, Programs, ProgramSummary } from "./programs.ts";
import { type ListedRun, type RunRecords, type StoredRun, withoutState } from "./run-record.ts";

export interface ShowOptions {
  readonly records: RunRecords;
  readonly audit: WriteAudit;
  redact(value: unknown): unknown;
  isOver(server: string): Promise<boolean>;
  /** Cancels a call that runs here or elsewhere. */
  cancel(callId: string, reason: string): Promise<void>;
  withdraw(approvals: readonly string[]): Promise<void>;
  now(): number;
}

/** What people see of stored programs, and what they can do about them. */
export function showPrograms(options: ShowOptions): Pick<Programs, "list" | "show" | "cancel"> {
  const { records, audit, now } = options;
  return {
    async list() {
      const [open, ended] = await Promise.all([records.list({ isOpen: true }), records.list({ isOpen: false })]);
      return [...open, ...ended].map(toSummary).sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? -1 : 1));
    },
    async show(id) {
      const found = await records.get(id);
      // What a person decides about is shown with the question; here, secrets are left out as in the log of calls.
      return found && (options.redact(toDetails(found)) as ProgramDetails);
    },
    async cancel(id, by) {
      const found = await records.get(id);
      if (found === undefined || found.status !== "waiting") return false;
      const reason = "The program was cancelled.";
      await audit({ kind: "program-cancelled", subject: id, by, body: { callId: found.callId, tool: found.content.tool } });
      if (!(await options.isOver(found.server))) {
        await options.cancel(found.callId, reason);
        return true;
      }
      const content = { ...withoutState(found.content), pending: [], error: { code: "ABORTED", message: reason } };
      const ended = { ...found, status: "cancelled" as const, updatedAt: now(), content };
      if ((await records.write(ended, found.version)) === undefined)
        throw new ToolError("ABORTED", `The program "${id}" goes on at this moment. Cancel it again.`, { retryable: true });
      await options.withdraw(found.content.pending.flatMap(({ approval }) => approval ?? []));
      return true;
    },
  };
}

function toSummary({ id, status, callId, startedAt, updatedAt, content }: ListedRun): ProgramSummary {
  const line = content?.pending[0]?.line;
  const about = { tool: content?.tool ?? "", caller: content?.caller ?? {} };
  return { id, status, ...about, callId, startedAt, updatedAt, ...(line !== undefined && { line }) };
}

function toDetails(run: StoredRun): ProgramDetails {
  const { source, chain, pending, outcome, error } = run.content;
  return {
    ...toSummary(run),
    source,
    ...(chain !== undefined && { chain: chainSteps(chain, run.status, pending) }),
    pending: pending.map(({ callId, tool, input, labels, origins, line, approval }) => ({
      callId,
      tool,
      input,
      labels,
      ...(origins !== undefined && { origins }),
      line,
      ...(approval !== undefined && { approval }),
    })),
    ...(outcome !== undefined && { outcome }),
    ...(error !== undefined && { error }),
  };
}
