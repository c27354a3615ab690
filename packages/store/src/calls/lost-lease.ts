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
  /** Writes a page under the lease that is held now. */
  write(lines: readonly Line[]): Promise<void>;
  /** Writes down the calls of a server that lost its lease as aborted, those that are not yet. */
  abandon(server: string): Promise<void>;
  /** Writes the end of a call unless one is recorded already; then returns that result. */
  endOnce(line: EndLine): Promise<ToolResult | undefined>;
}

/**
 * Writes lines under the lease of a server. When that was lost, it goes on under the next one; the end of a call from before is written only
 * where none is on record, else `stands` of its line becomes what is.
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
        continue; // the name may be another one by now
      }
      if (rest.length === 0) return;
      const name = known;
      try {
        await write(rest);
        return;
      } catch (error) {
        const lost = serverOfLost(error);
        if (lost === undefined || tries >= mostTries) throw error;
        // A page behind one that failed was not tried, and its own lease may be held.
        if (lost === name) await lease.lost(name);
      }
    }
  };
}

const never = Number.NEGATIVE_INFINITY;
/** Others can take a lease only so often; without an end, a list that loses names would be asked for ever. */
const mostTries = 50;

/** In one transaction: of all who write so, one writes. */
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
