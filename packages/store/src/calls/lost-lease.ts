import type { ToolResult } from "@toolrack/core";
import type { ChainKey, LineContent } from "../engine/audit.ts";
import { appendLines } from "../engine/chain.ts";
import { serverOfLost } from "../engine/lease.ts";
import type { Engine } from "../engine/engine.ts";
import { toStoredCall } from "./call-body.ts";
import type { EndLine, Line } from "./call-line.ts";
import type { ServerLease } from "./server-lease.ts";
import { toStoredResult } from "./stored-result.ts";

export interface LeasedWriting {
  readonly lease: ServerLease;
  now(): number;
  /** Writes a page under the current lease. */
  write(lines: readonly Line[]): Promise<void>;
  /** Records the running calls of a server that lost its lease as aborted. */
  abandon(server: string): Promise<void>;
  /** Writes the end of a call unless one is recorded already; then returns that result. */
  endOnce(line: EndLine): Promise<ToolResult | undefined>;
}

/**
 * Writes lines under the lease of a server. After a loss it continues under the next lease. The end of a call that began before the loss is
 * written only if none is recorded; otherwise `recorded` of its line is set to that result.
 */
export function writeUnderLease(options: LeasedWriting): (lines: readonly Line[]) => Promise<void> {
  const { lease, now, write, abandon, endOnce } = options;
  let known = lease.name;
  let lostAt: number = never;

  const isLate = (line: Line): line is EndLine =>
    line.type === "end" &&
    (line.call?.server === undefined ? line.call === undefined && line.record.startedAt <= lostAt : line.call.server !== known);

  async function withoutLate(lines: readonly Line[]): Promise<readonly Line[]> {
    const late = lines.filter(isLate);
    for (const server of new Set(late.flatMap(({ call }) => call?.server ?? []))) await abandon(server);
    for (const line of late) line.recorded = await endOnce(line);
    return lines.filter((line) => !late.includes(line as EndLine));
  }

  return async (lines) => {
    let rest = lines;
    for (let tries = 0; ; tries++) {
      if (known !== lease.name) {
        known = lease.name;
        lostAt = now();
      }
      if (lostAt !== never && rest.some(isLate)) {
        rest = await withoutLate(rest);
        continue; // the lease may have changed in the meantime
      }
      if (rest.length === 0) return;
      const name = known;
      try {
        await write(rest);
        return;
      } catch (error) {
        const lost = serverOfLost(error);
        if (lost === undefined || tries >= mostTries) throw error;
        // A page behind a failed one was not tried, and its own lease may still be held.
        if (lost === name) await lease.lost(name);
      }
    }
  };
}

const never = Number.NEGATIVE_INFINITY;
/** A limit, so that a list of servers that keeps losing entries does not cause an endless loop. */
const mostTries = 50;

/** In one transaction: of several writers, one succeeds. */
export function appendOnce(
  engine: Engine,
  { owner, callId, content, key }: { owner: string; callId: string; content: LineContent; key: ChainKey | undefined },
): Promise<ToolResult | undefined> {
  return engine.writeAudit(async (tx) => {
    await tx.lockAudit();
    const [there] = await tx.auditBefore(Number.MAX_SAFE_INTEGER, 1, { owner, kinds: ["call"], callId });
    if (there !== undefined) return toStoredResult(toStoredCall(there));
    await appendLines(tx, [content], key);
    return undefined;
  });
}
