import type { ChainPlan } from "@toolrack/code";
import type { ProgramChain, ProgramStatus, ProgramStep } from "./programs.ts";
import type { PendingRecord } from "./run-record.ts";

/** How far the steps of a chain are: all of a level end before the next one begins. */
export function chainSteps(plan: ChainPlan, status: ProgramStatus, pending: readonly PendingRecord[]): ProgramChain {
  const { levels, edges, steps, returned } = plan;
  const callOf = (line: number): PendingRecord | undefined => pending.find((call) => call.line === line);
  const present = levels.findIndex((level) => steps.some(({ id, line }) => level.includes(id) && callOf(line) !== undefined));
  const statusOf = (id: string, line: number): ProgramStep["status"] => {
    if (status === "ended") return "ended";
    const call = callOf(line);
    if (call !== undefined) return call.approval === undefined ? "running" : "waiting";
    if (present === -1) return "unknown";
    return levels.findIndex((level) => level.includes(id)) <= present ? "ended" : "not begun";
  };
  return { levels, edges, returned, steps: steps.map(({ id, tool, line }) => ({ id, tool, status: statusOf(id, line) })) };
}
